#!/usr/bin/env python3
"""What compute scripts and the programs of examples/vulkan execute, Heddle's code beside ACO's, by RADV on the software Radeon.

    scripts_beside.py HEDDLE FOLDER [--targets gfx803,gfx1030,gfx1100] [--newest BUILD] [--report docs/performance.md] [--filter PART]

`heddle run --device radv,TARGET --counts json` runs each script by both. FOLDER has the programs and their shaders; they run as scripts with the
same data (programs.py), and by RADV as they are, whose counts must agree. Counted are instructions of waves, those that touch memory or LDS, and
cycles of the machine model, of the application's shaders: not those by which RADV copies. Left out are scripts that do not pass on both within
their time. --newest takes the driver of Debian sid, in the build folder, in place of Debian 12's. --report writes between the `scripts` marks.
"""
import argparse
import concurrent.futures
import csv
import json
import math
import os
import re
import statistics
import sys
import tempfile

import anchors
import programs

BEGIN, END = "<!-- scripts -->", "<!-- /scripts -->"
TIMEOUT = 60  # seconds
MEASURES = ("instructions", "memory", "cycles")
HEAD = """Compute scripts of the corpus, whole, and the programs of `examples/vulkan`: what Heddle's code and ACO's ({}, on the software Radeon) execute
on the same data. "All" are the scripts that both pass. Geometric mean and median of the
ratios ours / ACO's; below 1 is fewer. Many are tests of one feature, some of which fold to a store. Written by `tests/bench/scripts_beside.py`."""
PROGRAMS = """The programs, each whole, on its own data: executed instructions, memory operations and cycles, ours / ACO's. Ours run as scripts of the same
dispatches with the results that the programs expect; ACO's numbers are those of the programs themselves, with the compute queues alone."""


def scripts(part):
    """The compute scripts whose path contains `part`: (path, has it images?)."""
    folder = os.path.join(anchors.SHARED, "corpus", "amber")
    csv.field_size_limit(1 << 24)
    with open(os.path.join(folder, "manifest.tsv"), encoding="utf-8", newline="") as f:
        rows = [r for r in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE) if r["pipeline_kind"] == "compute" and r["compile"] == "ok"]
    for path in sorted(r["path"] for r in rows if part in r["path"]):
        text = open(os.path.join(folder, path), encoding="utf-8", errors="replace").read()
        yield os.path.join(folder, path), bool(re.search(r"\bimage|IMAGE|SAMPLER|sampled", text))


def run(command):
    """The completed process, or None if it took too long."""
    try:
        return anchors.run(command, timeout=TIMEOUT)
    except anchors.subprocess.TimeoutExpired:
        return None


def beside(heddle, root, target, path):
    """Ours and ACO's {measure: number}, or None."""
    words = ["--root", root] if root else []
    ran = run([heddle, "run", "--device", f"radv,{target}", *words, "--check", "none", "--counts", "json", path])
    line = next((line for line in ran.stdout.splitlines() if line.startswith('{"file"')), None) if ran else None
    if not line or ran.returncode:
        return None
    sides = [json.loads(line)[side] for side in ("heddle", "radv")]
    pair = [{"instructions": s["instructions"], "memory": s["memory_operations"], "cycles": s["cycles"]} for s in sides]
    return pair if all(p["instructions"] for p in pair) else None


def as_it_is(heddle, root, target, program):
    """What the program makes RADV's code execute, {measure: number}, or None."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "dispatches")
        words = anchors.on_radeon(heddle, target, root, out)
        ran = run([*words[:-1], "--queues", "compute", "--", program])
        if not ran or ran.returncode or not os.path.exists(out):
            return None
        with open(out, encoding="utf-8") as f:
            rows = [row for row in map(json.loads, f) if not row["drivers_own"]]
    return {m: sum(r[m] for r in rows) for m in MEASURES}


def compare_all(heddle, root, target, paths):
    """Yields (path, ours, ACO's) of those that both pass."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, pair in zip(paths, pool.map(lambda p: beside(heddle, root, target, p), paths)):
            if pair:
                yield path, *pair


def compare_programs(heddle, root, target, folder):
    """{name: (ours, ACO's)}. Fails if the script is not the program: if RADV's code executes something else in it."""
    rows = {}
    with tempfile.TemporaryDirectory() as to:
        paths = programs.write(folder, to)
        names = {path: name for name, path in paths.items()}
        for path, ours, theirs in compare_all(heddle, root, target, list(names)):
            name = names[path]
            own = as_it_is(heddle, root, target, os.path.join(folder, name))
            if own and own != theirs:
                raise SystemExit(f"{name} on {target}: RADV's code executes {theirs} as a script, {own} as a program")
            rows[name] = (ours, own or theirs)
    return rows


def mean(pairs, measure):
    logs = [math.log(a[measure] / b[measure]) for a, b in pairs if a[measure] and b[measure]]
    return f"{math.exp(sum(logs) / len(logs)):.3f}" if logs else "-"


def median(pairs, measure):
    ratios = [a[measure] / b[measure] for a, b in pairs if a[measure] and b[measure]]
    return f"{statistics.median(ratios):.3f}" if ratios else "-"


def table(head, lines):
    lines = ["| " + " | ".join(map(str, line)) + " |" for line in lines]
    return "\n".join(["| " + " | ".join(head) + " |", "|" + " --- |" * len(head), *lines])


def report(driver, results, ran, images):
    """`results`: {target: {path: (ours, ACO's)}}; `ran`: {target: {program: (ours, ACO's)}}; `images`: paths of scripts with images."""
    head = ["target", "scripts"] + [f"{m}, {of}" for m in MEASURES for of in ("mean", "median")]
    lines = []
    for target, rows in results.items():
        for what, part in (("all", rows), ("without images", {p: r for p, r in rows.items() if p not in images})):
            lines.append([target, f"{len(part)} {what}", *(of(list(part.values()), m) for m in MEASURES for of in (mean, median))])
    cells = [[name, *("; ".join(f"{rows[name][0][m]}/{rows[name][1][m]}" for m in MEASURES) if name in rows else "-" for rows in ran.values())]
             for name in programs.PROGRAMS]
    cells.append(["mean of the ratios", *("; ".join(mean(list(rows.values()), m) for m in MEASURES) for rows in ran.values())])
    return "\n".join([HEAD.format(driver), "", table(head, lines), "", PROGRAMS, "", table(["program", *ran], cells)])


def write(path, text):
    old = open(path, encoding="utf-8").read()
    section = f"{BEGIN}\n{text}\n{END}\n"
    new = re.sub(re.escape(BEGIN) + ".*" + re.escape(END) + "\n", lambda _: section, old, flags=re.S)
    if new == old and BEGIN not in old:
        new = old.rstrip() + "\n\n## Scripts and programs, executed\n\n" + section
    open(path, "w", encoding="utf-8").write(new)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("heddle")
    p.add_argument("folder")
    p.add_argument("--targets", default="gfx803,gfx1030,gfx1100")
    p.add_argument("--newest", metavar="BUILD")
    p.add_argument("--report")
    p.add_argument("--filter", default="")
    a = p.parse_args()
    driver, why = anchors.open_newest(a.newest, a.heddle) if a.newest else (anchors.System(), None)
    if not driver:
        p.error(why)
    found = dict(scripts(a.filter))
    images, results, ran = {path for path, has in found.items() if has}, {}, {}
    for target in a.targets.split(","):
        results[target] = {path: (ours, theirs) for path, ours, theirs in compare_all(a.heddle, driver.root, target, list(found))}
        ran[target] = compare_programs(a.heddle, driver.root, target, a.folder)
        print(target, len(results[target]), "of", len(found), "scripts,", len(ran[target]), "programs", flush=True)
    text = report(driver.title + " RADV", results, ran, images)
    print(text)
    if a.report:
        write(a.report, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
