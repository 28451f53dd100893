cbuffer C : register(b0) { uint k; };
StructuredBuffer<uint> I : register(t0);
Texture2D<float4> T : register(t1);
SamplerState S : register(s0);
RWStructuredBuffer<uint> O : register(u0);
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    O[id.x] = I[id.x] + k + uint(T.SampleLevel(S, float2(id.xy), 0).x);
}
