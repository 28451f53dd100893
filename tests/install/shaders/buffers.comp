#version 450
// The first of three shaders that share set 0: buffers, an inline uniform block, push constants, scratch memory.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 1) uniform Scale { uint scale; };
layout(set = 0, binding = 3) uniform Inline { uvec4 a; uvec4 b; };
layout(set = 1, binding = 0) buffer In { uint v[]; } parts[4];
layout(push_constant) uniform Push { uint part; uint add; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    uint local[200]; // too long for registers
    for (uint k = 0; k < 200; k++)
        local[k] = parts[part].v[i] * scale + k * a.y;
    o[i] = local[(i * 13u + b.z) % 200u] + add;
}
