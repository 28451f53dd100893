Texture2D<float> depth : register(t0);
SamplerComparisonState less : register(s0);
RWStructuredBuffer<float> result : register(u0);
[numthreads(8, 8, 1)] void main(uint3 t : SV_DispatchThreadID)
{
    result[t.y * 8 + t.x] = depth.SampleCmpLevelZero(less, (t.xy + 0.5) / 8, 0.5);
}
