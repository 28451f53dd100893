#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 1000) uniform texture2D image;
layout(std430, binding = 2000) buffer B { uint bins[]; };
shared uint local_bins[64];
void main()
{
    uint i = gl_LocalInvocationIndex;
    ivec2 t = ivec2(gl_GlobalInvocationID.xy);
    local_bins[i] = 0;
    barrier();
    if (all(lessThan(t, textureSize(image, 0)))) {
        float luma = dot(texelFetch(image, t, 0).rgb, vec3(0.25, 0.5, 0.25));
        atomicAdd(local_bins[min(uint(luma * 64), 63u)], 1);
    }
    barrier();
    if (local_bins[i] != 0)
        atomicAdd(bins[i], local_bins[i]);
}
