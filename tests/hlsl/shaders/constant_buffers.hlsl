// packoffset, ConstantBuffer<T>, spaces, and loose globals.
struct Light {
    float3 position;
    float range;
    struct { uint2 pair; uint one; } nested;
};
cbuffer Packed : register(b3)
{
    float4 a : packoffset(c0);
    float b : packoffset(c1.y);
    float2 c : packoffset(c1.z);
    float d : packoffset(c3);
};
ConstantBuffer<Light> light : register(b1, space2);
RWStructuredBuffer<float> result : register(u0);
[numthreads(1, 1, 1)] void main()
{
    result[0] = a.w;
    result[1] = b;
    result[2] = c.x;
    result[3] = c.y;
    result[4] = d;
    result[5] = light.position.z;
    result[6] = light.range;
    result[7] = light.nested.pair.y;
    result[8] = light.nested.one;
}
