#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { double a[]; };
void main()
{
    uint k = gl_LocalInvocationIndex;
    precise double s = a[k] + a[k + 64u], p = a[k] * a[k + 64u];
    a[k] = fma(s, p, a[k]);
    a[k + 64u] = s < p ? double(float(s)) : min(s, p);
}
