#version 450
// Halves an image's level: the mean of four pixels.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) readonly uniform image2D from;
layout(binding = 1, rgba8) writeonly uniform image2D to;

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(to))))
        return;
    vec4 sum = vec4(0);
    for (int k = 0; k < 4; k++)
        sum += imageLoad(from, 2 * at + ivec2(k & 1, k >> 1));
    imageStore(to, at, sum / 4);
}
