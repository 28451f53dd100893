/* Buffer descriptors of every generation, written by hand from the guides' tables, and the bytes
 * that loads through them access: bounds, swizzled addresses, addr64, formats. */
#include "emu_env.h"

#include "amd/emu/desc/descriptor.h"

#define SEL_XYZW 0xfacu

/* Word 3 of a descriptor, and its meaning. */
typedef struct word_case {
    amd_gen gen;
    uint32_t word1, word3;
    uint32_t stride, format, element_size, index_stride, oob;
    bool swizzle, add_tid;
} word_case;

/* word 1: stride 29:16, cache swizzle 30, swizzle 31; gfx11 on: swizzle 31:30. Word 3, gfx6 to
 * gfx9: number format 14:12, data format 18:15, gfx6 to gfx8 element size 20:19, index stride
 * 22:21, add tid 23; gfx10: format 18:12, RESOURCE_LEVEL 24, OOB_SELECT 29:28; gfx11, gfx12: format
 * 17:12, gfx12 stride scale 19:18. */
static const word_case word_cases[] = {
    /* 8_8_8_8 UNORM; elements of 16 bytes */
    {AMD_GFX6, 0x80100000, SEL_XYZW | 10 << 15 | 3 << 19 | 2 << 21, 16, 56, 16, 32, 0, true, false},
    /* 32_32 FLOAT; elements of 2 bytes; add_tid leaves the data format alone */
    {AMD_GFX7, 0x80080000, SEL_XYZW | 7 << 12 | 11 << 15 | 1 << 23, 8, 64, 2, 8, 0, true, true},
    /* add_tid: the data format is the stride's upper part */
    {AMD_GFX8, 0x80080000, SEL_XYZW | 7 << 12 | 5 << 15 | 1 << 19 | 1 << 23, 5 << 14 | 8, 0, 4, 8,
     0, true, true},
    {AMD_GFX8, 0x00080000, SEL_XYZW | 4 << 12 | 13 << 15 | 2 << 19, 8, 72, 8, 8, 0, false, false},
    {AMD_GFX9, 0x00080000, SEL_XYZW | 5 << 12 | 9 << 15 | 3 << 19 | 3 << 21, 8, 55, 4, 64, 0, false,
     false},
    {AMD_GFX942, 0x00010000, SEL_XYZW | 1 << 15 | 1 << 23, (1 << 14) + 1, 0, 4, 8, 0, false, true},
    {AMD_GFX10, 0x80100000, SEL_XYZW | 77 << 12 | 1 << 21 | 1 << 24 | 1 << 28, 16, 77, 4, 16, 1,
     true, false},
    {AMD_GFX10_3, 0x40100000, SEL_XYZW | 22 << 12 | 1 << 24 | 3 << 28, 16, 22, 4, 8, 3, false,
     false},
    /* 42 is 8_8_8_8_UNORM, 63 32_32_32_32_FLOAT, 30 10_11_11_FLOAT, 35 10_10_10_2_SINT */
    {AMD_GFX11, 0x40100000, SEL_XYZW | 42 << 12 | 3 << 28, 16, 56, 4, 8, 3, true, false},
    {AMD_GFX11_5, 0xc0100000, SEL_XYZW | 63 << 12 | 2 << 21, 16, 77, 16, 32, 0, true, false},
    {AMD_GFX11, 0x00100000, SEL_XYZW | 30 << 12, 16, 36, 4, 8, 0, false, false},
    {AMD_GFX12, 0x00100000, SEL_XYZW | 35 << 12 | 2 << 18, 128, 49, 4, 8, 0, false, false},
    {AMD_GFX12, 0xffff0000, SEL_XYZW | 22 << 12 | 3 << 18 | 1 << 23, 16383 * 32, 22, 16, 8, 0, true,
     true},
};

static void
test_words(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof word_cases / sizeof *word_cases; k++) {
        const word_case *c = &word_cases[k];
        uint32_t words[4] = {0x89abcdef, c->word1 | 0x4567, 77, c->word3}, again[4];
        amd_buffer_desc d;
        amd_buffer_decode(c->gen, words, &d);
        assert_true(d.base == UINT64_C(0x456789abcdef));
        assert_int_equal(d.num_records, 77);
        assert_int_equal(d.stride, c->stride);
        assert_int_equal(d.format, c->format);
        assert_int_equal(d.index_stride, c->index_stride);
        assert_int_equal(d.oob, c->oob);
        assert_int_equal(d.swizzle, c->swizzle);
        assert_int_equal(d.add_tid, c->add_tid);
        if (d.swizzle)
            assert_int_equal(d.element_size, c->element_size);
        amd_buffer_encode(c->gen, &d, again);
        assert_int_equal(again[0], words[0]);
        assert_int_equal(again[2], words[2]);
        amd_buffer_desc d2;
        amd_buffer_decode(c->gen, again, &d2);
        assert_int_equal(d2.stride, d.stride);
        assert_int_equal(d2.format, d.format);
        assert_int_equal(d2.swizzle, d.swizzle);
        if (d.swizzle)
            assert_int_equal(d2.element_size, d.element_size);
        assert_int_equal(d2.index_stride, d.index_stride);
        assert_int_equal(d2.oob, d.oob);
    }
}

/* The byte that a load of a dword accesses. */
typedef struct load_case {
    const char *what;
    amd_gen gen;
    uint32_t word1, records, word3;
    const char *modifiers;
    uint32_t index, offset, scalar;
    int32_t place; /* byte in the buffer; -1: out of bounds */
} load_case;

#define GCN       (SEL_XYZW | 4u << 15 | 4u << 12) /* 32 UINT */
#define RDNA      (SEL_XYZW | 22u << 12)           /* 32_FLOAT */
#define STRIDE(n) ((uint32_t)(n) << 16)
#define SWIZZLE   0x80000000u

static const load_case load_cases[] = {
    /* gfx6, gfx7: records are bytes if the stride is 0 */
    {"raw", AMD_GFX6, 0, 40, GCN, "offen", 0, 36, 0, 36},
    {"raw, end", AMD_GFX7, 0, 40, GCN, "offen", 0, 40, 0, -1},
    {"raw, scalar", AMD_GFX7, 0, 40, GCN, "offen", 0, 24, 12, 36},
    {"raw, scalar, end", AMD_GFX7, 0, 40, GCN, "offen", 0, 28, 12, -1},
    {"strides", AMD_GFX6, STRIDE(8), 5, GCN, "idxen offen", 4, 4, 0, 36},
    {"strides, index", AMD_GFX6, STRIDE(8), 5, GCN, "idxen offen", 5, 0, 0, -1},
    {"strides, offset", AMD_GFX6, STRIDE(8), 5, GCN, "idxen offen", 1, 8, 0, -1},
    {"strides, no index", AMD_GFX7, STRIDE(8), 5, GCN, "offen", 0, 20, 0, 20},
    /* gfx8: bytes unless swizzled */
    {"bytes", AMD_GFX8, STRIDE(8), 40, GCN, "idxen offen", 4, 4, 0, 36},
    {"bytes, end", AMD_GFX8, STRIDE(8), 36, GCN, "idxen offen", 4, 4, 0, -1},
    {"bytes, beyond the stride", AMD_GFX8, STRIDE(8), 40, GCN, "idxen offen", 1, 12, 0, 20},
    /* gfx9: strides with idxen, else bytes */
    {"strides", AMD_GFX9, STRIDE(8), 5, GCN, "idxen offen", 4, 4, 0, 36},
    {"strides, index", AMD_GFX90A, STRIDE(8), 5, GCN, "idxen", 5, 0, 0, -1},
    {"bytes", AMD_GFX9, STRIDE(8), 5, GCN, "offen", 0, 4, 0, -1},
    {"bytes", AMD_GFX942, STRIDE(8), 8, GCN, "offen", 0, 4, 0, 4},
    /* OOB_SELECT */
    {"structured", AMD_GFX10, STRIDE(8), 5, RDNA, "idxen offen", 4, 4, 0, 36},
    {"structured, offset", AMD_GFX11, STRIDE(8), 5, RDNA, "idxen offen", 4, 8, 0, -1},
    {"index", AMD_GFX11, STRIDE(8), 5, RDNA | 1u << 28, "idxen offen", 3, 8, 0, 32},
    {"raw", AMD_GFX12, 0, 40, RDNA | 3u << 28, "offen", 0, 28, 8, 36},
    {"raw, end", AMD_GFX12, 0, 40, RDNA | 3u << 28, "offen", 0, 28, 12, -1},
    {"no check", AMD_GFX12, 0, 1, RDNA | 2u << 28, "offen", 0, 60, 0, 60},
    /* swizzled: groups of 8 indices, in elements of the given size */
    {"elements of 4", AMD_GFX6, STRIDE(16) | SWIZZLE, 16, GCN | 1 << 19, "idxen offen", 9, 4, 0,
     128 + 32 + 4},
    {"elements of 8", AMD_GFX8, STRIDE(16) | SWIZZLE, 16, GCN | 2 << 19, "idxen offen", 3, 12, 0,
     64 + 24 + 4},
    {"elements of 16", AMD_GFX7, STRIDE(16) | SWIZZLE, 16, GCN | 3 << 19, "idxen offen", 3, 12, 0,
     48 + 12},
    {"always 4", AMD_GFX9, STRIDE(16) | SWIZZLE, 16, GCN | 3 << 19, "idxen offen", 3, 12, 0,
     96 + 12},
    {"always 4", AMD_GFX10, STRIDE(16) | SWIZZLE, 16, RDNA, "idxen offen", 3, 12, 0, 96 + 12},
    {"elements of 4", AMD_GFX11, STRIDE(16) | 1u << 30, 16, RDNA, "idxen offen", 3, 12, 0, 96 + 12},
    {"elements of 16", AMD_GFX11_5, STRIDE(16) | 3u << 30, 16, RDNA, "idxen offen", 3, 12, 0,
     48 + 12},
    {"scalar added", AMD_GFX11, STRIDE(16) | 1u << 30, 16, RDNA, "idxen offen", 3, 4, 4,
     32 + 12 + 4},
    {"scalar swizzled", AMD_GFX12, STRIDE(16) | 1u << 30, 16, RDNA, "idxen offen", 3, 4, 4,
     64 + 12},
    /* without an index not swizzled, from gfx9 on */
    {"offset alone", AMD_GFX8, STRIDE(16) | SWIZZLE, 16, GCN | 1 << 19, "offen", 0, 4, 0, 32},
    {"offset alone", AMD_GFX9, STRIDE(16383) | SWIZZLE, 16, GCN, "offen", 0, 4, 0, 4},
    {"offset alone", AMD_GFX10_3, STRIDE(16383) | SWIZZLE, 16, RDNA | 3u << 28, "offen", 0, 4, 0,
     4},
    {"offset alone, end", AMD_GFX11, STRIDE(16383) | 3u << 30, 16, RDNA | 3u << 28, "offen", 0, 16,
     0, -1},
    {"offset alone", AMD_GFX12, STRIDE(16383) | 3u << 30, 16, RDNA | 3u << 28, "offen", 0, 12, 0,
     12},
    /* gfx12's scale of the stride */
    {"scale 8", AMD_GFX12, STRIDE(4), 8, RDNA | 2 << 18, "idxen", 2, 0, 0, 64},
    /* no resource at all: format INVALID */
    {"unbound", AMD_GFX8, 0, 64, SEL_XYZW, "offen", 0, 0, 0, -1},
    {"unbound", AMD_GFX11, 0, 64, SEL_XYZW | 3u << 28, "offen", 0, 0, 0, -1},
    {"lanes", AMD_GFX8, 0, 64, SEL_XYZW | 1 << 23, "offen", 0, 4, 0, 4},
};

enum { BYTES = 512, UNTOUCHED = 0x7777 };

static void
run_load(const load_case *c)
{
    emu_env *e = emu_env_new(64);
    mach_region *r = mach_memory_alloc(&e->memory, MACH_HEAP_LOW, BYTES, 0, "buffer");
    bool both = !strcmp(c->modifiers, "idxen offen");
    e->d.gen = c->gen;
    for (uint32_t k = 0; k < BYTES / 4; k++)
        memcpy(r->host + 4 * k, &(uint32_t){1000 + 4 * k}, 4);
    e->w.sgpr[8] = (uint32_t)r->base;
    e->w.sgpr[9] = (uint32_t)(r->base >> 32) | c->word1;
    e->w.sgpr[10] = c->records;
    e->w.sgpr[11] = c->word3;
    e->w.sgpr[20] = c->scalar;
    e->w.sgpr[AMD_REG_EXEC_LO] = 1;
    e->w.sgpr[AMD_REG_EXEC_HI] = 0;
    e->w.vgpr[2][0] = both || !strcmp(c->modifiers, "idxen") ? c->index : c->offset;
    e->w.vgpr[3][0] = c->offset;
    emu_set_all(e, 4, UNTOUCHED);
    emu_run_text(e, arena_printf(&e->a, "%s v4, %s, s[8:11], s20 %s",
                                 c->gen >= AMD_GFX11 ? "buffer_load_b32" : "buffer_load_dword",
                                 both ? "v[2:3]" : "v2", c->modifiers));
    uint32_t expected = c->place < 0 ? 0 : 1000 + (uint32_t)c->place;
    if (e->w.vgpr[4][0] != expected || e->w.vgpr[4][1] != UNTOUCHED)
        fail_msg("%s (gen %u): %u, not %u", c->what, (unsigned)c->gen, e->w.vgpr[4][0], expected);
    assert_int_equal(e->report.total, 0);
    emu_env_free(e);
}

static void
test_bounds(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof load_cases / sizeof *load_cases; k++)
        run_load(&load_cases[k]);
}

/* gfx6, gfx7: base + 64-bit VGPR address + offsets, never out of bounds. */
static void
test_addr64(void **state)
{
    (void)state;
    for (amd_gen gen = AMD_GFX6; gen <= AMD_GFX7; gen++) {
        emu_env *e = emu_env_new(64);
        mach_region *r = mach_memory_alloc(&e->memory, MACH_HEAP_LOW, 64, 0, "buffer");
        e->d.gen = gen;
        memcpy(r->host + 44, &(uint32_t){4711}, 4);
        e->w.sgpr[8] = 16;
        e->w.sgpr[11] = 0xf000;
        e->w.sgpr[20] = 8;
        emu_set_all(e, 2, (uint32_t)r->base);
        emu_set_all(e, 3, (uint32_t)(r->base >> 32));
        emu_run_text(e, "buffer_load_dword v4, v[2:3], s[8:11], s20 addr64 offset:20");
        assert_int_equal(e->w.vgpr[4][63], 4711);
        assert_int_equal(e->report.total, 0);
        emu_env_free(e);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_addr64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
