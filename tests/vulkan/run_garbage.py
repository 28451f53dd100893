#!/usr/bin/env python3
"""Runs an application (garbage.c) with garbage in the driver's command streams, in descriptors, addresses and grids on the software Radeon, a seed each: it
ends in time, by itself or with a lost device, and says why. The last line is "N passed, N failed, N skipped".
"""
import argparse
import sys

import vulkan

PASS, LOST = 0, 3  # exit codes of the application; 1 is that of findings
LIMIT = "200000"


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--chips", default="tahiti,polaris10,vega10,navi21,navi31")
    p.add_argument("--first", type=int, default=1)
    p.add_argument("--seeds", type=int, default=10)
    p.add_argument("app")
    a = p.parse_args()
    passed = failed = lost = 0
    for chip in a.chips.split(","):
        for seed in range(a.first, a.first + a.seeds):
            code, out, err = vulkan.run(a.heddle, chip, [a.app, str(seed)], ["--check", "all", "--limit", LIMIT])
            lost += code == LOST
            ok = code in (PASS, 1) and "PASS garbage: " in out or code == LOST and "the context is lost" in err
            ok = ok and "Sanitizer" not in err and "runtime error" not in err
            passed, failed = passed + ok, failed + (not ok)
            if not ok:
                print(f"FAIL {chip} seed {seed}: exit code {code}\n{out}{err[:1000]} ... {err[-3000:]}")
    print(f"{lost} devices were lost")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
