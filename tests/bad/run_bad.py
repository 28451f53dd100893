#!/usr/bin/env python3
"""Runs wrong inputs: each row of src/base/errors.def, and each error of the program itself, must be triggered by a case.

The cases are in *.cases in this folder. A case begins with a line

    == ERROR_NAME EXTENSION heddle-arguments with {in} for the input, {root} for the project

and its input follows, up to the next case. The input is text; after `!hex`, bytes in hexadecimal; after `!python`, the
output of a Python program, or the bytes in its variable `data`. The program must exit with 1 (2 for errors of the
command line) and print the error's name in brackets. A line `== ERROR_NAME in FILE: why` means that a test in another
file triggers the row, because no command line does; that file must contain ERR_ERROR_NAME (or the name in quotes).
These rows are printed.

The last line is "N passed, N failed, N skipped".
"""
import argparse
import concurrent.futures
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # cases import from this folder
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


class Case:
    def __init__(self, file, line, head):
        self.where = f"{os.path.basename(file)}:{line}"
        self.name, self.kind, self.arguments = (head.split(None, 2) + ["", ""])[:3]
        self.body = []

    def input(self):
        text = "\n".join(self.body) + "\n"
        if self.body and self.body[0].startswith("!hex"):
            return bytes.fromhex("".join(line.split("//")[0] for line in self.body[1:]))
        if self.body and self.body[0] == "!python":
            out, names = io.StringIO(), {}
            with contextlib.redirect_stdout(out):
                exec("\n".join(self.body[1:]), names)
            return names.get("data", out.getvalue().encode())
        return text.encode()


def read_cases():
    cases = []
    for name in sorted(os.listdir(HERE)):
        if not name.endswith(".cases"):
            continue
        path = os.path.join(HERE, name)
        for i, line in enumerate(open(path, encoding="utf-8").read().split("\n")):
            if line.startswith("== "):
                cases.append(Case(path, i + 1, line[3:]))
            elif cases and not line.startswith("# --"):
                cases[-1].body.append(line)
    return cases


def check_elsewhere(case):
    file, _, why = case.arguments.partition(":")
    path = os.path.join(ROOT, file.strip())
    if not why.strip():
        return "why no command line meets the row is not said"
    if not os.path.exists(path):
        return f"there is no {path}"
    if not re.search(rf'ERR_{case.name}\b|"{case.name}"', open(path, encoding="utf-8").read()):
        return f"{file} does not name it"
    return None


def check_run(case, heddle, folder, number):
    path = os.path.join(folder, f"case{number}.{case.kind}")
    with open(path, "wb") as f:
        f.write(case.input())
    command = [heddle] + [a.replace("{in}", path).replace("{root}", ROOT) for a in case.arguments.split()]
    try:
        ran = subprocess.run(command, capture_output=True, timeout=60, cwd=folder)
    except subprocess.TimeoutExpired:
        return "timed out"
    wanted = 2 if case.name in ("API_BAD_ARGUMENT", "API_UNKNOWN_TARGET", "API_AMBIGUOUS_TARGET", "API_LAYOUT", "USAGE") else 1
    err = ran.stderr.decode(errors="replace") + ran.stdout.decode(errors="replace")
    if ran.returncode != wanted:
        return f"exit code {ran.returncode}, {wanted} wanted: {err.strip()[-300:]}"
    if f"[{case.name}]" not in err:
        return f"[{case.name}] wanted, got: {err.strip()[-300:]}"
    return None


def rows():
    text = open(os.path.join(ROOT, "src/base/errors.def"), encoding="utf-8").read()
    return re.findall(r"^ERR\((\w+),", text, re.M) + tool_errors()


def tool_errors():
    """The names that the program gives to its own errors: the constants in calls of these functions."""
    names = {"USAGE"}
    folder = os.path.join(ROOT, "tools/heddle")
    for file in os.listdir(folder):
        if file.endswith(".c"):
            text = open(os.path.join(folder, file), encoding="utf-8").read()
            names.update(re.findall(r'(?:cli_error|frontend_say)\([^;"]*"([A-Z_]+)"', text))
            names.update(re.findall(r' \[([A-Z_]+)\](?:\\n)?"', text))
            for both in re.findall(r'error_name = [^;]*"([A-Z_]+)" : "([A-Z_]+)"', text):
                names.update(both)
    return sorted(names)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--heddle", required=True)
    p.add_argument("only", nargs="?", help="run the cases of this error only")
    a = p.parse_args()
    cases, known = read_cases(), set(rows())
    heddle = os.path.abspath(a.heddle)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        def check(numbered):
            number, case = numbered
            if case.name not in known:
                return "no error has this name"
            if case.kind == "in":
                return check_elsewhere(case)
            return check_run(case, heddle, folder, number)
        chosen = [c for c in cases if not a.only or c.name == a.only]
        for case, problem in zip(chosen, pool.map(check, enumerate(chosen))):
            passed += problem is None
            failed += problem is not None
            if problem:
                print(f"FAIL {case.where} {case.name}: {problem}")
    for name in sorted(known - {c.name for c in cases}):
        if not a.only:
            print(f"FAIL errors.def {name}: no case meets this row")
            failed += 1
    for case in cases:
        if case.kind == "in" and not {c.kind for c in cases if c.name == case.name} - {"in"}:
            print(f"met by unit tests alone: {case.name} ({case.arguments.strip()})")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
