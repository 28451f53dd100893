#!/usr/bin/env python3
"""Compiles every compute shader of the shared corpus, in both wave sizes.

    compile_corpus.py HEDDLE FOLDER

FOLDER keeps the SPIR-V between runs. A shader that is compiled passes, one that is refused as unsupported is skipped;
everything else fails: a crash, a time-out, an error for a valid shader. The last line is "N passed, N failed,
N skipped"; exits with 77 if the corpus is missing.
"""
import concurrent.futures
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus  # noqa: E402


def check(heddle, shader, folder):
    """Returns (passed, failed, skipped), message."""
    path, why = corpus.spirv(shader, folder)
    if not path:
        return (0, 0, 1), f"SKIP {shader.name}: {why}"
    for wave in ("32", "64"):
        command = [heddle, "compile", "--wave-size", wave, path, "-o", "/dev/null"]
        try:
            ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            return (0, 1, 0), f"FAIL {shader.name} wave{wave}: timed out"
        if ran.returncode == 1 and "unsupported" in ran.stderr:
            return (0, 0, 1), f"SKIP {shader.name}: {ran.stderr.strip()[-160:]}"
        if ran.returncode:
            return (0, 1, 0), f"FAIL {shader.name} wave{wave}: exit {ran.returncode}: {ran.stderr.strip()[-300:]}"
    return (1, 0, 0), None


def main():
    heddle, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    if not corpus.root():
        print("skipped: there is no shared corpus")
        return corpus.MISSING
    total = [0, 0, 0]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(check, heddle, shader, folder) for shader in corpus.compute_shaders()]
        for job in jobs:
            counts, message = job.result()
            total = [a + b for a, b in zip(total, counts)]
            if message:
                print(message)
    print("%d passed, %d failed, %d skipped" % tuple(total))
    return 1 if total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
