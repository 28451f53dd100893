"""llvm-mc as a disassembler and assembler of many instructions at once, and isa_tool with the same interface."""
import argparse
import concurrent.futures
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile

import formats
import newest

CPU = "gfx1030"
QUIET = dict(os.environ, LLVM_DISABLE_SYMBOLIZATION="1")  # a backtrace of llvm-mc takes longer than everything else
MARK = bytes([0x34, 0x12, 0x80, 0xBF])  # s_nop 0x1234 separates the instructions in llvm-mc's output
CHUNK = 4000


def find():
    """The path of the installed llvm-mc 19, or None."""
    for name in ("llvm-mc-19", "llvm-mc"):
        path = shutil.which(name)
        if path and " 19." in subprocess.run([path, "--version"], capture_output=True, text=True).stdout:
            return path
    return None


def section(folder, cpu, text, name):
    """Assembles a text with the llvm-mc in `folder`; returns the bytes of the object's section `name`, or None if the text is refused."""
    with tempfile.TemporaryDirectory() as d:
        o, out = os.path.join(d, "o"), os.path.join(d, "out")
        run = subprocess.run([os.path.join(folder, "llvm-mc"), "-triple=amdgcn-amd-amdhsa", "-mcpu=" + cpu, "-filetype=obj", "-o", o],
                             input=text, text=True, capture_output=True)
        if run.returncode:
            return None
        subprocess.run([os.path.join(folder, "llvm-objcopy"), "-O", "binary", "--only-section=" + name, o, out], check=True)
        with open(out, "rb") as f:
            return f.read()


def knows(folder, cpu):
    """Does the llvm-mc in `folder` know the processor? LLVM 19 lacks the newest."""
    run = subprocess.run([os.path.join(folder, "llvm-mc"), "-triple=amdgcn", "-mcpu=" + cpu], input="", text=True, capture_output=True)
    return "not a recognized processor" not in run.stderr


def has_tools(folder):
    """Are the tools that `section` needs in `folder`?"""
    return all(os.path.exists(os.path.join(folder, name)) for name in ("llvm-mc", "llvm-objcopy"))


def report(cpu, done, faults):
    """Prints the counts of a processor's comparison and the first faults; returns 1 if there are any."""
    print(f"{'FAIL' if faults else 'ok  '} {cpu}: {done}")
    for f in faults[:5]:
        print("    " + f)
    return bool(faults)


def has_wave32(cpu):
    """Does the processor have wave32, as all from gfx10 on?"""
    return len(cpu) == 7


def attribute(cpu, wave64, *features):
    wave = ["+wavefrontsize" + ("64" if wave64 else "32")] if has_wave32(cpu) else []
    return ["-mattr=" + ",".join(wave + list(features))] if wave or features else []


class Llvm:
    def __init__(self, path, cpu=CPU, *features):
        self.path = path
        self.cpu = cpu
        self.features = features

    def command(self, wave64, *more):
        return [self.path, "-triple=amdgcn", "-mcpu=" + self.cpu, *attribute(self.cpu, wave64, *self.features), *more]

    def _disassemble(self, codes, wave64):
        def line(code):
            return "[0x" + code.hex(",").replace(",", ",0x") + "]"
        mark = "\n" + line(MARK) + "\n"
        run = subprocess.run(self.command(wave64, "-disassemble"), input=mark.join(map(line, codes)) + mark, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True, errors="replace", env=QUIET)
        results, current = [], []
        for text in map(str.strip, run.stdout.split("\n")):
            if text == "s_nop 0x1234":
                results.append(current)
                current = []
            elif text and not text.startswith(".text"):
                current.append(text)
        if run.returncode >= 0 and len(results) == len(codes):
            return results
        if len(codes) == 1 and len(codes[0]) > 4:  # these bytes, or the garbage at their end, crash llvm-mc
            return self._disassemble([codes[0][:len(codes[0]) // 2]], wave64)
        if len(codes) == 1:
            return [[]]
        half = len(codes) // 2
        return self._disassemble(codes[:half], wave64) + self._disassemble(codes[half:], wave64)

    def disassemble_all(self, codes, wave64):
        """Returns for each byte string the texts of its valid instructions."""
        results = []
        for i in range(0, len(codes), CHUNK):
            results += self._disassemble(codes[i:i + CHUNK], wave64)
        return results

    def disassemble(self, codes, wave64):
        """Returns the text of the first instruction of each byte string, None if it is invalid."""
        codes = [c[:formats.longest(self.cpu, c)] for c in codes]
        return [texts[0] if texts else None for texts in self.disassemble_all(codes, wave64)]

    def _assemble_apart(self, texts, wave64):
        """Like assemble, with a mark after each text; a text that is not a single instruction counts as refused."""
        lines = "".join(f"{t}\ns_nop 0x1234\n" for t in texts)
        run = subprocess.run(self.command(wave64, "-show-encoding"), input=lines, capture_output=True, text=True)
        bad = {int(n) // 2 for n in re.findall(r"^<stdin>:(\d+):\d+: error:", run.stderr, re.M)}
        results, current = [], []
        for code in re.findall(r"; encoding: \[([^\]]*)\]", run.stdout):
            if code == "0x34,0x12,0x80,0xbf":
                results.append(current[0] if len(current) == 1 else None)
                current = []
            else:
                current.append(code.replace("0x", "").replace(",", ""))
        if len(results) != len(texts):
            raise RuntimeError(f"llvm-mc: {len(results)} marks behind {len(texts)} texts")
        return [None if i in bad else r for i, r in enumerate(results)]

    def assemble(self, texts, wave64):
        """Returns the bytes of each text in hex, None if it is refused."""
        run = subprocess.run(self.command(wave64, "-show-encoding"), input="\n".join(texts) + "\n", capture_output=True, text=True)
        bad = {int(n) for n in re.findall(r"^<stdin>:(\d+):\d+: error:", run.stderr, re.M)}
        codes = re.findall(r"; encoding: \[([^\]]*)\]", run.stdout)
        if len(codes) + len(bad) != len(texts):  # some text gives an error in another line, or neither error nor instruction
            return self._assemble_apart(texts, wave64)
        rest = iter(codes)
        return [None if i + 1 in bad else next(rest).replace("0x", "").replace(",", "") for i in range(len(texts))]


class Tool:
    """isa_tool, with the same interface as Llvm."""

    def __init__(self, path, cpu=CPU):
        self.path = path
        self.cpu = cpu

    def _run(self, mode, lines, wave64):
        run = subprocess.run([self.path, mode, self.cpu] + ([] if wave64 else ["32"]), input="\n".join(lines) + "\n",
                             capture_output=True, text=True)
        results = run.stdout.split("\n")[:-1]
        if run.returncode != 0 or len(results) != len(lines):
            raise RuntimeError(f"isa_tool {mode}: exit {run.returncode}, {len(results)} of {len(lines)} lines\n{run.stderr}")
        return results

    def decode(self, codes, wave64):
        """Returns [(text, bytes of the encoded instruction in hex, size)]. The text is None if the bytes are not an instruction; the bytes
        contain '!' if decoding them gives another instruction."""
        results = []
        for line in self._run("dis", [c.hex() for c in codes], wave64):
            if line == "invalid":
                results.append((None, "", 0))
            else:
                size, again, text = line.split("|", 2)
                results.append((text, again, int(size)))
        return results

    def disassemble(self, codes, wave64):
        """Like decode, without the size."""
        return [(text, again) for text, again, _ in self.decode(codes, wave64)]

    def assemble(self, texts, wave64):
        """Returns [(bytes in hex or None, error)]."""
        results = []
        for line in self._run("asm", texts, wave64):
            results.append((None, line) if line.startswith("error") else (line, ""))
        return results

    def rows(self):
        """Returns [(name, format's name, number, flags)] of all encodings; flags by name: E64, SDWA, DPP."""
        out = subprocess.run([self.path, "rows", self.cpu], capture_output=True, text=True, check=True).stdout
        rows = []
        for line in out.split("\n"):
            if line:
                name, fmt, number, *flags = line.split()
                rows.append((name, FORMATS[int(fmt)], int(number), tuple(flags)))
        return rows


# In the order of amd_fmt.
FORMATS = ["NONE", "SOP1", "SOP2", "SOPK", "SOPC", "SOPP", "SMEM", "VOP1", "VOP2", "VOPC", "VOP3", "VOP3P", "VINTRP", "VINTERP",
           "LDSDIR", "VOPD", "DS", "MUBUF", "MTBUF", "MIMG", "FLAT", "GLOBAL", "SCRATCH", "EXP"]


def parser(count, of_what):
    """A parser of the options that all comparisons have."""
    p = argparse.ArgumentParser()
    p.add_argument("--tool", required=True, help="isa_tool")
    p.add_argument("--target", default=CPU, help="processors of formats.py, comma-separated, or all (default %(default)s)")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=count, help=of_what)
    p.add_argument("--jobs", type=int, default=1, help="targets at a time; 0: as many as there are processors")
    p.add_argument("--verbose", action="store_true")
    p.add_argument("--newest", metavar="BUILD", help="compare with LLVM 22, which is unpacked into this build folder (newest.py)")
    return p


def find_for(args):
    """The path of the llvm-mc to compare with. Ends the program if it is missing."""
    if args.newest:
        folder, why = newest.open_newest(args.newest)
        path, name = folder and os.path.join(folder, "llvm-mc"), f"LLVM {newest.VERSION} ({why})"
    else:
        path, name = find(), "llvm-mc 19 (Debian: llvm-19)"
    if not path:
        print(f"skipped: there is no {name}")
        sys.exit(77)
    return path


def each_target(work, args, every):
    """Yields the results of work(args, path of llvm-mc, target) in order; `every` are the targets of `--target all`. Ends the program if
    llvm-mc is missing."""
    path = find_for(args)
    targets = every if args.target == "all" else args.target.split(",")
    with concurrent.futures.ProcessPoolExecutor(args.jobs or os.cpu_count()) as pool:
        yield from pool.map(functools.partial(work, args, path), targets)
