#!/usr/bin/env python3
"""Runs a fuzz target: run_fuzz.py PROGRAM --OPTION... [PATTERN...]. The options are the program's; patterns are of files in the project, the
initial inputs. After a crash it keeps the input that caused it in the build folder and prints its path."""
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
        # Runs are deterministic, so a second run finds the input.
        save = program + ".last"
        subprocess.run(command, env=dict(os.environ, FUZZ_SAVE=save), capture_output=True)
        print(f"exit code {ran.returncode}; the input is in {save}")
    return 1 if ran.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
