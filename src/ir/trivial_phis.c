/* Removes phis of one value.
 *
 * A phi is trivial if its operands, other than itself, are one value (Braun et al., "Simple and
 * Efficient Construction of Static Single Assignment Form", 2013). When it goes, phis that use it
 * may become trivial too. Most are found by going once over all phis, from the last to the first,
 * as inner loops' phis come late; those that are left wait until one of their operands is replaced.
 * A value's list of waiting phis then moves to what replaces it.
 */
#include "ir/ssa_repair.h"

typedef struct waiting {
    uint32_t phi, next; /* numbers + 1 */
} waiting;

typedef struct trivial {
    ir_replacement *m;
    ir_instr *const *phis;
    size_t n;
    ir_phi_choice choose;
    void *user;
    uint32_t *first; /* by value: number of its first entry in `waits` + 1 */
    size_t n_first;
    waiting *waits;
    uint32_t *work; /* numbers of phis to look at again */
    size_t n_work;
    bool *in_work;
} trivial;

/* How many values the phi merges besides itself, as they are after replacement: 0, 1, or 2 for
 * more. One of them is left in `*only`. Constants without a value count as 2. */
static unsigned
phi_values(const ir_replacement *m, const ir_instr *phi, ir_ref *only)
{
    *only = ir_none();
    for (unsigned r = 0; r < phi->n_refs; r++) {
        ir_ref ref = ir_replace_follow(m, phi->refs[r]);
        if (!ir_is_value(ref))
            return 2;
        if (ref.id == phi->defs[0].id || ir_same_ref(ref, *only))
            continue;
        if (ir_is_value(*only))
            return 2;
        *only = ref;
    }
    return ir_is_value(*only);
}

/* Is the phi already replaced? */
static bool
is_gone(const trivial *t, const ir_instr *phi)
{
    return ir_is_replaced(t->m, phi->defs[0]);
}

static bool
try_replace(const trivial *t, ir_instr *phi)
{
    ir_ref only;
    if (is_gone(t, phi) || phi_values(t->m, phi, &only) > 1)
        return false;
    if (t->choose)
        only = t->choose(t->user, phi, only);
    if (!ir_is_value(only))
        return false;
    ir_replace_add(t->m, phi->defs[0].id, only);
    ir_remove(phi);
    return true;
}

static void
push(trivial *t, uint32_t number)
{
    if (t->in_work[number])
        return;
    t->in_work[number] = true;
    t->work[t->n_work++] = number;
}

/* Lists the phis that are left by the values that they use. */
static void
find_waiting(trivial *t, size_t n_refs)
{
    arena *a = t->m->f->ctx->scratch;
    uint32_t n_waits = 0;
    t->n_first = t->m->f->n_values;
    t->first = ARENA_ARRAY(a, t->n_first, uint32_t);
    t->waits = ARENA_ARRAY(a, n_refs, waiting);
    t->work = ARENA_ARRAY(a, t->n, uint32_t);
    t->in_work = ARENA_ARRAY(a, t->n, bool);
    for (uint32_t p = 0; p < t->n; p++) {
        const ir_instr *phi = t->phis[p];
        if (is_gone(t, phi))
            continue;
        push(t, p);
        for (unsigned r = 0; r < phi->n_refs; r++) {
            ir_ref ref = ir_replace_follow(t->m, phi->refs[r]);
            if (!ir_is_value(ref))
                continue;
            t->waits[n_waits++] = (waiting){p + 1, t->first[ref.id]};
            t->first[ref.id] = n_waits;
        }
    }
}

/* Value `id` was replaced: the phis that wait for it are examined again, and wait for its
 * replacement from now on. */
static void
move_waiting(trivial *t, uint32_t id)
{
    uint32_t to = t->m->to[id].id, at = t->first[id], last = 0;
    for (; at; last = at, at = t->waits[at - 1].next)
        push(t, t->waits[at - 1].phi - 1);
    if (!last || to >= t->n_first) /* new values are not phis of the list */
        return;
    t->waits[last - 1].next = t->first[to];
    t->first[to] = t->first[id];
}

bool
ir_replace_trivial_phis(ir_replacement *m, ir_instr *const *phis, size_t n, ir_phi_choice choose,
                        void *user)
{
    trivial t = {.m = m, .phis = phis, .n = n, .choose = choose, .user = user};
    size_t n_refs = 0, n_left = 0;
    for (size_t p = n; p-- > 0;) {
        bool gone = try_replace(&t, phis[p]);
        n_left += !gone;
        n_refs += gone ? 0 : phis[p]->n_refs;
    }
    if (n_left == n || !n_left)
        return n_left != n;
    find_waiting(&t, n_refs);
    while (t.n_work) {
        uint32_t number = t.work[--t.n_work];
        t.in_work[number] = false;
        if (try_replace(&t, phis[number]))
            move_waiting(&t, phis[number]->defs[0].id);
    }
    return true;
}
