#!/usr/bin/env python3
"""Runs the corpus's conformance scripts without some of the optional passes: the program must be right whichever of them are left out.

    leave_out.py --heddle HEDDLE --subsets N      N random subsets, seeded (--seed), on --targets by turns
    leave_out.py --heddle HEDDLE --each           each optional pass, and each switch, left out alone, on each of --targets

The passes are those that `heddle compile --emit list` marks as optional; a pass that runs several times is left out as a whole or in
single runs. With them go the debug switches of cli.md that leave work out or limit it. A case is a subset on a target: `--scripts N`
runs N scripts that its seed draws, 0 all. A failure prints the command that repeats it.

The last line is "N passed, N failed, N skipped", in cases.
"""
import argparse
import os
import random
import re
import subprocess
import sys

import run_corpus
import verdicts

# The default for subsets: TARGET[-hsa][-wave32], as verdicts.run takes it.
TARGETS = "gfx1030,gfx1030-wave32,gfx900,gfx1100-wave32,gfx908-hsa,gfx1010,gfx1150-wave32,gfx1201,gfx1100,gfx1201-wave32"

# What a subset may take besides skip=PASS. Those of one row exclude each other.
SWITCHES = [["noopt", "novn"], ["nosched", "nosched-vopd"], ["force-waitcnt"], ["sgprs=24,vgprs=16", "sgprs=12,vgprs=8"], ["reach=200"]]
ALONE = ["noopt", "novn", "nosched", "nosched-vopd"]
SHARES = [0.1, 0.3, 0.5, 0.8, 1]  # of the passes that a subset leaves out


def optional_steps(heddle, target):
    """The names of the steps that may be left out, in their order."""
    ran = subprocess.run([heddle, "compile", "-t", target.split("-")[0], "--emit", "list"], capture_output=True, text=True, check=True)
    return [line.split()[0] for line in ran.stdout.splitlines() if line.endswith("(optional)")]


def draw_subset(source, steps):
    """Returns the words of HEDDLE_DEBUG for a random subset."""
    share = source.choice(SHARES)
    words = ["skip=" + s for s in steps if source.random() < share]
    words += [source.choice(row) for row in SWITCHES if source.random() < 0.25]
    return ["validatera"] + words


def draw_cases(args):
    """Yields (target, words, seed of the scripts)."""
    targets = args.targets.split(",")
    for k in range(args.subsets):
        source = random.Random(f"{args.seed}.{k}")
        target = targets[(args.seed + k) % len(targets)]
        yield target, draw_subset(source, optional_steps(args.heddle, target)), f"{args.seed}.{k}"


def each_case(args):
    for target in args.targets.split(","):
        steps = optional_steps(args.heddle, target)
        passes = dict.fromkeys(s.split(".")[0] for s in steps)
        for word in ["skip=" + p for p in passes] + ["skip=all"] + ALONE:
            yield target, ["validatera", word], f"{args.seed}"


def choose_scripts(args, seed, scripts):
    return sorted(random.Random(seed).sample(scripts, args.scripts)) if 0 < args.scripts < len(scripts) else scripts


def run_case(args, folder, scripts, expected, case):
    """Runs one case; returns the number of scripts with a wrong verdict."""
    target, words, seed = case
    chosen = choose_scripts(args, seed, scripts)
    os.environ["HEDDLE_DEBUG"] = ",".join(words)
    found = verdicts.run(args.heddle, target, [os.path.join(folder, s) for s in chosen], args.jobs)
    del os.environ["HEDDLE_DEBUG"]
    wrong = [(path, verdict, reason) for script, (verdict, path, reason) in zip(chosen, found, strict=True)
             if verdict != expected.get(script, "PASS")]
    for path, verdict, reason in wrong[:5]:
        print(f"{verdict} {path} [{target}]: {reason}\n     HEDDLE_DEBUG={','.join(words)}")
    if args.verbose or wrong:
        print(f"{'FAIL' if wrong else 'ok  '} {target} {','.join(words)}: {len(chosen) - len(wrong)} of {len(chosen)} scripts", flush=True)
    return len(wrong)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--heddle", required=True)
    p.add_argument("--targets", default=TARGETS)
    p.add_argument("--subsets", type=int, default=10)
    p.add_argument("--each", action="store_true")
    p.add_argument("--scripts", type=int, default=0, help="scripts of each case; 0: all")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--only", help="a regular expression: cases with such a word")
    p.add_argument("--verbose", action="store_true")
    args = p.parse_args()
    folder = os.path.join(os.environ.get("HEDDLE_SHARED", os.path.join(run_corpus.HERE, "..", "..", "..", "shared")), "corpus", "amber")
    if not os.path.exists(os.path.join(folder, "manifest.tsv")):
        print(f"skipped: there is no {folder}")
        return 77
    scripts, expected = run_corpus.scripts_of(folder, ("compute", "none")), run_corpus.known("gfx")
    cases = list((each_case if args.each else draw_cases)(args))
    cases = [c for c in cases if not args.only or any(re.search(args.only, w) for w in c[1])]
    failed = sum(run_case(args, folder, scripts, expected, case) > 0 for case in cases)
    print(f"{len(cases) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
