/* Value numbering of machine instructions (Briggs, Cooper, Simpson: "Value Numbering", 1997).
 *
 * Blocks are visited in order, so that definitions come before their uses, except for operands of
 * phis on back edges. A pure instruction (cg/effects.h) is looked up among those already visited
 * (ir/value_table.h). An equal one replaces it if it dominates it, along the list of edges that
 * each result lives on, and is not in a loop that has been left: lanes that left early would need
 * an earlier value. HIR's values are numbered already; these are addresses, vectors, constants in
 * registers and operands of another size.
 *
 *     s1: %3 = s_mul_i32 %1, %2
 *     s1: %4 = s_mul_i32 %2, %1      ->    %3 for %4
 *
 * An instruction that reads registers that are not values, or depends on the active lanes, is equal
 * only to instructions of its block since the last change of these. It is marked with the time of
 * that change; for other instructions the time is 0.
 *
 * Uses of a result in a fixed register are not replaced, because the register may be overwritten in
 * between: an instruction is removed only if nothing uses such results.
 */
#include "cg/value_numbering.h"

#include "cg/effects.h"
#include "ir/analysis.h"
#include "ir/bundle.h"
#include "ir/value_table.h"

#include <assert.h>

typedef struct vn {
    ir_fn *f;
    const ir_machine *machine;
    ir_value_table table;
    uint32_t *uses;     /* by value */
    uint32_t *to;       /* by value: what replaces it, or 0 */
    uint32_t *loop_end; /* by index of a loop's header: index of the block after the loop */
    uint32_t *written;  /* by unit: time of its last write in the block */
    uint32_t time, block_time, lanes_time;
    uint8_t joins; /* bits of ir_instr.form that say that it is in a bundle */
    bool changed;
} vn;

/* ---- equality ---- */

static bool
same_ref(ir_ref a, ir_ref b)
{
    return ir_same_ref(a, b) && !((a.flags ^ b.flags) & (IR_FIXED | IR_CONST64));
}

/* May references 0 and 1 be swapped? Words may belong to one of them, unless they are 0. */
static bool
commutes(const ir_instr *i)
{
    for (unsigned w = 0; w < i->n_words; w++) {
        if (ir_words(i)[w])
            return false;
    }
    return i->n_refs >= 2 && ir_has_flag(i, IR_OP_COMMUTES);
}

static bool
same_refs(const ir_instr *a, const ir_instr *b)
{
    bool swapped = !same_ref(a->refs[0], b->refs[0]) && same_ref(a->refs[0], b->refs[1]) &&
                   same_ref(a->refs[1], b->refs[0]) && commutes(a);
    for (unsigned r = swapped ? 2 : 0; r < a->n_refs; r++) {
        if (!same_ref(a->refs[r], b->refs[r]))
            return false;
    }
    return true;
}

static bool
same_def(ir_ref a, ir_ref b)
{
    return a.kind == b.kind && a.rc == b.rc && a.reg == b.reg && !((a.flags ^ b.flags) & IR_FIXED);
}

static bool
is_equal(const ir_instr *a, const ir_instr *b)
{
    if (a->op != b->op || a->form != b->form || a->n_refs != b->n_refs ||
        a->n_words != b->n_words || a->n_defs != b->n_defs || a->mark != b->mark)
        return false;
    if (ir_has_flag(a, IR_OP_PHI) && a->block != b->block)
        return false;
    for (unsigned d = 0; d < a->n_defs; d++) {
        if (!same_def(a->defs[d], b->defs[d]))
            return false;
    }
    return (!a->n_refs || same_refs(a, b)) &&
           (!a->n_words || !memcmp(ir_words(a), ir_words(b), a->n_words * sizeof *ir_words(a)));
}

static uint32_t
hash_of(const ir_instr *i)
{
    bool swap = commutes(i);
    uint64_t h = ir_operation_hash(i, i->defs[0].rc, swap ? 2 : 0) + ((uint64_t)i->mark << 32);
    if (swap)
        h += base_hash64(i->refs[0].id) + base_hash64(i->refs[1].id);
    return (uint32_t)base_hash64(h);
}

/* ---- where one may stand for another ---- */

static bool
is_inside(const vn *n, const ir_block *loop, const ir_block *at)
{
    return !loop || (at->index >= loop->index && at->index < n->loop_end[loop->index]);
}

static bool
may_replace(const void *user, const ir_instr *have, const ir_instr *i)
{
    const vn *n = user;
    if (!is_equal(have, i) || !is_inside(n, have->block->loop_header, i->block))
        return false;
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (!ir_dominates(have->block, i->block, n->machine->classes[i->defs[d].rc].edges))
            return false;
        if ((i->defs[d].flags & IR_FIXED) && ir_is_value(i->defs[d]) && n->uses[i->defs[d].id])
            return false;
    }
    return true;
}

/* Entries stay, because the walk follows neither of the two trees. */
static bool
has_gone(const void *user, const ir_instr *have, const ir_instr *i)
{
    (void)user, (void)have, (void)i;
    return false;
}

static const ir_value_rules rules = {has_gone, may_replace};

/* ---- registers and lanes ---- */

static bool
is_register(ir_ref r)
{
    return r.kind == IR_REF_NONE && (r.flags & IR_FIXED) && r.reg != IR_REG_NONE;
}

/* The units of a fixed reference or definition. */
static void
units_of(const vn *n, ir_ref r, unsigned *first, unsigned *end)
{
    const ir_class *class = &n->machine->classes[r.rc];
    *first = r.reg >> n->machine->unit_shift;
    *end = *first + (class->units ? class->units : 1);
    *end = *end < n->machine->n_units ? *end : n->machine->n_units;
}

/* The time of the last change of the registers and lanes that `i` depends on; 0: it depends on
 * none. */
static uint32_t
time_of(const vn *n, const ir_instr *i, const ir_effects *e)
{
    uint32_t time = e->lanes & IR_LANES_READ ? n->lanes_time : 0;
    for (unsigned r = 0; r < i->n_refs; r++) {
        unsigned unit, end;
        if (!is_register(i->refs[r]))
            continue;
        time = time > n->block_time ? time : n->block_time;
        for (units_of(n, i->refs[r], &unit, &end); unit < end; unit++)
            time = time > n->written[unit] ? time : n->written[unit];
    }
    return time;
}

static void
note_writes(vn *n, const ir_instr *i, const ir_effects *e)
{
    n->time++;
    if (e->lanes & IR_LANES_WRITE)
        n->lanes_time = n->time;
    for (unsigned d = 0; d < i->n_defs; d++) {
        unsigned unit, end;
        if (!(i->defs[d].flags & IR_FIXED))
            continue;
        for (units_of(n, i->defs[d], &unit, &end); unit < end; unit++)
            n->written[unit] = n->time;
    }
}

/* ---- the walk ---- */

static bool
defines_values(const vn *n, const ir_instr *i)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (!ir_is_value(i->defs[d]) && i->defs[d].reg != n->machine->null_reg)
            return false;
        if (ir_is_pinned(n->f, i->defs[d]))
            return false;
    }
    return i->n_defs != 0;
}

static void
rename_refs(vn *n, ir_instr *i)
{
    for (unsigned r = 0; n->changed && r < i->n_refs; r++) {
        if (ir_is_value(i->refs[r]) && n->to[i->refs[r].id])
            i->refs[r].id = n->to[i->refs[r].id];
    }
}

static void
replace(vn *n, ir_instr *i, const ir_instr *by)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (!ir_is_value(i->defs[d]))
            continue;
        n->to[i->defs[d].id] = by->defs[d].id;
        n->f->values[i->defs[d].id].def = NULL;
    }
    ir_unlink(i);
    n->changed = true;
}

static void
visit(vn *n, ir_instr *i)
{
    ir_effects e;
    cg_find_effects(i, &e);
    assert(!(i->form & n->joins));
    rename_refs(n, i);
    if (cg_is_pure(&e) && defines_values(n, i)) {
        i->mark = time_of(n, i, &e);
        const ir_instr *same = ir_value_table_find_or_add(&n->table, i, hash_of(i), &rules, n);
        if (same && ir_may_change(n->f->ctx)) {
            replace(n, i, same);
            return;
        }
    }
    note_writes(n, i, &e);
}

/* Operands of phis on back edges are replaced after the walk, which visited the phis first. */
static void
rename_phis(vn *n)
{
    IR_FOREACH_BLOCK(b, n->f) {
        for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next)
            rename_refs(n, i);
    }
}

/* The blocks of a loop are consecutive, its header first. */
static void
find_loops(vn *n)
{
    arena *a = n->f->ctx->scratch;
    const ir_block **open = ARENA_ARRAY(a, n->f->n_blocks, const ir_block *);
    uint32_t depth = 0;
    n->loop_end = ARENA_ARRAY(a, n->f->n_blocks, uint32_t);
    IR_FOREACH_BLOCK(b, n->f) {
        while (depth && (open[depth - 1]->loop_depth > b->loop_depth ||
                         (b->loop_header == b && open[depth - 1]->loop_depth == b->loop_depth)))
            n->loop_end[open[--depth]->index] = b->index;
        if (b->loop_header == b)
            open[depth++] = b;
    }
    while (depth)
        n->loop_end[open[--depth]->index] = (uint32_t)n->f->n_blocks;
}

void
cg_number_values(ir_fn *f)
{
    arena *a = f->ctx->scratch;
    arena_mark mark = arena_save(a);
    vn n = {.f = f, .machine = f->level->machine};
    n.table = ir_value_table_make(a, f->n_values);
    n.uses = ir_count_uses(f, a);
    n.to = ARENA_ARRAY(a, f->n_values, uint32_t);
    n.written = ARENA_ARRAY(a, n.machine->n_units, uint32_t);
    n.joins = ir_bundle_bits(f->level);
    find_loops(&n);
    IR_FOREACH_BLOCK(b, f) {
        n.block_time = n.lanes_time = ++n.time;
        IR_FOREACH_INSTR(i, b)
            visit(&n, i);
    }
    if (n.changed)
        rename_phis(&n);
    arena_release(a, mark);
    f->valid &= ~(uint32_t)IR_HAS_LIVENESS; /* marks have ended the numbering that it names */
}
