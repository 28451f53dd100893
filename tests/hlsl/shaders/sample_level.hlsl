Texture2D<float4> image : register(t0);
Texture3D<float> volume : register(t1);
SamplerState points : register(s0);
SamplerState smooth_clamp : register(s1);
RWStructuredBuffer<float4> result : register(u0);
[numthreads(8, 1, 1)] void main(uint3 t : SV_DispatchThreadID)
{
    float2 at = (float2(t.x, 3) + 0.5) / 8;
    result[t.x] = image.SampleLevel(points, at, 0);
    result[8 + t.x] = image.SampleLevel(smooth_clamp, (float2(t.x, 2) + 1.0) / 8, 0);
    result[16 + t.x] = image.SampleLevel(points, at + 1, 0, int2(1, -1));
    result[24 + t.x] = image.SampleGrad(points, at, 0.01, 0.01);
    result[32 + t.x] = volume.SampleLevel(points, float3(at, 0.75), 0);
}
