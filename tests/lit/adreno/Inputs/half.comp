#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer A { float16_t a[]; };

void
main()
{
    uint i = gl_GlobalInvocationID.x;
    a[i] = a[i] * a[i + 64] * float16_t(0.3);
}
