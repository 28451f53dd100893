"""Runs `heddle run` and reads its report."""
import re
import subprocess
import sys

# The program's messages if the machine lacks the device.
NO_DEVICE = re.compile(r"there is no Vulkan|makes no instance|there is no device|without the Vulkan headers")


def run(heddle, device, paths, jobs=2):
    """Returns [(verdict, path, reason)] in the order of the report. `device` is "vulkan", "radv-TARGET" for the system's
    RADV on the software Radeon, or a target, behind which "-hsa" stands for kernels of that ABI, "-wave32" for that wave
    size. Ends the test as skipped if the device is missing, as failed after findings on RADV's code."""
    command = [heddle, "run", "-j", str(jobs)]
    target, *ways = device.split("-")
    if target == "radv":
        # The findings of the races and undefined checkers on RADV's code are not judged yet (docs/status.md).
        command += ["--device", "radv", "-t", ways.pop(), "--check", "waits,hazards,memory,hangs"]
    else:
        command += ["--device", "vulkan"] if device == "vulkan" else ["-t", target]
    for way in ways:
        command += ["--wave-size", "32"] if way == "wave32" else ["--abi", way]
    ran = subprocess.run(command + paths, capture_output=True, text=True, errors="replace")
    found = []
    for line in ran.stdout.splitlines():
        m = re.match(r"^(PASS|FAIL|SKIP) (.*?) \[(\w+)\](?:: (.*))?$", line)
        if m:
            assert m.group(3) == ("vulkan" if target == "radv" else target), line
            found.append((m.group(1), m.group(2), m.group(4) or ""))
            if m.group(1) == "FAIL" and NO_DEVICE.search(found[-1][2]):
                print(f"skipped: {found[-1][2]}")
                sys.exit(77)
    totals = f"{count(found, 'PASS')} passed, {count(found, 'FAIL')} failed, {count(found, 'SKIP')} skipped"
    last = ran.stdout.splitlines()[-1] if ran.stdout else ran.stderr
    if last != totals:
        print(f"the report ends with '{last}', its lines make '{totals}'")
        sys.exit(1)
    if target == "radv" and re.search(r"^dispatch \d|is not built in", ran.stderr, re.M):
        print(ran.stderr)
        sys.exit(77 if "is not built in" in ran.stderr else 1)
    if ran.returncode != (1 if count(found, "FAIL") else 0):
        print(f"exit code {ran.returncode} after '{last}'")
        sys.exit(1)
    return found


def count(found, verdict):
    return sum(1 for f in found if f[0] == verdict)
