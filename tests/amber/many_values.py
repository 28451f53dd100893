#!/usr/bin/env python3
"""Checks that no shader fails for lack of registers: many values of each class are live at once.

For each class (uniform or divergent; 16, 32 or 64 bits, vectors, booleans) and each shape of control flow it makes a
shader with 10 to 2000 simultaneously live values, and a script that runs it on 64 lanes and expects the results of the
model below, lane by lane. Each script runs on the HIR interpreter, and on the target with wave32 and wave64, with all
registers and with limits that spill nearly all values. The verifiers run after each phase.

    many_values.py --heddle HEDDLE --out FOLDER [--all] [--seed N] [--sizes 10,300] [--only TEXT] [--target cypress]

With --target only that one runs them, with all registers and with "spillall". Without --all one size is drawn for each class and shape. The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import random
import re
import subprocess
import sys
import time

LANES = 64
DATA = [(k * 2654435761 + 12345) >> 7 & 0xffffffff for k in range(256)]
PARAMS = [(k * 40503 + 77) & 0xffff for k in range(64)]
SIZES = [10, 30, 100, 300, 1000, 2000]
MOST_BREAKS = 300  # every value leaves the loop through every break
BOUNDS = ["", "sgprs=16,vgprs=8", "sgprs=32,vgprs=24"]


class Integers:
    """Values of `parts` integers of `bits` bits; uniform ones come from `params`."""

    def __init__(self, name, glsl, bits, parts, divergent):
        self.name, self.glsl, self.bits, self.parts, self.divergent = name, glsl, bits, parts, divergent
        self.mask = (1 << bits) - 1

    def seed_text(self, k):
        source = f"data[(id + {k}u) & 255u]" if self.divergent else f"params[{k & 63}]"
        parts = ", ".join(f"{source} * {2 * k + p + 1}u" for p in range(self.parts))
        return f"{self.glsl}({parts})"

    def seed(self, k, lane):
        source = DATA[(lane + k) & 255] if self.divergent else PARAMS[k & 63]
        return [(source * (2 * k + p + 1) & 0xffffffff) & self.mask for p in range(self.parts)]

    def update_text(self, k, j, c, i):
        t = self.glsl
        return f"x{k} = (x{k} << {t}(1)) + (x{j} ^ {t}({c}u + {i}));"

    def update(self, x, y, c, i):
        return [((a << 1) + (b ^ (c + i & 0xffffffff & self.mask))) & self.mask for a, b in zip(x, y)]

    def word_text(self, k):
        if self.parts > 1:
            return " ^ ".join(f"x{k}.{'xyzw'[p]} * {2 * p + 1}u" for p in range(self.parts))
        return f"uint(x{k} ^ (x{k} >> 32))" if self.bits == 64 else f"uint(x{k})"

    def word(self, x):
        if self.parts > 1:
            w = 0
            for p, a in enumerate(x):
                w ^= a * (2 * p + 1) & 0xffffffff
            return w
        return (x[0] ^ x[0] >> 32) & 0xffffffff


class Booleans:
    """Boolean values; divergent ones are lane masks."""

    glsl = "bool"

    def __init__(self, name, divergent):
        self.name, self.divergent = name, divergent

    def seed_text(self, k):
        source = f"data[(id + {k}u) & 255u]" if self.divergent else f"params[{k & 63}]"
        return f"(({source} >> {k % 16}u) & 1u) != 0u"

    def seed(self, k, lane):
        source = DATA[(lane + k) & 255] if self.divergent else PARAMS[k & 63]
        return [source >> k % 16 & 1]

    def update_text(self, k, j, c, i):
        return f"x{k} = (x{k} != x{j}) != ((({c}u + {i}) & 1u) != 0u);"

    def update(self, x, y, c, i):
        return [x[0] ^ y[0] ^ (c + i & 1)]

    def word_text(self, k):
        return f"(x{k} ? 1u : 0u)"

    def word(self, x):
        return x[0]


CLASSES = [
    Integers("uniform32", "uint", 32, 1, False),
    Integers("uniform64", "uint64_t", 64, 1, False),
    Integers("uniform-vec4", "uvec4", 32, 4, False),
    Booleans("uniform-bool", False),
    Integers("divergent16", "uint16_t", 16, 1, True),
    Integers("divergent32", "uint", 32, 1, True),
    Integers("divergent64", "uint64_t", 64, 1, True),
    Integers("divergent-vec4", "uvec4", 32, 4, True),
    Booleans("divergent-bool", True),
]


# ---- shapes: statements are tuples, which Text writes as GLSL and Lane executes ----
# ("update", k, j, c)  ("use", k)  ("if", bit, then, else)  ("loop", turns, body)  ("break", k): depends on the lane's data


def change(cls, n, which, step=1):
    """Updates the values `which`."""
    return [("update", k, (k + step) % n, 3 * k + step) for k in which]


def change_here(cls, n, which, step=1):
    """Like change, for divergent control flow: uniform values are used instead, so that they stay uniform."""
    return change(cls, n, which, step) if cls.divergent else [("use", k) for k in which]


def straight(cls, n):
    return change(cls, n, range(n))


def loop(cls, n):
    return [("loop", 3, change(cls, n, range(n)))]


def divergent_if(cls, n):
    return change(cls, n, range(n)) + [
        ("if", 0, change_here(cls, n, range(0, n, 2)), change_here(cls, n, range(1, n, 2), 3))]


def nested(cls, n):
    inner = change_here(cls, n, range(0, n, 3), 2) + [("break", n)]
    arms = ("if", 1, change_here(cls, n, range(n // 2)) + [("loop", 2, inner)],
            change_here(cls, n, range(n // 2, n), 5))
    return [("loop", 2, change(cls, n, range(0, n, 4)) + [("if", 2, [arms], [])])]


def breaks(cls, n):
    body = []
    for k in range(n):
        body += change(cls, n, [k], 7 % n) + [("break", k)]
    return [("loop", 3, body)]


SHAPES = [straight, loop, divergent_if, nested, breaks]


class Text:
    def __init__(self, cls):
        self.cls, self.loops = cls, []

    def statements(self, body, indent):
        for s in body:
            yield from self.statement(s, indent)

    def statement(self, s, indent):
        pad, turn = "  " * indent, " + ".join(["0u"] + self.loops)
        if s[0] == "update":
            yield pad + self.cls.update_text(s[1], s[2], s[3], turn)
        elif s[0] == "use":
            yield pad + f"acc = acc * 33u + ({self.cls.word_text(s[1])});"
        elif s[0] == "if":
            yield pad + f"if ((select & {1 << s[1]}u) != 0u) {{"
            yield from self.statements(s[2], indent + 1)
            yield pad + "} else {"
            yield from self.statements(s[3], indent + 1)
            yield pad + "}"
        elif s[0] == "break":
            source = "id" if self.cls.divergent else "0u"
            yield pad + f"if (((data[({source} * 7u + {s[1]}u + ({turn}) * 13u) & 255u] >> 3) & 63u) == {s[1] & 63}u) break;"
        else:
            i = f"i{len(self.loops)}"
            yield pad + f"for (uint {i} = 0u; {i} < turns + {s[1]}u; {i}++) {{"
            self.loops.append(i)
            yield from self.statements(s[2], indent + 1)
            self.loops.pop()
            yield pad + "}"


class Break(Exception):
    pass


class Lane:
    def __init__(self, cls, lane, n):
        self.cls, self.lane, self.acc, self.turn = cls, lane, 0, 0
        self.select = DATA[lane] >> 5
        self.x = [cls.seed(k, lane) for k in range(n)]

    def run(self, body):
        for s in body:
            if s[0] == "update":
                self.x[s[1]] = self.cls.update(self.x[s[1]], self.x[s[2]], s[3], self.turn)
            elif s[0] == "use":
                self.acc = (self.acc * 33 + self.cls.word(self.x[s[1]])) & 0xffffffff
            elif s[0] == "if":
                self.run(s[2] if self.select >> s[1] & 1 else s[3])
            elif s[0] == "break":
                source = self.lane if self.cls.divergent else 0
                if DATA[(source * 7 + s[1] + self.turn * 13) & 255] >> 3 & 63 == s[1] & 63:
                    raise Break
            else:
                self.turns(s)

    def turns(self, s):
        before = self.turn
        try:
            for i in range(s[1]):
                self.turn = before + i
                self.run(s[2])
        except Break:
            pass
        self.turn = before


def shader(cls, body, n):
    yield "#version 450"
    yield "#extension GL_EXT_shader_explicit_arithmetic_types : require"
    yield f"layout(local_size_x = {LANES}) in;"
    yield "layout(set = 0, binding = 0) buffer Out { uint result[]; };"
    yield "layout(set = 0, binding = 1) buffer Data { uint data[]; };"
    yield "layout(set = 0, binding = 2) readonly buffer Params { uint params[]; };"
    yield "void main() {"
    yield "  uint id = gl_LocalInvocationID.x, acc = 0u, select = data[id] >> 5, turns = params[64];"
    for k in range(n):
        yield f"  {cls.glsl} x{k} = {cls.seed_text(k)};"
    yield from Text(cls).statements(body, 1)
    for k in reversed(range(n)):
        yield f"  acc = acc * 33u + ({cls.word_text(k)});"
    yield "  result[id] = acc;"
    yield "}"


def expected(cls, body, n):
    for lane in range(LANES):
        run = Lane(cls, lane, n)
        run.run(body + [("use", k) for k in reversed(range(n))])
        yield run.acc


def words(values):
    return " ".join(str(v) for v in values)


def write_script(path, cls, shape, n):
    body = shape(cls, n)
    with open(path, "w", encoding="utf-8") as f:
        f.write("#!amber\nDEVICE_FEATURE shaderInt16\nDEVICE_FEATURE shaderInt64\nSHADER compute s GLSL\n")
        f.write("\n".join(shader(cls, body, n)) + "\nEND\n")
        f.write(f"BUFFER result DATA_TYPE uint32 SIZE {LANES} FILL 0\n")
        f.write(f"BUFFER data DATA_TYPE uint32 DATA {words(DATA)} END\n")
        f.write(f"BUFFER params DATA_TYPE uint32 DATA {words(PARAMS)} 0 END\n")
        f.write("PIPELINE compute p\n  ATTACH s\n")
        for binding, name in enumerate(["result", "data", "params"]):
            f.write(f"  BIND BUFFER {name} AS storage DESCRIPTOR_SET 0 BINDING {binding}\n")
        f.write(f"END\nRUN p 1 1 1\nEXPECT result IDX 0 EQ {words(expected(cls, body, n))}\n")


def choose(args):
    """Yields (class, shape, size) of each script."""
    draw = random.Random(args.seed)
    for cls in CLASSES:
        for shape in SHAPES:
            sizes = args.sizes or (SIZES if args.all else [draw.choice(SIZES[:4])])
            for n in sizes:
                if shape is breaks:
                    n = min(n, MOST_BREAKS)
                if args.only in f"{cls.name}-{shape.__name__}-{n}":
                    yield cls, shape, n


def run(heddle, options, bounds, paths):
    """Runs the scripts; prints those that fail. Returns (passed, failed)."""
    env = dict(os.environ, HEDDLE_DEBUG=",".join(["validateir", "validatera"] + ([bounds] if bounds else [])))
    ran = subprocess.run([heddle, "run", "-j", "1"] + options + paths, capture_output=True, text=True, errors="replace",
                         env=env, check=False)
    passed, failed = 0, 0
    for line in ran.stdout.splitlines():
        if not re.match(r"^(PASS|FAIL|SKIP) ", line):
            continue
        passed += line.startswith("PASS")
        if not line.startswith("PASS"):
            failed += 1
            print(" ".join(options), bounds, line)
    if passed + failed != len(paths):
        print(" ".join(options), bounds, "says nothing of", len(paths) - passed - failed, ran.stderr[-500:])
        failed = len(paths) - passed
    return passed, failed


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--all", action="store_true")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--sizes", type=lambda s: [int(n) for n in s.split(",")])
    p.add_argument("--only", default="")
    p.add_argument("--target")
    args = p.parse_args()
    os.makedirs(args.out, exist_ok=True)
    paths = {}
    for cls, shape, n in choose(args):
        path = os.path.join(args.out, f"{cls.name}-{shape.__name__}-{n}.amber")
        if path not in paths:
            write_script(path, cls, shape, n)
        paths[path] = True
    devices = [(["-t", "hir"], "")]
    devices += [(["-t", "gfx1030", "--wave-size", w], b) for w in ("32", "64") for b in BOUNDS]
    if args.target:
        devices = [(["-t", args.target], b) for b in ("", "spillall")]
    passed, failed = 0, 0
    for options, bounds in devices:
        started = time.monotonic()
        good, bad = run(args.heddle, options, bounds, list(paths))
        passed, failed = passed + good, failed + bad
        print(f"{' '.join(options)} {bounds}: {good} of {len(paths)}, {time.monotonic() - started:.1f} s", flush=True)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
