#!/usr/bin/env python3
"""Checks the sample figures of README.md against the output of the commands between two marks.

    samples.py --heddle build/tools/heddle/heddle [--write]

A block between the marks has lines of four spaces: `$ heddle ARGUMENTS`, and the output of that command, which runs in the
project's folder. Without --write the script only compares, and fails if a block is stale. Times and sizes of memory depend on the
machine, so they are not compared.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILES = ["README.md"]
BLOCK = re.compile(r"(?<=<!-- sample -->\n)\n?.*?(?=\n<!-- /sample -->)", re.S)
COMMAND = re.compile(r"^    \$ heddle (.*)$", re.M)
MEASURED = re.compile(r"compiled in [\d.]+ ms, \d+ KiB")


def run(heddle, arguments):
    """Returns the lines that `heddle ARGUMENTS` prints, indented."""
    out = subprocess.run([heddle] + shlex.split(arguments), cwd=ROOT, capture_output=True, text=True)
    if out.returncode != 0:
        raise RuntimeError(f"heddle {arguments}: {out.stderr.strip()}")
    return ["    " + line for line in out.stdout.splitlines()]


def fresh(heddle, block):
    """Returns the block with the commands' current output."""
    lines = [""]
    for arguments in COMMAND.findall(block):
        lines += [f"    $ heddle {arguments}"] + run(heddle, arguments)
    return "\n".join(lines) + "\n"


def comparable(block):
    return MEASURED.sub("", block)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True, help="the program")
    parser.add_argument("--write", action="store_true", help="write the blocks that are stale")
    args = parser.parse_args()
    heddle = os.path.abspath(args.heddle)
    passed = failed = 0
    for name in FILES:
        path = os.path.join(ROOT, name)
        text = open(path, encoding="utf-8").read()
        blocks = BLOCK.findall(text)
        new = [fresh(heddle, b) for b in blocks]
        stale = sum(comparable(b) != comparable(n) for b, n in zip(blocks, new))
        if args.write and stale:
            replacements = iter(new)
            open(path, "w", encoding="utf-8").write(BLOCK.sub(lambda _: next(replacements), text))
            stale = 0
        good = blocks and not stale
        print(f"ok   samples of {name}" if good else
              f"FAIL {stale} of {len(blocks)} samples in {name} are stale: tools/dev/samples.py --heddle ... --write")
        passed += bool(good)
        failed += not good
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
