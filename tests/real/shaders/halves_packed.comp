// Packed 16-bit operations: swizzles, halves of different vectors, negations, constants, integers with
// shifts, selections, logic, saturation, and accumulators of a loop.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer A { f16vec4 h[]; } a;
layout(set = 0, binding = 1, std430) readonly buffer B { i16vec4 s[]; } b;
layout(set = 0, binding = 2, std430) readonly buffer C { u16vec2 u[]; } c;
layout(set = 0, binding = 3, std430) buffer D { f16vec4 r[]; } d;
layout(set = 0, binding = 4, std430) buffer E { i16vec4 r[]; } e;
layout(set = 0, binding = 5, std430) buffer F { u16vec2 r[]; } f;

f16vec4 swizzles(f16vec4 x, f16vec4 y) {
    precise f16vec4 t = x.wzyx * y.xxzz + y.yxwz;
    t = fma(-t.yxwz, x, t.zwxy);
    t += f16vec4(x.x, y.y, x.z, y.w) * float16_t(0.75);
    t = max(t, -abs(y)) - f16vec4(1.0hf, 2.5hf, -3.0hf, 0.0hf);
    precise f16vec4 r = clamp(t * float16_t(0.125), f16vec4(0.0hf), f16vec4(1.0hf)) + min(x, y.wxyz);
    return r;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    f16vec4 x = a.h[i], y = a.h[i ^ 5u];
    d.r[4u * i] = swizzles(x, y);
    precise f16vec4 acc = f16vec4(0.0hf);
    f16vec3 peak = f16vec3(-1.0hf);
    for (uint k = 0u; k < 5u + (i & 3u); k++) {
        f16vec4 v = a.h[(i + k) & 127u];
        acc += v * x.x + v.yxwz * x.y;
        peak = max(peak, v.xyz);
        if ((k & 1u) != 0u)
            acc = acc.yzwx - f16vec4(0.5hf, 0.25hf, 0.25hf, 0.5hf);
    }
    d.r[4u * i + 1u] = acc;
    d.r[4u * i + 2u] = f16vec4(peak, x.w > y.w ? x.y : -y.x);
    d.r[4u * i + 3u] = mix(x, y, lessThan(x, y));

    i16vec4 s = b.s[i], t = b.s[i ^ 3u];
    i16vec4 q = s * t.yxwz + i16vec4(7s, -300s, 1000s, -1s);
    q = min(max(q >> 3s, t.xxyy), i16vec4(1000s, 1000s, 32767s, -5s)) << i16vec4(1s, 2s, 3s, 17s & 15s);
    e.r[2u * i] = (q ^ s.wzyx) & ~(t | i16vec4(16s)) ;
    e.r[2u * i + 1u] = -(q - t) + (i % 3u == 0u ? s : t.yxwz);
    u16vec2 u = c.u[i], w = c.u[i + 1u];
    u16vec2 z = (u >> (w & 15us)) + max(u.yx, w) - min(u, w.yy) * u16vec2(3us, 5us);
    f.r[i] = z + u16vec2(z.y, u.x);
}
