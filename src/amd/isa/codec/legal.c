/* Rules that an encoding cannot express (legal.h). LLVM's assembler rejects these instructions too.
 */
#include "amd/isa/codec/legal.h"

#include "amd/isa/table/layout.h"
#include "amd/isa/table/names.h"
#include "base/bits.h"

#include <string.h>

static const char too_many_scalars[] = "more scalar operands than the constant bus carries";

/* Is the source read over the constant bus? Scalar registers, the null register and the special
 * constants for 0 and 1 are; inline constants are not. */
static bool
on_constant_bus(unsigned code)
{
    if (code == AMD_REG_NULL)
        return false;
    return code < AMD_SRC_INT_0 || (code >= AMD_SRC_SHARED_BASE && code < AMD_SRC_F_0_5) ||
           (code >= AMD_SRC_VCCZ && code <= AMD_SRC_SCC) || code == AMD_SRC_LITERAL;
}

amd_bus
amd_bus_begin(amd_gen gen, unsigned op)
{
    bool shift = op == AMD_V_LSHLREV_B64 || op == AMD_V_LSHRREV_B64 || op == AMD_V_ASHRREV_I64;
    return (amd_bus){.gen = gen, .limit = gen < AMD_GFX10 || shift ? 1 : 2};
}

bool
amd_bus_take(amd_bus *b, uint64_t value, bool literal)
{
    for (unsigned k = 0; k < b->n; k++) {
        if (b->seen[k] == value)
            return true;
    }
    if (b->n >= b->limit || (literal && b->literal))
        return false;
    b->literal |= literal;
    b->seen[b->n++] = value;
    return true;
}

static bool
fits_constant_bus(amd_gen gen, const amd_op_info *row, const amd_inst *in, bool wave64)
{
    amd_bus bus = amd_bus_begin(gen, in->op);
    bool fits = true;
    if (row->flags & AMD_F_VCC_R)
        fits &= amd_bus_take(&bus, AMD_REG_VCC_LO | (wave64 ? 2u : 1u) << 16, false);
    if (row->flags & AMD_F_M0_R)
        fits &= amd_bus_take(&bus, AMD_REG_M0 | 1u << 16, false);
    for (unsigned i = 0; i < in->n_src; i++) {
        unsigned code = in->src[i];
        if (code >= AMD_REG_VGPR0 || !on_constant_bus(code))
            continue;
        if (in->op == AMD_V_WRITELANE_B32 && i == 1)
            continue; /* a lane number does not use the bus: ACO's code has two registers here */
        const amd_operand *o = amd_op_src(row, i);
        if (o->kind == AMD_K_PARAM)
            continue;
        /* a register and the pair that starts with it are two values; so are literals of two
         * sizes */
        bool sized = code < AMD_SRC_INT_0 || code == AMD_SRC_LITERAL;
        code |= sized ? amd_operand_dwords(gen, row, in, o, wave64) << 16 : 0;
        fits &= amd_bus_take(&bus, code, false);
    }
    return fits;
}

/* lds_direct may only be the first source, and only of instructions that are not reversed. */
static const char *
check_lds_direct(amd_gen gen, const amd_op_info *row, const amd_inst *in)
{
    for (unsigned i = 0; i < in->n_src; i++) {
        if (in->src[i] != AMD_SRC_LDS_DIRECT)
            continue;
        if (amd_shares_agprs(gen))
            return "there is no lds_direct";
        const char *rev = strstr(row->name, "rev_");
        bool reversed = rev && in->op != AMD_V_BFREV_B32;
        if (i > 0 || in->ext != AMD_EXT_NONE || reversed)
            return "lds_direct stands as the first source only, and not in reversed instructions";
    }
    return NULL;
}

/* gfx90a to gfx950 have one register file for VGPRs and AGPRs: tuples in it begin at an even
 * register (LLVM 22: but for the one of ds_read_b96_tr_b6), and a memory operation's data are all
 * VGPRs or all AGPRs (CDNA 2 ISA, "VGPRs"). */
static const char *
check_unified_registers(amd_gen gen, const amd_op_info *row, const amd_inst *in)
{
    bool seen[2] = {false, false};
    for (unsigned i = 0; i < in->n_dst + (unsigned)in->n_src; i++) {
        bool dst = i < in->n_dst;
        unsigned k = dst ? i : i - in->n_dst;
        const amd_operand *o = dst ? amd_op_dst(row, k) : amd_op_src(row, k);
        unsigned code = dst ? in->dst[k] : in->src[k];
        if (code < AMD_REG_VGPR0 || code == AMD_REG_ABSENT)
            continue;
        if (code % 2 && in->op != AMD_DS_READ_B96_TR_B6 &&
            amd_operand_dwords(gen, row, in, o, true) > 1)
            return "a tuple of vector registers begins at an even one";
        if (code % 2 && in->fmt == AMD_DS && row->flags & AMD_F_EXPC)
            return "the register of global wave sync is an even one";
        if (in->fmt >= AMD_DS && o->kind != AMD_K_VADDR)
            seen[code >= AMD_REG_AGPR0] = true;
    }
    if (in->fmt == AMD_DS && in->gds && !(row->flags & AMD_F_EXPC))
        return "there is no global data share but for wave sync";
    return seen[0] && seen[1] ? "data are in VGPRs or in AGPRs, not in both" : NULL;
}

/* Does an MFMA's addend overlap its destination partly? Results of more than four registers are
 * written before the whole addend is read (according to LLVM 19's assembler). */
static bool
overlaps_addend(amd_gen gen, const amd_op_info *row, const amd_inst *in)
{
    unsigned dst = in->dst[0], src = in->src[2];
    unsigned n = amd_operand_dwords(gen, row, in, &row->operands[0], true);
    return n > 4 && src >= AMD_REG_VGPR0 && src != dst && src < dst + n && dst < src + n;
}

/* gfx908 gives wrong MFMA results with constants (LLVM, FeatureMFMAInlineLiteralBug), and its
 * v_accvgpr_write does not accept a scalar register; gfx942's dot products have no op_sel. */
static const char *
check_cdna(amd_gen gen, const amd_op_info *row, const amd_inst *in)
{
    if (in->fmt != AMD_VOP3P)
        return NULL;
    if (gen == AMD_GFX908 && row->operands[0].kind == AMD_K_VACC && in->src[2] < AMD_REG_VGPR0)
        return "no constants here on gfx908";
    if (row->operands[0].kind == AMD_K_VACC && row->operands[0].role == AMD_ROLE_DST &&
        overlaps_addend(gen, row, in))
        return "a matrix's addend is its destination or apart from it";
    if (gen == AMD_GFX908 && row->operands[0].kind == AMD_K_AGPR && on_constant_bus(in->src[0]))
        return "an accumulation register is written from a vector register or a constant";
    if (amd_is_cdna3(gen) && row->flags & AMD_F_DOT && (in->op_sel || in->op_sel_hi != 7))
        return "dot products have no op_sel on gfx942";
    return NULL;
}

static const char *
check_image(const amd_op_info *row, const amd_inst *in)
{
    if (row->memory & AMD_A_BVH)
        return NULL;
    bool gather4 = row->operands[0].type == AMD_T_B128;
    if (gather4 && base_popcount32(in->dmask) != 1)
        return "image_gather4 has one bit in dmask";
    bool pairs = strstr(row->name, "cmpswap") != NULL; /* the new value and the compared one */
    if (row->flags & AMD_F_ATOMIC && in->dmask != 3 && in->dmask != (pairs ? 15 : 1))
        return pairs ? "a comparing image atomic's dmask is 0x3 or 0xf"
                     : "an image atomic's dmask is 0x1 or 0x3";
    bool msaa = in->op == AMD_IMAGE_MSAA_LOAD || in->op == AMD_IMAGE_MSAA_LOAD4;
    if (msaa && in->dim < 6)
        return "image_msaa_load takes msaa images";
    return NULL;
}

/* Are both VGPRs in the same bank? VOPD's operands in the same position must have different
 * banks. */
static bool
same_bank(unsigned a, unsigned b)
{
    bool vgprs = a >= AMD_REG_VGPR0 && b >= AMD_REG_VGPR0 && a != AMD_REG_ABSENT &&
                 b != AMD_REG_ABSENT;
    return vgprs && !((a ^ b) & 3);
}

static bool
accumulates(unsigned op)
{
    return op == AMD_V_FMAC_F32 || op == AMD_V_DOT2C_F32_F16;
}

/* RDNA3 ISA, "Dual Issue VALU": first sources from different banks, second sources too, one even
 * and one odd register for third sources and for destinations, and at most two scalar values. If
 * both halves are moves, gfx12 reads the second one's source from another cache. */
static const char *
check_dual(amd_gen gen, const amd_inst *in, bool wave64)
{
    bool moves = gen >= AMD_GFX12 && in->op == AMD_V_MOV_B32 && in->op_y == AMD_V_MOV_B32;
    unsigned seen[6], n = 0;
    bool literal = in->op == AMD_V_FMAAK_F32 || in->op == AMD_V_FMAMK_F32 ||
                   in->op_y == AMD_V_FMAAK_F32 || in->op_y == AMD_V_FMAMK_F32;
    if (wave64)
        return "pairs of operations are for wave32";
    if (!((in->dst[0] ^ in->dst[1]) & 1))
        return "of the destinations of a pair one is even and one is odd";
    unsigned src1[2], src2[2];
    for (unsigned y = 0; y < 2; y++) { /* the third source is fmamk's register, or fmac's vdst */
        bool third = (y ? in->op_y : in->op) == AMD_V_FMAMK_F32;
        src1[y] = third ? AMD_REG_ABSENT : in->src[y * 2 + 1];
        src2[y] = third ? in->src[y * 2 + 1] : accumulates(y ? in->op_y : in->op) ? in->dst[y] : 0;
    }
    if ((!moves && same_bank(in->src[0], in->src[2])) || same_bank(src1[0], src1[1]) ||
        (src2[0] && src2[1] && !((src2[0] ^ src2[1]) & 1)))
        return "the sources of a pair lie in different banks";
    if (in->op == AMD_V_CNDMASK_B32 || in->op_y == AMD_V_CNDMASK_B32)
        seen[n++] = AMD_REG_VCC_LO;
    if (literal)
        seen[n++] = AMD_SRC_LITERAL;
    for (unsigned i = 0; i < 4; i += 2) {
        unsigned code = in->src[i], k = 0;
        if (code >= AMD_REG_VGPR0 || !on_constant_bus(code))
            continue;
        while (k < n && seen[k] != code)
            k++;
        if (k == n)
            seen[n++] = code;
    }
    return n > 2 ? too_many_scalars : NULL;
}

const char *
amd_inst_illegal(amd_gen gen, const amd_inst *in, bool wave64)
{
    if (in->fmt == AMD_VOPD)
        return check_dual(gen, in, wave64);
    const amd_op_info *row = amd_op_row((amd_op)in->op);
    const char *rule = check_cdna(gen, row, in);
    if (!rule && amd_shares_agprs(gen))
        rule = check_unified_registers(gen, row, in);
    if (rule)
        return rule;
    switch (in->fmt) {
    case AMD_VOP1:
    case AMD_VOP2:
    case AMD_VOPC:
    case AMD_VOP3:
    case AMD_VOP3P: {
        bool lane = in->op == AMD_V_READLANE_B32 || in->op == AMD_V_WRITELANE_B32;
        if (lane && in->src[1] == AMD_SRC_LITERAL)
            return "a lane's number cannot be a literal";
        const char *broken = check_lds_direct(gen, row, in);
        return broken ? broken : fits_constant_bus(gen, row, in, wave64) ? NULL : too_many_scalars;
    }
    case AMD_SMEM:
        if (row->operands[1].type == AMD_T_B128 && in->offset < 0 && gen < AMD_GFX12)
            return "a buffer's offset is not negative";
        return NULL;
    case AMD_MUBUF: return in->tfe && row->flags & AMD_F_STORE ? "a store has no tfe" : NULL;
    case AMD_MIMG: return check_image(row, in);
    case AMD_EXP: {
        bool exists = false;
        for (const amd_target_name *e = amd_target_names; e[1].name; e++)
            exists |= gen >= e->first_gen && gen <= e->last_gen && in->target >= e->first &&
                      in->target < e->first + (e->count ? e->count : 1);
        return exists ? NULL : "this export target does not exist";
    }
    default: return NULL;
    }
}
