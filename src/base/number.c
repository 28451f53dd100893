/* A number is stored in full as limbs of nine decimal digits on both sides of a fixed point. It is
 * multiplied and divided by powers of two, exactly and in linear time. Reading fills in the digits
 * of the text and scales the number until 64 bits are before the point. Printing fills in the
 * mantissa and scales by the exponent, which leaves the decimal digits to cut off.
 *
 * Sizes: binary64 ends below 10^309. The midpoint between two neighbours has its last digit at
 * 10^-1075 or before it; of the digits after that, it only matters whether any is nonzero. */
#include "base/number.h"

#include "base/fp.h"

#include <assert.h>

enum {
    LIMB = 1000000000,
    LIMB_DIGITS = 9,
    WHOLE = 40,  /* limbs before the point */
    PARTS = 130, /* limbs after the point */
    STEP = 29,   /* the largest power of two per step: carries stay below LIMB */
    GREATEST = 310,
    SMALLEST = -330, /* outside these powers of ten, the leading digit alone decides the result */
};

typedef struct decimal {
    uint32_t limb[WHOLE + PARTS];
    unsigned first, last; /* limbs outside [first, last) are 0; limb[last - 1] is not */
    bool inexact;         /* true if nonzero digits were dropped after the last limb */
} decimal;

static const uint32_t powers[LIMB_DIGITS] = {1,      10,      100,      1000,     10000,
                                             100000, 1000000, 10000000, 100000000};

static void
trim(decimal *d)
{
    while (d->first < d->last && !d->limb[d->first])
        d->first++;
    while (d->last > d->first && !d->limb[d->last - 1])
        d->last--;
}

/* Multiplies by 2^shift; `shift` is at most STEP. */
static void
multiply(decimal *d, unsigned shift)
{
    uint64_t carry = 0;
    for (unsigned i = d->last; i-- > d->first;) {
        uint64_t v = ((uint64_t)d->limb[i] << shift) + carry;
        d->limb[i] = (uint32_t)(v % LIMB);
        carry = v / LIMB;
    }
    if (carry)
        d->limb[--d->first] = (uint32_t)carry;
    trim(d);
}

static void
divide(decimal *d, unsigned shift)
{
    uint64_t rest = 0, mask = base_mask64(shift);
    for (unsigned i = d->first; i < d->last || (rest && i < WHOLE + PARTS); i++) {
        uint64_t v = rest * LIMB + d->limb[i];
        d->limb[i] = (uint32_t)(v >> shift);
        rest = v & mask;
        d->last = i < d->last ? d->last : i + 1;
    }
    d->inexact |= rest != 0;
    trim(d);
}

/* ---- reading ---- */

unsigned
base_digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 10;
    return c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A') + 10 : 99;
}

size_t
base_integer_read(const char *text, size_t size, unsigned base, uint64_t *value)
{
    size_t n = 0;
    uint64_t v = 0;
    for (unsigned digit; n < size && (digit = base_digit_value(text[n])) < base; n++)
        v = v > (UINT64_MAX - digit) / base ? UINT64_MAX : v * base + digit;
    *value = v;
    return n;
}

static size_t
count_digits(const char *text, size_t size)
{
    size_t n = 0;
    while (n < size && text[n] >= '0' && text[n] <= '9')
        n++;
    return n;
}

/* The length of the exponent at the start of `text`, or 0 if there is none. */
static size_t
exponent_length(const char *text, size_t size)
{
    if (size < 2 || (text[0] != 'e' && text[0] != 'E'))
        return 0;
    size_t sign = text[1] == '+' || text[1] == '-';
    size_t digits = count_digits(text + 1 + sign, size - 1 - sign);
    return digits ? 1 + sign + digits : 0;
}

size_t
base_float_length(const char *text, size_t size)
{
    size_t n = count_digits(text, size), digits = n;
    if (n < size && text[n] == '.') {
        size_t behind = count_digits(text + n + 1, size - n - 1);
        digits += behind;
        n += 1 + behind;
    }
    return digits ? n + exponent_length(text + n, size - n) : 0;
}

/* The value of the exponent. Exponents too large for any text's digits to compensate become 2^40.
 */
static int64_t
read_exponent(const char *text, size_t size)
{
    uint64_t v;
    bool minus = text[1] == '-';
    size_t sign = minus || text[1] == '+';
    base_integer_read(text + 1 + sign, size - 1 - sign, 10, &v);
    int64_t e = v < UINT64_C(1) << 40 ? (int64_t)v : INT64_C(1) << 40;
    return minus ? -e : e;
}

/* Stores the digit for 10^`power`. Calls come in order of decreasing power. */
static void
put_digit(decimal *d, int64_t power, unsigned digit)
{
    if (power < -LIMB_DIGITS * PARTS) {
        d->inexact |= digit != 0;
        return;
    }
    unsigned up = (unsigned)(power + LIMB_DIGITS * PARTS);
    unsigned i = WHOLE + PARTS - 1 - up / LIMB_DIGITS;
    d->limb[i] += digit * powers[up % LIMB_DIGITS];
    d->first = i < d->first ? i : d->first;
    d->last = i + 1;
}

/* Reads the digits text[0..size); the first one stands for 10^power. A number that is infinite or 0
 * in every format stores one digit. */
static void
read_digits(decimal *d, const char *text, size_t size, int64_t power)
{
    *d = (decimal){.first = WHOLE + PARTS};
    bool leading = true;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '.')
            continue;
        leading &= text[i] == '0';
        if (!leading && (power > GREATEST || (power < SMALLEST && !d->last))) {
            put_digit(d, power > 0 ? GREATEST : SMALLEST, 1);
            return;
        }
        if (!leading)
            put_digit(d, power, (unsigned)(text[i] - '0'));
        power--;
    }
    if (!d->last)
        d->first = 0;
    trim(d);
}

/* The integer part, which has at most three limbs. */
static uint64_t
whole_part(const decimal *d)
{
    uint64_t v = 0;
    for (unsigned i = WHOLE - 3; i < WHOLE; i++)
        v = v * LIMB + d->limb[i];
    return v;
}

uint64_t
base_float_read(const char *text, size_t size, unsigned bits)
{
    decimal d;
    size_t mantissa = 0, whole = count_digits(text, size);
    while (mantissa < size && (text[mantissa] == '.' || base_digit_value(text[mantissa]) < 10))
        mantissa++;
    int64_t e10 = mantissa < size ? read_exponent(text + mantissa, size - mantissa) : 0;
    read_digits(&d, text, mantissa, e10 + (int64_t)whole - 1);
    if (d.first == d.last)
        return 0;
    int exponent = 0;
    while (d.first < WHOLE - 2) { /* scale down below 10^18 */
        divide(&d, STEP);
        exponent += STEP;
    }
    unsigned missing;
    while ((missing = base_clz64(whole_part(&d))) != 0) { /* then up to 64 bits */
        unsigned shift = missing < STEP ? missing : STEP;
        multiply(&d, shift);
        exponent -= (int)shift;
    }
    uint64_t rest = d.last > WHOLE || d.inexact;
    return base_fp_from_scaled(false, whole_part(&d) | rest, exponent, bits, BASE_ROUND_EVEN);
}

double
base_double_read(const char *text, size_t size)
{
    return base_bits_f64(base_float_read(text, size, 64));
}

/* ---- printing ---- */

static void
set_double(decimal *d, double x)
{
    uint64_t u = base_f64_bits(x), m = u & base_mask64(52);
    int exponent = (int)(u >> 52 & 0x7ff);
    m |= (uint64_t)(exponent != 0) << 52;
    exponent = (exponent ? exponent : 1) - 1023 - 52;
    while (m && !(m & 1)) {
        m >>= 1;
        exponent++;
    }
    *d = (decimal){.first = WHOLE - 2, .last = WHOLE};
    d->limb[WHOLE - 2] = (uint32_t)(m / LIMB);
    d->limb[WHOLE - 1] = (uint32_t)(m % LIMB);
    trim(d);
    for (int step; m && exponent; exponent -= step) {
        step = exponent > STEP ? STEP : exponent < -STEP ? -STEP : exponent;
        if (step > 0)
            multiply(d, (unsigned)step);
        else
            divide(d, (unsigned)-step);
    }
}

static unsigned
digit_of(const decimal *d, int power)
{
    int up = power + LIMB_DIGITS * PARTS;
    if (up < 0 || up >= LIMB_DIGITS * (WHOLE + PARTS))
        return 0;
    return d->limb[WHOLE + PARTS - 1 - up / LIMB_DIGITS] / powers[up % LIMB_DIGITS] % 10;
}

/* The power of ten of the first nonzero digit; 0 for the number 0. */
static int
top_power(const decimal *d)
{
    if (d->first == d->last)
        return 0;
    int power = (WHOLE - (int)d->first) * LIMB_DIGITS - 1;
    while (!digit_of(d, power))
        power--;
    return power;
}

/* Returns true if cutting at 10^power rounds up. Ties go to the even digit. */
static bool
rounds_up(const decimal *d, int power)
{
    unsigned next = digit_of(d, power - 1);
    if (next != 5)
        return next > 5;
    int lowest = (WHOLE - (int)d->last) * LIMB_DIGITS;
    for (int p = power - 2; p >= lowest; p--)
        if (digit_of(d, p))
            return true;
    return digit_of(d, power) & 1;
}

/* A number's digits from 10^top downwards, rounded. */
typedef struct digits {
    char text[BASE_FLOAT_TEXT];
    int top, count;
} digits;

/* Cuts the digits down to 10^low; at least one digit remains. */
static void
cut_digits(digits *out, const decimal *d, int low)
{
    int top = top_power(d);
    top = top > low ? top : low;
    out->count = top - low + 1;
    out->top = top;
    for (int i = 0; i < out->count; i++)
        out->text[i + 1] = (char)('0' + digit_of(d, top - i));
    out->text[0] = '0';
    int last = out->count;
    if (rounds_up(d, low)) {
        for (; out->text[last] == '9'; last--)
            out->text[last] = '0';
        out->text[last]++;
    }
    /* a carry adds a leading digit */
    bool carried = out->text[0] != '0';
    out->top += carried;
    out->count += carried;
    if (!carried)
        memmove(out->text, out->text + 1, (size_t)out->count);
}

static char
digit_at(const digits *n, int power)
{
    int i = n->top - power;
    return i >= 0 && i < n->count ? n->text[i] : '0';
}

static char *
put_fraction(char *out, const digits *n, int from, int precision)
{
    if (precision > 0)
        *out++ = '.';
    for (int i = 0; i < precision; i++)
        *out++ = digit_at(n, from - i);
    return out;
}

static char *
put_fixed(char *out, const digits *n, int precision)
{
    for (int p = n->top > 0 ? n->top : 0; p >= 0; p--)
        *out++ = digit_at(n, p);
    return put_fraction(out, n, -1, precision);
}

static char *
put_exponent(char *out, const digits *n, int precision)
{
    unsigned e = (unsigned)(n->top < 0 ? -n->top : n->top);
    *out++ = n->text[0];
    out = put_fraction(out, n, n->top - 1, precision);
    *out++ = 'e';
    *out++ = n->top < 0 ? '-' : '+';
    if (e >= 100)
        *out++ = (char)('0' + e / 100);
    *out++ = (char)('0' + e / 10 % 10);
    *out++ = (char)('0' + e % 10);
    return out;
}

/* Prints the shorter of both forms, without trailing zeros (C11, 7.21.6.1, g). */
static char *
put_general(char *out, digits *n, int precision)
{
    precision = precision ? precision : 1;
    n->count = precision;
    int used = precision;
    while (used > 1 && n->text[used - 1] == '0')
        used--;
    if (n->top < -4 || n->top >= precision)
        return put_exponent(out, n, used - 1);
    return put_fixed(out, n, used - 1 - n->top);
}

static char *
put_finite(char *out, double x, char style, int precision)
{
    decimal d;
    digits n;
    set_double(&d, x);
    if (style == 'f') {
        cut_digits(&n, &d, -precision);
        return put_fixed(out, &n, precision);
    }
    int behind = style == 'g' && precision ? precision - 1 : precision;
    cut_digits(&n, &d, top_power(&d) - behind);
    return style == 'g' ? put_general(out, &n, precision) : put_exponent(out, &n, precision);
}

size_t
base_float_print(char out[BASE_FLOAT_TEXT], double x, char style, int precision)
{
    assert(style == 'f' || style == 'e' || style == 'g');
    assert(precision >= 0 && precision <= BASE_FLOAT_PRECISION);
    char *p = out;
    uint64_t u = base_f64_bits(x), magnitude = u & base_mask64(63);
    if (u >> 63)
        *p++ = '-';
    if (magnitude >= base_fp_infinity(64)) {
        memcpy(p, base_fp_is_nan(u, 64) ? "nan" : "inf", 3);
        p += 3;
    } else {
        p = put_finite(p, base_bits_f64(magnitude), style, precision);
    }
    *p = '\0';
    return (size_t)(p - out);
}
