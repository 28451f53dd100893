#include "kernels.h"

KERNEL(64, 1)
nbody(const global float4 *restrict bodies, global float4 *restrict forces, uint n, float softening)
{
    local float4 tile[64];
    uint i = GROUP_X * 64 + LID_X;
    float4 me = bodies[i];
    float fx = 0, fy = 0, fz = 0;
    for (uint t = 0; t < n; t += 64) {
        tile[LID_X] = bodies[t + LID_X];
        sync();
        for (uint k = 0; k < 64; k++) {
            float4 other = tile[k];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float inverse = RSQRT(FMA(dx, dx, FMA(dy, dy, FMA(dz, dz, softening))));
            float s = other.w * inverse * inverse * inverse;
            fx = FMA(dx, s, fx);
            fy = FMA(dy, s, fy);
            fz = FMA(dz, s, fz);
        }
        sync();
    }
    forces[i] = (float4)(fx, fy, fz, 0);
}
