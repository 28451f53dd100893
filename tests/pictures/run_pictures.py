#!/usr/bin/env python3
"""Twelve pictures, drawn by our code on the emulator, by RADV's on the software Radeon, and by lavapipe, must agree within
what Vulkan leaves open.

Each script of scripts/ draws one, in the buffer `picture`. Our targets and RADV run with checks on: a finding fails. All pictures are
compared with lavapipe's, and those of the emulator with each other. In what they may differ is stated in PICTURES, with the place of Vulkan's specification that allows it:

- `channel`: how much a channel of a pixel (0 to 255) may differ;
- `others`: as many pixels may differ by more, where a decision (an edge, a comparison, a discard) stands at its threshold; NEAR: any
  number, if in both pictures one of the pixels around has the other's colour;
- `block`: in place of pixels, the means of squares of so many pixels are compared.

--sheet FOLDER writes the pictures side by side, for docs/pictures.md. The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import png

HERE = os.path.dirname(os.path.abspath(__file__))
SIZE = (160, 120)

NEAR = -1

# name: channel, others, block, why. Chapters are those of Vulkan 1.3; positions are rounded to 2^-subPixelPrecisionBits pixels, and what is
# computed has the precision of "Precision and Operation of SPIR-V Instructions".
PICTURES = {
    "textured": (3, 0, 0, "filter weights of 8 bits (subTexelPrecisionBits) in two axes, of a contrast of 200; one rounding"),
    "lit": (2, 0, 0, "pow is exp2(y * log2(x)), within 3 + 2 |y| units and 2^-21; one rounding"),
    "mipmapped": (11, 0, 0, "lavapipe's mipmapPrecisionBits is 4: a level's colour differs from the next one's by 153, a sixteenth of which is "
                            "10; one rounding"),
    "anisotropic": (6, 0, 8, "texel anisotropic filtering: the scheme is the implementation's; the means of squares of 8 x 8 pixels are the texture's"),
    "blended": (4, 0, 0, "blending: each of up to four blends of a pixel is rounded to the 8 bits of the target"),
    "multisampled": (2, 0, 0, "interpolation and the resolve round once each"),
    "instanced": (2, 0, 0, "interpolation rounds"),
    "points": (2, 6, 0, "a ball's edge, where the square of the distance is 1 within 0.0003: a point's centre is rounded to 1/256 of a pixel"),
    "lines": (6, NEAR, 0, "basic line segment rasterization: lavapipe's lines are rectangles (strictLines), AMD's have a pixel for each step, at most "
                          "a pixel away, by which a colour changes by 5"),
    "depth_stencil": (2, 6, 0, "the window's edge, by discard; planes that meet"),
    "shadow_map": (2, 6, 0, "one of the four comparisons, where the depth is the map's within its rounding"),
    "deferred": (3, 0, 0, "pow, as in lit; normals of 16 bits"),
}


# Between codes on the emulator, whose fixed functions are the same.
SAME = (2, 6, 0)


def lavapipe():
    folder = "/usr/share/vulkan/icd.d"
    names = sorted(n for n in os.listdir(folder) if n.startswith("lvp_icd")) if os.path.isdir(folder) else []
    return os.path.join(folder, names[0]) if names else None


def draw(heddle, device, folder):
    """Draws all pictures with a device. Returns ({name: picture}, output), or (None, why) if there is no such device."""
    scripts = [os.path.join(HERE, "scripts", f"{name}.amber") for name in PICTURES]
    how, env = ["-t", device], dict(os.environ)
    if device == "lavapipe":
        if not lavapipe():
            return None, "lavapipe is not installed"
        how, env = ["--device", "vulkan"], dict(env, VK_ICD_FILENAMES=lavapipe(), VK_DRIVER_FILES=lavapipe())
    if device.startswith("radv-"):
        # RADV's own code for culling reads lanes that it has not written: docs/software-radeon.md.
        how = ["--device", "radv", "-t", device[len("radv-"):], "--check", "memory,hangs"]
    own = os.path.join(folder, device)
    done = subprocess.run([heddle, "run", *how, "--png", own, *scripts], env=env, capture_output=True, text=True, errors="replace", check=False)
    output = done.stdout + done.stderr
    if device.startswith("radv-") and ("not used the Radeon" in output or "no driver" in output):
        return None, "RADV or the software Radeon is missing"
    named = "vulkan" if device == "lavapipe" else device
    found = {}
    for name in PICTURES:
        path = os.path.join(own, f"{name}.amber.{named}.picture.png")
        if f"PASS {os.path.join(HERE, 'scripts', name + '.amber')} " in output and os.path.exists(path):
            found[name] = png.read(path)
    if done.returncode:
        found = {}
    return found, output


def far(p, q, i, j):
    return max(abs(p[i + k] - q[j + k]) for k in range(4))


def around(p, q, x, y, channel):
    """Has one of the pixels around (x, y) in q the colour of that in p?"""
    w, h = SIZE
    i = 4 * (y * w + x)
    return any(far(p, q, i, 4 * (v * w + u)) <= channel for v in range(max(y - 1, 0), min(y + 2, h)) for u in range(max(x - 1, 0), min(x + 2, w)))


def block_means(p, size):
    w, h = SIZE
    means = []
    for top in range(0, h, size):
        for left in range(0, w, size):
            at = [4 * (y * w + x) for y in range(top, min(top + size, h)) for x in range(left, min(left + size, w))]
            means += [sum(p[i + k] for i in at) / len(at) for k in range(4)]
    return means


def compare(p, q, rule):
    """Returns what is wrong, or None, and a text of what differs."""
    channel, others, block = rule[:3]
    if block:
        most = max(abs(a - b) for a, b in zip(block_means(p, block), block_means(q, block)))
        return (f"means of blocks differ by {most:.1f}" if most > channel else None), f"blocks {most:.1f}"
    w, h = SIZE
    moved, most, lost = 0, 0, []
    for y in range(h):
        for x in range(w):
            i = 4 * (y * w + x)
            d = far(p, q, i, i)
            if d <= channel:
                most = max(most, d)
                continue
            moved += 1
            if others != NEAR or not around(p, q, x, y, channel) or not around(q, p, x, y, channel):
                lost.append((x, y, d))
    told = f"{most}, and {moved} pixels by more" if moved else f"{most}"
    if len(lost) > max(others, 0):
        return f"{len(lost)} pixels differ by more than {channel}, first {lost[0]}", told
    return None, told


def write_sheets(folder, drawn, devices):
    os.makedirs(folder, exist_ok=True)
    w, h = SIZE
    for name in PICTURES:
        rows = [b"".join(drawn[d][name][2][4 * w * y:4 * w * (y + 1)] for d in devices) for y in range(h)]
        png.write_rgb(os.path.join(folder, f"{name}.png"), w * len(devices), h, b"".join(rows))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--devices", default="hir,gfx1030,gfx1201,radv-gfx1030")
    p.add_argument("--sheet")
    p.add_argument("--keep", help="a folder for the pictures")
    a = p.parse_args()
    folder = a.keep or tempfile.mkdtemp()
    reference, why = draw(a.heddle, "lavapipe", folder)
    if reference is None:
        print(why)
        return 77
    drawn, passed, failed, skipped = {"lavapipe": reference}, 0, 0, 0
    for device in a.devices.split(","):
        found, output = draw(a.heddle, device, folder)
        if found is None:
            print(f"{device}: {output}")
            skipped += len(PICTURES)
            continue
        drawn[device] = found
        if len(found) < len(PICTURES):
            print(f"{device}:\n{output}")
        for name, rule in PICTURES.items():
            there = name in found and name in reference
            wrong, told = compare(found[name][2], reference[name][2], rule) if there else ("no picture", "")
            first = next((drawn[d] for d in drawn if d not in ("lavapipe", "hir", device)), {})
            if there and not wrong and name in first and device != "hir":
                wrong, own = compare(found[name][2], first[name][2], SAME)
                wrong, told = wrong and f"beside the first of the emulator: {wrong}", f"{told}; beside the first of the emulator {own}"
            print(f"{'FAIL' if wrong else 'ok'} {name} {device}: {wrong or told}")
            failed, passed = failed + bool(wrong), passed + (not wrong)
    if a.sheet and not failed:
        write_sheets(a.sheet, drawn, [d for d in ("gfx1030", "gfx1201", "radv-gfx1030", "lavapipe") if d in drawn])
    if not a.keep:
        shutil.rmtree(folder)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
