/* Binary floats of any format, computed in integers: exact values, rounded once.
 *
 * A finite value is a sign, an integer of 128 bits and a power of two. Sums and products are formed
 * without loss; bits that do not fit below are merged into an odd last bit ("sticky"), far below
 * the bits that matter for rounding. alu_soft_mpfr.c compares all of this with MPFR
 * (ref_soft_check).
 */
#include "alu_ref.h"

#include "base/bits.h"

#include <assert.h>

__extension__ typedef unsigned __int128 wide;

const ref_format ref_f16 = {16, 10, false, 15}, ref_f32 = {32, 23, false, 127},
                 ref_f64 = {64, 52, false, 1023}, ref_bf16 = {16, 7, false, 127},
                 ref_fp8 = {8, 3, true, 7}, ref_bf8 = {8, 2, false, 15};

static uint64_t
mantissa(const ref_format *f, uint64_t v)
{
    return v & base_mask64(f->mantissa);
}

static int
top_exponent(const ref_format *f)
{
    return (1 << (f->bits - 1 - f->mantissa)) - 1;
}

int
ref_exponent(const ref_format *f, uint64_t v)
{
    return (int)(v >> f->mantissa) & top_exponent(f);
}

bool
ref_sign(const ref_format *f, uint64_t v)
{
    return v >> (f->bits - 1) & 1;
}

bool
ref_is_nan(const ref_format *f, uint64_t v)
{
    if (f->finite)
        return (v & base_mask64(f->bits - 1u)) == base_mask64(f->bits - 1u);
    return ref_exponent(f, v) == top_exponent(f) && mantissa(f, v);
}

bool
ref_is_snan(const ref_format *f, uint64_t v)
{
    return ref_is_nan(f, v) && !(v >> (f->mantissa - 1) & 1);
}

bool
ref_is_inf(const ref_format *f, uint64_t v)
{
    return !f->finite && ref_exponent(f, v) == top_exponent(f) && !mantissa(f, v);
}

bool
ref_is_zero(const ref_format *f, uint64_t v)
{
    return !(v & base_mask64(f->bits - 1u));
}

bool
ref_is_denormal(const ref_format *f, uint64_t v)
{
    return ref_exponent(f, v) == 0 && mantissa(f, v);
}

uint64_t
ref_quiet(const ref_format *f, uint64_t v)
{
    return v | UINT64_C(1) << (f->mantissa - 1);
}

uint64_t
ref_inf(const ref_format *f, bool negative)
{
    return (uint64_t)top_exponent(f) << f->mantissa | (uint64_t)negative << (f->bits - 1);
}

uint64_t
ref_nan(const ref_format *f)
{
    return f->finite ? base_mask64(f->bits - 1u) : ref_quiet(f, ref_inf(f, false));
}

uint64_t
ref_negate(const ref_format *f, uint64_t v)
{
    return v ^ UINT64_C(1) << (f->bits - 1);
}

uint64_t
ref_abs(const ref_format *f, uint64_t v)
{
    return v & base_mask64(f->bits - 1u);
}

uint64_t
ref_flush(const ref_format *f, uint64_t v)
{
    return ref_exponent(f, v) ? v : v & ~base_mask64(f->bits - 1u) & base_mask64(f->bits);
}

ref_round
ref_mode(const ref_env *e, const ref_format *f)
{
    return f == &ref_f32 ? e->round32 : e->round16_64;
}

unsigned
ref_denorm(const ref_env *e, const ref_format *f)
{
    return f == &ref_f32 ? e->denorm32 : e->denorm16_64;
}

/* An integer with the same order as the values; both zeros are 0. */
static int64_t
ordered(const ref_format *f, uint64_t v)
{
    int64_t m = (int64_t)ref_abs(f, v);
    return ref_sign(f, v) ? -m : m;
}

bool
ref_less(const ref_format *f, uint64_t a, uint64_t b)
{
    return !ref_is_nan(f, a) && !ref_is_nan(f, b) && ordered(f, a) < ordered(f, b);
}

/* (-1)^sign * m * 2^e */
typedef struct exact {
    bool sign;
    wide m;
    int e;
} exact;

static unsigned
leading_zeros(wide m)
{
    uint64_t high = (uint64_t)(m >> 64);
    return high ? base_clz64(high) : 64 + base_clz64((uint64_t)m);
}

static exact
open(const ref_format *f, uint64_t v)
{
    int e = ref_exponent(f, v);
    uint64_t m = mantissa(f, v) | (e ? UINT64_C(1) << f->mantissa : 0);
    return (exact){ref_sign(f, v), m, (e ? e : 1) - f->bias - f->mantissa};
}

/* Shifted so that the highest bit is bit 125. */
static exact
normal(exact x)
{
    if (!x.m)
        return x;
    int by = (int)leading_zeros(x.m) - 2;
    x.m = by >= 0 ? x.m << by : x.m >> -by;
    x.e -= by;
    return x;
}

/* Shifts to the right; lost bits make the last bit odd. */
static wide
shift_right(wide m, int by)
{
    if (by <= 0)
        return m;
    if (by > 127)
        return m != 0;
    wide kept = m >> by;
    return kept | (kept << by != m);
}

/* Is `m` rounded up, given that `lost` out of 2^by was cut off? */
static bool
goes_up(bool sign, bool odd, wide lost, int by, ref_round r)
{
    wide half = (wide)1 << (by - 1);
    switch (r) {
    case REF_RNE: return lost > half || (lost == half && odd);
    case REF_RPI: return !sign && lost;
    case REF_RNI: return sign && lost;
    default: return false;
    }
}

/* x / 2^by to an integer. */
static wide
round_off(exact x, int by, ref_round r)
{
    if (by <= 0)
        return x.m << -by;
    if (by > 127) /* less than a quarter */
        return goes_up(x.sign, false, x.m != 0, 2, r);
    wide kept = x.m >> by, lost = x.m - (kept << by);
    return kept + goes_up(x.sign, kept & 1, lost, by, r);
}

static uint64_t
overflow(const ref_format *f, bool sign, ref_round r)
{
    bool infinite = r == REF_RNE || (r == REF_RPI && !sign) || (r == REF_RNI && sign);
    return ref_inf(f, sign) - !infinite;
}

/* Rounds to the format; zeros keep the sign. */
static uint64_t
close(const ref_format *f, exact x, ref_round r)
{
    uint64_t sign = (uint64_t)x.sign << (f->bits - 1);
    if (!x.m)
        return sign;
    int top = x.e + 127 - (int)leading_zeros(x.m), least = 1 - f->bias;
    int last = (top > least ? top : least) - f->mantissa; /* the weight of the last bit is 2^last */
    if (top > f->bias + 1)
        return overflow(f, x.sign, r);
    uint64_t m = (uint64_t)round_off(x, last - x.e, r);
    /* the leading bit adds one to the exponent */
    uint64_t v = m + ((uint64_t)(last + f->mantissa - least) << f->mantissa);
    return v >= ref_inf(f, false) ? overflow(f, x.sign, r) : sign | v;
}

/* The sum; operands that cancel give a zero with the rounding mode's sign. */
static exact
sum(exact a, exact b, ref_round r)
{
    if (!a.m && !b.m)
        return (exact){a.sign == b.sign ? a.sign : r == REF_RNI, 0, 0};
    if (!a.m || !b.m)
        return a.m ? a : b;
    a = normal(a);
    b = normal(b);
    if (a.e < b.e || (a.e == b.e && a.m < b.m)) {
        exact c = a;
        a = b;
        b = c;
    }
    wide low = shift_right(b.m, a.e - b.e);
    a.m = a.sign == b.sign ? a.m + low : a.m - low;
    if (!a.m)
        a.sign = r == REF_RNI;
    return a;
}

static exact
product(exact a, exact b)
{
    return (exact){a.sign != b.sign, a.m * b.m, a.e + b.e};
}

static bool
is_special(const ref_format *f, uint64_t v)
{
    return ref_exponent(f, v) == top_exponent(f);
}

uint64_t
ref_add(const ref_format *f, uint64_t a, uint64_t b, ref_round r)
{
    bool inf_a = ref_is_inf(f, a), inf_b = ref_is_inf(f, b);
    if (is_special(f, a) || is_special(f, b)) {
        if (ref_is_nan(f, a) || ref_is_nan(f, b) || (inf_a && inf_b && a != b))
            return ref_nan(f);
        return inf_a ? a : b;
    }
    return close(f, sum(open(f, a), open(f, b), r), r);
}

uint64_t
ref_mul(const ref_format *f, uint64_t a, uint64_t b, ref_round r)
{
    if (is_special(f, a) || is_special(f, b)) {
        if (ref_is_nan(f, a) || ref_is_nan(f, b) || ref_is_zero(f, a) || ref_is_zero(f, b))
            return ref_nan(f);
        return ref_inf(f, ref_sign(f, a) != ref_sign(f, b));
    }
    return close(f, product(open(f, a), open(f, b)), r);
}

uint64_t
ref_fma(const ref_format *f, uint64_t a, uint64_t b, uint64_t c, ref_round r)
{
    if (is_special(f, a) || is_special(f, b)) {
        uint64_t p = ref_mul(f, a, b, r);
        return ref_is_nan(f, p) ? p : ref_add(f, p, c, r);
    }
    if (is_special(f, c))
        return ref_is_nan(f, c) ? ref_nan(f) : c;
    return close(f, sum(product(open(f, a), open(f, b)), open(f, c), r), r);
}

uint64_t
ref_scale(const ref_format *f, uint64_t a, long e, ref_round r)
{
    if (is_special(f, a))
        return ref_is_nan(f, a) ? ref_nan(f) : a;
    exact x = open(f, a);
    x.e += (int)(e > 100000 ? 100000 : e < -100000 ? -100000 : e);
    return close(f, x, r);
}

uint64_t
ref_convert(const ref_format *to, const ref_format *from, uint64_t v, ref_round r)
{
    if (ref_is_nan(from, v))
        return ref_nan(to);
    if (ref_is_inf(from, v))
        return ref_inf(to, ref_sign(from, v));
    assert(to->bits > 8); /* their overflow differs */
    return close(to, open(from, v), r);
}

uint64_t
ref_from_i64(const ref_format *f, int64_t v, ref_round r)
{
    uint64_t m = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    return close(f, (exact){v < 0, m, 0}, r);
}

/* The integer to which `v`, a finite number, is rounded; 2^64 represents anything larger. */
static wide
to_integer(const ref_format *f, uint64_t v, ref_round r)
{
    exact x = open(f, v);
    if (x.e > 64 - f->mantissa && x.m)
        return (wide)1 << 64;
    return round_off(x, -x.e, r);
}

int64_t
ref_to_int(const ref_format *f, uint64_t v, ref_round r, int64_t low, int64_t high)
{
    bool sign = ref_sign(f, v);
    if (ref_is_nan(f, v))
        return 0;
    wide m = ref_is_inf(f, v) ? (wide)1 << 64 : to_integer(f, v, r);
    if (m > (wide)1 << 62)
        return sign ? low : high;
    int64_t n = sign ? -(int64_t)m : (int64_t)m;
    return n < low ? low : n > high ? high : n;
}

uint64_t
ref_integral(const ref_format *f, uint64_t v, ref_round r)
{
    if (is_special(f, v))
        return ref_is_nan(f, v) ? ref_nan(f) : v;
    if (ref_exponent(f, v) >= f->bias + f->mantissa)
        return v;
    return close(f, (exact){ref_sign(f, v), to_integer(f, v, r), 0}, r);
}
