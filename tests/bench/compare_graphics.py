#!/usr/bin/env python3
"""Compares the code of the corpus's vertex and fragment shaders with that of RADV's compiler ACO.

    compare_graphics.py [--build FOLDER] [--heddle PROGRAM] [--spv FOLDER] [--targets LIST] [--repeat N] [--limit N] [--no-time] [--worst N]
                        [--report FILE] [FILTER]

Both compile a shader for the same pipeline, that of radv-anchor (../shared/tools/radv-anchor/README.md): attributes are vectors of 32 bits in one
binding, colours have 8 bits a channel, a vertex shader's next stage reads all that it writes, a fragment shader's previous stage writes all that it
reads, none of it constant; vertex shaders are primitive shaders where RADV makes such. RADV moves into vertex shaders what the made-up next stage
computes of their outputs, so there is a third row: vertex shaders and the companions of companions.py, whose work nobody can move; both compilers
know them (heddle's --link), so constant and dead outputs are left out by both. The time of RADV is that of the pipeline less that of one
with an empty shader in the place of the measured one; ours is the library call, for gfx1030. --report writes between the `graphics` marks
of docs/performance.md; --worst prints the shaders with the most instructions beside RADV's.
"""
import argparse
import json
import os
import re
import sys
import tempfile

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
import anchors  # noqa: E402
import companions  # noqa: E402
import compare_anchor  # noqa: E402
import corpus  # noqa: E402
import performance_report  # noqa: E402
import spirv_interface  # noqa: E402

STAGES = ("vert", "frag")
LINKED = "vert, linked"
PRIMITIVE_SHADERS = ("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201")
STRIDE, PLACE = 1024, 16  # bytes of radv-anchor's one binding, from one location to the next
CHANNELS = ("r32", "r32g32", "r32g32b32", "r32g32b32a32")
R64_UINT = 110  # VkFormat; formats of 64 bits have numbers in --pipeline
BEGIN, END = "<!-- graphics -->", "<!-- /graphics -->"
MEASURES = [m for m in performance_report.CODE if m[0] in ("instructions", "bytes", "vgprs", "waves", "latency", "inv_throughput")]


def attribute(v):
    suffix = {"float": "sfloat", "int": "sint", "uint": "uint"}[v.kind]
    number = v.comps + v.component - 1
    name = f"{CHANNELS[min(number, 3)]}_{suffix}"
    if v.bits == 64:
        name = R64_UINT + 3 * (v.comps - 1) + ("uint", "sint", "sfloat").index(suffix)
    return {"location": v.location, "binding": 0, "format": name, "offset": PLACE * v.location}


def varyings(rows):
    return {"varyings": [{"location": k, "components": 15} for k in sorted({v.location for v in rows})]}


def pipeline_of(stage, path, target):
    interface = spirv_interface.read(path)
    if stage == "frag":
        return {"previous": varyings(interface.inputs)}
    return {"bindings": [{"binding": 0, "stride": STRIDE, "align": 4}], "attributes": [attribute(v) for v in interface.inputs if v.location < 32],
            "topology": "triangles", "vertex_kind": "primitive" if target in PRIMITIVE_SHADERS else "legacy", "next": varyings(interface.outputs)}


def our_stats(heddle, stage, path, target, wave_size, repeat=1, link=()):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
        json.dump(pipeline_of(stage, path, target), f)
        f.flush()
        return compare_anchor.run_stats(heddle, target, wave_size, ["--pipeline", f.name, "--repeat", str(repeat), *link, path])


def judge(heddle, driver, target, rows):
    """Completes RADV's rows; returns the most waves that one of them has."""
    driver.version = next((row["driver_info"] for row in rows.values()), driver.version)
    compare_anchor.judge_listings(heddle, target, rows)
    compare_anchor.set_waves(rows.values())
    return max((row["waves"] for row in rows.values()), default=0)


def compare(heddle, anchor, driver, target, shaders, repeat):
    """Returns {(stage, name): measures of code and, with `repeat`, time}. `shaders`: {path: (stage, name)}."""
    compiled = anchors.compile_all(driver, anchor, target, list(shaders), repeat=repeat or 1, listing=True)
    rows = {path: row for path, row, _ in compiled if row}
    most = judge(heddle, driver, target, rows)
    found = {}
    for path, row in rows.items():
        key = stage, _ = shaders[path]
        ours, _ = our_stats(heddle, stage, path, target, row["subgroup_size"], repeat or 1)
        if not ours:
            continue
        found[key] = compare_anchor.code_measures(ours, row, most)
        theirs = row["compile_ms"] - row.get("companion_ms", 0)
        if repeat and theirs > 0:
            found[key]["time"] = (ours["compile_ms"], theirs)
    return found


def compare_linked(heddle, anchor, driver, target, shaders):
    """Returns {(LINKED, name): measures of code} of the vertex shaders, each compiled with its companion."""
    found, links, rows = {}, {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for path, companion, row in companions.compile_all(driver, anchor, target, [p for p, (stage, _) in shaders.items() if stage == "vert"], folder):
            links[path], rows[path] = companion, row
        most = judge(heddle, driver, target, rows)
        for path, row in rows.items():
            ours, _ = our_stats(heddle, "vert", path, target, row["subgroup_size"], link=("--stage", "vertex", "--link", links[path]))
            if ours:
                found[LINKED, shaders[path][1]] = compare_anchor.code_measures(ours, row, most)
    return found


def corpus_shaders(folder, text, limit):
    found = {}
    for stage in STAGES:
        for shader in corpus.shaders(stage):
            path = corpus.spirv(shader, folder)[0] if text in shader.name else None
            if path:
                found.setdefault(path, (stage, shader.name))
    return dict(list(found.items())[:limit])


def section(results, commit):
    lines = []
    for (target, driver), rows in results.items():
        for stage in (*STAGES, LINKED):
            mine = {n: m for (of, n), m in rows.items() if of == stage}
            over = sum((performance_report.ratio(m["instructions"]) or 0) > performance_report.REASON_OVER for m in mine.values())
            if mine:
                cells = [performance_report.geometric_mean(mine, name) for name, _, _ in MEASURES]
                lines.append([f"{target}, {driver}", stage, len(mine), *cells, over, performance_report.geometric_mean(mine, "time")])
    head = ["", "stage", "shaders", *(title for _, title, _ in MEASURES), f"over {performance_report.REASON_OVER}", "time"]
    return (f"Vertex and fragment shaders of the corpora beside ACO's code of the same pipelines, at RADV's wave size, geometric means of ours / theirs, on {commit}; "
            f"`tests/bench/compare_graphics.py` says how.\n\n{performance_report.table(head, lines)}\n")


def write_report(path, text):
    with open(path, encoding="utf-8") as f:
        old = f.read()
    part = f"{BEGIN}\n{text}{END}\n"
    new = re.sub(re.escape(BEGIN) + ".*" + re.escape(END) + "\n", lambda _: part, old, flags=re.S)
    if BEGIN not in old:
        new = old.rstrip() + "\n\n## Vertex and fragment shaders\n\n" + part
    with open(path, "w", encoding="utf-8") as f:
        f.write(new)


def print_worst(results, count):
    for key, rows in results.items():
        ranked = sorted(rows.items(), key=lambda r: -(performance_report.ratio(r[1]["instructions"]) or 0))
        for (stage, name), m in ranked[:count]:
            print(*key, f"{stage}: {performance_report.ratio(m['instructions']):.2f}", m["instructions"], name)


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=os.path.join(anchors.ROOT, "build-release"))
    p.add_argument("--heddle", help="a program instead of a release build")
    p.add_argument("--spv", help="folder of the shaders as SPIR-V")
    p.add_argument("--targets", default="gfx803,gfx900,gfx1030,gfx1100,gfx1201")
    p.add_argument("--repeat", type=int, default=10)
    p.add_argument("--limit", type=int)
    p.add_argument("--no-time", action="store_true")
    p.add_argument("--system", action="store_true", help="this machine's own driver, not the newest")
    p.add_argument("--worst", type=int, default=0)
    p.add_argument("--report")
    p.add_argument("filter", nargs="?", default="")
    return p.parse_args()


def main():
    a = parse()
    if not os.path.isdir(anchors.SHARED):
        print(f"skipped: there is no {anchors.SHARED}")
        return 77
    build = os.path.abspath(a.build)
    heddle = os.path.abspath(a.heddle) if a.heddle else compare_anchor.build_heddle(build).heddle
    anchor = anchors.build_anchor(build)
    newest, why = anchors.open_newest(build, heddle)
    drivers = [anchors.System()] if a.system or not newest else [newest]
    if why:
        print(f"without the newest driver: {why}")
    shaders = corpus_shaders(a.spv or os.path.join(build, "corpus-spv"), a.filter, a.limit)
    results = {}
    for target in a.targets.split(","):
        for driver in (d for d in drivers if d.chip(target)):
            repeat = a.repeat if target == compare_anchor.TIMED and not a.no_time else 0
            results[target, driver.title] = (compare(heddle, anchor, driver, target, shaders, repeat)
                                             | compare_linked(heddle, anchor, driver, target, shaders))
    commit = anchors.run(["git", "describe", "--always", "--dirty"], cwd=anchors.ROOT).stdout.strip()
    text = section(results, commit)
    print(text)
    print_worst(results, a.worst)
    if a.report:
        write_report(a.report, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
