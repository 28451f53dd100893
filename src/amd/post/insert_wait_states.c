/* insert_wait_states: inserts waits before the use of a register whose memory operation may not
 * have finished.
 *
 * Memory operations finish late and are counted (isa/table/counters.h): vector loads, and atomics
 * with a result; vector stores, and atomics without, together with loads before gfx10; scalar
 * memory, LDS and messages, from gfx12 on each with a counter. The operations of a counter finish
 * in order, except that scalar loads do not, nor LDS and scalar operations relative to each other,
 * nor flat ones where the target says so: then only a wait for 0 helps (RDNA 2 ISA, 4.4 "Manually
 * inserted wait states").
 *
 * Each operation gets a number, its counter's `issued`. A register stores the number of the last
 * operation that writes it (EXP: that reads it late, as exports do, and gfx6's stores). If n
 * operations were issued after that one, they may still be pending when it has finished, so the
 * wait is for n. `done` is the number up to which all have finished.
 *
 * Between blocks only the pending state is kept: a list of registers with the number of operations
 * since (a snapshot). Loading a snapshot costs its length: moving `done` forgets the registers'
 * earlier numbers. Joins take the smaller number of operations since. The states that enter a loop
 * are accumulated at its header over all rounds; cg/settle.h says how often it is walked.
 *
 * Barriers cause waits here too: accesses that must be visible at a release must have finished, and
 * an acquire invalidates the caches that could hold old data. Within a workgroup on one compute
 * unit it is enough that they are on their way when the wave comes to the barrier (vm_vsrc 0): LDS
 * does what comes to it in order, and so does the unit's cache. So groups get one compute unit each
 * where that costs no waves. (LLVM, AMDGPUUsage, "Memory Model GFX10-GFX11": what is omitted in CU
 * mode, and SIMemoryLegalizer of LLVM 22, which waits for vm_vsrc before barriers; Mesa 26.2's ACO
 * does the same for LDS.)
 */
#include "amd/isa/table/table.h"
#include "amd/post/loop_waits.h"
#include "amd/post/reg_range.h"
#include "amd/post/wait_count.h"
#include "amd/target/half.h"
#include "amd/target/occupancy.h"
#include "cg/settle.h"

#include <assert.h>
#include <string.h>

/* Registers that may have a pending operation of one counter. */
typedef struct reg_table {
    uint32_t
        number[AMD_TRACKED_REGS]; /* SGPRs, then VGPRs: number of the last operation that writes
                                     the register */
    uint64_t marked[AMD_TRACKED_REGS / 64]; /* registers whose number may be greater than `done` */
    uint64_t halves[AMD_TRACKED_REGS / 64]; /* registers whose last operation loads one half */
} reg_table;

typedef struct wait_state {
    uint32_t issued[AMD_WAIT_COUNT], done[AMD_WAIT_COUNT];
    uint8_t pending;   /* bits by counter: something was issued since the last wait
                                       for 0 */
    uint8_t unordered; /* of these, including something that ends in no order */
    uint8_t unsent;    /* of these, including something that may not have read its VGPRs */
    reg_table
        *regs[AMD_WAIT_COUNT]; /* of the tracked counters; EXP: registers that are read late */
} wait_state;

typedef struct pending_reg {
    uint16_t reg;
    uint8_t since;       /* operations issued after it */
    uint8_t counter : 7; /* amd_wait */
    uint8_t half : 1;    /* reg_table.halves */
} pending_reg;

/* A state between blocks. */
typedef struct snapshot {
    uint8_t pending, unordered, unsent;
    uint32_t count, cap;
    pending_reg *regs;
} snapshot;

typedef struct wait_ctx {
    ir_fn *f;
    amd_program *p;
    arena *scratch;
    uint8_t tracked; /* the target's counters that say when registers are written or read */
    uint8_t max[AMD_WAIT_COUNT]; /* the hardware issues no more operations than it can count, so an
                                    operation followed by this many has finished, if operations
                                    finish in order */
    const snapshot **at_end;     /* by block; NULL: not walked yet */
    snapshot **own;              /* by block: the snapshot that at_end points to, unless it is a
                                predecessor's */
    snapshot **at_header;        /* by block: the state that has entered the loop so far */
    const amd_reg_set *const *in_loop; /* by block: amd_find_loop_waits */
    wait_state now;
    const ir_block *now_of; /* the block whose end `now` describes, or NULL */
    bool changed;           /* `now` differs from the state at the start of the block */
    bool insert;            /* instructions are inserted in this walk */
} wait_ctx;

/* ---- state ---- */

static uint32_t
later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The counters of a set of bits, the lowest first. */
#define FOREACH_COUNTER(k, set)                                                                    \
    for (unsigned k##_left = (set), k = 0; k##_left && ((void)(k = base_ctz32(k##_left)), true);   \
         k##_left &= k##_left - 1)

static void
need(amd_wait_values *w, unsigned k, uint32_t n)
{
    if (n < w->at_most[k])
        w->at_most[k] = (uint8_t)n;
}

/* Adds a wait until operation `number` of counter `k` has finished. */
static void
need_operation(const wait_ctx *x, amd_wait_values *w, unsigned k, uint32_t number)
{
    const wait_state *s = &x->now;
    if (number <= s->done[k])
        return;
    uint32_t since = s->issued[k] - number;
    if (s->unordered >> k & 1)
        since = 0;
    need(w, k, since < x->max[k] ? since : x->max[k]);
}

static void
need_registers(const wait_ctx *x, amd_wait_values *w, ir_ref r, unsigned counters)
{
    amd_reg_range range = amd_range_of(r);
    for (unsigned reg = range.first; reg < range.first + range.count; reg++) {
        FOREACH_COUNTER(k, counters)
            need_operation(x, w, k, x->now.regs[k]->number[reg]);
    }
}

static void
apply(wait_ctx *x, const amd_wait_values *w)
{
    wait_state *s = &x->now;
    for (unsigned k = 0; k < AMD_WAIT_COUNT; k++) {
        if (w->at_most[k] == AMD_NO_WAIT)
            continue;
        s->done[k] = later(s->done[k], s->issued[k] - w->at_most[k]);
        if (!w->at_most[k])
            s->pending &= (uint8_t) ~(1u << k);
        x->changed = true;
    }
    s->unordered &= s->pending;
    s->unsent &= s->pending;
}

static bool
is_half_load(const reg_table *regs, unsigned reg)
{
    return regs->halves[reg / 64] >> reg % 64 & 1;
}

static void
set_half_load(reg_table *regs, unsigned reg, bool half)
{
    uint64_t bit = UINT64_C(1) << reg % 64;
    regs->halves[reg / 64] = half ? regs->halves[reg / 64] | bit : regs->halves[reg / 64] & ~bit;
}

static void
mark_register(wait_state *s, unsigned k, unsigned reg, uint32_t number)
{
    s->regs[k]->number[reg] = number;
    s->regs[k]->marked[reg / 64] |= UINT64_C(1) << reg % 64;
    set_half_load(s->regs[k], reg, false);
}

static void
mark_registers(wait_state *s, unsigned k, const ir_ref *refs, unsigned n)
{
    for (unsigned r = 0; r < n; r++) {
        amd_reg_range range = amd_range_of(refs[r]);
        for (unsigned reg = range.first; reg < range.first + range.count; reg++)
            mark_register(s, k, reg, s->issued[k]);
    }
}

static void
mark_exec(wait_ctx *x)
{
    ir_ref exec = amd_phys(AMD_EXEC, x->p->lane_mask);
    mark_registers(&x->now, AMD_WAIT_EXP, &exec, 1);
}

/* Counts the operation and marks the registers that it writes, or reads late. */
static void
issue(wait_ctx *x, const ir_instr *i, const amd_op_info *row)
{
    wait_state *s = &x->now;
    amd_counted c = amd_count_waits(x->p, i, row);
    x->changed |= c.counters != 0;
    s->pending |= c.counters;
    s->unordered |= c.unordered;
    s->unsent |= row->flags & (AMD_F_VM | AMD_F_VS) || row->fmt == AMD_DS ? c.counters : 0;
    FOREACH_COUNTER(k, c.counters)
        s->issued[k]++;
    FOREACH_COUNTER(k, c.results)
        mark_registers(s, k, i->defs, i->n_defs);
    FOREACH_COUNTER(k, c.data)
        mark_registers(s, k, i->refs, i->n_refs);
    bool shares_globally = row->fmt == AMD_DS && ir_words(i)[1] & AMD_MEM_GDS;
    if (row->fmt == AMD_EXP || shares_globally) /* these read exec late, too (ACO, LLVM) */
        mark_exec(x);
    if (c.results && amd_is_ordered_half_load(x->p->target, i)) {
        unsigned reg = amd_range_of(i->defs[0]).first;
        FOREACH_COUNTER(k, c.results)
            set_half_load(s->regs[k], reg, true);
    }
}

/* The counters in which the load `i` follows one of the other half of its register, which it need
 * not wait for. */
static unsigned
follows_other_half(const wait_ctx *x, const ir_instr *i, const amd_op_info *row)
{
    unsigned counters = 0;
    if (!row || !amd_is_ordered_half_load(x->p->target, i))
        return 0;
    unsigned reg = amd_range_of(i->defs[0]).first;
    FOREACH_COUNTER(k, amd_count_waits(x->p, i, row).results)
        counters |= (unsigned)is_half_load(x->now.regs[k], reg) << k;
    return counters;
}

/* LDS instructions write their results in order, so one need not wait for another whose register it
 * writes, too; flat ones, which two counters count, are waited for. */
static unsigned
follows_lds(const wait_ctx *x, const ir_instr *i, const amd_op_info *row)
{
    const unsigned lds = 1u << AMD_WAIT_LGKM;
    const wait_state *s = &x->now;
    if (!row || row->fmt != AMD_DS || !i->n_defs)
        return 0;
    amd_reg_range range = amd_range_of(i->defs[0]);
    for (unsigned reg = range.first; reg < range.first + range.count; reg++) {
        if (s->regs[AMD_WAIT_VM]->number[reg] > s->done[AMD_WAIT_VM])
            return 0;
    }
    return lds;
}

/* ---- inserting ---- */

static void
wait_before(wait_ctx *c, ir_instr *at, const amd_wait_values *w)
{
    if (c->insert)
        amd_insert_waits(at, w);
    apply(c, w);
}

/* Waits for all that is pending in these counters. */
static void
need_all(const wait_state *s, amd_wait_values *w, unsigned counters)
{
    FOREACH_COUNTER(k, s->pending & counters)
        need(w, k, 0);
}

/* ---- barriers ---- */

static bool
has_several_waves(const wait_ctx *c)
{
    const uint32_t *w = c->f->shader.workgroup_size;
    return (uint64_t)w[0] * w[1] * w[2] > c->p->wave_size;
}

/* Words of a barrier: execution scope (not needed here), memory scope, semantics, modes (HIR's
 * enumerations: scope 3 is workgroup, modes 1 buffers, 2 shared, 4 images). One wave's accesses
 * must only finish before other waves may depend on them. */
enum { SCOPE_WORKGROUP = 3, MODE_SHARED = 2, SEM_ACQUIRE = 1, SEM_RELEASE = 2 };

/* Counters of accesses to LDS; to everything else that other waves may access. Before there is a
 * counter of its own, scalar memory is in the first, too. */
enum {
    SHARED_COUNTERS = 1 << AMD_WAIT_LGKM,
    MEMORY_COUNTERS = 1 << AMD_WAIT_VM | 1 << AMD_WAIT_VS | 1 << AMD_WAIT_SAMPLE,
};

static bool
is_barrier(unsigned op)
{
    return op == AMD_S_BARRIER || op == AMD_S_BARRIER_SIGNAL || op == AMD_S_BARRIER_WAIT;
}

static void
write_back(wait_ctx *c, ir_instr *i)
{
    if (c->insert)
        amd_insert_write_back(i);
    c->now.issued[AMD_WAIT_VM]++;
    c->now.pending |= 1u << AMD_WAIT_VM;
    c->changed = true;
}

/* Does the barrier order accesses of other waves that all are on the wave's compute unit? */
static bool
stays_in_unit(wait_ctx *c, uint32_t scope)
{
    if (scope != SCOPE_WORKGROUP || c->p->hsa || !has_several_waves(c))
        return false;
    c->p->one_unit = c->p->one_unit || amd_fits_one_unit(c->p);
    return c->p->one_unit;
}

/* Waits until all that is pending in these counters is on its way. */
static void
send_all(wait_ctx *c, ir_instr *i, unsigned counters)
{
    if (!(c->now.unsent & counters))
        return;
    if (c->insert)
        amd_insert_wait_for_sources(i);
    c->now.unsent = 0;
    c->changed = true;
}

static void
visit_barrier(wait_ctx *c, ir_instr *i)
{
    amd_wait_values w = amd_no_wait;
    uint32_t scope = ir_words(i)[1], semantics = ir_words(i)[2], modes = ir_words(i)[3];
    bool others = scope > SCOPE_WORKGROUP || (scope == SCOPE_WORKGROUP && has_several_waves(c));
    bool device = scope > SCOPE_WORKGROUP && (modes & ~(uint32_t)MODE_SHARED);
    unsigned counters = (modes & MODE_SHARED ? SHARED_COUNTERS : 0u) |
                        (modes & ~(uint32_t)MODE_SHARED ? MEMORY_COUNTERS : 0u);
    if (device && (semantics & SEM_RELEASE) && amd_has(c->p->target, writes_back_l2))
        write_back(c, i);
    bool near = others && stays_in_unit(c, scope);
    others &= !near;
    if (near)
        send_all(c, i, counters);
    if (others)
        need_all(&c->now, &w, counters);
    wait_before(c, i, &w);
    if (!c->insert)
        return;
    /* lower_to_hw_instr has inserted the barrier's instruction after the marker. What the other
     * waves wrote before it is seen behind it. */
    ir_instr *last = i;
    while (last->next && is_barrier(last->next->op))
        last = last->next;
    if (others && (semantics & SEM_ACQUIRE) && (modes & ~(uint32_t)MODE_SHARED))
        amd_insert_invalidation(last, scope > SCOPE_WORKGROUP);
    ir_unlink(i);
}

/* ---- the walk ---- */

/* Interpolation from registers has a field for what it waits for. */
static void
wait_for_parameters(const wait_ctx *c, ir_instr *i, amd_wait_values *w)
{
    enum { NO_WAIT = 7 };
    uint32_t n = w->at_most[AMD_WAIT_EXP] < NO_WAIT ? w->at_most[AMD_WAIT_EXP] : NO_WAIT;
    if (c->insert)
        ir_words(i)[0] = (ir_words(i)[0] & ~((uint32_t)NO_WAIT << AMD_MOD_WAIT_EXP)) |
                         n << AMD_MOD_WAIT_EXP;
    w->at_most[AMD_WAIT_EXP] = AMD_NO_WAIT;
}

static void
visit_instr(wait_ctx *c, ir_instr *i)
{
    if (i->op == AMD_P_BARRIER) {
        visit_barrier(c, i);
        return;
    }
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    /* where parameters are loaded, this counter has results, too */
    bool loads = c->p->stage == AMD_STAGE_FRAGMENT_FS && amd_has(c->p->target, loads_params);
    const unsigned late = loads ? 0 : 1u << AMD_WAIT_EXP;
    bool interpolates = row && row->fmt == AMD_VINTERP;
    if (interpolates || c->now.pending & c->tracked) {
        amd_wait_values w = amd_no_wait;
        unsigned pending = c->now.pending & c->tracked;
        for (unsigned r = 0; r < i->n_refs; r++)
            need_registers(c, &w, i->refs[r], pending & ~late);
        pending &= ~(follows_other_half(c, i, row) | follows_lds(c, i, row));
        for (unsigned d = 0; d < i->n_defs; d++)
            need_registers(c, &w, i->defs[d], pending);
        amd_wait_values met = w;
        if (interpolates)
            wait_for_parameters(c, i, &w);
        wait_before(c, i, &w);
        if (interpolates)
            apply(c, &met);
    }
    if (row)
        issue(c, i, row);
    if (row && (c->p->debug & AMD_DEBUG_FORCE_WAITCNT) && !(row->flags & AMD_F_TERM)) {
        amd_wait_values all = amd_no_wait;
        need_all(&c->now, &all, c->now.pending);
        if (i->next)
            wait_before(c, i->next, &all);
    }
}

/* ---- states between blocks ---- */

/* Forgets all pending operations: all numbers so far count as done, and numbers for a snapshot's
 * operations are reserved. */
static void
clear_state(wait_ctx *x)
{
    wait_state *s = &x->now;
    FOREACH_COUNTER(k, x->tracked)
        memset(s->regs[k]->marked, 0, sizeof s->regs[k]->marked);
    for (unsigned k = 0; k < AMD_WAIT_COUNT; k++) {
        s->done[k] = s->issued[k];
        s->issued[k] += x->max[k] + 1u;
    }
    s->pending = s->unordered = s->unsent = 0;
}

/* Adds the snapshot's pending operations. */
static void
join_snapshot(wait_state *s, const snapshot *from)
{
    s->pending |= from->pending;
    s->unordered |= from->unordered;
    s->unsent |= from->unsent;
    for (uint32_t k = 0; k < from->count; k++) {
        pending_reg p = from->regs[k];
        uint32_t number = s->issued[p.counter] - p.since;
        reg_table *regs = s->regs[p.counter];
        bool known = regs->number[p.reg] > s->done[p.counter];
        bool half = p.half && (!known || is_half_load(regs, p.reg));
        if (number > regs->number[p.reg])
            mark_register(s, p.counter, p.reg, number);
        set_half_load(regs, p.reg, half);
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
 * more than can be counted have finished; otherwise they stay. */
static void
save_table(wait_ctx *x, snapshot *to, unsigned k, unsigned word)
{
    const wait_state *s = &x->now;
    bool ordered = !(s->unordered >> k & 1);
    for (uint64_t left = s->regs[k]->marked[word]; left; left &= left - 1) {
        unsigned reg = word * 64 + base_ctz64(left);
        uint32_t since = s->issued[k] - s->regs[k]->number[reg];
        if (s->regs[k]->number[reg] <= s->done[k] || (ordered && since >= x->max[k]))
            continue;
        if (since > x->max[k])
            since = x->max[k];
        add_pending(x->scratch, to,
                    (pending_reg){.reg = (uint16_t)reg,
                                  .counter = k & 0x7f,
                                  .since = (uint8_t)since,
                                  .half = is_half_load(s->regs[k], reg)});
    }
}

/* Saves `now` as a snapshot in `*to`, which is allocated if it is NULL. */
static const snapshot *
save_state(wait_ctx *x, snapshot **to)
{
    if (!*to)
        *to = ARENA_NEW(x->scratch, snapshot);
    snapshot *s = *to;
    s->pending = x->now.pending;
    s->unordered = x->now.unordered;
    s->unsent = x->now.unsent;
    s->count = 0;
    FOREACH_COUNTER(k, s->pending & x->tracked) {
        for (unsigned w = 0; w < AMD_TRACKED_REGS / 64; w++)
            save_table(x, s, k, w);
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
    clear_state(x);
    join_snapshot(s, big);
    if ((small->pending & ~s->pending) || (small->unordered & ~s->unordered) ||
        (small->unsent & ~s->unsent))
        return false;
    for (uint32_t k = 0; k < small->count; k++) {
        pending_reg p = small->regs[k];
        const reg_table *regs = s->regs[p.counter];
        if (regs->number[p.reg] < s->issued[p.counter] - p.since ||
            is_half_load(regs, p.reg) > p.half)
            return false;
    }
    return true;
}

/* ---- the walk ---- */

static void
load_state(wait_ctx *c, const ir_block *b, bool header)
{
    clear_state(c);
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

/* Waits before the loop that follows `b` for what each iteration would wait for. */
static void
wait_before_loop(wait_ctx *c, ir_block *b)
{
    const ir_block *header = b->succs[1].count == 1 ? b->succs[1].at[0] : b;
    const amd_reg_set *uses = header->index > b->index ? c->in_loop[header->index] : NULL;
    const unsigned late = 1u << AMD_WAIT_EXP;
    if (!uses)
        return;
    amd_wait_values w = amd_no_wait;
    FOREACH_COUNTER(k, c->now.pending & c->tracked & ~late) {
        const reg_table *regs = c->now.regs[k];
        for (unsigned word = 0; word < AMD_TRACKED_REGS / 64; word++) {
            for (uint64_t left = regs->marked[word] & uses->bits[word]; left; left &= left - 1)
                need_operation(c, &w, k, regs->number[word * 64 + base_ctz64(left)]);
        }
    }
    if (c->insert)
        amd_append_waits(b, &w);
    apply(c, &w);
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
    wait_before_loop(c, b);
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
    c->tracked = amd_wait_counters(c->p) & ~(1u << AMD_WAIT_VS);
    FOREACH_COUNTER(k, c->tracked)
        c->now.regs[k] = ARENA_NEW(c->scratch, reg_table);
    for (amd_wait k = 0; k < AMD_WAIT_COUNT; k++)
        c->max[k] = (uint8_t)amd_counter_max(amd_wait_counter(c->p->target->gen, k));
    c->at_end = ARENA_ARRAY(c->scratch, f->n_blocks, const snapshot *);
    c->own = ARENA_ARRAY(c->scratch, f->n_blocks, snapshot *);
    c->at_header = ARENA_ARRAY(c->scratch, f->n_blocks, snapshot *);
    c->in_loop = amd_find_loop_waits(f, c->scratch);
    cg_walk_settled(f, &(cg_settling){c, visit_block, is_known});
    arena_release(f->ctx->scratch, mark);
}
