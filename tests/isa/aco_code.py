#!/usr/bin/env python3
"""Compares our disassembly of ACO's code with RADV's, and checks that encoding it gives the same bytes.

radv-anchor (../shared/tools) compiles its samples and compute shaders of the corpus for each family. Every instruction of its
disassembly goes through our decoder, printer and encoder. RADV's text comes from the LLVM that Mesa is linked with (Debian 12: 15);
SPELLING lists the spellings that LLVM has changed since. RADV prints branch targets as labels, we print distances, so only the
mnemonics of branches are compared.

For gfx6 and gfx7 (CODE_ALONE) RADV calls the program `clrxdisasm`. Here a script that prints nothing replaces it, so that RADV prints only
the words. They must all be instructions that encode to the same bytes, and our assembler must assemble their texts to the same bytes, as must
LLVM's if it accepts them.

With --straight the programs also go through the emulator's waits and hazards checkers (tests/emu/aco_checks.py). The last line is
"N passed, N failed, N skipped"; each family is a case.
"""
import argparse
import itertools
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, ".."), os.path.join(HERE, "..", "bench"), os.path.join(HERE, "..", "emu")]
import aco_checks
import anchors
import corpus
import llvm

FAMILIES = {"POLARIS10": "gfx803", "VEGA10": "gfx900", "NAVI10": "gfx1010", "NAVI21": "gfx1030", "GFX1100": "gfx1100"}
CODE_ALONE = {"TAHITI": "gfx600", "HAWAII": "gfx701"}
LINE = re.compile(r"^\t(\S.*?)\s*; ((?:[0-9a-f]{8} ?)+)$", re.M)
WORDS = re.compile(r"^ {40,}; ((?:[0-9a-f]{8} ?)+)$", re.M)  # of a whole shader
# LLVM 15's spelling, and ours, which is LLVM 19's.
SPELLING = [(re.compile(p), r) for p, r in [
    (r"\bbound_ctrl:0\b", "bound_ctrl:1"),
    # LLVM drops the bits (llvm_differences.txt)
    (r"^(v_(?:mul_lo_u16|(?:ash|lsh)[lr]+ev_[bi]16|(?:max|min)_[iu]16)\S* .*) op_sel:\[[01,]+\]", r"\1"),
    (r"^(v_permlane.* op_sel:\[[01], ?[01]), ?0, ?0\]", r"\1]"),
]]


def shader_files(anchor, spv, limit):
    """Returns the .spv files of the first `limit` compute shaders of the corpus and of radv-anchor's samples."""
    made = (corpus.spirv(shader, spv)[0] for shader in corpus.compute_shaders(("glsl",)))
    samples = os.path.join(anchor, "build")
    return list(itertools.islice(filter(None, made), limit)) + [os.path.join(samples, f) for f in sorted(os.listdir(samples)) if ".comp" in f]


def normal(text):
    if re.match(r"v_(mul_lo_u16|(ash|lsh)[lr]+ev_[bi]16|(max|min)_[iu]16)", text):
        text = re.sub(r"\b(v\d+)\.[lh]\b", r"\1", text)  # as its op_sel: LLVM drops the bits
    for pattern, replacement in SPELLING:
        text = pattern.sub(replacement, text)
    text = " ".join(text.replace(",", ", ").split())
    return text.split()[0] if re.match(r"s_(c?branch|call|subvector)", text) else text


def listing(anchor, family, paths, env=None):
    """Yields radv-anchor's output for the files."""
    for at in range(0, len(paths), 20):
        yield subprocess.run([os.path.join(anchor, "radv-anchor"), "--quiet", "--family", family, "--repeat", "1", "--asm",
                              *paths[at:at + 20]], capture_output=True, text=True, errors="replace", env=env).stdout


def to_bytes(words):
    return b"".join(int(w, 16).to_bytes(4, "little") for w in words.split())


def instructions(outputs):
    """Returns [(text, bytes)] of all instructions in the outputs."""
    return [(text, to_bytes(words)) for out in outputs for text, words in LINE.findall(out)]


def listing_alone(anchor, family, paths, folder):
    """Yields radv-anchor's output with an empty clrxdisasm: the words alone."""
    script = os.path.join(folder, "clrxdisasm")
    with open(script, "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\necho .gcn\n")
    os.chmod(script, 0o755)
    env = dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"])
    return listing(anchor, family, paths, env)


def code_alone(outputs):
    """Returns [bytes] of the shaders."""
    return [to_bytes(words) for out in outputs for words in WORDS.findall(out)]


def separate(tool, shaders):
    """Returns [(bytes of an instruction, text, bytes encoded again)]; the text of an invalid instruction is None, its size 4 bytes."""
    out = []
    places = [(s, at) for s in shaders for at in range(0, len(s), 4)]
    results = tool.disassemble([s[at:at + 20] for s, at in places], True)
    end = 0
    for (s, at), (text, again) in zip(places, results):
        if at == 0:
            end = 0
        if at == end:
            size = len(again) // 2 if text else 4
            out.append((s[at:at + size], text, again))
            end = at + size
    return out


def compare_code(tool, mc, code):
    """Returns lines that describe the differences. s_waitcnt has bits that the text does not show; a literal may equal an inline constant."""
    wrong = [f"{given.hex()}: no instruction" for given, text, _ in code if not text]
    wrong += [f"{given.hex()}: '{text}' is encoded as {again}" for given, text, again in code if text and not same_bytes(text, given.hex(), again)]
    texts = sorted({(text, again) for _, text, again in code if text and not text.startswith("s_waitcnt")})
    theirs = mc.assemble([t for t, _ in texts], True) if mc else [again for _, again in texts]
    for (text, again), (our, _), their in zip(texts, tool.assemble([t for t, _ in texts], True), theirs):
        if our != again or their not in (again, None):  # None: LLVM is stricter in places
            wrong.append(f"{again}: '{text}' is assembled as {our}, by LLVM as {their}")
    return wrong


def same_bytes(text, given, again):
    """Are the bytes equal except for ignored bits? A buffer instruction without an address ignores its address register: ACO writes 0x80,
    LLVM and we 0. A packed operation with two sources ignores op_sel_hi of the third, which LLVM and we set."""
    if re.match(r"v_pk_(?!fma_|mad_)", text):
        given = f"{given[:2]}{int(given[2:4], 16) | 0x40:02x}{given[4:]}"
    if re.match(r"t?buffer_\S+ (\S+, )?off, ", text):
        given = given[:8] + "00" + given[10:]
    return given == again


def compare(tool, code):
    """Returns lines that describe the differences. Padding after the end is compared too."""
    wrong = []
    for (text, given), (ours, again) in zip(code, tool.disassemble([c for _, c in code], True)):
        if ours is None or normal(ours) != normal(text):
            wrong.append(f"{given.hex()}: RADV '{text}', ours '{ours}'")
        elif not same_bytes(text, given.hex(), again):
            wrong.append(f"{given.hex()}: '{text}' is encoded as {again}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True, help="isa_tool")
    parser.add_argument("--straight", help="tests/emu/straight: the checkers")
    parser.add_argument("--build", required=True, help="folder for radv-anchor and the corpus's SPIR-V")
    parser.add_argument("--limit", type=int, default=40, help="corpus shaders")
    parser.add_argument("--family", action="append")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    if not os.path.isdir(anchors.SHARED):
        print("skipped: ../shared, which has radv-anchor and the corpus, is not there")
        return 77
    args.build = os.path.abspath(args.build)
    os.makedirs(args.build, exist_ok=True)
    anchor = anchors.build_anchor(args.build)
    shaders = shader_files(anchor, args.build, args.limit)
    failed = 0
    path = llvm.find()
    families = args.family or [*CODE_ALONE, *FAMILIES]
    for family in families:
        if family in CODE_ALONE:
            tool = llvm.Tool(args.tool, CODE_ALONE[family])
            outputs = list(listing_alone(anchor, family, shaders, args.build))
            code = separate(tool, code_alone(outputs))
            wrong = compare_code(tool, llvm.Llvm(path, CODE_ALONE[family]) if path else None, code)
        else:
            outputs = list(listing(anchor, family, shaders))
            code = instructions(outputs)
            wrong = compare(llvm.Tool(args.tool, FAMILIES[family]), code)
        failed += bool(wrong) or not code
        print(f"{'FAIL' if wrong or not code else 'ok  '} {family}: {len(code)} instructions of {len(shaders)} shaders, {len(wrong)} differ")
        if args.straight:
            done, found = aco_checks.check(args.straight, family, dict(FAMILIES, **CODE_ALONE)[family], outputs)
            failed += bool(found) and bool(code) and not wrong
            print(f"{'FAIL' if found else 'ok  '} {family}: {done}")
            wrong += found
        for line in wrong[:400 if args.verbose else 8]:
            print("    ", line)
    print(f"{len(families) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
