#!/usr/bin/env python3
"""Takes the compiles of the shared corpus apart at each phase: round_trip.c has the check.

    run_round_trip.py --program PROGRAM --cache FOLDER [--seed N] [--all]

A seeded draw of shaders, of which each is taken apart at some phases, in each way; with --all every shader at every
phase. Some shaders are compiled with debug information, as glslc -g makes it, since the text must carry source lines.
The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import random
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import corpus  # noqa: E402

WAYS = (["--wave=64"], ["--wave=32"], ["--wave=64", "--debug=sgprs=24,vgprs=16"], ["--wave=32", "--debug=sgprs=24,vgprs=16"],
        ["--wave=64", "--hsa"], ["--wave=32", "--hsa"],
        ["--target=gfx1100", "--wave=32"], ["--target=a660"], ["--target=a750", "--debug=spillall"])
DRAWN, DRAWN_WITH_LINES, EVERY = 60, 12, 6


def with_lines(shader):
    """The same shader with debug information; None if it is not GLSL."""
    if not shader.command.startswith("glslc "):
        return None
    return shader._replace(name=shader.name + " -g", command=shader.command.replace("glslc ", "glslc -g ", 1))


def modules(shaders, cache):
    return sorted({path for path, _ in (corpus.spirv(s, cache) for s in shaders) if path})


def choose(args):
    """The modules to check."""
    draw = random.Random(args.seed)
    shaders = list(corpus.compute_shaders())
    lined = [s for s in map(with_lines, shaders) if s]
    if not args.all:
        shaders, lined = draw.sample(shaders, DRAWN), draw.sample(lined, DRAWN_WITH_LINES)
    files = modules(shaders + lined, args.cache)
    draw.shuffle(files)
    return files


def check(args, way, files):
    """Returns the numbers of passed, failed and skipped."""
    options = [] if args.all else [f"--every={EVERY}", f"--first={args.seed % EVERY}"]
    ran = subprocess.run([args.program] + way + options + files, capture_output=True, text=True)
    lines = ran.stdout.splitlines()
    for line in lines[:-1]:
        print(" ".join(way), line)
    numbers = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) skipped", lines[-1] if lines else "")
    if not numbers:
        print(" ".join(way), f"not ok: {args.program} ends with {ran.returncode}:", ran.stderr[-2000:])
        return [0, 1, 0]
    if int(numbers[2]):
        print(ran.stderr[-2000:])
    return [int(n) for n in numbers.groups()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    if not corpus.root():
        print("the shared corpus is missing")
        return corpus.MISSING
    files = choose(args)
    results = [check(args, way, files) for way in WAYS]
    passed, failed, skipped = map(sum, zip(*results))
    if not passed:
        print("not ok: nothing was checked")
        failed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
