// Images of several kinds: storage of floats and whole numbers, sampled with levels, a texel buffer, atomics.
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D tex;
layout(set = 0, binding = 1) uniform usampler3D volume;
layout(set = 0, binding = 2, rgba8) uniform image2D color;
layout(set = 0, binding = 3, r32ui) uniform uimage2D counts;
layout(set = 0, binding = 4) uniform samplerBuffer texels;
layout(set = 0, binding = 5, rg16f) writeonly uniform image2D velocity;
layout(set = 0, binding = 6) uniform sampler1D ramp;
void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    vec2 uv = (vec2(p) + 0.5) / vec2(imageSize(color));
    vec4 c = textureLod(tex, uv, float(p.x & 3)) + texelFetch(texels, p.x * 16 + p.y);
    c += textureGrad(tex, uv.yx, vec2(0.02, 0.0), vec2(0.0, 0.06)) * textureGather(tex, uv, 1);
    uvec4 v = texelFetch(volume, ivec3(p & 7, p.x & 3), 0);
    c.x += textureLod(ramp, uv.x, 0.0).x;
    imageStore(color, p, c * 0.25 + imageLoad(color, p) * 0.5);
    imageAtomicAdd(counts, p >> 2, (v.x & 7u) + 1u);
    imageStore(velocity, p, vec4(uv * 4.0 - 2.0, 0.0, 0.0));
}
