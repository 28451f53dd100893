#!/usr/bin/env python3
"""Runs the driver module under the address and undefined-behaviour sanitizers, in the real driver's process: the corpus's compute scripts and a part of
those that draw by RADV, garbage (run_garbage.py), and Debian's vulkaninfo, which is not built with sanitizers and so gets their libraries by LD_PRELOAD.

The sanitized build has a folder of its own below --build, which is made at first use and takes minutes. Leaks are not looked for: the driver and the loader
have theirs. Verdicts of scripts are other tests' (run_corpus.py); here each report of a sanitizer is a failure, and so is a process that ends by a signal.
What takes too long is skipped, and named. Each script runs on one of the chips, in turn, or with --all-chips on all. --root runs a newer RADV, of another
system's root folder.
The last line is "N passed, N failed, N skipped".
"""
import argparse
import collections
import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile

import vulkan

sys.path.insert(0, os.path.join(vulkan.ROOT, "tests", "amber"))
import run_corpus  # noqa: E402

TARGETS = ["tools/heddle/heddle", "tools/radeon/libheddle_radeon.so", "tests/vulkan/garbage", "tests/vulkan/garbage.spv"]
TIMEOUT = 300  # seconds of a script; sanitizers and checkers make some very slow
OPTIONS = ["-Db_sanitize=address,undefined", "-Db_lundef=false", "-Dwerror=false", "-Doptimization=1"]


def build_sanitized(folder, jobs):
    """Makes the build; returns why not, or None."""
    if not os.path.exists(os.path.join(folder, "build.ninja")):
        made = subprocess.run(["meson", "setup", folder, *OPTIONS], cwd=vulkan.ROOT, capture_output=True, text=True, check=False)
        if made.returncode:
            return made.stdout[-2000:]
    made = subprocess.run(["ninja", "-C", folder, f"-j{jobs}", *TARGETS], capture_output=True, text=True, check=False)
    return made.stdout[-2000:] if made.returncode else None


def libraries():
    """The sanitizers' libraries, as LD_PRELOAD has them."""
    found = [subprocess.run(["cc", f"-print-file-name={n}"], capture_output=True, text=True, check=False).stdout.strip() for n in ("libasan.so", "libubsan.so")]
    return ":".join(found)


def environment(log):
    return {"ASAN_OPTIONS": f"detect_leaks=0:log_path={log}", "UBSAN_OPTIONS": f"print_stacktrace=1:log_path={log}"}


def reports(log):
    """Takes the reports of processes that have ended."""
    texts = []
    for path in glob.glob(log + ".*"):
        texts.append(open(path, encoding="utf-8", errors="replace").read())
        os.remove(path)
    return texts


def run_script(heddle, chip, root, path, log):
    """Returns whether no report was made (None: it took too long), and what there is to say."""
    command = [heddle, "run", "-j", "1", "--device", "radv", "-t", chip, "--check", "all", *root, path]
    try:
        ran = subprocess.run(command, env=dict(os.environ, **environment(log)), capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        reports(log)
        return None, f"took more than {TIMEOUT} s"
    texts = reports(log)
    return ran.returncode in (0, 1) and not texts, "".join(texts)[:4000] or f"exit code {ran.returncode}\n{ran.stderr[-1000:]}"


def run_vulkaninfo(heddle, chip, log):
    code, _, err = vulkan.run(heddle, chip, ["env", "LD_PRELOAD=" + libraries(), "vulkaninfo", "--summary"], env=environment(log))
    texts = reports(log)
    return code == 0 and not texts, "".join(texts)[:4000] or f"exit code {code}\n{err[-1000:]}"


def run_garbage(heddle, chip, folder, log, seed):
    app = os.path.join(folder, "tests/vulkan/garbage")
    code, _, err = vulkan.run(heddle, chip, [app, str(seed)], ["--limit", "200000"], environment(log), 300)
    texts = reports(log)
    return code in (0, 1, 3) and not texts, "".join(texts)[:4000] or f"exit code {code}\n{err[-1000:]}"


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--build", required=True)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--root", help="the folder of a newer RADV (getroot sid); without vulkaninfo and garbage")
    p.add_argument("--chips", default="tahiti,polaris10,vega10,navi21,navi31")
    p.add_argument("--all-chips", action="store_true", help="each script on every chip")
    p.add_argument("--share", type=int, default=1, help="about one script in N that computes")
    p.add_argument("--drawn-share", type=int, default=12, help="the same of those that draw")
    p.add_argument("--seeds", type=int, default=20, help="of garbage")
    a = p.parse_args()
    corpus = os.path.join(os.environ.get("HEDDLE_SHARED", os.path.join(vulkan.ROOT, "..", "shared")), "corpus", "amber")
    if not os.path.exists(os.path.join(corpus, "manifest.tsv")):
        print(f"skipped: there is no {corpus}")
        return 77
    folder = os.path.join(os.path.abspath(a.build), "sanitized")
    why = build_sanitized(folder, a.jobs)
    if why:
        print(f"{why}\n0 passed, 1 failed, 0 skipped")
        return 1
    heddle = os.path.join(folder, "tools/heddle/heddle")
    scripts = run_corpus.scripts_of(corpus, ("compute", "none"))[::a.share] + run_corpus.scripts_of(corpus, ("graphics", "mixed"))[::a.drawn_share]
    root = ["--root", a.root] if a.root else []
    runs, chips = [], a.chips.split(",")
    for first, chip in enumerate(chips):
        mine = scripts if a.all_chips else scripts[first::len(chips)]
        if not root:
            runs += [(chip, "vulkaninfo", lambda log, chip=chip: run_vulkaninfo(heddle, chip, log))]
            runs += [(chip, f"garbage {k}", lambda log, chip=chip, k=k: run_garbage(heddle, chip, folder, log, k)) for k in range(1, a.seeds + 1)]
        runs += [(chip, s, lambda log, chip=chip, s=s: run_script(heddle, chip, root, os.path.join(corpus, s), log)) for s in mine]
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as logs, concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        started = [(chip, name, pool.submit(run, os.path.join(logs, f"{k}.report"))) for k, (chip, name, run) in enumerate(runs)]
        for chip, name, run in started:
            ok, what = run.result()
            counts[ok] += 1
            if not ok:
                print(f"{'SKIP' if ok is None else 'FAIL'} {chip} {name}: {what}", flush=True)
    print(f"{counts[True]} passed, {counts[False]} failed, {counts[None]} skipped")
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
