#!/usr/bin/env python3
"""Runs the scripts of scripts/. Each contains the verdict that it must get, with a part of the reason:
`# expect PASS`, `# expect FAIL: reason`, `# expect SKIP: reason`. A word in parentheses limits the line to
devices whose names begin with it, or that run in this way: `# expect SKIP (gfx942): reason`, `(hsa)`; the whole name holds before
a way, a way before devices, of these the longest word.

`# environment (vulkan): NAME=VALUE` gives such devices a variable; the script then runs in a process of its own.

The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import re
import sys

import verdicts

HERE = os.path.dirname(os.path.abspath(__file__))


def holds(word, device):
    """Does a line that the word limits hold for the device?"""
    return device.startswith(word) or word in device.split("-")[1:]


def expectation(path, device):
    """Returns the expected (verdict, reason) for the device."""
    found, best = None, (False, False, -1)
    for line in open(path, encoding="utf-8"):
        m = re.match(r"^# expect (PASS|FAIL|SKIP)(?: \(([\w-]+)\))?(?:: (.*))?$", line.rstrip("\n"))
        word = m and m.group(2) or ""
        rank = word == device, word in device.split("-")[1:], len(word)
        if m and holds(word, device) and rank > best:
            found, best = (m.group(1), m.group(3) or ""), rank
    return found


def environment(path, device):
    """Returns the variables that the script asks for on the device."""
    lines = re.findall(r"^# environment \(([\w-]+)\): (\w+)=(\S+)$", open(path, encoding="utf-8").read(), re.M)
    return {name: value for word, name, value in lines if holds(word, device)}


def run_all(heddle, device, folder):
    """The verdicts of all scripts, by name: those without variables by one command."""
    paths = [os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.endswith(".amber")]
    own = {path: environment(path, device) for path in paths}
    found = verdicts.run(heddle, device, [path for path in paths if not own[path]])
    for path in paths:
        found += verdicts.run(heddle, device, [path], environment=own[path]) if own[path] else []
    return sorted(found, key=lambda f: f[1])


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--device", required=True)
    a = p.parse_args()
    folder = os.path.join(HERE, "scripts")
    found = run_all(a.heddle, a.device, folder)
    names = sorted(n for n in os.listdir(folder) if n.endswith(".amber"))
    failed = 0
    if [os.path.basename(f[1]) for f in found] != names:
        print("the report does not name each script once, in order")
        failed += 1
    for verdict, path, reason in found:
        wanted = expectation(path, a.device)
        if wanted is None:
            print(f"{path}: says no expectation")
        elif verdict != wanted[0] or wanted[1] not in reason:
            print(f"{path}: {verdict}: {reason}; expected {wanted[0]}: {wanted[1]}")
        else:
            continue
        failed += 1
    print(f"{len(names) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
