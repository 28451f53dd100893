#include "adreno/emu/flow/flow.h"

#include "adreno/emu/core/alias.h"

#include <string.h>

/* ---- sets of fibres ---- */

static adreno_fibres
active_of(const adreno_wave *w)
{
    adreno_fibres s;
    memcpy(s.word, w->active, sizeof s.word);
    return s;
}

static void
activate(adreno_wave *w, const adreno_fibres *s)
{
    memcpy(w->active, s->word, sizeof w->active);
}

static void
add(adreno_fibres *s, unsigned fibre)
{
    s->word[fibre / 64] |= UINT64_C(1) << fibre % 64;
}

static bool
is_empty(const adreno_fibres *s)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < ADRENO_FIBRE_WORDS; i++)
        any |= s->word[i];
    return !any;
}

/* ---- waiting fibres ---- */

static uint32_t
lowest_place(const adreno_wave *w)
{
    return w->n_waiting ? w->waiting[w->n_waiting - 1].place : UINT32_MAX;
}

static void
unite(adreno_fibres *s, const adreno_fibres *with)
{
    for (unsigned i = 0; i < ADRENO_FIBRE_WORDS; i++)
        s->word[i] |= with->word[i];
}

/* Those who wait at the lowest place become active beside those who are. */
static void
join(adreno_wave *w)
{
    adreno_fibres all = active_of(w);
    unite(&all, &w->waiting[--w->n_waiting].fibres);
    activate(w, &all);
}

static void
check_stack(adreno_wave *w)
{
    if (w->m->d->branch_stack && w->n_waiting > w->m->d->branch_stack)
        adreno_find(w, ADRENO_RULE_BRANCH_STACK, -1, "fibres wait at %u places, %u were stated",
                    w->n_waiting, w->m->d->branch_stack);
}

static void
park(adreno_wave *w, const adreno_fibres *s, uint32_t place)
{
    uint32_t k = w->n_waiting;
    if (is_empty(s))
        return;
    while (k && w->waiting[k - 1].place < place)
        k--;
    if (k && w->waiting[k - 1].place == place) {
        unite(&w->waiting[k - 1].fibres, s);
    } else {
        memmove(&w->waiting[k + 1], &w->waiting[k], (w->n_waiting - k) * sizeof *w->waiting);
        w->waiting[k] = (adreno_waiting){place, *s};
        w->n_waiting++;
    }
    check_stack(w);
}

/* Nobody is active: those at the lowest place go on. */
static void
resume(adreno_wave *w)
{
    memset(w->active, 0, sizeof w->active);
    if (!w->n_waiting) {
        w->state = ADRENO_WAVE_ENDED;
        return;
    }
    w->pc = lowest_place(w);
}

void
adreno_flow_arrive(adreno_wave *w)
{
    const adreno_machine *m = w->m;
    if (!w->n_waiting || lowest_place(w) != w->pc)
        return;
    if (w->pc < m->n_insts && !m->insts[w->pc].f[ADRENO_F_jp]) {
        w->at = w->pc;
        adreno_find(w, ADRENO_RULE_RECONVERGE, -1,
                    "fibres wait here for the wave, but the instruction has no (jp)");
    }
    join(w);
}

/* ---- branches ---- */

static uint32_t
target_of(const adreno_wave *w, const adreno_inst *in)
{
    return w->at + in->f[ADRENO_F_imm];
}

/* All active fibres go to `target`. */
static void
go_to(adreno_wave *w, uint32_t target)
{
    const adreno_fibres all = active_of(w);
    if (target > w->pc && lowest_place(w) < target) {
        park(w, &all, target);
        resume(w);
        return;
    }
    w->pc = target;
}

/* The fibres in `taken` go to `target`, the others on. */
static void
branch(adreno_wave *w, const adreno_fibres *taken, uint32_t target)
{
    adreno_fibres rest = active_of(w);
    for (unsigned i = 0; i < ADRENO_FIBRE_WORDS; i++)
        rest.word[i] &= ~taken->word[i];
    if (is_empty(taken))
        return;
    if (is_empty(&rest)) {
        go_to(w, target);
        return;
    }
    const bool goes_back = target < w->pc;
    park(w, goes_back ? &rest : taken, goes_back ? w->pc : target);
    activate(w, goes_back ? taken : &rest);
    if (goes_back)
        w->pc = target;
}

static bool
predicate(adreno_wave *w, unsigned fibre, unsigned component)
{
    const unsigned reg = ADRENO_NUMBER_P0 + component;
    if (!adreno_wave_is_defined(w, fibre, reg, false))
        adreno_find(w, ADRENO_RULE_UNDEFINED_BRANCH, (int)fibre, "p0.%c is not defined",
                    "xyzw"[component]);
    return adreno_wave_read(w, fibre, reg, false) != 0;
}

/* The fibres in which the instruction's condition holds. */
static adreno_fibres
condition(adreno_wave *w, const adreno_inst *in)
{
    adreno_fibres s = {0};
    ADRENO_FOREACH_FIBRE(f, w) {
        bool a = predicate(w, f, in->f[ADRENO_F_comp1]) != (in->f[ADRENO_F_inv1] != 0), b = a;
        if (in->op == ADRENO_BRAO || in->op == ADRENO_BRAA)
            b = predicate(w, f, in->f[ADRENO_F_comp2]) != (in->f[ADRENO_F_inv2] != 0);
        if (in->op == ADRENO_BRAO ? a || b : a && b)
            add(&s, f);
    }
    return s;
}

/* bany, ball: all fibres go the same way. */
static void
branch_together(adreno_wave *w, const adreno_inst *in)
{
    const adreno_fibres s = condition(w, in), all = active_of(w);
    const bool holds = in->op == ADRENO_BANY ? !is_empty(&s) : memcmp(&s, &all, sizeof s) == 0;
    if (holds)
        go_to(w, target_of(w, in));
}

/* All fibres but the first go to the target. */
static void
get_one(adreno_wave *w, const adreno_inst *in)
{
    adreno_fibres rest = active_of(w);
    const unsigned first = adreno_wave_first(w);
    if (first < w->n_fibres)
        rest.word[first / 64] &= ~(UINT64_C(1) << first % 64);
    branch(w, &rest, target_of(w, in));
}

/* In the first cluster of eight that has active fibres all but the last of these go to the target,
 * whatever size the instruction names (ir3-cat0.xml of Mesa). */
static void
get_last(adreno_wave *w, const adreno_inst *in)
{
    enum { CLUSTER = 8 };
    adreno_fibres leave = {0};
    const unsigned first = adreno_wave_first(w), end = first / CLUSTER * CLUSTER + CLUSTER;
    unsigned last = first;
    for (unsigned f = first + 1; f < end && f < w->n_fibres; f++) {
        if (!adreno_wave_is_active(w, f))
            continue;
        add(&leave, last);
        last = f;
    }
    branch(w, &leave, target_of(w, in));
}

/* ---- predication ---- */

static void
predicate_by(adreno_wave *w, bool when)
{
    adreno_fibres on = {0};
    if (!w->is_predicated)
        w->outside = active_of(w);
    w->is_predicated = true;
    activate(w, &w->outside);
    ADRENO_FOREACH_FIBRE(f, w) {
        if (predicate(w, f, 0) == when)
            add(&on, f);
    }
    activate(w, &on);
}

static void
end_predication(adreno_wave *w)
{
    if (w->is_predicated)
        activate(w, &w->outside);
    w->is_predicated = false;
}

/* ---- the rest ---- */

/* One wave runs the preamble, which writes constants for all. */
static void
start_preamble(adreno_wave *w, const adreno_inst *in)
{
    adreno_machine *m = w->m;
    switch (m->preamble) {
    case ADRENO_PREAMBLE_DONE: go_to(w, target_of(w, in)); break;
    case ADRENO_PREAMBLE_RUNS:
        w->state = ADRENO_WAVE_WAITING;
        w->pc = w->at;
        break;
    default:
        m->preamble = ADRENO_PREAMBLE_RUNS;
        w->in_preamble = true;
        break;
    }
}

static void
end_preamble(adreno_wave *w)
{
    if (w->in_preamble)
        w->m->preamble = ADRENO_PREAMBLE_DONE;
    w->in_preamble = false;
}

/* Killed fibres go on as helpers. */
static void
kill(adreno_wave *w, const adreno_inst *in)
{
    const adreno_fibres s = condition(w, in);
    for (unsigned k = 0; k < ADRENO_FIBRE_WORDS; k++) {
        w->helpers.word[k] |= s.word[k];
        w->killed.word[k] |= s.word[k];
    }
}

static bool
execute_branch(adreno_wave *w, const adreno_inst *in)
{
    adreno_fibres s;
    if (w->is_predicated && in->op != ADRENO_NOP)
        adreno_find(w, ADRENO_RULE_PREDICATED_FLOW, -1, "the wave is predicated here");
    switch (in->op) {
    case ADRENO_BR:
    case ADRENO_BRAO:
    case ADRENO_BRAA:
        s = condition(w, in);
        branch(w, &s, target_of(w, in));
        return true;
    case ADRENO_BANY:
    case ADRENO_BALL: branch_together(w, in); return true;
    case ADRENO_JUMP: go_to(w, target_of(w, in)); return true;
    case ADRENO_GETONE: get_one(w, in); return true;
    case ADRENO_GETLAST: get_last(w, in); return true;
    case ADRENO_KILL: kill(w, in); return true;
    case ADRENO_SHPS: start_preamble(w, in); return true;
    case ADRENO_END: resume(w); return true;
    default: return false;
    }
}

bool
adreno_execute_flow(adreno_wave *w, const adreno_inst *in)
{
    switch (in->op) {
    case ADRENO_NOP:
    case ADRENO_SLEEP:
    case ADRENO_FENCE: /* memory is one and in order here */
    case ADRENO_ICINV:
    case ADRENO_DCCLN:
    case ADRENO_DCINV:
    case ADRENO_DCFLU:
    case ADRENO_CCINV: return true;
    case ADRENO_PREDT: predicate_by(w, true); return true;
    case ADRENO_PREDF: predicate_by(w, false); return true;
    case ADRENO_PREDE: end_predication(w); return true;
    case ADRENO_SHPE: end_preamble(w); return true;
    case ADRENO_ALIAS: return adreno_alias_add(w, in);
    case ADRENO_BAR: w->state = ADRENO_WAVE_AT_BARRIER; return true;
    default: return execute_branch(w, in);
    }
}
