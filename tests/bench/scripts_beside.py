#!/usr/bin/env python3
"""What compute scripts and the programs of examples/vulkan execute, Heddle's code beside ACO's, by Debian 12's RADV on the software Radeon.

    scripts_beside.py HEDDLE REAL FOLDER [--targets gfx803,gfx1030,gfx1100] [--report docs/performance.md] [--filter PART]

Scripts run whole, on both, with the same inputs; REAL is tests/real's program, which runs the shaders of the programs (FOLDER/*.spv) on memory made
from their declarations. Counted are instructions of waves, those that touch memory or LDS, and cycles of the machine model. Scripts with images are
left out, since RADV copies those by dispatches of its own, and scripts that do not pass on both in 20 seconds. --report writes between the `scripts` marks.
"""
import argparse
import collections
import concurrent.futures
import csv
import glob
import json
import math
import os
import re
import statistics
import sys
import tempfile

import anchors
import executed

BEGIN, END = "<!-- scripts -->", "<!-- /scripts -->"
TIMEOUT = 20  # seconds
MEASURES = ("instructions", "memory", "cycles")
MEMORY = ("smem", "lds", "buffer", "image", "flat", "global", "scratch")
Program = collections.namedtuple("Program", "heddle real")


def scripts(part):
    """The compute scripts without images, whose path contains `part`."""
    folder = os.path.join(anchors.SHARED, "corpus", "amber")
    csv.field_size_limit(1 << 24)
    with open(os.path.join(folder, "manifest.tsv"), encoding="utf-8", newline="") as f:
        rows = [r for r in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE) if r["pipeline_kind"] == "compute" and r["compile"] == "ok"]
    for path in sorted(r["path"] for r in rows if part in r["path"]):
        text = open(os.path.join(folder, path), encoding="utf-8", errors="replace").read()
        if not re.search(r"\bimage|IMAGE|SAMPLER|sampled", text):
            yield os.path.join(folder, path)


def run(command):
    """The completed process, or None if it took too long."""
    try:
        return anchors.run(command, timeout=TIMEOUT)
    except anchors.subprocess.TimeoutExpired:
        return None


def run_ours(heddle, target, path):
    """{measure: number} of Heddle's code, or None."""
    ran = run([heddle, "run", "-t", target, "--check", "none", "--counts", "json", path])
    line = next((line for line in ran.stdout.splitlines() if line.startswith('{"file"')), None) if ran else None
    if not line or ran.returncode:
        return None
    counts = json.loads(line)
    return {"instructions": counts["instructions"], "memory": sum(counts["classes"][c]["instructions"] for c in MEMORY),
            "cycles": counts["time"]["cycles"]}


def run_theirs(heddle, target, path):
    """The same of ACO's."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "dispatches")
        ran = run([*anchors.on_radeon(heddle, target, dispatches=out), heddle, "run", "--device", "vulkan", "-j", "0", path])
        if not ran or ran.returncode or not ran.stdout.startswith("PASS") or not os.path.exists(out):
            return None
        with open(out, encoding="utf-8") as f:
            rows = [json.loads(line) for line in f]
    return {m: sum(r[m] for r in rows) for m in MEASURES}


def compare_scripts(heddle, target, paths):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, pair in zip(paths, pool.map(lambda p: (run_ours(heddle, target, p), run_theirs(heddle, target, p)), paths)):
            if all(pair):
                yield os.path.basename(path), pair


def mean(pairs, measure):
    logs = [math.log(a[measure] / b[measure]) for a, b in pairs if a[measure] and b[measure]]
    return f"{math.exp(sum(logs) / len(logs)):.3f}" if logs else "-"


def median(pairs, measure):
    ratios = [a[measure] / b[measure] for a, b in pairs if a[measure] and b[measure]]
    return f"{statistics.median(ratios):.3f}" if ratios else "-"


def table(head, lines):
    lines = ["| " + " | ".join(map(str, line)) + " |" for line in lines]
    return "\n".join(["| " + " | ".join(head) + " |", "|" + " --- |" * len(head), *lines])


def report(results, programs):
    out = ["Compute scripts of the corpus without images, whole: what Heddle's code and ACO's (Mesa 22.3.6, on the software Radeon) execute. Geometric mean",
           "and median of the ratios ours / ACO's; below 1 is fewer. Many are tests of one feature, some of which fold to a store. Written by `tests/bench/scripts_beside.py`.", ""]
    head = ["target", "scripts"] + [f"{m}, {of}" for m in MEASURES for of in ("mean", "median")]
    lines = [[target, len(rows), *(of(list(rows.values()), m) for m in MEASURES for of in (mean, median))] for target, rows in results.items()]
    out += [table(head, lines), ""]
    out += ["The shaders of `examples/vulkan`, each once, on memory made from its declarations (`tests/real`), not on the programs' data: executed instructions,",
            "ours / ACO's, and in parentheses cycles. Those without a row are left out by the harness, or their dispatch cannot be told from others.", ""]
    names = sorted({name for rows in programs.values() for name in rows})
    cells = {(name, target): "{}/{} ({}/{})".format(*rows[name]["executed"], *rows[name]["cycles"]) if name in rows else "-"
             for target, rows in programs.items() for name in names}
    out.append(table(["shader", *programs], [[name, *(cells[name, target] for target in programs)] for name in names]))
    return "\n".join(out)


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
    p.add_argument("real")
    p.add_argument("folder")
    p.add_argument("--targets", default="gfx803,gfx1030,gfx1100")
    p.add_argument("--report")
    p.add_argument("--filter", default="")
    a = p.parse_args()
    paths, results, programs = list(scripts(a.filter)), {}, {}
    shaders = {path: os.path.basename(path)[:-4] for path in sorted(glob.glob(os.path.join(a.folder, "*.spv")))}
    for target in a.targets.split(","):
        results[target] = dict(compare_scripts(a.heddle, target, paths))
        programs[target] = executed.compare(Program(a.heddle, a.real), anchors.System(), target, shaders, {path: 64 for path in shaders})
        print(target, len(results[target]), "of", len(paths), "scripts,", len(programs[target]), "of", len(shaders), "shaders", flush=True)
    text = report(results, programs)
    print(text)
    if a.report:
        write(a.report, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
