#!/usr/bin/env python3
"""Programs outside the tree use the installed library: a driver in C and one in C++.

The test installs into a temporary folder, copies the programs to another one, and builds them there with what pkg-config says, with
the shared library and with the static one. Each compiles three shaders that share a set layout, and prints how to launch them, from
what the library reports alone. run_launch executes exactly that on the emulator, and the results are compared with the sums below.

The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SHADERS = ["buffers", "dynamic", "images"]
TARGETS = ["gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"]
WAYS = [[target, wave, abi] for target in TARGETS for wave in ("32", "64") for abi in ("vulkan", "hsa")]
C_RUNS = WAYS + [["gfx1030", "32", "vulkan", "0x1234"], ["gfx1030", "64", "vulkan", "0"]]
CC_RUNS = [[*way, *how] for way in WAYS for how in ([], ["inferred"])]


def buffers():
    """What shaders/buffers.comp must write for the values that the programs give it."""
    part, add, scale, a_y, b_z = 2, 1000, 3, 5, 1
    return [(part * 1000 + i * 7) * scale + ((i * 13 + b_z) % 200) * a_y + add for i in range(128)]


def dynamic():
    first, table, weight_x, weight_w = 7, [1, 2, 3, 4], 2, 10
    total = sum(weight_x * lane + table[lane // 8] for lane in range(32))
    return [total + first + group * weight_w for group in range(6)]


def images():
    """Texel x of the first image is 2 + x, of the second 100 + x; the coordinates are behind the edge."""
    def sample(sampler, x):
        return [2 + x, 2 + 63, 1][sampler]  # wrap, last texel, white border
    return [sample(i % 3, i & 15) | sample(1, i & 15) << 8 | sample(2, i & 15) << 16 | (100 + 63) << 24 for i in range(64)]


def run(command, **more):
    ran = subprocess.run(command, capture_output=True, text=True, **more)
    if ran.returncode:
        raise RuntimeError(f"{' '.join(command)}: {ran.stdout}{ran.stderr}".strip())
    return ran.stdout


class Installed:
    """The library as installed into a folder, and how pkg-config finds it."""

    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        run([args.meson, "install", "-C", args.build, "--no-rebuild", "--tags", "devel,runtime", "--destdir", folder])
        found = [root for root, _, files in os.walk(folder) if "heddle.pc" in files]
        if len(found) != 1:
            raise RuntimeError(f"heddle.pc is installed in {found}")
        self.env = dict(os.environ, PKG_CONFIG_LIBDIR=found[0], PKG_CONFIG_SYSROOT_DIR=folder)
        self.libdir = os.path.dirname(found[0])

    def build(self, compiler, source, out, static):
        """Builds a program as its README would say; static: takes the archive in place of -lheddle."""
        flags = run([self.args.pkg_config, "--cflags", "--libs", *(["--static"] if static else []), "heddle"], env=self.env).split()
        if static:
            flags = ["-l:libheddle.a" if f == "-lheddle" else f for f in flags]
        run([*compiler, "-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror", "-o", out, source, *flags, *self.args.link.split()],
            cwd=os.path.dirname(source))
        needed = run(["readelf", "-d", out])
        if ("libheddle" in needed) == static:
            raise RuntimeError(f"{out} is linked with the other library")


def launched(args, program, env, arguments):
    """The results of a program's launches, as lists of words."""
    description = run([program, *arguments], env=env)
    lines = run([args.run_launch], input=description).splitlines()
    return [[int(word) for word in line.split()] for line in lines]


def check(args, installed, name, compiler, source, runs, static):
    """Builds one program and makes its launches; returns (passed, failed)."""
    program = os.path.join(os.path.dirname(source), name)
    try:
        installed.build(compiler, source, program, static)
    except RuntimeError as e:
        print(f"{name}: {e}")
        return 0, len(runs)
    env = dict(os.environ, LD_LIBRARY_PATH=installed.libdir)
    failed = 0
    for one in runs:
        try:
            got = launched(args, program, env, [os.path.dirname(source), *one])
            if got != [buffers(), dynamic(), images()]:
                raise RuntimeError(f"the results are {got}")
        except RuntimeError as e:
            failed += 1
            print(f"{name} {' '.join(one)}: {e}")
    return len(runs) - failed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("meson", "pkg-config", "build", "heddle", "run-launch", "cc", "link"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--cxx", default="")
    args = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        work = os.path.join(folder, "driver")
        shutil.copytree(HERE, work)
        for shader in SHADERS:
            run([args.heddle, "compile", "--emit", "spirv", "-o", f"{work}/{shader}.spv", f"{work}/shaders/{shader}.comp"])
        installed = Installed(args, os.path.join(folder, "root"))
        programs = [("c", [*args.cc.split(), "-std=c11"], "launch.c", C_RUNS)]
        if args.cxx:
            programs.append(("c++", [args.cxx, "-std=c++17"], "launch.cc", CC_RUNS))
        for kind in ("shared", "static"):
            for language, compiler, source, runs in programs:
                p, f = check(args, installed, f"launch-{language}-{kind}", compiler, os.path.join(work, source), runs, kind == "static")
                passed, failed = passed + p, failed + f
    print(f"{passed} passed, {failed} failed, {0 if args.cxx else 2 * len(CC_RUNS)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
