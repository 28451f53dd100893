#version 450
#ifndef STEP
#define STEP 1
#endif
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] += STEP; }
