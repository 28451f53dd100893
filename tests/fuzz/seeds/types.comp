#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_shader_8bit_storage : enable
#extension GL_EXT_shader_16bit_storage : enable
layout(local_size_x = 64) in;
layout(binding = 0) buffer Bytes { int8_t b[]; };
layout(binding = 1) buffer Shorts { u16vec4 s[]; };
layout(binding = 2) buffer Words { uint w[]; };
layout(binding = 3) buffer Longs { int64_t l[]; };
layout(binding = 4) buffer Halves { f16vec2 h[]; };
layout(binding = 5) buffer Doubles { dvec2 d[]; };

void
main()
{
    uint id = gl_GlobalInvocationID.x, carry, high, low;
    int exponent;
    u16vec4 v = s[id] * uint16_t(3) + s[id].wzyx;
    v.y = min(v.x, uint16_t(b[id])) >> uint16_t(2);
    b[id] = int8_t(b[id] / int8_t(3)) - int8_t(v.z);
    s[id] = v;
    low = uaddCarry(w[id], w[id + 1u], carry);
    umulExtended(low, w[id], high, low);
    w[id] = bitfieldInsert(low, high, 3, 9) ^ uint(findMSB(carry)) ^ bitfieldReverse(high);
    int64_t q = l[id] / int64_t(int(low) | 1) - (l[id] % 1000L << (high & 63u));
    l[id] = max(q, l[id + 1u]) ^ int64_t(packInt2x32(ivec2(int(low), 7)));
    f16vec2 half_sum = fma(h[id], h[id + 1u], f16vec2(0.5));
    h[id] = clamp(half_sum, f16vec2(-2.0), f16vec2(w[id] & 7u));
    double x = d[id].x / 3.0LF + double(half_sum.x), part = frexp(float(x), exponent);
    d[id] = dvec2(ldexp(float(part), exponent + 1), sqrt(abs(x)) - floor(x));
}
