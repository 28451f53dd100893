#!/usr/bin/env python3
"""Disassembled and assembled again, random words keep their bytes, and so do words near to real ones (the vectors with bits changed)."""
import argparse
import os
import random
import struct
import subprocess
import sys
import tempfile

TARGETS = {"a330": 3, "a420": 4, "a530": 5, "a660": 6, "a750": 7, "a830": 8}


def draw_words(path, count):
    with open(path, encoding="utf-8") as f:
        real = [int(line.split()[0], 16) for line in f if not line.startswith("#")]
    words = []
    for i in range(count):
        word = random.getrandbits(64)
        if i % 2:
            word = random.choice(real)
            for _ in range(random.randrange(4)):
                word ^= 1 << random.randrange(64)
        words.append(word)
    return words


def check_target(heddle, target, words, folder):
    paths = [os.path.join(folder, name) for name in ("words", "text", "again")]
    with open(paths[0], "wb") as f:
        f.write(struct.pack(f"<{len(words)}Q", *words))
    with open(paths[1], "wb") as f:
        subprocess.run([heddle, "disasm", "-t", target, paths[0]], stdout=f, check=True)
    subprocess.run([heddle, "asm", "-t", target, paths[1], "-o", paths[2]], check=True)
    with open(paths[0], "rb") as before, open(paths[2], "rb") as after:
        return before.read() == after.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--count", type=int, default=20000, help="words of each target")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    here = os.path.dirname(os.path.abspath(__file__))
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for target, gen in TARGETS.items():
            words = draw_words(os.path.join(here, "vectors", f"a{gen}xx.txt"), options.count)
            if not check_target(options.heddle, target, words, folder):
                failed.append(target)
    print("other bytes on: " + ", ".join(failed) if failed else "same bytes")
    print(f"{len(TARGETS) - len(failed)} passed, {len(failed)} failed, 0 skipped")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
