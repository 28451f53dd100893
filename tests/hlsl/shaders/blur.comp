#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 32) in;
layout(binding = 1000) uniform texture2D from;
layout(binding = 2000, rgba32f) uniform writeonly image2D to;
const float weights[5] = {0.0625, 0.25, 0.375, 0.25, 0.0625};
shared vec4 row[32 + 4];
vec4 at(ivec2 p) { return texelFetch(from, clamp(p, ivec2(0), textureSize(from, 0) - 1), 0); }
void main()
{
    ivec2 t = ivec2(gl_GlobalInvocationID.xy);
    uint i = gl_LocalInvocationIndex;
    row[i + 2] = at(t);
    if (i < 2) {
        row[i] = at(t - ivec2(2, 0));
        row[i + 34] = at(t + ivec2(32, 0));
    }
    barrier();
    vec4 sum = vec4(0);
    for (int k = 0; k < 5; k++)
        sum += weights[k] * row[i + k];
    if (t.x < textureSize(from, 0).x)
        imageStore(to, t, sum);
}
