"""Runs `heddle run` and reads its report."""
import os
import re
import subprocess
import sys

# The program's messages if the machine lacks the device.
NO_DEVICE = re.compile(r"there is no Vulkan|makes no instance|there is no device|without the Vulkan headers")


# A finding on RADV's code; those of docs/software-radeon.md are switched off below.
FINDING = re.compile(r"^submission \d+ .*findings?$|is not built in", re.M)


def radv_checks(target, newest):
    """The checkers that find nothing on RADV's code for the target. The races and undefined checkers find what docs/software-radeon.md
    lists, of old hazards Mesa 22.3.6 does not know all, and 26.2.6 breaks one on each of gfx1010 and gfx1201; on gfx902 both leave clauses whole that a
    fault might repeat."""
    breaks = target in ("gfx1010", "gfx1201") if newest else target.startswith("gfx11")
    # where an output has components that no shader sets, 22.3.6 exports v128
    apart = (["-export-register"] if not newest else []) + (["-SoftClauseSmem"] if target == "gfx902" else [])
    return ",".join(["memory", "hangs", *([] if breaks else ["waits", "hazards"]), *apart])


def run(heddle, device, paths, jobs=2, root=None, environment=None, checks=None):
    """Returns [(verdict, path, reason)] in the order of the report. `checks` are the emulator's (all). `device` is "vulkan", "radv-TARGET" for the system's
    RADV on the software Radeon, "radv26-TARGET" for that of the system in the folder `root`, or a target, behind which "-hsa" stands for
    kernels of that ABI, "-wave32" and "-wave64" for that wave size, "-ngg" for vertex shaders of that hardware stage. Ends the test as
    skipped if the device is missing, as failed after findings on RADV's code."""
    command = [heddle, "run", "-j", str(jobs)]
    target, *ways = device.split("-")
    radv = target.startswith("radv")
    if radv:
        chip = ways.pop()
        command += ["--device", "radv", "-t", chip, "--check", radv_checks(chip, root)] + (["--root", root] if root else [])
    else:
        command += ["--device", "vulkan"] if device == "vulkan" else ["-t", target]
    if checks:
        command += ["--check", checks]
    for way in ways:
        sized = ["--wave-size", way[4:]] if way.startswith("wave") else ["--abi", way]
        command += ["--vertex-kind", "primitive"] if way == "ngg" else sized
    ran = subprocess.run(command + paths, capture_output=True, text=True, errors="replace", env=os.environ | (environment or {}))
    found = []
    for line in ran.stdout.splitlines():
        m = re.match(r"^(PASS|FAIL|SKIP) (.*?) \[(\w+)\](?:: (.*))?$", line)
        if m:
            assert m.group(3) == ("vulkan" if radv else target), line
            found.append((m.group(1), m.group(2), m.group(4) or ""))
            if m.group(1) == "FAIL" and NO_DEVICE.search(found[-1][2]):
                print(f"skipped: {found[-1][2]}")
                sys.exit(77)
    totals = f"{count(found, 'PASS')} passed, {count(found, 'FAIL')} failed, {count(found, 'SKIP')} skipped"
    last = ran.stdout.splitlines()[-1] if ran.stdout else ran.stderr
    if last != totals:
        print(f"the report ends with '{last}', its lines make '{totals}'")
        sys.exit(1)
    if radv and FINDING.search(ran.stderr):
        print(ran.stderr)
        sys.exit(77 if "is not built in" in ran.stderr else 1)
    if ran.returncode != (1 if count(found, "FAIL") else 0):
        print(f"exit code {ran.returncode} after '{last}'")
        sys.exit(1)
    return found


def count(found, verdict):
    return sum(1 for f in found if f[0] == verdict)
