#!/usr/bin/env python3
"""Compiles the vertex and fragment shaders of the shared corpus for AMD targets, in pipelines drawn by a seed.

    compile_graphics.py HEDDLE FOLDER [--targets A,B] [--seed N] [--variants N] [--draw N] [--share N]
        [--least PERCENT] [--emit WHAT]

Each shader is compiled with validated register allocation, for all targets, or for --draw of them: once without a pipeline's state and in
--variants pipelines (tests/pipelines.py); with --share about one shader in N, by the seed. A shader that compiles in all of them passes, one that is refused as unsupported in one of them
is skipped, and the reasons are counted; everything else fails. If less than --least percent of a stage's shaders pass (of all targets
together, if these are drawn), that fails, too. What is made is a code object, or --emit. FOLDER keeps the SPIR-V between runs. The last line is "N passed, N failed, N skipped";
exits with 77 if the corpus is missing.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus  # noqa: E402
import pipelines  # noqa: E402
import spirv_interface  # noqa: E402

TARGETS = "gfx600,gfx803,gfx900,gfx1030,gfx1100,gfx1201"
STAGES = ("vert", "frag")
LIMIT_SECONDS = 120


def compile_one(a, target, path, pipeline):
    """Returns ("pass", None), ("skip", why) or ("fail", why)."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as state:
        command = [a.heddle, "compile", "-t", target, path, "-o", "/dev/null"] + (["--emit", a.emit] if a.emit else [])
        if pipeline is not None:
            json.dump(pipeline, state)
            state.flush()
            command += ["--pipeline", state.name]
        environment = os.environ | ({"HEDDLE_DEBUG": "validatera"} if target.startswith("gfx") else {})
        try:
            ran = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS, env=environment)
        except subprocess.TimeoutExpired:
            return "fail", "timed out"
    if ran.returncode == 0:
        return "pass", None
    error = next((line for line in ran.stderr.splitlines() if "error" in line), ran.stderr.strip()[-200:])
    if ran.returncode == 1 and "unsupported" in error:
        return "skip", re.sub(r"^.*?unsupported: |word \d+ |\w+ code for |\[\w+\]", "", error).strip()
    return "fail", f"exit {ran.returncode}: {error}"


def check(a, stage, shader):
    """Compiles a shader for its targets. Returns its name and a list of (target, verdict, why, pipeline)."""
    path, why = corpus.spirv(shader, a.folder)
    rng = random.Random(f"{a.seed} {shader.name}")
    targets = rng.sample(a.targets, a.draw) if a.draw else a.targets
    if not path:
        return shader.name, [(t, "skip", why, None) for t in targets]
    interface = spirv_interface.read(path)
    states = [None] + [pipelines.draw(rng, stage, interface) for _ in range(a.variants)]
    rows = []
    for target in targets:
        worst = ("pass", None, None)
        for state in states:
            verdict, why = compile_one(a, target, path, state)
            if verdict == "fail" or (verdict == "skip" and worst[0] == "pass"):
                worst = (verdict, why, state)
            if verdict == "fail":
                break
        rows.append((target, *worst))
    return shader.name, rows


def report(counts, reasons, a):
    """Prints what compiles by target and stage, and what was unsupported. Returns whether enough compiles."""
    enough = True
    totals = collections.Counter()
    for (target, stage), c in sorted(counts.items()):
        print(f"{target} {stage}: {c['pass']} of {c.total()} compile, {c['skip']} unsupported, {c['fail']} fail")
        of = stage if a.draw else f"{target} {stage}"
        totals[of, "pass"] += c["pass"]
        totals[of, "all"] += c.total()
    for (why, stage), names in sorted(reasons.items(), key=lambda r: -len(r[1])):
        print(f"{len(names):5} {stage} {why}: {', '.join(sorted(names)[:3])}")
    for of in {key for key, what in totals if what == "all"}:
        share = 100 * totals[of, "pass"] / totals[of, "all"]
        if share < a.least:
            print(f"FAIL {of}: {share:.1f} % compile, less than {a.least:g} %")
            enough = False
    return enough


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("heddle", type=os.path.abspath)
    p.add_argument("folder", type=os.path.abspath)
    p.add_argument("--targets", default=TARGETS)
    p.add_argument("--stages", default=",".join(STAGES))
    p.add_argument("--seed", default="1")
    p.add_argument("--variants", type=int, default=2)
    p.add_argument("--draw", type=int, default=0)
    p.add_argument("--share", type=int, default=1)
    p.add_argument("--emit")
    p.add_argument("--least", type=float, default=0)
    p.add_argument("filter", nargs="?", default="")
    a = p.parse_args()
    a.targets = a.targets.split(",")
    return a


def main():
    a = parse()
    if not corpus.root():
        print("skipped: there is no shared corpus")
        return corpus.MISSING
    counts, reasons = collections.defaultdict(collections.Counter), collections.defaultdict(set)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        shaders = [(st, s) for st in a.stages.split(",") for s in corpus.shaders(st) if a.filter in s.name and
                   zlib.crc32(f"{a.seed} {s.name}".encode()) % a.share == 0]
        for (stage, _), job in [(s, pool.submit(check, a, *s)) for s in shaders]:
            name, rows = job.result()
            for target, verdict, why, state in rows:
                counts[target, stage][verdict] += 1
                if verdict == "skip":
                    reasons[why, stage].add(name)
                if verdict == "fail":
                    print(f"FAIL {name} {target}: {why}; pipeline {json.dumps(state)}", flush=True)
    enough = report(counts, reasons, a)
    total = sum(counts.values(), collections.Counter())
    print(f"{total['pass']} passed, {total['fail'] + (not enough)} failed, {total['skip']} skipped")
    return 1 if total["fail"] or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
