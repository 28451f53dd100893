// Each operation, on memory of a group, a structured buffer and a byte address buffer, signed and unsigned.
groupshared uint g[8];
groupshared int low, high;
RWStructuredBuffer<uint> result : register(u0);
RWByteAddressBuffer raw : register(u1);
RWStructuredBuffer<int> numbers : register(u2);
[numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex)
{
    if (i < 8)
        g[i] = i == 2 ? 0xffffffffu : i == 5 ? 1000u : 0u;
    if (i == 8)
        low = 0;
    if (i == 9)
        high = -100;
    GroupMemoryBarrierWithGroupSync();
    uint old;
    InterlockedAdd(g[0], i);
    InterlockedOr(g[1], 1u << (i & 31));
    InterlockedAnd(g[2], ~(1u << (i & 15)));
    InterlockedXor(g[3], i * 3);
    InterlockedMax(g[4], i ^ 21);
    InterlockedMin(g[5], i + 9);
    InterlockedCompareExchange(g[6], 0u, i + 1, old);
    if (old == 0)
        InterlockedExchange(g[7], i + 1, old);
    InterlockedMin(low, (int)i - 40);
    InterlockedMax(high, (int)i - 70);
    raw.InterlockedAdd(0, i, old);
    raw.InterlockedMax(4, i * 2);
    raw.InterlockedOr(8, 1u << (i & 31));
    raw.InterlockedXor(12, i);
    raw.InterlockedMin(16, i + 3);
    raw.InterlockedAnd(20, ~i);
    raw.InterlockedExchange(24 + i * 4, i * i, old);
    numbers[2 + i] = (int)old;
    InterlockedMin(numbers[0], 5 - (int)i);
    InterlockedMax(numbers[1], (int)i - 80);
    GroupMemoryBarrierWithGroupSync();
    if (i < 8)
        result[i] = i == 6 ? (g[6] == g[7] ? 1u : 0u) : i == 7 ? (g[7] >= 1 && g[7] <= 64 ? 1u : 0u) : g[i];
    if (i == 8)
        result[8] = (uint)low;
    if (i == 9)
        result[9] = (uint)high;
}
