#version 450
// A pass of Stockham's Fourier transform: pairs of numbers `length / 2` groups apart.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer source { vec2 from[]; };
layout(std430, binding = 1) writeonly buffer target { vec2 to[]; };
layout(push_constant) uniform constants { uint n; uint stride; float direction; float scale; };

void main()
{
    const float pi = 3.14159265358979;
    uint k = gl_GlobalInvocationID.x, half_n = n / 2;
    uint block = k / stride, place = k % stride;
    vec2 a = from[k], b = from[k + half_n];
    float angle = direction * pi * float(block * stride) / float(half_n);
    vec2 turn = vec2(cos(angle), sin(angle)), d = a - b;
    to[2 * block * stride + place] = scale * (a + b);
    to[2 * block * stride + place + stride] = scale * vec2(d.x * turn.x - d.y * turn.y, d.x * turn.y + d.y * turn.x);
}
