#!/usr/bin/env python3
"""Compiles every compute shader of the shared corpus, in both wave sizes.

    compile_corpus.py HEDDLE FOLDER

FOLDER keeps the SPIR-V between runs. A shader that is compiled passes, one that is refused as unsupported is
skipped; anything else fails: a crash, a time-out, a message that a valid shader is wrong. Closes with "N passed,
N failed, N skipped"; exits with 77 where the corpus is missing.
"""
import concurrent.futures
import csv
import os
import subprocess
import sys


def spirv(corpus, row, path):
    """The manifest's own command makes the SPIR-V."""
    if not os.path.exists(path):
        command = row["command"].replace("OUT.spv", path)
        subprocess.run(command, shell=True, cwd=corpus, capture_output=True)
    return os.path.exists(path)


def check(heddle, corpus, row, path):
    """(passed, failed, skipped), message"""
    if not spirv(corpus, row, path):
        return (0, 0, 1), f"SKIP {row['path']}: the front end does not take it"
    for wave in ("32", "64"):
        command = [heddle, "compile", "--wave-size", wave, path, "-o", path + ".elf"]
        try:
            ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            return (0, 1, 0), f"FAIL {row['path']} wave{wave}: timed out"
        if ran.returncode == 1 and "unsupported" in ran.stderr:
            return (0, 0, 1), f"SKIP {row['path']}: {ran.stderr.strip()[-160:]}"
        if ran.returncode:
            return (0, 1, 0), f"FAIL {row['path']} wave{wave}: exit {ran.returncode}: {ran.stderr.strip()[-300:]}"
    return (1, 0, 0), None


def main():
    heddle, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    corpus = os.path.join(os.environ.get("HEDDLE_SHARED", "../shared"), "corpus", "glsl")
    if not os.path.isdir(corpus):
        print(f"skipped: there is no {corpus}")
        return 77
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(corpus, "manifest.tsv"), encoding="utf-8") as f:
        rows = [r for r in csv.DictReader(f, delimiter="\t")
                if r["stage"] == "comp" and not r["path"].startswith("raytracing/")]
    total = [0, 0, 0]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(check, heddle, corpus, row, os.path.join(folder, f"{i}.spv")) for i, row in enumerate(rows)]
        for job in jobs:
            counts, message = job.result()
            total = [a + b for a, b in zip(total, counts)]
            if message:
                print(message)
    print("%d passed, %d failed, %d skipped" % tuple(total))
    return 1 if total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
