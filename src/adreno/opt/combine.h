/* The optimizer on machine IR: declarations that its files share. */
#ifndef ADRENO_OPT_COMBINE_H
#define ADRENO_OPT_COMBINE_H

#include "adreno/opt/operand.h"
#include "cg/uses.h"

typedef struct adreno_opt {
    ir_fn *f;
    adreno_program *p;
    cg_uses uses; /* updated as instructions change */
} adreno_opt;

/* The rest of word 0: saturation, condition, types. */
static inline uint32_t
adreno_other_bits(const ir_instr *i)
{
    return ir_words(i)[0] & ~(7u * ADRENO_OPERAND_BITS);
}

/* `i` becomes what `from` computes, with its operands and modifiers, and keeps its result. */
void
adreno_opt_become(adreno_opt *o, ir_instr *i, const ir_instr *from);

/* optimize_operand.c: copies, signs and constants into the operands of `i`. */
void
adreno_opt_fold_operands(adreno_opt *o, ir_instr *i);

/* optimize_convert.c: saturation and conversions into what computes their operands. Returns true if
 * `i` is not needed any more. */
bool
adreno_opt_fold_result(adreno_opt *o, ir_instr *i);

/* optimize_boolean.c: comparisons, choices and branches. */
void
adreno_opt_fold_boolean(adreno_opt *o, ir_instr *i);

/* optimize_memory.c: a constant in the address of `i` becomes its offset; a load gets only the
 * components up to the last that `split`, which takes it apart, defines for others. */
void
adreno_opt_fold_offset(adreno_opt *o, ir_instr *i);
void
adreno_opt_trim_load(adreno_opt *o, ir_instr *split);

/* optimize_combine.c: one rule of rules.def; true if `i` changed. */
bool
adreno_opt_combine(adreno_opt *o, ir_instr *i);

#endif
