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

enum { UNITS = ADRENO_REG_PREDICATE / 2 + 64, MAX_NOP = 5, MAX_FIELD = 3, MAX_CYCLE = 20000 };

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
    uint16_t address, a1; /* the cycles from which a0.x and a1.x may be read */
    uint16_t cycle;
    bool consts;     /* stc is writing constants */
    bool a1_pending; /* a1.x has been written, and is waited for */
} sync_state;

typedef struct walk {
    ir_fn *f;
    const adreno_target *t;
    sync_state *in, now; /* at the starts of blocks; here */
    bool *reached;
    bool changes; /* the code */
    bool settled;
    uint16_t used[UNITS]; /* the units that some instruction reads or writes */
    unsigned n_used;
} walk;

/* ---- what an instruction is ---- */

static unsigned
first_unit(ir_ref r)
{
    return r.reg / 2u;
}

static unsigned
units_of(const walk *w, ir_ref r)
{
    return ir_machine_of(w->f)->classes[r.rc].units;
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

static bool
reads_address(const ir_instr *i)
{
    return adreno_attr(i, 0, ADRENO_M_REL, 1);
}

/* ---- what it needs ---- */

/* The halves that the sources were written as are compared in the state: `alu` of a unit is the
 * time for readers of the writer's size, which bit 15 of the entry tells. */
enum { HALF_BIT = 0x8000, TIME_MASK = 0x7fff };

static unsigned
delay_for(const walk *w, const ir_instr *i, adreno_kind k, unsigned r)
{
    const ir_ref ref = i->refs[r];
    const bool half = adreno_is_half_class(ref.rc);
    const unsigned now = w->now.cycle + adreno_read_delay(w->t, i, r);
    unsigned delay = 0;
    if (is_shared(ref))
        return 0;
    for (unsigned u = first_unit(ref); u < first_unit(ref) + units_of(w, ref); u++) {
        const bool same = k == ADRENO_K_ALU && ((w->now.alu[u] & HALF_BIT) != 0) == half;
        const unsigned ready = same ? w->now.alu[u] & TIME_MASK : w->now.other[u];
        delay = ready > now && ready - now > delay ? ready - now : delay;
    }
    return delay;
}

static unsigned
delay_of(const walk *w, const ir_instr *i, adreno_kind k)
{
    unsigned delay = 0;
    for (unsigned r = 0; r < i->n_refs; r++) {
        const unsigned d = adreno_has_register(i->refs[r]) ? delay_for(w, i, k, r) : 0;
        delay = d > delay ? d : delay;
    }
    if (reads_address(i) && w->now.address > w->now.cycle + delay)
        delay = w->now.address - w->now.cycle;
    if (adreno_reads_a1(i) && w->now.a1 > w->now.cycle + delay)
        delay = w->now.a1 - w->now.cycle;
    return i->op == ADRENO_END ? 0 : delay;
}

static uint8_t
pending_on(const walk *w, ir_ref r)
{
    uint8_t bits = 0;
    for (unsigned u = first_unit(r); adreno_has_register(r) && u < first_unit(r) + units_of(w, r);
         u++)
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
    for (unsigned d = 0; d < i->n_defs && !ends_pair(i); d++)
        bits |= pending_on(w, i->defs[d]);
    if (is_scalar(w, i))
        bits &= (uint8_t) ~(SCALAR | SCALAR_SOURCE);
    unsigned waits = bits & BY_SY ? ADRENO_FORM_SY : 0;
    if ((w->now.consts && reads_consts(i)) || (w->now.a1_pending && adreno_reads_a1(i)))
        waits |= ADRENO_FORM_SS;
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
    if (waits & ADRENO_FORM_SS) {
        clear(w, BY_SS | SOURCE_SS | SOURCE_SS_SY | SCALAR | SCALAR_SOURCE);
        w->now.consts = w->now.a1_pending = false;
    }
    if (waits & ADRENO_FORM_SY)
        clear(w, BY_SY | SOURCE_SS_SY);
}

static void
note_result(walk *w, adreno_kind k, ir_ref r, unsigned later, bool scalar)
{
    const bool half = adreno_is_half_class(r.rc), is_predicate = r.rc == ADRENO_P1;
    const unsigned when = w->now.cycle + later;
    const unsigned alu = when + (is_predicate ? w->t->other_delay : w->t->alu_delay);
    for (unsigned u = first_unit(r); u < first_unit(r) + units_of(w, r); u++) {
        w->now.alu[u] = (uint16_t)((k == ADRENO_K_ALU ? alu : 0) | (half ? HALF_BIT : 0));
        w->now.other[u] = (uint16_t)(k == ADRENO_K_ALU ? when + w->t->other_delay : 0);
        if (k == ADRENO_K_SPECIAL || k == ADRENO_K_SHORT_LOAD || is_shared(r))
            w->now.pending[u] |= scalar ? SCALAR : BY_SS;
        if (k == ADRENO_K_TEXTURE || k == ADRENO_K_LOAD)
            w->now.pending[u] |= BY_SY;
    }
}

static void
note_source(walk *w, adreno_kind k, ir_ref r, bool scalar)
{
    if (scalar && is_shared(r))
        for (unsigned u = first_unit(r); u < first_unit(r) + units_of(w, r); u++)
            w->now.pending[u] |= SCALAR_SOURCE;
    const bool by_ss = k == ADRENO_K_SPECIAL || k == ADRENO_K_SHORT_LOAD || k == ADRENO_K_STORE;
    if (!by_ss && k != ADRENO_K_TEXTURE && k != ADRENO_K_LOAD)
        return;
    for (unsigned u = first_unit(r); u < first_unit(r) + units_of(w, r); u++)
        w->now.pending[u] |= by_ss ? SOURCE_SS : SOURCE_SS_SY;
}

static void
leave(walk *w, const ir_instr *i, adreno_kind k)
{
    const bool scalar = is_scalar(w, i);
    for (unsigned r = 0; r < i->n_refs; r++)
        if (adreno_has_register(i->refs[r]))
            note_source(w, k, i->refs[r], scalar);
    const unsigned cycles = adreno_cycles_of(i), first = k == ADRENO_K_ALU && cycles;
    w->now.cycle = (uint16_t)(w->now.cycle + first);
    for (unsigned d = 0; d < i->n_defs; d++)
        note_result(w, k, i->defs[d], i->op == ADRENO_SWZ ? d : 0, scalar);
    w->now.consts |= i->op == ADRENO_STC;
    if (i->op == ADRENO_MOVA)
        w->now.address = (uint16_t)(w->now.cycle + w->t->other_delay);
    if (i->op == ADRENO_MOVA1 && !w->t->waits_for_a1)
        w->now.a1 = (uint16_t)(w->now.cycle + w->t->other_delay);
    w->now.a1_pending |= i->op == ADRENO_MOVA1 && w->t->waits_for_a1;
    w->now.cycle = (uint16_t)(w->now.cycle + cycles - first);
}

static unsigned
left(unsigned time, unsigned cycle)
{
    return time > cycle ? time - cycle : 0;
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
    s->address = (uint16_t)left(s->address, s->cycle);
    s->a1 = (uint16_t)left(s->a1, s->cycle);
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

static bool
merge_time(uint16_t *to, uint16_t from)
{
    const bool later = *to < from;
    *to = later ? from : *to;
    return later;
}

/* Where the sizes differ, the longer delay is right for both. */
static bool
merge_unit(sync_state *to, const sync_state *from, unsigned u)
{
    const uint16_t a = to->alu[u] & TIME_MASK, b = from->alu[u] & TIME_MASK;
    const bool differ = (to->alu[u] ^ from->alu[u]) & HALF_BIT && b;
    const uint16_t half = (b && !a ? from->alu[u] : to->alu[u]) & HALF_BIT;
    uint16_t time = a > b ? a : b;
    bool changed = merge_time(&to->other[u], from->other[u]);
    if (differ && a && to->other[u] > time)
        time = to->other[u];
    const uint16_t alu = time | half;
    changed |= alu != to->alu[u] || (from->pending[u] & ~to->pending[u]);
    to->alu[u] = alu;
    to->pending[u] |= from->pending[u];
    return changed;
}

static void
merge(walk *w, const ir_block *to)
{
    sync_state *s = &w->in[to->index];
    bool changed = !w->reached[to->index];
    for (unsigned k = 0; k < w->n_used; k++)
        changed |= merge_unit(s, &w->now, w->used[k]);
    changed |= merge_time(&s->address, w->now.address) | merge_time(&s->a1, w->now.a1);
    changed |= (w->now.consts && !s->consts) || (w->now.a1_pending && !s->a1_pending);
    s->consts |= w->now.consts;
    s->a1_pending |= w->now.a1_pending;
    w->reached[to->index] = true;
    w->settled &= !changed;
}

/* Fibres that wait go on where the wave comes by: what is pending on shared registers at the end of
 * a block is so in the next one, too. */
static void
merge_shared(walk *w, const ir_block *to)
{
    sync_state *s = &w->in[to->index];
    for (unsigned k = 0; k < w->n_used; k++)
        if (w->used[k] >= ADRENO_REG_SHARED / 2 && w->used[k] < ADRENO_REG_PREDICATE / 2)
            w->settled &= !merge_unit(s, &w->now, w->used[k]);
}

static void
walk_blocks(walk *w)
{
    IR_FOREACH_BLOCK(b, w->f) {
        w->now = w->in[b->index];
        w->now.cycle = 0;
        IR_FOREACH_INSTR(i, b)
            visit(w, i);
        end_block(w);
        for (uint32_t k = 0; k < b->succs[1].count; k++)
            merge(w, b->succs[1].at[k]);
        if (b->index + 1 < w->f->n_blocks)
            merge_shared(w, w->f->blocks[b->index + 1]);
    }
}

static void
use(walk *w, ir_ref r, bool *known)
{
    for (unsigned u = first_unit(r); adreno_has_register(r) && u < first_unit(r) + units_of(w, r);
         u++) {
        if (!known[u])
            w->used[w->n_used++] = (uint16_t)u;
        known[u] = true;
    }
}

static void
find_used(walk *w)
{
    bool known[UNITS] = {false};
    IR_FOREACH_INSTR_OF(i, w->f) {
        for (unsigned d = 0; d < i->n_defs; d++)
            use(w, i->defs[d], known);
        for (unsigned r = 0; r < i->n_refs; r++)
            use(w, i->refs[r], known);
    }
}

void
adreno_insert_sync(ir_fn *f)
{
    walk *w = ARENA_NEW(f->arena, walk);
    *w = (walk){.f = f, .t = adreno_prog(f)->target};
    w->in = ARENA_ARRAY(f->arena, f->n_blocks, sync_state);
    w->reached = ARENA_ARRAY(f->arena, f->n_blocks, bool);
    find_used(w);
    do {
        w->settled = true;
        walk_blocks(w);
    } while (!w->settled);
    w->changes = true;
    walk_blocks(w);
}
