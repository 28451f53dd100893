// A structure with arrays that is copied from a buffer in a loop, passed by value and indexed.
#version 450
layout(local_size_x = 64) in;
struct Item { uint n; uvec4 a[5]; uint b[6]; };
layout(push_constant) uniform Push { uint n; } p;
layout(set = 0, binding = 0, std430) readonly buffer A { Item items[]; } a;
layout(set = 0, binding = 1, std430) buffer B { uint r[]; } b;
uint get(Item m, uint k) { return m.a[k % 5u].y + (m.b[k % 6u] ^ m.n); }
void main() {
    uint i = gl_GlobalInvocationID.x, x = 0u;
    for (uint k = 0u; k < p.n; k++) {
        Item m = a.items[(i + k) & 3u];
        if ((m.n & 1u) == 0u)
            x += get(m, i + k);
        x = x * 3u + m.a[(k + x) % 5u].z;
    }
    b.r[i] = x;
}
