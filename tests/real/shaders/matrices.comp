// Matrices in all layouts: columns and rows, std140 and std430, arrays of them, products and inverses.
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, std140) uniform U { mat4 view; layout(row_major) mat3 turn; mat2x3 parts[4]; } u;
layout(set = 0, binding = 1, std430) readonly buffer A { vec4 p[]; } a;
layout(set = 0, binding = 2, std430) buffer B { layout(row_major) mat3x4 m[]; } b;
layout(set = 0, binding = 3, std430) buffer C { vec4 q[]; } c;
layout(push_constant) uniform Push { mat4 model; uint count; } push;
void main() {
    uint i = gl_GlobalInvocationID.y * 64u + gl_GlobalInvocationID.x;
    vec4 p = push.model * (u.view * a.p[i]);
    vec3 n = u.turn * p.xyz;
    for (uint k = 0u; k < push.count; k++)
        n += u.parts[k & 3u] * p.xy * 0.125;
    b.m[i] = mat3x4(transpose(u.view) * p, vec4(n, 1.0), vec4(p.wzy, determinant(u.turn)));
    c.q[i] = b.m[i] * n + inverse(u.view) * p;
}
