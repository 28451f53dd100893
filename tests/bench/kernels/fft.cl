#include "kernels.h"

static inline float2
rotate(float2 v, float2 w)
{
    return (float2)(FMA(v.x, w.x, -(v.y * w.y)), FMA(v.x, w.y, v.y * w.x));
}

KERNEL(64, 1)
fft(const global float2 *restrict in, const global float2 *restrict twiddles, global float2 *restrict out, uint n, uint p)
{
    uint i = GROUP_X * 64 + LID_X, k = i & (p - 1), quarter = n / 4, to = ((i - k) << 2) + k;
    float2 a = in[i], b = rotate(in[i + quarter], twiddles[k]);
    float2 c = rotate(in[i + 2 * quarter], twiddles[p + k]), d = rotate(in[i + 3 * quarter], twiddles[2 * p + k]);
    float2 s = a + c, t = a - c, u = b + d, v = (float2)(b.y - d.y, d.x - b.x);
    out[to] = s + u;
    out[to + p] = t + v;
    out[to + 2 * p] = s - u;
    out[to + 3 * p] = t - v;
}
