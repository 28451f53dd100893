#!/usr/bin/env python3
"""Compares what compiling costs with turnip: arm64 instructions, counted by the same plugin of qemu.

    minsn.py --library libheddle.a --anchor .../turnip-anchor --gpu 750 --stage comp|vert|frag FOLDER/rows.json

rows.json is what beside_turnip.py has kept of the anchor's answers; a graphics pipeline's companion shader is taken off its `minsn`. The library is
Heddle for arm64 (meson setup --cross-file with Debian's gcc-aarch64-linux-gnu, -Doptimization=2 -Db_ndebug=true -Dc_args=-fstack-reuse=none). Prints the geometric mean of ours /
theirs, that of sums, and the worst. Not part of the tests of a build, because it needs qemu and the driver."""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BATCH = 50


def build(library, out):
    """The program that compiles and counts, for arm64."""
    include = os.path.join(HERE, "..", "..", "include")
    subprocess.run(["aarch64-linux-gnu-gcc", "-static", "-O2", "-I", include, os.path.join(HERE, "minsn.c"), "-o", out, library, "-lm", "-lpthread"],
                   check=True)


def read_theirs(path):
    theirs = {}
    with open(path, encoding="utf-8") as f:
        for row in map(json.loads, f):
            if row.get("role") == "subject" and row.get("minsn") and row.get("stage") != "vertex-binning":
                theirs[row["file"]] = row["minsn"] - row.get("companion_minsn", 0)
    return theirs


def measure_ours(a, program, files):
    plugin = os.path.join(os.path.dirname(os.path.abspath(a.anchor)), "build", "insncount.so")
    ours = {}
    with tempfile.NamedTemporaryFile() as count:
        for at in range(0, len(files), BATCH):
            ran = subprocess.run(["qemu-aarch64", "-plugin", f"{plugin},count={count.name}", program, count.name, "a" + a.gpu, a.stage,
                                  *files[at:at + BATCH]], stdout=subprocess.PIPE, text=True, check=True)
            for line in ran.stdout.splitlines():
                name, millions, *_ = line.split()
                if millions != "-":
                    ours[name] = float(millions)
    return ours


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--library", help="libheddle.a for arm64")
    p.add_argument("--program", help="minsn.c, built already")
    p.add_argument("--anchor", required=True)
    p.add_argument("--gpu", required=True)
    p.add_argument("--stage", required=True, choices=("comp", "vert", "frag"))
    p.add_argument("--worst", type=int, default=10)
    p.add_argument("rows")
    a = p.parse_args()
    theirs = read_theirs(a.rows)
    with tempfile.TemporaryDirectory() as folder:
        program = a.program or os.path.join(folder, "minsn")
        if not a.program:
            build(a.library, program)
        ours = measure_ours(a, program, sorted(theirs))
    both = sorted(f for f in ours if theirs[f] > 0)
    if not both:
        print("nothing to compare")
        return 1
    ratios = {f: ours[f] / theirs[f] for f in both}
    mean = math.exp(sum(math.log(r) for r in ratios.values()) / len(both))
    total = sum(ours[f] for f in both) / sum(theirs[f] for f in both)
    print(f"{len(both)} shaders: geometric mean {mean:.3f}, of sums {total:.3f}")
    for f in sorted(both, key=lambda f: -ratios[f])[:a.worst]:
        print(f"  {ratios[f]:5.2f} {ours[f]:9.3f} {theirs[f]:9.3f}  {os.path.basename(f)[:12]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
