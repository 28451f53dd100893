/* Saturation and conversions are part of the operation that computes what they are applied to:
 *
 *     h1: %2 = MAD_F16 ...                       f1: %3 = MUL_F %1, %2
 *     h1: %3 = ADD_F %2, 0 sat                   h1: %4 = COV %3 stype:f32 dtype:f16
 *     ->  h1: %3 = MAD_F16 ... sat               ->  h1: %4 = MUL_F %1, %2
 */
#include "adreno/opt/combine.h"

static bool
may_saturate(unsigned op)
{
    switch (op) {
    case ADRENO_ADD_F:
    case ADRENO_MUL_F:
    case ADRENO_MIN_F:
    case ADRENO_MAX_F:
    case ADRENO_MAD_F16:
    case ADRENO_MAD_F32: return true;
    default: return false;
    }
}

static bool
is_saturation(const ir_instr *i)
{
    return i->op == ADRENO_ADD_F && ir_words(i)[0] == 1u << ADRENO_M_SAT &&
           ir_is_value(i->refs[0]) && i->refs[1].kind == IR_REF_CONST && !i->refs[1].id;
}

/* `def` gets the result of `i`. */
static void
take_result(adreno_opt *o, ir_instr *i, ir_instr *def)
{
    const ir_ref old = def->defs[0];
    def->defs[0] = i->defs[0];
    o->f->values[i->defs[0].id].def = def;
    o->f->values[old.id].def = NULL;
    ir_unlink(i);
}

static bool
fold_saturation(adreno_opt *o, ir_instr *i, ir_instr *def)
{
    if (!is_saturation(i) || !may_saturate(def->op) || def->defs[0].rc != i->defs[0].rc ||
        def->refs[0].rc != i->refs[0].rc)
        return false;
    adreno_set(def, 0, ADRENO_M_SAT, 1);
    take_result(o, i, def);
    return true;
}

/* ---- conversions between sizes ---- */

/* The type of an operation's result of this size; ADRENO_U8: it has none. */
static unsigned
result_type(unsigned op, bool half)
{
    switch (adreno_op_row((adreno_op)op)->type) {
    case ADRENO_T_F: return half ? ADRENO_F16 : ADRENO_F32;
    case ADRENO_T_S: return half ? ADRENO_S16 : ADRENO_S32;
    case ADRENO_T_U:
    case ADRENO_T_B: return half ? ADRENO_U16 : ADRENO_U32;
    default: return ADRENO_U8;
    }
}

/* Products are as wide as the result, not as the sources; a mad names its size. */
static bool
may_convert(const ir_instr *def)
{
    switch (def->op) {
    case ADRENO_MUL_U24:
    case ADRENO_MUL_S24:
    case ADRENO_MULL_U:
    case ADRENO_FLAT_B:
    case ADRENO_CLZ_B:
    case ADRENO_CLZ_S:
    case ADRENO_CMPV_U:
    case ADRENO_CMPV_S:
    case ADRENO_CMPV_F: return false;
    default: return adreno_category(def->op) == 2 && def->defs[0].rc == def->refs[0].rc;
    }
}

/* Numbers are cut alike whatever their sign. */
static bool
types_agree(unsigned have, unsigned from, unsigned to)
{
    const bool integers = from > ADRENO_F32 && have > ADRENO_F32;
    const bool narrows = from >= ADRENO_U16 && !adreno_is_half_type(from) &&
                         adreno_is_half_type(to);
    return have == from || (integers && narrows);
}

static bool
fold_conversion(adreno_opt *o, ir_instr *i, ir_instr *def)
{
    const unsigned from = adreno_attr(i, 0, ADRENO_M_STYPE, 3),
                   to = adreno_attr(i, 0, ADRENO_M_DTYPE, 3);
    const bool half = adreno_is_half_class(i->refs[0].rc), floats = from <= ADRENO_F32;
    if (i->op != ADRENO_COV || adreno_attr(i, 0, ADRENO_M_ROUND, 2) || from >= ADRENO_U8 ||
        to >= ADRENO_U8 || floats != (to <= ADRENO_F32) || half == adreno_is_half_type(to) ||
        !may_convert(def) || !types_agree(result_type(def->op, half), from, to))
        return false;
    take_result(o, i, def);
    return true;
}

bool
adreno_opt_fold_result(adreno_opt *o, ir_instr *i)
{
    ir_instr *def = i->n_defs == 1 ? cg_single_def(&o->uses, i->refs[0]) : NULL;
    if (!def || def->block != i->block || def->n_defs != 1 || adreno_category(def->op) < 2 ||
        adreno_category(def->op) > 3)
        return false;
    return fold_saturation(o, i, def) || fold_conversion(o, i, def);
}
