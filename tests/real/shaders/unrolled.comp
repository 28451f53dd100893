// Loops with known counts, continues at several depths, other exits, and exits that only the count bounds.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer A { uint v[]; } a;
layout(set = 0, binding = 1, std430) buffer B { uint r[]; } b;
uint early(uint x) {
    for (uint k = 0u; k < 4u; k++) {
        if ((x >> k & 3u) == 3u)
            return k;
        x ^= k * 5u;
    }
    return x;
}
void main() {
    uint i = gl_GlobalInvocationID.x, x = a.v[i], sum = 0u, last = 77u;
    for (uint k = 0u; k < 5u; k++) {
        uint bits = x >> (3u * k);
        if ((bits & 1u) == 0u)
            continue;
        sum += bits * (k + 1u);
        if ((bits & 2u) != 0u) {
            if ((bits & 4u) != 0u) {
                last = k;
                continue;
            }
            sum ^= a.v[(i + k) & 63u];
        } else if ((bits & 12u) == 12u) {
            last += 3u;
            continue;
        }
        sum = sum * 3u + k;
        if (sum % 13u == 0u)
            break;
        last ^= bits;
    }
    for (uint k = 0u; k < 6u && (x & (1u << k)) == 0u; k++) {
        if (k == 3u)
            continue;
        sum += k;
    }
    for (int k = 3; k >= 0; k--) {
        for (uint j = 0u; j < 3u; j++) {
            if (((x >> j) & 1u) == (uint(k) & 1u))
                continue;
            sum += j << k;
        }
        if (k == 1)
            continue;
        if ((sum & 7u) == 7u) {
            last = sum;
            if ((sum & 8u) != 0u)
                break;
            continue;
        }
        sum++;
    }
    b.r[3u * i] = sum;
    b.r[3u * i + 1u] = last;
    b.r[3u * i + 2u] = early(x) + early(sum);
}
