#!/usr/bin/env python3
"""Compares code that we make of SPIR-V with that of the driver's whole pipeline: its NIR back end, then r600-sb.

    r600-anchor --json --asm DIR --chip RV670,RV770,CEDAR,CAYMAN ... FILES > JSON
    compare_pipeline.py --heddle BUILD/tools/heddle/heddle JSON ... [--worst 20] [--write docs/performance.md]

Of each vertex and fragment shader of the JSON files that both compile: sums and geometric means of dwords and registers, ours against the driver's, by
chip and stage. The driver has attributes fetched by a shader of its own, whose dwords are not in its figures; they are added, as ours fetches them
itself. Both multiply M1 * (M2 * v) where the shader says M1 * M2 * v; vertex shaders whose SPIR-V multiplies a matrix by a matrix (OpMatrixTimesMatrix)
have a row of their own, which says what that is worth. --write leaves the rows of chips that no JSON file has."""
import argparse
import collections
import functools
import json
import math
import os
import re
import struct
import subprocess
import tempfile

CHIPS = {"RV670": "rv670", "RV770": "rv770", "CEDAR": "cedar", "CAYMAN": "cayman"}
STAGES = ("vert", "frag")
GROUPS = ("vert", "vert, no product of matrices", "vert, product of matrices", "frag")
MATRIX_TIMES_MATRIX, HEADER_WORDS = 146, 5
KEYS = ("dwords", "gprs")
FIRST_ATTRIBUTE = 64  # the resource of vertex buffer 0


def read_json(paths):
    """The driver's figures by chip and file; where it optimized nothing, what its back end made."""
    found = collections.defaultdict(dict)
    for path in paths:
        with open(path, encoding="utf-8") as f:
            for line in f:
                row = json.loads(line)
                if row.get("status") == "ok" and row.get("chip") in CHIPS and row.get("stage") in STAGES:
                    figures = row.get("after") or row["before"]
                    found[row["chip"]][row["file"]] = (row["stage"], figures)
    return found


@functools.cache
def multiplies_matrices(heddle, path):
    ran = subprocess.run([heddle, "compile", path, "--emit", "spirv", "-o", "-"], capture_output=True, check=True)
    words = struct.unpack(f"<{len(ran.stdout) // 4}I", ran.stdout)
    at = HEADER_WORDS
    while at < len(words):
        if words[at] & 0xffff == MATRIX_TIMES_MATRIX:
            return True
        at += words[at] >> 16
    return False


def is_in_group(group, kind, mine):
    stage, _, products = group.partition(", ")
    return kind == stage and (not products or mine["multiplies"] == (products == "product of matrices"))


def compile_all(heddle, chip, stages):
    """Our figures by file, of files with these stages: dwords and registers of the code, and of vertex shaders the attributes that they fetch."""
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "x.o")
        for path, stage in stages.items():
            if subprocess.run([heddle, "compile", "-t", chip, path, "-o", out], capture_output=True, check=False).returncode:
                continue
            stats = subprocess.run([heddle, "stats", out], capture_output=True, text=True, check=True).stdout
            figures[path] = {key: int(re.search(key + r" (\d+)", stats).group(1)) for key in KEYS}
            if stage == "vert":
                figures[path]["multiplies"] = multiplies_matrices(heddle, path)
                text = subprocess.run([heddle, "disasm", out], capture_output=True, text=True, check=True).stdout
                figures[path]["attributes"] = sum(int(n) >= FIRST_ATTRIBUTE for n in re.findall(r"\tVFETCH .*, b(\d+)", text))
    return figures


def with_fetch_shader(theirs, attributes):
    """The driver's dwords with those of the shader that fetches attributes: an instruction each, a clause and a return."""
    return theirs["dwords"] + (4 + 4 * attributes if attributes else 0)


def compare(driver, ours, group):
    """The number of shaders, and for each key the sums and the geometric mean."""
    sums, logs, n = collections.Counter(), collections.Counter(), 0
    for path, mine in ours.items():
        kind, theirs = driver[path]
        if not is_in_group(group, kind, mine):
            continue
        n += 1
        for key in KEYS:
            other = with_fetch_shader(theirs, mine.get("attributes")) if key == "dwords" else theirs[key]
            sums[key, 0] += mine[key]
            sums[key, 1] += other
            logs[key] += math.log((mine[key] + 1) / (other + 1))
    return n, [f"{sums[key, 0] / max(1, sums[key, 1]):.3f} ({math.exp(logs[key] / max(1, n)):.3f})" for key in KEYS]


def print_worst(driver, ours, count):
    rows = sorted(ours, key=lambda p: -ours[p]["dwords"] / driver[p][1]["dwords"])[:count]
    for path in rows:
        theirs = driver[path][1]
        print(f"    {ours[path]['dwords']}/{theirs['dwords']} dwords, {ours[path]['gprs']}/{theirs['gprs']} registers {path}")


TABLE = re.compile(r"(<!-- terascale-pipeline -->\n.*?\n\n)(.*?\n)(<!-- /terascale-pipeline -->)", re.S)


def write_table(path, rows):
    head = ["| chip | stage | shaders | dwords | registers |", "| --- " * 5 + "|"]
    with open(path, encoding="utf-8") as f:
        report = f.read()
    measured = {row[0] for row in rows}
    old = [line for line in TABLE.search(report)[2].splitlines() if line.split(" | ")[0][2:] in CHIPS.keys() - measured]
    lines = sorted(old + ["| " + " | ".join(row) + " |" for row in rows], key=lambda line: list(CHIPS).index(line.split(" | ")[0][2:]))
    with open(path, "w", encoding="utf-8") as f:
        f.write(TABLE.sub(lambda m: m[1] + "\n".join(head + lines) + "\n" + m[3], report))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--heddle", required=True)
    p.add_argument("--worst", type=int, default=0)
    p.add_argument("--share", type=int, default=1, help="one shader in N")
    p.add_argument("--write")
    p.add_argument("json", nargs="+")
    o = p.parse_args()
    driver, table = read_json(o.json), []
    for label, chip in CHIPS.items():
        if label not in driver:
            continue
        ours = compile_all(o.heddle, chip, {f: driver[label][f][0] for f in sorted(driver[label])[::o.share]})
        for group in GROUPS:
            n, figures = compare(driver[label], ours, group)
            table.append([label, group, str(n), *figures])
            print(*table[-1], flush=True)
        print_worst(driver[label], ours, o.worst)
    if o.write:
        write_table(o.write, table)


if __name__ == "__main__":
    main()
