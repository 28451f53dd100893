RWStructuredBuffer<float> result : register(u0);
cbuffer K : register(b0) { float4 v; uint which; };
[numthreads(1, 1, 1)] void main()
{
    uint n = 0;
    float4 a = v;
    a.zx = v.yw;            // writes in the order of the swizzle
    float4 b = v.xxyy + a.wzyx;
    float s = 2;
    float3 c = s.xxx;       // of a scalar
    c.yz += v.zw;
    float4 d = float4(v.xy, c.yz).abgr;
    d[which] = 100;
    float e = v[which] + d[3 - which];
    float2 f = (float2)a;   // truncates
    float4 g = 3;
    g.w = f.x;
    float list[24] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, d.x, d.y, d.z, d.w, e, f.x, f.y, g.x, g.w, v.rgb.b, (v.xyz * 2).zyx.x,
        v.yyyy.w, float3(1, 2, 3).zyx.x};
    for (; n < 24; n++)
        result[n] = list[n];
}
