#!/usr/bin/env python3
"""Builds the library and the program as fast as the host's compiler can make them.

    build_release.py FOLDER [NINJA-TARGET ...]

Optimises at link time and by a profile: builds with counters, compiles the shaders of this tree for some targets, and builds again.
The profile only tells the host's compiler what is executed often; what Heddle does is the same. It is made anew when the sources have
changed. Without targets, all is built.
"""
import glob
import hashlib
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHADERS = ("examples", "tests/real", "tests/lit", "tests/fuzz")
TARGETS = (("gfx900", "64"), ("gfx1030", "64"), ("gfx1100", "32"), ("gfx1201", "32"))
PROGRAM = "tools/heddle/heddle"


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def ninja(folder, *targets):
    subprocess.run(["ninja", "-C", folder, "-j2", "--quiet", *targets], check=True)


def shaders():
    """The compute shaders of the tree that are in GLSL."""
    for folder in SHADERS:
        for path, _, files in sorted(os.walk(os.path.join(ROOT, folder))):
            yield from (os.path.join(path, f) for f in sorted(files) if f.endswith(".comp"))


def digest():
    """Of the sources that have a profile."""
    h = hashlib.sha256()
    for folder in ("src", "include", "tools/heddle"):
        for path in sorted(glob.glob(os.path.join(ROOT, folder, "**", "*.[chd]*"), recursive=True)):
            with open(path, "rb") as f:
                h.update(f.read())
    return h.hexdigest()


def read(path):
    try:
        with open(path, encoding="ascii") as f:
            return f.read()
    except FileNotFoundError:
        return ""


def train(program):
    """Compiles what compiles: some of the tests' shaders are wrong on purpose."""
    for shader in shaders():
        for target, wave in TARGETS:
            command = [program, "compile", "-t", target, "--wave-size", wave, shader, "-o", os.devnull]
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder, targets = sys.argv[1], sys.argv[2:]
    mark, now = os.path.join(folder, "profile-of"), digest()
    if not os.path.exists(os.path.join(folder, "build.ninja")):
        run("meson", "setup", folder, ROOT, "--buildtype=release")
    if read(mark) != now:
        for counts in glob.glob(os.path.join(folder, "**", "*.gcda"), recursive=True):
            os.remove(counts)
        run("meson", "configure", folder, "-Db_lto=true", "-Db_pgo=generate")
        ninja(folder, PROGRAM)
        train(os.path.join(folder, PROGRAM))
        run("meson", "configure", folder, "-Db_pgo=use")
        with open(mark, "w", encoding="ascii") as f:
            f.write(now)
    ninja(folder, *targets)


if __name__ == "__main__":
    main()
