/* References of kernels_atomics.cl, and of the atomics of kernels.cl. */
#include "kernel_test.h"

REFERENCE(atomics)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 v = a[i];
        out[0] += v;
        out[1] -= v;
        out[2] &= v | 0xff;
        out[3] |= v & 0xff00ff;
        out[4] ^= v;
        out[5] = v < out[5] ? v : out[5];
        out[6] = v > out[6] ? v : out[6];
        out[7] = (i32)v < (i32)out[7] ? v : out[7];
        out[8] = (i32)v > (i32)out[8] ? v : out[8];
        out[9] += b[i] & 1;
        out[10]++;
        out[16 + i] = 1;
    }
}

REFERENCE(atomics64)
{
    u64 p[4] = {0};
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u64 v = (u64)a[i] << 32 | b[i];
        p[0] += v;
        p[1] = v > p[1] ? v : p[1];
        p[2] ^= v;
        p[3] += v + (i % KERNEL_GROUP == 0);
    }
    memcpy(out, p, sizeof p);
}

REFERENCE(atomics_returned)
{
    out[0] = KERNEL_ITEMS;
    out[1] = (u32)-KERNEL_ITEMS;
    out[2] = 5;
    out[3] = 5 * (KERNEL_ITEMS - 1);
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        out[16 + i] = 1;
        out[12] += i;
        out[4] |= 1u << (a[i] & 31);
        out[10] = (a[i] | 1) > out[10] ? a[i] | 1 : out[10];
    }
    out[5] = (u32)__builtin_popcount(out[4]);
    out[7] = KERNEL_ITEMS / 2;
    out[11] = 1;
}

REFERENCE(atomics_wrap)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        out[0] = out[0] >= 99 ? 0 : out[0] + 1;
        out[1] = out[1] == 0 || out[1] > 77 ? 77 : out[1] - 1;
        out[16 + i] = 1;
    }
    out[2] = KERNEL_ITEMS;
}

REFERENCE(atomics64_all)
{
    u64 p[13] = {[9] = 0x500000007, [10] = 0x500000007 * (KERNEL_ITEMS - 1), [12] = KERNEL_ITEMS};
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u64 v = (u64)a[i] << 32 | b[i];
        p[0] += v;
        p[1] -= v;
        p[3] |= v & 0xff00ff00ff00ff;
        p[4] ^= v;
        p[6] = v > p[6] ? v : p[6];
        p[7] = (i64)v < (i64)p[7] ? v : p[7];
        p[8] = (i64)v > (i64)p[8] ? v : p[8];
        p[11] += v & 0xffffff;
        out[32 + i] = 1;
    }
    memcpy(out, p, sizeof p);
}

REFERENCE(atomics_float)
{
    float f[5] = {0};
    double d[3] = {0};
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        f[a[i] & 3] += (float)(b[i] & 0xfff);
        f[4] -= (float)(a[i] & 0xff);
        d[b[i] & 1] += (double)a[i];
        d[2] -= 1.0;
    }
    memcpy(out, f, sizeof f);
    memcpy(out + 8, d, sizeof d);
}

REFERENCE(opencl_atomics)
{
    const u32 known[] = {
        [8] = 3 * KERNEL_ITEMS, [9] = 77, [10] = 1, [11] = 5, [12] = 1, [13] = KERNEL_ITEMS - 1};
    memcpy(out, known, sizeof known);
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        out[0] += a[i];
        out[1] += a[i];
        out[2] -= a[i];
        out[3] ^= a[i];
        out[4] |= a[i] & 0x0f0f0f0f;
        out[5] = a[i] > out[5] ? a[i] : out[5];
        out[16 + i / KERNEL_GROUP]++;
    }
}

REFERENCE(last_group)
{
    out[0] = KERNEL_GROUPS;
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        out[16 + i / KERNEL_GROUP] += a[i] ^ b[i];
        out[1] += a[i] ^ b[i];
    }
}

REFERENCE(lock_lds)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 base = i / KERNEL_GROUP * KERNEL_GROUP, sum = 0;
        for (u32 k = 0; k < 6; k++)
            sum += a[base + k / 3 * 64 + k % 3];
        out[i] = mix(6, sum);
    }
}

REFERENCE(lock_global)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i += 64)
        for (u32 k = 0; k < 3; k++) {
            out[1]++;
            out[2] += a[i + k];
        }
}

REFERENCE(message)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 group = i / KERNEL_GROUP, l = i % KERNEL_GROUP;
        out[group] = 2;
        if (l >= 64)
            continue;
        out[64 + group * 64 + l] = a[i] * 3;
        out[320 + group * 64 + l] = a[i] * 3 + b[i + 64];
    }
}

REFERENCE(atomics_generic)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++)
        out[a[i] % 3 == 2 ? 8 : a[i] % 3] += b[i];
}

const kernel_row kernel_atomics[] = {
    {ROW(atomics)},          {ROW(atomics64)},
    {ROW(atomics_returned)}, {ROW(atomics_wrap)},
    {ROW(atomics64_all)},    {ROW(atomics_float)},
    {ROW(opencl_atomics)},   {ROW(last_group)},
    {ROW(lock_lds)},         {ROW(lock_global)},
    {ROW(message)},          {ROW(atomics_generic), .flags = KERNEL_CALLS, .gens = GENS_FROM(GFX7)},
    {.name = NULL},
};
