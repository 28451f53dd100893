#version 450
#define TILE 8
layout(local_size_x = TILE, local_size_y = TILE) in;
layout(std140, binding = 0) uniform Size { uint n; };
layout(std430, binding = 1000) readonly buffer A { float a[]; };
layout(std430, binding = 1001) readonly buffer B { float b[]; };
layout(std430, binding = 2000) buffer C { float c[]; };
shared float tile_a[TILE][TILE + 1], tile_b[TILE][TILE + 1];
void main()
{
    uvec2 t = gl_GlobalInvocationID.xy, l = gl_LocalInvocationID.xy;
    float sum = 0;
    for (uint k = 0; k < n; k += TILE) {
        tile_a[l.y][l.x] = a[t.y * n + k + l.x];
        tile_b[l.y][l.x] = b[(k + l.y) * n + t.x];
        barrier();
        for (uint i = 0; i < TILE; i++)
            sum += tile_a[l.y][i] * tile_b[i][l.x];
        barrier();
    }
    c[t.y * n + t.x] = sum;
}
