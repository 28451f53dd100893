#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 2000) buffer O { float result[]; };
layout(std140, binding = 0) uniform K { vec4 v; uint which; };
void main()
{
    uint n = 0;
    vec4 a = v;
    a.zx = v.yw;
    vec4 b = v.xxyy + a.wzyx;
    vec3 c = vec3(2);
    c.yz += v.zw;
    vec4 d = vec4(v.xy, c.yz).abgr;
    d[which] = 100;
    float e = v[which] + d[3 - which];
    float list[24] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, d.x, d.y, d.z, d.w, e, a.x, a.y, 3, a.x, v.z, v.z * 2, v.y, 3};
    for (; n < 24; n++)
        result[n] = list[n];
}
