#!/usr/bin/env python3
"""Captures each submission of Vulkan programs on the software Radeon, and executes and prints them again without the driver: nothing is found, and
they leave the same memory. The last line is "N passed, N failed, N skipped".
"""
import argparse
import glob
import os
import subprocess
import sys
import tempfile

import vulkan


def heddle(exe, *arguments):
    """Runs heddle gpu; returns (exit code, standard output, standard error)."""
    done = subprocess.run([exe, "gpu", *arguments], capture_output=True, text=True, timeout=300, check=False, errors="replace")
    return done.returncode, done.stdout, done.stderr


def check(exe, chip, program):
    """Returns what is wrong, or None, or "skipped"."""
    check_list = vulkan.checks(chip, os.path.basename(program))
    with tempfile.TemporaryDirectory() as folder:
        code, out, err = vulkan.run(exe, chip, [program], ["--check", "none", "--capture", folder])
        if vulkan.has_no_device(out, err):
            return "skipped"
        files = sorted(glob.glob(os.path.join(folder, "*.gpu")))
        if code or not files:
            return f"exit code {code}, {len(files)} captures\n{out}{err}"
        code, out, err = heddle(exe, "replay", "--check", check_list, *files)
        lines = out.splitlines()
        same = [line for line in lines if line.endswith(" 0 findings; memory as captured")]
        if code or len(same) != len(files):
            return f"replay: exit code {code}\n{out[-2000:]}{err[-2000:]}"
        for file in files:
            code, out, err = heddle(exe, "dump", file)
            if code or "packets:" not in out:
                return f"dump of {file}: exit code {code}\n{err[-2000:]}"
    return None


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--chips", default="TAHITI,POLARIS10,VEGA10,NAVI21,NAVI31")
    p.add_argument("programs", nargs="+")
    a = p.parse_args()
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for chip in a.chips.split(","):
        for program in a.programs:
            wrong = check(a.heddle, chip, program)
            verdict = "passed" if wrong is None else "skipped" if wrong == "skipped" else "failed"
            counts[verdict] += 1
            print(f"{verdict} {chip} {os.path.basename(program)}" + (f": {wrong}" if verdict == "failed" else ""))
    print(", ".join(f"{n} {word}" for word, n in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
