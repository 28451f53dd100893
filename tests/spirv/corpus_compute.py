#!/usr/bin/env python3
"""Reads every compute shader of the corpus into HIR, verified.

    corpus_compute.py --heddle PROGRAM [--shared FOLDER] [--cache FOLDER] [--optimised] [--list] [FILTER]

The shaders are the .comp files of glsl/ and spvasm/ (compiled as their manifests say) and the compute shaders of
Amber scripts. A shader is READ, UNSUPPORTED (with the reason that the reader names), or FAILED: refused as invalid,
a defect, a crash. Closes with "N passed, N failed, N skipped", UNSUPPORTED being skipped; --list names each file.
"""
import argparse
import collections
import concurrent.futures
import csv
import hashlib
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def manifest_shaders(folder, cache, optimised):
    """(name, spv, command) of each compute row of a manifest."""
    if not os.path.isdir(folder):
        return
    for row in csv.DictReader(open(os.path.join(folder, "manifest.tsv"), encoding="utf-8"), delimiter="\t"):
        if row["stage"] != "comp" or not row["command"]:
            continue
        command = row["command"]
        if optimised:
            command = command.replace("glslc ", "glslc -O ", 1)
        out = os.path.join(cache, hashlib.sha1(command.encode()).hexdigest() + ".spv")
        yield row["path"], out, [w.replace("OUT.spv", out) for w in shlex.split(command)], folder


SHADER = re.compile(r"^\s*SHADER\s+(compute|multi)\s+(\S+)\s+(GLSL|SPIRV-ASM|HLSL)(?:\s+TARGET_ENV\s+(\S+))?\s*\n(.*?)^\s*END\s*$",
                    re.M | re.S)


def amber_shaders(folder, cache):
    """The same of the compute shaders in Amber scripts."""
    for base, _, files in os.walk(folder):
        for f in sorted(files):
            path = os.path.join(base, f)
            if not f.endswith(".amber"):
                continue
            text = open(path, encoding="utf-8", errors="replace").read()
            for stage, name, language, env, body in SHADER.findall(text):
                if language == "HLSL" or (stage == "multi" and "GLCompute" not in body):
                    continue
                key = hashlib.sha1((body + (env or "")).encode()).hexdigest()
                source = os.path.join(cache, key + (".comp" if language == "GLSL" else ".spvasm"))
                out = os.path.join(cache, key + ".spv")
                with open(source, "w", encoding="utf-8") as s:
                    s.write(body.lstrip() if language == "GLSL" else body)
                env = (env or "spv1.0").strip('"')
                version = {"spv1.3": "vulkan1.1", "spv1.4": "vulkan1.1spv1.4", "spv1.5": "vulkan1.2",
                           "spv1.6": "vulkan1.3"}.get(env, env if env.startswith("vulkan") else "vulkan1.0")
                if language == "GLSL":
                    glslc = version.replace("vulkan1.1spv1.4", "vulkan1.1 --target-spv=spv1.4")
                    command = f"glslc --target-env={glslc} {source} -o {out}".split()
                else:
                    command = f"spirv-as --target-env {env if env.startswith('spv') else version} {source} -o {out}".split()
                yield os.path.relpath(path, folder) + ":" + name, out, command, cache


def check(heddle, shader):
    name, out, command, folder = shader
    if not os.path.exists(out):
        made = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if made.returncode:
            made = subprocess.run([w.replace("vulkan1.0", "vulkan1.3").replace("spv1.0", "spv1.6") for w in command],
                                  cwd=folder, capture_output=True, text=True)
        if made.returncode:
            return name, "UNSUPPORTED", "does not compile"
    try:
        ran = subprocess.run([heddle, "compile", "--stage", "comp", "--emit", "hir", "-o", "/dev/null", out],
                             capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return name, "FAILED", "timed out"
    if ran.returncode == 0:
        return name, "READ", ""
    message = (ran.stderr.strip().split("\n") or [""])[-1]
    unsupported = re.search(r"not supported: (.*?)(?: \[\w+\])?$", message)
    if ran.returncode == 1 and unsupported:
        return name, "UNSUPPORTED", unsupported.group(1)
    return name, "FAILED", message or f"exit code {ran.returncode}"


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--shared", default=os.environ.get("HEDDLE_SHARED", os.path.join(HERE, "../../../shared")))
    p.add_argument("--cache", default="spirv-corpus")
    p.add_argument("--optimised", action="store_true", help="GLSL with glslc -O")
    p.add_argument("--list", action="store_true")
    p.add_argument("filter", nargs="?", default="")
    a = p.parse_args()
    corpus = os.path.join(os.path.abspath(a.shared), "corpus")
    if not os.path.isdir(corpus):
        print(f"skipped: there is no {corpus}")
        return 77
    cache = os.path.abspath(a.cache)
    os.makedirs(cache, exist_ok=True)
    shaders = list(manifest_shaders(os.path.join(corpus, "glsl"), cache, a.optimised))
    shaders += manifest_shaders(os.path.join(corpus, "spvasm"), cache, a.optimised)
    shaders += amber_shaders(os.path.join(corpus, "amber"), cache)
    shaders = [s for s in shaders if a.filter in s[0]]
    heddle = os.path.abspath(a.heddle)
    counts, reasons = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, verdict, reason in pool.map(lambda s: check(heddle, s), shaders):
            counts[verdict] += 1
            reasons[reason] += verdict == "UNSUPPORTED"
            if verdict == "FAILED" or a.list:
                print(f"{verdict} {name}: {reason}")
    for reason, n in reasons.most_common():
        if n:
            print(f"{n:5} UNSUPPORTED {reason}")
    print(f"{counts['READ']} passed, {counts['FAILED']} failed, {counts['UNSUPPORTED']} skipped")
    return 1 if counts["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
