#version 450
layout(local_size_x = 8) in;
layout(binding = 1000) uniform texture2D image;
layout(binding = 3000) uniform sampler edge;
layout(std430, binding = 2000) buffer O { vec4 result[]; };
void main()
{
    uint t = gl_GlobalInvocationID.x;
    vec2 at = (vec2(t, 4) + 1.0) / 8;
    result[t] = textureGather(sampler2D(image, edge), at, 0);
    result[8 + t] = textureGatherOffset(sampler2D(image, edge), at, ivec2(-1, 1), 0);
    for (int c = 1; c < 4; c++)
        result[8 + 8 * c + t] = c == 1 ? textureGather(sampler2D(image, edge), at, 1) :
            c == 2 ? textureGather(sampler2D(image, edge), at, 2) : textureGather(sampler2D(image, edge), at, 3);
}
