/* The undefined checker's rules for scalar instructions, per bit. */
#include "amd/emu/check/undefined.h"
#include "amd/emu/core/findings.h"
#include "amd/emu/core/operand.h"

/* Bitwise operations of two sources: which result bits are undefined. */
static uint64_t
and_bits(uint64_t a, uint64_t ua, uint64_t b, uint64_t ub)
{
    return (ua & ub) | (ua & b) | (ub & a);
}

static uint64_t
or_bits(uint64_t a, uint64_t ua, uint64_t b, uint64_t ub)
{
    return and_bits(~a, ua, ~b, ub);
}

typedef enum bitwise { BIT_NONE, BIT_AND, BIT_ANDN2, BIT_OR, BIT_ORN2, BIT_XOR } bitwise;

static bitwise
bitwise_of(uint32_t op)
{
    switch (op) {
    case AMD_S_AND_B32:
    case AMD_S_AND_B64:
    case AMD_S_NAND_B32:
    case AMD_S_NAND_B64:
    case AMD_S_AND_SAVEEXEC_B32:
    case AMD_S_AND_SAVEEXEC_B64:
    case AMD_S_NAND_SAVEEXEC_B32:
    case AMD_S_NAND_SAVEEXEC_B64: return BIT_AND;
    case AMD_S_ANDN2_B32:
    case AMD_S_ANDN2_B64:
    case AMD_S_ANDN2_SAVEEXEC_B32:
    case AMD_S_ANDN2_SAVEEXEC_B64:
    case AMD_S_ANDN2_WREXEC_B32:
    case AMD_S_ANDN2_WREXEC_B64: return BIT_ANDN2;
    case AMD_S_OR_B32:
    case AMD_S_OR_B64:
    case AMD_S_NOR_B32:
    case AMD_S_NOR_B64:
    case AMD_S_OR_SAVEEXEC_B32:
    case AMD_S_OR_SAVEEXEC_B64:
    case AMD_S_NOR_SAVEEXEC_B32:
    case AMD_S_NOR_SAVEEXEC_B64: return BIT_OR;
    case AMD_S_ORN2_B32:
    case AMD_S_ORN2_B64:
    case AMD_S_ORN2_SAVEEXEC_B32:
    case AMD_S_ORN2_SAVEEXEC_B64: return BIT_ORN2;
    case AMD_S_XOR_B32:
    case AMD_S_XOR_B64:
    case AMD_S_XNOR_B32:
    case AMD_S_XNOR_B64:
    case AMD_S_XOR_SAVEEXEC_B32:
    case AMD_S_XOR_SAVEEXEC_B64:
    case AMD_S_XNOR_SAVEEXEC_B32:
    case AMD_S_XNOR_SAVEEXEC_B64: return BIT_XOR;
    default: return BIT_NONE;
    }
}

static uint64_t
bitwise_bits(bitwise kind, uint64_t a, uint64_t ua, uint64_t b, uint64_t ub)
{
    switch (kind) {
    case BIT_AND: return and_bits(a, ua, b, ub);
    case BIT_ANDN2: return and_bits(a, ua, ~b, ub);
    case BIT_OR: return or_bits(a, ua, b, ub);
    case BIT_ORN2: return or_bits(a, ua, ~b, ub);
    default: return ua | ub;
    }
}

/* s_*_saveexec and s_*_wrexec compute the mask from a source and exec. */
static void
saveexec(emu_wave *w, const emu_inst *i, bool wide)
{
    uint32_t code = i->in.src[0];
    uint64_t ua = amd_emu_shadow_bits(w, code, wide),
             exec = amd_emu_read_s64(w, &i->in, AMD_REG_EXEC_LO);
    uint64_t a = wide ? amd_emu_read_s64(w, &i->in, code) : amd_emu_read_s32(w, &i->in, code);
    bitwise kind = bitwise_of(i->in.op);
    uint64_t bits = bitwise_bits(kind, a, ua, exec, 0);
    switch (i->in.op) {
    case AMD_S_ANDN1_SAVEEXEC_B32:
    case AMD_S_ANDN1_SAVEEXEC_B64:
    case AMD_S_ANDN1_WREXEC_B32:
    case AMD_S_ANDN1_WREXEC_B64: bits = and_bits(~a, ua, exec, 0); break;
    case AMD_S_ORN1_SAVEEXEC_B32:
    case AMD_S_ORN1_SAVEEXEC_B64: bits = or_bits(~a, ua, exec, 0); break;
    default: break;
    }
    amd_emu_shadow_set_scalar(w, AMD_REG_EXEC_LO, wide, bits);
    if (!wide)
        w->shadow->s[AMD_REG_EXEC_HI] = 0;
    amd_emu_shadow_set_scalar(w, i->in.dst[0], wide, 0);
    w->shadow->scc = false;
}

static bool
is_field(uint32_t op)
{
    return op == AMD_S_BFE_U32 || op == AMD_S_BFE_I32 || op == AMD_S_BFE_U64 || op == AMD_S_BFE_I64;
}

/* Undefined bits of s_bfe: those of the field, and above it those of its sign. `field` holds its
 * offset and width. */
static uint64_t
field_bits(uint32_t op, uint64_t u, uint64_t offset_mask, uint64_t field)
{
    uint64_t width = field >> 16 & 127, d = u >> (field & offset_mask) & base_mask64(width);
    bool sign = op == AMD_S_BFE_I32 || op == AMD_S_BFE_I64;
    if (sign && width && width <= 64 && d >> (width - 1) & 1)
        d |= ~base_mask64(width);
    return d;
}

/* Computes the shadow of a scalar ALU result from those of its sources. */
static void
salu(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    const amd_operand *dst = amd_op_dst(i->row, 0);
    bool wide[2] = {false, false}, any = false;
    uint64_t u[2] = {0, 0}, v[2] = {0, 0}, d;
    for (unsigned s = 0; s < in->n_src && s < 2; s++) {
        const amd_operand *o = amd_op_src(i->row, s);
        unsigned bits = o ? amd_type_bits((amd_type)o->type, true) : 32;
        wide[s] = bits == 64;
        u[s] = amd_emu_shadow_bits(w, in->src[s], wide[s]) & base_mask64(bits);
        v[s] = wide[s] ? amd_emu_read_s64(w, in, in->src[s]) : amd_emu_read_s32(w, in, in->src[s]);
        any |= u[s] != 0;
    }
    bool dst_wide = dst && amd_type_bits((amd_type)dst->type, true) == 64;
    if (dst && dst->role == AMD_ROLE_BOTH)
        any |= amd_emu_shadow_bits(w, in->dst[0], dst_wide) != 0;
    bool reads_scc = i->row->flags & AMD_F_SCC_R && w->shadow->scc;
    bitwise kind = bitwise_of(in->op);
    d = any || reads_scc ? UINT64_MAX : 0;
    if (kind)
        d = bitwise_bits(kind, v[0], u[0], v[1], u[1]);
    switch (in->op) {
    case AMD_S_MOV_B32:
    case AMD_S_MOV_B64:
    case AMD_S_NOT_B32:
    case AMD_S_NOT_B64: d = u[0]; break;
    case AMD_S_CSELECT_B32:
    case AMD_S_CSELECT_B64: d = w->shadow->scc ? UINT64_MAX : w->scc ? u[0] : u[1]; break;
    case AMD_S_CMOV_B32:
    case AMD_S_CMOV_B64:
        d = w->shadow->scc ? UINT64_MAX
            : w->scc       ? u[0]
                           : amd_emu_shadow_bits(w, in->dst[0], dst_wide);
        break;
    case AMD_S_LSHL_B32:
    case AMD_S_LSHL_B64:
        if (!u[1])
            d = u[0] << (v[1] & 63);
        break;
    case AMD_S_LSHR_B32:
    case AMD_S_LSHR_B64:
        if (!u[1])
            d = u[0] >> (v[1] & 63);
        break;
    case AMD_S_BFE_U32:
    case AMD_S_BFE_I32:
    case AMD_S_BFE_U64:
    case AMD_S_BFE_I64:
        if (!u[1])
            d = field_bits(in->op, u[0], wide[0] ? 63 : 31, v[1]);
        break;
    case AMD_S_PACK_LL_B32_B16: d = (u[0] & 0xffff) | (u[1] & 0xffff) << 16; break;
    default: break;
    }
    if (i->row->flags & AMD_F_SCC_W)
        w->shadow->scc = kind || in->op == AMD_S_NOT_B32 || in->op == AMD_S_NOT_B64 ||
                                 is_field(in->op)
                             ? d != 0 && any
                             : any || reads_scc;
    if (dst)
        amd_emu_shadow_set_scalar(w, in->dst[0], dst_wide, dst_wide ? d : (uint32_t)d);
}

/* FLAT_SCRATCH may be set to an undefined value as long as it is not used (clang does so); other
 * registers take effect at once. */
static void
setreg(emu_wave *w, const emu_inst *i)
{
    enum { FLAT_SCR_LO = 20, FLAT_SCR_HI = 21 };
    uint32_t id = (uint32_t)i->in.imm & 63;
    bool undefined = amd_emu_shadow_bits(w, i->in.src[0], false) != 0;
    if (id == FLAT_SCR_LO)
        w->shadow->flat_scratch = undefined;
    else if (id == FLAT_SCR_HI)
        w->shadow->flat_scratch |= undefined;
    else
        amd_emu_shadow_use_scalar(w, i->in.src[0], 1, "hardware register");
}

/* s_movrel*: m0 must be defined; the values are copied. */
static void
movrel(emu_wave *w, const emu_inst *i)
{
    bool wide = amd_type_bits((amd_type)amd_op_dst(i->row, 0)->type, true) == 64;
    amd_inst in = i->in;
    amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "register index");
    amd_emu_resolve_relative(w, &in);
    amd_emu_shadow_set_scalar(w, in.dst[0], wide, amd_emu_shadow_bits(w, in.src[0], wide));
}

static void
decides(emu_wave *w, bool undefined, const char *what)
{
    if (undefined)
        amd_emu_find(w, EMU_RULE_UNDEFINED_BRANCH, -1, "%s is undefined and decides a branch",
                     what);
}

void
amd_emu_shadow_scalar(emu_wave *w, const emu_inst *i)
{
    emu_shadow *s = w->shadow;
    uint32_t f = i->row->flags;
    switch (i->in.op) {
    case AMD_S_CBRANCH_SCC0:
    case AMD_S_CBRANCH_SCC1:
        decides(w, s->scc, "scc");
        s->scc = false;
        return;
    case AMD_S_CBRANCH_VCCZ:
    case AMD_S_CBRANCH_VCCNZ: {
        uint64_t u = amd_emu_shadow_bits(w, AMD_REG_VCC_LO, w->lanes > 32) & w->all_lanes;
        decides(w, u && !(amd_emu_read_mask(w, AMD_REG_VCC_LO) & ~u), "vcc");
        return;
    }
    case AMD_S_SETPC_B64:
    case AMD_S_SWAPPC_B64: amd_emu_shadow_use_scalar(w, i->in.src[0], 2, "program counter"); break;
    case AMD_S_SETREG_B32: setreg(w, i); return;
    case AMD_S_SETREG_IMM32_B32: return;
    case AMD_S_MOVRELS_B32:
    case AMD_S_MOVRELS_B64:
    case AMD_S_MOVRELD_B32:
    case AMD_S_MOVRELD_B64:
    case AMD_S_MOVRELSD_2_B32: movrel(w, i); return;
    case AMD_S_WAITCNT_VMCNT:
    case AMD_S_WAITCNT_LGKMCNT:
    case AMD_S_WAITCNT_VSCNT:
    case AMD_S_WAITCNT_EXPCNT:
        amd_emu_shadow_use_scalar(w, i->in.src[0], 1, "count to wait for");
        return;
    default: break;
    }
    if (f & AMD_F_EXEC_W && f & AMD_F_EXEC_R && i->in.fmt == AMD_SOP1)
        saveexec(w, i, amd_type_bits((amd_type)amd_op_dst(i->row, 0)->type, true) == 64);
    else if (amd_op_dst_count(i->row) || f & AMD_F_SCC_W)
        salu(w, i);
}
