// Loops with breaks and continues, uniform and divergent, nested; values that live across all of them.
#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { uint n, m, seed; } p;
layout(set = 0, binding = 0, std430) readonly buffer A { uint v[]; } a;
layout(set = 0, binding = 1, std430) buffer B { uint r[]; } b;
void main() {
    uint i = gl_GlobalInvocationID.x, x = a.v[i], sum = p.seed, uni = 1u;
    for (uint k = 0u; k < p.n; k++) {
        uni = uni * 3u + k;
        if ((x & 1u) == 0u) {
            x = x / 2u + k;
            continue;
        }
        for (uint j = 0u; ; j++) {
            if (j > p.m)
                break;
            if (((x + j) & 7u) == 3u)
                continue;
            sum += (x ^ j) * uni;
            if (sum % 11u == 5u)
                break;
        }
        if (k == 9u)
            break;
        x = x * 5u + 1u;
        if (x > 4000u)
            x &= 1023u;
    }
    uint step = 0u;
    do {
        sum ^= uni << (step & 7u);
        step += (sum & 1u) + 1u;
    } while (step < (x & 15u));
    b.r[2u * i] = sum;
    b.r[2u * i + 1u] = uni + step;
}
