"""The drivers that Heddle is compared with: RADV of this machine's Debian, and the newest of Debian sid.

No GPU is needed. The machine's own driver compiles for its null device. The newest is unpacked into a folder of its own by
../shared/tools/getroot and runs on the software Radeon (`heddle gpu`). There both also execute shaders, as `real --on=vulkan`
runs them (tests/real).
"""
import json
import os
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.path.join(ROOT, os.environ.get("HEDDLE_SHARED", "../shared"))
TOOLS = os.path.abspath(os.path.join(SHARED, "tools"))

# Heddle's target -> names of a chip of that generation: on the null device of RADV 22.3.6, on the software Radeon.
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


def on_radeon(heddle, target, root=None, dispatches=None):
    """The words before a command that run it on the software Radeon, without checkers: with the driver of the system in the folder `root`,
    or the machine's own. The file `dispatches` gets a line for each dispatch."""
    words = [heddle, "gpu", "-t", CHIPS[target][1], "--check", "none"]
    words += ["--root", root] if root else []
    words += ["--dispatches", dispatches] if dispatches else []
    return [*words, "--"]


class System:
    """The driver that Debian 12 has installed, on its null device."""

    title = "Debian 12's"
    version = None  # as its rows say
    root = None

    def chip(self, target):
        return CHIPS[target][0]

    def command(self, _target):
        """How a program compiles with it: words before its command, and its environment."""
        return [], {}

    def runs_at(self, wave_size):
        """Would it choose that wave size? It has waves of 64 unless a program asks for others."""
        return wave_size == 64


class Newest:
    """The driver of Debian sid, in the folder `root`, on the software Radeon of the program `heddle`."""

    title = "Debian sid's"
    version = None

    def __init__(self, root, heddle):
        self.root, self.heddle = root, heddle

    def chip(self, target):
        return CHIPS[target][1]

    def command(self, target):
        return on_radeon(self.heddle, target, self.root), {}

    def runs_at(self, _wave_size):
        return True  # the sizes are those that it chose


def open_newest(build, heddle):
    """Returns (the newest driver, None), or (None, why it is not there)."""
    root = os.path.join(build, "roots", "sid")
    icd = os.path.join(root, "usr", "share", "vulkan", "icd.d", "radeon_icd.json")
    if not os.path.exists(icd):
        ran = run([os.path.join(TOOLS, "getroot"), "-q", "sid", root, "mesa-vulkan-drivers"])
        if not os.path.exists(icd):
            return None, (ran.stderr.strip().splitlines() or ["getroot failed"])[-1]
    return Newest(root, heddle), None


def compile_all(driver, anchor, target, paths, wave_sizes=None, repeat=1, listing=False, role="subject"):
    """Compiles the files for the target's chip, each at its own wave size of `wave_sizes` (by path) or the driver's choice. Yields
    (path, the row of the shader, None) or (path, None, why not). With `listing`, "asm" in a row is the code's text with its words.
    Of the role "paired" the row of X.frag.spv is that of X.vert.spv, the file behind it."""
    words, env = driver.command(target)
    for size in sorted(set(wave_sizes.values())) if wave_sizes else [None]:
        mine = [p for p in paths if not wave_sizes or wave_sizes.get(p) == size]
        for at in range(0, len(mine), BATCH):
            rows = {}
            command = [*words, os.path.join(anchor, "radv-anchor"), "--quiet", "--family", driver.chip(target), "--repeat", str(repeat), "--json"]
            command += ["--subgroup-size", str(size)] if size and size != 64 else []
            command += ["--asm"] if listing else []
            command += ["--pair"] if role == "paired" else []
            ran = run([*command, *mine[at:at + BATCH]], env=os.environ | env)
            for line in ran.stdout.splitlines():
                row = json.loads(line) if line.startswith("{") else {}
                if "file" in row and row.get("role", "subject") == role:
                    rows.setdefault(row["file"], row)
            for path in mine[at:at + BATCH]:
                row = rows.get(path, {})
                yield (path, row, None) if "stats" in row else (path, None, str(row.get("error", "no row")))
