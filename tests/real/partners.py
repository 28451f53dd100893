"""Makes the other stage of a pipeline for a vertex or fragment shader, and what real.c must know of its inputs and outputs.

A vertex shader gets a fragment shader that stores where each pixel is and what it reads at each location; what has no attachment is added to
the last. A fragment shader gets a vertex shader that covers the screen with two triangles of several depths, or has points in the corners where the
shader reads gl_PointCoord, and gives each location numbers of its own.
"""
import collections
import os
import subprocess

import spirv_interface
from spirv_interface import glsl_flat, glsl_parts, glsl_place, glsl_type

MAX_TARGETS = 8
FORMATS = {"float": "SFLOAT", "int": "SINT", "uint": "UINT"}
CHANNELS = ("R{0}", "R{0}G{0}", "R{0}G{0}B{0}", "R{0}G{0}B{0}A{0}")
# of attachments, by the number of channels: what a shader leaves out is undefined
FLOATS = (("R32_SFLOAT", "R8_UNORM", "R16_SFLOAT"), ("R32G32_SFLOAT", "R8G8_UNORM", "R16G16_SFLOAT"), ("B10G11R11_UFLOAT_PACK32",),
          ("R32G32B32A32_SFLOAT", "R8G8B8A8_UNORM", "R16G16B16A16_SFLOAT"))
HEAD = "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
VERTEX = """const vec2 corner[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(1, 1), vec2(-1, 1), vec2(1, -1));

float number(int k)
{
    return float((k * 7919 + gl_VertexIndex * 104729 + 12345) % 1024) / 512.0 - 0.75;
}

void main()
{
    float w = 1.0 + 0.25 * float(gl_VertexIndex % 3);
    gl_PointSize = 16.0;
    gl_Position = vec4(corner[gl_VertexIndex % 6] * w, (0.125 + 0.125 * float(gl_VertexIndex % 6)) * w, w);
"""

# spv: the other stage; attributes and targets: formats by location
Partner = collections.namedtuple("Partner", "spv attributes targets points")


class Refused(Exception):
    """Why a shader has no partner."""


def fragment_text(outputs):
    """Returns the shader and the kinds of its outputs."""
    lines, body, kinds = [], [], ["float"]
    for n, v in enumerate(sorted(set(outputs))):
        lines.append(f"layout({glsl_place(v)}) {glsl_flat(v)}in {glsl_type(v)} in{n};\n")
        got = glsl_parts(v, f"in{n}")
        if len(kinds) < MAX_TARGETS:
            vector, zero = {"float": ("vec4", "0.0"), "int": ("ivec4", "0"), "uint": ("uvec4", "0u")}[v.kind]
            scalar = v.kind
            lines.append(f"layout(location = {len(kinds)}) out {vector} out{len(kinds)};\n")
            body.append(f"    out{len(kinds)} = {vector}({', '.join([f'{scalar}({p})' for p in got] + [zero] * (4 - len(got)))});\n")
            kinds.append(v.kind)
        else:
            last = len(kinds) - 1
            body += [f"    out{last} += {'ui'[kinds[last] == 'int'] if kinds[last] != 'float' else ''}vec4({p});\n" for p in got]
    return f"{HEAD}layout(location = 0) out vec4 out0;\n{''.join(lines)}void main()\n{{\n    out0 = gl_FragCoord;\n{''.join(body)}}}\n", kinds


def vertex_text(inputs):
    lines, body = [], []
    for n, v in enumerate(sorted(set(inputs))):
        kind = glsl_type(v)
        lines.append(f"layout({glsl_place(v)}) out {kind} out{n};\n")
        numbers = [f"number({16 * v.location + v.component + k})" for k in range(v.comps)]
        scalar = glsl_type(v._replace(comps=1))
        made = [f"{scalar}({x})" if v.kind == "float" else f"{scalar}(abs({x}) * 2.0)" for x in numbers]
        body.append(f"    out{n} = {kind}({', '.join(made)});\n")
    return f"{HEAD}{''.join(lines)}{VERTEX}{''.join(body)}}}\n"


def compiled(text, stage, path):
    """Compiles the text beside the shader's SPIR-V; the file is shared by processes."""
    part = f"{path}.{os.getpid()}"
    ran = subprocess.run(["glslc", "--target-env=vulkan1.2", f"-fshader-stage={stage}", "-", "-o", part], input=text, capture_output=True, text=True)
    if ran.returncode:
        raise Refused("glslc does not take the other stage: " + ran.stderr.strip()[-200:])
    os.replace(part, path)
    return path


def attributes(inputs):
    """Formats by location, of as many channels as the shader's inputs have there."""
    found = {}
    for v in inputs:
        if v.bits not in (16, 32):
            raise Refused("an attribute of %d bits" % v.bits)
        _, last = found.get(v.location, (v, 0))
        found[v.location] = v, max(last, v.component + v.comps)
    return {at: CHANNELS[last - 1].format(v.bits) + "_" + FORMATS[v.kind] for at, (v, last) in found.items()}


def targets(outputs, seed):
    """Formats by location of what the fragment shader writes, which must be all up to the last."""
    kinds = {}
    for v in outputs:
        if v.index:
            raise Refused("dual-source blending")
        kind, channels = kinds.get(v.location, (v.kind, 0))
        kinds[v.location] = kind, max(channels, v.component + v.comps)
    if set(kinds) != set(range(len(kinds))) or len(kinds) > MAX_TARGETS:
        raise Refused(f"outputs at locations {sorted(kinds)}")
    formats = {}
    for at, (kind, channels) in kinds.items():
        if kind != "float" and channels == 3:
            raise Refused("an output of three integers")
        names = FLOATS[channels - 1] if kind == "float" else [CHANNELS[channels - 1].format(32) + "_" + FORMATS[kind]]
        formats[at] = names[(seed + at) % len(names)]
    return formats


def make(spv, seed):
    """Returns the Partner of the shader in `spv`, or raises Refused."""
    faces = spirv_interface.read(spv)
    if not faces.stage:
        raise Refused("neither a vertex nor a fragment shader")
    if not all(map(glsl_type, faces.inputs + faces.outputs)):
        raise Refused("inputs or outputs of a type that GLSL lacks")
    if faces.stage == "frag":
        return Partner(compiled(vertex_text(faces.inputs), "vertex", spv + ".partner"), {}, targets(faces.outputs, seed), faces.reads_point)
    text, kinds = fragment_text(faces.outputs)
    return Partner(compiled(text, "fragment", spv + ".partner"), attributes(faces.inputs), {n: "R32G32B32A32_" + FORMATS[k] for n, k in enumerate(kinds)}, False)


def options(partner):
    """The words of real.c's command line."""
    def listed(formats):
        return ",".join(f"{at}:{name}" for at, name in sorted(formats.items()))

    words = ["--points"] if partner.points else []
    words += [f"--with={partner.spv}", f"--targets={listed(partner.targets)}"]
    return words + ([f"--attributes={listed(partner.attributes)}"] if partner.attributes else [])
