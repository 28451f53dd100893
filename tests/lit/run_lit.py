#!/usr/bin/env python3
"""Runs lit over the text tests; the last line is "N passed, N failed, N skipped"."""
import argparse
import json
import os
import shutil
import subprocess
import sys


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--lit", required=True)
    p.add_argument("--filecheck", required=True)
    p.add_argument("--heddle", required=True)
    p.add_argument("--output", required=True)
    p.add_argument("folder")
    a, rest = p.parse_known_args()
    report = os.path.join(a.output, "lit.json")
    command = [sys.executable, a.lit, "-j2", "-v", "--output", report]
    a.filecheck = shutil.which(a.filecheck) or a.filecheck
    for name in ("heddle", "filecheck", "output"):
        command += ["--param", f"{name}={os.path.abspath(getattr(a, name))}"]
    ran = subprocess.run(command + rest + [a.folder])
    codes = [t["code"] for t in json.load(open(report))["tests"]]
    passed = sum(c in ("PASS", "FLAKYPASS", "XFAIL") for c in codes)
    skipped = sum(c in ("SKIPPED", "UNSUPPORTED", "EXCLUDED") for c in codes)
    print(f"{passed} passed, {len(codes) - passed - skipped} failed, {skipped} skipped")
    return ran.returncode


if __name__ == "__main__":
    sys.exit(main())
