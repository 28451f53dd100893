#version 450
// Bytes that shifts and masks move: reversed, exchanged, of two numbers, beside constants; masks of two numbers; shared parts.
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { uint a[64]; };
layout(set = 0, binding = 1) buffer B { uint b[1024]; };

void main()
{
    uint id = gl_LocalInvocationIndex, x = a[id], y = a[id + 32u], at = id * 16u;
    uint z = x * 77777u + y, s = z >> 8;
    b[at] = (x >> 24) | ((x >> 8) & 0xff00u) | ((x << 8) & 0xff0000u) | (x << 24);
    b[at + 1u] = ((y & 0xff00ffu) << 8) | ((y >> 8) & 0xff00ffu);
    b[at + 2u] = (x & 0xffffu) | (y << 16);
    b[at + 3u] = (z >> 16) | (y & 0xffff0000u);
    b[at + 4u] = (x & 0xff00ff0fu) | (y & 0x00ff00f0u);
    b[at + 5u] = ((x >> 8) & 0xffu) | ((y >> 8) & 0xff00u) | ((x & 0xffu) << 16) | 0xff000000u;
    b[at + 6u] = ((x ^ y) & 0x00ffff00u) ^ y;
    b[at + 7u] = (s & 0xff00u) | ((z & 0xff0000u) << 8) | (s >> 16);
    b[at + 8u] = s + bitfieldInsert(x, z, 8, 16);
    b[at + 9u] = ((x & 0xffu) << 24) | ((y & 0xff00u) << 8) | ((z >> 8) & 0xff00u) | (z >> 24);
    b[at + 10u] = ((x & 0xf0u) << 24) | ((x & 0xff00u) << 8) | ((x >> 8) & 0xff00u) | (x >> 24);
    uvec4 w = unpackUnorm4x8(x).wzyx == vec4(0) ? uvec4(1) : uvec4(x & 0xffu, x >> 8 & 0xffu, x >> 16 & 0xffu, x >> 24);
    b[at + 11u] = w.w | w.z << 8 | w.y << 16 | w.x << 24;
    b[at + 12u] = bitfieldExtract(x, 16, 8) | bitfieldExtract(x, 0, 8) << 8 | bitfieldExtract(y, 8, 16) << 16;
    if ((x & 1u) != 0u)
        b[at + 13u] = (z << 16) | (z >> 16);
    else
        b[at + 14u] = (z << 8) | (z >> 24);
}
