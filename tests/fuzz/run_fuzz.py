#!/usr/bin/env python3
"""Runs a fuzz target: run_fuzz.py PROGRAM --OPTION... [PATTERN...], with the program's options; patterns name the inputs to begin with, below
the project. After a crash the culprit is kept in the build folder and named."""
import glob
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main():
    program, rest = sys.argv[1], sys.argv[2:]
    options = [a for a in rest if a.startswith("--")]
    patterns = [a for a in rest if not a.startswith("--")]
    files = []
    for p in patterns:
        files += [p] if os.path.exists(p) else sorted(glob.glob(os.path.join(ROOT, p), recursive=True))
    if patterns and not files:
        print("no file matches", patterns)
        return 1
    command = [program] + options + files
    ran = subprocess.run(command)
    if ran.returncode:
        # The runs are the same every time, so a second pass finds the culprit.
        save = program + ".last"
        subprocess.run(command, env=dict(os.environ, FUZZ_SAVE=save), capture_output=True)
        print(f"exit code {ran.returncode}; the input is in {save}")
    return 1 if ran.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
