#!/usr/bin/env python3
"""Runs a program of examples/vulkan on lavapipe, and by the system's RADV on each chip of the software Radeon, with all checkers on.

The program checks its own results. A chip that RADV does not know is a skip. The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import sys

import vulkan


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--devices", default="", help="with commas; else all")
    p.add_argument("program")
    a = p.parse_args()
    name = os.path.basename(a.program)
    counts = {"PASS": 0, "FAIL": 0, "SKIP": 0}
    for device in a.devices.split(",") if a.devices else [vulkan.LAVAPIPE, *vulkan.chips()]:
        options = [] if device == vulkan.LAVAPIPE else ["--check", vulkan.checks(device, name)]
        code, out, err = vulkan.run(a.heddle, device, [a.program], options)
        passed = code == 0 and f"PASS {name}: " in out
        verdict = "PASS" if passed else "SKIP" if vulkan.has_no_device(out, err) else "FAIL"
        counts[verdict] += 1
        print(f"{verdict} {device}: {(out.strip().splitlines() or ['no output'])[-1]}")
        if verdict == "FAIL":
            print(f"exit code {code}\n{err[:3000]}")
    print(f"{counts['PASS']} passed, {counts['FAIL']} failed, {counts['SKIP']} skipped")
    return 1 if counts["FAIL"] or not counts["PASS"] else 0


if __name__ == "__main__":
    sys.exit(main())
