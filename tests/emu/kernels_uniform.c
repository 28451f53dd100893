/* References of kernels_uniform.cl. */
#include "kernel_test.h"

#include <math.h>

REFERENCE(uniform_floats)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 r = 0, g = i / KERNEL_GROUP;
        for (u32 k = 0; k < 12; k++) {
            float x = some_float(a[g + k]), y = some_float(b[g + k]),
                  z = some_float(a[g + k] ^ b[k]);
            f16 h = some_half(a[g + k]), q = some_half(b[g + k]), sum = h + q, product = h * q,
                less = h - q;
            r = mix(r, f32_bits(x + y) ^ (u64)f32_bits(x - y) << 32);
            r = mix(r, f32_bits(x * y) ^ (u64)f32_bits(fmaf(x, y, z)) << 32);
            r = mix(r, f32_bits(fminf(x, y)) ^ (u64)f32_bits(fmaxf(x, z)) << 32);
            r = mix(r, f32_bits(floorf(x)) ^ (u64)f32_bits(ceilf(y)) << 32);
            r = mix(r, f32_bits(truncf(z)) ^ (u64)f32_bits(rintf(x)) << 32);
            r = mix(r, (u32)(i32)x ^ (u64)f32_bits((float)(i32)b[g + k]) << 32);
            r = mix(r, (u32)fabsf(y) ^ (u64)f32_bits((float)a[g + k]) << 32);
            r = mix(r, (x < y ? 1u : 0) + (x >= z ? 2u : 0) + (x == y ? 4u : 0) + (h < q ? 8u : 0) +
                           (h >= sum ? 16u : 0));
            r = mix(r, f16_bits(sum) ^ f16_bits(product) << 16 ^ (u64)f16_bits(less) << 32);
            r = mix(r, f32_bits((float)h) ^ (u64)f16_bits((f16)y) << 32);
            if (x > y)
                r ^= 0x55aa;
        }
        out[i] = r + i % KERNEL_GROUP;
    }
}

REFERENCE(uniform_pressure)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 v[140], r = a[i], g = i / KERNEL_GROUP;
        for (u32 k = 0; k < 140; k++)
            v[k] = b[g + k] * (2 * k + 1);
        for (u32 round = 0; round < (a[g] & 3) + 1; round++) {
            for (u32 k = 0; k < 140; k++) {
                r = r * 3 + v[k];
                v[k] ^= v[(k + 7) % 140] + round;
            }
            if (r & 1)
                r = mix(r, v[round]);
        }
        out[i] = r;
    }
}

REFERENCE(few_registers)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 v[48], r = 0;
        for (u32 k = 0; k < 48; k++)
            v[k] = a[(i + k) % KERNEL_ITEMS] * (k + 1);
        for (u32 round = 0; round < (b[i] & 3) + 1; round++)
            for (u32 k = 0; k < 48; k++)
                v[k] = v[k] * 5 + v[47 - k];
        for (u32 k = 0; k < 48; k++)
            r = mix(r, v[k] ^ (u64)v[(k * 11 + 3) % 48] << 32);
        out[i] = r;
    }
}

REFERENCE(many_registers)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 v[270], r = 0;
        for (u32 k = 0; k < 270; k++)
            v[k] = a[(i + k) & 511] + b[(i + k * 3) & 511] * k;
        for (u32 k = 0; k < 270; k++)
            r = r * 33 + (v[269 - k] ^ v[(k * 7 + 1) % 270]);
        out[i] = r;
    }
}

const kernel_row kernel_uniform[] = {
    {ROW(uniform_floats), .flags = KERNEL_OPTIMIZED},
    {ROW(uniform_pressure), .flags = KERNEL_OPTIMIZED},
    {ROW(few_registers)},
    {ROW(many_registers)},
    {.name = NULL},
};
