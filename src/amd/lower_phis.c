/* lower_phis: phis in SGPRs at logical merge points become linear phis; those of lane masks mask
 * arithmetic too.
 *
 * A divergent boolean is a lane mask in SGPRs, and SGPRs live along the linear CFG. So its phi at a
 * logical merge point cannot pick by the way that was taken: each lane took its own. Instead the
 * mask is gathered on the way there: at the end of each logical predecessor the lanes that leave it
 * (exec) put in their bits,
 *
 *     m = (m & ~exec) | (operand & exec)
 *
 * and m is a variable along the linear CFG, made SSA by walking the blocks from where its first
 * operand can be set to the phi. The walk begins at the loop header where lanes arrive over several
 * iterations (phis of loop exits; there m is carried around the loop) or from several continues.
 * Where the linear predecessors are the logical ones, a linear phi does.
 */
#include "amd/amd.h"

typedef struct phi_lowering {
    ir_fn *f;
    amd_program *p;
    unsigned rc;    /* of the phi that is lowered */
    bool uniform;   /* it is no lane mask */
    ir_ref *at_end; /* by block: the mask at its end; kind NONE: not set yet */
} phi_lowering;

static bool
same_edges(const ir_block *b)
{
    if (b->preds[0].count != b->preds[1].count)
        return false;
    for (uint32_t i = 0; i < b->preds[0].count; i++) {
        if (ir_pred_index(b, b->preds[1].at[i], 0) == UINT32_MAX)
            return false;
    }
    return true;
}

static void
make_linear(ir_instr *phi)
{
    const ir_block *b = phi->block;
    ir_ref refs[64], *sorted = refs;
    if (phi->n_refs > 64)
        sorted = ARENA_ARRAY(b->fn->arena, phi->n_refs, ir_ref);
    for (uint32_t i = 0; i < phi->n_refs; i++)
        sorted[i] = phi->refs[ir_pred_index(b, b->preds[1].at[i], 0)];
    for (uint32_t i = 0; i < phi->n_refs; i++)
        phi->refs[i] = sorted[i];
    phi->op = AMD_P_LINEAR_PHI;
}

/* The first block of the walk: of a loop exit or continue phi the loop's header, else the earliest
 * predecessor. */
static ir_block *
first_block(const ir_block *b)
{
    ir_block *first = b->preds[0].at[0];
    for (uint32_t i = 1; i < b->preds[0].count; i++) {
        if (b->preds[0].at[i]->index < first->index)
            first = b->preds[0].at[i];
    }
    if (!(b->kind & (IR_BLOCK_LOOP_EXIT | IR_BLOCK_LOOP_CONTINUE)))
        return first;
    unsigned depth = 0;
    for (size_t i = b->index; i-- > 0;) {
        ir_block *h = b->fn->blocks[i];
        if (h->kind & IR_BLOCK_LOOP_EXIT)
            depth++;
        if ((h->kind & IR_BLOCK_LOOP_HEADER) && depth-- == 0)
            return h;
    }
    return first;
}

static ir_instr *
new_linear_phi(phi_lowering *l, ir_block *b)
{
    ir_instr *phi = amd_new(l->f, AMD_P_LINEAR_PHI, 1, b->preds[1].count);
    ir_define(l->f, phi, 0, (ir_type)l->rc);
    ir_prepend(b, phi);
    return phi;
}

static ir_ref
or_undef(const phi_lowering *l, ir_ref r)
{
    return r.kind == IR_REF_NONE ? amd_undef(l->rc) : r;
}

/* The mask at the start of `b`: its linear predecessors' if they agree, else a phi. Predecessors
 * before `first` have none. */
static ir_ref
mask_at_start(phi_lowering *l, ir_block *b, const ir_block *first)
{
    ir_ref same = ir_none();
    bool differ = false;
    for (uint32_t i = 0; i < b->preds[1].count; i++) {
        const ir_block *p = b->preds[1].at[i];
        if (p->index >= b->index) /* an inner loop's back edge: nothing is set inside */
            continue;
        ir_ref r = p->index < first->index ? ir_none() : l->at_end[p->index];
        differ |= i > 0 && !ir_same_ref(r, same);
        same = r;
    }
    if (!differ)
        return same;
    ir_instr *phi = new_linear_phi(l, b);
    for (uint32_t i = 0; i < phi->n_refs; i++) {
        const ir_block *p = b->preds[1].at[i];
        phi->refs[i] = or_undef(l, p->index < first->index ? ir_none() : l->at_end[p->index]);
    }
    return phi->defs[0];
}

static ir_ref
insert_before_end(phi_lowering *l, ir_block *b, unsigned op, ir_ref x, ir_ref y)
{
    ir_instr *at = b->last;
    while (at->op != AMD_P_LOGICAL_END)
        at = at->prev;
    ir_instr *i = amd_new(l->f, op, 2, 2);
    i->refs[0] = x;
    i->refs[1] = y;
    ir_ref r = ir_define(l->f, i, 0, l->p->lane_mask);
    ir_define(l->f, i, 1, AMD_S1);
    i->defs[1] = amd_fixed(i->defs[1], AMD_SCC);
    ir_insert_before(at, i);
    return r;
}

/* `operand` for the lanes of `b`'s exec, `before` for the others. */
static ir_ref
merge(phi_lowering *l, ir_block *b, ir_ref before, ir_ref operand)
{
    bool wide = l->p->wave_size == 64;
    ir_ref exec = amd_phys(AMD_EXEC, l->p->lane_mask);
    if (operand.kind == IR_REF_UNDEF)
        return before;
    if (before.kind == IR_REF_NONE || l->uniform)
        return operand;
    bool none = operand.kind == IR_REF_CONST && operand.id == 0,
         all = operand.kind == IR_REF_CONST && !none;
    if (all)
        return insert_before_end(l, b, wide ? AMD_S_OR_B64 : AMD_S_OR_B32, before, exec);
    ir_ref kept = insert_before_end(l, b, wide ? AMD_S_ANDN2_B64 : AMD_S_ANDN2_B32, before, exec);
    if (none)
        return kept;
    ir_ref put = insert_before_end(l, b, wide ? AMD_S_AND_B64 : AMD_S_AND_B32, operand, exec);
    return insert_before_end(l, b, wide ? AMD_S_OR_B64 : AMD_S_OR_B32, kept, put);
}

static void
gather(phi_lowering *l, ir_instr *phi)
{
    ir_block *b = phi->block, *first = first_block(b);
    bool carried = (b->kind & IR_BLOCK_LOOP_EXIT) && (first->kind & IR_BLOCK_LOOP_HEADER);
    ir_instr *header_phi = carried ? new_linear_phi(l, first) : NULL;
    for (size_t i = first->index; i < b->index; i++) {
        ir_block *at = l->f->blocks[i];
        ir_ref in = at != first ? mask_at_start(l, at, first)
                    : carried   ? header_phi->defs[0]
                                : ir_none();
        uint32_t pred = ir_pred_index(b, at, 0);
        l->at_end[i] = pred == UINT32_MAX ? in : merge(l, at, in, phi->refs[pred]);
    }
    for (uint32_t i = 0; carried && i < header_phi->n_refs; i++) {
        const ir_block *p = first->preds[1].at[i];
        header_phi->refs[i] = p->index < first->index ? amd_undef(l->rc)
                                                      : or_undef(l, l->at_end[p->index]);
    }
    ir_ref r = or_undef(l, mask_at_start(l, b, first));
    ir_instr *copy = amd_new(l->f, AMD_P_PARALLELCOPY, 1, 1);
    copy->defs[0] = phi->defs[0];
    copy->refs[0] = r;
    l->f->values[phi->defs[0].id].def = copy;
    ir_instr *place = ir_first_non_phi(b);
    ir_insert_before(place, copy);
    ir_unlink(phi);
}

static void
lower(phi_lowering *l, ir_instr *phi)
{
    const ir_block *b = phi->block;
    /* At a header all lanes of the loop come from the latch, and bits of lanes that left do not
     * matter. */
    if (same_edges(b))
        make_linear(phi);
    else
        gather(l, phi);
}

void
amd_lower_phis(ir_fn *f)
{
    phi_lowering l = {.f = f, .p = amd_prog(f)};
    arena_mark mark = arena_save(f->ctx->scratch);
    l.at_end = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, ir_ref);
    IR_FOREACH_BLOCK(b, f)
    {
        IR_FOREACH_INSTR(i, b)
        {
            if (!ir_has_flag(i, IR_OP_PHI))
                break;
            bool scalar = i->op == AMD_P_PHI && !amd_rc_is_vgpr(i->defs[0].rc);
            l.rc = i->defs[0].rc;
            l.uniform = i->op != AMD_P_BOOLEAN_PHI;
            if (scalar || i->op == AMD_P_BOOLEAN_PHI)
                lower(&l, i);
        }
    }
    arena_release(f->ctx->scratch, mark);
}
