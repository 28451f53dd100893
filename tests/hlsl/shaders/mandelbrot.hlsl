cbuffer View : register(b0) { float2 origin; float2 pixel; uint limit; };
RWStructuredBuffer<uint> result : register(u0);
[numthreads(8, 8, 1)] void main(uint3 t : SV_DispatchThreadID)
{
    precise float2 c = origin + t.xy * pixel, z = 0;
    uint n = 0;
    [loop] for (; n < limit; n++) {
        precise float2 s = z * z;
        if (s.x + s.y > 4)
            break;
        z = float2(s.x - s.y, z.x * z.y * 2) + c;
    }
    result[t.y * 16 + t.x] = n;
}
