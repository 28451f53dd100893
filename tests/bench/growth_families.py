"""The shaders of growth.py: families of a size n.

Those of STATEMENTS have about n machine instructions. For those of SHAPES, n is a number that is small in real shaders but
not in generated ones: breaks, depths, cases, simultaneously live values.
"""

HEAD = """#version 450
#extension GL_EXT_nonuniform_qualifier : enable
#extension GL_EXT_shader_atomic_float : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) readonly buffer Params { uint params[]; };
layout(set = 0, binding = 2) buffer Sums { float sums[]; };
layout(set = 0, binding = 3) readonly buffer Tables { uint table[]; } tables[];
void main() {
    uint id = gl_GlobalInvocationID.x;
    uint a = data[id], b = data[id + 64], c = id, u = params[0];
"""
TAIL = """    data[id] = a ^ b ^ c;
}
"""


# ---- sized by instructions ----

def straight(n):
    """One block: each value is used soon after it is made."""
    return [f"a = (a * 5 + b) ^ {k}; b = (b << 3) | c; c = c + a;" for k in range(n // 6)]


def wide(n):
    """One block in which 100 values are always live: spilling."""
    names = [f"w{k}" for k in range(100)]
    lines = [f"uint {w} = data[id + {k}];" for k, w in enumerate(names)]
    lines += [f"{names[k * 7 % 100]} = {names[k * 13 % 100]} * {names[k * 29 % 100]} + a;"
              for k in range(max(1, n // 2 - 150))]
    return lines + [f"a ^= {w};" for w in names]


def memory(n):
    """Loads and stores of one buffer, none of which can be removed."""
    return [f"a += data[b + {k * 3}]; data[a + {k}] = b; b ^= a;" for k in range(n // 7)]


def ifs(n):
    """Ifs in sequence, with divergent conditions."""
    return [f"if (a > {k}) {{ b += data[a]; data[b] = c; }} else {{ c ^= data[b]; a++; }}"
            for k in range(n // 30)]


def uniform_ifs(n):
    """Ifs in sequence, with uniform conditions."""
    return [f"if (u > {k}) {{ b += data[a]; data[b] = c; }} a++;" for k in range(n // 14)]


def nested_ifs(n):
    """Nested ifs, 8 deep."""
    return [" ".join(f"if (a > {k * 8 + d}) {{ data[a + {d}] = b; a += data[b];" for d in range(8))
            + " }" * 8 for k in range(n // 130)]


def loops(n):
    """Loops in sequence."""
    return [f"for (uint i = 0; i < data[a] + {k}; i++) {{ b += data[i]; a ^= b; }}"
            for k in range(n // 26)]


def nested_loops(n):
    """Nested loops, 5 deep, with a break in each."""
    opened = " ".join(f"for (uint i{d} = 0; i{d} < data[a + {d}]; i{d}++) "
                      f"{{ a += data[i{d} + b]; if (a == {d}) break;" for d in range(5))
    return [opened + f" b ^= {k};" + " }" * 5 for k in range(n // 170)]


def one_loop(n):
    """One loop around everything, with ifs inside and loop-carried values."""
    return ["for (uint i = 0; i < u; i++) {"] + ifs(n) + ["}"]


def switches(n):
    """Switches of 16 cases."""
    cases = " ".join(f"case {d}: a += data[b + {d}]; break;" for d in range(16))
    return [f"switch (a & 15) {{ {cases} }} b += {k};" for k in range(n // 180)]


STATEMENTS = [straight, wide, memory, ifs, uniform_ifs, nested_ifs, loops, nested_loops, one_loop, switches]


# ---- sized by another number ----

def breaks(n):
    """One loop with n breaks, taken by some lanes each."""
    return ["for (uint i = 0; i < u; i++) {"] + [f"a += data[b + i]; if (a == {k}) break;" for k in range(n)] + ["}"]


def continues(n):
    """One loop with n continues."""
    return (["for (uint i = 0; i < u; i++) {"] +
            [f"a += data[b + i]; if (a == {k}) {{ c ^= a; continue; }}" for k in range(n)] + ["}"])


def one_switch(n):
    """One switch of n cases."""
    return ["switch (a) {"] + [f"case {k}: b += data[c + {k}]; break;" for k in range(n)] + ["}"]


def uniform_switch(n):
    """The same with a uniform selector."""
    return ["switch (u) {"] + [f"case {k}: b += data[c + {k}]; break;" for k in range(n)] + ["}"]


def live_across_if(n):
    """n values that are defined before an if and used after it."""
    return ([f"uint w{k} = data[id + {k}];" for k in range(n)] + ["if (a > b) { c += data[a]; data[c] = b; }"] +
            [f"a = a * 3 + w{k};" for k in range(n)])


def live_in_block(n):
    """n simultaneously live values in one block: spilling."""
    return [f"uint w{k} = data[id + {k}];" for k in range(n)] + [f"a = a * 3 + w{k};" for k in range(n)]


def live_uniform(n):
    """n simultaneously live values in SGPRs."""
    return [f"uint w{k} = params[{k}] + u;" for k in range(n)] + [f"a = a * 3 + w{k};" for k in range(n)]


def wide_phis(n):
    """n values that an if changes, which gives n phis at its end."""
    changed = " ".join(f"w{k} += a;" for k in range(n))
    return ([f"uint w{k} = data[id + {k}];" for k in range(n)] + ["if (a > b) {", changed, "}"] +
            [f"a = a * 3 + w{k};" for k in range(n)])


def loop_phis(n):
    """n values that are permuted in each iteration of a loop: a parallel copy of n."""
    moves = " ".join(f"w{k} = w{k + 1} + i;" for k in range(n - 1))
    return ([f"uint w{k} = data[id + {k}];" for k in range(n)] +
            ["for (uint i = 0; i < u; i++) {", "uint first = w0;", moves, f"w{n - 1} = first;", "}"] +
            [f"a = a * 3 + w{k};" for k in range(n)])


def loop_bools(n):
    """n bools that a loop with n divergent breaks sets: behind it are n phis with n operands each, so the program itself grows with n squared."""
    return ([f"bool f{k} = false;" for k in range(n)] + ["for (uint i = 0; i < u; i++) {"] +
            [f"uint d{k} = data[a + i + {k}]; f{k} = f{k} || d{k} == b; if (d{k} == c) break;" for k in range(n)] +
            ["}"] + [f"if (f{k}) a = a * 3 + {k};" for k in range(n)])


def many_bool_loops(n):
    """n such loops with 4 bools each."""
    return [f"{{ bool p = a > {k}, q = false, r = false, s = false; for (uint i = 0; i < u; i++) {{ p = q || data[a + i] == b; "
            f"q = r != (data[i] > c); if (q) break; r = s && p; s = !p; }} if (p || s) a += {k}; }}" for k in range(n)]


def lane_handles(n):
    """n loads from divergently indexed buffers: each becomes a loop over the distinct buffers."""
    return [f"a += tables[nonuniformEXT(a & 7u)].table[{k}];" for k in range(n)]


def float_atomics(n):
    """n atomic additions of floats: each becomes a loop with compare and swap."""
    return [f"a ^= floatBitsToUint(atomicAdd(sums[a + {k}], uintBitsToFloat(b)));" for k in range(n)]


def many_preds(n):
    """A switch of n cases that set 4 values: phis with n operands."""
    return (["uint p = a, q = b, r = c, s = id;", "switch (a & 4095) {"] +
            [f"case {k}: p = q + {k}; q = r ^ {k}; r = s * {k + 3}; s = p; break;" for k in range(n)] +
            ["}", "a ^= p + q + r + s;"])


def deep_ifs(n):
    """Nested ifs, n deep, as SPIR-V: the GLSL compiler's stack would overflow."""
    head = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %run ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%v3 = OpTypeVector %u32 3
%run = OpTypeRuntimeArray %u32
%block = OpTypeStruct %run
%pblock = OpTypePointer StorageBuffer %block
%pu = OpTypePointer StorageBuffer %u32
%pin = OpTypePointer Input %v3
%id = OpVariable %pin Input
%data = OpVariable %pblock StorageBuffer
%zero = OpConstant %u32 0
"""
    out = [head] + [f"%k{d} = OpConstant %u32 {d + 1}\n" for d in range(n)]
    out.append("%main = OpFunction %void None %fn\n%entry = OpLabel\n%gid = OpLoad %v3 %id\n"
               "%x = OpCompositeExtract %u32 %gid 0\n")
    for d in range(n):
        a = f"%a{d - 1}" if d else "%x"
        out.append(f"%p{d} = OpAccessChain %pu %data %zero {a}\n%l{d} = OpLoad %u32 %p{d}\n"
                   f"%a{d} = OpIAdd %u32 %l{d} %k{d}\n%c{d} = OpUGreaterThan %bool %a{d} %k{d}\n"
                   f"OpSelectionMerge %m{d} None\nOpBranchConditional %c{d} %t{d} %m{d}\n%t{d} = OpLabel\n")
    out.append(f"%q = OpAccessChain %pu %data %zero %a{n - 1}\nOpStore %q %x\n")
    for d in reversed(range(n)):
        out.append(f"OpBranch %m{d}\n%m{d} = OpLabel\n%q{d} = OpAccessChain %pu %data %zero %a{d}\nOpStore %q{d} %k{d}\n")
    out.append("OpReturn\nOpFunctionEnd\n")
    return "".join(out)

SHAPES = [breaks, continues, one_switch, uniform_switch, live_across_if, live_in_block, live_uniform, wide_phis, loop_phis,
          loop_bools, many_bool_loops, lane_handles, float_atomics, many_preds, deep_ifs]

# Sizes other than 1000, 2000, 4000.
SMALLER = {loop_bools: (250, 500, 1000), deep_ifs: (60, 120, 240)}

# Families whose SSA form has n^2 operands, whoever compiles them: n flags that n exits of a loop carry out.
SQUARES = {loop_bools}


class Family:
    """Shaders of growing size: `sizes`, and `source`, the file name and text of a size."""

    def __init__(self, function, sizes, statements=True):
        self.name, self.function, self.sizes, self.statements = function.__name__, function, sizes, statements
        self.squares = function in SQUARES

    def source(self, n):
        if not self.statements:
            return f"{self.name}-{n}.comp.spvasm", self.function(n)
        return f"{self.name}-{n}.comp", HEAD + "".join(f"    {line}\n" for line in self.function(n)) + TAIL


def families(most):
    """Yields all families; those of STATEMENTS have sizes up to `most` instructions."""
    sizes = [s for s in (100, 1000, 10000, 100000, 1000000) if s <= most]
    return ([Family(f, sizes) for f in STATEMENTS] +
            [Family(f, SMALLER.get(f, (1000, 2000, 4000)), f is not deep_ifs) for f in SHAPES])
