/* The lanes that cross-lane operations access: every lane of both wave sizes on every generation,
 * against a rule for each operation.
 *
 * A rule gives the lane that a lane reads, or NONE. The rules come from the ISA guides
 * ("Data share operations", "DPP", V_READLANE_B32, V_PERMLANE16_B32, V_PERMLANE64_B32,
 * DS_SWIZZLE_B32) and from LLVM's GCNSubtarget.h (supportsWaveWideBPermute). Exec and lane numbers
 * are drawn; sources are 0x1000 + lane, so that a result shows where it came from.
 */
#include "emu_env.h"

enum { NONE = 999, SOURCE = 0x1000, OLD = 7, DRAWS = 10 };

typedef struct crossing {
    emu_env *e;
    uint64_t random, exec;
    uint32_t lanes;
    uint32_t index[EMU_LANES]; /* v1 */
} crossing;

static uint32_t
draw(crossing *c, uint32_t n)
{
    c->random = c->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(c->random >> 33) % n;
}

/* v0: sources; v1: `index`; v3: the old destination. */
static void
set_up(crossing *c)
{
    c->exec = draw(c, 3) ? (uint64_t)draw(c, 1u << 31) << 33 | (uint64_t)draw(c, 1u << 31) << 2 | 1
                         : UINT64_MAX;
    c->exec &= base_mask64(c->lanes);
    amd_emu_write_s64(&c->e->w, AMD_REG_EXEC_LO, c->exec);
    for (uint32_t l = 0; l < EMU_LANES; l++) {
        c->e->w.vgpr[0][l] = SOURCE + l;
        c->e->w.vgpr[1][l] = c->index[l];
        c->e->w.vgpr[3][l] = OLD;
    }
}

static bool
is_on(const crossing *c, uint32_t l)
{
    return c->exec >> l & 1;
}

/* Runs `text` and compares v3 with the value of lane `from[l]`, or with `off` if that lane is
 * disabled. */
static void
expect_from(crossing *c, const char *text, const uint32_t *from, uint32_t off)
{
    emu_run_text(c->e, text);
    for (uint32_t l = 0; l < c->lanes; l++) {
        uint32_t want = !is_on(c, l)                            ? OLD
                        : from[l] == NONE || !is_on(c, from[l]) ? off
                                                                : SOURCE + from[l];
        if (c->e->w.vgpr[3][l] != want)
            fail_msg("gfx generation %d, wave%u, exec 0x%llx: %s: lane %u has 0x%x, wants 0x%x",
                     (int)c->e->d.gen, c->lanes, (unsigned long long)c->exec, text, l,
                     c->e->w.vgpr[3][l], want);
    }
}

/* The size of the aligned groups of lanes within which LDS permutations work. */
static uint32_t
permute_reach(amd_gen gen, uint32_t lanes)
{
    bool halves = gen >= AMD_GFX10 && gen <= AMD_GFX11_5;
    return halves ? 32 : lanes;
}

static void
try_bpermute(crossing *c)
{
    uint32_t from[EMU_LANES], reach = permute_reach(c->e->d.gen, c->lanes), add = draw(c, 64) * 4;
    for (uint32_t l = 0; l < EMU_LANES; l++) {
        c->index[l] = draw(c, 1u << 20);
        from[l] = (c->index[l] + add) / 4 % reach + l / reach * reach;
    }
    set_up(c);
    expect_from(c, arena_printf(&c->e->a, "ds_bpermute_b32 v3, v1, v0 offset:%u", add), from, 0);
}

/* Inactive lanes are read too. */
static void
try_bpermute_fi(crossing *c)
{
    if (c->e->d.gen < AMD_GFX12)
        return;
    for (uint32_t l = 0; l < EMU_LANES; l++)
        c->index[l] = draw(c, 1u << 20);
    set_up(c);
    emu_run_text(c->e, "ds_bpermute_fi_b32 v3, v1, v0 offset:8");
    for (uint32_t l = 0; l < c->lanes; l++)
        assert_int_equal(c->e->w.vgpr[3][l],
                         is_on(c, l) ? SOURCE + (c->index[l] + 8) / 4 % c->lanes : OLD);
}

/* The halves of v3 and v0, and those of one register. */
static void
try_swap_b16(crossing *c)
{
    if (c->e->d.gen < AMD_GFX11)
        return;
    set_up(c);
    emu_run_text(c->e, "v_swap_b16 v3.h, v0.l\nv_swap_b16 v0.l, v0.h");
    for (uint32_t l = 0; l < c->lanes; l++) {
        uint32_t x = SOURCE + l, swapped = (OLD & 0xffff) | x << 16;
        uint32_t rest = (x & 0xffff0000) | OLD >> 16;
        assert_int_equal(c->e->w.vgpr[3][l], is_on(c, l) ? swapped : OLD);
        assert_int_equal(c->e->w.vgpr[0][l], is_on(c, l) ? rest << 16 | rest >> 16 : x);
    }
}

/* Active lanes send to different lanes: the result of a conflict is not specified. */
static void
try_permute(crossing *c)
{
    uint32_t reach = permute_reach(c->e->d.gen, c->lanes), from[EMU_LANES];
    uint32_t step = draw(c, 32) * 2 + 1, add = draw(c, 64);
    for (uint32_t l = 0; l < c->lanes; l++) {
        uint32_t to = (l * step + add) % reach;
        c->index[l] = (to + draw(c, 100) * 64) * 4 + draw(c, 4);
        from[to + l / reach * reach] = l;
    }
    set_up(c);
    expect_from(c, "ds_permute_b32 v3, v1, v0", from, 0);
}

static void
try_swizzle(crossing *c)
{
    uint32_t from[EMU_LANES], kinds = c->e->d.gen >= AMD_GFX9 ? 4 : 2, kind = draw(c, kinds);
    uint32_t word = kind == 0   ? draw(c, 0x8000)
                    : kind == 1 ? 0x8000 + draw(c, 256)
                    : kind == 2 ? 0xc000 + draw(c, 0x800)
                                : 0xe000 + draw(c, 32);
    for (uint32_t l = 0; l < EMU_LANES; l++) {
        uint32_t i = l & 31, low = word & 31, by = word >> 5 & 31, j = 0;
        switch (kind) {
        case 0: j = ((i & low) | by) ^ (word >> 10 & 31); break;
        case 1: j = (i & 28) + (word >> (i % 4 * 2) & 3); break;
        case 2: j = (i & low) | ((word & 0x400 ? i + 32 - by : i + by) % 32 & ~low); break;
        default: /* the order of a fast Fourier transform: the bits outside the mask, reversed */
            for (uint32_t b = 0; b < 5; b++)
                j |= (i >> b & 1) << (4 - b);
            j = j >> base_popcount32(low) | (i & low);
        }
        from[l] = j + (l & 32);
    }
    set_up(c);
    expect_from(c, arena_printf(&c->e->a, "ds_swizzle_b32 v3, v0 offset:0x%x", word), from, 0);
}

/* Lanes read and written by number: the number is taken modulo the wave size; exec is ignored. */
static void
try_numbers(crossing *c)
{
    uint32_t n = draw(c, 200), first = 0;
    emu_wave *w = &c->e->w;
    set_up(c);
    while (!is_on(c, first))
        first++;
    w->sgpr[6] = n;
    w->sgpr[7] = 0x55;
    emu_run_text(c->e, "v_readlane_b32 s8, v0, s6\nv_readfirstlane_b32 s9, v0\n"
                       "v_writelane_b32 v3, s7, s6");
    assert_int_equal(w->sgpr[8], SOURCE + n % c->lanes);
    assert_int_equal(w->sgpr[9], SOURCE + first);
    for (uint32_t l = 0; l < c->lanes; l++)
        assert_int_equal(w->vgpr[3][l], l == n % c->lanes ? 0x55 : OLD);
}

/* Lanes below one's own in a mask, by the two halves of the wave. */
static void
try_counts(crossing *c)
{
    uint32_t low = draw(c, 1u << 31), high = draw(c, 1u << 31);
    uint64_t mask = low | (uint64_t)(c->lanes > 32 ? high : 0) << 32;
    set_up(c);
    c->e->w.sgpr[6] = low;
    c->e->w.sgpr[7] = high;
    emu_run_text(c->e, "v_mbcnt_lo_u32_b32 v3, s6, 0\nv_mbcnt_hi_u32_b32 v3, s7, v3");
    for (uint32_t l = 0; l < c->lanes; l++)
        assert_int_equal(c->e->w.vgpr[3][l],
                         is_on(c, l) ? base_popcount64(mask & base_mask64(l)) : OLD);
}

/* Within each row of 16, or from the other row of a half wave. */
static void
try_permlane16(crossing *c)
{
    uint32_t from[2][EMU_LANES], low = draw(c, 1u << 31), high = draw(c, 1u << 31);
    if (c->e->d.gen < AMD_GFX10)
        return;
    for (uint32_t l = 0; l < EMU_LANES; l++) {
        uint32_t n = (l % 16 < 8 ? low >> (l % 8 * 4) : high >> (l % 8 * 4)) & 15;
        from[0][l] = l / 16 * 16 + n;
        from[1][l] = (l / 16 ^ 1) * 16 + n;
    }
    for (uint32_t x = 0; x < 2; x++) {
        set_up(c);
        c->e->w.sgpr[6] = low;
        c->e->w.sgpr[7] = high;
        expect_from(c, x ? "v_permlanex16_b32 v3, v0, s6, s7" : "v_permlane16_b32 v3, v0, s6, s7",
                    from[x], OLD);
    }
    if (c->e->d.gen < AMD_GFX12)
        return;
    for (uint32_t l = 0; l < EMU_LANES; l++) {
        c->index[l] = draw(c, 1u << 31);
        from[0][l] = l / 16 * 16 + c->index[l] % 16;
        from[1][l] = (l / 16 ^ 1) * 16 + c->index[l] % 16;
    }
    for (uint32_t x = 0; x < 2; x++) {
        set_up(c);
        expect_from(c, x ? "v_permlanex16_var_b32 v3, v0, v1" : "v_permlane16_var_b32 v3, v0, v1",
                    from[x], OLD);
    }
}

/* Exchanges the halves of a wave64; a wave32 does not change. The source lane's exec is ignored. */
static void
try_permlane64(crossing *c)
{
    if (c->e->d.gen < AMD_GFX11)
        return;
    set_up(c);
    emu_run_text(c->e, "v_permlane64_b32 v3, v0");
    for (uint32_t l = 0; l < c->lanes; l++)
        assert_int_equal(c->e->w.vgpr[3][l],
                         c->lanes == 64 && is_on(c, l) ? SOURCE + (l + 32) % 64 : OLD);
}

/* DPP's controls: the lane that lane `l` reads, `n` being the control's number. */
typedef struct dpp_rule {
    const char *text;
    amd_gen first, last;
    uint32_t max; /* numbers 1 or 0 to this one */
    uint32_t (*from)(uint32_t l, uint32_t n);
} dpp_rule;

static uint32_t
row_shl(uint32_t l, uint32_t n)
{
    return l % 16 + n < 16 ? l + n : NONE;
}

static uint32_t
row_shr(uint32_t l, uint32_t n)
{
    return l % 16 >= n ? l - n : NONE;
}

static uint32_t
row_ror(uint32_t l, uint32_t n)
{
    return l / 16 * 16 + (l % 16 + 16 - n) % 16;
}

static uint32_t
wave_shl(uint32_t l, uint32_t n)
{
    (void)n;
    return l < 63 ? l + 1 : NONE;
}

static uint32_t
wave_shr(uint32_t l, uint32_t n)
{
    (void)n;
    return l ? l - 1 : NONE;
}

static uint32_t
wave_rol(uint32_t l, uint32_t n)
{
    (void)n;
    return (l + 1) % 64;
}

static uint32_t
wave_ror(uint32_t l, uint32_t n)
{
    (void)n;
    return (l + 63) % 64;
}

static uint32_t
row_bcast15(uint32_t l, uint32_t n)
{
    (void)n;
    return l < 16 ? NONE : l / 16 * 16 - 1;
}

static uint32_t
row_bcast31(uint32_t l, uint32_t n)
{
    (void)n;
    return l < 32 ? NONE : 31;
}

static uint32_t
row_mirror(uint32_t l, uint32_t n)
{
    (void)n;
    return l / 16 * 16 + 15 - l % 16;
}

static uint32_t
row_half_mirror(uint32_t l, uint32_t n)
{
    (void)n;
    return l / 8 * 8 + 7 - l % 8;
}

static uint32_t
row_share(uint32_t l, uint32_t n)
{
    return l / 16 * 16 + n;
}

static uint32_t
row_xmask(uint32_t l, uint32_t n)
{
    return l / 16 * 16 + (l % 16 ^ n);
}

static const dpp_rule dpp_rules[] = {
    {"row_shl:%u", AMD_GFX8, AMD_GFX12, 15, row_shl},
    {"row_shr:%u", AMD_GFX8, AMD_GFX12, 15, row_shr},
    {"row_ror:%u", AMD_GFX8, AMD_GFX12, 15, row_ror},
    {"row_mirror", AMD_GFX8, AMD_GFX12, 0, row_mirror},
    {"row_half_mirror", AMD_GFX8, AMD_GFX12, 0, row_half_mirror},
    {"wave_shl:1", AMD_GFX8, AMD_GFX950, 0, wave_shl},
    {"wave_shr:1", AMD_GFX8, AMD_GFX950, 0, wave_shr},
    {"wave_rol:1", AMD_GFX8, AMD_GFX950, 0, wave_rol},
    {"wave_ror:1", AMD_GFX8, AMD_GFX950, 0, wave_ror},
    {"row_bcast:15", AMD_GFX8, AMD_GFX950, 0, row_bcast15},
    {"row_bcast:31", AMD_GFX8, AMD_GFX950, 0, row_bcast31},
    {"row_newbcast:%u", AMD_GFX90A, AMD_GFX950, 15, row_share},
    {"row_share:%u", AMD_GFX10, AMD_GFX12, 15, row_share},
    {"row_xmask:%u", AMD_GFX10, AMD_GFX12, 15, row_xmask},
};

static void
try_dpp(crossing *c)
{
    for (size_t r = 0; r < sizeof dpp_rules / sizeof *dpp_rules; r++) {
        const dpp_rule *rule = &dpp_rules[r];
        uint32_t from[EMU_LANES], n = rule->max ? 1 + draw(c, rule->max) : 1, zero = draw(c, 2);
        if (c->e->d.gen < rule->first || c->e->d.gen > rule->last)
            continue;
        for (uint32_t l = 0; l < EMU_LANES; l++)
            from[l] = rule->from(l, n);
        set_up(c);
        const char *control = strchr(rule->text, '%')
                                  ? arena_printf(&c->e->a, "%.*s%u", (int)strcspn(rule->text, "%"),
                                                 rule->text, n)
                                  : rule->text;
        expect_from(c,
                    arena_printf(&c->e->a, "v_mov_b32_dpp v3, v0 %s row_mask:0xf bank_mask:0xf%s",
                                 control, zero ? " bound_ctrl:1" : ""),
                    from, zero ? 0 : OLD);
    }
}

/* Selections within groups of four and of eight. */
static void
try_dpp_groups(crossing *c)
{
    uint32_t from[EMU_LANES], p[8];
    if (c->e->d.gen < AMD_GFX8)
        return;
    for (uint32_t k = 0; k < 8; k++)
        p[k] = draw(c, 8);
    for (uint32_t l = 0; l < EMU_LANES; l++)
        from[l] = l / 4 * 4 + p[l % 4] / 2;
    set_up(c);
    expect_from(c,
                arena_printf(&c->e->a,
                             "v_mov_b32_dpp v3, v0 quad_perm:[%u,%u,%u,%u] row_mask:0xf "
                             "bank_mask:0xf",
                             p[0] / 2, p[1] / 2, p[2] / 2, p[3] / 2),
                from, OLD);
    if (c->e->d.gen < AMD_GFX10)
        return;
    for (uint32_t l = 0; l < EMU_LANES; l++)
        from[l] = l / 8 * 8 + p[l % 8];
    set_up(c);
    expect_from(c,
                arena_printf(&c->e->a, "v_mov_b32_dpp v3, v0 dpp8:[%u,%u,%u,%u,%u,%u,%u,%u]", p[0],
                             p[1], p[2], p[3], p[4], p[5], p[6], p[7]),
                from, 0);
}

/* Runs `try` many times on each generation that supports it, with each wave size. */
static void
everywhere(amd_gen first, void (*try)(crossing *c))
{
    for (amd_gen gen = first; gen < AMD_GEN_COUNT; gen++)
        for (uint32_t lanes = gen < AMD_GFX10 ? 64 : 32; lanes <= 64; lanes += 32) {
            crossing c = {.e = emu_env_new(lanes), .random = 5, .lanes = lanes};
            c.e->d.gen = gen;
            for (uint32_t n = 0; n < DRAWS; n++)
                try(&c);
            emu_env_free(c.e);
        }
}

#define CASE(name, first)                                                                          \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        everywhere(first, try_##name);                                                             \
    }
CASE(bpermute, AMD_GFX8)
CASE(bpermute_fi, AMD_GFX12)
CASE(swap_b16, AMD_GFX11)
CASE(permute, AMD_GFX8)
CASE(swizzle, AMD_GFX6)
CASE(numbers, AMD_GFX6)
CASE(counts, AMD_GFX6)
CASE(permlane16, AMD_GFX10)
CASE(permlane64, AMD_GFX11)
CASE(dpp, AMD_GFX8)
CASE(dpp_groups, AMD_GFX8)

/* A reversed wave64: an earlier defect gave 31 on gfx8. */
static void
test_turned_round(void **state)
{
    (void)state;
    static const amd_gen wide[] = {AMD_GFX8,   AMD_GFX9,   AMD_GFX908,
                                   AMD_GFX90A, AMD_GFX942, AMD_GFX12};
    for (size_t k = 0; k < sizeof wide / sizeof *wide; k++) {
        emu_env *e = emu_env_new(64);
        e->d.gen = wide[k];
        for (uint32_t l = 0; l < 64; l++) {
            e->w.vgpr[0][l] = l;
            e->w.vgpr[1][l] = (63 - l) << 2;
        }
        emu_run_text(e, "ds_bpermute_b32 v2, v1, v0\nds_permute_b32 v3, v1, v0");
        for (uint32_t l = 0; l < 64; l++) {
            assert_int_equal(e->w.vgpr[2][l], 63 - l);
            assert_int_equal(e->w.vgpr[3][l], 63 - l);
        }
        emu_env_free(e);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bpermute),   cmocka_unit_test(test_bpermute_fi),
        cmocka_unit_test(test_swap_b16),   cmocka_unit_test(test_permute),
        cmocka_unit_test(test_swizzle),    cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_counts),     cmocka_unit_test(test_permlane16),
        cmocka_unit_test(test_permlane64), cmocka_unit_test(test_dpp),
        cmocka_unit_test(test_dpp_groups), cmocka_unit_test(test_turned_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
