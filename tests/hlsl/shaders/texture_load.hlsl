Texture1D<float4> one : register(t0);
Texture2D<uint4> two : register(t1);
Texture3D<float> three : register(t2);
RWStructuredBuffer<float4> result : register(u0);
[numthreads(4, 4, 2)] void main(uint3 t : SV_DispatchThreadID, uint i : SV_GroupIndex)
{
    uint w1, w2, h2, levels, w3, h3, d3;
    one.GetDimensions(w1);
    two.GetDimensions(0, w2, h2, levels);
    three.GetDimensions(w3, h3, d3);
    float4 a = one.Load(int2(t.x % w1, 0));
    uint4 b = two[uint2(t.x, h2 - 1 - t.y)] + two.Load(int3(t.xy, 0));
    float c = three[t] + three.Load(int4(w3 - 1 - t.x, t.y, t.z, 0));
    result[i] = float4(a.x + a.w, b.y + b.z, c, w1 + 10 * w2 + 100 * h2 + 1000 * levels + 10000 * w3 + 100000 * h3 + 1000000 * d3);
}
