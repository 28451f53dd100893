#!/usr/bin/env python3
"""Makes test vectors with llvm-mc 19: `bytes    text` lines for rows and encodings without any in a vector file.

    tools/dev/isa_vectors.py --tool build/tests/isa/isa_tool tests/isa/vectors/gfx10_3.txt

LLVM disassembles random instructions of each encoding, and assembles the text again; if it disassembles these bytes to the
same text, they are a vector. Both sides of a vector come from LLVM, so they show a wrong row of ops.def.
"""
import argparse
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "isa"))
import diff_llvm
import llvm
import vectors
import filling


def candidates(mc, source, wanted):
    """Returns {key: [(bytes, text)]} of one round of random instructions."""
    codes = []
    for name, fmt, op, _ in wanted:
        codes += [source.instruction(fmt, op, name) for _ in range(60)]
    codes = [c for c in codes if not (c[0] == 0xF9 and len(c) > 4 and 7 in (c[6] & 7, c[7] & 7, c[5] & 7, c[5] >> 3 & 3 | 4))]
    texts = mc.disassemble(codes, True)
    differences = diff_llvm.Differences([diff_llvm.LISTED], llvm.CPU)
    good = [t for t in texts if t and "/*" not in t and not any(
        differences.excuse(d, k, t) for d in ("dis", "asm") for k in ("theirs", "differ"))]
    assembled = [(again, t) for again, t in zip(mc.assemble(good, True), good) if again]
    found = {}
    for (again, text), text_again in zip(assembled, mc.disassemble([bytes.fromhex(c) for c, _ in assembled], True)):
        if text_again == text and (again, text) not in found.get(vectors.key(again, text), []):
            found.setdefault(vectors.key(again, text), []).append((again, text))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=2, help="vectors of each encoding")
    parser.add_argument("file")
    args = parser.parse_args()
    mc, tool = llvm.Llvm(llvm.find()), llvm.Tool(args.tool)
    have = {}
    if os.path.exists(args.file):
        for code, text in vectors.read(args.file):
            have.setdefault(vectors.key(code, text), []).append((code, text))
    source = filling.Filling(llvm.CPU, args.seed)
    rows = tool.rows()
    for _ in range(12):
        wanted = [r for r in rows if any(len(have.get(k, [])) < args.each for k in vectors.keys_of(r))]
        if not wanted:
            break
        for key, found in candidates(mc, source, wanted).items():
            have[key] = (have.get(key, []) + found)[:max(args.each, len(have.get(key, [])))]
    with open(args.file, "w", encoding="utf-8") as f:
        f.write(vectors.HEAD)
        for row in rows:
            for key in vectors.keys_of(row):
                for code, text in have.get(key, []):
                    f.write(f"{code:<32} {text}\n")
                if key not in have:
                    print("no vector:", key)


if __name__ == "__main__":
    main()
