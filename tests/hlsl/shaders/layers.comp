#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 1000) uniform texture1DArray lines;
layout(binding = 1001) uniform texture2DArray layers;
layout(binding = 1002) uniform textureCube cube;
layout(binding = 1003) uniform textureCubeArray cubes;
layout(binding = 1004) uniform texture2DMS samples;
layout(binding = 2000, rgba32f) uniform image2DArray written;
layout(binding = 2001, r32ui) uniform uimage1DArray counts;
layout(binding = 3000) uniform sampler s;
void main()
{
    ivec3 t = ivec3(gl_GlobalInvocationID);
    int n = textureSize(layers, 0).z;
    vec4 sum = texelFetch(lines, t.xz, 0) + texelFetch(layers, t, 0) + texelFetch(samples, t.xy, 2);
    sum += textureLod(sampler2DArray(layers, s), vec3(sum.xy, t.z), 1) + textureLod(samplerCube(cube, s), sum.xyz, 0) +
        textureLod(samplerCubeArray(cubes, s), vec4(sum.xyz, t.z), 0);
    sum += textureGather(sampler2DArray(layers, s), vec3(sum.xy, 2)) + textureLod(sampler1DArray(lines, s), vec2(sum.x, 3), 0);
    uint old = imageAtomicAdd(counts, t.xz, uint(n));
    imageStore(written, t, sum * old);
}
