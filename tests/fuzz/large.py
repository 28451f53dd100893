#!/usr/bin/env python3
"""Checks time and memory of large inputs: large.py HEDDLE FOLDER

Texts of two sizes, the second four times the first, are assembled, disassembled, listed and run. CPU time and memory must grow
linearly: a factor of eight is a failure, except for small amounts. Absurd inputs (an expression of a million parts, an unterminated
text) must soon be refused or accepted. The last line is "N passed, N failed, N skipped".
"""
import os
import subprocess
import sys
import threading

KERNEL = """.globl k{0}
.p2align 8
.type k{0},@function
k{0}:
 s_endpgm
.section .rodata
.p2align 6
.amdhsa_kernel k{0}
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.text
"""
ONE = KERNEL.format(0)


def many(n, line):
    return "".join(line(i) for i in range(n))


def kernels(n):
    return many(n // 4, KERNEL.format)


def functions(n):
    return ONE + many(n, lambda i: f".globl f{i}\n.type f{i},@function\nf{i}:\n s_nop 0\n")


def same_place(n):
    return ONE + many(n, lambda i: f".globl f{i}\nf{i}:\n")


def branches(n):
    return ONE + many(n, lambda i: f"l{i}:\n s_cbranch_scc0 l{min(n - 1, i + 30000)}\n")


def values(n):
    return ONE + many(n, lambda i: f".set s{i}, {i} + s{i - 1}\n" if i else ".set s0, 1\n") + f".long s{n - 1}\n"


def relocations(n):
    return ONE + ".data\nx:\n" + many(n, lambda i: f".quad x+{i}\n")


def one_line(n):
    return ONE + ".long " + ",".join(["1"] * n) + "\n"


KINDS = [kernels, functions, same_place, branches, values, relocations, one_line]

# Inputs that must be refused or accepted at once, with bounded stack and memory.
ABSURD = {
    "parentheses": "s_mov_b32 s0, " + "(" * 1000000 + "1\n",
    "signs": ".long " + "-" * 1000000 + "1\n",
    "sum": ".long 1" + "+1" * 1000000 + "\n",
    "number": "s_mov_b32 s0, " + "9" * 1000000 + "\n",
    "fraction": "v_mov_b32 v0, 1." + "9" * 1000000 + "\n",
    "text without an end": '.ascii "' + "x" * 1000000,
    "fill": ".fill 0x7fffffffffffffff, 8, 0\n",
    "alignment": ".long 1\n.p2align 63\n",
    "metadata": ".amdgpu_metadata\n" + "[" * 1000000 + "\n.end_amdgpu_metadata\n",
    "nested metadata": ".amdgpu_metadata\n" + "".join(" " * i + "a:\n" for i in range(2000)),
}


class Use:
    """A run's CPU seconds, KiB of memory and exit code; it is killed after a minute."""

    def __init__(self, command):
        with open(os.devnull, "wb") as null:
            p = subprocess.Popen(command, stdout=null, stderr=subprocess.PIPE)
            timer = threading.Timer(60, p.kill)
            timer.start()
            self.text = p.stderr.read().decode(errors="replace")
            _, status, use = os.wait4(p.pid, 0)
            timer.cancel()
        self.code = os.waitstatus_to_exitcode(status)
        self.seconds, self.memory = use.ru_utime, use.ru_maxrss


def commands(heddle, text, out):
    return {
        "asm": [heddle, "asm", "-t", "gfx1030", "--emit", "obj", text, "-o", out],
        "disasm": [heddle, "disasm", out],
        "disasm --object": [heddle, "disasm", "--object", out],
        "run": [heddle, "run", out, "--kernel", "k0", "--groups", "1"],
    }


def grow(heddle, folder, kind):
    """Returns the failures of a kind."""
    text, out, small, bad = os.path.join(folder, "large.s"), os.path.join(folder, "large.o"), {}, []
    for n in (10000, 40000):
        with open(text, "w", encoding="utf-8") as f:
            f.write(kind(n))
        for name, command in commands(heddle, text, out).items():
            use = Use(command)
            where = f"{kind.__name__} {n}, {name}"
            if use.code:
                bad.append(f"{where}: exit code {use.code}: {use.text[:300]}")
            was = small.setdefault(name, use)
            if use.seconds > 8 * was.seconds + 0.5:
                bad.append(f"{where}: {use.seconds:.2f} s, a quarter takes {was.seconds:.2f} s")
            if use.memory > 8 * was.memory:
                bad.append(f"{where}: {use.memory} KiB, a quarter takes {was.memory} KiB")
    return bad


def absurd(heddle, folder, name):
    text = os.path.join(folder, "absurd.s")
    with open(text, "w", encoding="utf-8") as f:
        f.write(ABSURD[name])
    use = Use([heddle, "asm", "-t", "gfx1030", "--emit", "obj", text, "-o", text + ".o"])
    ok = use.code == 0 or use.code == 1 and ": error: " in use.text
    return [] if ok and use.seconds < 10 else [f"{name}: exit code {use.code}, {use.seconds:.1f} s: {use.text[:300]}"]


def main():
    heddle, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    failures = [grow(heddle, folder, k) for k in KINDS] + [absurd(heddle, folder, name) for name in ABSURD]
    for f in sum(failures, []):
        print(f)
    print(f"{failures.count([])} passed, {len(failures) - failures.count([])} failed, 0 skipped")
    return 1 if sum(failures, []) else 0


if __name__ == "__main__":
    sys.exit(main())
