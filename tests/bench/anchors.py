"""The drivers that Heddle is compared with: RADV of this machine's Debian, and the newest of Debian sid.

No GPU is needed. The machine's own driver compiles for its null device. The newest is unpacked into a folder of its own by
../shared/tools/getroot and runs on the fake device of ../shared/tools/fake-radeon. On that device both also execute shaders,
as `real --on=vulkan` runs them (tests/real), with Heddle's emulator as the GPU.
"""
import itertools
import json
import os
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.path.join(ROOT, os.environ.get("HEDDLE_SHARED", "../shared"))
TOOLS = os.path.abspath(os.path.join(SHARED, "tools"))

# Heddle's target -> RADV's names of a chip of that generation: on the null device of 22.3.6, on the fake device.
CHIPS = {
    "gfx803": ("POLARIS10", "POLARIS10"),
    "gfx900": ("VEGA10", "VEGA10"),
    "gfx1010": ("NAVI10", "NAVI10"),
    "gfx1030": ("NAVI21", "NAVI21"),
    "gfx1100": ("GFX1100", "NAVI31"),
    "gfx1150": (None, "STRIX1"),
    "gfx1201": (None, "NAVI48"),
}
BATCH = 64  # files that one radv-anchor compiles


def run(command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, **options)


def copy_tool(name, build):
    """Copies a folder of ../shared/tools, which must not be written to, into `build`; returns the copy's path."""
    copy = os.path.join(build, name)
    for base, _, files in os.walk(os.path.join(TOOLS, name)):
        to = os.path.join(copy, os.path.relpath(base, os.path.join(TOOLS, name)))
        os.makedirs(to, mode=0o755, exist_ok=True)
        for f in files:
            shutil.copyfile(os.path.join(base, f), os.path.join(to, f))
    return copy


def build_anchor(build):
    copy = copy_tool("radv-anchor", build)
    subprocess.run(["make", "-s", "-C", copy, "radv-anchor", "samples"], check=True)
    return copy


def compiler_of(build):
    """The words that call the C compiler of the build folder `build`; its libraries may hold that compiler's intermediate code."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
        units = [u["command"].split() for u in json.load(f) if u["file"].endswith(".c")]
    words = list(itertools.takewhile(lambda w: not w.startswith("-"), units[0]))
    return [*words, "-fuse-ld=lld"] if "clang" in words[-1] else words


def build_fake_device(build):
    """Builds the fake device with the libraries of the build folder `build`; returns (the library that stands in for libdrm, the
    driver that wraps RADV and executes). The prototype was written against older names of the emulator."""
    copy = copy_tool("fake-radeon", build)
    out = os.path.join(copy, "out")
    os.makedirs(out, exist_ok=True)
    libraries = [os.path.join(base, f) for base, _, files in os.walk(os.path.join(build, "src")) for f in files if f.endswith(".a")]
    flags = ["-std=gnu11", "-O1", "-w", "-fPIC", "-shared", "-I/usr/include/libdrm"]
    names = ["-D_GNU_SOURCE=1", "-include", os.path.join(ROOT, "tests", "bench", "timed_run.h")]
    names += ["-Damd_emu_report=mach_report", "-DAMD_EMU_CHECK_ALL=MACH_CHECK_ALL", "-I" + os.path.join(ROOT, "src"), "-I" + os.path.join(ROOT, "include")]
    linked = ["-Wl,--start-group", *libraries, "-Wl,--end-group", "-Wl,--exclude-libs,ALL", "-lpthread", "-lm", "-ldl"]
    device, driver = os.path.join(out, "libfakegpu.so"), os.path.join(out, "libfakegpu_icd.so")
    cc = compiler_of(build)
    subprocess.run([*cc, *flags, "fakegpu.c", "-o", device, "-lpthread"], cwd=copy, check=True)
    subprocess.run([*cc, *flags, *names, "icd.c", "fakegpu.c", "exec.c", "-o", driver, *linked], cwd=copy, check=True)
    subprocess.run(["make", "-s", "out/fakegpu_icd.json"], cwd=copy, check=True)
    return device, driver


class System:
    """The driver that Debian 12 has installed, on its null device."""

    title = "Debian 12's"
    version = None  # as its rows say

    def chip(self, target):
        return CHIPS[target][0]

    def command(self, _target):
        return [], {}

    def runs_at(self, wave_size):
        """Would it choose that wave size? It has waves of 64 unless a program asks for others."""
        return wave_size == 64

    def executing(self, target, fake):
        """How a Vulkan program runs on the fake device: words before its command, and its environment."""
        return [], execution_environment(target, fake)


class Newest:
    """The driver of Debian sid, in the folder `root`, on the fake device."""

    title = "Debian sid's"
    version = None

    def __init__(self, root, fake):
        self.root, self.device = root, fake[0]
        self.loader = run([os.path.join(TOOLS, "getroot"), "-r", root]).stdout.split()

    def chip(self, target):
        return CHIPS[target][1]

    def command(self, target):
        icd = os.path.join(self.root, "usr", "share", "vulkan", "icd.d", "radeon_icd.json")
        return [*self.loader, "--preload", self.device], {"VK_ICD_FILENAMES": icd, "FAKEGPU_CHIP": self.chip(target)}

    def runs_at(self, _wave_size):
        return True  # the sizes are those that it chose

    def executing(self, target, fake):
        return [*self.loader, "--preload", fake[1]], execution_environment(target, fake)


def execution_environment(target, fake):
    icd = os.path.join(os.path.dirname(fake[1]), "fakegpu_icd.json")
    chip = {"FAKEGPU_CHIP": CHIPS[target][1], "HEDDLE_TARGET": target}
    return {"VK_ICD_FILENAMES": icd, **chip, "FAKEGPU_LINEAR": "1", "FAKEGPU_COMPUTE_ONLY": "1", "FAKEGPU_LOG": "1"}


def open_newest(build, fake):
    """Returns (the newest driver, None), or (None, why it is not there)."""
    root = os.path.join(build, "roots", "sid")
    icd = os.path.join(root, "usr", "share", "vulkan", "icd.d", "radeon_icd.json")
    if not os.path.exists(icd):
        ran = run([os.path.join(TOOLS, "getroot"), "-q", "sid", root, "mesa-vulkan-drivers"])
        if not os.path.exists(icd):
            return None, (ran.stderr.strip().splitlines() or ["getroot failed"])[-1]
    return Newest(root, fake), None


def compile_all(driver, anchor, target, paths, wave_sizes=None, repeat=1, listing=False):
    """Compiles the files for the target's chip, each at its own wave size of `wave_sizes` (by path) or the driver's choice. Yields
    (path, the row of the shader, None) or (path, None, why not). With `listing`, "asm" in a row is the code's text with its words."""
    words, env = driver.command(target)
    for size in sorted(set(wave_sizes.values())) if wave_sizes else [None]:
        mine = [p for p in paths if not wave_sizes or wave_sizes.get(p) == size]
        for at in range(0, len(mine), BATCH):
            rows = {}
            command = [*words, os.path.join(anchor, "radv-anchor"), "--quiet", "--family", driver.chip(target), "--repeat", str(repeat), "--json"]
            command += ["--subgroup-size", str(size)] if size and size != 64 else []
            command += ["--asm"] if listing else []
            ran = run([*command, *mine[at:at + BATCH]], env=os.environ | env)
            for line in ran.stdout.splitlines():
                row = json.loads(line) if line.startswith("{") else {}
                if "file" in row and row.get("role", "subject") == "subject":
                    rows.setdefault(row["file"], row)
            for path in mine[at:at + BATCH]:
                row = rows.get(path, {})
                yield (path, row, None) if "stats" in row else (path, None, str(row.get("error", "no row")))
