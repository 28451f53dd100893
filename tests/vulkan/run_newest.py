#!/usr/bin/env python3
"""Runs a program by Debian sid's RADV, as Debian 12's lacks what it uses: objects.c, whose shader objects lack a barrier, on chips of each kind of vertex
stage: findings name the objects; captured.c, transform feedback, on chips whose vertex shaders count what they capture, with the other checks: nothing is found.
The last line is "N passed, N failed, N skipped".
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
OBJECTS = [
    r"draw 0: 3 vertices.*\n +shader object 0x\w+ \"corners\", vertex shader \"main\", source \S*objects.vert\n.*" + CONFLICT + "0 ",
    r"shader object 0x\w+ \"paint\", fragment shader \"main\", source \S*objects.frag\n.*" + CONFLICT + "1 ",
    MAKER,
]

# Of each program: its chips, checks, and patterns of findings. RADV's code that counts breaks the rule (docs/software-radeon.md).
PROGRAMS = {"objects": ("polaris10,navi21,navi31,navi48", "races", OBJECTS),
            "conservative": ("vega10,navi10,navi21,navi31,navi48", "memory,undefined,hangs", []),
            "captured": ("navi31,phoenix,strix1,navi48", "all,-VALUMaskWriteHazardVALU", [])}


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--newest", required=True, help="the folder below which the driver is unpacked")
    p.add_argument("--chips")
    p.add_argument("program")
    a = p.parse_args()
    driver, why = anchors.open_newest(a.newest, a.heddle)
    if not driver:
        print(f"skipped: there is no newer RADV: {why}")
        return 77
    passed = failed = 0
    name = os.path.basename(a.program)
    chips, checks, found = PROGRAMS[name]
    for chip in (a.chips or chips).split(","):
        code, out, err = vulkan.run(a.heddle, chip, [a.program], ["--root", driver.root, "--check", checks])
        ok = code == (1 if found else 0) and f"PASS {name}: " in out and all(re.search(f, err) for f in found)
        passed, failed = passed + ok, failed + (not ok)
        print(f"{'PASS' if ok else 'FAIL'} {chip}")
        if not ok:
            print(f"exit code {code}\n{out[:2000]}{err[:6000]}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
