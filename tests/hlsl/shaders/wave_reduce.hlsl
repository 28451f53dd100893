RWStructuredBuffer<uint> result : register(u0);
[numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex)
{
    uint lane = WaveGetLaneIndex(), count = WaveGetLaneCount(), first = i - lane;
    uint at = i * 8;
    result[at] = WaveActiveSum(lane) == count * (count - 1) / 2;
    result[at + 1] = WaveActiveMin(i + 5) == first + 5 && WaveActiveMax(i) == first + count - 1;
    result[at + 2] = WaveActiveBitOr(1u << (i % 7)) ^ WaveActiveBitXor(lane == 3 ? 0x80u : 0u);
    result[at + 3] = WaveActiveBitAnd(~(1u << (i % 7)));
    result[at + 4] = WaveActiveCountBits(lane % 4 == 1) * 4 == count;
    result[at + 5] = (WaveActiveAnyTrue(lane == 5) ? 1 : 0) + (WaveActiveAllTrue(lane < 5) ? 2 : 0) + (WaveActiveAllEqual(first) ? 4 : 0) +
        (WaveActiveAllEqual(lane) ? 8 : 0);
    result[at + 6] = WaveIsFirstLane() == (lane == 0);
    uint sum = 0;
    if (i % 2 == 0) // some lanes alone
        sum = WaveActiveSum(1u) * 2 == count ? 7 : 8;
    result[at + 7] = sum;
}
