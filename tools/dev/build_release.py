#!/usr/bin/env python3
"""Builds the library and the program as fast as a compiler of the host can make them.

    build_release.py FOLDER [NINJA-TARGET ...]

Optimises at link time and by a profile: builds with counters, compiles the shaders of this tree for some targets, and builds again; then
orders the program's code by a second profile, where BOLT is installed (post_link.py). A profile only tells the host's compiler what is
executed often; what Heddle does is the same. It is made anew when the sources or the compiler have changed. Without targets, all is built.

The compiler is the newest clang that is installed with its own lld, llvm-ar and llvm-profdata (Debian: clang-19, lld-19, llvm-19), as its
code is a tenth faster than gcc 12's here; else gcc; or what the environment names: CC (with AR, CC_LD and LLVM_PROFDATA, for a clang).
The program that BOLT ordered (Debian: bolt-19, libbolt-19-dev) is another tenth faster.

The shaders of the training are those of this tree's tests and examples. None is of the corpus that `make bench` measures.
"""
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys

import post_link

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHADERS = ("examples", "tests/real", "tests/lit", "tests/fuzz")
STAGES = (".comp", ".vert", ".frag")
TARGETS = (("gfx900", "64"), ("gfx1030", "64"), ("gfx1100", "32"), ("gfx1201", "32"))
PROGRAM = "tools/heddle/heddle"
OLDEST_CLANG = 16


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def ninja(folder, *targets):
    subprocess.run(["ninja", "-C", folder, "-j2", "--quiet", *targets], check=True)


def find_clang():
    """The environment of the newest clang with all of its tools, or {}."""
    versions = set()
    for folder in os.get_exec_path():
        for path in glob.glob(os.path.join(folder, "clang-[0-9]*")):
            number = re.fullmatch(r"clang-(\d+)", os.path.basename(path))
            versions |= {int(number[1])} if number else set()
    for version in sorted(versions, reverse=True):
        tools = {"CC": f"clang-{version}", "CXX": f"clang++-{version}", "AR": f"llvm-ar-{version}",
                 "LLVM_PROFDATA": f"llvm-profdata-{version}"}
        if version >= OLDEST_CLANG and all(map(shutil.which, [*tools.values(), f"ld.lld-{version}"])):
            return {**tools, "CC_LD": "lld", "CXX_LD": "lld"}
    return {}


def choose_compiler():
    """Sets the environment; returns (what identifies the compiler, llvm-profdata, or None for gcc, BOLT's tools or None)."""
    if "CC" not in os.environ:
        os.environ.update(find_clang() or {"CC": "gcc"})
    cc = os.environ["CC"]
    version = subprocess.run([*cc.split(), "--version"], check=True, capture_output=True, text=True).stdout
    clang = re.search(r"clang version (\d+)", version)
    bolt = clang and os.environ.get("CC_LD") == "lld" and post_link.find_tools(clang[1])
    profdata = os.environ.get("LLVM_PROFDATA", "llvm-profdata") if clang else None
    return f"{cc}: {version.splitlines()[0]}{', BOLT' if bolt else ''}", profdata, bolt


def shaders():
    """The shaders of the tree that are in GLSL, of all stages that Heddle compiles."""
    for folder in SHADERS:
        for path, _, files in sorted(os.walk(os.path.join(ROOT, folder))):
            yield from (os.path.join(path, f) for f in sorted(files) if f.endswith(STAGES))


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


def counts(folder):
    """The files of a profile."""
    return [path for end in ("gcda", "profraw") for path in glob.glob(os.path.join(folder, "**", "*." + end), recursive=True)]


def train(program, **environment):
    """Compiles what compiles: some of the tests' shaders are wrong on purpose."""
    for target, wave in TARGETS:
        command = [program, "stats", "-t", target, "--wave-size", wave, *shaders()]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600, check=False,
                       env={**os.environ, **environment})


def make_profile(folder, profdata):
    """Of the program that was built with counters, where the compiler looks for it."""
    train(os.path.join(folder, PROGRAM), LLVM_PROFILE_FILE=os.path.join(os.path.abspath(folder), "%m.profraw"))
    if profdata:
        run(profdata, "merge", "-o", os.path.join(folder, "default.profdata"), *counts(folder))


def order(folder, bolt):
    """Runs BOLT on the program if it was linked since the last time."""
    program, mark = os.path.join(folder, PROGRAM), os.path.join(folder, "ordered")
    if not os.path.exists(program) or read(mark) == str(os.stat(program).st_mtime_ns):
        return
    post_link.optimize(program, bolt, train)
    with open(mark, "w", encoding="ascii") as f:
        f.write(str(os.stat(program).st_mtime_ns))


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder, targets = sys.argv[1], sys.argv[2:]
    compiler, profdata, bolt = choose_compiler()
    mark, now, is_set_up = os.path.join(folder, "profile-of"), f"{compiler}\n{digest()}", os.path.exists(os.path.join(folder, "build.ninja"))
    before = read(mark)
    print(f"build_release: {compiler}")
    if not is_set_up or before.split("\n")[0] != compiler:
        run("meson", "setup", folder, ROOT, "--buildtype=release", *(["--wipe"] if is_set_up else []))
    if before != now:
        for path in counts(folder):
            os.remove(path)
        run("meson", "configure", folder, "-Db_lto=true", "-Db_pgo=generate")
        ninja(folder, PROGRAM)
        make_profile(folder, profdata)
        run("meson", "configure", folder, "-Db_pgo=use", f"-Drelocations={'true' if bolt else 'false'}")
        with open(mark, "w", encoding="ascii") as f:
            f.write(now)
    ninja(folder, *targets)
    if bolt:
        order(folder, bolt)


if __name__ == "__main__":
    main()
