#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 64) in;
layout(push_constant) uniform arguments { out_u32x4 result; uint key0_; uint key1_; };

void
main()
{
    uint i = GROUP_X * 64 + LID_X, key0 = key0_, key1 = key1_;
    uvec4 c = uvec4(i, i * 3, 0, 7);
    for (uint r = 0; r < 10; r++) {
        uint64_t a = uint64_t(c.x) * 0xd2511f53u, b = uint64_t(c.z) * 0xcd9e8d57u;
        c = uvec4(uint(b >> 32) ^ c.y ^ key0, uint(b), uint(a >> 32) ^ c.w ^ key1, uint(a));
        key0 += 0x9e3779b9u;
        key1 += 0xbb67ae85u;
    }
    result.at[i] = c;
}
