/* References of kernels_memory.cl, and of the ids of kernels.cl. */
#include "kernel_test.h"

REFERENCE(ids)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 l = i % 128;
        out[i] = l % 8 + 10 * (l / 8 % 4) + 100 * (l / 32) + 1000 * (i / 128) + 80000 + 4000000;
    }
}

REFERENCE(grid3)
{
    for (u32 i = 0; i < 13 * 7 * 5; i++)
        out[i] = i % 13 + 100 * (i / 13 % 7) + 10000 * (i / 91);
}

REFERENCE(hidden)
{
    const u32 items[3] = {20, 6, 5}, size[3] = {8, 2, 2};
    u32 r = 0;
    for (u32 d = 3; d-- > 0;)
        r = mix(r, (u64)(1000 + d) << 20 ^ items[d] / size[d] << 16 ^ size[d] << 8 ^
                       items[d] % size[d]);
    for (u32 i = 0; i < 20 * 6 * 5; i++)
        out[i] = mix(r, 3);
}

REFERENCE(packet)
{
    u32 r = mix(KERNEL_GROUP | 1 << 16, 1 + KERNEL_ITEMS * 3);
    for (u32 i = 0; i < KERNEL_ITEMS; i++)
        out[i] = mix(r, 5 + 7) ^ a[i];
}

/* The arguments of `arguments`, as OpenCL lays them out. */
typedef struct argument_block {
    u64 pointers[3];
    u32 n;
    i8 c;
    u16 h, half;
    float f;
    double d;
    i64 w;
    u8 v3[4];
    u16 v2[2];
    float v4[4];
    struct {
        u8 c;
        double d;
        u16 h[3];
        u64 gap;
        u32 v[4];
    } s;
    u64 k;
    u32 last;
} argument_block;

static const argument_block block = {.c = -5,
                                     .h = 60000,
                                     .half = 0x4248,
                                     .f = 1.5f,
                                     .d = -2.25,
                                     .w = -123456789012,
                                     .v3 = {1, 200, 3},
                                     .v2 = {65535, 7},
                                     .v4 = {1.0f, 2.5f, -3.0f, 0.5f},
                                     .s = {9, 1e100, {1, 2, 65000}, 0, {11, 22, 33}},
                                     .last = 4242};

static size_t
fill_arguments(const kernel_setup *s, uint8_t *args)
{
    memcpy(args + 28, (const uint8_t *)&block + 28, sizeof block - 28);
    memcpy(args + offsetof(argument_block, k), &s->address, 8);
    return sizeof block;
}

REFERENCE(arguments)
{
    const argument_block *k = &block;
    u32 r = mix((u32)(i32)k->c, k->h | KERNEL_ITEMS << 16);
    r = mix(r, k->half ^ f32_bits(k->f));
    r = mix(r, f64_bits(k->d) ^ (u64)k->w);
    r = mix(r, k->v3[0] + k->v3[1] * 3u + k->v3[2] * 5u + k->v2[0] * 7u + k->v2[1] * 9u);
    r = mix(r, f32_bits(k->v4[0] + k->v4[1]) ^ f32_bits(k->v4[2] * k->v4[3]));
    r = mix(r, k->s.c + k->s.h[0] + k->s.h[1] * 3u + k->s.h[2] * 5u + f64_bits(k->s.d));
    r = mix(r, k->s.v[0] + k->s.v[1] * 3 + k->s.v[2] * 5);
    for (u32 i = 0; i < KERNEL_ITEMS; i++)
        out[i] = mix(r, a[3] + k->last) ^ a[i];
}

REFERENCE(constants)
{
    static const u32 primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
    static const u32 squares[8] = {0, 1, 4, 9, 16, 25, 36, 49}, seeds[4] = {11, 22, 33, 44};
    static const char letters[] = "the quick brown fox jumps over the lazy dog";
    const u32 *lists[2] = {primes, squares};
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 x = a[i], r = primes[x & 15] * (u8)letters[x % 43];
        r = mix(r, lists[x >> 4 & 1][b[i] & 7] + seeds[x >> 8 & 3]);
        out[i] = mix(r, lists[b[3] & 1][5]);
    }
}

REFERENCE(generic_pointers)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 which = b[i] % 3, mine[4] = {a[i], b[i], a[i] + 1, b[i] + 2};
        u32 r = which == 0   ? a[i] * 5 + a[i ^ 1] * 15
                : which == 1 ? a[i] + a[i ^ 1] * 3
                             : mine[i & 3] + mine[(i & 3) ^ 1] * 3;
        if (which & 1)
            mine[r & 3] = r;
        out[i] = mix(mix(r, mine[0] + mine[1]), mine[2] ^ mine[3]) + (which & 1 ? 0 : r);
    }
}

REFERENCE(spaces)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++)
        out[i] = 7 + (a[i] & 1 ? a[i] + 1000 : a[i] & 2 ? b[i] + 2000 : 50000);
}

static u32
outside_mix(u32 x, u32 *own, const u32 *table)
{
    static const u32 kept[4] = {3, 1, 4, 1};
    u32 at = x % 6;
    *own += table[(x + at) & 7] + kept[at & 3];
    at = *own % 6;
    return mix(x, table[(x + at) & 7] + kept[at & 3]);
}

REFERENCE(outside)
{
    u32 table[8];
    for (u32 k = 0; k < 8; k++)
        table[k] = a[k] * 3;
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 own = b[i], r = outside_mix(a[i] & 0xffff, &own, b[i] & 1 ? table : a);
        if (r & 1)
            r ^= outside_mix(r & 7, &own, b);
        out[i] = mix(r, own);
    }
}

REFERENCE(unaligned)
{
    const u8 *p = (const u8 *)a;
    const u32 count = KERNEL_ITEMS * 4 / 15;
    for (u32 i = 0; i < count; i++) {
        u32 u, v;
        u64 w;
        u16 h;
        memcpy(&u, p + i * 15 + 1, 4);
        memcpy(&w, p + i * 15 + 5, 8);
        memcpy(&h, p + i * 15 + 13, 2);
        u32 r = mix(mix(mix(p[i * 15], u), w), h);
        u8 *q = (u8 *)out + i * 15;
        q[0] = (u8)r;
        v = r * 3;
        w = (u64)r << 24;
        h = (u16)(r >> 5);
        memcpy(q + 1, &v, 4);
        memcpy(q + 5, &w, 8);
        memcpy(q + 13, &h, 2);
    }
}

REFERENCE(wide_access)
{
    const u8 *ab = (const u8 *)a, *bb = (const u8 *)b;
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 at = i & 15;
        u16 h[2];
        u64 w, longs[8];
        memcpy(&h[0], ab + 2 * i, 2);
        memcpy(&h[1], bb + 2 * i, 2);
        memcpy(&w, ab + i / 2 * 8, 8);
        memcpy(longs, ab + (at & 7) * 64, 64);
        const u32 *three = b + at * 4, *four = a + at * 4, *all = b + at * 16;
        u32 r = mix(0, (u32)((i32)ab[i] + (i8)bb[i]));
        r = mix(r, (u32)((i32)h[0] + (i16)h[1]));
        r = mix(r, w);
        r = mix(r, three[0] + three[1] * 3 + three[2] * 5);
        r = mix(r, four[0] ^ four[1] << 1 ^ four[2] << 2 ^ four[3] << 3);
        r = mix(r, all[0] + all[5] * 3 + all[10] * 5 + all[15] * 7);
        r = mix(r, longs[1] ^ longs[7]);
        r = mix(r, bb[at * 16 + 3] * bb[at * 16 + 12] + bb[at * 16 + 15]);
        if (i < 64) {
            const u32 v[4] = {r, three[0], four[3], all[9]};
            memcpy(out + i * 4, v, 16);
        } else if (i < 128) {
            w = longs[2] + r;
            memcpy(out + i * 4, &w, 8);
        } else if (i < 160) {
            for (u32 c = 0; c < 8; c++)
                out[(i - 64) * 8 + c] = all[c] + all[c + 8];
        } else {
            ((u8 *)(out + 800))[i] = (u8)r;
        }
    }
}

REFERENCE(nontemporal)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++)
        out[i] = mix(a[i], a[i ^ 1] + b[i]);
}

REFERENCE(structures)
{
    for (u32 i = 0; i < KERNEL_ITEMS / 4; i++) {
        const u32 *p = a + 4 * i;
        out[4 * i] = f32_bits(some_float(p[3]) + some_float(p[0]));
        out[4 * i + 1] = p[1];
        out[4 * i + 2] = f32_bits(-some_float(p[2]));
        out[4 * i + 3] = mix(p[3], b[i]);
    }
}

REFERENCE(buffers)
{
    const u8 *p = (const u8 *)a;
    for (u32 i = 0; i < KERNEL_ITEMS - 16; i++) {
        u32 at = (b[i] & 0x3f8) / 4, wide = (b[i] & 0x1f0) / 4 + 64;
        u16 h;
        memcpy(&h, p + (i * 2 & 0x1fe) + 64, 2);
        u32 r = i < KERNEL_ITEMS / 2 ? a[i] : 0;
        r = mix(mix(r, p[i + 5]), h);
        r = mix(r, a[at] + a[at + 1] * 3);
        out[i] = mix(r, a[wide] + a[wide + 1] * 3 + a[wide + 2] * 5 + a[wide + 3] * 7);
    }
}

REFERENCE(clocks)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        out[i] = a[i];
        for (u32 k = 0; k < 5; k++)
            out[i] = mix(out[i], b[(i + k) % KERNEL_ITEMS]);
    }
}

const kernel_row kernel_memory[] = {
    {ROW(ids), .group = {8, 4, 4}, .items = {16, 8, 4}},
    {ROW(grid3), .group = {8, 4, 4}, .items = {13, 7, 5}},
    {ROW(hidden), .group = {8, 2, 2}, .items = {20, 6, 5}, .offset = 1000},
    {ROW(packet)},
    {ROW(arguments), .fill = fill_arguments},
    {ROW(constants)},
    {ROW(generic_pointers), .flags = KERNEL_CALLS, .gens = GENS_FROM(GFX7)},
    {ROW(spaces), .gens = GENS_FROM(GFX7)},
    {ROW(outside), .flags = KERNEL_CALLS, .gens = GENS_FROM(GFX7)},
    {ROW(unaligned)},
    {ROW(wide_access)},
    {ROW(nontemporal)},
    {ROW(structures)},
    {ROW(buffers), .gens = GENS_FROM(GFX7)},
    {ROW(clocks)},
    {.name = NULL},
};
