// A uniform loop with a divergent continue, as matrix-vector products have it.
#version 450
layout(constant_id = 0) const uint WG = 32;
layout(local_size_x_id = 0) in;
layout(push_constant) uniform Push { uint n; uint y; uint csel; } p;
layout(set = 0, binding = 0, std430) buffer Out { uint r[]; };
void main() {
    uint t = gl_GlobalInvocationID.x;
    uint csel = p.csel;
    for (uint i = 0; i != p.n; i++) {
        csel ^= 5;
        if (t >= p.y)
            continue;
        r[t] += csel;
    }
}
