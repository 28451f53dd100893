/* insert_wait_states: s_waitcnt where a register is used whose memory operation may not be
 * finished.
 *
 * Memory operations finish late and are counted: vmcnt vector loads (and atomics that return),
 * vscnt vector stores (and atomics that return nothing), lgkmcnt scalar memory, LDS and messages.
 * Within a counter operations finish in order, but scalar loads do not, nor do LDS and scalar
 * operations among each other: then only a wait for 0 helps (RDNA 2 ISA, 4.4 "Manually inserted
 * wait states").
 *
 * Each operation gets a number, its counter's `issued`. A register remembers the number of the last
 * pending operation that writes it; n operations issued since then may still be pending when it has
 * finished, so the wait is for n. `done` is the number up to which all have finished. The walk goes
 * over the linear CFG until the states at block ends no longer change; at joins a state keeps for
 * each counter the larger number of pending operations, with the registers' numbers moved along.
 *
 * Barriers wait here too: what must be visible at a release must have finished, and an acquire
 * empties the caches that could hold old data.
 */
#include "amd/amd.h"
#include "amd/isa/table.h"

#include <assert.h>
#include <string.h>

typedef enum counter { VM, LGKM, VS, N_COUNTERS } counter;

enum {
    N_VGPRS = 256,
    N_SGPRS = 128,
    N_REGS = N_SGPRS + N_VGPRS,
    NO_WAIT = 63,
};

/* The largest count that a wait can name: 6 bits each on gfx10 (RDNA 2 ISA, S_WAITCNT; vmcnt and
 * vscnt 6 bits, lgkmcnt 6 bits). */
static const uint8_t max_count[N_COUNTERS] = {63, 63, 63};

typedef struct wait_state {
    uint32_t issued[N_COUNTERS], done[N_COUNTERS];
    uint32_t scalar;       /* number of the last scalar memory operation in LGKM */
    uint32_t vm[N_VGPRS];  /* by VGPR: number of the operation that writes it, 0 none */
    uint32_t lgkm[N_REGS]; /* SGPRs, then VGPRs */
} wait_state;

typedef struct wait_ctx {
    ir_fn *f;
    amd_program *p;
    wait_state *at_end; /* by block */
    uint8_t *known;     /* by block: at_end is set */
    wait_state now;
    bool insert; /* the last round: instructions are put in */
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

static void
need(wait *w, counter c, uint32_t n)
{
    if (n < w->count[c])
        w->count[c] = n;
}

/* The wait for operation `number` of counter `c` to have finished. */
static void
need_operation(const wait_state *s, wait *w, counter c, uint32_t number)
{
    if (number <= s->done[c])
        return;
    bool scalar_pending = s->scalar > s->done[LGKM];
    if (c == LGKM && scalar_pending)
        need(w, LGKM, 0);
    else
        need(w, c, s->issued[c] - number < max_count[c] ? s->issued[c] - number : max_count[c]);
}

static void
need_registers(const wait_state *s, wait *w, ir_ref r)
{
    reg_range range = range_of(r);
    for (unsigned k = range.first; k < range.first + range.count; k++) {
        need_operation(s, w, LGKM, s->lgkm[k]);
        if (k >= N_SGPRS)
            need_operation(s, w, VM, s->vm[k - N_SGPRS]);
    }
}

static void
apply(wait_state *s, const wait *w)
{
    for (counter c = 0; c < N_COUNTERS; c++) {
        if (w->count[c] == NO_WAIT)
            continue;
        uint32_t done = s->issued[c] > w->count[c] ? s->issued[c] - w->count[c] : 0;
        if (done > s->done[c])
            s->done[c] = done;
    }
}

/* Counts the operation and marks what it writes. */
static void
issue(wait_state *s, const ir_instr *i, const amd_op_info *row)
{
    bool returns = i->n_defs > 0;
    bool vm = (row->flags & AMD_F_VM) && (!(row->flags & AMD_F_ATOMIC) || returns);
    bool vs = (row->flags & AMD_F_VS) && (!(row->flags & AMD_F_ATOMIC) || !returns);
    if (vs)
        s->issued[VS]++;
    if (vm)
        s->issued[VM]++;
    if (row->flags & AMD_F_LGKM) {
        s->issued[LGKM]++;
        if (row->fmt == AMD_SMEM)
            s->scalar = s->issued[LGKM];
    }
    for (unsigned d = 0; d < i->n_defs; d++) {
        reg_range range = range_of(i->defs[d]);
        for (unsigned k = range.first; k < range.first + range.count; k++) {
            if (vm && k >= N_SGPRS)
                s->vm[k - N_SGPRS] = s->issued[VM];
            if (row->flags & AMD_F_LGKM)
                s->lgkm[k] = s->issued[LGKM];
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
        i->words[0] = waitcnt_imm(w->count[VM], w->count[LGKM]);
        i->loc = at->loc;
        ir_insert_before(at, i);
    }
    if (w->count[VS] != NO_WAIT) {
        ir_instr *i = amd_new(c->f, AMD_S_WAITCNT_VSCNT, 0, 1);
        i->refs[0] = amd_phys(AMD_NULL, AMD_S1);
        i->words[0] = w->count[VS];
        i->loc = at->loc;
        ir_insert_before(at, i);
    }
}

static void
wait_before(wait_ctx *c, ir_instr *at, const wait *w)
{
    if (c->insert)
        insert_waits(c, at, w);
    apply(&c->now, w);
}

static void
need_all(const wait_state *s, wait *w, counter c)
{
    if (s->issued[c] > s->done[c])
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
 * enumerations: scope 3 is workgroup, modes 1 buffers, 2 shared, 4 images). One wave's own accesses
 * need no order but to finish before what another wave does. */
enum { SCOPE_WORKGROUP = 3, MODE_SHARED = 2, SEM_ACQUIRE = 1 };

static void
visit_barrier(wait_ctx *c, ir_instr *i)
{
    wait w = {{NO_WAIT, NO_WAIT, NO_WAIT}};
    uint32_t scope = i->words[1], semantics = i->words[2], modes = i->words[3];
    bool others = scope > SCOPE_WORKGROUP || (scope == SCOPE_WORKGROUP && has_several_waves(c));
    if (others && (modes & MODE_SHARED))
        need_all(&c->now, &w, LGKM);
    if (others && (modes & ~(uint32_t)MODE_SHARED)) {
        need_all(&c->now, &w, VM);
        need_all(&c->now, &w, VS);
    }
    /* lower_to_hw_instr has put the s_barrier before the marker */
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
    wait w = {{NO_WAIT, NO_WAIT, NO_WAIT}};
    for (unsigned r = 0; r < i->n_refs; r++)
        need_registers(&c->now, &w, i->refs[r]);
    for (unsigned d = 0; d < i->n_defs; d++)
        need_registers(&c->now, &w, i->defs[d]);
    wait_before(c, i, &w);
    if (row && (row->flags & (AMD_F_VM | AMD_F_VS | AMD_F_LGKM)))
        issue(&c->now, i, row);
    if (row && (c->p->debug & AMD_DEBUG_FORCE_WAITCNT) && !(row->flags & AMD_F_TERM)) {
        wait all = {{NO_WAIT, NO_WAIT, NO_WAIT}};
        for (counter k = 0; k < N_COUNTERS; k++)
            need_all(&c->now, &all, k);
        if (i->next)
            wait_before(c, i->next, &all);
    }
}

/* Moves the numbers of `from` so that its counters end where those of `to` do, and takes the later
 * of each. */
static uint32_t
moved(uint32_t number, uint32_t done, uint32_t shift)
{
    return number > done ? number + shift : 0;
}

static void
merge_counter(wait_state *to, const wait_state *from, counter c, uint32_t *shift_to,
              uint32_t *shift_from)
{
    uint32_t pend_to = to->issued[c] - to->done[c], pend_from = from->issued[c] - from->done[c];
    uint32_t pend = pend_to > pend_from ? pend_to : pend_from;
    uint32_t issued = (to->issued[c] > from->issued[c] ? to->issued[c] : from->issued[c]) + pend;
    *shift_to = issued - to->issued[c];
    *shift_from = issued - from->issued[c];
}

static uint32_t
later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void
merge(wait_state *to, const wait_state *from)
{
    uint32_t st[N_COUNTERS], sf[N_COUNTERS];
    wait_state old = *to;
    for (counter c = 0; c < N_COUNTERS; c++) {
        merge_counter(to, from, c, &st[c], &sf[c]);
        uint32_t pend_to = old.issued[c] - old.done[c], pend_from = from->issued[c] - from->done[c];
        to->issued[c] = old.issued[c] + st[c];
        to->done[c] = to->issued[c] - later(pend_to, pend_from);
    }
    to->scalar = later(moved(old.scalar, old.done[LGKM], st[LGKM]),
                       moved(from->scalar, from->done[LGKM], sf[LGKM]));
    for (unsigned k = 0; k < N_VGPRS; k++)
        to->vm[k] = later(moved(old.vm[k], old.done[VM], st[VM]),
                          moved(from->vm[k], from->done[VM], sf[VM]));
    for (unsigned k = 0; k < N_REGS; k++)
        to->lgkm[k] = later(moved(old.lgkm[k], old.done[LGKM], st[LGKM]),
                            moved(from->lgkm[k], from->done[LGKM], sf[LGKM]));
}

/* How many operations are pending behind the one with `number`, 0 for none: what a state means,
 * whatever its numbers. */
static uint32_t
pending(uint32_t number, uint32_t issued, uint32_t done)
{
    return number > done ? issued - number + 1 : 0;
}

static bool
same_meaning(const wait_state *a, const wait_state *b)
{
    for (counter c = 0; c < N_COUNTERS; c++) {
        if (a->issued[c] - a->done[c] != b->issued[c] - b->done[c])
            return false;
    }
    if (pending(a->scalar, a->issued[LGKM], a->done[LGKM]) !=
        pending(b->scalar, b->issued[LGKM], b->done[LGKM]))
        return false;
    for (unsigned k = 0; k < N_VGPRS; k++) {
        if (pending(a->vm[k], a->issued[VM], a->done[VM]) !=
            pending(b->vm[k], b->issued[VM], b->done[VM]))
            return false;
    }
    for (unsigned k = 0; k < N_REGS; k++) {
        if (pending(a->lgkm[k], a->issued[LGKM], a->done[LGKM]) !=
            pending(b->lgkm[k], b->issued[LGKM], b->done[LGKM]))
            return false;
    }
    return true;
}

/* No counter counts further than it can: the hardware issues nothing more then. What is older has
 * finished, where operations finish in order; in LGKM, where they may not, it counts as the oldest.
 */
static void
limit(wait_state *s)
{
    for (counter c = 0; c < N_COUNTERS; c++) {
        uint32_t most = max_count[c] + 1u;
        if (s->issued[c] - s->done[c] <= most)
            continue;
        uint32_t oldest = s->issued[c] - most + 1, was_done = s->done[c];
        s->done[c] = s->issued[c] - most;
        if (c != LGKM)
            continue;
        s->scalar = s->scalar > was_done ? later(s->scalar, oldest) : 0;
        for (unsigned k = 0; k < N_REGS; k++)
            s->lgkm[k] = s->lgkm[k] > was_done ? later(s->lgkm[k], oldest) : 0;
    }
}

static void
state_at_start(wait_ctx *c, const ir_block *b)
{
    bool first = true;
    memset(&c->now, 0, sizeof c->now);
    for (uint32_t p = 0; p < b->preds[1].count; p++) {
        uint32_t i = b->preds[1].at[p]->index;
        if (!c->known[i])
            continue;
        if (first)
            c->now = c->at_end[i];
        else
            merge(&c->now, &c->at_end[i]);
        first = false;
    }
}

/* One round over the blocks; true if a state at an end changed. */
static bool
round_over_blocks(wait_ctx *c)
{
    bool changed = false;
    IR_FOREACH_BLOCK(b, c->f)
    {
        state_at_start(c, b);
        IR_FOREACH_INSTR(i, b)
        visit_instr(c, i);
        limit(&c->now);
        changed |= !c->known[b->index] || !same_meaning(&c->now, &c->at_end[b->index]);
        c->at_end[b->index] = c->now;
        c->known[b->index] = true;
    }
    return changed;
}

static bool
has_back_edge(const ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f)
    {
        for (uint32_t s = 0; s < b->succs[1].count; s++) {
            if (b->succs[1].at[s]->index <= b->index)
                return true;
        }
    }
    return false;
}

void
amd_insert_wait_states(ir_fn *f)
{
    arena_mark mark = arena_save(f->ctx->scratch);
    wait_ctx *c = ARENA_NEW(f->ctx->scratch, wait_ctx);
    c->f = f;
    c->p = amd_prog(f);
    c->at_end = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, wait_state);
    c->known = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, uint8_t);
    /* Pending counts only grow from round to round and are bounded, so this ends. */
    while (has_back_edge(f) && round_over_blocks(c))
        continue;
    c->insert = true;
    round_over_blocks(c);
    arena_release(f->ctx->scratch, mark);
}
