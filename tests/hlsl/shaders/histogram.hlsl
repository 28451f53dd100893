Texture2D<float4> image : register(t0);
RWByteAddressBuffer bins : register(u0);
groupshared uint local_bins[64];
[numthreads(8, 8, 1)] void main(uint3 t : SV_DispatchThreadID, uint i : SV_GroupIndex)
{
    uint width, height;
    image.GetDimensions(width, height);
    local_bins[i] = 0;
    GroupMemoryBarrierWithGroupSync();
    if (all(t.xy < uint2(width, height))) {
        float luma = dot(image[t.xy].rgb, float3(0.25, 0.5, 0.25));
        InterlockedAdd(local_bins[min((uint)(luma * 64), 63u)], 1);
    }
    GroupMemoryBarrierWithGroupSync();
    if (local_bins[i])
        bins.InterlockedAdd(i * 4, local_bins[i]);
}
