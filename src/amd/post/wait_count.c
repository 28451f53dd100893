#include "amd/post/wait_count.h"

#include "amd/isa/table/names.h"
#include "amd/isa/table/table.h"
#include "amd/post/hazard.h"

enum {
    VM = 1 << AMD_WAIT_VM,
    EXP = 1 << AMD_WAIT_EXP,
    LGKM = 1 << AMD_WAIT_LGKM,
    VS = 1 << AMD_WAIT_VS,
    SAMPLE = 1 << AMD_WAIT_SAMPLE,
    BVH = 1 << AMD_WAIT_BVH,
    KM = 1 << AMD_WAIT_KM,
};

/* The counter of a vector memory operation that writes registers. A sampler is the reference after
 * the eight-register descriptor, of class s4. */
static unsigned
load_counter(const amd_program *p, const ir_instr *i, const amd_op_info *row)
{
    if (!amd_has(p->target, has_split_counters) || row->fmt != AMD_MIMG)
        return VM;
    if (row->memory & AMD_A_BVH)
        return BVH;
    for (unsigned s = 0; s < AMD_MAX_SRC; s++) {
        const amd_operand *o = amd_op_src(row, s);
        if (o && o->kind == AMD_K_SAMP)
            return SAMPLE;
    }
    return i->op == AMD_IMAGE_MSAA_LOAD ? SAMPLE : VM;
}

/* Flat instructions may access LDS, so that both counters count them. */
static amd_counted
count_vector(const amd_program *p, const ir_instr *i, const amd_op_info *row)
{
    bool returns = i->n_defs > 0, atomic = (row->flags & AMD_F_ATOMIC) != 0;
    amd_counted c = {0};
    if ((row->flags & AMD_F_VS) && (!atomic || !returns))
        c.counters |= amd_has(p->target, has_vscnt) ? VS : VM;
    if ((row->flags & AMD_F_VM) && (!atomic || returns))
        c.counters |= c.results = (uint8_t)load_counter(p, i, row);
    if (row->flags & AMD_F_LGKM) {
        c.counters |= LGKM;
        c.results |= returns ? LGKM : 0;
    }
    if (row->fmt == AMD_FLAT && amd_has(p->target, flat_unordered))
        c.unordered = c.counters;
    if ((row->flags & (AMD_F_STORE | AMD_F_ATOMIC)) && amd_has(p->target, stores_read_late)) {
        c.counters |= EXP;
        c.data = EXP;
    }
    return c;
}

amd_counted
amd_count_waits(const amd_program *p, const ir_instr *i, const amd_op_info *row)
{
    /* positions, parameters and colours end in their own order each */
    if (row->fmt == AMD_EXP)
        return (amd_counted){.counters = EXP, .data = EXP, .unordered = EXP};
    if (row->fmt == AMD_LDSDIR) /* parameters */
        return (amd_counted){.counters = EXP, .results = EXP};
    if (!(row->flags & (AMD_F_VM | AMD_F_VS | AMD_F_LGKM)))
        return (amd_counted){0};
    if (row->flags & (AMD_F_VM | AMD_F_VS))
        return count_vector(p, i, row);
    if (row->fmt == AMD_DS && ir_words(i)[1] & AMD_MEM_GDS) /* exec is read late, too */
        return (amd_counted){
            .counters = LGKM | EXP, .results = LGKM, .data = EXP, .unordered = LGKM | EXP};
    bool scalar = row->fmt != AMD_DS;
    uint8_t counter = scalar && amd_has(p->target, has_split_counters) ? KM : LGKM;
    return (amd_counted){
        .counters = counter, .results = counter, .unordered = scalar ? counter : 0};
}

unsigned
amd_wait_counters(const amd_program *p)
{
    const amd_target *t = p->target;
    bool exports = p->stage != AMD_STAGE_COMPUTE_CS;
    return VM | LGKM | (amd_has(t, has_vscnt) ? VS : 0) |
           (exports || amd_has(t, stores_read_late) ? EXP : 0) |
           (amd_has(t, has_split_counters) ? SAMPLE | BVH | KM : 0);
}

/* ---- instructions ---- */

const amd_wait_values amd_no_wait = {
    {AMD_NO_WAIT, AMD_NO_WAIT, AMD_NO_WAIT, AMD_NO_WAIT, AMD_NO_WAIT, AMD_NO_WAIT, AMD_NO_WAIT}};

/* Before `at`, or at the end of `b` if it is NULL. */
typedef struct place {
    ir_block *b;
    ir_instr *at;
} place;

static void
insert(place p, unsigned op, uint32_t imm)
{
    ir_instr *i = amd_new(p.b->fn, op, 0, op == AMD_S_WAITCNT_VSCNT);
    const ir_instr *near = p.at ? p.at : p.b->last;
    if (i->n_refs)
        i->refs[0] = amd_phys(AMD_NULL, AMD_S1);
    ir_words(i)[0] = imm;
    if (near)
        i->loc = near->loc;
    if (p.at)
        ir_insert_before(p.at, i);
    else
        ir_append(p.b, i);
}

static bool
waits(const amd_wait_values *w, amd_wait k)
{
    return w->at_most[k] != AMD_NO_WAIT;
}

/* s_waitcnt has the three counters that all generations up to gfx11.5 have. */
static void
insert_joint(place p, const amd_wait_values *w)
{
    const amd_counter *fields = amd_waitcnt_counters(amd_prog(p.b->fn)->target->gen);
    uint32_t imm = 0;
    bool any = false;
    for (const amd_counter *c = fields; c->name; c++) {
        bool has = waits(w, (amd_wait)c->wait);
        any |= has;
        imm = amd_counter_put(c, imm, has ? w->at_most[c->wait] : amd_counter_max(c));
    }
    if (any)
        insert(p, AMD_S_WAITCNT, imm);
    if (waits(w, AMD_WAIT_VS))
        insert(p, AMD_S_WAITCNT_VSCNT, w->at_most[AMD_WAIT_VS]);
}

/* An instruction for each counter; loads and stores may be waited for together with LDS, whose
 * count is in the low byte (LLVM 19: s_wait_loadcnt_dscnt). */
static void
insert_split(place p, const amd_wait_values *wanted)
{
    static const uint16_t single[AMD_WAIT_COUNT] = {
        [AMD_WAIT_VM] = AMD_S_WAIT_LOADCNT,       [AMD_WAIT_EXP] = AMD_S_WAIT_EXPCNT,
        [AMD_WAIT_LGKM] = AMD_S_WAIT_DSCNT,       [AMD_WAIT_VS] = AMD_S_WAIT_STORECNT,
        [AMD_WAIT_SAMPLE] = AMD_S_WAIT_SAMPLECNT, [AMD_WAIT_BVH] = AMD_S_WAIT_BVHCNT,
        [AMD_WAIT_KM] = AMD_S_WAIT_KMCNT,
    };
    amd_wait_values w = *wanted;
    amd_wait with = waits(&w, AMD_WAIT_VM) ? AMD_WAIT_VM : AMD_WAIT_VS;
    if (waits(&w, AMD_WAIT_LGKM) && waits(&w, with)) {
        uint32_t imm = w.at_most[AMD_WAIT_LGKM] | (uint32_t)w.at_most[with] << 8;
        insert(p, with == AMD_WAIT_VM ? AMD_S_WAIT_LOADCNT_DSCNT : AMD_S_WAIT_STORECNT_DSCNT, imm);
        w.at_most[AMD_WAIT_LGKM] = w.at_most[with] = AMD_NO_WAIT;
    }
    for (amd_wait k = 0; k < AMD_WAIT_COUNT; k++) {
        if (waits(&w, k))
            insert(p, single[k], w.at_most[k]);
    }
}

static void
insert_waits(place p, const amd_wait_values *w)
{
    if (amd_has(amd_prog(p.b->fn)->target, has_split_counters))
        insert_split(p, w);
    else
        insert_joint(p, w);
}

void
amd_insert_waits(ir_instr *at, const amd_wait_values *w)
{
    insert_waits((place){at->block, at}, w);
}

void
amd_append_waits(ir_block *b, const amd_wait_values *w)
{
    bool ends = b->last && amd_op_row((amd_op)b->last->op) &&
                amd_op_row((amd_op)b->last->op)->flags & (AMD_F_BRANCH | AMD_F_TERM);
    insert_waits((place){b, ends ? b->last : NULL}, w);
}

/* ---- barriers ---- */

void
amd_insert_wait_for_sources(ir_instr *at)
{
    insert((place){at->block, at}, AMD_S_WAITCNT_DEPCTR, amd_hazard_wait(HZ_VM_VSRC));
}

static ir_instr *
insert_after(ir_instr *at, unsigned op)
{
    ir_instr *i = amd_new(at->block->fn, op, 0, 0);
    i->loc = at->loc;
    ir_insert_after(at, i);
    return i;
}

void
amd_insert_invalidation(ir_instr *at, bool device)
{
    const amd_target *t = amd_prog(at->block->fn)->target;
    const uint32_t scope = (device ? AMD_SCOPE_DEV : AMD_SCOPE_SE) << AMD_MEM_SCOPE;
    if (amd_has(t, has_l1_levels)) {
        at = insert_after(at, AMD_BUFFER_GL0_INV);
        if (device)
            insert_after(at, AMD_BUFFER_GL1_INV);
    } else if (amd_op_number(AMD_GLOBAL_INV, AMD_GLOBAL, t->gen) >= 0) {
        ir_words(insert_after(at, AMD_GLOBAL_INV))[1] = scope;
    } else if (device) { /* a group's waves share their compute unit's cache */
        static const uint16_t ops[] = {AMD_BUFFER_INV, AMD_BUFFER_WBINVL1_VOL, AMD_BUFFER_WBINVL1};
        unsigned k = 0;
        while (k < 2 && amd_op_number((amd_op)ops[k], AMD_MUBUF, t->gen) < 0)
            k++;
        ir_words(insert_after(at, ops[k]))[1] = amd_has(t, has_scope_bits) ? scope : 0;
    }
}

void
amd_insert_write_back(ir_instr *at)
{
    ir_instr *i = amd_new(at->block->fn, AMD_BUFFER_WBL2, 0, 0);
    i->loc = at->loc;
    ir_words(i)[1] = (uint32_t)AMD_SCOPE_DEV << AMD_MEM_SCOPE;
    ir_insert_before(at, i);
}
