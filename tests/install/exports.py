#!/usr/bin/env python3
"""The installed libraries export the functions that their header declares, and nothing else.

A driver links the library beside code with names of its own: a static library that shows its inner functions breaks that
link, or takes the other code's functions for its own.
"""
import argparse
import re
import subprocess
import sys


def declared(header):
    """The functions that a header marks with HEDDLE_API."""
    return set(re.findall(r"\bHEDDLE_API\b[^;()]*?\b(heddle_\w+)\(", header))


def exported(nm, library):
    """The names that other objects can link to."""
    how = ["-D"] if ".so" in library else []
    text = subprocess.run([nm, *how, "--defined-only", "-g", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in text.splitlines() if len(line.split()) == 3}


def check(nm, library, names):
    """Prints what differs; returns True if nothing does."""
    found = exported(nm, library)
    for name in sorted(found - names):
        print(f"{library}: exports {name}, which the header does not declare")
    for name in sorted(names - found):
        print(f"{library}: does not export {name}, which the header declares")
    return found == names and len(names) > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--header", action="append", required=True)
    parser.add_argument("libraries", nargs="+")
    args = parser.parse_args()
    names = set()
    for header in args.header:
        with open(header, encoding="utf-8") as f:
            names |= declared(f.read())
    passed = [check(args.nm, library, names) for library in args.libraries]
    print(f"{sum(passed)} passed, {len(passed) - sum(passed)} failed, 0 skipped")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
