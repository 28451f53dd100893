/* The optimizer on machine IR: what its files share. */
#ifndef AMD_OPTIMIZE_H
#define AMD_OPTIMIZE_H

#include "amd/amd.h"
#include "amd/isa/table.h"

typedef struct mopt_ctx {
    ir_fn *f;
    amd_program *p;
    uint32_t *uses; /* by value, kept as instructions change */
    size_t n_uses;
    ir_ref *map; /* by value: what it was replaced by, kind NONE: nothing */
    bool replaced;
    base_map values;   /* hash of opcode and operands -> position << 32 | value made of them last */
    uint32_t position; /* instructions seen */
} mopt_ctx;

/* The instruction that defines `r`, or NULL. */
static inline ir_instr *
mopt_def(const mopt_ctx *c, ir_ref r)
{
    return ir_is_value(r) ? c->f->values[r.id].def : NULL;
}

/* The same where nothing but this reference uses what it computes. */
ir_instr *
mopt_single_def(const mopt_ctx *c, ir_ref r);

/* May the vector instruction `op` have these sources: places for VGPRs only, and what the constant
 * bus carries. */
bool
mopt_legal_sources(const mopt_ctx *c, unsigned op, unsigned n, const ir_ref *refs);

/* Can operands of `def` be read at `i` in its place? Fixed registers cannot; SGPRs, along the
 * linear CFG, that a vector instruction elsewhere reads may not be there any more. */
bool
mopt_can_move(const ir_instr *def, const ir_instr *i);

/* Makes room for one reference more: an instruction has as many as it was made with. */
void
mopt_add_ref(const mopt_ctx *c, ir_instr *i);

/* References `i` to `refs` instead of its own (use counts follow). */
void
mopt_set_refs(mopt_ctx *c, ir_instr *i, unsigned n, const ir_ref *refs);

/* The same for one reference. */
void
mopt_set_ref(mopt_ctx *c, ir_instr *i, unsigned n, ir_ref r);

/* optimize_part.c: reads bytes and halves of registers where the vector instruction `i` can. */
void
mopt_use_parts(mopt_ctx *c, ir_instr *i, const amd_op_info *row);

/* optimize_combine.c: two instructions become one; true if `i` changed. */
bool
mopt_combine(mopt_ctx *c, ir_instr *i);

#endif
