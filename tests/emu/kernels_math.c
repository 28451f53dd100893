/* References of kernels_math.cl. */
#include "kernel_test.h"

#include <float.h>
#include <math.h>

REFERENCE(library_math)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        float x = some_float(a[i]) * 0.2f, p = as_f32(a[i] & 0x3fffffff);
        double r;
        switch (i & 7) {
        case 0: r = exp(x); break;
        case 1: r = exp2(x); break;
        case 2: r = pow(10.0, x * 0.4f); break;
        case 3: r = log(p); break;
        case 4: r = log2(p); break;
        case 5: r = log10(p); break;
        case 6: r = sin(as_f32((a[i] & 0x7fffff) | 0x3f000000)); break;
        default: r = cos(as_f32((a[i] & 0x7fffff) | 0x3e800000)); break;
        }
        out[i] = f32_bits((float)r);
    }
}

REFERENCE(library_halves)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        float x = fabsf((float)some_half(a[i])), small = (float)(f16)(x * 0.5f);
        float more = (float)(f16)(x + 2.0f), r;
        switch (i & 3) {
        case 0: r = expf(small); break;
        case 1: r = exp2f(small); break;
        case 2: r = logf(more); break;
        default: r = log2f(more); break;
        }
        out[i] = f32_bits((float)(f16)r);
    }
}

static float
flushed32(float f, bool keep)
{
    return keep || fabsf(f) >= FLT_MIN ? f : copysignf(0.0f, f);
}

static double
flushed64(double f, bool keep)
{
    return keep || fabs(f) >= DBL_MIN ? f : copysign(0.0, f);
}

REFERENCE(denormal_modes)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 r = 0;
        for (u32 k = 0; k < 4; k++) {
            bool in = k & 1, result = k & 2;
            float x = flushed32(as_f32(a[i] & 0x80ffffff), in);
            float y = flushed32(as_f32(b[i] & 0x80ffffff), in);
            double d = flushed64(as_f64((u64)(a[i] & 0x801fffff) << 32 | b[i]), in);
            double e = flushed64(as_f64((u64)(b[i] & 0x801fffff) << 32 | a[i]), in);
            float sum = flushed32(x + y, result), product = flushed32(x * 0.5f, result);
            r = mix(r, f32_bits(sum) ^ (u64)f32_bits(product) << 32);
            r = mix(r, f64_bits(flushed64(d + e, result)));
        }
        out[i] = r;
    }
}

REFERENCE(atomics_narrow)
{
    u8 *bytes = (u8 *)out;
    u16 *halves = (u16 *)(out + 2);
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 v = a[i];
        u16 *mine = (u16 *)(out + 8 + i / KERNEL_GROUP * 4);
        bytes[0] += (u8)v;
        bytes[1] ^= (u8)v;
        bytes[2] = (u8)(v >> 3) > bytes[2] ? (u8)(v >> 3) : bytes[2];
        bytes[3] |= v & 0x41;
        halves[0] -= (u16)v;
        halves[1] = (i16)v > (i16)halves[1] ? (u16)v : halves[1];
        mine[1] += (u16)b[i];
        mine[4] ^= (u16)v;
    }
}

REFERENCE(atomics_extremes)
{
    float f[2] = {0};
    double d[2] = {0};
    for (u32 g = 0; g < KERNEL_GROUPS; g++) {
        float s[2] = {0};
        for (u32 i = g * KERNEL_GROUP; i < (g + 1) * KERNEL_GROUP; i++) {
            float x = (float)(i32)a[i];
            s[0] = fminf(s[0], x);
            s[1] = fmaxf(s[1], x);
        }
        memcpy(out + 8 + g * 2, s, sizeof s);
        f[0] = fminf(f[0], s[0]);
        f[1] = fmaxf(f[1], s[1]);
    }
    d[0] = f[0] * 3.0;
    d[1] = f[1] * 3.0;
    memcpy(out, f, sizeof f);
    memcpy(out + 4, d, sizeof d);
}

const kernel_row kernel_math[] = {
    {ROW(library_math), .ulps = 3},
    {ROW(library_halves), .ulps = 16384}, /* two units of the last place of binary16 */
    {ROW(denormal_modes)},
    {ROW(atomics_narrow)},
    {ROW(atomics_extremes)},
    {.name = NULL},
};
