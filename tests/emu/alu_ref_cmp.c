/* References of comparisons: V_CMP and V_CMPX alike. */
#include "alu_ref.h"

#include "base/bits.h"

static const ref_format *const f16 = &ref_f16, *const f32 = &ref_f32, *const f64 = &ref_f64;

/* The relation of two numbers, one bit each. */
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static unsigned
order(const ref_format *f, const ref_lane *x)
{
    if (ref_is_nan(f, x->s[0]) || ref_is_nan(f, x->s[1]))
        return UNORDERED;
    if (ref_less(f, x->s[0], x->s[1]))
        return LESS;
    return ref_less(f, x->s[1], x->s[0]) ? GREATER : EQUAL;
}

static unsigned
order_u(uint64_t a, uint64_t b)
{
    return a < b ? LESS : a == b ? EQUAL : GREATER;
}

static unsigned
order_i(uint64_t a, uint64_t b, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return order_u(a ^ sign, b ^ sign);
}

/* The relations for which a comparison is true; those with N.. are negations of the ordered
 * ones. */
#define FLOAT_TESTS(R, T)                                                                          \
    R(F, T, 0)                                                                                     \
    R(LT, T, LESS)                                                                                 \
    R(EQ, T, EQUAL)                                                                                \
    R(LE, T, LESS | EQUAL)                                                                         \
    R(GT, T, GREATER)                                                                              \
    R(LG, T, LESS | GREATER)                                                                       \
    R(GE, T, GREATER | EQUAL)                                                                      \
    R(O, T, LESS | EQUAL | GREATER)                                                                \
    R(U, T, UNORDERED)                                                                             \
    R(NGE, T, LESS | UNORDERED)                                                                    \
    R(NLG, T, EQUAL | UNORDERED)                                                                   \
    R(NGT, T, LESS | EQUAL | UNORDERED)                                                            \
    R(NLE, T, GREATER | UNORDERED)                                                                 \
    R(NEQ, T, LESS | GREATER | UNORDERED)                                                          \
    R(NLT, T, GREATER | EQUAL | UNORDERED)                                                         \
    R(TRU, T, 15)
#define INT_TESTS(R, T)                                                                            \
    R(LT, T, LESS)                                                                                 \
    R(EQ, T, EQUAL)                                                                                \
    R(LE, T, LESS | EQUAL)                                                                         \
    R(GT, T, GREATER)                                                                              \
    R(NE, T, LESS | GREATER)                                                                       \
    R(GE, T, GREATER | EQUAL)
#define CONST_TESTS(R, type) R(F, type, 0) R(T, type, 15)

#define ORDER_F16 order(f16, x)
#define ORDER_F32 order(f32, x)
#define ORDER_F64 order(f64, x)
#define ORDER_I16 order_i(x->s[0], x->s[1], 16)
#define ORDER_I32 order_i(x->s[0], x->s[1], 32)
#define ORDER_I64 order_i(x->s[0], x->s[1], 64)
#define ORDER_U16 order_u(x->s[0], x->s[1])
#define ORDER_U32 order_u(x->s[0], x->s[1])
#define ORDER_U64 order_u(x->s[0], x->s[1])

#define FUNCTION(name, T, when)                                                                    \
    static void cmp_##name##_##T(const ref_env *e, ref_lane *x)                                    \
    {                                                                                              \
        (void)e;                                                                                   \
        x->mask_out = (ORDER_##T & (unsigned)(when)) != 0;                                         \
    }
#define ENTRY(name, T, when)                                                                       \
    {AMD_V_CMP_##name##_##T, 0, cmp_##name##_##T}, {AMD_V_CMPX_##name##_##T, 0, cmp_##name##_##T},

#define ALL(R)                                                                                     \
    FLOAT_TESTS(R, F16)                                                                            \
    FLOAT_TESTS(R, F32)                                                                            \
    FLOAT_TESTS(R, F64)                                                                            \
    INT_TESTS(R, I16)                                                                              \
    INT_TESTS(R, U16)                                                                              \
    INT_TESTS(R, I32)                                                                              \
    INT_TESTS(R, U32)                                                                              \
    INT_TESTS(R, I64)                                                                              \
    INT_TESTS(R, U64)                                                                              \
    CONST_TESTS(R, I16)                                                                            \
    CONST_TESTS(R, U16)                                                                            \
    CONST_TESTS(R, I32)                                                                            \
    CONST_TESTS(R, U32)                                                                            \
    CONST_TESTS(R, I64)                                                                            \
    CONST_TESTS(R, U64)
ALL(FUNCTION)

/* V_CMP_CLASS: the bit of S1 for the class of S0. Nothing is flushed. */
static void
class_of(const ref_format *f, ref_lane *x)
{
    uint64_t v = x->s[0];
    unsigned bit = ref_is_snan(f, v)       ? 0
                   : ref_is_nan(f, v)      ? 1
                   : ref_is_inf(f, v)      ? 9
                   : ref_is_zero(f, v)     ? 6
                   : ref_is_denormal(f, v) ? 7
                                           : 8;
    /* the negative classes mirror the positive: 9 8 7 6 to 2 3 4 5 */
    if (bit > 1 && ref_sign(f, v))
        bit = 11 - bit;
    x->mask_out = x->s[1] >> bit & 1;
}

#define CLASS(T, f)                                                                                \
    static void class_##T(const ref_env *e, ref_lane *x)                                           \
    {                                                                                              \
        (void)e;                                                                                   \
        class_of(f, x);                                                                            \
    }
CLASS(F16, f16)
CLASS(F32, f32)
CLASS(F64, f64)

#define SIGNAL(name, T, when)                                                                      \
    {AMD_V_CMPS_##name##_##T, 0, cmp_##name##_##T}, {AMD_V_CMPSX_##name##_##T, 0, cmp_##name##_##T},

static const ref_row rows[] = {
    /* clang-format off */
    ALL(ENTRY)
    FLOAT_TESTS(SIGNAL, F32)
    FLOAT_TESTS(SIGNAL, F64)
    {AMD_V_CMP_CLASS_F16, REF_RAW, class_F16}, {AMD_V_CMPX_CLASS_F16, REF_RAW, class_F16},
    {AMD_V_CMP_CLASS_F32, REF_RAW, class_F32}, {AMD_V_CMPX_CLASS_F32, REF_RAW, class_F32},
    {AMD_V_CMP_CLASS_F64, REF_RAW, class_F64}, {AMD_V_CMPX_CLASS_F64, REF_RAW, class_F64},
    /* clang-format on */
};
const ref_table ref_cmp_table = {rows, sizeof rows / sizeof *rows};
