// Lookup tables: constant arrays that are indexed, shared copies of them, and a local array.
#version 450
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint ROWS = 2;
layout(constant_id = 2) const bool SIGNED = false;
layout(set = 0, binding = 0, std430) readonly buffer A { uint packed[]; } a;
layout(set = 0, binding = 1, std430) buffer B { float r[]; } b;
const uint grid[32] = uint[](1u, 3u, 5u, 7u, 11u, 13u, 17u, 19u, 23u, 29u, 31u, 37u, 41u, 43u, 47u, 53u, 59u, 61u, 67u,
    71u, 73u, 79u, 83u, 89u, 97u, 101u, 103u, 107u, 109u, 113u, 127u, 131u);
const float levels[8] = float[](-1.0, -0.6962, -0.5251, -0.3949, 0.0796, 0.1609, 0.4407, 1.0);
shared uint copy[32];
void main() {
    uint t = gl_LocalInvocationIndex, i = gl_GlobalInvocationID.x;
    for (uint k = t; k < 32u; k += gl_WorkGroupSize.x)
        copy[k] = grid[k];
    barrier();
    float sums[4] = float[](0.0, 0.0, 0.0, 0.0);
    for (uint row = 0u; row < ROWS; row++) {
        uint q = a.packed[i * ROWS + row];
        for (uint k = 0u; k < 4u; k++) {
            float x = levels[(q >> (3u * k)) & 7u] * float(copy[(q + k) & 31u]);
            if (SIGNED && (q & (1u << k)) != 0u)
                x = -x;
            sums[(q >> k) & 3u] += x;
        }
    }
    for (uint k = 0u; k < 4u; k++)
        b.r[4u * i + k] = sums[k] + float(grid[(i + k) & 31u]);
}
