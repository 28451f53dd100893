"""Reads graphs in graphviz's language from standard input, as far as Heddle writes it, and prints what they contain. Fails if the
text is not such a graph, or if an arrow leads from or to a box that does not exist. Graphviz's own dot, where it is installed, must
accept the text too.
"""
import re
import shutil
import subprocess
import sys

STRING = r'"(?:[^"\\\n]|\\["\\l])*"'
HEAD = re.compile(rf"digraph ({STRING}) \{{")
DEFAULT = re.compile(r"    (node|edge) \[[^\]]*\];")
BOX = re.compile(rf"    b(\d+) \[label=({STRING})\];")
ARROW = re.compile(rf"    b(\d+) -> b(\d+)(?: \[((?:\w+=(?:\w+|{STRING})(?:, )?)+)\])?;")

text = sys.stdin.read()
boxes, arrows, back, graphs, is_open = {}, [], 0, 0, False
for number, line in enumerate(text.split("\n")[:-1], 1):
    if not is_open and HEAD.fullmatch(line):
        boxes, arrows, is_open, graphs = {}, [], True, graphs + 1
    elif is_open and line == "}":
        is_open = False
        for a, b in arrows:
            assert a in boxes and b in boxes, f"an arrow {a} -> {b}, but no such box"
        print(f"{len(boxes)} boxes, {len(arrows)} arrows, {back} back")
    elif is_open and BOX.fullmatch(line):
        name = BOX.fullmatch(line).group(1)
        assert name not in boxes, f"line {number}: a second box {name}"
        boxes[name] = line
    elif is_open and ARROW.fullmatch(line):
        arrows.append(ARROW.fullmatch(line).group(1, 2))
        back += "class=back" in line
    else:
        assert is_open and DEFAULT.fullmatch(line), f"line {number}: {line}"
assert graphs and not is_open, "there is no graph, or it does not end"
if shutil.which("dot"):
    subprocess.run(["dot", "-Tplain", "-o", "/dev/null"], input=text.encode(), check=True)
