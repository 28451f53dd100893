#!/usr/bin/env python3
"""Compares kernel descriptors with llvm-mc 19. For each target, random sets of .amdhsa_ directives must give the same bytes or
be refused by both, and decoding a descriptor and encoding it again must give the same bytes.

    test_amdhsa.py --tool HSA_TOOL [--llvm FOLDER] [--sets N]
"""
import argparse
import os
import random
import re
import subprocess
import sys

import llvm

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MACHINES = re.findall(r"^MACHINE\((\w+), \w+, (\d)", open(os.path.join(ROOT, "src/amd/object/machines.def")).read(), re.M)
# llvm-mc 19 does not know inst_pref_size: tests/lit/asm/kernels.s has it.
ROWS = [row for row in re.findall(r"^HSA\((\w+), \w+, \d+, (\d+),", open(os.path.join(ROOT, "src/amd/isa/asm/amdhsa.def")).read(), re.M)
        if row[0] != "inst_pref_size"]

REQUIRED = ("next_free_vgpr", "next_free_sgpr")


def value(rng, target, name, bits):
    if name == "next_free_vgpr":
        return rng.choice([0, 1, 24, rng.randrange(257)])
    if name == "next_free_sgpr":
        return rng.choice([0, 1, rng.randrange(90), rng.randrange(106)])
    if name == "accum_offset":
        return rng.choice([4, 4, 8, rng.randrange(300)])
    if name == "user_sgpr_count":
        return rng.choice([31, 31, 16, rng.randrange(32)])
    if name == "shared_vgpr_count":
        return rng.choice([0, 0, 0, rng.randrange(16)])
    if name == "user_sgpr_kernarg_preload_length":
        return rng.randrange(8)
    if name == "reserve_xnack_mask":
        return rng.randrange(2)  # llvm-mc accepts only the target's setting
    if name == "wavefront_size32":
        return 1  # the same, as -mattr is not given
    return rng.randrange(1 << min(int(bits), 31)) if rng.random() < 0.7 else 0


def directives(rng, target, rows):
    """Draws a set of the target's directives; one set in twenty may have directives that the target lacks."""
    wrong = rng.random() < 0.05
    names = [r for r in ROWS if rng.random() < 0.35 and (wrong or r[0] in rows) and r[0] not in REQUIRED]
    if "accum_offset" in rows and rng.random() < 0.9:
        names.append(("accum_offset", "32"))
    chosen = {n: value(rng, target, n, b) for n, b in names}
    for n in REQUIRED:
        if rng.random() < 0.99:
            chosen[n] = value(rng, target, n, 32)
    return chosen


def assemble(folder, target, sets):
    """Returns llvm-mc's descriptors for all sets, or None if it refuses them."""
    text = ".text\n" + "".join(f"k{i}:\n" for i in range(len(sets))) + "s_endpgm\n.rodata\n"
    for i, s in enumerate(sets):
        text += f".amdhsa_kernel k{i}\n" + "".join(f".amdhsa_{n} {v}\n" for n, v in s.items()) + ".end_amdhsa_kernel\n"
    data = llvm.section(folder, target, text, ".rodata")
    return None if data is None else [data[i:i + 64].hex() for i in range(0, len(data), 64)]


def ours(tool, target, xnack, sets):
    text = "".join(f"{'+' if xnack else '-'}{target} " + " ".join(f"{n}={v}" for n, v in s.items()) + "\n" for s in sets)
    return subprocess.run([tool], input=text, text=True, capture_output=True, check=True).stdout.splitlines()


def check_target(args, target, xnack):
    rng = random.Random(target)
    alone = [{n: 1, "next_free_vgpr": 4, "next_free_sgpr": 1} for n, _ in ROWS]
    rows = {n for (n, _), a in zip(ROWS, ours(args.tool, target, xnack, alone)) if "not on this target" not in a}
    sets = [directives(rng, target, rows) for _ in range(args.sets)]
    answers = ours(args.tool, target, xnack, sets)
    good = [(s, a) for s, a in zip(sets, answers) if not a.startswith("error")]
    bad = [(s, a) for s, a in zip(sets, answers) if a.startswith("error")]
    faults = []
    theirs = assemble(args.llvm, target, [s for s, _ in good])
    if theirs is None:
        faults += [f"llvm-mc refuses {s}" for s, _ in good if assemble(args.llvm, target, [s]) is None]
    else:
        faults += [f"{s}: {a.split()[0]}, llvm-mc {t}" for (s, a), t in zip(good, theirs) if a.split()[0] != t]
    for s, a in bad[:args.refused]:
        if assemble(args.llvm, target, [s]) is not None:
            faults.append(f"llvm-mc takes {s}: {a}")
    again = [dict(w.split("=") for w in a.split()[1:]) for _, a in good if "undecoded" not in a]
    if len(again) != len(good):
        faults.append(f"{len(good) - len(again)} descriptors are not decoded")
    for (s, a), b in zip([g for g in good if "undecoded" not in g[1]], ours(args.tool, target, xnack, again)):
        if a.split()[0] != b.split()[0]:
            faults.append(f"{s}: {a.split()[0]}, decoded and encoded {b}")
    return len(good), len(bad), faults


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--tool", required=True)
    p.add_argument("--llvm", default="/usr/lib/llvm-19/bin")
    p.add_argument("--sets", type=int, default=150)
    p.add_argument("--refused", type=int, default=4)
    args = p.parse_args()
    failed = 0
    if not llvm.has_tools(args.llvm):
        print("SKIP: llvm-mc 19 is not there")
        return 77
    known = [m for m in MACHINES if llvm.knows(args.llvm, m[0])]
    for target, xnack in known:
        good, bad, faults = check_target(args, target, xnack != "0")
        failed += llvm.report(target, f"{good} descriptors, {bad} refused", faults)
    print(f"{len(known) - failed} passed, {failed} failed, {len(MACHINES) - len(known)} skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
