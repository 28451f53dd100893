/* Floats of 16 and 32 bits: computed in double, rounded once to the nearest of the sources' size.
 *
 * A double has more than twice the bits of a float and two more, so rounding a sum, product,
 * quotient or square root of floats twice gives what rounding once does. mad rounds its product.
 * The special functions of category 4 are as exact as C's; the hardware's are less so. */
#include "adreno/emu/alu/alu.h"

#include "base/fp.h"

#include <math.h>

static double
rounded(double x, unsigned bits)
{
    return base_fp_decode(base_fp_encode(x, bits, BASE_ROUND_EVEN), bits);
}

/* Half away from zero. */
static double
round_away(double x)
{
    return copysign(floor(fabs(x) + 0.5), x);
}

static double
round_even(double x)
{
    const double below = floor(x), rest = x - below;
    const bool up = rest > 0.5 || (rest == 0.5 && fmod(below, 2) != 0);
    return isfinite(x) ? copysign(below + up, x) : x;
}

/* One that is no number does not count. */
static double
least(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a < b || (a == b && signbit(a)) ? a : b;
}

static double
greatest(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a > b || (a == b && !signbit(a)) ? a : b;
}

static bool
compute_special(const adreno_operation *o, double *r)
{
    const double a = o->number[0];
    switch (o->in->op) {
    case ADRENO_RCP: *r = 1 / a; return true;
    case ADRENO_RSQ:
    case ADRENO_HRSQ: *r = 1 / sqrt(a); return true;
    case ADRENO_SQRT: *r = sqrt(a); return true;
    case ADRENO_LOG2:
    case ADRENO_HLOG2: *r = log2(a); return true;
    case ADRENO_EXP2:
    case ADRENO_HEXP2: *r = exp2(a); return true;
    case ADRENO_SIN: *r = sin(a); return true;
    case ADRENO_COS: *r = cos(a); return true;
    default: return false;
    }
}

static bool
compute_number(const adreno_operation *o, double *r)
{
    const double a = o->number[0], b = o->number[1], c = o->number[2];
    switch (o->in->op) {
    case ADRENO_ADD_F: *r = a + b; return true;
    case ADRENO_ADD_F_MUL2: *r = 2 * rounded(a + b, o->bits); return true;
    case ADRENO_ADD_F_DIV2: *r = rounded(a + b, o->bits) / 2; return true;
    case ADRENO_MUL_F: *r = a * b; return true;
    case ADRENO_MUL_F_MUL2: *r = 2 * rounded(a * b, o->bits); return true;
    case ADRENO_MUL_F_DIV2: *r = rounded(a * b, o->bits) / 2; return true;
    case ADRENO_MIN_F: *r = least(a, b); return true;
    case ADRENO_MAX_F: *r = greatest(a, b); return true;
    case ADRENO_SIGN_F: *r = a > 0 ? 1 : a < 0 ? -1 : 0; return true;
    case ADRENO_ABSNEG_F: *r = a; return true;
    case ADRENO_FLOOR_F: *r = floor(a); return true;
    case ADRENO_CEIL_F: *r = ceil(a); return true;
    case ADRENO_TRUNC_F: *r = trunc(a); return true;
    case ADRENO_RNDNE_F: *r = round_even(a); return true;
    case ADRENO_RNDAZ_F: *r = round_away(a); return true;
    case ADRENO_MAD_F16:
    case ADRENO_MAD_F32: *r = rounded(a * b, o->bits) + c; return true;
    case ADRENO_MAD_F16_MUL2:
    case ADRENO_MAD_F32_MUL2: *r = 2 * rounded(rounded(a * b, o->bits) + c, o->bits); return true;
    case ADRENO_MAD_F16_DIV2:
    case ADRENO_MAD_F32_DIV2: *r = rounded(rounded(a * b, o->bits) + c, o->bits) / 2; return true;
    case ADRENO_SEL_F16:
    case ADRENO_SEL_F32: *r = b >= 0 ? a : c; return true;
    default: return compute_special(o, r);
    }
}

/* cmps gives 1 for true, cmpv all ones; (sat) inverts. */
static uint32_t
compare(const adreno_operation *o)
{
    const double a = o->number[0], b = o->number[1];
    const int order = isnan(a) || isnan(b) ? 2 : a < b ? -1 : a > b;
    const uint32_t one = adreno_meets(o->in->f[ADRENO_F_cond], order) != o->sat;
    const uint32_t result = o->in->op == ADRENO_CMPS_F ? one : -one;
    return o->dst_bits == 16 ? result & 0xffff : result;
}

bool
adreno_compute_float(const adreno_operation *o, uint32_t *dst)
{
    double r;
    if (o->in->op == ADRENO_CMPS_F || o->in->op == ADRENO_CMPV_F) {
        *dst = compare(o);
        return true;
    }
    if (!compute_number(o, &r))
        return false;
    r = rounded(r, o->bits);
    if (o->sat)
        r = r > 0 ? r > 1 ? 1 : r : 0;
    *dst = (uint32_t)base_fp_encode(r, o->dst_bits, BASE_ROUND_EVEN);
    return true;
}
