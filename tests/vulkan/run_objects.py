#!/usr/bin/env python3
"""Runs a program (objects.c) whose shader objects lack a barrier by Debian sid's RADV, on chips of each kind of vertex stage: findings name the objects.
Debian 12's RADV has no shader objects. The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import re
import sys

import vulkan

sys.path.insert(0, os.path.join(vulkan.ROOT, "tests", "bench"))
import anchors  # noqa: E402

MAKER = r"before it, submission \d+ \(graphics 0\), dispatch [01]:\n +shader object 0x\w+ \"maker\", compute shader \"main\", source \S*drawn.comp\n"
CONFLICT = r"buffer_load_\S+ .*`.*: the load conflicts with the store by dispatch "
FOUND = [
    r"draw 0: 3 vertices.*\n +shader object 0x\w+ \"corners\", vertex shader \"main\", source \S*objects.vert\n.*" + CONFLICT + "0 ",
    r"shader object 0x\w+ \"paint\", fragment shader \"main\", source \S*objects.frag\n.*" + CONFLICT + "1 ",
    MAKER,
]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--newest", required=True, help="the folder below which the driver is unpacked")
    p.add_argument("--chips", default="polaris10,navi21,navi31,navi48")
    p.add_argument("program")
    a = p.parse_args()
    driver, why = anchors.open_newest(a.newest, a.heddle)
    if not driver:
        print(f"skipped: there is no newer RADV: {why}")
        return 77
    passed = failed = 0
    for chip in a.chips.split(","):
        code, out, err = vulkan.run(a.heddle, chip, [a.program], ["--root", driver.root, "--check", "races"])
        ok = code == 1 and "PASS objects: " in out and all(re.search(f, err) for f in FOUND)
        passed, failed = passed + ok, failed + (not ok)
        print(f"{'PASS' if ok else 'FAIL'} {chip}")
        if not ok:
            print(f"exit code {code}\n{out[:2000]}{err[:6000]}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
