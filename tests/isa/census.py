#!/usr/bin/env python3
"""Which opcode numbers llvm-mc 19 knows, by target and encoding: every number of every encoding is decoded with several fillings of
the other bits. Prints one JSON object {target: {encoding: {number: name}}}."""
import json
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import formats
import llvm

# Fillings of the bits beside opcode and fixed bits, first word lowest; what LLVM wants set differs by instruction.
V3 = 0x100 | 0x100 << 9 | 0x100 << 18
FILLINGS = {
    "SOPK": [0, 0x7F000000 << 32], "SOP1": [0], "SOP2": [0], "SOPC": [0], "SOPP": [0],
    "VOP1": [0x100, 0], "VOP2": [0x100, 0x101], "VOPC": [0x100],
    "VOP3": [f << 32 for f in (V3, 0x20100, 0x100, 0, 0x20000, 0x100 | 0x80 << 9, 0x20100 | 2 << 18, 0x80 | 0x80 << 9 | 0x100 << 18)],
    "VOP3P": [f << 32 | 0x4000 for f in (V3 | 3 << 59 - 32, 0x20100 | 3 << 27, V3 | 0x04000000, V3, 0x18000100, 0x20100 | 0x1A000000)],
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
    """{encoding: {number: mnemonic}}"""
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


def main():
    path = llvm.find()
    targets = sys.argv[1:] or [t for t in formats.TARGETS if t not in formats.NOT_DISASSEMBLED]
    json.dump({cpu: names(llvm.Llvm(path, cpu), cpu) for cpu in targets}, sys.stdout, indent=0)


if __name__ == "__main__":
    main()
