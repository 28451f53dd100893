#!/usr/bin/env python3
"""Compares with the real r600 driver (r600-anchor) and with clang's R600 target.

Words: each program is disassembled and assembled to the same words, and nothing that control flow reaches is data. Text: each line of the
driver's disassembly and of ours is brought into one form; they must be equal.

With DIR the files there are compared, FILE.CHIP.before.words and .txt as r600-anchor --asm writes them. With --anchor a number of shaders of the
corpus is compiled first, drawn with a seed; with --clang kernels of --kernels. What cannot be run here is skipped, and said so.
"""
import argparse
import glob
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

CHIPS = {"RV670": "rv670", "RV770": "rv770", "CEDAR": "cedar", "CAYMAN": "cayman"}
COLUMN = {"rv670": "rv670", "rv770": "rv770", "cedar": "cypress", "cypress": "cypress", "cayman": "cayman"}
LINE = re.compile(r"^ ?(\d{4}) +((?:[0-9a-fA-F]{8} +){2,3}) *(?:\d+ )? *(.*)$")
OURS = re.compile(r"^\t(.*?) +// ([0-9A-F]{12}): ((?:[0-9A-F]{8} ?)+)")
OTHER_NAMES = {"MEM_REDUCT": "MEM_REDUCTION", "MEM_RAT_NOCACHE": "MEM_RAT_CACHELESS", "RET": "RETURN", "WAVE_SYNC": "GLOBAL_WAVE_SYNC",
               "CF_END": "END", "CF_NATIVE": "NOP", "ALU_NOP": "NOP"}
BANKS = ["VEC_012", "VEC_021", "VEC_120", "VEC_102", "VEC_201", "VEC_210"]
SCALAR_BANKS = ["SCL_210", "SCL_122", "SCL_212", "SCL_221"]
ALU_NAME = re.compile(r"^([A-Z0-9_]+?)(\*2|\*4|/2)?(_sat)?$")


def canonical_source(s):
    s = s.strip()
    s = re.sub(r"(?:Param(\d+)|PARAM\[(\d+)\])(?:\.[xyzw])?", r"PARAM\1\2", s)  # some of the driver's texts have no channel
    s = re.sub(r"\bG?(R|T)\[(\d+)\+(?:AR|AL)\]", r"\1\2[I]", s)
    s = re.sub(r"(KC\d|C)\[(\d+)\+(?:AR|AL)\]", r"\1[\2][I]", s)
    s = re.sub(r"\[(AR\.[xyzw]|LOOP|GLOBAL|GLOBAL_AR\.x)\]", "[I]", s)
    s = re.sub(r"\[0x([0-9A-Fa-f]{8}) [^\]]*\]", lambda m: "L" + m.group(1).lower(), s)
    s = re.sub(r"(L[0-9a-f]{8})\.[xyzw]", r"\1", s)
    s = re.sub(r"(?<![\w.])(-?[01]|1\.0|0\.5|PS)\.[xyzw]", r"\1", s)  # the driver shows no channel of constants
    return re.sub(r"(LDS_OQ_[AB](_POP)?)\.x", r"\1", s)


def driver_alu(text):
    """'MP 0 x: NAME dst,  a, b   VEC_210' of the optimiser's printer, 'x:MP NAME ...  BS:2' of the older one."""
    m = re.match(r"^(M?)(P?) *([01]?) *([xyzwt]):(M?)(P?) *([01]?) *(\S+) +(.*)$", text)
    if not m:
        return None
    flags = set()
    for group, flag in ((1, "M"), (5, "M"), (2, "P"), (6, "P")):
        if m.group(group):
            flags.add(flag)
    predicate = m.group(3) or m.group(7)
    if predicate:
        flags.add("PRED" + predicate)
    slot, rest = m.group(4), m.group(9)
    name, omod, sat = ALU_NAME.match(m.group(8)).groups()
    if omod:
        flags.add(omod)
    if sat:
        flags.add("sat")
    for bank in BANKS + SCALAR_BANKS:
        if rest.endswith(bank):
            flags.add(bank)
            rest = rest[:-len(bank)]
    old = re.search(r"BS:(\d)", rest)
    if old:
        names = SCALAR_BANKS if slot == "t" else BANKS
        flags.add(names[int(old.group(1))])
        rest = rest.replace(old.group(0), "")
    offset = re.search(r"(?:IDX_)?OFFSET:(\d+)", rest)
    if offset:
        flags.add("OFFSET" + offset.group(1))
        rest = rest.replace(offset.group(0), "")
    rest = re.sub(r" (AR_X|PC|CF_IDX\d)\s*$", "", rest.rstrip())
    parts = [canonical_source(p) for p in rest.split(",") if p.strip()]
    if name.startswith("LDS_") and not name.startswith(("LDS_1A", "LDS_2A")):
        parts = parts[1:]
    return (slot, OTHER_NAMES.get(name, name), tuple(parts), frozenset(flags))


FLAGS = {"UPDATE_EXEC": "M", "UPDATE_PRED": "P", "PRED_ZERO": "PRED0", "PRED_ONE": "PRED1", "MUL2": "*2", "MUL4": "*4", "DIV2": "/2", "CLAMP": "sat"}


def our_alu(text, literals):
    m = re.match(r"^(?:\d+ )? *([xyzwt]): (\S+) *(.*?) ?;?$", text)
    if not m:
        return None
    slot, name, rest = m.groups()
    flags, words = set(), rest.split(" ")
    while words and re.match(r"^(VEC_|SCL_|UPDATE_|PRED_ZERO|PRED_ONE|MUL2|MUL4|DIV2|CLAMP|OFFSET\(|BREAK|CONTINUE|KILL$|INDEX_MODE)", words[-1]):
        flag = words.pop()
        flag = re.sub(r"OFFSET\((\d+)\)", r"OFFSET\1", flag)
        flags.add(FLAGS.get(flag, flag))
    parts = []
    for p in " ".join(words).split(","):
        p = p.strip()
        literal = re.search(r"\bL\.([xyzw])", p)
        if literal:
            p = p.replace(literal.group(0), f"L{literals['xyzw'.index(literal.group(1))]:08x}.{literal.group(1)}")
        if p:
            parts.append(canonical_source(p))
    if parts and parts[0].startswith("__"):
        parts[0] = "__" + parts[0][-2:]
    return (slot, name, tuple(parts), frozenset(flags))


def driver_fetch(text):
    m = re.match(r"^(\S+) +(R\S+?)\.([xyzw01_?]{4}), +(R\S+?)\.([xyzw01_?]{1,4})(?: \+ ?(\d+)b)? ?,? +(?:RID|VID):(\d+)(.*)$", text)
    if not m:
        return None
    name, dst, swizzle, src, select, offset, resource, rest = m.groups()
    values = {"RID": resource, "OFFSET": offset or "0"}
    select = select[:1] if len(select) == 2 and select[1] == "x" else select  # Cayman: SEL_Y
    select = "w" if select == "_" else select  # two bits, of which the driver printed three
    for key, pattern in (("SID", r"SID:(\d+)"), ("FMT", r"DTA:(\d+)"), ("NUM", r"NUM:(\d+)"), ("COMP", r"COMP:(\d+)"), ("MODE", r"MODE:(\d+)"),
                         ("CT", r"CT:([UN]{4})")):
        found = re.search(pattern, rest)
        if found:
            values[key] = found.group(1)
    return (name, dst, swizzle, src, select, tuple(sorted(values.items())))


def our_fetch(text, heddle_formats):
    m = re.match(r"^(\S+) (R\S+?)\.(....), (R\S+?)\.([xyzw01_?]{1,4}), ([tb])(\d+)(?:, s(\d+))?(.*)$", text)
    if not m:
        return None
    name, dst, swizzle, src, select, kind, resource, sampler, rest = m.groups()
    offset = re.search(r" OFFSET\((\d+)\)", rest)
    values = {"RID": resource, "OFFSET": offset.group(1) if offset else "0"}
    name = {"LDFPTR": "LD"}.get(name, re.sub(r"_FINE$|_COARSE$", "", name))  # the driver does not print the modifier
    if kind == "t":
        values["SID"] = sampler
        unnorm = re.search(r"UNNORM\((\w+)\)", rest)
        values["CT"] = "".join("U" if unnorm and c in unnorm.group(1) else "N" for c in "xyzw")
    else:
        fmt = re.search(r"FMT\((\w+)\)", rest)
        num = re.search(r" NUM\((\w+)\)", rest)
        values["FMT"] = str(heddle_formats.index(fmt.group(1))) if fmt else "0"
        values["NUM"] = str(["NORM", "INT", "SCALED"].index(num.group(1))) if num else "0"
        values["COMP"] = str(int(" SIGNED" in rest))
        values["MODE"] = str(int(" NO_ZERO" in rest))
    return (name, dst, swizzle, src, select, tuple(sorted(values.items())))


def driver_cf(text):
    name, *rest = text.split(" ", 1)
    name = OTHER_NAMES.get(name, name)
    rest = rest[0] if rest else ""
    flags = {f for f in ("NO_BARRIER", "VPM", "WQM", "EOP", "MARK") if re.search(rf"\b{f}\b", rest)}
    export = re.search(r"(PIXEL|POS|PARAM) +(\d+)(?:-(\d+))? +R(\d+)(?:-\d+)?\.(\S{4})", rest)
    if export:
        kind, first, last, reg, swizzle = export.groups()
        return (name, {"PIXEL": "PIX"}.get(kind, kind), int(first), int(last or first) - int(first) + 1, int(reg), swizzle, frozenset(flags))
    rat = re.search(r"(WRITE\w*) +RAT(\d+) +INST: (\d+) \d+ +R(\d+)\.(\S{4}) +R(\d+)", rest)
    if rat:
        kind, number, inst, reg, mask, index = rat.groups()
        return (name, kind, int(number), int(inst), int(reg), mask, int(index), frozenset(flags))
    memory = re.search(r"(WRITE\w*|READ\w*) +(\d+) +R(\d+)\.(\S{4})(?:,? @?R(\d+))?", rest)
    if memory:
        kind, base, reg, mask, index = memory.groups()
        if name == "MEM_SCRATCH":  # the driver prints a mark that it does not put into the words
            flags.discard("MARK")
        return (name, kind, int(base), int(reg), mask, index and int(index), frozenset(flags))
    address = re.search(r"@(\d+)", rest)
    count = re.match(r" *(\d+) @", rest)
    pop = re.search(r"POP:(\d+)", rest)
    # The older printer writes where the next line begins.
    banks = tuple((k, b, f, str(int(e) - (int(e) % 16 == 0))) for k, b, f, e in re.findall(r"(KC\d)\[CB(\d+):(\d+)-(\d+)", rest))
    return (name, int(count.group(1)) if count else 0, int(address.group(1)) // 2 if address else 0, int(pop.group(1)) if pop else 0, banks,
            frozenset(flags))


def our_cf(text, rat_names):
    name, *rest = text.split(" ", 1)
    rest = rest[0] if rest else ""
    names = {"VALID_PIXEL_MODE": "VPM", "WHOLE_QUAD_MODE": "WQM", "END_OF_PROGRAM": "EOP", "NO_BARRIER": "NO_BARRIER", "MARK": "MARK"}
    flags = {short for long, short in names.items() if long in rest}
    burst = re.search(r"BURST\((\d+)\)", rest)
    export = re.match(r"(PIX|POS|PARAM)\[(\d+)\], R(\d+)\.(\S{4})", rest)
    if export:
        kind, first, reg, swizzle = export.groups()
        return (name, kind, int(first), int(burst.group(1)) if burst else 1, int(reg), swizzle, frozenset(flags))
    rat = re.match(r"(\w+) RAT(\d+), R(\d+)\.(\S{4}), R(\d+)", rest)
    if rat:
        inst, number, reg, mask, index = rat.groups()
        kind = re.search(r"TYPE\((\w+)\)", rest)
        return (name, kind.group(1) if kind else "WRITE", int(number), rat_names.index(inst), int(reg), mask, int(index), frozenset(flags))
    memory = re.match(r"(WRITE\w*)\[(\d+)\], R(\d+)\.(\S{4}), R(\d+)", rest)
    if memory:
        kind, base, reg, mask, index = memory.groups()
        return (name, kind, int(base), int(reg), mask, int(index) if "IND" in kind else None, frozenset(flags))
    address = re.search(r"@(\d+)", rest) or re.search(r"\bL([0-9a-f]+)\b", rest)
    count = re.search(r"CNT\((\d+)\)", rest)
    pop = re.search(r"POP\((\d+)\)", rest)
    banks = tuple(re.findall(r"(KC\d)\(CB(\d+):(\d+)-(\d+)", rest))
    at = 0
    if address:
        at = int(address.group(1)) if address.group(0)[0] == "@" else int(address.group(1), 16) // 8
    return (name, int(count.group(1)) if count else 0, at, int(pop.group(1)) if pop else 0, banks, frozenset(flags))


class Names:
    """Lists of names of the table, by which numbers of the driver's text become names."""

    def __init__(self, root):
        with open(os.path.join(root, "src/r600/isa/table/elements.def"), encoding="utf-8") as f:
            text = re.sub(r'"\s*\n\s*"', "", f.read())
        self.formats = re.search(r'ELEMENT\(fmt, CHOICE, format, 0, "FMT ([^"]*)"', text).group(1).split()
        self.rats = re.search(r'ELEMENT\(ratop, NAMES, rat_inst, 0, "([^"]*)"', text).group(1).split()


def read_driver(path):
    """Lines by dword."""
    lines = {}
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            m = LINE.match(line.rstrip())
            if m and m.group(3):
                lines[int(m.group(1))] = m.group(3).strip()
    return lines


def read_ours(heddle, chip, words):
    lines, literals = {}, {}
    with tempfile.NamedTemporaryFile(suffix=".bin") as f:
        f.write(struct.pack(f"<{len(words)}I", *words))
        f.flush()
        out = subprocess.run([heddle, "disasm", "-t", chip, f.name], capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        m = OURS.match(line)
        if m:
            at = int(m.group(2), 16) // 4
            lines[at] = m.group(1).strip()
            if lines[at].startswith("LIT"):
                literals[at] = [int(w, 16) for w in m.group(3).split()]
    return lines, literals


def compare_text(heddle, names, chip, words, path):
    driver = read_driver(path)
    ours, literals = read_ours(heddle, chip, words)
    errors, n = [], 0
    for at, text in sorted(driver.items()):
        if at not in ours:
            errors.append(f"{path}: {at}: '{text}' is not listed")
            continue
        mine = ours[at]
        near = next((literals[k] for k in range(at, at + 14) if k in literals), [0] * 4)
        group_end = next((k for k in range(at, at + 14, 2) if ours.get(k, "").endswith(";")), None)
        near = literals.get(group_end + 2, near) if group_end is not None else near
        if re.match(r"^M?P? *[01]? *[xyzwt]:", text):
            a, b = driver_alu(text), our_alu(mine, near + [0] * 4)
            a = a if a is None or a[1] not in ("MOVA_INT", "MOVA", "MOVA_FLOOR", "MOVA_GPR_INT") else a[:2] + (a[2][1:],) + a[3:]
            b = b if b is None or b[1] not in ("MOVA_INT", "MOVA", "MOVA_FLOOR", "MOVA_GPR_INT") else b[:2] + (b[2][1:],) + b[3:]
        elif " RID:" in text:
            a, b = driver_fetch(text), our_fetch(mine, names.formats)
        elif text.startswith(("GDS_", "TF_WRITE", "READ_", "MEM_READ")):
            a, b = text.split()[0], mine.split()[0]
        else:
            if ours.get(at - 2, "").startswith("ALU_EXT"):  # the driver prints the two as one
                mine += " " + ours[at - 2]
            a, b = driver_cf(text), our_cf(mine, names.rats)
            if a[0].startswith("MEM_"):  # there the driver does not print it
                b = b[:-1] + (b[-1] - {"VPM"},)
        if a and b and len(a) == 4 and isinstance(a[3], frozenset):  # ALU: sources that are not used are left out
            b = b[:2] + (b[2][:len(a[2])], b[3])
        if a and b and str(a[1]).startswith("LDS_") and not any(f.startswith("OFFSET") for f in a[3]):  # and by the older printer offsets
            b = b[:3] + (frozenset(f for f in b[3] if not f.startswith("OFFSET")),)
        n += 1
        if a is None or a != b:
            errors.append(f"{path}: {at}: '{text}' / '{mine}'\n    {a}\n    {b}")
    return n, errors


def check_identity(tool, chip, paths):
    """Returns what r600_tool says of the programs."""
    out, errors = [], []
    for first in range(0, len(paths), 500):
        got = subprocess.run([tool, "identity", COLUMN[chip], *paths[first:first + 500]], capture_output=True, text=True, check=False).stdout
        lines = got.splitlines()
        out.append(lines[-1])
        errors += lines[:-1]
    return out, errors


def check_folder(options, folder, names):
    errors, programs, lines = [], 0, 0
    for label, chip in CHIPS.items():
        paths = sorted(glob.glob(os.path.join(folder, f"*.{label}.*.words")))
        if not paths:
            continue
        said, wrong = check_identity(options.tool, chip, paths)
        errors += wrong
        print(f"{chip}: " + "; ".join(said))
        programs += len(paths)
        for path in paths:
            text = path[:-len("words")] + "txt"
            if not os.path.exists(text):
                continue
            with open(path, encoding="utf-8") as f:
                words = [int(w, 16) for w in f.read().split()]
            n, wrong = compare_text(options.heddle, names, chip, words, text)
            lines += n
            errors += wrong
    print(f"{programs} programs, {lines} lines of text compared, {len(errors)} differ")
    return programs, errors


def build_anchor(source, folder):
    """The program, or None and why not."""
    if not source or not os.path.isdir(source):
        return None, "r600-anchor is not here"
    for tool in ("glslc", "spirv-cross"):
        if not shutil.which(tool):
            return None, f"r600-anchor translates shaders with {tool}, which is not installed"
    copy = os.path.join(folder, "anchor")
    shutil.copytree(source, copy)
    subprocess.run(["chmod", "-R", "u+w", copy], check=True)
    made = subprocess.run(["make", "-C", copy], capture_output=True, text=True, check=False)
    if made.returncode:
        return None, "r600-anchor cannot be built: its packages are missing"
    program = os.path.join(copy, "r600-anchor")
    ok = subprocess.run([program, "--chip", "CEDAR", "--repeat", "0", os.path.join(copy, "samples", "lit.frag")], capture_output=True, check=False)
    return (program, None) if ok.returncode == 0 else (None, "the r600 driver of Mesa 22.3.6 is not installed")


def run_anchor(options, folder):
    """Compiles shaders of the corpus that the seed draws. Returns why it could not, or None, and what the program printed."""
    program, why = build_anchor(options.anchor, folder)
    if not program:
        return why, ""
    files = sorted(p for e in ("frag", "vert") for p in glob.glob(os.path.join(options.corpus, "glsl", "**", "*." + e), recursive=True))
    if not files:
        return "the corpus is not here", ""
    chosen = random.Random(options.seed).sample(files, min(options.count, len(files)))
    out = os.path.join(folder, "words")
    os.mkdir(out)
    made = subprocess.run([program, "--auto", "--separate", "--chip", ",".join(CHIPS), "--repeat", "0", "--asm", out, *chosen], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
    return None, made.stdout


def run_clang(options, folder):
    """Compiles kernels. Returns the errors, and what was done or why it was not."""
    if not shutil.which("clang-19") or not shutil.which("llvm-objcopy-19") or not os.path.exists("/usr/lib/clc/cypress-r600--.bc"):
        return [], "skipped: clang-19, llvm-19 or libclc-19 is not installed"
    errors, said = [], []
    for chip in ("cypress", "cayman"):
        paths = []
        for source in sorted(glob.glob(options.kernels)):
            stem = os.path.join(folder, f"{os.path.basename(source)}.{chip}")
            made = subprocess.run(["clang-19", "-target", "r600--", f"-mcpu={chip}", "-x", "cl", "-cl-std=CL1.2", "-O2", "-Xclang",
                                   "-finclude-default-header", "-Xclang", "-mlink-builtin-bitcode", "-Xclang", f"/usr/lib/clc/{chip}-r600--.bc",
                                   "-c", source, "-o", stem + ".o"], capture_output=True, text=True, check=False)
            if made.returncode:
                errors.append(f"{source}: clang: {made.stderr[-300:]}")
                continue
            subprocess.run(["llvm-objcopy-19", "-O", "binary", "--only-section=.text", stem + ".o", stem + ".bin"], check=True)
            with open(stem + ".bin", "rb") as f:
                code = f.read()[:-4]  # the last word is __oclc_ABI_version
            with open(stem + ".words", "w", encoding="utf-8") as f:
                f.writelines(f"{w:08x}\n" for w in struct.unpack(f"<{len(code) // 4}I", code[:len(code) // 4 * 4]))
            paths.append(stem + ".words")
        if paths:
            lines, wrong = check_identity(options.tool, chip, paths)
            errors += [w for w in wrong if not w.endswith("are data")]  # the CF_END behind an instruction that ends the program
            said.append(f"{chip}: {'; '.join(lines)}")
    return errors, "\n".join(said)


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, help="r600_tool")
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--anchor", help="the folder of r600-anchor")
    parser.add_argument("--corpus", default=os.path.join(root, "../shared/corpus"))
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernels", help="a pattern of OpenCL files")
    parser.add_argument("folder", nargs="?")
    options = parser.parse_args()
    names, errors, skipped, passed = Names(root), [], 0, 0
    with tempfile.TemporaryDirectory() as temporary:
        folder, printed = options.folder, ""
        if options.anchor:
            why, printed = run_anchor(options, temporary)
            folder = None if why else os.path.join(temporary, "words")
            if why:
                print(f"skipped: {why}")
                skipped += 1
        if folder:
            programs, wrong = check_folder(options, folder, names)
            passed += programs
            errors += wrong
            if not programs:
                errors.append(f"no program to compare with: {printed[-1000:] or folder}")
        if options.kernels:
            wrong, said = run_clang(options, temporary)
            print(said)
            errors += wrong
            skipped += said.startswith("skipped")
            passed += not wrong and not said.startswith("skipped")
    print("\n".join(errors[:40]))
    print(f"{passed} passed, {len(errors)} failed, {skipped} skipped")
    return 1 if errors else 77 if skipped and not passed else 0


if __name__ == "__main__":
    sys.exit(main())
