#version 450
// Push constants of 8 and 16 bits, which are parts of dwords: of arguments.
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(push_constant) uniform P {
    uint16_t a;
    f16vec3 b;
    int8_t c;
    u8vec3 d;
    uint e;
    i16vec4 f;
    uint8_t g[8];
}
p;
layout(std430, binding = 0) buffer B { uint o[]; };

void
main()
{
    uint i = gl_LocalInvocationIndex;
    o[i * 8] = uint(p.a) + i;
    o[i * 8 + 1] = uint(p.b.x < p.b.y) + uint(p.b.z > float16_t(0.5)) * 2;
    o[i * 8 + 2] = uint(int(p.c));
    o[i * 8 + 3] = uint(p.d.x) | uint(p.d.y) << 8 | uint(p.d.z) << 16;
    o[i * 8 + 4] = p.e;
    o[i * 8 + 5] = uint(int(p.f.x) * int(p.f.y) - int(p.f.z) + int(p.f.w));
    o[i * 8 + 6] = uint(p.g[3]) + uint(p.g[5]);
    o[i * 8 + 7] = uint(p.g[0]);
}
