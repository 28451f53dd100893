#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 4, local_size_y = 4, local_size_z = 2) in;
layout(binding = 1000) uniform texture1D one;
layout(binding = 1001) uniform utexture2D two;
layout(binding = 1002) uniform texture3D three;
layout(std430, binding = 2000) buffer O { vec4 result[]; };
void main()
{
    ivec3 t = ivec3(gl_GlobalInvocationID);
    int w1 = textureSize(one, 0);
    ivec2 s2 = textureSize(two, 0);
    ivec3 s3 = textureSize(three, 0);
    vec4 a = texelFetch(one, t.x % w1, 0);
    uvec4 b = texelFetch(two, ivec2(t.x, s2.y - 1 - t.y), 0) + texelFetch(two, t.xy, 0);
    float c = texelFetch(three, t, 0).x + texelFetch(three, ivec3(s3.x - 1 - t.x, t.yz), 0).x;
    int sizes = w1 + 10 * s2.x + 100 * s2.y + 1000 * textureQueryLevels(two) + 10000 * s3.x + 100000 * s3.y + 1000000 * s3.z;
    result[gl_LocalInvocationIndex] = vec4(a.x + a.w, b.y + b.z, c, sizes);
}
