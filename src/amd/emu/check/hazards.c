/* The *hazards* checker: finds hazards that the hardware does not resolve and the program must
 * avoid (hazards.h, hazards.def).
 *
 * Rules are checked along the path that a wave executes. Before each instruction the checker
 * reports the hazards that hit it, clears those it mitigates, and records those it creates. Rules
 * that count wait states search the ring of the last instructions as far back as the rule reaches;
 * a register that another instruction has written since is safe. Pending rules keep one set of
 * registers before the middle instruction and one after it; a rule of two instructions has only the
 * first set.
 */
#include "amd/emu/check/hazards.h"

#include "amd/emu/check/check.h"
#include "amd/emu/core/findings.h"

#include <stdarg.h>
#include <stdio.h>

enum { SCALARS = EMU_SREGS, VECTORS = HAZARD_HWREG0 - AMD_REG_VGPR0 };

/* The number of registers in the rule's space, which is the number of bits in a stage. */
static uint32_t
space_size(hazard_space s)
{
    return s == HAZARD_S_NONE ? 1 : s == HAZARD_S_VECTOR ? VECTORS : SCALARS;
}

static hazard_stage *
new_stage(arena *a, const hazard_rule *r)
{
    uint32_t n = space_size(r->space);
    hazard_stage *s = ARENA_NEW(a, hazard_stage);
    s->bits = ARENA_ARRAY(a, (n + 63) / 64, uint64_t);
    s->by = ARENA_ARRAY(a, n, const emu_inst *);
    s->at = ARENA_ARRAY(a, n, uint32_t);
    return s;
}

struct emu_hazards *
amd_emu_hazards_new(arena *a, const struct hazard_set *set)
{
    struct emu_hazards *h = ARENA_NEW(a, struct emu_hazards);
    h->set = set;
    for (uint32_t k = 0; k < set->n; k++) {
        if (!(set->pending >> k & 1))
            continue;
        h->stages[k][0] = new_stage(a, set->rules[k]);
        if (set->rules[k]->middle.is)
            h->stages[k][1] = new_stage(a, set->rules[k]);
    }
    return h;
}

static void
clear_stage(const hazard_rule *r, hazard_stage *s)
{
    if (s && s->any) {
        memset(s->bits, 0, (space_size(r->space) + 63) / 64 * sizeof *s->bits);
        s->any = false;
    }
}

void
amd_emu_hazards_start(emu_wave *w)
{
    struct emu_hazards *h = w->hazards;
    for (uint64_t left = h->open; left; left &= left - 1) {
        uint32_t k = base_ctz64(left);
        clear_stage(h->set->rules[k], h->stages[k][0]);
        clear_stage(h->set->rules[k], h->stages[k][1]);
    }
    h->live = h->open = 0;
    h->n = h->n_valu = h->clause = 0;
    h->since_trans = HAZARD_VALU_RING;
}

/* Does the instruction write all of `u`'s registers? */
static bool
overwrites(const emu_inst *i, const hazard_use *u)
{
    const struct emu_hazard_info *info = i->hazards;
    for (uint32_t k = 0; k < info->n_uses; k++) {
        const hazard_use *v = &info->uses[k];
        if (v->how & HAZARD_WRITE && v->code <= u->code && v->code + v->count >= u->code + u->count)
            return true;
    }
    return false;
}

/* The wait states that the rule requires between `first` and `second`, whose use `b` is affected; 0
 * if none. */
static uint32_t
states_needed(const hazard_rule *r, const emu_inst *first, const emu_inst *second,
              const hazard_use *b, amd_gen gen)
{
    const struct emu_hazard_info *info = first->hazards;
    if (r->space == HAZARD_S_NONE)
        return r->need ? r->need(first, NULL, second, NULL, gen) : r->states;
    uint32_t most = 0;
    for (uint32_t k = 0; k < info->n_uses; k++) {
        const hazard_use *a = &info->uses[k];
        if (!(a->how & r->first.how) || !amd_emu_hazard_overlap(r->space, a, b))
            continue;
        uint32_t n = r->need ? r->need(first, a, second, b, gen) : r->states;
        most = n > most ? n : most;
    }
    return most;
}

/* Entry `k` of the ring, counted backwards. */
static const hazard_issue *
issue_before(const struct emu_hazards *h, uint32_t k)
{
    return &h->ring[(h->n - 1 - k) % HAZARD_RING];
}

/* Was each SGPR that `b` reads and that entry `k` accesses written again behind it? Then `b` reads
 * what others have written. (Of vector registers clang counts the states all the same.) */
static bool
is_written_again(const struct emu_hazards *h, const hazard_rule *r, uint32_t k, const emu_inst *i,
                 const hazard_use *b)
{
    if (!b || r->any_write || r->need || r->space != HAZARD_S_SCALAR || !(b->how & HAZARD_READ))
        return false;
    for (uint32_t n = 0; n < b->count; n++) {
        hazard_use one = *b;
        one.code += n;
        one.count = 1;
        if (!states_needed(r, issue_before(h, k)->inst, i, &one, h->set->gen))
            continue;
        uint32_t newer = 0;
        while (newer < k && !overwrites(issue_before(h, newer)->inst, &one))
            newer++;
        if (newer == k)
            return false;
    }
    return true;
}

/* Searches backwards for an instruction that matches the rule's first side and is too close to `i`.
 * `b` is the use that `i` makes (NULL: the rule has classes only). */
static bool
look_back(emu_wave *w, const emu_inst *i, uint32_t rule, const hazard_use *b)
{
    const struct emu_hazards *h = w->hazards;
    const hazard_rule *r = h->set->rules[rule];
    for (uint32_t k = 0; k < HAZARD_RING && k < h->n; k++) {
        const hazard_issue *e = issue_before(h, k);
        uint32_t between = h->time - e->time - e->inst->hazards->states;
        if (between >= r->states)
            return false;
        if (e->inst->hazards->first >> rule & 1) {
            uint32_t need = states_needed(r, e->inst, i, b, h->set->gen);
            if (between < need && !is_written_again(h, r, k, i, b)) {
                amd_emu_hazard_report(w, r, e->inst, "needs %u wait states between, there are %u",
                                      need, between);
                return true;
            }
        }
        if (b && !r->any_write && b->how & HAZARD_READ && overwrites(e->inst, b))
            return false;
    }
    return false;
}

static void
check_counted(emu_wave *w, const emu_inst *i, uint32_t rule)
{
    struct emu_hazards *h = w->hazards;
    const hazard_rule *r = h->set->rules[rule];
    const struct emu_hazard_info *info = i->hazards;
    if (r->space == HAZARD_S_NONE) {
        look_back(w, i, rule, NULL);
        return;
    }
    for (uint32_t k = 0; k < info->n_uses; k++)
        if (info->uses[k].how & r->second.how && look_back(w, i, rule, &info->uses[k]))
            return;
}

/* The bit that a register has in a stage. */
static uint32_t
stage_bit(hazard_space s, uint32_t code)
{
    return s == HAZARD_S_NONE ? 0 : s == HAZARD_S_VECTOR ? code - AMD_REG_VGPR0 : code;
}

static bool
is_pending(const struct emu_hazards *h, const hazard_rule *r, const hazard_stage *s, uint32_t bit,
           const emu_inst *i)
{
    if (!(s->bits[bit / 64] >> (bit % 64) & 1))
        return false;
    uint32_t limit = r->salus + (i->hazards->classes & HAZARD_C(VALU) ? 1 : 0);
    return !r->salus || h->salus - s->at[bit] < limit;
}

static void
report_pending(emu_wave *w, uint32_t rule, uint32_t bit)
{
    const struct emu_hazards *h = w->hazards;
    const hazard_rule *r = h->set->rules[rule];
    const emu_inst *first = h->stages[rule][0]->by[bit];
    char armed[112] = "";
    if (h->stages[rule][1])
        amd_emu_print_inst(w, h->stages[rule][1]->by[bit], armed, sizeof armed);
    amd_emu_hazard_report(w, r, first, "%s%s%sis not mitigated", armed[0] ? "then `" : "", armed,
                          armed[0] ? "` " : "");
}

static void
check_pending(emu_wave *w, const emu_inst *i, uint32_t rule)
{
    const struct emu_hazards *h = w->hazards;
    const hazard_rule *r = h->set->rules[rule];
    const hazard_stage *s = h->stages[rule][r->middle.is ? 1 : 0];
    const struct emu_hazard_info *info = i->hazards;
    if (!s->any)
        return;
    if (r->space == HAZARD_S_NONE) {
        if (is_pending(h, r, s, 0, i))
            report_pending(w, rule, 0);
        return;
    }
    for (uint32_t k = 0; k < info->n_uses; k++) {
        const hazard_use *u = &info->uses[k];
        for (uint32_t code = u->code; u->how & r->second.how && code < (uint32_t)u->code + u->count;
             code++) {
            if (!amd_emu_hazard_in_space(r->space, code) ||
                !is_pending(h, r, s, stage_bit(r->space, code), i))
                continue;
            report_pending(w, rule, stage_bit(r->space, code));
            return;
        }
    }
}

/* Marks in stage `to` the registers that `i` makes pending; with `from`, only those that are
 * pending there. */
static void
set_pending(struct emu_hazards *h, uint32_t rule, const emu_inst *i, const hazard_side *side,
            hazard_stage *to, const hazard_stage *from)
{
    const hazard_rule *r = h->set->rules[rule];
    const struct emu_hazard_info *info = i->hazards;
    hazard_use none = {0, 1, UINT16_MAX};
    bool alone = r->space == HAZARD_S_NONE;
    for (uint32_t k = 0; k < (alone ? 1 : info->n_uses); k++) {
        const hazard_use *u = alone ? &none : &info->uses[k];
        if (!alone && !(u->how & side->how))
            continue;
        uint32_t code = u->code, end = code + u->count;
        if (r->pairs && !from) {
            code &= ~1u;
            end = (end + 1) & ~1u;
        }
        for (; code < end; code++) {
            uint32_t bit = stage_bit(r->space, code);
            if (!alone && !amd_emu_hazard_in_space(r->space, code))
                continue;
            if (from && !(from->bits[bit / 64] >> (bit % 64) & 1))
                continue;
            to->bits[bit / 64] |= UINT64_C(1) << (bit % 64);
            to->by[bit] = info->written;
            to->at[bit] = h->salus;
            to->any = true;
            h->open |= UINT64_C(1) << rule;
        }
    }
}

static void
end_pending(struct emu_hazards *h, uint64_t rules, unsigned stage)
{
    for (uint64_t left = rules & h->open; left; left &= left - 1) {
        uint32_t k = base_ctz64(left);
        clear_stage(h->set->rules[k], h->stages[k][stage]);
        if (!h->stages[k][0]->any && !(h->stages[k][1] && h->stages[k][1]->any))
            h->open &= ~(UINT64_C(1) << k);
    }
}

static void
note_pending(struct emu_hazards *h, const emu_inst *i)
{
    const struct emu_hazard_info *info = i->hazards;
    end_pending(h, info->end1, 0);
    end_pending(h, info->end2, 1);
    for (uint64_t left = info->middle & h->open; left; left &= left - 1) {
        uint32_t k = base_ctz64(left);
        set_pending(h, k, i, &h->set->rules[k]->middle, h->stages[k][1], h->stages[k][0]);
    }
    for (uint64_t left = info->first & h->set->pending; left; left &= left - 1) {
        uint32_t k = base_ctz64(left);
        set_pending(h, k, i, &h->set->rules[k]->first, h->stages[k][0], NULL);
    }
}

/* Updates the counts that rules use. */
static void
count_issue(struct emu_hazards *h, const emu_inst *i)
{
    const struct emu_hazard_info *info = i->hazards;
    h->ring[h->n++ % HAZARD_RING] = (hazard_issue){i, h->time};
    h->time += info->states;
    h->live |= info->first & h->set->counted;
    if (info->waits & HAZARD_WAIT_VA_VDST) {
        h->n_valu = 0;
        h->since_trans = HAZARD_VALU_RING;
    }
    if (info->classes & HAZARD_C(VALU)) {
        h->since_trans = info->classes & HAZARD_C(TRANS) ? 0 : h->since_trans + 1;
        h->valu[h->n_valu % HAZARD_VALU_RING].inst = i;
        h->valu[h->n_valu++ % HAZARD_VALU_RING].execs = h->execs;
    }
    if (info->classes & HAZARD_C(SALU_REAL)) {
        h->salus++;
        h->execs += info->writes_exec;
    }
    h->clause -= h->clause > 0;
    if (i->in.op == AMD_S_CLAUSE)
        h->clause = ((uint32_t)i->in.imm & 63) + 1;
}

static void
check_hits(emu_wave *w, const emu_inst *i, uint64_t hits)
{
    struct emu_hazards *h = w->hazards;
    for (uint64_t left = hits; left; left &= left - 1) {
        uint32_t k = base_ctz64(left);
        const hazard_rule *r = h->set->rules[k];
        if (r->test)
            r->test(w, i, r);
        else if (h->set->counted >> k & 1)
            check_counted(w, i, k);
        else
            check_pending(w, i, k);
    }
}

/* Clears the rules whose first instruction has left the ring. Called only when the ring wraps
 * around. */
static void
forget_old(struct emu_hazards *h)
{
    uint64_t live = 0;
    for (uint32_t k = 0; k < HAZARD_RING && k < h->n; k++)
        live |= h->ring[k].inst->hazards->first;
    h->live = live & h->set->counted;
}

/* A copy, for the rings, of an instruction whose registers differ from the one in the code. */
static const emu_inst *
keep_moved(emu_wave *w, const emu_inst *i)
{
    struct emu_hazards *h = w->hazards;
    if (!h->moved)
        h->moved = ARENA_ARRAY(w->m->arena, HAZARD_RING, hazard_moved);
    hazard_moved *to = &h->moved[h->n_moved++ % HAZARD_RING];
    to->inst = *i;
    amd_emu_hazard_describe(h->set, i, w->at, w->lanes > 32, &to->info);
    to->inst.hazards = &to->info;
    return &to->inst;
}

void
amd_emu_hazards_before(emu_wave *w, const emu_inst *i)
{
    struct emu_hazards *h = w->hazards;
    if (i != w->at)
        i = keep_moved(w, i);
    const struct emu_hazard_info *info = i->hazards;
    uint64_t hits = info->second & (h->live | h->open | h->set->tests);
    if (hits)
        check_hits(w, i, hits);
    if ((info->first & h->set->pending) | ((info->end1 | info->end2 | info->middle) & h->open))
        note_pending(h, i);
    count_issue(h, i);
    if (h->n % HAZARD_RING == 0)
        forget_old(h);
}
