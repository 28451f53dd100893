// The same register in three spaces, and explicit bindings in place of registers.
StructuredBuffer<uint> a : register(t0);
StructuredBuffer<uint> b : register(t0, space1);
ByteAddressBuffer c : register(t0, space3);
cbuffer K : register(b0, space1) { uint4 k; };
[[vk::binding(5, 2)]] StructuredBuffer<uint> bound : register(t9, space4);
[[vk::binding(3)]] cbuffer Bound { uint4 m; };
RWStructuredBuffer<uint> result : register(u0, space2);
[numthreads(4, 1, 1)] void main(uint i : SV_GroupIndex)
{
    result[i] = a[i] + 10 * b[i] + 100 * c.Load(i * 4) + 1000 * k[i] + 10000 * bound[i] + 100000 * m[i];
}
