/* The *waits* checker: results of memory operations arrive late.
 *
 * Each operation that a counter counts is put into the wave's list with the registers that it will
 * write; those are pending. Until a wait shows that the operation has ended, reading or overwriting
 * one of them is a finding that names both instructions. What ends when is the RDNA 2 ISA's chapter
 * "Data dependency resolution":
 *
 * - vmcnt: loads, image operations and atomics that return end in order;
 * - vscnt: stores and atomics that do not return; no register waits for them;
 * - lgkmcnt: LDS operations end in order among themselves, scalar loads in any order: these are
 * only known to have ended when the counter is 0; flat instructions count in vmcnt and lgkmcnt and
 * end when both say so, in lgkmcnt in any order;
 * - expcnt: exports and GDS; their sources are pending for overwriting.
 *
 * A wait for count n shows that an operation has ended if at least n + 1 later ones of its order
 * cannot be outstanding: with `later` of them issued behind it, if n <= later; one of no order
 * needs n = 0. A load may overwrite the result of another load of the same kind without a wait,
 * since they write in order.
 */
#include "amd/emu/wave.h"

#include <stdio.h>

enum { MAX_PENDING = 64 }; /* operations remembered; the counters end at 63 */

/* Kinds of vector memory results that may overtake each other (ACO: no sampler, sampler, BVH). */
typedef enum kind {
    KIND_OTHER,
    KIND_LOAD,
    KIND_SAMPLE,
    KIND_BVH,
    KIND_LDS,
    KIND_SCALAR,
    KIND_FLAT
} kind;

typedef struct operation {
    const emu_inst *inst;
    bool vm, lgkm; /* the counters that still count it */
    bool lgkm_ordered;
    kind kind;
} operation;

struct emu_pending {
    operation ops[MAX_PENDING];
    uint32_t n;
    uint64_t v[EMU_MAX_VGPRS / 64 + 1]; /* registers that some operation will write */
    uint64_t s[EMU_SREGS / 64];
};

struct emu_pending *
emu_waits_new(arena *a)
{
    return arena_zalloc(a, sizeof(struct emu_pending));
}

static bool
writes(const emu_inst *i, uint32_t code)
{
    for (uint32_t r = 0; r < i->n_ranges; r++)
        if (i->ranges[r].write && code - i->ranges[r].first < i->ranges[r].count)
            return true;
    return false;
}

/* Recomputes the sets of pending registers from the list. */
static void
mark_registers(struct emu_pending *p)
{
    memset(p->v, 0, sizeof p->v);
    memset(p->s, 0, sizeof p->s);
    for (uint32_t o = 0; o < p->n; o++) {
        const emu_inst *i = p->ops[o].inst;
        for (uint32_t r = 0; r < i->n_ranges; r++)
            for (uint32_t k = 0; i->ranges[r].write && k < i->ranges[r].count; k++) {
                uint32_t code = i->ranges[r].first + k;
                if (code >= AMD_REG_VGPR0)
                    p->v[(code - AMD_REG_VGPR0) / 64] |= UINT64_C(1) << (code % 64);
                else if (code < EMU_SREGS)
                    p->s[code / 64] |= UINT64_C(1) << (code % 64);
            }
    }
}

static bool
is_pending(const struct emu_pending *p, uint32_t code)
{
    if (code >= AMD_REG_VGPR0)
        return code - AMD_REG_VGPR0 < EMU_MAX_VGPRS &&
               p->v[(code - AMD_REG_VGPR0) / 64] >> (code % 64) & 1;
    return code < EMU_SREGS && p->s[code / 64] >> (code % 64) & 1;
}

static bool
returns(const emu_inst *i)
{
    return !(i->row->flags & AMD_F_ATOMIC) || i->in.glc || i->row->flags & AMD_F_RTN;
}

static kind
kind_of(const emu_inst *i)
{
    switch (i->in.fmt) {
    case AMD_SMEM: return KIND_SCALAR;
    case AMD_DS: return KIND_LDS;
    case AMD_FLAT: return KIND_FLAT;
    case AMD_MIMG:
        if (i->in.op == AMD_IMAGE_BVH_INTERSECT_RAY || i->in.op == AMD_IMAGE_BVH64_INTERSECT_RAY)
            return KIND_BVH;
        return i->samp != AMD_REG_ABSENT ? KIND_SAMPLE : KIND_LOAD;
    case AMD_MUBUF:
    case AMD_MTBUF:
    case AMD_GLOBAL:
    case AMD_SCRATCH: return KIND_LOAD;
    default: return KIND_OTHER;
    }
}

/* A register's name for messages. */
static void
register_name(uint32_t code, char *out, size_t size)
{
    if (code >= AMD_REG_VGPR0)
        snprintf(out, size, "v%u", code - AMD_REG_VGPR0);
    else if (code < AMD_REG_VCC_LO)
        snprintf(out, size, "s%u", code);
    else
        snprintf(out, size, "%s",
                 code <= AMD_REG_VCC_HI    ? "vcc"
                 : code >= AMD_REG_EXEC_LO ? "exec"
                                           : "m0");
}

static void
report(emu_wave *w, const operation *o, uint32_t code, bool write)
{
    char first[112], name[16];
    register_name(code, name, sizeof name);
    emu_print_inst(w, o->inst, first, sizeof first);
    emu_find(w, AMD_EMU_CHECK_WAITS, -1,
             "%s is %s, but `%s` at 0x%llx, which writes it, may not have ended: no wait for %s",
             name, write ? "overwritten" : "read", first, (unsigned long long)o->inst->pc,
             o->vm && o->lgkm ? "vmcnt and lgkmcnt"
             : o->vm          ? "vmcnt"
                              : "lgkmcnt");
}

/* May `i` write what `o` is going to write, since both do so in order? */
static bool
in_order(const emu_inst *i, const operation *o)
{
    kind k = kind_of(i);
    return k == o->kind && (k == KIND_LOAD || k == KIND_SAMPLE || k == KIND_BVH || k == KIND_LDS);
}

static void
check_register(emu_wave *w, const emu_inst *i, uint32_t code, bool write)
{
    struct emu_pending *p = w->pending;
    for (uint32_t o = 0; o < p->n; o++) {
        if (!writes(p->ops[o].inst, code) || (write && in_order(i, &p->ops[o])))
            continue;
        report(w, &p->ops[o], code, write);
        /* say it once: the register counts as arrived */
        p->ops[o] = p->ops[--p->n];
        mark_registers(p);
        return;
    }
}

static void
check_ranges(emu_wave *w, const emu_inst *i)
{
    for (uint32_t r = 0; r < i->n_ranges; r++)
        for (uint32_t k = 0; k < i->ranges[r].count; k++)
            if (is_pending(w->pending, i->ranges[r].first + k))
                check_register(w, i, i->ranges[r].first + k, i->ranges[r].write);
}

/* Puts `i` into the list if a counter counts it. */
static void
issue(emu_wave *w, const emu_inst *i)
{
    struct emu_pending *p = w->pending;
    uint32_t f = i->row->flags;
    operation o = {
        .inst = i, .vm = f & AMD_F_VM && returns(i), .lgkm = f & AMD_F_LGKM, .kind = kind_of(i)};
    o.lgkm_ordered = o.kind == KIND_LDS;
    if (!o.vm && !o.lgkm)
        return; /* stores: nothing waits for them but memory */
    if (p->n == MAX_PENDING) {
        /* the counters are full: the hardware waits for the oldest */
        memmove(p->ops, p->ops + 1, (MAX_PENDING - 1) * sizeof *p->ops);
        p->n--;
    }
    p->ops[p->n++] = o;
    mark_registers(p);
}

void
emu_waits_before(emu_wave *w, const emu_inst *i)
{
    struct emu_pending *p = w->pending;
    if (p->n)
        check_ranges(w, i);
    if (i->row->flags & (AMD_F_VM | AMD_F_VS | AMD_F_LGKM))
        issue(w, i);
}

/* Takes the operations off that a wait for vmcnt <= n shows to have ended. */
static void
wait_vm(struct emu_pending *p, uint32_t n)
{
    uint32_t later = 0;
    for (uint32_t o = p->n; o-- > 0;) {
        if (!p->ops[o].vm)
            continue;
        if (n <= later)
            p->ops[o].vm = false;
        later++;
    }
}

static void
wait_lgkm(struct emu_pending *p, uint32_t n)
{
    uint32_t later = 0;
    for (uint32_t o = p->n; o-- > 0;) {
        if (!p->ops[o].lgkm)
            continue;
        if (n == 0 || (p->ops[o].lgkm_ordered && n <= later))
            p->ops[o].lgkm = false;
        later += p->ops[o].lgkm_ordered;
    }
}

void
emu_waits_until(emu_wave *w, uint32_t vmcnt, uint32_t lgkmcnt, uint32_t vscnt, uint32_t expcnt)
{
    struct emu_pending *p = w->pending;
    (void)vscnt;
    (void)expcnt;
    if (!p || !p->n)
        return;
    wait_vm(p, vmcnt);
    wait_lgkm(p, lgkmcnt);
    uint32_t kept = 0;
    for (uint32_t o = 0; o < p->n; o++)
        if (p->ops[o].vm || p->ops[o].lgkm)
            p->ops[kept++] = p->ops[o];
    p->n = kept;
    mark_registers(p);
}

void
emu_waits_start(emu_wave *w)
{
    memset(w->pending, 0, sizeof *w->pending);
}
