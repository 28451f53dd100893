#include "tone_map.hlsli"
Texture2D<float4> scene : register(t0);
RWTexture2D<unorm float4> screen : register(u0);
cbuffer Settings : register(b0) { float exposure; bool invert; };
[numthreads(8, 4, 1)] void main(uint2 t : SV_DispatchThreadID)
{
    float3 color = scene[t].rgb * exposure;
    color = curve(color);
    if (invert)
        color = 1 - color;
#if CHANNEL == 1
    color = color.gbr;
#endif
    screen[t] = float4(color, 1);
}
