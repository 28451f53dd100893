TextureCube t : register(t0);
SamplerState s : register(s0);
RWStructuredBuffer<float> b : register(u0);

[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID)
{
    b[id.x] = t.SampleGrad(s, float3(id), float3(id), float3(id)).x;
}
