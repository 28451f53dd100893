#version 450
// Uniform floats that many instructions combine with one constant: as a factor, as an addend of a fused multiplication, and beside vector values.
layout(local_size_x = 64) in;
layout(push_constant) uniform P { float a, b; uint n; };
layout(binding = 0) buffer B { vec4 at[]; };
void main()
{
    vec4 v = at[gl_LocalInvocationID.x];
    float x = fma(a, a, 0.25), y = fma(b, b, 0.25), z = fma(x, 0.25, y);
    for (uint k = 0u; k < (n & 7u); k++) {
        float w = float(k) - 0.5;
        x = x * 0.25 + fma(w, w, 0.25);
        y = fma(y, 0.25, w) * 0.3125 + fma(w, w, 0.3125);
        z += exp2(-fma(w, w, 0.3125) * 0.3125) * 0.3125;
        v = v * 0.25 + vec4(x, y, z, fma(w, w, 6.25));
    }
    at[gl_LocalInvocationID.x] = v * 0.25 + vec4(x, y, z, 0.3125);
}
