#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) readonly restrict buffer words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 1) readonly restrict buffer bytes { uint8_t at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) restrict buffer results { uint at[]; };
layout(push_constant) uniform arguments { words a; bytes b; results r; uint n; };

void
main()
{
    uint i = gl_LocalInvocationID.x, far = i + n;
    // n is 2^32 - 16: the sum wraps.
    r.at[i] = a.at[far + 16u];
    r.at[i + 64] = uint(b.at[far + 16u]);
    // No sum can wrap here: parts of one load, constants behind the address.
    r.at[i + 128] = a.at[(i & 15u) * 4u] + 10u * a.at[(i & 15u) * 4u + 1u] + 100u * a.at[(i & 15u) * 4u + 3u];
    r.at[i + 192] = uint(b.at[i ^ 63u]);
    r.at[i + 256] = uint(b.at[(i >> 1) * 2u + 1u]);
}
