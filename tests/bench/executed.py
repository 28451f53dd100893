"""Executes shaders as both compilers make them, on the same inputs, with Heddle's emulator.

`real` (tests/real) makes memory from a shader's declarations. It runs Heddle's code itself, and RADV's through Vulkan on the software
Radeon, which writes a line for each dispatch. RADV dispatches copies and clears of its own too, so the shader's dispatch is known by
its grid and by code that runs once. Shaders that the harness leaves out, and those whose results differ, have no row.
"""
import concurrent.futures
import json
import os
import tempfile

import anchors

TIMEOUT = 120  # seconds
GOOD = ("same", "near")


def line_of(real, way, target, path, words=()):
    """Returns the fields of the line for the way, or None. `way` may be followed by more options."""
    command = [*words, real, f"--target={target}", *f"--on={way}".split(), "--time", path]
    try:
        ran = anchors.run(command, timeout=TIMEOUT)
    except anchors.subprocess.TimeoutExpired:
        return None
    for line in ran.stdout.splitlines():
        fields = line.split("\t")
        if len(fields) > 6 and fields[2] == way.split()[0] and fields[3] in GOOD:
            return fields
    return None


def dispatched(fields, dispatches):
    """(instructions, cycles) of the shader's dispatch of those in the device's file; None if that cannot be told."""
    local, groups = ([int(n) for n in part.split("x")] for part in fields[4].split(":", 1)[1].split("*"))
    by_code = {}
    with open(dispatches, encoding="utf-8") as f:
        for d in map(json.loads, f):
            by_code.setdefault(d["code"], []).append(d)
    mine = [runs[0] for runs in by_code.values() if len(runs) == 1 and (runs[0]["groups"], runs[0]["group_size"]) == (groups, local)]
    return (mine[0]["instructions"], mine[0]["cycles"]) if len(mine) == 1 else None


def run_theirs(program, driver, target, path, wave_size):
    """Returns the line of RADV's run and what its dispatch has executed."""
    # the driver may choose another size for the workgroup that is launched than for the one that it was asked to compile
    vulkan = f"vulkan --subgroup-size={wave_size}"
    with tempfile.TemporaryDirectory() as folder:
        dispatches = os.path.join(folder, "dispatches")
        words = anchors.on_radeon(program.heddle, target, driver.root, dispatches)
        fields = line_of(program.real, vulkan, target, path, words)
        return fields, dispatched(fields, dispatches) if fields and os.path.exists(dispatches) else None


def compare_one(program, driver, target, path, wave_size):
    """Returns ours and theirs in (executed instructions of all waves, cycles), or None."""
    ours = line_of(program.real, f"w{wave_size}", target, path)
    theirs, counts = run_theirs(program, driver, target, path, wave_size) if ours else (None, None)
    return ((int(ours[6]), int(ours[8])), counts) if counts and theirs[4] == ours[4] else None


def compare(program, driver, target, shaders, wave_sizes):
    """Returns {shader's name: {"executed": (ours, theirs), "cycles": (ours, theirs)}} of what both ran with the same results."""
    if not driver.chip(target):
        return {}
    wave_sizes = {path: size for path, size in wave_sizes.items() if driver.runs_at(size)}
    rows = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {path: pool.submit(compare_one, program, driver, target, path, size) for path, size in wave_sizes.items()}
        for path, job in jobs.items():
            if job.result():
                rows[shaders[path]] = dict(zip(("executed", "cycles"), zip(*job.result())))
    return rows
