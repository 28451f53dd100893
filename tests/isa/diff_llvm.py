#!/usr/bin/env python3
"""Our disassembler and assembler against llvm-mc 19, in bulk, on seeded random instructions.

Bytes to text: every row in each of its encodings, and words of any bits: whether they are an instruction, and which.
Text to bytes: LLVM's texts of those, with and without the encoding's suffix. gfx6 and gfx7, of which LLVM 19 has only the
assembler: our texts, and LLVM's of processors that share most of their instructions, to bytes.

What may differ stands with a reason in llvm_differences.txt. Closes with "N passed, N failed, N skipped", where one
comparison of a kind (direction, wave size, encoding) is one case.
"""
import argparse
import collections
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import formats
import llvm
import words
import filling

HERE = os.path.dirname(os.path.abspath(__file__))
SUFFIX = re.compile(r"^(\w+?)_(e32|e64|sdwa|dpp)\b")


class Differences:
    """Lines `DIRECTION KIND REGEX # reason`, see the file's head. A line `targets REGEX` limits those behind it."""

    def __init__(self, path, target):
        self.rules = []
        holds = True
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            if line.startswith("#") or not line.strip():
                continue
            limit = re.match(r"targets (\S+)$", line)
            if limit:
                holds = re.fullmatch(limit.group(1), target) is not None
                continue
            m = re.match(r"(dis|asm|same) (theirs|ours|differ) (.*?)\s+# \S", line)
            if not m:
                sys.exit(f"{path}:{number}: not 'dis|asm|same theirs|ours|differ REGEX # reason'")
            if not holds:
                continue
            self.rules.append([m.group(1), m.group(2), re.compile(m.group(3)), 0, number])

    def excuse(self, direction, kind, text):
        for rule in self.rules:
            if rule[0] == direction and rule[1] == kind and rule[2].search(text):
                rule[3] += 1
                return True
        return False


class Report:
    def __init__(self, differences):
        self.differences = differences
        self.cases = collections.OrderedDict()  # name -> [compared, failures]

    def compare(self, name, direction, given, theirs, ours):
        case = self.cases.setdefault(name, [0, []])
        case[0] += 1
        if theirs == ours:
            return
        if theirs is None or ours is None:
            kind = "ours" if theirs is None else "theirs"
        else:
            kind = "differ"
        if direction == "dis":
            text = f"{theirs} | {ours}" if kind == "differ" else theirs or ours
        else:
            text = given
        if not self.differences.excuse(direction, kind, text):
            case[1].append((given, theirs, ours))

    def close(self, verbose):
        failed = 0
        for name, (compared, failures) in self.cases.items():
            failed += bool(failures)
            print(f"{'FAIL' if failures else 'ok  '} {name}: {compared} compared, {len(failures)} differ")
            for given, theirs, ours in failures[:200 if verbose else 5]:
                print(f"     {given}\n       llvm:   {theirs}\n       heddle: {ours}")
        print(f"{len(self.cases) - failed} passed, {failed} failed, 0 skipped")
        return failed


def instructions(cpu, rows, seed, count):
    """[(case, bytes)]"""
    source = words.Words(seed) if cpu.startswith("gfx10") else filling.Filling(cpu, seed)
    out = []
    for name, fmt, op, _ in rows:
        n = count * 20 if fmt == "EXP" else count
        out += [(fmt, source.instruction(fmt, op, name)) for _ in range(n)]
    if "VOPD_X" in formats.ENCODINGS[cpu]:
        out += [("VOPD", source.dual()) for _ in range(count * 40)]
    out += [("any bits", source.anything()) for _ in range(count * 400)]
    # SDWA's reserved selects and dst_unused kill llvm-mc.
    return [(k, c) for k, c in out if not kills_llvm(k, c)]


def kills_llvm(fmt, code):
    if code[0] != 0xF9 or len(code) < 8 or code[3] & 0x80:
        return False
    word = int.from_bytes(code[4:8], "little")
    compare = code[3] & 0xFE == 0x7C
    reserved = word >> 16 & 7 == 7 or word >> 24 & 7 == 7
    return reserved or (not compare and (word >> 8 & 7 == 7 or word >> 11 & 3 == 3)) or fmt == "any bits"


def compare_disassembly(mc, tool, report, codes, wave64):
    """Returns the texts that LLVM gives."""
    theirs = mc.disassemble([c for _, c in codes], wave64)
    ours = tool.disassemble([c for _, c in codes], wave64)
    texts, seen = [], set()
    wave = "wave64" if wave64 else "wave32"
    for (fmt, code), their, (our, again) in zip(codes, theirs, ours):
        if wave64 and our is not None and our.startswith("v_dual_") and their is None:
            continue  # pairs are for wave32; our decoder does not know the wave size
        invalid = their is not None and "/*" in their  # "/*Invalid register ..." is LLVM's way to doubt
        report.compare(f"bytes to text, {wave}, {fmt}", "dis", code.hex(), None if invalid else their, our)
        if our is not None:
            report.compare(f"encode what was decoded, {wave}", "dis", code.hex(), "", again if "!" in again or
                           "unencodable" in again else "")
        if their is not None and not invalid:
            texts.append((fmt, their))
            if our is not None:
                seen.add((our.split()[0], fmt))
    return texts, seen


def compare_assembly(mc, tool, report, texts, wave64, suffixes):
    if not suffixes:
        texts = [(f, SUFFIX.sub(r"\1", t)) for f, t in texts if SUFFIX.match(t)]
    theirs = mc.assemble([t for _, t in texts], wave64)
    ours = tool.assemble([t for _, t in texts], wave64)
    wave = ("wave64" if wave64 else "wave32") + ("" if suffixes else " without suffix")
    for (fmt, text), their, (our, error) in zip(texts, theirs, ours):
        report.compare(f"text to bytes, {wave}, {fmt}", "asm", text, their, our)


# gfx6 and gfx7: processors that LLVM disassembles, whose texts they share many of.
RELATIVES = ["gfx803", "gfx1010"]


def has_literal(fmt, code):
    """Those that have an inline constant assemble to another encoding."""
    return len(code) == 16 and fmt[:3] in ("VOP", "SOP", "SME") and fmt != "VOP3"


def compare_texts(mc, tool, report, codes):
    """Where LLVM has no disassembler: its assembler reads our texts as ours does, and we what we have decoded."""
    ours = tool.disassemble([c for _, c in codes], True)
    read = [(fmt, text, again) for (fmt, _), (text, again) in zip(codes, ours) if text]
    texts = [t for _, t, _ in read]
    for (fmt, text, again), their, (our, error) in zip(read, mc.assemble(texts, True), tool.assemble(texts, True)):
        report.compare(f"our text to bytes, {fmt}", "asm", text, their, our)
        if our and not has_literal(fmt, again):  # what breaks a rule of the assembler can be read only
            report.compare(f"text and bytes agree, {fmt}", "same", text, again, our)


def compare_relatives(path, mc, tool, args, report):
    """LLVM's texts of other processors: what its assembler for this one makes of them."""
    for cpu in RELATIVES:
        relative = llvm.Llvm(path, cpu)
        rows = [r for r in llvm.Tool(args.tool, cpu).rows() if r[1] != "VOPD"]
        codes = instructions(cpu, choose(rows, args.only), args.seed, args.count)
        texts = [(fmt, t) for (fmt, _), t in zip(codes, relative.disassemble([c for _, c in codes], True)) if t and "/*" not in t]
        texts = [(fmt, t) for fmt, t in texts if not re.search(r"_sdwa|_dpp| dim:", t)]
        for suffixes in (True, False):
            compare_assembly(mc, tool, report, texts, True, suffixes)


def choose(rows, only):
    return [r for r in rows if not only or r[0] in only.split(",") or r[1] in only.split(",")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True, help="isa_tool")
    parser.add_argument("--target", default=llvm.CPU, help="a processor of formats.py (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10, help="instructions of each row and encoding")
    parser.add_argument("--only", help="formats or mnemonics, comma-separated")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    path = llvm.find()
    if not path:
        print("skipped: llvm-mc 19 is not installed (Debian: llvm-19)")
        return 77
    mc, tool = llvm.Llvm(path, args.target), llvm.Tool(args.tool, args.target)
    rows = tool.rows()
    rows = choose(rows, args.only)
    differences = Differences(os.path.join(HERE, "llvm_differences.txt"), args.target)
    report = Report(differences)
    if args.target in formats.NOT_DISASSEMBLED:
        compare_texts(mc, tool, report, instructions(args.target, rows, args.seed, args.count))
        compare_relatives(path, mc, tool, args, report)
        return 1 if report.close(args.verbose) else 0
    for wave64 in (True, False) if llvm.has_wave32(args.target) else (True,):
        codes = instructions(args.target, rows, args.seed * 2 + wave64, args.count if wave64 else max(args.count // 3, 1))
        texts, _ = compare_disassembly(mc, tool, report, codes, wave64)
        for suffixes in (True, False):
            compare_assembly(mc, tool, report, texts, wave64, suffixes)
    if args.verbose:
        for rule in differences.rules:
            print(f"llvm_differences.txt:{rule[4]}: used {rule[3]} times")
    return 1 if report.close(args.verbose) else 0


if __name__ == "__main__":
    sys.exit(main())
