#!/usr/bin/env python3
"""Compute scripts on turnip 22.3.6, the real driver, whose submissions the emulator executes with all checkers: those of the corpus, our own
that compute, and turnip/*.amber.

    turnip.py --heddle heddle --execute adreno_execute --build DIR [--gpu 618,660] [--share N] [SCRIPT...]

turnip runs for arm64 under qemu, on the made-up kernel driver of ../shared/tools/turnip-anchor, of which a copy is built in DIR (it unpacks
Debian 12's arm64 packages). turnip/program.c runs each dispatch of a script on it, turnip/execute.c what it submits. Skipped where qemu, the cross
compiler or the packages are not there. Scripts that need what turnip does not offer are SKIPs. turnip.known lists `FAIL path: why` where
turnip is at fault, and `WITHOUT RULE path: why` where a script passes without that rule of the checkers; paths are those in the corpus or in this tree.
Scripts that repeat dispatches to measure time are left out. The last line is "N passed, N failed, N skipped"."""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "bench"), os.path.join(HERE, "..", "amber")]
import anchors  # noqa: E402
import run_corpus  # noqa: E402

NEEDED = ("qemu-aarch64", "aarch64-linux-gnu-gcc", "make")
WARNINGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"]
SOURCES = ("program.c", "resources.c")  # of the program for arm64
BATCH = 16  # scripts that one heddle runs


def give_up(why):
    print(f"skipped: {why}")
    sys.exit(77)


def build_program(build):
    """Returns the words that run the program on turnip, before the executor and the job."""
    missing = [n for n in NEEDED if not shutil.which(n)]
    if missing:
        give_up(f"there is no {missing[0]}")
    anchor = os.path.join(build, "turnip-anchor")
    if not os.path.exists(os.path.join(anchor, "build", "libfakemsm.so")):
        if not os.path.isdir(os.path.join(anchors.TOOLS, "turnip-anchor")):
            give_up("there is no turnip-anchor")
        anchors.copy_tool("turnip-anchor", build)
        getroot = "GETROOT=sh " + os.path.join(anchors.TOOLS, "getroot")
        ran = anchors.run(["make", "-C", anchor, getroot, "sysroot", "build/libfakemsm.so"])
        if ran.returncode:
            give_up((ran.stderr.strip().splitlines() or ["turnip-anchor is not built"])[-1])
    root, program = os.path.join(anchor, "sysroot"), os.path.join(build, "turnip-program")
    lib = os.path.join(anchor, "build")
    subprocess.run(["aarch64-linux-gnu-gcc", *WARNINGS, "-isystem", root + "/usr/include", "-isystem", root + "/usr/include/libdrm",
                    "-I" + anchor + "/shim", "-I" + os.path.join(anchors.ROOT, "tools", "heddle"), "-rdynamic", "-o", program,
                    *[os.path.join(HERE, "turnip", s) for s in SOURCES], "-L" + lib, "-lfakemsm", "-ldl", "-Wl,-rpath," + lib], check=True)
    return ["qemu-aarch64", "-L", root, program, root + "/usr/lib/aarch64-linux-gnu/libvulkan_freedreno.so"]


def write_runner(build, words, execute):
    path = os.path.join(build, "turnip-run")
    with open(path, "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\nexec " + " ".join(f"'{w}'" for w in [*words, execute]) + ' "$1"\n')
    os.chmod(path, 0o755)
    return path


def known():
    found = {}
    for line in open(os.path.join(HERE, "turnip.known"), encoding="utf-8"):
        m = re.match(r"^(FAIL|WITHOUT \S+) (\S+): .{8,}", line)
        if m:
            found[m.group(2)] = m.group(1)
    return found


def own_scripts():
    """Our scripts for turnip, and those for all devices that compute and pass."""
    found = [os.path.join(HERE, "turnip", n) for n in os.listdir(os.path.join(HERE, "turnip")) if n.endswith(".amber")]
    folder = os.path.join(anchors.ROOT, "tests", "amber", "scripts")
    for path in [os.path.join(folder, n) for n in os.listdir(folder)]:
        text = open(path, encoding="utf-8").read()
        if re.search(r"^# expect PASS$", text, re.M) and "PIPELINE graphics" not in text:
            found.append(path)
    return sorted(found)


def name_of(path, corpus):
    """The path as turnip.known has it."""
    return os.path.relpath(path, corpus if path.startswith(corpus) else anchors.ROOT)


def run_batch(heddle, runner, environment, paths):
    ran = subprocess.run([heddle, "run", "-j", "2", "--device", "program:" + runner, *paths],
                         capture_output=True, text=True, errors="replace", env=os.environ | environment)
    found = re.findall(r"^(PASS|FAIL|SKIP) (.*?) \[program\](?:: (.*))?$", ran.stdout, re.M)
    assert len(found) == len(paths), ran.stdout + ran.stderr
    for line in ran.stderr.splitlines():
        if line.startswith(("finding", "not executed")):
            print(f"  {line}")
    return found


def run_scripts(heddle, runner, gpu, paths, without):
    """Yields (verdict, path, reason). `without` has the rules that are switched off for some."""
    rest = [p for p in paths if p not in without]
    for at in range(0, len(rest), BATCH):
        yield from run_batch(heddle, runner, {"FAKEMSM_GPU": gpu}, rest[at:at + BATCH])
    for path in without:
        yield from run_batch(heddle, runner, {"FAKEMSM_GPU": gpu, "ADRENO_RULES_OFF": without[path]}, [path])


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--execute", required=True)
    p.add_argument("--build", required=True)
    p.add_argument("--gpu", default="618,660")
    p.add_argument("--share", type=int, default=1)
    p.add_argument("scripts", nargs="*")
    a = p.parse_args()
    corpus = os.path.join(anchors.SHARED, "corpus", "amber")
    if not a.scripts and not os.path.exists(os.path.join(corpus, "manifest.tsv")):
        give_up(f"there is no {corpus}")
    runner = write_runner(a.build, build_program(a.build), os.path.abspath(a.execute))
    scripts = a.scripts or [os.path.join(corpus, s) for s in run_corpus.scripts_of(corpus, ("compute", "none"))
                            if "/benchmarks/" not in s] + own_scripts()
    expected, wrong, count, skipped = known(), 0, collections.Counter(), collections.Counter()
    for gpu in a.gpu.split(","):
        mine = scripts[zlib.crc32(gpu.encode()) % a.share::a.share]
        verdicts = {p: expected[n] for p in mine if (n := name_of(p, corpus)) in expected}
        without = {p: v.split()[1] for p, v in verdicts.items() if v.startswith("WITHOUT")}
        for verdict, path, reason in run_scripts(a.heddle, runner, gpu, mine, without):
            count[verdict, gpu] += 1
            if verdict == "SKIP":
                skipped[reason] += 1
            elif (verdict == "FAIL") != (verdicts.get(path) == "FAIL"):  # a SKIP is no failure: GPUs offer different things
                print(f"{verdict} {path} on {gpu}: {reason}; not expected")
                wrong += 1
        print(f"{gpu}: {count['PASS', gpu]} PASS, {count['FAIL', gpu]} FAIL, {count['SKIP', gpu]} SKIP")
    for reason, n in skipped.items():
        print(f"{n} SKIP: {reason}")
    print(f"{sum(count.values()) - wrong} passed, {wrong} failed, 0 skipped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
