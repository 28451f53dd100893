#!/usr/bin/env python3
"""Runs vulkaninfo on each chip of the software Radeon and checks what it says of the device against chips.def.

The last line is "N passed, N failed, N skipped"; without vulkaninfo (Debian's vulkan-tools) the test is skipped.
"""
import argparse
import os
import re
import shutil
import sys

import vulkan

INTEGRATED = ("DDR4", "DDR5", "LPDDR5")


def rows():
    """Yields (name, PCI id, kind of memory) of each chip."""
    text = open(os.path.join(vulkan.ROOT, "src/gpu/chip/chips.def"), encoding="utf-8").read()
    for line in re.findall(r"^GPU_CHIP\((.*)\)$", text, re.M):
        fields = [f.strip() for f in line.split(", ")]
        yield fields[0], fields[3], fields[15]


def wrong(out, pci_id, memory):
    """Yields what is not as expected."""
    kind = "INTEGRATED" if memory in INTEGRATED else "DISCRETE"
    for pattern in (r"^\s*vendorID\s+= 0x1002$", rf"^\s*deviceID\s+= {pci_id}$", rf"^\s*deviceType\s+= PHYSICAL_DEVICE_TYPE_{kind}_GPU$",
                    r"^\s*driverName\s+= radv$", r"^\s*subgroupSize\s+= 64$", r"^\s*timestampPeriod\s+= 10$",
                    r"^\s*queueFlags\s+= QUEUE_COMPUTE \| QUEUE_TRANSFER", r"^\s*size\s+= \d+ .*GiB\)$", r"^\s*shaderInt64\s+= true$",
                    r"^\s*timelineSemaphore\s+= true$"):
        if not re.search(pattern, out, re.M):
            yield pattern
    if "QUEUE_GRAPHICS" not in out:
        yield "a graphics queue"


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    a = p.parse_args()
    if not shutil.which("vulkaninfo"):
        print("skipped: there is no vulkaninfo (Debian: vulkan-tools)")
        return 77
    counts = {"PASS": 0, "FAIL": 0, "SKIP": 0}
    for chip, pci_id, memory in rows():
        code, out, err = vulkan.run(a.heddle, chip, ["vulkaninfo"])
        missing = list(wrong(out, pci_id, memory))
        verdict = "PASS" if code == 0 and not missing else "SKIP" if "radv" not in out else "FAIL"
        counts[verdict] += 1
        print(f"{verdict} {chip}: {'RADV does not know it' if verdict == 'SKIP' else missing or 'as expected'}")
        if verdict == "FAIL":
            print(f"exit code {code}\n{err[:2000]}")
    print(f"{counts['PASS']} passed, {counts['FAIL']} failed, {counts['SKIP']} skipped")
    return 1 if counts["FAIL"] or not counts["PASS"] else 0


if __name__ == "__main__":
    sys.exit(main())
