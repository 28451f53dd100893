#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 1000) readonly buffer F { ivec2 from[]; };
layout(std430, binding = 2000) buffer O { int result[]; };
void main()
{
    uint i = gl_LocalInvocationIndex, at = i * 12;
    int a = from[i].x, b = from[i].y;
    uint u = uint(a), v = uint(b);
    uint q = uint(abs(a)) / uint(abs(b)), r = uint(abs(a)) % uint(abs(b)); // GLSL leaves % of negative numbers undefined
    result[at] = (a < 0) != (b < 0) ? -int(q) : int(q);
    result[at + 1] = a < 0 ? -int(r) : int(r);
    result[at + 2] = int(u / v);
    result[at + 3] = int(u % v);
    result[at + 4] = (a < b ? 1 : 0) + (u < v ? 2 : 0) + (u >= v ? 4 : 0);
    result[at + 5] = a * b;
    result[at + 6] = int(float(a) * 0.5);
    result[at + 7] = int(float(u >> 8));
    result[at + 8] = int(bool(a)) + 2 * int(bool(a & 4));
    result[at + 9] = a != 0 && b != 0 || a == 0 ? ~a : -a;
    result[at + 10] = (a + b + 1) * 2 + (a + 1) - (b + 1);
    a = (a + 1) << 2;
    b ^= a;
    a |= 5;
    result[at + 11] = a - b;
}
