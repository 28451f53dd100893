#!/usr/bin/env python3
"""Writes the table of docs/status.md that says what passes on which target, from runs of a build.

    target_table.py --build FOLDER [--targets LIST] [--jobs N] [--check]

The rows are the targets that the compiler makes code for, one for each set of instructions (LIST: others). The columns are the
scripts of the shared corpus that compute alone, as tests/amber/run_corpus.py chooses them and with the verdicts that it expects, in each
wave size, as AMDHSA kernels and with few registers; its compute shaders, compiled; and the real shaders, executed (tests/real). Takes
about two minutes a target; other rows of the table are kept. Ends with exit code 1 if something fails; --check writes nothing.
"""
import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.join(ROOT, "tests", "amber")]
import corpus  # noqa: E402
import run_corpus  # noqa: E402
import verdicts  # noqa: E402

STATUS = os.path.join(ROOT, "docs", "status.md")
BEGIN, END = "<!-- targets -->", "<!-- /targets -->"
TARGETS = "gfx600,gfx700,gfx803,gfx900,gfx90c,gfx908,gfx90a,gfx942,gfx950,gfx1010,gfx1030,gfx1100,gfx1150,gfx1200,gfx1201"
HEAD = ["target", "scripts, wave64", "wave32", "AMDHSA, wave64", "AMDHSA, wave32", "few registers", "shaders that compile", "real shaders, executed"]


def run(command, **environment):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=os.environ | environment)


class Table:
    def __init__(self, args):
        self.heddle = os.path.join(args.build, "tools", "heddle", "heddle")
        self.real = os.path.join(args.build, "tests", "real", "real")
        self.cache = os.path.join(args.build, "tests", "real", "cache")
        self.jobs = str(args.jobs)
        self.failed = False

    def compiled(self):
        """Returns {target: wave sizes} of what the compiler makes code for."""
        found = {}
        for line in run([self.heddle, "targets"]).stdout.splitlines():
            if line.endswith("compiles"):
                found[line.split()[0]] = [int(n) for n in re.findall(r"\d+", re.search(r"wave (\d+(?:, \d+)*)", line)[1])]
        return found

    def scripts(self, device, **environment):
        """How many scripts pass on the device (verdicts.run), and how many have another verdict than they should. Those that are to be
        skipped (amd.known, TARGET.known) are not counted."""
        folder = os.path.join(corpus.root(), "amber")
        scripts, expected = run_corpus.scripts_of(folder, ("compute", "none")), run_corpus.known(device)
        found = verdicts.run(self.heddle, device, [os.path.join(folder, s) for s in scripts], self.jobs, environment=environment)
        wrong = [f"{verdict} {script}: {reason}" for script, (verdict, _, reason) in zip(scripts, found, strict=True)
                 if verdict != expected.get(script, "PASS")]
        self.failed |= bool(wrong)
        print(*(f"{device}: {line}" for line in wrong), sep="\n", end="\n" if wrong else "", file=sys.stderr)
        return f"{verdicts.count(found, 'PASS')} PASS" + (f", **{len(wrong)} wrong**" if wrong else "")

    def shaders(self, target, sizes):
        good = total = refused = 0
        for shader in corpus.compute_shaders():
            path, _ = corpus.spirv(shader, self.cache)
            for size in sizes if path else ():
                ran = run([self.heddle, "compile", "-t", target, "--wave-size", str(size), "-o", os.devnull, path], HEDDLE_DEBUG="validatera")
                total += 1
                good += ran.returncode == 0
                refused += "UNSUPPORTED" in ran.stderr or "unsupported" in ran.stderr
        self.failed |= good + refused < total
        return f"{good} of {total}" + (f", **{total - good - refused} fail**" if good + refused < total else "")

    def real_shaders(self, target, sizes):
        command = [sys.executable, os.path.join(ROOT, "tests", "real", "run_real.py"), "--real", self.real, "--cache", self.cache, "--jobs", self.jobs]
        last = (run([*command, "--target", target, "--on", ",".join(f"w{size}" for size in sizes)]).stdout.splitlines() or ["0 passed, 1 failed"])[-1]
        self.failed |= ", 0 failed" not in last
        return last

    def row(self, target, sizes):
        devices = [f"{target}-wave{size}{abi}" if size in sizes else None for abi in ("", "-hsa") for size in (64, 32)]
        cells = [self.scripts(device) if device else "-" for device in devices]
        cells += [self.scripts(target, HEDDLE_DEBUG="sgprs=8,vgprs=4"), self.shaders(target, sizes), self.real_shaders(target, sizes)]
        return "| " + " | ".join([target, *cells]) + " |"


def old_rows(text):
    """Returns {target: row} of the table in the document."""
    if BEGIN not in text:
        return {}
    lines = text[text.index(BEGIN):text.index(END)].splitlines()
    return {line.split("|")[1].strip(): line for line in lines if line.startswith("| gfx")}


def write(rows):
    with open(STATUS, encoding="utf-8") as f:
        text = f.read()
    rows = old_rows(text) | rows
    body = "\n".join([BEGIN, "| " + " | ".join(HEAD) + " |", "|" + " --- |" * len(HEAD), *(rows[t] for t in TARGETS.split(",") if t in rows), END])
    with open(STATUS, "w", encoding="utf-8") as f:
        f.write(text[:text.index(BEGIN)] + body + text[text.index(END) + len(END):])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--targets", default=TARGETS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    if not corpus.root():
        print("skipped: there is no shared corpus")
        return 0
    table = Table(args)
    compiled = table.compiled()
    for target in args.targets.split(","):
        if target in compiled:
            row = table.row(target, compiled[target])
            print(row, flush=True)
            if not args.check:
                write({target: row})
    return 1 if table.failed else 0


if __name__ == "__main__":
    sys.exit(main())
