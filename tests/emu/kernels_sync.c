/* References of kernels_sync.cl. */
#include "kernel_test.h"

REFERENCE(odd_group)
{
    for (u32 base = 0; base < 450; base += 100) {
        u32 here = base == 400 ? 50 : 100, sum = 0;
        for (u32 l = 0; l < here; l++)
            sum += a[base + here - 1 - l] ^ b[base + l];
        for (u32 l = 0; l < here; l++)
            out[base + l] = mix(sum, a[base + (l * 7 + 1) % here]);
    }
}

REFERENCE(large_group)
{
    u32 s[2][512];
    memcpy(s[0], a, sizeof s[0]);
    for (u32 k = 0; k < 5; k++)
        for (u32 i = 0; i < 512; i++)
            s[1 - k % 2][i] = mix(s[k % 2][(i * 5 + k) & 511], k);
    for (u32 i = 0; i < 512; i++)
        out[i] = s[1][511 - i] ^ b[i];
}

REFERENCE(small_group)
{
    for (u32 i = 0, sum = 0; i < KERNEL_ITEMS; i++) {
        sum = i % 32 ? sum + a[i] : a[i];
        out[i] = sum + b[i];
    }
}

REFERENCE(fences)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        out[i] = b[i];
        for (u32 k = 0; k < 40; k++)
            out[i] = mix(out[i], a[i]);
    }
}

REFERENCE(split_barrier)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 r = b[i], base = i / KERNEL_GROUP * KERNEL_GROUP;
        for (u32 k = 0; k < 3; k++)
            r = mix(mix(r, k), a[base + ((i + k * 37) & (KERNEL_GROUP - 1))]);
        out[i] = r;
    }
}

REFERENCE(wave_sync)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 base = i / KERNEL_GROUP * KERNEL_GROUP;
        out[i] = b[i];
        for (u32 k = 0; k < 3; k++)
            out[i] = mix(out[i], a[base + ((i + k * 37) & (KERNEL_GROUP - 1))] + k);
    }
}

REFERENCE(told)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 r = mix(mix(mix(a[i], 0), 1), KERNEL_ITEMS);
        out[i] = mix(r, (a[i] < b[i]) + 2u);
    }
}

const kernel_row kernel_sync[] = {
    {ROW(odd_group), .group = {100, 1, 1}, .items = {450, 1, 1}},
    {ROW(large_group), .group = {512, 1, 1}},
    {ROW(small_group), .group = {32, 1, 1}},
    {ROW(fences)},
    {ROW(split_barrier), .gens = GENS_FROM(GFX12)},
    {ROW(wave_sync), .gens = GENS_TO(GFX11_5)},
    {ROW(told)},
    {.name = NULL},
};
