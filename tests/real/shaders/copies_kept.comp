// Copies of buffers in several local variables that are indexed, one of them of a buffer that changes.
#version 450
layout(local_size_x = 64) in;
struct Item { uint n; uvec4 a[5]; uint b[6]; };
layout(push_constant) uniform Push { uint n; } p;
layout(set = 0, binding = 0, std430) readonly buffer A { Item items[]; } a;
layout(set = 0, binding = 1, std430) buffer B { uint r[]; } b;
layout(set = 0, binding = 2, std430) buffer C { uint c[64][4]; } c;
uint get(Item m, uint k) { return m.a[k % 5u].y + m.b[k % 6u]; }
void main() {
    uint i = gl_GlobalInvocationID.x, t = i & 63u;
    Item m = a.items[i & 3u];
    uint x = get(m, i);
    for (uint k = 0u; k < p.n; k++) {
        Item other = a.items[(i + k) & 3u];
        x += other.a[(k + t) % 5u].z * (other.n & 15u);
    }
    uint own[4] = c.c[t];
    c.c[t][t & 3u] = own[(t + 1u) & 3u] + 1u;
    b.r[2u * i] = x;
    b.r[2u * i + 1u] = own[t & 3u];
}
