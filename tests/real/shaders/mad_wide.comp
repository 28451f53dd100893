#version 450
// Products of two 32-bit numbers that are added to a 64-bit one: unsigned, signed, in a chain, and one that is read besides.
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { uint a[64]; };
layout(set = 0, binding = 1) buffer B { uint64_t b[256]; };
layout(set = 0, binding = 2) buffer C { int64_t c[64]; };

void main()
{
    uint id = gl_LocalInvocationIndex, x = a[id], y = a[id + 32u], at = id * 4u;
    uint64_t p = uint64_t(x) * uint64_t(y);
    b[at] = uint64_t(x) * uint64_t(y ^ 0x5a5a5a5au) + b[at + 1u];
    b[at + 2u] = p + b[at + 3u];
    b[at + 3u] = p;
    uint64_t sum = uint64_t(x) * uint64_t(a[0]) + b[id + 128u];
    sum = uint64_t(uint(sum)) * uint64_t(y + 3u) + sum;
    b[at + 1u] = uint64_t(uint(sum >> 32)) * uint64_t(x) + sum;
    c[id] = int64_t(int(x)) * int64_t(int(y)) + c[id + 32u];
}
