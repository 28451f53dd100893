#!/usr/bin/env python3
"""Compares our code with turnip's on the same SPIR-V: one program, `heddle stats --code bin`, counts the words of both.

    beside_turnip.py --heddle heddle --anchor .../turnip-anchor --gpu 660 --work FOLDER [--stage frag | --linked] [--share N] [--worst N] [FILE.spv...]

Without files: the corpus's shaders of the stage: comp, vert or frag, or one in N of them. Of vertex and fragment shaders the other stage is not known
to ours; turnip moves work between them, also into and out of the one that the anchor makes up: what it moves out of a fragment shader is counted
with it. With --linked, each vertex shader has the companion of tests/bench/companions.py, whose work cannot be moved, and both compilers know it.
turnip's words stay in the folder, and are not made again. A table with geometric means (ours / theirs) is printed, and the shaders with the worst
ratios; the driver's own figures are compared with what the program counts of its words. Not part of the tests of a build, because it
needs qemu and the driver."""
import argparse
import collections
import json
import math
import os
import subprocess
import sys
import zlib

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path[:0] = [TESTS, os.path.join(TESTS, "bench")]
import companions
import corpus

BATCH = 8
ENDINGS = {"comp": ".comp.words", "vert": ".vert.words", "frag": ".frag.words"}
FIGURES = ("instructions", "nops", "non-nops", "full", "ss", "sy", "ss_stall", "words")
# What we count, and the driver's name for it.
NAMES = {"instructions": "Instruction Count", "nops": "NOPs Count", "movs": "MOV Count", "covs": "COV Count", "full": "Registers used",
         "ss": "Instructions with SS sync bit", "sy": "Instructions with SY sync bit", "ss_stall": "Estimated cycles stalled on SS"}


def pair_up(a, files):
    """The files that the anchor is given with --linked: {vertex shader: (its copy, its companion)}."""
    return {path: made for path in files if (made := companions.make(path, a.work))}


def compile_theirs(a, files, pairs):
    """Appends the driver's rows of files that have none to FOLDER/rows.json. A pair's rows have its fragment shader's name."""
    path = os.path.join(a.work, "rows.json")
    done = set()
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            done = {json.loads(line)["file"] for line in f}
    names = {pairs[f][1] if pairs else f: f for f in files if not pairs or f in pairs}
    left = [f for f in names if f not in done]
    options = ["--pair", "--all"] if pairs else []
    with open(path, "a", encoding="utf-8") as out:
        for at in range(0, len(left), BATCH):
            batch = [f for name in left[at:at + BATCH] for f in (pairs[names[name]] if pairs else (name,))]
            ran = subprocess.run([a.anchor, "--gpu", a.gpu, "--repeat", "1", "--timeout", "30", "--json", "--asm", a.work, *options, *batch],
                                 stdin=subprocess.DEVNULL, capture_output=True, text=True)
            out.write(ran.stdout)
    with open(path, encoding="utf-8") as f:
        rows = [json.loads(line) for line in f]
    role = "paired" if pairs else "subject"
    return {names[r["file"]]: r for r in rows if r.get("role") == role and r.get("stage") != "vertex-binning" and r.get("code_words")
            and r["file"] in names}


def write_code(a, path):
    """The driver's words as bytes: the file, or None."""
    name = os.path.basename(path)[:-len(".spv")]
    endings = (ENDINGS["vert"],) if a.linked else (*ENDINGS.values(), ".words")
    words = [w for w in (os.path.join(a.work, name + end) for end in endings) if os.path.exists(w)]
    if not words:
        return None
    out = os.path.join(a.work, name + ".theirs.bin")
    with open(words[0], encoding="utf-8") as f, open(out, "wb") as g:
        g.write(b"".join(int(w, 16).to_bytes(8, "little") for w in f.read().split()))
    return out


def compile_ours(a, path, wave_size, pair):
    out = os.path.join(a.work, os.path.basename(path)[:-len(".spv")] + ".ours.bin")
    if os.path.exists(out):
        os.remove(out)
    size = ["--wave-size", str(wave_size)] if wave_size else []
    link = ["--stage", "vertex", "--link", pair[1]] if pair else []
    ran = subprocess.run([a.heddle, "compile", "-t", "a" + a.gpu, *size, *link, "--emit", "bin", "-o", out, path], capture_output=True, text=True)
    return (out, None) if os.path.exists(out) else (None, (ran.stderr.strip().splitlines() or ["?"])[-1])


def count(a, files):
    """The figures of files of machine code, by file."""
    rows = {}
    for at in range(0, len(files), 100):
        ran = subprocess.run([a.heddle, "stats", "--json", "--code", "bin", "-t", "a" + a.gpu, *files[at:at + 100]], capture_output=True, text=True)
        for line in ran.stdout.splitlines():
            row = json.loads(line)
            row["non-nops"] = row["instructions"] - row["nops"]
            rows[row["file"]] = row
    return rows


def ratio(ours, theirs):
    """A figure may be 0."""
    return (ours + 1) / (theirs + 1)


def made_up(a, files):
    """The statistics of the vertex shaders that the anchor makes up for fragment shaders, by file; they stay in FOLDER/companions.json."""
    path = os.path.join(a.work, "companions.json")
    rows = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            rows = {r["file"]: r["stats"] for r in map(json.loads, f)}
    left = [f for f in files if f not in rows]
    with open(path, "a", encoding="utf-8") as out:
        for at in range(0, len(left), BATCH):
            ran = subprocess.run([a.anchor, "--gpu", a.gpu, "--repeat", "1", "--timeout", "30", "--json", "--all", *left[at:at + BATCH]],
                                 stdin=subprocess.DEVNULL, capture_output=True, text=True)
            for r in map(json.loads, ran.stdout.splitlines()):
                if r.get("role") == "generated" and r.get("stage") == "vertex" and r.get("stats"):
                    rows[r["file"]] = r["stats"]
                    out.write(json.dumps({"file": r["file"], "stats": r["stats"]}) + "\n")
    return rows


def add_moved(a, pairs):
    """What turnip moves from a fragment shader to the vertex shader, which without that is one instruction, is the fragment shader's. Asked
    where ours is the larger one."""
    made = made_up(a, [path for path, o, t in pairs if o["instructions"] > t["instructions"] or o["non-nops"] > t["non-nops"]])
    for path, _, t in pairs:
        stats = made.get(path)
        if not stats:
            continue
        for figure in ("instructions", "nops", "ss", "sy", "ss_stall"):
            t[figure] += stats[NAMES[figure]] - (figure == "instructions")
        t["non-nops"] = t["instructions"] - t["nops"]
        t["words"] += stats["Instruction Count"] - 1
        t["full"] = max(t["full"], stats[NAMES["full"]])


def report(pairs, names, worst):
    print(f"{len(pairs)} shaders")
    print("| | " + " | ".join(FIGURES) + " |")
    print("| --- | " + " | ".join("---:" for _ in FIGURES) + " |")
    means = [math.exp(sum(math.log(ratio(o[f], t[f])) for _, o, t in pairs) / len(pairs)) for f in FIGURES]
    sums = [sum(o[f] for _, o, t in pairs) / max(1, sum(t[f] for _, o, t in pairs)) for f in FIGURES]
    print("| geometric mean | " + " | ".join(f"{m:.3f}" for m in means) + " |")
    print("| of sums | " + " | ".join(f"{m:.3f}" for m in sums) + " |")
    for figure in ("instructions", "non-nops"):
        print(f"worst by {figure}:")
        for path, o, t in sorted(pairs, key=lambda p: -ratio(p[1][figure], p[2][figure]))[:worst]:
            print(f"  {ratio(o[figure], t[figure]):5.2f} {o[figure]:6} {t[figure]:6}  {os.path.basename(path)[:12]} {names.get(path, '')}")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--heddle", required=True)
    p.add_argument("--anchor", required=True)
    p.add_argument("--gpu", required=True)
    p.add_argument("--work", required=True)
    p.add_argument("--stage", default="comp", choices=ENDINGS)
    p.add_argument("--linked", action="store_true", help="vertex shaders with companions that both compilers know")
    p.add_argument("--share", type=int, default=1, help="compare about one shader of the corpus in N")
    p.add_argument("--worst", type=int, default=20)
    p.add_argument("files", nargs="*")
    a = p.parse_args()
    a.stage = "vert" if a.linked else a.stage
    os.makedirs(a.work, exist_ok=True)
    names, files = {}, a.files
    if not files:
        for shader in corpus.shaders(a.stage):
            if zlib.crc32(shader.name.encode()) % a.share:
                continue
            path, _ = corpus.spirv(shader, os.path.join(a.work, "..", "spv"))
            if path:
                names[os.path.abspath(path)] = shader.name
        files = sorted(names)
    linked = pair_up(a, files) if a.linked else {}
    theirs = compile_theirs(a, files, linked)
    left_out, code, reasons = collections.Counter(), {}, collections.Counter()
    for path, row in theirs.items():
        their = write_code(a, path)
        our, why = compile_ours(a, path, row.get("subgroup_size"), linked.get(path)) if their else (None, "no words")
        if our:
            code[path] = (our, their)
        else:
            reasons[why.split("error: ")[-1]] += 1
    figures = count(a, [f for pair in code.values() for f in pair])
    pairs = [(path, figures[o], figures[t]) for path, (o, t) in code.items() if o in figures and t in figures]
    for path, _, t in pairs:
        left_out.update(k for k, name in NAMES.items() if t[k] != theirs[path]["stats"][name])
    if a.stage == "frag":
        add_moved(a, pairs)
    report(pairs, names, a.worst)
    print("counted otherwise than by the driver:", dict(left_out))
    for why, n in reasons.most_common():
        print(f"not compiled: {n} {why}")


if __name__ == "__main__":
    main()
