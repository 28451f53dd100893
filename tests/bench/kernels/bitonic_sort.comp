#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 128) in;
layout(push_constant) uniform arguments { out_u32 keys; };
shared uint tile[256];

void
main()
{
    uint t = LID_X, first = GROUP_X * 256;
    tile[t] = keys.at[first + t];
    tile[t + 128] = keys.at[first + t + 128];
    for (uint k = 2; k <= 256; k *= 2) {
        for (uint j = k / 2; j > 0; j /= 2) {
            barrier();
            uint i = (t & ~(j - 1)) * 2 + (t & (j - 1)), other = i + j;
            uint a = tile[i], b = tile[other];
            if ((a > b) == ((i & k) == 0)) {
                tile[i] = b;
                tile[other] = a;
            }
        }
    }
    barrier();
    keys.at[first + t] = tile[t];
    keys.at[first + t + 128] = tile[t + 128];
}
