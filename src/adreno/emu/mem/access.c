#include "adreno/emu/mem/access.h"

#include "base/bits.h"

#include <string.h>

static adreno_bytes
reach_local(adreno_wave *w, const adreno_access *a)
{
    const uint32_t size = w->m->d->local_bytes;
    adreno_group *g = w->group;
    if (a->address > size || size - a->address < a->size) {
        adreno_find(w, ADRENO_RULE_LOCAL_BOUNDS, (int)a->fibre,
                    "bytes %llu to %llu of %u of local memory", (unsigned long long)a->address,
                    (unsigned long long)(a->address + a->size - 1), size);
        return (adreno_bytes){0};
    }
    return (adreno_bytes){.host = g->local + a->address,
                          .defined = g->local_defined ? g->local_defined + a->address : NULL};
}

/* A fibre's bytes are in a row here; only the fibre itself sees them. */
static adreno_bytes
reach_private(adreno_wave *w, const adreno_access *a)
{
    const uint32_t size = w->m->d->private_bytes;
    mach_region *r = w->m->private_memory;
    if (!r || a->address > size || size - a->address < a->size) {
        adreno_find(w, ADRENO_RULE_PRIVATE_BOUNDS, (int)a->fibre,
                    "bytes %lld to %lld of %u of private memory", (long long)a->address,
                    (long long)(a->address + a->size - 1), size);
        return (adreno_bytes){0};
    }
    const uint64_t at = w->private_base + (uint64_t)a->fibre * size + a->address;
    return (adreno_bytes){.host = r->host + at, .region = r, .at = at};
}

static void
report_outside(adreno_wave *w, const adreno_access *a)
{
    const mach_region *below = mach_memory_below(w->m->memory, a->address);
    const adreno_rule rule = a->kind == ADRENO_LOAD ? ADRENO_RULE_LOAD_BOUNDS
                                                    : ADRENO_RULE_STORE_BOUNDS;
    if (below && a->address - below->base < below->size + MACH_GUARD)
        adreno_find_in(w, &(adreno_cause){rule, (int)a->fibre, below->name},
                       "%u bytes at 0x%llx, %llu of %llu of %s", a->size,
                       (unsigned long long)a->address,
                       (unsigned long long)(a->address - below->base),
                       (unsigned long long)below->size, below->name);
    else
        adreno_find(w, rule, (int)a->fibre, "%u bytes at 0x%llx", a->size,
                    (unsigned long long)a->address);
}

static adreno_bytes
reach_global(adreno_wave *w, const adreno_access *a)
{
    const uint64_t address = mach_canonical(a->address);
    mach_region *r = mach_memory_find(w->m->memory, &w->region_hint, address, a->size);
    if (!r) {
        report_outside(w, a);
        return (adreno_bytes){0};
    }
    if (r->read_only && a->kind != ADRENO_LOAD) {
        adreno_find_in(w, &(adreno_cause){ADRENO_RULE_READ_ONLY, (int)a->fibre, r->name},
                       "a store to %s", r->name);
        return (adreno_bytes){0};
    }
    return (adreno_bytes){
        .host = r->host + (address - r->base), .region = r, .at = address - r->base};
}

adreno_bytes
adreno_reach(adreno_wave *w, const adreno_access *a)
{
    if (a->address % a->size != 0)
        adreno_find(w, ADRENO_RULE_ALIGNMENT, (int)a->fibre, "%u bytes at 0x%llx", a->size,
                    (unsigned long long)a->address);
    return a->space == ADRENO_LOCAL     ? reach_local(w, a)
           : a->space == ADRENO_PRIVATE ? reach_private(w, a)
                                        : reach_global(w, a);
}

void
adreno_note_access(adreno_wave *w, const adreno_access *a)
{
    if (a->space != ADRENO_PRIVATE && w->m->note_access)
        w->m->note_access(w, a);
}

bool
adreno_bytes_defined(const adreno_bytes *b, uint32_t size)
{
    bool all = true;
    if (!b->host)
        return true;
    if (!b->defined)
        return !b->region || !b->region->defined || mach_region_is_defined(b->region, b->at, size);
    for (uint32_t i = 0; i < size; i++)
        all = all && b->defined[i];
    return all;
}

void
adreno_define_bytes(const adreno_bytes *b, uint32_t size, bool defined)
{
    if (!b->host)
        return;
    if (b->defined)
        memset(b->defined, defined, size);
    else if (b->region && b->region->defined)
        mach_region_set_defined(b->region, b->at, size, defined);
}

/* ---- values ---- */

static uint32_t
read_value(const uint8_t *at, uint32_t size)
{
    uint32_t value = 0;
    for (uint32_t i = size; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

static void
write_value(uint8_t *at, uint32_t size, uint32_t value)
{
    for (uint32_t i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

void
adreno_load(adreno_wave *w, const adreno_transfer *t)
{
    const bool half = adreno_is_half_type(t->type);
    adreno_access a = t->access;
    a.size = adreno_type_bytes(t->type);
    for (unsigned i = 0; i < t->n; i++, a.address += a.size) {
        const adreno_bytes b = adreno_reach(w, &a);
        if (b.host)
            adreno_note_access(w, &a);
        adreno_wave_write(w, a.fibre, t->reg + i, half, b.host ? read_value(b.host, a.size) : 0);
        adreno_wave_define(w, a.fibre, t->reg + i, half, adreno_bytes_defined(&b, a.size));
    }
}

void
adreno_store(adreno_wave *w, const adreno_transfer *t)
{
    const bool half = adreno_is_half_type(t->type);
    adreno_access a = t->access;
    a.size = adreno_type_bytes(t->type);
    for (unsigned i = 0; i < t->n; i++, a.address += a.size) {
        const adreno_bytes b = adreno_reach(w, &a);
        const bool defined = adreno_wave_is_defined(w, a.fibre, t->reg + i, half);
        if (!defined && a.space == ADRENO_GLOBAL)
            adreno_find(w, ADRENO_RULE_UNDEFINED_STORE, (int)a.fibre, "value %u is not defined", i);
        const uint32_t value = adreno_wave_read(w, a.fibre, t->reg + i, half) &
                               (uint32_t)base_mask64(8 * a.size);
        if (b.host) {
            a.same = read_value(b.host, a.size) == value;
            adreno_note_access(w, &a);
            write_value(b.host, a.size, value);
        }
        adreno_define_bytes(&b, a.size, defined);
    }
}
