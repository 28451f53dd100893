static const uint primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
static const float3 directions[2][2] = {{float3(1, 0, 0), float3(0, 1, 0)}, {float3(0, 0, 1), float3(-1, -1, -1)}};
static const struct { uint a; float b; } pairs[3] = {{1, 0.5}, {2, 1.5}, {3, 2.5}};
static uint calls = 0; // of each lane
RWStructuredBuffer<float> result : register(u0);
uint next(uint i)
{
    calls += 2;
    return primes[(i + calls) % 8];
}
[numthreads(16, 1, 1)] void main(uint i : SV_GroupIndex)
{
    uint local_list[4] = {i, i * 2, i * 3, i * 4};
    local_list[i % 4] = 100;
    float3 d = directions[i & 1][(i >> 1) & 1];
    result[i] = next(i) + 100 * next(i + 1) + local_list[(i + 1) % 4] * 10000 + dot(d, float3(1, 2, 3)) + pairs[i % 3].b + pairs[i % 3].a + calls;
}
