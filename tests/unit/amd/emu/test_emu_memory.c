/* Memory of the emulator: the address space, descriptors, buffers, flat, scratch, LDS, images. */
#include "emu_env.h"

#include "amd/emu/desc/texel.h"

/* A view has the regions of the memory, which its own regions leave as it was. */
static void
test_view(emu_env *e, mach_region *known)
{
    const mach_memory before = e->memory;
    arena_mark mark = arena_save(&e->a);
    mach_memory view;
    mach_memory_view(&view, &e->memory, &e->a);
    uint32_t hint = 0;
    for (uint64_t k = 0; k < 100; k++)
        assert_non_null(mach_memory_map(&view, 0x2000 + k, 1, &(uint8_t){0}, "own"));
    assert_ptr_equal(mach_memory_find(&view, &hint, known->base, 4), known);
    assert_non_null(mach_memory_find(&view, &hint, 0x2063, 1));
    assert_null(mach_memory_find(&e->memory, &hint, 0x2063, 1));
    arena_release(&e->a, mark);
    assert_memory_equal(&before, &e->memory, sizeof before);
    assert_ptr_equal(mach_memory_find(&e->memory, &hint, known->base, 4), known);
}

static void
test_address_space(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    mach_memory *m = &e->memory;
    uint32_t hint = 99;
    uint8_t bytes[64] = {0};
    mach_region *a = mach_memory_alloc(m, MACH_HEAP_LOW, 100, 0, "a");
    mach_region *b = mach_memory_alloc(m, MACH_HEAP_SET, 100, 64, "b");
    assert_non_null(mach_memory_map(m, 0x1000, sizeof bytes, bytes, "c"));
    assert_null(mach_memory_map(m, 0x103f, 8, bytes, "overlaps"));
    assert_null(mach_memory_map(m, 0xff8, 9, bytes, "overlaps"));
    assert_non_null(mach_memory_map(m, 0x1040, 8, bytes, "next"));
    assert_int_equal(b->base >> 32, MACH_SET_HEAP_HIGH);
    assert_ptr_equal(mach_memory_find(m, &hint, a->base + 96, 4), a);
    assert_null(mach_memory_find(m, &hint, a->base + 97, 4));
    assert_null(mach_memory_find(m, &hint, a->base - 1, 4));
    assert_ptr_equal(mach_memory_find(m, &hint, b->base, 100), b);
    assert_null(mach_memory_find(m, &hint, UINT64_MAX, 4));
    test_view(e, a);
    mach_region_track(m, b, false);
    mach_region_set_defined(b, 8, 4, true);
    assert_true(mach_region_is_defined(b, 8, 4));
    assert_false(mach_region_is_defined(b, 8, 5));
    emu_env_free(e);
}

/* A raw buffer of `bytes` in s[8:11]. */
static mach_region *
buffer(emu_env *e, uint32_t bytes, uint32_t stride, uint32_t records, uint32_t oob, uint32_t format)
{
    mach_region *r = mach_memory_alloc(&e->memory, MACH_HEAP_LOW, bytes, 0, "buffer");
    amd_buffer_desc d = {.base = r->base,
                         .stride = stride,
                         .num_records = records,
                         .oob = oob,
                         .format = format,
                         .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_1}};
    amd_buffer_encode(AMD_GFX10_3, &d, e->w.sgpr + 8);
    return r;
}

static uint32_t
word(const mach_region *r, uint32_t at)
{
    uint32_t v;
    memcpy(&v, r->host + at, 4);
    return v;
}

/* Raw bounds: each dword is checked, and the scalar offset is subtracted from the size; accesses
 * outside are not findings. */
static void
test_raw_buffer(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    mach_region *r = buffer(e, 64, 0, 40, AMD_OOB_RAW, AMD_FORMAT_32_FLOAT);
    for (uint32_t k = 0; k < 16; k++)
        memcpy(r->host + 4 * k, &(uint32_t){k + 1}, 4);
    for (uint32_t l = 0; l < 32; l++)
        e->w.vgpr[0][l] = 4 * l;
    e->w.sgpr[4] = 8;
    emu_set_all(e, 1, 55);
    emu_run_text(
        e,
        "buffer_load_dwordx2 v[4:5], v0, s[8:11], 0 offen offset:4\n"
        "buffer_load_dword v6, v0, s[8:11], s4 offen\nbuffer_load_ubyte v7, v0, s[8:11], 0 offen\n"
        "buffer_store_dword v1, v0, s[8:11], 0 offen offset:32");
    assert_int_equal(e->w.vgpr[4][0], 2);
    assert_int_equal(e->w.vgpr[5][7], 10);
    assert_int_equal(e->w.vgpr[4][8], 10);
    assert_int_equal(e->w.vgpr[5][8], 0); /* the second dword is outside */
    assert_int_equal(e->w.vgpr[6][7], 10);
    assert_int_equal(e->w.vgpr[6][8], 0);
    assert_int_equal(e->w.vgpr[7][9], 10);
    assert_int_equal(word(r, 36), 55);
    assert_int_equal(word(r, 40), 11); /* not stored */
    assert_int_equal(e->report.total, 0);
    emu_env_free(e);
}

/* Loads to LDS: m0 and the instruction's offset give the address; each lane writes a dword. */
static void
test_buffer_to_lds(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    mach_region *r = buffer(e, 64, 0, 40, AMD_OOB_RAW, AMD_FORMAT_32_FLOAT);
    for (uint32_t k = 0; k < 16; k++)
        memcpy(r->host + 4 * k, &(uint32_t){k ? k : 0x80}, 4);
    for (uint32_t l = 0; l < 32; l++)
        e->w.vgpr[0][l] = 4 * l;
    e->w.sgpr[AMD_REG_M0] = 0xff000000 | 256;
    e->w.sgpr[AMD_REG_EXEC_LO] = 0xfffe;
    memset(e->g.lds, 0xee, 1024);
    emu_run_text(e, "buffer_load_dword v0, s[8:11], 0 offen offset:4 lds\n"
                    "s_movk_i32 exec_lo, 1\ns_movk_i32 m0, 512\n"
                    "buffer_load_sbyte v0, s[8:11], 0 offen lds");
    uint32_t lds[256];
    memcpy(lds, e->g.lds, sizeof lds);
    assert_int_equal(lds[65], 0xeeeeeeee); /* lane 0 is off */
    assert_int_equal(lds[66], 2);          /* lane 1: bytes 8 of the buffer */
    assert_int_equal(lds[73], 9);
    assert_int_equal(lds[74], 0); /* outside */
    assert_int_equal(lds[81], 0xeeeeeeee);
    assert_int_equal(lds[128], 0xffffff80);
    assert_int_equal(e->report.total, 0);
    emu_env_free(e);
}

/* The same for global and scratch loads with the lds bit, and a formatted load, which converts. */
static void
test_loads_to_lds(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    mach_region *r = buffer(e, 64, 4, 5, AMD_OOB_INDEX, 56); /* 8_8_8_8_UNORM */
    uint32_t lds[64];
    for (uint32_t k = 0; k < 16; k++)
        memcpy(r->host + 4 * k, &(uint32_t){0x80 + k}, 4);
    for (uint32_t l = 0; l < 32; l++) {
        e->w.vgpr[0][l] = (uint32_t)r->base + 4 * l;
        e->w.vgpr[1][l] = (uint32_t)(r->base >> 32);
        e->w.vgpr[2][l] = l;
    }
    e->w.sgpr[AMD_REG_M0] = 64;
    e->w.sgpr[AMD_REG_EXEC_LO] = 0x5;
    memset(e->g.lds, 0xee, sizeof lds);
    emu_run_text(e, "global_load_dword v[0:1], off offset:8 lds\n"
                    "s_movk_i32 m0, 128\n"
                    "buffer_load_format_x v2, s[8:11], 0 idxen lds\n"
                    "s_movk_i32 m0, 192\n"
                    "global_load_sbyte v[0:1], off lds");
    memcpy(lds, e->g.lds, sizeof lds);
    assert_int_equal(lds[18], 0x82);
    assert_int_equal(lds[19], 0xeeeeeeee);
    assert_int_equal(lds[20], 0x84);
    assert_int_equal(lds[32], base_f32_bits((float)(0x80 / 255.0)));
    assert_int_equal(lds[33], 0xeeeeeeee);
    assert_int_equal(lds[34], base_f32_bits((float)(0x82 / 255.0)));
    assert_int_equal(lds[48], 0xffffff80);
    assert_int_equal(e->report.total, 0);
    emu_env_free(e);
}

static void
test_structured_and_formatted(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    /* 8_8_8_8_UNORM texels, 5 of them, stride 4 */
    mach_region *r = buffer(e, 64, 4, 5, AMD_OOB_INDEX, 56);
    for (uint32_t k = 0; k < 16; k++)
        memcpy(r->host + 4 * k, &(uint32_t){0xff00ff80 + k}, 4);
    for (uint32_t l = 0; l < 32; l++)
        e->w.vgpr[0][l] = l;
    emu_run_text(e, "buffer_load_format_xyzw v[4:7], v0, s[8:11], 0 idxen\n"
                    "tbuffer_load_format_x v8, v0, s[8:11], 0 format:[BUF_FMT_32_UINT] idxen\n"
                    "buffer_store_format_xyzw v[4:7], v0, s[8:11], 0 idxen");
    assert_int_equal(e->w.vgpr[4][0], base_f32_bits(128.0f / 255.0f));
    assert_int_equal(e->w.vgpr[5][1], 0x3f800000);
    assert_int_equal(e->w.vgpr[6][2], 0);
    assert_int_equal(e->w.vgpr[7][2], 0x3f800000); /* dst_sel 1 */
    assert_int_equal(e->w.vgpr[8][4], 0xff00ff84);
    assert_int_equal(e->w.vgpr[8][5], 0);
    assert_int_equal(e->w.vgpr[7][5], 0x3f800000); /* outside: 0, and 1 where selected */
    assert_int_equal(e->w.vgpr[4][5], 0);
    assert_int_equal(word(r, 12), 0x0000ff83); /* no component is the channel W */
    emu_env_free(e);
}

/* Scratch through a swizzled buffer with add_tid, and through scratch_* and flat_*, is the same
 * memory. */
static void
test_scratch(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    uint8_t *bytes = arena_zalloc(&e->a, 64 * 32);
    e->m.scratch = mach_memory_map(&e->memory, AMD_EMU_SCRATCH_BASE, 64 * 32, bytes, "scratch");
    amd_buffer_desc d = {.base = AMD_EMU_SCRATCH_BASE,
                         .num_records = UINT32_MAX,
                         .swizzle = true,
                         .index_stride = 32,
                         .add_tid = true,
                         .oob = AMD_OOB_EMPTY};
    amd_buffer_encode(AMD_GFX10_3, &d, e->w.sgpr + 8);
    emu_set_lanes(e, 0);
    emu_set_all(e, 1, 12);
    e->w.sgpr[4] = (uint32_t)AMD_EMU_SCRATCH_BASE;
    e->w.sgpr[5] = (uint32_t)(AMD_EMU_SCRATCH_BASE >> 32);
    emu_run_text(
        e,
        "s_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s4\ns_setreg_b32 hwreg(HW_REG_FLAT_SCR_HI), s5\n"
        "buffer_store_dword v0, off, s[8:11], 0 offset:20\nscratch_load_dword v3, v1, off "
        "offset:8\n"
        "s_mov_b64 s[6:7], src_private_base\nv_mov_b32 v4, 20\nv_mov_b32 v5, s7\n"
        "flat_load_dword v6, v[4:5]\nscratch_load_ushort v7, v1, off offset:9");
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(e->w.vgpr[3][l], 100 + l);
        assert_int_equal(e->w.vgpr[6][l], 100 + l);
        assert_int_equal(e->w.vgpr[7][l], 0);
    }
    assert_int_equal(bytes[5 * 128 + 4], 101);
    assert_int_equal(e->report.total, 0);
    emu_run_text(e, "scratch_load_dword v3, v1, off offset:52"); /* 64 bytes a lane */
    assert_int_equal(e->report.n_findings, 1);
    assert_int_equal(e->report.findings[0].check, MACH_CHECK_MEMORY);
    emu_env_free(e);
}

static void
test_global_and_scalar(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    mach_region *r = mach_memory_alloc(&e->memory, MACH_HEAP_LOW, 256, 0, "data");
    for (uint32_t k = 0; k < 64; k++)
        memcpy(r->host + 4 * k, &(uint32_t){0x80008000 + k}, 4);
    e->w.sgpr[4] = (uint32_t)r->base;
    e->w.sgpr[5] = (uint32_t)(r->base >> 32);
    for (uint32_t l = 0; l < 32; l++)
        e->w.vgpr[0][l] = 4 * l;
    emu_set_all(e, 3, 0x11111111);
    emu_set_all(e, 9, 1);
    emu_run_text(
        e,
        "global_load_short_d16_hi v3, v0, s[4:5] offset:4\nglobal_load_sbyte v4, v0, s[4:5] "
        "offset:1\n"
        "s_load_dwordx4 s[12:15], s[4:5], 0x10\ns_load_dword s16, s[4:5], 0x6\n"
        "global_atomic_add v5, v0, v9, s[4:5] glc\nglobal_atomic_umax v0, v9, s[4:5] offset:128");
    assert_int_equal(e->w.vgpr[3][2], 0x80031111);
    assert_int_equal(e->w.vgpr[4][0], 0xffffff80);
    assert_int_equal(e->w.sgpr[15], 0x80008007);
    assert_int_equal(e->w.sgpr[16], 0x80008001); /* the low bits of the address are ignored */
    assert_int_equal(e->w.vgpr[5][3], 0x80008003);
    assert_int_equal(word(r, 12), 0x80008004);
    assert_int_equal(e->report.total, 0);
    emu_run_text(e,
                 "global_load_dword v4, v0, s[4:5] offset:252\ns_load_dword s17, s[4:5], 0x1000");
    assert_int_equal(e->report.n_findings, 2);
    assert_int_equal(e->report.findings[0].lane, 1);
    assert_int_equal(e->w.vgpr[4][1], 0);
    emu_env_free(e);
}

static void
test_lds(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    for (uint32_t l = 0; l < 32; l++) {
        e->w.vgpr[0][l] = 8 * l;
        e->w.vgpr[1][l] = l;
        e->w.vgpr[2][l] = 1000 + l;
    }
    emu_set_all(e, 20, 0);
    emu_set_all(e, 21, 3);
    emu_run_text(
        e, "ds_write2_b32 v0, v1, v2 offset0:0 offset1:1\nds_read_b64 v[4:5], v0\nds_read_u16 v6, "
           "v0 offset:4\n"
           "ds_add_rtn_u32 v7, v20, v21 offset:1024\nds_cmpst_rtn_b32 v8, v0, v1, v21\n"
           "ds_read_b32 v9, v0\nds_max_rtn_u32 v10, v20, v2 offset:2048\n"
           "ds_write_b8 v1, v2 offset:3000\nds_read_i8 v11, v1 offset:3000\nds_wrxchg_rtn_b32 v12, "
           "v0, v20\n"
           "s_mov_b32 m0, -1\nds_append v13 offset:4092\nds_consume v14 offset:4092\n"
           "ds_read_u8_d16_hi v2, v0 offset:1");
    assert_int_equal(e->w.vgpr[4][7], 7);
    assert_int_equal(e->w.vgpr[5][7], 1007);
    assert_int_equal(e->w.vgpr[6][7], 1007);
    assert_int_equal(e->w.vgpr[7][31], 93);
    assert_int_equal(e->w.vgpr[8][5], 5); /* compared with v1: equal, so v21 is stored */
    assert_int_equal(e->w.vgpr[9][5], 3);
    assert_int_equal(e->w.vgpr[10][31], 1030);
    assert_int_equal(e->w.vgpr[11][2], 0xffffffea);
    assert_int_equal(e->w.vgpr[12][5], 3);
    assert_int_equal(e->w.vgpr[13][9], 0); /* the value before, for all; m0 does not matter */
    assert_int_equal(e->w.vgpr[14][9], 32);
    assert_int_equal(e->w.vgpr[2][3], 1003);
    assert_int_equal(e->report.total, 0);
    emu_set_all(e, 0, 4094);
    emu_run_text(e, "ds_read_b32 v4, v0");
    assert_int_equal(e->report.findings[0].check, MACH_CHECK_MEMORY);
    assert_int_equal(e->w.vgpr[4][0], 0);
    emu_env_free(e);
}

/* Descriptors survive encoding and decoding. */
static void
test_descriptors(void **state)
{
    (void)state;
    uint32_t words[8], again[8];
    amd_buffer_desc b = {.base = UINT64_C(0xffff800012345678),
                         .stride = 16383,
                         .num_records = 77,
                         .swizzle = true,
                         .index_stride = 64,
                         .add_tid = true,
                         .oob = 2,
                         .format = 77,
                         .dst_sel = {4, 5, 0, 1}};
    amd_buffer_desc b2;
    amd_buffer_encode(AMD_GFX10_3, &b, words);
    amd_buffer_decode(AMD_GFX10_3, words, &b2);
    amd_buffer_encode(AMD_GFX10_3, &b2, again);
    assert_memory_equal(words, again, 16);
    assert_int_equal(b2.base, b.base);
    amd_image_desc d = {.base = UINT64_C(0x12345600),
                        .format = 130,
                        .width = 4096,
                        .height = 777,
                        .depth = 5,
                        .base_array = 2,
                        .base_level = 1,
                        .last_level = 3,
                        .max_mip = 9,
                        .min_lod = 256,
                        .dst_sel = {6, 5, 4, 1},
                        .type = AMD_IMG_2D_ARRAY};
    amd_image_desc d2;
    amd_image_encode(AMD_GFX10_3, &d, words);
    amd_image_decode(AMD_GFX10_3, words, &d2);
    amd_image_encode(AMD_GFX10_3, &d2, again);
    assert_memory_equal(words, again, 32);
    assert_int_equal(d2.height, d.height);
    amd_sampler_desc s = {.clamp = {1, 2, 6},
                          .compare = 3,
                          .unnormalized = true,
                          .min_lod = 256,
                          .max_lod = 4095,
                          .lod_bias = -300,
                          .mag_filter = 1,
                          .min_filter = 1,
                          .z_filter = 2,
                          .mip_filter = 2,
                          .border_type = 2};
    amd_sampler_desc s2;
    amd_sampler_encode(AMD_GFX10_3, &s, words);
    amd_sampler_decode(AMD_GFX10_3, words, &s2);
    amd_sampler_encode(AMD_GFX10_3, &s2, again);
    assert_memory_equal(words, again, 16);
    assert_int_equal(s2.lod_bias, s.lod_bias);
    /* the words themselves, against the manual's positions */
    amd_buffer_encode(AMD_GFX10_3,
                      &(amd_buffer_desc){.base = 0x1000,
                                         .num_records = 64,
                                         .oob = 3,
                                         .format = 22,
                                         .dst_sel = {4, 5, 6, 7},
                                         .index_stride = 8},
                      words);
    assert_int_equal(words[3], 0x31016fac);
}

static bool
same_channels(const mach_format_info *x, const mach_format_info *y)
{
    return x->kind == y->kind && !memcmp(x->bits, y->bits, sizeof x->bits) &&
           !strcmp(x->swizzle, y->swizzle);
}

/* Every format of the hardware survives encoding and decoding, or becomes one with the same
 * channels. */
static void
test_formats(void **state)
{
    (void)state;
    unsigned n = 0;
    for (mach_format f = (mach_format)1; f < MACH_FORMAT_COUNT; f++) {
        uint32_t sel[4];
        char swizzle[5];
        uint32_t hw = amd_format_from_mach(f, sel);
        /* BC1 without alpha is a selection of components of BC1 */
        if (!hw || mach_format_get(f)->block == MACH_BLOCK_BC1_OPAQUE)
            continue;
        mach_format back = amd_format_to_mach(hw, sel, swizzle);
        if (!mach_format_is_depth(f)) {
            assert_int_equal(swizzle[0], 0);
            assert_true(same_channels(mach_format_get(back), mach_format_get(f)));
        }
        n++;
    }
    assert_true(n > 70);
}

/* An image in s[16:23], sampler in s[24:27]. */
static mach_image
image(emu_env *e, mach_format f, mach_dim dim, uint32_t w, uint32_t h, uint32_t layers,
      uint32_t levels)
{
    uint32_t words[8];
    amd_image_desc d;
    mach_image m = {.format = f,
                    .dim = dim,
                    .array = layers > 1 && dim != MACH_DIM_3D,
                    .width = w,
                    .height = h,
                    .depth = dim == MACH_DIM_3D ? layers : 1,
                    .samples = 1,
                    .levels = levels,
                    .layers = dim == MACH_DIM_3D ? 1 : layers};
    uint64_t size = mach_image_layout(&m);
    mach_region *r = mach_memory_alloc(&e->memory, MACH_HEAP_LOW, size, 256, "image");
    m.data = r->host;
    m.size = size;
    assert_true(amd_image_from_mach(AMD_GFX10_3, &m, r->base, &d));
    amd_image_encode(AMD_GFX10_3, &d, words);
    memcpy(e->w.sgpr + 16, words, sizeof words);
    return m;
}

static void
test_image_load_store(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    mach_image m = image(e, mach_format_from_name("r32_uint"), MACH_DIM_2D, 8, 4, 3, 1);
    for (uint32_t l = 0; l < 32; l++) {
        e->w.vgpr[0][l] = l % 8;
        e->w.vgpr[1][l] = l / 8;
        e->w.vgpr[2][l] = 2;
        e->w.vgpr[3][l] = 500 + l;
        e->w.vgpr[8][l] = 1;
    }
    emu_run_text(
        e, "image_store v3, v[0:2], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY unorm\n"
           "image_load v4, v[0:2], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY unorm\n"
           "image_load v[10:13], v[0:2], s[16:23] dmask:0xf dim:SQ_RSRC_IMG_2D_ARRAY unorm\n"
           "v_mov_b32 v5, v0\nv_mov_b32 v6, 0\nv_mov_b32 v7, 0\nv_mov_b32 v9, 5\n"
           "image_atomic_add v8, v[5:7], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY unorm glc\n"
           "image_load v14, [v0, v9, v2], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY unorm\n"
           "v_mov_b32 v15, 0\nimage_get_resinfo v[16:19], v15, s[16:23] dmask:0xf "
           "dim:SQ_RSRC_IMG_2D_ARRAY unorm");
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(e->w.vgpr[4][l], 500 + l);
        assert_int_equal(e->w.vgpr[13][l], 1);
        assert_int_equal(e->w.vgpr[8][l], l / 8); /* four lanes a texel, in order */
        assert_int_equal(e->w.vgpr[14][l], 0);    /* outside */
    }
    uint64_t at = mach_texel_offset(&m, 3, 1, 2, 0, 0);
    assert_int_equal(m.data[at] | m.data[at + 1] << 8, 511);
    assert_int_equal(e->w.vgpr[16][0], 8);
    assert_int_equal(e->w.vgpr[17][0], 4);
    assert_int_equal(e->w.vgpr[18][0], 3);
    assert_int_equal(e->w.vgpr[19][0], 1);
    assert_int_equal(e->report.total, 0);
    emu_env_free(e);
}

static void
test_image_sample(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    mach_image m = image(e, mach_format_from_name("r8g8b8a8_unorm"), MACH_DIM_2D, 2, 2, 1, 1);
    for (uint32_t k = 0; k < 4; k++) {
        mach_texel t = {{k & 1 ? 0x3f800000 : 0, k & 2 ? 0x3f800000 : 0, 0, 0x3f800000}};
        mach_image_store(&m, (int32_t[4]){(int32_t)(k & 1), (int32_t)(k >> 1), 0, 0}, 0, 0, &t);
    }
    amd_sampler_desc s;
    amd_sampler_from_mach(
        &(mach_sampler){
            .mag_linear = true, .min_linear = true, .max_lod = 15, .address = {2, 2, 2}},
        &s);
    amd_sampler_encode(AMD_GFX10_3, &s, e->w.sgpr + 24);
    emu_set_all(e, 0, 0x3f000000); /* the middle of all four */
    emu_set_all(e, 1, 0x3e800000); /* the upper row */
    emu_set_all(e, 2, 0);
    emu_run_text(
        e, "image_sample_lz v[4:7], v[0:1], s[16:23], s[24:27] dmask:0xf dim:SQ_RSRC_IMG_2D\n"
           "image_sample_l v8, v[0:2], s[16:23], s[24:27] dmask:0x2 dim:SQ_RSRC_IMG_2D\n"
           "image_gather4_lz v[10:13], v[0:1], s[16:23], s[24:27] dmask:0x1 dim:SQ_RSRC_IMG_2D\n"
           "image_sample_lz v[14:15], v[0:1], s[16:23], s[24:27] dmask:0xf dim:SQ_RSRC_IMG_2D d16");
    assert_int_equal(e->w.vgpr[4][0], 0x3f000000);
    assert_int_equal(e->w.vgpr[5][0], 0);
    assert_int_equal(e->w.vgpr[7][31], 0x3f800000);
    assert_int_equal(e->w.vgpr[8][0], 0);
    assert_int_equal(e->w.vgpr[11][0], 0x3f800000); /* (1, 1) of the footprint */
    assert_int_equal(e->w.vgpr[14][0], 0x00003800);
    assert_int_equal(e->w.vgpr[15][0], 0x3c000000);
    emu_env_free(e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_address_space),
        cmocka_unit_test(test_raw_buffer),
        cmocka_unit_test(test_buffer_to_lds),
        cmocka_unit_test(test_loads_to_lds),
        cmocka_unit_test(test_structured_and_formatted),
        cmocka_unit_test(test_scratch),
        cmocka_unit_test(test_global_and_scalar),
        cmocka_unit_test(test_lds),
        cmocka_unit_test(test_descriptors),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_image_load_store),
        cmocka_unit_test(test_image_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
