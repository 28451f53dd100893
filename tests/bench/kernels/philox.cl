#include "kernels.h"

KERNEL(64, 1)
philox(global uint4 *restrict out, uint key0, uint key1)
{
    uint i = GROUP_X * 64 + LID_X;
    uint4 c = (uint4)(i, i * 3, 0, 7);
    for (uint r = 0; r < 10; r++) {
        ulong a = (ulong)c.x * 0xd2511f53u, b = (ulong)c.z * 0xcd9e8d57u;
        c = (uint4)((uint)(b >> 32) ^ c.y ^ key0, (uint)b, (uint)(a >> 32) ^ c.w ^ key1, (uint)a);
        key0 += 0x9e3779b9u;
        key1 += 0xbb67ae85u;
    }
    out[i] = c;
}
