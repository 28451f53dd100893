#version 450
// Stores to elements of an array of buffers, known and computed, and loads of the same and of other places.
layout(local_size_x = 32) in;
layout(push_constant) uniform P { uint s, t; };
layout(set = 0, binding = 0) buffer D { uint a[512]; uvec4 v[32]; } d[4];
layout(set = 0, binding = 1) coherent buffer X { uint a[512]; uvec4 v[32]; } x[2];

void main()
{
    uint id = gl_LocalInvocationIndex, at = id * 16u, p = at + (t & 7u), k = s & 3u, n = (s + 1u) & 3u;
    uint g = id;
    d[0].v[id] = uvec4(g, 1u, 2u, 3u);
    d[k].v[id].y = d[1].v[id].x; // may be d[0]
    g = g * 3u + d[0].v[id].y;
    d[0].v[id].zw = d[2].v[id].xy;
    g = g * 3u + d[0].v[id].w;
    d[1].a[p] = g;
    d[1].a[p + 1u] = 5u;
    d[n].a[p + 1u] = 7u; // may be d[1]
    g = g * 3u + d[1].a[p] + d[1].a[p + 1u];
    d[k].a[at + 2u] = d[3].a[at + 2u];
    d[3].a[at + 2u] = 9u;
    g = g * 3u + d[k].a[at + 2u]; // may be d[3]
    d[2].a[at + 8u] = g;
    g += atomicAdd(d[k].a[at + 8u], 3u);
    d[2].a[at + 8u] += d[2].a[at + 9u];
    x[0].a[at] = g;
    x[s & 1u].a[at + 1u] = 11u;
    x[1].a[at + 1u] = x[0].a[at + 1u];
    g = g * 3u + x[s & 1u].a[at + 1u];
    for (uint i = 0u; i < (t & 3u); i++) {
        g = g * 3u + d[0].a[at + 3u];
        d[k].a[at + 3u + i] = g;
        d[n].v[id] = d[0].v[id].wxyz;
    }
    if ((g & 1u) != 0u)
        d[n].a[at + 3u] = d[0].a[at + 3u] + d[1].v[id].y;
    g = g * 3u + d[0].a[at + 3u] + d[1].v[id].z;
    d[3].v[id].xy = uvec2(g);
    d[3].v[id].yz = uvec2(g, 13u);
}
