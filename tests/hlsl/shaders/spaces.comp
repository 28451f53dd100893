#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 1000) readonly buffer A { uint a[]; };
layout(std430, set = 1, binding = 1000) readonly buffer B { uint b[]; };
layout(std430, set = 3, binding = 1000) readonly buffer C { uint c[]; };
layout(std140, set = 1, binding = 0) uniform K { uvec4 k; };
layout(std430, set = 2, binding = 5) readonly buffer D { uint bound[]; };
layout(std140, binding = 3) uniform M { uvec4 m; };
layout(std430, set = 2, binding = 2000) buffer O { uint result[]; };
void main()
{
    uint i = gl_LocalInvocationIndex;
    result[i] = a[i] + 10 * b[i] + 100 * c[i] + 1000 * k[i] + 10000 * bound[i] + 100000 * m[i];
}
