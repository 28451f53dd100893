/* Registers are given out by src/cg, with a wish of this family.
 *
 * Operations on the components of vectors are repetitions of one instruction (target/repeat.h) if
 * their values lie in registers that follow each other. So values get a wish: the one that should
 * be behind them. It begins at vectors that are loaded, taken apart or put together, and goes from
 * operands to results: two instructions that are alike, each of whose operands is the same value or
 * the next one, have results that belong together. */
#include "cg/register_allocation.h"
#include "adreno/target/alias.h"
#include "adreno/target/repeat.h"

#include <string.h>

enum { LOOK_BACK = 24 }; /* instructions between two of a group */

typedef struct groups {
    uint32_t *next;   /* by value: the one behind it in a vector or group, or 0 */
    bool *has_before; /* by value: it is behind another */
    uint32_t *behind; /* groups alone */
} groups;

static void
put_behind(groups *g, ir_ref a, ir_ref b)
{
    if (!ir_is_value(a) || !ir_is_value(b) || a.id == b.id || a.rc != b.rc ||
        adreno_row(a.rc) != 1 || a.rc == ADRENO_P1 || g->next[a.id] || g->has_before[b.id])
        return;
    g->next[a.id] = b.id;
    g->has_before[b.id] = true;
}

static void
find_vectors(groups *g, const ir_instr *i)
{
    if (i->op == ADRENO_P_SPLIT_VECTOR)
        for (unsigned d = 1; d < i->n_defs; d++)
            put_behind(g, i->defs[d - 1], i->defs[d]);
    if (i->op == ADRENO_P_CREATE_VECTOR)
        for (unsigned r = 1; r < i->n_refs; r++)
            put_behind(g, i->refs[r - 1], i->refs[r]);
}

/* Parts of a texture's rows that are not put together by moves. */
static void
find_rows(groups *g, const ir_instr *i)
{
    const unsigned first = adreno_attr(i, 1, ADRENO_T_FIRST, 4);
    const unsigned second = adreno_attr(i, 1, ADRENO_T_SECOND, 3);
    for (unsigned r = 1; r < (first ? first : 1) + second; r++) {
        const ir_ref a = i->refs[r - 1], b = i->refs[r];
        if (r == (first ? first : 1) || !ir_is_value(a) || !ir_is_value(b) || g->next[a.id])
            continue;
        put_behind(g, a, b);
        if (g->next[a.id] == b.id)
            g->behind[a.id] = b.id;
    }
}

/* Is `b` the operand that follows `a`, or the same? */
static bool
is_like(const groups *g, const ir_instr *i, unsigned r, ir_ref a, ir_ref b)
{
    if (a.kind != b.kind || a.rc != b.rc)
        return false;
    if (a.kind == IR_REF_CONST)
        return a.id == b.id || (adreno_attr(i, 0, ADRENO_M_CFILE + r, 1) && b.id == a.id + 1);
    return ir_is_value(a) && (a.id == b.id || g->next[a.id] == b.id);
}

static bool
is_next(const groups *g, const ir_instr *a, const ir_instr *b)
{
    if (a->op != b->op || a->n_refs != b->n_refs || !adreno_may_repeat(a) ||
        memcmp(ir_words(a), ir_words(b), ADRENO_WORDS * sizeof(uint32_t)) != 0)
        return false;
    const uint32_t next = g->next[a->defs[0].id];
    if (next != b->defs[0].id && (next || g->has_before[b->defs[0].id]))
        return false;
    for (unsigned r = 0; r < a->n_refs; r++)
        if (!is_like(g, a, r, a->refs[r], b->refs[r]))
            return false;
    return true;
}

static void
find_group(groups *g, const ir_instr *i)
{
    const ir_instr *a = i->prev;
    if (!adreno_may_repeat(i))
        return;
    for (unsigned n = 0; a && n < LOOK_BACK; a = a->prev, n++) {
        if (!is_next(g, a, i))
            continue;
        put_behind(g, a->defs[0], i->defs[0]);
        g->behind[a->defs[0].id] = i->defs[0].id;
        return;
    }
}

/* By value: the one that should be in the register behind it, so that both can be results of one
 * instruction, or 0. */
static const uint32_t *
find_repeat_groups(const ir_fn *f, arena *a)
{
    groups g = {.next = ARENA_ARRAY(a, f->n_values, uint32_t),
                .has_before = ARENA_ARRAY(a, f->n_values, bool),
                .behind = ARENA_ARRAY(a, f->n_values, uint32_t)};
    IR_FOREACH_INSTR_OF(i, f)
        (adreno_is_aliased(i) ? find_rows : find_vectors)(&g, i);
    IR_FOREACH_INSTR_OF(i, f)
        find_group(&g, i);
    return g.behind;
}

/* Registers are taken in turn, so that they are written again as late as possible: that needs fewer
 * waits for what slow instructions still read. */
void
adreno_register_allocation(ir_fn *f)
{
    cg_state *s = cg_of(f);
    if (!(adreno_prog(f)->debug & ADRENO_DEBUG_NO_OPT))
        s->behind = find_repeat_groups(f, f->arena);
    cg_allocate_registers(f);
    s->behind = NULL;
}
