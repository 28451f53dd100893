"""Writes the results of run_real.py to docs/real-shaders.md."""
import collections

HEAD = """# Real shaders, executed

`tests/real` runs every compute shader of the shared corpus, and those of `tests/real/shaders`, on memory that is made
from the shader's own declarations: on the HIR interpreter, which is the reference, and on gfx1030 in wave32 and
wave64, with all checkers of the emulator. `tests/real/real.c` defines the verdicts and the reasons to excuse a
difference; `tests/real/ways.def` lists the ways to compile. This page is written by

    python3 tests/real/run_real.py --real build/tests/real/real --cache build/tests/real/cache --seeds 1,2,3 --on all --docs docs/real-shaders.md

`--on vulkan`, which `all` includes, is the system's Vulkan driver. It runs the first seed only and skips shaders that
need subgroups, addresses or a feature that it lacks, and slow ones. `--report FILE` keeps each line, with the number of
executed instructions, and `--target NAME` takes another target. The tests are `real` (one seed, wave32 and wave64),
`real-TARGET`, and `real-thorough` in the suite `thorough`.
"""

REASONS = {
    "undefined values or order": "The interpreter's own result changes at the same places if unwritten memory has other "
    "bytes, or if lanes, subgroups and groups run in reverse order. With other bytes, variables in scratch memory stand apart: what is read outside "
    "of one is no part of the next.",
    "findings": "In code without optional passes the emulator's checkers also find a race, an undefined value or an access beyond memory.",
    "lanes race": "Two lanes of a subgroup access one place, one of them with a store that changes it, and neither a barrier nor an atomic is "
    "between (`src/ir/eval_races.c`): a data race in Vulkan's memory model, after which loads may give each lane what it stored itself.",
    "inexact floats": "Nothing differs without the passes that use inexact floats (relax_float, fuse_fma, order_products).",
    "sensitive to interpolation": "A draw: as many of the interpreter's own numbers move far when interpolated inputs move by 100 units in the last place.",
    "the driver alone": "The interpreter and gfx1030 agree in both wave sizes and only the Vulkan driver differs; "
    "`excused.tsv` names the cause.",
    "never ends": "The shader has an endless loop, with any values.",
    "runs too long": "A draw: a subgroup takes more than 262,144 instructions on the interpreter, with any values.",
    "leaves its memory": "The shader accesses memory outside workgroup memory, or follows an invalid address, with any values.",
}


def ways_table(lines):
    counts = collections.Counter((line["way"], line["verdict"]) for line in lines if line["way"])
    verdicts = [v for v in ("ran", "same", "near", "excused", "skip", "differs", "found", "fails", "hangs", "unlisted")
                if any(x == v for _, x in counts)]
    yield "| way | seeds | " + " | ".join(verdicts) + " |"
    yield "| --- | --- |" + " --- |" * len(verdicts)
    seen = list(dict.fromkeys(line["way"] for line in lines if line["way"]))
    for way in seen:
        seeds = ", ".join(sorted({line["seed"] for line in lines if line["way"] == way}))
        yield f"| {way} | {seeds} | " + " | ".join(str(counts[way, v]) for v in verdicts) + " |"


def excused(lines, reason):
    ways = collections.defaultdict(set)
    for line in lines:
        if line["verdict"] == "excused" and line["what"].split(";")[0] == reason:
            ways[line["file"]].add(f"{line['way']}:{line['seed']}")
    for name in sorted(ways):
        yield f"- `{name}` ({len(ways[name])} runs)"


def skipped(lines):
    names = collections.defaultdict(set)
    for line in lines:
        if line["verdict"] == "skip":
            names[line["what"].rsplit(": ", 1)[-1].strip()].add(line["file"])
    for reason in sorted(names):
        yield f"- {reason}: " + ", ".join(f"`{n}`" for n in sorted(names[reason]))


def write(path, lines):
    shaders = {line["file"] for line in lines}
    compared = {line["file"] for line in lines if line["verdict"] in ("same", "near")}
    out = [HEAD, f"## Results\n\n{len(shaders)} shaders, {len(compared)} of them with a verdict. Runs by way:\n"]
    out += list(ways_table(lines)) + ["\n## Excused"]
    for reason, text in REASONS.items():
        names = list(excused(lines, reason))
        if names:
            out += [f"\n### {reason.capitalize()}\n\n{text}\n"] + names
    out += ["\n## Skipped\n"] + list(skipped(lines))
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(out) + "\n")
