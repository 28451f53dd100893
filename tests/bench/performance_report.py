"""Writes the text of docs/performance.md from the measurements of compare_anchor.py."""
import math

INSTRUCTIONS = ("cpu_minsn", "CPU instructions", "M", 3)
CPU_TIME = ("cpu_ms", "CPU time", "ms", 3)

# name of the measure, title, unit, decimals
MEASURES = [
    ("time", "time", "ms", 3),
    None,  # one of the two above
    ("bytes", "code bytes", "", 0),
    ("instructions", "instructions", "", 0),
    ("sgprs", "SGPRs", "", 0),
    ("vgprs", "VGPRs", "", 0),
]


def geometric_mean(ratios):
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios)) if ratios else float("nan")


def ratio(pair):
    return pair[0] / pair[1] if pair[0] and pair[1] else None


def chosen(rows):
    """Returns the measures of this run; CPU instructions only if every row has them."""
    counted = all(m["cpu_minsn"][0] and m["cpu_minsn"][1] for _, m in rows)
    return [m or (INSTRUCTIONS if counted else CPU_TIME) for m in MEASURES], counted


def table(head, lines):
    out = ["| " + " | ".join(head) + " |", "|" + " --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(out + ["| " + " | ".join(line) + " |" for line in lines])


def summary(rows, measures):
    """Yields a line for each measure: geometric mean of the ratios, the number of ratios up to 1, sums."""
    for name, title, unit, digits in measures:
        pairs = [m[name] for _, m in rows]
        ratios = [r for r in map(ratio, pairs) if r]
        ours, theirs = sum(p[0] for p in pairs), sum(p[1] for p in pairs)
        yield [
            f"{title}{', ' + unit if unit else ''}",
            f"**{geometric_mean(ratios):.3f}**",
            f"{min(ratios):.2f}",
            f"{max(ratios):.2f}",
            f"{sum(r <= 1 for r in ratios)} of {len(rows)}",
            f"{ours:.{digits}f}",
            f"{theirs:.{digits}f}",
            f"{ours / theirs:.3f}",
        ]


def row_cells(name, values, measures):
    cells = [f"`{name}`"]
    for key, _, _, digits in measures:
        ours, theirs = values[key]
        r = ratio((ours, theirs))
        cells += [f"{ours:.{digits}f}", f"{theirs:.{digits}f}", f"{r:.2f}" if r else "-"]
    return cells


def intro(head, counted, n, refused):
    cpu = ("CPU instructions are user-mode instructions as `perf_event_open` counts them, in millions." if counted else
           "This machine does not count instructions for\n  `perf_event_open`, so CPU time (of the process, median) stands in their place.")
    return f"""# Performance

Heddle beside RADV's compiler ACO on the same SPIR-V. Written by `make bench`; do not edit.

- date: {head["date"]}
- machine: {head["machine"]}
- commit: {head["commit"]}
- theirs: {head["driver"]}
- command: `make bench`; for each shader, one after the other in one run,
  `heddle stats --json --repeat {head["repeat"]} --wave-size 64 FILE.spv` of a release build (gfx1030) and
  `radv-anchor --family NAVI21 --repeat {head["repeat"]} --json FILE.spv`

The shaders are the compute shaders of the corpus (`glsl`, `spvasm`; ray tracing aside) and radv-anchor's samples: {n} that
both compile, {len(refused)} that one refuses (at the end). A ratio is ours / theirs: below 1 is better than ACO.

- Time is the median wall time of one compile in milliseconds: the library call alone, from SPIR-V words to finished code;
  theirs is `vkCreateComputePipelines`, without caches. {cpu}
- VGPRs are those allocated (by eights in wave64). SGPRs are those used; theirs are the 128 that every wave gets on GFX10.
"""


def growth_section(old):
    """Returns the section that growth.py wrote into the old report, with its marks, or nothing."""
    begin, end = "<!-- growth -->", "<!-- /growth -->"
    return ["\n" + old[old.index(begin):old.index(end) + len(end)]] if begin in old and end in old else []


def write(head, rows, refused, old=""):
    measures, counted = chosen(rows)
    titles = ["", "geometric mean of ratios", "least", "greatest", "at most 1", "sum, ours", "sum, theirs", "ratio of sums"]
    parts = [intro(head, counted, len(rows), refused), "## Means and sums\n", table(titles, summary(rows, measures))]
    parts += growth_section(old)
    columns = ["shader"]
    for _, title, unit, _ in measures:
        columns += [f"{title}{', ' + unit if unit else ''}: ours", "theirs", "ratio"]
    parts += ["\n## Each shader\n", table(columns, [row_cells(n, m, measures) for n, m in rows])]
    if refused:
        lines = [[f"`{n}`", (a or "compiles").replace("|", "\\|"), (b or "compiles").replace("|", "\\|")] for n, a, b in refused]
        parts += ["\n## Refused by one\n", table(["shader", "Heddle", "radv-anchor"], lines)]
    return "\n".join(parts) + "\n"
