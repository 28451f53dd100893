/* Where linear VGPRs end.
 *
 * A linear VGPR is written in lanes that are not active. So its register must not get a value that
 * such a lane keeps, and this is what a phi may do: a merge behind the last use may have a
 * predecessor, in whose lanes nothing was to happen yet, before that use:
 *
 *     BB1 (some lanes): the phi's operand       the copy to the phi's register is here,
 *     BB2 (other lanes): last use of the VGPR   and this overwrites it in the lanes of BB1
 *     BB3 (all): the phi, in the same register
 *
 * A loop's exit with one predecessor, a break, is such a merge too. The registers that phis take
 * are free where the merge begins. So a linear VGPR lives on to each merge that has a predecessor
 * in which it is live, and p_end_linear_vgpr says so there. The blocks between its beginning, which
 * is at top level, and the last such place are taken for its life.
 */
#include "amd/ra/linear_vgprs.h"

#include "amd/amd.h"

typedef struct linear_vgpr {
    ir_ref ref;
    uint32_t first, last; /* indices of blocks: where it begins, and the last use */
    bool behind;          /* lives to the end of the last block and beyond, by a loop's back edge */
} linear_vgpr;

typedef struct linear_vgprs {
    linear_vgpr *at;
    uint32_t count;
    size_t room;
    uint32_t *of_value; /* 1 + index, by value */
} linear_vgprs;

static void
note_begin(ir_fn *f, linear_vgprs *l, const ir_instr *i)
{
    l->at = arena_grow(f->ctx->scratch, l->at, &l->room, l->count + 1, sizeof *l->at);
    uint32_t block = i->block->index;
    l->at[l->count++] = (linear_vgpr){
        .ref = {.kind = IR_REF_VALUE, .id = i->defs[0].id, .rc = i->defs[0].rc, .reg = IR_REG_NONE},
        .first = block,
        .last = block};
    l->of_value[i->defs[0].id] = l->count;
}

static void
note_uses(linear_vgprs *l, const ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        uint32_t n = ir_is_value(i->refs[r]) ? l->of_value[i->refs[r].id] : 0;
        if (n)
            l->at[n - 1].last = i->block->index;
    }
}

static linear_vgprs
find_linear_vgprs(ir_fn *f)
{
    linear_vgprs l = {.of_value = ARENA_ARRAY(f->ctx->scratch, f->n_values, uint32_t)};
    IR_FOREACH_INSTR_OF(i, f) {
        note_uses(&l, i);
        if (i->op == AMD_P_START_LINEAR_VGPR)
            note_begin(f, &l, i);
    }
    return l;
}

/* In a loop that it enters, it lives to the loop's end. */
static void
live_through_loop(linear_vgpr *v, const ir_block *header)
{
    const ir_edges *preds = &header->preds[1];
    for (uint32_t p = 0; p < preds->count; p++) {
        uint32_t back = preds->at[p]->index;
        if (back >= header->index && back >= v->last) {
            v->last = back;
            v->behind = true;
        }
    }
}

static bool
may_be_overwritten(const linear_vgpr *v, const ir_block *merge)
{
    const ir_edges *preds = &merge->preds[0];
    bool found = false, phis = merge->first && ir_has_flag(merge->first, IR_OP_PHI);
    for (uint32_t p = 0; (preds->count > 1 || phis) && p < preds->count; p++) {
        uint32_t pred = preds->at[p]->index;
        found |= pred >= v->first && (pred < v->last || (pred == v->last && v->behind));
    }
    return found;
}

static void
live_to(ir_fn *f, linear_vgpr *v, ir_block *merge)
{
    ir_instr *end = amd_new(f, AMD_P_END_LINEAR_VGPR, 0, 1);
    end->refs[0] = v->ref;
    ir_insert_before(ir_first_non_phi(merge), end);
    v->last = merge->index;
    v->behind = false;
}

void
amd_end_linear_vgprs(ir_fn *f)
{
    if (!ir_made_op(f, AMD_P_START_LINEAR_VGPR))
        return;
    arena_mark mark = arena_save(f->ctx->scratch);
    linear_vgprs l = find_linear_vgprs(f);
    for (uint32_t k = 0; k < l.count; k++) {
        linear_vgpr *v = &l.at[k];
        for (uint32_t n = v->first + 1; n < f->n_blocks; n++) {
            ir_block *b = f->blocks[n];
            if (n <= v->last)
                live_through_loop(v, b);
            else if (may_be_overwritten(v, b))
                live_to(f, v, b);
        }
    }
    arena_release(f->ctx->scratch, mark);
}
