#!/usr/bin/env python3
"""Vectors of TeraScale's instructions: words give their text and texts their words; every row of the table has vectors in every generation
that has it; texts that must fail do, with the message that must_fail.txt says."""
import argparse
import os
import subprocess
import sys

CHIPS = ["rv670", "rv770", "cypress", "cayman"]  # one of each generation


def run(tool, *arguments, lines=()):
    text = "".join(line + "\n" for line in lines)
    return subprocess.run([tool, *arguments], input=text, capture_output=True, text=True, check=True).stdout.splitlines()


def read_vectors(path):
    with open(path, encoding="utf-8") as f:
        return [line.rstrip("\n").split("  ", 1) for line in f if not line.startswith("#")]


def check_chip(tool, chip, vectors, rows):
    """Returns the errors."""
    words, texts = [w for w, _ in vectors], [t for _, t in vectors]
    errors = []
    for (word, text), got in zip(vectors, run(tool, "text", chip, lines=words), strict=True):
        if got != text:
            errors.append(f"{chip}: {word} is '{got}', not '{text}'")
    for (word, text), got in zip(vectors, run(tool, "words", chip, lines=texts), strict=True):
        if got != word.split(" ", 1)[1]:
            errors.append(f"{chip}: '{text}' is {got}, not {word}")
    found = set(run(tool, "row", chip, lines=words))
    for row in rows:
        name, fmt, *chips = row.split()
        if chip in chips and f"{name} {fmt}" not in found:
            errors.append(f"{chip}: {name} ({fmt}) has no vector")
    return errors


def check_failures(tool, path):
    """Lines: chip, the text, and behind ' // ' what the message contains."""
    errors = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("#") or not line.strip():
                continue
            chip, rest = line.rstrip("\n").split(" ", 1)
            text, message = rest.rsplit(" // ", 1)
            got = run(tool, "words", chip, lines=[text])[0]
            if not got.startswith("!") or message not in got:
                errors.append(f"{chip}: '{text}' gives {got}, not a message with '{message}'")
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True)
    options = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    rows = run(options.tool, "rows")
    errors, n = [], 0
    for chip in CHIPS:
        vectors = read_vectors(os.path.join(here, "vectors", f"{chip}.txt"))
        n += len(vectors)
        errors += check_chip(options.tool, chip, vectors, rows)
    errors += check_failures(options.tool, os.path.join(here, "must_fail.txt"))
    print("\n".join(errors[:50]))
    print(f"{n - len(errors)} passed, {len(errors)} failed, 0 skipped")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
