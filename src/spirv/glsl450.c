/* The extended instruction set GLSL.std.450: a table row for each instruction that works on
 * components; the others are in glsl_vector.c. */
#include "spirv/glsl450.h"

enum {
    WIDE = 1,     /* 16-bit floats are computed in 32 bits */
    INDEX32 = 2,  /* the opcode's result has 32 bits for any width of the instruction */
    EXPONENT = 4, /* the second operand is an integer of any width */
};

typedef struct glsl_row {
    uint16_t op; /* IR_*, if `fn` is NULL */
    uint8_t n, kind, flags;
    spirv_glsl_fn *fn;
} glsl_row;

static ir_ref
uclamp(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    (void)bits;
    return irb_umin(&r->b, irb_umax(&r->b, s[0], s[1]), s[2]);
}

static ir_ref
sclamp(spirv_reader *r, unsigned bits, const ir_ref *s)
{
    (void)bits;
    return irb_imin(&r->b, irb_imax(&r->b, s[0], s[1]), s[2]);
}

#define F(op, n, flags)                                                                            \
    {                                                                                              \
        IR_##op, n, SPIRV_FLOAT, flags, NULL                                                       \
    }
#define I(op, n, flags)                                                                            \
    {                                                                                              \
        IR_##op, n, SPIRV_INT, flags, NULL                                                         \
    }
#define FN(fn, n, flags)                                                                           \
    {                                                                                              \
        0, n, SPIRV_FLOAT, flags, spirv_glsl_##fn                                                  \
    }
static const glsl_row rows[GLSL_COUNT] = {
    [GLSL_Round] = F(fround_even, 1, 0),
    [GLSL_RoundEven] = F(fround_even, 1, 0),
    [GLSL_Trunc] = F(ftrunc, 1, 0),
    [GLSL_FAbs] = F(fabs, 1, 0),
    [GLSL_SAbs] = I(iabs, 1, 0),
    [GLSL_FSign] = F(fsign, 1, 0),
    [GLSL_SSign] = I(isign, 1, 0),
    [GLSL_Floor] = F(ffloor, 1, 0),
    [GLSL_Ceil] = F(fceil, 1, 0),
    [GLSL_Fract] = F(ffract, 1, 0),
    [GLSL_Radians] = FN(radians, 1, 0),
    [GLSL_Degrees] = FN(degrees, 1, 0),
    [GLSL_Sin] = F(fsin, 1, 0),
    [GLSL_Cos] = F(fcos, 1, 0),
    [GLSL_Tan] = FN(tan, 1, WIDE),
    [GLSL_Asin] = FN(asin, 1, WIDE),
    [GLSL_Acos] = FN(acos, 1, WIDE),
    [GLSL_Atan] = FN(atan, 1, WIDE),
    [GLSL_Sinh] = FN(sinh, 1, WIDE),
    [GLSL_Cosh] = FN(cosh, 1, WIDE),
    [GLSL_Tanh] = FN(tanh, 1, WIDE),
    [GLSL_Asinh] = FN(asinh, 1, WIDE),
    [GLSL_Acosh] = FN(acosh, 1, WIDE),
    [GLSL_Atanh] = FN(atanh, 1, WIDE),
    [GLSL_Atan2] = FN(atan2, 2, WIDE),
    [GLSL_Pow] = F(fpow, 2, WIDE),
    [GLSL_Exp] = FN(exp, 1, WIDE),
    [GLSL_Log] = FN(log, 1, WIDE),
    [GLSL_Exp2] = F(fexp2, 1, 0),
    [GLSL_Log2] = F(flog2, 1, 0),
    [GLSL_Sqrt] = F(fsqrt, 1, 0),
    [GLSL_InverseSqrt] = F(frsq, 1, 0),
    [GLSL_FMin] = F(fmin, 2, 0),
    [GLSL_UMin] = I(umin, 2, 0),
    [GLSL_SMin] = I(imin, 2, 0),
    [GLSL_FMax] = F(fmax, 2, 0),
    [GLSL_UMax] = I(umax, 2, 0),
    [GLSL_SMax] = I(imax, 2, 0),
    [GLSL_FClamp] = FN(clamp, 3, 0),
    [GLSL_UClamp] = {0, 3, SPIRV_INT, 0, uclamp},
    [GLSL_SClamp] = {0, 3, SPIRV_INT, 0, sclamp},
    [GLSL_FMix] = FN(mix, 3, 0),
    [GLSL_Step] = FN(step, 2, 0),
    [GLSL_SmoothStep] = FN(smooth_step, 3, 0),
    [GLSL_Fma] = F(ffma, 3, 0),
    [GLSL_Ldexp] = F(ldexp, 2, EXPONENT),
    [GLSL_FindILsb] = I(find_lsb, 1, INDEX32),
    [GLSL_FindSMsb] = I(ifind_msb, 1, INDEX32),
    [GLSL_FindUMsb] = I(ufind_msb, 1, INDEX32),
    [GLSL_NMin] = F(fmin, 2, 0),
    [GLSL_NMax] = F(fmax, 2, 0),
    [GLSL_NClamp] = FN(clamp, 3, 0),
};
#undef F
#undef I
#undef FN

static ir_ref
resize(spirv_reader *r, ir_op op, ir_ref x, unsigned bits)
{
    if (ir_type_bits(ir_ref_type(r->f, x)) == bits)
        return x;
    return ir_build_alu(&r->b, op, IR_TYPE(bits, 1), x, ir_none(), ir_none());
}

/* Checks operand `o` and returns its leaves. */
static const ir_ref *
operand(spirv_reader *r, const spirv_insn *i, const glsl_row *row, unsigned o)
{
    const spirv_type *t = spirv_type_ref(r, i, 1), *to = spirv_scalar_of(t);
    const spirv_type *s = spirv_operand_type(r, i, 5 + o), *c = spirv_scalar_of(s);
    bool exponent = (row->flags & EXPONENT) && o == 1;
    spirv_kind kind = exponent ? SPIRV_INT : (spirv_kind)row->kind;
    bool free_width = exponent || (row->flags & INDEX32);
    if (!to || !c || to->kind != row->kind || c->kind != kind || s->leaves != t->leaves ||
        (!free_width && c->bits != to->bits))
        spirv_invalid(r, "operand %u has a type that the instruction does not take", o);
    return spirv_operand(r, i, 5 + o);
}

/* Converts an exponent to 32 bits. A value that does not fit has the same effect as the nearest one
 * that does. */
static ir_ref
exponent32(spirv_reader *r, ir_ref x)
{
    if (ir_type_bits(ir_ref_type(r->f, x)) == 64) {
        x = irb_imin(&r->b, x, spirv_imm(r, 64, INT32_MAX));
        x = irb_imax(&r->b, x, spirv_imm(r, 64, (uint64_t)INT32_MIN));
    }
    return resize(r, IR_i2i, x, 32);
}

static ir_ref
component(spirv_reader *r, const glsl_row *row, unsigned bits, ir_ref s[3])
{
    bool widen = (row->flags & WIDE) && bits == 16;
    unsigned inner = widen ? 32 : bits;
    for (unsigned o = 0; o < row->n && widen; o++)
        s[o] = resize(r, IR_f2f, s[o], 32);
    if (row->flags & EXPONENT)
        s[1] = exponent32(r, s[1]);
    ir_ref x = row->fn ? row->fn(r, inner, s) : ir_build_alu(&r->b, row->op, 0, s[0], s[1], s[2]);
    if (row->flags & INDEX32)
        return resize(r, IR_i2i, x, bits);
    return widen ? resize(r, IR_f2f, x, 16) : x;
}

static void
emit_row(spirv_reader *r, const spirv_insn *i, const glsl_row *row)
{
    const spirv_type *t = spirv_type_ref(r, i, 1);
    const ir_ref *s[3] = {NULL, NULL, NULL};
    for (unsigned o = 0; o < row->n; o++)
        s[o] = operand(r, i, row, o);
    if (t->bits == 64 && (row->flags & WIDE))
        spirv_invalid(r, "the instruction does not take 64-bit floats");
    ir_ref *leaf = spirv_new_leaves(r, t->leaves);
    for (unsigned c = 0; c < t->leaves; c++) {
        ir_ref one[3] = {ir_none(), ir_none(), ir_none()};
        for (unsigned o = 0; o < row->n; o++)
            one[o] = s[o][c];
        leaf[c] = component(r, row, t->bits, one);
    }
    spirv_define(r, i, leaf);
}

void
spirv_emit_glsl(spirv_reader *r, const spirv_insn *i)
{
    const spirv_id *set = spirv_ref(r, i, 3);
    uint32_t number = i->w[4];
    if (set->kind != SPIRV_ID_SET)
        spirv_invalid(r, "id %u is not an extended instruction set", set->number);
    switch (set->set) {
    case SPIRV_SET_DEBUG_INFO: spirv_emit_debug_info(r, i); return;
    case SPIRV_SET_NON_SEMANTIC: return;
    case SPIRV_SET_OTHER: spirv_unsupported(r, "extended instructions of %s", set->name);
    default: break;
    }
    if (number < GLSL_COUNT && rows[number].n)
        emit_row(r, i, &rows[number]);
    else if (number >= GLSL_InterpolateAtCentroid && number <= GLSL_InterpolateAtOffset)
        spirv_emit_interpolate(r, i);
    else if (!spirv_glsl_vector(r, i))
        spirv_unsupported(r, "GLSL.std.450 instruction %u", number);
}
