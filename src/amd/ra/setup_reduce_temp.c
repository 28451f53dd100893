/* Allocates the linear VGPRs that reductions, scans and permutes across the halves of a wave64 use
 * as temporaries.
 *
 * A reduction runs with all lanes active, on a copy of its source that holds the operation's
 * identity in inactive lanes; a permute exchanges the halves of a copy (lower_bpermute.c). That
 * copy must not overwrite another value of an inactive lane. Only linear VGPRs guarantee that, and
 * only if they begin where control flow is at top level. So one is begun before the reduction or,
 * if that is nested, at the end of the last top-level block before it; later reductions reuse it if
 * it is large enough.
 */
#include "amd/amd.h"
#include "amd/ra/linear_vgprs.h"
#include "ir/hir.h"

/* Do permutes use ds_bpermute_b32 and an exchange of the halves? */
static bool
exchanges_halves(const ir_fn *f)
{
    const amd_program *p = amd_prog(f);
    return p->wave_size == 64 && (amd_op_exists(AMD_V_PERMLANE64_B32, p->target->gen) ||
                                  amd_has(p->target, has_shared_vgprs));
}

static bool
needs_temp(const ir_instr *i)
{
    return i->op == AMD_P_REDUCE || i->op == AMD_P_INCLUSIVE_SCAN ||
           i->op == AMD_P_EXCLUSIVE_SCAN ||
           (i->op == AMD_P_BPERMUTE && exchanges_halves(i->block->fn));
}

/* The number of registers: the accumulator, the value combined with it, and one more for 64-bit
 * products and, without DPP, for exclusive scans; of a permute the copy. */
static unsigned
temp_size(const amd_target *t, const ir_instr *i)
{
    if (i->op == AMD_P_BPERMUTE)
        return 1;
    bool wide = ir_words(i)[2] == 64;
    bool more = (wide && ir_words(i)[0] == IR_REDUCE_imul) ||
                (i->op == AMD_P_EXCLUSIVE_SCAN && !amd_has(t, has_dpp));
    return (wide ? 2 : 1) * (more ? 3 : 2);
}

static ir_instr *
start_place(ir_instr *reduction, const ir_block *top)
{
    if (reduction->block == top)
        return reduction;
    ir_instr *at = top->last;
    while (at && at->op != AMD_P_LOGICAL_END)
        at = at->prev;
    return at ? at : top->last;
}

void
amd_setup_reduce_temp(ir_fn *f)
{
    const ir_block *top = NULL;
    const amd_target *target = amd_prog(f)->target;
    ir_ref temp = ir_none();
    if (!ir_made_op(f, AMD_P_REDUCE) && !ir_made_op(f, AMD_P_INCLUSIVE_SCAN) &&
        !ir_made_op(f, AMD_P_EXCLUSIVE_SCAN) && !ir_made_op(f, AMD_P_BPERMUTE))
        return;
    IR_FOREACH_BLOCK(b, f) {
        top = !top || b->kind & IR_BLOCK_TOP_LEVEL ? b : top;
        IR_FOREACH_INSTR(i, b) {
            if (!needs_temp(i))
                continue;
            unsigned size = temp_size(target, i), rc = AMD_RC_VGPR | AMD_RC_LINEAR | size;
            if (temp.kind == IR_REF_NONE || amd_rc_regs(temp.rc) < size) {
                ir_instr *start = amd_new(f, AMD_P_START_LINEAR_VGPR, 1, 0);
                temp = ir_define(f, start, 0, (ir_type)rc);
                ir_insert_before(start_place(i, top), start);
            }
            ir_extend_instr(i, 0, 1)->refs[i->n_refs] = temp;
        }
    }
    amd_end_linear_vgprs(f);
}
