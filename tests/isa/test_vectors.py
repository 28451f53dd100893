#!/usr/bin/env python3
"""Checks the vectors in both directions, texts that must fail, and that every row of gfx10.3's table has vectors.

The last line is "N passed, N failed, N skipped"; each vector and direction is a case.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import llvm
import vectors

HERE = os.path.dirname(os.path.abspath(__file__))


class Count:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, good, message):
        self.passed += good
        self.failed += not good
        if not good:
            print("FAIL", message)


def check_vectors(tool, pairs, count):
    texts = tool.disassemble([bytes.fromhex(c) for c, _ in pairs], True)
    codes = tool.assemble([t for _, t in pairs], True)
    for (code, text), (our_text, again), (our_code, error) in zip(pairs, texts, codes):
        count.check(our_text == text, f"{code}: '{our_text}', not '{text}'")
        count.check(again == code, f"{code} is encoded as {again}")
        count.check(our_code == code, f"'{text}': {our_code or error}, not {code}")


def check_coverage(tool, pairs, count):
    have = {vectors.key(c, t) for c, t in pairs}
    for row in tool.rows():
        for key in vectors.keys_of(row):
            count.check(key in have, f"{key[0]} has no vector of its form {key[1]}")


def check_must_fail(tool, path, count):
    """Lines `column message-part | text`."""
    cases = []
    for line in open(path, encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            want, text = line.rstrip("\n").split(" | ", 1)
            column, _, part = want.strip().partition(" ")
            cases.append((column, part.strip(), text))
    for (column, part, text), (code, error) in zip(cases, tool.assemble([t for _, _, t in cases], True)):
        good = code is None and error.startswith(f"error: 1:{column}: ") and part in error
        count.check(good, f"'{text}' gives '{code or error}', not an error in column {column} with '{part}'")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True, help="isa_tool")
    args = parser.parse_args()
    tool, count = llvm.Tool(args.tool), Count()
    pairs = vectors.read(os.path.join(HERE, "vectors", "gfx10_3.txt"))
    check_vectors(tool, pairs, count)
    check_coverage(tool, pairs, count)
    for cpu in ("gfx700", "gfx950", "gfx1200"):  # past defects, and what LLVM 19 lacks
        check_vectors(llvm.Tool(args.tool, cpu), vectors.read(os.path.join(HERE, "vectors", cpu + ".txt")), count)
    check_must_fail(tool, os.path.join(HERE, "must_fail.txt"), count)
    print(f"{count.passed} passed, {count.failed} failed, 0 skipped")
    return 1 if count.failed else 0


if __name__ == "__main__":
    sys.exit(main())
