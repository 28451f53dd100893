#!/usr/bin/env python3
"""Runs image instructions as LLVM emits them, on every generation.

    image_kernels.py HEDDLE CLANG FOLDER

A kernel for each image intrinsic and dimension is compiled for each target. LLVM chooses the address registers,
da, dim, a16, d16 and the packing of data. `heddle run` gives the kernels an image and a sampler in the target's
format and enables all checkers. The results must be the same on all targets. Without CLANG the test is skipped.
Prints TAP.
"""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TARGETS = ["gfx1030", "gfx600", "gfx700", "gfx803", "gfx810", "gfx900", "gfx908", "gfx1010", "gfx1100", "gfx1150", "gfx1200"]
PLAIN = "r8g8b8a8_unorm"
# dimension: image, coordinates of samples, integer coordinates, gradients in a direction
DIMS = {
    "1d": ("13", ["%x"], ["%ix"], 1),
    "2d": ("13x7,levels=3", ["%x", "%y"], ["%ix", "%iy"], 2),
    "3d": ("7x5x4", ["%x", "%y", "%z"], ["%ix", "%iy", "%m4"], 3),
    "cube": ("8x8,cube", ["%cx", "%cy", "%face"], ["%ix", "%iy", "%m6"], 2),
    "1darray": ("13,layers=4", ["%x", "%layer"], ["%ix", "%m4"], 1),
    "2darray": ("13x7,layers=4", ["%x", "%y", "%layer"], ["%ix", "%iy", "%m4"], 2),
}
# The sizes that are sampled, if not these. Data fills level 0 alone, so the coordinates' steps must be about a texel at the most.
SAMPLED = {"2d": "6x5,levels=3"}
# Stores: a texel for each of the 64 work items.
STORES = {
    "1d": ("64", ["%id"]), "2d": ("16x4", ["%lo4", "%hi2"]), "3d": ("4x4x4", ["%m4", "%mid2", "%hi2"]), "cube": ("4x4,cube", ["%m4", "%mid2", "%hi2"]),
    "1darray": ("16,layers=4", ["%lo4", "%hi2"]), "2darray": ("4x4,layers=4", ["%m4", "%mid2", "%hi2"]),
}
STEP = "0x3FB99999A0000000"  # 0.1

HEAD = """define amdgpu_kernel void @NAME(ptr addrspace(1) %out, ptr addrspace(4) %ip, ptr addrspace(4) %sp) #0 {
  %r = load <8 x i32>, ptr addrspace(4) %ip, align 32
  %s = load <4 x i32>, ptr addrspace(4) %sp, align 16
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %fid = uitofp i32 %id to float
  %x = fmul float %fid, 0x3FB3333340000000
  %y = fmul float %fid, 0x3FA47AE140000000
  %z = fmul float %fid, 0x3F8D7DC200000000
  %cx0 = call float @llvm.amdgcn.fract.f32(float %x)
  %cx = fadd float %cx0, 1.0
  %cy0 = call float @llvm.amdgcn.fract.f32(float %y)
  %cy = fadd float %cy0, 1.0
  %m6 = urem i32 %id, 6
  %face = uitofp i32 %m6 to float
  %m4 = and i32 %id, 3
  %layer = uitofp i32 %m4 to float
  %ix = urem i32 %id, 7
  %iy = udiv i32 %id, 13
  %lo4 = and i32 %id, 15
  %hi2 = lshr i32 %id, 4
  %up = lshr i32 %id, 2
  %mid2 = and i32 %up, 3
"""
TAIL = """  %p = getelementptr <4 x float>, ptr addrspace(1) %out, i32 %id
  store <4 x float> %v, ptr addrspace(1) %p
  ret void
}
"""


class Module:
    def __init__(self):
        self.text, self.declared, self.kernels = [], set(), []

    def declare(self, line):
        if line not in self.declared:
            self.declared.add(line)
            self.text.append(line)

    def kernel(self, name, body, image):
        self.text.append(HEAD.replace("NAME", name) + body + TAIL)
        self.kernels.append((name, image))

    def call(self, result, type_, intrinsic, suffix, values, sampled):
        """Declares an intrinsic; returns the line that calls it on `values`, (type, value) pairs."""
        f = f"@llvm.amdgcn.image.{intrinsic}.{suffix}"
        more = [("<8 x i32>", "%r")] + ([("<4 x i32>", "%s"), ("i1", "0")] if sampled else [])
        every = values + more + [("i32", "0"), ("i32", "0")]
        self.declare(f"declare {type_} {f}({', '.join(t for t, _ in every)})")
        left = f"  %{result} = " if result else "  "
        return f"{left}call {type_} {f}({', '.join(t + ' ' + v for t, v in every)})\n"


def floats(values):
    return [("float", v) for v in values]


def ints(values):
    return [("i32", v) for v in values]


def add_samples(m, dim):
    size, coords, _, n = DIMS[dim]
    image, mask = f"image:{PLAIN},{SAMPLED.get(dim, size)};u8,random=3", [("i32", "15")]
    for op, before, behind in [("sample", [], []), ("sample.lz", [], []), ("sample.l", [], ["0.75"]),
                               ("sample.b", ["0.5"], []), ("sample.cl", [], ["0.5"])]:
        types = "v4f32.f32.f32" if op == "sample.b" else "v4f32.f32"
        line = m.call("v", "<4 x float>", op, f"{dim}.{types}", mask + floats(before + coords + behind), True)
        m.kernel(f"{op.replace('.', '_')}_{dim}", line, image)
    gradients = floats([STEP] * (2 * n) + coords)
    for op, offset in [("sample.d", []), ("sample.d.o", ints(["257"]))]:
        line = m.call("v", "<4 x float>", op, f"{dim}.v4f32.f32.f32", mask + offset + gradients, True)
        m.kernel(f"{op.replace('.', '_')}_{dim}", line, image)
    if dim in ("2d", "2darray", "cube"):
        line = m.call("v", "<4 x float>", "gather4.lz", f"{dim}.v4f32.f32", [("i32", "4")] + floats(coords), True)
        m.kernel(f"gather4_{dim}", line, image)


def add_loads(m, dim):
    size, _, at, _ = DIMS[dim]
    image, mask = f"image:{PLAIN},{size};u8,random=5", [("i32", "15")]
    m.kernel(f"load_{dim}", m.call("v", "<4 x float>", "load", f"{dim}.v4f32.i32", mask + ints(at), False), image)
    m.kernel(f"load_mip_{dim}", m.call("v", "<4 x float>", "load.mip", f"{dim}.v4f32.i32", mask + ints(at + ["0"]), False), image)
    m.kernel(f"resinfo_{dim}", m.call("v", "<4 x float>", "getresinfo", f"{dim}.v4f32.i32", mask + ints(["0"]), False), image)
    store = "  %d = insertelement <4 x float> <float 0.25, float 0.5, float 1.0, float 0.0>, float %x, i32 3\n"
    room, own = STORES[dim]
    store += m.call("", "void", "store", f"{dim}.v4f32.i32", [("<4 x float>", "%d")] + mask + ints(own), False)
    store += m.call("v", "<4 x float>", "load", f"{dim}.v4f32.i32", mask + ints(own), False)
    m.kernel(f"store_{dim}", store, f"image:{PLAIN},{room}")
    atomic = m.call("old", "i32", "atomic.umax", f"{dim}.i32.i32", [("i32", "77")] + ints(at), False)
    atomic += "  %f = uitofp i32 %old to float\n  %v = insertelement <4 x float> zeroinitializer, float %f, i32 0\n"
    m.kernel(f"atomic_{dim}", atomic, f"image:r32_uint,{size.replace(',levels=3', '')};u32,iota")


def add_compares(m):
    image = "image:r32_sfloat,13x7;f32,random=9"
    for op, behind in [("sample.c.lz", []), ("sample.c.l", ["0.0"])]:
        line = m.call("w", "float", op, "2d.f32.f32", [("i32", "1")] + floats(["0.5", "%x", "%y"] + behind), True)
        line += "  %v = insertelement <4 x float> zeroinitializer, float %w, i32 1\n"
        m.kernel(op.replace(".", "_"), line, image)


def add_blocks(m):
    """Formats in which several texels share a block."""
    for name in ["bc1_rgba_unorm_block", "bc5_snorm_block", "bc6h_ufloat_block", "bc7_srgb_block", "b8g8r8g8_422_unorm"]:
        image, short = f"image:{name},22x14;u8,random=7", name.split("_")[0]
        m.kernel(f"{short}_load", m.call("v", "<4 x float>", "load", "2d.v4f32.i32", [("i32", "15")] + ints(["%ix", "%iy"]), False), image)
        m.kernel(f"{short}_sample", m.call("v", "<4 x float>", "sample.lz", "2d.v4f32.f32", [("i32", "15")] + floats(["%x", "%y"]), True),
                 image)


def add_halves(m):
    """16-bit data (from gfx8 on) and addresses (from gfx9 on)."""
    image, at = f"image:{PLAIN},13x7;u8,random=5", ints(["%ix", "%iy"])
    line = m.call("h", "<4 x half>", "load", "2d.v4f16.i32", [("i32", "15")] + at, False)
    line += "  %v = fpext <4 x half> %h to <4 x float>\n"
    m.kernel("d16_load", line, image)
    line = "  %h = insertelement <4 x half> <half 0.25, half 0.5, half 1.0, half 0.0>, half 1.0, i32 3\n"
    room, own = STORES["2d"]
    line += m.call("", "void", "store", "2d.v4f16.i32", [("<4 x half>", "%h"), ("i32", "15")] + ints(own), False)
    line += m.call("v", "<4 x float>", "load", "2d.v4f32.i32", [("i32", "15")] + ints(own), False)
    m.kernel("d16_store", line, f"image:{PLAIN},{room}")
    line = "  %hx = trunc i32 %ix to i16\n  %hy = trunc i32 %iy to i16\n"
    line += m.call("v", "<4 x float>", "load", "2d.v4f32.i16", [("i32", "15"), ("i16", "%hx"), ("i16", "%hy")], False)
    m.kernel("a16_load", line, image)
    line = "  %hx = fptrunc float %cx0 to half\n  %hy = fptrunc float %cy0 to half\n"
    values = [("half", v) for v in ["0xH2E66"] * 4 + ["%hx", "%hy"]]
    line += m.call("v", "<4 x float>", "sample.d", "2d.v4f32.f16.f16", [("i32", "15")] + values, True)
    m.kernel("a16_sample_d", line, image)


def is_missing(name, target):
    old = target in ("gfx600", "gfx700")
    return old and name.startswith(("d16", "a16")) or target.startswith("gfx8") and name.startswith("a16")


def run(heddle, folder, name, image, target):
    out = os.path.join(folder, f"{name}.{target}.bin")
    command = [heddle, "run", os.path.join(folder, ("halves" if name[:3] in ("d16", "a16") else "images") + f".{target}.co"),
               "--kernel", name, "--arg", "buf:f32,count=256", "--arg", image, "--arg", "sampler:linear,mips,repeat,compare=less",
               "--group", "64", "--out", f"0={out}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return None, done.stdout + done.stderr
    with open(out, "rb") as f:
        return f.read(), ""


def compile_all(clang, folder, what, m):
    path = os.path.join(folder, what + ".ll")
    with open(path, "w") as f:
        f.write("\n".join(m.text) + "\ndeclare i32 @llvm.amdgcn.workitem.id.x()\ndeclare float @llvm.amdgcn.fract.f32(float)\n"
                'attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }\n')
    for target in TARGETS:
        if is_missing("d16" if what == "halves" else "", target):
            continue
        kept = path
        if what == "halves" and target.startswith("gfx8"):  # no a16
            kept = os.path.join(folder, "halves8.ll")
            with open(path) as f, open(kept, "w") as g:
                g.write("".join(p for p in f.read().split("\n\n") if "@a16" not in p))
        subprocess.run([clang, "-x", "ir", "-target", "amdgcn-amd-amdhsa", f"-mcpu={target}", "-nogpulib", "-w", "-O2", kept,
                        "-o", os.path.join(folder, f"{what}.{target}.co")], check=True)


def main():
    if len(sys.argv) < 4:
        print("1..0 # SKIP clang 19 or lld is missing")
        return 0
    heddle, clang, folder = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    images, halves = Module(), Module()
    for dim in DIMS:
        add_samples(images, dim)
        add_loads(images, dim)
    add_compares(images)
    add_blocks(images)
    add_halves(halves)
    compile_all(clang, folder, "images", images)
    compile_all(clang, folder, "halves", halves)
    failed = 0
    kernels = images.kernels + halves.kernels
    print(f"1..{len(kernels)}")
    for number, (name, image) in enumerate(kernels, 1):
        targets = [t for t in TARGETS if not is_missing(name, t)]
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda t: run(heddle, folder, name, image, t), targets))
        wrong = [t for t, r in zip(targets, results) if r[0] is None or r[0] != results[0][0]]
        if not results[0][0] or not any(results[0][0]):
            wrong = wrong or ["all are zero"]
        print(f"{'not ok' if wrong else 'ok'} {number} - {name}" + (f" # {' '.join(wrong)}" if wrong else ""))
        for target, (data, text) in zip(targets, results):
            if data is None:
                print(f"# {target}: {text.strip()[:500]}")
        failed += bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
