#include "machine_model.h"

#include "base/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn static void
give_up(const char *what, unsigned number)
{
    fprintf(stderr, "machine model: %s %u\n", what, number);
    exit(3);
}

/* ---- operands ---- */

static unsigned
dwords(ir_ref r)
{
    return amd_rc_regs(r.rc);
}

static uint32_t
read_const(ir_ref r, unsigned dword)
{
    if (dword == 0)
        return r.id;
    return r.flags & IR_CONST64 ? (uint32_t)((int32_t)r.id >> 31) : 0;
}

static uint32_t
read_dword(const model_machine *m, ir_ref r, unsigned dword)
{
    if (r.kind == IR_REF_CONST)
        return read_const(r, dword);
    if (r.kind == IR_REF_UNDEF || (r.kind == IR_REF_NONE && r.reg == IR_REG_NONE))
        return 0;
    if (m->by_register || r.kind == IR_REF_NONE)
        return m->regs[r.reg / 4 + dword];
    return m->values[r.id][dword];
}

static void
write_dword(model_machine *m, ir_ref r, unsigned dword, uint32_t v)
{
    if (!m->by_register && ir_is_value(r)) {
        m->values[r.id][dword] = v;
        return;
    }
    unsigned code = r.reg / 4u + dword;
    m->regs[code] = v;
    if (code < 256)
        return;
    for (unsigned lane = 0; lane < MODEL_LANES; lane++)
        m->lanes[code - 256][lane] = v ^ lane * 0x01010101u;
}

static uint32_t *
lanes_of(model_machine *m, ir_ref r)
{
    return m->by_register ? m->lanes[r.reg / 4 - 256] : m->value_lanes[r.id];
}

/* ---- instructions ---- */

static uint64_t
hash_operand(const model_machine *m, ir_ref r)
{
    uint64_t h = 0;
    for (unsigned d = 0; d < dwords(r); d++)
        h = base_hash64(h * 31 + read_dword(m, r, d));
    return h;
}

/* All definitions are hashes of the opcode and all operands, the first two in any order if they
 * commute. */
static void
run_hash(model_machine *m, const ir_instr *i)
{
    uint64_t h = i->op;
    unsigned first = i->n_refs >= 2 && ir_has_flag(i, IR_OP_COMMUTES) ? 2 : 0;
    for (unsigned r = 0; r < first; r++)
        h += hash_operand(m, i->refs[r]);
    for (unsigned r = first; r < i->n_refs; r++)
        h = base_hash64(h * 31 + hash_operand(m, i->refs[r]) + r);
    h = base_hash64(h);
    for (unsigned d = 0; d < i->n_defs; d++) {
        for (unsigned k = 0; k < dwords(i->defs[d]); k++) {
            uint32_t v = (uint32_t)base_hash64(h + d * 64 + k);
            write_dword(m, i->defs[d], k, i->defs[d].reg == AMD_SCC ? v & 1 : v);
        }
    }
}

static void
run_pseudo_copy(model_machine *m, const ir_instr *i)
{
    uint32_t in[1024];
    unsigned n = 0, at = 0;
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (i->op == AMD_P_EXTRACT_VECTOR && r == 1)
            at = i->refs[1].id * dwords(i->defs[0]);
        else
            for (unsigned d = 0; d < dwords(i->refs[r]); d++)
                in[n++] = read_dword(m, i->refs[r], d);
    }
    for (unsigned d = 0; d < i->n_defs; d++) {
        for (unsigned k = 0; k < dwords(i->defs[d]); k++)
            write_dword(m, i->defs[d], k, in[at++]);
    }
}

static void
run_lanes(model_machine *m, const ir_instr *i)
{
    if (i->op == AMD_V_READLANE_B32) {
        write_dword(m, i->defs[0], 0, lanes_of(m, i->refs[0])[i->refs[1].id]);
        return;
    }
    uint32_t lanes[MODEL_LANES] = {0}, value = read_dword(m, i->refs[0], 0);
    if (i->refs[2].kind != IR_REF_UNDEF)
        memcpy(lanes, lanes_of(m, i->refs[2]), sizeof lanes);
    lanes[i->refs[1].id] = value;
    memcpy(lanes_of(m, i->defs[0]), lanes, sizeof lanes);
}

static void
run_scratch_lanes(model_machine *m, const ir_instr *i, unsigned at, bool store)
{
    uint32_t *lanes = lanes_of(m, store ? i->refs[1] : i->defs[0]);
    for (unsigned lane = m->first; lane < m->first + m->active; lane++) {
        if (store)
            m->scratch_lanes[at][lane] = lanes[lane];
        else
            lanes[lane] = m->scratch_lanes[at][lane];
    }
}

static void
run_scratch(model_machine *m, const ir_instr *i, unsigned n, bool store)
{
    ir_ref saddr = i->refs[store ? 2 : 1];
    unsigned at = (ir_words(i)[0] + read_dword(m, saddr, 0)) / 4;
    if (at + n > MODEL_SCRATCH)
        give_up("scratch offset", ir_words(i)[0]);
    if (m->active) {
        run_scratch_lanes(m, i, at, store);
        return;
    }
    for (unsigned k = 0; k < n; k++) {
        if (store)
            m->scratch[at + k] = read_dword(m, i->refs[1], k);
        else
            write_dword(m, i->defs[0], k, m->scratch[at + k]);
    }
}

/* Lanes in scratch; vcc is clobbered. */
static void
run_scratch_slot(model_machine *m, const ir_instr *i, bool store)
{
    uint32_t *lanes = &m->scratch_lanes[i->refs[i->n_refs - 1].id / 4][ir_words(i)[0]];
    for (unsigned k = 0; k < dwords(store ? i->refs[0] : i->defs[0]); k++) {
        if (store)
            lanes[k] = read_dword(m, i->refs[0], k);
        else
            write_dword(m, i->defs[0], k, lanes[k]);
    }
    write_dword(m, i->defs[i->n_defs - 1u], 0, 0xdead);
}

/* The number of operands distinguishes slots of SGPRs and VGPRs, in lanes and in scratch. */
static void
run_slot(model_machine *m, const ir_instr *i)
{
    bool store = i->op == AMD_P_SPILL;
    bool scalar = i->n_refs == (store ? 2 : 1);
    if (i->n_refs == (store ? 3 : 2)) {
        run_scratch_slot(m, i, store);
        return;
    }
    unsigned at = 4096 + ir_words(i)[0] / 4;
    if (scalar) {
        uint32_t linear = m->by_register ? i->refs[store].reg / 4u : i->refs[store].id;
        at = ir_words(i)[0] + 64 * (linear % 61);
    }
    unsigned n = dwords(store ? i->refs[0] : i->defs[0]);
    if (at + n > MODEL_SLOTS)
        give_up("slot", at);
    for (unsigned k = 0; k < n; k++) {
        if (store)
            m->slots[at + k] = read_dword(m, i->refs[0], k);
        else
            write_dword(m, i->defs[0], k, m->slots[at + k]);
    }
}

static void
run_move(model_machine *m, const ir_instr *i)
{
    uint32_t v[2];
    if (i->defs[0].reg == AMD_EXEC)
        m->active = 0;
    for (unsigned k = 0; k < dwords(i->defs[0]); k++)
        v[k] = read_dword(m, i->refs[0], k);
    for (unsigned k = 0; k < dwords(i->defs[0]); k++)
        write_dword(m, i->defs[0], k, v[k]);
}

/* Scalar operations with scc after the result. */
static void
run_scalar(model_machine *m, const ir_instr *i)
{
    uint32_t a = read_dword(m, i->refs[0], 0), b = read_dword(m, i->refs[1], 0);
    switch (i->op) {
    case AMD_S_ADD_U32:
        write_dword(m, i->defs[0], 0, a + b);
        write_dword(m, i->defs[1], 0, a + b < a);
        break;
    case AMD_S_CMP_LT_U32: write_dword(m, i->defs[0], 0, a < b); break;
    case AMD_S_CMP_LG_U32: write_dword(m, i->defs[0], 0, a != b); break;
    case AMD_S_CMP_EQ_U32: write_dword(m, i->defs[0], 0, a == b); break;
    case AMD_S_CSELECT_B32:
        write_dword(m, i->defs[0], 0, read_dword(m, i->refs[2], 0) ? a : b);
        break;
    default: { /* s_xor */
        uint32_t hi = 0;
        if (dwords(i->defs[0]) == 2)
            hi = read_dword(m, i->refs[0], 1) ^ read_dword(m, i->refs[1], 1);
        write_dword(m, i->defs[0], 0, a ^ b);
        if (dwords(i->defs[0]) == 2)
            write_dword(m, i->defs[0], 1, hi);
        write_dword(m, i->defs[1], 0, ((a ^ b) | hi) != 0);
        break;
    }
    }
}

static void
run_unit_test(model_machine *m, const ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        for (unsigned d = 0; d < dwords(i->refs[r]); d++) {
            if (m->n_trace < MODEL_TRACE)
                m->trace[m->n_trace++] = read_dword(m, i->refs[r], d);
        }
    }
}

static void
run_swap(model_machine *m, const ir_instr *i)
{
    uint32_t a = read_dword(m, i->refs[0], 0), b = read_dword(m, i->refs[1], 0);
    write_dword(m, i->defs[0], 0, b);
    write_dword(m, i->defs[1], 0, a);
}

/* A shift by 0, which moves a pair. */
static void
run_pair_move(model_machine *m, const ir_instr *i)
{
    if (i->refs[0].kind != IR_REF_CONST || i->refs[0].id != 0) {
        run_hash(m, i);
        return;
    }
    uint32_t low = read_dword(m, i->refs[1], 0), high = read_dword(m, i->refs[1], 1);
    write_dword(m, i->defs[0], 0, low);
    write_dword(m, i->defs[0], 1, high);
}

static void
run_instr(model_machine *m, const ir_instr *i)
{
    switch (i->op) {
    case AMD_P_LOGICAL_START:
    case AMD_P_LOGICAL_END:
    case AMD_P_BARRIER:
    case AMD_P_START_LINEAR_VGPR:
    case AMD_P_END_LINEAR_VGPR: break;
    case AMD_P_PARALLELCOPY:
    case AMD_P_CREATE_VECTOR:
    case AMD_P_SPLIT_VECTOR:
    case AMD_P_EXTRACT_VECTOR:
    case AMD_P_AS_UNIFORM: run_pseudo_copy(m, i); break;
    case AMD_P_SPILL:
    case AMD_P_RELOAD: run_slot(m, i); break;
    case AMD_P_UNIT_TEST: run_unit_test(m, i); break;
    case AMD_S_MOV_B32:
    case AMD_S_MOV_B64:
    case AMD_V_MOV_B32:
    case AMD_V_READFIRSTLANE_B32: run_move(m, i); break;
    case AMD_S_BFM_B32:
    case AMD_S_BFM_B64:
        m->active = i->refs[0].id;
        m->first = i->refs[1].id;
        break;
    case AMD_S_MOVK_I32: write_dword(m, i->defs[0], 0, (uint32_t)(int16_t)ir_words(i)[0]); break;
    case AMD_S_ADD_U32:
    case AMD_S_CMP_LT_U32:
    case AMD_S_CMP_LG_U32:
    case AMD_S_CMP_EQ_U32:
    case AMD_S_CSELECT_B32:
    case AMD_S_XOR_B32:
    case AMD_S_XOR_B64: run_scalar(m, i); break;
    case AMD_V_SWAP_B32: run_swap(m, i); break;
    case AMD_V_LSHRREV_B64: run_pair_move(m, i); break;
    case AMD_V_READLANE_B32:
    case AMD_V_WRITELANE_B32: run_lanes(m, i); break;
    case AMD_SCRATCH_STORE_DWORD: run_scratch(m, i, 1, true); break;
    case AMD_SCRATCH_STORE_DWORDX2: run_scratch(m, i, 2, true); break;
    case AMD_SCRATCH_STORE_DWORDX3: run_scratch(m, i, 3, true); break;
    case AMD_SCRATCH_STORE_DWORDX4: run_scratch(m, i, 4, true); break;
    case AMD_SCRATCH_LOAD_DWORD: run_scratch(m, i, 1, false); break;
    case AMD_SCRATCH_LOAD_DWORDX2: run_scratch(m, i, 2, false); break;
    case AMD_SCRATCH_LOAD_DWORDX3: run_scratch(m, i, 3, false); break;
    case AMD_SCRATCH_LOAD_DWORDX4: run_scratch(m, i, 4, false); break;
    default: run_hash(m, i); break;
    }
}

/* ---- control flow ---- */

static void
run_phis(model_machine *m, const ir_block *b, const ir_block *from, arena *a)
{
    unsigned n = 0;
    for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next)
        n++;
    uint32_t(*in)[MODEL_DWORDS] = arena_array(a, n, sizeof *in);
    n = 0;
    for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next, n++) {
        uint32_t p = ir_pred_index(b, from, ir_has_flag(i, IR_OP_LINEAR_PHI));
        for (unsigned d = 0; d < dwords(i->defs[0]); d++)
            in[n][d] = read_dword(m, i->refs[p], d);
    }
    n = 0;
    for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next, n++) {
        for (unsigned d = 0; d < dwords(i->defs[0]); d++)
            write_dword(m, i->defs[0], d, in[n][d]);
    }
}

/* The target of branch `i`; NULL if it falls through. */
static const ir_block *
branch_target(const model_machine *m, const ir_instr *i)
{
    ir_block *const *succs = i->block->succs[1].at;
    bool set = i->n_refs && (read_dword(m, i->refs[0], 0) != 0);
    switch (i->op) {
    case AMD_P_BRANCH: return succs[0];
    case AMD_P_CBRANCH_Z: return succs[!set];
    case AMD_P_CBRANCH_NZ: return succs[set];
    case AMD_S_BRANCH: return m->f->blocks[ir_words(i)[0]];
    case AMD_S_CBRANCH_SCC0:
    case AMD_S_CBRANCH_VCCZ:
    case AMD_S_CBRANCH_EXECZ: return set ? NULL : m->f->blocks[ir_words(i)[0]];
    case AMD_S_CBRANCH_SCC1:
    case AMD_S_CBRANCH_VCCNZ:
    case AMD_S_CBRANCH_EXECNZ: return set ? m->f->blocks[ir_words(i)[0]] : NULL;
    default: return NULL;
    }
}

static bool
is_branch(const ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    return row ? (row->flags & AMD_F_BRANCH) != 0 : ir_has_flag(i, IR_OP_TERMINATOR);
}

static const ir_block *
run_block(model_machine *m, const ir_block *b)
{
    for (const ir_instr *i = b->first; i; i = i->next) {
        if (ir_has_flag(i, IR_OP_PHI))
            continue;
        if (i->op == AMD_S_ENDPGM) {
            m->ended = true;
            return NULL;
        }
        if (!is_branch(i)) {
            run_instr(m, i);
            continue;
        }
        const ir_block *to = branch_target(m, i);
        if (to)
            return to;
    }
    return b->index + 1 < m->f->n_blocks ? m->f->blocks[b->index + 1] : NULL;
}

void
model_run(model_machine *m, const ir_fn *f, bool by_register, arena *a)
{
    memset(m, 0, sizeof *m);
    m->f = f;
    m->by_register = by_register;
    m->values = arena_array(a, f->n_values, sizeof *m->values);
    m->value_lanes = arena_array(a, f->n_values, sizeof *m->value_lanes);
    const ir_block *b = f->blocks[0], *from = NULL;
    for (unsigned steps = 0; b && steps < MODEL_STEPS; steps++) {
        if (from && f->ssa)
            run_phis(m, b, from, a);
        from = b;
        b = run_block(m, b);
    }
}
