// REQUIRES: frontend
// An array that became registers needs no private memory.
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s
// CHECK: main: target a660,{{.*}} 0 bytes private
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint v[]; };
void main()
{
    uint four[4];
    for (uint i = 0; i < 4; i++)
        four[i] = v[gl_LocalInvocationIndex + i];
    uint k = v[100] & 3u;
    v[gl_LocalInvocationIndex] = four[k] + four[3u - k];
}
