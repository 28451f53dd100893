#version 450
#extension GL_GOOGLE_include_directive : enable
#include "buffer.glsl"
layout(local_size_x = 8) in;

void
main()
{
    values[gl_GlobalInvocationID.x] = uint(N);
}
