/* The optimizer on machine IR: declarations that its files share. */
#ifndef AMD_COMBINE_H
#define AMD_COMBINE_H

#include "amd/amd.h"
#include "amd/isa/table/table.h"
#include "cg/uses.h"

typedef struct mopt_ctx {
    ir_fn *f;
    amd_program *p;
    cg_uses uses;      /* updated as instructions change */
    base_map values;   /* hash of opcode and operands -> position << 32 | last value computed
                          from them */
    uint32_t position; /* number of instructions seen */
} mopt_ctx;

/* Has it modifiers, or an offset? */
static inline bool
mopt_has_words(const ir_instr *i)
{
    uint32_t any = 0;
    for (unsigned w = 0; w < i->n_words; w++)
        any |= ir_words(i)[w];
    return any != 0;
}

/* optimize_part.c: lets the vector instruction `i` read bytes and halves of registers directly. */
void
amd_opt_use_parts(mopt_ctx *c, ir_instr *i, const amd_op_info *row);

/* optimize_combine.c: combines two instructions into one; true if `i` changed. */
bool
amd_opt_combine(mopt_ctx *c, ir_instr *i);

#endif
