#!/usr/bin/env python3
"""Runs a program (transfer.c) that copies on a queue that only transfers, by Debian sid's RADV, which offers them where it is asked to, on chips
whose copy engines are emulated. Debian 12's RADV has no such queues. The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import sys

import vulkan

sys.path.insert(0, os.path.join(vulkan.ROOT, "tests", "bench"))
import anchors  # noqa: E402

OLD = ("TAHITI", "HAWAII", "POLARIS10")  # whose engines are not


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--newest", required=True, help="the folder below which the driver is unpacked")
    p.add_argument("program")
    a = p.parse_args()
    driver, why = anchors.open_newest(a.newest, a.heddle)
    if not driver:
        print(f"skipped: there is no newer RADV: {why}")
        return 77
    passed = failed = 0
    for chip in vulkan.chips():
        options = ["--root", driver.root]
        code, out, err = vulkan.run(a.heddle, chip, [a.program], options, {"RADV_EXPERIMENTAL": "transfer_queue"})
        wanted = "SKIP transfer: no queue only transfers" if chip in OLD else "PASS transfer: "
        ok = code == 0 and wanted in out
        passed, failed = passed + ok, failed + (not ok)
        print(f"{'PASS' if ok else 'FAIL'} {chip}: {(out.strip().splitlines() or ['no output'])[-1]}")
        if not ok:
            print(f"exit code {code}\n{out[:2000]}{err[:3000]}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
