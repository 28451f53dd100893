cbuffer K : register(b0) { float3 a; float3 b; float4 p; float4 q; };
RWStructuredBuffer<float> result : register(u0);
[numthreads(1, 1, 1)] void main()
{
    uint n = 0;
    float3 x = cross(a, b), r = reflect(a, normalize(b)), f = refract(normalize(a), normalize(b), 0.5f), ff = faceforward(a, b, a);
    result[n++] = dot(a, b);
    result[n++] = x.x;
    result[n++] = x.y;
    result[n++] = length(a);
    result[n++] = distance(a, b);
    result[n++] = normalize(b).y;
    result[n++] = r.z;
    result[n++] = f.x;
    result[n++] = ff.y;
    float4 d = dst(p, q), l = lit(0.5f, 0.25f, 1), m = lit(-0.5f, 0.25f, 1);
    result[n++] = d.x;
    result[n++] = d.y;
    result[n++] = d.z;
    result[n++] = d.w;
    result[n++] = l.x;
    result[n++] = l.y;
    result[n++] = l.z;
    result[n++] = l.w;
    result[n++] = m.y;
    result[n++] = m.z;
    result[n++] = any(a > 2) ? 1 : 0;
    result[n++] = all(a > 2) ? 1 : 0;
    float3 chosen = a > b ? a : b; // by component
    result[n++] = chosen.x;
    result[n++] = chosen.y;
    bool3 both = a > 1 && b > 1;   // by component
    result[n++] = both.x ? 1 : 0;
    result[n++] = both.z ? 1 : 0;
}
