#!/usr/bin/env python3
"""Runs the checkers of waits and delays over turnip's code, along each path (straight.c).

    anchor_checks.py --straight straight --gen 6 FILE.words...

The files are those that turnip-anchor --asm writes. FINDINGS lists the findings that are expected and who is right; others are printed and fail. Not
part of the tests of a build, because it needs the driver."""
import argparse
import collections
import os
import re
import subprocess
import sys

# A pattern of the finding, the reason.
FINDINGS = [
    (r"`(\(\w+\))*mov\.\S+ \S+, (0x)?[\da-f]+`: \S+ is overwritten, without \((ss|sy)\)",
     "the path: the fibres behind predf are not those behind predt, for one of which the value is loaded"),
    (r"`\S*stib\.b\.typed\.[^`]*`: \S+ is read \d cycles? too early|`[^`]*`: h?r\d+\.\w is overwritten, which a slow instruction",
     "the checker: components that the format of a typed store does not have are not defined in turnip's code"),
    (r"`sam\S* \(f32\)\(xyzw\)r63\.x, r48\.x, [^`]*`: r48\.\w is read, without \((ss|sy)\)",
     "neither: the preamble samples to have the descriptor fetched; neither the place nor the result counts"),
    (r"`stc\S* c\[\d+\], r\d+\.\w, \d`: \S+ is read \d cycles? too early",
     "not known: 22.3.6 takes the components of a row for read one after another (turnip.known)"),
]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--straight", required=True)
    p.add_argument("--gen", required=True)
    p.add_argument("files", nargs="+")
    a = p.parse_args()
    text = ""
    for path in a.files:
        with open(path, encoding="utf-8") as f:
            text += f"{a.gen} {os.path.basename(path)} {''.join(f.read().split())}\n"
    run = subprocess.run([a.straight], input=text, capture_output=True, text=True)
    met, wrong = collections.Counter(), []
    closed = re.findall(r": (\d+) instructions, (\d+) paths, \d+ findings$", run.stdout, flags=re.M)
    for line in run.stdout.splitlines():
        if line.endswith(" findings"):
            continue
        reason = next((why for pattern, why in FINDINGS if re.search(pattern, line)), None)
        if reason:
            met[reason] += 1
        else:
            wrong.append(line)
    print("\n".join(wrong[:40]))
    for reason, n in met.items():
        print(f"{n} findings: {reason}")
    print(f"{len(closed)} programs, {sum(int(c[0]) for c in closed)} instructions, {sum(int(c[1]) for c in closed)} paths: "
          f"{len(wrong)} findings that are not expected")
    sys.exit(bool(wrong) or run.returncode != 0 or len(closed) != len(a.files))


if __name__ == "__main__":
    main()
