#!/usr/bin/env python3
"""Real code of ACO: what RADV's disassembler says of it, and the same bytes again.

radv-anchor (../shared/tools) compiles its samples and compute shaders of the corpus for each family; every instruction of its
disassembly goes through our decoder, printer and encoder. RADV's text is of the LLVM that Mesa is linked with (Debian 12: 15), so
that spelling which LLVM has changed since is listed in SPELLING. Branch targets are labels there and distances here: of branches the
mnemonic is compared. Closes with "N passed, N failed, N skipped", a case a family.
"""
import argparse
import itertools
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "bench")]
import compare_anchor
import llvm

FAMILIES = {"POLARIS10": "gfx803", "VEGA10": "gfx900", "NAVI10": "gfx1010", "NAVI21": "gfx1030", "GFX1100": "gfx1100"}
LINE = re.compile(r"^\t(\S.*?)\s*; ((?:[0-9a-f]{8} ?)+)$", re.M)
# LLVM 15's spelling, ours (LLVM 19's).
SPELLING = [(re.compile(p), r) for p, r in [
    (r"\bbound_ctrl:0\b", "bound_ctrl:1"),
    (r"^(s_(?:buffer_)?load_dword\w* .*), null$", r"\1, 0x0"),
    (r"^(v_permlane.* op_sel:\[[01], ?[01]), ?0, ?0\]", r"\1]"),
]]


def normal(text):
    for pattern, replacement in SPELLING:
        text = pattern.sub(replacement, text)
    text = " ".join(text.replace(",", ", ").split())
    return text.split()[0] if re.match(r"s_(c?branch|call|subvector)", text) else text


def instructions(anchor, family, paths):
    """[(text, bytes)] of all that ACO makes of the files."""
    out = []
    for at in range(0, len(paths), 20):
        run = subprocess.run([os.path.join(anchor, "radv-anchor"), "--quiet", "--family", family, "--repeat", "1", "--asm",
                              *paths[at:at + 20]], capture_output=True, text=True, errors="replace")
        for text, words in LINE.findall(run.stdout):
            out.append((text, b"".join(int(w, 16).to_bytes(4, "little") for w in words.split())))
    return out


def same_bytes(text, given, again):
    """The address register of a buffer instruction without one is ignored; ACO writes 0x80 there, LLVM and we 0."""
    if re.match(r"t?buffer_\S+ (\S+, )?off, ", text):
        given = given[:8] + "00" + given[10:]
    return given == again


def compare(tool, code):
    """Lines that say what differs; padding behind the end is compared, too."""
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
    parser.add_argument("--build", required=True, help="folder for radv-anchor and the corpus's SPIR-V")
    parser.add_argument("--limit", type=int, default=40, help="corpus shaders")
    parser.add_argument("--family", action="append")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    if not os.path.isdir(compare_anchor.SHARED):
        print("skipped: ../shared, which has radv-anchor and the corpus, is not there")
        return 77
    os.makedirs(args.build, exist_ok=True)
    anchor = compare_anchor.build_anchor(args.build)
    shaders = [s[-1] for s in itertools.islice(compare_anchor.corpus_shaders("glsl", args.build), args.limit)]
    shaders += [s[-1] for s in compare_anchor.sample_shaders(anchor)]
    failed = 0
    for family in args.family or FAMILIES:
        code = instructions(anchor, family, shaders)
        wrong = compare(llvm.Tool(args.tool, FAMILIES[family]), code)
        failed += bool(wrong) or not code
        print(f"{'FAIL' if wrong or not code else 'ok  '} {family}: {len(code)} instructions of {len(shaders)} shaders, {len(wrong)} differ")
        for line in wrong[:400 if args.verbose else 8]:
            print("    ", line)
    print(f"{len(args.family or FAMILIES) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
