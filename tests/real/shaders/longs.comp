// 64-bit integers: all operations that the machine has to make of 32-bit ones.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) buffer A { uint64_t u[]; } a;
layout(set = 0, binding = 1, std430) buffer B { int64_t s[]; } b;
layout(set = 0, binding = 2, std430) buffer C { uint64_t r[]; } c;
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint64_t x = a.u[i] * 0x100000001ul + a.u[i + 3u], y = a.u[i + 1u] + 1ul;
    int64_t s = b.s[i] - b.s[i + 2u] * 5l, t = b.s[i + 1u] | 1l;
    uint at = 12u * i;
    c.r[at] = x * y;
    c.r[at + 1u] = x / y;
    c.r[at + 2u] = x % y;
    c.r[at + 3u] = uint64_t(s / t);
    c.r[at + 4u] = uint64_t(s % t);
    c.r[at + 5u] = x << (i & 63u);
    c.r[at + 6u] = x >> ((i * 3u) & 63u);
    c.r[at + 7u] = uint64_t(s >> (i & 31u));
    c.r[at + 8u] = uint64_t(min(s, t)) ^ max(x, y);
    c.r[at + 9u] = uint64_t(s < t) + (x > y ? 2ul : 4ul);
    c.r[at + 10u] = uint64_t(float(x) * 0.25);
    c.r[at + 11u] = uint64_t(abs(s)) + uint64_t(-t);
}
