#!/usr/bin/env python3
"""Runs ffmpeg's Vulkan filters (compute shaders that it makes itself) by RADV on the software Radeon, with all checkers on, and compares the
pictures with those of lavapipe: a value of 255 may differ by 1, since the weights of filters have other precisions, by 2 after two passes. The
picture's sizes are such that chromaber divides nothing by 0.

The last line is "N passed, N failed, N skipped"; without ffmpeg or its Vulkan filters the test is skipped.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import vulkan

# Filters between upload and download; the greatest difference; the rules whose findings are ffmpeg's own, with the reason.
AVGBLUR = (r"\[(lds-bounds|undefined-use)\]",
           "all lanes write behind the shared array, not the first ones alone, and the rest reads what nobody wrote; later versions have no such array")
FILTERS = [
    ("copy", "", 0, None),
    ("hflip", "hflip_vulkan,", 1, None),
    ("vflip", "vflip_vulkan,", 1, None),
    ("transpose", "transpose_vulkan,", 1, None),
    ("scale", "scale_vulkan=w=32:h=24,", 1, None),
    ("chromaber", "chromaber_vulkan=dist_x=2:dist_y=-1,", 1, None),
    ("gblur", "gblur_vulkan=sigma=1.5,", 2, None),
    ("avgblur", "avgblur_vulkan=sizeX=3:sizeY=3,", 2, AVGBLUR),
]


def command(chain, path):
    return ["ffmpeg", "-v", "error", "-y", "-init_hw_device", "vulkan=v:0", "-filter_hw_device", "v", "-f", "lavfi", "-i", "testsrc=size=62x46:rate=1",
            "-frames:v", "2", "-vf", f"format=yuv420p,hwupload,{chain}hwdownload,format=yuv420p", "-f", "rawvideo", path]


def picture(heddle, device, name, chain, folder):
    """Returns (exit code, bytes, standard error)."""
    path = os.path.join(folder, device)
    code, _, err = vulkan.run(heddle, device, command(chain, path), ["--check", vulkan.checks(device, name)])
    return code, open(path, "rb").read() if os.path.exists(path) else b"", err


def judge(reference, found, allowed, excuse):
    """Returns what is wrong, or None."""
    code, got, err = found
    rules = re.findall(r"\[[\w-]+\]$", err, re.M)
    if excuse and rules and all(re.fullmatch(excuse[0], r) for r in rules):
        return None if code == 1 else f"exit code {code}"
    if code or rules:
        return f"exit code {code}, findings {sorted(set(rules))}\n{err[:2000]}"
    if len(got) != len(reference) or not got:
        return f"{len(got)} bytes, not {len(reference)}"
    most = max(abs(x - y) for x, y in zip(got, reference))
    return f"a value differs by {most}" if most > allowed else None


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--chips", default=",".join(vulkan.chips()))
    a = p.parse_args()
    has = shutil.which("ffmpeg") and subprocess.run(["ffmpeg", "-v", "error", "-filters"], capture_output=True, text=True, check=False).stdout
    if not has or "gblur_vulkan" not in has or not vulkan.lavapipe_icd():
        print("skipped: there is no ffmpeg with Vulkan filters, or no lavapipe (Debian: ffmpeg, mesa-vulkan-drivers)")
        return 77
    counts = {"PASS": 0, "FAIL": 0, "SKIP": 0}
    with tempfile.TemporaryDirectory() as folder:
        for name, chain, allowed, excuse in FILTERS:
            _, reference, _ = picture(a.heddle, vulkan.LAVAPIPE, name, chain, folder)
            for chip in a.chips.split(","):
                found = picture(a.heddle, chip, name, chain, folder)
                _, got, err = found
                unknown = not got and "No devices found" in err or "Device creation failed" in err
                wrong = None if unknown else judge(reference, found, allowed, excuse)
                verdict = "SKIP" if unknown else "FAIL" if wrong else "PASS"
                counts[verdict] += 1
                print(f"{verdict} {name} {chip}{': ' + wrong if wrong else ''}")
    print(f"{counts['PASS']} passed, {counts['FAIL']} failed, {counts['SKIP']} skipped")
    return 1 if counts["FAIL"] or not counts["PASS"] else 0


if __name__ == "__main__":
    sys.exit(main())
