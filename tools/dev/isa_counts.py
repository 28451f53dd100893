#!/usr/bin/env python3
"""Checks the table of opcodes by target in docs/status.md: the number in Heddle's tables, and the number that llvm-mc 19 knows.

    isa_counts.py --tool build/tests/isa/isa_tool [--write] [--census]

Heddle's count is of (encoding, number) pairs of the target; the two operations of VOPD are two encodings. For LLVM's count,
tests/isa/census.py decodes every opcode number of every encoding. LLVM 19 has no disassembler for gfx6 and gfx7, so for those the
script counts the mnemonics that LLVM's assembler knows, next to Heddle's (tests/isa/mnemonics.py). Without --write the table is
only compared, and the test fails if it is stale. LLVM's other counts are taken from the table unless --census is given, which
takes minutes.
"""
import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "isa"))
import census
import formats
import llvm
import mnemonics

STATUS = os.path.join(ROOT, "docs", "status.md")
BEGIN, END = "<!-- isa-counts -->", "<!-- /isa-counts -->"


def ours(tool, target):
    """Returns a target's opcodes, {(format, number)}, and its mnemonics."""
    rows = llvm.Tool(tool, target).rows()
    return {(fmt, number) for _, fmt, number, _ in rows}, sorted({name for name, _, _, _ in rows})


def llvm_count(path, target, names):
    if target in formats.NOT_DISASSEMBLED:
        return f"{len(mnemonics.names(path, target))} mnemonics, Heddle {len(names)}"
    found = census.names(llvm.Llvm(path, target), target)
    return str(sum(len(numbers) for numbers in found.values()))


def table(path, tool, old):
    """Returns the lines of the table, with LLVM's counts from `old` if it has them."""
    lines = ["| target | opcodes in Heddle's tables | LLVM 19's own count |", "| --- | --- | --- |"]
    for target in formats.TARGETS:
        numbers, names = ours(tool, target)
        again = target not in old or path and target in formats.NOT_DISASSEMBLED  # counting mnemonics is fast
        theirs = llvm_count(path, target, names) if again else old[target]
        lines.append(f"| {target} | {len(numbers)} | {theirs} |")
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True, help="isa_tool")
    parser.add_argument("--write", action="store_true", help="write the table")
    parser.add_argument("--census", action="store_true", help="take LLVM's counts again: minutes")
    args = parser.parse_args()
    path = llvm.find()
    if not path and args.census:
        print("skipped: llvm-mc 19 is not installed (Debian: llvm-19)")
        return 77
    text = open(STATUS, encoding="utf-8").read()
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        print(f"FAIL {STATUS} has no place for the table ({BEGIN} ... {END})")
        return 1
    begin += len(BEGIN)
    there = dict(re.findall(r"^\| (gfx\w+) \| \d+ \| (.*?) \|$", text[begin:end], re.M))
    lines = "\n" + "\n".join(table(path, args.tool, {} if args.census else there)) + "\n"
    if args.write:
        open(STATUS, "w", encoding="utf-8").write(text[:begin] + lines + text[end:])
        return 0
    stale = text[begin:end] != lines
    print("FAIL the table of opcodes in docs/status.md is stale: tools/dev/isa_counts.py --tool ... --write" if stale else "ok   opcodes in docs/status.md")
    print(f"{int(not stale)} passed, {int(stale)} failed, 0 skipped")
    return int(stale)


if __name__ == "__main__":
    sys.exit(main())
