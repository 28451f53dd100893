/* The *races* checker: finds two accesses to the same bytes, at least one of them a write, that
 * nothing orders.
 *
 * An access is ordered before one of a different wave by:
 *
 * - a barrier between them in one workgroup, if the access was waited for before the barrier. A
 *   store or load counts as unfinished until its counter shows that it has ended. A wave that ends
 *   has waited for everything. A group on one compute unit (CU mode) need only wait until its
 *   instructions have read their VGPRs (vm_vsrc), since LDS and the unit's cache keep their order;
 * - synchronisation through memory. A wave that does an atomic, or a coherent load (glc; gfx942:
 *   sc0 or sc1; gfx12: a scope), on bytes that another wave touched atomically or wrote may have
 *   learnt from it that the other wave's work is done. Everything the other wave has issued until
 *   then, and everything it had learnt about others, counts as ordered. Across workgroups such an
 *   access orders the accesses of all other groups. So a program that synchronises by atomics is
 *   never reported, and one whose atomics synchronise nothing may be missed.
 *
 * A store to bytes that were last changed by an atomic of the same wave counts as atomic, because
 * locks are released that way. (Failed attempts of other waves to take the lock change nothing.)
 *
 * A plain load that races with another wave's atomic is a guess if the loading wave then does an
 * atomic of its own on the same bytes: compilers begin compare-and-swap loops that way, and the
 * loop detects a wrong guess. It is reported only if no such atomic follows before the next barrier
 * or the wave's end.
 *
 * These never conflict: two atomics; a coherent load and a write, because flags are read that way;
 * a store of the value that is already there, except with another wave's store of a different
 * value. Accesses within a wave are in order. Only atomics order the groups of a dispatch. LDS
 * atomic loads and stores are plain instructions; code that polls LDS with them is reported.
 *
 * A group's time is counted in epochs, from barrier to barrier. Accesses are numbered records: the
 * instruction, its wave, the epoch in which it was issued and the epoch in which it was known to
 * have ended. Several executions of one instruction by a wave share a record as long as no other
 * wave could have learnt of them in between.
 *
 * Stages of draws only tell what they have accessed: all their accesses count as ordered, and an
 * instruction has one record for all waves.
 */
#include "amd/emu/check/races.h"

#include "amd/emu/check/check.h"
#include "amd/emu/check/race_shadow.h"
#include "amd/emu/check/waits.h"
#include "amd/emu/core/findings.h"
#include "amd/emu/core/shadow.h"

#include <stdio.h>

enum {
    MAX_PENDING = 256,
    MAX_GUESSES = 128,
    RECENT = 16,           /* recent records that a wave may reuse */
    MAX_RECORDS = 1 << 22, /* when all are used, the history starts over */
};

/* A counter that is not waited for; the end of an access that was never waited for. */
#define NEVER UINT32_MAX

/* The effects of an access, for messages and conflict rules. */
enum {
    READS = AMD_EMU_READS,
    WRITES = AMD_EMU_WRITES,
    ATOMIC = AMD_EMU_ATOMIC,
    COHERENT = AMD_EMU_COHERENT,
    SAME = 128,
};

typedef struct record {
    const emu_inst *inst; /* decoded code, which may be gone when accesses are told at the end */
    uint64_t pc;
    uint32_t group; /* number within the dispatch, from 1 */
    uint16_t wave, pending;
    uint8_t kind; /* READS ... */
    bool is_scalar;
    uint32_t serial; /* increases with each record */
    uint32_t epoch, done;
} record;

typedef struct pending_op {
    uint32_t record;
    uint8_t order[AMD_WAIT_COUNT];
} pending_op;

/* A load that conflicts with an atomic, kept until it is known whether the wave does an atomic
 * itself. */
typedef struct guess {
    uint64_t address;
    const emu_inst *load;
    uint32_t other; /* the record of the atomic */
    int lane;
} guess;

struct emu_race_wave {
    uint32_t record;       /* the record of the instruction being executed; 0: none yet */
    uint32_t epoch;        /* increases with each barrier, and from group to group */
    uint32_t turn;         /* increases when other waves may have learnt of this wave's accesses */
    uint32_t groups_known; /* records of other groups up to this serial are ordered before */
    uint32_t *known;       /* the same, for each wave of the group */
    uint32_t n_pending;
    pending_op pending[MAX_PENDING];
    uint32_t n_guesses;
    guess guesses[MAX_GUESSES];
    struct {
        const emu_inst *inst;
        uint32_t record, epoch, turn;
    } recent[RECENT];
};

struct emu_races {
    arena *arena;
    race_shadow shadow;
    record *records;
    uint32_t n_records, cap;
    uint32_t serial, epoch, group, n_waves;
    bool records_alone; /* nothing is compared */
};

struct emu_races *
amd_emu_races_new(arena *a, uint32_t n_waves)
{
    struct emu_races *r = ARENA_NEW(a, struct emu_races);
    r->arena = a;
    r->shadow.arena = a;
    r->n_records = 1;
    r->cap = 1024;
    r->records = ARENA_ARRAY(a, r->cap, record);
    r->n_waves = n_waves;
    return r;
}

struct emu_races *
amd_emu_races_record(arena *a, uint32_t n_waves)
{
    struct emu_races *r = amd_emu_races_new(a, n_waves);
    r->records_alone = true;
    return r;
}

struct emu_race_wave *
amd_emu_races_wave(const struct emu_races *r)
{
    struct emu_race_wave *v = ARENA_NEW(r->arena, struct emu_race_wave);
    v->known = ARENA_ARRAY(r->arena, r->n_waves, uint32_t);
    return v;
}

void
amd_emu_races_start(emu_group *g)
{
    struct emu_races *r = g->waves[0].m->races;
    r->group++;
    r->epoch += !r->records_alone;
    for (uint32_t k = 0; k < g->n_waves; k++) {
        struct emu_race_wave *v = g->waves[k].race;
        v->record = v->n_pending = v->groups_known = v->n_guesses = 0;
        v->epoch = r->epoch;
        memset(v->known, 0, r->n_waves * sizeof *v->known);
        if (!r->records_alone)
            memset(v->recent, 0, sizeof v->recent);
    }
}

static void
end_op(struct emu_races *r, const struct emu_race_wave *v, const pending_op *o)
{
    record *c = &r->records[o->record];
    if (c->pending && --c->pending == 0)
        c->done = v->epoch;
}

/* Removes the operations that no counter counts any more. */
static void
drop_ended(struct emu_races *r, struct emu_race_wave *v)
{
    static const uint8_t none[AMD_WAIT_COUNT];
    uint32_t kept = 0;
    for (uint32_t k = 0; k < v->n_pending; k++) {
        if (memcmp(v->pending[k].order, none, sizeof none))
            v->pending[kept++] = v->pending[k];
        else
            end_op(r, v, &v->pending[k]);
    }
    v->n_pending = kept;
}

void
amd_emu_races_until(emu_wave *w, const uint32_t counts[AMD_WAIT_COUNT])
{
    struct emu_race_wave *v = w->race;
    if (!v || !v->n_pending)
        return;
    for (unsigned c = 0; c < AMD_WAIT_COUNT; c++) {
        uint32_t later[EMU_ORDER_STORE + 1] = {0};
        for (uint32_t k = v->n_pending; counts[c] != NEVER && k-- > 0;) {
            uint8_t *order = &v->pending[k].order[c];
            uint32_t was = *order;
            if (was && counts[c] <= later[was])
                *order = EMU_NOT_COUNTED;
            later[was] += was > EMU_ANY_ORDER;
        }
    }
    drop_ended(w->m->races, v);
}

void
amd_emu_races_sent(emu_wave *w)
{
    static const uint32_t zeros[AMD_WAIT_COUNT];
    amd_emu_races_until(w, zeros);
}

static uint32_t
kind_of(const emu_inst *i)
{
    uint32_t f = i->row->flags;
    if (f & AMD_F_ATOMIC)
        return READS | WRITES | ATOMIC;
    return f & AMD_F_STORE ? WRITES
                           : READS | (i->in.glc || i->in.sc1 || i->in.scope ? COHERENT : 0);
}

/* Adds a record; when the records are used up, the whole history is dropped. */
static uint32_t
new_record(emu_wave *w, const emu_inst *i)
{
    struct emu_races *r = w->m->races;
    if (r->n_records == MAX_RECORDS) {
        r->shadow = (race_shadow){.arena = r->arena};
        r->n_records = 1;
        for (uint32_t k = 0; k < w->group->n_waves; k++) {
            w->group->waves[k].race->n_pending = w->group->waves[k].race->n_guesses = 0;
            memset(w->group->waves[k].race->recent, 0, sizeof w->race->recent);
        }
    }
    if (r->n_records == r->cap) {
        record *old = r->records;
        r->cap *= 2;
        r->records = ARENA_ARRAY(r->arena, r->cap, record);
        memcpy(r->records, old, r->n_records * sizeof *old);
    }
    r->records[r->n_records] = (record){.inst = i,
                                        .pc = i->pc,
                                        .is_scalar = i->in.fmt == AMD_SMEM,
                                        .kind = (uint8_t)kind_of(i),
                                        .group = r->group,
                                        .wave = (uint16_t)w->index,
                                        .serial = ++r->serial,
                                        .epoch = w->race->epoch,
                                        .done = w->race->epoch};
    return r->n_records++;
}

static uint32_t
find_record(emu_wave *w, const emu_inst *i)
{
    struct emu_race_wave *v = w->race;
    uint32_t at = (uint32_t)(i->pc >> 2) % RECENT;
    if (v->recent[at].inst != i || v->recent[at].epoch != v->epoch ||
        v->recent[at].turn != v->turn) {
        v->recent[at].record = new_record(w, i);
        v->recent[at].inst = i;
        v->recent[at].epoch = v->epoch;
        v->recent[at].turn = v->turn;
    }
    return v->recent[at].record;
}

/* Records that memory operation `i` is issued and pending in its counters. */
static void
issue(emu_wave *w, const emu_inst *i)
{
    struct emu_races *r = w->m->races;
    struct emu_race_wave *v = w->race;
    emu_event events[2];
    v->record = find_record(w, i);
    if (!amd_emu_wait_events(w->m->d->gen, i, events))
        return;
    if (v->n_pending == MAX_PENDING) {
        end_op(r, v, &v->pending[0]);
        memmove(v->pending, v->pending + 1, (MAX_PENDING - 1) * sizeof *v->pending);
        v->n_pending--;
    }
    pending_op *o = &v->pending[v->n_pending++];
    o->record = v->record;
    memcpy(o->order, amd_emu_wait_rule_of(w->m->d->gen, events[0])->order, sizeof o->order);
    r->records[v->record].pending++;
    r->records[v->record].done = NEVER;
}

/* Is it memory of the lane's own? Scratch memory may be a buffer of the driver, in which each lane
 * of a wave has its place (ADD_TID_ENABLE); the waves that run at a time have a part each, but one
 * after another may have the same. */
static bool
is_private(const emu_wave *w, const emu_inst *i)
{
    enum { ADD_TID = 1 << 23 /* in word 3 of a V# */ };
    bool buffer = i->in.fmt == AMD_MUBUF || i->in.fmt == AMD_MTBUF;
    return i->in.fmt == AMD_SCRATCH ||
           (buffer && i->rsrc < AMD_REG_VCC_LO && w->sgpr[i->rsrc + 3] & ADD_TID);
}

void
amd_emu_races_before(emu_wave *w, const emu_inst *i)
{
    if (!(i->row->flags & (AMD_F_LOAD | AMD_F_STORE | AMD_F_ATOMIC)))
        return;
    if (is_private(w, i))
        w->race->record = 0;
    else
        issue(w, i);
}

const race_shadow *
amd_emu_races_shadow(const struct emu_races *r)
{
    return &r->shadow;
}

amd_emu_access
amd_emu_races_read(const struct emu_races *r, uint32_t number)
{
    const record *c = &r->records[number];
    if (!number)
        return (amd_emu_access){0};
    uint32_t scalar = c->is_scalar ? AMD_EMU_SCALAR : 0;
    return (amd_emu_access){c->pc, c->kind | scalar, c->group - 1, c->wave};
}

/* Is `c` ordered before the wave's current access? */
static bool
is_ordered(const emu_wave *w, const record *c)
{
    const struct emu_race_wave *v = w->race;
    if (w->m->races->records_alone)
        return true;
    if (c->group != w->m->races->group)
        return c->serial <= v->groups_known;
    return c->wave == w->index || (c->epoch < v->epoch && c->done < v->epoch) ||
           c->serial <= v->known[c->wave];
}

/* Records that the wave has learnt the progress of the wave of `c`. */
static void
learn(emu_wave *w, const record *c)
{
    struct emu_races *r = w->m->races;
    struct emu_race_wave *v = w->race;
    if (c->group != r->group) {
        v->groups_known = r->serial;
        return;
    }
    struct emu_race_wave *other = w->group->waves[c->wave].race;
    for (uint32_t k = 0; k < r->n_waves; k++)
        if (other->known[k] > v->known[k])
            v->known[k] = other->known[k];
    v->known[c->wave] = r->serial;
    if (other->groups_known > v->groups_known)
        v->groups_known = other->groups_known;
    other->turn++; /* its later accesses get new records */
}

static const char *
kind_name(uint32_t kind)
{
    return kind & ATOMIC ? "atomic" : kind & WRITES ? "store" : "load";
}

/* Names the location of bytes, for messages, and the memory that they are in. */
static void
place_name(const emu_wave *w, uint64_t address, char *out, size_t size, const char **resource)
{
    const mach_region *r = mach_memory_below(w->m->memory, address);
    bool lds = address >> 32 == AMD_EMU_SHARED_BASE >> 32;
    *resource = lds ? "LDS" : r ? r->name : NULL;
    if (lds)
        snprintf(out, size, "LDS byte %u", (uint32_t)address);
    else if (r)
        snprintf(out, size, "byte %llu of %s", (unsigned long long)(address - r->base), r->name);
    else
        snprintf(out, size, "0x%llx", (unsigned long long)address);
}

static void
report(emu_wave *w, const record *c, uint64_t address, uint32_t kind, int lane)
{
    static const char *const why[] = {
        [EMU_RULE_RACE_BARRIER] = "no barrier between",
        [EMU_RULE_RACE_UNWAITED] = "it was not waited for before the barrier",
        [EMU_RULE_RACE_GROUPS] = "no atomic orders the groups"};
    char place[64], text[112];
    const struct emu_races *r = w->m->races;
    bool same = c->group == r->group;
    emu_cause cause = {.lane = lane};
    place_name(w, address, place, sizeof place, &cause.resource);
    amd_emu_print_inst(w, c->inst, text, sizeof text);
    cause.rule = !same                       ? EMU_RULE_RACE_GROUPS
                 : c->epoch < w->race->epoch ? EMU_RULE_RACE_UNWAITED
                                             : EMU_RULE_RACE_BARRIER;
    amd_emu_find_cause(w, &cause, "%s: the %s conflicts with the %s by %s %u at 0x%llx `%s`: %s",
                       place, kind_name(kind), kind_name(c->kind), same ? "wave" : "group",
                       same ? c->wave : c->group - 1, (unsigned long long)c->inst->pc, text,
                       why[cause.rule]);
}

/* Adds a guess: the wave's load conflicts with an atomic, unless the wave does one itself. */
static void
add_guess(emu_wave *w, guess new)
{
    struct emu_race_wave *v = w->race;
    for (uint32_t k = 0; k < v->n_guesses; k++)
        if (v->guesses[k].address == new.address && v->guesses[k].load == new.load)
            return;
    if (v->n_guesses < MAX_GUESSES)
        v->guesses[v->n_guesses++] = new;
}

/* Drops the guesses that an atomic of the wave at `address` confirms. */
static void
drop_guesses(emu_wave *w, uint64_t address)
{
    struct emu_race_wave *v = w->race;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < v->n_guesses; k++)
        if (v->guesses[k].address != address)
            v->guesses[kept++] = v->guesses[k];
    v->n_guesses = kept;
}

/* Reports the loads that were not followed by an atomic of the wave. */
static void
tell_guesses(emu_wave *w)
{
    struct emu_race_wave *v = w->race;
    const emu_inst *at = w->at;
    for (uint32_t k = 0; k < v->n_guesses; k++) {
        const guess *g = &v->guesses[k];
        w->at = g->load;
        report(w, &w->m->races->records[g->other], g->address, READS, g->lane);
    }
    w->at = at;
    v->n_guesses = 0;
}

void
amd_emu_races_end(emu_wave *w)
{
    static const uint32_t zeros[AMD_WAIT_COUNT];
    tell_guesses(w);
    amd_emu_races_until(w, zeros);
}

void
amd_emu_races_barrier(emu_group *g)
{
    struct emu_races *r = g->waves[0].m->races;
    uint32_t known = 0;
    for (uint32_t k = 0; k < g->n_waves; k++)
        tell_guesses(&g->waves[k]);
    r->epoch++;
    for (uint32_t k = 0; k < g->n_waves; k++)
        if (g->waves[k].race->groups_known > known)
            known = g->waves[k].race->groups_known;
    for (uint32_t k = 0; k < g->n_waves; k++) {
        g->waves[k].race->epoch = r->epoch;
        g->waves[k].race->groups_known = known;
    }
}

/* The kind of a store, which is atomic if the last access was an atomic of the same wave. */
static uint32_t
release_kind(emu_wave *w, const record *writer, uint32_t kind)
{
    struct emu_races *r = w->m->races;
    bool own = writer->group == r->group && writer->wave == w->index;
    if (kind & (ATOMIC | READS) || !own || !(writer->kind & ATOMIC))
        return kind;
    r->records[w->race->record].kind |= ATOMIC;
    return kind | ATOMIC;
}

/* Do two unordered accesses conflict: the wave's, of `kind`, and an earlier one? If the wave's
 * access may synchronise with the earlier one, the wave learns from it. */
static bool
conflicts(emu_wave *w, uint32_t kind, const record *c, bool earlier_same)
{
    uint32_t before = c->kind;
    if (kind & (ATOMIC | COHERENT) && before & (WRITES | ATOMIC)) {
        learn(w, c);
        if (kind & COHERENT || before & ATOMIC)
            return false;
    }
    if (kind & SAME || (earlier_same && !(kind & WRITES)))
        return false;
    if ((kind & ATOMIC && before & (ATOMIC | COHERENT)) || (kind & WRITES && before & COHERENT))
        return false;
    return true;
}

/* Puts the wave's record among the readers: into its own slot, one whose access is ordered before,
 * or the last. */
static void
note_reader(const emu_wave *w, race_cell *cell)
{
    const record *records = w->m->races->records, *own = &records[w->race->record];
    uint32_t at = RACE_READERS - 1;
    for (uint32_t k = 0; k < RACE_READERS; k++) {
        const record *c = &records[cell->readers[k]];
        if (!cell->readers[k] || (c->wave == own->wave && c->group == own->group) ||
            is_ordered(w, c)) {
            at = k;
            break;
        }
    }
    cell->readers[at] = w->race->record;
}

/* Does `c` belong to a wave of this group that has not ended? */
static bool
is_running(const emu_wave *w, const record *c)
{
    return c->group == w->m->races->group && w->group->waves[c->wave].state != EMU_ENDED;
}

static bool
touch(emu_wave *w, race_cell *cell, uint64_t address, uint32_t kind, int lane)
{
    const struct emu_races *r = w->m->races;
    const record *c = &r->records[cell->writer];
    bool found = false, lds = address >> 32 == AMD_EMU_SHARED_BASE >> 32;
    if (kind & ATOMIC && w->race->n_guesses)
        drop_guesses(w, address);
    if (lds && c->group != r->group) /* LDS of another group */
        cell->writer = 0;
    if (cell->writer)
        kind = release_kind(w, c, kind);
    if (cell->writer && !is_ordered(w, c) && conflicts(w, kind, c, false)) {
        found = !(kind == READS && c->kind & ATOMIC);
        if (found)
            report(w, c, address, kind, lane);
        else
            add_guess(w, (guess){address, w->at, cell->writer, lane});
    }
    for (uint32_t k = 0; k < RACE_READERS; k++) {
        c = &r->records[cell->readers[k]];
        if (lds && c->group != r->group)
            cell->readers[k] = 0;
        if (cell->readers[k] && !found && kind & WRITES && !is_ordered(w, c) &&
            conflicts(w, kind, c, true)) {
            found = !(kind & ATOMIC && c->kind == READS && is_running(w, c));
            if (found)
                report(w, c, address, kind, lane);
            else
                add_guess(&w->group->waves[c->wave],
                          (guess){address, c->inst, w->race->record, -1});
        }
    }
    if (kind & WRITES && !(kind & SAME)) {
        cell->writer = w->race->record;
        memset(cell->readers, 0, sizeof cell->readers);
    } else {
        note_reader(w, cell);
    }
    return found;
}

void
amd_emu_races_access(emu_wave *w, uint64_t address, uint32_t size, int lane, bool same)
{
    race_shadow *s = &w->m->races->shadow;
    uint32_t kind = kind_of(w->at) | (same ? SAME : 0);
    const uint32_t page_bytes = 1u << RACE_PAGE_BITS;
    if (!w->race->record)
        return;
    for (uint64_t at = address; at < address + size;) {
        race_page *p = amd_emu_race_shadow_page(s, at);
        uint32_t offset = (uint32_t)at & (page_bytes - 1);
        bool whole = at % 4 == 0 && address + size - at >= 4;
        p->touched |= UINT64_C(1) << (offset / RACE_TOUCHED_BYTES);
        if (!whole && !p->bytes)
            amd_emu_race_page_split(s, p);
        if (touch(w, &p->cells[p->bytes ? offset : offset / 4], at, kind, lane))
            return;
        at += p->bytes ? 1 : 4;
    }
}
