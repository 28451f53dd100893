/* A window slides over a block. Of the instructions in it, the one issues next that waits least for
 * its operands, of these the first in the original order: so the order changes only where time
 * would be lost. Instructions of a group that follow each other stay together.
 *
 * A slot of the window is a bit. By register unit there are the slots that write it and that read
 * it: an instruction that comes into the window must follow the writers of what it reads, and all
 * that use what it writes. The active lanes and the order of accesses to memory are units, too.
 * When an instruction issues, its bit goes. So an instruction costs a few steps for each of its
 * units and for each slot, however long the block is.
 */
#include "cg/schedule_window.h"

#include "base/bitset.h"
#include "cg/schedule_graph.h"

enum { SLOTS = 16 };

typedef struct slot {
    ir_instr *instr;
    cg_window_facts is;
    uint32_t behind;  /* slots that must issue first */
    uint32_t results; /* of these, those whose results it reads */
    uint32_t cycle;   /* its operands are ready, as far as they have issued */
    uint32_t number;  /* in the original order */
} slot;

/* Of a register unit: the slots that use it, and the cycle at which its contents are ready. */
typedef struct unit_use {
    uint16_t writers, readers;
    uint32_t ready;
} unit_use;

typedef struct window {
    const cg_window_rules *rules;
    ir_fn *f;
    slot slots[SLOTS];
    uint32_t used; /* slots with an instruction */
    uint32_t now, count;
    unsigned group;        /* of the last ordered instruction, if it issued just now */
    unit_use *units;       /* of those that something has used */
    uint64_t *known;       /* set of these */
    unsigned lanes, order; /* units of their own */
} window;

#define FOREACH_SLOT(k, set)                                                                       \
    for (uint32_t k##_left = (set), k = 0; k##_left && ((void)(k = base_ctz32(k##_left)), true);   \
         k##_left &= k##_left - 1)

/* ---- units ---- */

typedef void
use_unit(window *w, unsigned k, unsigned unit);

/* The entry of a unit that an instruction begins to use: few of all units are ever used. */
static unit_use *
know_unit(window *w, unsigned unit)
{
    if (!bitset_has(w->known, unit))
        w->units[unit] = (unit_use){0};
    bitset_add(w->known, unit);
    return &w->units[unit];
}

static void
read_unit(window *w, unsigned k, unsigned unit)
{
    slot *s = &w->slots[k];
    unit_use *u = know_unit(w, unit);
    s->behind |= u->writers;
    s->results |= u->writers;
    s->cycle = u->ready > s->cycle ? u->ready : s->cycle;
    u->readers |= (uint16_t)(1u << k);
}

static void
write_unit(window *w, unsigned k, unsigned unit)
{
    unit_use *u = know_unit(w, unit);
    w->slots[k].behind |= (uint32_t)(u->writers | u->readers);
    u->writers |= (uint16_t)(1u << k);
}

static void
end_read(window *w, unsigned k, unsigned unit)
{
    w->units[unit].readers &= (uint16_t) ~(1u << k);
}

/* A slow write before it comes first; or it is on another path, and that one may be taken. */
static void
end_write(window *w, unsigned k, unsigned unit)
{
    uint32_t at = w->now + w->slots[k].is.latency;
    unit_use *u = &w->units[unit];
    u->writers &= (uint16_t) ~(1u << k);
    u->ready = at > u->ready ? at : u->ready;
}

/* Calls `read` and `write` for what the instruction of slot `k` uses. */
static void
visit_units(window *w, unsigned k, use_unit *read, use_unit *write)
{
    const ir_instr *i = w->slots[k].instr;
    unsigned first, lanes = w->slots[k].is.lanes;
    for (unsigned r = 0; r < i->n_refs; r++) {
        for (unsigned n = cg_graph_units(w->f, i->refs[r], &first); n; n--)
            read(w, k, first + n - 1);
    }
    if (lanes & (IR_LANES_MASK | IR_LANES_READ))
        read(w, k, w->lanes);
    for (unsigned d = 0; d < i->n_defs; d++) {
        for (unsigned n = cg_graph_units(w->f, i->defs[d], &first); n; n--)
            write(w, k, first + n - 1);
    }
    if (lanes & IR_LANES_WRITE)
        write(w, k, w->lanes);
    if (w->slots[k].is.ordered)
        write(w, k, w->order);
}

/* ---- the window ---- */

static void
add(window *w, ir_instr *i, cg_window_facts is)
{
    unsigned k = base_ctz32(~w->used);
    w->slots[k] = (slot){.instr = i, .is = is, .number = w->count++};
    i->mark = k;
    visit_units(w, k, read_unit, write_unit);
    slot *s = &w->slots[k];
    s->behind &= ~(1u << k); /* it reads what it writes */
    s->results &= ~(1u << k);
    w->used |= 1u << k;
}

/* Cycles that the instruction waits; it continues a group at once. */
static uint32_t
stall(const window *w, const slot *s)
{
    bool joins = s->is.group && s->is.group == w->group;
    return joins || s->cycle <= w->now ? 0 : s->cycle - w->now;
}

static bool
is_better(const window *w, const slot *a, const slot *b)
{
    bool joins = a->is.group && a->is.group == w->group;
    bool other = b->is.group && b->is.group == w->group;
    uint32_t x = stall(w, a), y = stall(w, b);
    if (joins != other)
        return joins;
    return x != y ? x < y : a->number < b->number;
}

/* `head` is the first in the original order: nothing is better if it need not wait. */
static unsigned
choose(const window *w, const ir_instr *head)
{
    unsigned best = SLOTS;
    if (!w->group && w->slots[head->mark].cycle <= w->now)
        return head->mark;
    FOREACH_SLOT(k, w->used) {
        const slot *s = &w->slots[k];
        if (!s->behind && (best == SLOTS || is_better(w, s, &w->slots[best])))
            best = k;
    }
    return best;
}

/* Issues slot `k` before `head`, the first instruction in the window. */
static void
issue(window *w, unsigned k, ir_instr *head)
{
    slot *s = &w->slots[k];
    if (s->instr != head) {
        ir_unlink(s->instr);
        ir_insert_before(head, s->instr);
    }
    w->now = s->cycle > w->now ? s->cycle : w->now;
    w->used &= ~(1u << k);
    visit_units(w, k, end_read, end_write);
    FOREACH_SLOT(other, w->used) {
        slot *o = &w->slots[other];
        uint32_t at = w->now + s->is.latency;
        if (!(o->behind >> k & 1))
            continue;
        if ((o->results >> k & 1) && at > o->cycle)
            o->cycle = at;
        o->behind &= ~(1u << k);
        o->results &= ~(1u << k);
    }
    w->group = s->is.group;
    w->now += s->is.issue;
}

/* Issues one instruction, or all, from the window, whose first in the block is `head`. Returns what
 * is the first then. */
static ir_instr *
drain(window *w, ir_instr *head, bool all)
{
    do {
        unsigned k = choose(w, head);
        ir_instr *behind = head == w->slots[k].instr ? head->next : head;
        issue(w, k, head);
        head = behind;
    } while (all && w->used);
    return head;
}

static void
schedule_block(window *w, ir_block *b)
{
    ir_instr *head = ir_first_non_phi(b);
    for (ir_instr *i = head; i; i = i->next) {
        cg_window_facts is = w->rules->facts(w->rules->user, i);
        if (w->used && (is.fence || w->used == (1u << SLOTS) - 1))
            head = drain(w, head, is.fence);
        if (is.fence)
            head = i->next;
        else
            add(w, i, is);
    }
    if (w->used)
        drain(w, head, true);
}

void
cg_schedule_window(ir_fn *f, const cg_window_rules *rules)
{
    arena *a = f->ctx->scratch;
    arena_mark mark = arena_save(a);
    unsigned units = f->level->machine->n_units;
    window *w = ARENA_NEW(a, window);
    w->rules = rules;
    w->f = f;
    w->lanes = units;
    w->order = units + 1;
    w->units = arena_alloc(a, (units + 2) * sizeof *w->units);
    w->known = bitset_new(a, units + 2);
    IR_FOREACH_BLOCK(b, f)
        schedule_block(w, b);
    arena_release(a, mark);
}
