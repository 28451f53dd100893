#!/usr/bin/env python3
"""Counts passed, failed and skipped cases in Meson's testlog.json.

A test program with several cases reports them in one of two ways: TAP lines (cmocka), or a closing line
"N passed, N failed, N skipped" (lit, heddle run, the Python drivers). A program that prints neither
counts as failed, whatever its exit status, because it may have run nothing. One that fails
without naming a failed case (a crash, a time-out) counts as one additional failure.
"""
import json
import re
import sys

CLOSING = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")
TAP = re.compile(r"^(not )?ok\b(?: \d+)?(?:[^#\n]*)(#\s*skip)?", re.I)
PLAN = re.compile(r"^1\.\.(\d+)")


def count_output(text):
    """Returns the counts in a test's output, or None if it reports no cases."""
    closing = None
    tap, planned = [0, 0, 0], 0
    for line in text.splitlines():
        m = CLOSING.match(line)
        if m:
            closing = [int(m.group(1)), int(m.group(2)), int(m.group(3) or 0)]
        m = PLAN.match(line)
        if m:
            planned += int(m.group(1))
        m = TAP.match(line)
        if m:
            tap[1 if m.group(1) else 2 if m.group(2) else 0] += 1
    if closing:
        return closing
    if planned:
        tap[1] += max(0, planned - sum(tap))
        return tap
    return None


def count_test(test):
    result = test["result"]
    ok = result in ("OK", "EXPECTEDFAIL")
    counts = count_output(test.get("stdout") or "")
    if result == "SKIP":
        return counts or [0, 0, 1]
    if counts is None or not sum(counts):
        return [0, 1, 0]
    if not ok and not counts[1]:
        counts[1] = 1
    return counts


def silent_tests(path):
    """Names of tests that passed and printed nothing at all. Meson 1.0 sometimes loses the
    output of a test; running the test again shows whether it is really silent."""
    try:
        lines = open(path, encoding="utf-8", errors="replace").read().splitlines()
    except OSError:
        return []
    tests = [json.loads(line) for line in lines]
    return [t["name"] for t in tests if t["result"] == "OK" and not (t.get("stdout") or "").strip()]


def count_log(path, without=()):
    """Returns ([passed, failed, skipped], names of the failed tests), without the tests named in `without`."""
    total, failed = [0, 0, 0], []
    try:
        lines = open(path, encoding="utf-8", errors="replace").read().splitlines()
    except OSError:
        return [0, 1, 0], ["no test log"]
    for line in lines:
        test = json.loads(line)
        if test["name"] in without:
            continue
        counts = count_test(test)
        total = [x + y for x, y in zip(total, counts)]
        if counts[1]:
            failed.append(test["name"] + ("" if count_output(test.get("stdout") or "") else " (printed no counts)"))
    return total, failed


def main():
    counts, failed = count_log(sys.argv[1])
    for name in failed:
        print("FAIL", name)
    print("%d passed, %d failed, %d skipped" % tuple(counts))
    return 1 if counts[1] else 0


if __name__ == "__main__":
    sys.exit(main())
