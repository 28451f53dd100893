#!/usr/bin/env python3
"""Compares our disassembler and assembler with llvm-mc 19, in bulk, on seeded random instructions.

Bytes to text: every row in each of its encodings, and random words; both must agree on whether they are an instruction, and which.
Text to bytes: LLVM's texts of those, with and without the encoding's suffix. LLVM 19 cannot disassemble gfx6 and gfx7; for these,
our texts and LLVM's texts for processors that share most of their instructions are assembled.

llvm_differences.txt lists allowed differences with reasons, llvm_newest.txt those with LLVM 22 (--newest). The last line is "N passed, N failed, N skipped"; all comparisons of
one kind (direction, wave size, encoding) are one case.
"""
import collections
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import formats
import llvm
import filling

FOLDER = os.path.dirname(os.path.abspath(__file__))
LISTED = os.path.join(FOLDER, "llvm_differences.txt")
NEWEST = os.path.join(FOLDER, "llvm_newest.txt")  # differences with LLVM 22 only
SUFFIX = re.compile(r"^(\w+?)_(e32|e64|sdwa|dpp)\b")


class Differences:
    """The lines of llvm_differences.txt that apply to `target` (None: all). The head of that file describes the format."""

    RULE = re.compile(r"(dis|asm|same) (theirs|ours|differ|lossy) (.*?)(?: @ (\S+))?\s+# \S")

    def __init__(self, paths, target=None, newest=False):
        self.target, self.newest = target, newest
        self.rules = []  # (direction, kind, regex, regex of the bytes or None, line's number)
        self.used = collections.Counter()  # by file and line
        for path in paths:
            self.add(path)

    def add(self, path):
        targets, names, skipped = re.compile(".*"), {}, False
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            if line.startswith("#") or not line.strip():
                continue
            limit = re.match(r"targets (\S+)$", line)
            if limit:
                targets = re.compile(limit.group(1))
                continue
            oracle = re.match(r"oracle (19|any)$", line)
            if oracle:
                skipped = self.newest and oracle.group(1) == "19"
                continue
            let = re.match(r"let (\w+) (.+)$", line)
            if let:
                names[let.group(1)] = let.group(2)
                continue
            m = self.RULE.match(re.sub(r"%(\w+)%", lambda use: names[use.group(1)], line))
            if not m:
                sys.exit(f"{path}:{number}: not 'dis|asm|same theirs|ours|differ|lossy REGEX # reason'")
            place = os.path.basename(path), number
            code = re.compile(m.group(4)) if m.group(4) else None
            if not skipped and (self.target is None or targets.fullmatch(self.target)):
                self.rules.append((m.group(1), m.group(2), re.compile(m.group(3)), code, place))
                if " # (rare) " in line:
                    self.used[place] += 1

    def excuse(self, direction, kind, text, code=""):
        for d, k, regex, bytes_regex, place in self.rules:
            if d == direction and k == kind and regex.search(text) and (not bytes_regex or bytes_regex.match(code)):
                self.used[place] += 1
                return True
        return False

    def places(self):
        return [r[4] for r in self.rules]


class Report:
    def __init__(self, differences):
        self.differences = differences
        self.cases = collections.OrderedDict()  # name -> [compared, failures]

    def compare(self, name, direction, given, theirs, ours, lossy=False):
        """`lossy`: their text does not tell all bits."""
        case = self.cases.setdefault(name, [0, []])
        case[0] += 1
        if theirs == ours:
            return
        if theirs is None or ours is None:
            kind = "ours" if theirs is None else "lossy" if lossy else "theirs"
        else:
            kind = "differ"
        if direction == "dis":
            text = f"{theirs} | {ours}" if kind == "differ" else theirs or ours
        else:
            text = given
        if not self.differences.excuse(direction, kind, text, given):
            case[1].append((given, theirs, ours))

    def close(self, target, verbose):
        """The cases as text; how many there are, how many failed, and which lines of the differences were used how often."""
        failed, lines = 0, []
        for name, (compared, failures) in self.cases.items():
            failed += bool(failures)
            lines.append(f"{'FAIL' if failures else 'ok  '} {target} {name}: {compared} compared, {len(failures)} differ")
            for given, theirs, ours in failures[:200 if verbose else 5]:
                lines.append(f"     {given}\n       llvm:   {theirs}\n       heddle: {ours}")
        return "\n".join(lines), len(self.cases), failed, self.differences.used


# The maximum number of rounds of draws, and the number of draws without a new text after which a row counts as exhausted.
ROUNDS = 16
IDLE = 3

# With at least this many texts a row, one word of each form is also tried with each of its bits changed.
FLIPPED = 25


class Drawing:
    """Draws random words of every row until LLVM has given `count` different texts for it, if there are that many."""

    def __init__(self, cpu, rows, seed, count, wave64=True):
        self.source = filling.Filling(cpu, seed)
        self.rows = {(fmt, op): (name, count * 20 if fmt == "EXP" else count) for name, fmt, op, _ in rows}
        if "VOPD_X" in formats.ENCODINGS[cpu] and not wave64:
            self.rows["VOPD", 0] = ("v_dual", count * 40)
        self.texts = {key: set() for key in self.rows}
        self.known = {key: {} for key in self.rows}  # words that are instructions, by the ending of the mnemonic
        self.idle = dict.fromkeys(self.rows, 0)  # draws without a new text
        self.count = count
        self.codes = []  # the last draws: [(row, bytes)]
        self.newest = False  # for LLVM 22, which other words crash

    def fresh(self, key):
        if key[0] != "VOPD" and not self.known[key] and self.source.random.random() < 0.5:
            return self.source.plain(*key)
        return self.source.dual() if key[0] == "VOPD" else self.source.instruction(*key, self.rows[key][0])

    def like_known(self, key):
        forms = self.known[key]
        pick = self.source.random.choice
        return self.source.change(*key, pick(forms[pick(sorted(forms))]))

    def first(self):
        """Returns the first draws as [(case, bytes)]."""
        self.codes = [(key, self.fresh(key)) for key, (_, count) in self.rows.items() for _ in range(count)]
        self.codes += [(None, self.source.anything()) for _ in range(self.count * 400)]
        return self.cases()

    def cases(self):
        self.codes = [(key, c) for key, c in self.codes if not kills_llvm(self.source.cpu, key[0] if key else "any bits", c) and
                      not (self.newest and kills_newest(self.source.cpu, c))]
        return [(key[0] if key else "any bits", c) for key, c in self.codes]

    def lacking(self):
        """Returns [(row, number of texts still missing)]."""
        return [(key, count - len(self.texts[key])) for key, (_, count) in self.rows.items() if len(self.texts[key]) < count]

    def learn(self, texts):
        """Takes LLVM's texts of the last draws, None for invalid ones."""
        before = {key: len(self.texts[key]) for key, _ in self.codes if key}
        for (key, code), text in zip(self.codes, texts):
            if text is not None and key:
                self.texts[key].add(text)
                form = text.split()[0].rpartition("_")[2] + (" literal" if "0x" in text else "")
                self.known[key].setdefault(form, []).append(code)
        for key, known in before.items():
            self.idle[key] = self.idle[key] + 1 if len(self.texts[key]) == known else 0

    def flips(self):
        """Returns [(case, bytes)]: for each form of each row one valid word, with each of its bits changed in turn."""
        self.codes = []
        for key, forms in self.known.items():
            for form in sorted(forms):
                self.codes += [(key, c) for c in self.source.flips(*key, self.source.random.choice(forms[form]))]
        return self.cases()

    def more(self):
        """Returns further draws for the rows that lack texts, as [(case, bytes)]."""
        r = self.source.random
        self.codes = []
        for key, lack in self.lacking():
            for _ in range(lack * 2 + (8 if self.known[key] else 24) if self.idle[key] < IDLE else 0):
                self.codes.append((key, self.like_known(key) if self.known[key] and r.random() < 0.9 else self.fresh(key)))
        return self.cases()


def kills_llvm(cpu, fmt, code):
    """Does this crash llvm-mc 19? Crashes are slow."""
    words = [int.from_bytes(code[i:i + 4], "little") for i in (0, 4)]
    matrices = cpu in ("gfx908", "gfx90a", "gfx942", "gfx950")
    number = words[0] >> 16
    if matrices and number == 0xD3D8:  # v_accvgpr_read
        return words[1] & 0x100 == 0
    if matrices and 0xD3BE <= number < 0xD400 and number != 0xD3D9:  # MFMA with a source that is not a vector register
        return words[1] & 0x100 == 0 or words[1] >> 9 & 0x100 == 0
    if matrices and words[0] >> 25 == 0x3F and words[0] >> 9 & 0xFF == 0x52:  # and v_accvgpr_mov_b32
        return words[0] & 0x100 == 0
    if code[0] != 0xF9 or code[3] & 0x80:
        return False
    # SDWA with reserved values of a select or dst_unused
    compare = code[3] & 0xFE == 0x7C
    reserved = words[1] >> 16 & 7 == 7 or words[1] >> 24 & 7 == 7
    return reserved or (not compare and (words[1] >> 8 & 7 == 7 or words[1] >> 11 & 3 == 3)) or fmt == "any bits"


def kills_newest(cpu, code):
    """Does this crash llvm-mc 22? Before gfx10 that are literals in VOP3, which has none."""
    words = [int.from_bytes(code[i:i + 4], "little") for i in (0, 4)]
    return len(cpu) == 6 and words[0] >> 26 == 0x34 and any(words[1] >> at & 0x1FF == 0xFF for at in (0, 9, 18))


HALF = re.compile(r"\bv\d+\.[lh]\b")


class TrueHalves(llvm.Llvm):
    """llvm-mc for gfx11 and gfx12, where instructions select halves of 16-bit registers. LLVM 19 knows halves only with the feature
    real-true16, and only for some instructions: these take its texts with the feature, all others without."""

    def __init__(self, path, cpu):
        super().__init__(path, cpu)
        self.real = llvm.Llvm(path, cpu, "+real-true16")

    def disassemble_all(self, codes, wave64):
        texts = super().disassemble_all(codes, wave64)
        vector = [i for i, c in enumerate(codes) if c[3] < 0x80 or 0xD4 <= c[3] < 0xD8]  # VOP1, VOP2, VOPC; VOP3
        for i, real in zip(vector, self.real.disassemble_all([codes[i] for i in vector], wave64)):
            if real and HALF.search(real[0]):
                texts[i] = real
        return texts

    def assemble(self, texts, wave64):
        results = [None] * len(texts)
        for mc, with_halves in ((super(), False), (self.real, True)):
            chosen = [i for i, t in enumerate(texts) if bool(HALF.search(t)) == with_halves]
            for i, code in zip(chosen, mc.assemble([texts[i] for i in chosen], wave64) if chosen else []):
                results[i] = code
        return results


def said_once(text):
    """Removes redundant marks of register halves: a register without a mark is its low half, and op_sel in VOP3 repeats what the
    registers show."""
    text = text and re.sub(r"\b(v\d+)\.l\b", r"\1", text)
    return re.sub(r"\b(v\d+)\.h\b", r"\1", text) if text and "op_sel:[" in text else text


def said_like(theirs, ours):
    """LLVM 22 marks a literal that an inline constant could hold: lit(0x40). We, like LLVM 19, write the number alone."""
    if not theirs or not ours or "lit(" not in theirs:
        return theirs
    number = r"(?:-?\d+(?:\.\d+)?|0x[0-9a-f]+)"
    expected = re.sub(r"\\-lit\\\(0x[0-9a-f]+\\\)", lambda _: rf"neg\({number}\)", re.escape(theirs))
    return ours if re.fullmatch(re.sub(r"lit\\\(0x[0-9a-f]+\\\)", lambda _: number, expected), ours) else theirs


def first_text(texts, exact):
    """Returns LLVM's text of the first instruction, or with `exact` all texts. None if it is invalid or has a comment of doubt
    ("/*Invalid register ...")."""
    if not texts or "/*" in texts[0]:
        return None
    return " and ".join(texts) if exact else texts[0]


def without_ignored(mc, codes, texts, wave64):
    """Returns the bytes without the set bits that LLVM ignores: those without which it gives the same text."""
    def cleared(code, bits):
        return (int.from_bytes(code, "little") & ~sum(1 << b for b in bits)).to_bytes(len(code), "little")

    tried = [(i, b) for i, code in enumerate(codes) for b in range(len(code) * 8) if code[b // 8] >> b % 8 & 1]
    ignored = [[] for _ in codes]
    for (i, b), read in zip(tried, mc.disassemble_all([cleared(codes[i], [b]) for i, b in tried], wave64)):
        if first_text(read, False) == texts[i]:
            ignored[i].append(b)
    return [cleared(code, bits) for code, bits in zip(codes, ignored)]


def losses(mc, tool, refused, wave64):
    """`refused` are [(bytes, LLVM's text)] that only LLVM decodes. Returns for each whether that is because of bits that LLVM ignores: we
    read the bytes without them as LLVM does."""
    if not refused:
        return []
    ours = tool.decode(without_ignored(mc, *zip(*refused), wave64), wave64)
    return [our is not None and said_like(said_once(text), said_once(our)) == said_once(our) for (_, text), (our, _, _) in zip(refused, ours)]


def compare_disassembly(mc, tool, report, codes, wave64):
    """Returns LLVM's text of each, None if it is invalid or doubtful. LLVM gets only the bytes that we decode as an instruction:
    garbage after them would take most of the time."""
    ours = tool.decode([c for _, c in codes], wave64)
    read = mc.disassemble_all([c[:size or formats.longest(mc.cpu, c)] for (_, c), (_, _, size) in zip(codes, ours)], wave64)
    texts = [first_text(their, size != 0) for their, (_, _, size) in zip(read, ours)]
    wave = "wave64" if wave64 else "wave32"
    refused = [i for i, (their, (our, _, _)) in enumerate(zip(texts, ours))
               if report.differences.newest and their is not None and our is None]
    given = [(codes[i][1][:formats.longest(mc.cpu, codes[i][1])], texts[i]) for i in refused]
    lossy = dict(zip(refused, losses(mc, tool, given, wave64)))
    for i, ((fmt, code), their, (our, again, size)) in enumerate(zip(codes, texts, ours)):
        if wave64 and our is not None and our.startswith("v_dual_") and their is None:
            continue  # VOPD is for wave32; our decoder does not know the wave size
        report.compare(f"bytes to text, {wave}, {fmt}", "dis", code.hex(), said_like(said_once(their), said_once(our)), said_once(our),
                       lossy.get(i, False))
        if our is not None:
            report.compare(f"encode what was decoded, {wave}", "dis", code.hex(), "", again if "!" in again or
                           "unencodable" in again else "")
    return texts


def compare_assembly(mc, tool, report, texts, wave64, suffixes):
    if not suffixes:
        texts = [(f, SUFFIX.sub(r"\1", t)) for f, t in texts if SUFFIX.match(t)]
    theirs = mc.assemble([t for _, t in texts], wave64)
    ours = tool.assemble([t for _, t in texts], wave64)
    wave = ("wave64" if wave64 else "wave32") + ("" if suffixes else " without suffix")
    for (fmt, text), their, (our, error) in zip(texts, theirs, ours):
        report.compare(f"text to bytes, {wave}, {fmt}", "asm", text, their, our)


def compare_both(mc, tool, report, drawing, wave64):
    """Compares bytes to text and back, until each row has its texts."""
    texts = collections.OrderedDict()  # (text, case)
    def compare(codes):
        theirs = compare_disassembly(mc, tool, report, codes, wave64)
        drawing.learn(theirs)
        texts.update(((fmt, text), None) for (fmt, _), text in zip(codes, theirs) if text is not None)

    codes = drawing.first()
    for _ in range(ROUNDS):
        if not codes:
            break
        compare(codes)
        codes = drawing.more()
    if drawing.count >= FLIPPED:
        compare(drawing.flips())
    for suffixes in (True, False):
        compare_assembly(mc, tool, report, list(texts), wave64, suffixes)


# For gfx6 and gfx7: processors that LLVM can disassemble and with which they share many texts.
RELATIVES = ["gfx803", "gfx1010"]


def has_literal(fmt, code):
    """Does the instruction have a literal? If an inline constant has the same value, its text is assembled to other bytes."""
    return len(code) == 16 and fmt[:3] in ("VOP", "SOP", "SME") and fmt != "VOP3"


def compare_texts(mc, tool, report, codes):
    """For targets without LLVM's disassembler: its assembler must encode our texts as ours does, and our decoder must read them
    back."""
    ours = tool.disassemble([c for _, c in codes], True)
    read = [(fmt, text, again) for (fmt, _), (text, again) in zip(codes, ours) if text]
    texts = [t for _, t, _ in read]
    for (fmt, text, again), their, (our, error) in zip(read, mc.assemble(texts, True), tool.assemble(texts, True)):
        report.compare(f"our text to bytes, {fmt}", "asm", text, their, our)
        if our and not has_literal(fmt, again):  # the assembler may refuse what the decoder accepts
            report.compare(f"text and bytes agree, {fmt}", "same", text, again, our)


def compare_relatives(path, mc, tool, args, report):
    """Compares LLVM's assembler and ours on LLVM's texts for related processors."""
    for cpu in RELATIVES:
        relative = llvm.Llvm(path, cpu)
        codes = Drawing(cpu, choose(llvm.Tool(args.tool, cpu).rows(), args.only), args.seed, args.count).first()
        texts = [(fmt, t) for (fmt, _), t in zip(codes, relative.disassemble([c for _, c in codes], True)) if t and "/*" not in t]
        texts = [(fmt, t) for fmt, t in texts if not re.search(r"_sdwa|_dpp| dim:", t)]
        for suffixes in (True, False):
            compare_assembly(mc, tool, report, texts, True, suffixes)


def choose(rows, only):
    return [r for r in rows if not only or r[0] in only.split(",") or r[1] in only.split(",")]


def compare_target(args, path, target):
    """Returns Report.close's result."""
    halves = re.match("gfx1[12]..", target) and not args.newest  # LLVM 22 knows halves of all instructions
    features = ["+real-true16"] * bool(args.newest and target.startswith("gfx12"))  # LLVM 22 has them without asking on gfx11 only
    mc, tool = TrueHalves(path, target) if halves else llvm.Llvm(path, target, *features), llvm.Tool(args.tool, target)
    rows = choose(tool.rows(), args.only)
    report = Report(Differences([LISTED] + [NEWEST] * bool(args.newest), target, bool(args.newest)))
    if target in formats.NOT_DISASSEMBLED:
        compare_texts(mc, tool, report, Drawing(target, rows, args.seed, args.count).first())
        compare_relatives(path, mc, tool, args, report)
        return report.close(target, args.verbose)
    lack = []
    for wave64 in (True, False) if llvm.has_wave32(target) else (True,):
        drawing = Drawing(target, rows, args.seed * 2 + wave64, args.count if wave64 else max(args.count // 3, 1), wave64)
        drawing.newest = bool(args.newest)
        compare_both(mc, tool, report, drawing, wave64)
        lack.append(f"     {target} wave{64 if wave64 else 32}: {len(drawing.rows)} opcodes; of fewer than {drawing.count} texts: " +
                    (" ".join(f"{drawing.rows[key][0]}:{len(drawing.texts[key])}" for key, _ in drawing.lacking()) or "none"))
    text, *rest = report.close(target, args.verbose)
    return ("\n".join([text] + lack), *rest)


def print_unused(used, path):
    """Prints the lines of the differences in `path` that are no longer needed; returns whether there are any."""
    rules = Differences([path])
    unused = [place for place in rules.places() if not used[place] + rules.used[place]]
    for name, number in unused:
        print(f"FAIL {name}:{number}: nothing differs so any more")
    return bool(unused)


# What is compared with LLVM 22: what LLVM 19 lacks, and a processor of each instruction set beside it.
NEWEST_TARGETS = formats.NEWEST + ["gfx942", "gfx1100", "gfx1150", "gfx1200"]


def main():
    parser = llvm.parser(10, "operand sets of each row and encoding")
    parser.add_argument("--only", help="formats or mnemonics, comma-separated")
    parser.add_argument("--unused", action="store_true", help="a line of the listed differences that none has is a failure")
    args = parser.parse_args()
    cases, failed, used = 0, 0, collections.Counter()
    for text, n_cases, n_failed, lines in llvm.each_target(compare_target, args, NEWEST_TARGETS if args.newest else formats.TARGETS):
        print(text, flush=True)
        cases += n_cases
        failed += n_failed
        used += lines
    if args.unused:
        cases += 1
        failed += print_unused(used, NEWEST if args.newest else LISTED)
    if args.verbose:
        for (name, number), times in sorted(used.items()):
            print(f"{name}:{number}: used {times} times")
    print(f"{cases - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
