// One direction of a blur, with the row and its borders in group memory.
Texture2D<float4> from : register(t0);
RWTexture2D<float4> to : register(u0);
static const float weights[5] = {0.0625, 0.25, 0.375, 0.25, 0.0625};
groupshared float4 row[32 + 4];
[numthreads(32, 1, 1)] void main(int3 t : SV_DispatchThreadID, uint i : SV_GroupIndex)
{
    int2 size;
    from.GetDimensions(size.x, size.y);
    row[i + 2] = from[clamp(t.xy, 0, size - 1)];
    if (i < 2) {
        row[i] = from[clamp(int2(t.x - 2, t.y), 0, size - 1)];
        row[i + 34] = from[clamp(int2(t.x + 32, t.y), 0, size - 1)];
    }
    GroupMemoryBarrierWithGroupSync();
    float4 sum = 0;
    [unroll] for (int k = 0; k < 5; k++)
        sum += weights[k] * row[i + k];
    if (t.x < size.x)
        to[t.xy] = sum;
}
