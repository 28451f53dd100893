#include "kernels.h"

KERNEL(64, 1)
sha256(const global uint *restrict messages, const global uint *restrict constants, global uint *restrict out, uint n)
{
    uint i = GROUP_X * 64 + LID_X, w[16];
    if (i >= n)
        return;
    for (uint k = 0; k < 16; k++)
        w[k] = messages[i * 16 + k];
    uint a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
    uint e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
#pragma unroll
    for (uint r = 0; r < 64; r++) {
        uint word = w[r % 16];
        if (r >= 16) {
            uint x = w[(r + 1) % 16], y = w[(r + 14) % 16];
            word += w[(r + 9) % 16] + (rotate_left(x, 25) ^ rotate_left(x, 14) ^ x >> 3) +
                    (rotate_left(y, 15) ^ rotate_left(y, 13) ^ y >> 10);
            w[r % 16] = word;
        }
        uint one = h + (rotate_left(e, 26) ^ rotate_left(e, 21) ^ rotate_left(e, 7)) + ((e & f) ^ (~e & g)) + constants[r] + word;
        uint two = (rotate_left(a, 30) ^ rotate_left(a, 19) ^ rotate_left(a, 10)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + one;
        d = c;
        c = b;
        b = a;
        a = one + two;
    }
    out[i * 8 + 0] = a + 0x6a09e667;
    out[i * 8 + 1] = b + 0xbb67ae85;
    out[i * 8 + 2] = c + 0x3c6ef372;
    out[i * 8 + 3] = d + 0xa54ff53a;
    out[i * 8 + 4] = e + 0x510e527f;
    out[i * 8 + 5] = f + 0x9b05688c;
    out[i * 8 + 6] = g + 0x1f83d9ab;
    out[i * 8 + 7] = h + 0x5be0cd19;
}
