#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 64) in;
layout(push_constant) uniform arguments { in_f32x4 bodies; out_f32x4 forces; uint n; float softening; };
shared vec4 tile[64];

void
main()
{
    uint i = GROUP_X * 64 + LID_X;
    vec4 me = bodies.at[i];
    precise float fx = 0, fy = 0, fz = 0;
    for (uint t = 0; t < n; t += 64) {
        tile[LID_X] = bodies.at[t + LID_X];
        barrier();
        for (uint k = 0; k < 64; k++) {
            vec4 other = tile[k];
            precise float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            precise float inverse_ = inversesqrt(fma(dx, dx, fma(dy, dy, fma(dz, dz, softening))));
            precise float s = other.w * inverse_ * inverse_ * inverse_;
            fx = fma(dx, s, fx);
            fy = fma(dy, s, fy);
            fz = fma(dz, s, fz);
        }
        barrier();
    }
    forces.at[i] = vec4(fx, fy, fz, 0);
}
