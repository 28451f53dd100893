/* Waits and delays (target/timing.h).
 *
 * What comes too early is delayed by nops; results that take an unknown time are waited for; and
 * what slow instructions read is overwritten only behind (ss), or if a result of theirs is waited
 * for by (sy) anyway. The scalar ALU works in order: it waits for itself.
 *
 * The state at the start of a block is the worst of its predecessors'. A walk over all blocks is
 * repeated until the states settle; the last one changes the code. */
#include "adreno/target/alias.h"
#include "adreno/target/timing.h"

enum { MAX_NOP = 5, MAX_FIELD = 3, MAX_CYCLE = 20000 };

/* Halves of registers; a0.x, a1.x and the constant file, which stc writes, are units, too. */
enum { A0 = ADRENO_REG_PREDICATE / 2 + 64, A1, CONSTS, UNITS };

enum {
    BY_SS = 1,
    BY_SY = 2,
    SOURCE_SS = 4,
    SOURCE_SS_SY = 8,
    SCALAR = 16, /* a result of the scalar ALU, or a source: others need (ss) */
    SCALAR_SOURCE = 32,
};

typedef struct sync_state {
    uint16_t alu[UNITS];   /* the cycle from which operations of the same size may read it */
    uint16_t other[UNITS]; /* the same for all others */
    uint8_t pending[UNITS];
    uint16_t cycle;
} sync_state;

typedef struct walk {
    ir_fn *f;
    const adreno_target *t;
    sync_state *in, now; /* at the starts of blocks; here */
    bool changes;        /* the code */
    bool settled;
    uint16_t used[UNITS]; /* the units of which a state says something */
    bool is_used[UNITS];
    unsigned n_used;
} walk;

/* ---- what an instruction is ---- */

typedef struct units {
    unsigned first, end;
} units;

static units
units_of(const walk *w, ir_ref r)
{
    const unsigned first = r.reg / 2u;
    if (!adreno_has_register(r))
        return (units){0, 0};
    return (units){first, first + ir_machine_of(w->f)->classes[r.rc].units};
}

static bool
is_shared(ir_ref r)
{
    return adreno_has_register(r) && adreno_is_shared_reg(r);
}

/* Is it executed by the scalar ALU, which has only full registers here? */
static bool
is_scalar(const walk *w, const ir_instr *i)
{
    bool scalar = w->t->scalar_alu && adreno_kind_of(i) == ADRENO_K_ALU && i->n_defs &&
                  i->op != ADRENO_MOVMSK && is_shared(i->defs[0]) &&
                  !adreno_is_half_class(i->defs[0].rc);
    for (unsigned r = 0; r < i->n_refs; r++)
        scalar &= i->refs[r].kind == IR_REF_CONST || is_shared(i->refs[r]);
    return scalar;
}

static bool
reads_consts(const ir_instr *i)
{
    const unsigned category = adreno_category(i->op);
    if (adreno_is_aliased(i))
        return ir_words(i)[1] >> ADRENO_T_FILES;
    return (i->op == ADRENO_ALIAS || (category >= 1 && category <= 3)) &&
           adreno_attr(i, 0, ADRENO_M_CFILE, 3);
}

/* Does it read a unit that is no register? */
static bool
reads(const ir_instr *i, unsigned unit)
{
    return unit == A0   ? adreno_attr(i, 0, ADRENO_M_REL, 1)
           : unit == A1 ? adreno_reads_a1(i)
                        : reads_consts(i);
}

static unsigned
left(unsigned time, unsigned cycle)
{
    return time > cycle ? time - cycle : 0;
}

/* ---- what it needs ---- */

/* The halves that the sources were written as are compared in the state: `alu` of a unit is the
 * time for readers of the writer's size, which bit 15 of the entry tells. */
enum { HALF_BIT = 0x8000, TIME_MASK = 0x7fff };

static unsigned
delay_for(const walk *w, const ir_instr *i, adreno_kind k, unsigned r)
{
    const ir_ref ref = i->refs[r];
    const units all = units_of(w, ref);
    const bool half = adreno_is_half_class(ref.rc);
    const unsigned now = w->now.cycle + adreno_read_delay(w->t, i, r);
    unsigned delay = 0;
    for (unsigned u = all.first; u < all.end && !is_shared(ref); u++) {
        const bool same = k == ADRENO_K_ALU && ((w->now.alu[u] & HALF_BIT) != 0) == half;
        const unsigned d = left(same ? w->now.alu[u] & TIME_MASK : w->now.other[u], now);
        delay = d > delay ? d : delay;
    }
    return delay;
}

static unsigned
delay_of(const walk *w, const ir_instr *i, adreno_kind k)
{
    unsigned delay = 0;
    for (unsigned r = 0; r < i->n_refs; r++) {
        const unsigned d = delay_for(w, i, k, r);
        delay = d > delay ? d : delay;
    }
    for (unsigned u = A0; u < UNITS; u++) {
        const unsigned d = reads(i, u) ? left(w->now.other[u], w->now.cycle) : 0;
        delay = d > delay ? d : delay;
    }
    return i->op == ADRENO_END ? 0 : delay;
}

static uint8_t
pending_on(const walk *w, ir_ref r)
{
    const units all = units_of(w, r);
    uint8_t bits = 0;
    for (unsigned u = all.first; u < all.end; u++)
        bits |= w->now.pending[u];
    return bits;
}

/* The second half of a fine derivative writes what the first one does, in order. */
static bool
ends_pair(const ir_instr *i)
{
    return adreno_category(i->op) == 5 && adreno_attr(i, 2, ADRENO_W_P, 1);
}

static unsigned
waits_of(const walk *w, const ir_instr *i)
{
    uint8_t bits = 0;
    for (unsigned r = 0; r < i->n_refs; r++)
        bits |= pending_on(w, i->refs[r]) & (BY_SS | BY_SY | SCALAR);
    for (unsigned u = A0; u < UNITS; u++)
        bits |= reads(i, u) ? w->now.pending[u] : 0;
    for (unsigned d = 0; d < i->n_defs && !ends_pair(i); d++)
        bits |= pending_on(w, i->defs[d]);
    if (is_scalar(w, i))
        bits &= (uint8_t) ~(SCALAR | SCALAR_SOURCE);
    unsigned waits = bits & BY_SY ? ADRENO_FORM_SY : 0;
    if (bits & (BY_SS | SOURCE_SS | SCALAR | SCALAR_SOURCE) ||
        (bits & SOURCE_SS_SY && !(bits & BY_SY)))
        waits |= ADRENO_FORM_SS;
    return waits;
}

/* ---- what it leaves ---- */

static void
clear(walk *w, uint8_t bits)
{
    for (unsigned k = 0; k < w->n_used; k++)
        w->now.pending[w->used[k]] &= (uint8_t)~bits;
}

static void
apply_waits(walk *w, unsigned waits)
{
    if (waits & ADRENO_FORM_SS)
        clear(w, BY_SS | SOURCE_SS | SOURCE_SS_SY | SCALAR | SCALAR_SOURCE);
    if (waits & ADRENO_FORM_SY)
        clear(w, BY_SY | SOURCE_SS_SY);
}

static void
use(walk *w, unsigned unit)
{
    if (!w->is_used[unit])
        w->used[w->n_used++] = (uint16_t)unit;
    w->is_used[unit] = true;
}

static void
add_pending(walk *w, units all, unsigned bits)
{
    for (unsigned u = all.first; u < all.end && bits; u++) {
        use(w, u);
        w->now.pending[u] |= (uint8_t)bits;
    }
}

static void
note_result(walk *w, adreno_kind k, ir_ref r, unsigned later, bool scalar)
{
    const units all = units_of(w, r);
    const bool half = adreno_is_half_class(r.rc), is_predicate = r.rc == ADRENO_P1;
    const unsigned when = w->now.cycle + later;
    const unsigned alu = when + (is_predicate ? w->t->other_delay : w->t->alu_delay);
    for (unsigned u = all.first; u < all.end; u++) {
        use(w, u);
        w->now.alu[u] = (uint16_t)((k == ADRENO_K_ALU ? alu : 0) | (half ? HALF_BIT : 0));
        w->now.other[u] = (uint16_t)(k == ADRENO_K_ALU ? when + w->t->other_delay : 0);
    }
    if (k == ADRENO_K_SPECIAL || k == ADRENO_K_SHORT_LOAD || is_shared(r))
        add_pending(w, all, scalar ? SCALAR : BY_SS);
    if (k == ADRENO_K_TEXTURE || k == ADRENO_K_LOAD)
        add_pending(w, all, BY_SY);
}

static void
note_source(walk *w, adreno_kind k, ir_ref r, bool scalar)
{
    const units all = units_of(w, r);
    if (scalar && is_shared(r))
        add_pending(w, all, SCALAR_SOURCE);
    if (k == ADRENO_K_SPECIAL || k == ADRENO_K_SHORT_LOAD || k == ADRENO_K_STORE)
        add_pending(w, all, SOURCE_SS);
    if (k == ADRENO_K_TEXTURE || k == ADRENO_K_LOAD)
        add_pending(w, all, SOURCE_SS_SY);
}

/* A result that is no register: waited for by (ss), or there some cycles later. */
static void
note_unit(walk *w, unsigned unit, bool waits)
{
    add_pending(w, (units){unit, unit + 1}, waits ? BY_SS : 0);
    use(w, unit);
    if (!waits)
        w->now.other[unit] = (uint16_t)(w->now.cycle + w->t->other_delay);
}

static void
leave(walk *w, const ir_instr *i, adreno_kind k)
{
    const bool scalar = is_scalar(w, i);
    for (unsigned r = 0; r < i->n_refs; r++)
        note_source(w, k, i->refs[r], scalar);
    const unsigned cycles = adreno_cycles_of(i), first = k == ADRENO_K_ALU && cycles;
    w->now.cycle = (uint16_t)(w->now.cycle + first);
    for (unsigned d = 0; d < i->n_defs; d++)
        note_result(w, k, i->defs[d], i->op == ADRENO_SWZ ? d : 0, scalar);
    if (i->op == ADRENO_STC)
        note_unit(w, CONSTS, true);
    if (i->op == ADRENO_MOVA)
        note_unit(w, A0, false);
    if (i->op == ADRENO_MOVA1)
        note_unit(w, A1, w->t->waits_for_a1);
    w->now.cycle = (uint16_t)(w->now.cycle + cycles - first);
}

/* Times count from the start of the next block. */
static void
end_block(walk *w)
{
    sync_state *s = &w->now;
    for (unsigned k = 0; k < w->n_used; k++) {
        const unsigned u = w->used[k];
        const unsigned half = s->alu[u] & HALF_BIT;
        s->alu[u] = (uint16_t)(left(s->alu[u] & TIME_MASK, s->cycle) | half);
        s->other[u] = (uint16_t)left(s->other[u], s->cycle);
    }
    s->cycle = 0;
}

/* ---- changing the code ---- */

static ir_instr *
add_nop(ir_instr *at, unsigned repeat)
{
    ir_instr *nop = ir_insert_new(at, ADRENO_NOP, 0, 0);
    ir_words(nop)[1] = repeat;
    nop->form = at->form & ADRENO_FORM_JP;
    at->form &= (uint8_t)~ADRENO_FORM_JP;
    return nop;
}

/* Puts `delay` cycles before `i`: into the operation before, or nops. */
static void
add_delay(walk *w, ir_instr *i, unsigned delay)
{
    ir_instr *before = i->prev;
    const unsigned category = before ? adreno_category(before->op) : 0;
    if (w->t->nop_field && delay && (category == 2 || category == 3)) {
        const unsigned n = delay < MAX_FIELD ? delay : MAX_FIELD;
        before->form |= (uint8_t)(n << ADRENO_FORM_NOP);
        delay -= n;
    }
    if (delay && before && before->op == ADRENO_NOP && ir_words(before)[1] < MAX_NOP) {
        const unsigned room = MAX_NOP - ir_words(before)[1], n = delay < room ? delay : room;
        ir_words(before)[1] += n;
        delay -= n;
    }
    while (delay) {
        const unsigned n = delay <= MAX_NOP + 1 ? delay : MAX_NOP + 1;
        add_nop(i, n - 1);
        delay -= n;
    }
}

/* A texture that reads constants has an alias before it. */
static bool
has_ss(const ir_instr *i)
{
    const unsigned category = adreno_category(i->op);
    bool has = category <= 4 || category == 7;
    for (unsigned r = 0; adreno_is_aliased(i) && r < i->n_refs; r++)
        has |= i->refs[r].kind == IR_REF_CONST;
    return has;
}

/* What a barrier and the end of the preamble want. */
static unsigned
extra_waits(const walk *w, const ir_instr *i)
{
    const ir_instr *before = i->prev;
    unsigned waits = 0;
    if (before && before->op == ADRENO_BAR)
        waits = ADRENO_FORM_SS | ADRENO_FORM_SY;
    if (i->op == ADRENO_BAR || i->op == ADRENO_SHPE)
        waits = ADRENO_FORM_SS | ADRENO_FORM_SY;
    if (adreno_prog(w->f)->debug & ADRENO_DEBUG_FULLSYNC)
        waits = ADRENO_FORM_SS | ADRENO_FORM_SY;
    return waits;
}

static void
visit(walk *w, ir_instr *i)
{
    const adreno_kind k = adreno_kind_of(i);
    unsigned waits = waits_of(w, i) | extra_waits(w, i);
    const bool apart = waits & ADRENO_FORM_SS && !has_ss(i);
    apply_waits(w, waits);
    if (apart) {
        if (w->changes)
            add_nop(i, 0)->form |= ADRENO_FORM_SS;
        w->now.cycle++;
        waits &= ~(unsigned)ADRENO_FORM_SS;
    }
    if (w->now.cycle > MAX_CYCLE)
        end_block(w);
    const bool full = adreno_prog(w->f)->debug & ADRENO_DEBUG_FULLNOP;
    const unsigned delay = full ? MAX_NOP + 1 : delay_of(w, i, k);
    if (w->changes && delay)
        add_delay(w, i, delay);
    if (w->changes)
        i->form |= (uint8_t)waits;
    w->now.cycle = (uint16_t)(w->now.cycle + delay);
    leave(w, i, k);
}

/* ---- blocks ---- */

/* Where the sizes differ, the longer delay is right for both. */
static bool
merge_unit(sync_state *to, const sync_state *from, unsigned u)
{
    const uint16_t a = to->alu[u] & TIME_MASK, b = from->alu[u] & TIME_MASK;
    const bool differ = (to->alu[u] ^ from->alu[u]) & HALF_BIT && b;
    const uint16_t half = (b && !a ? from->alu[u] : to->alu[u]) & HALF_BIT;
    uint16_t time = a > b ? a : b;
    bool changed = from->other[u] > to->other[u];
    to->other[u] = changed ? from->other[u] : to->other[u];
    if (differ && a && to->other[u] > time)
        time = to->other[u];
    const uint16_t alu = time | half;
    changed |= alu != to->alu[u] || (from->pending[u] & ~to->pending[u]);
    to->alu[u] = alu;
    to->pending[u] |= from->pending[u];
    return changed;
}

/* What is known of some units here is so at the start of `to`. */
static void
merge(walk *w, const ir_block *to, units some)
{
    for (unsigned k = 0; k < w->n_used; k++)
        if (w->used[k] >= some.first && w->used[k] < some.end)
            w->settled &= !merge_unit(&w->in[to->index], &w->now, w->used[k]);
}

static void
walk_blocks(walk *w)
{
    const units shared = {ADRENO_REG_SHARED / 2, ADRENO_REG_PREDICATE / 2};
    IR_FOREACH_BLOCK(b, w->f) {
        w->now = w->in[b->index];
        w->now.cycle = 0;
        IR_FOREACH_INSTR(i, b)
            visit(w, i);
        end_block(w);
        for (uint32_t k = 0; k < b->succs[1].count; k++)
            merge(w, b->succs[1].at[k], (units){0, UNITS});
        /* fibres that wait go on where the wave comes by: what is pending on shared registers at
         * the end of a block is so in the next one, too */
        if (b->index + 1 < w->f->n_blocks)
            merge(w, w->f->blocks[b->index + 1], shared);
    }
}

void
adreno_insert_sync(ir_fn *f)
{
    walk *w = ARENA_NEW(f->arena, walk);
    *w = (walk){.f = f, .t = adreno_prog(f)->target};
    w->in = ARENA_ARRAY(f->arena, f->n_blocks, sync_state);
    do {
        w->settled = true;
        walk_blocks(w);
    } while (!w->settled);
    w->changes = true;
    walk_blocks(w);
}
