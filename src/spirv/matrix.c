/* Products of vectors and matrices (by columns), transposition, and integer dot products. */
#include "spirv/reader.h"

/* a[0] b[0] + a[step] b[1] + ..., fused.
 *
 * How it is rounded is the implementation's choice (its precision is inherited from the sum), but
 * an exact one is to be the same wherever it stands. So it is fused here, where no pass's decision
 * goes into it, and passes leave exact operations alone. It begins with the last product, of which
 * a vector (x, y, z, 1) has none. */
static ir_ref
fused_dot(spirv_reader *r, const ir_ref *a, unsigned step, const ir_ref *b, unsigned n)
{
    ir_ref sum = irb_fmul(&r->b, a[(n - 1) * step], b[n - 1]);
    for (unsigned k = n - 1; k-- > 0;)
        sum = irb_ffma(&r->b, a[k * step], b[k], sum);
    return sum;
}

static ir_ref
dot(spirv_reader *r, const ir_ref *a, unsigned step, const ir_ref *b, unsigned n)
{
    if (r->opt->fuses_sums && r->b.exact)
        return fused_dot(r, a, step, b, n);
    ir_ref sum = irb_fmul(&r->b, a[0], b[0]);
    for (unsigned k = 1; k < n; k++)
        sum = irb_fadd(&r->b, sum, irb_fmul(&r->b, a[k * step], b[k]));
    return sum;
}

/* Number of rows and columns: a vector is one column, a scalar is one row of one column. */
typedef struct shape {
    unsigned rows, columns, bits;
    const ir_ref *leaf;
} shape;

static shape
shape_of(spirv_reader *r, const spirv_type *t)
{
    const spirv_type *c = t->kind == SPIRV_MATRIX ? t->elem->elem : spirv_scalar_of(t);
    if (!c || c->kind != SPIRV_FLOAT)
        spirv_invalid(r, "an operand or the result is not of floats");
    return (shape){.rows = t->kind == SPIRV_MATRIX ? t->elem->count : t->leaves,
                   .columns = t->kind == SPIRV_MATRIX ? t->count : 1,
                   .bits = c->bits};
}

static shape
operand_shape(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    shape s = shape_of(r, spirv_operand_type(r, i, k));
    s.leaf = spirv_operand(r, i, k);
    return s;
}

static void
check_shape(spirv_reader *r, bool fits)
{
    if (!fits)
        spirv_invalid(r, "the operands and the result do not fit together");
}

/* ---- float products ---- */

static void
emit_scaled(spirv_reader *r, const spirv_insn *i)
{
    shape a = operand_shape(r, i, 3), s = operand_shape(r, i, 4);
    const spirv_type *t = spirv_type_ref(r, i, 1);
    check_shape(r, t == spirv_operand_type(r, i, 3) && s.rows * s.columns == 1 && a.bits == s.bits);
    ir_ref *leaf = spirv_new_leaves(r, t->leaves);
    for (unsigned k = 0; k < t->leaves; k++)
        leaf[k] = irb_fmul(&r->b, a.leaf[k], s.leaf[0]);
    spirv_define(r, i, leaf);
}

/* Matrix times vector or matrix. */
static void
emit_product(spirv_reader *r, const spirv_insn *i)
{
    shape a = operand_shape(r, i, 3), b = operand_shape(r, i, 4);
    shape t = shape_of(r, spirv_type_ref(r, i, 1));
    check_shape(r, a.columns == b.rows && t.rows == a.rows && t.columns == b.columns &&
                       a.bits == b.bits && a.bits == t.bits);
    ir_ref *leaf = spirv_new_leaves(r, t.rows * t.columns);
    for (unsigned c = 0; c < t.columns; c++) {
        for (unsigned row = 0; row < t.rows; row++)
            leaf[c * t.rows + row] = dot(r, a.leaf + row, a.rows, b.leaf + c * b.rows, b.rows);
    }
    spirv_define(r, i, leaf);
}

static void
emit_vector_matrix(spirv_reader *r, const spirv_insn *i)
{
    shape v = operand_shape(r, i, 3), m = operand_shape(r, i, 4);
    shape t = shape_of(r, spirv_type_ref(r, i, 1));
    check_shape(r, v.columns == 1 && t.columns == 1 && v.rows == m.rows && t.rows == m.columns &&
                       v.bits == m.bits && v.bits == t.bits);
    ir_ref *leaf = spirv_new_leaves(r, t.rows);
    for (unsigned c = 0; c < m.columns; c++)
        leaf[c] = dot(r, v.leaf, 1, m.leaf + c * m.rows, m.rows);
    spirv_define(r, i, leaf);
}

static void
emit_outer_product(spirv_reader *r, const spirv_insn *i)
{
    shape a = operand_shape(r, i, 3), b = operand_shape(r, i, 4);
    shape t = shape_of(r, spirv_type_ref(r, i, 1));
    check_shape(r, a.columns == 1 && b.columns == 1 && t.rows == a.rows && t.columns == b.rows &&
                       a.bits == b.bits && a.bits == t.bits);
    ir_ref *leaf = spirv_new_leaves(r, t.rows * t.columns);
    for (unsigned c = 0; c < t.columns; c++) {
        for (unsigned row = 0; row < t.rows; row++)
            leaf[c * t.rows + row] = irb_fmul(&r->b, a.leaf[row], b.leaf[c]);
    }
    spirv_define(r, i, leaf);
}

static void
emit_transpose(spirv_reader *r, const spirv_insn *i)
{
    shape a = operand_shape(r, i, 3), t = shape_of(r, spirv_type_ref(r, i, 1));
    check_shape(r, t.rows == a.columns && t.columns == a.rows && t.bits == a.bits);
    ir_ref *leaf = spirv_new_leaves(r, t.rows * t.columns);
    for (unsigned c = 0; c < t.columns; c++) {
        for (unsigned row = 0; row < t.rows; row++)
            leaf[c * t.rows + row] = a.leaf[row * a.rows + c];
    }
    spirv_define(r, i, leaf);
}

static void
emit_float_dot(spirv_reader *r, const spirv_insn *i)
{
    shape a = operand_shape(r, i, 3), b = operand_shape(r, i, 4);
    shape t = shape_of(r, spirv_type_ref(r, i, 1));
    check_shape(r, a.columns == 1 && b.columns == 1 && a.rows == b.rows && a.bits == b.bits &&
                       t.rows * t.columns == 1 && t.bits == a.bits);
    spirv_define_scalar(r, i, dot(r, a.leaf, 1, b.leaf, a.rows));
}

void
spirv_emit_matrix(spirv_reader *r, const spirv_insn *i)
{
    switch (i->op) {
    case SPIRV_OpVectorTimesScalar:
    case SPIRV_OpMatrixTimesScalar: emit_scaled(r, i); break;
    case SPIRV_OpMatrixTimesVector:
    case SPIRV_OpMatrixTimesMatrix: emit_product(r, i); break;
    case SPIRV_OpVectorTimesMatrix: emit_vector_matrix(r, i); break;
    case SPIRV_OpOuterProduct: emit_outer_product(r, i); break;
    case SPIRV_OpTranspose: emit_transpose(r, i); break;
    default: emit_float_dot(r, i); break;
    }
}

/* ---- integer dot products (SPIR-V 1.6) ---- */

typedef struct int_dot {
    bool signed_a, signed_b, saturates;
} int_dot;

static int_dot
dot_kind(unsigned op)
{
    switch (op) {
    case SPIRV_OpSDot: return (int_dot){true, true, false};
    case SPIRV_OpUDot: return (int_dot){false, false, false};
    case SPIRV_OpSUDot: return (int_dot){true, false, false};
    case SPIRV_OpSDotAccSat: return (int_dot){true, true, true};
    case SPIRV_OpUDotAccSat: return (int_dot){false, false, true};
    default: return (int_dot){true, false, true};
    }
}

static ir_ref
extend(spirv_reader *r, ir_ref x, bool is_signed, unsigned bits)
{
    if (ir_type_bits(ir_ref_type(r->f, x)) == bits)
        return x;
    return ir_build_alu(&r->b, is_signed ? IR_i2i : IR_u2u, IR_TYPE(bits, 1), x, ir_none(),
                        ir_none());
}

/* Four bytes packed in 32 bits, with a 32-bit result: one instruction. */
static ir_ref
packed_dot(spirv_reader *r, int_dot k, ir_ref a, ir_ref b, ir_ref c)
{
    ir_op op = !k.signed_a  ? (k.saturates ? IR_udot_4x8_uadd_sat : IR_udot_4x8_uadd)
               : k.signed_b ? (k.saturates ? IR_sdot_4x8_iadd_sat : IR_sdot_4x8_iadd)
                            : (k.saturates ? IR_sudot_4x8_iadd_sat : IR_sudot_4x8_iadd);
    return ir_build_alu(&r->b, op, 0, a, b, c);
}

/* Clamps a 64-bit sum to the range of a `bits`-bit integer. */
static ir_ref
clamp_sum(spirv_reader *r, ir_ref x, bool is_signed, unsigned bits)
{
    ir_builder *b = &r->b;
    if (bits < 64 && is_signed) {
        int64_t max = (int64_t)(base_mask64(bits) >> 1);
        x = irb_imin(b, x, spirv_imm(r, 64, (uint64_t)max));
        x = irb_imax(b, x, spirv_imm(r, 64, (uint64_t)(-max - 1)));
    } else if (bits < 64) {
        x = irb_umin(b, x, spirv_imm(r, 64, base_mask64(bits)));
    }
    return extend(r, x, is_signed, bits);
}

/* The operands' components; a packed word is split into bytes. */
static unsigned
dot_components(spirv_reader *r, const spirv_insn *i, unsigned k, bool is_signed, ir_ref out[4])
{
    const spirv_type *t = spirv_operand_type(r, i, k), *c = spirv_scalar_of(t);
    const ir_ref *x = spirv_operand(r, i, k);
    if (!c || c->kind != SPIRV_INT || (t->leaves == 1 && c->bits != 32))
        spirv_invalid(r, "operand %u is neither a vector of integers nor packed", k);
    if (t->leaves > 1) {
        memcpy(out, x, t->leaves * sizeof *out);
        return t->leaves;
    }
    for (unsigned b = 0; b < 4; b++)
        out[b] = ir_build_alu(&r->b, is_signed ? IR_extract_i8 : IR_extract_u8, 0, x[0],
                              spirv_imm(r, 32, b), ir_none());
    return 4;
}

static ir_ref
sum_products(spirv_reader *r, const spirv_insn *i, int_dot k, unsigned bits)
{
    ir_ref a[4], b[4], sum = spirv_imm(r, bits, 0);
    unsigned n = dot_components(r, i, 3, k.signed_a, a);
    if (n != dot_components(r, i, 4, k.signed_b, b))
        spirv_invalid(r, "the vectors differ in length");
    for (unsigned c = 0; c < n; c++) {
        ir_ref x = extend(r, a[c], k.signed_a, bits), y = extend(r, b[c], k.signed_b, bits);
        sum = irb_iadd(&r->b, sum, irb_imul(&r->b, x, y));
    }
    return sum;
}

void
spirv_emit_dot(spirv_reader *r, const spirv_insn *i)
{
    int_dot k = dot_kind(i->op);
    const spirv_type *t = spirv_type_ref(r, i, 1), *a = spirv_operand_type(r, i, 3);
    if (t->kind != SPIRV_INT || (k.saturates && spirv_operand_type(r, i, 5) != t))
        spirv_invalid(r, "the result is not an integer of the accumulator's type");
    ir_ref acc = k.saturates ? spirv_scalar(r, i, 5) : spirv_imm(r, t->bits, 0);
    if (a->leaves == 1 && t->bits == 32 && spirv_operand_type(r, i, 4)->leaves == 1 &&
        a->bits == 32 && spirv_operand_type(r, i, 4)->bits == 32) {
        spirv_define_scalar(r, i,
                            packed_dot(r, k, spirv_scalar(r, i, 3), spirv_scalar(r, i, 4), acc));
        return;
    }
    bool small = t->bits < 64 && a->bits < 32;
    unsigned bits = k.saturates && small ? 64 : t->bits;
    ir_ref sum = sum_products(r, i, k, bits);
    if (k.saturates && small)
        sum = clamp_sum(r, irb_iadd(&r->b, sum, extend(r, acc, k.signed_a, 64)), k.signed_a,
                        t->bits);
    else if (k.saturates)
        sum = k.signed_a ? irb_iadd_sat(&r->b, sum, acc) : irb_uadd_sat(&r->b, sum, acc);
    spirv_define_scalar(r, i, sum);
}
