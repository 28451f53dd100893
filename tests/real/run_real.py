#!/usr/bin/env python3
"""Executes every compute shader of the shared corpus and of shaders/ on the interpreter and on a target.

    run_real.py --real PROGRAM --cache FOLDER [--target gfx1030] [--seeds 1,2,3] [--on WAY,...] [--share N]
                [--report FILE] [--docs FILE] [--jobs N] [--optimised] [--drawn] [--one-in N] [PREFIX]

A shader is compiled as its manifest says (../corpus.py); FOLDER keeps the SPIR-V; --optimised adds the output of
`glslc -O`. --drawn takes vertex and fragment shaders, with another stage that partners.py makes; --one-in takes about one shader in N. `real` (real.c) runs each shader in its own process, and the way `vulkan` in another, with the first seed
and not optimised; --share takes about one shader in N for that. A shader may be excused for a reason only if
excused.tsv in this folder lists it with that reason. --docs writes the results to a document. --report keeps every
line, with executed instructions. The last line is "N passed, N failed, N skipped", in shaders.
"""
import argparse
import collections
import concurrent.futures
import os
import resource
import subprocess
import sys
import tempfile
import zlib

import real_docs

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import corpus  # noqa: E402
import partners  # noqa: E402

TIMEOUT, DRIVER_TIMEOUT = 300, 60  # seconds
MAX_FILE, MAX_SAID = 1 << 28, 1 << 20  # bytes that a program may write, and how many of them are read
FIELDS = ("file", "seed", "way", "verdict", "plan", "findings", "instructions", "lane_instructions", "cycles", "what")
PASSED = {"ran", "same", "near"}


def own_shaders():
    """Yields the shaders of shaders/, which need no corpus, as glslc makes them and optimised."""
    folder = os.path.join(HERE, "shaders")
    for name in sorted(os.listdir(folder)):
        shader = corpus.Shader("shaders/" + name, name, folder, f"glslc --target-env=vulkan1.2 {name} -o OUT.spv")
        yield shader
        yield corpus.optimised(shader)


def drawn_shaders():
    """Yields vertex and fragment shaders; those that need another file's text beside them are compiled as all others."""
    return [s for stage in ("vert", "frag") for s in corpus.shaders(stage)] if corpus.root() else []


def all_shaders(optimised):
    shaders = list(corpus.compute_shaders()) if corpus.root() else []
    if optimised:
        shaders += [s for s in map(corpus.optimised, shaders) if s]
    return shaders + list(own_shaders())


def line_of(name, seed, verdict, what):
    return dict(zip(FIELDS, (name, seed, "", verdict, "", "", "0", "0", "0", what)))


def chosen_ways(args, shader, first):
    """Yields the values of --on, for one process each. The driver gets its own process, as it may crash; it runs the first seed only
    and repeats the reference's lines."""
    ways = args.on.split(",")
    driver = "vulkan" in ways or "all" in ways
    ours = ",".join(way for way in ways if way != "vulkan")
    if ours:
        yield ours
    if driver and first and not shader.name.endswith(" -O") and zlib.crc32(shader.name.encode()) % args.share == 0:
        yield "vulkan"


def run_bounded(command, seconds):
    """Returns the program's output, and how it failed or "". File size and time are limited, for drivers that print messages in a loop."""
    def bound():
        resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE, MAX_FILE))

    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        try:
            code = subprocess.run(command, stdout=out, stderr=err, timeout=seconds, preexec_fn=bound).returncode
            ended = f"ended with {code}: " if code else ""
        except subprocess.TimeoutExpired:
            ended = "timed out: "
        out.seek(0)
        err.seek(0)
        return out.read(MAX_SAID), ended and ended + err.read(MAX_SAID).strip()[-200:]


def run_process(command, shader, seed):
    """Returns the lines of one process, without the reference's lines if it runs on the driver."""
    lines = []
    way = "vulkan" if "--on=vulkan" in command else ""
    output, ended = run_bounded(command, DRIVER_TIMEOUT if way else TIMEOUT)
    for text in output.splitlines():
        line = dict(zip(FIELDS, text.split("\t")))
        line["file"] = shader.name
        if not way or line["way"] == way:
            lines.append(line)
    if ended:
        lines.append(line_of(shader.name, seed, "fails", "the program " + ended) | {"way": way})
    return lines


def run_shader(args, shader):
    """Returns the lines of all seeds, as dictionaries."""
    spv, error = corpus.spirv(shader, args.cache)
    if not spv:
        return [line_of(shader.name, "", "skip", error)]
    lines = []
    seeds = args.seeds.split(",")
    for seed in seeds:
        try:
            words = drawn_words(spv, shader, seed) if args.drawn else []
        except partners.Refused as why:
            return [line_of(shader.name, "", "skip", str(why))]
        for on in chosen_ways(args, shader, seed == seeds[0]):
            lines += run_process([args.real, "--seed=" + seed, "--target=" + args.target, "--on=" + on, *words, spv], shader, seed)
    return lines


def drawn_words(spv, shader, seed):
    return partners.options(partners.make(spv, int(seed) + zlib.crc32(shader.name.encode())))


def read_excuses():
    """Returns {(shader, reason)}."""
    with open(os.path.join(HERE, "excused.tsv"), encoding="utf-8") as f:
        return {tuple(line.rstrip("\n").split("\t")[:2]) for line in f if line.strip() and not line.startswith("#")}


def judge(lines, excuses):
    """Turns lines that are excused without being listed into failures."""
    for line in lines:
        reason = line["what"].split(";")[0]
        name = line["file"].removesuffix(" -O")
        if line["verdict"] == "excused" and (name, reason) not in excuses:
            line["verdict"] = "unlisted"


def write_report(path, lines):
    with open(path, "w", encoding="utf-8") as f:
        f.write("\t".join(FIELDS) + "\n")
        for line in lines:
            f.write("\t".join(line[k] for k in FIELDS) + "\n")


def summary(lines):
    """Prints the verdicts of each way, and the numbers of shaders that passed, failed and were skipped. Returns the failures."""
    verdicts = collections.defaultdict(set)
    for line in lines:
        verdicts[line["file"]].add(line["verdict"])
    counts = collections.Counter((line["way"], line["verdict"]) for line in lines)
    for way in sorted({way for way, _ in counts}):
        print(way or "-", ", ".join(f"{v} {n}" for (w, v), n in sorted(counts.items()) if w == way))
    good = PASSED | {"excused", "skip"}
    failed = sum(bool(v - good) for v in verdicts.values())
    skipped = sum(not v - {"skip"} for v in verdicts.values())
    print(f"{len(verdicts) - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return failed


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--real", required=True)
    p.add_argument("--cache", required=True)
    p.add_argument("--target", default="gfx1030")
    p.add_argument("--seeds", default="1")
    p.add_argument("--on", default="w32,w64")
    p.add_argument("--share", type=int, default=1)
    p.add_argument("--report")
    p.add_argument("--docs")
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--optimised", action="store_true")
    p.add_argument("--drawn", action="store_true")
    p.add_argument("--one-in", type=int, default=1)
    p.add_argument("prefix", nargs="?", default="")
    return p.parse_args()


def main():
    args = parse()
    args.cache, args.real = os.path.abspath(args.cache), os.path.abspath(args.real)
    every = drawn_shaders() if args.drawn else all_shaders(args.optimised)
    shaders = [s for s in every if s.name.startswith(args.prefix) and zlib.crc32(s.name.encode()) % args.one_in == 0]
    lines = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for result in pool.map(lambda shader: run_shader(args, shader), shaders):
            lines += result
    judge(lines, read_excuses())
    for line in lines:
        if line["verdict"] not in PASSED | {"excused"}:
            print(f"{line['verdict'].upper()} {line['file']} seed {line['seed']} {line['way']} {line['plan']}: {line['what']}")
    if args.report:
        write_report(args.report, lines)
    if args.docs:
        real_docs.write(args.docs, lines)
    return 1 if summary(lines) else 0


if __name__ == "__main__":
    sys.exit(main())
