#!/usr/bin/env python3
"""Runs the corpus's scripts that compile (../shared/corpus/amber/manifest.tsv): those that compute, and on devices that draw those that
draw, too, or with --graphics-share about one of these in N. All must pass, except those
that DEVICE.known (own.known for the interpreter and for targets, which also have amd.known or adreno.known, and TARGET.known; a420, a530 and a330, which only
draws, adreno_old.known, too; TeraScale's chips have own.known, r600.known and their own list, those before Evergreen, which only draw, r600_old.known,
too; of RADV's chips those before gfx9
have a list, and the others) lists in lines `FAIL path: why`, `SKIP path: why`; these
must get that verdict. `LEAVE path: why` is not run: code of RADV's on it is a finding that ends it. `WITHOUT RULE path: why` runs without
that rule of the checkers, and must pass. The device "radv-TARGET" is the system's RADV on the software Radeon, "radv26-TARGET" that of Debian sid, which
../shared/tools/getroot unpacks below the folder --newest if the network allows it. --share runs about one script in N.

The last line is "N passed, N failed, N skipped"; scripts with the expected verdict count as passed.
"""
import argparse
import csv
import os
import re
import sys
import zlib

import verdicts

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "bench"))
import anchors  # noqa: E402

OLD_TERASCALE = ("rv670", "rv770")  # which draw alone
TERASCALE = ("cypress", "cayman") + OLD_TERASCALE
OLD_ADRENO = ("a330", "a420", "a530")
DRAW_ALONE = (*OLD_TERASCALE, "a330")
COMPUTES = ("gfx908", "gfx90a", "gfx942", "gfx950", "radv26")  # devices that do not draw, or are not asked to
OLD_CHIPS = ("gfx600", "gfx701", "gfx803")  # without 16-bit floats, for RADV


def scripts_of(folder, kinds):
    csv.field_size_limit(1 << 24)
    with open(os.path.join(folder, "manifest.tsv"), encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
    return sorted(r["path"] for r in rows if r["pipeline_kind"] in kinds and
                  r["compile"] in ("ok", ""))


def known(device):
    found = {}
    family = "amd" if device.startswith("gfx") else "adreno" if re.match(r"a\d", device) else None
    if device.startswith("radv"):
        driver, target = device.split("-")
        names = [driver + ("-gfx803" if target in OLD_CHIPS else "-gfx900")]
        names += [device] if device not in names else []
    else:
        names = ["own", family, device.split("-")[0]] if family else ["own" if device == "hir" else device]
        if device in OLD_ADRENO:
            names.insert(2, "adreno_old")
        if device in TERASCALE:
            names = ["own", "r600"] + (["r600_old"] if device in OLD_TERASCALE else []) + [device]
    for name in names:
        path = os.path.join(HERE, name + ".known")
        if not os.path.exists(path):
            continue
        for i, line in enumerate(open(path, encoding="utf-8")):
            m = re.match(r"^(FAIL|SKIP|LEAVE|WITHOUT \S+) (\S+): .{8,}", line)
            if m:
                found[m.group(2)] = m.group(1)
            elif line.strip() and not line.startswith("#"):
                print(f"{path}:{i + 1}: not VERDICT PATH: WHY")
                sys.exit(1)
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--device", required=True)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--newest")
    p.add_argument("--share", type=int, default=1)
    p.add_argument("--graphics-share", type=int, default=1)
    a = p.parse_args()
    folder = os.path.join(os.environ.get("HEDDLE_SHARED", os.path.join(HERE, "..", "..", "..", "shared")),
                          "corpus", "amber")
    if not os.path.exists(os.path.join(folder, "manifest.tsv")):
        print(f"skipped: there is no {folder}")
        return 77
    root = None
    if a.newest:
        driver, why = anchors.open_newest(a.newest, a.heddle)
        if not driver:
            print(f"skipped: there is no newer RADV: {why}")
            return 77
        root = driver.root
    draw = zlib.crc32(a.device.encode())
    computed, drawn = scripts_of(folder, ("compute", "none")), scripts_of(folder, ("graphics", "mixed"))
    scripts = [] if a.device in DRAW_ALONE else computed[draw % a.share::a.share]
    target, *ways = a.device.split("-")
    if target not in COMPUTES and "hsa" not in ways:
        scripts += drawn[draw % a.graphics_share::a.graphics_share]
    expected = known(a.device)
    scripts = [s for s in scripts if expected.get(s) != "LEAVE"]
    without = {s: v.split()[1] for s, v in expected.items() if v.startswith("WITHOUT") and s in scripts}
    scripts = [s for s in scripts if s not in without]
    found = verdicts.run(a.heddle, a.device, [os.path.join(folder, s) for s in scripts], a.jobs, root)
    for script, rule in without.items():
        scripts.append(script)
        found += verdicts.run(a.heddle, a.device, [os.path.join(folder, script)], checks="-" + rule)
        expected[script] = "PASS"
    wrong = 0
    for path in sorted(set(expected) - set(computed + drawn)):
        print(f"the list of {a.device} names {path}, which is not in the corpus")
        wrong += 1
    for script, (verdict, _, reason) in zip(scripts, found, strict=True):
        wanted = expected.get(script, "PASS")
        if verdict != wanted:
            print(f"{verdict} {script}: {reason}; expected {wanted}")
            wrong += 1
    for word in ("PASS", "FAIL", "SKIP"):
        print(f"{word}: {verdicts.count(found, word)}")
    print(f"{len(scripts) - wrong} passed, {wrong} failed, 0 skipped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
