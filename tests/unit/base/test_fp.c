/* Conversions of floating point patterns, and the helpers of the opcode table's meanings. */
#include "base/fp.h"
#include "ir/eval_alu.h"
#include "ir/eval_math.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t
next_random(uint64_t *state)
{
    return base_hash64(*state += UINT64_C(0x9e3779b97f4a7c15));
}

static void
test_half_floats_round_trip(void **state)
{
    (void)state;
    for (unsigned h = 0; h < 0x10000; h++) {
        double x = base_f16_to_f64((uint16_t)h);
        bool nan = base_fp_is_nan(h, 16);
        assert_int_equal(x != x, nan);
        for (base_round m = BASE_ROUND_EVEN; m <= BASE_ROUND_ZERO; m++)
            assert_int_equal(base_f64_to_f16(x, m), nan ? h | 0x200 : h);
    }
    assert_true(base_f16_to_f64(0x3c00) == 1);
    assert_true(base_f16_to_f64(0x0001) == 0x1p-24);
    assert_true(base_f16_to_f64(0xfbff) == -65504);
}

/* Between two neighbours lo < hi (patterns of a sign), a quarter, the middle, three quarters. */
static void
check_between(unsigned h, bool negative)
{
    double lo = base_f16_to_f64((uint16_t)h), hi = base_f16_to_f64((uint16_t)(h + 1));
    if (h + 1 == 0x7c00)
        hi = 65536;
    for (int q = 1; q < 4; q++) {
        double x = lo + (hi - lo) * q / 4;
        unsigned even = q == 1 ? h : q == 3 ? h + 1 : h + (h & 1), sign = negative ? 0x8000 : 0;
        unsigned overflow = h + 1;
        x = negative ? -x : x;
        assert_int_equal(base_f64_to_f16(x, BASE_ROUND_EVEN), sign | even);
        assert_int_equal(base_f64_to_f16(x, BASE_ROUND_ZERO), sign | h);
        assert_int_equal(base_f64_to_f16(x, BASE_ROUND_UP), sign | (negative ? h : overflow));
        assert_int_equal(base_f64_to_f16(x, BASE_ROUND_DOWN), sign | (negative ? overflow : h));
    }
}

static void
test_rounding_modes(void **state)
{
    (void)state;
    for (unsigned h = 0; h < 0x7c00; h++) {
        check_between(h, false);
        check_between(h, true);
    }
    assert_int_equal(base_f64_to_f16(1e300, BASE_ROUND_EVEN), 0x7c00);
    assert_int_equal(base_f64_to_f16(1e300, BASE_ROUND_ZERO), 0x7bff);
    assert_int_equal(base_f64_to_f16(-1e300, BASE_ROUND_UP), 0xfbff);
    assert_int_equal(base_f64_to_f16(1e-300, BASE_ROUND_EVEN), 0);
    assert_int_equal(base_f64_to_f16(1e-300, BASE_ROUND_UP), 1);
    assert_int_equal(base_f64_to_f16(-0x1p-1074, BASE_ROUND_DOWN), 0x8001);
}

static void
test_floats_as_the_host(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 200000; i++) {
        uint64_t r = next_random(&seed);
        double x = base_bits_f64(
            i & 1 ? r : (r & ~(UINT64_C(0x7ff) << 52)) | (uint64_t)(1023 - 160 + i % 320) << 52);
        if (x == x)
            assert_int_equal(base_fp_encode(x, 32, BASE_ROUND_EVEN), base_f32_bits((float)x));
        r >>= i % 64;
        assert_int_equal(base_fp_from_u64(r, 32, BASE_ROUND_EVEN), base_f32_bits((float)r));
        assert_int_equal(base_fp_from_u64(r, 64, BASE_ROUND_EVEN), base_f64_bits((double)r));
        assert_int_equal(base_fp_from_i64((int64_t)r, 64, BASE_ROUND_EVEN),
                         base_f64_bits((double)(int64_t)r));
    }
}

static uint64_t
eval2(ir_op op, unsigned bits, uint64_t a, uint64_t b, uint8_t rtz)
{
    uint64_t src[3] = {a, b, 0};
    return ir_eval_alu(op, bits, ir_alu_def_bits(op, bits, 0), src,
                       (ir_float_controls){.round_zero = rtz});
}

/* Rounding towards zero: the host in its only mode brackets the exact result. */
static void
test_rounding_towards_zero(void **state)
{
    (void)state;
    const double big = 0x1p60;
    assert_true(ev_add_rtz(big, -1, 64) < big);
    assert_true(ev_add_rtz(-big, 1, 64) > -big);
    assert_true(ev_add_rtz(big, 1, 64) == big);
    assert_true(ev_mul_rtz(3, 1.0 / 3, 64) < 1);
    assert_true(ev_fma_rtz(big, 1, -0x1p-70, 64) < big);
    assert_true(ev_mul_rtz(0x1.8p-1000, 0x1.4p-74, 64) == 0x1p-1074);
    assert_true(ev_mul_rtz(-0x1p-1074, 0.75, 64) == 0 && signbit(ev_mul_rtz(-0x1p-1074, 0.75, 64)));
    assert_true(ev_div_rtz(0x3p-1074, 2, 64) == 0x1p-1074);
    assert_true(ev_div_rtz(-0x1p-1074, 0x3p-1074, 64) == -0x1.5555555555555p-2);
    assert_true(ev_sqrt_rtz(0x1p-1073, 64) == 0x1.6a09e667f3bccp-537);
    assert_true(ev_fma_rtz(0x1p-600, 0x1.8p-474, 0x1p-1074, 64) == 0x1p-1073);
    assert_true(ev_add_rtz(0x1.fffffffffffffp1023, 0x1p1000, 64) == 0x1.fffffffffffffp1023);
    assert_true(isinf(ev_div_rtz(1, 0, 64)));
    float one = 1, tiny = 0x1p-100f;
    assert_int_equal(eval2(IR_fsub, 32, base_f32_bits(one), base_f32_bits(tiny), 2), 0x3f7fffff);
    assert_int_equal(eval2(IR_fsub, 32, base_f32_bits(one), base_f32_bits(tiny), 0), 0x3f800000);
    assert_int_equal(eval2(IR_fdiv, 32, base_f32_bits(2), base_f32_bits(3), 2), 0x3f2aaaaa);
    assert_int_equal(eval2(IR_fdiv, 32, base_f32_bits(2), base_f32_bits(3), 0), 0x3f2aaaab);
}

static void
test_fused_multiply_add_rounds_once(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 200000; i++) {
        uint64_t r = next_random(&seed), q = next_random(&seed);
        /* Exponents close enough for the addend to matter. */
        float a = base_bits_f32((uint32_t)(r & 0x807fffff) | (uint32_t)(120 + i % 16) << 23);
        float b = base_bits_f32((uint32_t)(r >> 32 & 0x807fffff) | 127u << 23);
        float c = base_bits_f32((uint32_t)(q & 0x807fffff) | (uint32_t)(70 + i % 101) << 23);
        assert_int_equal(base_f32_bits((float)ev_fma(a, b, c, 32)), base_f32_bits(fmaf(a, b, c)));
    }
    /* 2^24 + 1 + 2^-40: rounding to double first would lose the last term and the tie goes down. */
    assert_true((float)ev_fma(0x1.000002p0, 0x1p24, 0x1p-40, 32) ==
                fmaf(0x1.000002p0f, 0x1p24f, 0x1p-40f));
}

static void
test_integer_meanings(void **state)
{
    (void)state;
    assert_int_equal(eval2(IR_imul_high, 64, UINT64_MAX, UINT64_MAX, 0), 0);
    assert_int_equal(eval2(IR_umul_high, 64, UINT64_MAX, UINT64_MAX, 0), UINT64_MAX - 1);
    assert_int_equal(eval2(IR_imul_high, 32, 0x80000000, 0x80000000, 0), 0x40000000);
    assert_int_equal(eval2(IR_idiv, 32, 0x80000000, 0xffffffff, 0), 0x80000000);
    assert_int_equal(eval2(IR_imod, 32, (uint32_t)-7, 3, 0), 2);
    assert_int_equal(eval2(IR_irem, 32, (uint32_t)-7, 3, 0), 0xffffffff);
    assert_int_equal(eval2(IR_iadd_sat, 8, 100, 100, 0), 127);
    assert_int_equal(eval2(IR_isub_sat, 64, UINT64_C(1) << 63, 1, 0), UINT64_C(1) << 63);
    assert_int_equal(eval2(IR_uadd_carry, 16, 0xffff, 1, 0), 1);
    assert_int_equal(eval2(IR_ishl, 16, 1, 17, 0), 2);
    assert_int_equal(eval2(IR_bfm, 32, 4, 28, 0), 0xf0000000);
    assert_int_equal(eval2(IR_bitfield_reverse, 8, 1, 0, 0), 0x80);
    assert_int_equal(eval2(IR_ufind_msb, 32, 0, 0, 0), 0xffffffff);
    assert_int_equal(eval2(IR_find_lsb, 64, UINT64_C(1) << 40, 0, 0), 40);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_floats_round_trip),
        cmocka_unit_test(test_rounding_modes),
        cmocka_unit_test(test_floats_as_the_host),
        cmocka_unit_test(test_rounding_towards_zero),
        cmocka_unit_test(test_fused_multiply_add_rounds_once),
        cmocka_unit_test(test_integer_meanings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
