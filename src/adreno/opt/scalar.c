/* What the scalar ALU computes, on registers that the fibres of a wave share. It has no
 * multiplications with a sum: they become products, shifts and sums.
 *
 *     s1: %4 = MADSH_M16 %1, %2, %3     ->     s1: %5 = SHR_B %2, 16; s1: %6 = MULL_U %5, %1
 *                                              s1: %7 = SHL_B %6, 16; s1: %4 = ADD_U %7, %3
 *
 * Sources: ir3_compiler_nir.c and ir3_valid_flags of Mesa; turnip 26.2.6's preambles for a750. */
#include "adreno/adreno.h"
#include "adreno/opt/preamble.h"

static bool
has_operation(const ir_instr *i)
{
    switch (i->op) {
    case ADRENO_MAD_F32: return !ir_words(i)[1];
    case ADRENO_SEL_B32:
    case ADRENO_SEL_S32:
    case ADRENO_SEL_F32:
    case ADRENO_SHRM:
    case ADRENO_SHLM:
    case ADRENO_SHRG:
    case ADRENO_SHLG:
    case ADRENO_ANDG:
    case ADRENO_MADSH_M16:
    case ADRENO_P_CREATE_VECTOR:
    case ADRENO_P_SPLIT_VECTOR:
    case ADRENO_MOV:
    case ADRENO_COV: return true;
    default: return adreno_category(i->op) == 2 || adreno_category(i->op) == 4;
    }
}

static bool
fits(ir_ref r)
{
    return r.rc < ADRENO_F1 + ADRENO_MAX_SHARED_ROW || adreno_is_shared_class(r.rc);
}

/* A uniform buffer is read at an offset in a register of a fibre, or a number. */
bool
adreno_has_scalar(const ir_instr *i)
{
    bool has = i->op == ADRENO_LDC ? i->refs[0].kind == IR_REF_CONST : has_operation(i);
    for (unsigned d = 0; d < i->n_defs; d++)
        has &= fits(i->defs[d]);
    for (unsigned r = 0; r < i->n_refs; r++)
        has &= fits(i->refs[r]);
    return has;
}

static ir_ref
add(ir_instr *before, unsigned op, ir_ref a, ir_ref b)
{
    ir_instr *i = ir_insert_new(before, op, 1, 2);
    i->refs[0] = a;
    i->refs[1] = b;
    return ir_define(before->block->fn, i, 0, ADRENO_S1);
}

void
adreno_make_scalar(ir_instr *i)
{
    const ir_ref half = adreno_number(16, false);
    ir_ref product;
    if (i->op == ADRENO_MAD_F32) {
        product = add(i, ADRENO_MUL_F, i->refs[0], i->refs[1]);
        i->op = ADRENO_ADD_F;
    } else if (i->op == ADRENO_MADSH_M16) {
        product = add(i, ADRENO_MULL_U, add(i, ADRENO_SHR_B, i->refs[1], half), i->refs[0]);
        product = add(i, ADRENO_SHL_B, product, half);
        i->op = ADRENO_ADD_U;
    } else {
        return;
    }
    i->refs[0] = product;
    i->refs[1] = i->refs[2];
    i->n_refs = 2;
}
