#!/usr/bin/env python3
"""Runs an application with errors (bad.c) on the software Radeon: each ends in time, with a message that names the cause, and, where nothing can
go on, with VK_ERROR_DEVICE_LOST. The last line is "N passed, N failed, N skipped".
"""
import argparse
import re
import sys

import vulkan

PASS, LOST = 0, 3  # exit codes of bad
LIMIT = "1000000"

# The error; the application's end; a pattern of the log, or None: nothing is found.
ERRORS = [
    ("plain", "PASS", None),
    ("endless", "DEVICE_LOST", r"hangs: pc .* a wave executed 1000000 instructions; it loops from 0x\w+ to 0x\w+ \[hang\]"),
    ("huge", "DEVICE_LOST", r"the waves of \d+ of 3932100000 groups executed \d+ instructions, which is the limit \[hang\]"),
    ("freed", "PASS", r"memory: pc .* lane 0: load of 4 bytes at 0x\w+.* \[load-bounds\]"),
    ("freed-grid", "DEVICE_LOST", r"the context is lost: .*: the packet reads a grid of 12 bytes at 0x\w+, which is not mapped"),
    ("wrong-grid", "DEVICE_LOST", r"the context is lost: .*: the grid has more than 2\^32 workgroups"),
    ("unwritten", "PASS", None),
    ("freed-image", "PASS", r"the image at 0x\w+ is in no allocation .*\[image-bounds\]"),
    ("freed-set", "PASS", r"memory: pc .* `s_load_\S+ .*: load of 4 bytes at .* \[load-bounds\]"),
]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--chips", default="polaris10,navi21,navi31")
    p.add_argument("app")
    a = p.parse_args()
    passed = failed = 0
    for chip in a.chips.split(","):
        for error, end, pattern in ERRORS:
            code, out, err = vulkan.run(a.heddle, chip, [a.app, error], ["--limit", LIMIT])
            wanted = LOST if end == "DEVICE_LOST" else 1 if pattern else PASS
            ok = code == wanted and end in out and (re.search(pattern, err) if pattern else "findings" not in err)
            passed, failed = passed + bool(ok), failed + (not ok)
            print(f"{'PASS' if ok else 'FAIL'} {chip} {error}")
            if not ok:
                print(f"exit code {code}\n{out}{err[:3000]}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
