#!/usr/bin/env python3
"""Checks that the text of a compiled shader is the whole program: assembling it gives all its bytes.

    whole_text.py HEDDLE LLVM-BIN|newest=BUILD FOLDER [TARGET]

It takes every compute shader of the shared corpus that has constant data, and a seeded part of the others. The output of
`compile --emit asm`, assembled by Heddle and by llvm-mc, must equal that of `compile --emit bin`: code, padding, data. Code
addresses constant data by its distance, so a missing byte between them makes the code wrong. FOLDER is bench's, which keeps
the SPIR-V. `newest` is LLVM 22, which is unpacked into the build folder BUILD (newest.py). The last line is "N passed, N failed, N skipped"; exits with 77 if the corpus is missing.
"""
import os
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus  # noqa: E402
import newest  # noqa: E402

PART = 12  # one of 12 shaders without constant data is tested


def run(command, data=None):
    return subprocess.run(command, input=data, capture_output=True, timeout=120)


def by_llvm(llvm, target, text, folder):
    """Returns (bytes of llvm-mc's .text or None, its message)."""
    made, raw = os.path.join(folder, "whole.o"), os.path.join(folder, "whole.bin")
    waves = ("64", "32") if b"wave64" in text.split(b"\n", 1)[0] else ("32", "64")
    features = "+wavefrontsize%s,-wavefrontsize%s" % waves
    if target.startswith("gfx12"):
        features += ",+real-true16"  # LLVM knows halves of gfx12's registers only with it
    mc = run([os.path.join(llvm, "llvm-mc"), "-triple=amdgcn-amd-amdhsa", "-mcpu=" + target, "-mattr=" + features, "-filetype=obj", "-o", made], text)
    if mc.returncode:
        return None, mc.stderr.decode()[:300]
    run([os.path.join(llvm, "llvm-objcopy"), "-O", "binary", "--only-section=.text", made, raw])
    with open(raw, "rb") as f:
        return f.read(), ""


def check(heddle, llvm, target, folder, path, wave, wanted):
    """Returns a list of errors, or None if the shader is not tested."""
    ran = run([heddle, "compile", "-t", target, "--wave-size", wave, "--emit", "asm", path, "-o", "-"])
    if ran.returncode or not (wanted or b".data:\n" in ran.stdout):
        return None
    text = ran.stdout
    whole = run([heddle, "compile", "-t", target, "--wave-size", wave, "--emit", "bin", path, "-o", "-"]).stdout
    source = os.path.join(folder, "whole.s")
    with open(source, "wb") as f:
        f.write(text)
    ours = run([heddle, "asm", "-t", target, "--wave-size", wave, "--emit", "bin", source, "-o", "-"])
    wrong = []
    if ours.stdout != whole:
        wrong.append(f"Heddle: {len(ours.stdout)} bytes, not {len(whole)} {ours.stderr.decode()[:300]}")
    theirs, message = by_llvm(llvm, target, text, folder)
    if theirs != whole:
        wrong.append(f"llvm-mc: {len(theirs or b'')} bytes, not {len(whole)} {message}")
    return wrong


def compare(checked, folder):
    """Checks the corpus, whose SPIR-V is in `folder`; returns how many shaders passed and failed."""
    passed = failed = 0
    for shader in corpus.compute_shaders():
        path, _ = corpus.spirv(shader, folder)
        draw = zlib.crc32(shader.name.encode())
        if not path:
            continue
        for wave in ("32", "64"):
            wrong = checked(path, wave, draw % PART == 0)
            for line in wrong or []:
                print(f"FAIL {shader.name} wave{wave}: {line}")
            if wrong is not None:
                passed, failed = passed + (not wrong), failed + bool(wrong)
    return passed, failed


def main():
    heddle, llvm, folder = os.path.abspath(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3])
    target = sys.argv[4] if len(sys.argv) > 4 else "gfx1030"
    if not corpus.root():
        print("skipped: there is no shared corpus")
        return corpus.MISSING
    if llvm.startswith("newest="):
        llvm, why = newest.open_newest(llvm.partition("=")[2])
        if why:
            print(f"skipped: there is no LLVM {newest.VERSION}: {why}")
            return 77
    with tempfile.TemporaryDirectory() as work:
        passed, failed = compare(lambda path, wave, wanted: check(heddle, llvm, target, work, path, wave, wanted), folder)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
