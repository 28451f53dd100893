#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B
{
    vec2 d[];
} b;
layout(set = 0, binding = 1) uniform samplerCube t;

void f(uint i)
{
    b.d[i] = textureGrad(t, vec3(i), vec3(1), vec3(2)).xy;
}

void main()
{
    f(gl_GlobalInvocationID.x);
}
