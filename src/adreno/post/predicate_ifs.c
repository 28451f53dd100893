/* Predication of small ifs: both ways are one, in which predt and predf switch fibres off.
 *
 *     BB0: ... BR p[0], BB1, BB2            BB0: ... PREDT p[0]; A; PREDF p[0]; B; PREDE; JUMP BB1
 *     BB1: A; JUMP BB3              ->      BB1: JUMP BB2
 *     BB2: B; JUMP BB3                      BB2: JUMP BB3
 *
 * The wave need not wait for fibres that went the other way, and nothing jumps. The predicate is
 * p0.x, which the arms leave alone; they hold operations and memory instructions alone, as far as
 * these do not look at other fibres. Chips that must wait behind prede keep their branches, which
 * take less. */
#include "adreno/adreno.h"

enum { MOST = 12 /* instructions of both arms */ };

typedef struct small_if {
    ir_block *from, *first, *second; /* the arms in order; second may be NULL */
    ir_block *to;
    bool on_true; /* the first arm runs where the predicate holds */
} small_if;

static bool
may_predicate(const ir_fn *f, const ir_instr *i)
{
    const unsigned category = adreno_category(i->op);
    const bool looks = f->level->ops[i->op].flags & (IR_OP_CONVERGENT | IR_OP_BARRIER);
    if (category < 1 || category == 5 || category > 6 || looks || adreno_is_varying_op(i->op))
        return false;
    for (unsigned d = 0; d < i->n_defs; d++)
        if (i->defs[d].rc == ADRENO_P1 || i->defs[d].reg >= ADRENO_REG_SHARED)
            return false;
    return true;
}

/* Is the block an arm that comes from `from` alone and may be predicated? Adds its instructions. */
static bool
is_arm(const ir_fn *f, const ir_block *b, const ir_block *from, unsigned *n)
{
    if (b->preds[1].count != 1 || b->preds[1].at[0] != from || b->last->op != ADRENO_JUMP)
        return false;
    for (const ir_instr *i = b->first; i != b->last; i = i->next)
        if (!may_predicate(f, i) || ++*n > MOST)
            return false;
    return true;
}

static bool
find_if(const ir_fn *f, ir_block *b, small_if *out)
{
    const ir_instr *br = b->last;
    unsigned n = 0;
    if (br->op != ADRENO_BR || br->refs[0].reg != ADRENO_REG_PREDICATE ||
        b->index + 2 >= f->n_blocks)
        return false;
    ir_block *next = f->blocks[b->index + 1], *then = f->blocks[b->index + 2];
    const bool first_taken = b->succs[1].at[0] == next;
    ir_block *other = b->succs[1].at[first_taken];
    if (b->succs[1].at[!first_taken] != next || !is_arm(f, next, b, &n))
        return false;
    ir_block *to = next->succs[1].at[0];
    *out = (small_if){b, next, NULL, to, first_taken != adreno_attr(br, 0, ADRENO_M_INV, 1)};
    if (to == other && to == then)
        return n > 0;
    out->second = other;
    return other == then && is_arm(f, then, b, &n) && then->succs[1].at[0] == to &&
           to->index == then->index + 1;
}

static void
move_arm(ir_block *arm, ir_instr *at)
{
    while (arm->first != arm->last) {
        ir_instr *i = arm->first;
        ir_unlink(i);
        ir_insert_before(at, i);
    }
}

static void
add_switch(ir_instr *br, unsigned op)
{
    ir_insert_new(br, op, 0, 1)->refs[0] = br->refs[0];
}

/* Behind ssa_elimination the linear edges count. */
static void
change_edge(ir_block *from, ir_block *old, ir_block *to)
{
    enum { LINEAR = 1 };
    ir_remove_edge(from, old, LINEAR);
    if (to)
        ir_add_edge(from, to, LINEAR);
}

static void
predicate(const small_if *s)
{
    ir_instr *br = s->from->last;
    add_switch(br, s->on_true ? ADRENO_PREDT : ADRENO_PREDF);
    move_arm(s->first, br);
    if (s->second) {
        add_switch(br, s->on_true ? ADRENO_PREDF : ADRENO_PREDT);
        move_arm(s->second, br);
        change_edge(s->from, s->second, NULL);
        change_edge(s->first, s->to, s->second);
    } else {
        change_edge(s->from, s->to, NULL);
    }
    ir_insert_new(br, ADRENO_PREDE, 0, 0);
    ir_insert_new(br, ADRENO_JUMP, 0, 0);
    ir_unlink(br);
}

void
adreno_predicate_ifs(ir_fn *f)
{
    const adreno_target *t = adreno_prog(f)->target;
    small_if s;
    if (!t->preamble || t->prede_nops)
        return;
    IR_FOREACH_BLOCK(b, f) {
        if (find_if(f, b, &s))
            predicate(&s);
    }
}
