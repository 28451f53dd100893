#!/usr/bin/env python3
"""Runs the blocks of a text test of hazards on the emulator, each with and without what insert_NOPs inserts.

hazard_texts.py --heddle PROGRAM --target TARGET TEXT...: where the phase inserts something, the emulator's checker must
speak without it, and be silent with it; where it inserts nothing, the checker must be silent. Each rule of hazards.def
for the target's generation must have made the checker speak; the checker has its own table.

The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
BLOCK = re.compile(r"^BB\d+\n.*?^/\* logical succs:.*?$", re.M | re.S)
GENERATIONS = {  # hazard_rules.c
    "GFX9": ["GFX9"], "GFX908": ["GFX908"], "GFX90A": ["GFX90A"], "GFX942": ["GFX942"]}
GENERATIONS["GENS_GFX9"] = ["GFX9", "GFX908", "GFX90A", "GFX942"]
for wider in ("GENS_GCN3", "GENS_GCN2", "GENS_GCN"):
    GENERATIONS[wider] = GENERATIONS["GENS_GFX9"]
COLUMNS = {"gfx900": "GFX9", "gfx908": "GFX908", "gfx90a": "GFX90A", "gfx942": "GFX942"}


def rules(target):
    """The names of the rules for a target."""
    text = open(os.path.join(ROOT, "src/amd/post/hazards.def"), encoding="utf-8").read()
    column, found = COLUMNS[target], set()
    for name, gens in re.findall(r'^HAZARD\("(\w+)", ([^"]*), "', text, re.M):
        with_, _, without = gens.partition("& ~")
        of = {g for word in re.findall(r"GENS_\w+|(?<=GENS\()\w+", with_) for g in GENERATIONS.get(word, [])}
        if column in of and column not in re.findall(r"(?<=GENS\()\w+", without):
            found.add(name)
    return found


def blocks(paths):
    """Each block as a program."""
    for path in paths:
        whole = open(path, encoding="utf-8").read()
        start = whole.index("\nBB0\n") + 1
        head = whole[whole.index("\nshader:") + 1:start]
        for block in BLOCK.findall(whole[start:]):
            yield head + re.sub(r"^BB\d+", "BB0", block) + "\n}\n"


def run(args, text=None):
    return subprocess.run(args, input=text, capture_output=True, text=True, timeout=60, check=False)


class Checker:
    def __init__(self, options, folder):
        self.heddle, self.target, self.folder = options.heddle, options.target, folder

    def insert(self, text):
        r = run([self.heddle, "opt", "-t", self.target, "--pass", "insert_NOPs", "-"], text)
        if r.returncode:
            raise RuntimeError(r.stderr)
        return r.stdout

    def findings(self, text):
        """The rules that the emulator's checker says are broken."""
        source, made = (os.path.join(self.folder, n) for n in ("block.hir", "block.co"))
        text = re.sub(r"^(target|after|hsa): .*\n", "", text, flags=re.M)
        text = text.replace("wave_size: 64\n", f"wave_size: 64\ntarget: {self.target}\nafter: insert_NOPs\nhsa: true\n", 1)
        open(source, "w", encoding="utf-8").write(text)
        r = run([self.heddle, "compile", "-t", self.target, "--abi", "hsa", "--lang", "hir", source, "-o", made])
        if r.returncode:
            raise RuntimeError(r.stderr)
        r = run([self.heddle, "run", "-t", self.target, "--check", "hazards", made])
        if not re.search(r"^(1 passed|0 passed, 1 failed)", r.stdout, re.M):
            raise RuntimeError(r.stdout + r.stderr)
        return set(re.findall(r"\[(\w+)\] \[", r.stdout))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--target", required=True, choices=COLUMNS)
    p.add_argument("texts", nargs="+")
    options = p.parse_args()
    passed, failed, spoke = 0, 0, set()
    with tempfile.TemporaryDirectory() as folder:
        c = Checker(options, folder)
        for text in blocks(options.texts):
            mended = c.insert(text)
            without, with_, inserts = c.findings(text), c.findings(mended), "s_nop" in mended
            spoke |= without
            good = bool(without) == inserts and not with_
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(f"{text}\ninserted: {inserts}; without it {sorted(without)}, with it {sorted(with_)}")
    missing = rules(options.target) - spoke
    if missing:
        print(f"no block breaks {sorted(missing)}")
    passed, failed = passed + (not missing), failed + bool(missing)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
