/* Instructions as the rules of hazards see them. */
#include "amd/isa/table/counters.h"
#include "amd/isa/table/table.h"
#include "amd/post/hazard.h"
#include "amd/target/pair.h"

/* ---- registers ---- */

/* scc is left out: the hardware tracks it. */
static void
add_use(amd_hazard_info *out, ir_ref r, unsigned how)
{
    amd_reg_range range = amd_range_of(r);
    if (!range.count)
        return;
    amd_hazard_use *u = &out->uses[out->n_uses < HZ_MAX_USES ? out->n_uses++ : HZ_MAX_USES - 1];
    *u = (amd_hazard_use){(uint16_t)range.first, (uint16_t)range.count, (uint16_t)how};
}

/* Is reference `r` the data of a memory operation? Atomics that return the old value read and write
 * their data in the same registers, which are their last reference. */
static bool
is_data(const amd_op_info *row, unsigned r)
{
    const amd_operand *o = amd_op_src(row, r), *first = &row->operands[0];
    return o ? o->kind == AMD_K_VDATA : first->role == AMD_ROLE_BOTH && first->kind == AMD_K_VDATA;
}

/* The uses of reference `r` besides being read. */
static unsigned
special_use(const ir_instr *i, const amd_op_info *row, unsigned r)
{
    const amd_operand *o = amd_op_src(row, r);
    unsigned how = HZ_READ;
    if (is_data(row, r))
        how |= HZ_DATA;
    if (!o)
        return i->op == AMD_V_DIV_FMAS_F32 || i->op == AMD_V_DIV_FMAS_F64 ? how | HZ_MASK : how;
    if (o->kind == AMD_K_MASK)
        how |= HZ_MASK;
    if (r == 1 && (i->op == AMD_V_READLANE_B32 || i->op == AMD_V_WRITELANE_B32))
        how |= HZ_LANE;
    return how;
}

static void
add_uses(const ir_instr *i, const amd_op_info *row, amd_hazard_info *out)
{
    for (unsigned r = 0; r < i->n_refs; r++)
        add_use(out, i->refs[r], row ? special_use(i, row, r) : HZ_READ);
    bool both = row && row->operands[0].role == AMD_ROLE_BOTH; /* v_fma_mixlo_f16 */
    for (unsigned d = 0; d < i->n_defs; d++)
        add_use(out, i->defs[d], both && d == 0 ? HZ_WRITE | HZ_READ : HZ_WRITE);
    if (amd_needs_exec(i))
        add_use(out, amd_phys(AMD_EXEC, AMD_S2), HZ_EXEC);
    if (row && row->flags & AMD_F_M0_R)
        add_use(out, amd_phys(AMD_M0, AMD_S1), HZ_READ);
}

static bool
writes(const amd_hazard_info *out, unsigned first, unsigned last)
{
    for (uint32_t u = 0; u < out->n_uses; u++) {
        const amd_hazard_use *use = &out->uses[u];
        if (use->how & HZ_WRITE && use->first <= last && use->first + use->count > first)
            return true;
    }
    return false;
}

/* Both halves at once? */
static bool
writes_vcc(const amd_hazard_info *out)
{
    for (uint32_t u = 0; u < out->n_uses; u++) {
        const amd_hazard_use *use = &out->uses[u];
        if (use->how & HZ_WRITE && use->first <= AMD_REG_VCC_LO &&
            use->first + use->count > AMD_REG_VCC_HI)
            return true;
    }
    return false;
}

/* Does a load write a register of `first` to `last` that it reads? */
static bool
overwrites_own(const amd_hazard_info *out, unsigned first, unsigned last)
{
    for (uint32_t u = 0; u < out->n_uses; u++) {
        const amd_hazard_use *w = &out->uses[u];
        for (uint32_t v = 0; w->how & HZ_WRITE && w->first >= first && v < out->n_uses; v++) {
            const amd_hazard_use *r = &out->uses[v];
            if (r->how & HZ_READ && r->first <= last && r->first < w->first + w->count &&
                w->first < r->first + r->count)
                return true;
        }
    }
    return false;
}

/* ---- classes ---- */

static bool
is_partial(const ir_instr *i)
{
    if (amd_form_ext(i) == AMD_EXT_SDWA)
        return (ir_words(i)[2] & 7) != 6; /* dst_sel is not DWORD */
    return ir_words(i)[0] >> (AMD_MOD_OPSEL + 3) & 1;
}

static uint64_t
classify_valu(const ir_instr *i, const amd_op_info *row, const amd_hazard_info *out)
{
    uint64_t is = i->op == AMD_V_NOP ? HZ_VALU : HZ_VALU | HZ_VALU_NOT_NOP;
    if (row->flags & AMD_F_TRANS)
        is |= HZ_TRANS;
    if (row->flags & AMD_F_EXEC_W || writes(out, AMD_REG_EXEC_LO, AMD_REG_EXEC_HI))
        is |= HZ_CMPX;
    if (amd_form_ext(i) == AMD_EXT_DPP16 || amd_form_ext(i) == AMD_EXT_DPP8)
        is |= HZ_DPP;
    if (amd_permutes_lanes(row) || amd_swaps_rows(row) || i->op == AMD_V_PERMLANE64_B32)
        is |= HZ_PERMLANE;
    if (i->op == AMD_V_READLANE_B32 || i->op == AMD_V_READFIRSTLANE_B32)
        is |= HZ_READLANE;
    if (i->op == AMD_V_WRITELANE_B32)
        is |= HZ_WRITELANE;
    if (i->op == AMD_V_DIV_FMAS_F32 || i->op == AMD_V_DIV_FMAS_F64)
        is |= HZ_DIV_FMAS;
    if (row->flags & AMD_F_DOT)
        is |= HZ_DOT;
    if (amd_words_of(i->op) == AMD_WORDS_VALU && is_partial(i))
        is |= HZ_PARTIAL;
    if (writes(out, 0, AMD_REG_VCC_HI))
        is |= HZ_VALU_SGPR;
    return is;
}

static uint64_t
classify_memory(const ir_instr *i, const amd_op_info *row, const amd_hazard_info *out)
{
    uint64_t is = i->n_defs ? HZ_VMEM_LOAD : HZ_VMEM_STORE;
    uint32_t offset = ir_words(i)[0], bits = ir_words(i)[1];
    bool buffer = row->fmt == AMD_MUBUF || row->fmt == AMD_MTBUF;
    if (buffer && offset & 6)
        is |= HZ_OFFSET_6;
    if (row->fmt == AMD_MIMG && bits & AMD_MEM_NSA)
        is |= HZ_NSA | (i->n_refs > 2 + 4 ? HZ_NSA_LONG : 0);
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (is_data(row, r) && amd_rc_regs(i->refs[r].rc) > 2)
            is |= HZ_BIG_STORE;
    }
    if (row->flags & (AMD_F_STORE | AMD_F_ATOMIC))
        is |= HZ_VMEM_CHANGE;
    if (overwrites_own(out, AMD_TRACKED_SCALARS, AMD_TRACKED_REGS - 1))
        is |= HZ_VMEM_SELF;
    return is;
}

static uint64_t
classify_scalar(const ir_instr *i, const amd_op_info *row)
{
    switch (i->op) {
    case AMD_S_SETREG_B32:
    case AMD_S_SETREG_IMM32_B32: return HZ_SALU | HZ_SETREG;
    case AMD_S_GETREG_B32: return HZ_SALU | HZ_GETREG;
    case AMD_S_WAITCNT_VSCNT:
    case AMD_S_WAITCNT_VMCNT:
    case AMD_S_WAITCNT_EXPCNT:
    case AMD_S_WAITCNT_LGKMCNT: return 0;
    case AMD_S_CBRANCH_VCCZ:
    case AMD_S_CBRANCH_VCCNZ: return HZ_BRANCH | HZ_VCCZ_BRANCH;
    case AMD_S_SENDMSG: return HZ_M0_MESSAGE;
    default: break;
    }
    if (row->flags & AMD_F_BRANCH)
        return HZ_BRANCH | (row->fmt == AMD_SOPP ? 0 : HZ_SALU);
    if (row->fmt == AMD_SOPP)
        return 0;
    return HZ_SALU | (row->flags & AMD_F_M0_R ? HZ_M0_USER : 0);
}

static uint64_t
classify(const ir_instr *i, const amd_op_info *row, const amd_hazard_info *out)
{
    switch (row->fmt) {
    case AMD_SOP1:
    case AMD_SOP2:
    case AMD_SOPK:
    case AMD_SOPC:
    case AMD_SOPP: return HZ_NOT_VALU | classify_scalar(i, row);
    case AMD_SMEM: {
        bool buffer = amd_op_src(row, 0) && amd_op_src(row, 0)->type == AMD_T_B128;
        bool self = overwrites_own(out, 0, AMD_TRACKED_SCALARS - 1);
        return HZ_NOT_VALU | HZ_SMEM | (buffer ? HZ_SMEM_BUFFER : 0) | (self ? HZ_SMEM_SELF : 0);
    }
    case AMD_DS: return HZ_NOT_VALU | HZ_DS;
    case AMD_MUBUF:
    case AMD_MTBUF:
    case AMD_MIMG:
    case AMD_FLAT:
    case AMD_GLOBAL:
    case AMD_SCRATCH: return HZ_NOT_VALU | classify_memory(i, row, out);
    case AMD_EXP: return HZ_NOT_VALU;
    case AMD_LDSDIR: return HZ_NOT_VALU | HZ_M0_USER;
    default: return classify_valu(i, row, out) | (amd_reads_params(i->op) ? HZ_M0_USER : 0);
    }
}

/* ---- waits ---- */

typedef struct depctr_field {
    uint32_t field;
    uint8_t pos, bits;
} depctr_field;

/* LLVM 19, SIDefines.h, DepCtr. */
static const depctr_field depctr_fields[] = {{HZ_SA_SDST, 0, 1},
                                             {HZ_VA_VCC, 1, 1},
                                             {HZ_VM_VSRC, 2, 3},
                                             {HZ_VA_SDST, 9, 3},
                                             {HZ_VA_VDST, 12, 4}};

enum { N_DEPCTR_FIELDS = sizeof depctr_fields / sizeof *depctr_fields };

uint32_t
amd_hazard_wait(uint32_t fields)
{
    uint32_t imm = 0xffff;
    for (unsigned k = 0; k < N_DEPCTR_FIELDS; k++) {
        const depctr_field *f = &depctr_fields[k];
        if (fields & f->field)
            imm &= ~(((1u << f->bits) - 1) << f->pos);
    }
    return imm;
}

static uint32_t
depctr_waits(uint32_t imm)
{
    uint32_t waits = 0;
    for (unsigned k = 0; k < N_DEPCTR_FIELDS; k++) {
        const depctr_field *f = &depctr_fields[k];
        if ((imm >> f->pos & ((1u << f->bits) - 1)) == 0)
            waits |= f->field;
    }
    return waits;
}

static uint32_t
joint_waits(amd_gen gen, uint32_t imm)
{
    uint32_t waits = 0;
    for (const amd_counter *c = amd_waitcnt_counters(gen); c->name; c++)
        waits |= amd_counter_get(c, imm) ? 0 : 1u << c->wait;
    return waits;
}

static uint32_t
waits_of(const amd_program *p, const ir_instr *i)
{
    uint32_t imm = amd_words_of(i->op) == AMD_WORDS_SALU ? ir_words(i)[0] : 1;
    switch (i->op) {
    case AMD_S_WAITCNT: return joint_waits(p->target->gen, imm);
    case AMD_S_WAITCNT_DEPCTR: return depctr_waits(imm);
    case AMD_S_WAITCNT_VSCNT:
    case AMD_S_WAIT_STORECNT: return imm ? 0 : 1u << AMD_WAIT_VS;
    case AMD_S_WAIT_LOADCNT: return imm ? 0 : 1u << AMD_WAIT_VM;
    case AMD_S_WAIT_DSCNT: return imm ? 0 : 1u << AMD_WAIT_LGKM;
    default: return 0;
    }
}

/* A vector instruction that reads an SGPR or has a literal lets masks of lanes that were read
 * before be written (LLVM 19, GCNHazardRecognizer.cpp, VALUMaskWriteHazard: "VALU access to any
 * SGPR or literal constant"; ACO). A mask in vcc may be implied, which LLVM does not count. */
static bool
reads_scalar(const amd_program *p, const ir_instr *i, const amd_op_info *row)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        const amd_operand *o = amd_op_src(row, r);
        amd_reg_range range = amd_range_of(i->refs[r]);
        bool vcc = o && o->kind == AMD_K_MASK && range.first >= AMD_REG_VCC_LO;
        bool sgpr = range.count && range.first <= AMD_REG_VCC_HI && !vcc;
        if (o && (sgpr || amd_is_literal(p->target->gen, i->refs[r], o->type)))
            return true;
    }
    return false;
}

void
amd_hazard_describe(const amd_program *p, const ir_instr *i, amd_hazard_info *out)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    out->n_uses = 0;
    out->states = i->op == AMD_S_NOP ? ir_words(i)[0] + 1 : 1;
    add_uses(i, row, out);
    /* pseudo instructions that are left here become scalar code */
    out->is = row ? classify(i, row, out) : HZ_NOT_VALU | HZ_SALU;
    out->is |= writes_vcc(out) ? HZ_VCC_WHOLE : 0;
    out->waits = row ? waits_of(p, i) : 0;
    if (out->is & HZ_VALU && reads_scalar(p, i, row))
        out->waits |= HZ_SCALAR_READ;
    if (amd_joins_next(i)) { /* as if one instruction did both */
        const amd_op_info *second = amd_op_row((amd_op)i->next->op);
        add_uses(i->next, second, out);
        out->is |= classify(i->next, second, out);
    }
    if (out->is & HZ_SALU && writes(out, AMD_REG_EXEC_LO, AMD_REG_EXEC_HI))
        out->is |= HZ_SALU_EXEC;
}
