#!/usr/bin/env python3
"""Compares Heddle with RADV's compiler ACO over the compute corpus and writes docs/performance.md.

    compare_anchor.py [--build FOLDER] [--out FILE] [--repeat N] [--limit N] [--targets LIST] [--no-time] [--no-run] [FILTER]
    compare_anchor.py --only-time [--heddle PROGRAM] ...

Makes a release build of Heddle in FOLDER, and there a copy of ../shared/tools/radv-anchor and, if the network
allows it, the driver of Debian sid (anchors.py). Measured are: the code for each chip, Heddle's and each driver's,
all at the wave size that the newest driver chooses and all judged by one model of time (docs/machine-model.md); the time of one
compile, for gfx1030, one program after the other; and the instructions that both codes execute on the same inputs, and their cycles (executed.py).
Kernels of the ABI hsa are compared with clang's (kernels.py) if clang is there.
The shaders are the compute shaders of the shared corpus's glsl and spvasm folders (except ray tracing), made by the commands in
their manifests. If ../shared is missing, it prints that it was skipped. FILTER selects the shaders whose names contain that text,
--limit the first N. --only-time replaces the section of compile time alone in the report; --heddle names a program in place of a release build.
"""
import argparse
import collections
import datetime
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
import anchors  # noqa: E402
import corpus  # noqa: E402
import executed  # noqa: E402
import kernels  # noqa: E402
import performance_report  # noqa: E402

TIMED = "gfx1030"
MAX_WAVES = 20  # of a SIMD, on any chip


# The programs heddle and real (tests/real).
Programs = collections.namedtuple("Programs", "heddle real")


def build_heddle(build):
    """Makes a release build, as `make release` does; returns the programs."""
    script = os.path.join(anchors.ROOT, "tools", "dev", "build_release.py")
    targets = ["tools/heddle/heddle", "tests/real/real", "tools/radeon/libheddle_radeon.so"]
    subprocess.run([sys.executable, script, build, *targets], check=True)
    return Programs(os.path.join(build, "tools", "heddle", "heddle"), os.path.join(build, "tests", "real", "real"))


def corpus_shaders(spv):
    """Returns {file: name} of the compute shaders that the front end accepts."""
    found = {}
    for shader in corpus.compute_shaders():
        path, _ = corpus.spirv(shader, spv)
        if path:
            found.setdefault(path, shader.name)
    return found


def run_stats(heddle, target, wave_size, words):
    """Returns (what `heddle stats` says, None), or (None, why it failed)."""
    command = [heddle, "stats", "--json", "-t", target, "--wave-size", str(wave_size), *words]
    try:
        ran = anchors.run(command, timeout=300)
    except subprocess.TimeoutExpired:
        return None, "timed out"
    if ran.returncode:
        message = (ran.stderr.strip().splitlines() or [f"exit {ran.returncode}"])[-1]
        return None, message.split("error: ", 1)[-1]
    return json.loads(ran.stdout.splitlines()[0]), None


def stats(heddle, path, target, wave_size, repeat=1):
    """Returns the same of a shader that Heddle compiles."""
    return run_stats(heddle, target, wave_size, ["--repeat", str(repeat), path])


def judge_listings(heddle, target, rows):
    """Puts a driver's code through our own model: replaces the listing in each row by what `heddle stats` says of its words ("judged";
    None if they are refused)."""
    with tempfile.TemporaryDirectory() as folder:
        listing = os.path.join(folder, "listing.s")
        for row in rows.values():
            with open(listing, "w", encoding="utf-8") as f:
                f.write(row.pop("asm", ""))
            row["judged"], _ = run_stats(heddle, target, row["subgroup_size"], ["--code", "words", listing])


def set_waves(rows):
    """Notes the waves of each row. RADV gives twice their number for some generations and wave sizes: where a count is above what
    any SIMD holds, all of that size are halved."""
    most = {}
    for row in rows:
        size = row["subgroup_size"]
        most[size] = max(most.get(size, 0), row["stats"]["Subgroups per SIMD"])
    for row in rows:
        row["waves"] = row["stats"]["Subgroups per SIMD"] / (2 if most[row["subgroup_size"]] > MAX_WAVES else 1)


def code_measures(ours, theirs, most):
    """Returns {name: (ours, theirs)} of two codes. `most` waves fit on the chip."""
    s, judged = theirs["stats"], theirs["judged"] or {}
    return {
        "instructions": (ours["instructions"], s["Instructions"]),
        "bytes": (ours["code_bytes"], s["Code size"]),
        "vgprs": (ours["allocated_vgprs"], s["VGPRs"]),
        "copies": (ours["copies"], s["Copies"]),
        "waves": (min(ours["max_waves"], most), theirs["waves"]),
        **{name: (ours[name], judged[name]) for name in ("latency", "inv_throughput", "waits") if judged},
    }


def compare_code(heddle, anchor, drivers, target, shaders):
    """Returns {title of a driver: {shader's name: measures}}, wave sizes by path, and the refused shaders with reasons."""
    theirs, wave_sizes, refused = {}, None, {}
    for driver in sorted(drivers, key=lambda d: d is not drivers[-1]):
        if not driver.chip(target):
            continue
        rows = theirs[driver.title] = {}
        for path, row, why in anchors.compile_all(driver, anchor, target, list(shaders), wave_sizes, listing=True):
            if row:
                rows[path] = row
                driver.version = row["driver_info"]
            else:
                refused[shaders[path]] = ("", why)
        judge_listings(heddle, target, rows)
        wave_sizes = wave_sizes or {path: row["subgroup_size"] for path, row in rows.items()}
    results = {title: {} for title in theirs}
    for rows in theirs.values():
        set_waves(rows.values())
    most = max((row["waves"] for rows in theirs.values() for row in rows.values()), default=0)
    for path, size in (wave_sizes or {}).items():
        ours, why = stats(heddle, path, target, size)
        if not ours:
            refused[shaders[path]] = (why, "")
            continue
        for title, rows in theirs.items():
            if path in rows:
                results[title][shaders[path]] = code_measures(ours, rows[path], most)
    return results, wave_sizes or {}, refused


def compare_times(heddle, anchor, driver, shaders, wave_sizes, repeat):
    """Returns {name: {"time": (ours, theirs), "cpu": ...}} in milliseconds, measured one shader after the other."""
    rows = {}
    for path, name in shaders.items():
        size = wave_sizes.get(path)
        if not size:
            continue
        ours, _ = stats(heddle, path, TIMED, size, repeat)
        (_, theirs, _), = anchors.compile_all(driver, anchor, TIMED, [path], {path: size}, repeat)
        if ours and theirs:
            rows[name] = {"time": (ours["compile_ms"], theirs["compile_ms"]), "cpu": (ours["cpu_ms"], theirs["cpu_ms"])}
    return rows


def machine():
    model = platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        names = [line.split(":", 1)[1].strip() for line in f if line.startswith("model name")]
    return f"{names[0] if names else model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"


def compare_kernels(heddle, build):
    """Returns what kernels.section takes; nothing without clang."""
    clang = shutil.which("clang-19")
    if not clang:
        return {}
    bench = kernels.Bench(heddle, clang, os.path.join(build, "kernels"))
    rows, failures = kernels.measure_all(bench, kernels.KERNELS, kernels.TARGETS.split(","))
    print(*failures, sep="\n", end="\n" if failures else "", file=sys.stderr)
    return rows


def parse():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--build", default=os.path.join(anchors.ROOT, "build-release"))
    p.add_argument("--out", default=os.path.join(anchors.ROOT, "docs", "performance.md"))
    p.add_argument("--repeat", type=int, default=20)
    p.add_argument("--limit", type=int)
    p.add_argument("--targets", default=",".join(anchors.CHIPS))
    p.add_argument("--no-time", action="store_true")
    p.add_argument("--no-run", action="store_true")
    p.add_argument("--only-time", action="store_true")
    p.add_argument("--heddle", help="with --only-time: a program in place of a release build")
    p.add_argument("filter", nargs="?", default="")
    return p.parse_args()


def open_all(a, build, heddle):
    """Returns the anchor, the drivers, why there is no newest one, and the shaders."""
    newest, why = anchors.open_newest(build, heddle)
    shaders = {p: n for p, n in corpus_shaders(os.path.join(build, "corpus-spv")).items() if a.filter in n}
    return anchors.build_anchor(build), [anchors.System()] + ([newest] if newest else []), why, dict(list(shaders.items())[: a.limit])


def measure_time(a, build):
    """Returns what performance_report.replace_time takes, but for the head."""
    heddle = a.heddle or build_heddle(build).heddle
    anchor, drivers, _, shaders = open_all(a, build, heddle)
    sizes = {}
    for path, row, _ in anchors.compile_all(drivers[-1], anchor, TIMED, list(shaders)):
        if row:
            sizes[path] = row["subgroup_size"]
            drivers[-1].version = row["driver_info"]
    times = {d.title: compare_times(heddle, anchor, d, shaders, sizes, a.repeat) for d in drivers}
    return {"time": times, "versions": [f"{d.title} driver{f' ({d.version})' if d.version else ''}" for d in drivers]}


def measure(a, build):
    """Returns what performance_report.write takes, but for the head."""
    programs = build_heddle(build)
    heddle = programs.heddle
    anchor, drivers, why, shaders = open_all(a, build, heddle)
    report = {"code": {}, "time": {}, "run": {}, "refused": {}, "without": why, "repeat": a.repeat}
    wave_sizes = {}
    for target in a.targets.split(","):
        print(f"{target}: code", file=sys.stderr, flush=True)
        report["code"][target], sizes, refused = compare_code(heddle, anchor, drivers, target, shaders)
        report["refused"].update(refused)
        wave_sizes[target] = sizes
    for driver in drivers if not a.no_time and TIMED in wave_sizes else ():
        print(f"{driver.title} driver: time", file=sys.stderr, flush=True)
        report["time"][driver.title] = compare_times(heddle, anchor, driver, shaders, wave_sizes[TIMED], a.repeat)
    for driver in drivers if not a.no_run else ():
        for target in wave_sizes:
            print(f"{driver.title} driver, {target}: execution", file=sys.stderr, flush=True)
            report["run"].setdefault(target, {})[driver.title] = executed.compare(programs, driver, target, shaders, wave_sizes[target])
    report["kernels"] = {} if a.no_run else compare_kernels(heddle, build)
    report["versions"] = [f"{d.title} driver ({d.version})" for d in drivers if d.version]
    return report


def main():
    a = parse()
    if not os.path.isdir(anchors.SHARED):
        print(f"skipped: there is no {anchors.SHARED}")
        return 0
    report = (measure_time if a.only_time else measure)(a, os.path.abspath(a.build))
    if not a.only_time and not any(rows for by_driver in report["code"].values() for rows in by_driver.values()):
        print("no shader was compiled by both")
        return 1
    report["head"] = {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "commit": anchors.run(["git", "describe", "--always", "--dirty"], cwd=anchors.ROOT).stdout.strip(),
    }
    old = ""
    if os.path.exists(a.out):
        with open(a.out, encoding="utf-8") as f:
            old = f.read()
    text = performance_report.replace_time(report, old) if a.only_time else performance_report.write(report, old)
    with open(a.out, "w", encoding="utf-8") as f:
        f.write(text)
    print(text.split("\n## Each shader")[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
