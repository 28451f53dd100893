/* The properties of an instruction that the *hazards* checker uses: its classes, its register uses,
 * and from these the rules it may create, be hit by, and end. They are computed once per
 * instruction. */
#include "amd/emu/alu/valu.h"
#include "amd/emu/check/check.h"
#include "amd/emu/check/hazards.h"
#include "amd/isa/table/layout.h"

#define C(name) HAZARD_C(name)

/* Classes that follow from the opcode's name. */
static const struct {
    const char *prefix;
    uint64_t classes;
} by_name[] = {
    {"v_div_fmas", C(DIV_FMAS)},
    {"v_readlane", C(READLANE)},
    {"v_readfirstlane", C(READLANE)},
    {"v_writelane", C(WRITELANE)},
    {"v_cmpx", C(CMPX)},
    {"v_permlane16", C(PERMLANE)},
    {"v_permlanex16", C(PERMLANE)},
    {"v_permlane64", C(PERMLANE)},
    {"v_permlane32", C(PERMLANE)},
    {"v_interp", C(INTERP)},
    {"s_buffer_", C(SMEM_BUFFER)},
    {"s_load_", C(SMEM_LOAD)},
    {"s_buffer_load_", C(SMEM_LOAD)},
    {"s_scratch_load_", C(SMEM_LOAD)},
    {"s_store_", C(SMEM_STORE)},
    {"s_buffer_store_", C(SMEM_STORE)},
    {"s_scratch_store_", C(SMEM_STORE)},
    {"s_sendmsg", C(M0_MESSAGE)},
    {"s_ttracedata", C(M0_MESSAGE)},
    {"ds_gws_", C(M0_MESSAGE)},
    {"ds_ordered_count", C(M0_MESSAGE)},
    {"ds_read_addtid", C(M0_LDS)},
    {"ds_write_addtid", C(M0_LDS)},
    {"buffer_store_lds_dword", C(M0_LDS)},
    {"s_movrel", C(MOVREL)},
    {"s_getreg", C(GETREG)},
    {"s_setreg", C(SETREG)},
    {"s_setvskip", C(SET_VSKIP)},
    {"s_rfe", C(RFE)},
    {"s_cbranch_vccz", C(VCCZ_BRANCH)},
    {"s_cbranch_vccnz", C(VCCZ_BRANCH)},
    {"s_denorm_mode", C(DENORM_MODE)},
    {"v_fma_f64", C(FMA_F64)},
    {"v_fmac_f64", C(FMA_F64)},
    {"v_dot", C(DOT)},
    {"v_mfma_", C(MFMA)},
    {"v_smfmac_", C(MFMA)},
    {"v_mfma_f64", C(DGEMM)},
    {"v_accvgpr_read", C(ACC_READ)},
    {"v_accvgpr_write", C(ACC_WRITE)},
    {"v_lshlrev_b64", C(SHIFT64)},
    {"v_lshrrev_b64", C(SHIFT64)},
    {"v_ashrrev_i64", C(SHIFT64)},
    {"v_mad_u64_u32", C(MAD64)},
    {"v_mad_i64_i32", C(MAD64)},
    {"v_wmma_", C(WMMA)},
    {"v_swmmac_", C(WMMA)},
};

static uint64_t
named_classes(const char *name)
{
    uint64_t c = 0;
    for (size_t k = 0; k < sizeof by_name / sizeof *by_name; k++)
        if (!strncmp(name, by_name[k].prefix, strlen(by_name[k].prefix)))
            c |= by_name[k].classes;
    return c;
}

static uint64_t
format_classes(const emu_inst *i)
{
    switch (i->in.fmt) {
    case AMD_SOP1:
    case AMD_SOP2:
    case AMD_SOPK:
    case AMD_SOPC: return C(SALU) | C(SALU_REAL);
    case AMD_SOPP: return C(SALU);
    case AMD_SMEM: return C(SMEM);
    case AMD_VOP1:
    case AMD_VOP2:
    case AMD_VOPC:
    case AMD_VOP3:
    case AMD_VOP3P:
    case AMD_VINTERP:
    case AMD_VOPD: return C(VALU) | C(VECTOR);
    case AMD_LDSDIR: return C(LDSDIR) | C(VECTOR);
    case AMD_VINTRP: return C(VECTOR);
    case AMD_DS: return C(DS) | C(VECTOR);
    case AMD_MUBUF:
    case AMD_MTBUF:
    case AMD_MIMG: return C(VMEM) | C(VECTOR);
    case AMD_FLAT: return C(FLAT) | C(VECTOR);
    case AMD_GLOBAL:
    case AMD_SCRATCH: return C(SEGMENT) | C(VECTOR);
    case AMD_EXP: return C(EXP) | C(VECTOR);
    default: return 0;
    }
}

/* Hardware registers' ids (Vega ISA, "Hardware registers"). */
enum { HWREG_MODE = 1, HWREG_TRAPSTS = 3 };

/* vskip is bit 28 of MODE (Vega ISA, "MODE register"). */
static bool
sets_vskip(const amd_inst *in)
{
    uint32_t k = (uint32_t)in->imm, offset = k >> 6 & 31, size = (k >> 11 & 31) + 1;
    return (k & 63) == HWREG_MODE && offset <= 28 && offset + size > 28;
}

static bool
is_fp_atomic(const emu_inst *i)
{
    if (!(i->row->flags & AMD_F_ATOMIC))
        return false;
    for (const amd_operand *o = i->row->operands; o < i->row->operands + AMD_MAX_OPERANDS; o++)
        if (o->role && o->kind == AMD_K_VDATA && amd_type_class((amd_type)o->type) == AMD_CLASS_F)
            return true;
    return false;
}

static uint64_t
valu_classes(amd_gen gen, const emu_inst *i, uint64_t c)
{
    const amd_inst *in = &i->in;
    bool byte = amd_emu_scale_bits(i) == 8 || amd_converts_bytes(gen, i->row) == AMD_TO_BYTE;
    bool partial = in->ext == AMD_EXT_SDWA ? in->dst_sel != 6 : (in->op_sel & (byte ? 12 : 8)) != 0;
    c |= i->row->flags & AMD_F_TRANS ? C(TRANS) : C(VALU_NOT_TRANS);
    c |= i->in.op != AMD_V_NOP ? C(VALU_NOT_NOP) : 0;
    c |= in->ext == AMD_EXT_DPP16 || in->ext == AMD_EXT_DPP8 ? C(DPP) : 0;
    c |= partial ? C(VALU_PARTIAL) : 0;
    c |= !(c & (C(MFMA) | C(ACC_READ) | C(ACC_WRITE))) ? C(VALU_PLAIN) : 0;
    for (unsigned k = 0; k < in->n_src; k++)
        if (in->src[k] == AMD_SRC_LDS_DIRECT)
            c |= C(LDS_DIRECT);
    return c;
}

/* gfx11's message that deallocates the VGPRs (LLVM 19, AMDGPUUsage: MSG_DEALLOC_VGPRS). */
enum { MSG_DEALLOC_VGPRS = 3 };

/* The classes of an instruction that follow from its opcode, format and modifiers. */
static uint64_t
classes_of(amd_gen gen, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    uint64_t c = format_classes(i) | named_classes(i->row->name);
    if (c & C(VALU))
        c = valu_classes(gen, i, c);
    else
        c |= C(NON_VALU);
    if (c & C(LDSDIR) && (gen < AMD_GFX12 || in->wait_vsrc))
        c |= C(LDSDIR_NO_VSRC);
    if (c & C(SALU_REAL) && strcmp(i->row->name, "s_setvskip") &&
        strcmp(i->row->name, "s_version") && strncmp(i->row->name, "s_waitcnt_", 10))
        c |= C(SALU_BREAKS_SMEM);
    c |= i->row->flags & AMD_F_BRANCH ? C(BRANCH) : 0;
    if (c & C(SETREG) && sets_vskip(in))
        c |= C(SET_VSKIP);
    if (c & C(SETREG) && ((uint32_t)in->imm & 63) == HWREG_TRAPSTS)
        c |= C(SETREG_TRAPSTS);
    if (c & C(DS) && in->gds)
        c |= C(M0_MESSAGE);
    if (in->lds && c & (C(VMEM) | C(SEGMENT)))
        c |= C(M0_LDS);
    if (in->nsa)
        c |= C(NSA) | (in->size >= 16 ? C(NSA_LONG) : 0);
    if ((in->fmt == AMD_MUBUF || in->fmt == AMD_MTBUF) && in->offset & 6)
        c |= C(OFFSET_6);
    if (c & (C(VMEM) | C(FLAT) | C(SEGMENT)) && is_fp_atomic(i))
        c |= C(FP_ATOMIC);
    if (in->op == AMD_S_SENDMSG && gen >= AMD_GFX11 && in->imm == MSG_DEALLOC_VGPRS)
        c |= C(DEALLOC_VGPRS);
    return c;
}

/* The fields of s_waitcnt_depctr that rules use. */
static uint32_t
depctr_waits(uint32_t imm)
{
    static const struct {
        const char *name;
        uint32_t wait;
    } fields[] = {{"depctr_sa_sdst", HAZARD_WAIT_SA_SDST},
                  {"depctr_va_vdst", HAZARD_WAIT_VA_VDST},
                  {"depctr_va_sdst", HAZARD_WAIT_VA_SDST},
                  {"depctr_va_vcc", HAZARD_WAIT_VA_VCC},
                  {"depctr_vm_vsrc", HAZARD_WAIT_VM_VSRC}};
    uint32_t waits = 0;
    for (const amd_counter *c = amd_depctr_counters(AMD_GFX10_3); c->name; c++)
        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
            if (!strcmp(c->name, fields[k].name) && amd_counter_get(c, imm) == 0)
                waits |= fields[k].wait;
    return waits;
}

/* Instructions that wait for one counter, or for two. */
static const struct {
    const char *name;
    uint8_t low, high; /* the counter in bits 5:0; the counter in 13:8, or the same one */
} single_waits[] = {
    {"s_waitcnt_vmcnt", AMD_WAIT_VM, AMD_WAIT_VM},
    {"s_waitcnt_lgkmcnt", AMD_WAIT_LGKM, AMD_WAIT_LGKM},
    {"s_waitcnt_vscnt", AMD_WAIT_VS, AMD_WAIT_VS},
    {"s_waitcnt_expcnt", AMD_WAIT_EXP, AMD_WAIT_EXP},
    {"s_wait_loadcnt", AMD_WAIT_VM, AMD_WAIT_VM},
    {"s_wait_storecnt", AMD_WAIT_VS, AMD_WAIT_VS},
    {"s_wait_samplecnt", AMD_WAIT_SAMPLE, AMD_WAIT_SAMPLE},
    {"s_wait_bvhcnt", AMD_WAIT_BVH, AMD_WAIT_BVH},
    {"s_wait_expcnt", AMD_WAIT_EXP, AMD_WAIT_EXP},
    {"s_wait_dscnt", AMD_WAIT_LGKM, AMD_WAIT_LGKM},
    {"s_wait_kmcnt", AMD_WAIT_KM, AMD_WAIT_KM},
    {"s_wait_loadcnt_dscnt", AMD_WAIT_LGKM, AMD_WAIT_VM},
    {"s_wait_storecnt_dscnt", AMD_WAIT_LGKM, AMD_WAIT_VS},
};

static uint32_t
single_wait(const emu_inst *i)
{
    uint32_t imm = (uint32_t)i->in.imm, waits = 0;
    for (size_t k = 0; k < sizeof single_waits / sizeof *single_waits; k++) {
        if (strcmp(i->row->name, single_waits[k].name))
            continue;
        waits |= HAZARD_WAIT_ANY;
        if (i->in.n_src && i->in.src[0] != AMD_REG_NULL)
            continue; /* ignores the register's value */
        waits |= imm & 63 ? 0 : 1u << single_waits[k].low;
        if (single_waits[k].high != single_waits[k].low)
            waits |= imm >> 8 & 63 ? 0 : 1u << single_waits[k].high;
    }
    return waits;
}

/* The HAZARD_WAIT_ bits of the instruction. */
static uint32_t
waits_of(amd_gen gen, const emu_inst *i)
{
    uint32_t waits = 0, imm = (uint32_t)i->in.imm;
    const char *name = i->row->name;
    if (i->in.op == AMD_S_WAITCNT) {
        for (const amd_counter *c = amd_waitcnt_counters(gen); c->name; c++)
            waits |= amd_counter_get(c, imm) == 0 ? 1u << c->wait : 0;
        waits |= HAZARD_WAIT_ANY;
        if (gen < AMD_GFX10 && waits & HAZARD_WAIT_VM)
            waits |= HAZARD_WAIT_VS;
    } else if (!strcmp(name, "s_waitcnt_depctr") || !strcmp(name, "s_wait_alu")) {
        waits = depctr_waits(imm);
    } else if (!strcmp(name, "s_wait_idle")) {
        waits = HAZARD_WAIT_ANY | HAZARD_WAIT_VM | HAZARD_WAIT_LGKM | HAZARD_WAIT_VS;
    } else if (!strncmp(name, "s_wait", 6)) {
        waits = single_wait(i);
    }
    if (format_classes(i) & (C(VMEM) | C(FLAT) | C(SEGMENT) | C(DS) | C(EXP)) ||
        (i->in.fmt == AMD_LDSDIR && i->in.wait_vdst == 0))
        waits |= HAZARD_WAIT_VA_VDST;
    return waits;
}

/* Adds a use; constants and absent operands are not uses. */
static void
add_use(struct emu_hazard_info *info, uint32_t code, uint32_t count, uint32_t how)
{
    if (code >= AMD_SRC_VCCZ && code <= AMD_SRC_EXECZ) {
        code = code == AMD_SRC_VCCZ ? AMD_REG_VCC_LO : AMD_REG_EXEC_LO;
        count = 2;
        how = HAZARD_ZERO;
    }
    bool scalar = code < EMU_SREGS && code != AMD_REG_NULL,
         other = code >= AMD_REG_VGPR0 && code != AMD_REG_ABSENT;
    if ((scalar || other) && count && info->n_uses < HAZARD_MAX_USES)
        info->uses[info->n_uses++] = (hazard_use){(uint16_t)code, (uint16_t)count, (uint16_t)how};
}

/* How the instruction reads source number `s`. */
static uint32_t
source_how(const emu_inst *i, uint64_t c, const amd_operand *o, unsigned s)
{
    uint32_t how = HAZARD_READ | (s == 0 ? HAZARD_SRC0 : 0);
    if (c & (C(READLANE) | C(WRITELANE)) && s == 1)
        return how | HAZARD_LANE;
    if (o->kind == AMD_K_MASK)
        return how | HAZARD_MASK;
    if (c & (C(MFMA) | C(DOT) | C(WMMA))) {
        bool sparse = !strncmp(i->row->name, "v_smfmac", 8) ||
                      !strncmp(i->row->name, "v_swmmac", 8);
        how |= s == 2 && !sparse ? HAZARD_ACC : HAZARD_AB;
    }
    return how | HAZARD_CONST;
}

/* The kind of use for a store's data that is read late; 0 for other instructions. (Vega ISA, table
 * "Required user-inserted wait states": more than 64 bits; for buffers only without an SGPR offset,
 * which makes the data leave earlier; for images only with a 128-bit T#.) */
static uint32_t
late_data(const emu_inst *i, uint32_t dwords)
{
    const amd_inst *in = &i->in;
    if (!(i->row->flags & (AMD_F_STORE | AMD_F_ATOMIC)) || dwords <= 2)
        return 0;
    if (in->fmt == AMD_MIMG)
        return in->r128 ? HAZARD_DATA : 0;
    if (in->fmt == AMD_FLAT || in->fmt == AMD_GLOBAL || in->fmt == AMD_SCRATCH)
        return HAZARD_DATA;
    if (in->fmt != AMD_MUBUF && in->fmt != AMD_MTBUF)
        return 0;
    unsigned s = 0;
    for (const amd_operand *o = i->row->operands;
         o < i->row->operands + AMD_MAX_OPERANDS && o->role; o++) {
        if (o->kind == AMD_K_SOFFSET && in->src[s] < EMU_SREGS)
            return HAZARD_DATA_SOFFSET;
        s += o->role == AMD_ROLE_SRC;
    }
    return HAZARD_DATA;
}

static bool
gives_back(const emu_inst *i)
{
    return !(i->row->flags & AMD_F_ATOMIC) || i->in.glc || i->row->flags & AMD_F_RTN;
}

static void
add_operand(struct emu_hazard_info *info, amd_gen gen, const emu_inst *i, const amd_operand *o,
            unsigned place, bool wave64)
{
    const amd_inst *in = &i->in;
    uint16_t code = o->role == AMD_ROLE_SRC ? in->src[place] : in->dst[place];
    uint32_t n = amd_operand_dwords(gen, i->row, in, o, wave64), how = 0;
    if (o->role == AMD_ROLE_SRC)
        how = source_how(i, info->classes, o, place);
    if (o->role == AMD_ROLE_BOTH)
        how = HAZARD_READ | HAZARD_ACC | (gives_back(i) ? HAZARD_WRITE : 0);
    if (o->role == AMD_ROLE_DST)
        how = HAZARD_WRITE;
    uint32_t late = o->kind == AMD_K_VDATA && o->role != AMD_ROLE_DST ? late_data(i, n) : 0;
    info->classes |= late ? C(BIG_STORE) : 0;
    how |= late;
    if (o->kind == AMD_K_VADDR && in->nsa)
        for (unsigned k = 0; k < in->n_nsa && k < AMD_MAX_NSA; k++)
            add_use(info, in->nsa_addr[k], 1, how);
    else
        add_use(info, code, n, how);
}

/* Adds both operations of VOPD; accumulating ones also read their destination. */
static void
add_dual(struct emu_hazard_info *info, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    const amd_op_info *rows[2] = {i->row, amd_op_row((amd_op)in->op_y)};
    for (unsigned k = 0; k < in->n_dst; k++) {
        bool reads = rows[k] && (strstr(rows[k]->name, "fmac") || strstr(rows[k]->name, "dot2"));
        add_use(info, in->dst[k], 1, HAZARD_WRITE | (reads ? HAZARD_READ : 0));
        if (rows[k] && strstr(rows[k]->name, "cndmask"))
            add_use(info, AMD_REG_VCC_LO, 1, HAZARD_READ | HAZARD_MASK);
    }
    for (unsigned k = 0; k < in->n_src; k++)
        if (in->src[k] != AMD_REG_ABSENT)
            add_use(info, in->src[k], 1, HAZARD_READ | HAZARD_CONST);
}

/* Adds implicit registers. */
static void
add_implied(struct emu_hazard_info *info, amd_gen gen, const emu_inst *i, bool wave64)
{
    uint32_t f = i->row->flags, lanes = wave64 ? 2 : 1;
    uint64_t c = info->classes;
    bool exec_operand = false;
    for (const amd_operand *o = i->row->operands;
         o < i->row->operands + AMD_MAX_OPERANDS && o->role; o++)
        exec_operand |= o->kind == AMD_K_EXEC;
    if (c & C(VECTOR))
        add_use(info, AMD_REG_EXEC_LO, lanes, HAZARD_EXEC);
    if (f & AMD_F_EXEC_R || !strncmp(i->row->name, "s_cbranch_exec", 14))
        add_use(info, AMD_REG_EXEC_LO, lanes, HAZARD_READ);
    /* before gfx10 v_cmpx writes exec in addition to its mask */
    if ((f & AMD_F_EXEC_W || c & C(CMPX)) && (!exec_operand || gen < AMD_GFX10))
        add_use(info, AMD_REG_EXEC_LO, lanes, HAZARD_WRITE);
    if (f & AMD_F_VCC_R)
        add_use(info, AMD_REG_VCC_LO, lanes, HAZARD_READ | HAZARD_MASK);
    if (f & AMD_F_M0_R || c & (C(M0_MESSAGE) | C(M0_LDS) | C(MOVREL) | C(INTERP) | C(LDS_DIRECT)))
        add_use(info, AMD_REG_M0, 1, HAZARD_READ);
    if (c & (C(SETREG) | C(GETREG)))
        add_use(info, HAZARD_HWREG0 + ((uint32_t)i->in.imm & 63), 1,
                c & C(SETREG) ? HAZARD_WRITE : HAZARD_READ);
    else if (c & C(SET_VSKIP))
        add_use(info, HAZARD_HWREG0 + HWREG_MODE, 1, HAZARD_WRITE);
}

/* Classes that follow from the uses. */
static uint64_t
use_classes(const struct emu_hazard_info *info, amd_gen gen, const emu_inst *i)
{
    uint64_t c = 0;
    bool writes_vector = false;
    for (uint32_t k = 0; k < info->n_uses; k++) {
        const hazard_use *u = &info->uses[k];
        bool sgpr = u->code < AMD_REG_M0, vector = u->code >= AMD_REG_VGPR0;
        writes_vector |= vector && u->how & HAZARD_WRITE;
        if (info->classes & C(VALU) && sgpr && u->how & HAZARD_READ)
            c |= C(VALU_READS_SGPR);
        if (info->classes & C(VALU) && u->code < EMU_SREGS && u->how & HAZARD_WRITE &&
            u->code < AMD_REG_EXEC_LO)
            c |= C(VALU_WRITES_SGPR);
        if (u->how & HAZARD_WRITE && u->code <= AMD_REG_VCC_HI &&
            u->code + u->count > AMD_REG_VCC_LO)
            c |= u->code <= AMD_REG_VCC_LO && u->code + u->count > AMD_REG_VCC_HI ? C(VCC_WHOLE)
                                                                                  : C(VCC_HALF);
    }
    for (unsigned k = 0; k < i->in.n_src; k++)
        if (info->classes & C(VALU) && i->in.src[k] == AMD_SRC_LITERAL)
            c |= C(VALU_READS_SGPR);
    if (!(info->classes & (C(VMEM) | C(FLAT) | C(SEGMENT))))
        return c;
    if (!writes_vector)
        return c | C(VM_STORE);
    if (gen < AMD_GFX12)
        return c | C(VM_LOAD);
    if (!strncmp(i->row->name, "image_bvh", 9))
        return c | C(VM_BVH);
    return c | (i->samp != AMD_REG_ABSENT ? C(VM_SAMPLE) : C(VM_LOAD));
}

static bool
side_fits(const hazard_rule *r, const hazard_side *side, const struct emu_hazard_info *info)
{
    if (!(side->is & info->classes))
        return false;
    if (r->space == HAZARD_S_NONE)
        return true;
    for (uint32_t k = 0; k < info->n_uses; k++)
        if (info->uses[k].how & side->how &&
            amd_emu_hazard_overlap(r->space, &info->uses[k], &info->uses[k]))
            return true;
    return false;
}

static bool
end_fits(const hazard_end *e, const struct emu_hazard_info *info)
{
    return e->is & info->classes || e->waits & info->waits;
}

static void
find_rules(struct emu_hazard_info *info, const hazard_set *set)
{
    for (uint32_t k = 0; k < set->n; k++) {
        const hazard_rule *r = set->rules[k];
        uint64_t bit = UINT64_C(1) << k;
        info->first |= side_fits(r, &r->first, info) ? bit : 0;
        info->middle |= side_fits(r, &r->middle, info) ? bit : 0;
        if (r->test ? (r->second.is & info->classes) != 0 : side_fits(r, &r->second, info))
            info->second |= bit;
        bool leaves = r->clause && !(r->clause & info->classes);
        info->end1 |= leaves || end_fits(&r->end1, info) ? bit : 0;
        info->end2 |= end_fits(&r->end2, info) ? bit : 0;
    }
}

/* The width of s_nop's count: 3 bits up to gfx7, 4 up to gfx11.5, 7 on gfx12 (LLVM 20,
 * GCNSubtarget.h, getSNopBits). */
static uint32_t
nop_states(amd_gen gen, uint32_t imm)
{
    return (imm & (gen < AMD_GFX8 ? 7 : gen < AMD_GFX12 ? 15 : 127)) + 1;
}

/* What the hardware waits for by itself from gfx11 on, before the instruction is issued: memory
 * instructions for all writes of SGPRs, vector ALU with an SGPR for those of the scalar ALU, scalar
 * ALU for those of vector instructions (Mesa 26: aco_insert_delay_alu.cpp's "frontend waits" and
 * aco_insert_NOPs.cpp, which takes them as the end of its SGPR hazards, but not for the read that
 * would be hit; LLVM 22's AMDGPUWaitSGPRHazards.cpp agrees on memory and the scalar ALU). */
static uint32_t
self_waits(const struct emu_hazard_info *info)
{
    enum { SGPRS = HAZARD_WAIT_SELF_VA_SDST, VCC = HAZARD_WAIT_SELF_VA_VCC };
    uint32_t waits = 0;
    if (info->classes & (C(VMEM) | C(FLAT) | C(SEGMENT) | C(SMEM)))
        return HAZARD_WAIT_SELF_SA_SDST | SGPRS | VCC;
    for (uint32_t k = 0; k < info->n_uses; k++) {
        const hazard_use *u = &info->uses[k];
        bool vcc = u->code == AMD_REG_VCC_LO || u->code == AMD_REG_VCC_HI;
        if (u->code >= AMD_REG_M0)
            continue;
        if (info->classes & C(VALU))
            waits |= HAZARD_WAIT_SELF_SA_SDST;
        else if (info->classes & C(SALU))
            waits |= vcc ? VCC : SGPRS;
    }
    return waits;
}

void
amd_emu_hazard_describe(const hazard_set *set, const emu_inst *i, const emu_inst *written,
                        bool wave64, struct emu_hazard_info *info)
{
    unsigned d = 0, s = 0;
    *info = (struct emu_hazard_info){.written = written};
    info->classes = classes_of(set->gen, i);
    info->waits = waits_of(set->gen, i);
    info->states = i->in.op == AMD_S_NOP ? nop_states(set->gen, (uint32_t)i->in.imm) : 1;
    if (i->in.fmt == AMD_VOPD)
        add_dual(info, i);
    for (const amd_operand *o = i->row->operands;
         i->in.fmt != AMD_VOPD && o < i->row->operands + AMD_MAX_OPERANDS && o->role; o++)
        if (o->role != AMD_ROLE_IMM)
            add_operand(info, set->gen, i, o, o->role == AMD_ROLE_SRC ? s++ : d++, wave64);
    add_implied(info, set->gen, i, wave64);
    info->waits |= set->gen >= AMD_GFX11 ? self_waits(info) : 0;
    info->classes |= use_classes(info, set->gen, i);
    for (uint32_t k = 0; k < info->n_uses; k++)
        info->writes_exec |= info->uses[k].how & HAZARD_WRITE &&
                             amd_emu_hazard_overlap(HAZARD_S_EXEC, &info->uses[k], &info->uses[k]);
    find_rules(info, set);
}

struct emu_hazard_info *
amd_emu_hazards_info(arena *a, const hazard_set *set, const emu_inst *i, bool wave64)
{
    struct emu_hazard_info *info = ARENA_NEW(a, struct emu_hazard_info);
    amd_emu_hazard_describe(set, i, i, wave64, info);
    return info;
}
