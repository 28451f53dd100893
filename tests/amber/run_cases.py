#!/usr/bin/env python3
"""Runs the cases of the corpus's shader library files (.test) on a device; all must pass, but those whose shader stages or
extensions are not built, which are skipped. `--share N` runs the cases of one file of N.

The last line is "N passed, N failed, N skipped".
"""
import argparse
import glob
import os
import sys
import zlib

import verdicts

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--device", required=True)
    p.add_argument("--share", type=int, default=1)
    a = p.parse_args()
    shared = os.environ.get("HEDDLE_SHARED", os.path.join(HERE, "..", "..", "..", "shared"))
    folder = os.path.join(shared, "corpus", "glsl-tests")
    files = sorted(glob.glob(os.path.join(folder, "**", "*.test"), recursive=True))
    if not files:
        print(f"skipped: there is no {folder}")
        return 77
    found = verdicts.run(a.heddle, a.device, files[zlib.crc32(a.device.encode()) % a.share::a.share])
    for verdict, path, reason in found:
        if verdict == "FAIL":
            print(f"{verdict} {path}: {reason}")
    print(", ".join(f"{verdicts.count(found, v)} {word}"
                    for v, word in (("PASS", "passed"), ("FAIL", "failed"), ("SKIP", "skipped"))))
    return 1 if not found or verdicts.count(found, "FAIL") else 0


if __name__ == "__main__":
    sys.exit(main())
