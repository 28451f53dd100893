#version 450
// The grid of the sort, from the number of keys in memory.
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer sizes { uint keys; uint unused; uvec3 grid; };

void main()
{
    grid = uvec3((keys + 255) / 256, 1, 1);
}
