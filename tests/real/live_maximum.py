#!/usr/bin/env python3
"""Prints every compute shader of the shared corpus with live registers, and checks the view's own arithmetic: the most registers
that are live at a time are no more than the shader uses, the pressure of each instruction is at least what its columns show as
live and at most all that they show, and the text assembles to the bytes that it is the text of.

    live_maximum.py --heddle PROGRAM --cache FOLDER [--share N] [PREFIX]

`run_real.py --on live32,live64` shows that registers that are not live may hold anything. The last line is "N passed, N failed,
N skipped".
"""
import argparse
import os
import re
import subprocess
import sys
import zlib

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import corpus  # noqa: E402

MOST = re.compile(r"// ([SVA]GPR): at most (\d+) live, at instruction (.*); (\d+) used")
ROW = re.compile(r"//\s+(\d+) \|((?: +\d+)+)(.*)$")


def heddle(args, *arguments, text=None):
    return subprocess.run([args.heddle, *arguments], capture_output=True, input=text, timeout=60)


def check_row(row, most):
    """Returns what is wrong with a line: its number, the pressures, the columns of each bank."""
    columns = row.group(3).split(" | ")[1:]
    for pressure, column, (name, limit) in zip(map(int, row.group(2).split()), columns, most):
        live = sum(c in ":vx" for c in column)
        shown = sum(c != " " for c in column)
        if pressure > limit or pressure > shown or pressure < sum(c == ":" for c in column):
            return f"instruction {row.group(1)}: {pressure} {name}s, but {live} live of {shown} shown, and {limit} at most"
    return None


def check(args, spv, wave):
    arguments = ["compile", spv, "--wave-size", wave, "-o", "-"]
    if heddle(args, *arguments, "--emit", "bin").returncode:
        return None
    code = heddle(args, *arguments, "--emit", "bin").stdout
    view = heddle(args, *arguments, "--emit", "asm", "--livereg").stdout
    lines = view.decode().split("\n")
    heads = [m for m in map(MOST.match, lines) if m]
    for m in heads:
        if int(m.group(2)) > int(m.group(4)):
            return m.group(0)
    most = [(m.group(1), int(m.group(2))) for m in heads]
    rows = [m for m in map(ROW.search, lines) if m and not m.group(0).startswith("//      |")]
    wrong = next(filter(None, (check_row(m, most) for m in rows)), None)
    if wrong:
        return wrong
    again = heddle(args, "asm", "-t", "gfx1030", "--wave-size", wave, "-o", "-", "-", text=view).stdout
    return "" if again == code else "the text does not assemble to its bytes"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--heddle", required=True)
    p.add_argument("--cache", required=True)
    p.add_argument("--share", type=int, default=1)
    p.add_argument("prefix", nargs="?", default="")
    args = p.parse_args()
    if not corpus.root():
        print("the shared corpus is missing")
        return 77
    passed = failed = skipped = 0
    for shader in corpus.compute_shaders():
        if not shader.name.startswith(args.prefix) or zlib.crc32(shader.name.encode()) % args.share:
            continue
        spv, _ = corpus.spirv(shader, os.path.abspath(args.cache))
        results = [check(args, spv, wave) if spv else None for wave in ("32", "64")]
        wrong = [r for r in results if r]
        if wrong:
            print(f"FAIL {shader.name}: {wrong[0]}")
        failed += bool(wrong)
        skipped += results == [None, None]
        passed += not wrong and results != [None, None]
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
