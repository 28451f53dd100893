#include "kernels.h"

KERNEL(64, 1)
xxhash(const global uint4 *restrict in, global uint *restrict out, uint blocks, uint seed)
{
    const uint p1 = 2654435761u, p2 = 2246822519u, p3 = 3266489917u;
    uint i = GROUP_X * 64 + LID_X, hash = blocks * 16;
    uint4 v = (uint4)(seed + p1 + p2, seed + p2, seed, seed - p1);
    for (uint k = 0; k < blocks; k++) {
        uint4 x = v + in[i * blocks + k] * p2;
        v = (x << 13 | x >> 19) * p1;
    }
    hash += rotate_left(v.x, 1) + rotate_left(v.y, 7) + rotate_left(v.z, 12) + rotate_left(v.w, 18);
    hash = (hash ^ hash >> 15) * p2;
    hash = (hash ^ hash >> 13) * p3;
    out[i] = hash ^ hash >> 16;
}
