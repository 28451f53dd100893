#!/usr/bin/env python3
"""Compares mnemonics and aliases with llvm-mc 19's assembler. The names come from the matcher's table in the library that llvm-mc is
linked with; each is assembled without operands, which gives a distinct error if the target does not know it. Aliases are compared
by assembling random instructions with the name replaced.

    mnemonics.py --tool ISA_TOOL [TARGET ...]    compares with the mnemonics of Heddle's rows and its aliases
"""
import argparse
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import diff_llvm
import formats
import llvm

TARGETS = formats.NOT_DISASSEMBLED + ["gfx803", "gfx900", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"]
# Names that LLVM also accepts on gfx6 and gfx7: gfx9's names of v_add_i32, v_sub_i32, v_subrev_i32.
ALIASES = {"v_add_co_u32", "v_sub_co_u32", "v_subrev_co_u32"}
# Not compared: a word of zeros; the operations of VOPD.
OTHERS = re.compile("v_illegal$|v_dual_")
WORD = re.compile(rb"[a-z][a-z0-9_.]*$")
UNKNOWN = re.compile(r"^<stdin>:(\d+):\d+: error: (?:invalid instruction|instruction not supported)", re.M)


def library(path):
    """Returns the bytes of the file that contains the table: LLVM's shared library, or llvm-mc itself."""
    listing = subprocess.run(["ldd", os.path.realpath(path)], capture_output=True, text=True).stdout
    shared = re.search(r"(/\S*LLVM\S*)", listing)
    with open(shared.group(1) if shared else os.path.realpath(path), "rb") as f:
        return f.read()


def table(path):
    """Returns all names of the table, which is sorted; a byte with the length precedes each name."""
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
    """Returns the mnemonics of `target`, without suffixes and aliases."""
    every = table(path)
    run = subprocess.run([path, "-triple=amdgcn", "-mcpu=" + target], input="\n".join(every) + "\n", capture_output=True, text=True)
    unknown = {int(n) for n in UNKNOWN.findall(run.stderr)}
    known = {re.sub("_e32$", "", n) for i, n in enumerate(every) if i + 1 not in unknown}
    return {n for n in known if not OTHERS.match(n)} - (ALIASES if target in formats.NOT_DISASSEMBLED else set())


def aliases(tool):
    """Returns [(alias, name)]."""
    out = subprocess.run([tool.path, "aliases", tool.cpu], capture_output=True, text=True, check=True).stdout
    return [tuple(line.split()) for line in out.split("\n") if line]


def compare_aliases(mc, tool, pairs):
    """Assembles texts with an alias in place of the name. Returns the texts for which LLVM and Heddle differ, and the number of texts
    compared. Texts that differ with the plain name are left to diff_llvm."""
    named = {}
    for alias, name in pairs:
        named.setdefault(name, []).append(alias)
    rows = [r for r in tool.rows() if r[0] in named]
    if not rows:
        return [], 0
    codes = [c for _, c in diff_llvm.Drawing(tool.cpu, rows, 1, 4).first()]
    texts = {}
    for text in mc.disassemble(codes, True):
        stem = re.sub("(_e64_dpp|_e32|_e64|_sdwa|_dpp)$", "", text.split()[0]) if text else None
        for alias in named.get(stem, []):
            texts[alias + text[len(stem):]] = text
    every = sorted({*texts, *texts.values()})
    read = {text: (their, our or error) for text, their, (our, error) in zip(every, mc.assemble(every, True), tool.assemble(every, True))}
    same = [alias for alias, text in texts.items() if read[text][0] == read[text][1]]
    return [f"{text}: llvm {read[text][0]} heddle {read[text][1]}" for text in same if read[text][0] != read[text][1]], len(same)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True, help="isa_tool")
    parser.add_argument("targets", nargs="*")
    args = parser.parse_args()
    path = llvm.find()
    if not path:
        print("skipped: llvm-mc 19 is not installed (Debian: llvm-19)")
        return 77
    targets, failed = args.targets or TARGETS, 0
    for target in targets:
        mc, tool = llvm.Llvm(path, target), llvm.Tool(args.tool, target)
        pairs = aliases(tool)
        theirs, ours = names(path, target), {r[0] for r in tool.rows()} | {a for a, _ in pairs}
        ours = {n for n in ours if not OTHERS.match(n)}
        wrong, count = compare_aliases(mc, tool, pairs) if target not in formats.NOT_DISASSEMBLED else ([], 0)
        ours -= formats.NEWEST_NAMES - theirs
        if target.startswith("gfx11"):
            ours.discard("s_endpgm_ordered_ps_done")  # LLVM 22 has it
        bad = theirs != ours or wrong
        failed += bool(bad)
        print(f"{'FAIL' if bad else 'ok  '} {target}: {len(theirs)} mnemonics of LLVM, {len(ours)} of Heddle; {count} texts with aliases")
        for n in sorted(theirs ^ ours):
            print(f"     {'LLVM' if n in theirs else 'Heddle'} alone: {n}")
        for line in wrong:
            print("     " + line)
    print(f"{len(targets) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
