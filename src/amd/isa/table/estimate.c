/* Estimates the duration of code from its instructions alone.
 *
 * One wave runs through the code in order. An instruction issues when its operands are ready and
 * occupies its unit for some cycles; its results are ready after its latency. For memory operations
 * the time is spent in s_waitcnt: for each counter a ring holds the completion times of outstanding
 * operations.
 *
 * Latencies are those of LLVM 19's model of gfx10 (llvm-mca -mcpu=gfx1030 --instruction-info).
 * Occupancy of units is from "RDNA Architecture" (AMD, white paper, 2019): wave32 issues in one
 * cycle, wave64 in two; transcendental operations and 32-bit integer multiplication run at a
 * quarter of the rate, binary64 at a sixteenth; L0 moves 64 bytes per cycle, LDS 128. Barriers,
 * which wait for other waves, cost nothing.
 *
 * Estimates are for comparing two versions of a shader; they do not predict time.
 */
#include "amd/isa/table/estimate.h"

#include "amd/isa/table/table.h"

#include <string.h>

typedef enum unit {
    UNIT_VALU,
    UNIT_SALU,
    UNIT_VMEM,
    UNIT_SMEM,
    UNIT_LDS,
    UNIT_EXPORT,
    N_UNITS
} unit;

typedef enum counter { COUNT_VM, COUNT_LGKM, COUNT_VS, N_COUNTERS } counter;

enum {
    LOOP_ITERATIONS = 8,
    MAX_WEIGHT = LOOP_ITERATIONS * LOOP_ITERATIONS * LOOP_ITERATIONS * LOOP_ITERATIONS,
    MAX_PENDING = 64, /* the counters have six bits */
    N_REGS = AMD_REG_VGPR0 + 256,
};

/* The timing class of an instruction. */
typedef struct timing {
    uint8_t unit;
    uint16_t busy;    /* cycles for which the unit is occupied */
    uint16_t latency; /* cycles until the result can be used */
} timing;

typedef struct estimator {
    bool wave64;
    uint64_t now;                           /* cycle at which the next instruction may issue */
    uint64_t ready[N_REGS];                 /* by register: the cycle at which its value is ready */
    uint64_t done[N_COUNTERS][MAX_PENDING]; /* rings: cycles at which the operations finish */
    uint32_t issued[N_COUNTERS];
    uint64_t latency, busy[N_UNITS]; /* sums, weighted by loop iterations */
} estimator;

static timing
valu_timing(const amd_op_info *row, bool wave64)
{
    const amd_operand *d = amd_op_dst(row, 0), *s = amd_op_src(row, 0);
    bool f64 = (d && d->type == AMD_T_F64) || (s && s->type == AMD_T_F64);
    unsigned passes = wave64 ? 2 : 1;
    bool multiply = strncmp(row->name, "v_mul_lo_u32", 12) == 0 ||
                    strncmp(row->name, "v_mul_hi_", 9) == 0 ||
                    strncmp(row->name, "v_mad_u64", 9) == 0 ||
                    strncmp(row->name, "v_mad_i64", 9) == 0;
    if (multiply)
        return (timing){UNIT_VALU, (uint16_t)(4 * passes), 8};
    if (f64)
        return (timing){UNIT_VALU, (uint16_t)(16 * passes), row->flags & AMD_F_TRANS ? 24 : 22};
    if (row->flags & AMD_F_TRANS)
        return (timing){UNIT_VALU, (uint16_t)(4 * passes), 10};
    return (timing){UNIT_VALU, (uint16_t)passes,
                    d && amd_type_bits((amd_type)d->type, false) == 64 ? 6 : 5};
}

/* The number of bytes that all lanes move, in units of the bytes moved per cycle. */
static unsigned
transfer(const amd_op_info *row, bool wave64, unsigned bytes_a_cycle)
{
    unsigned bytes = row->fmt == AMD_MIMG || !row->memory ? 16 : row->memory;
    return (bytes * (wave64 ? 64u : 32u) + bytes_a_cycle - 1) / bytes_a_cycle;
}

static timing
timing_of(const amd_inst *in, const amd_op_info *row, bool wave64)
{
    switch ((amd_fmt)in->fmt) {
    case AMD_SOPP: return (timing){UNIT_SALU, 1, row->flags & AMD_F_BRANCH ? 32 : 1};
    case AMD_SOP1:
    case AMD_SOP2:
    case AMD_SOPK:
    case AMD_SOPC: return (timing){UNIT_SALU, 1, 2};
    case AMD_SMEM: return (timing){UNIT_SMEM, 1, 20};
    case AMD_DS: return (timing){UNIT_LDS, (uint16_t)transfer(row, wave64, 128), 20};
    case AMD_MUBUF:
    case AMD_MTBUF:
    case AMD_MIMG:
    case AMD_FLAT:
    case AMD_GLOBAL:
    case AMD_SCRATCH: return (timing){UNIT_VMEM, (uint16_t)transfer(row, wave64, 64), 320};
    case AMD_EXP: return (timing){UNIT_EXPORT, 1, 16};
    default: return valu_timing(row, wave64);
    }
}

/* ---- registers ---- */

static unsigned
width(const estimator *e, const amd_operand *o)
{
    unsigned n = amd_type_dwords((amd_type)o->type, e->wave64);
    return n ? n : 1;
}

static bool
is_register(unsigned code)
{
    return code < AMD_SRC_INT_0 || code == AMD_SRC_SCC || (code >= AMD_REG_VGPR0 && code < N_REGS);
}

static uint64_t
operands_ready(const estimator *e, const amd_inst *in, const amd_op_info *row)
{
    uint64_t at = e->now;
    for (unsigned s = 0; s < in->n_src; s++) {
        const amd_operand *o = amd_op_src(row, s);
        for (unsigned k = 0; o && is_register(in->src[s]) && k < width(e, o); k++) {
            unsigned r = in->src[s] + k;
            at = r < N_REGS && e->ready[r] > at ? e->ready[r] : at;
        }
    }
    if (row->flags & AMD_F_SCC_R && e->ready[AMD_REG_SCC] > at)
        at = e->ready[AMD_REG_SCC];
    if (row->flags & AMD_F_VCC_R && e->ready[AMD_REG_VCC_LO] > at)
        at = e->ready[AMD_REG_VCC_LO];
    return at;
}

static void
results_ready_at(estimator *e, const amd_inst *in, const amd_op_info *row, uint64_t at)
{
    for (unsigned d = 0; d < in->n_dst; d++) {
        const amd_operand *o = amd_op_dst(row, d);
        for (unsigned k = 0; o && is_register(in->dst[d]) && k < width(e, o); k++) {
            if (in->dst[d] + k < N_REGS)
                e->ready[in->dst[d] + k] = at;
        }
    }
    if (row->flags & AMD_F_SCC_W)
        e->ready[AMD_REG_SCC] = at;
}

/* ---- counters ---- */

static void
note_operation(estimator *e, counter c, uint64_t done)
{
    e->done[c][e->issued[c]++ % MAX_PENDING] = done;
}

/* Waits until at most `left` operations are outstanding. */
static void
wait_for(estimator *e, counter c, uint32_t left)
{
    if (e->issued[c] <= left || left >= MAX_PENDING)
        return;
    uint64_t done = e->done[c][(e->issued[c] - left - 1) % MAX_PENDING];
    if (done > e->now)
        e->now = done;
}

/* s_waitcnt's fields on gfx10: vmcnt 3:0 and 15:14, lgkmcnt 13:8 ("RDNA 2" ISA, S_WAITCNT). */
static bool
run_wait(estimator *e, const amd_inst *in)
{
    uint32_t imm = (uint32_t)in->imm;
    if (in->op == AMD_S_WAITCNT) {
        wait_for(e, COUNT_VM, (imm & 15) | (imm >> 14 & 3) << 4);
        wait_for(e, COUNT_LGKM, imm >> 8 & 63);
        return true;
    }
    if (in->op == AMD_S_WAITCNT_VSCNT)
        wait_for(e, COUNT_VS, imm & 63);
    return in->op == AMD_S_WAITCNT_VSCNT;
}

static void
run(estimator *e, const amd_inst *in, uint64_t weight)
{
    const amd_op_info *row = amd_op_row((amd_op)in->op);
    timing t = timing_of(in, row, e->wave64);
    uint64_t start = e->now;
    if (!run_wait(e, in)) {
        bool memory = row->flags & (AMD_F_VM | AMD_F_VS | AMD_F_LGKM);
        uint64_t issue = operands_ready(e, in, row);
        e->now = issue + (t.unit == UNIT_VALU ? t.busy : row->flags & AMD_F_BRANCH ? t.latency : 1);
        if (row->flags & AMD_F_VM && !(row->flags & AMD_F_STORE))
            note_operation(e, COUNT_VM, issue + t.latency);
        else if (row->flags & AMD_F_VS)
            note_operation(e, COUNT_VS, issue + t.latency);
        if (row->flags & AMD_F_LGKM)
            note_operation(e, COUNT_LGKM, issue + t.latency);
        results_ready_at(e, in, row, memory ? issue : issue + t.latency);
    } else {
        e->now++;
    }
    e->latency += (e->now - start) * weight;
    e->busy[t.unit] += t.busy * weight;
}

/* ---- loops ---- */

/* The dword that a backward branch targets, or UINT32_MAX. */
static uint32_t
goes_back_to(const amd_inst *in, uint32_t at)
{
    if (in->fmt != AMD_SOPP || !(amd_op_row((amd_op)in->op)->flags & AMD_F_BRANCH))
        return UINT32_MAX;
    int64_t to = (int64_t)at / 4 + 1 + in->imm;
    return to >= 0 && to <= at / 4 ? (uint32_t)to : UINT32_MAX;
}

/* By dword: the number of loops that begin there minus the number that ended before. */
static int32_t *
find_loops(arena *a, amd_gen gen, const uint8_t *code, uint32_t size)
{
    int32_t *change = ARENA_ARRAY(a, size / 4 + 2, int32_t);
    amd_inst in;
    for (uint32_t at = 0; at < size;) {
        bool ok = amd_decode(gen, code + at, size - at, &in);
        uint32_t to = ok ? goes_back_to(&in, at) : UINT32_MAX;
        at += ok ? in.size : 4;
        if (to != UINT32_MAX) {
            change[to]++;
            change[(at < size ? at : size) / 4]--;
        }
    }
    return change;
}

static uint64_t
weight_of(int32_t depth)
{
    uint64_t weight = 1;
    for (; depth > 0 && weight < MAX_WEIGHT; depth--)
        weight *= LOOP_ITERATIONS;
    return weight;
}

static uint32_t
saturated(uint64_t n)
{
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

amd_estimate
amd_estimate_code(arena *a, amd_gen gen, bool wave64, const uint8_t *code, uint32_t size)
{
    arena_mark mark = arena_save(a);
    estimator *e = ARENA_NEW(a, estimator);
    const int32_t *change = find_loops(a, gen, code, size);
    int32_t depth = 0;
    uint64_t most = 0;
    amd_inst in;
    e->wave64 = wave64;
    for (uint32_t at = 0; at < size;) {
        bool ok = amd_decode(gen, code + at, size - at, &in);
        uint32_t next = at + (ok ? in.size : 4);
        for (uint32_t d = at / 4; d < next / 4 && d <= size / 4; d++)
            depth += change[d];
        if (ok)
            run(e, &in, weight_of(depth));
        at = next;
    }
    for (unsigned u = 0; u < N_UNITS; u++)
        most = e->busy[u] > most ? e->busy[u] : most;
    amd_estimate result = {saturated(e->latency), saturated(most)};
    arena_release(a, mark);
    return result;
}
