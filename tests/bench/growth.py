#!/usr/bin/env python3
"""Measures how compile time grows with a shader's size.

    growth.py HEDDLE OUTDIR [--most N] [--kind KIND] [--callgrind | --cache] [--count] [--walk LIST_WALK]
              [--target T] [--report FILE]

Each family of growth_families.py is compiled at growing sizes: straight-line code, ifs, loops ... from 100 to --most
machine instructions (default 100000), and shapes such as 1000, 2000 and 4000 breaks of one loop. Each line has the size,
the instructions, the cost (CPU milliseconds, the best of some runs), the cost and the peak memory per instruction, and the
exponent of the growth from the previous size: 1 is linear. After the last size come the phases with at least a twentieth of
the cost that grow with an exponent above 1.2 in the last step. At the end come each family's exponent over its last two
steps, and the largest.

Growth is over machine instructions; over the family's n if these grow less than half as fast; and over n^2 for the
families of SQUARES, whose SSA form has that many operands. --callgrind counts the
instructions that the compiler executes (valgrind; slow) instead of time: exact, but without the effects of caches. --cache
adds 100 for each miss of a simulated cache of 1 MiB, which is exact too. --walk (with time) also measures, right after each
shader, list_walk.c over as many bytes as the compiler had at its peak: "walk" is the exponent of this time, what the
machine's caches alone make of a linear program of that size. --count (with time) also counts as --callgrind does, and the
exponent of the executed instructions stands behind that of the time: it says what the compiler's algorithms do, the time what
this machine makes of it. --report writes the exponents between the `growth` marks of
FILE (docs/performance.md). Times never fail; only a shader that does not compile is a failure.
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import growth_families  # noqa: E402

BEGIN, END = "<!-- growth -->", "<!-- /growth -->"
RUNS = 3
SECONDS = 60  # limit for one run of a shader; below, in valgrind
SECONDS_IN_VALGRIND = 900


def command_of(heddle, path, target, *options):
    """`heddle stats` of a shader, in waves of 64 lanes where that can be chosen."""
    return [heddle, "stats", "--json", "-t", target, *options, *(["--wave-size", "64"] if target.startswith("gfx") else []), path]


def stats(command, seconds=SECONDS):
    """Returns (row of `heddle stats --json`, stderr), or (None, why). TeraScale has dwords where others have instructions."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, f"not done in {seconds} s"
    if run.returncode:
        return None, (run.stderr.strip().splitlines() or [f"exit {run.returncode}"])[0]
    row = json.loads(run.stdout)
    row.setdefault("instructions", row.get("dwords"))
    return row, run.stderr


def measure_time(heddle, path, n, target):
    """Returns the row of the fastest run; `cost` is its CPU time in milliseconds."""
    repeat = max(1, min(20, 20000 // n))
    best, error = None, ""
    for _ in range(RUNS):
        row, error = stats(command_of(heddle, path, target, "--repeat", str(repeat)))
        if not row:
            return None, error
        row["cost"] = row["cpu_ms"]
        best = row if not best or row["cost"] < best["cost"] else best
    return best, ""


def measure_walk(walk, size):
    """CPU milliseconds of plain walks over `size` bytes, the best of some runs; None without the program."""
    if not walk:
        return None
    return min(float(subprocess.run([walk, str(size)], capture_output=True, text=True, check=True).stdout) for _ in range(RUNS))


def run_callgrind(heddle, path, target, *options):
    """Returns (row of `heddle stats`, valgrind's text), or (None, why)."""
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=heddle_compile", *options]
    return stats(tool + command_of(heddle, path, target), SECONDS_IN_VALGRIND)


def measure_instructions(heddle, path, _, target):
    """`cost` is the number of instructions executed in heddle_compile, in millions."""
    row, text = run_callgrind(heddle, path, target)
    if not row:
        return None, text
    counted = re.search(r"Collected : (\d+)", text)
    if not counted:
        return None, "valgrind counted nothing"
    row["cost"] = int(counted.group(1)) / 1e6
    row["phases_ms"] = {}
    return row, ""


def measure_cache(heddle, path, _, target):
    """The same plus 100 for each miss of a cache of 1 MiB: KCachegrind's estimate of cycles, without the first level."""
    row, text = run_callgrind(heddle, path, target, "--cache-sim=yes", f"--LL={1 << 20},16,64")
    if not row:
        return None, text
    counted = re.search(r"I +refs: +([\d,]+)", text), re.search(r"LLd misses: +([\d,]+)", text)
    if not all(counted):
        return None, "valgrind counted nothing"
    executed, missed = (int(c.group(1).replace(",", "")) for c in counted)
    row["cost"] = (executed + 100 * missed) / 1e6
    row["phases_ms"] = {}
    return row, ""


MEASURES = {  # function, unit, description
    "time": (measure_time, "ms", "the compiler's CPU time (the best of some runs)"),
    "callgrind": (measure_instructions, "M", "the number of instructions that the compiler executes"),
    "cache": (measure_cache, "M", "what the compiler executes, a miss of a cache of 1 MiB counted as 100 instructions,"),
}


def growth(small, large, cost):
    """Returns the exponent of the growth of cost(row), and the quantity that it is relative to."""
    ratio = math.log(max(cost(large), 1e-4) / max(cost(small), 1e-4))
    instructions = math.log(large["instructions"] / small["instructions"])
    sizes = math.log(large["n"] / small["n"])
    if large["squares"]:
        return ratio / (2 * sizes), "n^2"
    if instructions < sizes / 2:
        return ratio / sizes, "n"
    return ratio / instructions, ""


def growth_of(key, small, large):
    """Returns the exponent of another measure's growth as text; empty if it was not made."""
    return f"{growth(small, large, lambda r: r[key])[0]:.2f}" if large[key] else ""


def steep_phases(small, large):
    for name, ms in sorted(large["phases_ms"].items(), key=lambda p: -p[1]):
        e, _ = growth(small, large, lambda row, n=name: row["phases_ms"].get(n, 0.0))
        if ms >= large["compile_ms"] / 20 and e > 1.2:
            yield f"{name} {ms:.1f} ms ({e:.2f})"


def grow(family, args, walk):
    """Prints a family's rows and returns them; the last one is None if the compiler failed."""
    measure, counts = MEASURES[args.measure][0], args.count and args.measure == "time"
    rows = []
    for n in family.sizes:
        name, text = family.source(n)
        path = os.path.join(args.out, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        row, error = measure(args.heddle, path, n, args.target)
        counted, error = measure_instructions(args.heddle, path, n, args.target) if row and counts else (row, error)
        if not counted:
            print(f"{family.name:16} {n:7}  {error}", flush=True)
            return rows + [None]
        row["n"], row["squares"] = n, family.squares
        row["walk"] = measure_walk(walk, row["peak_bytes"])
        row["executed"] = counted["cost"] if counts else None
        e = f"{growth(rows[-1], row, lambda r: r['cost'])[0]:.2f}" if rows else ""
        more = "".join(f" {key} {growth_of(key, rows[-1], row)}" for key in ("executed", "walk") if rows and row[key])
        print(f"{family.name:16} {n:7} {row['instructions']:7} {row['cost']:10.3f} {row['cost'] * 1000 / row['instructions']:8.2f} "
              f"{row['peak_bytes'] // row['instructions']:6} B {e:>5}{more}", flush=True)
        rows.append(row)
    for line in steep_phases(rows[-2], rows[-1]) if len(rows) > 1 else []:
        print(f"{'':16}{line}")
    return rows


def summarize(family, rows, unit):
    """Returns the cells of a family's line, and the exponent over its last two steps (one, if there are only two sizes)."""
    if rows[-1] is None:
        return [family.name, "does not compile", "", "", "", "", "", ""], math.inf
    if len(rows) < 2:
        return [family.name, str(rows[0]["n"]), str(rows[0]["instructions"]), f"{rows[0]['cost']:.1f} {unit}", "", "", "", ""], 0
    first, last = rows[max(0, len(rows) - 3)], rows[-1]
    e, over = growth(first, last, lambda r: r["cost"])
    each = last["peak_bytes"] // last["instructions"]
    return [family.name, f"{first['n']} to {last['n']}", f"{first['instructions']} to {last['instructions']}",
            f"{first['cost']:.1f} to {last['cost']:.1f} {unit}", str(each), f"{e:.2f}" + (f" (over {over})" if over else ""),
            growth_of("executed", first, last), growth_of("walk", first, last)], e


def report(path, lines, largest, what):
    """Writes the section between the marks; if there is none yet, inserts it before the list of shaders."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    part = "\n".join([
        BEGIN, "## Growth", "",
        f"How {what} grows with size, as `tests/bench/growth.py` measured it: the exponent over a family's last two steps "
        "(1 is linear), over machine instructions where nothing else is said. The families are in",
        "`tests/bench/growth_families.py`. The last two columns, if they are filled: the exponent of the instructions that the compiler",
        "executes (exact: what its algorithms do), and that of a plain walk over as many bytes as it had at its peak, in time, on the same",
        "machine at the same moment: what the caches alone make of linear work.", "",
        "| family | n | instructions | cost | peak bytes an instruction | exponent | executed | of a walk |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        *["| " + " | ".join(line) + " |" for line in lines], "", f"The largest is {largest}.", END])
    if BEGIN in text:
        text = text[:text.index(BEGIN)] + part + text[text.index(END) + len(END):]
    else:
        text = text.replace("## Each shader\n", part + "\n\n## Each shader\n", 1)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("heddle")
    p.add_argument("out")
    p.add_argument("--most", type=int, default=100000)
    p.add_argument("--kind", action="append")
    p.add_argument("--callgrind", dest="measure", action="store_const", const="callgrind", default="time")
    p.add_argument("--cache", dest="measure", action="store_const", const="cache")
    p.add_argument("--count", action="store_true", help="also count executed instructions; with time only")
    p.add_argument("--walk", help="the program of list_walk.c; with time only")
    p.add_argument("--target", default="gfx1030")
    p.add_argument("--report")
    args = p.parse_args()
    os.makedirs(args.out, exist_ok=True)
    _, unit, what = MEASURES[args.measure]
    walk = args.walk if args.measure == "time" else None
    lines, exponents = [], {}
    for family in growth_families.families(args.most):
        if args.kind and family.name not in args.kind:
            continue
        cells, exponents[family.name] = summarize(family, grow(family, args, walk), unit)
        lines.append(cells)
    print("\nover the last two steps:")
    for cells in lines:
        more = [f" {name} {cell}" for name, cell in zip(("executed", "walk"), cells[6:]) if cell]
        print(f"{cells[0]:16} {cells[5] or cells[1]}" + "".join(more))
    name = max(exponents, key=exponents.get)
    failed = [n for n, e in exponents.items() if e == math.inf]
    largest = f"{name}'s, {exponents[name]:.2f}" if not failed else f"unknown: {', '.join(failed)} does not compile"
    counted = {cells[0]: float(cells[6]) for cells in lines if cells[6]}
    if counted:
        name = max(counted, key=counted.get)
        largest += f"; of the executed instructions {name}'s, {counted[name]:.2f}"
    print(f"the largest is {largest}")
    if args.report:
        report(args.report, lines, largest, what)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
