#!/usr/bin/env python3
"""How compile time grows with a shader's size: growth.py HEDDLE OUTDIR [--most N] [--kind KIND]

For each kind of shader (straight-line code, many ifs, many loops ...) GLSL of growing size is
written to OUTDIR and compiled, from about 100 to --most machine instructions (100000 without it).
A line tells the instructions, the milliseconds, the microseconds an instruction, and the exponent
of the growth since the size before: 1 is linear. Below the last size stand the phases that take a
twentieth of the time or more and grow with an exponent above 1.2 from the second last size on.
Nothing here passes or fails on time.
"""
import argparse
import json
import math
import os
import subprocess
import sys

HEAD = """#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) readonly buffer Params { uint params[]; };
void main() {
    uint id = gl_GlobalInvocationID.x;
    uint a = data[id], b = data[id + 64], c = id, u = params[0];
"""
TAIL = """    data[id] = a ^ b ^ c;
}
"""


def straight(n):
    """One block: each value is used soon after it is made."""
    return [f"a = (a * 5 + b) ^ {k}; b = (b << 3) | c; c = c + a;" for k in range(n // 6)]


def wide(n):
    """One block; 100 values live through all of it: spilling."""
    names = [f"w{k}" for k in range(100)]
    lines = [f"uint {w} = data[id + {k}];" for k, w in enumerate(names)]
    lines += [f"{names[k * 7 % 100]} = {names[k * 13 % 100]} * {names[k * 29 % 100]} + a;"
              for k in range(max(1, n // 2 - 150))]
    return lines + [f"a ^= {w};" for w in names]


def memory(n):
    """Loads and stores of one buffer, none of which can be left out."""
    return [f"a += data[b + {k * 3}]; data[a + {k}] = b; b ^= a;" for k in range(n // 7)]


def ifs(n):
    """Ifs one behind the other, whose lanes part."""
    return [f"if (a > {k}) {{ b += data[a]; data[b] = c; }} else {{ c ^= data[b]; a++; }}"
            for k in range(n // 30)]


def uniform_ifs(n):
    """Ifs that all lanes decide alike."""
    return [f"if (u > {k}) {{ b += data[a]; data[b] = c; }} a++;" for k in range(n // 14)]


def nested_ifs(n):
    """Ifs inside each other, 8 deep."""
    return [" ".join(f"if (a > {k * 8 + d}) {{ data[a + {d}] = b; a += data[b];" for d in range(8))
            + " }" * 8 for k in range(n // 130)]


def loops(n):
    """Loops one behind the other."""
    return [f"for (uint i = 0; i < data[a] + {k}; i++) {{ b += data[i]; a ^= b; }}"
            for k in range(n // 26)]


def nested_loops(n):
    """Loops inside each other, 5 deep, with a break in each."""
    opened = " ".join(f"for (uint i{d} = 0; i{d} < data[a + {d}]; i{d}++) "
                      f"{{ a += data[i{d} + b]; if (a == {d}) break;" for d in range(5))
    return [opened + f" b ^= {k};" + " }" * 5 for k in range(n // 170)]


def one_loop(n):
    """One loop around all: ifs inside, values that go round."""
    return ["for (uint i = 0; i < u; i++) {"] + ifs(n) + ["}"]


def switches(n):
    """Switches of 16 cases."""
    cases = " ".join(f"case {d}: a += data[b + {d}]; break;" for d in range(16))
    return [f"switch (a & 15) {{ {cases} }} b += {k};" for k in range(n // 180)]


KINDS = [straight, wide, memory, ifs, uniform_ifs, nested_ifs, loops, nested_loops, one_loop,
         switches]


def measure(heddle, path, size):
    repeat = max(1, min(20, 20000 // size))
    command = [heddle, "stats", "--json", "--repeat", str(repeat), "--wave-size", "64", path]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        return None, run.stderr.strip()
    return json.loads(run.stdout), ""


def exponent(small, large, what):
    """Of the growth of `what` in instructions."""
    ratio = large["instructions"] / small["instructions"]
    grown = max(what(large), 1e-4) / max(what(small), 1e-4)
    return math.log(grown) / math.log(ratio) if ratio > 1.5 else 0.0


def steep_phases(small, large):
    for name, ms in sorted(large["phases_ms"].items(), key=lambda p: -p[1]):
        e = exponent(small, large, lambda s, n=name: s["phases_ms"].get(n, 0.0))
        if ms >= large["compile_ms"] / 20 and e > 1.2:
            yield f"{name} {ms:.1f} ms ({e:.2f})"


def grow(heddle, out, kind, most):
    """Prints a kind's rows; False if the compiler refused one."""
    before, size = None, 100
    while size <= most:
        path = os.path.join(out, f"{kind.__name__}-{size}.comp")
        with open(path, "w", encoding="utf-8") as f:
            f.write(HEAD + "".join(f"    {line}\n" for line in kind(size)) + TAIL)
        s, error = measure(heddle, path, size)
        if not s:
            print(f"{kind.__name__:14} {size:7}  {error}")
            return False
        each = s["compile_ms"] * 1000 / s["instructions"]
        e = f"{exponent(before, s, lambda x: x['compile_ms']):.2f}" if before else ""
        print(f"{kind.__name__:14} {s['instructions']:7} {s['compile_ms']:10.3f} ms {each:8.2f} us "
              f"{e:>5}", flush=True)
        if before and size * 10 > most:
            for line in steep_phases(before, s):
                print(f"{'':16}{line}")
        before, size = s, size * 10
    return True


def main():
    p = argparse.ArgumentParser()
    p.add_argument("heddle")
    p.add_argument("out")
    p.add_argument("--most", type=int, default=100000)
    p.add_argument("--kind", action="append")
    args = p.parse_args()
    os.makedirs(args.out, exist_ok=True)
    kinds = [k for k in KINDS if not args.kind or k.__name__ in args.kind]
    return 0 if all([grow(args.heddle, args.out, k, args.most) for k in kinds]) else 1


if __name__ == "__main__":
    sys.exit(main())
