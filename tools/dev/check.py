#!/usr/bin/env python3
"""Builds Heddle, runs every kind of test, and prints one last line: N passed, N failed, N skipped.

Used by `make check` and `make check-all`. A configuration that does not build counts as one failed
test. test_summary.py counts the results in Meson's log.
"""
import argparse
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_summary  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# name, environment, meson options, additional arguments of `meson test`. Configurations build with
# warnings as errors. The sanitizers distort timings, so their configuration runs no benchmarks.
MAIN = ("", {}, [], [])
OTHERS = [
    ("-clang", {"CC": "clang-19"}, [], ["--no-suite", "lint"]),
    (
        "-san",
        {},
        # gcc gives false warnings about code that the sanitizers add
        ["-Db_sanitize=address,undefined", "-Db_lundef=false", "-Dwerror=false"],
        ["--no-suite", "lint", "--no-suite", "bench"],
    ),
    ("-release", {}, ["--buildtype=release"], ["--no-suite", "lint"]),
    ("-release", {}, ["--buildtype=release"], ["--suite", "thorough"]),  # runs only when named, see tests/meson.build
]


def run(command, env=None):
    full = dict(os.environ, **(env or {}))
    return subprocess.run(command, cwd=ROOT, env=full, stdin=subprocess.DEVNULL).returncode == 0


def configure(build, env, options):
    flags = ["-Dwerror=true"] + options
    if os.path.exists(os.path.join(ROOT, build, "build.ninja")):
        return run(["meson", "configure", build] + flags, env)
    return run(["meson", "setup", build] + flags, env)


def check(build, env, options, test_args, jobs):
    """Builds and tests one configuration; lists the failures by name. Returns the counts."""
    print(f"== {build}", flush=True)
    if not configure(build, env, options) or not run(["ninja", "-C", build, f"-j{jobs}"], env):
        print(f"FAIL {build}: does not build")
        return [0, 1, 0]
    san = {"UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1", "ASAN_OPTIONS": "detect_leaks=1"}
    log = os.path.join(ROOT, build, "meson-logs", "testlog.json")
    if os.path.exists(log):
        os.remove(log)
    command = ["meson", "test", "-C", build, "--no-rebuild", "--num-processes", str(jobs)]
    ok = run(command + ["--print-errorlogs"] + test_args, {**san, **env})
    silent = test_summary.silent_tests(log)
    counts, failed = test_summary.count_log(log, silent)
    if not ok and not counts[1]:
        counts[1] += 1
        failed.append("meson test failed")
    if silent:
        print("printed nothing, run again: " + ", ".join(silent), flush=True)
        run(command + [name.split(" / ")[-1] for name in silent], {**san, **env})
        again, failed_again = test_summary.count_log(log)
        counts = [x + y for x, y in zip(counts, again)]
        failed += failed_again
    for name in failed:
        print(f"FAIL {build}: {name}")
    return counts


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--build", default="build")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--all", action="store_true", help="also clang, the sanitizers and a release build")
    a = p.parse_args()
    total = [0, 0, 0]
    for suffix, env, options, test_args in [MAIN] + (OTHERS if a.all else []):
        counts = check(a.build + suffix, env, options, test_args, a.jobs)
        total = [x + y for x, y in zip(total, counts)]
    sys.stdout.flush()
    print("%d passed, %d failed, %d skipped" % tuple(total), flush=True)
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main())
