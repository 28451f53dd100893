#!/usr/bin/env python3
"""Makes the man page from docs/man/heddle.1.in and the program's own descriptions of its commands.

    man.py HEDDLE TEMPLATE OUT
"""
import re
import subprocess
import sys


def ask(heddle, *args):
    return subprocess.run([heddle, *args], capture_output=True, text=True, check=True).stdout


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in text.split("\n"))


def command(heddle, name):
    head, *rest = ask(heddle, "help", name).rstrip("\n").split("\n")
    body, options = "\n".join(rest), ""
    if "\noptions:\n" in body:
        body, options = body.split("\noptions:\n")
    usage = re.search(r"usage: (.*)", body).group(1)
    text = re.sub(r"\n*usage: .*\n*", "", body).strip()
    out = [f".SS {escape(usage)}", escape(head.split(": ", 1)[1] + ".")]
    if text:
        out += [".PP", ".nf", escape(text), ".fi"]
    for m in re.finditer(r"^ {2,6}(-\S.*?)(?:\s{2,}|\n\s+)(\S.*)$", options, re.M):
        out += [".TP", f".B {escape(m.group(1))}", escape(m.group(2))]
    return "\n".join(out)


def main():
    heddle, template, out = sys.argv[1:]
    names = re.findall(r"^  (\w+) ", ask(heddle, "help").split("commands:")[1], re.M)
    version = ask(heddle, "version").split()[1]
    page = open(template, encoding="utf-8").read().replace("@VERSION@", version)
    page = page.replace("@COMMANDS@", "\n".join(command(heddle, n) for n in names))
    open(out, "w", encoding="utf-8").write(page)


if __name__ == "__main__":
    main()
