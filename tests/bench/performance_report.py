"""Writes the text of docs/performance.md from the measurements of compare_anchor.py."""
import math
import os
import re

import kernels

# name of the measure, title, whether more is better
CODE = [("instructions", "instructions", False), ("bytes", "code bytes", False), ("vgprs", "VGPRs", False), ("copies", "copies", False), ("waves", "waves", True),
        ("latency", "latency", False), ("inv_throughput", "inverse throughput", False), ("waits", "waits", False)]
SUMS = ("copies", "waits")  # often 0: their ratio is of sums
RUN = ("executed", "cycles")
TIMES = [("time", "time, ms"), ("cpu", "CPU time, ms")]
APPLICATIONS = ("granite/", "saschawillems", "vulkan-samples", "dxvk/", "niagara/", "graphicsfuzz/")
EACH = "gfx1030"  # the target whose shaders are listed one by one
REASON_OVER = 1.25
REASONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reasons.tsv")


def is_application(name):
    return any(part in name for part in APPLICATIONS)


def ratio(pair):
    return pair[0] / pair[1] if pair[0] and pair[1] else None


def geometric_mean(rows, measure):
    logs = [math.log(r) for r in (ratio(m[measure]) for m in rows.values() if measure in m) if r]
    return f"{math.exp(sum(logs) / len(logs)):.3f}" if logs else "-"


def sums_ratio(rows, measure):
    ours, theirs = (sum(m[measure][k] for m in rows.values() if measure in m) for k in (0, 1))
    return f"{ours / theirs:.3f}" if theirs else "-"


def table(head, lines):
    out = ["| " + " | ".join(head) + " |", "|" + " --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(out + ["| " + " | ".join(map(str, line)) + " |" for line in lines])


def chosen(rows, applications):
    return {name: m for name, m in rows.items() if is_application(name) == applications}


def code_lines(report, applications):
    """A line for each target and driver: number of shaders, the mean of each measure's ratios, what is executed."""
    for target, drivers in report["code"].items():
        for title, all_rows in drivers.items():
            rows = chosen(all_rows, applications)
            ran = chosen(report["run"].get(target, {}).get(title, {}), applications)
            if not rows:
                continue
            over = sum((ratio(m["instructions"]) or 0) > REASON_OVER for m in rows.values())
            cells = [sums_ratio(rows, name) if name in SUMS else geometric_mean(rows, name) for name, _, _ in CODE]
            run = [of(ran, measure) if ran else "-" for measure in RUN for of in (geometric_mean, sums_ratio)]
            yield [f"{target}, {title}", len(rows), *cells, over, *run, len(ran)]


def time_lines(report):
    for title, rows in report["time"].items():
        for name, what in TIMES:
            ratios = [r for r in (ratio(m[name]) for m in rows.values()) if r]
            if ratios:
                ours, theirs = (sum(m[name][k] for m in rows.values()) for k in (0, 1))
                yield [f"{what}, {title}", len(ratios), geometric_mean(rows, name), f"{min(ratios):.2f}", f"{max(ratios):.2f}",
                       f"{ours:.1f}", f"{theirs:.1f}", f"{ours / theirs:.3f}"]


def intro(report):
    head = report["head"]
    without = f"\n- without the newest driver: {report['without']}" if report["without"] else ""
    return f"""# Performance

Heddle beside RADV's compiler ACO on the same SPIR-V. Written by `make bench`; do not edit.

- date: {head["date"]}
- machine: {head["machine"]}
- commit: {head["commit"]}
- theirs: {" and ".join(report["versions"])}, on chips that are not there
  (`tests/bench/anchors.py`){without}

The shaders are the compute shaders of the corpus (`glsl`, `spvasm`; ray tracing aside). A ratio is ours / theirs: below 1 is better than
ACO, but for waves. Both compile for the wave size that the newest driver chooses for the chip.

- VGPRs are those allocated. Waves are those that fit on a SIMD. Copies are moves that the allocator of registers adds; their ratio is of sums,
  and that of waits.
- Latency and inverse throughput are cycles by our own model of one wave ([machine-model.md](machine-model.md)), of both codes: theirs is read
  from the words of the driver's listing.
- Executed: instructions that all waves execute on the same inputs with equal results. `tests/real` makes the inputs; RADV's code is
  launched by RADV itself on the software Radeon (`heddle gpu`). Shaders that the harness leaves out are not counted, nor
  those for which Debian 12's driver would choose another wave size.
- Cycles: the time of those executions by the same model, of both codes alike: each wave alone, with the branches that it takes and the
  lines that it touches, shared among the waves that its code's registers and LDS let a SIMD hold, or the busiest unit's cycles if these are more.
  The dispatches are small, so it is mostly how long waves wait.
- Time is the median wall time of one compile: the library call alone, from SPIR-V words to finished code; theirs is
  `vkCreateComputePipelines`, without caches.
"""


def kept_section(old, mark, heading=""):
    """Returns the section that another program wrote into the old report, with its marks, or nothing."""
    begin, end = f"<!-- {mark} -->", f"<!-- /{mark} -->"
    return ["\n" + heading + old[old.index(begin):old.index(end) + len(end)]] if begin in old and end in old else []


def reasons():
    """Returns {shader: why it has many more instructions than theirs} from reasons.tsv."""
    with open(REASONS, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if line.strip() and not line.startswith("#")]
    return dict(rows)


def find_over(report):
    """Returns {shader: where it has more than REASON_OVER times the instructions of a driver's code}: the newest driver's, and if the shader is an
    application's, an older one's."""
    over = {}
    for target, drivers in report["code"].items():
        for k, (title, rows) in enumerate(drivers.items()):
            for name, m in rows.items():
                r = ratio(m["instructions"]) or 0
                if r > REASON_OVER and (k == 0 or is_application(name)):
                    over.setdefault(name, []).append(f"{target} {r:.2f}" + (f" ({title})" if k else ""))
    return over


def over_section(report):
    """The shaders that have more than REASON_OVER times the instructions of a driver's code on some target, with the reason."""
    over = find_over(report)
    if not over:
        return []
    known = reasons()
    lines = [[f"`{name}`", ", ".join(where), known.get(name, "not looked into")] for name, where in sorted(over.items())]
    return [f"\n## Over {REASON_OVER}\n\nInstructions beside the newest driver's code, applications' also beside an older one's, and why they are more "
            "(`tests/bench/reasons.tsv`).\n",
            "\n".join(["| shader | ours / theirs | reason |", "| --- | --- | --- |"] + ["| " + " | ".join(line) + " |" for line in lines])]


def each_shader(report):
    """A line for each shader on the target EACH, beside the newest driver that was measured."""
    drivers = report["code"].get(EACH, {})
    if not drivers:
        return []
    title = list(drivers)[0]
    times = report["time"].get(title, {})
    ran = report["run"].get(EACH, {}).get(title, {})
    columns = [("instructions", drivers[title]), ("bytes", drivers[title]), ("vgprs", drivers[title]), ("waves", drivers[title]),
               ("latency", drivers[title]), ("executed", ran), ("cycles", ran), ("time", times)]
    lines = []
    for name in drivers[title]:
        cells = [f"`{name}`"]
        for measure, rows in columns:
            ours, theirs = rows.get(name, {}).get(measure, ("", ""))
            r = ratio((ours, theirs)) if ours != "" else None
            digits = 3 if measure == "time" else 0
            cells += [f"{ours:.{digits}f} / {theirs:.{digits}f}" if ours != "" else "-", f"{r:.2f}" if r else "-"]
        lines.append(cells)
    head = ["shader"]
    for measure, _ in columns:
        head += [measure, "ratio"]
    return [f"\n## Each shader\n\n{EACH} beside {title} driver, ours / theirs.\n", table(head, lines)]


def time_section(report):
    head = ["", "shaders", "geometric mean", "least", "greatest", "sum, ours", "sum, theirs", "of sums"]
    return ["## Time\n", *report.get("note", []), table(head, time_lines(report))]


def replace_time(report, old):
    """The old report with this time section, which says that it is of its own."""
    head = report["head"]
    note = f"Measured apart from the rest on {head['commit']}, {head['date']}, beside {' and '.join(report['versions'])}.\n"
    return re.sub(r"## Time\n.*?(?=\n## )", lambda _: "\n".join(time_section({**report, "note": [note]})) + "\n", old, count=1, flags=re.S)


def write(report, old=""):
    titles = ["", "shaders", *(title for _, title, _ in CODE), f"over {REASON_OVER}", *(title for measure in RUN for title in (measure, "of sums")), "shaders run"]
    parts = [intro(report)]
    for heading, applications in (("Code: applications' shaders", True), ("Code: test suites' shaders", False)):
        parts += [f"## {heading}\n", table(titles, code_lines(report, applications)), ""]
        parts += kept_section(old, "applications", "### What costs it\n\n") + [""] if applications else []
    if report["time"]:
        parts += time_section(report)
    if report["kernels"]:
        parts += ["", kernels.section(report["kernels"])]
    parts += over_section(report)
    parts += kept_section(old, "growth")
    parts += kept_section(old, "scripts", "## Scripts and programs, executed\n\n")
    parts += kept_section(old, "graphics", "## Vertex and fragment shaders\n\n")
    parts += kept_section(old, "terascale", "## TeraScale: bytecode beside r600-sb\n\n")
    parts += each_shader(report)
    if report["refused"]:
        lines = [[f"`{name}`", *((why or "compiles").replace("|", "\\|") for why in both)] for name, both in sorted(report["refused"].items())]
        parts += ["\n## Refused by one\n", table(["shader", "Heddle", "RADV"], lines)]
    return "\n".join(parts) + "\n"
