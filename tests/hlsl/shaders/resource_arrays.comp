#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 4) in;
layout(binding = 1000) uniform texture2D images[3];
layout(binding = 1008) uniform utextureBuffer lists[2];
layout(binding = 3000) uniform sampler samplers[2];
layout(binding = 2000, r32f) uniform imageBuffer results[2];
layout(std140, binding = 0) uniform K { uint which, other; };
void main()
{
    int i = int(gl_LocalInvocationIndex);
    vec2 at = (vec2(i, 0) + 0.5) / 4;
    imageStore(results[0], i, vec4(textureLod(sampler2D(images[which], samplers[other]), at + 1, 0).x + texelFetch(lists[other], i).x));
    imageStore(results[1], i, vec4(texelFetch(images[2], ivec2(i, 1), 0).y + texelFetch(images[0], ivec2(i, 0), 0).z + texelFetch(lists[0], i).x));
}
