/* Runs instructions through a wave's clock.
 *
 * An instruction issues in order, once its operands are ready and its unit takes it. Units of
 * memory have queues: they delay the result, not the wave. What memory returns counts as ready at
 * once, since the code says by waits when it needs it; a wait lasts until all operations but the
 * newest n of a counter have finished. Operations of a counter finish in order, as waits can only
 * rely on that.
 */
#include "amd/isa/table/clock.h"

#include "amd/isa/table/properties.h"
#include "amd/isa/table/table.h"

/* ---- registers ---- */

static unsigned
width(const amd_clock *c, const amd_operand *o)
{
    unsigned n = amd_type_dwords((amd_type)o->type, c->pace.wave64);
    return n ? n : 1;
}

static bool
is_register(unsigned code)
{
    return code < AMD_SRC_INT_0 || code == AMD_SRC_SCC ||
           (code >= AMD_REG_VGPR0 && code < AMD_CLOCK_REGS);
}

static uint64_t
later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t
operand_ready(const amd_clock *c, unsigned code, unsigned n)
{
    uint64_t at = 0;
    for (unsigned k = 0; is_register(code) && k < n && code + k < AMD_CLOCK_REGS; k++)
        at = later(at, c->ready[code + k]);
    return at;
}

static uint64_t
operands_ready(const amd_clock *c, const amd_inst *in, const amd_op_info *row)
{
    uint64_t at = c->now;
    for (unsigned s = 0; s < in->n_src; s++) {
        const amd_operand *o = amd_op_src(row, s);
        at = later(at, operand_ready(c, in->src[s], o ? width(c, o) : 1));
    }
    for (unsigned d = 0; d < in->n_dst; d++) {
        const amd_operand *o = amd_op_dst(row, d);
        if (o && o->role == AMD_ROLE_BOTH)
            at = later(at, operand_ready(c, in->dst[d], width(c, o)));
    }
    if (row->flags & AMD_F_SCC_R)
        at = later(at, c->ready[AMD_REG_SCC]);
    if (row->flags & AMD_F_VCC_R)
        at = later(at, c->ready[AMD_REG_VCC_LO]);
    return at;
}

static void
set_ready(amd_clock *c, const amd_inst *in, const amd_op_info *row, uint64_t at)
{
    for (unsigned d = 0; d < in->n_dst; d++) {
        const amd_operand *o = amd_op_dst(row, d);
        unsigned n = o ? width(c, o) : 1;
        for (unsigned k = 0; is_register(in->dst[d]) && k < n; k++) {
            if (in->dst[d] + k < AMD_CLOCK_REGS)
                c->ready[in->dst[d] + k] = at;
        }
    }
    if (row->flags & AMD_F_SCC_W)
        c->ready[AMD_REG_SCC] = at;
}

/* ---- counters ---- */

/* The counter of a load on gfx12, which has one for each kind. */
static amd_wait
split_counter(const amd_inst *in, const amd_op_info *row)
{
    if (in->fmt == AMD_SMEM || in->fmt == AMD_SOP1)
        return AMD_WAIT_KM;
    if (in->fmt != AMD_MIMG)
        return AMD_WAIT_VM;
    for (unsigned s = 0; s < in->n_src; s++) {
        const amd_operand *o = amd_op_src(row, s);
        if (o && o->kind == AMD_K_SAMP)
            return AMD_WAIT_SAMPLE;
    }
    return row->memory >= AMD_A_BVH ? AMD_WAIT_BVH : AMD_WAIT_VM;
}

/* The counters that an instruction increments, as bits 1 << amd_wait. */
static unsigned
counters_of(const amd_clock *c, const amd_inst *in, const amd_op_info *row)
{
    amd_gen gen = (amd_gen)c->pace.gen;
    bool split = amd_properties.has_split_counters[gen];
    bool returns = !(row->flags & AMD_F_STORE) && (!(row->flags & AMD_F_ATOMIC) || in->glc);
    unsigned counters = 0;
    if (row->flags & AMD_F_VM && returns)
        counters |= 1u << (split ? split_counter(in, row) : AMD_WAIT_VM);
    else if (row->flags & (AMD_F_VS | AMD_F_VM))
        counters |= 1u << (amd_properties.has_vscnt[gen] ? AMD_WAIT_VS : AMD_WAIT_VM);
    if (row->flags & AMD_F_LGKM)
        counters |= 1u << (split && in->fmt != AMD_DS && in->fmt != AMD_FLAT ? AMD_WAIT_KM
                                                                             : AMD_WAIT_LGKM);
    if (row->flags & AMD_F_EXPC || in->fmt == AMD_EXP || in->fmt == AMD_LDSDIR)
        counters |= 1u << AMD_WAIT_EXP;
    return counters;
}

static void
note_operation(amd_clock *c, unsigned counters, uint64_t done)
{
    for (unsigned k = 0; k < AMD_WAIT_COUNT; k++) {
        if (!(counters >> k & 1))
            continue;
        uint64_t before = c->issued[k] ? c->done[k][(c->issued[k] - 1) % AMD_CLOCK_PENDING] : 0;
        c->done[k][c->issued[k]++ % AMD_CLOCK_PENDING] = later(before, done);
    }
}

/* Waits until at most `left` operations of the counter are outstanding. */
static void
wait_for(amd_clock *c, unsigned counter, uint32_t left)
{
    if (left < AMD_CLOCK_PENDING && c->issued[counter] > left)
        c->now = later(c->now,
                       c->done[counter][(c->issued[counter] - left - 1) % AMD_CLOCK_PENDING]);
}

static bool
run_wait(amd_clock *c, const amd_inst *in)
{
    uint8_t at_most[AMD_WAIT_COUNT];
    if (!amd_waits_for((amd_gen)c->pace.gen, in, at_most))
        return false;
    for (unsigned k = 0; k < AMD_WAIT_COUNT; k++)
        wait_for(c, k, at_most[k]);
    return true;
}

/* ---- the clock ---- */

void
amd_clock_start(amd_clock *c, amd_pace pace)
{
    c->pace = pace;
}

static bool
is_queued(amd_unit unit)
{
    return unit == AMD_UNIT_SMEM || unit == AMD_UNIT_VMEM || unit == AMD_UNIT_LDS ||
           unit == AMD_UNIT_EXPORT;
}

static uint32_t
busy_cycles(const amd_timing *t, const amd_event *e)
{
    uint32_t busy = t->busy > e->lines ? t->busy : e->lines;
    return t->unit == AMD_UNIT_LDS ? t->busy + e->conflicts : busy;
}

/* Issues an instruction that does not wait. Returns the cycles for which its unit is busy. */
static uint32_t
issue(amd_clock *c, const amd_inst *in, const amd_timing *t, const amd_event *e)
{
    const amd_op_info *row = amd_op_row((amd_op)in->op);
    amd_unit unit = (amd_unit)t->unit;
    uint32_t busy = busy_cycles(t, e);
    uint64_t at = operands_ready(c, in, row);
    if (unit != AMD_UNIT_NONE && !is_queued(unit))
        at = later(at, c->free[unit]);
    uint64_t start = later(at, c->free[unit]);
    if (unit != AMD_UNIT_NONE)
        c->free[unit] = start + busy;
    c->now = at + t->issue;
    if (unit == AMD_UNIT_BRANCH && e->taken)
        c->now = at + t->latency;
    unsigned counters = counters_of(c, in, row);
    uint64_t queued = start - at + (busy > t->issue ? busy - t->issue : 0);
    if (counters)
        note_operation(c, counters, at + t->latency + (is_queued(unit) ? queued : 0));
    set_ready(c, in, row, counters ? at : at + t->latency);
    return busy;
}

amd_spent
amd_clock_run(amd_clock *c, const amd_inst *in, const amd_event *event)
{
    amd_timing t = amd_inst_timing(&c->pace, in);
    uint64_t before = c->now;
    amd_spent spent = {.unit = t.unit};
    if (run_wait(c, in))
        c->now += t.issue;
    else
        spent.busy = issue(c, in, &t, event);
    spent.wave = c->now - before;
    return spent;
}
