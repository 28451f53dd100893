StructuredBuffer<uint> from : register(t0);
RWStructuredBuffer<uint> result : register(u0);
groupshared uint sums[128];
groupshared uint largest;
[numthreads(128, 1, 1)] void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint i : SV_GroupIndex)
{
    if (i == 0)
        largest = 0;
    sums[i] = from[id.x];
    GroupMemoryBarrierWithGroupSync();
    InterlockedMax(largest, sums[i]);
    [unroll] for (uint step = 64; step > 0; step >>= 1) {
        if (i < step)
            sums[i] += sums[i + step];
        GroupMemoryBarrierWithGroupSync();
    }
    if (i == 0) {
        result[group.x * 2] = sums[0];
        result[group.x * 2 + 1] = largest;
    }
}
