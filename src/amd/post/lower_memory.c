/* Memory instructions on targets whose scratch is a buffer, or whose LDS has its limit in m0.
 *
 * Until here scratch_* stand for accesses to scratch memory on all targets. Those without them use
 * buffer instructions with a descriptor that swizzles: the lanes of a wave have the same dword at
 * consecutive places. The descriptor takes the four SGPRs behind all others, for which the budget
 * leaves room. It is made at the start of the program and holds the wave's own base.
 *
 *     scratch_store_dword v1, v0, off offset:8
 *         ->   buffer_store_dword v0, v1, s[8:11], 0 offen offset:8
 *
 * A scalar offset is not swizzled: it counts the bytes of all lanes.
 *
 * m0 is set to the largest limit before the first LDS instruction, and again where it had another
 * use. No lowered instruction keeps a value in m0.
 */
#include "amd/abi/layout.h"
#include "amd/post/lower.h"

enum { DESCRIPTOR_SGPRS = 4 };

/* ---- scratch ---- */

static const uint16_t scratch_ops[][2] = {
    {AMD_SCRATCH_LOAD_UBYTE, AMD_BUFFER_LOAD_UBYTE},
    {AMD_SCRATCH_LOAD_USHORT, AMD_BUFFER_LOAD_USHORT},
    {AMD_SCRATCH_LOAD_DWORD, AMD_BUFFER_LOAD_DWORD},
    {AMD_SCRATCH_STORE_BYTE, AMD_BUFFER_STORE_BYTE},
    {AMD_SCRATCH_STORE_SHORT, AMD_BUFFER_STORE_SHORT},
    {AMD_SCRATCH_STORE_DWORD, AMD_BUFFER_STORE_DWORD},
};

static unsigned
buffer_op(unsigned op)
{
    for (unsigned k = 0; k < sizeof scratch_ops / sizeof *scratch_ops; k++) {
        if (scratch_ops[k][0] == op)
            return scratch_ops[k][1];
    }
    return AMD_OP_INVALID;
}

static bool
is_present(ir_ref r)
{
    return r.kind != IR_REF_NONE || (r.flags & IR_FIXED);
}

/* References of scratch_*: address, data of a store, scalar offset. */
static void
use_buffer(low_ctx *c, ir_instr *i, unsigned op)
{
    bool store = i->n_refs == 3;
    ir_ref address = i->refs[0], scalar = i->refs[1u + store], refs[4];
    unsigned n = 0;
    if (store)
        refs[n++] = i->refs[1];
    refs[n++] = address;
    refs[n++] = low_s(c->scratch_descriptor, DESCRIPTOR_SGPRS);
    refs[n++] = is_present(scalar) ? scalar : amd_const(0);
    c->at = i;
    ir_instr *access = amd_low_emit(c, op, i->n_defs, i->defs, n, refs);
    for (unsigned w = 0; w < 3; w++)
        ir_words(access)[w] = ir_words(i)[w];
    if (is_present(address))
        ir_words(access)[1] |= AMD_MEM_OFFEN;
    ir_unlink(i);
}

void
amd_low_start_scratch_buffer(low_ctx *c, const amd_arg *base, const amd_arg *offset)
{
    enum { SWIZZLE_BIT = 31, ADDRESS_BITS = 0xffff };
    amd_program *p = c->p;
    unsigned first = (p->sgprs_used + DESCRIPTOR_SGPRS - 1) / DESCRIPTOR_SGPRS * DESCRIPTOR_SGPRS;
    ir_ref word[DESCRIPTOR_SGPRS], from[DESCRIPTOR_SGPRS];
    for (unsigned k = 0; k < DESCRIPTOR_SGPRS; k++) {
        word[k] = low_s(AMD_PHYS(first + k), 1);
        from[k] = low_s(AMD_PHYS(base->reg + k), 1);
    }
    p->sgprs_used = first + DESCRIPTOR_SGPRS;
    c->scratch_descriptor = word[0].reg;
    amd_low_2(c, AMD_S_ADD_U32, word[0], from[0], low_s(AMD_PHYS(offset->reg), 1));
    amd_low_3(c, AMD_S_ADDC_U32, word[1], from[1], amd_const(0), amd_phys(AMD_SCC, AMD_S1));
    if (base->count == DESCRIPTOR_SGPRS) { /* hsa */
        amd_low_1(c, AMD_S_MOV_B32, word[2], from[2]);
        amd_low_1(c, AMD_S_MOV_B32, word[3], from[3]);
        return;
    }
    amd_low_2(c, AMD_S_AND_B32, word[1], word[1], amd_const(ADDRESS_BITS));
    amd_low_1(c, AMD_S_BITSET1_B32, word[1], amd_const(SWIZZLE_BIT));
    amd_low_load_const(c, word[2].reg, UINT32_MAX);
    amd_low_load_const(c, word[3].reg, amd_scratch_word3(p->target->gen));
}

/* ---- m0 ---- */

/* What m0 holds: the limit of LDS, or the value of an SGPR. */
typedef enum m0_kind { M0_UNKNOWN, M0_LIMIT, M0_SGPR } m0_kind;
typedef struct m0_state {
    m0_kind kind;
    uint16_t reg;
} m0_state;

static bool
writes_reg(const ir_instr *i, unsigned reg)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (i->defs[d].reg <= reg && reg < i->defs[d].reg + amd_rc_bytes(i->defs[d].rc))
            return true;
    }
    return false;
}

/* Returns m0's state behind `i`, which needs the limit there. */
static m0_state
limit_lds(low_ctx *c, ir_instr *i, m0_state now)
{
    c->at = i;
    if (now.kind != M0_LIMIT)
        amd_low_1(c, AMD_S_MOV_B32, low_s(AMD_M0, 1), amd_const(UINT32_MAX));
    ir_extend_instr(i, 0, 1)->refs[i->n_refs] = amd_phys(AMD_M0, AMD_S1);
    return (m0_state){.kind = M0_LIMIT};
}

/* The same for an instruction that reads parameters: its last reference is what m0 must hold. */
static m0_state
mask_primitives(low_ctx *c, ir_instr *i, m0_state now)
{
    ir_ref *mask = &i->refs[i->n_refs - 1];
    uint16_t reg = mask->reg;
    c->at = i;
    if (reg == AMD_M0)
        return now;
    if (now.kind != M0_SGPR || now.reg != reg)
        amd_low_1(c, AMD_S_MOV_B32, low_s(AMD_M0, 1), low_s(reg, 1));
    *mask = amd_phys(AMD_M0, AMD_S1);
    return (m0_state){.kind = M0_SGPR, .reg = reg};
}

static m0_state
set_m0(low_ctx *c, ir_instr *i, m0_state now)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    if (row && amd_reads_params(i->op))
        return mask_primitives(c, i, now);
    if (row && row->fmt == AMD_DS && row->flags & AMD_F_LDS && amd_has(c->p->target, lds_needs_m0))
        return limit_lds(c, i, now);
    if (writes_reg(i, AMD_M0) || (now.kind == M0_SGPR && writes_reg(i, now.reg)))
        now.kind = M0_UNKNOWN;
    return now;
}

/* ---- both ---- */

static bool
follows_directly(const ir_block *b)
{
    const ir_edges *preds = &b->preds[1];
    return preds->count == 1 && preds->at[0]->index + 1 == b->index;
}

void
amd_low_finish_memory(low_ctx *c)
{
    bool m0 = amd_has(c->p->target, lds_needs_m0) || c->p->stage == AMD_STAGE_FRAGMENT_FS;
    m0_state now = {.kind = M0_UNKNOWN};
    if (!m0 && !amd_scratch_is_buffer(c->p->target))
        return;
    IR_FOREACH_BLOCK(b, c->f) {
        if (!follows_directly(b))
            now.kind = M0_UNKNOWN;
        IR_FOREACH_INSTR(i, b) {
            unsigned op = c->scratch_descriptor ? buffer_op(i->op) : AMD_OP_INVALID;
            if (op != AMD_OP_INVALID)
                use_buffer(c, i, op);
            else if (m0)
                now = set_m0(c, i, now);
        }
    }
}
