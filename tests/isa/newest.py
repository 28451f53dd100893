"""LLVM's newest tools, beside those of LLVM 19 that are installed: the second oracle of the thorough tests.

Debian sid's LLVM 22 is unpacked into the build folder, if the network allows it, and runs there with its own libraries
(../shared/tools/getroot); nothing is installed. It knows processors that LLVM 19 lacks (formats.NEWEST).
"""
import fcntl
import os
import subprocess

import formats

PACKAGE, VERSION = "llvm-22", "22"
TOOLS = ["llvm-mc", "llvm-objcopy", "llvm-objdump", "llvm-readelf"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def getroot():
    shared = os.path.join(ROOT, os.environ.get("HEDDLE_SHARED", "../shared"))
    return os.path.join(shared, "tools", "getroot")


def unpack(root):
    """Unpacks the package into the folder `root`; returns why that failed, or None."""
    ran = subprocess.run([getroot(), "-q", "sid", root, PACKAGE], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return (ran.stderr.strip().splitlines() or ["getroot failed"])[-1] if ran.returncode else None


def open_newest(build):
    """Returns (a folder with the programs TOOLS, None), or (None, why there is none)."""
    root, folder = os.path.join(build, "roots", PACKAGE), os.path.join(build, "roots", PACKAGE + "-tools")
    programs = os.path.join(root, "usr", "lib", PACKAGE, "bin")
    if not os.path.exists(getroot()):
        return None, f"there is no {getroot()}"
    os.makedirs(os.path.join(build, "roots"), exist_ok=True)
    with open(os.path.join(build, "roots", PACKAGE + ".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests that run at a time unpack it once
        why = None if os.path.exists(os.path.join(programs, "llvm-mc")) else unpack(root)
    if why:
        return None, why
    loader = subprocess.run([getroot(), "-r", root], capture_output=True, text=True, check=True).stdout.strip()
    os.makedirs(folder, exist_ok=True)
    for name in TOOLS:
        part = os.path.join(folder, f"{name}.{os.getpid()}")  # other tests may run the program now
        with open(part, "w", encoding="utf-8") as f:
            f.write(f'#!/bin/sh\nexec {loader} {os.path.join(programs, name)} "$@"\n')
        os.chmod(part, 0o755)
        os.replace(part, os.path.join(folder, name))
    return folder, None

