"""Makes a fragment shader for a vertex shader, and compiles both as one pipeline with RADV.

RADV moves what a fragment shader computes of its inputs alone into the vertex shader: beside the sum of all inputs that radv-anchor
makes up, a vertex shader adds its outputs and exports that sum. These companions compare each input with the pixel's place,
which no vertex shader knows, so a vertex shader keeps its outputs as they are.
"""
import os
import shutil
import subprocess

import anchors
import spirv_interface

HEAD = """#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) out vec4 colour;
"""


def declaration(number, v):
    """Returns (a line of GLSL, what adds the input's components to `sum`)."""
    scalar = spirv_interface.glsl_type(v._replace(comps=1))
    parts = spirv_interface.glsl_parts(v, f"in{number}")
    place, flat, kind = spirv_interface.glsl_place(v), spirv_interface.glsl_flat(v), spirv_interface.glsl_type(v)
    return f"layout({place}) {flat}in {kind} in{number};\n", "".join(f"   sum += float(max({p}, {scalar}(gl_FragCoord.x)));\n" for p in parts)


def fragment_text(outputs):
    """Returns a fragment shader that reads all outputs of a vertex shader, or None if it cannot be written."""
    if not all(map(spirv_interface.glsl_type, outputs)):
        return None
    lines = [declaration(n, v) for n, v in enumerate(sorted(set(outputs)))]
    return f"{HEAD}{''.join(d for d, _ in lines)}void main()\n{{\n   float sum = 0.0;\n{''.join(s for _, s in lines)}   colour = vec4(sum);\n}}\n"


def make(path, folder):
    """Puts copies of a vertex shader and of its companion into `folder`; returns both paths, or None."""
    name = os.path.join(folder, os.path.basename(path).removesuffix(".spv"))
    vertex, fragment = f"{name}.vert.spv", f"{name}.frag.spv"
    text = fragment_text(spirv_interface.read(path).outputs)
    if not text:
        return None
    ran = subprocess.run(["glslc", "-fshader-stage=fragment", "-", "-o", fragment], input=text, capture_output=True, text=True)
    if ran.returncode:
        return None
    shutil.copyfile(path, vertex)
    return vertex, fragment


def compile_all(driver, anchor, target, paths, folder):
    """Yields (path, its companion, the row of the vertex shader) of each path whose pipeline can be made and compiled."""
    pairs = {made[1]: (path, made[0]) for path in paths if (made := make(path, folder))}
    files = [f for fragment, (_, vertex) in pairs.items() for f in (fragment, vertex)]
    for fragment, row, _ in anchors.compile_all(driver, anchor, target, files, listing=True, role="paired"):
        if row:
            yield pairs[fragment][0], fragment, row
