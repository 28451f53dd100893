#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 64) in;
layout(binding = 1000) uniform textureBuffer colors;
layout(binding = 1001) uniform utextureBuffer counts;
layout(binding = 2000, r32ui) uniform uimageBuffer sums;
layout(binding = 2001, rgba32f) uniform imageBuffer mixed;
void main()
{
    int t = int(gl_GlobalInvocationID.x), n = textureSize(colors);
    if (t < n) {
        imageStore(mixed, t, texelFetch(colors, t).bgra + texelFetch(colors, n - 1 - t));
        uint count = texelFetch(counts, t).x;
        imageAtomicAdd(sums, t & 3, count);
        imageAtomicMax(sums, 4, count);
    }
}
