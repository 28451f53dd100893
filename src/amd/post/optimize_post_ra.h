/* What optimize_postRA's files share (internal to src/amd/post); optimize_post_ra.c has the phase.
 */
#ifndef AMD_POST_OPTIMIZE_POST_RA_H
#define AMD_POST_OPTIMIZE_POST_RA_H

#include "amd/amd.h"

/* How far a rule looks for the reader of a result, or moves a comparison; the registers that are
 * not vector registers. */
enum { NEAR = 16, SCALARS = AMD_VGPR0 / 4 };

typedef struct amd_post_ctx {
    ir_fn *f;
    const amd_program *p;
    uint32_t *uses;            /* by value */
    ir_instr *writer[SCALARS]; /* the last instruction so far; of other blocks: none */
    uint32_t position;         /* ir_instr.mark: the number in the order of the walk */
} amd_post_ctx;

static inline bool
amd_post_is_exec(ir_ref r)
{
    return r.kind == IR_REF_NONE && r.flags & IR_FIXED && r.reg == AMD_EXEC;
}

static inline bool
amd_post_is_register(ir_ref r)
{
    return ir_is_value(r) && r.reg != IR_REG_NONE;
}

static inline bool
amd_post_is_unused(const amd_post_ctx *c, ir_ref def)
{
    return !c->uses[def.id];
}

/* The instruction of the block of `i` that wrote the scalar `r` last, if it is one for all its
 * registers. */
ir_instr *
amd_post_writer(const amd_post_ctx *c, const ir_instr *i, ir_ref r);

/* Removes `i`, which nothing reads. */
void
amd_post_drop(const amd_post_ctx *c, ir_instr *i);

/* The only reader of `def`, a definition of `i`, if it follows soon and `keep` is not overwritten
 * before it; `*at` is the number of its reference. */
ir_instr *
amd_post_reader(const amd_post_ctx *c, const ir_instr *i, ir_ref def, ir_ref keep, unsigned *at);

/* Is it a vector comparison? */
bool
amd_post_is_compare(const ir_instr *i);

/* Was exec the same at `w`, of the block of `i`, as it is now? */
bool
amd_post_same_exec(const amd_post_ctx *c, const ir_instr *w, const ir_instr *i);

/* optimize_scc.c: rules for what tests a result. True if `i` is gone. */
bool
amd_post_optimize_scc(amd_post_ctx *c, ir_instr *i);

#endif
