"""What the tests of Vulkan programs share: lavapipe, the software Radeon's chips, and the rules that RADV's own code breaks."""
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LAVAPIPE = "lavapipe"

# Rules that the code of Debian 12's RADV (22.3.6) breaks, or that the checker sees broken where nothing is: chips, programs, rule, reason.
EXCUSED = [
    (("TAHITI",), ("chromaber",), "wait-write",
     "the checker: an image_sample counts as writing all lanes; the store that reads the register late has the lanes of the if's other arm"),
    (("NAVI31", "NAVI33", "PHOENIX"), ("sort",), "wait-write",
     "an arm of a divergent if writes lanes that a load of the other arm leaves alone; from gfx11 on the ALU must not, which Mesa learnt later "
     "(aco_insert_waitcnt.cpp); tests/emu/aco_checks.py has the same of LDS"),
    (("NAVI31", "NAVI33", "PHOENIX"), ("image",), "VALUMaskWriteHazardVALU",
     "the vertex shader of the driver's own copies writes vcc behind v_cndmask; the rule is newer than this driver (docs/software-radeon.md)"),
]


def chips():
    """Yields the names of chips.def."""
    text = open(os.path.join(ROOT, "src/gpu/chip/chips.def"), encoding="utf-8").read()
    return re.findall(r"^GPU_CHIP\((\w+),", text, re.M)


def lavapipe_icd():
    """The loader's file of lavapipe, or None."""
    folder = "/usr/share/vulkan/icd.d"
    names = sorted(n for n in os.listdir(folder) if n.startswith("lvp_icd")) if os.path.isdir(folder) else []
    return os.path.join(folder, names[0]) if names else None


def checks(chip, program):
    """The value of --check: all but the rules that are excused there."""
    off = sorted({rule for chips_, programs, rule, _ in EXCUSED if chip in chips_ and program in programs})
    return ",".join(["all"] + ["-" + rule for rule in off])


def run(heddle, device, command, options=(), env=None, timeout=120):
    """Runs a command with a device. Returns (exit code, standard output, standard error); the code is None if time is over."""
    own = dict(os.environ, **(env or {}))
    if device == LAVAPIPE:
        own.update(VK_ICD_FILENAMES=lavapipe_icd() or "", VK_DRIVER_FILES=lavapipe_icd() or "")
    else:
        command = [heddle, "gpu", "-t", device, *options, "--", *command]
    try:
        done = subprocess.run(command, env=own, capture_output=True, text=True, timeout=timeout, check=False, errors="replace")
    except subprocess.TimeoutExpired as e:
        return None, str(e.stdout or ""), str(e.stderr or "")
    return done.returncode, done.stdout, done.stderr


def has_no_device(out, err):
    """Has the driver found no device that it knows? RADV 22.3.6 does not know the newest chips."""
    return "no Vulkan device" in out or "vkEnumeratePhysicalDevices: error" in out or "has no driver" in err
