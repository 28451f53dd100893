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
 * operand can be set to the phi. Where several predecessors that follow each other take the same
 * operand, lanes put in their bits once, in a block that all of them come from: what lanes have put
 * in that leave elsewhere, or not at all this time, is put in again before it counts. And where a
 * constant is what most predecessors take, the mask begins with that. So a loop of n flags and n
 * ways out has some n of these instructions, not n times n.
 *
 * The walk begins at the loop header where lanes arrive over several iterations (phis of loop
 * exits; there m is carried around the loop) or from several continues. Where the linear
 * predecessors are the logical ones, a linear phi does.
 */
#include "amd/amd.h"
#include "ir/analysis.h"
#include "ir/pass.h"

typedef struct phi_lowering {
    ir_fn *f;
    amd_program *p;
    unsigned rc;    /* of the phi that is lowered */
    bool uniform;   /* it is no lane mask */
    ir_ref *at_end; /* by block: the mask at its end; kind NONE: not set yet */
    ir_ref *put;    /* by block: what its lanes put in at its end; kind NONE: nothing */
    ir_ref initial; /* what the mask is before the loop */
    uint32_t *ways; /* by block, while a phi is planned: its number as predecessor + 1, or 0 */
    ir_block **run; /* predecessors with the same operand */
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

/* ---- where lanes put in their bits ---- */

/* Each predecessor's lanes there; how many blocks that are. */
static unsigned
plan_each(phi_lowering *l, const ir_instr *phi)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < phi->n_refs; i++) {
        bool undefined = phi->refs[i].kind == IR_REF_UNDEF;
        l->put[phi->block->preds[0].at[i]->index] = undefined ? ir_none() : phi->refs[i];
        n += !undefined;
    }
    return n;
}

static void
forget_plan(phi_lowering *l, const ir_block *first, const ir_block *b)
{
    for (size_t k = first->index; k < b->index; k++)
        l->put[k] = ir_none();
}

/* The `n` predecessors in l->run take `operand`: in a block that dominates them, if it lies behind
 * `after`, else each for itself. How many blocks that are. */
static unsigned
plan_run(phi_lowering *l, unsigned n, ir_ref operand, const ir_block *first, uint32_t after)
{
    ir_block *at = n ? l->run[0] : NULL;
    for (unsigned k = 1; k < n && at; k++) {
        while (at && !ir_dominates(at, l->run[k], 0))
            at = at->idom[0];
    }
    if (n > 1 && at && at->index >= first->index && at->index >= after) {
        l->put[at->index] = operand;
        return 1;
    }
    for (unsigned k = 0; k < n; k++)
        l->put[l->run[k]->index] = operand;
    return n;
}

/* Predecessors by their order, those with the same operand at once; how many blocks that are. */
static unsigned
plan_runs(phi_lowering *l, const ir_instr *phi, const ir_block *first)
{
    const ir_block *b = phi->block;
    unsigned n = 0, blocks = 0;
    uint32_t after = first->index, last = first->index;
    ir_ref operand = ir_none();
    for (size_t k = first->index; k < b->index; k++) {
        uint32_t way = l->ways[k];
        l->ways[k] = 0;
        if (!way || phi->refs[way - 1].kind == IR_REF_UNDEF)
            continue;
        if (n && !ir_same_ref(phi->refs[way - 1], operand)) {
            blocks += plan_run(l, n, operand, first, after);
            after = last + 1;
            n = 0;
        }
        operand = phi->refs[way - 1];
        l->run[n++] = l->f->blocks[k];
        last = (uint32_t)k;
    }
    return blocks + plan_run(l, n, operand, first, after);
}

/* The constant that most predecessors take; NONE if there is none. */
static ir_ref
common_constant(const ir_instr *phi)
{
    unsigned n[2] = {0, 0};
    ir_ref constants[2];
    for (uint32_t i = 0; i < phi->n_refs; i++) {
        unsigned k = phi->refs[i].id != 0;
        if (phi->refs[i].kind == IR_REF_CONST && n[k]++ == 0)
            constants[k] = phi->refs[i];
    }
    return !n[0] && !n[1] ? ir_none() : constants[n[1] > n[0]];
}

/* Sets l->put and l->initial. */
static void
plan(phi_lowering *l, const ir_instr *phi, const ir_block *first, bool carried)
{
    const ir_block *b = phi->block;
    ir_ref common = carried && !l->uniform ? common_constant(phi) : ir_none();
    l->initial = amd_undef(l->rc);
    forget_plan(l, first, b);
    unsigned each = plan_each(l, phi), others = 0;
    if (l->uniform || each < 2)
        return;
    for (uint32_t i = 0; i < phi->n_refs; i++) {
        bool other = phi->refs[i].kind != IR_REF_UNDEF && !ir_same_ref(phi->refs[i], common);
        others += other;
        l->ways[b->preds[0].at[i]->index] = i + 1;
    }
    forget_plan(l, first, b);
    unsigned runs = plan_runs(l, phi, first);
    if (common.kind == IR_REF_NONE || others > runs)
        return;
    forget_plan(l, first, b);
    plan_each(l, phi);
    for (uint32_t i = 0; i < phi->n_refs; i++) {
        if (ir_same_ref(phi->refs[i], common))
            l->put[b->preds[0].at[i]->index] = ir_none();
    }
    l->initial = common;
}

static void
gather(phi_lowering *l, ir_instr *phi)
{
    ir_block *b = phi->block, *first = first_block(b);
    bool carried = (b->kind & IR_BLOCK_LOOP_EXIT) && (first->kind & IR_BLOCK_LOOP_HEADER);
    ir_instr *header_phi = carried ? new_linear_phi(l, first) : NULL;
    plan(l, phi, first, carried);
    for (size_t i = first->index; i < b->index; i++) {
        ir_block *at = l->f->blocks[i];
        ir_ref in = at != first ? mask_at_start(l, at, first)
                    : carried   ? header_phi->defs[0]
                                : ir_none();
        l->at_end[i] = l->put[i].kind == IR_REF_NONE ? in : merge(l, at, in, l->put[i]);
    }
    for (uint32_t i = 0; carried && i < header_phi->n_refs; i++) {
        const ir_block *p = first->preds[1].at[i];
        header_phi->refs[i] = p->index < first->index ? l->initial
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
    l.put = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, ir_ref);
    l.ways = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, uint32_t);
    l.run = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, ir_block *);
    ir_require(f, IR_HAS_DOMINANCE);
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
