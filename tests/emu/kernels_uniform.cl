/* Kernels in which all items of a group compute the same, so that clang uses scalar registers: the items' bodies with the group's number,
 * floats (from gfx11.5 on), 64-bit integers; and kernels that exceed the registers. */
#ifdef __OPTIMIZE__ /* at -O0 nothing is scalar */
#define GROUP_NUMBER __builtin_amdgcn_workgroup_id_x()
#define X(name)                                                                                    \
    KERNEL uniform_##name(const global uint *a, const global uint *b, global uint *out, uint n)    \
    {                                                                                              \
        out[GID] = item_##name(GROUP_NUMBER, a, b, n) + LID;                                       \
    }
ITEMS_UNIFORM(X)
#undef X

/* Scalar arithmetic on floats and halves: sums, comparisons, conversions, rounding. */
KERNEL uniform_floats(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint r = 0, g = GROUP_NUMBER;
    for (uint k = 0; k < 12; k++) {
        float x = some_float(a[g + k]), y = some_float(b[g + k]), z = some_float(a[g + k] ^ b[k]);
        half h = some_half(a[g + k]), q = some_half(b[g + k]), sum = h + q, product = h * q, less = h - q;
        r = mix(r, f32_bits(x + y) ^ (ulong)f32_bits(x - y) << 32);
        r = mix(r, f32_bits(x * y) ^ (ulong)f32_bits(__builtin_fmaf(x, y, z)) << 32);
        r = mix(r, f32_bits(__builtin_fminf(x, y)) ^ (ulong)f32_bits(__builtin_fmaxf(x, z)) << 32);
        r = mix(r, f32_bits(__builtin_floorf(x)) ^ (ulong)f32_bits(__builtin_ceilf(y)) << 32);
        r = mix(r, f32_bits(__builtin_truncf(z)) ^ (ulong)f32_bits(__builtin_rintf(x)) << 32);
        r = mix(r, (uint)(int)x ^ (ulong)f32_bits((float)(int)b[g + k]) << 32);
        r = mix(r, (uint)__builtin_fabsf(y) ^ (ulong)f32_bits((float)a[g + k]) << 32);
        r = mix(r, (x < y ? 1u : 0) + (x >= z ? 2u : 0) + (x == y ? 4u : 0) + (h < q ? 8u : 0) + (h >= sum ? 16u : 0));
        r = mix(r, f16_bits(sum) ^ f16_bits(product) << 16 ^ (ulong)f16_bits(less) << 32);
        r = mix(r, f32_bits((float)h) ^ (ulong)f16_bits((half)y) << 32);
        if (x > y)
            r ^= 0x55aa;
    }
    out[GID] = r + LID;
}

/* More uniform values than there are SGPRs. */
KERNEL uniform_pressure(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint t[140], r = a[GID], g = GROUP_NUMBER;
#pragma unroll
    for (uint k = 0; k < 140; k++)
        t[k] = (uint)__builtin_amdgcn_readfirstlane((int)(b[g + k] * (2 * k + 1)));
    for (uint round = 0; round < (a[g] & 3) + 1; round++) {
#pragma unroll
        for (uint k = 0; k < 140; k++) {
            r = r * 3 + t[k];
            t[k] ^= t[(k + 7) % 140] + round;
        }
        if (r & 1) /* divergent, while uniform values are live */
            r = mix(r, t[round]);
    }
    out[GID] = r;
}
#endif

/* Live values beyond the kernel's register limit. */
__attribute__((amdgpu_num_vgpr(24), reqd_work_group_size(GROUP, 1, 1))) kernel void
few_registers(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint t[48], r = 0;
#pragma unroll
    for (uint k = 0; k < 48; k++)
        t[k] = a[(GID + k) % n] * (k + 1);
    for (uint round = 0; round < (b[GID] & 3) + 1; round++)
#pragma unroll
        for (uint k = 0; k < 48; k++)
            t[k] = t[k] * 5 + t[47 - k];
#pragma unroll
    for (uint k = 0; k < 48; k++)
        r = mix(r, t[k] ^ (ulong)t[(k * 11 + 3) % 48] << 32);
    out[GID] = r;
}

/* The largest number of registers; from gfx908 on, values beyond it go to accumulation registers. */
__attribute__((amdgpu_waves_per_eu(1, 1), reqd_work_group_size(GROUP, 1, 1))) kernel void
many_registers(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint t[270], r = 0;
#pragma unroll
    for (uint k = 0; k < 270; k++)
        t[k] = a[(GID + k) & 511] + b[(GID + k * 3) & 511] * k;
#pragma unroll
    for (uint k = 0; k < 270; k++)
        r = r * 33 + (t[269 - k] ^ t[(k * 7 + 1) % 270]);
    out[GID] = r;
}
