#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 64) in;
layout(push_constant) uniform arguments { in_u32 messages; in_u32 constants; out_u32 result; uint n; };

void
main()
{
    uint i = GROUP_X * 64 + LID_X, w[16];
    if (i >= n)
        return;
    for (uint k = 0; k < 16; k++)
        w[k] = messages.at[i * 16 + k];
    uint a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
    uint e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
    [[unroll]] for (uint r = 0; r < 64; r++) {
        uint word = w[r % 16];
        if (r >= 16) {
            uint x = w[(r + 1) % 16], y = w[(r + 14) % 16];
            word += w[(r + 9) % 16] + (ROTATE_LEFT(x, 25) ^ ROTATE_LEFT(x, 14) ^ x >> 3) +
                    (ROTATE_LEFT(y, 15) ^ ROTATE_LEFT(y, 13) ^ y >> 10);
            w[r % 16] = word;
        }
        uint one = h + (ROTATE_LEFT(e, 26) ^ ROTATE_LEFT(e, 21) ^ ROTATE_LEFT(e, 7)) + ((e & f) ^ (~e & g)) + constants.at[r] + word;
        uint two = (ROTATE_LEFT(a, 30) ^ ROTATE_LEFT(a, 19) ^ ROTATE_LEFT(a, 10)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + one;
        d = c;
        c = b;
        b = a;
        a = one + two;
    }
    result.at[i * 8 + 0] = a + 0x6a09e667;
    result.at[i * 8 + 1] = b + 0xbb67ae85;
    result.at[i * 8 + 2] = c + 0x3c6ef372;
    result.at[i * 8 + 3] = d + 0xa54ff53a;
    result.at[i * 8 + 4] = e + 0x510e527f;
    result.at[i * 8 + 5] = f + 0x9b05688c;
    result.at[i * 8 + 6] = g + 0x1f83d9ab;
    result.at[i * 8 + 7] = h + 0x5be0cd19;
}
