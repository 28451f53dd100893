/* References of kernels_lanes.cl, and of the lane operations of kernels.cl. */
#include "kernel_test.h"

REFERENCE(subgroups)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 row = i & ~15u, l = i & 15;
        u32 r = a[i ^ 1] + (l ? a[i - 1] : 7) * 3 + a[row | ((l - 1) & 15)] * 5;
        r += a[(i & ~7u) | (7 - (i & 7))] * 7 + a[(i & ~7u) | (7 - (i & 7))] * 11;
        r += a[i] * 13 + a[(row ^ 16) | (l < 8 ? 7 - l : 23 - l)] * 17;
        r += a[(i & ~31u) | ((i & 31) ^ 5)] * 19 + a[i ^ 1] * 23;
        out[i] = r;
    }
}

/* The lanes of the wave of item `i` for which bit `bit` of words + offset is set, among those for which `mask` bits equal `is`. */
static u64
ballot_of(const kernel_trial *t, u32 i, const u32 *words, u32 bit, const u32 *among, u32 mask,
          u32 is)
{
    u32 base = i / t->wave * t->wave;
    u64 set = 0;
    for (u32 l = 0; l < t->wave; l++)
        if ((among[base + l] & mask) == is && (!bit || words[base + l] & bit))
            set |= (u64)1 << l;
    return set;
}

REFERENCE(ballots)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 lane = i % t->wave;
        u64 odd = ballot_of(t, i, a, 1, a, 0, 0);
        u32 r = mix(0, odd);
        r = mix(r, a[i] & 2 ? ballot_of(t, i, a, 4, a, 2, 2) : ballot_of(t, i, b, 1, a, 2, 0) * 3);
        for (u32 k = 0; k < (a[i] & 3); k++) {
            u64 left = 0;
            for (u32 more = k + 1; more < 4; more++)
                left |= ballot_of(t, i, a, 0, a, 3, more);
            r = mix(r, left);
        }
        u32 before = (u32)__builtin_popcountll(odd & (((u64)1 << lane) - 1));
        out[i] = mix(r, before + (odd >> lane & 1) * 100);
    }
}

REFERENCE(lane_reads)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 base = i / t->wave * t->wave, r = mix(0, a[base]), first = base;
        for (u32 k = 0; k < 32; k += 3)
            r = mix(r, a[base + k]);
        r = mix(r, a[base + (b[base] & 31)]);
        while (!(a[first] & 1))
            first++;
        out[i] = a[i] & 1 ? mix(r, a[first]) : r;
    }
}

REFERENCE(waterfall)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 base = i / t->wave * t->wave;
        u64 same = 0;
        for (u32 l = 0; l < t->wave; l++)
            same |= (u64)(a[base + l] % 5 == a[i] % 5) << l;
        out[i] = mix(b[a[i] % 5], same);
    }
}

REFERENCE(pack)
{
    for (u32 base = 0; base < KERNEL_ITEMS; base += t->wave) {
        u32 at = base;
        for (u32 i = base; i < base + t->wave; i++)
            if (a[i] % 3 == 0)
                out[at++] = a[i] ^ b[i];
    }
}

REFERENCE(swizzles)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        const u32 *w = a + (i & ~31u), l = i & 31;
        u32 r = mix(0, w[l ^ 1]);
        r = mix(r, w[l ^ 16]);
        r = mix(r, w[l ^ 31]);
        r = mix(r, w[l & 24]);
        r = mix(r, w[l | 7]);
        out[i] = mix(r, w[l ^ 3]);
    }
}

REFERENCE(permutes)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        const u32 *w = a + (i & ~31u), l = i & 31;
        u32 r = mix(0, w[(l * 7 + 3) & 31]), from = 0;
        while (((from * 7 + 3) & 31) != l)
            from++;
        out[i] = mix(mix(r, w[from]), w[b[i] & 31]);
    }
}

REFERENCE(wave_reduce)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 sum = 0, least = b[i], rows = 0, wave = i / t->wave * t->wave;
        for (u32 l = 0; l < 16; l++) {
            sum += a[(i & ~15u) + l];
            least = b[(i & ~15u) + l] < least ? b[(i & ~15u) + l] : least;
        }
        for (u32 l = 0; l < 32; l++)
            rows += a[wave + l];
        out[i] = mix(mix(sum, least), rows);
    }
}

REFERENCE(wave_scan)
{
    u32 sum = 0;
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        sum = i % 16 ? sum + a[i] : a[i];
        out[i] = sum ^ b[i];
    }
}

REFERENCE(dpp_masks)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 l = i & 15, row = i % t->wave / 16, bank = l / 4;
        u32 r = mix(b[i], l < 15 ? a[i + 1] : 1111);
        r = mix(r, l < 13 ? a[i + 3] : 0);
        r = mix(r, 5 >> row & 1 && l ? a[i - 1] : 3333);
        r = mix(r, 10 >> bank & 1 && l >= 4 ? a[i - 4] : 4444);
        r = mix(r, 10 >> row & 3 >> bank & 1 ? a[i | 3] : b[i]);
        out[i] = mix(r, i & 1 ? (l >= 2 ? a[i - 2] : 5555) : 6666);
    }
}

REFERENCE(wave_shifts)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        const u32 *w = a + (i & ~63u), l = i & 63;
        u32 r = mix(b[i], l < 63 ? w[l + 1] : 7);
        r = mix(r, l ? w[l - 1] : 7);
        r = mix(r, w[(l + 1) & 63]);
        r = mix(r, w[(l - 1) & 63]);
        r = mix(r, l & 16 ? w[(l & ~15u) - 1] : 7);
        out[i] = mix(r, l & 32 ? w[31] : 7);
    }
}

REFERENCE(row_operations)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        const u32 *w = a + (i & ~15u), *x = a + ((i & ~15u) ^ 16), l = i & 15;
        u32 r = mix(mix(b[i], w[3]), w[l ^ 5]);
        r = mix(r, w[(l < 8 ? 0x01234567u >> 4 * l : 0x10101010u >> (4 * l - 32)) & 15]);
        r = mix(r, x[(l < 8 ? 0xfedcba98u >> 4 * l : 0x76543210u >> (4 * l - 32)) & 15]);
        out[i] = mix(r, a[(i & ~7u) + (0x7d1c2bu >> 3 * (i & 7) & 7)]);
    }
}

REFERENCE(half_waves)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++)
        out[i] = mix(a[i], b[t->wave == 64 ? i ^ 32 : i]);
}

REFERENCE(permlane_var)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++)
        out[i] = mix(a[(i & ~15u) + (b[i] & 15)], b[((i & ~15u) ^ 16) + (a[i] & 15)]);
}

const kernel_row kernel_lanes[] = {
    {ROW(subgroups)},
    {ROW(ballots)},
    {ROW(lane_reads)},
    {ROW(waterfall)},
    {ROW(pack)},
    {ROW(swizzles)},
    {ROW(permutes), .gens = GENS_FROM(GFX8)},
    {ROW(wave_reduce), .gens = GENS_FROM(GFX8)},
    {ROW(wave_scan), .gens = GENS_FROM(GFX8)},
    {ROW(dpp_masks), .gens = GENS_FROM(GFX8)},
    {ROW(wave_shifts), .gens = GENS_FROM(GFX8) & GENS_TO(GFX942)},
    {ROW(row_operations), .gens = GENS_FROM(GFX10)},
    {ROW(half_waves), .gens = GENS_FROM(GFX11)},
    {ROW(permlane_var), .gens = GENS_FROM(GFX12)},
    {.name = NULL},
};
