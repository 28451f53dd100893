#include "adreno/opt/operand.h"

#include "base/bits.h"
#include "base/fp.h"

enum { MAX_NUMBER = 511, MAX_BYTE = 255, MAX_MASK = 0xfff };

/* ---- what an operand is ---- */

adreno_operand
adreno_operand_of(const ir_instr *i, unsigned r)
{
    if (i->refs[r].kind == IR_REF_CONST)
        return adreno_attr(i, 0, ADRENO_M_CFILE + r, 1) ? ADRENO_O_FILE : ADRENO_O_NUMBER;
    return adreno_is_shared_class(i->refs[r].rc) ? ADRENO_O_SHARED : ADRENO_O_REGISTER;
}

/* ---- categories ---- */

static bool
is_scalar(const ir_instr *i)
{
    return i->n_defs && adreno_is_shared_class(i->defs[0].rc);
}

static bool
fits_two(const ir_instr *i, unsigned r, adreno_operand kind)
{
    if (i->n_refs < 2 || kind == ADRENO_O_REGISTER)
        return true;
    const adreno_operand other = adreno_operand_of(i, !r);
    if (kind == ADRENO_O_NUMBER || is_scalar(i))
        return kind == ADRENO_O_SHARED || other != kind;
    return other != ADRENO_O_SHARED && other != ADRENO_O_FILE;
}

static bool
has_numbers(unsigned op)
{
    return adreno_op_row((adreno_op)op)->properties & ADRENO_IMMEDIATES;
}

static bool
fits_three(const ir_instr *i, unsigned r, adreno_operand kind)
{
    switch (kind) {
    case ADRENO_O_SHARED: return r != 1 || is_scalar(i);
    case ADRENO_O_FILE: return r != 1 && !has_numbers(i->op);
    case ADRENO_O_NUMBER: return r != 1 && has_numbers(i->op);
    default: return true;
    }
}

/* Does an instruction of category 6 have a field for the number that is operand `r`? */
static bool
has_field(const ir_instr *i, unsigned r)
{
    const bool last = r + 1u == i->n_refs;
    if (i->op == ADRENO_LDC)
        return true;
    return last && (i->op == ADRENO_SHFL || (adreno_attr(i, 2, ADRENO_W_BINDLESS, 1) &&
                                             !adreno_attr(i, 2, ADRENO_W_MODE, 3)));
}

bool
adreno_operand_fits(const ir_instr *i, unsigned r, adreno_operand kind)
{
    if (adreno_is_varying_op(i->op))
        return kind == (r ? ADRENO_O_REGISTER : ADRENO_O_NUMBER);
    if (kind == ADRENO_O_REGISTER && is_scalar(i))
        return false;
    switch (adreno_category(i->op)) {
    case 1: return i->op == ADRENO_MOV || i->op == ADRENO_COV || kind == ADRENO_O_REGISTER;
    case 2: return fits_two(i, r, kind);
    case 3: return fits_three(i, r, kind);
    case 6: return kind == ADRENO_O_REGISTER || (kind == ADRENO_O_NUMBER && has_field(i, r));
    case 4: return kind == (is_scalar(i) ? ADRENO_O_SHARED : ADRENO_O_REGISTER);
    case 5:
        return kind ==
               (r + 1u == i->n_refs && adreno_reads_a1(i) ? ADRENO_O_NUMBER : ADRENO_O_REGISTER);
    default: return kind == ADRENO_O_REGISTER;
    }
}

/* ---- numbers ---- */

static bool
is_table_float(ir_ref r)
{
    const unsigned bits = adreno_is_half_class(r.rc) ? 16 : 32;
    for (int k = 0; k < ADRENO_TABLE_FLOATS; k++) {
        const uint64_t entry = base_fp_encode(adreno_table_floats[k], bits, BASE_ROUND_EVEN);
        if (entry == r.id && (bits == 32 || base_fp_decode(entry, 16) == adreno_table_floats[k]))
            return true;
    }
    return false;
}

bool
adreno_number_fits(const ir_instr *i, unsigned r, ir_ref number)
{
    const bool half = adreno_is_half_class(number.rc);
    const int64_t value = base_sext64(number.id, half ? 16 : 32);
    if (!adreno_operand_fits(i, r, ADRENO_O_NUMBER))
        return false;
    switch (adreno_category(i->op)) {
    case 1: return true;
    case 2:
        if (adreno_is_varying_op(i->op))
            return true;
        if (adreno_op_row((adreno_op)i->op)->type == ADRENO_T_F)
            return adreno_prog(i->block->fn)->target->float_table && is_table_float(number);
        return value >= -MAX_NUMBER && value <= MAX_NUMBER;
    case 3: return value >= 0 && value <= MAX_MASK;
    case 5: return true;
    default: return number.id <= MAX_BYTE;
    }
}

/* ---- properties of operations ---- */

static bool
commutes(unsigned op)
{
    switch (op) {
    case ADRENO_MAD_F16:
    case ADRENO_MAD_F32:
    case ADRENO_MAD_U24:
    case ADRENO_MAD_S24:
    case ADRENO_MAD_U16:
    case ADRENO_MAD_S16:
    case ADRENO_SAD_S16:
    case ADRENO_SAD_S32: return true;
    default: return false;
    }
}

void
adreno_exchange(ir_instr *i, unsigned a, unsigned b)
{
    const ir_ref first = i->refs[a];
    const uint32_t bits = adreno_operand_bits(i, a);
    i->refs[a] = i->refs[b];
    adreno_set_operand_bits(i, a, adreno_operand_bits(i, b));
    i->refs[b] = first;
    adreno_set_operand_bits(i, b, bits);
}

bool
adreno_swap_operands(ir_instr *i)
{
    if (!commutes(i->op))
        return false;
    adreno_exchange(i, 0, 1);
    return true;
}

unsigned
adreno_signs_of(unsigned op)
{
    const unsigned category = adreno_category(op);
    if (category < 2 || category > 4 || adreno_is_varying_op(op) ||
        adreno_op_row((adreno_op)op)->type != ADRENO_T_F)
        return 0;
    return category == 3 ? ADRENO_SIGN_NEG : ADRENO_SIGN_NEG | ADRENO_SIGN_ABS;
}

const ir_instr *
adreno_constant_move(const ir_fn *f, ir_ref r)
{
    const ir_instr *def = ir_def_of(f, r);
    if (!def || def->op != ADRENO_MOV || def->refs[0].kind != IR_REF_CONST ||
        adreno_attr(def, 0, ADRENO_M_REL, 1))
        return NULL;
    return def;
}
