/* The *undefined* checker: follows values that were never written.
 *
 * Before an ALU instruction is executed the shadow of its result is computed from those of its
 * sources: by bits in scalar instructions, by halves of lanes in vector ones. Copying an undefined
 * value is allowed. A finding is made where one decides something: a branch, exec, an address, a
 * value that is stored to memory other than scratch (access.c).
 *
 * The rule for vector instructions: a result is undefined in a lane where a source is. Bitwise ones
 * go half by half, a select only looks at what it selects, and instructions that take a field out
 * of a source (shifts, bfe, perm ...) count it as undefined only where both its halves are: a byte
 * packed into a register of which the rest is garbage must not be reported.
 */
#include "amd/emu/shadow.h"
#include "amd/emu/valu.h"

typedef struct lanes {
    uint64_t low, high; /* undefined lanes of the halves */
} lanes;

void
emu_shadow_start(emu_wave *w, uint32_t scalars, uint32_t vectors, uint64_t exec)
{
    emu_shadow *s = w->shadow;
    memset(s, 0xff, sizeof *s);
    s->scc = true;
    for (uint32_t k = 0; k < scalars; k++)
        s->s[k] = 0;
    s->s[AMD_REG_NULL] = s->s[AMD_REG_EXEC_LO] = s->s[AMD_REG_EXEC_HI] = 0;
    for (uint32_t k = 0; k < vectors; k++)
        s->low[k] = s->high[k] = ~exec;
}

void
emu_shadow_use(emu_wave *w, uint32_t reg, uint64_t which, const char *what)
{
    uint64_t bad = (w->shadow->low[reg] | w->shadow->high[reg]) & which;
    if (!bad)
        return;
    emu_find(w, AMD_EMU_CHECK_UNDEFINED, (int)base_ctz64(bad), "v%u is undefined and used as %s",
             reg, what);
    w->shadow->low[reg] &= ~which;
    w->shadow->high[reg] &= ~which;
}

void
emu_shadow_use_scalar(emu_wave *w, uint32_t code, uint32_t count, const char *what)
{
    for (uint32_t k = code; k < code + count && k < EMU_SREGS; k++) {
        if (!w->shadow->s[k])
            continue;
        emu_find(w, AMD_EMU_CHECK_UNDEFINED, -1, "%s%u is undefined and used as %s",
                 k < AMD_REG_VCC_LO ? "s" : "scalar register ", k, what);
        w->shadow->s[k] = 0;
    }
}

/* Undefined bits of a scalar source of one or two registers. */
static uint64_t
scalar_bits(const emu_wave *w, uint32_t code, bool wide)
{
    const emu_shadow *s = w->shadow;
    if (code == AMD_SRC_SCC)
        return s->scc;
    if (code >= EMU_SREGS)
        return 0;
    return s->s[code] | (wide && code + 1 < EMU_SREGS ? (uint64_t)s->s[code + 1] << 32 : 0);
}

/* Stores the shadow of a scalar result; exec must be defined. */
static void
set_scalar(emu_wave *w, uint32_t code, bool wide, uint64_t undefined)
{
    emu_shadow *s = w->shadow;
    bool exec = code == AMD_REG_EXEC_LO || code == AMD_REG_EXEC_HI;
    uint64_t decided = code == AMD_REG_EXEC_HI ? undefined << 32 : undefined;
    if (exec && decided & w->all_lanes) {
        emu_find(w, AMD_EMU_CHECK_UNDEFINED, (int)base_ctz64(decided & w->all_lanes),
                 "exec is set from an undefined value");
        undefined = 0;
    }
    if (exec)
        undefined = 0;
    if (code >= EMU_SREGS || code == AMD_REG_NULL)
        return;
    s->s[code] = (uint32_t)undefined;
    if (wide && code + 1 < EMU_SREGS)
        s->s[code + 1] = (uint32_t)(undefined >> 32);
}

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

/* s_*_saveexec and s_*_wrexec: the mask from a source and exec. */
static void
saveexec(emu_wave *w, const emu_inst *i, bool wide)
{
    uint32_t code = i->in.src[0];
    uint64_t ua = scalar_bits(w, code, wide), exec = emu_read_s64(w, &i->in, AMD_REG_EXEC_LO);
    uint64_t a = wide ? emu_read_s64(w, &i->in, code) : emu_read_s32(w, &i->in, code);
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
    set_scalar(w, AMD_REG_EXEC_LO, wide, bits);
    if (!wide)
        w->shadow->s[AMD_REG_EXEC_HI] = 0;
    set_scalar(w, i->in.dst[0], wide, 0);
    w->shadow->scc = false;
}

/* The shadow of a scalar ALU result from its sources. */
static void
salu(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    const amd_operand *dst = amd_op_dst(i->row, 0);
    bool wide[2] = {false, false}, any = false;
    uint64_t u[2] = {0, 0}, v[2] = {0, 0}, d;
    for (unsigned s = 0; s < in->n_src && s < 2; s++) {
        const amd_operand *o = amd_op_src(i->row, s);
        wide[s] = o && amd_type_bits((amd_type)o->type, true) == 64;
        u[s] = scalar_bits(w, in->src[s], wide[s]);
        v[s] = wide[s] ? emu_read_s64(w, in, in->src[s]) : emu_read_s32(w, in, in->src[s]);
        any |= u[s] != 0;
    }
    bool dst_wide = dst && amd_type_bits((amd_type)dst->type, true) == 64;
    if (dst && dst->role == AMD_ROLE_BOTH)
        any |= scalar_bits(w, in->dst[0], dst_wide) != 0;
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
        d = w->shadow->scc ? UINT64_MAX : w->scc ? u[0] : scalar_bits(w, in->dst[0], dst_wide);
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
    case AMD_S_PACK_LL_B32_B16: d = (u[0] & 0xffff) | (u[1] & 0xffff) << 16; break;
    default: break;
    }
    if (i->row->flags & AMD_F_SCC_W)
        w->shadow->scc = kind || in->op == AMD_S_NOT_B32 || in->op == AMD_S_NOT_B64
                             ? d != 0 && any
                             : any || reads_scc;
    if (dst)
        set_scalar(w, in->dst[0], dst_wide, dst_wide ? d : (uint32_t)d);
}

static void
decides(emu_wave *w, bool undefined, const char *what)
{
    if (undefined)
        emu_find(w, AMD_EMU_CHECK_UNDEFINED, -1, "%s is undefined and decides a branch", what);
}

static void
scalar_instruction(emu_wave *w, const emu_inst *i)
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
        uint64_t u = scalar_bits(w, AMD_REG_VCC_LO, w->lanes > 32) & w->all_lanes;
        decides(w, u && !(emu_read_mask(w, AMD_REG_VCC_LO) & ~u), "vcc");
        return;
    }
    case AMD_S_SETPC_B64:
    case AMD_S_SWAPPC_B64: emu_shadow_use_scalar(w, i->in.src[0], 2, "program counter"); break;
    case AMD_S_SETREG_B32: emu_shadow_use_scalar(w, i->in.src[0], 1, "hardware register"); return;
    default: break;
    }
    if (f & AMD_F_EXEC_W && f & AMD_F_EXEC_R && i->in.fmt == AMD_SOP1)
        saveexec(w, i, amd_type_bits((amd_type)amd_op_dst(i->row, 0)->type, true) == 64);
    else if (amd_op_dst_count(i->row) || f & AMD_F_SCC_W)
        salu(w, i);
}

/* Undefined lanes of a vector source. */
static lanes
source(emu_wave *w, uint32_t code)
{
    if (code >= AMD_REG_VGPR0 && code < AMD_REG_VGPR0 + EMU_MAX_VGPRS)
        return (lanes){w->shadow->low[code - AMD_REG_VGPR0], w->shadow->high[code - AMD_REG_VGPR0]};
    uint64_t bits = scalar_bits(w, code, false);
    return (lanes){bits & 0xffff ? UINT64_MAX : 0, bits >> 16 ? UINT64_MAX : 0};
}

/* Source `s` as the instruction takes it: DPP, SDWA and op_sel applied. */
static lanes
taken(emu_wave *w, const emu_inst *i, uint32_t s, uint32_t code, uint32_t dwords, bool half)
{
    const amd_inst *in = &i->in;
    lanes u = source(w, code);
    for (uint32_t k = 1; k < dwords; k++) {
        lanes more = source(w, code < EMU_SREGS || code >= AMD_REG_VGPR0 ? code + k : code);
        u.low |= more.low;
        u.high |= more.high;
    }
    if (in->ext == AMD_EXT_SDWA && s < 2) {
        uint32_t sel = s ? in->src1_sel : in->src0_sel;
        if (sel < 6)
            u.low = u.high = sel == 5 || sel == 2 || sel == 3 ? u.high : u.low;
    } else if ((in->ext == AMD_EXT_DPP16 || in->ext == AMD_EXT_DPP8) && s == 0) {
        lanes from = u;
        u = (lanes){0, 0};
        for (uint32_t l = 0; l < w->lanes; l++) {
            int lane = emu_dpp_lane(in, l);
            if (lane >= 0 && (in->fi || (emu_exec(w) >> lane & 1))) {
                u.low |= (from.low >> lane & 1) << l;
                u.high |= (from.high >> lane & 1) << l;
            }
        }
    }
    if (half)
        u.low = u.high = in->fmt == AMD_VOP3 && (in->op_sel >> s & 1) ? u.high : u.low;
    return u;
}

/* Do results of this opcode come from the same half of each source? */
static bool
is_bitwise(uint32_t op)
{
    switch (op) {
    case AMD_V_MOV_B32:
    case AMD_V_NOT_B32:
    case AMD_V_AND_B32:
    case AMD_V_OR_B32:
    case AMD_V_XOR_B32:
    case AMD_V_XNOR_B32:
    case AMD_V_BFI_B32:
    case AMD_V_XOR3_B32:
    case AMD_V_AND_OR_B32:
    case AMD_V_OR3_B32: return true;
    default: return false;
    }
}

/* Does it take a field out of its sources, so that a half of garbage does not matter? */
static bool
takes_field(uint32_t op)
{
    switch (op) {
    case AMD_V_BFE_U32:
    case AMD_V_BFE_I32:
    case AMD_V_LSHRREV_B32:
    case AMD_V_ASHRREV_I32:
    case AMD_V_LSHLREV_B32:
    case AMD_V_LSHL_OR_B32:
    case AMD_V_ALIGNBIT_B32:
    case AMD_V_ALIGNBYTE_B32:
    case AMD_V_PERM_B32:
    case AMD_V_CVT_F32_UBYTE0:
    case AMD_V_CVT_F32_UBYTE1:
    case AMD_V_CVT_F32_UBYTE2:
    case AMD_V_CVT_F32_UBYTE3:
    case AMD_V_CVT_PK_U8_F32:
    case AMD_V_MUL_U32_U24:
    case AMD_V_MUL_I32_I24:
    case AMD_V_MAD_U32_U24:
    case AMD_V_MAD_I32_I24: return true;
    default: return false;
    }
}

/* A constant zero half makes that half of an AND defined. */
static void
mask_constant(emu_wave *w, const emu_inst *i, lanes *u)
{
    if (i->in.op != AMD_V_AND_B32)
        return;
    for (uint32_t s = 0; s < 2; s++) {
        uint32_t code = i->in.src[s];
        if (code >= AMD_REG_VGPR0 || scalar_bits(w, code, false))
            continue;
        uint32_t v = emu_read_s32(w, &i->in, code);
        u->low = v & 0xffff ? u->low : 0;
        u->high = v >> 16 ? u->high : 0;
    }
}

static uint64_t
mask_lanes(emu_wave *w, uint32_t code)
{
    return scalar_bits(w, code, w->lanes > 32) & w->all_lanes;
}

static void
set_result(emu_wave *w, const emu_inst *i, lanes u, uint32_t dwords, bool half)
{
    const amd_inst *in = &i->in;
    uint64_t write = in->ext ? emu_dpp_write(w, in) : emu_exec(w);
    uint32_t reg = in->dst[0] - AMD_REG_VGPR0;
    if (in->ext == AMD_EXT_SDWA && in->dst_sel < 6) {
        bool high = in->dst_sel == 5 || in->dst_sel == 2 || in->dst_sel == 3;
        emu_shadow_set(w, reg, high ? EMU_HALF_HIGH : EMU_HALF_LOW, write, u.low);
        if (in->dst_unused != 2)
            emu_shadow_set(w, reg, high ? EMU_HALF_LOW : EMU_HALF_HIGH, write, 0);
        return;
    }
    if (half && in->ext != AMD_EXT_SDWA) {
        bool high = in->fmt == AMD_VOP3 && (in->op_sel & 8);
        emu_shadow_set(w, reg, high ? EMU_HALF_HIGH : EMU_HALF_LOW, write, u.low);
        return;
    }
    for (uint32_t k = 0; k < dwords; k++) {
        emu_shadow_set(w, reg + k, EMU_HALF_LOW, write, u.low);
        emu_shadow_set(w, reg + k, EMU_HALF_HIGH, write, u.high);
    }
}

/* The shadow of an operation of valu_*.c. */
static void
valu(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    lanes all = {0, 0};
    uint64_t select = 0;
    for (unsigned s = 0; s < in->n_src; s++) {
        const amd_operand *o = amd_op_src(i->row, s);
        if (!o || o->type == AMD_T_MASK) {
            select |= o ? mask_lanes(w, in->src[s]) : 0;
            continue;
        }
        unsigned bits = amd_type_bits((amd_type)o->type, false);
        lanes u = taken(w, i, s, in->src[s], (bits + 31) / 32, bits == 16);
        if (takes_field(in->op))
            u.low = u.high = u.low & u.high;
        else if (!is_bitwise(in->op) && in->op != AMD_V_CNDMASK_B32)
            u.low = u.high = bits == 16 ? u.low : u.low | u.high;
        if (in->op == AMD_V_CNDMASK_B32) {
            uint64_t chosen = emu_read_mask(w, in->src[2]);
            chosen = s ? chosen : ~chosen;
            u.low &= chosen;
            u.high &= chosen;
        }
        all.low |= u.low;
        all.high |= u.high;
    }
    const amd_operand *dst = amd_op_dst(i->row, 0);
    if (i->row->flags & AMD_F_VCC_R)
        select |= mask_lanes(w, AMD_REG_VCC_LO);
    all.low |= select;
    all.high |= select;
    if (!dst)
        return;
    if (dst->type == AMD_T_MASK) {
        set_scalar(w, in->dst[0], w->lanes > 32, (all.low | all.high) & emu_exec(w));
        return;
    }
    unsigned bits = amd_type_bits((amd_type)dst->type, false);
    if (dst->role == AMD_ROLE_BOTH) {
        lanes old = source(w, in->dst[0]);
        all.low |= old.low;
        all.high |= bits == 16 ? old.low : old.high;
    }
    if (in->op == AMD_V_PACK_B32_F16)
        all = (lanes){taken(w, i, 0, in->src[0], 1, true).low,
                      taken(w, i, 1, in->src[1], 1, true).low};
    mask_constant(w, i, &all);
    set_result(w, i, all, (bits + 31) / 32, bits == 16);
    if (in->n_dst > 1)
        set_scalar(w, in->dst[1], w->lanes > 32, (all.low | all.high) & emu_exec(w));
}

/* Packed operations: halves by op_sel; dot products and mixes: all that is read. */
static void
packed(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    const amd_operand *dst = amd_op_dst(i->row, 0);
    bool mix = in->op == AMD_V_FMA_MIX_F32 || in->op == AMD_V_FMA_MIXLO_F16 ||
               in->op == AMD_V_FMA_MIXHI_F16;
    bool pairs = dst->type == AMD_T_V2F16 || dst->type == AMD_T_V2I16 || dst->type == AMD_T_V2U16;
    lanes all = {0, 0};
    for (unsigned s = 0; s < in->n_src; s++) {
        lanes u = source(w, in->src[s]);
        uint64_t either = u.low | u.high;
        if (mix && (in->op_sel_hi >> s & 1))
            either = in->op_sel >> s & 1 ? u.high : u.low;
        all.low |= pairs ? (in->op_sel >> s & 1 ? u.high : u.low) : either;
        all.high |= pairs ? (in->op_sel_hi >> s & 1 ? u.high : u.low) : either;
    }
    if (mix && in->op != AMD_V_FMA_MIX_F32) {
        emu_shadow_set(w, in->dst[0] - AMD_REG_VGPR0,
                       in->op == AMD_V_FMA_MIXHI_F16 ? EMU_HALF_HIGH : EMU_HALF_LOW, emu_exec(w),
                       all.low);
        return;
    }
    emu_shadow_set(w, in->dst[0] - AMD_REG_VGPR0, EMU_HALF_LOW, emu_exec(w), all.low);
    emu_shadow_set(w, in->dst[0] - AMD_REG_VGPR0, EMU_HALF_HIGH, emu_exec(w), all.high);
}

static void
read_lane(emu_wave *w, const emu_inst *i, uint32_t lane)
{
    lanes u = source(w, i->in.src[0]);
    set_scalar(w, i->in.dst[0], false,
               (u.low >> lane & 1 ? 0xffffu : 0) | (u.high >> lane & 1 ? 0xffff0000u : 0));
}

static void
write_lane(emu_wave *w, const emu_inst *i)
{
    uint32_t lane = emu_read_s32(w, &i->in, i->in.src[1]) & (w->lanes - 1);
    uint64_t bits = scalar_bits(w, i->in.src[0], false), one = UINT64_C(1) << lane;
    emu_shadow_set(w, i->in.dst[0] - AMD_REG_VGPR0, EMU_HALF_LOW, one, bits & 0xffff ? one : 0);
    emu_shadow_set(w, i->in.dst[0] - AMD_REG_VGPR0, EMU_HALF_HIGH, one, bits >> 16 ? one : 0);
}

static void
permlane(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    uint64_t select = emu_read_s32(w, in, in->src[1]) | (uint64_t)emu_read_s32(w, in, in->src[2])
                                                            << 32;
    uint32_t other = in->op == AMD_V_PERMLANEX16_B32 ? 16 : 0;
    lanes u = source(w, in->src[0]), d = {0, 0};
    uint64_t exec = emu_exec(w), write = exec;
    for (uint32_t l = 0; l < w->lanes; l++) {
        uint32_t from = ((l & ~15u) ^ other) | (uint32_t)(select >> (4 * (l & 15)) & 15);
        bool valid = in->op_sel & 1 || (exec >> from & 1);
        if (valid) {
            d.low |= (u.low >> from & 1) << l;
            d.high |= (u.high >> from & 1) << l;
        } else if (!(in->op_sel & 2)) {
            write &= ~(UINT64_C(1) << l);
        }
    }
    emu_shadow_set(w, in->dst[0] - AMD_REG_VGPR0, EMU_HALF_LOW, write, d.low);
    emu_shadow_set(w, in->dst[0] - AMD_REG_VGPR0, EMU_HALF_HIGH, write, d.high);
}

/* Registers indexed by m0: m0 must be defined; the values are copied. */
static void
movrel(emu_wave *w, const emu_inst *i)
{
    uint32_t m0 = w->sgpr[AMD_REG_M0], op = i->in.op;
    emu_shadow_use_scalar(w, AMD_REG_M0, 1, "register index");
    uint32_t s = op == AMD_V_MOVRELD_B32 ? 0 : op == AMD_V_MOVRELSD_2_B32 ? m0 & 0x3ff : m0;
    uint32_t d = op == AMD_V_MOVRELS_B32 ? 0 : op == AMD_V_MOVRELSD_2_B32 ? m0 >> 16 & 0x3ff : m0;
    uint32_t reg = i->in.dst[0] - AMD_REG_VGPR0 + d;
    if (reg >= w->n_vgprs)
        return;
    lanes u = source(w, i->in.src[0] >= AMD_REG_VGPR0 ? i->in.src[0] + s : i->in.src[0]);
    emu_shadow_set(w, reg, EMU_HALF_LOW, emu_exec(w), u.low);
    emu_shadow_set(w, reg, EMU_HALF_HIGH, emu_exec(w), u.high);
}

static void
swap(emu_wave *w, const emu_inst *i)
{
    lanes a = source(w, i->in.dst[0]), b = source(w, i->in.dst[1]);
    for (uint32_t k = 0; k < 2; k++) {
        lanes u = k ? a : b;
        uint32_t reg = i->in.dst[k] - AMD_REG_VGPR0;
        emu_shadow_set(w, reg, EMU_HALF_LOW, emu_exec(w), u.low);
        emu_shadow_set(w, reg, EMU_HALF_HIGH, emu_exec(w), u.high);
    }
}

static void
vector_instruction(emu_wave *w, const emu_inst *i)
{
    uint64_t exec = emu_exec(w);
    switch (i->in.op) {
    case AMD_V_READFIRSTLANE_B32: read_lane(w, i, exec ? base_ctz64(exec) : 0); break;
    case AMD_V_READLANE_B32:
        read_lane(w, i, emu_read_s32(w, &i->in, i->in.src[1]) & (w->lanes - 1));
        break;
    case AMD_V_WRITELANE_B32: write_lane(w, i); break;
    case AMD_V_PERMLANE16_B32:
    case AMD_V_PERMLANEX16_B32: permlane(w, i); break;
    case AMD_V_MOVRELD_B32:
    case AMD_V_MOVRELS_B32:
    case AMD_V_MOVRELSD_B32:
    case AMD_V_MOVRELSD_2_B32: movrel(w, i); break;
    case AMD_V_SWAP_B32: swap(w, i); break;
    default: valu(w, i); break;
    }
}

void
emu_shadow_before(emu_wave *w, const emu_inst *i)
{
    switch (i->in.fmt) {
    case AMD_SOP1:
    case AMD_SOP2:
    case AMD_SOPK:
    case AMD_SOPC:
    case AMD_SOPP: scalar_instruction(w, i); break;
    case AMD_VOP1:
    case AMD_VOP2:
    case AMD_VOPC:
    case AMD_VOP3: vector_instruction(w, i); break;
    case AMD_VOP3P: packed(w, i); break;
    default: break; /* memory instructions keep the shadow themselves */
    }
}
