RWStructuredBuffer<uint> result : register(u0);
[numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex)
{
    uint lane = WaveGetLaneIndex(), first = i - lane, at = i * 8;
    result[at] = WavePrefixSum(lane) == lane * (lane - 1) / 2;
    result[at + 1] = WavePrefixProduct(lane % 2 + 1) == 1u << (lane / 2);
    result[at + 2] = WavePrefixCountBits(lane % 3 == 0) == (lane + 2) / 3;
    result[at + 3] = WaveReadLaneFirst(i) == first;
    result[at + 4] = WaveReadLaneAt(i * 3, 5) == (first + 5) * 3;
    uint4 ballot = WaveActiveBallot(i % 8 == 1);
    result[at + 5] = ballot.x;
    result[at + 6] = ballot.z | ballot.w;
    uint across = QuadReadAcrossX(i) - (i ^ 1), down = QuadReadAcrossY(i) - (i ^ 2), both = QuadReadAcrossDiagonal(i) - (i ^ 3);
    result[at + 7] = across | down | both | (QuadReadLaneAt(i, 2) ^ ((i & ~3u) + 2));
}
