#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 64) in;
layout(push_constant) uniform arguments { in_u32x4 data; out_u32 result; uint blocks; uint seed; };

void
main()
{
    const uint p1 = 2654435761u, p2 = 2246822519u, p3 = 3266489917u;
    uint i = GROUP_X * 64 + LID_X, hash = blocks * 16;
    uvec4 v = uvec4(seed + p1 + p2, seed + p2, seed, seed - p1);
    for (uint k = 0; k < blocks; k++) {
        uvec4 x = v + data.at[i * blocks + k] * p2;
        v = (x << 13 | x >> 19) * p1;
    }
    hash += ROTATE_LEFT(v.x, 1) + ROTATE_LEFT(v.y, 7) + ROTATE_LEFT(v.z, 12) + ROTATE_LEFT(v.w, 18);
    hash = (hash ^ hash >> 15) * p2;
    hash = (hash ^ hash >> 13) * p3;
    result.at[i] = hash ^ hash >> 16;
}
