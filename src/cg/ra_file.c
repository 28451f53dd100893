/* The register file as bit masks: search and bookkeeping. */
#include "cg/ra.h"

#include <assert.h>

/* Keeps those of the bits at which a run of `size` set bits begins. */
static void
keep_runs(uint64_t *m, unsigned n_words, unsigned size)
{
    for (unsigned have = 1, step; have < size; have += step) {
        step = have < size - have ? have : size - have;
        for (unsigned w = 0; w < n_words; w++) {
            uint64_t next = w + 1 < n_words ? m[w + 1] << (64 - step) : 0;
            m[w] &= m[w] >> step | next;
        }
    }
}

static uint64_t
range_mask(unsigned word, unsigned lo, unsigned hi)
{
    unsigned base = word * 64;
    unsigned from = lo > base ? lo - base : 0, to = hi > base ? hi - base : 0;
    return base_mask64(to < 64 ? to : 64) & ~base_mask64(from < 64 ? from : 64);
}

unsigned
cg_ra_search(const uint64_t *a, const uint64_t *b, const ra_shape *shape)
{
    static const uint64_t aligned[IR_MAX_ALIGN + 1] = {
        [1] = UINT64_MAX,
        [2] = UINT64_C(0x5555555555555555),
        [4] = UINT64_C(0x1111111111111111),
        [8] = UINT64_C(0x0101010101010101),
        [16] = UINT64_C(0x0001000100010001),
    };
    unsigned first = shape->lo / 64, n_words = (shape->hi + 63u) / 64 - first;
    uint64_t m[RA_WORDS];
    for (unsigned w = 0; w < n_words; w++) {
        uint64_t taken = a[first + w] | (b ? b[first + w] : 0);
        m[w] = ~taken & range_mask(first + w, shape->lo, shape->hi);
    }
    keep_runs(m, n_words, shape->size);
    for (unsigned k = 0; k < n_words; k++) {
        unsigned w = shape->high ? n_words - 1 - k : k;
        uint64_t at = m[w] & aligned[shape->align] << shape->phase;
        if (at)
            return (first + w) * 64 + (shape->high ? 63 - base_clz64(at) : base_ctz64(at));
    }
    return RA_NOWHERE;
}

/* In bytes. Large values are taken from the start, so that room for them is left. */
enum { LARGEST_IN_TURN = 8 };

unsigned
cg_ra_take_free(ra_ctx *c, const uint64_t *b, const ra_shape *shape)
{
    bool in_turn = c->state->in_turn[shape->bank] && shape->size << c->shift <= LARGEST_IN_TURN;
    ra_shape behind = *shape;
    unsigned reg = RA_NOWHERE, turn = c->turn[shape->bank];
    behind.lo = (uint16_t)(turn > shape->lo ? turn : shape->lo);
    if (in_turn && behind.lo < behind.hi)
        reg = cg_ra_search(c->file.after, b, &behind);
    if (reg == RA_NOWHERE)
        reg = cg_ra_search(c->file.after, b, shape);
    if (in_turn && reg != RA_NOWHERE)
        c->turn[shape->bank] = (uint16_t)(reg + shape->size);
    return reg;
}

unsigned
cg_ra_take_cheap(ra_ctx *c, const ra_shape *shape)
{
    unsigned used = c->soft_end[shape->bank], reg = RA_NOWHERE;
    ra_shape cheap = *shape, apart;
    cheap.hi = (uint16_t)(used < shape->hi ? used : shape->hi);
    apart = cheap;
    apart.size = apart.align = shape->apart;
    if (shape->size < shape->apart)
        reg = cg_ra_search(c->file.after, c->wanted, &apart);
    return reg == RA_NOWHERE ? cg_ra_take_free(c, c->wanted, &cheap) : reg;
}

void
cg_ra_grow_values(ra_ctx *c)
{
    size_t n = c->f->n_values;
    c->v = arena_grow(c->a, c->v, &c->cap_v, n, sizeof *c->v);
    c->webs = arena_grow(c->a, c->webs, &c->cap_webs, n, sizeof *c->webs);
    for (size_t id = c->n_v; id < n; id++) {
        unsigned rc = c->f->values[id].type;
        c->v[id] = (ra_value){
            .name = (uint32_t)id,
            .reg = RA_NOWHERE,
            .rc = (uint8_t)rc,
            .pinned = cg_ra_class(c, rc)->pinned,
            .want = RA_NOWHERE,
        };
        cg_ra_init_web(c, (uint32_t)id);
    }
    c->n_v = n;
}

void
cg_ra_put(ra_ctx *c, uint32_t id, unsigned reg)
{
    ra_value *v = cg_ra_val(c, id);
    unsigned size = cg_ra_units(c, v->rc);
    assert(cg_ra_is_free(c->file.before, reg, size));
    v->reg = (uint16_t)reg;
    cg_ra_mark(c->file.before, reg, size);
    if (!cg_ra_is_dying(c, id))
        cg_ra_mark(c->file.after, reg, size);
    for (unsigned r = reg; r < reg + size; r++)
        c->file.owner[r] = id;
}

void
cg_ra_take(ra_ctx *c, uint32_t id)
{
    ra_value *v = cg_ra_val(c, id);
    unsigned size = cg_ra_units(c, v->rc);
    if (!cg_ra_is_dying(c, id))
        cg_ra_unmark(c->file.after, v->reg, size);
    cg_ra_unmark(c->file.before, v->reg, size);
    for (unsigned r = v->reg; r < v->reg + size; r++)
        c->file.owner[r] = 0;
    v->reg = RA_NOWHERE;
}
