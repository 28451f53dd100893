/* The *waits* checker: finds missing waits for memory operations that write their results late or
 * read their operands late.
 *
 * Each event of an instruction (waits.h) is added to the wave's list with the counters that still
 * count it. While it is in the list, the registers that it will write are pending: reading or
 * overwriting one is a finding. Overwriting a register that it has yet to read is a finding too. A
 * finding names both instructions and the counters, each with the greatest value that would have
 * shown that the operation has ended.
 *
 * A load may overwrite the pending result of another load if both write in order. Up to gfx10.3 the
 * lanes that a load does not write may be used and written; from gfx11 on only by vector memory
 * instructions that the same counter counts (Mesa, aco_insert_waitcnt.cpp: the ALU must not).
 */
#include "amd/emu/check/waits.h"

#include "amd/emu/check/check.h"
#include "amd/emu/core/findings.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/mem/mem.h"

#include <stdio.h>

enum { MAX_PENDING = 256, N_CODES = 1024 };

_Static_assert(AMD_WAIT_COUNT <= 8, "operation.awaited has a bit for each counter");

typedef struct operation {
    const emu_inst *inst;
    uint64_t lanes;                /* exec when it was issued */
    uint8_t order[AMD_WAIT_COUNT]; /* emu_order in the counters that still count it */
    uint8_t awaited;               /* of these counters, the ones (1 << amd_wait) that show when
                                      it has ended */
    uint8_t event;
    uint32_t block;              /* for a block of registers: the ones that are moved */
    bool told;                   /* already reported: its registers count as arrived */
    uint32_t lds_first, lds_end; /* load to LDS: the bytes of LDS that it will write */
} operation;

struct emu_pending {
    operation ops[MAX_PENDING];
    uint32_t n;
    /* by operand code: registers that some operation will write, or has yet to read */
    uint64_t written[N_CODES / 64], locked[N_CODES / 64];
};

struct emu_pending *
amd_emu_waits_new(arena *a)
{
    return arena_zalloc(a, sizeof(struct emu_pending));
}

void
amd_emu_waits_start(emu_wave *w)
{
    memset(w->pending, 0, sizeof *w->pending);
}

static void
mark(uint64_t *set, uint32_t first, uint32_t count)
{
    for (uint32_t code = first; code < first + count && code < N_CODES; code++)
        set[code / 64] |= UINT64_C(1) << (code % 64);
}

static bool
is_marked(const uint64_t *set, uint32_t code)
{
    return code < N_CODES && set[code / 64] >> (code % 64) & 1;
}

/* Is register `k` of the range moved? A block moves only some of its registers, other ranges
 * all. */
static bool
is_moved(const emu_inst *i, const emu_range *r, uint32_t block, uint32_t k)
{
    return !amd_emu_is_block(i) || r->count != EMU_BLOCK || (block >> k & 1);
}

/* Exports and GDS require that exec does not change until they have read their data. */
static bool
locks_exec(const operation *o)
{
    return amd_emu_event_reads((emu_event)o->event) && o->event != EMU_EV_STORE_DATA;
}

/* Is there a counter that does not yet show the end of the operation? */
static bool
is_pending(const operation *o)
{
    return o->awaited && !o->told;
}

static void
mark_operation(struct emu_pending *p, const operation *o)
{
    const emu_inst *i = o->inst;
    bool reads = amd_emu_event_reads((emu_event)o->event);
    if (!is_pending(o))
        return;
    for (uint32_t r = 0; r < i->n_ranges; r++) {
        if (reads && amd_emu_event_locks((emu_event)o->event, i, &i->ranges[r]))
            mark(p->locked, i->ranges[r].first, i->ranges[r].count);
        else if (!reads && i->ranges[r].write)
            for (uint32_t k = 0; k < i->ranges[r].count; k++)
                if (is_moved(i, &i->ranges[r], o->block, k))
                    mark(p->written, i->ranges[r].first + k, 1);
    }
    if (locks_exec(o))
        mark(p->locked, AMD_REG_EXEC_LO, 2);
}

static void
mark_registers(struct emu_pending *p)
{
    memset(p->written, 0, sizeof p->written);
    memset(p->locked, 0, sizeof p->locked);
    for (uint32_t o = 0; o < p->n; o++)
        mark_operation(p, &p->ops[o]);
}

/* Will the operation write register `code`, or has it yet to read it? */
static bool
concerns(const operation *o, uint32_t code)
{
    const emu_inst *i = o->inst;
    bool reads = amd_emu_event_reads((emu_event)o->event);
    if (!is_pending(o))
        return false;
    if (locks_exec(o) && code - AMD_REG_EXEC_LO < 2)
        return true;
    for (uint32_t r = 0; r < i->n_ranges; r++) {
        bool here = reads ? amd_emu_event_locks((emu_event)o->event, i, &i->ranges[r])
                          : i->ranges[r].write;
        uint32_t k = code - i->ranges[r].first;
        if (here && k < i->ranges[r].count && is_moved(i, &i->ranges[r], o->block, k))
            return true;
    }
    return false;
}

/* The number of operations that were issued after ops[at] and end in order with it in counter
 * `c`. */
static uint32_t
count_later(const struct emu_pending *p, uint32_t at, unsigned c)
{
    uint32_t n = 0, order = p->ops[at].order[c];
    for (uint32_t o = at + 1; order != EMU_ANY_ORDER && o < p->n; o++)
        n += p->ops[o].order[c] == order;
    return n;
}

/* The name of a register, for messages. */
static void
register_name(uint32_t code, char *out, size_t size)
{
    if (code >= AMD_REG_VGPR0)
        snprintf(out, size, "v%u", code - AMD_REG_VGPR0);
    else if (code < AMD_REG_VCC_LO)
        snprintf(out, size, "s%u", code);
    else if (code - AMD_REG_TTMP0 < 16)
        snprintf(out, size, "ttmp%u", code - AMD_REG_TTMP0);
    else
        snprintf(out, size, "%s",
                 code <= AMD_REG_VCC_HI    ? "vcc"
                 : code >= AMD_REG_EXEC_LO ? "exec"
                                           : "m0");
}

/* Lists the counters that would show the end of ops[at], each with the greatest value that does. */
static void
needed_counts(const emu_wave *w, uint32_t at, char *out, size_t size)
{
    const operation *o = &w->pending->ops[at];
    size_t n = 0;
    for (unsigned c = 0; c < AMD_WAIT_COUNT; c++)
        if ((o->awaited >> c & 1) && n < size)
            n += (size_t)snprintf(out + n, size - n, "%s%s(%u)", n ? " and " : "",
                                  amd_wait_counter(w->m->d->gen, (amd_wait)c)->name,
                                  count_later(w->pending, at, c));
}

static void
report(emu_wave *w, uint32_t at, uint32_t code, bool write)
{
    const operation *o = &w->pending->ops[at];
    char first[112], name[16], needed[64];
    bool reads = amd_emu_event_reads((emu_event)o->event);
    register_name(code, name, sizeof name);
    amd_emu_print_inst(w, o->inst, first, sizeof first);
    needed_counts(w, at, needed, sizeof needed);
    amd_emu_find(w, write ? EMU_RULE_WAIT_WRITE : EMU_RULE_WAIT_READ, -1,
                 "%s is %s, but `%s` at 0x%llx, which %s it, may not %s: needs %s", name,
                 write ? "overwritten" : "read", first, (unsigned long long)o->inst->pc,
                 reads ? "reads" : "writes", reads ? "have read it" : "have ended", needed);
}

/* The instruction that is being checked, with the properties that all of its registers share. */
typedef struct user {
    const emu_inst *inst;
    emu_event event; /* its own event; EMU_EV_COUNT: none */
    amd_gen gen;
} user;

/* Are both vector memory loads that the same counter counts? */
static bool
are_counted_together(amd_gen gen, emu_event a, emu_event b)
{
    if (a > EMU_EV_BVH || b > EMU_EV_BVH)
        return false;
    const emu_wait_rule *first = amd_emu_wait_rule_of(gen, a),
                        *second = amd_emu_wait_rule_of(gen, b);
    bool any = false;
    for (unsigned c = 0; c < AMD_WAIT_COUNT; c++)
        any |= first->order[c] && second->order[c];
    return any;
}

/* May `u` read or write the register while the operation is pending? */
static bool
is_harmless(const emu_wave *w, const user *u, const operation *o, uint32_t code, bool write)
{
    emu_event event = (emu_event)o->event;
    if (amd_emu_event_reads(event) && !write)
        return true;
    if (code >= AMD_REG_VGPR0 && !(amd_emu_touched_lanes(w, u->inst, write) & o->lanes) &&
        (u->gen < AMD_GFX11 || (write && are_counted_together(u->gen, u->event, event))))
        return true;
    return write && u->event == o->event && amd_emu_writes_in_order(u->gen, u->event);
}

static void
check_register(emu_wave *w, const user *u, uint32_t code, bool write)
{
    struct emu_pending *p = w->pending;
    for (uint32_t o = 0; o < p->n; o++) {
        if (!concerns(&p->ops[o], code) || is_harmless(w, u, &p->ops[o], code, write))
            continue;
        report(w, o, code, write);
        p->ops[o].told = true; /* report it once */
        mark_registers(p);
        return;
    }
}

static void
check_ranges(emu_wave *w, const user *u)
{
    const emu_inst *i = u->inst;
    const struct emu_pending *p = w->pending;
    for (uint32_t r = 0; r < i->n_ranges; r++)
        for (uint32_t k = 0; k < i->ranges[r].count; k++) {
            uint32_t code = i->ranges[r].first + k;
            bool write = i->ranges[r].write;
            bool marked = is_marked(p->written, code) || (write && is_marked(p->locked, code));
            if (marked && is_moved(i, &i->ranges[r], w->sgpr[AMD_REG_M0], k))
                check_register(w, u, code, write);
        }
    if (i->row->flags & AMD_F_EXEC_W && is_marked(p->locked, AMD_REG_EXEC_LO))
        check_register(w, u, AMD_REG_EXEC_LO, true);
}

/* Handles a wait until counter `c` is at most `count`: removes the counter from the operations that
 * it shows to have ended. Returns whether there are any. */
static bool
wait_counter(struct emu_pending *p, unsigned c, uint32_t count)
{
    uint32_t later[EMU_ORDER_STORE + 1] = {0};
    bool any = false;
    for (uint32_t o = p->n; o-- > 0;) {
        uint32_t order = p->ops[o].order[c];
        if (!order)
            continue;
        if (count <= later[order]) {
            p->ops[o].order[c] = EMU_NOT_COUNTED;
            p->ops[o].awaited &= (uint8_t) ~(1u << c);
            any = true;
        }
        later[order] += order != EMU_ANY_ORDER;
    }
    return any;
}

static bool
is_counted(const operation *o)
{
    for (unsigned c = 0; c < AMD_WAIT_COUNT; c++)
        if (o->order[c])
            return true;
    return false;
}

static void
drop_ended(struct emu_pending *p)
{
    uint32_t kept = 0;
    for (uint32_t o = 0; o < p->n; o++)
        if (is_counted(&p->ops[o]))
            p->ops[kept++] = p->ops[o];
    p->n = kept;
    mark_registers(p);
}

void
amd_emu_waits_until(emu_wave *w, const uint32_t counts[AMD_WAIT_COUNT])
{
    struct emu_pending *p = w->pending;
    if (!p || !p->n)
        return;
    bool any = false;
    for (unsigned c = 0; c < AMD_WAIT_COUNT; c++)
        any |= counts[c] != UINT32_MAX && wait_counter(p, c, counts[c]);
    if (any)
        drop_ended(p);
}

/* Can a register or the order of operations depend on events of this kind? */
static bool
matters(const emu_wait_rule *rule)
{
    for (unsigned c = 0; c < AMD_WAIT_COUNT; c++)
        if (c != AMD_WAIT_VS && rule->order[c])
            return true;
    return false;
}

/* ---- loads to LDS ---- */

/* Records the bytes of LDS that a load to LDS writes: a dword per lane from the first active lane
 * to the last. */
static void
note_lds(const emu_wave *w, operation *o)
{
    const emu_inst *i = o->inst;
    bool vector = o->event == EMU_EV_LOAD && i->in.fmt != AMD_MIMG;
    if (!vector || !o->lanes || !(i->row->flags & AMD_F_LOAD) || i->result != AMD_REG_ABSENT)
        return;
    uint32_t base = (w->sgpr[AMD_REG_M0] & 0xffff) + (uint32_t)i->in.offset;
    o->lds_first = base + 4 * base_ctz64(o->lanes);
    o->lds_end = base + 4 * (64 - base_clz64(o->lanes));
}

/* Does the DS instruction touch bytes in [first, end)? */
static bool
touches_lds(const emu_wave *w, const emu_inst *i, uint32_t first, uint32_t end)
{
    uint32_t size = i->row->memory ? i->row->memory : 4;
    bool two = i->row->flags & AMD_F_OFFSET2;
    uint32_t unit = size / 2 * (strstr(i->row->name, "st64") ? 64 : 1);
    uint32_t offset = (uint32_t)i->in.offset & 0xffff;
    if (i->vaddr < AMD_REG_VGPR0 || i->vaddr == AMD_REG_ABSENT)
        return false;
    for (uint64_t left = amd_emu_exec(w); left; left &= left - 1) {
        uint32_t at = w->vgpr[i->vaddr - AMD_REG_VGPR0][base_ctz64(left)];
        uint32_t a = at + (two ? (offset & 255) * unit : offset);
        uint32_t b = two ? at + (offset >> 8) * unit : a;
        uint32_t n = two ? size / 2 : size;
        if ((a < end && a + n > first) || (b < end && b + n > first))
            return true;
    }
    return false;
}

/* Reports an LDS instruction that touches bytes that a pending load to LDS will write. */
static void
check_lds(emu_wave *w, const emu_inst *i)
{
    struct emu_pending *p = w->pending;
    char first[112], needed[64];
    for (uint32_t o = 0; o < p->n; o++) {
        operation *op = &p->ops[o];
        if (!is_pending(op) || op->lds_end == op->lds_first ||
            !touches_lds(w, i, op->lds_first, op->lds_end))
            continue;
        amd_emu_print_inst(w, op->inst, first, sizeof first);
        needed_counts(w, o, needed, sizeof needed);
        amd_emu_find(
            w, EMU_RULE_WAIT_LDS, -1,
            "LDS bytes %u to %u are touched, but `%s` at 0x%llx, which writes them, may not "
            "have ended: needs %s",
            op->lds_first, op->lds_end - 1, first, (unsigned long long)op->inst->pc, needed);
        op->told = true;
        mark_registers(p);
    }
}

/* Makes room for an operation. Instead of overflowing a counter, the hardware waits for the oldest
 * operation. If the list is still full, its oldest entry is dropped. */
static void
make_room(struct emu_pending *p, amd_gen gen, const operation *o)
{
    bool any = false;
    for (unsigned c = 0; c < AMD_WAIT_COUNT; c++)
        any |= o->order[c] &&
               wait_counter(p, c, amd_counter_max(amd_wait_counter(gen, (amd_wait)c)) - 1);
    if (any)
        drop_ended(p);
    if (p->n == MAX_PENDING) {
        memmove(p->ops, p->ops + 1, (MAX_PENDING - 1) * sizeof *p->ops);
        p->n--;
    }
}

/* The counter no longer shows the end of the operation; it still counts the operation if it counts
 * in order. */
static void
make_idle(operation *o, amd_wait counter)
{
    if (o->order[counter] == EMU_ANY_ORDER)
        o->order[counter] = EMU_NOT_COUNTED;
    o->awaited &= (uint8_t) ~(1u << counter);
}

/* LDS or vector memory performs a flat instruction's lanes. A counter that no lane needs is not
 * waited for: clang waits for vmcnt alone when it knows that pointers are global. If no lane goes
 * to LDS, the operation is in the order of vector memory. */
static void
choose_flat_counters(const emu_wave *w, const emu_inst *i, operation *o)
{
    uint32_t spaces = amd_emu_flat_spaces(w, i);
    if (!(spaces & EMU_SPACE_LDS)) {
        make_idle(o, AMD_WAIT_LGKM);
        if (o->order[AMD_WAIT_VM])
            o->order[AMD_WAIT_VM] = EMU_ORDER_VECTOR;
    } else if (!(spaces & EMU_SPACE_VECTOR)) {
        make_idle(o, AMD_WAIT_VM);
    }
}

static void
issue(emu_wave *w, const emu_inst *i, emu_event event)
{
    struct emu_pending *p = w->pending;
    const emu_wait_rule *rule = amd_emu_wait_rule_of(w->m->d->gen, event);
    operation o = {
        .inst = i, .lanes = amd_emu_exec(w), .event = (uint8_t)event, .block = w->sgpr[AMD_REG_M0]};
    if (!matters(rule))
        return;
    memcpy(o.order, rule->order, sizeof o.order);
    o.order[AMD_WAIT_VS] = EMU_NOT_COUNTED; /* a store's end makes no register available */
    for (unsigned c = 0; c < AMD_WAIT_COUNT; c++)
        o.awaited |= (uint8_t)((o.order[c] != EMU_NOT_COUNTED) << c);
    if (event == EMU_EV_FLAT_LOAD || event == EMU_EV_FLAT_STORE) {
        choose_flat_counters(w, i, &o);
        if (!is_counted(&o))
            return;
    }
    note_lds(w, &o);
    make_room(p, w->m->d->gen, &o);
    p->ops[p->n++] = o;
    mark_operation(p, &o);
}

void
amd_emu_waits_before(emu_wave *w, const emu_inst *i)
{
    struct emu_pending *p = w->pending;
    emu_event events[2] = {EMU_EV_COUNT, EMU_EV_COUNT};
    uint32_t n = amd_emu_wait_events(w->m->d->gen, i, events);
    if (i->in.fmt == AMD_VINTERP) { /* has its own wait for exports and LDS direct */
        uint32_t counts[AMD_WAIT_COUNT];
        memset(counts, 0xff, sizeof counts);
        counts[AMD_WAIT_EXP] = i->in.wait_exp;
        amd_emu_waits_until(w, counts);
    }
    if (p->n) {
        user u = {i, events[0], w->m->d->gen};
        check_ranges(w, &u);
        if (events[0] == EMU_EV_LDS)
            check_lds(w, i);
    }
    for (uint32_t e = 0; e < n; e++)
        issue(w, i, events[e]);
}
