#!/usr/bin/env python3
"""Compares Heddle's kernels of the ABI hsa with clang's for the same work, by what they execute.

    kernels.py --heddle PROGRAM --clang PROGRAM --build FOLDER [--targets gfx1030/32,...] [--only NAME,...] [--table | --each]

Each row of KERNELS is written twice in kernels/: NAME.cl, which clang compiles with -O3, and NAME.comp, which Heddle compiles with
--abi hsa. Both take the same arguments, buffers by address, and run on Heddle's emulator with its checkers, in the same groups of the
same wave size, on the same inputs. All buffers must then be equal to the last bit: products and sums stand as fma where rounding
counts, and clang may not contract others. --table prints Markdown, --each a line for each kernel and target. The last line is
"N passed, N failed, N skipped".
"""
import argparse
import concurrent.futures
import json
import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TARGETS = "gfx900/64,gfx90a/64,gfx1030/32,gfx1030/64,gfx1100/32,gfx1201/32"
CHECKS, CHECKS_CLANG = "all", "all,-hazards"  # clang 19 does not know all rules of gfx11 and gfx12 (docs/emulator.md)
OVER = 1.1  # kernels with a greater ratio are named
SHA256 = """428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5 d807aa98 12835b01 243185be 550c7dc3 72be5d74 80deb1fe
9bdc06a7 c19bf174 e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa 5cb0a9dc 76f988da 983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3
d5a79147 06ca6351 14292967 27b70a85 2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85 a2bfe8a1 a81a664b c24b8b70 c76c51a3
d192e819 d6990624 f40e3585 106aa070 19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3 748f82ee 78a5636f 84c87814
8cc70208 90befffa a4506ceb bef9a3f7 c67178f2"""
CONSTANTS = "buf:u32,values=" + ":".join("0x" + word for word in SHA256.split())

# name -> (groups, arguments). A number with a point is a float, another one has 32 bits.
KERNELS = {
    "saxpy": ("16", ["buf:f32,count=1k,random=1", "buf:f32,count=1k,random=2", "0.75", "1000"]),
    "haxpy": ("16", ["buf:f16,count=2k,random=1", "buf:f16,count=2k,random=2", "0.75", "1000"]),
    "dot": ("4", ["buf:f32,count=4k,random=1", "buf:f32,count=4k,random=2", "buf:f32,count=4", "4000"]),
    "convolve1d": ("8", ["buf:f32,count=1k,random=1", "buf:f32,count=17,random=2", "buf:f32,count=1k", "1000"]),
    "convolve2d": ("4,4", ["buf:f32,count=2k,random=1", "buf:f32,count=25,random=2", "buf:f32,count=2k", "62", "30"]),
    "matmul": ("3,3", ["buf:f32,count=2304,random=1", "buf:f32,count=2304,random=2", "buf:f32,count=2304", "48"]),
    "transpose": ("4,3", ["buf:f32,count=3k,random=1", "buf:f32,count=3k", "60", "40"]),
    "scan": ("3", ["buf:u32,count=2k,random=1", "buf:u32,count=2k", "buf:u32,count=3", "1500"]),
    "histogram": ("4", ["buf:u8,count=8k,random=1", "buf:u32,count=256", "2000"]),
    "bitonic_step": ("8", ["buf:u32,count=1k,random=1", "64", "16"]),
    "bitonic_sort": ("2", ["buf:u32,count=512,random=1"]),
    "nbody": ("3", ["buf:f32,count=768,random=1", "buf:f32,count=768", "192", "0.01"]),
    "mandelbrot": ("4,16", ["buf:u32,count=4k", "-2.0", "-1.25", "0.04", "64", "50"]),
    "sha256": ("4", ["buf:u32,count=4k,random=1", CONSTANTS, "buf:u32,count=2k", "250"]),
    "xxhash": ("4", ["buf:u32,count=8k,random=1", "buf:u32,count=256", "8", "12345"]),
    "stencil": ("2,5", ["buf:f32,count=8k,random=1", "buf:f32,count=8k", "32", "20", "12", "-6.0", "1.0"]),
    "fft": ("4", ["buf:f32,count=2k,random=1", "buf:f32,count=96,random=2", "buf:f32,count=2k", "1024", "16"]),
    "bilateral": ("4,4", ["buf:u8,count=2k,random=1", "buf:u8,count=2k", "62", "30", "-0.25", "-0.001"]),
    "spmv": ("4", ["buf:u32,count=257,iota=0:7", "buf:u32,count=2k,iota=0:1", "buf:f32,count=2k,random=1", "buf:f32,count=2k,random=2",
                   "buf:f32,count=256", "250"]),
    "int8_matvec": ("4", ["buf:u8,count=16k,random=1", "buf:u8,count=64,random=2", "buf:i32,count=256", "16"]),
    "blend": ("16", ["buf:u8,count=4k,random=1", "buf:u8,count=4k,random=2", "buf:u8,count=4k", "0.00390625", "1000"]),
    "search": ("8", ["buf:u32,count=1000,iota=5:4000000", "buf:u32,count=512,random=1", "buf:u32,count=512", "1000"]),
    "philox": ("8", ["buf:u32,count=2k", "123", "456"]),
    "softmax": ("4", ["buf:f32,count=1200,random=1", "buf:f32,count=1200", "300"]),
    "life": ("4,4", ["buf:u8,count=2k,values=0:1:1:0:0:0:1:0:1:1:1:0:0", "buf:u8,count=2k", "64", "32"]),
}


class Failure(Exception):
    pass


def run(command):
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False)
    if ran.returncode:
        raise Failure(f"{' '.join(command)}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def typed(value):
    """The value of an argument as `heddle run` takes it, and its size in bytes."""
    if value.startswith("buf:"):
        return value, 8
    return ("f32:" if "." in value else "u32:") + value, 4


def by_position(values):
    return [f"--arg={i}={typed(v)[0]}" for i, v in enumerate(values)], [str(i) for i in range(len(values))]


def by_offset(values):
    """The arguments as members of the push constants, which lie as clang lays out its arguments."""
    names, at = [], 0
    for v in values:
        size = typed(v)[1]
        at = (at + size - 1) // size * size
        names.append(f"push_constants+{at}")
        at += size
    return [f"--arg={name}={typed(v)[0]}" for name, v in zip(names, values)], names


class Bench:
    def __init__(self, heddle, clang, build):
        self.heddle, self.clang, self.build = heddle, clang, build
        os.makedirs(self.build, exist_ok=True)

    def path(self, *parts):
        return os.path.join(self.build, "-".join(parts))

    def compile_clang(self, name, target, wave):
        made = self.path(name, target, wave, "clang.co")
        size = ["-mwavefrontsize64"] if target.startswith("gfx1") and wave == "64" else []
        run([self.clang, "-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", f"-mcpu={target}", *size, "-nogpulib", "-w", "-O3",
             "-ffp-contract=off", os.path.join(HERE, "kernels", name + ".cl"), "-o", made])
        return made

    def compile_heddle(self, name, target, wave):
        made = self.path(name, target, wave, "heddle.co")
        run([self.heddle, "compile", "-t", target, "--wave-size", wave, "--abi", "hsa", os.path.join(HERE, "kernels", name + ".comp"), "-o", made])
        return made

    def execute(self, made, name, args, checks):
        """Runs a kernel; returns its counts and the contents of its buffers."""
        groups, values = KERNELS[name]
        given, names = args
        files = [(n, f"{made}.{k}") for k, (n, v) in enumerate(zip(names, values)) if v.startswith("buf:")]
        text = run([self.heddle, "run", made, "--groups", groups, "--check", checks, "-j1", "--counts", "json", *given,
                    *(f"--out={n}={path}" for n, path in files)])
        contents = []
        for _, path in files:
            with open(path, "rb") as f:
                contents.append(f.read())
            os.remove(path)
        return json.loads(text.splitlines()[0]), contents

    def measure(self, name, target, wave):
        """Returns the counts of (ours, clang's)."""
        values = KERNELS[name][1]
        ours, after = self.execute(self.compile_heddle(name, target, wave), name, by_offset(values), CHECKS)
        theirs, wanted = self.execute(self.compile_clang(name, target, wave), name, by_position(values), CHECKS_CLANG)
        inputs = [v for v in values if v.startswith("buf:")]
        for k, (a, b) in enumerate(zip(after, wanted)):
            if a != b:
                at = next(i for i in range(len(a)) if a[i] != b[i])
                raise Failure(f"buffer {k} ({inputs[k]}) differs at byte {at}")
        return ours, theirs


def total(counts, what):
    if what == "instructions":
        return counts["instructions"]
    if what == "cycles":
        return counts["time"]["cycles"]
    return counts["classes"].get(what, {}).get("instructions", 0)


def ratio(row, what):
    ours, theirs = total(row[0], what), total(row[1], what)
    return ours / theirs if theirs else None


def mean(rows, what):
    logs = [math.log(r) for r in (ratio(row, what) for row in rows) if r]
    return f"{math.exp(sum(logs) / len(logs)):.3f}" if logs else "-"


MEMORY = ("buffer", "image", "flat", "global", "scratch")
CLASSES = ("valu", "salu", "smem", "lds", "wait", "branch")


def cells(row):
    def pair(a, b):
        return f"{a} / {b}"
    out = [pair(*(total(c, "instructions") for c in row)), f"{ratio(row, 'instructions'):.2f}"]
    out += [pair(*(total(c, name) for c in row)) for name in CLASSES]
    out += [pair(*(sum(total(c, name) for name in MEMORY) for c in row))]
    return out + [pair(*(round(total(c, "cycles")) for c in row)), f"{ratio(row, 'cycles'):.2f}"]


def markdown(head, lines):
    out = ["| " + " | ".join(head) + " |", "|" + " --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(out + ["| " + " | ".join(line) + " |" for line in lines])


def section(rows, each="gfx1030/32"):
    """The section of docs/performance.md: all targets, then each kernel on one of them. `rows`: {(name, target): (ours, clang's)}."""
    targets = list(dict.fromkeys(target for _, target in rows))
    names = list(dict.fromkeys(name for name, _ in rows))
    sums = [[target, mean(of, "instructions"), mean(of, "cycles"), ", ".join(over(rows, target)) or "-"]
            for target in targets for of in [[row for key, row in rows.items() if key[1] == target]]]
    by_target = [[f"`{name}`"] + [f"{ratio(rows[name, t], 'instructions'):.2f}" if (name, t) in rows else "-" for t in targets] for name in names]
    classes = [[f"`{name}`", *cells(rows[name, each])] for name in names if (name, each) in rows]
    return "\n\n".join([
        "## Kernels beside clang's",
        f"The kernels of `tests/bench/kernels`, each in GLSL for Heddle (`--abi hsa`) and in OpenCL C for clang (-O3), run by the emulator on the\n"
        f"same inputs with equal results, at the same wave size. Geometric means of executed instructions and estimated cycles, ours / clang's, and\n"
        f"kernels with more than {OVER} times clang's instructions:",
        markdown(["target/wave", "instructions", "cycles", f"over {OVER}"], sums),
        "Executed instructions of each kernel, ours / clang's:",
        markdown(["kernel", *targets], by_target),
        f"By class on {each}, ours / clang's:",
        markdown(["kernel", "instructions", "ratio", *CLASSES, "memory", "cycles", "ratio"], classes)]) + "\n"


def over(rows, target):
    return [f"{name} {ratio(row, 'instructions'):.2f}" for (name, t), row in rows.items() if t == target and ratio(row, "instructions") > OVER]


def measure_all(bench, names, targets, tell=None):
    """Returns ({(name, target): (ours, clang's)}, the failures). `targets` are "target/wave size"."""
    rows, failures = {}, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {(n, t): pool.submit(bench.measure, n, *t.split("/")) for t in targets for n in names}
        for (name, target), job in jobs.items():
            try:
                rows[name, target] = job.result()
            except (Failure, subprocess.TimeoutExpired) as e:
                failures.append(f"{name} {target}: {e}")
                continue
            if tell:
                tell(name, target, rows[name, target])
    return rows, failures


def tell_each(name, target, row):
    print(f"{name:13} {target:10}", "  ".join(cells(row)), flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--heddle", required=True)
    p.add_argument("--clang", required=True)
    p.add_argument("--build", required=True)
    p.add_argument("--targets", default=TARGETS)
    p.add_argument("--only", default=",".join(KERNELS))
    p.add_argument("--table", action="store_true")
    p.add_argument("--each", action="store_true")
    options = p.parse_args()
    rows, failures = measure_all(Bench(options.heddle, options.clang, options.build), options.only.split(","), options.targets.split(","), tell_each if options.each else None)
    print(*failures, sep="\n", end="\n" if failures else "")
    if options.table:
        print(section(rows))
    print(f"{len(rows)} passed, {len(failures)} failed, 0 skipped")
    sys.exit(bool(failures) or not rows)


if __name__ == "__main__":
    main()
