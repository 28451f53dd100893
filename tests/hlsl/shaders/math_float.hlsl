StructuredBuffer<float2> from : register(t0);
RWStructuredBuffer<float> result : register(u0);
[numthreads(16, 1, 1)] void main(uint i : SV_GroupIndex)
{
    float x = from[i].x, y = from[i].y;
    uint at = i * 20;
    float values[20] = {mad(x, y, 1.0f), rcp(y), saturate(x), lerp(x, y, 0.25f), clamp(x, -1, 1), step(x, y), smoothstep(-2, 2, x), sign(x),
        frac(x), trunc(x), floor(x), ceil(x), abs(x), min(x, y), max(x, y), fmod(x, y), round(x), x / y, degrees(x), sqrt(abs(x))};
    for (uint k = 0; k < 20; k++)
        result[at + k] = values[k];
}
