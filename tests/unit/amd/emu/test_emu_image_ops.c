/* Image instructions beyond loads and samples, on every generation that has them: queries, atomics,
 * 16-bit data and addresses, multisample loads, tables of border colours, short and null
 * descriptors, and the messages for descriptors that are not supported. */
#include "emu_image_env.h"

#include "amd/emu/core/shadow.h"
#include "amd/emu/desc/image_make.h"
#include "amd/emu/num/float.h"

static const mach_image plain = {.format = MACH_FORMAT_r8g8b8a8_unorm,
                                 .dim = MACH_DIM_2D,
                                 .width = 11,
                                 .height = 7,
                                 .depth = 1,
                                 .samples = 1,
                                 .levels = 3,
                                 .layers = 1};

static mach_image
with_format(mach_format f)
{
    mach_image m = plain;
    m.format = f;
    m.levels = 1;
    return m;
}

/* Lane l at (l % 11, l / 11), in bounds below lane 77. */
static void
set_places(const setting *s)
{
    for (uint32_t l = 0; l < LANES; l++) {
        address(s, 0)[l] = l % 11;
        address(s, 1)[l] = l / 11;
    }
}

static void
test_resinfo(void **state)
{
    static const struct {
        mach_image m;
        uint32_t want[2][4]; /* levels 0 and 1 */
    } cases[] = {
        {{.dim = MACH_DIM_1D, .width = 13, .height = 1, .layers = 1, .levels = 2},
         {{13, 1, 1, 2}, {6, 1, 1, 2}}},
        {{.dim = MACH_DIM_2D, .width = 11, .height = 7, .layers = 1, .levels = 3},
         {{11, 7, 1, 3}, {5, 3, 1, 3}}},
        {{.dim = MACH_DIM_2D, .array = true, .width = 11, .height = 7, .layers = 6, .levels = 3},
         {{11, 7, 6, 3}, {5, 3, 6, 3}}},
        {{.dim = MACH_DIM_3D, .width = 8, .height = 7, .depth = 5, .layers = 1, .levels = 2},
         {{8, 7, 5, 2}, {4, 3, 2, 2}}},
        {{.dim = MACH_DIM_CUBE, .width = 8, .height = 8, .layers = 6, .levels = 1},
         {{8, 8, 6, 1}, {0, 0, 0, 1}}},
    };
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
            mach_image m = cases[k].m;
            m.format = MACH_FORMAT_r8g8b8a8_unorm;
            m.samples = 1;
            m.depth += !m.depth;
            setting s = set_up(targets[t].gen, &m);
            for (uint32_t l = 0; l < LANES; l++)
                address(&s, 0)[l] = l % 2;
            run_op(&s, "image_get_resinfo", 15, 4, 1, false, "");
            for (uint32_t c = 0; c < 4; c++)
                for (uint32_t l = 0; l < 2; l++)
                    assert_int_equal(s.e->w.vgpr[c][l], cases[k].want[l][c]);
            emu_env_free(s.e);
        }
}

/* Names before gfx12 and on it; operand and result for an old value of channel(). */
static void
test_atomics(void **state)
{
    static const struct {
        const char *name, *gfx12;
    } ops[] = {
        {"add", "add_uint"},    {"sub", "sub_uint"}, {"smin", "min_int"}, {"umax", "max_uint"},
        {"and", "and"},         {"or", "or"},        {"xor", "xor"},      {"swap", "swap"},
        {"cmpswap", "cmpswap"}, {"inc", "inc_uint"}, {"dec", "dec_uint"},
    };
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; k < sizeof ops / sizeof *ops; k++) {
            mach_image m = with_format(MACH_FORMAT_r32_uint);
            setting s = set_up(targets[t].gen, &m);
            bool two = !strcmp(ops[k].name, "cmpswap");
            set_places(&s);
            emu_set_all(s.e, 0, 100);
            emu_set_all(s.e, 1, channel(0, 3, 0, 0, 0, 0)); /* compared: lane 3 has it */
            s.e->w.sgpr[AMD_REG_EXEC_LO] = 0x7ff;
            s.e->w.sgpr[AMD_REG_EXEC_HI] = 0;
            const char *name = targets[t].gen >= AMD_GFX12 ? ops[k].gfx12 : ops[k].name;
            run_op(&s, arena_printf(&s.e->a, "image_atomic_%s", name), two ? 3 : 1, two ? 2 : 1, 2,
                   false, targets[t].gen >= AMD_GFX12 ? " th:TH_ATOMIC_RETURN" : " glc");
            for (uint32_t l = 0; l < 11; l++) {
                uint32_t old = channel(0, l, 0, 0, 0, 0), now;
                const uint32_t results[] = {old + 100,
                                            old - 100,
                                            old < 100 ? old : 100,
                                            old > 100 ? old : 100,
                                            old & 100,
                                            old | 100,
                                            old ^ 100,
                                            100,
                                            old == channel(0, 3, 0, 0, 0, 0) ? 100 : old,
                                            old >= 100 ? 0 : old + 1,
                                            old == 0 || old > 100 ? 100 : old - 1};
                memcpy(&now, s.m.data + 4 * l, 4);
                assert_int_equal(s.e->w.vgpr[0][l], old);
                assert_int_equal(now, results[k]);
            }
            emu_env_free(s.e);
        }
}

/* gfx12's atomics on floats. */
static void
test_float_atomics(void **state)
{
    (void)state;
    mach_image m = with_format(MACH_FORMAT_r32_sfloat);
    setting s = set_up(AMD_GFX12, &m);
    set_places(&s);
    emu_set_all(s.e, 0, base_f32_bits(0.5f));
    run_op(&s, "image_atomic_add_flt", 1, 1, 2, false, "");
    run_op(&s, "image_atomic_min_flt", 1, 1, 2, false, "");
    s.e->w.sgpr[AMD_REG_EXEC_LO] = 2;
    s.e->w.sgpr[AMD_REG_EXEC_HI] = 0;
    emu_set_all(s.e, 0, 0x3c004000); /* 2.0, 1.0 */
    memcpy(s.m.data + 4, &(uint32_t){0x40003c00}, 4);
    run_op(&s, "image_atomic_pk_add_f16", 1, 1, 2, false, "");
    for (uint32_t l = 0; l < 11; l++) {
        uint32_t now, want = l == 1 ? 0x42004200 : base_f32_bits(0.5f);
        memcpy(&now, s.m.data + 4 * l, 4);
        assert_int_equal(now, want);
    }
    emu_env_free(s.e);
}

/* dst_sel applies to the components of stores and loads alike: with any order, a load returns what
 * was stored. */
static void
test_store_select(void **state)
{
    static const char *const orders[] = {"rgba", "bgra", "grab", "abgr", "rrrr", "a001"};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; k < sizeof orders / sizeof *orders; k++) {
            mach_image m = with_format(MACH_FORMAT_r8g8b8a8_uint);
            setting s = set_up(targets[t].gen, &m);
            amd_image_desc d;
            amd_image_decode(targets[t].gen, s.e->w.sgpr + 8, &d);
            for (uint32_t c = 0; c < 4; c++) {
                const char *at = strchr("rgba", orders[k][c]);
                d.dst_sel[c] = at                    ? AMD_SEL_X + 4 - (uint32_t)strlen(at)
                               : orders[k][c] == '1' ? AMD_SEL_1
                                                     : AMD_SEL_0;
            }
            amd_image_encode(targets[t].gen, &d, s.e->w.sgpr + 8);
            set_places(&s);
            for (uint32_t c = 0; c < 4; c++)
                emu_set_all(s.e, c, 50 + (orders[k][1] == 'r' ? 0 : c));
            run_op(&s, "image_store", 15, 4, 2, false, "");
            for (uint32_t c = 0; c < 4; c++)
                emu_set_all(s.e, c, 0xdddddddd);
            run_op(&s, "image_load", 15, 4, 2, false, "");
            for (uint32_t c = 0; c < 4; c++) {
                uint32_t want = orders[k][c] == '0'   ? 0
                                : orders[k][c] == '1' ? 1
                                                      : 50 + (orders[k][1] == 'r' ? 0 : c);
                assert_int_equal(s.e->w.vgpr[c][7], want);
            }
            emu_env_free(s.e);
        }
}

/* tfe: the register after the data is 0 in active lanes, since nothing fails; the next one does not
 * change. lwe alone has no register, as there are no lod warnings. */
static void
test_fault_status(void **state)
{
    static const struct {
        const char *op, *gfx12, *more;
        uint32_t dmask, data;
        bool sampled, atomic;
        amd_gen first;
    } cases[] = {
        {"image_load", NULL, "", 7, 3, false, false, AMD_GFX6},
        {"image_load_mip", NULL, "", 1, 1, false, false, AMD_GFX6},
        {"image_load", NULL, " d16", 7, 2, false, false, AMD_GFX9},
        {"image_sample_lz", NULL, "", 15, 4, true, false, AMD_GFX6},
        {"image_sample_lz", NULL, " lwe", 3, 2, true, false, AMD_GFX6},
        {"image_gather4_lz", NULL, "", 1, 4, true, false, AMD_GFX6},
        {"image_atomic_add", "image_atomic_add_uint", "", 1, 1, false, true, AMD_GFX6},
        {"image_atomic_swap", NULL, "", 3, 2, false, true, AMD_GFX6},
        {"image_atomic_cmpswap", NULL, "", 3, 2, false, true, AMD_GFX6},
    };
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
            amd_gen gen = targets[t].gen;
            /* gfx90a has no tfe (LLVM 19) */
            if (gen == AMD_GFX90A || gen < cases[k].first ||
                (cases[k].sampled && !targets[t].samples))
                continue;
            bool mip = strstr(cases[k].op, "_mip"), wide = cases[k].dmask == 3 && cases[k].atomic;
            mach_image m = with_format(cases[k].atomic && wide ? MACH_FORMAT_r32g32_uint
                                       : cases[k].atomic       ? MACH_FORMAT_r32_uint
                                                               : MACH_FORMAT_r8g8b8a8_unorm);
            setting s = set_up(gen, &m);
            const char *op = gen >= AMD_GFX12 && cases[k].gfx12 ? cases[k].gfx12 : cases[k].op;
            const char *back = !cases[k].atomic   ? ""
                               : gen >= AMD_GFX12 ? " th:TH_ATOMIC_RETURN"
                                                  : " glc";
            uint32_t n = cases[k].data;
            set_places(&s);
            memset(s.e->w.sgpr + 24, 0, 16);
            for (uint32_t r = 0; r < 8; r++)
                emu_set_all(s.e, r, 0xdddd0000 + r);
            emu_set_all(s.e, ADDRESS + 2, 0);
            s.e->w.sgpr[AMD_REG_EXEC_LO] = 0xff;
            s.e->w.sgpr[AMD_REG_EXEC_HI] = 0;
            run_op(&s, op, cases[k].dmask, n + 1, 2 + mip, cases[k].sampled,
                   arena_printf(&s.e->a, "%s tfe%s", back, cases[k].more));
            if (s.e->w.vgpr[n][5] != 0)
                fail_msg("gen %u, %s: status %08x", (unsigned)gen, op, s.e->w.vgpr[n][5]);
            assert_int_equal(s.e->w.vgpr[n][9], 0xdddd0000 + n);
            assert_int_equal(s.e->w.vgpr[n + 1][5], 0xdddd0000 + n + 1);
            emu_env_free(s.e);
        }
}

/* d16: two components in a register; one on gfx8 except gfx810. */
static void
test_d16(void **state)
{
    (void)state;
    for (unsigned k = 0; k <= N_TARGETS; k++) {
        bool again = k == N_TARGETS; /* gfx810 */
        amd_gen gen = again ? AMD_GFX8 : targets[k].gen;
        if (gen < AMD_GFX8)
            continue;
        setting s = set_up(gen, &plain);
        s.e->d.packed_d16 = again;
        bool unpacked = gen == AMD_GFX8 && !again;
        set_places(&s);
        run_op(&s, "image_load", 7, gen == AMD_GFX8 ? 3 : 2, 2, false, " d16");
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t v = s.e->w.vgpr[unpacked ? c : c / 2][20], want;
            want = amd_emu_to_half_rne((float)channel(0, 9, 1, 0, 0, c) / 255.0f);
            assert_int_equal(unpacked || c % 2 == 0 ? v & 0xffff : v >> 16, want);
        }
        assert_int_equal(s.e->w.vgpr[unpacked ? 2 : 1][20] >> 16, 0xdddd);
        for (uint32_t r = 0; r < 3; r++)
            emu_set_all(s.e, r, unpacked ? 0x3c00 : 0x3c003c00);
        run_op(&s, "image_store", 15, gen == AMD_GFX8 ? 4 : 2, 2, false, " d16");
        assert_int_equal(s.m.data[mach_texel_offset(&s.m, 9, 1, 0, 0, 0) + 2], 255);
        emu_env_free(s.e);
    }
}

/* The checker *undefined* looks at the halves that a store of three 16-bit components reads. */
static void
test_d16_undefined(void **state)
{
    (void)state;
    for (unsigned packed = 0; packed < 2; packed++) {
        setting s = set_up(AMD_GFX8, &plain);
        emu_wave *w = &s.e->w;
        s.e->d.packed_d16 = packed;
        s.e->d.checks |= MACH_CHECK_UNDEFINED;
        set_places(&s);
        w->shadow = arena_zalloc(&s.e->a, sizeof *w->shadow);
        amd_emu_shadow_set(w, packed ? 1 : 2, EMU_BYTES_HIGH, UINT64_MAX, UINT64_MAX);
        run_op(&s, "image_store", 7, 3, 2, false, " d16");
        assert_int_equal(s.e->report.total, 0);
        amd_emu_shadow_set(w, packed ? 1 : 2, EMU_BYTES_LOW, UINT64_MAX, 1u << 20);
        emu_run_text(s.e, op_text(&s, "image_store", 7, 3, 2, false, " d16"));
        assert_int_equal(s.e->report.total, 1);
        emu_env_free(s.e);
    }
}

/* a16: coordinates in halves; on gfx9 gradients too. */
static void
test_a16(void **state)
{
    static const mach_sampler nearest = {.max_lod = 0};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        if (targets[t].gen < AMD_GFX9)
            continue;
        setting s = set_up(targets[t].gen, &plain);
        for (uint32_t l = 0; l < LANES; l++) {
            address(&s, 0)[l] = l % 5 | (l / 5 % 3) << 16;
            address(&s, 1)[l] = 1;
        }
        run_op(&s, "image_load_mip", 15, 4, 2, false, " a16");
        assert_int_equal(s.e->w.vgpr[3][13], unorm_bits(channel(1, 3, 2, 0, 0, 3)));
        bool halves = targets[t].gen < AMD_GFX10;
        set_sampler(&s, &nearest);
        for (uint32_t l = 0; targets[t].samples && l < LANES; l++) {
            uint32_t at = 0;
            for (uint32_t k = 0; k < (halves ? 2 : 4); k++)
                address(&s, at++)[l] = 0;
            address(&s, at)[l] = amd_emu_to_half_rne(((float)(l % 11) + 0.5f) / 11) |
                                 amd_emu_to_half_rne(0.5f) << 16;
        }
        if (targets[t].samples) {
            run_op(&s, "image_sample_d", 15, 4, halves ? 3 : 5, true, " a16");
            assert_int_equal(s.e->w.vgpr[1][13], unorm_bits(channel(0, 2, 3, 0, 0, 1)));
        }
        emu_env_free(s.e);
    }
}

static void
test_multisample_load(void **state)
{
    (void)state;
    for (amd_gen gen = AMD_GFX10_3; gen <= AMD_GFX12; gen++) {
        mach_image m = with_format(MACH_FORMAT_r8g8b8a8_unorm);
        m.samples = 8;
        setting s = set_up(gen, &m);
        set_places(&s);
        emu_set_all(s.e, ADDRESS + 2, 4);
        run_op(&s, "image_msaa_load", 2, gen >= AMD_GFX11 ? 4 : 1, 3, false, "");
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(s.e->w.vgpr[k][14], unorm_bits(channel(0, 3, 1, 0, 4 + k, 1)));
        emu_env_free(s.e);
    }
}

static void
test_border_table(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        if (!targets[t].samples)
            continue;
        setting s = set_up(targets[t].gen, &plain);
        mach_region *table = mach_memory_alloc(&s.e->memory, MACH_HEAP_LOW, 256, 256, "borders");
        amd_sampler_desc d = {
            .clamp = {6, 6, 6}, .border_type = AMD_BORDER_TABLE, .border_index = 7};
        for (uint32_t c = 0; c < 4; c++)
            memcpy(table->host + 7 * 16 + 4 * c, &(uint32_t){base_f32_bits((float)c + 2)}, 4);
        s.e->d.border_colors = table->base;
        amd_sampler_encode(targets[t].gen, &d, s.e->w.sgpr + 24);
        emu_set_all(s.e, ADDRESS, base_f32_bits(-2));
        emu_set_all(s.e, ADDRESS + 1, base_f32_bits(0.5f));
        run_op(&s, "image_sample_lz", 15, 4, 2, true, "");
        for (uint32_t c = 0; c < 4; c++)
            assert_int_equal(s.e->w.vgpr[c][5], base_f32_bits((float)c + 2));
        emu_env_free(s.e);
    }
}

/* unorm: texels instead of [0, 1]. */
static void
test_unnormalized(void **state)
{
    static const mach_sampler nearest = {.address = {2, 2, 2}};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        if (!targets[t].samples)
            continue;
        setting s = set_up(targets[t].gen, &plain);
        set_sampler(&s, &nearest);
        emu_set_all(s.e, ADDRESS, base_f32_bits(4.25f));
        emu_set_all(s.e, ADDRESS + 1, base_f32_bits(5.75f));
        run_op(&s, "image_sample_lz", 1, 1, 2, true, " unorm");
        assert_int_equal(s.e->w.vgpr[0][5], unorm_bits(channel(0, 4, 5, 0, 0, 0)));
        emu_env_free(s.e);
    }
}

/* Four dwords of a T# suffice on gfx6 to gfx8; reads without an image give 0. */
static void
test_short_and_null(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        mach_image m = with_format(MACH_FORMAT_r8g8b8a8_unorm);
        m.width = 16;
        setting s = set_up(targets[t].gen, &m);
        set_places(&s);
        if (s.gen <= AMD_GFX8) {
            emu_run_text(s.e, "image_load v[0:3], v[16:17], s[8:15] dmask:0xf unorm r128");
            assert_int_equal(s.e->w.vgpr[2][40], unorm_bits(channel(0, 7, 3, 0, 0, 2)));
        }
        memset(s.e->w.sgpr + 8, 0, 32);
        run_op(&s, "image_load", 15, 4, 2, false, "");
        run_op(&s, "image_store", 15, 4, 2, false, "");
        for (uint32_t c = 0; c < 4; c++)
            assert_int_equal(s.e->w.vgpr[c][40], 0);
        s.e->w.sgpr[11] = (uint32_t)AMD_IMG_1D << 28 | AMD_SEL_1 << 9; /* format INVALID */
        run_op(&s, "image_load", 15, 4, 2, false, "");
        assert_int_equal(s.e->w.vgpr[2][40], 0);
        assert_int_equal(s.e->w.vgpr[3][40], 0x3f800000);
        emu_env_free(s.e);
    }
}

/* A tiled image ends the run with a message that names the tiling. */
static void
test_unbuilt_is_told(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        amd_emu_dispatch d = {.gen = targets[t].gen,
                              .wave_size = 64,
                              .n_user_sgprs = 16,
                              .group_size = {1, 1, 1},
                              .grid_groups = {1, 1, 1}};
        setting s = set_up(targets[t].gen, &plain);
        mach_report report;
        memcpy(d.user_sgprs + 8, s.e->w.sgpr + 8, 32);
        d.user_sgprs[8 + 3] ^= 3 << 20;
        const char *text = targets[t].gen >= AMD_GFX12
                               ? "image_load v0, [v0, v0], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D"
                           : targets[t].gen >= AMD_GFX10
                               ? "image_load v0, v[0:1], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm"
                               : "image_load v0, v[0:1], s[8:15] dmask:0x1 unorm";
        d.entry = emu_assemble_for(targets[t].gen, &s.e->a, &s.e->memory, 64,
                                   arena_printf(&s.e->a, "%s\ns_endpgm\n", text))
                      ->base;
        assert_false(amd_emu_run(&d, &s.e->memory, &s.e->a, &report));
        assert_int_equal(report.status, MACH_RUN_UNSUPPORTED);
        assert_non_null(strstr(report.findings[0].message,
                               targets[t].gen <= AMD_GFX8 ? "TILING_INDEX" : "SW_MODE"));
        emu_env_free(s.e);
    }
}

/* image_make.h: an image and a sampler from the text of kernel arguments. */
static void
test_make(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        emu_env *e = emu_env_new(64);
        amd_gen gen = targets[t].gen;
        uint64_t image, sampler;
        mach_image m = {
            .format = MACH_FORMAT_r8g8b8a8_unorm, .dim = MACH_DIM_2D, .width = 5, .height = 3};
        mach_image bad = {.format = MACH_FORMAT_r8g8b8_unorm, .dim = MACH_DIM_2D, .width = 5};
        e->d.gen = gen;
        assert_non_null(amd_emu_make_image(gen, &e->memory, &m, &image));
        assert_true(amd_emu_make_sampler(gen, &e->memory, &(mach_sampler){.max_lod = 1}, &sampler));
        assert_null(amd_emu_make_image(gen, &e->memory, &bad, &bad.size));
        m.data[mach_texel_offset(&m, 4, 2, 0, 0, 0) + 3] = 255;
        for (uint32_t k = 0; k < 2; k++) {
            e->w.sgpr[4 + k] = (uint32_t)(image >> 32 * k);
            e->w.sgpr[6 + k] = (uint32_t)(sampler >> 32 * k);
        }
        emu_set_all(e, 16, 4);
        emu_set_all(e, 17, 2);
        const char *load = gen >= AMD_GFX11 ? "s_load_b256 s[8:15], s[4:5], 0x0\n"
                                              "s_load_b128 s[24:27], s[6:7], 0x0\n"
                                            : "s_load_dwordx8 s[8:15], s[4:5], 0x0\n"
                                              "s_load_dwordx4 s[24:27], s[6:7], 0x0\n";
        emu_run_text(e, load);
        setting s = {.e = e, .gen = gen, .m = m, .dim = 1};
        run_op(&s, "image_load", 8, 1, 2, false, "");
        assert_int_equal(e->w.vgpr[0][9], 0x3f800000);
        emu_env_free(e);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resinfo),          cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_float_atomics),    cmocka_unit_test(test_store_select),
        cmocka_unit_test(test_fault_status),     cmocka_unit_test(test_d16),
        cmocka_unit_test(test_d16_undefined),    cmocka_unit_test(test_a16),
        cmocka_unit_test(test_multisample_load), cmocka_unit_test(test_border_table),
        cmocka_unit_test(test_unnormalized),     cmocka_unit_test(test_short_and_null),
        cmocka_unit_test(test_unbuilt_is_told),  cmocka_unit_test(test_make),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
