#include "family/blocks.h"

#include "base/bitset.h"

#include <string.h>

typedef struct reader {
    const family_listing *l;
    arena *a;
    family_code *c;
    size_t cap_insts, cap_uses, cap_steps, n_uses, n_steps, cap_blocks;
    size_t *to; /* the byte that each instruction branches to */
    size_t cap_to;
} reader;

static void
keep_effects(reader *r, family_code_inst *i, const family_effects *e)
{
    family_code *c = r->c;
    c->uses = arena_grow(r->a, c->uses, &r->cap_uses, r->n_uses + e->n_uses, sizeof *c->uses);
    c->steps = arena_grow(r->a, c->steps, &r->cap_steps, r->n_steps + e->n_steps, sizeof *c->steps);
    i->first_use = (uint32_t)r->n_uses;
    i->first_step = (uint32_t)r->n_steps;
    i->n_uses = e->n_uses;
    i->n_steps = e->n_steps;
    for (uint32_t k = 0; k < e->n_uses; k++)
        c->uses[r->n_uses++] = e->uses[k];
    for (uint32_t k = 0; k < e->n_steps; k++)
        c->steps[r->n_steps++] = e->steps[k];
    i->flow = (uint8_t)e->flow;
    i->test = (uint8_t)e->test;
}

/* Reads the instruction at byte `at`. Returns the byte behind it. */
static size_t
read_inst(reader *r, size_t at)
{
    family_code *c = r->c;
    family_inst in;
    family_effects e;
    size_t left = r->l->size - at;
    bool ok = family_listing_decode(r->l, at, &in);
    c->insts = arena_grow(r->a, c->insts, &r->cap_insts, c->n_insts + 1u, sizeof *c->insts);
    r->to = arena_grow(r->a, r->to, &r->cap_to, c->n_insts + 1u, sizeof *r->to);
    family_code_inst *i = &c->insts[c->n_insts];
    *i = (family_code_inst){.at = (uint32_t)at,
                            .size = ok         ? in.size
                                    : left < 4 ? (uint32_t)left
                                               : 4,
                            .is_inst = ok,
                            .flow = FAMILY_UNKNOWN,
                            .target = FAMILY_NO_BLOCK};
    if (ok) {
        r->l->isa->effects(r->l->reader, &e);
        keep_effects(r, i, &e);
    }
    r->to[c->n_insts++] = ok ? family_listing_target(r->l, &in, at) : SIZE_MAX;
    return at + i->size;
}

uint32_t
family_inst_at(const family_code *c, size_t at)
{
    uint32_t lo = 0, hi = c->n_insts;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (c->insts[mid].at < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < c->n_insts && c->insts[lo].at == at ? lo : FAMILY_NO_BLOCK;
}

static bool
has_label(const reader *r, const family_code_inst *i)
{
    return r->l->labels && i->at % 4 == 0 && bitset_has(r->l->labels, i->at / 4);
}

static void
split_blocks(reader *r)
{
    family_code *c = r->c;
    c->block_of = ARENA_ARRAY(r->a, c->n_insts + 1u, uint32_t);
    for (uint32_t k = 0; k < c->n_insts; k++) {
        const family_code_inst *i = &c->insts[k];
        bool begins = !k || has_label(r, i) || c->insts[k - 1].flow != FAMILY_NEXT;
        if (begins) {
            c->blocks = arena_grow(r->a, c->blocks, &r->cap_blocks, c->n_blocks + 1u,
                                   sizeof *c->blocks);
            c->blocks[c->n_blocks++] = (family_block){.first = k};
        }
        c->block_of[k] = c->n_blocks - 1;
        c->blocks[c->n_blocks - 1].end = k + 1;
    }
}

/* The block at which instruction `k` begins, or none. */
static uint32_t
block_at(const family_code *c, uint32_t k)
{
    return k < c->n_insts && c->blocks[c->block_of[k]].first == k ? c->block_of[k]
                                                                  : FAMILY_NO_BLOCK;
}

static void
find_edges(reader *r)
{
    family_code *c = r->c;
    for (uint32_t b = 0; b < c->n_blocks; b++) {
        family_block *block = &c->blocks[b];
        family_code_inst *last = &c->insts[block->end - 1];
        family_flow flow = (family_flow)last->flow;
        size_t to = r->to[block->end - 1];
        bool falls = flow == FAMILY_NEXT || flow == FAMILY_MAYBE || flow == FAMILY_CALL;
        bool jumps = flow == FAMILY_MAYBE || flow == FAMILY_JUMP;
        last->target = to == SIZE_MAX ? FAMILY_NO_BLOCK : family_inst_at(c, to);
        block->next = falls ? block_at(c, block->end) : FAMILY_NO_BLOCK;
        block->target = jumps ? block_at(c, last->target) : FAMILY_NO_BLOCK;
        if (jumps && block->target == FAMILY_NO_BLOCK && to != c->size)
            last->flow = FAMILY_UNKNOWN;
    }
}

static void
count_edge(family_code *c, uint32_t to)
{
    if (to != FAMILY_NO_BLOCK)
        c->blocks[to].n_preds++;
}

static void
add_edge(family_code *c, uint32_t from, uint32_t to)
{
    if (to == FAMILY_NO_BLOCK)
        return;
    family_block *b = &c->blocks[to];
    c->preds[b->first_pred + b->n_preds++] = from;
}

static void
find_preds(reader *r)
{
    family_code *c = r->c;
    uint32_t n = 0;
    for (uint32_t b = 0; b < c->n_blocks; b++) {
        count_edge(c, c->blocks[b].next);
        count_edge(c, c->blocks[b].target);
    }
    for (uint32_t b = 0; b < c->n_blocks; b++) {
        c->blocks[b].first_pred = n;
        n += c->blocks[b].n_preds;
        c->blocks[b].n_preds = 0;
    }
    c->preds = ARENA_ARRAY(r->a, n + 1u, uint32_t);
    for (uint32_t b = 0; b < c->n_blocks; b++) {
        add_edge(c, b, c->blocks[b].next);
        add_edge(c, b, c->blocks[b].target);
    }
}

family_code *
family_read_code(arena *a, const family_listing *l)
{
    reader r = {.l = l, .a = a, .c = ARENA_NEW(a, family_code)};
    r.c->isa = l->isa;
    r.c->size = l->size;
    for (size_t at = 0; at < l->size;)
        at = read_inst(&r, at);
    split_blocks(&r);
    find_edges(&r);
    find_preds(&r);
    return r.c;
}
