/* Live variables, kill flags, register demand.
 *
 * Live sets are found variable by variable (Brandner, Boissinot, Darte, Dupont de Dinechin,
 * Rastello: "Computing Liveness Sets for SSA-Form Programs", 2011, algorithm 6): from each use the
 * walk goes up the predecessors until the definition and stops where the variable is marked
 * already. As variables are taken in order of their numbers, "marked already" is "is the last
 * element of the set", so that sets are plain arrays that come out sorted, and the time is that of
 * writing the result. No fixpoint, no bit vectors over blocks x values.
 *
 * A second, backward walk over each block sets kill flags and counts demand.
 */
#include "amd/live.h"
#include "amd/notes.h"
#include "base/bitset.h"

bool
amd_kills_late(unsigned op)
{
    switch (op) {
    case AMD_P_REDUCE:
    case AMD_P_INCLUSIVE_SCAN:
    case AMD_P_EXCLUSIVE_SCAN:
    case AMD_P_BPERMUTE:
    case AMD_P_SPILL:
    case AMD_P_RELOAD: return true;
    default: return false;
    }
}

typedef struct live_ctx {
    ir_fn *f;
    amd_live *live;
    uint32_t *def_block; /* by value */
    amd_demand *size;    /* by value: what it counts */
    uint32_t *use_start; /* by value: where its uses begin in `uses` */
    uint32_t *uses;      /* block index * 2, + 1 where the value is live out of that block */
    uint32_t *preds[2], *pred_start[2]; /* by edge list: indices of predecessors, block by block */
    uint32_t *stack;                    /* blocks whose predecessors are to be marked */
    size_t n_stack, cap_stack;
    uint64_t *now; /* the walk over a block: values live at this point */
    amd_demand demand;
} live_ctx;

/* ---- live sets ---- */

static amd_demand
counted_size(ir_ref def)
{
    int32_t regs = (int32_t)amd_rc_regs(def.rc);
    if ((def.flags & IR_FIXED) && (def.reg == AMD_SCC || def.reg == AMD_EXEC))
        return (amd_demand){0};
    return amd_rc_is_vgpr(def.rc) ? (amd_demand){.vgpr = regs} : (amd_demand){.sgpr = regs};
}

/* A use that reaches beyond its block is written down if `fill`, else counted. */
static void
note_use(live_ctx *c, uint32_t id, uint32_t block, bool out, bool fill)
{
    if (c->def_block[id] == block && !out)
        return;
    if (fill)
        c->uses[c->use_start[id]++] = block * 2 + out;
    else
        c->use_start[id]++;
}

static void
walk_uses(live_ctx *c, bool fill)
{
    IR_FOREACH_BLOCK(b, c->f)
    {
        IR_FOREACH_INSTR(i, b)
        {
            bool phi = ir_has_flag(i, IR_OP_PHI);
            const ir_edges *preds = &b->preds[ir_has_flag(i, IR_OP_LINEAR_PHI)];
            for (unsigned r = 0; r < i->n_refs; r++) {
                if (ir_is_value(i->refs[r]))
                    note_use(c, i->refs[r].id, phi ? preds->at[r]->index : b->index, phi, fill);
            }
        }
    }
}

static void
collect_uses(live_ctx *c, arena *a)
{
    size_t n = c->f->n_values;
    c->def_block = ARENA_ARRAY(a, n, uint32_t);
    c->use_start = ARENA_ARRAY(a, n + 1, uint32_t);
    c->size = ARENA_ARRAY(a, n, amd_demand);
    IR_FOREACH_BLOCK(b, c->f)
    {
        IR_FOREACH_INSTR(i, b)
        {
            for (unsigned d = 0; d < i->n_defs; d++) {
                if (!ir_is_value(i->defs[d]))
                    continue;
                c->def_block[i->defs[d].id] = b->index;
                c->size[i->defs[d].id] = counted_size(i->defs[d]);
            }
        }
    }
    walk_uses(c, false);
    uint32_t total = 0;
    for (size_t v = 0; v <= n; v++) {
        uint32_t count = c->use_start[v];
        c->use_start[v] = total;
        total += count;
    }
    c->uses = ARENA_ARRAY(a, total, uint32_t);
    walk_uses(c, true); /* leaves use_start[v] at the end of v's uses */
}

static void
collect_preds(live_ctx *c, arena *a, unsigned list)
{
    uint32_t n = 0, *start = ARENA_ARRAY(a, c->f->n_blocks + 1, uint32_t);
    IR_FOREACH_BLOCK(b, c->f)
    {
        start[b->index + 1] = start[b->index] + b->preds[list].count;
    }
    c->pred_start[list] = start;
    c->preds[list] = ARENA_ARRAY(a, start[c->f->n_blocks], uint32_t);
    IR_FOREACH_BLOCK(b, c->f)
    {
        for (uint32_t p = 0; p < b->preds[list].count; p++)
            c->preds[list][n++] = b->preds[list].at[p]->index;
    }
}

/* Adds `id`, the largest value so far; false if it is there. */
static bool
add_last(arena *a, cg_id_set *s, uint32_t id)
{
    if (s->count && s->ids[s->count - 1] == id)
        return false;
    size_t cap = s->cap;
    s->ids = arena_grow(a, s->ids, &cap, s->count + 1u, sizeof *s->ids);
    s->cap = (uint32_t)cap;
    s->ids[s->count++] = id;
    return true;
}

static void
push(live_ctx *c, uint32_t block)
{
    arena *a = c->f->ctx->scratch;
    c->stack = arena_grow(a, c->stack, &c->cap_stack, c->n_stack + 1, sizeof *c->stack);
    c->stack[c->n_stack++] = block;
}

static void
mark_out(live_ctx *c, uint32_t block, uint32_t id)
{
    arena *a = c->f->arena;
    if (!add_last(a, &c->live->out[block], id) || c->def_block[id] == block)
        return;
    if (add_last(a, &c->live->in[block], id))
        push(c, block);
}

static void
mark_value(live_ctx *c, uint32_t id, const uint32_t *uses, const uint32_t *end)
{
    unsigned list = amd_rc_edges(c->f->values[id].type);
    for (; uses < end; uses++) {
        if (*uses & 1)
            mark_out(c, *uses / 2, id);
        else if (add_last(c->f->arena, &c->live->in[*uses / 2], id))
            push(c, *uses / 2);
        while (c->n_stack) {
            uint32_t block = c->stack[--c->n_stack];
            uint32_t p = c->pred_start[list][block], last = c->pred_start[list][block + 1];
            for (; p < last; p++)
                mark_out(c, c->preds[list][p], id);
        }
    }
}

/* ---- kill flags and demand ---- */

static amd_demand
add(amd_demand a, amd_demand b)
{
    return (amd_demand){.sgpr = a.sgpr + b.sgpr, .vgpr = a.vgpr + b.vgpr};
}

static void
make_live(live_ctx *c, uint32_t id)
{
    bitset_add(c->now, id);
    c->demand = add(c->demand, c->size[id]);
}

/* The definitions of `i` end; returns the size of those that nothing uses. */
static amd_demand
end_definitions(live_ctx *c, ir_instr *i)
{
    amd_demand dead = {0};
    for (unsigned d = 0; d < i->n_defs; d++) {
        ir_ref *def = &i->defs[d];
        if (!ir_is_value(*def))
            continue;
        amd_demand size = c->size[def->id];
        bool live = bitset_has(c->now, def->id);
        def->flags = (uint8_t)(live ? def->flags & ~IR_KILL : def->flags | IR_KILL);
        if (!live) {
            dead = add(dead, size);
            continue;
        }
        bitset_remove(c->now, def->id);
        c->demand.sgpr -= size.sgpr;
        c->demand.vgpr -= size.vgpr;
    }
    return dead;
}

static void
flag_kills(ir_instr *i, uint32_t id)
{
    unsigned flags = IR_KILL | IR_FIRST_KILL;
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (!ir_is_value(i->refs[r]) || i->refs[r].id != id)
            continue;
        i->refs[r].flags |= (uint8_t)flags;
        flags = IR_KILL;
    }
}

/* If one reference to the value of reference `first` is a late kill, all are; says whether. */
static bool
spread_late_kill(ir_instr *i, unsigned first)
{
    unsigned late = 0;
    for (unsigned r = first; r < i->n_refs; r++) {
        if (ir_is_value(i->refs[r]) && i->refs[r].id == i->refs[first].id)
            late |= i->refs[r].flags & IR_LATE_KILL;
    }
    for (unsigned r = first; r < i->n_refs; r++) {
        if (ir_is_value(i->refs[r]) && i->refs[r].id == i->refs[first].id)
            i->refs[r].flags |= (uint8_t)late;
    }
    return late != 0;
}

/* Values that `i` uses become live; returns the size of late kills. */
static amd_demand
begin_operands(live_ctx *c, ir_instr *i)
{
    amd_demand late = {0};
    bool all_late = amd_kills_late(i->op);
    for (unsigned r = 0; r < i->n_refs; r++) {
        i->refs[r].flags &= (uint8_t) ~(IR_KILL | IR_FIRST_KILL);
        if (all_late && ir_is_value(i->refs[r]))
            i->refs[r].flags |= IR_LATE_KILL;
    }
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_ref ref = i->refs[r];
        if (!ir_is_value(ref) || bitset_has(c->now, ref.id))
            continue;
        make_live(c, ref.id);
        flag_kills(i, ref.id);
        if (spread_late_kill(i, r))
            late = add(late, c->size[ref.id]);
    }
    return late;
}

/* A tied operand that lives on, or is a constant, is copied first. */
static amd_demand
tied_copy(const live_ctx *c, const ir_instr *i)
{
    int tied = amd_tied_ref(i), def = amd_tied_def(i);
    if (tied < 0 || def < 0 || i->refs[tied].kind == IR_REF_UNDEF ||
        (i->refs[tied].flags & IR_KILL) || !ir_is_value(i->defs[def]))
        return (amd_demand){0};
    return c->size[i->defs[def].id];
}

static void
visit_instr(live_ctx *c, ir_instr *i)
{
    amd_demand behind = c->demand;
    behind = add(behind, end_definitions(c, i));
    behind = add(behind, begin_operands(c, i));
    amd_demand before = add(c->demand, tied_copy(c, i));
    amd_demand most = amd_demand_max(before, behind);
    c->live->instrs[i->index] = most;
    amd_demand *block = &c->live->blocks[i->block->index];
    *block = amd_demand_max(*block, most);
}

/* Phis are one: their definitions begin together, their references belong to the predecessors. */
static void
visit_phis(live_ctx *c, ir_block *b)
{
    amd_demand entry = c->demand;
    for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        amd_demand dead = end_definitions(c, i);
        entry = add(entry, dead);
    }
    for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        c->live->instrs[i->index] = entry;
        for (unsigned r = 0; r < i->n_refs; r++) {
            bool kill = ir_is_value(i->refs[r]) && !bitset_has(c->now, i->refs[r].id);
            i->refs[r].flags &= (uint8_t) ~(IR_KILL | IR_FIRST_KILL);
            i->refs[r].flags |= kill ? IR_KILL | IR_FIRST_KILL : 0;
        }
    }
    amd_demand *block = &c->live->blocks[b->index];
    *block = amd_demand_max(*block, entry);
}

static void
visit_block(live_ctx *c, ir_block *b)
{
    const cg_id_set *in = &c->live->in[b->index], *out = &c->live->out[b->index];
    c->demand = (amd_demand){0};
    for (uint32_t v = 0; v < out->count; v++)
        make_live(c, out->ids[v]);
    c->live->blocks[b->index] = c->demand;
    IR_FOREACH_INSTR_REVERSE(i, b)
    {
        if (ir_has_flag(i, IR_OP_PHI))
            break;
        visit_instr(c, i);
    }
    visit_phis(c, b);
    for (uint32_t v = 0; v < in->count; v++)
        bitset_remove(c->now, in->ids[v]);
}

void
amd_live_var_analysis(ir_fn *f)
{
    arena_mark mark = arena_save(f->ctx->scratch);
    amd_live *live = ARENA_NEW(f->arena, amd_live);
    live_ctx c = {.f = f, .live = live};
    live->n_values = (uint32_t)f->n_values;
    live->in = ARENA_ARRAY(f->arena, f->n_blocks, cg_id_set);
    live->out = ARENA_ARRAY(f->arena, f->n_blocks, cg_id_set);
    live->blocks = ARENA_ARRAY(f->arena, f->n_blocks, amd_demand);
    live->instrs = ARENA_ARRAY(f->arena, ir_number(f), amd_demand);
    collect_uses(&c, f->ctx->scratch);
    collect_preds(&c, f->ctx->scratch, 0);
    collect_preds(&c, f->ctx->scratch, 1);
    for (uint32_t v = 0; v < f->n_values; v++)
        mark_value(&c, v, c.uses + (v ? c.use_start[v - 1] : 0), c.uses + c.use_start[v]);
    c.now = bitset_new(f->ctx->scratch, f->n_values);
    amd_demand most = {0};
    IR_FOREACH_BLOCK(b, f)
    {
        visit_block(&c, b);
        most = amd_demand_max(most, live->blocks[b->index]);
    }
    arena_release(f->ctx->scratch, mark);
    amd_prog(f)->live = live;
    amd_set_budgets(amd_prog(f), most);
    f->valid |= IR_HAS_LIVENESS;
    amd_note_liveness(f);
}
