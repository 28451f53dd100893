#version 450
// Sobel's edges of the red channel, from a tile in shared memory.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) readonly uniform image2D from;
layout(binding = 1, r32ui) writeonly uniform uimage2D to;

shared int tile[10][10];

int red(ivec2 at)
{
    return int(round(255 * imageLoad(from, clamp(at, ivec2(0), imageSize(from) - 1)).r));
}

void main()
{
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * 8 - 1, own = ivec2(gl_LocalInvocationID.xy);
    for (uint k = gl_LocalInvocationIndex; k < 100; k += 64)
        tile[k / 10][k % 10] = red(corner + ivec2(k % 10, k / 10));
    barrier();
    int x = 0, y = 0;
    for (int k = 0; k < 3; k++) {
        int weight = k == 1 ? 2 : 1;
        x += weight * (tile[own.y + k][own.x + 2] - tile[own.y + k][own.x]);
        y += weight * (tile[own.y + 2][own.x + k] - tile[own.y][own.x + k]);
    }
    imageStore(to, ivec2(gl_GlobalInvocationID.xy), uvec4(abs(x) + abs(y)));
}
