#!/usr/bin/env python3
"""Runs the programs of examples/vulkan as scripts (tests/bench/programs.py), which know their results, by Heddle's compiler, with all checkers on.

    run_scripts.py --heddle HEDDLE --targets hir,gfx1030 FOLDER

FOLDER has the programs' shaders. `heddle run` prints the verdicts and the last line.
"""
import argparse
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "bench"))
import programs  # noqa: E402


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--heddle", required=True)
    p.add_argument("--targets", required=True)
    p.add_argument("folder")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as to:
        paths = programs.write(a.folder, to)
        targets = [word for t in a.targets.split(",") for word in ("-t", t)]
        return subprocess.run([a.heddle, "run", *targets, *paths.values()], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
