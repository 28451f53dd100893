/* The register file as bit masks: search and updates. */
#include "amd/ra.h"

#include <assert.h>

enum { BANK = 256, BANK_WORDS = BANK / 64 };

bool
ra_is_free(const uint64_t *mask, unsigned reg, unsigned size)
{
    for (unsigned r = reg; r < reg + size; r++) {
        if (mask[r / 64] >> (r % 64) & 1)
            return false;
    }
    return true;
}

void
ra_mark(uint64_t *mask, unsigned reg, unsigned size)
{
    for (unsigned r = reg; r < reg + size; r++)
        mask[r / 64] |= UINT64_C(1) << (r % 64);
}

void
ra_unmark(uint64_t *mask, unsigned reg, unsigned size)
{
    for (unsigned r = reg; r < reg + size; r++)
        mask[r / 64] &= ~(UINT64_C(1) << (r % 64));
}

/* Keeps only bits at which a run of `size` set bits begins. */
static void
keep_runs(uint64_t m[BANK_WORDS], unsigned size)
{
    for (unsigned have = 1, step; have < size; have += step) {
        step = have < size - have ? have : size - have;
        for (unsigned w = 0; w < BANK_WORDS; w++) {
            uint64_t next = w + 1 < BANK_WORDS ? m[w + 1] << (64 - step) : 0;
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
ra_search(const uint64_t *a, const uint64_t *b, ra_shape shape)
{
    static const uint64_t aligned[] = {0, UINT64_MAX, UINT64_C(0x5555555555555555), 0,
                                       UINT64_C(0x1111111111111111)};
    unsigned bank = shape.lo / BANK, lo = shape.lo % BANK, hi = shape.hi - bank * BANK;
    uint64_t m[BANK_WORDS];
    for (unsigned w = 0; w < BANK_WORDS; w++) {
        uint64_t taken = a[bank * BANK_WORDS + w] | (b ? b[bank * BANK_WORDS + w] : 0);
        m[w] = ~taken & range_mask(w, lo, hi);
    }
    keep_runs(m, shape.size);
    for (unsigned k = 0; k < BANK_WORDS; k++) {
        unsigned w = shape.high ? BANK_WORDS - 1 - k : k;
        uint64_t at = m[w] & aligned[shape.align] << shape.phase;
        if (at)
            return bank * BANK + w * 64 + (shape.high ? 63 - base_clz64(at) : base_ctz64(at));
    }
    return RA_NOWHERE;
}

ra_shape
ra_shape_of(const ra_ctx *c, unsigned rc)
{
    bool vgpr = amd_rc_is_vgpr(rc), linear_vgpr = vgpr && (rc & AMD_RC_LINEAR);
    unsigned size = amd_rc_regs(rc);
    return (ra_shape){
        .lo = vgpr ? AMD_REG_VGPR0 : AMD_REG_SGPR0,
        .hi = linear_vgpr ? c->linear_end
              : vgpr      ? c->vgpr_end
                          : c->sgpr_end,
        .size = (uint8_t)size,
        .align = vgpr || size % 2 ? 1
                 : size % 4       ? 2
                                  : 4,
        .high = linear_vgpr,
    };
}

bool
ra_fits(ra_shape shape, unsigned reg)
{
    return reg >= shape.lo && reg + shape.size <= shape.hi && reg % shape.align == shape.phase;
}

void
ra_grow_values(ra_ctx *c)
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
            .pinned = amd_rc_is_vgpr(rc) && amd_rc_is_linear(rc),
        };
        ra_init_web(c, (uint32_t)id);
    }
    c->n_v = n;
}

void
ra_put(ra_ctx *c, uint32_t id, unsigned reg)
{
    ra_value *v = ra_val(c, id);
    unsigned size = amd_rc_regs(v->rc);
    assert(ra_is_free(c->file.before, reg, size));
    v->reg = (uint16_t)reg;
    ra_mark(c->file.before, reg, size);
    if (!ra_is_dying(c, id))
        ra_mark(c->file.after, reg, size);
    for (unsigned r = reg; r < reg + size; r++)
        c->file.owner[r] = id;
}

void
ra_take(ra_ctx *c, uint32_t id)
{
    ra_value *v = ra_val(c, id);
    unsigned size = amd_rc_regs(v->rc);
    if (!ra_is_dying(c, id))
        ra_unmark(c->file.after, v->reg, size);
    ra_unmark(c->file.before, v->reg, size);
    for (unsigned r = v->reg; r < v->reg + size; r++)
        c->file.owner[r] = 0;
    v->reg = RA_NOWHERE;
}
