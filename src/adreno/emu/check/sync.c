#include "adreno/emu/check/sync.h"

#include "adreno/emu/check/uses.h"
#include "adreno/emu/core/alias.h"
#include "base/bits.h"

#include <stddef.h>
#include <string.h>

/* What is pending on a unit. */
enum {
    SS_RESULT = 1,
    SY_RESULT = 2,
    SCALAR_RESULT = 4, /* of the scalar ALU, which itself may read it */
    SS_SOURCE = 8,
    SS_OR_SY_SOURCE = 16,
    SCALAR_SOURCE = 32,
    KINDS = 6,
};

enum {
    BY_SS = SS_RESULT | SCALAR_RESULT | SS_SOURCE | SS_OR_SY_SOURCE | SCALAR_SOURCE,
    BY_SY = SY_RESULT | SS_OR_SY_SOURCE
};

typedef struct unit {
    uint64_t wrote; /* the cycle behind the one in which an operation wrote it; 0: none did */
    uint8_t pending;
    bool half; /* it was written as half a register */
    /* In which fibres: others have their own registers, which are not concerned. */
    adreno_fibres writers, waiters[KINDS]; /* by bit of `pending` */
} unit;

enum { UNIT_WORDS = (ADRENO_UNITS + 63) / 64 };

struct adreno_sync {
    uint64_t cycle;
    adreno_consts by_ss, by_sy;   /* constants that are being written, until (ss) or (sy) */
    bool varyings_ss;             /* varyings are being read by ldlv */
    uint64_t touched[UNIT_WORDS]; /* the units that are not all zeros, as bits */
    uint64_t pending[UNIT_WORDS]; /* those with something pending */
    unit units[ADRENO_UNITS];
};

struct adreno_sync *
adreno_sync_new(arena *a)
{
    return ARENA_NEW(a, struct adreno_sync);
}

void
adreno_sync_start(adreno_wave *w)
{
    struct adreno_sync *s = w->sync;
    for (unsigned k = 0; k < UNIT_WORDS; k++)
        for (uint64_t left = s->touched[k]; left; left &= left - 1)
            s->units[64 * k + base_ctz64(left)] = (unit){0};
    memset(s, 0, offsetof(struct adreno_sync, units));
}

/* ---- what kind of instruction it is ---- */

typedef enum kind {
    ALU,    /* categories 1 to 3 */
    SCALAR, /* the same with a shared result */
    SPECIAL,
    TEXTURE,
    LOCAL_LOAD, /* result by (ss) */
    LOAD,
    STORE,
    FLOW,
    OTHER,
} kind;

static kind
memory_kind(const adreno_inst *in)
{
    switch (in->op) {
    case ADRENO_LDL:
    case ADRENO_LDLW:
    case ADRENO_LDLV:
    case ADRENO_GETFIBERID: /* turnip's code waits so */
    case ADRENO_RESINFO:
    case ADRENO_RESINFO_B:
    case ADRENO_SHFL: return LOCAL_LOAD;
    case ADRENO_STG:
    case ADRENO_STG_A:
    case ADRENO_STG_A7:
    case ADRENO_STL:
    case ADRENO_STLW:
    case ADRENO_STP:
    case ADRENO_STC:
    case ADRENO_STGB:
    case ADRENO_STGB5:
    case ADRENO_STIB_OLD:
    case ADRENO_STIB5:
    case ADRENO_STIB_B: return STORE;
    case ADRENO_GETSPID: /* nothing says what they need */
    case ADRENO_GETWID: return OTHER;
    default: return adreno_op_row(in->op)->format == ADRENO_FMT_CAT6_ATOMIC_L ? LOCAL_LOAD : LOAD;
    }
}

/* up0.x, encoded as a0.x, is the predicate that the scalar ALU writes: turnip's code for a750 waits
 * for it by (ss), without counting cycles, and reads shared registers without. */
static bool
writes_scalar_predicate(const adreno_isa *t, const adreno_inst *in)
{
    const uint32_t dst = in->f[ADRENO_F_dst];
    return t->value[in->op] >> 61 == 2 && dst >= ADRENO_NUMBER_A0 && dst < ADRENO_NUMBER_P0;
}

static kind
kind_of(const adreno_isa *t, const adreno_inst *in, const adreno_uses *u)
{
    switch (t->value[in->op] >> 61) {
    case 0: return FLOW;
    case 1:
    case 2:
    case 3:
        if (writes_scalar_predicate(t, in))
            return SCALAR;
        for (uint32_t i = 0; i < u->n; i++)
            if (u->list[i].write && adreno_is_shared(u->list[i].reg))
                return SCALAR;
        return ALU;
    case 4: return SPECIAL;
    case 5: return TEXTURE;
    case 6: return memory_kind(in);
    default: return OTHER;
    }
}

/* ---- reading ---- */

/* Does something in these fibres concern those that are active? */
static bool
concerns(const adreno_wave *w, unsigned reg, const adreno_fibres *s)
{
    uint64_t any = 0;
    for (unsigned k = 0; k < ADRENO_FIBRE_WORDS; k++)
        any |= w->active[k] & s->word[k];
    return any || adreno_is_shared(reg);
}

typedef struct check {
    adreno_wave *w;
    const adreno_inst *in;
    kind kind;
} check;

static bool
is_special(unsigned reg)
{
    return reg >= ADRENO_NUMBER_A0;
}

/* Cycles between the write of an operation and its first reader. */
static uint32_t
delay_of(const check *c, const adreno_use *u, const unit *x)
{
    const bool is_new = c->w->isa->gen >= 7;
    const uint32_t alu = is_new ? 2 : 3, other = is_new ? 5 : 6;
    if (is_special(u->reg) || c->kind != ALU || x->half != u->half)
        return other;
    return alu;
}

/* Cycles after which a source is read: the last one of a multiplication and addition later, and the
 * second one of swz. */
static uint32_t
read_delay(const check *c, const adreno_use *u)
{
    switch (c->in->op) {
    case ADRENO_SWZ: return u->reg == c->in->f[ADRENO_F_src1];
    case ADRENO_MAD_U16:
    case ADRENO_MAD_S16:
    case ADRENO_MAD_U24:
    case ADRENO_MAD_S24:
    case ADRENO_MAD_F16:
    case ADRENO_MAD_F32:
    case ADRENO_MADSH_U16:
    case ADRENO_MADSH_M16: return u->index == 2 ? c->w->isa->gen >= 7 ? 1 : 2 : 0;
    default: return 0;
    }
}

static void
report_result(const check *c, const adreno_use *u, unsigned reg, uint8_t pending, const char *how)
{
    const bool by_sy = pending & SY_RESULT;
    adreno_find(c->w, by_sy ? ADRENO_RULE_SY_RESULT : ADRENO_RULE_SS_RESULT, -1,
                "%sr%u.%c is %s, without (%s) behind the instruction that gives it its value",
                u->half ? "h" : "", reg / 4, "xyzw"[reg % 4], how, by_sy ? "sy" : "ss");
}

/* The bits of what is pending that concern the active fibres. */
static uint8_t
pending_here(const adreno_wave *w, unsigned reg, const unit *x)
{
    uint8_t bits = 0;
    for (unsigned k = 0; k < KINDS && x->pending; k++)
        if (x->pending >> k & 1 && concerns(w, reg, &x->waiters[k]))
            bits |= (uint8_t)(1u << k);
    return bits;
}

static void
check_pending(const check *c, const adreno_use *u, unsigned reg, const unit *x)
{
    if (!x->pending)
        return;
    uint8_t wanted = SS_RESULT | SY_RESULT | SCALAR_RESULT;
    const uint8_t pending = pending_here(c->w, reg, x);
    if (c->kind == SCALAR && x->half == u->half)
        wanted = SS_RESULT | SY_RESULT;
    if (pending & wanted)
        report_result(c, u, reg, pending, u->write ? "overwritten" : "read");
    if (!u->write)
        return;
    wanted = SS_SOURCE | SS_OR_SY_SOURCE | (c->kind == SCALAR ? 0 : SCALAR_SOURCE);
    if (pending & wanted)
        adreno_find(c->w, ADRENO_RULE_SS_SOURCE, -1,
                    "%sr%u.%c is overwritten, which a slow instruction may not have read yet",
                    u->half ? "h" : "", reg / 4, "xyzw"[reg % 4]);
}

static void
check_delay(const check *c, const adreno_use *u, unsigned reg, uint32_t step)
{
    unsigned n;
    const unsigned first = adreno_unit_of(c->w, reg, u->half, &n);
    const uint64_t now = c->w->sync->cycle + step + read_delay(c, u);
    for (unsigned k = first; k < first + n; k++) {
        const unit *x = &c->w->sync->units[k];
        if (!x->wrote || c->kind == SCALAR || !concerns(c->w, reg, &x->writers) ||
            now >= x->wrote + delay_of(c, u, x))
            continue;
        adreno_find(c->w, is_special(reg) ? ADRENO_RULE_DELAY_ADDRESS : ADRENO_RULE_DELAY, -1,
                    "%sr%u.%c is read %u cycles too early", u->half ? "h" : "", reg / 4,
                    "xyzw"[reg % 4], (uint32_t)(x->wrote + delay_of(c, u, x) - now));
        return;
    }
}

static uint32_t
steps_of(const adreno_inst *in, const adreno_use *u)
{
    return u->steps ? in->f[ADRENO_F_repeat] + 1 : 1;
}

static void
check_bounds(const check *c, const adreno_use *u, unsigned reg)
{
    const adreno_dispatch *d = c->w->m->d;
    const uint32_t most = u->half && !c->w->is_merged ? d->n_half : d->n_full;
    const uint32_t number = u->half && c->w->is_merged ? reg / 2 : reg;
    if (most && reg < ADRENO_FIRST_SHARED && number >= most)
        adreno_find(c->w, ADRENO_RULE_REGISTER_BOUNDS, -1, "%sr%u.%c, of %u registers",
                    u->half ? "h" : "", reg / 4, "xyzw"[reg % 4], most);
}

/* The register that a texture instruction reads in place of one; NUMBER_NONE: a constant or a
 * number. */
static unsigned
source_behind(const check *c, const adreno_use *u, unsigned reg)
{
    if (c->kind != TEXTURE || u->write)
        return reg;
    const adreno_source s = adreno_alias_of(c->w, reg, u->half);
    return s.kind == ADRENO_S_REG ? (unsigned)s.value : ADRENO_NUMBER_NONE;
}

static void
check_use(const check *c, const adreno_use *u)
{
    const uint32_t steps = steps_of(c->in, u);
    for (uint32_t i = 0; i < u->count + steps - 1; i++) {
        const unsigned reg = source_behind(c, u, u->reg + i);
        unsigned n;
        if (reg == ADRENO_NUMBER_NONE)
            continue;
        const unsigned first = adreno_unit_of(c->w, reg, u->half, &n);
        check_bounds(c, u, reg);
        for (unsigned k = first; k < first + n; k++)
            check_pending(c, u, reg, &c->w->sync->units[k]);
        if (!u->write)
            check_delay(c, u, reg, u->steps ? i : 0);
    }
}

/* Before a wave has its registers there are shared ones, and r63.x, which drops what is written. */
static void
check_early(const check *c, const adreno_uses *u)
{
    if (!c->w->in_preamble || !c->w->m->d->early_preamble)
        return;
    for (uint32_t k = 0; k < u->n; k++) {
        const unsigned reg = u->list[k].reg;
        if (!adreno_is_shared(reg) && reg < ADRENO_NUMBER_NONE && reg != ADRENO_NUMBER_A0 + 1)
            adreno_find(c->w, ADRENO_RULE_EARLY_PREAMBLE, -1, "%sr%u.%c in an early preamble",
                        u->list[k].half ? "h" : "", reg / 4, "xyzw"[reg % 4]);
    }
}

/* ---- writing ---- */

static uint8_t
pending_of(const check *c, const adreno_use *u)
{
    if (u->write) {
        switch (c->kind) {
        case SCALAR: return SCALAR_RESULT;
        case SPECIAL:
        case LOCAL_LOAD: return SS_RESULT;
        case TEXTURE:
        case LOAD: return adreno_is_shared(u->reg) ? SS_RESULT | SY_RESULT : SY_RESULT;
        default: return 0;
        }
    }
    switch (c->kind) {
    case SPECIAL:
    case LOCAL_LOAD:
    case STORE: return SS_SOURCE;
    case TEXTURE:
    case LOAD: return SS_OR_SY_SOURCE;
    case SCALAR: return adreno_is_shared(u->reg) ? SCALAR_SOURCE : 0;
    default: return 0;
    }
}

static void
add_fibres(adreno_fibres *s, const adreno_wave *w)
{
    for (unsigned k = 0; k < ADRENO_FIBRE_WORDS; k++)
        s->word[k] |= w->active[k];
}

/* Which of the instruction's cycles writes register `i` of the use. */
static uint32_t
step_of(const check *c, const adreno_use *u, uint32_t i)
{
    const bool is_second = c->in->op == ADRENO_SWZ && u->reg == c->in->f[ADRENO_F_dst2];
    return is_second ? 1 : u->steps ? i : 0;
}

static void
note_unit(const check *c, const adreno_use *u, unsigned number, uint32_t step)
{
    struct adreno_sync *s = c->w->sync;
    const uint8_t pending = pending_of(c, u);
    unit *x = &s->units[number];
    x->pending |= pending;
    s->touched[number / 64] |= UINT64_C(1) << number % 64;
    s->pending[number / 64] |= (uint64_t)(x->pending != 0) << number % 64;
    for (unsigned bit = 0; bit < KINDS && pending; bit++)
        if (pending >> bit & 1)
            add_fibres(&x->waiters[bit], c->w);
    if (!u->write)
        return;
    x->writers = (adreno_fibres){0};
    add_fibres(&x->writers, c->w);
    x->half = u->half;
    x->wrote = c->kind == ALU ? s->cycle + step + 1 : 0;
}

static void
note_use(const check *c, const adreno_use *u)
{
    const uint32_t steps = steps_of(c->in, u);
    if (!u->write && !pending_of(c, u))
        return;
    for (uint32_t i = 0; i < u->count + steps - 1; i++) {
        const unsigned reg = source_behind(c, u, u->reg + i);
        unsigned n;
        if (reg == ADRENO_NUMBER_NONE)
            continue;
        const unsigned first = adreno_unit_of(c->w, reg, u->half, &n);
        for (unsigned k = first; k < first + n; k++)
            note_unit(c, u, k, step_of(c, u, i));
    }
}

static void
forget(struct adreno_sync *s, uint8_t bits)
{
    for (unsigned k = 0; k < UNIT_WORDS; k++)
        for (uint64_t left = s->pending[k]; left; left &= left - 1) {
            unit *x = &s->units[64 * k + base_ctz64(left)];
            for (unsigned bit = 0; bit < KINDS; bit++)
                if ((x->pending & bits) >> bit & 1)
                    x->waiters[bit] = (adreno_fibres){0};
            x->pending &= (uint8_t)~bits;
            if (!x->pending)
                s->pending[k] &= ~(left & (UINT64_C(0) - left));
        }
}

/* From a7xx on (ss) also waits for a1.x: of the 113 instructions that read it in turnip's code for
 * a750 110 stand behind one, 88 of them with fewer cycles, and 3 behind enough cycles. On a6xx all
 * have these. */
static void
wait_for_address(adreno_wave *w)
{
    unsigned n;
    const unsigned first = adreno_unit_of(w, ADRENO_NUMBER_A0 + 1, true, &n);
    for (unsigned k = first; k < first + n && w->isa->gen >= 7; k++)
        w->sync->units[k].wrote = 0;
}

static void
wait_for(struct adreno_sync *s, const adreno_inst *in)
{
    if (in->f[ADRENO_F_ss]) {
        forget(s, BY_SS);
        s->by_ss = (adreno_consts){0};
        s->varyings_ss = false;
    }
    if (in->f[ADRENO_F_sy]) {
        forget(s, BY_SY);
        s->by_sy = (adreno_consts){0};
    }
}

static bool
overlap(const adreno_consts *a, const adreno_consts *b)
{
    return a->first < b->end && b->first < a->end;
}

/* Other constants may be read: turnip 22.3.6's preambles read push constants behind stc. */
static void
check_consts(const check *c, const adreno_uses *u)
{
    const struct adreno_sync *s = c->w->sync;
    const bool by_ss = overlap(&u->consts, &s->by_ss);
    if (by_ss || overlap(&u->consts, &s->by_sy))
        adreno_find(c->w, ADRENO_RULE_CONST_WAIT, -1, "constants are being written: (%s)",
                    by_ss ? "ss" : "sy");
}

static void
note_consts(struct adreno_sync *s, const adreno_inst *in)
{
    if (in->op == ADRENO_STC && in->f[ADRENO_F_const_a1])
        adreno_add_consts(&s->by_ss, 0, ADRENO_EMU_CONSTS);
    else if (in->op == ADRENO_STC)
        adreno_add_consts(&s->by_ss, in->f[ADRENO_F_dst], in->f[ADRENO_F_size]);
    if (in->op == ADRENO_LDC_K)
        adreno_add_consts(&s->by_sy, 0, ADRENO_EMU_CONSTS);
}

/* The nops of (nopN), which is written in the bits of (r) where there is no repetition. */
static uint32_t
nops_of(const check *c)
{
    const adreno_inst *in = c->in;
    const unsigned category = (unsigned)(c->w->isa->value[in->op] >> 61);
    const bool has = (category == 2 || category == 3) && !in->f[ADRENO_F_repeat];
    return has ? in->f[ADRENO_F_r1] | in->f[ADRENO_F_r2] << 1 : 0;
}

static bool
reads_own_register(const adreno_uses *u)
{
    bool reads = false;
    for (uint32_t k = 0; k < u->n; k++)
        reads |= !u->list[k].write && u->list[k].reg < ADRENO_FIRST_SHARED;
    return reads;
}

/* The cycles that an instruction takes: repetitions, and nops. The scalar ALU takes none itself; it
 * cannot read registers of fibres. swz is two moves. So turnip's code counts
 * (tests/adreno/anchor_checks.py). */
static uint32_t
cycles_of(const check *c, const adreno_uses *u)
{
    const adreno_inst *in = c->in;
    if (c->kind == FLOW)
        return in->op == ADRENO_BR || in->op == ADRENO_JUMP ? 0 : in->f[ADRENO_F_repeat] + 1;
    if (in->op == ADRENO_SWZ)
        return 2;
    if (c->kind == SCALAR && in->op != ADRENO_MOVS && !reads_own_register(u))
        return nops_of(c);
    if (c->kind != ALU && c->kind != SCALAR)
        return 0;
    return 1 + in->f[ADRENO_F_repeat] + nops_of(c);
}

/* What an instruction says of this, found when it is first executed. */
typedef struct adreno_sync_plan {
    adreno_uses uses;
    kind kind;
    uint32_t cycles;
} adreno_sync_plan;

static void
make_plan(const check *first, adreno_sync_plan *p)
{
    check c = *first;
    adreno_find_uses(c.w->isa, c.in, &p->uses);
    c.kind = p->kind = kind_of(c.w->isa, c.in, &p->uses);
    p->cycles = cycles_of(&c, &p->uses);
}

static const adreno_sync_plan *
plan_of(const check *c)
{
    const adreno_machine *m = c->w->m;
    adreno_sync_plan **place = &m->sync_plans[c->in - m->insts];
    if (!*place) {
        *place = ARENA_NEW(m->arena, adreno_sync_plan);
        make_plan(c, *place);
    }
    return *place;
}

void
adreno_sync_before(adreno_wave *w, const adreno_inst *in)
{
    struct adreno_sync *s = w->sync;
    check c = {.w = w, .in = in};
    const adreno_sync_plan *p = plan_of(&c);
    c.kind = p->kind;
    wait_for(s, in);
    if (in->f[ADRENO_F_ss])
        wait_for_address(w);
    check_consts(&c, &p->uses);
    if (in->f[ADRENO_F_ei] && s->varyings_ss)
        adreno_find(w, ADRENO_RULE_INPUT_ENDED, -1, "ldlv may not have read yet, without (ss)");
    check_early(&c, &p->uses);
    for (uint32_t i = 0; i < p->uses.n; i++)
        check_use(&c, &p->uses.list[i]);
    for (uint32_t i = 0; i < p->uses.n; i++)
        note_use(&c, &p->uses.list[i]);
    note_consts(s, in);
    s->varyings_ss |= in->op == ADRENO_LDLV;
    s->cycle += p->cycles;
}

void
adreno_sync_prefetched(adreno_wave *w, const adreno_inst *in)
{
    check c = {.w = w, .in = in};
    adreno_sync_plan p;
    make_plan(&c, &p);
    c.kind = p.kind;
    for (uint32_t i = 0; i < p.uses.n; i++)
        if (p.uses.list[i].write)
            note_use(&c, &p.uses.list[i]);
}

void
adreno_sync_output(adreno_wave *w, unsigned reg, const char *output)
{
    unsigned n;
    const unsigned first = adreno_unit_of(w, reg, false, &n);
    for (unsigned k = first; k < first + n; k++) {
        const uint8_t pending = w->sync->units[k].pending;
        if (pending & (SY_RESULT | SS_RESULT | SCALAR_RESULT))
            adreno_find(w, pending & SY_RESULT ? ADRENO_RULE_SY_RESULT : ADRENO_RULE_SS_RESULT, -1,
                        "%s is in r%u.%c, for which nothing has waited", output, reg / 4,
                        "xyzw"[reg % 4]);
    }
}
