/* Kernels of functions that LLVM expands without a library, of denormal modes, and of atomics that are expanded to loops: on bytes, on halves,
 * minima and maxima of floats. */

/* A function for each of eight kinds of items, compared with a tolerance. */
KERNEL library_math(const global uint *a, const global uint *b, global uint *out, uint n)
{
    float x = some_float(a[GID]) * 0.2f, p = as_f32(a[GID] & 0x3fffffff), r;
    switch (GID & 7) {
    case 0: r = __builtin_expf(x); break;
    case 1: r = __builtin_exp2f(x); break;
    case 2: r = __builtin_exp10f(x * 0.4f); break;
    case 3: r = __builtin_logf(p); break;
    case 4: r = __builtin_log2f(p); break;
    case 5: r = __builtin_log10f(p); break;
    case 6: r = __builtin_sinf(as_f32((a[GID] & 0x7fffff) | 0x3f000000)); break; /* 0.5 to 1 */
    default: r = __builtin_cosf(as_f32((a[GID] & 0x7fffff) | 0x3e800000)); break;
    }
    out[GID] = f32_bits(r);
}

KERNEL library_halves(const global uint *a, const global uint *b, global uint *out, uint n)
{
    half x = __builtin_fabsf((float)some_half(a[GID])), small = (half)((float)x * 0.5f), r;
    switch (GID & 3) {
    case 0: r = __builtin_elementwise_exp(small); break;
    case 1: r = __builtin_elementwise_exp2(small); break;
    case 2: r = __builtin_elementwise_log(x + (half)2.0f); break;
    default: r = __builtin_elementwise_log2(x + (half)2.0f); break;
    }
    out[GID] = f32_bits((float)f16_of(f16_bits(r)));
}

/* Denormals as sources and results, kept and flushed. */
KERNEL denormal_modes(const global uint *a, const global uint *b, global uint *out, uint n)
{
    float x = as_f32(a[GID] & 0x80ffffff), y = as_f32((b[GID] & 0x80ffffff)), sum[4], product[4];
    double d = as_f64((ulong)(a[GID] & 0x801fffff) << 32 | b[GID]), e = as_f64((ulong)(b[GID] & 0x801fffff) << 32 | a[GID]), wide[4];
    float two = 0.5f;
#define MODE_OF(k, mode)                                                                           \
    __asm__ volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), " mode "\n"                     \
                     "s_nop 4\n"                                                                   \
                     "v_add_f32 %0, %3, %4\n"                                                      \
                     "v_mul_f32 %1, %3, %7\n"                                                      \
                     "v_add_f64 %2, %5, %6\n"                                                      \
                     "s_nop 4\n"                                                                   \
                     "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 15\n"                           \
                     "s_nop 4\n"                                                                   \
                     : "=&v"(sum[k]), "=&v"(product[k]), "=&v"(wide[k])                            \
                     : "v"(x), "v"(y), "v"(d), "v"(e), "v"(two))
    MODE_OF(0, "0x0");
    MODE_OF(1, "0x5"); /* kept in sources */
    MODE_OF(2, "0xa"); /* kept in results */
    MODE_OF(3, "0xf");
#undef MODE_OF
    uint r = 0;
    for (uint k = 0; k < 4; k++)
        r = mix(mix(r, f32_bits(sum[k]) ^ (ulong)f32_bits(product[k]) << 32), f64_bits(wide[k]));
    out[GID] = r;
}

#define NARROW(name, p, v, scope) __scoped_atomic_fetch_##name(p, v, __ATOMIC_RELAXED, scope)

/* Atomics on bytes and halves of words that other items change too. */
KERNEL atomics_narrow(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[4];
    global uchar *bytes = (global uchar *)out;
    global ushort *halves = (global ushort *)(out + 2);
    local ushort *mine = (local ushort *)s;
    uint v = a[GID];
    if (LID < 4)
        s[LID] = 0;
    group_barrier();
    NARROW(add, &bytes[0], (uchar)v, __MEMORY_SCOPE_DEVICE);
    NARROW(xor, &bytes[1], (uchar)v, __MEMORY_SCOPE_DEVICE);
    NARROW(max, &bytes[2], (uchar)(v >> 3), __MEMORY_SCOPE_DEVICE);
    NARROW(or, &bytes[3], (uchar)(v & 0x41), __MEMORY_SCOPE_DEVICE);
    NARROW(sub, &halves[0], (ushort)v, __MEMORY_SCOPE_DEVICE);
    NARROW(max, (global short *)&halves[1], (short)v, __MEMORY_SCOPE_DEVICE);
    NARROW(add, &mine[1], (ushort)b[GID], __MEMORY_SCOPE_WRKGRP);
    NARROW(xor, &mine[4], (ushort)v, __MEMORY_SCOPE_WRKGRP);
    group_barrier();
    if (LID < 4)
        out[8 + GID / GROUP * 4 + LID] = s[LID];
}

/* Minima and maxima of floats and doubles, in memory and LDS. */
KERNEL atomics_extremes(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local float s[2];
    global float *f = (global float *)out;
    global double *d = (global double *)(out + 4);
    float x = (float)(int)a[GID];
    if (LID < 2)
        s[LID] = 0.0f;
    group_barrier();
    NARROW(min, &f[0], x, __MEMORY_SCOPE_DEVICE);
    NARROW(max, &f[1], x, __MEMORY_SCOPE_DEVICE);
    NARROW(min, &d[0], (double)x * 3.0, __MEMORY_SCOPE_DEVICE);
    NARROW(max, &d[1], (double)x * 3.0, __MEMORY_SCOPE_DEVICE);
    NARROW(min, &s[0], x, __MEMORY_SCOPE_WRKGRP);
    NARROW(max, &s[1], x, __MEMORY_SCOPE_WRKGRP);
    group_barrier();
    if (LID < 2)
        out[8 + GID / GROUP * 2 + LID] = f32_bits(s[LID]);
}
