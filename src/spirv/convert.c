/* Conversions between numeric types, and bitcasts. */
#include "spirv/reader.h"

static ir_ref
convert(spirv_reader *r, ir_op op, unsigned bits, ir_ref x)
{
    return ir_build_alu(&r->b, op, IR_TYPE(bits, 1), x, ir_none(), ir_none());
}

typedef struct conversion {
    ir_op op;
    spirv_kind from, to;
} conversion;

static conversion
conversion_of(unsigned op)
{
    switch (op) {
    case SPIRV_OpConvertFToU: return (conversion){IR_f2u, SPIRV_FLOAT, SPIRV_INT};
    case SPIRV_OpConvertFToS: return (conversion){IR_f2i, SPIRV_FLOAT, SPIRV_INT};
    case SPIRV_OpConvertSToF: return (conversion){IR_i2f, SPIRV_INT, SPIRV_FLOAT};
    case SPIRV_OpConvertUToF: return (conversion){IR_u2f, SPIRV_INT, SPIRV_FLOAT};
    case SPIRV_OpUConvert: return (conversion){IR_u2u, SPIRV_INT, SPIRV_INT};
    case SPIRV_OpSConvert: return (conversion){IR_i2i, SPIRV_INT, SPIRV_INT};
    default: return (conversion){IR_f2f, SPIRV_FLOAT, SPIRV_FLOAT};
    }
}

static void
emit_numeric(spirv_reader *r, const spirv_insn *i)
{
    conversion k = conversion_of(i->op);
    const spirv_type *t = spirv_type_ref(r, i, 1), *to = spirv_scalar_of(t);
    const spirv_type *s = spirv_operand_type(r, i, 3), *from = spirv_scalar_of(s);
    if (!to || !from || to->kind != k.to || from->kind != k.from || t->leaves != s->leaves)
        spirv_invalid(r, "the types are not ones that the instruction converts");
    uint32_t mode = spirv_decor_arg(spirv_ref(r, i, 2), SPIRV_DEC_FP_ROUNDING, SPIRV_ROUND_RTE);
    if (mode > SPIRV_ROUND_RTZ)
        spirv_unsupported(r, "rounding mode %u", mode);
    if (k.op == IR_f2f && mode == SPIRV_ROUND_RTZ)
        k.op = IR_f2f_rtz;
    const ir_ref *x = spirv_operand(r, i, 3);
    ir_ref *leaf = spirv_new_leaves(r, t->leaves);
    for (unsigned c = 0; c < t->leaves; c++) {
        bool same = k.from == k.to && from->bits == to->bits;
        leaf[c] = same ? x[c] : convert(r, k.op, to->bits, x[c]);
    }
    spirv_define(r, i, leaf);
}

static void
emit_quantize(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1), *c = spirv_scalar_of(t);
    if (!c || c->kind != SPIRV_FLOAT || c->bits != 32 || spirv_operand_type(r, i, 3) != t)
        spirv_invalid(r, "the operand and result are not 32-bit floats");
    const ir_ref *x = spirv_operand(r, i, 3);
    ir_ref *leaf = spirv_new_leaves(r, t->leaves);
    for (unsigned k = 0; k < t->leaves; k++)
        leaf[k] = irb_fquantize2f16(&r->b, x[k]);
    spirv_define(r, i, leaf);
}

/* ---- bitcasts ---- */

static ir_ref
split_part(spirv_reader *r, ir_ref x, unsigned from, unsigned to, unsigned part)
{
    ir_builder *b = &r->b;
    if (from == 64 && to == 32)
        return part ? irb_unpack_64_2x32_y(b, x) : irb_unpack_64_2x32_x(b, x);
    if (from == 32 && to == 16)
        return part ? irb_unpack_32_2x16_y(b, x) : irb_unpack_32_2x16_x(b, x);
    return convert(r, IR_u2u, to, irb_ushr(b, x, spirv_imm(r, 32, part * to)));
}

/* The value composed of the `n` parts in `part`, starting from the low end. */
static ir_ref
join_parts(spirv_reader *r, const ir_ref *part, unsigned from, unsigned to)
{
    ir_builder *b = &r->b;
    if (from == 32 && to == 64)
        return irb_pack_64_2x32(b, part[0], part[1]);
    if (from == 16 && to == 32)
        return irb_pack_32_2x16(b, part[0], part[1]);
    ir_ref x = convert(r, IR_u2u, to, part[0]);
    for (unsigned k = 1; k < to / from; k++) {
        ir_ref high = convert(r, IR_u2u, to, part[k]);
        x = irb_ior(b, x, irb_ishl(b, high, spirv_imm(r, 32, k * from)));
    }
    return x;
}

/* Numeric scalars and vectors, and physical pointers. */
static bool
is_castable(const spirv_type *t)
{
    if (t->kind == SPIRV_POINTER)
        return t->storage == SPIRV_SC_PHYSICAL;
    const spirv_type *c = spirv_scalar_of(t);
    return c && c->kind != SPIRV_BOOL;
}

void
spirv_bitcast(spirv_reader *r, const ir_ref *x, unsigned from, ir_ref *out, unsigned to, unsigned n)
{
    for (unsigned c = 0; c < n; c++) {
        if (from == to)
            out[c] = x[c];
        else if (from > to)
            out[c] = split_part(r, x[c / (from / to)], from, to, c % (from / to));
        else
            out[c] = join_parts(r, x + c * (to / from), from, to);
    }
}

static void
emit_bitcast(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1), *s = spirv_operand_type(r, i, 3);
    if (!is_castable(t) || !is_castable(s) || t->bits * t->leaves != s->bits * s->leaves)
        spirv_invalid(r, "the types do not have the same number of bits");
    ir_ref *leaf = spirv_new_leaves(r, t->leaves);
    spirv_bitcast(r, spirv_operand(r, i, 3), s->bits, leaf, t->bits, t->leaves);
    spirv_define(r, i, leaf);
}

void
spirv_emit_convert(spirv_reader *r, const spirv_insn *i)
{
    switch (i->op) {
    case SPIRV_OpQuantizeToF16: emit_quantize(r, i); break;
    case SPIRV_OpBitcast: emit_bitcast(r, i); break;
    default: emit_numeric(r, i); break;
    }
}
