/* References of kernels_lds.cl, and of the groups of kernels.cl. */
#include "kernel_test.h"

#include <stdlib.h>

REFERENCE(reduce)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        out[i] = 0;
        for (u32 k = i / KERNEL_GROUP * KERNEL_GROUP;
             k < i / KERNEL_GROUP * KERNEL_GROUP + KERNEL_GROUP; k++)
            out[i] += a[k] + b[k];
    }
}

REFERENCE(scan)
{
    u32 sum = 0;
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        sum = i % KERNEL_GROUP ? sum + a[i] : a[i];
        out[i] = sum ^ b[i];
    }
}

REFERENCE(histogram)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++)
        out[a[i] % 32]++;
}

REFERENCE(transpose)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 base = i / KERNEL_GROUP * KERNEL_GROUP, l = i % KERNEL_GROUP,
            from = base + l % 8 * 16 + l / 8;
        out[i] = a[from] + b[from];
    }
}

static int
compare_words(const void *x, const void *y)
{
    u32 a = *(const u32 *)x, b = *(const u32 *)y;
    return a < b ? -1 : a > b;
}

REFERENCE(bitonic)
{
    memcpy(out, a, KERNEL_ITEMS * sizeof *a);
    for (u32 g = 0; g < KERNEL_GROUPS; g++)
        qsort(out + g * KERNEL_GROUP, KERNEL_GROUP, sizeof *out, compare_words);
}

REFERENCE(lds_types)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 o = i / KERNEL_GROUP * KERNEL_GROUP + KERNEL_GROUP - 1 - i % KERNEL_GROUP;
        out[i] = (uchar)a[o] + (ushort)b[o] * 3u + (u32)(i32)(signed char)a[i] + a[o] * 5 +
                 b[o] * 7 + 7 + (u32)f64_bits((double)a[o] + 0.5);
    }
}

REFERENCE(big_lds)
{
    static u32 s[8192];
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 base = i / KERNEL_GROUP * KERNEL_GROUP, r = 0, at = a[i] % 8192;
        for (u32 k = 0; k < 8192; k++)
            s[k] = a[base + k % KERNEL_GROUP] * (k / KERNEL_GROUP) + b[base + k % KERNEL_GROUP];
        for (u32 k = 0; k < 32; k++) {
            r = mix(r, s[at]);
            at = r % 8192;
        }
        out[i] = r;
    }
}

REFERENCE(dynamic_lds)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 base = i / KERNEL_GROUP * KERNEL_GROUP, l = i % KERNEL_GROUP;
        out[i] = mix(a[base + KERNEL_GROUP - 1 - l], b[base + (l ^ 3)]) +
                 (a[base + (l * 5 & (KERNEL_GROUP - 1))] ^ 0xff);
    }
}

static size_t
fill_dynamic_lds(const kernel_setup *s, uint8_t *args)
{
    const u32 behind = KERNEL_GROUP * 4;
    (void)s;
    memcpy(args + 28, &behind, 4);
    return 32;
}

REFERENCE(lds_atomics)
{
    for (u32 g = 0; g < KERNEL_GROUPS; g++) {
        u32 *s = out + g * 16;
        s[3] = s[5] = 0xffffffff;
        s[7] = 0x7fffffff;
        s[8] = 0x80000000;
        for (u32 i = g * KERNEL_GROUP; i < (g + 1) * KERNEL_GROUP; i++) {
            u32 v = a[i];
            s[0] += v;
            s[1] -= v;
            s[2] |= v & 0xff00ff;
            s[3] &= v | 0xff;
            s[4] ^= v;
            s[5] = v < s[5] ? v : s[5];
            s[6] = v > s[6] ? v : s[6];
            s[7] = (i32)v < (i32)s[7] ? v : s[7];
            s[8] = (i32)v > (i32)s[8] ? v : s[8];
            s[9] += v & 3;
            s[10]++;
            s[11] += v;
            s[13] = s[13] >= 9 ? 0 : s[13] + 1;
            s[14] = s[14] == 0 || s[14] > 11 ? 11 : s[14] - 1;
        }
    }
}

REFERENCE(lds_atomics64)
{
    for (u32 g = 0; g < KERNEL_GROUPS; g++) {
        u64 s[8] = {[2] = ~(u64)0, [4] = ~(u64)0};
        for (u32 i = g * KERNEL_GROUP; i < (g + 1) * KERNEL_GROUP; i++) {
            u64 v = (u64)a[i] << 32 | b[i];
            s[0] += v;
            s[1] -= v;
            s[2] &= v | 0xffff;
            s[3] |= v & 0xff00ff00ff;
            s[4] = v < s[4] ? v : s[4];
            s[5] = v > s[5] ? v : s[5];
            s[6] ^= v;
            s[7] += v & 0xfffff;
        }
        memcpy(out + g * 16, s, sizeof s);
    }
}

REFERENCE(lds_float_atomics)
{
    for (u32 g = 0; g < KERNEL_GROUPS; g++) {
        float sum[4] = {0};
        double wide[2] = {0};
        for (u32 i = g * KERNEL_GROUP; i < (g + 1) * KERNEL_GROUP; i++) {
            sum[a[i] & 3] += (float)(a[i] & 0xff);
            wide[b[i] & 1] += (double)b[i];
        }
        memcpy(out + g * 8, sum, sizeof sum);
        memcpy(out + g * 8 + 4, wide, sizeof wide);
    }
}

REFERENCE(tiles)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 base = i / KERNEL_GROUP * KERNEL_GROUP, x = i % 16, y = i % KERNEL_GROUP / 16;
        float sum = 0.0f;
        for (u32 step = 0; step < 3; step++)
            for (u32 k = 0; k < 16; k++) {
                u32 left = base + y * 16 + k + step * 64,
                    right = base + k % 8 * 16 + x + step * 32 + k / 8 * 128;
                sum = sum +
                      some_float(a[left % KERNEL_ITEMS]) * some_float(b[right % KERNEL_ITEMS]);
            }
        out[i] = f32_bits(sum);
    }
}

REFERENCE(stencil)
{
    for (u32 base = 0; base < KERNEL_ITEMS; base += KERNEL_GROUP) {
        u32 s[2][KERNEL_GROUP + 2] = {{0}}, from = 0;
        memcpy(s[0] + 1, a + base, KERNEL_GROUP * sizeof *a);
        s[0][KERNEL_GROUP + 1] = s[1][KERNEL_GROUP + 1] = 1;
        for (u32 k = 0; k < (b[base] & 7) + 2; k++) {
            for (u32 l = 0; l < KERNEL_GROUP; l++)
                s[1 - from][l + 1] = s[from][l] * 3 + s[from][l + 1] + (s[from][l + 2] >> 1);
            from = 1 - from;
        }
        memcpy(out + base, s[from] + 1, KERNEL_GROUP * sizeof *out);
    }
}

REFERENCE(lds_wide)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 o = i / KERNEL_GROUP * KERNEL_GROUP + ((i * 7 + 3) & (KERNEL_GROUP - 1)), x = a[o],
            y = b[o];
        u32 r = mix(0, x ^ (u64)y << 32);
        r = mix(r, (x + 1) ^ (u64)(x ^ y) << 32);
        r = mix(r, y ^ (u64)(y * 3) << 32);
        r = mix(r, (u32)(2 * x + y) ^ (u64)(3 * x + 9 * y) << 32);
        r = mix(r, (uchar)x + y + (ushort)(x >> 3));
        out[i] = mix(r, (u64)x << 32 | y);
    }
}

REFERENCE(partition)
{
    for (u32 base = 0; base < KERNEL_ITEMS; base += KERNEL_GROUP) {
        u32 at = base;
        for (u32 even = 0; even < 2; even++)
            for (u32 i = base; i < base + KERNEL_GROUP; i++)
                if ((a[i] & 1) != even)
                    out[at++] = a[i] ^ b[base];
    }
}

REFERENCE(radix)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++)
        out[i] = a[i] & 0xfff;
    for (u32 g = 0; g < KERNEL_GROUPS; g++)
        qsort(out + g * KERNEL_GROUP, KERNEL_GROUP, sizeof *out, compare_words);
}

REFERENCE(append)
{
    for (u32 base = 0; base < KERNEL_ITEMS; base += KERNEL_GROUP) {
        u32 sum = 0, used = 0;
        for (u32 i = base; i < base + KERNEL_GROUP; i++)
            if (a[i] & 1) {
                sum += a[i];
                used++;
            }
        for (u32 i = base; i < base + KERNEL_GROUP; i++)
            out[i] = sum ^ used << 8 ^ (used - (KERNEL_GROUP - used)) << 20;
    }
}

const kernel_row kernel_groups[] = {
    {ROW(reduce)},
    {ROW(scan)},
    {ROW(histogram)},
    {ROW(transpose)},
    {ROW(bitonic)},
    {ROW(lds_types)},
    {ROW(big_lds)},
    {ROW(dynamic_lds), .lds = 2 * KERNEL_GROUP * 4, .fill = fill_dynamic_lds},
    {ROW(lds_atomics)},
    {ROW(lds_atomics64)},
    {ROW(lds_float_atomics)},
    {ROW(tiles)},
    {ROW(stencil)},
    {ROW(lds_wide)},
    {ROW(partition)},
    {ROW(radix)},
    {ROW(append)},
    {.name = NULL},
};
