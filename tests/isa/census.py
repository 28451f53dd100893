#!/usr/bin/env python3
"""Lists the opcode numbers that llvm-mc 19 knows, by target and encoding. It decodes every number of every encoding with several
fillings of the other bits.

    census.py [TARGET ...]                 prints one JSON object {target: {encoding: {number: name}}}
    census.py --tool ISA_TOOL [TARGET ...] compares with the numbers that Heddle's tables have
"""
import argparse
import json
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import filling
import formats
import llvm

# Fillings of the bits other than opcode and fixed bits, first word lowest. LLVM requires different bits for different instructions.
V3 = 0x100 | 0x100 << 9 | 0x100 << 18
FILLINGS = {
    "SOPK": [0, 0x7F000000 << 32], "SOP1": [0], "SOP2": [0], "SOPC": [0], "SOPP": [0],
    "VOP1": [0x100, 0], "VOP2": [0x100, 0x101], "VOPC": [0x100],
    "VOP3": [f << 32 for f in (V3, 0x20100, 0x100, 0, 0x20000, 0x100 | 0x80 << 9, 0x20100 | 2 << 18, 0x80 | 0x80 << 9 | 0x100 << 18)],
    "VOP3P": [f << 32 | 0x4000 for f in (V3 | 3 << 59 - 32, 0x20100 | 3 << 27, V3 | 0x04000000, V3, 0x18000100, 0x20100 | 0x1A000000)],
    "VOP3PX": [f << 96 | 0x20100 << 32 for f in (V3, V3 | 4 << 29)],
    "VINTERP": [f << 32 for f in (V3, 0)], "LDSDIR": [0, 1], "VINTRP": [0],
    "SMEM": [f << 32 for f in (0, 0xFA000000, 0xF8000000)] + [1 << 17, 1 << 8],
    "DS": [0, 1 << 17, 1 << 16], "MUBUF": [0x80 << 56, 0x80 << 56 | 0x10000, 0x7C, 0x80 << 56 | 1 << 13],
    "MTBUF": [0x80 << 56 | 1 << 19, 0x80 << 56 | 0x04800000, 0x7C | 1 << 55],
    "MIMG": [0x100, 0x300, 0xF00, 0x9F00, 0x9F00 | 1 << 62, 1 << 22, 3 << 22, 15 << 22, 15 << 22 | 16, 0x8F80, 0x18F80, 3 << 22 | 0],
    "VSAMPLE": [1 << 22, 15 << 22], "EXP": [0xF], "VOPD_X": [0x100 | 8 << 17, 0x100 | 8 << 17 | 1 << 32 + 16],
    "VOPD_Y": [0x100 | 8 << 22, 0x100],
    "FLAT": [0, 0x7D << 48, 0x7C << 48, 0x7F << 48, 0x7C], "SCRATCH": [0x7F << 48, 0x7D << 48, 0x7C << 48, 0x7C],
    "GLOBAL": [0x7F << 48, 0x7D << 48, 0x7C << 48, 0x7C],
}


def names(mc, cpu):
    """Returns {encoding: {number: mnemonic}}."""
    found = {}
    source = random.Random(1)
    for attempt in range(2):
        probes = []
        for fmt, encoding in formats.ENCODINGS[cpu].items():
            fillings = FILLINGS[fmt] if attempt == 0 else [source.getrandbits(128) for _ in range(8)]
            for number in range(formats.numbers(fmt, encoding)):
                if number in found.get(fmt, {}):
                    continue
                for fill in fillings:
                    value = formats.words(encoding, number, fill) & (1 << 160) - 1
                    probes.append((fmt, number, value.to_bytes(20, "little")))
        texts = mc.disassemble([p[2] for p in probes], True)
        for (fmt, number, _), text in zip(probes, texts):
            if text:
                found.setdefault(fmt, {}).setdefault(number, text.split()[0])
    return found


# Numbers that only Heddle has, by encoding: LLVM 19 decodes v_mov_b16 only with the feature real-true16, LLVM 22 has the other.
ONLY_OURS = {("VOP3", 0x19C): "v_mov_b16", ("SOPP", 0x32): "s_endpgm_ordered_ps_done"}


def ours(tool, cpu):
    """Returns {encoding: {number: mnemonic}} of Heddle's tables; other tests cover the two operations of VOPD."""
    found = {}
    for name, fmt, number, _ in llvm.Tool(tool, cpu).rows():
        fmt, number = filling.encoding_of(fmt, number)
        found.setdefault(fmt, {})[number] = name
    return found


def differences(theirs, mine):
    """Returns a line for every number that only one has, or for which they have different names."""
    lines = []
    for fmt in sorted(set(theirs) | set(mine) - {"VOPD"}):
        their, my = theirs.get(fmt, {}), mine.get(fmt, {})
        if fmt.startswith("VOPD_"):
            continue
        for number in sorted(set(their) | set(my)):
            a, b = their.get(number), my.get(number)
            if a is None and (ONLY_OURS.get((fmt, number)) == b or b in formats.NEWEST_NAMES):
                continue
            if a is None or b is None or not a.startswith(b):
                lines.append(f"{fmt} {number:#x}: LLVM {a}, Heddle {b}")
    return lines


def compare(path, tool, targets):
    """Returns the number of targets that differ."""
    failed = 0
    for cpu in targets:
        theirs = names(llvm.Llvm(path, cpu), cpu)
        lines = differences(theirs, ours(tool, cpu))
        failed += bool(lines)
        print(f"{'FAIL' if lines else 'ok  '} {cpu}: {sum(map(len, theirs.values()))} opcodes, {len(lines)} differ")
        for line in lines[:50]:
            print("     " + line)
    print(f"{len(targets) - failed} passed, {failed} failed, 0 skipped")
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", help="isa_tool: compare")
    parser.add_argument("targets", nargs="*")
    args = parser.parse_args()
    path = llvm.find()
    targets = args.targets or [t for t in formats.TARGETS if t not in formats.NOT_DISASSEMBLED]
    if not path:
        print("skipped: llvm-mc 19 is not installed (Debian: llvm-19)")
        return 77
    if args.tool:
        return 1 if compare(path, args.tool, targets) else 0
    json.dump({cpu: names(llvm.Llvm(path, cpu), cpu) for cpu in targets}, sys.stdout, indent=0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
