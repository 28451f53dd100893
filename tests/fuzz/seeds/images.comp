#version 460
#extension GL_EXT_samplerless_texture_functions : enable
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler3D volume;
layout(binding = 1) uniform samplerCubeArray sky;
layout(binding = 2) uniform sampler2DArrayShadow shadows;
layout(binding = 3) uniform texture2DMS samples;
layout(binding = 4) uniform utextureBuffer texels;
layout(binding = 5) uniform isampler1D line;
layout(binding = 6, rg16f) uniform image2DArray layers;
layout(binding = 7, r32i) uniform writeonly iimageBuffer results;
layout(binding = 8) uniform texture2D pictures[4];
layout(binding = 9) uniform sampler plain;

void
main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    vec3 where = vec3(at, 1) / 16.0;
    vec4 sum = textureLod(volume, where, 1.5) + textureLod(sky, vec4(where, 2), 1.0) + textureGrad(volume, where, where.yzx, where.zxy);
    sum += textureLodOffset(sampler2D(pictures[at.x & 3], plain), where.xy, 0.0, ivec2(1, -2));
    sum += textureGather(sampler2D(pictures[2], plain), where.yx, 1) + texelFetch(samples, at, 3);
    sum.x += textureGradOffset(shadows, vec4(where, 0.5), where.xy, where.yx, ivec2(2, 3));
    sum.y += float(texelFetch(texels, at.x).z) + float(texelFetchOffset(line, at.y, 0, 1).x);
    sum.z += float(textureSize(sky, 1).z + textureQueryLevels(volume) + textureSize(samples).x);
    sum.w += float(imageSize(layers).z);
    imageStore(layers, ivec3(at, 1), sum + imageLoad(layers, ivec3(at.yx, 0)));
    imageStore(results, at.x, ivec4(sum));
}
