#version 450
// Samples between pixels and levels: each row at its own level of detail.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D from;
layout(binding = 1, rgba32f) writeonly uniform image2D to;
layout(push_constant) uniform constants { float levels; };

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(to);
    if (any(greaterThanEqual(at, size)))
        return;
    vec2 place = (vec2(at) + 0.25) / vec2(size);
    imageStore(to, at, textureLod(from, place, levels * float(at.y) / float(size.y)));
}
