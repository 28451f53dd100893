#!/usr/bin/env python3
"""The text of compiled shaders is the whole program: assembled, it gives all its bytes.

    whole_text.py HEDDLE LLVM-BIN FOLDER

Every compute shader of the shared corpus that has constant data, and a seeded part of the others: `compile --emit asm`,
assembled by Heddle and by llvm-mc, must be `compile --emit bin`: code, padding, data. A shader with constant data reads it
at a distance from its code, so that a byte too few between the two is wrong code. FOLDER is bench's, which keeps the
SPIR-V. Closes with "N passed, N failed, N skipped"; exits with 77 where the corpus is missing.
"""
import os
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus  # noqa: E402

PART = 12  # one of so many of the shaders without constant data


def run(command, data=None):
    return subprocess.run(command, input=data, capture_output=True, timeout=120)


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
    """None if the shader is not one of the tested ones, else a list of the errors."""
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
    if not corpus.root():
        print("skipped: there is no shared corpus")
        return corpus.MISSING
    passed = failed = 0
    for shader in corpus.compute_shaders():
        path, _ = corpus.spirv(shader, folder)
        draw = zlib.crc32(shader.name.encode())
        if not path:
            continue
        for wave in ("32", "64"):
            wrong = check(heddle, llvm, folder, path, wave, draw % PART == 0)
            for line in wrong or []:
                print(f"FAIL {shader.name} wave{wave}: {line}")
            if wrong is not None:
                passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
