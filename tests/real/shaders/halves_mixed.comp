// 16-bit floats beside 32-bit ones: conversions into products and sums, sums rounded to 16 bits, single
// components of packed results, medians, and packing and unpacking.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer A { f16vec4 h[]; } a;
layout(set = 0, binding = 1, std430) readonly buffer B { vec4 f[]; } b;
layout(set = 0, binding = 2, std430) buffer C { vec4 f[]; } c;
layout(set = 0, binding = 3, std430) buffer D { f16vec4 h[]; } d;
layout(set = 0, binding = 4, std430) buffer E { uint u[]; } e;
layout(set = 0, binding = 5, std430) buffer F { float16_t h[]; } f;
shared f16vec2 tile[64];
shared float16_t row[64];

void main() {
    uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
    f16vec4 h = a.h[i], g = a.h[i ^ 1u];
    vec4 x = b.f[i];
    c.f[3u * i] = fma(vec4(h), x, vec4(g));
    c.f[3u * i + 1u] = vec4(h) * x.yzwx + x - vec4(-g.y);
    c.f[3u * i + 2u] = vec4(float(h.x) * float(h.y), float(h.z) + x.x, abs(float(g.w)) * x.y, dot(vec4(h), vec4(g)));
    d.h[3u * i] = f16vec4(fma(vec4(h), x, vec4(0.5)));
    d.h[3u * i + 1u] = f16vec4(x * 0.25 + vec4(g.wzyx)) * h;
    f16vec2 p = h.xy * g.zw;
    float16_t low = min(max(p.y, float16_t(-1.0)), float16_t(2.0)), most = max(max(h.x, p.x), g.y);
    float16_t q = sqrt(abs(p.y)) + float16_t(1.0) / (abs(h.w) + float16_t(1.0));
    d.h[3u * i + 2u] = f16vec4(low, most, q, floor(p.y) + min(min(h.y, h.z), g.z));
    e.u[i] = packFloat2x16(p) ^ packFloat2x16(f16vec2(low, q)) ^ (float16BitsToUint16(h.w) << 3);
    f16vec2 v = unpackFloat2x16(e.u[i + 64u]) * h.yx;
    tile[l] = v + p.yx;
    row[l] = v.y;
    barrier();
    f16vec2 n = tile[l ^ 1u] + f16vec2(row[(l + 1u) & 63u], row[l ^ 2u]);
    f.h[3u * i] = n.y;
    f.h[3u * i + 1u] = n.x * n.y;
    f.h[3u * i + 2u] = i % 2u == 0u ? n.y : v.x;
}
