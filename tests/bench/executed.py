"""Executes shaders as both compilers make them, on the same inputs, with Heddle's emulator.

`real` (tests/real) makes memory from a shader's declarations. It runs Heddle's code itself, and RADV's through Vulkan on the fake
device, which logs a line for each dispatch (timed_run.h). RADV dispatches copies and clears of its own too, so the shader's dispatch is known by
its grid and by code that runs once. Shaders that the harness leaves out, and those whose results differ, have no row.
"""
import concurrent.futures
import os
import re

import anchors

TIMEOUT = 120  # seconds
DISPATCH = re.compile(r"time (\d+) cycles\nexec: "
                      r"dispatch (\d+) x (\d+) x (\d+) of (\d+) x (\d+) x (\d+) at (0x[0-9a-f]+): status 0, (\d+) instructions, (\d+) findings")
GOOD = ("same", "near")


def line_of(real, way, target, path, words=(), env=None):
    """Returns (the fields of the line for the way, standard error). `way` may be followed by more options."""
    command = [*words, real, f"--target={target}", *f"--on={way}".split(), "--time", path]
    try:
        ran = anchors.run(command, timeout=TIMEOUT, env=os.environ | (env or {}))
    except anchors.subprocess.TimeoutExpired:
        return None, ""
    for line in ran.stdout.splitlines():
        fields = line.split("\t")
        if len(fields) > 6 and fields[2] == way.split()[0] and fields[3] in GOOD:
            return fields, ran.stderr
    return None, ran.stderr


def dispatched(fields, log):
    """(instructions, cycles) of the shader's dispatch in the device's log; None if that cannot be told."""
    local, groups = fields[4].split(":", 1)[1].split("*")
    wanted = tuple(groups.split("x") + local.split("x"))
    by_code = {}
    for found in DISPATCH.finditer(log):
        by_code.setdefault(found[8], []).append((found.groups()[1:7], (int(found[9]), int(found[1]))))
    mine = [runs[0][1] for runs in by_code.values() if len(runs) == 1 and runs[0][0] == wanted]
    return mine[0] if len(mine) == 1 else None


def compare_one(real, driver, fake, target, path, wave_size):
    """Returns ours and theirs in (executed instructions of all waves, cycles), or None."""
    words, env = driver.executing(target, fake)
    ours, _ = line_of(real, f"w{wave_size}", target, path)
    # the driver may choose another size for the workgroup that is launched than for the one that it was asked to compile
    vulkan = f"vulkan --subgroup-size={wave_size}"
    theirs, log = line_of(real, vulkan, target, path, words, env) if ours else (None, "")
    counts = dispatched(theirs, log) if theirs and theirs[4] == ours[4] else None
    return ((int(ours[6]), int(ours[8])), counts) if counts else None


def compare(real, driver, fake, target, shaders, wave_sizes):
    """Returns {shader's name: {"executed": (ours, theirs), "cycles": (ours, theirs)}} of what both ran with the same results."""
    if not driver.chip(target):
        return {}
    wave_sizes = {path: size for path, size in wave_sizes.items() if driver.runs_at(size)}
    rows = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {path: pool.submit(compare_one, real, driver, fake, target, path, size) for path, size in wave_sizes.items()}
        for path, job in jobs.items():
            if job.result():
                rows[shaders[path]] = dict(zip(("executed", "cycles"), zip(*job.result())))
    return rows
