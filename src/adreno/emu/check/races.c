#include "adreno/emu/check/races.h"

enum { PAGE_BITS = 12, PAGE_BYTES = 1 << PAGE_BITS, FIRST_SIZE = 64 };

#define LOCAL_BASE (UINT64_C(1) << 63) /* local memory in the checker's addresses */

/* The last write and the last read of a byte: by which wave, of which group, in which epoch, which
 * a barrier ends. Waves count from 1; 0 is nobody. */
typedef struct touch {
    uint64_t time; /* accesses before it */
    uint32_t group, epoch;
    uint16_t wave;
    bool atomic, same, is_global, is_load;
} touch;

typedef struct page {
    uint64_t number;
    struct page *next;
    touch writes[PAGE_BYTES], reads[PAGE_BYTES];
} page;

struct adreno_races {
    arena *arena;
    page *table[FIRST_SIZE];
    page *last;
    uint32_t epoch;
    uint64_t time;
    uint64_t *known; /* by wave of the group: what was before is ordered */
    uint32_t n_known;
};

struct adreno_races *
adreno_races_new(arena *a)
{
    struct adreno_races *r = ARENA_NEW(a, struct adreno_races);
    r->arena = a;
    r->n_known = 1024;
    r->known = ARENA_ARRAY(a, r->n_known, uint64_t);
    return r;
}

static page *
page_of(struct adreno_races *r, uint64_t address)
{
    const uint64_t number = address >> PAGE_BITS;
    page **slot = &r->table[number % FIRST_SIZE], *p = r->last;
    if (p && p->number == number)
        return p;
    for (p = *slot; p && p->number != number; p = p->next)
        ;
    if (!p) {
        p = ARENA_NEW(r->arena, page);
        p->number = number;
        p->next = *slot;
        *slot = p;
    }
    r->last = p;
    return p;
}

void
adreno_races_group(adreno_machine *m)
{
    struct adreno_races *r = m->races;
    if (!r)
        return;
    r->epoch++;
    for (uint32_t k = 0; k < r->n_known; k++)
        r->known[k] = 0;
}

void
adreno_races_barrier(adreno_machine *m)
{
    if (m->races)
        m->races->epoch++;
}

static bool
conflicts(const touch *before, const touch *now, uint64_t known)
{
    if (!before->wave || (before->atomic && now->atomic) || now->same || before->time < known)
        return false;
    if (now->is_global && (now->is_load || before->is_load))
        return false;
    if (before->group != now->group)
        return true;
    return before->wave != now->wave && before->epoch == now->epoch;
}

static void
report(adreno_wave *w, const adreno_access *a, const touch *before, bool was_write)
{
    const char *what = was_write ? "stored" : "loaded";
    const char *now = a->kind == ADRENO_LOAD ? "loads" : "stores";
    if (before->group != w->group->number + 1)
        adreno_find(w, ADRENO_RULE_RACE_GROUPS, (int)a->fibre,
                    "it %s %u bytes at 0x%llx, which group number %u has %s", now, a->size,
                    (unsigned long long)a->address, before->group - 1, what);
    else
        adreno_find(w, ADRENO_RULE_RACE_BARRIER, (int)a->fibre,
                    "it %s %u bytes at 0x%llx of %s memory, which wave %u has %s", now, a->size,
                    (unsigned long long)a->address, a->space == ADRENO_LOCAL ? "local" : "global",
                    before->wave - 1u, what);
}

/* An atomic on what another wave has written may have learnt that the other's work is done:
 * everything before is ordered. A loop that polls does so by loads. */
static void
learn(adreno_wave *w, const touch *before, const touch *now)
{
    struct adreno_races *r = w->m->races;
    const bool other = before->group != now->group || before->wave != now->wave;
    if (before->wave && other && (before->atomic || now->atomic) && w->index < r->n_known)
        r->known[w->index] = r->time;
}

void
adreno_races_note(adreno_wave *w, const adreno_access *a)
{
    struct adreno_races *r = w->m->races;
    const touch now = {.time = r->time++,
                       .group = (uint32_t)w->group->number + 1,
                       .epoch = r->epoch,
                       .wave = (uint16_t)(w->index + 1),
                       .atomic = a->kind == ADRENO_ATOMIC,
                       .same = a->same,
                       .is_global = a->space == ADRENO_GLOBAL,
                       .is_load = a->kind == ADRENO_LOAD};
    const uint64_t base = a->space == ADRENO_LOCAL ? LOCAL_BASE : 0;
    const touch *bad = NULL;
    bool was_write = false;
    for (uint32_t i = 0; i < a->size; i++) {
        page *p = page_of(r, base + a->address + i);
        const uint64_t at = (a->address + i) % PAGE_BYTES;
        const bool local_of_other = a->space == ADRENO_LOCAL && p->writes[at].group != now.group;
        learn(w, &p->writes[at], &now);
        const uint64_t known = w->index < r->n_known ? r->known[w->index] : 0;
        if (!local_of_other && conflicts(&p->writes[at], &now, known)) {
            bad = &p->writes[at];
            was_write = true;
        }
        if (a->kind != ADRENO_LOAD && !bad && conflicts(&p->reads[at], &now, known) &&
            (a->space != ADRENO_LOCAL || p->reads[at].group == now.group))
            bad = &p->reads[at];
        if (bad)
            report(w, a, bad, was_write);
        if (a->kind == ADRENO_LOAD)
            p->reads[at] = now;
        else if (!a->same)
            p->writes[at] = now;
        if (bad)
            return;
    }
}
