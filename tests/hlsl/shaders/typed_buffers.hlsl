Buffer<float4> colors : register(t0);
Buffer<uint> counts : register(t1);
RWBuffer<uint> sums : register(u0);
RWBuffer<float4> mixed : register(u1);
[numthreads(64, 1, 1)] void main(uint3 t : SV_DispatchThreadID)
{
    uint n;
    colors.GetDimensions(n);
    if (t.x < n) {
        mixed[t.x] = colors[t.x].bgra + colors.Load(n - 1 - t.x);
        uint old;
        InterlockedAdd(sums[t.x & 3], counts[t.x], old);
        InterlockedMax(sums[4], counts.Load(t.x));
    }
}
