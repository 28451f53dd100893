/* insert_wait_states: inserts s_waitcnt before the use of a register whose memory operation may not
 * have finished.
 *
 * Memory operations finish late and are counted: vmcnt counts vector loads (and atomics with a
 * result), vscnt vector stores (and atomics without), lgkmcnt scalar memory, LDS and messages. The
 * operations of a counter finish in order, except that scalar loads do not, nor do LDS and scalar
 * operations relative to each other: then only a wait for 0 helps (RDNA 2 ISA, 4.4 "Manually
 * inserted wait states").
 *
 * Each operation gets a number, its counter's `issued`. A register stores the number of the last
 * operation that writes it. If n operations were issued after that one, they may still be pending
 * when it has finished, so the wait is for n. `done` is the number up to which all have finished.
 *
 * Between blocks only the pending state is kept: a list of registers with the number of operations
 * since (a snapshot). Loading a snapshot costs its length: moving `done` forgets the registers'
 * earlier numbers. Joins take the smaller number of operations since. The states that enter a loop
 * are accumulated at its header over all rounds; cg/settle.h says how often it is walked.
 *
 * Barriers cause waits here too: accesses that must be visible at a release must have finished, and
 * an acquire invalidates the caches that could hold old data.
 */
#include "amd/amd.h"
#include "amd/isa/table/table.h"
#include "cg/settle.h"

#include <assert.h>
#include <string.h>

typedef enum counter { VM, LGKM, VS, N_COUNTERS, N_REG_TABLES = VS } counter;

enum {
    N_VGPRS = 256,
    N_SGPRS = 128,
    N_REGS = N_SGPRS + N_VGPRS,
    NO_WAIT = 63,
};

/* The largest count that a wait can name: 6 bits each on gfx10 (RDNA 2 ISA, S_WAITCNT; vmcnt and
 * vscnt 6 bits, lgkmcnt 6 bits). The hardware issues no more operations than it can count, so an
 * operation followed by this many has finished, if operations finish in order. */
enum { MAX_COUNT = 63 };

/* Registers that may have a pending operation of one counter. */
typedef struct reg_table {
    uint32_t number[N_REGS];      /* SGPRs, then VGPRs: number of the last operation that writes
                                     the register */
    uint64_t marked[N_REGS / 64]; /* registers whose number may be greater than `done` */
} reg_table;

typedef struct wait_state {
    uint32_t issued[N_COUNTERS], done[N_COUNTERS];
    bool pending[N_COUNTERS];     /* something was issued since the last wait for 0 */
    bool scalar;                  /* including a scalar memory operation */
    reg_table regs[N_REG_TABLES]; /* VM, LGKM */
} wait_state;

typedef struct pending_reg {
    uint16_t reg;
    uint8_t counter, since; /* operations issued after it */
} pending_reg;

/* A state between blocks. */
typedef struct snapshot {
    bool pending[N_COUNTERS], scalar;
    uint32_t count, cap;
    pending_reg *regs;
} snapshot;

typedef struct wait_ctx {
    ir_fn *f;
    amd_program *p;
    arena *scratch;
    const snapshot **at_end; /* by block; NULL: not walked yet */
    snapshot **own;          /* by block: the snapshot that at_end points to, unless it is a
                                predecessor's */
    snapshot **at_header;    /* by block: the state that has entered the loop so far */
    wait_state now;
    const ir_block *now_of; /* the block whose end `now` describes, or NULL */
    bool changed;           /* `now` differs from the state at the start of the block */
    bool insert;            /* instructions are inserted in this walk */
} wait_ctx;

typedef struct wait {
    uint32_t count[N_COUNTERS]; /* NO_WAIT: none */
} wait;

/* ---- registers of an instruction ---- */

typedef struct reg_range {
    unsigned first, count; /* 0 to 127 SGPRs, 128 to 383 VGPRs; count 0: not tracked */
} reg_range;

static reg_range
range_of(ir_ref r)
{
    bool is_reg = r.kind == IR_REF_VALUE || (r.kind == IR_REF_NONE && (r.flags & IR_FIXED));
    if (!is_reg || r.reg == IR_REG_NONE)
        return (reg_range){0, 0};
    unsigned code = r.reg / 4, last = (r.reg + amd_rc_bytes(r.rc) + 3u) / 4;
    if (code >= AMD_REG_VGPR0)
        return (reg_range){code - AMD_REG_VGPR0 + N_SGPRS, last - code};
    if (code >= N_SGPRS)
        return (reg_range){0, 0};
    return (reg_range){code, last - code};
}

/* ---- state ---- */

static uint32_t
later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void
need(wait *w, counter c, uint32_t n)
{
    if (n < w->count[c])
        w->count[c] = n;
}

/* Adds a wait until operation `number` of counter `c` has finished. */
static void
need_operation(const wait_state *s, wait *w, counter c, uint32_t number)
{
    if (number <= s->done[c])
        return;
    uint32_t since = s->issued[c] - number;
    if (c == LGKM && s->scalar)
        need(w, LGKM, 0);
    else
        need(w, c, since < MAX_COUNT ? since : MAX_COUNT);
}

static void
need_registers(const wait_state *s, wait *w, ir_ref r)
{
    reg_range range = range_of(r);
    for (unsigned k = range.first; k < range.first + range.count; k++) {
        need_operation(s, w, LGKM, s->regs[LGKM].number[k]);
        need_operation(s, w, VM, s->regs[VM].number[k]);
    }
}

static void
apply(wait_ctx *x, const wait *w)
{
    wait_state *s = &x->now;
    for (counter c = 0; c < N_COUNTERS; c++) {
        if (w->count[c] == NO_WAIT)
            continue;
        s->done[c] = later(s->done[c], s->issued[c] - w->count[c]);
        if (!w->count[c])
            s->pending[c] = false;
        s->scalar &= s->pending[LGKM];
        x->changed = true;
    }
}

static void
mark_register(wait_state *s, counter c, unsigned reg, uint32_t number)
{
    s->regs[c].number[reg] = number;
    s->regs[c].marked[reg / 64] |= UINT64_C(1) << reg % 64;
}

static void
count_operation(wait_ctx *x, counter c)
{
    x->now.issued[c]++;
    x->now.pending[c] = true;
    x->changed = true;
}

/* Counts the operation and marks the registers that it writes. */
static void
issue(wait_ctx *x, const ir_instr *i, const amd_op_info *row)
{
    wait_state *s = &x->now;
    bool returns = i->n_defs > 0, lgkm = (row->flags & AMD_F_LGKM) != 0;
    bool vm = (row->flags & AMD_F_VM) && (!(row->flags & AMD_F_ATOMIC) || returns);
    bool vs = (row->flags & AMD_F_VS) && (!(row->flags & AMD_F_ATOMIC) || !returns);
    if (vs)
        count_operation(x, VS);
    if (vm)
        count_operation(x, VM);
    if (lgkm)
        count_operation(x, LGKM);
    s->scalar |= lgkm && row->fmt == AMD_SMEM;
    for (unsigned d = 0; d < i->n_defs; d++) {
        reg_range range = range_of(i->defs[d]);
        for (unsigned k = range.first; k < range.first + range.count; k++) {
            if (vm && k >= N_SGPRS)
                mark_register(s, VM, k, s->issued[VM]);
            if (lgkm)
                mark_register(s, LGKM, k, s->issued[LGKM]);
        }
    }
}

/* ---- inserting ---- */

/* s_waitcnt's immediate on gfx10: vmcnt in bits 3:0 and 15:14, expcnt 6:4, lgkmcnt 13:8. */
static uint32_t
waitcnt_imm(uint32_t vm, uint32_t lgkm)
{
    return (vm & 15) | 7u << 4 | lgkm << 8 | (vm >> 4) << 14;
}

static void
insert_waits(wait_ctx *c, ir_instr *at, const wait *w)
{
    if (w->count[VM] != NO_WAIT || w->count[LGKM] != NO_WAIT) {
        ir_instr *i = amd_new(c->f, AMD_S_WAITCNT, 0, 0);
        ir_words(i)[0] = waitcnt_imm(w->count[VM], w->count[LGKM]);
        i->loc = at->loc;
        ir_insert_before(at, i);
    }
    if (w->count[VS] != NO_WAIT) {
        ir_instr *i = amd_new(c->f, AMD_S_WAITCNT_VSCNT, 0, 1);
        i->refs[0] = amd_phys(AMD_NULL, AMD_S1);
        ir_words(i)[0] = w->count[VS];
        i->loc = at->loc;
        ir_insert_before(at, i);
    }
}

static void
wait_before(wait_ctx *c, ir_instr *at, const wait *w)
{
    if (c->insert)
        insert_waits(c, at, w);
    apply(c, w);
}

static void
need_all(const wait_state *s, wait *w, counter c)
{
    if (s->pending[c])
        need(w, c, 0);
}

/* ---- barriers ---- */

static bool
has_several_waves(const wait_ctx *c)
{
    const uint32_t *w = c->f->shader.workgroup_size;
    return (uint64_t)w[0] * w[1] * w[2] > c->p->wave_size;
}

static void
insert_plain(ir_instr *at, unsigned op)
{
    ir_instr *i = amd_new(at->block->fn, op, 0, 0);
    i->loc = at->loc;
    ir_insert_before(at, i);
}

/* Words of a barrier: execution scope (not needed here), memory scope, semantics, modes (HIR's
 * enumerations: scope 3 is workgroup, modes 1 buffers, 2 shared, 4 images). One wave's accesses
 * must only finish before other waves may depend on them. */
enum { SCOPE_WORKGROUP = 3, MODE_SHARED = 2, SEM_ACQUIRE = 1 };

static void
visit_barrier(wait_ctx *c, ir_instr *i)
{
    wait w = {{NO_WAIT, NO_WAIT, NO_WAIT}};
    uint32_t scope = ir_words(i)[1], semantics = ir_words(i)[2], modes = ir_words(i)[3];
    bool others = scope > SCOPE_WORKGROUP || (scope == SCOPE_WORKGROUP && has_several_waves(c));
    if (others && (modes & MODE_SHARED))
        need_all(&c->now, &w, LGKM);
    if (others && (modes & ~(uint32_t)MODE_SHARED)) {
        need_all(&c->now, &w, VM);
        need_all(&c->now, &w, VS);
    }
    /* lower_to_hw_instr has inserted the s_barrier before the marker */
    wait_before(c, i->prev && i->prev->op == AMD_S_BARRIER ? i->prev : i, &w);
    if (!c->insert)
        return;
    if (others && (semantics & SEM_ACQUIRE) && (modes & ~(uint32_t)MODE_SHARED)) {
        insert_plain(i, AMD_BUFFER_GL0_INV);
        if (scope > SCOPE_WORKGROUP)
            insert_plain(i, AMD_BUFFER_GL1_INV);
    }
    ir_unlink(i);
}

/* ---- the walk ---- */

static void
visit_instr(wait_ctx *c, ir_instr *i)
{
    if (i->op == AMD_P_BARRIER) {
        visit_barrier(c, i);
        return;
    }
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    if (c->now.pending[VM] || c->now.pending[LGKM]) {
        wait w = {{NO_WAIT, NO_WAIT, NO_WAIT}};
        for (unsigned r = 0; r < i->n_refs; r++)
            need_registers(&c->now, &w, i->refs[r]);
        for (unsigned d = 0; d < i->n_defs; d++)
            need_registers(&c->now, &w, i->defs[d]);
        wait_before(c, i, &w);
    }
    if (row && (row->flags & (AMD_F_VM | AMD_F_VS | AMD_F_LGKM)))
        issue(c, i, row);
    if (row && (c->p->debug & AMD_DEBUG_FORCE_WAITCNT) && !(row->flags & AMD_F_TERM)) {
        wait all = {{NO_WAIT, NO_WAIT, NO_WAIT}};
        for (counter k = 0; k < N_COUNTERS; k++)
            need_all(&c->now, &all, k);
        if (i->next)
            wait_before(c, i->next, &all);
    }
}

/* ---- states between blocks ---- */

/* Forgets all pending operations: all numbers so far count as done, and numbers for a snapshot's
 * operations are reserved. */
static void
clear_state(wait_state *s)
{
    for (counter c = 0; c < N_COUNTERS; c++) {
        s->done[c] = s->issued[c];
        s->issued[c] += MAX_COUNT + 1;
        s->pending[c] = false;
    }
    s->scalar = false;
    memset(s->regs[VM].marked, 0, sizeof s->regs[VM].marked);
    memset(s->regs[LGKM].marked, 0, sizeof s->regs[LGKM].marked);
}

/* Adds the snapshot's pending operations. */
static void
join_snapshot(wait_state *s, const snapshot *from)
{
    for (counter c = 0; c < N_COUNTERS; c++)
        s->pending[c] |= from->pending[c];
    s->scalar |= from->scalar;
    for (uint32_t k = 0; k < from->count; k++) {
        pending_reg p = from->regs[k];
        uint32_t number = s->issued[p.counter] - p.since;
        if (number > s->regs[p.counter].number[p.reg])
            mark_register(s, (counter)p.counter, p.reg, number);
    }
}

static void
add_pending(arena *a, snapshot *to, pending_reg p)
{
    if (to->count == to->cap) {
        size_t cap = to->cap;
        to->regs = arena_grow(a, to->regs, &cap, cap + 1, sizeof *to->regs);
        to->cap = (uint32_t)cap;
    }
    to->regs[to->count++] = p;
}

/* Lists the marked registers that are pending. If operations finish in order, those followed by
 * more than can be counted have finished; in LGKM, where they may be out of order, they stay. */
static void
save_table(wait_ctx *x, snapshot *to, counter c, unsigned word)
{
    const wait_state *s = &x->now;
    for (uint64_t left = s->regs[c].marked[word]; left; left &= left - 1) {
        unsigned reg = word * 64 + base_ctz64(left);
        uint32_t since = s->issued[c] - s->regs[c].number[reg];
        if (s->regs[c].number[reg] <= s->done[c] || (c == VM && since >= MAX_COUNT))
            continue;
        if (since > MAX_COUNT)
            since = MAX_COUNT;
        add_pending(x->scratch, to, (pending_reg){(uint16_t)reg, (uint8_t)c, (uint8_t)since});
    }
}

/* Saves `now` as a snapshot in `*to`, which is allocated if it is NULL. */
static const snapshot *
save_state(wait_ctx *x, snapshot **to)
{
    if (!*to)
        *to = ARENA_NEW(x->scratch, snapshot);
    snapshot *s = *to;
    memcpy(s->pending, x->now.pending, sizeof s->pending);
    s->scalar = x->now.scalar;
    s->count = 0;
    for (counter c = 0; c < N_REG_TABLES; c++) {
        for (unsigned w = 0; x->now.pending[c] && w < N_REGS / 64; w++)
            save_table(x, s, c, w);
    }
    return s;
}

/* Is everything pending in `small` also pending in `big`, with no more operations since? Overwrites
 * `now`. */
static bool
covers(wait_ctx *x, const snapshot *big, const snapshot *small)
{
    wait_state *s = &x->now;
    x->now_of = NULL;
    clear_state(s);
    join_snapshot(s, big);
    for (counter c = 0; c < N_COUNTERS; c++) {
        if (small->pending[c] && !s->pending[c])
            return false;
    }
    for (uint32_t k = 0; k < small->count; k++) {
        pending_reg p = small->regs[k];
        if (s->regs[p.counter].number[p.reg] < s->issued[p.counter] - p.since)
            return false;
    }
    return s->scalar || !small->scalar;
}

/* ---- the walk ---- */

static void
load_state(wait_ctx *c, const ir_block *b, bool header)
{
    clear_state(&c->now);
    for (uint32_t p = 0; p < b->preds[1].count; p++) {
        const snapshot *end = c->at_end[b->preds[1].at[p]->index];
        if (end)
            join_snapshot(&c->now, end);
    }
    if (!header)
        return;
    if (c->at_header[b->index])
        join_snapshot(&c->now, c->at_header[b->index]);
    save_state(c, &c->at_header[b->index]);
}

static void
visit_block(void *user, ir_block *b, bool header, bool final)
{
    wait_ctx *c = user;
    bool one = b->preds[1].count == 1 && !header;
    const snapshot *before = one ? c->at_end[b->preds[1].at[0]->index] : NULL;
    if (!before || b->preds[1].at[0] != c->now_of)
        load_state(c, b, header);
    c->changed = false;
    c->insert = final;
    IR_FOREACH_INSTR(i, b)
        visit_instr(c, i);
    c->at_end[b->index] = before && !c->changed ? before : save_state(c, &c->own[b->index]);
    c->now_of = b;
}

static bool
is_known(void *user, const ir_block *header, const ir_block *from)
{
    wait_ctx *c = user;
    return covers(c, c->at_header[header->index], c->at_end[from->index]);
}

void
amd_insert_wait_states(ir_fn *f)
{
    arena_mark mark = arena_save(f->ctx->scratch);
    wait_ctx *c = ARENA_NEW(f->ctx->scratch, wait_ctx);
    c->f = f;
    c->p = amd_prog(f);
    c->scratch = f->ctx->scratch;
    c->at_end = ARENA_ARRAY(c->scratch, f->n_blocks, const snapshot *);
    c->own = ARENA_ARRAY(c->scratch, f->n_blocks, snapshot *);
    c->at_header = ARENA_ARRAY(c->scratch, f->n_blocks, snapshot *);
    cg_walk_settled(f, &(cg_settling){c, visit_block, is_known});
    arena_release(f->ctx->scratch, mark);
}
