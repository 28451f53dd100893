/* GLSL.std.450's instructions on whole vectors and matrices, on structures and pointers, and
 * packing. The operands start at word 5. */
#include "spirv/glsl450.h"

static ir_ref
convert(spirv_reader *r, ir_op op, unsigned bits, ir_ref x)
{
    return ir_build_alu(&r->b, op, IR_TYPE(bits, 1), x, ir_none(), ir_none());
}

static void
demand(spirv_reader *r, bool fits)
{
    if (!fits)
        spirv_invalid(r,
                      "the operands or the result have types that the instruction does not take");
}

/* Returns the leaves of operand `o`, which must be a float scalar or vector with `n` components and
 * `bits` bits (0: any).
 */
static const ir_ref *
floats(spirv_reader *r, const spirv_insn *i, unsigned o, unsigned n, unsigned bits)
{
    const spirv_type *t = spirv_operand_type(r, i, 5 + o), *c = spirv_scalar_of(t);
    demand(r, c && c->kind == SPIRV_FLOAT && (!n || t->leaves == n) && (!bits || c->bits == bits));
    return spirv_operand(r, i, 5 + o);
}

static ir_ref
dot(spirv_reader *r, const ir_ref *a, const ir_ref *b, unsigned n)
{
    ir_ref sum = irb_fmul(&r->b, a[0], b[0]);
    for (unsigned c = 1; c < n; c++)
        sum = irb_fadd(&r->b, sum, irb_fmul(&r->b, a[c], b[c]));
    return sum;
}

/* Checks that the result type of a vector instruction is float. Returns its component type. */
static const spirv_type *
result_floats(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *c = spirv_scalar_of(spirv_type_ref(r, i, 1));
    demand(r, c && c->kind == SPIRV_FLOAT);
    return c;
}

/* ---- geometry ---- */

static ir_ref
length_of(spirv_reader *r, const ir_ref *x, unsigned n)
{
    return n == 1 ? irb_fabs(&r->b, x[0]) : irb_fsqrt(&r->b, dot(r, x, x, n));
}

static void
emit_length(spirv_reader *r, const spirv_insn *i)
{
    unsigned bits = result_floats(r, i)->bits, n = spirv_operand_type(r, i, 5)->leaves;
    demand(r, spirv_type_ref(r, i, 1)->leaves == 1 && n <= 4);
    const ir_ref *x = floats(r, i, 0, n, bits);
    if (i->w[4] == GLSL_Length) {
        spirv_define_scalar(r, i, length_of(r, x, n));
        return;
    }
    const ir_ref *y = floats(r, i, 1, n, bits);
    ir_ref d[4];
    for (unsigned c = 0; c < n; c++)
        d[c] = irb_fsub(&r->b, x[c], y[c]);
    spirv_define_scalar(r, i, length_of(r, d, n));
}

static void
emit_cross(spirv_reader *r, const spirv_insn *i)
{
    unsigned bits = result_floats(r, i)->bits;
    demand(r, spirv_type_ref(r, i, 1)->leaves == 3);
    const ir_ref *x = floats(r, i, 0, 3, bits), *y = floats(r, i, 1, 3, bits);
    ir_ref *leaf = spirv_new_leaves(r, 3);
    for (unsigned c = 0; c < 3; c++) {
        unsigned a = (c + 1) % 3, b = (c + 2) % 3;
        leaf[c] = irb_fsub(&r->b, irb_fmul(&r->b, x[a], y[b]), irb_fmul(&r->b, y[a], x[b]));
    }
    spirv_define(r, i, leaf);
}

static void
emit_normalize(spirv_reader *r, const spirv_insn *i)
{
    unsigned bits = result_floats(r, i)->bits, n = spirv_type_ref(r, i, 1)->leaves;
    const ir_ref *x = floats(r, i, 0, n, bits);
    ir_ref *leaf = spirv_new_leaves(r, n);
    ir_ref inverse = irb_frsq(&r->b, dot(r, x, x, n));
    for (unsigned c = 0; c < n; c++)
        leaf[c] = irb_fmul(&r->b, x[c], inverse);
    spirv_define(r, i, leaf);
}

/* N if dot(Nref, I) < 0, else -N */
static void
emit_face_forward(spirv_reader *r, const spirv_insn *i)
{
    unsigned bits = result_floats(r, i)->bits, n = spirv_type_ref(r, i, 1)->leaves;
    const ir_ref *normal = floats(r, i, 0, n, bits), *incident = floats(r, i, 1, n, bits);
    const ir_ref *reference = floats(r, i, 2, n, bits);
    ir_ref *leaf = spirv_new_leaves(r, n), zero = spirv_fimm(r, bits, 0);
    ir_ref facing = irb_flt(&r->b, dot(r, reference, incident, n), zero);
    for (unsigned c = 0; c < n; c++)
        leaf[c] = irb_bcsel(&r->b, facing, normal[c], irb_fneg(&r->b, normal[c]));
    spirv_define(r, i, leaf);
}

/* I - 2 dot(N, I) N */
static void
emit_reflect(spirv_reader *r, const spirv_insn *i)
{
    unsigned bits = result_floats(r, i)->bits, n = spirv_type_ref(r, i, 1)->leaves;
    const ir_ref *x = floats(r, i, 0, n, bits), *normal = floats(r, i, 1, n, bits);
    ir_ref *leaf = spirv_new_leaves(r, n);
    ir_ref twice = irb_fmul(&r->b, dot(r, normal, x, n), spirv_fimm(r, bits, 2));
    for (unsigned c = 0; c < n; c++)
        leaf[c] = irb_fsub(&r->b, x[c], irb_fmul(&r->b, twice, normal[c]));
    spirv_define(r, i, leaf);
}

/* k = 1 - eta eta (1 - dot(N, I)^2); 0 if k < 0, else eta I - (eta dot(N, I) + sqrt(k)) N */
static void
emit_refract(spirv_reader *r, const spirv_insn *i)
{
    ir_builder *b = &r->b;
    unsigned bits = result_floats(r, i)->bits, n = spirv_type_ref(r, i, 1)->leaves;
    const ir_ref *x = floats(r, i, 0, n, bits), *normal = floats(r, i, 1, n, bits);
    ir_ref eta = *floats(r, i, 2, 1, 0), one = spirv_fimm(r, bits, 1),
           zero = spirv_fimm(r, bits, 0);
    if (ir_type_bits(ir_ref_type(r->f, eta)) != bits)
        eta = convert(r, IR_f2f, bits, eta);
    ir_ref d = dot(r, normal, x, n);
    ir_ref sine2 = irb_fsub(b, one, irb_fmul(b, d, d));
    ir_ref k = irb_fsub(b, one, irb_fmul(b, irb_fmul(b, eta, eta), sine2));
    ir_ref along = irb_fadd(b, irb_fmul(b, eta, d), irb_fsqrt(b, k));
    ir_ref *leaf = spirv_new_leaves(r, n), total = irb_flt(b, k, zero);
    for (unsigned c = 0; c < n; c++) {
        ir_ref bent = irb_fsub(b, irb_fmul(b, eta, x[c]), irb_fmul(b, along, normal[c]));
        leaf[c] = irb_bcsel(b, total, zero, bent);
    }
    spirv_define(r, i, leaf);
}

/* ---- matrices ---- */

/* A square matrix by columns with one row and column left out. */
static void
minor(const ir_ref *m, unsigned n, unsigned skip_column, unsigned skip_row, ir_ref *out)
{
    for (unsigned c = 0; c < n; c++) {
        for (unsigned row = 0; row < n; row++) {
            if (c != skip_column && row != skip_row)
                *out++ = m[c * n + row];
        }
    }
}

/* Expands along column `along`, the first or the last one; value numbering shares the minors'
 * products. */
static ir_ref
determinant(spirv_reader *r, const ir_ref *m, unsigned n, unsigned along)
{
    ir_builder *b = &r->b;
    ir_ref sum = ir_none();
    if (n == 1)
        return m[0];
    if (n == 2)
        return irb_fsub(b, irb_fmul(b, m[0], m[3]), irb_fmul(b, m[2], m[1]));
    for (unsigned row = 0; row < n; row++) {
        ir_ref part[9];
        minor(m, n, along, row, part);
        ir_ref x = irb_fmul(b, m[along * n + row], determinant(r, part, n - 1, 0));
        if ((along + row) & 1)
            sum = row ? irb_fsub(b, sum, x) : irb_fneg(b, x);
        else
            sum = row ? irb_fadd(b, sum, x) : x;
    }
    return sum;
}

/* The determinant without a column and a row. That of four columns has determinants of pairs: the
 * first two are one pair and the last two the other, whichever column is left out. */
static ir_ref
cofactor(spirv_reader *r, const ir_ref *m, unsigned n, unsigned column, unsigned row)
{
    ir_ref part[9];
    minor(m, n, column, row, part);
    return determinant(r, part, n - 1, n == 4 && column >= 2 ? 2 : 0);
}

static const spirv_type *
square_matrix(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_operand_type(r, i, 5);
    demand(r, t->kind == SPIRV_MATRIX && t->count == t->elem->count);
    return t;
}

static void
emit_determinant(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = square_matrix(r, i);
    demand(r, spirv_type_ref(r, i, 1) == t->elem->elem);
    spirv_define_scalar(r, i, determinant(r, spirv_operand(r, i, 5), t->count, 0));
}

/* The transposed matrix of cofactors, divided by the determinant. */
static void
emit_inverse(spirv_reader *r, const spirv_insn *i)
{
    ir_builder *b = &r->b;
    const spirv_type *t = square_matrix(r, i);
    demand(r, spirv_type_ref(r, i, 1) == t);
    const ir_ref *m = spirv_operand(r, i, 5);
    unsigned n = t->count;
    ir_ref *leaf = spirv_new_leaves(r, n * n);
    ir_ref scale = irb_frcp(b, determinant(r, m, n, 0));
    for (unsigned c = 0; c < n; c++) {
        for (unsigned row = 0; row < n; row++) {
            ir_ref x = irb_fmul(b, cofactor(r, m, n, row, c), scale);
            leaf[c * n + row] = (c + row) & 1 ? irb_fneg(b, x) : x;
        }
    }
    spirv_define(r, i, leaf);
}

/* ---- two results ---- */

/* The first result goes to `leaf`, the second to `second`. */
static void
split_float(spirv_reader *r, const spirv_insn *i, const spirv_type *second_type, ir_ref *leaf,
            ir_ref *second)
{
    bool modf = i->w[4] == GLSL_Modf || i->w[4] == GLSL_ModfStruct;
    const spirv_type *t = spirv_operand_type(r, i, 5), *c2 = spirv_scalar_of(second_type);
    const ir_ref *x = floats(r, i, 0, 0, 0);
    demand(r, c2 && second_type->leaves == t->leaves &&
                  (modf ? second_type == t : c2->kind == SPIRV_INT));
    for (unsigned c = 0; c < t->leaves; c++) {
        leaf[c] = modf ? spirv_glsl_modf(r, t->bits, &x[c]) : irb_frexp_sig(&r->b, x[c]);
        second[c] = modf ? irb_ftrunc(&r->b, x[c]) : irb_frexp_exp(&r->b, x[c]);
        if (!modf && c2->bits != 32)
            second[c] = convert(r, IR_i2i, c2->bits, second[c]);
    }
}

static void
emit_split(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1), *x = spirv_operand_type(r, i, 5);
    ir_ref *leaf = spirv_new_leaves(r, 8);
    demand(r, spirv_scalar_of(x) != NULL);
    if (i->w[4] == GLSL_ModfStruct || i->w[4] == GLSL_FrexpStruct) {
        demand(r, t->kind == SPIRV_STRUCT && t->count == 2 && t->members[0].type == x);
        split_float(r, i, t->members[1].type, leaf, leaf + x->leaves);
        spirv_define(r, i, leaf);
        return;
    }
    const spirv_ptr *p = spirv_pointer(r, spirv_ref(r, i, 6));
    demand(r, t == x);
    split_float(r, i, p->type, leaf, leaf + x->leaves);
    spirv_store(r, p, leaf + x->leaves, 0, 0);
    spirv_define(r, i, leaf);
}

/* ---- packing ---- */

typedef struct packing {
    unsigned n, bits;
    bool is_signed;
} packing;

static packing
packing_of(uint32_t number)
{
    switch (number) {
    case GLSL_PackSnorm4x8:
    case GLSL_UnpackSnorm4x8: return (packing){4, 8, true};
    case GLSL_PackUnorm4x8:
    case GLSL_UnpackUnorm4x8: return (packing){4, 8, false};
    case GLSL_PackSnorm2x16:
    case GLSL_UnpackSnorm2x16: return (packing){2, 16, true};
    default: return (packing){2, 16, false};
    }
}

static double
largest(packing p)
{
    return (double)((1u << (p.bits - (p.is_signed ? 1 : 0))) - 1);
}

static void
check_word(spirv_reader *r, const spirv_type *t)
{
    demand(r, t->kind == SPIRV_INT && t->bits == 32);
}

/* round(clamp(c, -1 or 0, 1) * largest), packed from the low bits upwards */
static void
emit_pack(spirv_reader *r, const spirv_insn *i)
{
    ir_builder *b = &r->b;
    packing p = packing_of(i->w[4]);
    const ir_ref *x = floats(r, i, 0, p.n, 32);
    ir_ref word = spirv_imm(r, 32, 0), one = spirv_fimm(r, 32, 1);
    check_word(r, spirv_type_ref(r, i, 1));
    for (unsigned c = 0; c < p.n; c++) {
        ir_ref v = p.is_signed ? irb_fmin(b, irb_fmax(b, x[c], spirv_fimm(r, 32, -1)), one)
                               : irb_fsat(b, x[c]);
        v = irb_fround_even(b, irb_fmul(b, v, spirv_fimm(r, 32, largest(p))));
        v = convert(r, p.is_signed ? IR_f2i : IR_f2u, 32, v);
        v = irb_iand(b, v, spirv_imm(r, 32, base_mask64(p.bits)));
        word = irb_ior(b, word, irb_ishl(b, v, spirv_imm(r, 32, c * p.bits)));
    }
    spirv_define_scalar(r, i, word);
}

static void
emit_unpack(spirv_reader *r, const spirv_insn *i)
{
    ir_builder *b = &r->b;
    packing p = packing_of(i->w[4]);
    check_word(r, spirv_operand_type(r, i, 5));
    demand(r, result_floats(r, i)->bits == 32 && spirv_type_ref(r, i, 1)->leaves == p.n);
    ir_ref word = spirv_scalar(r, i, 5), *leaf = spirv_new_leaves(r, p.n);
    ir_op op = p.bits == 8 ? (p.is_signed ? IR_extract_i8 : IR_extract_u8)
                           : (p.is_signed ? IR_extract_i16 : IR_extract_u16);
    for (unsigned c = 0; c < p.n; c++) {
        ir_ref v = ir_build_alu(b, op, 0, word, spirv_imm(r, 32, c), ir_none());
        v = convert(r, p.is_signed ? IR_i2f : IR_u2f, 32, v);
        v = irb_fdiv(b, v, spirv_fimm(r, 32, largest(p)));
        leaf[c] = p.is_signed ? irb_fmax(b, v, spirv_fimm(r, 32, -1)) : v;
    }
    spirv_define(r, i, leaf);
}

static void
emit_half(spirv_reader *r, const spirv_insn *i)
{
    if (i->w[4] == GLSL_PackHalf2x16) {
        const ir_ref *x = floats(r, i, 0, 2, 32);
        check_word(r, spirv_type_ref(r, i, 1));
        ir_ref low = convert(r, IR_f2f, 16, x[0]), high = convert(r, IR_f2f, 16, x[1]);
        spirv_define_scalar(r, i, irb_pack_32_2x16(&r->b, low, high));
        return;
    }
    check_word(r, spirv_operand_type(r, i, 5));
    demand(r, result_floats(r, i)->bits == 32 && spirv_type_ref(r, i, 1)->leaves == 2);
    ir_ref word = spirv_scalar(r, i, 5), *leaf = spirv_new_leaves(r, 2);
    leaf[0] = convert(r, IR_f2f, 32, irb_unpack_32_2x16_x(&r->b, word));
    leaf[1] = convert(r, IR_f2f, 32, irb_unpack_32_2x16_y(&r->b, word));
    spirv_define(r, i, leaf);
}

static void
emit_double(spirv_reader *r, const spirv_insn *i)
{
    bool pack = i->w[4] == GLSL_PackDouble2x32;
    const spirv_type *t = spirv_type_ref(r, i, 1), *s = spirv_operand_type(r, i, 5);
    const spirv_type *pair = pack ? s : t, *number = pack ? t : s;
    demand(r, pair->kind == SPIRV_VECTOR && pair->count == 2 && pair->bits == 32 &&
                  number->kind == SPIRV_FLOAT && number->bits == 64);
    ir_ref *leaf = spirv_new_leaves(r, 2);
    spirv_bitcast(r, spirv_operand(r, i, 5), s->bits, leaf, t->bits, t->leaves);
    spirv_define(r, i, leaf);
}

bool
spirv_glsl_vector(spirv_reader *r, const spirv_insn *i)
{
    switch (i->w[4]) {
    case GLSL_Length:
    case GLSL_Distance: emit_length(r, i); return true;
    case GLSL_Cross: emit_cross(r, i); return true;
    case GLSL_Normalize: emit_normalize(r, i); return true;
    case GLSL_FaceForward: emit_face_forward(r, i); return true;
    case GLSL_Reflect: emit_reflect(r, i); return true;
    case GLSL_Refract: emit_refract(r, i); return true;
    case GLSL_Determinant: emit_determinant(r, i); return true;
    case GLSL_MatrixInverse: emit_inverse(r, i); return true;
    case GLSL_Modf:
    case GLSL_ModfStruct:
    case GLSL_Frexp:
    case GLSL_FrexpStruct: emit_split(r, i); return true;
    case GLSL_PackSnorm4x8:
    case GLSL_PackUnorm4x8:
    case GLSL_PackSnorm2x16:
    case GLSL_PackUnorm2x16: emit_pack(r, i); return true;
    case GLSL_UnpackSnorm4x8:
    case GLSL_UnpackUnorm4x8:
    case GLSL_UnpackSnorm2x16:
    case GLSL_UnpackUnorm2x16: emit_unpack(r, i); return true;
    case GLSL_PackHalf2x16:
    case GLSL_UnpackHalf2x16: emit_half(r, i); return true;
    case GLSL_PackDouble2x32:
    case GLSL_UnpackDouble2x32: emit_double(r, i); return true;
    default: return false;
    }
}
