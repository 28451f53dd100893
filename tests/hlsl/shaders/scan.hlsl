// Inclusive prefix sums of Hillis and Steele with two buffers in turn.
StructuredBuffer<uint> from : register(t0);
RWStructuredBuffer<uint> result : register(u0);
groupshared uint sums[2][256];
[numthreads(256, 1, 1)] void main(uint3 t : SV_DispatchThreadID, uint i : SV_GroupIndex)
{
    uint turn = 0;
    sums[0][i] = from[t.x];
    GroupMemoryBarrierWithGroupSync();
    for (uint step = 1; step < 256; step <<= 1) {
        uint v = sums[turn][i];
        if (i >= step)
            v += sums[turn][i - step];
        turn ^= 1;
        sums[turn][i] = v;
        GroupMemoryBarrierWithGroupSync();
    }
    result[t.x] = sums[turn][i];
}
