#!/usr/bin/env python3
"""Runs an application with errors (bad.c, unordered.c, drawn.c) on the software Radeon: each ends in time, with a message that names the cause, and, where
nothing can go on, with VK_ERROR_DEVICE_LOST. With --newest it is Debian sid's RADV that runs the draws whose pipelines are linked of libraries (Debian 12's
crashes in them). The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import re
import sys

import vulkan

sys.path.insert(0, os.path.join(vulkan.ROOT, "tests", "bench"))
import anchors  # noqa: E402

PASS, LOST = 0, 3  # exit codes of bad
LIMIT = "1000000"

# The error; the application's end; a pattern of the log, or None: nothing is found.
BAD = [
    ("plain", "PASS", None),
    ("endless", "DEVICE_LOST", r"hangs: pc .* a wave executed 1000000 instructions; it loops from 0x\w+ to 0x\w+ \[hang\]"),
    ("huge", "DEVICE_LOST", r"the waves of \d+ of 3932100000 groups executed \d+ instructions, which is the limit \[hang\]"),
    ("freed", "PASS", r"memory: pc .* lane 0: load of 4 bytes at 0x\w+.* \[load-bounds\]"),
    ("freed-grid", "DEVICE_LOST", r"the context is lost: .*: the packet reads a grid of 12 bytes at 0x\w+, which is not mapped"),
    ("wrong-grid", "DEVICE_LOST", r"the context is lost: .*: the grid has more than 2\^32 workgroups"),
    ("unwritten", "PASS", None),
    ("freed-image", "PASS", r"the image at 0x\w+ is in no allocation .*\[image-bounds\]"),
    ("freed-set", "PASS", r"memory: pc .* `s_load_\S+ .*: load of 4 bytes at .* \[load-bounds\]"),
]

# The same for programs with and without barriers. A finding names the instruction, the other dispatch or packet, and both pipelines.
FIRST = r"before it, submission \d+ \(compute \d\), dispatch 0:\n +pipeline \S+ \"unordered.spv\", compute shader(.*\n)+.*unordered.comp:1[03]"
UNORDERED = [
    ("barrier", "PASS", None),
    ("no-barrier", "PASS", r"the load conflicts with the store by dispatch 0 at \w+ `buffer_store_.*`: nothing in the command stream waits for it "
     r"\(1024 bytes\) \[race-dispatches\](.*\n)*.*" + FIRST),
    ("no-access", "PASS", r"the load may miss the store by dispatch 0 .*: the vector cache is not invalidated since \(1024 bytes\) \[race-caches\]"),
    ("event", "PASS", None),
    ("fill", "PASS", None),
    ("no-fill-barrier", "PASS", r"the load may miss the write by packet (DMA_DATA|CP_DMA) at \w+: .* \(1024 bytes\) \[race-caches\]"),
    ("update", "PASS", None),
    ("no-update-barrier", "PASS", r"the load may miss the write by packet WRITE_DATA at \w+: .* \(16 bytes\) \[race-caches\]"),
    ("copy", "PASS", None),
    ("no-copy-barrier", "PASS", r"packet (DMA_DATA|CP_DMA) at \w+: 1 findings\n +races: byte 0 of buffer \d+: the read conflicts with the store by "
     r"dispatch 0 .*: nothing in the command stream waits for it \(1024 bytes\) \[race-dispatches\]\n +" + FIRST),
    ("two-queues", "PASS", r"conflicts with the .* by dispatch 0 .* of submission \d \(compute [01]\): no semaphore or fence orders the two rings"),
    ("semaphore", "PASS", None),
]

# The same with draws, on the graphics queue.
BY_DISPATCH = r"conflicts with the store by dispatch 0 at \w+ `buffer_store_.*`: nothing in the command stream waits for it"
DRAWN = [
    ("vertices", "PASS", None),
    ("no-vertices-barrier", "PASS", r"draw 0: 3 vertices, 1 instances.*\n +pipeline \S+, vertex shader \"main\" .*drawn.vert\n(.*\n)*.*`(t?buffer_load_\S+ .*)`.*: the load " + BY_DISPATCH),
    ("indices", "PASS", None),
    ("no-indices-barrier", "PASS", r"draw 0: 3 indices, 1 instances(.*\n)*.*the fetch of indices " + BY_DISPATCH),
    ("arguments", "PASS", None),
    ("no-arguments-barrier", "PASS", r"packet DRAW_INDIRECT\w* at \w+: 1 findings\n +races: byte 36 of buffer \d+: the read " + BY_DISPATCH),
    ("color", "PASS", None),
    ("no-color-barrier", "PASS", r"pipeline \S+, fragment shader \"main\" .*drawn.frag\n.*`s_buffer_load_\S+ .*`.*: the load " + BY_DISPATCH),
    ("picture", "PASS", None),
    ("no-picture-barrier", "PASS", r"`image_load .*`.*: the load conflicts with the write of the attachment by draw 0: nothing in the command stream waits for "
     r"it \(256 bytes\) \[race-dispatches\]"),
    ("changed-indices", "PASS", None),
    ("no-changed-indices-barrier", "PASS", r"packet (DMA_DATA|CP_DMA) at (.*\n)+.*the write conflicts with the fetch of indices by draw 0: .* \(12 bytes\)"),
    ("changed-color", "PASS", None),
    ("no-changed-color-barrier", "PASS", r"packet (DMA_DATA|CP_DMA) at (.*\n)+.*the write conflicts with the load by draw 0 at \w+ `s_buffer_load_\S+ .*`: .* "
     r"\(16 bytes\)"),
    ("drawn-again", "PASS", None),
    # Vertex input that is set later: the driver's prolog fetches it, and jumps to the shader.
    ("late", "PASS", None),
    ("no-late-vertices-barrier", "PASS", r"draw 0: 3 vertices, 1 instances.*\n +pipeline \S+, vertex shader \"main\" .*drawn_late.vert\n"
     r"(.*\n)*.*`(t?buffer_load_\S+ .*)`.*: the load " + BY_DISPATCH + r".*\n(.*\n)* +> 0x\w+: t?buffer_load_(.*\n)+ +this part of the program is the driver's"),
    ("no-late-color-barrier", "PASS", r"pipeline \S+, vertex shader \"main\" .*drawn_late.vert\n(.*\n)*.*`s_buffer_load_\S+ .*`.*: the load " + BY_DISPATCH +
     r".*\n(.*\n)* +> 0x\w+: s_buffer_load_\S+ .*\n(.*\n)* +the source has loads from buffers at \S*drawn_late.vert:8"),
]
# The same with a pipeline that is linked of libraries: findings name it, and the libraries' modules. Its vertex input is another library's, so there is a prolog.
LINKED = [
    ("linked", "PASS", None),
    ("no-linked-vertices-barrier", "PASS", r"draw 0: 3 vertices, 1 instances.*\n +pipeline \S+, vertex shader \"main\" of module 0x\w\w+, source \S*drawn.vert\n"
     r".*`(t?buffer_load_\S+ .*)`.*: the load " + BY_DISPATCH + r".*\n(.*\n)* +this part of the program is the driver's"),
    ("no-linked-color-barrier", "PASS", r"pipeline \S+, fragment shader \"main\" of module 0x\w\w+, source \S*drawn.frag\n.*`s_buffer_load_\S+ .*`.*: the load " +
     BY_DISPATCH),
]
# Of each program: its cases, and what `heddle gpu` is told: compute families have several queues.
PROGRAMS = {"bad": (BAD, []), "unordered": (UNORDERED, ["--queues", "compute"]), "drawn": (DRAWN, [])}


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--chips", default="tahiti,polaris10,navi21,navi31")
    p.add_argument("--newest", help="the folder below which the driver is unpacked")
    p.add_argument("app")
    a = p.parse_args()
    passed = failed = 0
    cases, options = PROGRAMS[os.path.basename(a.app)]
    options = ["--limit", LIMIT, *options]
    if a.newest:
        driver, why = anchors.open_newest(a.newest, a.heddle)
        if not driver:
            print(f"skipped: there is no newer RADV: {why}")
            return 77
        cases, options = LINKED, options + ["--root", driver.root]
    for chip in a.chips.split(","):
        for error, end, pattern in cases:
            code, out, err = vulkan.run(a.heddle, chip, [a.app, error], options)
            wanted = LOST if end == "DEVICE_LOST" else 1 if pattern else PASS
            ok = code == wanted and end in out and (re.search(pattern, err) if pattern else "findings" not in err)
            passed, failed = passed + bool(ok), failed + (not ok)
            print(f"{'PASS' if ok else 'FAIL'} {chip} {error}")
            if not ok:
                print(f"exit code {code}\n{out}{err[:3000]}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
