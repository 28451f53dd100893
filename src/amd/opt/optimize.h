/* The optimizer on machine IR: declarations that its files share. */
#ifndef AMD_OPTIMIZE_H
#define AMD_OPTIMIZE_H

#include "amd/amd.h"
#include "amd/isa/table/table.h"

typedef struct mopt_ctx {
    ir_fn *f;
    amd_program *p;
    uint32_t *uses; /* by value, updated as instructions change */
    size_t n_uses;
    ir_ref *map; /* by value: its replacement; kind NONE: none */
    bool replaced;
    base_map values;   /* hash of opcode and operands -> position << 32 | last value computed
                          from them */
    uint32_t position; /* number of instructions seen */
} mopt_ctx;

/* The instruction that defines `r`, or NULL. */
static inline ir_instr *
mopt_def(const mopt_ctx *c, ir_ref r)
{
    return ir_is_value(r) ? c->f->values[r.id].def : NULL;
}

/* The same, but NULL unless this reference is the value's only use. */
ir_instr *
amd_opt_single_def(const mopt_ctx *c, ir_ref r);

/* May the vector instruction `op` have these sources? Checks places that accept only VGPRs, and the
 * constant bus. */
bool
amd_opt_legal_sources(const mopt_ctx *c, unsigned op, unsigned n, const ir_ref *refs);

/* Can operands of `def` be read at `i` instead? Fixed registers cannot. SGPRs follow the linear
 * CFG, so a vector instruction in another block may not have them any more. */
bool
amd_opt_can_move(const ir_instr *def, const ir_instr *i);

/* Makes room for one more reference: an instruction has as many as it was created with. */
void
amd_opt_add_ref(const mopt_ctx *c, ir_instr *i);

/* Replaces the references of `i` by `refs`, updating use counts. */
void
amd_opt_set_refs(mopt_ctx *c, ir_instr *i, unsigned n, const ir_ref *refs);

/* The same for one reference. */
void
amd_opt_set_ref(mopt_ctx *c, ir_instr *i, unsigned n, ir_ref r);

/* optimize_part.c: lets the vector instruction `i` read bytes and halves of registers directly. */
void
amd_opt_use_parts(mopt_ctx *c, ir_instr *i, const amd_op_info *row);

/* optimize_combine.c: combines two instructions into one; true if `i` changed. */
bool
amd_opt_combine(mopt_ctx *c, ir_instr *i);

#endif
