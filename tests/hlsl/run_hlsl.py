#!/usr/bin/env python3
"""Runs the HLSL shaders of shaders/ and their twins in GLSL, and compares both with expected numbers.

    run_hlsl.py --heddle PROGRAM [--jobs N] [--ways NAME,...] [--keep FOLDER] [PREFIX]

NAME.hlsl and NAME.comp are compiled as `heddle compile` does, so that HLSL's registers become bindings by the rules of docs/cli.md; the
twin states the same bindings. cases.py says what both are given, and the results, computed there by the definition of the language and
not by a device. Each module becomes an Amber script that runs on the interpreter and on gfx1030 with wave32 and wave64 (WAYS), with all
checks. limits.py has what the front end does not read: each line must fail as it says, so that the table in the documents stays true.
The last line is "N passed, N failed, N skipped".
"""
import argparse
import concurrent.futures
import os
import re
import struct
import subprocess
import sys
import tempfile

import cases
import limits
from case import B, T, U, Case, Expected, bits, output, storage, uniform

HERE = os.path.dirname(os.path.abspath(__file__))
SHADERS = os.path.join(HERE, "shaders")
WAYS = {
    "hir32": (["-t", "hir", "--wave-size", "32"], ""),
    "hir64": (["-t", "hir", "--wave-size", "64"], ""),
    "w32": (["-t", "gfx1030", "--wave-size", "32"], ""),
    "w64": (["-t", "gfx1030", "--wave-size", "64"], ""),
    "gfx1010-64": (["-t", "gfx1010", "--wave-size", "64"], ""),
    "gfx1010-64": (["-t", "gfx1010", "--wave-size", "64"], ""),
    "gfx1100-32": (["-t", "gfx1100", "--wave-size", "32"], ""),
    "gfx1150-64": (["-t", "gfx1150", "--wave-size", "64"], ""),
    "gfx1150-64": (["-t", "gfx1150", "--wave-size", "64"], ""),
    "noopt64": (["-t", "gfx1030", "--wave-size", "64"], "noopt"),
    "spill32": (["-t", "gfx1030", "--wave-size", "32"], "sgprs=24,vgprs=16"),
}
DEFAULT_WAYS = "hir32,hir64,w32,w64"
WORDS_A_LINE = 16


def lines_of(words):
    for i in range(0, len(words), WORDS_A_LINE):
        yield "  " + " ".join(str(w) for w in words[i:i + WORDS_A_LINE])


def declare(r):
    """Yields the lines that make a resource."""
    if r.kind == "sampler":
        yield f"SAMPLER {r.name} {r.options}"
    elif r.is_image:
        size = " ".join(f"{word} {n}" for word, n in zip(("WIDTH", "HEIGHT", "DEPTH"), r.size))
        yield f"IMAGE {r.name} FORMAT {r.format} DIM_{len(r.size)}D {size} DATA"
        yield from lines_of(r.data)
        yield "END"
    else:
        yield f"BUFFER {r.name} DATA_TYPE {r.format or r.type} DATA"
        yield from lines_of(r.data)
        yield "END"


def bind(group, kind, where):
    names = " ".join(r.name for r in group)
    several = "_ARRAY" if len(group) > 1 else ""
    place = f"DESCRIPTOR_SET {where[0]} BINDING {where[1]}"
    if kind == "sampler":
        return f"  BIND SAMPLER{several} {names} {place}"
    if kind == "push_constant":
        return f"  BIND BUFFER {names} AS push_constant"
    return f"  BIND BUFFER{several} {names} AS {kind} {place}"


def expect(name, wanted):
    """Yields the expectations of one buffer. Floats are compared with a tolerance, in other buffers bits are."""
    for i in range(0, len(wanted.values), WORDS_A_LINE):
        part = wanted.values[i:i + WORDS_A_LINE]
        if None in part:
            for k, value in enumerate(part):
                if value is not None:
                    yield f"EXPECT {name} IDX {(i + k) * wanted.stride} EQ {value}"
            continue
        values = " ".join(str(v) for v in part)
        if wanted.tolerance:
            yield f"EXPECT {name} IDX {i * wanted.stride} TOLERANCE {wanted.tolerance} EQ {values}"
        else:
            yield f"EXPECT {name} IDX {i * wanted.stride} EQ {values}"


def script(case, words, entry):
    """The Amber script that runs the module on the case's memory."""
    out = ["#!amber", "SHADER compute s SPIRV-HEX TARGET_ENV spv1.6"]
    out += [" ".join(f"{w:08x}" for w in words[i:i + 8]) for i in range(0, len(words), 8)]
    out.append("END")
    bound = {}
    for r in case.resources:
        out += declare(r)
        bound.setdefault((r.kind, r.set, r.binding), []).append(r)
    out += ["PIPELINE compute p", f"  ATTACH s ENTRY_POINT {entry}"]
    out += [bind(group, kind, (s, b)) for (kind, s, b), group in bound.items()]
    out += ["END", "RUN p " + " ".join(str(n) for n in case.groups)]
    for name, wanted in case.expected.items():
        out += expect(name, wanted)
    return "\n".join(out) + "\n"


def compile_spirv(args, path, options, out):
    """Returns the words of the module, or None and why."""
    ran = subprocess.run([args.heddle, "compile", "--stage", "compute", "--emit", "spirv", "-o", out, *options, path],
                         capture_output=True, text=True, timeout=120)
    if ran.returncode:
        return None, ran.stderr.strip() or f"ended with {ran.returncode} and no message"
    data = open(out, "rb").read()
    return struct.unpack(f"<{len(data) // 4}I", data), None


def run_way(args, way, path):
    options, switches = WAYS[way]
    env = dict(os.environ, HEDDLE_DEBUG=switches) if switches else os.environ
    ran = subprocess.run([args.heddle, "run", *options, path], capture_output=True, text=True, timeout=300, env=env)
    return None if ran.returncode == 0 and "1 passed" in ran.stdout else (ran.stdout + ran.stderr).strip()


def run_compiled(args, case):
    """Compares the image instructions of the code, for kinds of images that scripts do not have."""
    failures = []
    for extension in ("hlsl", "comp"):
        for wave in ("32", "64"):
            ran = subprocess.run([args.heddle, "compile", "--stage", "compute", "--wave-size", wave, "--emit", "asm",
                                  os.path.join(SHADERS, f"{case.name}.{extension}")], capture_output=True, text=True, timeout=120)
            found = re.findall(r"^\s*image_(\w+) .*dim:SQ_RSRC_IMG_(\w+)", ran.stdout, re.M)
            got = sorted(" ".join(words) for words in found)
            if got != sorted(case.images):
                failures.append(f"{case.name}.{extension} wave{wave}: {ran.stderr.strip() or got}")
    return failures


def run_case(args, case, folder):
    """Returns the failures of one case, as texts."""
    if case.images is not None:
        return run_compiled(args, case)
    failures = []
    for language, extension, options in (("HLSL", "hlsl", case.hlsl_options), ("GLSL", "comp", ())):
        base = os.path.join(folder, f"{case.name}.{extension}")
        words, why = compile_spirv(args, os.path.join(SHADERS, f"{case.name}.{extension}"), options, base + ".spv")
        if not words:
            failures.append(f"{case.name} {language}: {why}")
            continue
        with open(base + ".amber", "w", encoding="utf-8") as f:
            f.write(script(case, words, case.hlsl_entry if language == "HLSL" else "main"))
        for way in args.ways.split(","):
            why = run_way(args, way, base + ".amber")
            failures += [f"{case.name} {language} {way}: {why}"] if why else []
    return failures


def run_limit(args, limit, folder):
    """A limit of the front end is told in a message, and is still one."""
    path = os.path.join(folder, f"limit{limits.LIMITS.index(limit)}.hlsl")
    with open(path, "w", encoding="utf-8") as f:
        f.write(limit.text)
    ran = subprocess.run([args.heddle, "compile", "--stage", "compute", "--emit", "bin", "-o", path + ".bin", path],
                         capture_output=True, text=True, timeout=120)
    if ran.returncode == 0:
        return [f"limit {limit.what}: it is read now, the table in docs/hlsl.md says that it is not"]
    if ran.returncode != 1 or not re.search(limit.message, ran.stderr) or "[HLSL]" not in ran.stderr:
        return [f"limit {limit.what}: ended with {ran.returncode}: {ran.stderr.strip()[:300]}"]
    return []


def run_wrong(args, wrong, folder):
    """A module that the front end makes wrongly still gives another result than HLSL's; its memory holds 0, 1, 2 ... as floats."""
    base = os.path.join(folder, f"wrong{limits.WRONG.index(wrong)}.hlsl")
    with open(base, "w", encoding="utf-8") as f:
        f.write(wrong.text)
    words, why = compile_spirv(args, base, (), base + ".spv")
    if not words:
        return [f"wrong {wrong.what}: {why}"]
    memory = [bits(i) for i in range(12)]
    memory[5] = bits(20.0)
    resources = [uniform("k", B, memory), storage("s", T, memory), output("o", U, 4)]
    with open(base + ".amber", "w", encoding="utf-8") as f:
        f.write(script(Case("wrong", resources, {"o": Expected([wrong.right])}), words, "main"))
    why = run_way(args, "hir32", base + ".amber")
    if why is None:
        return [f"wrong {wrong.what}: it is right now, the table in docs/hlsl.md says that it is not"]
    return [] if "o at byte 0" in why else [f"wrong {wrong.what}: {why}"]


def check_files():
    """Every shader has a case, a twin, and the other way round."""
    files = {f for f in os.listdir(SHADERS) if not f.endswith(".hlsli")}
    wanted = {f"{c.name}.{e}" for c in cases.CASES for e in ("hlsl", "comp")}
    return [f"{name}: {'no case names it' if name in files else 'missing'}" for name in sorted(files ^ wanted)]


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--heddle", required=True)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--ways", default=DEFAULT_WAYS)
    p.add_argument("--keep")
    p.add_argument("prefix", nargs="?", default="")
    return p.parse_args()


def main():
    args = parse()
    failures = [] if args.prefix else check_files()
    wanted = [c for c in cases.CASES if c.name.startswith(args.prefix)]
    limited = [] if args.prefix else limits.LIMITS + limits.WRONG
    failed = len(failures)
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        folder = args.keep or temporary
        jobs = [pool.submit(run_case, args, c, folder) for c in wanted]
        jobs += [pool.submit(run_limit if isinstance(t, limits.Limit) else run_wrong, args, t, folder) for t in limited]
        for job in jobs:
            failures += job.result()
            failed += bool(job.result())
    for text in failures:
        print("FAIL", text)
    print(f"{len(wanted) + len(limited) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
