"""Provides the shaders of the shared corpus as SPIR-V to all tests.

The manifests contain the command that compiles each file (../shared/corpus/README.md). The SPIR-V is kept in the
caller's folder, under a name that depends on the command and the file's text. Tests may share such a folder: files
appear in it atomically.
"""
import collections
import csv
import hashlib
import os
import subprocess

MISSING = 77  # the exit code of a test if the corpus is missing

# name: part and path, with the variant if a file has several; command: as in the manifest, run in `folder`
Shader = collections.namedtuple("Shader", "name path folder command")


def root():
    """Returns the corpus's folder, or None."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folder = os.path.join(os.environ.get("HEDDLE_SHARED", os.path.join(here, "..", "shared")), "corpus")
    return os.path.abspath(folder) if os.path.isdir(folder) else None


def compute_shaders(parts=("glsl", "spvasm")):
    """Yields every way to compile a compute shader, except those of ray tracing."""
    return shaders("comp", parts)


def shaders(stage, parts=("glsl", "spvasm")):
    """The same for any stage, as the manifests name it."""
    for part in parts:
        folder = os.path.join(root(), part)
        with open(os.path.join(folder, "manifest.tsv"), encoding="utf-8") as f:
            for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row["stage"] != stage or not row["command"] or row["path"].startswith("raytracing/"):
                    continue
                variant = row.get("variant")
                name = f"{part}/{row['path']}" + (f" ({variant})" if variant else "")
                yield Shader(name, row["path"], folder, row["command"])


def optimised(shader):
    """Returns the same shader, optimised as applications ship it; None if it is not GLSL."""
    if not shader.command.startswith("glslc "):
        return None
    return shader._replace(name=shader.name + " -O", command=shader.command.replace("glslc ", "glslc -O ", 1))


def spirv(shader, cache):
    """Returns (path of the SPIR-V in the folder `cache`, None), or (None, why the front end refuses the shader)."""
    os.makedirs(cache, exist_ok=True)
    with open(os.path.join(shader.folder, shader.path), "rb") as f:
        key = hashlib.sha1(shader.command.encode() + b"\0" + f.read()).hexdigest()
    out = os.path.join(cache, key + ".spv")
    if os.path.exists(out):
        return out, None
    part = f"{out}.{os.getpid()}"
    ran = subprocess.run(shader.command.replace("OUT.spv", part), shell=True, cwd=shader.folder,
                         capture_output=True, text=True)
    if ran.returncode or not os.path.exists(part):
        return None, "the front end does not take it: " + (ran.stderr or ran.stdout).strip()[-200:]
    os.replace(part, out)
    return out, None
