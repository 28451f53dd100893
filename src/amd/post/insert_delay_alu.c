/* insert_delay_alu: says how long an instruction of the ALUs will wait for operands, so that other
 * waves are issued meanwhile.
 *
 *     v_mul_f32 v2, v0, v1          v_mul_f32 v2, v0, v1
 *     v_add_f32 v3, v2, v0     ->   s_delay_alu instid0(VALU_DEP_1)
 *                                   v_add_f32 v3, v2, v0
 *
 * The hardware waits in any case; s_delay_alu only moves the wait from the ALU to the choice of the
 * wave. It names the producer: the nth vector instruction back (VALU_DEP_1 to 4), the nth
 * transcendental one (TRANS32_DEP_1 to 3), or the cycles that a scalar result still takes
 * (SALU_CYCLE_1 to 3). One instruction has two places: a second producer, or a producer of one of
 * the next five instructions (RDNA3 ISA, S_DELAY_ALU).
 *
 * It costs a word of code and an issue slot of its own, so a wait of one or two cycles, of which it
 * would give one at most to another wave, gets none, or the second place of one that is there.
 * None is inserted where the hardware waits before it chooses the wave: scalar instructions that
 * read what vector ones write, memory instructions, exports, waits (LLVM 19,
 * AMDGPUInsertDelayAlu.cpp); nor before v_cndmask for the mask of a comparison, which is forwarded
 * without a delay (Mesa, merge request 31132). Results are followed within a block: a branch takes
 * longer than they do.
 *
 * Where a SIMD has room for no other wave, there is nothing to issue meanwhile.
 *
 * A cycle is estimated with the machine model (isa/table/timing.h). One walk over the instructions.
 */
#include "amd/isa/table/table.h"
#include "amd/isa/table/timing.h"
#include "amd/post/reg_range.h"
#include "amd/target/occupancy.h"
#include "amd/target/pair.h"

#include <string.h>

/* The parts of the immediate. */
enum {
    VALU_DEP = 0,   /* + n */
    TRANS_DEP = 4,  /* + n */
    SALU_CYCLE = 8, /* + n */
    MOST_VALU = 4,
    MOST_TRANS = 3,
    MOST_CYCLES = 3,
    SKIP_SHIFT = 4,
    SECOND_SHIFT = 7,
    MOST_SKIP = 5,
};

enum { LEAST_WAIT = 3 }; /* cycles that are worth an instruction */

typedef enum producer { BY_NOTHING, BY_VALU, BY_TRANS, BY_SALU } producer;

/* Who writes a register last, and when it is ready. */
typedef struct result {
    uint32_t ready;
    uint32_t number; /* of the producer among those of its kind */
    uint8_t by;      /* producer */
    bool mask;       /* a comparison's */
} result;

typedef struct delays {
    ir_fn *f;
    amd_pace pace;
    uint32_t cycle, n_valu, n_trans;
    bool empty; /* no result is followed */
    result of[AMD_TRACKED_REGS];
    ir_instr *last;  /* the latest s_delay_alu with a free second place, or NULL */
    unsigned behind; /* instructions since then */
} delays;

/* The producers that an instruction waits for: distances and cycles; 0: none. */
typedef struct waiting {
    unsigned valu, trans, cycles;
    uint32_t until;
} waiting;

static producer
producer_of(const amd_op_info *row)
{
    switch (row->fmt) {
    case AMD_SOP1:
    case AMD_SOP2:
    case AMD_SOPK:
    case AMD_SOPC: return BY_SALU;
    case AMD_VOP1:
    case AMD_VOP2:
    case AMD_VOPC:
    case AMD_VOP3:
    case AMD_VOP3P: return row->flags & AMD_F_TRANS ? BY_TRANS : BY_VALU;
    default: return BY_NOTHING;
    }
}

static void
forget(delays *d)
{
    if (!d->empty)
        memset(d->of, 0, sizeof d->of);
    d->empty = true;
}

/* ---- what an instruction waits for ---- */

static unsigned
nearer(unsigned a, unsigned b)
{
    return !a || b < a ? b : a;
}

static void
wait_for(const delays *d, const result *r, producer reader, bool is_select, waiting *w)
{
    bool vector = r->by == BY_VALU || r->by == BY_TRANS;
    if (r->by == BY_NOTHING || r->ready <= d->cycle || (vector && reader == BY_SALU) ||
        (r->mask && is_select))
        return;
    unsigned back = (r->by == BY_VALU ? d->n_valu : d->n_trans) - r->number + 1;
    unsigned cycles = r->ready - d->cycle;
    if (r->by == BY_VALU && back <= MOST_VALU)
        w->valu = nearer(w->valu, back);
    else if (r->by == BY_TRANS && back <= MOST_TRANS)
        w->trans = nearer(w->trans, back);
    else if (r->by == BY_SALU && cycles > w->cycles)
        w->cycles = cycles;
    w->until = r->ready > w->until ? r->ready : w->until;
}

static void
add_waiting(const delays *d, const ir_instr *i, producer reader, waiting *w)
{
    bool is_select = i->op == AMD_V_CNDMASK_B32;
    for (unsigned r = 0; r < i->n_refs && !d->empty; r++) {
        amd_reg_range range = amd_range_of(i->refs[r]);
        for (unsigned k = 0; k < range.count; k++)
            wait_for(d, &d->of[range.first + k], reader, is_select, w);
    }
    if (w->cycles > MOST_CYCLES)
        w->cycles = MOST_CYCLES;
}

/* ---- inserting ---- */

/* The codes of the first two producers; returns their number. */
static unsigned
encode(const waiting *w, uint32_t code[2])
{
    const uint32_t all[3] = {w->trans ? TRANS_DEP + w->trans : 0, w->valu ? VALU_DEP + w->valu : 0,
                             w->cycles ? SALU_CYCLE + w->cycles : 0};
    unsigned n = 0;
    for (unsigned k = 0; k < 3 && n < 2; k++) {
        if (all[k])
            code[n++] = all[k];
    }
    return n;
}

static void
insert(delays *d, ir_instr *at, const waiting *w)
{
    uint32_t code[2] = {0, 0};
    unsigned n = encode(w, code);
    if (n == 1 && d->last && d->behind <= MOST_SKIP) {
        ir_words(d->last)[0] |= d->behind << SKIP_SHIFT | code[0] << SECOND_SHIFT;
        d->last = NULL;
        return;
    }
    if (!n || w->until - d->cycle < LEAST_WAIT)
        return;
    ir_instr *i = amd_new(d->f, AMD_S_DELAY_ALU, 0, 0);
    ir_words(i)[0] = code[0] | code[1] << SECOND_SHIFT;
    i->loc = at->loc;
    ir_insert_before(at, i);
    d->last = n == 1 ? i : NULL;
    d->behind = 0;
}

/* ---- the walk ---- */

static void
note_results(delays *d, const ir_instr *i, const amd_op_info *row, producer by, uint32_t ready)
{
    const result made = {.ready = ready,
                         .number = by == BY_VALU ? d->n_valu : d->n_trans,
                         .by = (uint8_t)by,
                         .mask = row->fmt == AMD_VOPC};
    for (unsigned k = 0; k < i->n_defs; k++) {
        amd_reg_range range = amd_range_of(i->defs[k]);
        for (unsigned r = 0; r < range.count; r++)
            d->of[range.first + r] = made;
        d->empty &= !range.count;
    }
}

static void
visit(delays *d, ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    if (!row) { /* what is left of pseudo instructions: barriers without code, p_constaddr_add */
        d->last = NULL;
        return;
    }
    producer by = producer_of(row);
    amd_timing time = amd_timing_of(&d->pace, (amd_op)i->op);
    if (by == BY_NOTHING) {
        if (row->fmt != AMD_SOPP && row->fmt != AMD_SMEM)
            forget(d);
    } else {
        bool pair = amd_joins_next(i);
        waiting w = {.until = d->cycle};
        add_waiting(d, i, by, &w);
        if (pair)
            add_waiting(d, i->next, by, &w);
        insert(d, i, &w);
        d->cycle = w.until;
        d->n_valu += by == BY_VALU;
        d->n_trans += by == BY_TRANS;
        note_results(d, i, row, by, d->cycle + time.latency);
        if (pair)
            note_results(d, i->next, row, by, d->cycle + time.latency);
    }
    d->cycle += time.issue;
    d->behind++;
}

void
amd_insert_delay_alu(ir_fn *f)
{
    const amd_program *p = amd_prog(f);
    bool exists = amd_op_number(AMD_S_DELAY_ALU, AMD_SOPP, p->target->gen) >= 0;
    if (!exists || amd_waves_for_vgprs(p, p->vgprs_used) < 2)
        return;
    arena_mark mark = arena_save(f->ctx->scratch);
    delays *d = ARENA_NEW(f->ctx->scratch, delays);
    d->f = f;
    d->pace = amd_pace_of(p->target->gen, p->target->name, p->wave_size == 64);
    IR_FOREACH_BLOCK(b, f) {
        forget(d);
        d->last = NULL;
        IR_FOREACH_INSTR(i, b)
            if (!amd_joins_previous(i))
                visit(d, i);
    }
    arena_release(f->ctx->scratch, mark);
}
