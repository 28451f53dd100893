/* Component-wise functions of GLSL.std.450 that have no HIR opcode.
 *
 * The precision is what Vulkan requires ("Precision and Operation of SPIR-V Instructions"). exp and
 * log use exp2 and log2, and the hyperbolic functions use their definitions. The inverse
 * trigonometric functions may have errors of 4096 units in the last place; theirs are polynomials
 * with the smallest relative error of their degree (found by Remez's exchange), 15 to 55 units.
 */
#include "spirv/glsl450.h"

#include <math.h>

static const double PI = 3.14159265358979323846, LN2 = 0.69314718055994530942;

static ir_ref
k(spirv_reader *r, unsigned bits, double value)
{
    return spirv_fimm(r, bits, value);
}

static ir_ref
scale(spirv_reader *r, unsigned bits, ir_ref x, double by)
{
    return irb_fmul(&r->b, x, k(r, bits, by));
}

/* ---- angles ---- */

ir_ref
spirv_glsl_radians(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    return scale(r, bits, s[0], PI / 180);
}

ir_ref
spirv_glsl_degrees(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    return scale(r, bits, s[0], 180 / PI);
}

ir_ref
spirv_glsl_tan(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    (void)bits;
    return irb_fdiv(&r->b, irb_fsin(&r->b, s[0]), irb_fcos(&r->b, s[0]));
}

/* c[0] + c[1] x + c[2] x x + ... */
static ir_ref
polynomial(spirv_reader *r, unsigned bits, ir_ref x, const double *c, unsigned n)
{
    ir_ref sum = k(r, bits, c[n - 1]);
    for (unsigned m = n - 1; m-- > 0;)
        sum = irb_fadd(&r->b, irb_fmul(&r->b, sum, x), k(r, bits, c[m]));
    return sum;
}

/* t -> atan t + offset for t in [0, 1]; the error of atan t is 37 units. */
static ir_ref
atan_unit(spirv_reader *r, unsigned bits, ir_ref t, ir_ref offset)
{
    static const double c[] = {0.99999563,   -0.332994597, 0.195635923,
                               -0.121239068, 0.057477311,  -0.0134804688};
    ir_ref sum = polynomial(r, bits, irb_fmul(&r->b, t, t), c, sizeof c / sizeof *c);
    return irb_fadd(&r->b, irb_fmul(&r->b, sum, t), offset);
}

/* The magnitude of `x` with the sign of `sign`. */
static ir_ref
copy_sign(spirv_reader *r, unsigned bits, ir_ref x, ir_ref sign)
{
    ir_ref top = spirv_imm(r, bits, UINT64_C(1) << (bits - 1));
    return irb_bitfield_select(&r->b, top, sign, x);
}

ir_ref
spirv_glsl_atan(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    ir_builder *b = &r->b;
    ir_ref a = irb_fabs(b, s[0]), one = k(r, bits, 1);
    ir_ref large = irb_flt(b, one, a);
    ir_ref offset = irb_bcsel(b, large, k(r, bits, -PI / 2), k(r, bits, 0));
    ir_ref p = atan_unit(r, bits, irb_bcsel(b, large, irb_frcp(b, a), a), offset);
    return copy_sign(r, bits, p, s[0]);
}

/* The angle of the point (x, y). The quotient of equal magnitudes (including zeros and infinities)
 * is not computed; 0, 0 gives 0. */
static ir_ref
angle(spirv_reader *r, unsigned bits, ir_ref y, ir_ref x)
{
    ir_builder *b = &r->b;
    ir_ref ax = irb_fabs(b, x), ay = irb_fabs(b, y), zero = k(r, bits, 0);
    ir_ref steep = irb_flt(b, ax, ay), equal = irb_feq(b, ax, ay);
    ir_ref t = irb_fdiv(b, irb_bcsel(b, steep, ax, ay), irb_bcsel(b, steep, ay, ax));
    ir_ref diagonal = irb_bcsel(b, irb_feq(b, ay, zero), zero, k(r, bits, 1));
    ir_ref offset = irb_bcsel(b, steep, k(r, bits, -PI / 2), zero);
    ir_ref p = irb_fabs(b, atan_unit(r, bits, irb_bcsel(b, equal, diagonal, t), offset));
    p = irb_bcsel(b, irb_flt(b, x, zero), irb_fsub(b, k(r, bits, PI), p), p);
    return copy_sign(r, bits, p, y);
}

ir_ref
spirv_glsl_atan2(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    return angle(r, bits, s[0], s[1]);
}

/* asin t = t f(t t) for t up to 1/2, to 15 units. A larger one is pi/2 - 2 asin(sqrt((1 - t) / 2)).
 */
ir_ref
spirv_glsl_asin(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    static const double c[] = {1, 0.166801259, 0.0718997969, 0.064107309};
    ir_builder *b = &r->b;
    ir_ref a = irb_fabs(b, s[0]), half = k(r, bits, 0.5);
    ir_ref large = irb_flt(b, half, a);
    ir_ref rest = irb_fsub(b, half, irb_fmul(b, a, half));
    ir_ref square = irb_bcsel(b, large, rest, irb_fmul(b, a, a));
    ir_ref t = irb_bcsel(b, large, irb_fsqrt(b, rest), a);
    ir_ref p = irb_fmul(b, t, polynomial(r, bits, square, c, sizeof c / sizeof *c));
    ir_ref other = irb_fsub(b, k(r, bits, PI / 2), scale(r, bits, p, 2));
    return copy_sign(r, bits, irb_bcsel(b, large, other, p), s[0]);
}

/* acos t = sqrt(1 - t) f(t) for positive t, to 55 units; acos(-t) = pi - acos t. */
ir_ref
spirv_glsl_acos(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    static const double c[] = {1.57079632679489661923, -0.214240873, 0.085086135, -0.0363140423,
                               0.00889535806};
    ir_builder *b = &r->b;
    ir_ref a = irb_fabs(b, s[0]);
    ir_ref root = irb_fsqrt(b, irb_fsub(b, k(r, bits, 1), a));
    ir_ref p = irb_fmul(b, root, polynomial(r, bits, a, c, sizeof c / sizeof *c));
    ir_ref negative = irb_flt(b, s[0], k(r, bits, 0));
    return irb_bcsel(b, negative, irb_fsub(b, k(r, bits, PI), p), p);
}

/* ---- exponentials ---- */

ir_ref
spirv_glsl_exp(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    return irb_fexp2(&r->b, scale(r, bits, s[0], 1 / LN2));
}

ir_ref
spirv_glsl_log(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    return scale(r, bits, irb_flog2(&r->b, s[0]), LN2);
}

/* e^x and e^-x */
static void
both_exp(spirv_reader *r, unsigned bits, ir_ref x, ir_ref e[2])
{
    ir_ref minus = irb_fneg(&r->b, x);
    e[0] = spirv_glsl_exp(r, bits, &x);
    e[1] = spirv_glsl_exp(r, bits, &minus);
}

ir_ref
spirv_glsl_sinh(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    ir_ref e[2];
    both_exp(r, bits, s[0], e);
    return scale(r, bits, irb_fsub(&r->b, e[0], e[1]), 0.5);
}

ir_ref
spirv_glsl_cosh(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    ir_ref e[2];
    both_exp(r, bits, s[0], e);
    return scale(r, bits, irb_fadd(&r->b, e[0], e[1]), 0.5);
}

/* Beyond 10 the result rounds to 1 in 32 bits, and the exponentials would overflow. */
ir_ref
spirv_glsl_tanh(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    ir_builder *b = &r->b;
    ir_ref e[2], x = irb_fmin(b, irb_fmax(b, s[0], k(r, bits, -10)), k(r, bits, 10));
    both_exp(r, bits, x, e);
    ir_ref t = irb_fdiv(b, irb_fsub(b, e[0], e[1]), irb_fadd(b, e[0], e[1]));
    return irb_bcsel(b, irb_fneu(b, s[0], s[0]), s[0], t);
}

/* log(x + sqrt(x x + c)) */
static ir_ref
log_of_sum(spirv_reader *r, unsigned bits, ir_ref x, double c)
{
    ir_builder *b = &r->b;
    ir_ref root = irb_fsqrt(b, irb_fadd(b, irb_fmul(b, x, x), k(r, bits, c)));
    ir_ref sum = irb_fadd(b, x, root);
    return spirv_glsl_log(r, bits, &sum);
}

ir_ref
spirv_glsl_asinh(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    ir_ref magnitude = log_of_sum(r, bits, irb_fabs(&r->b, s[0]), 1);
    return copy_sign(r, bits, magnitude, s[0]);
}

ir_ref
spirv_glsl_acosh(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    return log_of_sum(r, bits, s[0], -1);
}

ir_ref
spirv_glsl_atanh(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    ir_builder *b = &r->b;
    ir_ref one = k(r, bits, 1);
    ir_ref q = irb_fdiv(b, irb_fadd(b, one, s[0]), irb_fsub(b, one, s[0]));
    return scale(r, bits, spirv_glsl_log(r, bits, &q), 0.5);
}

/* ---- common functions ---- */

ir_ref
spirv_glsl_clamp(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    (void)bits;
    return irb_fmin(&r->b, irb_fmax(&r->b, s[0], s[1]), s[2]);
}

/* x (1 - a) + y a */
ir_ref
spirv_glsl_mix(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    ir_builder *b = &r->b;
    ir_ref rest = irb_fsub(b, k(r, bits, 1), s[2]);
    return irb_fadd(b, irb_fmul(b, s[0], rest), irb_fmul(b, s[1], s[2]));
}

ir_ref
spirv_glsl_step(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    ir_ref below = irb_flt(&r->b, s[1], s[0]);
    return irb_bcsel(&r->b, below, k(r, bits, 0), k(r, bits, 1));
}

/* t t (3 - 2 t) with t = clamp((x - e0) / (e1 - e0), 0, 1) */
ir_ref
spirv_glsl_smooth_step(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    ir_builder *b = &r->b;
    ir_ref t = irb_fdiv(b, irb_fsub(b, s[2], s[0]), irb_fsub(b, s[1], s[0]));
    t = irb_fsat(b, t);
    ir_ref slope = irb_fsub(b, k(r, bits, 3), scale(r, bits, t, 2));
    return irb_fmul(b, irb_fmul(b, t, t), slope);
}

/* The fractional part, with the sign of the operand. */
ir_ref
spirv_glsl_modf(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    ir_builder *b = &r->b;
    ir_ref infinite = irb_feq(b, irb_fabs(b, s[0]), k(r, bits, HUGE_VAL));
    ir_ref part = irb_fsub(b, s[0], irb_ftrunc(b, s[0]));
    part = irb_bcsel(b, infinite, k(r, bits, 0), part);
    return copy_sign(r, bits, part, s[0]);
}
