/* Text to floats and back: every result is compared with the C library's in the C locale, which
 * rounds correctly, and binary16 with MPFR; examples and random numbers of every form. The
 * environment variable NUMBERS sets the number of random ones (default 200,000 each). */
#include "base/fp.h"
#include "base/number.h"

#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t
next_random(uint64_t *state)
{
    return base_hash64(*state += UINT64_C(0x9e3779b97f4a7c15));
}

static uint64_t
numbers(void)
{
    const char *n = getenv("NUMBERS");
    return n ? strtoull(n, NULL, 10) : 200000;
}

/* binary16 by MPFR: 11 bits, the exponents of binary16 with its denormals. */
static uint16_t
half_of(const char *text)
{
    mpfr_t m;
    char *end;
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_init2(m, 11);
    mpfr_set_emin(-23);
    mpfr_set_emax(16);
    int ternary = mpfr_strtofr(m, text, &end, 10, MPFR_RNDN);
    ternary = mpfr_check_range(m, ternary, MPFR_RNDN);
    mpfr_subnormalize(m, ternary, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    uint16_t h = base_f64_to_f16(mpfr_get_d(m, MPFR_RNDN), BASE_ROUND_EVEN);
    mpfr_clear(m);
    return h;
}

static void
check_read(const char *text, bool half)
{
    size_t size = strlen(text);
    uint64_t f64 = base_float_read(text, size, 64);
    uint32_t f32 = (uint32_t)base_float_read(text, size, 32);
    if (base_float_length(text, size) != size)
        fail_msg("%s: length %zu", text, base_float_length(text, size));
    if (f64 != base_f64_bits(strtod(text, NULL)) || f32 != base_f32_bits(strtof(text, NULL)))
        fail_msg("%s: %#llx, %#x, but C says %a, %a", text, (unsigned long long)f64, f32,
                 strtod(text, NULL), (double)strtof(text, NULL));
    if (half && base_float_read(text, size, 16) != half_of(text))
        fail_msg("%s: binary16 %#llx, MPFR says %#x", text,
                 (unsigned long long)base_float_read(text, size, 16), half_of(text));
}

static void
test_examples_are_read(void **state)
{
    static const char *const texts[] = {
        "0",
        "0.0",
        ".0",
        "0e5",
        "00000000000000000000000000000000001",
        "1.",
        ".5",
        "1.e3",
        "1E-3",
        "1e+3",
        "0.1",
        "16777217",
        "16777216.99999999999999999999999999999",
        "9007199254740993",
        "9007199254740992.9999999999999999999999999",
        "65504",
        "65519.999",
        "65520",
        "2049",
        "2051",
        "1.00000005960464477541",
        "1.000000059604644775390625",
        "5.9604644775390625e-8",
        "2.98023223876953125e-8",
        "2.98023223876953125000000000000000000000000001e-8",
        "1.401298464324817e-45",
        "7.006492321624085e-46",
        "7.006492321624086e-46",
        "340282346638528859811704183484516925440",
        "340282356779733661637539395458142568447",
        "340282356779733661637539395458142568448",
        "3.5e38",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e309",
        "1e310",
        "1e311",
        "9.999e310",
        "1e-330",
        "1e-331",
        "9e-331",
        "1e99999999999999999999999",
        "1e-99999999999999999999999",
        "0e99999999999999999999999",
        "6.02214076e23",
        "6.62607015e-34",
        "0.3333333333333333333333",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
        "977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273"
        "854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704"
        "342711559699508093042880",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_read(texts[i], strlen(texts[i]) < 60);
}

/* Leading and trailing zeros that the exponent compensates. */
static void
test_long_texts_are_read(void **state)
{
    enum { ZEROS = 100000 };
    static char text[2 * ZEROS + 100];
    (void)state;
    int n = sprintf(text, "0.");
    memset(text + n, '0', ZEROS);
    sprintf(text + n + ZEROS, "15e%d", ZEROS);
    check_read(text, true);
    n = sprintf(text, "15");
    memset(text + n, '0', ZEROS);
    sprintf(text + n + ZEROS, "e-%d", ZEROS - 2);
    check_read(text, true);
    /* half a bit, and a digit far after it */
    n = sprintf(text, "1.000000059604644775390625");
    memset(text + n, '0', ZEROS);
    sprintf(text + n + ZEROS, "1");
    check_read(text, true);
    assert_int_equal(base_float_read(text, strlen(text), 32), 0x3f800001);
}

static void
test_lengths(void **state)
{
    static const struct {
        const char *text;
        size_t length;
    } rows[] = {{"", 0},     {".", 0},     {"e5", 0},    {".e5", 0}, {"-1", 0},
                {"+1", 0},   {" 1", 0},    {"inf", 0},   {"1e", 1},  {"1e+", 1},
                {"1e-x", 1}, {"1.5e", 3},  {"1.5.5", 3}, {"1,5", 1}, {"0x1p3", 1},
                {"1.5f", 3}, {"1e5e5", 3}, {"1..2", 2},  {"12", 2},  {"1.e+07", 6}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(base_float_length(rows[i].text, strlen(rows[i].text)), rows[i].length);
    assert_int_equal(base_float_length("12345", 3), 3);
    assert_int_equal(base_float_length("1.5e5", 4), 3);
}

/* A finite double: any pattern, a value of a float, a small integer, a denormal. */
static double
random_double(uint64_t *seed)
{
    uint64_t r = next_random(seed);
    double x;
    switch (r & 7) {
    case 0: return (double)(int64_t)(next_random(seed) >> (r >> 8 & 63));
    case 1: x = base_bits_f32((uint32_t)(r >> 16)); break;
    case 2: return base_bits_f64(next_random(seed) & base_mask64(52));
    case 3: return base_f16_to_f64(r >> 20 & 0x7bff);
    case 4: return (double)(r >> 8 & 0xffffff) / 1000;
    default: x = base_bits_f64(next_random(seed)); break;
    }
    return x - x == 0 ? x : 1.5;
}

static void
test_random_texts_are_read(void **state)
{
    (void)state;
    uint64_t seed = 1, count = numbers();
    char text[1500];
    for (uint64_t i = 0; i < count; i++) {
        uint64_t r = next_random(&seed);
        int digits = (int)(r >> 8 & (i % 16 ? 31 : 1023)), exponent = (int)(r >> 32) % 400;
        int n = sprintf(text, "%llu", (unsigned long long)next_random(&seed) >> (r & 63));
        text[n++] = '.';
        while (digits--)
            text[n++] = (char)('0' + next_random(&seed) % 10);
        text[n] = '\0';
        if (i % 3)
            sprintf(text + n, "e%d", i % 2 ? exponent : exponent % 12);
        check_read(text, i % 8 == 0);
    }
}

/* Numbers exactly between two neighbours of 16, 32 or 64 bits, and with the last digit changed. */
static void
test_halves_are_read(void **state)
{
    (void)state;
    uint64_t seed = 2, count = numbers() / 8;
    static char text[1500];
    mpfr_t m, half;
    mpfr_init2(m, 80);
    mpfr_init2(half, 80);
    for (uint64_t i = 0; i < count; i++) {
        unsigned bits = 16u << i % 3;
        uint64_t at = next_random(&seed) & base_mask64(bits - 1);
        if (i % 7 == 0)
            at &= base_mask64(base_fp_fraction_bits(bits));
        if (at + 1 >= base_fp_infinity(bits))
            continue;
        mpfr_set_d(m, base_fp_decode(at, bits), MPFR_RNDN);
        mpfr_set_d(half, base_fp_decode(at + 1, bits), MPFR_RNDN);
        mpfr_add(m, m, half, MPFR_RNDN);
        mpfr_div_2ui(m, m, 1, MPFR_RNDN);
        int n = mpfr_snprintf(text, sizeof text - 4, "%.1090Rf", m);
        assert_true(n > 0 && n < (int)sizeof text - 4);
        check_read(text, bits == 16);
        assert_int_equal(base_float_read(text, (size_t)n, bits), at + (at & 1));
        strcpy(text + n, "1");
        check_read(text, bits == 16);
        assert_int_equal(base_float_read(text, (size_t)n + 1, bits), at + 1);
    }
    mpfr_clear(m);
    mpfr_clear(half);
}

static void
check_print(double x, char style, int precision)
{
    char got[BASE_FLOAT_TEXT], want[BASE_FLOAT_TEXT + 100], format[] = "%.*f";
    format[3] = style;
    size_t n = base_float_print(got, x, style, precision);
    int length = snprintf(want, sizeof want, format, precision, x);
    if (n != (size_t)length || strcmp(got, want) != 0)
        fail_msg("%a as %%.%d%c: %s, C prints %s", x, precision, style, got, want);
}

static void
check_prints(double x, int precision)
{
    check_print(x, 'f', precision);
    check_print(x, 'e', precision);
    check_print(x, 'g', precision);
}

static void
test_examples_are_printed(void **state)
{
    static const double rows[] = {0.0,
                                  1.0,
                                  0.5,
                                  1.5,
                                  2.5,
                                  0.1,
                                  9.5,
                                  9.9999995,
                                  99999.95,
                                  999999.5,
                                  1e6,
                                  123456.5,
                                  1e-4,
                                  9.9995e-5,
                                  0.000123456789,
                                  1e15,
                                  1e16,
                                  1e17,
                                  1e22,
                                  1e23,
                                  1e100,
                                  1e308,
                                  0x1.fffffffffffffp1023,
                                  0x1p-1074,
                                  0x1p-1022,
                                  100,
                                  1e9,
                                  5e-7,
                                  1.5e-6,
                                  6e-7,
                                  4e-7,
                                  0.25,
                                  0.125,
                                  0x1p-20};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int precision = 0; precision <= BASE_FLOAT_PRECISION; precision++) {
            check_prints(rows[i], precision);
            check_prints(-rows[i], precision);
        }
    }
    check_prints(base_bits_f64(base_fp_infinity(64)), 6);
    check_prints(-base_bits_f64(base_fp_infinity(64)), 6);
    check_prints(base_bits_f64(UINT64_C(0x7ff8) << 48), 6);
    check_prints(base_bits_f64(UINT64_C(0xfff8) << 48), 6);
}

static void
test_random_numbers_are_printed(void **state)
{
    (void)state;
    uint64_t seed = 3, count = numbers();
    for (uint64_t i = 0; i < count; i++) {
        double x = random_double(&seed);
        check_prints(x, i % 3 ? 6 : (int)(i / 3 % (BASE_FLOAT_PRECISION + 1)));
        char text[BASE_FLOAT_TEXT];
        size_t n = base_float_print(text, x < 0 ? -x : x, 'g', 17);
        assert_int_equal(base_float_read(text, n, 64), base_f64_bits(x < 0 ? -x : x));
    }
}

static void
test_integers_are_read(void **state)
{
    uint64_t v;
    (void)state;
    assert_int_equal(base_integer_read("18446744073709551615", 20, 10, &v), 20);
    assert_int_equal(v, UINT64_MAX);
    assert_int_equal(base_integer_read("18446744073709551616", 20, 10, &v), 20);
    assert_int_equal(v, UINT64_MAX);
    assert_int_equal(base_integer_read("99999999999999999999999999", 26, 10, &v), 26);
    assert_int_equal(v, UINT64_MAX);
    assert_int_equal(base_integer_read("fFg", 3, 16, &v), 2);
    assert_int_equal(v, 255);
    assert_int_equal(base_integer_read("1234", 2, 10, &v), 2);
    assert_int_equal(v, 12);
    assert_int_equal(base_integer_read("-1", 2, 10, &v), 0);
    assert_int_equal(v, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples_are_read),
        cmocka_unit_test(test_long_texts_are_read),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_random_texts_are_read),
        cmocka_unit_test(test_halves_are_read),
        cmocka_unit_test(test_examples_are_printed),
        cmocka_unit_test(test_random_numbers_are_printed),
        cmocka_unit_test(test_integers_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
