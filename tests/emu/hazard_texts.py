#!/usr/bin/env python3
"""Each row of hazards.def (insert_NOPs), on a target: a text for which leaving it out makes the emulator's checker speak.

hazard_texts.py --heddle PROGRAM --target TARGET TEXT... [--exact TEXT...]: the texts' blocks are programs. A target takes those that it can encode. With all
rules, the emulator's checker, which has a table of its own, must be silent. For each row that applies to the target, insert_NOPs
leaves the row out (HEDDLE_DEBUG=nohazard=N), and the checker must name the row's rule in at least one block. "; also NAME" behind a
block's comment names a rule that the block breaks besides. Rows that the checker knows nothing of are listed with the reason. --exact:
in these texts the checker is silent without insert_NOPs where no row inserts anything, and speaks where any does.

The last line is "N passed, N failed, N skipped".
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
BLOCK = re.compile(r"^BB\d+\n.*?^/\* logical succs:.*?$", re.M | re.S)
GENERATIONS = {"gfx600": "GFX6", "gfx700": "GFX7", "gfx801": "GFX8", "gfx900": "GFX9", "gfx908": "GFX908", "gfx90a": "GFX90A", "gfx942": "GFX942",
               "gfx950": "GFX950", "gfx1010": "GFX10", "gfx1030": "GFX10_3", "gfx1100": "GFX11", "gfx1150": "GFX11_5", "gfx1201": "GFX12"}
# (rule, generation) that the checker does not know, with the reason.
UNKNOWN = {("ValuSgprVmem", "GFX6"): "ACO waits, LLVM does not; no manual says it",
           ("ValuSgprVmem", "GFX7"): "ACO waits, LLVM does not; no manual says it"}
# Targets whose memory accesses may be repeated: the texts are for XNACK.
RETRY = {"gfx801", "gfx900", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010"}
Row = collections.namedtuple("Row", "number name")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)


def evaluate(words, sets):
    """An expression of C over sets of generations."""
    words = re.sub(r"GENS\((\w+)\)", r"GEN_\1", words)
    return eval(words, {"__builtins__": {}}, sets)  # pylint: disable=eval-used


def generation_sets(path):
    """{name of a set: bits} as hazard_rules.c defines them."""
    sets = {}
    for name, value in re.findall(r"\b(GENS?_\w+) = ([^,]+),", re.sub(r"HAZARD_(?=GFX)", "GEN_", read(path))):
        shift = re.fullmatch(r"1 << AMD_(GFX\w+)", value.strip())
        sets[name] = 1 << list(GENERATIONS.values()).index(shift[1]) if shift else evaluate(value, sets)
    return sets


def rows(table, rules, target):
    """The rows of a table of hazards for a target, numbered from 1."""
    sets = generation_sets(rules)
    bit = 1 << list(GENERATIONS).index(target)
    entries = re.findall(r'^HAZARD\("(\w+)",\s*([^"]*?),\s*"', read(table), re.M)
    assert len(entries) == len(re.findall(r"^HAZARD\(", read(table), re.M))
    return [Row(n, name) for n, (name, gens) in enumerate(entries, 1) if evaluate(gens, sets) & bit]


def program(block):
    """A block that can run. Its branches go to a second block, which begins behind a line "// then" or has nothing but the end."""
    block = re.sub(r"(?<=imm:)0x0$", "0x1", block, flags=re.M) if re.search(r"^    s_c?branch", block, re.M) else block
    rest = "    s_endpgm\n/* logical succs: / linear succs: */"
    if "\n// then\n" in block:
        block, rest = block.split("// then\n")
        block += "/* logical succs: / linear succs: BB1, */"
    preds = "BB0, " if block.endswith("BB1, */") else ""
    return f"{block}\nBB1\n/* logical preds: / linear preds: {preds}/ kind: top-level */\n{rest}"


def blocks(paths):
    """Each block as a program."""
    for path in paths:
        with open(path, encoding="utf-8") as f:
            whole = f.read()
        start = whole.index("\nBB0\n") + 1
        head = whole[whole.index("\nshader:") + 1:start]
        for block in BLOCK.findall(whole[start:]):
            yield head + program(re.sub(r"^BB\d+", "BB0", block)) + "\n}\n"


class Refused(Exception):
    pass


def run(args, text=None, switches=""):
    return subprocess.run(args, input=text, capture_output=True, text=True, timeout=60, check=False,
                          env=os.environ | {"HEDDLE_DEBUG": switches})


class Checker:
    def __init__(self, options, folder):
        self.heddle, self.folder = options.heddle, folder
        self.target = options.target + (":xnack+" if options.target in RETRY else "")

    def insert(self, text, without=None):
        """The program behind insert_NOPs; `without` a row's number."""
        ran = run([self.heddle, "opt", "-t", self.target, "--pass", "insert_NOPs", "-"], text, f"nohazard={without}" if without else "")
        if ran.returncode:
            raise Refused(ran.stderr)
        return ran.stdout

    def findings(self, text):
        """The rules that the emulator's checker says are broken."""
        source, made = (os.path.join(self.folder, n) for n in ("block.hir", "block.co"))
        text = re.sub(r"^(target|after|hsa): .*\n", "", text, flags=re.M)
        text = text.replace("wave_size: 64\n", f"wave_size: 64\ntarget: {self.target}\nafter: insert_NOPs\nhsa: true\n", 1)
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        ran = run([self.heddle, "compile", "-t", self.target, "--abi", "hsa", "--lang", "hir", source, "-o", made])
        if ran.returncode:
            raise Refused(ran.stderr)
        ran = run([self.heddle, "run", "-t", self.target, "--check", "hazards", "--limit", "1", made])
        if not re.search(r"^(1 passed|0 passed, 1 failed)", ran.stdout, re.M):
            raise RuntimeError(text + ran.stdout + ran.stderr)
        return set(re.findall(r"\[(\w+)\] \[", ran.stdout + ran.stderr))


class Result:
    def __init__(self):
        self.passed = self.failed = 0

    def count(self, good, message):
        self.passed, self.failed = self.passed + good, self.failed + (not good)
        if not good:
            print(message)


def check_block(c, text, exact, result):
    """The block as insert_NOPs leaves it; None if the target cannot encode it."""
    try:
        mended = c.insert(text)
        with_ = c.findings(mended) - set(re.findall(r"; also (\w+)$", text, re.M))
        without = c.findings(text) if exact else None
    except Refused:
        return None
    result.count(not with_, f"{text}\nwith insert_NOPs: {sorted(with_)}")
    if exact:
        inserts = mended.count("\n    ") > text.count("\n    ")
        result.count(bool(without) == inserts, f"{text}\ninserted: {inserts}; without it {sorted(without)}")
    return mended


def check_row(c, row, programs, result):
    """Leaves the row out. `programs`: (text, what insert_NOPs makes of it)."""
    silent = []
    for text, mended in programs:
        less = c.insert(text, row.number)
        if less != mended and row.name in c.findings(less):
            result.count(True, "")
            return
        silent += [text] if less != mended else []
    result.count(False, "\n".join([*silent, f"no block breaks row {row.number} ({row.name}) when it is left out"]))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--target", required=True, choices=GENERATIONS)
    p.add_argument("--exact", nargs="*", default=[], metavar="TEXT")
    p.add_argument("texts", nargs="*", metavar="TEXT")
    options = p.parse_args()
    result = Result()
    gen = GENERATIONS[options.target]
    known = {row.name for row in rows("src/amd/emu/check/hazards.def", "src/amd/emu/check/hazard_rules.c", options.target)}
    with tempfile.TemporaryDirectory() as folder:
        c = Checker(options, folder)
        found = [(text, check_block(c, text, exact, result)) for exact in (True, False)
                 for text in blocks(options.exact if exact else options.texts)]
        programs = [(text, mended) for text, mended in found if mended]
        for row in rows("src/amd/post/hazards.def", "src/amd/post/hazard_rules.c", options.target):
            excused = (row.name, gen) in UNKNOWN
            result.count(excused != (row.name in known), f"{row.name}: the checker's table and UNKNOWN disagree")
            if not excused:
                check_row(c, row, programs, result)
    print(f"{result.passed} passed, {result.failed} failed, 0 skipped")
    sys.exit(result.failed > 0 or not programs)


if __name__ == "__main__":
    main()
