#!/usr/bin/env python3
"""Compares the functions of the assembler's expressions with llvm-mc 19. For each target, random calls must give the same
numbers; arguments are numbers or names that are defined later. instprefsize is omitted: LLVM 19 does not know it.

    test_calls.py --heddle HEDDLE [--llvm FOLDER] [--calls N]
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

import llvm

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TARGETS = re.findall(r"^MACHINE\((\w+),", open(os.path.join(ROOT, "src/amd/object/machines.def")).read(), re.M)

# LLVM's numbers of the generations: from 5 for gfx6 to 11 for gfx12.
DRAWS = {
    "max": lambda r: [r.randrange(-9, 99) for _ in range(r.randrange(1, 5))],
    "or": lambda r: [r.randrange(99) for _ in range(r.randrange(1, 5))],
    "alignto": lambda r: [r.choice([0, r.randrange(1 << 40), r.randrange(300)]), r.choice([1, 4, 64, 1024, r.randrange(1, 999)])],
    "totalnumvgprs": lambda r: [r.choice([0, r.randrange(300)]), r.randrange(300)],
    "extrasgprs": lambda r: [r.randrange(2) for _ in range(3)],
    "occupancy": lambda r: [r.choice([8, 10, 16, 20]), r.choice([4, 8, 16, 24]), r.choice([256, 512, 1024, 1536]),
                            r.randrange(5, 12), r.randrange(1, 20), r.choice([0, r.randrange(110)]),
                            r.choice([0, r.randrange(300)])],
}


def program(rng, target, calls):
    """Returns a program with a number for each call in .text; the arguments of every other call are names, defined at the end."""
    lines, below = [f'.amdgcn_target "amdgcn-amd-amdhsa--{target}"', ".text"], []
    for i in range(calls):
        name = rng.choice(list(DRAWS))
        args = DRAWS[name](rng)
        words = [str(a) for a in args]
        if i % 2:
            words = [f"n{i}.{k}" for k in range(len(args))]
            below += [f".set {w}, {a}" for w, a in zip(words, args)]
        lines.append(f".quad {name}({', '.join(words)})")
    return "\n".join(lines + below) + "\n"


def numbers(data):
    return [int.from_bytes(data[i:i + 8], "little", signed=True) for i in range(0, len(data), 8)]


def ours(heddle, text):
    with tempfile.TemporaryDirectory() as d:
        source, out = os.path.join(d, "s"), os.path.join(d, "out")
        with open(source, "w") as f:
            f.write(text)
        subprocess.run([heddle, "asm", "--emit", "bin", source, "-o", out], check=True)
        with open(out, "rb") as f:
            return f.read()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--heddle", required=True)
    p.add_argument("--llvm", default="/usr/lib/llvm-19/bin")
    p.add_argument("--calls", type=int, default=300)
    p.add_argument("--newest", metavar="BUILD", help="compare with LLVM 22, which is unpacked into this build folder")
    args = p.parse_args()
    failed = 0
    if args.newest:
        args.llvm = os.path.dirname(llvm.find_for(args))
    if not llvm.has_tools(args.llvm):
        print("SKIP: llvm-mc 19 is not there")
        return 77
    known = [t for t in TARGETS if llvm.knows(args.llvm, t)]
    for target in known:
        text = program(random.Random(target), target, args.calls)
        theirs = llvm.section(args.llvm, target, text, ".text")
        have, want = numbers(ours(args.heddle, text)), numbers(theirs or b"")
        calls = [line for line in text.splitlines() if line.startswith(".quad")]
        faults = [f"{c}: {h}, llvm-mc {w}" for c, h, w in zip(calls, have, want) if h != w]
        if len(have) != len(calls) or len(want) != len(calls):
            faults.append(f"{len(calls)} calls, {len(have)} numbers, llvm-mc has {len(want)}")
        failed += llvm.report(target, f"{len(calls)} calls", faults)
    print(f"{len(known) - failed} passed, {failed} failed, {len(TARGETS) - len(known)} skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
