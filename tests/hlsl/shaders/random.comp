#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 2000) buffer O { uint result[]; };
uint pcg(uint v)
{
    uint state = v * 747796405u + 2891336453u, word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}
uint xorshift(inout uint s)
{
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}
uint wang(uint s)
{
    s = (s ^ 61) ^ (s >> 16);
    s *= 9;
    s = s ^ (s >> 4);
    s *= 0x27d4eb2d;
    return s ^ (s >> 15);
}
uvec3 pcg3(uvec3 v)
{
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}
void main()
{
    uvec3 t = gl_GlobalInvocationID, three = pcg3(t + uvec3(0, 1, 2));
    uint s = t.x + 1;
    xorshift(s);
    result[t.x * 5] = pcg(t.x);
    result[t.x * 5 + 1] = xorshift(s);
    result[t.x * 5 + 2] = wang(t.x);
    result[t.x * 5 + 3] = three.x ^ three.y ^ three.z;
    result[t.x * 5 + 4] = floatBitsToUint(uintBitsToFloat(0x3f800000 | pcg(t.x) >> 9) - 1);
}
