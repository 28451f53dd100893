// Arrays, cubes and multisampled textures. Amber's images have none of these: the code is compared, and not run.
Texture1DArray<float4> lines : register(t0);
Texture2DArray<float4> layers : register(t1);
TextureCube<float4> cube : register(t2);
TextureCubeArray<float4> cubes : register(t3);
Texture2DMS<float4> samples : register(t4);
RWTexture2DArray<float4> written : register(u0);
RWTexture1DArray<uint> counts : register(u1);
SamplerState s : register(s0);
[numthreads(8, 8, 1)] void main(uint3 t : SV_DispatchThreadID)
{
    uint w, h, n;
    layers.GetDimensions(w, h, n);
    float4 sum = lines.Load(int3(t.xz, 0)) + layers.Load(int4(t, 0)) + samples.Load(t.xy, 2);
    sum += layers.SampleLevel(s, float3(sum.xy, t.z), 1) + cube.SampleLevel(s, sum.xyz, 0) + cubes.SampleLevel(s, float4(sum.xyz, t.z), 0);
    sum += layers.Gather(s, float3(sum.xy, 2)) + lines.SampleLevel(s, float2(sum.x, 3), 0);
    uint old;
    InterlockedAdd(counts[t.xz], n, old);
    written[t] = sum * old;
}
