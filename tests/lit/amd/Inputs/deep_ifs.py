"""Writes one compute shader for each N of the arguments, OUT-N.comp: N uniform ifs, each in the one before.

    deep_ifs.py OUT N...
"""
import sys

HEAD = """#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Limits { uint limits[32]; };
void main() {
"""


def shader(n):
    opened = "".join(f"    if (limits[{k % 32}] > {k // 32 + 1}u) {{ atomicAdd(data[{k}], 1u);\n" for k in range(n))
    closed = "".join(f"    atomicOr(data[{k}], 2u); }}\n" for k in reversed(range(n)))
    return HEAD + opened + "    data[gl_GlobalInvocationID.x + 200] = 7u;\n" + closed + "}\n"


for number in sys.argv[2:]:
    with open(f"{sys.argv[1]}-{number}.comp", "w", encoding="utf-8") as f:
        f.write(shader(int(number)))
