// Neighbouring byte stores, which are merged; vectors of bytes.
#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer In { uint data[]; } src;
layout(set = 0, binding = 1, std430) buffer Out { uint8_t b[]; } dst;
layout(set = 0, binding = 2, std430) buffer Out2 { u8vec2 b[]; } dst2;
layout(set = 0, binding = 3, std430) buffer Out3 { u8vec4 b[]; } dst4;
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint v = src.data[i];
    dst.b[2 * i] = uint8_t(v);
    dst.b[2 * i + 1] = uint8_t(v >> 3);
    dst2.b[i] = u8vec2(uint8_t(v * 3u), uint8_t(v + 7u));
    dst4.b[i].xyz = u8vec3(uint8_t(v), uint8_t(v * 5u), uint8_t(~v));
}
