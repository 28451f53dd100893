/* Arithmetic, comparison, logic and bit operations: one table row per opcode, applied to each
 * component. */
#include "spirv/reader.h"

#include <math.h>

enum {
    SWAP = 1,  /* the operands are swapped */
    NOT = 2,   /* the result is negated */
    BOOLS = 4, /* the result is boolean for any operands */
};

typedef struct alu_row {
    uint16_t op;            /* IR_* */
    uint8_t n, kind, flags; /* number of operands and their spirv_kind */
} alu_row;

#define I SPIRV_INT
#define F SPIRV_FLOAT
#define B SPIRV_BOOL
static const alu_row rows[256] = {
    [SPIRV_OpSNegate] = {IR_ineg, 1, I, 0},
    [SPIRV_OpFNegate] = {IR_fneg, 1, F, 0},
    [SPIRV_OpIAdd] = {IR_iadd, 2, I, 0},
    [SPIRV_OpFAdd] = {IR_fadd, 2, F, 0},
    [SPIRV_OpISub] = {IR_isub, 2, I, 0},
    [SPIRV_OpFSub] = {IR_fsub, 2, F, 0},
    [SPIRV_OpIMul] = {IR_imul, 2, I, 0},
    [SPIRV_OpFMul] = {IR_fmul, 2, F, 0},
    [SPIRV_OpUDiv] = {IR_udiv, 2, I, 0},
    [SPIRV_OpSDiv] = {IR_idiv, 2, I, 0},
    [SPIRV_OpFDiv] = {IR_fdiv, 2, F, 0},
    [SPIRV_OpUMod] = {IR_umod, 2, I, 0},
    [SPIRV_OpSRem] = {IR_irem, 2, I, 0},
    [SPIRV_OpSMod] = {IR_imod, 2, I, 0},
    [SPIRV_OpNot] = {IR_inot, 1, I, 0},
    [SPIRV_OpBitwiseOr] = {IR_ior, 2, I, 0},
    [SPIRV_OpBitwiseXor] = {IR_ixor, 2, I, 0},
    [SPIRV_OpBitwiseAnd] = {IR_iand, 2, I, 0},
    [SPIRV_OpBitReverse] = {IR_bitfield_reverse, 1, I, 0},
    [SPIRV_OpLogicalEqual] = {IR_ixor, 2, B, NOT | BOOLS},
    [SPIRV_OpLogicalNotEqual] = {IR_ixor, 2, B, BOOLS},
    [SPIRV_OpLogicalOr] = {IR_ior, 2, B, BOOLS},
    [SPIRV_OpLogicalAnd] = {IR_iand, 2, B, BOOLS},
    [SPIRV_OpLogicalNot] = {IR_inot, 1, B, BOOLS},
    [SPIRV_OpIEqual] = {IR_ieq, 2, I, BOOLS},
    [SPIRV_OpINotEqual] = {IR_ine, 2, I, BOOLS},
    [SPIRV_OpUGreaterThan] = {IR_ult, 2, I, SWAP | BOOLS},
    [SPIRV_OpSGreaterThan] = {IR_ilt, 2, I, SWAP | BOOLS},
    [SPIRV_OpUGreaterThanEqual] = {IR_uge, 2, I, BOOLS},
    [SPIRV_OpSGreaterThanEqual] = {IR_ige, 2, I, BOOLS},
    [SPIRV_OpULessThan] = {IR_ult, 2, I, BOOLS},
    [SPIRV_OpSLessThan] = {IR_ilt, 2, I, BOOLS},
    [SPIRV_OpULessThanEqual] = {IR_uge, 2, I, SWAP | BOOLS},
    [SPIRV_OpSLessThanEqual] = {IR_ige, 2, I, SWAP | BOOLS},
    [SPIRV_OpFOrdEqual] = {IR_feq, 2, F, BOOLS},
    [SPIRV_OpFUnordEqual] = {IR_fequ, 2, F, BOOLS},
    [SPIRV_OpFOrdNotEqual] = {IR_fneo, 2, F, BOOLS},
    [SPIRV_OpFUnordNotEqual] = {IR_fneu, 2, F, BOOLS},
    [SPIRV_OpFOrdLessThan] = {IR_flt, 2, F, BOOLS},
    [SPIRV_OpFUnordLessThan] = {IR_fge, 2, F, NOT | BOOLS},
    [SPIRV_OpFOrdGreaterThan] = {IR_flt, 2, F, SWAP | BOOLS},
    [SPIRV_OpFUnordGreaterThan] = {IR_fge, 2, F, SWAP | NOT | BOOLS},
    [SPIRV_OpFOrdLessThanEqual] = {IR_fge, 2, F, SWAP | BOOLS},
    [SPIRV_OpFUnordLessThanEqual] = {IR_flt, 2, F, SWAP | NOT | BOOLS},
    [SPIRV_OpFOrdGreaterThanEqual] = {IR_fge, 2, F, BOOLS},
    [SPIRV_OpFUnordGreaterThanEqual] = {IR_flt, 2, F, NOT | BOOLS},
    [SPIRV_OpLessOrGreater] = {IR_fneo, 2, F, BOOLS},
};
#undef I
#undef F
#undef B

/* ---- operand types ---- */

/* Checks that word `k` is a scalar or vector of `n` components of kind `kind`. Returns its
 * component type. */
static const spirv_type *
check(spirv_reader *r, const spirv_insn *i, unsigned k, spirv_kind kind, unsigned n)
{
    const spirv_type *t = spirv_operand_type(r, i, k), *c = spirv_scalar_of(t);
    if (!c || c->kind != kind || t->leaves != n)
        spirv_invalid(r, "operand %u has a type that the instruction does not take", k);
    return c;
}

/* Checks the result type. Returns its component type. */
static const spirv_type *
check_result(spirv_reader *r, const spirv_insn *i, spirv_kind kind)
{
    const spirv_type *c = spirv_scalar_of(spirv_type_ref(r, i, 1));
    if (!c || c->kind != kind)
        spirv_invalid(r, "the result type is not one that the instruction gives");
    return c;
}

static unsigned
result_comps(spirv_reader *r, const spirv_insn *i)
{
    return spirv_type_ref(r, i, 1)->leaves;
}

/* ---- rows ---- */

static void
emit_row(spirv_reader *r, const spirv_insn *i, const alu_row *row)
{
    const spirv_type *to = check_result(r, i, row->flags & BOOLS ? SPIRV_BOOL : row->kind);
    unsigned n = result_comps(r, i), bits = row->flags & BOOLS ? 0 : to->bits;
    const ir_ref *s[2] = {NULL, NULL};
    for (unsigned k = 0; k < row->n; k++) {
        const spirv_type *c = check(r, i, 3 + k, row->kind, n);
        if (bits && c->bits != bits)
            spirv_invalid(r, "the operands are not all of one width");
        bits = c->bits;
        s[k] = spirv_operand(r, i, 3 + k);
    }
    ir_ref *leaf = spirv_new_leaves(r, n);
    for (unsigned c = 0; c < n; c++) {
        ir_ref a = s[0][c], b = row->n > 1 ? s[1][c] : ir_none();
        bool swap = row->flags & SWAP;
        leaf[c] = ir_build_alu(&r->b, row->op, 0, swap ? b : a, swap ? a : b, ir_none());
        if (row->flags & NOT)
            leaf[c] = irb_inot(&r->b, leaf[c]);
    }
    spirv_define(r, i, leaf);
}

/* ---- shifts and bit fields ---- */

/* Counts may have any width. */
static ir_ref
count32(spirv_reader *r, ir_ref x)
{
    if (ir_type_bits(ir_ref_type(r->f, x)) == 32)
        return x;
    return ir_build_alu(&r->b, IR_u2u, IR_I32, x, ir_none(), ir_none());
}

static void
emit_shift(spirv_reader *r, const spirv_insn *i)
{
    ir_op op = i->op == SPIRV_OpShiftLeftLogical    ? IR_ishl
               : i->op == SPIRV_OpShiftRightLogical ? IR_ushr
                                                    : IR_ishr;
    unsigned n = result_comps(r, i);
    const spirv_type *to = check_result(r, i, SPIRV_INT);
    if (check(r, i, 3, SPIRV_INT, n)->bits != to->bits)
        spirv_invalid(r, "the base is not of the result's width");
    check(r, i, 4, SPIRV_INT, n);
    const ir_ref *base = spirv_operand(r, i, 3), *count = spirv_operand(r, i, 4);
    ir_ref *leaf = spirv_new_leaves(r, n);
    for (unsigned c = 0; c < n; c++)
        leaf[c] = ir_build_alu(&r->b, op, 0, base[c], count32(r, count[c]), ir_none());
    spirv_define(r, i, leaf);
}

/* `count` ones from bit `offset` on; `count` may be the full width. */
static ir_ref
field_mask(spirv_reader *r, unsigned bits, ir_ref offset, ir_ref count)
{
    ir_builder *b = &r->b;
    ir_ref all = irb_ieq(b, count, spirv_imm(r, 32, bits)), ones = spirv_imm(r, bits, ~UINT64_C(0));
    ir_ref mask = bits == 32 ? irb_bfm(b, count, offset)
                             : irb_ishl(b, irb_inot(b, irb_ishl(b, ones, count)), offset);
    return irb_bcsel(b, all, ones, mask);
}

static void
emit_bit_field(spirv_reader *r, const spirv_insn *i)
{
    bool insert = i->op == SPIRV_OpBitFieldInsert;
    unsigned n = result_comps(r, i), k = insert ? 5 : 4;
    const spirv_type *to = check_result(r, i, SPIRV_INT);
    for (unsigned o = 3; o < k; o++) {
        if (check(r, i, o, SPIRV_INT, n)->bits != to->bits)
            spirv_invalid(r, "operand %u is not of the result's width", o);
    }
    check(r, i, k, SPIRV_INT, 1);
    check(r, i, k + 1, SPIRV_INT, 1);
    ir_ref offset = count32(r, spirv_scalar(r, i, k)),
           count = count32(r, spirv_scalar(r, i, k + 1));
    const ir_ref *base = spirv_operand(r, i, 3), *value = insert ? spirv_operand(r, i, 4) : NULL;
    ir_ref mask = insert ? field_mask(r, to->bits, offset, count) : ir_none();
    ir_ref *leaf = spirv_new_leaves(r, n);
    for (unsigned c = 0; c < n; c++) {
        if (insert)
            leaf[c] = irb_bitfield_select(&r->b, mask, irb_ishl(&r->b, value[c], offset), base[c]);
        else if (i->op == SPIRV_OpBitFieldSExtract)
            leaf[c] = irb_ibitfield_extract(&r->b, base[c], offset, count);
        else
            leaf[c] = irb_ubitfield_extract(&r->b, base[c], offset, count);
    }
    spirv_define(r, i, leaf);
}

static void
emit_bit_count(spirv_reader *r, const spirv_insn *i)
{
    unsigned n = result_comps(r, i);
    const spirv_type *to = check_result(r, i, SPIRV_INT);
    check(r, i, 3, SPIRV_INT, n);
    const ir_ref *s = spirv_operand(r, i, 3);
    ir_ref *leaf = spirv_new_leaves(r, n);
    for (unsigned c = 0; c < n; c++) {
        leaf[c] = irb_bit_count(&r->b, s[c]);
        if (to->bits != 32)
            leaf[c] = ir_build_alu(&r->b, IR_u2u, IR_TYPE(to->bits, 1), leaf[c], ir_none(),
                                   ir_none());
    }
    spirv_define(r, i, leaf);
}

/* ---- remainders ---- */

/* x - y * trunc(x / y), with floor for OpFMod. */
static void
emit_remainder(spirv_reader *r, const spirv_insn *i)
{
    ir_builder *b = &r->b;
    unsigned n = result_comps(r, i);
    const spirv_type *to = check_result(r, i, SPIRV_FLOAT);
    if (check(r, i, 3, SPIRV_FLOAT, n)->bits != to->bits ||
        check(r, i, 4, SPIRV_FLOAT, n)->bits != to->bits)
        spirv_invalid(r, "the operands are not of the result's width");
    const ir_ref *x = spirv_operand(r, i, 3), *y = spirv_operand(r, i, 4);
    ir_ref *leaf = spirv_new_leaves(r, n);
    for (unsigned c = 0; c < n; c++) {
        ir_ref q = irb_fdiv(b, x[c], y[c]);
        q = i->op == SPIRV_OpFMod ? irb_ffloor(b, q) : irb_ftrunc(b, q);
        leaf[c] = irb_fsub(b, x[c], irb_fmul(b, y[c], q));
    }
    spirv_define(r, i, leaf);
}

/* ---- float classes ---- */

static ir_ref
classify(spirv_reader *r, unsigned op, const spirv_type *t, ir_ref x, ir_ref y)
{
    ir_builder *b = &r->b;
    ir_ref inf = spirv_fimm(r, t->bits, HUGE_VAL);
    switch (op) {
    case SPIRV_OpIsNan: return irb_fneu(b, x, x);
    case SPIRV_OpIsInf: return irb_feq(b, irb_fabs(b, x), inf);
    case SPIRV_OpIsFinite: return irb_flt(b, irb_fabs(b, x), inf);
    case SPIRV_OpSignBitSet: return irb_ilt(b, x, spirv_imm(r, t->bits, 0));
    case SPIRV_OpOrdered: return irb_iand(b, irb_feq(b, x, x), irb_feq(b, y, y));
    default: return irb_ior(b, irb_fneu(b, x, x), irb_fneu(b, y, y));
    }
}

static void
emit_class(spirv_reader *r, const spirv_insn *i)
{
    bool two = i->op == SPIRV_OpOrdered || i->op == SPIRV_OpUnordered;
    unsigned n = result_comps(r, i);
    check_result(r, i, SPIRV_BOOL);
    const spirv_type *t = check(r, i, 3, SPIRV_FLOAT, n);
    if (two && check(r, i, 4, SPIRV_FLOAT, n)->bits != t->bits)
        spirv_invalid(r, "the operands are not of one width");
    const ir_ref *x = spirv_operand(r, i, 3), *y = two ? spirv_operand(r, i, 4) : x;
    ir_ref *leaf = spirv_new_leaves(r, n);
    for (unsigned c = 0; c < n; c++)
        leaf[c] = classify(r, i->op, t, x[c], y[c]);
    spirv_define(r, i, leaf);
}

static void
emit_any_all(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_operand_type(r, i, 3);
    check_result(r, i, SPIRV_BOOL);
    check(r, i, 3, SPIRV_BOOL, t->leaves);
    const ir_ref *s = spirv_operand(r, i, 3);
    ir_ref all = s[0];
    for (unsigned c = 1; c < t->leaves; c++)
        all = i->op == SPIRV_OpAny ? irb_ior(&r->b, all, s[c]) : irb_iand(&r->b, all, s[c]);
    spirv_define_scalar(r, i, all);
}

/* ---- two results ---- */

static ir_ref
high_half(spirv_reader *r, unsigned op, ir_ref a, ir_ref b)
{
    ir_ref carry = ir_none();
    switch (op) {
    case SPIRV_OpIAddCarry: carry = irb_uadd_carry(&r->b, a, b); break;
    case SPIRV_OpISubBorrow: carry = irb_usub_borrow(&r->b, a, b); break;
    case SPIRV_OpUMulExtended: return irb_umul_high(&r->b, a, b);
    default: return irb_imul_high(&r->b, a, b);
    }
    return carry;
}

static ir_ref
low_half(spirv_reader *r, unsigned op, ir_ref a, ir_ref b)
{
    switch (op) {
    case SPIRV_OpIAddCarry: return irb_iadd(&r->b, a, b);
    case SPIRV_OpISubBorrow: return irb_isub(&r->b, a, b);
    default: return irb_imul(&r->b, a, b);
    }
}

/* The result is a structure of two members of the operands' type: the low and high words, or the
 * sum and the carry. */
static void
emit_extended(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1), *operand = spirv_operand_type(r, i, 3);
    const spirv_type *c = spirv_scalar_of(operand);
    unsigned n = operand->leaves;
    if (t->kind != SPIRV_STRUCT || t->count != 2 || !c ||
        t->members[0].type != t->members[1].type || t->leaves != 2 * n ||
        spirv_scalar_of(t->members[0].type) == NULL || t->members[0].type->bits != c->bits)
        spirv_invalid(r, "the result is not a structure of two members of the operands' type");
    check(r, i, 3, SPIRV_INT, n);
    if (check(r, i, 4, SPIRV_INT, n)->bits != c->bits)
        spirv_invalid(r, "the operands are not of one width");
    const ir_ref *a = spirv_operand(r, i, 3), *b = spirv_operand(r, i, 4);
    ir_ref *leaf = spirv_new_leaves(r, 2 * n);
    for (unsigned k = 0; k < n; k++) {
        leaf[k] = low_half(r, i->op, a[k], b[k]);
        leaf[n + k] = high_half(r, i->op, a[k], b[k]);
    }
    spirv_define(r, i, leaf);
}

void
spirv_emit_alu(spirv_reader *r, const spirv_insn *i)
{
    switch (i->op) {
    case SPIRV_OpShiftLeftLogical:
    case SPIRV_OpShiftRightLogical:
    case SPIRV_OpShiftRightArithmetic: emit_shift(r, i); return;
    case SPIRV_OpBitFieldInsert:
    case SPIRV_OpBitFieldSExtract:
    case SPIRV_OpBitFieldUExtract: emit_bit_field(r, i); return;
    case SPIRV_OpBitCount: emit_bit_count(r, i); return;
    case SPIRV_OpFRem:
    case SPIRV_OpFMod: emit_remainder(r, i); return;
    case SPIRV_OpIsNan:
    case SPIRV_OpIsInf:
    case SPIRV_OpIsFinite:
    case SPIRV_OpSignBitSet:
    case SPIRV_OpOrdered:
    case SPIRV_OpUnordered: emit_class(r, i); return;
    case SPIRV_OpAny:
    case SPIRV_OpAll: emit_any_all(r, i); return;
    case SPIRV_OpIAddCarry:
    case SPIRV_OpISubBorrow:
    case SPIRV_OpUMulExtended:
    case SPIRV_OpSMulExtended: emit_extended(r, i); return;
    default: break;
    }
    if (i->op >= 256 || !rows[i->op].n)
        spirv_unsupported(r, "%s", spirv_op_row_of(i->op)->name);
    emit_row(r, i, &rows[i->op]);
}
