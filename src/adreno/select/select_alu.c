/* Arithmetic. */
#include "adreno/select/select.h"

typedef struct alu_row {
    uint16_t op; /* 0: none */
    uint8_t n, cond, signs;
} alu_row;

static const alu_row rows[IR_HIR_OP_COUNT] = {
#define ONE(hir, op, cond, signs) [IR_##hir] = {ADRENO_##op, 1, cond, signs},
#define TWO(hir, op, cond, signs) [IR_##hir] = {ADRENO_##op, 2, cond, signs},
#include "adreno/select/select_rows.def"
#undef ONE
#undef TWO
};

unsigned
adreno_alu_op(unsigned op)
{
    return rows[op].op;
}

static unsigned
class_of(const adreno_sel *s, ir_ref r)
{
    return adreno_ref_bits(s, r) == 16 ? ADRENO_H1 : ADRENO_F1;
}

static unsigned
def_class(const adreno_sel *s, const ir_instr *i)
{
    return adreno_def_bits(s, i) == 16 ? ADRENO_H1 : ADRENO_F1;
}

/* A shift's count is as wide as what is shifted. */
static ir_ref
count_of(adreno_sel *s, const ir_instr *i)
{
    const ir_ref n = adreno_get(s, i->refs[1]);
    if (class_of(s, i->refs[0]) == ADRENO_F1)
        return n;
    if (n.kind == IR_REF_CONST)
        return adreno_number(n.id & 15, true);
    return adreno_emit_cov(s, ADRENO_U32, ADRENO_U16, ADRENO_H1, n);
}

ir_ref
adreno_extend_byte(adreno_sel *s, ir_ref a, bool is_signed)
{
    if (a.kind == IR_REF_CONST)
        return adreno_full(is_signed ? (uint32_t)(int8_t)a.id : a.id & 0xff);
    if (!is_signed)
        return adreno_op2(s, ADRENO_AND_B, a, adreno_full(0xff));
    const ir_ref up = adreno_op2(s, ADRENO_SHL_B, a, adreno_full(24));
    return adreno_op2(s, ADRENO_ASHR_B, up, adreno_full(24));
}

/* The source of a comparison: of a number of 8 bits the bits above count, too. */
static ir_ref
compared(adreno_sel *s, const ir_instr *i, unsigned k)
{
    const ir_ref a = adreno_get(s, i->refs[k]);
    return adreno_ref_bits(s, i->refs[k]) == 8
               ? adreno_extend_byte(s, a, i->op == IR_ilt || i->op == IR_ige)
               : a;
}

static void
select_row(adreno_sel *s, const ir_instr *i, const alu_row *row)
{
    const bool shifts = i->op == IR_ishl || i->op == IR_ishr || i->op == IR_ushr;
    const bool compares = i->op >= IR_ieq && i->op <= IR_uge;
    ir_ref refs[2] = {compares ? compared(s, i, 0) : adreno_get(s, i->refs[0]), ir_none()};
    if (row->n > 1)
        refs[1] = shifts     ? count_of(s, i)
                  : compares ? compared(s, i, 1)
                             : adreno_get(s, i->refs[1]);
    adreno_set_def(s, i, adreno_emit(s, row->op, def_class(s, i), row->n, refs));
    adreno_mark(s, 0, ADRENO_M_COND, row->cond);
    adreno_mark(s, 0, ADRENO_M_NEG, row->signs & 7u);
    adreno_mark(s, 0, ADRENO_M_ABS, row->signs >> 3);
}

/* ---- conversions ---- */

static ir_base_type
integer(bool is_signed)
{
    return is_signed ? IR_BASE_int : IR_BASE_uint;
}

static ir_ref
resized(adreno_sel *s, ir_ref a, unsigned from, unsigned to, bool is_signed)
{
    if (from == 8 && to != 8) {
        a = adreno_extend_byte(s, a, is_signed);
        from = 32;
    }
    if (from == to || (from == 32 && to == 8))
        return a;
    return adreno_emit_convert(s, integer(is_signed), integer(is_signed), to == 16, a);
}

/* Floats to bytes: what is out of range saturates. */
static ir_ref
to_byte(adreno_sel *s, ir_ref a, bool is_signed)
{
    ir_ref r = adreno_emit_convert(s, IR_BASE_float, integer(is_signed), false, a);
    if (is_signed)
        r = adreno_op2(s, ADRENO_MAX_S, r, adreno_full((uint32_t)-128));
    return adreno_op2(s, is_signed ? ADRENO_MIN_S : ADRENO_MIN_U, r,
                      adreno_full(is_signed ? 127 : 255));
}

static ir_ref
convert(adreno_sel *s, const ir_instr *i)
{
    const unsigned from = adreno_ref_bits(s, i->refs[0]), to = adreno_def_bits(s, i);
    const bool is_signed = i->op == IR_f2i || i->op == IR_i2f || i->op == IR_i2i, half = to == 16;
    ir_ref a = adreno_get(s, i->refs[0]);
    switch (i->op) {
    case IR_f2f: return adreno_emit_convert(s, IR_BASE_float, IR_BASE_float, half, a);
    case IR_f2i:
    case IR_f2u:
        return to == 8 ? to_byte(s, a, is_signed)
                       : adreno_emit_convert(s, IR_BASE_float, integer(is_signed), half, a);
    case IR_i2f:
    case IR_u2f:
        a = from == 8 ? adreno_extend_byte(s, a, is_signed) : a;
        return adreno_emit_convert(s, integer(is_signed), IR_BASE_float, half, a);
    case IR_i2i:
    case IR_u2u: return resized(s, a, from, to, is_signed);
    case IR_b2f: return adreno_emit_convert(s, IR_BASE_uint, IR_BASE_float, half, a);
    case IR_b2i: return resized(s, a, 32, to, false);
    default: return ir_none();
    }
}

/* ---- several instructions ---- */

static bool
is_small(const adreno_sel *s, ir_ref r)
{
    uint64_t value;
    const ir_instr *def = s->hir->values[r.id].def;
    if (ir_is_const(s->hir, r, &value))
        return value < 1 << 24;
    if (!def || (def->op != IR_iand && def->op != IR_ushr) ||
        !ir_is_const(s->hir, def->refs[1], &value))
        return false;
    return def->op == IR_iand ? value < 1 << 24 : value >= 8 && value < 32;
}

ir_ref
adreno_emit_product(adreno_sel *s, ir_ref a, ir_ref b)
{
    const ir_ref low = adreno_op2(s, ADRENO_MULL_U, a, b);
    const ir_ref mid = adreno_op3(s, ADRENO_MADSH_M16, a, b, low);
    return adreno_op3(s, ADRENO_MADSH_M16, b, a, mid);
}

static ir_ref
multiply(adreno_sel *s, const ir_instr *i)
{
    const ir_ref a = adreno_get(s, i->refs[0]), b = adreno_get(s, i->refs[1]);
    if (def_class(s, i) == ADRENO_H1)
        return adreno_emit_2(s, ADRENO_MUL_S24, ADRENO_H1, a, b);
    if (is_small(s, i->refs[0]) && is_small(s, i->refs[1]))
        return adreno_op2(s, ADRENO_MUL_U24, a, b);
    return adreno_emit_product(s, a, b);
}

static ir_ref
find_highest(adreno_sel *s, const ir_instr *i)
{
    const unsigned op = i->op == IR_ifind_msb ? ADRENO_CLZ_S : ADRENO_CLZ_B;
    const ir_ref n = adreno_op1(s, op, adreno_get(s, i->refs[0]));
    const ir_ref at = adreno_op2(s, ADRENO_SUB_U, adreno_full(31), n);
    const ir_ref some = adreno_compare(s, ADRENO_CMPS_S, ADRENO_GE, n, adreno_full(0));
    return adreno_op3(s, ADRENO_SEL_B32, at, some, n);
}

/* cbits.b counts 16 bits (ir3_compiler_nir.c of Mesa). */
ir_ref
adreno_count_bits(adreno_sel *s, ir_ref a)
{
    const ir_ref low = adreno_op2(s, ADRENO_AND_B, a, adreno_full(0xffff));
    const ir_ref high = adreno_op2(s, ADRENO_SHR_B, a, adreno_full(16));
    return adreno_op2(s, ADRENO_ADD_U, adreno_op1(s, ADRENO_CBITS_B, low),
                      adreno_op1(s, ADRENO_CBITS_B, high));
}

static ir_ref
pack_halves(adreno_sel *s, const ir_instr *i)
{
    const ir_ref low = adreno_emit_cov(s, ADRENO_U16, ADRENO_U32, ADRENO_F1,
                                       adreno_get(s, i->refs[0]));
    const ir_ref high = adreno_emit_cov(s, ADRENO_U16, ADRENO_U32, ADRENO_F1,
                                        adreno_get(s, i->refs[1]));
    const ir_ref up = adreno_op2(s, ADRENO_SHL_B, high, adreno_full(16));
    return adreno_op2(s, ADRENO_OR_B, low, up);
}

static void
select_choice(adreno_sel *s, const ir_instr *i)
{
    const unsigned n = adreno_parts(s, i->refs[1]), rc = def_class(s, i);
    ir_ref *out = adreno_def(s, i), cond = adreno_get(s, i->refs[0]);
    if (rc == ADRENO_H1)
        cond = adreno_emit_cov(s, ADRENO_U32, ADRENO_U16, ADRENO_H1, cond);
    for (unsigned k = 0; k < n; k++)
        out[k] = adreno_emit_3(s, rc == ADRENO_H1 ? ADRENO_SEL_B16 : ADRENO_SEL_B32, rc,
                               adreno_get_part(s, i->refs[1], k), cond,
                               adreno_get_part(s, i->refs[2], k));
}

static ir_ref
invert(adreno_sel *s, const ir_instr *i)
{
    const ir_ref a = adreno_get(s, i->refs[0]);
    if (adreno_def_bits(s, i) == 1)
        return adreno_op2(s, ADRENO_XOR_B, a, adreno_full(1));
    return adreno_emit_1(s, ADRENO_NOT_B, def_class(s, i), a);
}

/* A field, byte or half with its sign, at a fixed place (lower_values leaves no others): by two
 * shifts, of which HIR would make an extraction again. Numbers of parts are taken modulo these. */
static ir_ref
take_signed_bits(adreno_sel *s, const ir_instr *i)
{
    uint64_t at = 0, count = i->op == IR_extract_i8 ? 8 : 16;
    ir_is_const(s->hir, i->refs[1], &at);
    if (i->op == IR_ibitfield_extract)
        ir_is_const(s->hir, i->refs[2], &count);
    else
        at = at * count % 32;
    const uint32_t up = (uint32_t)(32 - at - count), down = (uint32_t)(32 - count);
    ir_ref r = adreno_get(s, i->refs[0]);
    if (up)
        r = adreno_op2(s, ADRENO_SHL_B, r, adreno_full(up));
    return adreno_op2(s, ADRENO_ASHR_B, r, adreno_full(down));
}

static ir_ref
saturate(adreno_sel *s, const ir_instr *i)
{
    const unsigned rc = def_class(s, i);
    const ir_ref r = adreno_emit_2(s, ADRENO_ADD_F, rc, adreno_get(s, i->refs[0]),
                                   adreno_number(0, rc == ADRENO_H1));
    adreno_mark(s, 0, ADRENO_M_SAT, 1);
    return r;
}

static ir_ref
multiply_and_add(adreno_sel *s, const ir_instr *i)
{
    const unsigned rc = def_class(s, i);
    const ir_ref r = adreno_emit_3(s, rc == ADRENO_H1 ? ADRENO_MAD_F16 : ADRENO_MAD_F32, rc,
                                   adreno_get(s, i->refs[0]), adreno_get(s, i->refs[1]),
                                   adreno_get(s, i->refs[2]));
    adreno_mark(s, 1, 0, i->form & IR_EXACT ? 1 : 0);
    return r;
}

/* Operations whose result is one register. Returns NONE for others. */
static ir_ref
select_one(adreno_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_imul: return multiply(s, i);
    case IR_ffma: return multiply_and_add(s, i);
    case IR_ibitfield_extract:
    case IR_extract_i8:
    case IR_extract_i16: return take_signed_bits(s, i);
    case IR_fsat: return saturate(s, i);
    case IR_inot: return invert(s, i);
    case IR_ufind_msb:
    case IR_ifind_msb: return find_highest(s, i);
    case IR_find_lsb:
        return adreno_op1(s, ADRENO_CLZ_B,
                          adreno_op1(s, ADRENO_BFREV_B, adreno_get(s, i->refs[0])));
    case IR_bit_count: return adreno_count_bits(s, adreno_get(s, i->refs[0]));
    case IR_pack_32_2x16: return pack_halves(s, i);
    case IR_unpack_32_2x16_x:
        return adreno_emit_cov(s, ADRENO_U32, ADRENO_U16, ADRENO_H1, adreno_get(s, i->refs[0]));
    case IR_unpack_32_2x16_y:
        return adreno_emit_2(s, ADRENO_SHR_B, ADRENO_H1, adreno_get(s, i->refs[0]),
                             adreno_full(16));
    case IR_unpack_64_2x32_x: return adreno_get_part(s, i->refs[0], 0);
    case IR_unpack_64_2x32_y: return adreno_get_part(s, i->refs[0], 1);
    default: return convert(s, i);
    }
}

/* Integers of 64 bits to or from others. */
static bool
select_pair(adreno_sel *s, const ir_instr *i)
{
    const unsigned from = adreno_ref_bits(s, i->refs[0]), to = adreno_def_bits(s, i);
    ir_ref *out, low = adreno_get(s, i->refs[0]);
    if ((i->op != IR_i2i && i->op != IR_u2u && i->op != IR_b2i) || (from == 64) == (to == 64))
        return false;
    out = adreno_def(s, i);
    if (from == 64) {
        out[0] = resized(s, low, 32, to, false);
        return true;
    }
    out[0] = resized(s, low, from == 1 ? 32 : from, 32, i->op == IR_i2i);
    out[1] = i->op == IR_i2i ? adreno_op2(s, ADRENO_ASHR_B, out[0], adreno_full(31))
                             : adreno_full(0);
    return true;
}

bool
adreno_select_alu(adreno_sel *s, const ir_instr *i)
{
    if (!(s->hir->level->ops[i->op].flags & IR_OP_ALU))
        return false;
    if (i->op == IR_bcsel) {
        select_choice(s, i);
        return true;
    }
    if (select_pair(s, i))
        return true;
    if (i->op == IR_pack_64_2x32) {
        ir_ref *out = adreno_def(s, i);
        out[0] = adreno_get(s, i->refs[0]);
        out[1] = adreno_get(s, i->refs[1]);
        return true;
    }
    for (unsigned r = 0; r < i->n_refs; r++)
        if (adreno_ref_bits(s, i->refs[r]) == 64 && i->op != IR_unpack_64_2x32_x &&
            i->op != IR_unpack_64_2x32_y)
            adreno_sel_unsupported(s, "64-bit floats");
    if (rows[i->op].op && !(adreno_def_bits(s, i) == 64)) {
        select_row(s, i, &rows[i->op]);
        return true;
    }
    const ir_ref r = select_one(s, i);
    if (r.kind == IR_REF_NONE)
        adreno_sel_unsupported(s, s->hir->level->ops[i->op].name);
    adreno_set_def(s, i, r);
    return true;
}
