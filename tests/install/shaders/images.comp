#version 450
#extension GL_EXT_nonuniform_qualifier : require
// The third: combined image samplers, by a constant index, by a uniform one and by one for each lane; a sampler and an image.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 2) uniform sampler2D images[3];
layout(set = 0, binding = 6) uniform sampler only_sampler;
layout(set = 0, binding = 7) uniform texture2D only_image;
layout(push_constant) uniform Push { uint which; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    // Beyond the edge, so that each way to wrap gives another texel.
    vec2 at = vec2(1.0 + (float(i & 15u) + 0.5) / 64.0, 0.25);
    float each = textureLod(images[nonuniformEXT(i % 3u)], at, 0.0).x;
    float known = textureLod(images[1], at, 0.0).x;
    float chosen = textureLod(images[which], at, 0.0).x;
    float both = textureLod(sampler2D(only_image, only_sampler), at, 0.0).x;
    o[i] = uint(each) | uint(known) << 8 | uint(chosen) << 16 | uint(both) << 24;
}
