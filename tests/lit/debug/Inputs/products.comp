#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer B { uint a[]; } b;
layout(set = 0, binding = 1) buffer C { uint f[4]; } c;
void main() {
    uint i = gl_LocalInvocationID.x;
    uint x = c.f[0] * c.f[1];
    uint y = b.a[i] * c.f[2];
    uint z = (b.a[i] ^ x) * c.f[3];
    b.a[i] = x + y + z;
}
