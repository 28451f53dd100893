// min16 types are at least 16 bits; half is float. Values that either width holds.
StructuredBuffer<int> from : register(t0);
RWStructuredBuffer<float> result : register(u0);
[numthreads(16, 1, 1)] void main(uint i : SV_GroupIndex)
{
    min16float h = (min16float)from[i] * (min16float)0.25;
    min16int n = (min16int)from[i];
    min16uint u = (min16uint)abs(from[i]);
    half2 pair = half2(from[i], 2);
    min16float3 v = min16float3(h, 1, 2) * h;
    result[i * 6] = h;
    result[i * 6 + 1] = n * 2 - 1;
    result[i * 6 + 2] = u / 3;
    result[i * 6 + 3] = pair.x * pair.y;
    result[i * 6 + 4] = v.x + v.z;
    result[i * 6 + 5] = f16tof32(f32tof16((float)h));
}
