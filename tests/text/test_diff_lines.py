#!/usr/bin/env python3
"""The diff of --print-changed: patch must make the new text of the old one, on random edits of random texts.

    test_diff_lines.py --program PROGRAM [--seed N]

Also checks that few edits give a small diff, that large texts without a common line take no quadratic time, and that
lines around changes are at most three. The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
import time


def edit(draw, lines, edits, words):
    lines = list(lines)
    for _ in range(edits):
        at = draw.randrange(len(lines) + 1)
        kind = draw.randrange(4)
        if kind == 0:
            lines.insert(at, draw.choice(words))
        elif kind == 1 and lines:
            del lines[min(at, len(lines) - 1)]
        elif kind == 2 and lines:
            lines[min(at, len(lines) - 1)] = draw.choice(words)
        elif lines:  # a block moves
            end = min(len(lines), at + draw.randrange(1, 9))
            block = lines[at:end]
            del lines[at:end]
            to = draw.randrange(len(lines) + 1)
            lines[to:to] = block
    return lines


def run(program, folder, old, new):
    paths = [os.path.join(folder, name) for name in ("old", "new", "patched")]
    for path, lines in zip(paths, (old, new)):
        with open(path, "w", encoding="utf-8") as f:
            f.write("".join(line + "\n" for line in lines))
    return paths, subprocess.run([program, *paths[:2]], capture_output=True, text=True, timeout=60)


def check(program, folder, old, new):
    """Returns None, or what is wrong."""
    paths, ran = run(program, folder, old, new)
    if ran.returncode != (old != new):
        return f"exit code {ran.returncode}: {ran.stderr}"
    if old == new:
        return "output for equal texts" if ran.stdout else None
    patched = subprocess.run(["patch", "-s", "-F0", "-o", paths[2], paths[0]], input=ran.stdout, capture_output=True, text=True)
    with open(paths[2], encoding="utf-8") as f:
        result = f.read().splitlines()
    return None if patched.returncode == 0 and result == new else f"the patch fails: {patched.stdout}{patched.stderr}"


def small(program, folder, draw):
    """One edit in the midst of 500 lines gives at most 2 changed lines and 6 others."""
    old = [f"line {i % 40} {draw.randrange(30)}" for i in range(500)]
    new = list(old)
    new[draw.randrange(500)] = "other"
    lines = run(program, folder, old, new)[1].stdout.splitlines()
    return None if len(lines) <= 2 + 1 + 2 + 6 else f"one edit gives {len(lines)} lines"


def large(program, folder, draw):
    """50000 lines of which all differ, or are the same few in another order."""
    start = time.process_time()
    n = 50000
    for old, new in (([f"a{i}" for i in range(n)], [f"b{i}" for i in range(n)]),
                     ([f"a{draw.randrange(9)}" for _ in range(n)], [f"a{draw.randrange(9)}" for _ in range(n)])):
        before = os.times().children_user
        run(program, folder, old, new)
        if os.times().children_user - before > 10:
            return f"{n} lines take {os.times().children_user - before} s"
    return None if time.process_time() - start < 60 else "slow"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    draw = random.Random(args.seed)
    wrong, done = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(120):
            words = [f"w{i}" for i in range(draw.choice((1, 2, 5, 30, 1000)))]
            old = [draw.choice(words) for _ in range(draw.choice((0, 1, 5, 40, 400)))]
            new = edit(draw, old, draw.choice((0, 1, 3, 20, 500)), words)
            said = check(args.program, folder, old, new)
            wrong += [f"case {k}: {said}"] if said else []
            done += 1
        for test in (small, large):
            said = test(args.program, folder, draw)
            wrong += [f"{test.__name__}: {said}"] if said else []
            done += 1
    for line in wrong[:10]:
        print("not ok:", line)
    print(f"{done - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
