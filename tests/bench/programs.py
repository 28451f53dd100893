"""The programs of examples/vulkan as scripts: the same shaders on the same data in the same dispatches, for devices that are no Vulkan driver.

A function for each program gives its script, in the program's order of work, with the results that it expects (of `image` the edges); its queues
are left out. scripts_beside.py runs them by both compilers, and compares what RADV's code executes with what the program itself makes it execute.
"""
import functools
import math
import operator
import os
import struct

MASK = 0xffffffff


def randoms(state):
    """app_random of app.c."""
    while True:
        state ^= state << 13 & MASK
        state ^= state >> 17
        state ^= state << 5 & MASK
        yield state


def float_words(*numbers):
    return struct.unpack(f"<{len(numbers)}I", struct.pack(f"<{len(numbers)}f", *numbers))


class Script:
    """The text of a script. Each dispatch has a pipeline of its own, because push constants belong to pipelines."""

    def __init__(self, folder):
        self.folder, self.head, self.runs, self.shaders, self.dispatches = folder, ["#!amber", "# expect PASS"], [], set(), 0

    def text(self):
        return "\n".join(self.head + self.runs) + "\n"

    def buffer(self, name, numbers, kind="uint32"):
        self.head += [f"BUFFER {name} DATA_TYPE {kind} DATA", " ".join(map(repr, numbers)), "END"]

    def zeros(self, name, count, kind="uint32"):
        self.head.append(f"BUFFER {name} DATA_TYPE {kind} SIZE {count} FILL 0")

    def expect(self, name, numbers):
        """The buffer begins with these words."""
        self.runs.append(f"EXPECT {name} IDX 0 EQ " + " ".join(map(str, numbers)))

    def expect_floats(self, name, numbers):
        """The buffer has these floats, but for small errors."""
        self.buffer("expected_" + name, numbers, "float")
        self.runs.append(f"EXPECT {name} RMSE_BUFFER expected_{name} TOLERANCE 0.0001")

    def shader(self, name):
        """A shader of the programs' build, word for word."""
        if name not in self.shaders:
            self.shaders.add(name)
            data = open(os.path.join(self.folder, name + ".spv"), "rb").read()
            self.head += [f"SHADER compute {name} SPIRV-HEX", " ".join(f"0x{w:08x}" for w, in struct.iter_unpack("<I", data)), "END"]
        return name

    def dispatch(self, shader, bindings, groups, push=(), constants=()):
        """`bindings`: what follows BIND, in the order of bindings; `push`: words; `constants`: specialization constants from 0."""
        n, words = self.dispatches, [f" SPECIALIZE {k} AS uint32 {v}" for k, v in enumerate(constants)]
        self.dispatches += 1
        name = self.shader(shader)
        if push:
            self.buffer(f"push{n}", push)
        self.runs += [f"PIPELINE compute p{n}", f"  ATTACH {name}{''.join(words)}"]
        self.runs += [f"  BIND {b} DESCRIPTOR_SET 0 BINDING {k}{tail}" for k, (b, tail) in enumerate(bindings)]
        self.runs += [f"  BIND BUFFER push{n} AS push_constant"] if push else []
        self.runs += ["END", "RUN p{} {} {} {}".format(n, *groups)]


def storage(name):
    return f"BUFFER {name} AS storage", ""


def fft(s):
    n, passes, random = 512, 9, randoms(9)
    numbers = [(next(random) % 2001) / 1000 - 1 for _ in range(2 * n)]
    s.buffer("b0", numbers, "float")
    for name in ("b1", "b2"):
        s.zeros(name, 2 * n, "float")

    def transform(first, direction):
        turns = [first, 2 if first == 1 else 1]
        for k in range(passes):
            push = (n, 1 << k, *float_words(direction, 1 if direction < 0 else 0.5))
            s.dispatch("fft", [storage(f"b{turns[k % 2]}"), storage(f"b{turns[1 - k % 2]}")], (n // 2 // 64, 1, 1), push)
        return turns[passes % 2]

    s.expect_floats(f"b{transform(transform(0, -1.0), 1.0)}", numbers)


def move(bodies, time, softening):
    """A step of all bodies."""
    for b in bodies:
        for to in bodies:
            way = [to[k] - b[k] for k in range(3)]
            near = 1 / math.sqrt(sum(w * w for w in way) + softening)
            for k in range(3):
                b[4 + k] += time * way[k] * to[3] * near ** 3
    for b in bodies:
        for k in range(3):
            b[k] += time * b[4 + k]


def nbody(s):
    random, bodies, constants = randoms(3), [], (0.01, 0.05)
    for _ in range(192):
        body = [0.0] * 8
        for axis in range(3):
            body[axis] = (next(random) % 2000) / 1000 - 1
            body[4 + axis] = (next(random) % 200) / 1000 - 0.1
        body[3] = (1 + next(random) % 8) / 64
        bodies.append(body)
    s.buffer("bodies", sum(bodies, []), "float")
    for _ in range(6):
        for shader in ("nbody_push", "nbody_move"):
            s.dispatch(shader, [storage("bodies")], (192 // 64, 1, 1), float_words(*constants))
        move(bodies, *constants)
    s.expect_floats("bodies", sum(bodies, []))


def reduce(s, queues=4):
    numbers, each, random = 30011, 4, randoms(5)
    words = [next(random) for _ in range(numbers)]
    s.buffer("numbers", words)
    for group in (64, 96, 256):
        s.buffer(f"results{group}", [0, MASK, 0, 0] * queues)
        for q in range(queues + 1):
            last = q == queues
            first, end = numbers // (queues + 1) * q, numbers if last else numbers // (queues + 1) * (q + 1)
            groups = (end - first + group * each - 1) // (group * each)
            s.dispatch("reduce", [storage("numbers"), storage(f"results{group}")], (groups, 1, 1), (first, end, 0 if last else q), (group, each))
        part = numbers // (queues + 1)
        for q in range(1, queues):
            mine = words[part * q:part * (q + 1)]
            s.runs.append(f"EXPECT results{group} IDX {16 * q} EQ {sum(mine) & MASK} {min(mine)} {max(mine)} {functools.reduce(operator.xor, mine)}")


def sort(s):
    keys, group, random, words = 3001, 256, randoms(11), []
    groups = (keys + group - 1) // group
    for k in range(keys):
        words += [next(random) * (0x10001 if k % 3 else 0x01000000) & 0xff0fff0f, k]
    s.buffer("sizes", [keys, 0, 0, 0, 0, 0, 0])
    s.buffer("keys0", words)
    s.zeros("keys1", 2 * keys)
    s.zeros("counts", 16 * groups)
    sets = [[storage(b) for b in ("sizes", f"keys{k}", f"keys{1 - k}", "counts")] for k in range(2)]
    s.dispatch("sort_size", sets[0], (1, 1, 1), (0,))
    for k in range(8):
        for shader, grid in (("sort_count", groups), ("sort_scan", 1), ("sort_move", groups)):
            s.dispatch(shader, sets[k % 2], (grid, 1, 1), (4 * k,))
    s.expect("keys0", [w for pair in sorted(zip(words[::2], words[1::2])) for w in pair])


def edges(red, size):
    """What the kernel finds in the first channel."""
    def at(x, y):
        return red[min(max(y, 0), size - 1) * size + min(max(x, 0), size - 1)]
    for k in range(size * size):
        x, y, weights = k % size, k // size, ((-1, 1), (0, 2), (1, 1))
        across = sum(w * (at(x + 1, y + d) - at(x - 1, y + d)) for d, w in weights)
        down = sum(w * (at(x + d, y + 1) - at(x + d, y - 1)) for d, w in weights)
        yield abs(across) + abs(down)


def image(s):
    size, levels, group, random, texels = 64, 5, 8, randoms(7), []
    for k in range(size * size):
        x, y = k % size, k // size
        inside = (x - 32) ** 2 + (y - 24) ** 2 < 400
        texels += [220 if inside else 3 * x & 255, 4 * y & 255, next(random) & 255, 255]
    flat = f"DIM_2D WIDTH {size} HEIGHT {size}"
    s.head += [f"IMAGE picture FORMAT R8G8B8A8_UNORM MIP_LEVELS {levels} {flat} DATA", " ".join(map(str, texels)), "END",
               f"IMAGE samples FORMAT R32G32B32A32_SFLOAT {flat} FILL 0", f"IMAGE edges FORMAT R32_UINT {flat} FILL 0",
               "SAMPLER linear MAG_FILTER linear MIN_FILTER linear MIPMAP_MODE linear ADDRESS_MODE_U repeat ADDRESS_MODE_V clamp_to_edge"
               f" ADDRESS_MODE_W clamp_to_edge MIN_LOD 0 MAX_LOD {levels}"]

    def stored(name, level=None):
        return f"BUFFER {name} AS storage_image", "" if level is None else f" BASE_MIP_LEVEL {level}"

    for k in range(1, levels):
        n = ((size >> k) + group - 1) // group
        s.dispatch("image_level", [stored("picture", k - 1), stored("picture", k)], (n, n, 1))
    n = size // group
    s.dispatch("image_sample", [("BUFFER picture AS combined_image_sampler SAMPLER linear", ""), stored("samples")], (n, n, 1),
               float_words(levels - 1))
    s.dispatch("image_edges", [stored("picture", 0), stored("edges")], (n, n, 1))
    s.expect("edges", edges(texels[::4], size))


PROGRAMS = {"fft": fft, "image": image, "nbody": nbody, "reduce": reduce, "sort": sort}


def write(folder, to):
    """Writes the scripts, of the shaders in `folder`, to the folder `to`. Returns their paths by the program's name."""
    paths = {}
    for name, make in PROGRAMS.items():
        script = Script(folder)
        make(script)
        paths[name] = os.path.join(to, name + ".amber")
        with open(paths[name], "w", encoding="utf-8") as f:
            f.write(script.text())
    return paths
