// A quantised matrix-vector product, as language models run it: blocks of bytes with a half scale, a reduction in
// workgroup memory, sizes that the application specialises.
#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint BLOCK = 32;
layout(constant_id = 1) const uint NUM_ROWS = 1;
struct block { float16_t d; uint8_t qs[16]; };
layout(set = 0, binding = 0, std430) readonly buffer A { block x[]; } a;
layout(set = 0, binding = 1, std430) readonly buffer B { vec4 y[]; } b;
layout(set = 0, binding = 2, std430) writeonly buffer D { float r[]; } d;
layout(push_constant) uniform Push { uint ncols; uint stride; } p;
shared float part[256];
void main() {
    uint t = gl_LocalInvocationID.x, first = NUM_ROWS * gl_WorkGroupID.x;
    for (uint n = 0u; n < NUM_ROWS; n++) {
        float sum = 0.0;
        for (uint col = t; col < p.ncols * 8u; col += BLOCK) {
            uint at = (first + n) * p.stride + col / 8u;
            uint q = uint(a.x[at].qs[col % 16u]);
            if (q == 0u)
                continue;
            vec4 y = b.y[col & 255u];
            sum = fma(float(q & 15u) - 8.0, y.x, sum);
            sum += (float(q >> 4) - 8.0) * y.y * float(a.x[at].d);
        }
        part[t] = sum;
        barrier();
        for (uint s = BLOCK / 2u; s > 0u; s >>= 1) {
            if (t < s)
                part[t] += part[t + s];
            barrier();
        }
        if (t == 0u)
            d.r[first + n] = part[0];
        barrier();
    }
}
