#!/usr/bin/env python3
"""Compares our optimizer with the real r600-sb on the same bytecode.

    r600-anchor --json --asm DIR --chip each ... FILES > JSON
    compare_sb.py --tool BUILD/tests/r600/r600_opt --inputs 16 JSON DIR [--stages vert,frag] [--write docs/performance.md]

Each program that r600-sb has optimized (FILE.CHIP.before.words with an `after`) is optimized by ours and run with random inputs. Prints how many
have the same exports, and sums and geometric means of dwords, groups, registers and stack, ours against r600-sb's, by chip. Figures are of the
stages that are named; --write puts them into the table of a report."""
import argparse
import collections
import json
import math
import os
import re
import subprocess

CHIPS = {"RV670": "rv670", "RV770": "rv770", "CEDAR": "cedar", "CAYMAN": "cayman"}
KEYS = ["dwords", "alu_groups", "gprs", "stack"]


def read_json(path, folder):
    """The figures of shaders by file and chip; names that stand for several files are left out."""
    found = collections.defaultdict(list)
    with open(path, encoding="utf-8") as f:
        for line in f:
            row = json.loads(line)
            if row.get("status") == "ok" and row.get("chip") in CHIPS:
                name = os.path.join(folder, f"{os.path.basename(row['file'])}.{row['chip']}.before.words")
                found[name].append(row)
    return {k: v[0] for k, v in found.items() if len(v) == 1 and os.path.exists(k)}


def run_tool(tool, chip, inputs, paths):
    rows = {}
    for first in range(0, len(paths), 50):
        out = subprocess.run([tool, chip, str(inputs), *paths[first:first + 50]], capture_output=True, text=True, check=True).stdout
        for line in out.splitlines():
            if not line.startswith("#") and not line.startswith("error"):
                path, status, *rest = line.split(" ")
                rows[path] = (status, rest)
    return rows


def write_table(path, rows):
    """Puts the rows of chips between the report's marks."""
    head = ["| chip | programs | dwords | groups | registers | stack | time |", "| --- " * 7 + "|"]
    text = "\n".join(head + ["| " + " | ".join(row) + " |" for row in rows])
    with open(path, encoding="utf-8") as f:
        report = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(re.sub(r"(<!-- terascale -->\n.*?\n\n).*?\n(<!-- /terascale -->)", lambda m: m[1] + text + "\n" + m[2], report, flags=re.S))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--inputs", default=16, type=int)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--stages", default="vert,frag,geom,tesc,tese,comp")
    parser.add_argument("--write")
    parser.add_argument("pairs", nargs="+", help="JSON DIR ...")
    o = parser.parse_args()
    figures, table = {}, []
    for i in range(0, len(o.pairs), 2):
        figures.update(read_json(o.pairs[i], o.pairs[i + 1]))
    for label, chip in CHIPS.items():
        mine = {k: v for k, v in figures.items() if v["chip"] == label}
        rows = run_tool(o.tool, chip, o.inputs, sorted(mine))
        print(label, dict(collections.Counter(status for status, _ in rows.values())))
        sums, logs, n, times = collections.Counter(), collections.Counter(), 0, []
        for path, (status, rest) in rows.items():
            sb = mine[path].get("after")
            if not sb or status in ("refused", "unreadable") or mine[path]["stage"] not in o.stages.split(","):
                continue
            n += 1
            ours = dict(zip(["gprs", "stack", "dwords", "alu_groups", "alu", "fetch", "cf"], map(int, rest[:7])))
            if mine[path].get("ms_sb"):
                times.append((float(rest[8]) / 1e6, mine[path]["ms_sb"]))
            for key in KEYS:
                sums[key, 0] += ours[key]
                sums[key, 1] += sb[key]
                logs[key] += math.log((ours[key] + 1) / (sb[key] + 1))
            if o.verbose:
                print("   ", os.path.basename(path), *(f"{key} {ours[key]}/{sb[key]}" for key in KEYS))
        if n:
            print(f"  {n} programs:", ", ".join(f"{key} {sums[key, 0]} / {sums[key, 1]} = {sums[key, 0] / max(1, sums[key, 1]):.3f}"
                                                f" (geometric {math.exp(logs[key] / n):.3f})" for key in KEYS))
        row = [label, str(n)] + [f"{sums[key, 0] / max(1, sums[key, 1]):.3f} ({math.exp(logs[key] / max(1, n)):.3f})" for key in KEYS]
        table.append(row + ["-"])
        if times:
            ours, theirs = sum(t[0] for t in times), sum(t[1] for t in times)
            mean = math.exp(sum(math.log(max(t[0], 1e-3) / t[1]) for t in times) / len(times))
            table[-1][-1] = f"{ours / theirs:.3f} ({mean:.3f})"
            print(f"  time in ms: {ours:.1f} / {theirs:.1f} = {ours / theirs:.3f} (geometric {mean:.3f})")
    if o.write:
        write_table(o.write, table)


if __name__ == "__main__":
    main()
