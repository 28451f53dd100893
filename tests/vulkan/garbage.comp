#version 450
#extension GL_EXT_buffer_reference : require
// Uses a buffer, an image and an address, any of which may be garbage (garbage.c).
layout(local_size_x = 64) in;
layout(buffer_reference, std430) buffer place { uint value; };
layout(std430, binding = 0) buffer numbers { uint n[]; };
layout(binding = 1, rgba8) uniform image2D picture;
layout(push_constant) uniform constants { uint first, second, uses, unused; place at; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    n[i & 63] += first + second;
    if ((uses & 1) != 0)
        n[i & 63] += at.value;
    if ((uses & 2) != 0)
        at.value = i;
    if ((uses & 4) != 0)
        atomicAdd(at.value, 1);
    imageStore(picture, ivec2(i & 15, i >> 6), imageLoad(picture, ivec2(i >> 6, i & 15)));
}
