#!/usr/bin/env python3
"""Checks the mechanical rules of docs/style.md over the tracked files.

Each rule is a function that yields findings "path:line: message"; a rule with findings counts as one failed test. Exceptions are in
tools/dev/lint_exceptions.txt, with reasons.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# A layer may include itself and the layers before it (docs/architecture.md).
LAYERS = ["base", "object", "asm", "ir", "spirv", "opt", "cg", "machine", "family", "amd", "adreno", "r600",
          "gpu", "families", "amber", "api"]
BACKENDS = {"amd", "adreno", "r600"}
DEVICES = {"src/gpu/a6xx/": "adreno", "src/gpu/": "amd"}  # files that present a family's hardware -> the family
# The emulator verifies the compiler, so it shares only the decoder and the target table with it.
EMULATOR_MAY = re.compile(r"^(base|object|machine)/|^\w+/(emu|isa|object|registers)/|^\w+/target\.h$")
OBJECT_MAY = re.compile(r"^(base|object)/|^\w+/object/")
ISA_MAY = re.compile(r"^(base|asm)/|^\w+/isa/|^\w+/target\.h$")

# The beginnings of exported names. Each belongs to one layer; a back end has its folder's name and no other.
PREFIXES = {
    "base": ["base_", "arena_", "buf_", "diag_", "map_", "strings_"],
    "object": ["obj_", "elf_", "dwarf_", "pack_", "yaml_"],
    "asm": ["asm_"],
    "ir": ["ir_", "ev_"],
    "spirv": ["spirv_"],
    "opt": ["opt_"],
    "cg": ["cg_"],
    "machine": ["mach_"],
    "family": ["family_"],
    "gpu": ["gpu_"],
    "families": ["families_"],
    "amber": ["amber_"],
    "api": ["heddle_", "api_"],
}
PREFIXES.update((backend, [backend + "_"]) for backend in BACKENDS)

COLUMNS = 100
DEF_COLUMNS = 160  # a row of a table
FILE_LINES = 800
FUNCTION_LINES = 100
NORMAL_FUNCTION_LINES = 60
SHARE_OVER_NORMAL = 0.05
PARAMETERS = 5
COMMITS = 50  # the newest ones; older ones were made before the rule
BODY = 30  # characters

FORBIDDEN = [
    # pattern, where it is allowed, reason
    (r"\b(malloc|calloc|realloc|free|strdup)\s*\(", r"^src/(base|api|gpu/device)/", "memory comes from arenas"),
    (r"\b(abort|exit|_Exit|quick_exit|raise)\s*\(", None, "nothing in src/ ends the process"),
    (r"\bassert\s*\(\s*(0|false|!\s*\")", None, "an assertion states a contract; use diag_fail(ERR_INTERNAL)"),
    (r"\bassert\s*\([^;]*(\+\+|--|[^=!<>]=[^=])[^;]*\)\s*;", None, "an assertion has no side effects"),
    (r"\b(printf|puts|putchar|perror)\s*\(|\bfprintf\s*\(\s*std|\bf?puts\s*\([^;]*\bstd(out|err)\b", None,
     "the library prints nothing; text goes into a base_buf"),
    (r"\b(sprintf|vsprintf|strcpy|strcat|gets|strtok|alloca)\s*\(", None, "unbounded or with hidden state"),
    (r"(?<![.>])\b(getenv|setlocale|rand|srand|time|clock|localtime|setenv)\s*\(", None,
     "output depends on the input alone"),
    (r"(?<![.>])\b(strto(d|f|ld|l|ul|ll|ull|imax|umax)|ato[fil]|atoll|v?[fs]?scanf|is(alnum|alpha|blank|cntrl|digit|graph|"
     r"lower|print|punct|space|upper|xdigit)|to(lower|upper)|str(coll|xfrm|n?casecmp|error|ftime)|(dup|free|new|use)locale|"
     r"localeconv|mb\w*to\w+|wc\w*to\w+)\s*\(|<(ctype|locale|wchar|wctype)\.h>", None,
     "follows the locale of the application; base/number.h reads and prints numbers"),
    (r"__builtin_|__attribute__|__typeof|__extension__|__asm|\b_Thread_local\b", None, "no compiler extensions"),
]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as f:
        return f.read()


def tracked(*patterns):
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "--"] + list(patterns), cwd=ROOT,
                         capture_output=True, text=True)
    return sorted(f for f in set(out.stdout.split("\n")) if f and os.path.exists(os.path.join(ROOT, f)))


def strip_comments(text):
    """Returns the C text with comments and the contents of literals blanked; line numbers stay the same."""
    def blank(m):
        s = m.group(0)
        if s.startswith("/"):
            return re.sub(r"[^\n]", " ", s)
        return s[0] + re.sub(r"[^\n]", "_", s[1:-1]) + s[-1]
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text, flags=re.S)


def exceptions():
    """Returns {(rule, subject)} of lint_exceptions.txt, which has lines `rule subject: reason`."""
    found = set()
    for line in read("tools/dev/lint_exceptions.txt").splitlines():
        m = re.match(r"^(\S+) (\S+): .{15,}", line)
        if m:
            found.add((m.group(1), m.group(2)))
        elif line.strip() and not line.startswith("#"):
            found.add(("malformed", line))
    return found


class Skipped(Exception):
    """Raised if a rule cannot be checked on this machine; the argument says why."""


class Tree:
    """The tracked files, each read once."""

    def __init__(self):
        self.c = tracked("*.c", "*.h")
        self.src = [f for f in self.c if f.startswith("src/")]
        self.text = {f: read(f) for f in self.c}
        self.code = {f: strip_comments(t) for f, t in self.text.items()}
        self.except_ = exceptions()
        self.used = set()

    def excused(self, rule, subject):
        key = (rule, subject)
        if key in self.except_:
            self.used.add(key)
        return key in self.except_


def at(text, position):
    return text.count("\n", 0, position) + 1


def device_of(f):
    return next((family for folder, family in DEVICES.items() if f.startswith(folder)), None)


def rule_layers(t, _):
    for f in t.src:
        layer = f.split("/")[1]
        for m in re.finditer(r'^\s*#\s*include\s+"([^"]+)"', t.text[f], re.M):
            inc, line = m.group(1), at(t.text[f], m.start())
            first = inc.split("/")[0]
            if inc.startswith("heddle/"):
                if layer != "api":
                    yield f"{f}:{line}: only src/api includes the public header"
                continue
            if "/" not in inc or first not in LAYERS:
                yield f'{f}:{line}: include "{inc}" by its path below src/'
                continue
            if LAYERS.index(first) > LAYERS.index(layer):
                yield f"{f}:{line}: {layer} stands above {first} and may not include it"
            if layer == "asm" and first not in ("asm", "base"):
                yield f"{f}:{line}: the assembler's language depends on nothing but base, not {inc}"
            if first in BACKENDS and layer not in BACKENDS and device_of(f) != first:
                yield f"{f}:{line}: only a back end names a family; the others use family/family.h, not {inc}"
            if first in BACKENDS and layer in BACKENDS and first != layer:
                yield f"{f}:{line}: backends do not include each other"
            if re.match(r"src/\w+/emu/", f) and not EMULATOR_MAY.match(inc):
                yield f"{f}:{line}: an emulator shares only the decoder with the compiler, not {inc}"
            if re.match(r"src/\w+/object/", f) and not OBJECT_MAY.match(inc):
                yield f"{f}:{line}: code objects depend on nothing but base and object, not {inc}"
            if re.match(r"src/\w+/isa/", f) and not ISA_MAY.match(inc):
                yield f"{f}:{line}: the instruction set depends on nothing but base and asm, not {inc}"


def rule_families(t, _):
    """The program reaches a back end through its family, as the layers above the back ends do."""
    for f in [f for f in t.c if f.startswith("tools/")]:
        for m in re.finditer(r'^\s*#\s*include\s+"(\w+)/', t.text[f], re.M):
            if m.group(1) in BACKENDS:
                yield f"{f}:{at(t.text[f], m.start())}: only a back end names a family; use family/family.h"


INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def reachable(graph, start):
    """Returns the nodes that are reachable from `start` over at least one edge."""
    found, left = set(), list(graph.get(start, ()))
    while left:
        node = left.pop()
        if node not in found:
            found.add(node)
            left += graph.get(node, ())
    return found


def rule_rooms(t, _):
    """A folder of src/ is a room. No two rooms include each other, directly or through others."""
    graph, where = {}, {}
    for f in t.src + tracked("src/*.def"):
        room, text = os.path.dirname(f), t.text.get(f) or read(f)
        for m in INCLUDE.finditer(text):
            to = os.path.dirname("src/" + m.group(1))
            if to != room and os.path.isdir(os.path.join(ROOT, to)):
                graph.setdefault(room, set()).add(to)
                where.setdefault((room, to), f"{f}:{at(text, m.start())}: includes {m.group(1)}")
    reach = {room: reachable(graph, room) for room in graph}
    for (room, to), line in sorted(where.items()):
        if room in reach.get(to, ()):
            yield f"{line}, but {to[4:]} stands on {room[4:]}"


ROOM_ROW = re.compile(r"^\| \(?`([\w/]+?)/?`(?: itself\))? \|", re.M)


def rule_room_table(t, _):
    """A file includes its own room and rooms further down in the table of docs/architecture.md, which has all rooms of src/amd."""
    page = read("docs/architecture.md")
    part = page[page.index("| room of `src/amd` |"):].split("\n\n")[0]
    order = [row.removeprefix("src/amd") for row in ROOM_ROW.findall(part)]
    for f in [f for f in t.src if f.startswith("src/amd/")]:
        room = os.path.dirname(f)[len("src/amd/"):]
        if room not in order:
            yield f"{f}:1: docs/architecture.md has no row for the room {room}/"
            continue
        for m in INCLUDE.finditer(t.text[f]):
            to = os.path.dirname(m.group(1))[len("amd/"):]
            if m.group(1).startswith("amd/") and to in order and order.index(to) < order.index(room):
                yield f"{f}:{at(t.text[f], m.start())}: includes {m.group(1)}, whose room is above {room}/ in docs/architecture.md"


def rule_file_sizes(t, _):
    for f in t.c:
        n = t.text[f].count("\n")
        if n > FILE_LINES and not t.excused("file-size", f):
            yield f"{f}:1: {n} lines, more than {FILE_LINES}"


def functions(code):
    """Yields (name, first line, lines of the body) of each function definition: the style puts `{` at column 0."""
    lines = code.split("\n")
    start, name = None, None
    for i, line in enumerate(lines):
        if line == "{" and i and not lines[i - 1].rstrip().endswith("="):
            start = i
            head = "\n".join(lines[max(0, i - 8):i])
            names = re.findall(r"^(\w+)\(", head, re.M)
            name = names[-1] if names else None
        elif line.startswith("}") and start is not None:
            if name:
                yield name, start, i - start - 1
            start = None


def rule_function_sizes(t, _):
    total = over = 0
    longest = []
    for f in [f for f in t.c if not f.startswith("tests/")]:
        for name, line, n in functions(t.code[f]):
            total += 1
            if n > FUNCTION_LINES and not t.excused("function-size", f"{f}:{name}"):
                yield f"{f}:{line}: {name} has {n} lines, more than {FUNCTION_LINES}"
            if n > NORMAL_FUNCTION_LINES:
                over += 1
                longest.append(f"{name} ({n})")
    if total >= 100 and over > total * SHARE_OVER_NORMAL:
        yield f"src:1: {over} of {total} functions have over {NORMAL_FUNCTION_LINES} lines: {', '.join(longest)}"


def count_parameters(text):
    """Counts the parameters in `text`, the contents of a definition's parentheses."""
    if text.strip() in ("", "void"):
        return 0
    depth, n = 0, 1
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        n += c == "," and depth == 0
    return n


def rule_parameters(t, _):
    definition = re.compile(r"^(\w+)\(((?:[^()]|\([^()]*\))*)\)\s*\n\{", re.M)
    for f in [f for f in t.c if not f.startswith("tests/")]:
        for m in definition.finditer(t.code[f]):
            n = count_parameters(m.group(2))
            if n > PARAMETERS and not t.excused("parameters", m.group(1)):
                yield f"{f}:{at(t.code[f], m.start())}: {m.group(1)} has {n} parameters, more than {PARAMETERS}"


def rule_forbidden(t, _):
    for f in t.src:
        for pattern, allowed, why in FORBIDDEN:
            if allowed and re.match(allowed, f):
                continue
            for m in re.finditer(pattern, t.code[f]):
                if not t.excused("forbidden", f):
                    yield f"{f}:{at(t.code[f], m.start())}: {m.group(0).strip()} ...: {why}"


# Symbols of the C library that depend on the locale, including those that macros or the compiler generate for the calls
# above. printf itself is allowed, but without formats for floats (rule_float_formats).
LOCALE_SYMBOL = re.compile(
    r"^(__isoc\d+_)?(strto(d|f|ld|f\d+x?|l|ul|ll|ull|imax|umax)|ato[fil]|atoll|v?[fs]?scanf)(_l)?$|^__ctype_\w+_loc$|"
    r"^(is|to)w?(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)$|"
    r"^(str|wcs)(coll|xfrm|n?casecmp|error|ftime)(_l|_r)?$|^(set|dup|free|new|use)locale$|^(localeconv|nl_langinfo)$|"
    r"^(mb|wc|btowc|wctob)\w*$")


def archives(build):
    """Returns the libraries of the layers, with those of folders inside them."""
    return sorted(glob.glob(os.path.join(build, "src", "**", "*.a"), recursive=True))


def rule_locale(_, build):
    """The layers import no function that depends on the application's locale."""
    for lib in archives(build):
        out = subprocess.run(["nm", "-u", lib], capture_output=True, text=True).stdout
        for name in sorted({m.group(1) for m in re.finditer(r"^\s+U (\w+)", out, re.M) if LOCALE_SYMBOL.match(m.group(1))}):
            yield f"{os.path.basename(lib)}:0: {name} follows the locale"


def rule_float_formats(t, _):
    """printf may not print floats, because it uses the locale's decimal point."""
    literal = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
    format_of_float = re.compile(r"(?<!%)(?:%%)*%[-+ #0']*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?[lL]?[aAeEfFgG]")
    for f in [f for f in tracked("src/*.c", "src/*.h", "src/*.def")]:
        text = t.text.get(f) or read(f)
        for m in literal.finditer(text):
            if m.group(0).startswith('"') and format_of_float.search(m.group(0)):
                yield f"{f}:{at(text, m.start())}: {m.group(0)}: printf's floats follow the locale; use base_float_print"


def rule_no_marks(t, _):
    mark = re.compile("|".join((r"^<{7} |^>{7} ", r"\bTO" + r"DO\b", r"\bFIX" + r"ME\b", r"\bXX" + r"X\b", r"\bHA" + r"CK\b")))
    for f in tracked("src", "tools", "include", "tests", "examples", "docs", ".ci", "*.md", "*.build"):
        if os.path.splitext(f)[1] in (".png", ".spv", ".bin", ".elf"):
            continue
        for i, line in enumerate(read(f).split("\n")):
            if mark.search(line):
                yield f"{f}:{i + 1}: mark of unfinished work: {line.strip()[:60]}"


def rule_guards(t, _):
    seen = {}
    for f in [f for f in t.c if f.endswith(".h") and not f.startswith("tests/")]:
        m = re.search(r"^#ifndef (\w+)\n#define (\w+)$", t.text[f], re.M)
        if not m or m.group(1) != m.group(2) or not re.match(r"^[A-Z][A-Z0-9_]*_H$", m.group(1)):
            yield f"{f}:1: no include guard"
        elif seen.setdefault(m.group(1), f) != f:
            yield f"{f}:1: {m.group(1)} guards {seen[m.group(1)]} too"


def rule_loop_macros(t, _):
    """clang-format lays a macro out as a loop if .clang-format lists it."""
    listed = set(re.findall(r"^  - (\w+)$", read(".clang-format"), re.M))
    for f in t.c:
        for m in re.finditer(r"^\s*#\s*define (\w*FOREACH\w*)\(((?:.*\\\n)*.*)$", t.text[f], re.M):
            if "for (" in m.group(2) and m.group(1) not in listed:
                yield f"{f}:{at(t.text[f], m.start())}: {m.group(1)} is not in ForEachMacros of .clang-format"


def rule_format(t, _):
    tool = shutil.which("clang-format")
    if not tool:
        return
    for i in range(0, len(t.c), 50):
        out = subprocess.run([tool, "--dry-run"] + t.c[i:i + 50], cwd=ROOT, capture_output=True, text=True)
        files = sorted({m.group(1) for m in re.finditer(r"^(\S+?):\d+:\d+: warning: code should be", out.stderr, re.M)})
        for f in files:
            if not t.excused("format", f):
                yield f"{f}:1: not formatted (make format)"


def rule_columns(t, _):
    for f in t.src:
        for i, line in enumerate(t.text[f].split("\n")):
            if len(line) > COLUMNS and not t.excused("columns", f):
                yield f"{f}:{i + 1}: {len(line)} columns"
    for f in tracked("*.def"):
        for i, line in enumerate(read(f).split("\n")):
            if len(line) > DEF_COLUMNS and not t.excused("columns", f):
                yield f"{f}:{i + 1}: {len(line)} columns, more than {DEF_COLUMNS}"


def rule_no_mutable_globals(_, build):
    """No objects in writable sections of the layers' libraries. Constant tables with pointers are in
    .data.rel.ro, which the loader protects."""
    for lib in archives(build):
        out = subprocess.run(["objdump", "-t", lib], capture_output=True, text=True).stdout
        for line in out.split("\n"):
            m = re.match(r"^[0-9a-f]{16} (.{7}) (\.\S+|\*COM\*)\s+([0-9a-f]+)\s+(?:\.\w+ )?(\S+)$", line)
            if not m or "d" in m.group(1) or int(m.group(3), 16) == 0:
                continue
            section = m.group(2)
            if re.match(r"\.(data|bss|tbss|tdata)\b", section) and not section.startswith(".data.rel.ro") \
                    or section == "*COM*":
                if not re.match(r"__(asan|ubsan|odr|sancov|gcov)", m.group(4)):
                    yield f"{os.path.basename(lib)}:0: {m.group(4)} is a mutable global ({section})"


def rule_named_files(t, _):
    """Files that documents name (`src/ir/ir.h`, `isa/ops.def`, `tests/unit/base/test_base`) exist. Upper case is a placeholder."""
    files = tracked()
    there = {part for f in files for part in ends(f)}
    named = re.compile(r"`((?:src|include|tests|tools|docs|examples)/[a-z0-9_./-]+|[a-z0-9_./-]+\.(?:c|h|def|py))`")
    for f in tracked("*.md"):
        for i, line in enumerate(read(f).split("\n")):
            for name in named.findall(line):
                if name.rstrip("/") not in there and not t.excused("named-files", name):
                    yield f"{f}:{i + 1}: there is no {name}"


def ends(path):
    """Returns the names by which documents may refer to files: the path without leading folders, a program's source, each folder."""
    parts = path.split("/")
    for n in range(len(parts)):
        yield "/".join(parts[n:])
        yield os.path.splitext("/".join(parts[n:]))[0]
        yield "/".join(parts[:n])


def git(*args):
    """Returns git's output, or None if it fails or is not installed."""
    try:
        out = subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, errors="replace")
    except OSError:
        return None
    return out.stdout if out.returncode == 0 else None


def rule_commits(_, __):
    """A commit's subject is `layer: what changes`, and its body says why."""
    shallow = git("rev-parse", "--is-shallow-repository")
    if shallow is None:
        raise Skipped("not a git repository")
    if shallow.strip() == "true":
        raise Skipped("a shallow clone")
    for entry in git("log", f"-{COMMITS}", "--no-merges", "--format=%h%x00%s%x00%b%x01").split("\1"):
        if not entry.strip():
            continue
        commit, subject, body = entry.strip("\n").split("\0")
        if not re.match(r"\w[\w/.+,& -]*: \S", subject):
            yield f"{commit}:0: the subject is not `layer: what changes`: {subject}"
        if len(body.strip()) < BODY:
            yield f"{commit}:0: no body that says why: {subject}"


def definition_of(t, layer, name):
    """Returns the place in the layer's sources where the name first begins a line or is declared."""
    pattern = re.compile(rf"^(\w[^;(]*\b)?{re.escape(name)}\b", re.M)
    for f in t.src:
        m = f.startswith(f"src/{layer}/") and f.endswith(".c") and pattern.search(t.code[f])
        if m:
            return f"{f}:{at(t.code[f], m.start(0))}"
    return f"src/{layer}:0"


def rule_prefixes(t, build):
    """Functions and objects that other files see begin with a prefix that their layer owns (PREFIXES)."""
    owner = {}
    for layer, prefixes in PREFIXES.items():
        for p in prefixes:
            if owner.setdefault(p, layer) != layer:
                yield f"tools/dev/lint.py:0: {p} belongs to {owner[p]} and to {layer}"
    for lib in archives(build):
        layer = os.path.relpath(lib, os.path.join(build, "src")).split(os.sep)[0]
        out = subprocess.run(["nm", "-g", "--defined-only", lib], capture_output=True, text=True).stdout
        for name in sorted(set(re.findall(r"^[0-9a-f]+ [A-Z] (\w+)$", out, re.M))):
            if not name.startswith("__") and not any((name + "_").startswith(p) for p in PREFIXES.get(layer, ())):
                yield f"{definition_of(t, layer, name)}: {name} has no prefix of {layer}: {' '.join(PREFIXES.get(layer, ()))}"


def rule_exported(t, build):
    """What only its own file uses is static. The public API is for others."""
    defined, used = {}, set()
    for lib in archives(build):
        out = subprocess.run(["nm", "-g", lib], capture_output=True, text=True).stdout
        used.update(re.findall(r"^ +U (\w+)$", out, re.M))
        layer = os.path.relpath(lib, os.path.join(build, "src")).split(os.sep)[0]
        defined.update((name, layer) for name in re.findall(r"^[0-9a-f]+ [A-Z] (\w+)$", out, re.M))
    outside = tracked("tools/*.c", "tools/*.h", "tools/*.cc", "tests/*.c", "tests/*.h", "tests/*.cc")
    used.update(*(re.findall(r"\w+", read(f)) for f in outside))
    for name, layer in sorted(defined.items()):
        if name not in used and not name.startswith(("heddle_", "__")):
            yield f"{definition_of(t, layer, name)}: {name} is exported, and no other file uses it"


def rule_exceptions_used(t, _):
    for rule, subject in sorted(t.except_ - t.used):
        yield f"tools/dev/lint_exceptions.txt:0: {rule} {subject}: not needed, or without a reason"


def rule_printf_formats(t, build):
    """Lets the compiler check formats and arguments of our own printf functions as it does for printf."""
    compiler = shutil.which("gcc") or shutil.which("clang-19")
    if not compiler:
        return
    flags = ["-std=c11", "-fsyntax-only", "-Wformat", "-Wno-format-zero-length", "-include", "tools/dev/formats.h",
             "-Isrc", "-Iinclude", "-I" + os.path.join(build, "src")]
    for i in range(0, len(t.src), 40):
        files = [f for f in t.src[i:i + 40] if f.endswith(".c")]
        out = subprocess.run([compiler, *flags, *files], cwd=ROOT, capture_output=True, text=True).stderr
        yield from (line for line in out.splitlines() if re.search("warning:|error:", line))


RULES = [rule_layers, rule_families, rule_rooms, rule_room_table, rule_prefixes, rule_exported, rule_file_sizes,
         rule_function_sizes, rule_parameters, rule_forbidden, rule_no_marks, rule_guards, rule_commits, rule_named_files,
         rule_loop_macros, rule_format, rule_columns, rule_no_mutable_globals, rule_printf_formats, rule_float_formats,
         rule_locale, rule_exceptions_used]


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--build", default=os.path.join(ROOT, "build"))
    a = p.parse_args()
    tree = Tree()
    passed = failed = skipped = 0
    for rule in RULES:
        name = rule.__name__[5:].replace("_", " ")
        try:
            findings = list(rule(tree, a.build))
        except Skipped as why:
            print(f"skip {name}: {why}")
            skipped += 1
            continue
        for line in findings:
            print(line)
        print(f"{'FAIL' if findings else 'ok  '} {name}")
        passed += not findings
        failed += bool(findings)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
