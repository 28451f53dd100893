// Dense and sparse switches, whose search leaves out tests that the ones before decide.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer A { uint v[]; } a;
layout(set = 0, binding = 1, std430) buffer B { uint r[]; } b;
uint dense(uint x) {
    switch (x) {
    case 0u: return 5u;
    case 1u: return x * 3u;
    case 2u: return 7u;
    case 3u: return x ^ 9u;
    case 4u: return 1u;
    case 5u: return x + 100u;
    case 6u: return 11u;
    case 7u: return 2u * x;
    default: return 1000u + x;
    }
}
int sparse(int x) {
    switch (x) {
    case -7: return 1;
    case -2:
    case -1:
    case 0: return x * 5;
    case 3: return 30;
    case 4: return 40;
    case 5:
    case 6: return x << 4;
    case 100: return 8;
    case 2147483647: return 9;
    case 200: return 10;
    default: return x - 1;
    }
}
void main() {
    uint i = gl_GlobalInvocationID.x, x = a.v[i];
    b.r[2u * i] = dense(x & 15u) + dense(i >> 2) + dense(x) * 3u;
    b.r[2u * i + 1u] = uint(sparse(int(x & 15u) - 8) + sparse(int(i) * 5) + sparse(int(x)) * 3);
}
