#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 64) in;
layout(push_constant) uniform arguments { in_f32x2 values; in_f32x2 twiddles; out_f32x2 result; uint n; uint p; };

vec2
rotate(vec2 v, vec2 w)
{
    return vec2(fma(v.x, w.x, -(v.y * w.y)), fma(v.x, w.y, v.y * w.x));
}

void
main()
{
    uint i = GROUP_X * 64 + LID_X, k = i & (p - 1), quarter = n / 4, to = ((i - k) << 2) + k;
    vec2 a = values.at[i], b = rotate(values.at[i + quarter], twiddles.at[k]);
    vec2 c = rotate(values.at[i + 2 * quarter], twiddles.at[p + k]), d = rotate(values.at[i + 3 * quarter], twiddles.at[2 * p + k]);
    vec2 s = a + c, t = a - c, u = b + d, v = vec2(b.y - d.y, d.x - b.x);
    result.at[to] = s + u;
    result.at[to + p] = t + v;
    result.at[to + 2 * p] = s - u;
    result.at[to + 3 * p] = t - v;
}
