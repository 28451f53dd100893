// 16-bit integers and floats in storage, arithmetic on both, conversions.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer A { i16vec4 s[]; } a;
layout(set = 0, binding = 1, std430) buffer B { f16vec3 h[]; } b;
layout(set = 0, binding = 2, std430) buffer C { uint16_t u[]; } c;
layout(set = 0, binding = 3, std430) buffer D { vec4 f[]; } d;
void main() {
    uint i = gl_GlobalInvocationID.x;
    i16vec4 x = a.s[i], y = a.s[i + 1u];
    f16vec3 h = b.h[i] * float16_t(0.5) + b.h[(i * 7u) & 255u];
    d.f[i] = vec4(vec3(h), float(x.x));
    c.u[3u * i] = uint16_t(x.y) * uint16_t(3u);
    c.u[3u * i + 1u] = uint16_t(max(x.z, y.w));
    c.u[3u * i + 2u] = uint16_t(dot(vec3(h), vec3(1.0)) > 1.0 ? 7u : 9u);
    a.s[1024u + i] = min(x + y, i16vec4(100s)) << i16vec4(1s);
}
