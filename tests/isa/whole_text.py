#!/usr/bin/env python3
"""The text of compiled shaders is the whole program: assembled, it gives all its bytes.

    whole_text.py HEDDLE LLVM-BIN FOLDER

Every compute shader of the shared corpus that has constant data, and a seeded part of the others: `compile --emit asm`,
assembled by Heddle and by llvm-mc, must be `compile --emit bin`: code, padding, data. A shader with constant data reads it
at a distance from its code, so that a byte too few between the two is wrong code. FOLDER is bench's, which keeps the
SPIR-V. Closes with "N passed, N failed, N skipped"; exits with 77 where the corpus is missing.
"""
import csv
import os
import subprocess
import sys
import zlib

PART = 12  # one of so many of the shaders without constant data


def run(command, data=None):
    return subprocess.run(command, input=data, capture_output=True, timeout=120)


def spirv(corpus, row, path):
    """The manifest's own command makes the SPIR-V."""
    if not os.path.exists(path):
        subprocess.run(row["command"].replace("OUT.spv", path), shell=True, cwd=corpus, capture_output=True)
    return os.path.exists(path)


def by_llvm(llvm, text, folder):
    """The bytes of llvm-mc's .text, or its message."""
    made, raw = os.path.join(folder, "whole.o"), os.path.join(folder, "whole.bin")
    mc = run([os.path.join(llvm, "llvm-mc"), "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx1030", "-mattr=+wavefrontsize64,-wavefrontsize32"
              if b"wave64" in text.split(b"\n", 1)[0] else "-mattr=+wavefrontsize32,-wavefrontsize64", "-filetype=obj", "-o", made], text)
    if mc.returncode:
        return None, mc.stderr.decode()[:300]
    run([os.path.join(llvm, "llvm-objcopy"), "-O", "binary", "--only-section=.text", made, raw])
    with open(raw, "rb") as f:
        return f.read(), ""


def check(heddle, llvm, folder, path, wave, wanted):
    """None where the shader is none of those that are tried, else a list of what is wrong."""
    ran = run([heddle, "compile", "--wave-size", wave, "--emit", "asm", path, "-o", "-"])
    if ran.returncode or not (wanted or b".data:\n" in ran.stdout):
        return None
    text = ran.stdout
    whole = run([heddle, "compile", "--wave-size", wave, "--emit", "bin", path, "-o", "-"]).stdout
    source = os.path.join(folder, "whole.s")
    with open(source, "wb") as f:
        f.write(text)
    ours = run([heddle, "asm", "-t", "gfx1030", "--wave-size", wave, "--emit", "bin", source, "-o", "-"])
    wrong = []
    if ours.stdout != whole:
        wrong.append(f"Heddle: {len(ours.stdout)} bytes, not {len(whole)} {ours.stderr.decode()[:300]}")
    theirs, message = by_llvm(llvm, text, folder)
    if theirs != whole:
        wrong.append(f"llvm-mc: {len(theirs or b'')} bytes, not {len(whole)} {message}")
    return wrong


def main():
    heddle, llvm, folder = os.path.abspath(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3])
    corpus = os.path.join(os.environ.get("HEDDLE_SHARED", "../shared"), "corpus", "glsl")
    if not os.path.isdir(corpus):
        print(f"skipped: there is no {corpus}")
        return 77
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(corpus, "manifest.tsv"), encoding="utf-8") as f:
        rows = [r for r in csv.DictReader(f, delimiter="\t")
                if r["stage"] == "comp" and not r["path"].startswith("raytracing/")]
    passed = failed = 0
    for i, row in enumerate(rows):
        path = os.path.join(folder, f"{i}.spv")
        draw = zlib.crc32(row["path"].encode())
        if not spirv(corpus, row, path):
            continue
        wrong = check(heddle, llvm, folder, path, ("32", "64")[draw // PART % 2], draw % PART == 0)
        for line in wrong or []:
            print(f"FAIL {row['path']}: {line}")
        if wrong is not None:
            passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
