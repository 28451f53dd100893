/* What the parts of lower_pseudo share. */
#ifndef ADRENO_POST_LOWER_H
#define ADRENO_POST_LOWER_H

#include "adreno/adreno.h"
#include "cg/parallel_copy.h"

typedef struct adreno_lowering {
    ir_fn *f;
    cg_sequencer *seq;
    ir_instr *at;         /* what is made stands before it ... */
    ir_block *end, *rest; /* ... or at the end of this block, if that is not NULL (lower_lanes.c) */
    uint32_t loc;         /* its source line */
    uint32_t array;       /* the first register of arrays */
    ir_instr *a1_reader;  /* the last one */
    uint32_t a1;          /* what it has read */
} adreno_lowering;

/* A register as an operand: of a full, half or predicate register by place and size. */
ir_ref
adreno_place(unsigned reg, unsigned bytes);

/* An instruction at the place of `l`; an operation with two operands; a move of a register, also to
 * one of the other size, or of a number; a move or conversion from one type to another. */
ir_instr *
adreno_add_instr(adreno_lowering *l, unsigned op, unsigned n_defs, unsigned n_refs);
ir_instr *
adreno_add_op(adreno_lowering *l, unsigned op, ir_ref def, ir_ref a, ir_ref b);
void
adreno_add_move(adreno_lowering *l, ir_ref def, ir_ref ref);
ir_instr *
adreno_add_typed(adreno_lowering *l, unsigned stype, unsigned dtype, ir_ref def, ir_ref ref);

/* Finds the registers of arrays, behind all that are used. */
void
adreno_place_arrays(adreno_lowering *l);
void
adreno_lower_array(adreno_lowering *l, const ir_instr *i);
void
adreno_lower_const_at(adreno_lowering *l, const ir_instr *i);

/* Pseudo instructions between fibres. Returns false for others. */
bool
adreno_lower_lanes(adreno_lowering *l, ir_instr *i);

#endif
