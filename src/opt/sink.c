/* Moves operations into the arm of an if that has all their uses: where the arm is not executed,
 * they are not either.
 *
 *     %3 = pack_64_2x32 %1, %2                if %4 then b1 else b2
 *     if %4 then b1 else b2          ->           b1: %3 = pack_64_2x32 %1, %2
 *         b1: %5 = load %3                            %5 = load %3
 *
 * An operation does not enter a loop, nor leave one. Its operands live longer for it, unless they
 * move, too, or are needed elsewhere: results of loads that a long sum would have used one after
 * the other would all wait for it. So an arm receives operations until they keep MORE components
 * alive than it uses itself.
 *
 * One walk back over the program meets all uses of a value before its definition, except those of
 * phis at the head of a loop; phis stay where they are, so that theirs are noted first. For each
 * value the nearest block that dominates its uses is kept (the search for that is limited).
 */
#include "opt/opt.h"

#include "ir/dominance.h"

enum {
    MAX_STEPS = 16, /* from a block to one that dominates it */
    MORE = 12,      /* as a rule, so many registers more cost no waves */
};

typedef struct sink {
    ir_fn *f;
    ir_block **place; /* by value: the nearest block that dominates its uses; NULL: none yet */
    uint32_t *kept;   /* by block: components that live longer for what has moved there */
    uint16_t *longer; /* by value: the components that do */
    bool changed;
} sink;

/* The value is used in `b`. */
static void
note_use(const sink *s, ir_ref r, ir_block *b)
{
    if (!ir_is_value(r))
        return;
    ir_block *p = s->place[r.id];
    ir_block *def = s->f->values[r.id].def->block;
    for (unsigned n = 0; p && p != def && !ir_dominates(p, b, 0); n++)
        p = n < MAX_STEPS ? ir_idom(p, 0) : NULL;
    if (!s->place[r.id])
        s->place[r.id] = b;
    else
        s->place[r.id] = p ? p : def;
}

static void
note_phis(const sink *s)
{
    IR_FOREACH_BLOCK(b, s->f) {
        for (const ir_instr *i = b->first; i && i->op == IR_phi; i = i->next) {
            for (unsigned r = 0; r < i->n_refs; r++)
                note_use(s, i->refs[r], b->preds[0].at[r]);
        }
    }
}

static bool
may_move(const ir_instr *i)
{
    return (ir_has_flag(i, IR_OP_ALU) || i->op == IR_vec) && i->n_defs == 1;
}

/* Does an arm of an if begin with the block? */
static bool
begins_arm(const ir_block *b)
{
    const ir_block *from = b->preds[0].count == 1 ? b->preds[0].at[0] : NULL;
    return from && ir_terminator(from)->op == IR_if && from->merge != b;
}

/* The block to which the instruction moves; NULL if it stays. */
static ir_block *
find_arm(const sink *s, const ir_instr *i)
{
    ir_block *to = s->place[i->defs[0].id];
    for (unsigned n = 0; to && to != i->block; n++) {
        if (begins_arm(to) && to->loop_header == i->block->loop_header)
            return to;
        to = n < MAX_STEPS ? ir_idom(to, 0) : NULL;
    }
    return NULL;
}

/* The components that live longer if the instruction moves, besides those that it defines: of what
 * cannot move itself, where all later uses have moved. */
static uint32_t
kept_by(const sink *s, const ir_instr *i)
{
    uint32_t kept = 0;
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_ref ref = i->refs[r];
        if (!ir_is_value(ref) || (s->place[ref.id] && !s->longer[ref.id]))
            continue;
        const ir_instr *def = s->f->values[ref.id].def;
        uint16_t bit = (uint16_t)(1u << ref.comp % 16);
        if (may_move(def) || def->op == IR_load_const || (s->longer[ref.id] & bit))
            continue;
        s->longer[ref.id] |= bit;
        kept++;
    }
    return kept;
}

/* Does the arm still receive an instruction that keeps so much alive? */
static bool
receives(const sink *s, const ir_block *to, uint32_t kept)
{
    s->kept[to->index] += kept;
    return !kept || s->kept[to->index] <= MORE;
}

static void
visit(sink *s, ir_instr *i)
{
    ir_block *to = may_move(i) ? find_arm(s, i) : NULL;
    if (to && receives(s, to, kept_by(s, i)) && ir_may_change(s->f->ctx)) {
        ir_unlink(i);
        ir_insert_before(ir_first_non_phi(to), i);
        s->changed = true;
    }
    for (unsigned r = 0; i->op != IR_phi && r < i->n_refs; r++)
        note_use(s, i->refs[r], i->block);
}

static bool
has_ifs(const ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        if (ir_terminator(b)->op == IR_if)
            return true;
    }
    return false;
}

bool
opt_sink(ir_fn *f)
{
    if (!has_ifs(f))
        return false;
    sink s = {.f = f,
              .place = ARENA_ARRAY(f->ctx->scratch, f->n_values, ir_block *),
              .kept = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, uint32_t),
              .longer = ARENA_ARRAY(f->ctx->scratch, f->n_values, uint16_t)};
    note_phis(&s);
    for (size_t n = f->n_blocks; n-- > 0;) {
        for (ir_instr *i = f->blocks[n]->last, *prev; i; i = prev) {
            prev = i->prev;
            visit(&s, i);
        }
    }
    return s.changed;
}
