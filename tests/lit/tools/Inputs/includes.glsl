#version 450
#extension GL_GOOGLE_include_directive : require
#include "shared.glsl"
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] = twice(gl_LocalInvocationIndex); }
