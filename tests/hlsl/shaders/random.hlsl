// Hashes and generators as shaders use them: pcg, xorshift, Wang; floats made of bits.
RWStructuredBuffer<uint> result : register(u0);
uint pcg(uint v)
{
    uint state = v * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
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
uint3 pcg3(uint3 v)
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
[numthreads(64, 1, 1)] void main(uint3 t : SV_DispatchThreadID)
{
    uint s = t.x + 1;
    xorshift(s);
    uint3 three = pcg3(t + uint3(0, 1, 2));
    result[t.x * 5] = pcg(t.x);
    result[t.x * 5 + 1] = xorshift(s);
    result[t.x * 5 + 2] = wang(t.x);
    result[t.x * 5 + 3] = three.x ^ three.y ^ three.z;
    result[t.x * 5 + 4] = asuint(asfloat(0x3f800000 | pcg(t.x) >> 9) - 1);
}
