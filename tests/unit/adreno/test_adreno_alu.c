/* What operations compute: cases worked out by hand, and random sources against C's own operations. */
#include "adreno/emu/alu/alu.h"
#include "adreno/isa/asm/asm.h"
#include "base/diag.h"
#include "base/fp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    diag diag;
    arena arena;
    const adreno_isa *isa;
} fixture;

static int
set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    diag_init(&f.diag);
    arena_init(&f.arena, &base_malloc_allocator, diag_out_of_memory, &f.diag);
    if (!DIAG_TRY(&f.diag))
        return 1;
    f.isa = adreno_isa_open(&f.arena, 7);
    *state = &f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    arena_free(&f->arena);
    return 0;
}

static adreno_inst
assemble(fixture *f, const char *text)
{
    const asm_options o = {.is_code = true};
    adreno_inst in;
    if (!DIAG_TRY(&f->diag))
        fail_msg("%s: %s", text, f->diag.message);
    adreno_asm_unit *u = adreno_assemble_unit(&f->diag, &f->arena, f->isa, &o,
                                              (asm_text){text, strlen(text)});
    asm_resolve(u->text);
    adreno_decode(f->isa, adreno_read_word(u->text->sections[0].data.data), &in);
    return in;
}

static bool
compute(fixture *f, const char *text, const uint32_t src[3], uint32_t *dst)
{
    const adreno_inst in = assemble(f, text);
    uint32_t with[3] = {src[0], src[1], src[2]};
    for (unsigned i = 0; i < adreno_count_sources(&in); i++)
        adreno_literal_source(f->isa, &in, i, &with[i]);
    return adreno_compute(f->isa, &in, with, dst);
}

typedef struct alu_case {
    const char *text;
    uint32_t src[3], result;
} alu_case;

static void
check(void **state, const alu_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t dst;
        if (!compute(*state, cases[i].text, cases[i].src, &dst))
            fail_msg("%s: not computed", cases[i].text);
        if (dst != cases[i].result)
            fail_msg("%s: 0x%x, not 0x%x", cases[i].text, dst, cases[i].result);
    }
}

#define CHECK(cases) check(state, cases, sizeof(cases) / sizeof *(cases))

enum {
    ONE = 0x3f800000,
    TWO = 0x40000000,
    HALF_ONE = 0x3c00,
    HALF_TWO = 0x4000,
    NOT_A_NUMBER = 0x7fc00000
};

static void
test_floats(void **state)
{
    static const alu_case cases[] = {
        {"add.f r0.x, r1.x, r2.x", {ONE, ONE, 0}, TWO},
        {"add.f r0.x, r1.x, (neg)r2.x", {TWO, ONE, 0}, ONE},
        {"add.f r0.x, (absneg)r1.x, r2.x", {0xc0000000, ONE, 0}, 0xbf800000},
        {"(sat)add.f r0.x, r1.x, r2.x", {TWO, ONE, 0}, ONE},
        {"(sat)add.f r0.x, r1.x, (neg)r2.x", {ONE, TWO, 0}, 0},
        {"(sat)mul.f r0.x, r1.x, r2.x", {NOT_A_NUMBER, ONE, 0}, 0},
        {"mul.f r0.x, r1.x, (2.0)", {0x40490fdb, 0, 0}, 0x40c90fdb},
        {"add.f hr0.x, hr1.x, h(1.0)", {HALF_ONE, 0, 0}, HALF_TWO},
        {"add.f hr0.x, r1.x, r2.x", {ONE, ONE, 0}, HALF_TWO},
        {"add.f r0.x, hr1.x, hr2.x", {HALF_ONE, HALF_ONE, 0}, TWO},
        {"min.f r0.x, r1.x, r2.x", {NOT_A_NUMBER, ONE, 0}, ONE},
        {"max.f r0.x, r1.x, r2.x", {ONE, NOT_A_NUMBER, 0}, ONE},
        {"max.f r0.x, r1.x, r2.x", {0x80000000, 0, 0}, 0},
        {"min.f r0.x, r1.x, r2.x", {0, 0x80000000, 0}, 0x80000000},
        {"sign.f r0.x, r1.x", {0xc2480000, 0, 0}, 0xbf800000},
        {"absneg.f r0.x, (abs)r1.x", {0xbf800000, 0, 0}, ONE},
        {"absneg.f r0.x, (neg)r1.x", {0, 0, 0}, 0x80000000},
        {"floor.f r0.x, r1.x", {0xbfc00000, 0, 0}, 0xc0000000},
        {"ceil.f r0.x, r1.x", {0xbfc00000, 0, 0}, 0xbf800000},
        {"trunc.f r0.x, r1.x", {0xbfc00000, 0, 0}, 0xbf800000},
        {"rndne.f r0.x, r1.x", {0x40200000, 0, 0}, TWO},        /* 2.5 */
        {"rndaz.f r0.x, r1.x", {0x40200000, 0, 0}, 0x40400000}, /* 3 */
        {"rndne.f r0.x, r1.x", {0xbe800000, 0, 0}, 0x80000000}, /* -0.25 */
        {"mad.f32 r0.x, r1.x, r2.x, (neg)r3.x", {TWO, TWO, ONE}, 0x40400000},
        {"mad.f16 hr0.x, hr1.x, hr2.x, hr3.x", {HALF_TWO, HALF_TWO, HALF_ONE}, 0x4500},
        {"mad.f32.mul2 r0.x, r1.x, r2.x, r3.x", {ONE, ONE, ONE}, 0x40800000},
        {"sel.f32 r0.x, r1.x, r2.x, r3.x", {ONE, 0xbf800000, TWO}, TWO},
        {"cmps.f.lt r0.x, r1.x, r2.x", {ONE, TWO, 0}, 1},
        {"cmps.f.ne r0.x, r1.x, r2.x", {NOT_A_NUMBER, ONE, 0}, 1},
        {"cmps.f.eq p0.x, r1.x, r2.x", {NOT_A_NUMBER, ONE, 0}, 0},
        {"(sat)cmps.f.le r0.x, r1.x, r2.x", {ONE, TWO, 0}, 0},
        {"cmpv.f.ge hr0.x, r1.x, r2.x", {ONE, ONE, 0}, 0xffff},
        {"rcp r0.x, r1.x", {TWO, 0, 0}, 0x3f000000},
        {"rcp r0.x, r1.x", {0x80000000, 0, 0}, 0xff800000},
        {"rsq r0.x, (abs)r1.x", {0xc0800000, 0, 0}, 0x3f000000},
        {"sqrt r0.x, r1.x", {0x40800000, 0, 0}, TWO},
        {"log2 r0.x, r1.x", {0x41000000, 0, 0}, 0x40400000},
        {"exp2 r0.x, (neg)r1.x", {ONE, 0, 0}, 0x3f000000},
        {"hexp2 hr0.x, hr1.x", {HALF_ONE, 0, 0}, HALF_TWO},
        {"sin r0.x, r1.x", {0, 0, 0}, 0},
        {"cos r0.x, r1.x", {0, 0, 0}, ONE},
    };
    CHECK(cases);
}

static void
test_integers(void **state)
{
    static const alu_case cases[] = {
        {"add.u r0.x, r1.x, r2.x", {UINT32_MAX, 2, 0}, 1},
        {"add.u r0.x, r1.x, -3", {5, 0, 0}, 2},
        {"(sat)add.u r0.x, r1.x, r2.x", {UINT32_MAX, 2, 0}, UINT32_MAX},
        {"(sat)sub.u r0.x, r1.x, r2.x", {1, 2, 0}, 0},
        {"(sat)add.s r0.x, r1.x, r2.x", {INT32_MAX, 1, 0}, INT32_MAX},
        {"(sat)sub.s hr0.x, hr1.x, hr2.x", {0x8000, 1, 0}, 0x8000},
        {"add.u (ei)r0.x, r1.x, r2.x", {UINT32_MAX, 3, 0}, 0x80000001},
        {"add.s r0.x, hr1.x, hr2.x", {0xffff, 0xffff, 0}, 0xfffffffe},
        {"add.u r0.x, hr1.x, hr2.x", {0xffff, 2, 0}, 1},
        {"sub.s r0.x, (neg)r1.x, r2.x", {5, 7, 0}, (uint32_t)-12},
        {"absneg.s r0.x, (abs)r1.x", {(uint32_t)-9, 0, 0}, 9},
        {"cmps.s.lt p0.x, r1.x, r2.x", {UINT32_MAX, 0, 0}, 1},
        {"cmps.u.lt p0.x, r1.x, r2.x", {UINT32_MAX, 0, 0}, 0},
        {"cmpv.u.eq r0.x, r1.x, r2.x", {4, 4, 0}, UINT32_MAX},
        {"min.s r0.x, r1.x, r2.x", {UINT32_MAX, 3, 0}, UINT32_MAX},
        {"min.u r0.x, r1.x, r2.x", {UINT32_MAX, 3, 0}, 3},
        {"max.s hr0.x, hr1.x, hr2.x", {0xffff, 3, 0}, 3},
        {"max.u r0.x, r1.x, r2.x", {7, 3, 0}, 7},
        {"and.b r0.x, (neg)r1.x, r2.x", {0xff00, 0xffff, 0}, 0xff},
        {"or.b r0.x, r1.x, r2.x", {0xf0, 0x0f, 0}, 0xff},
        {"xor.b hr0.x, hr1.x, h(-1)", {0x00ff, 0, 0}, 0xff00},
        {"not.b r0.x, r1.x", {0, 0, 0}, UINT32_MAX},
        {"mul.u24 r0.x, r1.x, r2.x", {0x01000003, 5, 0}, 15},
        {"mul.s24 r0.x, r1.x, r2.x", {0xffffffff, 5, 0}, (uint32_t)-5},
        {"mul.u24 r0.x, hr1.x, hr2.x", {0xffff, 0xffff, 0}, 0xfffe0001},
        {"mull.u r0.x, r1.x, r2.x", {0x10003, 0x20005, 0}, 15},
        {"bfrev.b r0.x, r1.x", {1, 0, 0}, 0x80000000},
        {"bfrev.b hr0.x, hr1.x", {1, 0, 0}, 0x8000},
        {"clz.b r0.x, r1.x", {0x00ff0000, 0, 0}, 8},
        {"clz.b r0.x, r1.x", {0, 0, 0}, UINT32_MAX},
        {"clz.s r0.x, r1.x", {0xfffffff0, 0, 0}, 28},
        {"clz.s r0.x, r1.x", {UINT32_MAX, 0, 0}, UINT32_MAX},
        {"cbits.b r0.x, r1.x", {0xf00f, 0, 0}, 8},
        {"shl.b r0.x, r1.x, r2.x", {1, 33, 0}, 2},
        {"shr.b r0.x, r1.x, 4", {0x80000000, 0, 0}, 0x08000000},
        {"ashr.b r0.x, r1.x, 4", {0x80000000, 0, 0}, 0xf8000000},
        {"ashr.b hr0.x, hr1.x, h(17)", {0x8000, 0, 0}, 0xc000},
        {"getbit.b p0.x, r1.x, 5", {0x20, 0, 0}, 1},
        {"mad.u24 r0.x, r1.x, r2.x, r3.x", {3, 4, 5}, 17},
        {"mad.s24 r0.x, r1.x, r2.x, r3.x", {0x00ffffff, 4, 5}, 1},
        {"mad.u16 hr0.x, hr1.x, hr2.x, hr3.x", {0x100, 0x101, 1}, 0x101},
        {"sel.b32 r0.x, r1.x, r2.x, r3.x", {1, 2, 3}, 1},
        {"sel.b32 r0.x, r1.x, r2.x, r3.x", {1, 0, 3}, 3},
        {"sel.s32 r0.x, r1.x, r2.x, r3.x", {1, UINT32_MAX, 3}, 3},
        {"shrm r0.x, 4, r2.x, r3.x", {0, 0x1230, 0xff}, 0x23},
        {"shlg r0.x, 4, r2.x, 15", {0, 1, 0}, 0x1f},
        {"andg r0.x, r1.x, r2.x, r3.x", {0xf0, 0x3c, 1}, 0x31},
        {"dp4acc.unsigned.low r0.x, r1.x, r2.x, r3.x", {0x01020304, 0x01010101, 5}, 15},
        {"dp4acc.mixed.low r0.x, r1.x, r2.x, r3.x", {0xff, 0xff, 0}, (uint32_t)-255},
        {"dp2acc.unsigned.high r0.x, r1.x, r2.x, r3.x", {0x02030405, 0x01010101, 0}, 5},
    };
    CHECK(cases);
}

static void
test_conversions(void **state)
{
    static const alu_case cases[] = {
        {"mov.u32u32 r0.x, r1.x", {0x12345678, 0, 0}, 0x12345678},
        {"mov.f32f32 r0.x, (1.5)", {0, 0, 0}, 0x3fc00000},
        {"mov.s16s16 hr0.x, -1", {0, 0, 0}, 0xffff},
        {"mova a0.x, hr1.x", {0x12345, 0, 0}, 0x2345},
        {"cov.f32f16 hr0.x, r1.x", {ONE, 0, 0}, HALF_ONE},
        {"cov.f16f32 r0.x, hr1.x", {HALF_TWO, 0, 0}, TWO},
        {"cov.f32s32 r0.x, r1.x", {0xc0200000, 0, 0}, (uint32_t)-2}, /* -2.5 */
        {"cov.f32s32 (even)r0.x, r1.x", {0x40600000, 0, 0}, 4},      /* 3.5 */
        {"cov.f32s32 (neg_infinity)r0.x, r1.x", {0xc0200000, 0, 0}, (uint32_t)-3},
        {"cov.f32s32 (pos_infinity)r0.x, r1.x", {0x40200000, 0, 0}, 3},
        {"cov.f32u32 r0.x, r1.x", {0xbf800000, 0, 0}, 0},
        {"cov.f32u32 r0.x, r1.x", {0x7f800000, 0, 0}, UINT32_MAX},
        {"cov.f32s32 r0.x, r1.x", {NOT_A_NUMBER, 0, 0}, 0},
        {"cov.s32f32 r0.x, r1.x", {(uint32_t)-2, 0, 0}, 0xc0000000},
        {"cov.u32f32 r0.x, r1.x", {UINT32_MAX, 0, 0}, 0x4f800000},
        {"cov.u16u32 r0.x, hr1.x", {0xffff, 0, 0}, 0xffff},
        {"cov.s16s32 r0.x, hr1.x", {0xffff, 0, 0}, UINT32_MAX},
        {"cov.u32u16 hr0.x, r1.x", {0x12345, 0, 0}, 0x2345},
        {"cov.u32u16 (sat)hr0.x, r1.x", {0x12345, 0, 0}, 0xffff},
        {"cov.u8s32 r0.x, hr1.x", {0xff, 0, 0}, UINT32_MAX},
    };
    CHECK(cases);
}

/* Products of 32 bits as the drivers make them: mull.u, then madsh.m16 both ways. */
static void
test_product(void **state)
{
    uint32_t a = 12345, b = 678910;
    for (unsigned i = 0; i < 1000; i++) {
        uint32_t r, src[3] = {a, b, 0};
        assert_true(compute(*state, "mull.u r0.x, r1.x, r2.x", src, &r));
        src[2] = r;
        assert_true(compute(*state, "madsh.m16 r0.x, r1.x, r2.x, r3.x", src, &r));
        assert_true(compute(*state, "madsh.m16 r0.x, r1.x, r2.x, r3.x", (uint32_t[]){b, a, r}, &r));
        assert_int_equal(r, a * b);
        a = a * 1664525 + 1013904223;
        b = b * 22695477 + 1;
    }
}

/* turnip's product with 3 is mull.u and one madsh.m16, whose first factor is 3. */
static void
test_product_of_halves(void **state)
{
    uint32_t r;
    const char text[] = "madsh.m16 r0.x, r1.x, r2.x, r3.x";
    assert_true(compute(*state, text, (uint32_t[]){3, 0x00020001, 3}, &r));
    assert_int_equal(r, 0x00060003);
    assert_true(compute(*state, text, (uint32_t[]){0x00030000, 0xffff, 7}, &r));
    assert_int_equal(r, 7);
}

static float
as_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Random patterns against C's floats: each rounds once. */
static void
test_random_floats(void **state)
{
    fixture *f = *state;
    const adreno_inst add = assemble(f, "add.f r0.x, r1.x, (neg)r2.x");
    const adreno_inst mul = assemble(f, "mul.f r0.x, r1.x, r2.x");
    const adreno_inst rcp = assemble(f, "rcp r0.x, r1.x");
    const adreno_inst root = assemble(f, "sqrt r0.x, (abs)r1.x");
    uint32_t bits = 1;
    for (unsigned i = 0; i < 200000; i++) {
        uint32_t src[3], r;
        for (unsigned k = 0; k < 3; k++) {
            bits = bits * 1664525 + 1013904223;
            src[k] = bits ^ bits >> 15;
        }
        if (i % 2)
            src[1] = (src[1] & 0x807fffff) | (src[0] & 0x7f800000); /* sums that cancel */
        const volatile float a = as_float(src[0]), b = as_float(src[1]);
        const float expected[] = {a - b, a * b, 1 / a, sqrtf(fabsf(a))};
        const adreno_inst *ops[] = {&add, &mul, &rcp, &root};
        for (unsigned k = 0; k < 4; k++) {
            assert_true(adreno_compute(f->isa, ops[k], src, &r));
            if (isnan(expected[k]))
                assert_true(isnan(as_float(r)));
            else
                assert_true(as_float(r) == expected[k]);
        }
    }
}

/* ---- waves ---- */

/* A wave of 64 fibres whose register n of fibre i is 1000 * n + i. */
static adreno_wave *
make_wave(fixture *f, bool is_merged)
{
    static const uint32_t consts[] = {7, ONE, 0x12345678, 9};
    adreno_wave *w = ARENA_NEW(&f->arena, adreno_wave);
    memset(w, 0, sizeof *w);
    w->isa = f->isa;
    w->n_fibres = 64;
    w->is_merged = is_merged;
    w->active[0] = UINT64_MAX;
    w->consts = consts;
    w->n_consts = 4;
    for (unsigned n = 0; n < ADRENO_FIRST_SHARED; n++)
        for (unsigned i = 0; i < 64; i++)
            w->full[n][i] = 1000 * n + i;
    return w;
}

static void
execute(fixture *f, adreno_wave *w, const char *text)
{
    const adreno_inst in = assemble(f, text);
    if (!adreno_execute_alu(w, &in))
        fail_msg("%s: not executed", text);
}

/* The example of the talk. */
static void
test_repetition(void **state)
{
    fixture *f = *state;
    adreno_wave *w = make_wave(f, true);
    w->active[0] = 0xf0;
    execute(f, w, "(rpt3)add.u r3.x, (r)r1.x, r2.x");
    for (unsigned i = 0; i < 64; i++)
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(w->full[12 + k][i],
                             i >= 4 && i < 8 ? 1000 * (4 + k) + i + 8000 + i : 1000 * (12 + k) + i);
    execute(f, w, "(rpt2)mov.u32u32 r5.x, (r)c0.y");
    assert_int_equal(w->full[20][5], ONE);
    assert_int_equal(w->full[22][5], 9);
    execute(f, w, "(rpt1)add.u r0.x, r0.x, r0.x"); /* the second reads what the first has written */
    assert_int_equal(w->full[1][5], 20);
}

static void
test_half_registers(void **state)
{
    fixture *f = *state;
    adreno_wave *w = make_wave(f, true);
    execute(f, w, "mov.u16u16 hr0.y, 0xabcd");
    assert_int_equal(w->full[0][3], 0xabcd0003);
    execute(f, w, "cov.u16u32 r1.x, hr0.y");
    assert_int_equal(w->full[4][3], 0xabcd);
    execute(f, w, "add.f hr0.x, hc0.y, h(1.0)"); /* floats are stored with 32 bits */
    assert_int_equal(w->full[0][3], 0xabcd0000u | HALF_TWO);
    execute(f, w, "and.b hr0.x, hc0.z, h(-1)");
    assert_int_equal(w->full[0][3], 0xabcd5678);
    w = make_wave(f, false);
    execute(f, w, "mov.u16u16 hr0.y, 0xabcd");
    assert_int_equal(w->full[0][3], 3);
    assert_int_equal(w->half[1][3], 0xabcd);
}

static void
test_special_registers(void **state)
{
    fixture *f = *state;
    adreno_wave *w = make_wave(f, true);
    execute(f, w, "mova a0.x, -2");
    execute(f, w, "mov.u32u32 r10.x, r<a0.x + 6>");
    assert_int_equal(w->full[40][9], 4009);
    execute(f, w, "mov.u32u32 r10.x, c<a0.x + 5>");
    assert_int_equal(w->full[40][9], 9);
    execute(f, w, "mov.u32u32 r<a0.x + 3>, 5");
    assert_int_equal(w->full[1][9], 5);
    execute(f, w, "mov.u32u32 r10.x, r<a0.x + 0>"); /* before the first register */
    assert_int_equal(w->full[40][9], 0);
    execute(f, w, "cmps.u.lt p0.y, r0.x, 7");
    assert_int_equal(w->full[ADRENO_NUMBER_P0 + 1][6], 1);
    assert_int_equal(w->full[ADRENO_NUMBER_P0 + 1][7], 0);
    execute(f, w, "add.u r48.x, c0.x, 1");
    execute(f, w, "add.u r1.x, r48.x, r0.x");
    assert_int_equal(w->full[4][9], 8 + 9);
    execute(f, w, "cmps.u.eq up0.x, r48.x, 8");
    assert_int_equal(w->full[ADRENO_NUMBER_P0][63], 1);
}

static void
test_unknown_operations(void **state)
{
    static const char *const texts[] = {"nop",
                                        "mgen.b r0.x, r1.x, r2.x",
                                        "setrm r0.x, r1.x",
                                        "msad r0.x, r1.x, r2.x",
                                        "bary.f r0.x, 1, r2.x",
                                        "sub.u (ei)r0.x, r1.x, r2.x",
                                        "mad.u16 r0.x, hr1.x, hr2.x, hr3.x"};
    uint32_t r;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(compute(*state, texts[i], (uint32_t[]){1, 2, 3}, &r));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_product),
        cmocka_unit_test(test_product_of_halves),
        cmocka_unit_test(test_random_floats),
        cmocka_unit_test(test_unknown_operations),
        cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_half_registers),
        cmocka_unit_test(test_special_registers),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
