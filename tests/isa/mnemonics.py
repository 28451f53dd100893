#!/usr/bin/env python3
"""Which mnemonics llvm-mc 19 knows of gfx6 and gfx7, of which it has the assembler only: the names of its matcher's table, read out of
the library that llvm-mc is linked with, are asked one by one; an unknown one is told as such, the others lack operands.

    mnemonics.py --tool ISA_TOOL [TARGET ...]    compares with the mnemonics of Heddle's rows
"""
import argparse
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import formats
import llvm

# Names that LLVM takes besides: gfx9's of v_add_i32, v_sub_i32, v_subrev_i32.
ALIASES = {"v_add_co_u32", "v_sub_co_u32", "v_subrev_co_u32"}
WORD = re.compile(rb"[a-z][a-z0-9_.]*$")
UNKNOWN = re.compile(r"^<stdin>:(\d+):\d+: error: (?:invalid instruction|instruction not supported)", re.M)


def library(path):
    """The bytes of what has the table: LLVM's shared library, or llvm-mc itself."""
    listing = subprocess.run(["ldd", os.path.realpath(path)], capture_output=True, text=True).stdout
    shared = re.search(r"(/\S*LLVM\S*)", listing)
    with open(shared.group(1) if shared else os.path.realpath(path), "rb") as f:
        return f.read()


def table(path):
    """All names of the table: in order, each behind its length."""
    data = library(path)
    known = data.find(b"\x09v_add_f32")
    if known < 0:
        return []
    starts = {known}
    for at in range(known - 1, max(known - 100000, 0), -1):
        if 1 <= data[at] < 64 and at + 1 + data[at] in starts and WORD.match(data[at + 1:at + 1 + data[at]]):
            starts.add(at)
    names, at = [], min(starts)
    while 1 <= data[at] < 64 and WORD.match(data[at + 1:at + 1 + data[at]]):
        names.append(data[at + 1:at + 1 + data[at]].decode())
        at += 1 + data[at]
    return names


def names(path, target):
    """The mnemonics of `target`, without suffix and aliases."""
    every = table(path)
    run = subprocess.run([path, "-triple=amdgcn", "-mcpu=" + target], input="\n".join(every) + "\n", capture_output=True, text=True)
    unknown = {int(n) for n in UNKNOWN.findall(run.stderr)}
    return {re.sub("_e32$", "", n) for i, n in enumerate(every) if i + 1 not in unknown} - ALIASES


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True, help="isa_tool")
    parser.add_argument("targets", nargs="*")
    args = parser.parse_args()
    path = llvm.find()
    if not path:
        print("skipped: llvm-mc 19 is not installed (Debian: llvm-19)")
        return 77
    targets, failed = args.targets or formats.NOT_DISASSEMBLED, 0
    for target in targets:
        theirs, ours = names(path, target), {r[0] for r in llvm.Tool(args.tool, target).rows()}
        failed += theirs != ours
        print(f"{'FAIL' if theirs != ours else 'ok  '} {target}: {len(theirs)} mnemonics of LLVM, {len(ours)} of Heddle")
        for n in sorted(theirs ^ ours):
            print(f"     {'LLVM' if n in theirs else 'Heddle'} alone: {n}")
    print(f"{len(targets) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
