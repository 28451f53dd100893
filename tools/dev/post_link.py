"""Orders the code of a linked program by what was executed: BOLT, behind the linker.

The compiler is one pass over a megabyte of code for each shader, so the front end of the host's processor waits for it: blocks and functions
in the order of execution save a tenth of the time. Needs the version of llvm-bolt that fits the compiler (Debian: bolt-19, libbolt-19-dev),
and a program that was linked with its relocations (meson's option `relocations`).
"""
import glob
import os
import shutil
import subprocess

ORDER = ("-reorder-blocks=ext-tsp", "-reorder-functions=cdsort", "-split-functions", "-split-all-cold", "-icf=1", "-plt=hot")


def find_tools(version):
    """Returns (llvm-bolt, merge-fdata) of a version of LLVM where all of BOLT is installed, or None."""
    folder = f"/usr/lib/llvm-{version}"
    # the tool looks for its run-time library beside itself, so the link in /usr/bin does not serve
    tools = [os.path.join(folder, "bin", name) for name in ("llvm-bolt", "merge-fdata")]
    needed = [*tools, os.path.join(folder, "lib", "libbolt_rt_instr.a")]
    return tools if all(map(os.path.exists, needed)) else None


def quiet(*command, stdout=subprocess.DEVNULL):
    subprocess.run(command, check=True, stdout=stdout, stderr=subprocess.DEVNULL)


def optimize(program, tools, train):
    """Replaces `program`. `train(path)` runs the program that stands at `path` on what it shall be fast at."""
    bolt, merge = tools
    counting, counts, ordered = (program + end for end in (".counting", ".counts", ".ordered"))
    for path in glob.glob(counts + "*"):
        os.remove(path)
    quiet(bolt, program, "-instrument", "-o", counting, f"--instrumentation-file={counts}", "--instrumentation-file-append-pid")
    train(counting)
    with open(counts, "wb") as f:
        quiet(merge, *sorted(glob.glob(counts + ".*")), stdout=f)
    quiet(bolt, program, "-o", ordered, f"-data={counts}", *ORDER)
    # the version of what was linked stays the program's, so a build that links anew replaces it
    shutil.move(ordered, program)
    for path in [counting, *glob.glob(counts + "*")]:
        os.remove(path)
