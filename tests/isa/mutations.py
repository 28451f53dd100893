#!/usr/bin/env python3
"""Checks with texts that are nearly instructions that Heddle's assembler accepts and refuses the same as llvm-mc 19.

LLVM's texts of random instructions are changed in one or two places: another operand (of the wrong kind, size or alignment, or one
scalar too many), a number out of range, modifiers that the instruction lacks, an operand too many or too few. Texts that both accept
must give the same bytes. Prints how many texts both accept, both refuse, and only one accepts. llvm_mutations.txt lists allowed
differences with reasons, in the format of llvm_differences.txt (asm).
"""
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import diff_llvm
import formats
import llvm

HERE = os.path.dirname(os.path.abspath(__file__))
OPERAND = re.compile(r"\b(?:[vsa]\d+|[vsa]\[\d+:\d+\]|ttmp\d+|ttmp\[\d+:\d+\]|vcc(?:_lo|_hi)?|exec(?:_lo|_hi)?|m0|null|off)\b")
NUMBER = re.compile(r"(?<=[:, ])(?:0x[0-9a-f]+|\d+)\b(?![:.])")
REGISTERS = ["v0", "v1", "v255", "v256", "v[0:1]", "v[1:2]", "v[0:3]", "v[2:4]", "v[254:257]", "s0", "s1", "s[0:1]", "s[1:2]", "s[2:5]", "s[4:7]",
             "s[0:7]", "s101", "s102", "s103", "s105", "s106", "s[104:105]", "vcc", "vcc_lo", "vcc_hi", "exec", "exec_lo", "m0", "null", "scc", "src_scc",
             "a0", "a[0:1]", "a[1:2]", "ttmp0", "ttmp15", "ttmp[0:1]", "off", "0", "1", "64", "65", "-16", "-17", "1.0", "0.5", "0x1234", "0x12345678",
             "3.5", "flat_scratch", "xnack_mask", "src_shared_base", "lds_direct", "src_vccz", "vccz", "s[2:3]", "s[8:9]", "s5", "-v3", "|v3|", "neg(1)"]
NUMBERS = ["0", "1", "2", "3", "4", "7", "8", "15", "16", "31", "32", "63", "64", "127", "128", "255", "256", "2047", "2048", "4095", "4096",
           "8191", "65535", "65536", "-1", "-5", "0x7fffffff", "0xffffffff", "0x100000000"]
MODIFIERS = ["clamp", "mul:2", "div:2", "glc", "slc", "dlc", "lds", "gds", "tfe", "lwe", "offen", "idxen", "unorm", "r128", "a16", "d16", "offset:4",
             "offset0:1", "offset1:2", "op_sel:[1,0,0]", "op_sel:[0,1]", "op_sel_hi:[0,1]", "neg_lo:[1,0]", "neg_hi:[0,1]", "dst_sel:WORD_1",
             "src0_sel:BYTE_1", "quad_perm:[0,1,2,3]", "row_shl:1", "row_mask:0x3", "bank_mask:0x3", "bound_ctrl:0", "fi:1", "dmask:0x1", "done", "vm",
             "compr", "sc0", "sc1", "nt", "th:TH_LOAD_NT", "scope:SCOPE_DEV", "cbsz:1", "abid:1", "blgp:1", "dpp8:[0,1,2,3,4,5,6,7]", "high"]


class Mutation:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def replaced(self, text, regex, choices):
        places = list(regex.finditer(text, text.find(" ") + 1)) if " " in text else []
        if not places:
            return text
        m = self.random.choice(places)
        return text[:m.start()] + self.random.choice(choices) + text[m.end():]

    def once(self, text):
        kind = self.random.random()
        if kind < 0.55:
            return self.replaced(text, OPERAND, REGISTERS)
        if kind < 0.75:
            return self.replaced(text, NUMBER, NUMBERS)
        if kind < 0.85:
            return text + " " + self.random.choice(MODIFIERS)
        parts = text.split(", ")
        at = self.random.randrange(len(parts))
        if kind < 0.92 and len(parts) > 1:
            del parts[at]
        else:
            parts.insert(at + 1, self.random.choice(REGISTERS))
        return ", ".join(parts)

    def of(self, text):
        for _ in range(self.random.choice([1, 1, 2])):
            text = self.once(text)
        return text


def texts_of(path, tool, target, seed, count):
    """Returns LLVM's texts of random instructions: [(encoding, text)]."""
    drawing = diff_llvm.Drawing(target, tool.rows(), seed, count)
    mc = llvm.Llvm(path, target)
    codes = drawing.first()
    texts = {}
    for _ in range(3):
        read = mc.disassemble([c for _, c in codes], not llvm.has_wave32(target))
        read = [None if t and "/*" in t else t for t in read]
        drawing.learn(read)
        texts.update(((fmt, t), None) for (fmt, _), t in zip(codes, read) if t and fmt != "any bits")
        codes = drawing.more()
    return list(texts)


def spellings(path, tool, target, wave64, codes):
    """Returns the codes for whose usual text LLVM gives the same bytes: it refused only the spelling (modifiers in another order)."""
    if not codes:
        return set()
    texts = [(code, text) for code, (text, _) in zip(codes, tool.disassemble([bytes.fromhex(c) for c in codes], wave64)) if text]
    theirs = llvm.Llvm(path, target).assemble([t for _, t in texts], wave64) if texts else []
    return {code for (code, _), their in zip(texts, theirs) if their == code}


def compare_target(args, path, target):
    """Returns Report.close's result, with the figures before its text."""
    tool, wave64 = llvm.Tool(args.tool, target), not llvm.has_wave32(target)
    rules = diff_llvm.Differences([diff_llvm.LISTED], target)
    rules.add(os.path.join(HERE, "llvm_mutations.txt"))
    report, mutation = diff_llvm.Report(rules), Mutation(args.seed)
    texts = [(fmt, mutation.of(t)) for fmt, t in texts_of(path, tool, target, args.seed, args.count)]
    figures = dict.fromkeys(["both take it", "both refuse it", "LLVM alone takes it", "Heddle alone takes it", "other bytes",
                             "Heddle takes in another spelling"], 0)
    theirs = llvm.Llvm(path, target).assemble([t for _, t in texts], wave64)
    ours = [our for our, _ in tool.assemble([t for _, t in texts], wave64)]
    spelled = spellings(path, tool, target, wave64, [o for t, o in zip(theirs, ours) if t is None and o])
    for (fmt, text), their, our in zip(texts, theirs, ours):
        if their is None and our in spelled:
            figures["Heddle takes in another spelling"] += 1
            continue
        figures["both refuse it" if their is None and our is None else "Heddle alone takes it" if their is None else
                "LLVM alone takes it" if our is None else "both take it" if their == our else "other bytes"] += 1
        report.compare(fmt, "asm", text, their, our)
    figures["both take it"] += figures["Heddle takes in another spelling"]
    agree = figures["both take it"] + figures["both refuse it"]
    head = f"{target}: {agree} of {len(texts)} agree; " + ", ".join(f"{name}: {n}" for name, n in figures.items())
    text, *rest = report.close(target, args.verbose)
    return (head + "\n" + text, *rest)


def main():
    args = llvm.parser(4, "texts of each row and encoding").parse_args()
    cases = failed = 0
    for text, n_cases, n_failed, _ in llvm.each_target(compare_target, args, [t for t in formats.TARGETS if t not in formats.NOT_DISASSEMBLED]):
        print(text, flush=True)
        cases += n_cases
        failed += n_failed
    print(f"{cases - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
