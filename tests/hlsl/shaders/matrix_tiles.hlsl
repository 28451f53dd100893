// A product of matrices by tiles of 8 in group memory.
cbuffer Size : register(b0) { uint n; };
StructuredBuffer<float> a : register(t0);
StructuredBuffer<float> b : register(t1);
RWStructuredBuffer<float> c : register(u0);
#define TILE 8
groupshared float tile_a[TILE][TILE + 1], tile_b[TILE][TILE + 1];
[numthreads(TILE, TILE, 1)] void main(uint3 t : SV_DispatchThreadID, uint3 l : SV_GroupThreadID)
{
    float sum = 0;
    for (uint k = 0; k < n; k += TILE) {
        tile_a[l.y][l.x] = a[t.y * n + k + l.x];
        tile_b[l.y][l.x] = b[(k + l.y) * n + t.x];
        GroupMemoryBarrierWithGroupSync();
        [unroll(TILE)] for (uint i = 0; i < TILE; i++)
            sum = mad(tile_a[l.y][i], tile_b[i][l.x], sum);
        GroupMemoryBarrierWithGroupSync();
    }
    c[t.y * n + t.x] = sum;
}
