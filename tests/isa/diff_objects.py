#!/usr/bin/env python3
"""Compares listings of whole code objects with LLVM's, and checks that assembling them gives the object again.

    diff_objects.py --heddle HEDDLE [--list | --again] OBJECT...

--list: `heddle disasm` and `llvm-objdump -d -z` must agree on every word of .text (address, bytes, text) and on the functions'
addresses. Our branches name a label, LLVM's a distance, which must lead to that label. We print a word as `.long` if our assembler
would not give the same bytes for its text (the text is in the line above), and runs of a word as `.fill`; the words they stand for
are compared. LLVM 19 cannot disassemble gfx6 and gfx7.

--again: llvm-mc and ld.lld must turn the output of `heddle disasm --object` into the same object: the same bytes in memory at the
same addresses, and the same flags. `heddle asm` has its own memory layout; `heddle disasm --object` of its object must give the same
text. Two exceptions: clang writes the number of SGPRs into descriptors of gfx10 and later, where it is ignored and both assemblers
write 0; and the notes of several linked objects become one, which moves what follows, so that only the texts are compared.

Relocatable objects are linked by Heddle when it reads them. Their listing is LLVM's of .text, moved to another address, except in words
that relocations change; assembling their text must give the same text again.

Without options both are done. The last line is "N passed, N failed, N skipped"; each object is a case.
"""
import argparse
import os
import re
import struct
import subprocess
import sys
import tempfile

import llvm

LINE = re.compile(r"^\t(.*?)\s*// ([0-9A-F]{12}): ((?:[0-9A-F]{8} ?)+)")
FILL = re.compile(r"^\t\.fill (\d+), 4, 0x([0-9a-f]{8})")
LABEL = re.compile(r"^([^\s/][^:]*):$")
BEGIN = re.compile(r"^([0-9a-f]{16}) <(.*)>:$")
BRANCH = re.compile(r"^(s_c?branch\S*|s_call_b64 \S+|s_subvector\S* \S+|s_cbranch_i_fork \S+) (\S+)$")


def run(*command):
    ran = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if ran.returncode:
        raise RuntimeError(f"{os.path.basename(command[0])} ends with {ran.returncode}: {ran.stderr.strip()[:300]}")
    return ran.stdout


class Listing:
    """lines: {address: (text, words)}; labels: {name: address}."""

    def __init__(self):
        self.lines, self.labels = {}, {}

    def add(self, at, text, words):
        self.lines[at] = (text, words)
        return at + 4 * len(words)


def theirs(text):
    out = Listing()
    for line in text.splitlines():
        m, begin = LINE.match(line), BEGIN.match(line)
        if m:
            out.add(int(m[2], 16), m[1], m[3].split())
        elif begin:
            out.labels[begin[2]] = int(begin[1], 16)
    return out


class OurReader:
    """Reads our listing. Labels and runs of a word get their address from the line before, at the beginning from the line after."""

    def __init__(self):
        self.out, self.at, self.names, self.waiting = Listing(), None, [], []

    def place_names(self):
        self.out.labels.update((name, self.at) for name in self.names)
        self.names = []

    def run_of(self, n, word):
        self.place_names()
        for _ in range(n):
            self.at = self.out.add(self.at, None, [word])

    def instruction(self, here, text, words):
        if self.at is None:
            self.at = here - 4 * sum(n for n, _ in self.waiting)
            for n, word in self.waiting:
                self.run_of(n, word)
        self.at = here
        self.place_names()
        self.at = self.out.add(here, text, words)

    def other(self, line):
        fill, label = FILL.match(line), LABEL.match(line)
        if fill and self.at is None:
            self.waiting.append((int(fill[1]), fill[2].upper()))
        elif fill:
            self.run_of(int(fill[1]), fill[2].upper())
        elif label:
            self.names.append(label[1])


def ours(text):
    reader, above = OurReader(), ""
    for line in text.splitlines():
        m = LINE.match(line)
        if m:
            means = above[3:] if m[1].startswith(".long") and above.startswith("// ") else m[1]
            reader.instruction(int(m[2], 16), means, m[3].split())
        elif line:
            reader.other(line)
        above = line
    return reader.out


def branch_target(at, distance):
    """The target of a distance in LLVM's text."""
    return at + 4 + 4 * ((int(distance, 0) + 0x8000) % 0x10000 - 0x8000)


def agree(our, their, at):
    """Do the listings agree on the word at `at`?"""
    a, b = our.lines.get(at), their.lines.get(at)
    if not a or not b or a[1] != b[1]:
        return False
    if a[0] is None or a[0] == b[0]:
        return True
    x, y = BRANCH.match(a[0]), BRANCH.match(b[0])
    return bool(x and y and x[1] == y[1] and our.labels.get(x[2]) == branch_target(at, y[2]))


def is_relocatable(path):
    with open(path, "rb") as f:
        return f.read(18)[16:] == b"\1\0"


def relocated(path):
    """The offsets in .text of the words that relocations change."""
    with open(path, "rb") as f:
        data = f.read()
    (at,) = struct.unpack_from("<Q", data, 0x28)
    size, n, names = struct.unpack_from("<HHH", data, 0x3A)
    rows = [struct.unpack_from("<IIQQQQIIQQ", data, at + i * size) for i in range(n)]
    out = set()
    for row in rows:
        to = rows[row[7]][0] if row[1] == 4 else 0  # SHT_RELA
        if to and data[rows[names][4] + to:].startswith(b".text\0"):
            out |= {struct.unpack_from("<Q", data, row[4] + k)[0] for k in range(0, row[5], 24)}
    return out


def agree_unlinked(our, their, at, base, changed):
    """The same for a word at `at` of an object that is not linked; ours is `base` bytes higher."""
    a, b = our.lines.get(at + base), their.lines.get(at)
    if not a or not b or len(a[1]) != len(b[1]):
        return False
    if any(x != y and at + 4 * k not in changed for k, (x, y) in enumerate(zip(a[1], b[1]))):
        return False
    if a[1] != b[1] and a[0]:
        return a[0].split()[:-1] == b[0].split()[:-1]  # the literal is the last operand
    x, y = (BRANCH.match(text[0]) if text[0] else None for text in (a, b))
    return a[0] in (None, b[0]) or bool(x and y and x[1] == y[1] and our.labels.get(x[2], 0) - base == branch_target(at, y[2]))


def compare_unlinked(args, path, head):
    """As compare, for an object that is not linked."""
    if head.target.startswith(("gfx6", "gfx7")):
        return [], 0
    our = ours(run(args.heddle, "disasm", path))
    their = theirs(run(args.mc.replace("llvm-mc", "llvm-objdump"), "-d", "-z", "-j", ".text", *head.wave64("--mattr"), path))
    first = min(their.labels, key=their.labels.get)
    base, changed = our.labels[first] - their.labels[first], relocated(path)
    wrong = [f"0x{at:x}: LLVM {their.lines.get(at)}, ours {our.lines.get(at + base)}"
             for at in sorted(their.lines) if not agree_unlinked(our, their, at, base, changed)]
    wrong += [f"LLVM has {name} at 0x{at:x}, we have it at {our.labels.get(name)}" for name, at in their.labels.items()
              if our.labels.get(name) != at + base]
    return wrong, len(their.lines)


def compare(args, path, head):
    """Returns the differences between the listings, and the number of lines."""
    if is_relocatable(path):
        return compare_unlinked(args, path, head)
    if head.target.startswith(("gfx6", "gfx7")):
        return [], 0
    our = ours(run(args.heddle, "disasm", path))
    their = theirs(run(args.mc.replace("llvm-mc", "llvm-objdump"), "-d", "-z", *head.wave64("--mattr"), path))
    wrong = [f"0x{at:x}: LLVM {their.lines.get(at)}, ours {our.lines.get(at)}"
             for at in sorted(set(our.lines) | set(their.lines)) if not agree(our, their, at)]
    wrong += [f"LLVM has {name} at 0x{at:x}, we have it at {our.labels.get(name)}" for name, at in their.labels.items()
              if our.labels.get(name) != at]
    return wrong, len(their.lines)


class Head:
    """An object's target and wave size."""

    def __init__(self, heddle, path):
        m = re.search(r"^// .*: target (\w+), \w+, wave(\d+)", run(heddle, "disasm", path), flags=re.M)
        self.target, self.wave = m[1], m[2]

    def wave64(self, option):
        return [option + "=+wavefrontsize64"] if self.wave == "64" and self.target.startswith("gfx1") else []


def loaded(path):
    """Returns {name: (address, size, bytes)} of the sections that are loaded; "" has the file's ABI version and flags."""
    with open(path, "rb") as f:
        data = f.read()
    (at,) = struct.unpack_from("<Q", data, 0x28)
    size, n, names = struct.unpack_from("<HHH", data, 0x3A)
    rows = [struct.unpack_from("<IIQQQQIIQQ", data, at + i * size) for i in range(n)]
    out = {"": (data[8], 0, data[0x30:0x34])}
    for name, kind, flags, address, offset, length, *_ in rows:
        name = data[rows[names][4] + name:].split(b"\0")[0].decode()
        if flags & 2:  # SHF_ALLOC
            out[name] = (address, length, b"" if kind == 8 else data[offset:offset + length])
    return out


def notes(content):
    """The number of notes in a section."""
    at, n = 0, 0
    while at < len(content):
        name, description = struct.unpack_from("<II", content, at)
        at += 12 + (name + 3) // 4 * 4 + (description + 3) // 4 * 4
        n += 1
    return n


def without_sgprs(content):
    """Clears the number of SGPRs (in granules) in kernel descriptors of 64 bytes each."""
    out = bytearray(content)
    for at in range(48, len(out), 64):
        out[at] &= 0x3F
        out[at + 1] &= 0xFC
    return bytes(out)


def same_section(head, name, a, b):
    if a and b and name == ".rodata" and head.target.startswith("gfx1"):
        return a[:2] == b[:2] and without_sgprs(a[2]) == without_sgprs(b[2])
    return a == b


def symbolic(text):
    """The text without addresses and bytes."""
    return [line.split(" //")[0].rstrip() for line in text.splitlines()
            if not line.startswith("//") and ".amdhsa_next_free_sgpr" not in line]


def compare_texts(how, first, second):
    wrong = [f"through {how}: '{x}' is '{y}'" for x, y in zip(first, second) if x != y]
    return wrong + [f"through {how} there are {len(second)} lines, not {len(first)}"] * (len(first) != len(second))


def again(args, path, head, folder):
    """Assembles the object's text; returns the differences."""
    source, obj, linked, own = (os.path.join(folder, name) for name in ("text.s", "text.o", "text.co", "own.co"))
    run(args.heddle, "disasm", "--object", path, "-o", source)
    run(args.mc, "-triple=amdgcn-amd-amdhsa", "-mcpu=" + head.target, *head.wave64("-mattr"), "-filetype=obj", source, "-o", obj)
    run(args.lld, "-shared", obj, "-o", linked)
    run(args.heddle, "asm", "--emit", "obj", source, "-o", own)
    with open(source, encoding="utf-8") as f:
        text = symbolic(f.read())
    a, b = loaded(path), loaded(linked)
    if not is_relocatable(path) and notes(a[".note"][2]) == 1:
        wrong = [f"through llvm-mc '{name}' is another" for name in sorted(set(a) | set(b)) if not same_section(head, name, a.get(name), b.get(name))]
    else:
        wrong = compare_texts("llvm-mc", text, symbolic(run(args.heddle, "disasm", "--object", linked)))
    return wrong + compare_texts("heddle asm", text, symbolic(run(args.heddle, "disasm", "--object", own)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--lld", default="ld.lld-19")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("objects", nargs="*")
    args = parser.parse_args()
    args.mc = llvm.find()
    if not args.mc or not args.objects:
        print("skipped: LLVM 19 or clang 19 is not there")
        return 77
    failed = 0
    for path in args.objects:
        wrong, done = [], []
        try:
            head = Head(args.heddle, path)
            if args.list or not args.again:
                wrong, n = compare(args, path, head)
                done.append(f"{n} lines")
            if args.again or not args.list:
                with tempfile.TemporaryDirectory() as folder:
                    wrong += again(args, path, head, folder)
                done.append("assembled again")
        except RuntimeError as e:
            wrong.append(str(e))
        failed += bool(wrong)
        print(f"{'FAIL' if wrong else 'ok  '} {os.path.basename(path)}: {', '.join(done)}, {len(wrong)} differ")
        for line in wrong[:8]:
            print("    ", line)
    print(f"{len(args.objects) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
