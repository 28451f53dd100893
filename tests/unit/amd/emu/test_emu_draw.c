/* Draws by registers: hand-assembled vertex and pixel shaders on each generation's hardware. A
 * triangle that covers the target has its position as colour. */
#include "emu_env.h"

#include "amd/emu/draw/draw.h"
#include "base/fp.h"

enum { SIZE = 16 };

typedef struct canvas {
    arena a;
    mach_memory m;
    mach_report report;
    amd_hw_registers regs;
    mach_region *target, *depth, *ring;
    mach_draw_counts counts;
    amd_draw draw;
} canvas;

typedef struct generation {
    amd_gen gen;
    bool ngg, ring;
} generation;

static const generation generations[] = {
    {AMD_GFX6, false, false},    {AMD_GFX7, false, false},   {AMD_GFX8, false, false},
    {AMD_GFX9, false, false},    {AMD_GFX10, false, false},  {AMD_GFX10, true, false},
    {AMD_GFX10_3, false, false}, {AMD_GFX10_3, true, false}, {AMD_GFX11, true, true},
    {AMD_GFX11_5, true, true},   {AMD_GFX12, true, true}};
enum { N_GENERATIONS = sizeof generations / sizeof *generations };

/* ---- shaders ---- */

/* Vertices 0, 1, 2 are at (-1, -1), (3, -1), (-1, 3): %s is the register of the vertex's number. */
static const char place[] = "v_mov_b32 v11, -1.0\n"
                            "v_mov_b32 v12, 0x40400000\n"
                            "v_cmp_eq_u32 vcc, 1, %s\n"
                            "v_cndmask_b32 v13, v11, v12, vcc\n"
                            "v_cmp_eq_u32 vcc, 2, %s\n"
                            "v_cndmask_b32 v14, v11, v12, vcc\n"
                            "v_mov_b32 v15, 0.5\n"
                            "v_mov_b32 v16, 1.0\n"
                            "exp pos0 v13, v14, v15, v16 done\n";

static const char allocate[] = "s_bfe_u32 s10, s2, 0x9000c\n"
                               "s_bfe_u32 s11, s2, 0x90016\n"
                               "s_lshl_b32 s11, s11, 12\n"
                               "s_or_b32 m0, s10, s11\n"
                               "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n"
                               "s_bfe_u32 s12, s3, 0x80008\n"
                               "s_bfm_b64 exec, s12, 0\n"
                               "exp prim v0, off, off, off done\n"
                               "s_and_b32 s12, s3, 0xff\n"
                               "s_bfm_b64 exec, s12, 0\n";

/* s[8:9]: the ring. */
static const char to_ring[] = "v_mbcnt_lo_u32_b32 v17, -1, 0\n"
                              "v_lshlrev_b32 v17, 4, v17\n"
                              "global_store_b128 v17, v[13:16], s[8:9]\n";

static const char *
vertex_shader(canvas *c, const generation *g)
{
    const char *reg = !g->ngg ? "v0" : g->gen >= AMD_GFX12 ? "v3" : "v5";
    return arena_printf(&c->a, "%s%s%ss_endpgm\n", g->ngg ? allocate : "",
                        arena_printf(&c->a, place, reg, reg),
                        g->ring ? to_ring : "exp param0 v13, v14, v15, v16\n");
}

static const char *
pixel_shader(canvas *c, const generation *g, const char *last)
{
    base_buf b = buf_make(&c->a);
    buf_puts(&b, "s_mov_b32 m0, s0\n");
    for (unsigned k = 0; k < 4; k++) {
        char channel = "xyzw"[k];
        if (g->gen >= AMD_GFX11)
            buf_printf(&b,
                       "%s v9, attr0.%c\n"
                       "v_interp_p10_f32 v8, v9, v0, v9 wait_exp:0\n"
                       "v_interp_p2_f32 v%u, v9, v1, v8 wait_exp:7\n",
                       g->gen >= AMD_GFX12 ? "ds_param_load" : "lds_param_load", channel, 2 + k);
        else
            buf_printf(&b,
                       "v_interp_p1_f32 v%u, v0, attr0.%c\n"
                       "v_interp_p2_f32 v%u, v1, attr0.%c\n",
                       2 + k, channel, 2 + k, channel);
    }
    buf_puts(&b, last ? last : "exp mrt0 v2, v3, v4, v5 done");
    buf_puts(&b, g->gen >= AMD_GFX11 || last ? "\ns_endpgm\n" : " vm\ns_endpgm\n");
    return buf_text(&b);
}

/* ---- registers ---- */

#define SET(field, v)   amd_hw_set_register_field(&c->regs, AMD_HW_##field, 0, v)
#define SET_REG(reg, v) amd_hw_set_register(&c->regs, AMD_HW_##reg, 0, v)

static uint64_t
place_code(canvas *c, const generation *g, const char *text)
{
    return emu_assemble_for(g->gen, &c->a, &c->m, 64, text)->base >> 8;
}

static void
set_vertex_stage(canvas *c, const generation *g)
{
    enum { VGPRS_32 = 7, SGPRS_32 = 3 };
    uint64_t code = place_code(c, g, vertex_shader(c, g));
    if (!g->ngg) {
        SET_REG(SPI_SHADER_PGM_LO_VS, (uint32_t)code);
        SET(SPI_SHADER_PGM_RSRC1_VS_VGPRS, VGPRS_32);
        SET(SPI_SHADER_PGM_RSRC1_VS_SGPRS, SGPRS_32);
        return;
    }
    SET_REG(SPI_SHADER_PGM_LO_ES, (uint32_t)code);
    SET(SPI_SHADER_PGM_RSRC1_GS_VGPRS, VGPRS_32);
    SET(SPI_SHADER_PGM_RSRC1_GS_SGPRS, SGPRS_32);
    SET(VGT_SHADER_STAGES_EN_PRIMGEN_EN, 1);
    SET(VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_EN, 1);
    SET(GE_CNTL_VERT_GRP_SIZE, 64);
    SET(GE_CNTL_PRIM_GRP_SIZE, 64);
    SET(GE_CNTL_VERTS_PER_SUBGRP, 64);
    SET(GE_CNTL_PRIMS_PER_SUBGRP, 64);
    if (!g->ring)
        return;
    SET(SPI_SHADER_PGM_RSRC2_GS_USER_SGPR, 2);
    c->ring = mach_memory_alloc(&c->m, MACH_HEAP_LOW, 65536, 65536, "ring");
    SET_REG(SPI_ATTRIBUTE_RING_BASE, (uint32_t)(c->ring->base >> 16));
    amd_hw_set_register(&c->regs, AMD_HW_SPI_SHADER_USER_DATA_GS_0, 0, (uint32_t)c->ring->base);
    amd_hw_set_register(&c->regs, AMD_HW_SPI_SHADER_USER_DATA_GS_0, 1,
                        (uint32_t)(c->ring->base >> 32));
}

static void
set_pixel_stage(canvas *c, const generation *g, const char *last)
{
    enum { PERSP_CENTER = 2, FORMAT_32_ABGR = 9 };
    uint64_t code = place_code(c, g, pixel_shader(c, g, last));
    SET_REG(SPI_SHADER_PGM_LO_PS, (uint32_t)code);
    SET(SPI_SHADER_PGM_RSRC1_PS_VGPRS, 7);
    SET(SPI_SHADER_PGM_RSRC1_PS_SGPRS, 3);
    SET_REG(SPI_PS_INPUT_ENA, PERSP_CENTER);
    SET_REG(SPI_PS_INPUT_ADDR, PERSP_CENTER);
    SET(SPI_PS_IN_CONTROL_NUM_INTERP, 1);
    SET(SPI_SHADER_GS_OUT_CONFIG_PS_NUM_INTERP, 1);
    SET_REG(SPI_SHADER_COL_FORMAT, FORMAT_32_ABGR);
    SET_REG(CB_SHADER_MASK, 15);
    SET_REG(CB_TARGET_MASK, 15);
}

/* A linear image of 16 x 16 texels with four bytes, in rows of 256 bytes, on gfx12 of 128. */
static void
set_target(canvas *c)
{
    enum { COLOR_8_8_8_8 = 10, LINEAR_MODE = 8, PITCH = 64 };
    c->target = mach_memory_alloc(&c->m, MACH_HEAP_LOW, 256 * SIZE, 65536, "target");
    SET_REG(CB_COLOR0_BASE, (uint32_t)(c->target->base >> 8));
    SET(CB_COLOR0_INFO_FORMAT, COLOR_8_8_8_8);
    SET(CB_COLOR0_ATTRIB_TILE_MODE_INDEX, LINEAR_MODE);
    SET(CB_COLOR0_PITCH_TILE_MAX, PITCH / 8 - 1);
    SET(CB_COLOR0_SLICE_TILE_MAX, PITCH * SIZE / 64 - 1);
    if (c->regs.gen >= AMD_GFX9) {
        SET_REG(CB_COLOR0_ATTRIB, 0);
        SET(CB_COLOR0_ATTRIB2_MIP0_WIDTH, SIZE - 1);
        SET(CB_COLOR0_ATTRIB2_MIP0_HEIGHT, SIZE - 1);
        SET(CB_COLOR0_ATTRIB_RESOURCE_TYPE, 1);
        SET(CB_COLOR0_ATTRIB3_RESOURCE_TYPE, 1);
        SET(CB_MRT0_EPITCH_EPITCH, PITCH - 1);
    }
    SET(CB_COLOR_CONTROL_MODE, 1);
    SET(CB_COLOR_CONTROL_ROP3, 0xcc);
}

/* Binary32 depths in rows of the same size, up to gfx8 in what are tiles on hardware. All depths
 * pass and are stored. */
static void
set_depth(canvas *c)
{
    enum { Z_32_FLOAT = 3, MODE_1D_DEPTH = 4, THIN_1D = 2, PITCH = 64, ALWAYS = 7 };
    c->draw.packs_tiles = true;
    c->depth = mach_memory_alloc(&c->m, MACH_HEAP_LOW, 256 * SIZE, 65536, "depth");
    SET_REG(DB_Z_READ_BASE, (uint32_t)(c->depth->base >> 8));
    SET_REG(DB_Z_WRITE_BASE, (uint32_t)(c->depth->base >> 8));
    SET(DB_Z_INFO_FORMAT, Z_32_FLOAT);
    SET(DB_Z_INFO_TILE_MODE_INDEX, MODE_1D_DEPTH);
    SET(DB_DEPTH_INFO_ARRAY_MODE, THIN_1D);
    SET(DB_DEPTH_SIZE_PITCH_TILE_MAX, PITCH / 8 - 1);
    SET(DB_DEPTH_SIZE_HEIGHT_TILE_MAX, SIZE / 8 - 1);
    SET(DB_DEPTH_SIZE_X_MAX, SIZE - 1);
    SET(DB_DEPTH_SIZE_Y_MAX, SIZE - 1);
    SET(DB_DEPTH_SIZE_XY_X_MAX, SIZE - 1);
    SET(DB_DEPTH_SIZE_XY_Y_MAX, SIZE - 1);
    SET(DB_Z_INFO2_EPITCH, PITCH - 1);
    SET(DB_DEPTH_CONTROL_Z_ENABLE, 1);
    SET(DB_DEPTH_CONTROL_Z_WRITE_ENABLE, 1);
    SET(DB_DEPTH_CONTROL_ZFUNC, ALWAYS);
}

static void
set_window(canvas *c)
{
    enum { EIGHT = 0x41000000, ONE = 0x3f800000, FAR_CORNER = SIZE << 16 | SIZE, TRIANGLES = 4 };
    uint32_t corner = c->regs.gen >= AMD_GFX12 ? (SIZE - 1) << 16 | (SIZE - 1) : FAR_CORNER;
    SET(VGT_PRIMITIVE_TYPE_PRIM_TYPE, TRIANGLES);
    SET_REG(PA_CL_VTE_CNTL, 0x43f);
    SET_REG(PA_CL_VPORT_XSCALE, EIGHT);
    SET_REG(PA_CL_VPORT_XOFFSET, EIGHT);
    SET_REG(PA_CL_VPORT_YSCALE, EIGHT);
    SET_REG(PA_CL_VPORT_YOFFSET, EIGHT);
    SET_REG(PA_CL_VPORT_ZSCALE, ONE);
    SET_REG(PA_SC_SCREEN_SCISSOR_BR, corner);
    SET_REG(PA_SC_WINDOW_SCISSOR_BR, corner);
    SET_REG(PA_SC_GENERIC_SCISSOR_BR, corner);
    SET_REG(PA_SC_AA_MASK_X0Y0_X1Y0, UINT32_MAX);
}

static void
canvas_begin(canvas *c, const generation *g, const char *last)
{
    memset(c, 0, sizeof *c);
    arena_init(&c->a, &base_malloc_allocator, one_wave_no_memory, NULL);
    mach_memory_init(&c->m, &c->a);
    amd_hw_registers_init(&c->regs, g->gen, &c->a);
    set_vertex_stage(c, g);
    set_pixel_stage(c, g, last);
    set_target(c);
    set_window(c);
    c->draw = (amd_draw){.count = 3,
                         .instances = 1,
                         .checks = MACH_CHECK_ALL & ~(MACH_CHECK_WAITS | MACH_CHECK_HAZARDS),
                         .counts = &c->counts};
}

static bool
canvas_draw(canvas *c)
{
    return amd_draw_run(&c->draw, &c->regs, &c->m, &c->a, &c->report);
}

static void
canvas_end(canvas *c)
{
    arena_free(&c->a);
}

static const uint8_t *
texel(const canvas *c, unsigned x, unsigned y)
{
    return c->target->host + (c->regs.gen >= AMD_GFX12 ? 128 : 256) * y + 4 * x;
}

static float
depth(const canvas *c, unsigned x, unsigned y)
{
    float z;
    memcpy(&z, c->depth->host + (c->regs.gen >= AMD_GFX12 ? 128 : 256) * y + 4 * x, sizeof z);
    return z;
}

static void
expect_drawn(canvas *c, const generation *g)
{
    if (!canvas_draw(c))
        fail_msg("gen %d%s: %s", g->gen, g->ngg ? " ngg" : "", c->report.findings[0].message);
}

/* ---- tests ---- */

static uint8_t
unorm(double v)
{
    return (uint8_t)(v <= 0 ? 0 : v >= 1 ? 255 : v * 255 + 0.5);
}

static void
test_triangle(void **state)
{
    (void)state;
    for (unsigned k = 0; k < N_GENERATIONS; k++) {
        const generation *g = &generations[k];
        canvas c;
        canvas_begin(&c, g, NULL);
        expect_drawn(&c, g);
        for (unsigned y = 0; y < SIZE; y++) {
            for (unsigned x = 0; x < SIZE; x++) {
                const uint8_t want[4] = {unorm((x + 0.5) / 8 - 1), unorm((y + 0.5) / 8 - 1), 128,
                                         255};
                for (unsigned i = 0; i < 4; i++)
                    assert_in_range(texel(&c, x, y)[i], want[i] ? want[i] - 1 : 0, want[i]);
            }
        }
        assert_int_equal(c.counts.vertex_invocations, 3);
        assert_int_equal(c.counts.fragment_invocations, SIZE * SIZE);
        assert_int_equal(c.counts.samples_passed, SIZE * SIZE);
        canvas_end(&c);
    }
}

/* Indices of 16 bits with another order; a restart ends a strip. */
static void
test_indices(void **state)
{
    (void)state;
    static const uint16_t order[] = {0, 1, 0xffff, 0, 1, 2};
    for (unsigned k = 0; k < N_GENERATIONS; k++) {
        const generation *g = &generations[k];
        canvas c, *at = &c;
        canvas_begin(&c, g, NULL);
        mach_region *i = mach_memory_alloc(&c.m, MACH_HEAP_LOW, sizeof order, 0, "indices");
        memcpy(i->host, order, sizeof order);
        c.draw.indexed = true;
        c.draw.index_address = i->base;
        c.draw.index_bytes = 2;
        c.draw.count = c.draw.max_indices = 6;
        amd_hw_set_register_field(&at->regs, AMD_HW_VGT_PRIMITIVE_TYPE_PRIM_TYPE, 0, 6);
        amd_hw_set_register_field(&at->regs, AMD_HW_VGT_MULTI_PRIM_IB_RESET_EN_RESET_EN, 0, 1);
        amd_hw_set_register_field(&at->regs, AMD_HW_GE_MULTI_PRIM_IB_RESET_EN_RESET_EN, 0, 1);
        amd_hw_set_register(&at->regs, AMD_HW_VGT_MULTI_PRIM_IB_RESET_INDX, 0, UINT32_MAX);
        expect_drawn(&c, g);
        assert_int_equal(texel(&c, 15, 15)[3], 255);
        assert_int_equal(c.counts.primitives, 1);
        canvas_end(&c);
    }
}

/* What a draw has told: bytes of indices that were read, bytes of the target that were written. */
typedef struct told {
    const canvas *c;
    uint64_t indices, written;
} told;

static void
note_touch(void *user, amd_draw_part part, const amd_emu_touch *t)
{
    told *n = user;
    const mach_region *target = n->c->target, *ring = n->c->ring;
    assert_false(ring && t->address >= ring->base && t->address < ring->base + ring->size);
    if (part == AMD_DRAW_VERTICES && !t->reader.pc && t->reader.kind == AMD_EMU_READS)
        n->indices += t->size;
    if (part != AMD_DRAW_RESULTS)
        return;
    assert_true(t->address >= target->base && t->address + t->size <= target->base + target->size);
    n->written += t->writer.kind == AMD_EMU_WRITES ? t->size : 0;
}

/* A draw tells of its indices, and of texels that it changes: the second time there are none. The
 * ring of attributes is nobody's. */
static void
test_touches(void **state)
{
    static const uint16_t order[] = {0, 1, 2};
    (void)state;
    for (unsigned k = 0; k < N_GENERATIONS; k++) {
        canvas c;
        arena touches;
        told n = {.c = &c};
        canvas_begin(&c, &generations[k], NULL);
        arena_init(&touches, &base_malloc_allocator, one_wave_no_memory, NULL);
        mach_region *i = mach_memory_alloc(&c.m, MACH_HEAP_LOW, sizeof order, 0, "indices");
        memcpy(i->host, order, sizeof order);
        c.draw.indexed = true;
        c.draw.index_address = i->base;
        c.draw.index_bytes = 2;
        c.draw.max_indices = 3;
        c.draw.touched = note_touch;
        c.draw.touched_user = &n;
        c.draw.touches = &touches;
        expect_drawn(&c, &generations[k]);
        assert_int_equal(n.indices, sizeof order);
        assert_int_equal(n.written, 4 * SIZE * SIZE);
        n.written = 0;
        expect_drawn(&c, &generations[k]);
        assert_int_equal(n.written, 0);
        arena_free(&touches);
        canvas_end(&c);
    }
}

/* Scissors, faces and masks leave texels as they are. */
static void
test_limits(void **state)
{
    (void)state;
    for (unsigned k = 0; k < N_GENERATIONS; k++) {
        const generation *g = &generations[k];
        canvas c, *at = &c;
        uint32_t end = g->gen >= AMD_GFX12 ? 7 : 8;
        canvas_begin(&c, g, NULL);
        amd_hw_set_register(&at->regs, AMD_HW_PA_SC_GENERIC_SCISSOR_BR, 0, end << 16 | end);
        amd_hw_set_register(&at->regs, AMD_HW_CB_TARGET_MASK, 0, 8);
        expect_drawn(&c, g);
        assert_int_equal(c.counts.samples_passed, 64);
        assert_int_equal(texel(&c, 7, 7)[3], 255);
        assert_int_equal(texel(&c, 7, 7)[2], 0);
        assert_int_equal(texel(&c, 8, 7)[3], 0);
        amd_hw_set_register_field(&at->regs, AMD_HW_PA_SU_SC_MODE_CNTL_CULL_BACK, 0, 1);
        amd_hw_set_register_field(&at->regs, AMD_HW_PA_SU_SC_MODE_CNTL_CULL_FRONT, 0, 1);
        expect_drawn(&c, g);
        assert_int_equal(c.counts.samples_passed, 64);
        canvas_end(&c);
    }
}

/* Depths, here 0.5, are clamped to the viewport's ZMIN and ZMAX, whatever its transformation is,
 * unless that is switched off. */
static void
test_depth_ranges(void **state)
{
    (void)state;
    static const struct {
        float least, most;
        bool disabled;
        float depth;
    } rows[] = {{0, 1, false, 0.5f},
                {0.625f, 0.75f, false, 0.625f},
                {0.125f, 0.25f, false, 0.25f},
                {0.625f, 0.75f, true, 0.5f}};
    for (unsigned k = 0; k < N_GENERATIONS; k++) {
        for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
            const generation *g = &generations[k];
            canvas own, *c = &own;
            canvas_begin(c, g, NULL);
            set_depth(c);
            SET_REG(PA_SC_VPORT_ZMIN_0, base_f32_bits(rows[n].least));
            SET_REG(PA_SC_VPORT_ZMAX_0, base_f32_bits(rows[n].most));
            SET(DB_RENDER_OVERRIDE_DISABLE_VIEWPORT_CLAMP, rows[n].disabled);
            SET(DB_VIEWPORT_CONTROL_DISABLE_VIEWPORT_CLAMP, rows[n].disabled);
            expect_drawn(c, g);
            assert_true(depth(c, 2, 3) == rows[n].depth);
            assert_true(depth(c, SIZE - 1, SIZE - 1) == rows[n].depth);
            canvas_end(c);
        }
    }
}

/* What a pixel wave does not export, or exports too late, are findings. */
static void
test_exports(void **state)
{
    (void)state;
    static const struct {
        const char *last, *rule;
    } rows[] = {{"s_nop 0", "export-missing"},
                {"exp mrt0 v2, v3, v4, v5 done\nexp mrt0 v2, v3, v4, v5 done", "export-done"},
                {"exp mrt0 v20, v3, v4, v5 done", "undefined-use"}};
    for (unsigned k = 0; k < N_GENERATIONS; k++) {
        for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
            canvas c;
            canvas_begin(&c, &generations[k], rows[n].last);
            assert_false(canvas_draw(&c));
            assert_int_equal(c.report.status, MACH_RUN_DONE);
            assert_string_equal(c.report.findings[0].rule, rows[n].rule);
            canvas_end(&c);
        }
    }
}

/* A parameter that the vertex shader has not written is undefined, unless it is a constant. */
static void
test_parameters(void **state)
{
    (void)state;
    const generation *g = &generations[0];
    canvas c, *at = &c;
    canvas_begin(&c, g, NULL);
    amd_hw_set_register_field(&at->regs, AMD_HW_SPI_PS_INPUT_CNTL_0_OFFSET, 0, 3);
    assert_false(canvas_draw(&c));
    assert_string_equal(c.report.findings[0].rule, "undefined-use");
    amd_hw_set_register_field(&at->regs, AMD_HW_SPI_PS_INPUT_CNTL_0_OFFSET, 0, 32);
    amd_hw_set_register_field(&at->regs, AMD_HW_SPI_PS_INPUT_CNTL_0_DEFAULT_VAL, 0, 2);
    expect_drawn(&c, g);
    assert_memory_equal(texel(&c, 3, 3), "\xff\xff\xff\0", 4);
    canvas_end(&c);
}

/* Up to gfx10.3 ordered waves get a number in an SGPR where the register asks for it, and wait by
 * it; else it is undefined. */
static void
test_ordered(void **state)
{
    (void)state;
    static const char waits[] = "s_bitcmp1_b32 s1, 31\n"
                                "s_cbranch_scc0 ready\n"
                                "s_bfe_u32 s2, s1, 0xa0010\n"
                                "s_nand_b32 s3, s1, 0x3ff\n"
                                "s_add_i32 s2, s2, s3\n"
                                "again: s_add_i32 s4, src_pops_exiting_wave_id, s3\n"
                                "s_cmp_lt_u32 s2, s4\n"
                                "s_cbranch_scc0 again\n"
                                "ready: s_sendmsg sendmsg(MSG_ORDERED_PS_DONE)\n"
                                "exp mrt0 v2, v3, v4, v5 done vm";
    for (unsigned k = 0; k < N_GENERATIONS; k++) {
        const generation *g = &generations[k];
        canvas c, *at = &c;
        for (unsigned given = 0; given < 2 && g->gen >= AMD_GFX9 && g->gen <= AMD_GFX10_3;
             given++) {
            canvas_begin(&c, g, waits);
            amd_hw_set_register_field(
                &at->regs, AMD_HW_SPI_SHADER_PGM_RSRC2_PS_LOAD_COLLISION_WAVEID, 0, given);
            assert_int_equal(canvas_draw(&c), given);
            if (!given)
                assert_string_equal(c.report.findings[0].rule, "undefined-branch");
            canvas_end(&c);
        }
    }
}

/* Stages that do not exist end the draw. */
static void
test_unsupported(void **state)
{
    (void)state;
    canvas c, *at = &c;
    canvas_begin(&c, &generations[2], NULL);
    amd_hw_set_register_field(&at->regs, AMD_HW_VGT_SHADER_STAGES_EN_HS_EN, 0, 1);
    assert_false(canvas_draw(&c));
    assert_int_equal(c.report.status, MACH_RUN_UNSUPPORTED);
    canvas_end(&c);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangle),    cmocka_unit_test(test_indices),
        cmocka_unit_test(test_limits),      cmocka_unit_test(test_depth_ranges),
        cmocka_unit_test(test_exports),     cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_unsupported), cmocka_unit_test(test_touches),
        cmocka_unit_test(test_ordered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
