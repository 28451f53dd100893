#!/usr/bin/env python3
"""Compares Heddle with RADV's compiler ACO over the compute corpus and writes docs/performance.md.

    compare_anchor.py [--build FOLDER] [--out FILE] [--repeat N] [--limit N] [FILTER]

Makes a release build of Heddle in FOLDER and builds a copy of ../shared/tools/radv-anchor there. Then both compile
each shader, one after the other: `heddle stats --json` and `radv-anchor --json` on the same .spv file. The shaders are
the compute shaders of the shared corpus's glsl and spvasm folders (except ray tracing), made by the commands in their
manifests, and radv-anchor's samples. If ../shared is missing, it prints that it was skipped. FILTER selects the
shaders whose names contain that text, --limit the first N.
"""
import argparse
import datetime
import json
import math
import os
import platform
import shutil
import subprocess
import sys

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
import corpus  # noqa: E402
import performance_report  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.path.join(ROOT, os.environ.get("HEDDLE_SHARED", "../shared"))
FAMILY = "NAVI21"


def run(command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, **options)


def build_heddle(build):
    """Makes a release build with two jobs, as `make` does; returns the program's path."""
    if not os.path.exists(os.path.join(build, "build.ninja")):
        subprocess.run(["meson", "setup", build, ROOT, "--buildtype=release"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", build, "-j2", "--quiet"], check=True)
    return os.path.join(build, "tools", "heddle", "heddle")


def build_anchor(build):
    """Builds radv-anchor in a copy of its folder, as the shared one must not be written to; returns the copy's path."""
    copy = os.path.join(build, "radv-anchor")
    source = os.path.join(SHARED, "tools", "radv-anchor")
    os.makedirs(copy, exist_ok=True)
    for base, _, files in os.walk(source):
        to = os.path.join(copy, os.path.relpath(base, source))
        os.makedirs(to, mode=0o755, exist_ok=True)
        for f in files:
            shutil.copyfile(os.path.join(base, f), os.path.join(to, f))
    subprocess.run(["make", "-s", "-C", copy, "radv-anchor", "samples"], check=True)
    return copy


def corpus_shaders(spv, parts=("glsl", "spvasm")):
    """Yields (name, file) of each compute shader that the front end accepts."""
    for shader in corpus.compute_shaders(parts):
        path, _ = corpus.spirv(shader, spv)
        if path:
            yield shader.name, path


def sample_shaders(anchor):
    folder = os.path.join(anchor, "build")
    for f in sorted(os.listdir(folder)):
        if ".comp" in f:
            yield f"samples/{f}", os.path.join(folder, f)


def compile_heddle(heddle, path, repeat):
    """Returns (output of `heddle stats` as an object, None), or (None, why it failed)."""
    try:
        ran = run([heddle, "stats", "--json", "--repeat", str(repeat), "--wave-size", "64", path], timeout=300)
    except subprocess.TimeoutExpired:
        return None, "timed out"
    if ran.returncode:
        message = (ran.stderr.strip().splitlines() or [f"exit {ran.returncode}"])[-1]
        return None, message.split("error: ", 1)[-1]
    return json.loads(ran.stdout.splitlines()[0]), None


def compile_anchor(anchor, path, repeat):
    """The same for radv-anchor."""
    ran = run([os.path.join(anchor, "radv-anchor"), "--quiet", "--family", FAMILY, "--repeat", str(repeat), "--json", path])
    rows = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    for row in rows:
        if row.get("role", "subject") == "subject" and "stats" in row:
            return row, None
    return None, next((str(r["error"]) for r in rows if "error" in r), "no row")


def granules(vgprs):
    """Rounds VGPRs up to the allocation granularity of 8 in wave64 on gfx10.3; radv-anchor's figures are rounded already."""
    return max(1, math.ceil(vgprs / 8)) * 8


def measures(ours, theirs):
    """Returns {name: (ours, theirs)}."""
    s = theirs["stats"]
    return {
        "time": (ours["compile_ms"], theirs["compile_ms"]),
        "cpu_ms": (ours["cpu_ms"], theirs["cpu_ms"]),
        "cpu_minsn": (ours.get("cpu_minsn"), theirs.get("cpu_minsn")),
        "bytes": (ours["code_bytes"], s["Code size"]),
        "instructions": (ours["instructions"], s["Instructions"]),
        "sgprs": (ours["sgprs"], s["SGPRs"]),
        "vgprs": (granules(ours["vgprs"]), s["VGPRs"]),
    }


def machine():
    model = platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        names = [line.split(":", 1)[1].strip() for line in f if line.startswith("model name")]
    return f"{names[0] if names else model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"


def compare(heddle, anchor, shaders, repeat):
    """Returns the rows of shaders that both compiled, the shaders that either refused, with reasons, and one row of radv-anchor."""
    rows, refused, example = [], [], None
    for n, (name, path) in enumerate(shaders):
        ours, why_ours = compile_heddle(heddle, path, repeat)
        theirs, why_theirs = compile_anchor(anchor, path, repeat)
        if ours and theirs:
            rows.append((name, measures(ours, theirs)))
            example = theirs
        else:
            refused.append((name, why_ours, why_theirs))
        if sys.stderr.isatty():
            print(f"\r{n + 1}/{len(shaders)}", end="", file=sys.stderr, flush=True)
    return rows, refused, example


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--build", default=os.path.join(ROOT, "build-release"))
    p.add_argument("--out", default=os.path.join(ROOT, "docs", "performance.md"))
    p.add_argument("--repeat", type=int, default=20)
    p.add_argument("--limit", type=int)
    p.add_argument("filter", nargs="?", default="")
    a = p.parse_args()
    if not os.path.isdir(SHARED):
        print(f"skipped: there is no {SHARED}")
        return 0
    build = os.path.abspath(a.build)
    heddle, anchor = build_heddle(build), build_anchor(build)
    shaders = list(corpus_shaders(os.path.join(build, "corpus-spv")))
    shaders = [s for s in shaders + list(sample_shaders(anchor)) if a.filter in s[0]][: a.limit]
    rows, refused, example = compare(heddle, anchor, shaders, a.repeat)
    if not rows:
        print("no shader was compiled by both")
        return 1
    head = {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "commit": run(["git", "describe", "--always", "--dirty"], cwd=ROOT).stdout.strip(),
        "driver": f"{example['driver_info']} ({example['backend']}), {example['device']}",
        "repeat": a.repeat,
    }
    old = ""
    if os.path.exists(a.out):
        with open(a.out, encoding="utf-8") as f:
            old = f.read()
    text = performance_report.write(head, rows, refused, old)
    with open(a.out, "w", encoding="utf-8") as f:
        f.write(text)
    print(text.split("\n## Each shader")[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
