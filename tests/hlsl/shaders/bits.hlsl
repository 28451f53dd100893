StructuredBuffer<uint> from : register(t0);
RWStructuredBuffer<uint> result : register(u0);
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex)
{
    uint u = from[i];
    int n = (int)u;
    uint at = i * 12;
    result[at] = countbits(u);
    result[at + 1] = reversebits(u);
    result[at + 2] = firstbitlow(u);
    result[at + 3] = firstbithigh(u);
    result[at + 4] = (uint)firstbithigh(n);
    result[at + 5] = asuint(f16tof32(u));
    result[at + 6] = f32tof16(asfloat(u & 0x7f7fffff));
    result[at + 7] = asuint(asint(asfloat(u))) ^ ~u;
    result[at + 8] = u << (i + 20) | u >> (i * 5); // shifts take five bits
    result[at + 9] = (uint)(n >> (i & 31));
    uint2 both = reversebits(uint2(u, ~u)) + countbits(uint2(u, 1));
    result[at + 10] = both.x ^ both.y;
    result[at + 11] = (uint)(abs(n) + min(n, 7) + max(n, -9)) + (uint)sign(n);
}
