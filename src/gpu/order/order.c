/* Work, what it has accessed, and comparisons with what was there before. */
#include "gpu/order/order.h"

#include <stdio.h>

/* Accesses of one instruction of a dispatch, or of a packet. */
typedef struct gpu_order_record {
    uint32_t work;
    amd_emu_access access;
} record;

enum {
    MOST_CELLS = 1 << 22,   /* 12 bytes each */
    MOST_RECORDS = 1 << 21, /* 32 bytes each */
    MOST_WORK = 1 << 19,
};

void
gpu_order_init(gpu_order *o, void (*fail)(void *user), void *fail_user)
{
    *o = (gpu_order){0};
    arena_init(&o->a, &base_malloc_allocator, fail, fail_user);
    arena_init(&o->draw, &base_malloc_allocator, fail, fail_user);
    gpu_order_forget(o);
}

void
gpu_order_free(gpu_order *o)
{
    arena_free(&o->a);
    arena_free(&o->draw);
}

void
gpu_order_forget(gpu_order *o)
{
    arena_free(&o->a);
    o->shadow = (race_shadow){.arena = &o->a};
    o->work = NULL;
    o->records = NULL;
    o->work_cap = o->records_cap = 0;
    o->n_work = o->n_records = 0;
    o->cells = 0;
}

/* ---- rings ---- */

void
gpu_order_begin(gpu_order_ring *r, const gpu_clock *start, uint64_t submission)
{
    r->submission = submission;
    gpu_clock_join(&r->known, start);
    /* the kernel invalidates caches between submissions */
    for (unsigned k = 0; k < 2; k++)
        gpu_clock_join(&r->seen[k], &r->known);
}

static void
reach(const gpu_order *o, const gpu_order_ring *r, gpu_clock *c, gpu_agent agent)
{
    c->at[GPU_AGENTS * r->index + agent] = o->serial;
}

void
gpu_order_end(const gpu_order *o, gpu_order_ring *r, gpu_clock *end)
{
    *end = r->known;
    for (unsigned k = 0; k < GPU_AGENTS; k++)
        reach(o, r, end, (gpu_agent)k);
}

void
gpu_order_pass(const gpu_order *o, gpu_order_ring *r, uint32_t points)
{
    static const uint32_t waits[GPU_AGENTS] = {[GPU_AGENT_SHADERS] = GPU_POINT_SHADERS,
                                               [GPU_AGENT_DMA] = GPU_POINT_DMA,
                                               [GPU_AGENT_VERTICES] = GPU_POINT_VERTICES,
                                               [GPU_AGENT_PIXELS] = GPU_POINT_PIXELS,
                                               [GPU_AGENT_RESULTS] = GPU_POINT_RESULTS};
    for (unsigned k = 0; k < GPU_AGENTS; k++) {
        if (points & waits[k])
            reach(o, r, &r->known, (gpu_agent)k);
    }
    for (unsigned k = 0; points & GPU_POINT_MEMORY && k < GPU_CLOCK_SIZE; k++)
        r->known.at[k] = o->serial;
    for (unsigned k = 0; k < 2; k++) {
        bool released = points & GPU_POINT_RELEASE;
        if (released || points & (k ? GPU_POINT_SCALAR : GPU_POINT_VECTOR))
            gpu_clock_join(&r->seen[k], &r->known);
        for (unsigned a = 0; released && a < GPU_AGENTS; a++)
            reach(o, r, &r->seen[k], (gpu_agent)a);
    }
}

/* ---- work and records ---- */

static void
begin_work(gpu_order *o, const gpu_order_ring *r)
{
    if (o->cells > MOST_CELLS || o->n_records > MOST_RECORDS || o->n_work > MOST_WORK)
        gpu_order_forget(o);
    o->ring = r;
    o->first_work = o->n_work;
    o->first_record = o->n_records ? o->n_records : 1;
    o->n_conflicts = 0;
    memset(o->learnt, 0, sizeof o->learnt);
}

static void
add_work(gpu_order *o, const gpu_work *work, gpu_agent agent)
{
    const gpu_order_ring *r = o->ring;
    if (o->n_work == o->work_cap) {
        uint32_t cap = o->work_cap ? 2 * o->work_cap : 64;
        gpu_work *more = ARENA_ARRAY(&o->a, cap, gpu_work);
        if (o->n_work)
            memcpy(more, o->work, o->n_work * sizeof *more);
        o->work = more;
        o->work_cap = cap;
    }
    gpu_work *w = &o->work[o->n_work];
    *w = *work;
    w->serial = ++o->serial;
    w->agent = GPU_AGENTS * r->index + agent;
    w->submission = r->submission;
    memcpy(w->ring, r->name, sizeof w->ring);
    o->now = o->n_work++;
}

/* The number of a record of the work that accesses memory; 0 for no access. Waves of one
 * instruction share it. */
static uint32_t
find_record(gpu_order *o, const amd_emu_access *a)
{
    if (!a->kind)
        return 0;
    for (uint32_t k = o->n_records; k-- > o->first_record;) {
        const record *c = &o->records[k];
        if (c->work == o->now && c->access.pc == a->pc && c->access.kind == a->kind)
            return k;
    }
    if (o->n_records + 1 >= o->records_cap) {
        uint32_t cap = o->records_cap ? 2 * o->records_cap : 256;
        record *more = ARENA_ARRAY(&o->a, cap, record);
        if (o->n_records)
            memcpy(more, o->records, o->n_records * sizeof *more);
        o->records = more;
        o->records_cap = cap;
        o->n_records += !o->n_records; /* 0 is none */
    }
    o->records[o->n_records] = (record){o->now, *a};
    return o->n_records++;
}

static const gpu_work *
work_of(const gpu_order *o, uint32_t number)
{
    return &o->work[o->records[number].work];
}

/* Is the record's work over by a clock? Parts of one draw are in order, as are results. */
static bool
is_over(const gpu_order *o, const gpu_clock *c, uint32_t number)
{
    const gpu_work *w = work_of(o, number);
    bool results = w->agent == o->work[o->now].agent && w->agent % GPU_AGENTS == GPU_AGENT_RESULTS;
    return w->serial <= c->at[w->agent] || results || w >= &o->work[o->first_work];
}

/* ---- conflicts ---- */

static gpu_work_access
access_of(const gpu_order *o, uint32_t number)
{
    return (gpu_work_access){*work_of(o, number), o->records[number].access};
}

static bool
is_same(const gpu_work_access *a, const gpu_work_access *b)
{
    return a->work.serial == b->work.serial && a->access.pc == b->access.pc;
}

/* What two accesses have in common, an earlier and a later one by their records. */
typedef struct pair {
    uint32_t earlier, later;
    uint64_t address, bytes;
} pair;

static void
add_conflict(gpu_order *o, const pair *p, bool is_cached)
{
    gpu_conflict new = {.is_cached = is_cached,
                        .earlier = access_of(o, p->earlier),
                        .later = access_of(o, p->later),
                        .address = p->address,
                        .bytes = p->bytes};
    for (uint32_t k = 0; k < o->n_conflicts; k++) {
        gpu_conflict *c = &o->conflicts[k];
        if (c->is_cached == is_cached && is_same(&c->earlier, &new.earlier) &&
            is_same(&c->later, &new.later)) {
            c->bytes += new.bytes;
            c->address = new.address < c->address ? new.address : c->address;
            return;
        }
    }
    if (o->n_conflicts < GPU_CONFLICTS)
        o->conflicts[o->n_conflicts++] = new;
}

/* A load and the last write of its bytes. */
static void
compare_load(gpu_order *o, const pair *p)
{
    const record *before = &o->records[p->earlier], *load = &o->records[p->later];
    const gpu_work *w = work_of(o, p->earlier);
    bool over = is_over(o, &o->ring->known, p->earlier);
    if (load->access.kind & AMD_EMU_COHERENT && !over)
        o->learnt[w->agent] = w->serial > o->learnt[w->agent] ? w->serial : o->learnt[w->agent];
    if (load->access.kind & AMD_EMU_COHERENT || before == load)
        return;
    bool scalar = load->access.kind & AMD_EMU_SCALAR;
    if (!over)
        add_conflict(o, p, false);
    else if (load->access.pc && !is_over(o, &o->ring->seen[scalar], p->earlier))
        add_conflict(o, p, true);
}

/* A write, and an earlier access to its bytes. */
static void
compare_write(gpu_order *o, const pair *p)
{
    const uint32_t before = o->records[p->earlier].access.kind;
    const uint32_t kind = o->records[p->later].access.kind;
    const gpu_work *w = work_of(o, p->earlier);
    if (is_over(o, &o->ring->known, p->earlier) || before & AMD_EMU_COHERENT)
        return;
    if (kind & before & AMD_EMU_ATOMIC)
        o->learnt[w->agent] = w->serial > o->learnt[w->agent] ? w->serial : o->learnt[w->agent];
    else
        add_conflict(o, p, false);
}

/* A cell's bytes are accessed by the records `writer` and `reader` of the last work, 0 for none. */
static void
touch_cell(gpu_order *o, race_cell *cell, const pair *writer, const pair *reader)
{
    pair p = *reader;
    p.earlier = cell->writer;
    if (p.later && p.earlier)
        compare_load(o, &p);
    p = *writer;
    p.earlier = cell->writer;
    if (p.later && p.earlier)
        compare_write(o, &p);
    for (unsigned k = 0; p.later && k < RACE_READERS; k++) {
        p.earlier = cell->readers[k];
        if (p.earlier)
            compare_write(o, &p);
    }
    if (p.later) {
        *cell = (race_cell){.writer = p.later};
    } else {
        unsigned at = cell->readers[0] && !is_over(o, &o->ring->known, cell->readers[0]);
        cell->readers[at] = reader->later;
    }
}

static void
touch_bytes(gpu_order *o, pair writer, pair reader, uint64_t size)
{
    const uint32_t page_bytes = 1u << RACE_PAGE_BITS;
    uint64_t at = writer.address, end = at + size;
    while (at < end) {
        uint32_t pages = o->shadow.count;
        race_page *p = amd_emu_race_shadow_page(&o->shadow, at);
        uint32_t offset = (uint32_t)at & (page_bytes - 1);
        bool was_split = p->bytes;
        if (!p->bytes && (at % 4 || end - at < 4))
            amd_emu_race_page_split(&o->shadow, p);
        o->cells += (p->bytes && !was_split ? page_bytes : 0) +
                    (o->shadow.count > pages ? page_bytes / 4 : 0);
        uint32_t step = p->bytes ? 1 : 4;
        for (; offset < page_bytes && at + step <= end; offset += step, at += step) {
            writer.address = reader.address = at;
            writer.bytes = reader.bytes = step;
            touch_cell(o, &p->cells[offset / step], &writer, &reader);
        }
    }
}

void
gpu_order_touched(void *order, const amd_emu_touch *t)
{
    gpu_order *o = order;
    amd_emu_access reader = t->reader;
    /* loops of compare-and-swap begin with a plain load, which they do not rely on */
    if (t->writer.kind & AMD_EMU_ATOMIC)
        reader.kind = 0;
    pair w = {.later = find_record(o, &t->writer), .address = t->address};
    pair r = {.later = find_record(o, &reader), .address = t->address};
    if (w.later || r.later)
        touch_bytes(o, w, r, t->size);
}

void
gpu_order_dispatch(gpu_order *o, const gpu_order_ring *r, const gpu_work *work)
{
    begin_work(o, r);
    add_work(o, work, GPU_AGENT_SHADERS);
}

void
gpu_order_draw(gpu_order *o, const gpu_order_ring *r, const gpu_work parts[AMD_DRAW_PARTS])
{
    arena_free(&o->draw);
    begin_work(o, r);
    for (unsigned p = 0; p < AMD_DRAW_PARTS; p++)
        add_work(o, &parts[p], (gpu_agent)(GPU_AGENT_VERTICES + p));
}

void
gpu_order_drawn(void *order, amd_draw_part part, const amd_emu_touch *t)
{
    gpu_order *o = order;
    o->now = o->first_work + part;
    gpu_order_touched(o, t);
}

void
gpu_order_packet(gpu_order *o, gpu_order_ring *r, const gpu_packet_access *a)
{
    begin_work(o, r);
    add_work(o, &(gpu_work){.at = a->at, .packet = a->packet}, a->agent);
    if (a->size > 4ul * MOST_CELLS) { /* its history alone would be too much */
        gpu_order_forget(o);
    } else {
        amd_emu_access access = {.kind = a->writes ? AMD_EMU_WRITES : AMD_EMU_READS};
        pair p = {.later = find_record(o, &access), .address = mach_canonical(a->address)};
        const pair none = {.address = p.address};
        touch_bytes(o, a->writes ? p : none, a->writes ? none : p, a->size);
    }
    if (a->agent == GPU_AGENT_CP)
        reach(o, r, &r->known, GPU_AGENT_CP);
}

uint32_t
gpu_order_conflicts(gpu_order *o, gpu_conflict **out)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < o->n_conflicts; k++) {
        const gpu_work *w = &o->conflicts[k].earlier.work;
        if (o->conflicts[k].is_cached || w->serial > o->learnt[w->agent])
            o->conflicts[kept++] = o->conflicts[k];
    }
    o->n_conflicts = kept;
    *out = o->conflicts;
    return kept;
}
