/* Rules that an encoding cannot express: instructions that break them can be encoded, but the
 * hardware does something else. LLVM's assembler refuses them too. */
#include "amd/isa/asm.h"
#include "amd/isa/layout.h"
#include "amd/isa/names.h"
#include "base/bits.h"

#include <string.h>

/* Scalar registers are read over the constant bus. The null register and the special constants of 0
 * and 1 are read so too; inline constants are not. */
static bool
on_constant_bus(unsigned code)
{
    if (code == AMD_REG_NULL)
        return false;
    return code < AMD_SRC_INT_0 || (code >= AMD_SRC_SHARED_BASE && code < AMD_SRC_F_0_5) ||
           (code >= AMD_SRC_VCCZ && code <= AMD_SRC_SCC) || code == AMD_SRC_LITERAL;
}

/* A vector instruction reads one scalar value at most (Vega ISA, "Vector Instruction Operands");
 * from gfx10 on two, but 64-bit shifts one (RDNA 2 ISA, "Limitations on Constants"). */
static const char *
check_constant_bus(amd_gen gen, const asm_trial *t, bool wave64)
{
    const amd_inst *in = &t->in;
    unsigned seen[AMD_MAX_SRC + 2], n = 0;
    unsigned limit = gen < AMD_GFX10 ? 1 : 2;
    bool shift = in->op == AMD_V_LSHLREV_B64 || in->op == AMD_V_LSHRREV_B64 ||
                 in->op == AMD_V_ASHRREV_I64;
    if (shift)
        limit = 1;
    if (t->row->flags & AMD_F_VCC_R)
        seen[n++] = AMD_REG_VCC_LO | 2u << 16;
    if (t->row->flags & AMD_F_M0_R)
        seen[n++] = AMD_REG_M0 | 1u << 16;
    for (unsigned i = 0; i < in->n_src; i++) {
        const amd_operand *o = amd_op_src(t->row, i);
        unsigned code = in->src[i], k = 0;
        if (in->op == AMD_V_WRITELANE_B32 && i == 1)
            continue; /* a lane's number takes another way: ACO's code has two registers here */
        if (o->kind == AMD_K_PARAM || code >= AMD_REG_VGPR0 || !on_constant_bus(code))
            continue;
        /* a register and the pair that it begins are two values, so are literals of two sizes */
        bool sized = code < AMD_SRC_INT_0 || code == AMD_SRC_LITERAL;
        code |= sized ? amd_operand_dwords(gen, t->row, in, o, wave64) << 16 : 0;
        while (k < n && seen[k] != code)
            k++;
        if (k == n)
            seen[n++] = code;
    }
    return n > limit ? "more scalar operands than the constant bus carries" : NULL;
}

/* lds_direct is a source of the first operand of instructions that are not reversed. */
static const char *
check_lds_direct(amd_gen gen, const asm_trial *t)
{
    const amd_inst *in = &t->in;
    for (unsigned i = 0; i < in->n_src; i++) {
        if (in->src[i] != AMD_SRC_LDS_DIRECT)
            continue;
        if (gen == AMD_GFX90A || gen == AMD_GFX942)
            return "there is no lds_direct";
        const char *rev = strstr(t->row->name, "rev_");
        bool reversed = rev && in->op != AMD_V_BFREV_B32;
        if (i > 0 || in->ext != AMD_EXT_NONE || reversed)
            return "lds_direct stands as the first source only, and not in reversed instructions";
    }
    return NULL;
}

/* gfx90a and gfx942 have one file of VGPRs and AGPRs: tuples in it begin at an even register, and a
 * memory operation's data are of one half (CDNA 2 ISA, "VGPRs"). */
static const char *
check_unified_registers(amd_gen gen, const asm_trial *t)
{
    const amd_inst *in = &t->in;
    bool seen[2] = {false, false};
    for (unsigned i = 0; i < in->n_dst + (unsigned)in->n_src; i++) {
        bool dst = i < in->n_dst;
        unsigned k = dst ? i : i - in->n_dst;
        const amd_operand *o = dst ? amd_op_dst(t->row, k) : amd_op_src(t->row, k);
        unsigned code = dst ? in->dst[k] : in->src[k];
        if (code < AMD_REG_VGPR0 || code == AMD_REG_ABSENT)
            continue;
        if (code % 2 && amd_operand_dwords(gen, t->row, in, o, true) > 1)
            return "a tuple of vector registers begins at an even one";
        if (code % 2 && in->fmt == AMD_DS && t->row->flags & AMD_F_EXPC)
            return "the register of global wave sync is an even one";
        if (in->fmt >= AMD_DS && o->kind != AMD_K_VADDR)
            seen[code >= AMD_REG_AGPR0] = true;
    }
    if (in->fmt == AMD_DS && in->gds && !(t->row->flags & AMD_F_EXPC))
        return "there is no global data share but for wave sync";
    return seen[0] && seen[1] ? "data are in VGPRs or in AGPRs, not in both" : NULL;
}

/* Whether an MFMA's addend is in part its destination: results of more than four registers are
 * written before all of the addend is read (LLVM 19's assembler says so). */
static bool
overlaps_addend(amd_gen gen, const asm_trial *t)
{
    unsigned dst = t->in.dst[0], src = t->in.src[2];
    unsigned n = amd_operand_dwords(gen, t->row, &t->in, &t->row->operands[0], true);
    return n > 4 && src >= AMD_REG_VGPR0 && src != dst && src < dst + n && dst < src + n;
}

/* gfx908 gives wrong results of MFMA with constants (LLVM, FeatureMFMAInlineLiteralBug), and its
 * v_accvgpr_write takes no scalar register; gfx942's dot products have no op_sel. */
static const char *
check_cdna(amd_gen gen, const asm_trial *t)
{
    const amd_inst *in = &t->in;
    if (in->fmt != AMD_VOP3P)
        return NULL;
    if (gen == AMD_GFX908 && t->row->operands[0].kind == AMD_K_VACC && in->src[2] < AMD_REG_VGPR0)
        return "no constants here on gfx908";
    if (t->row->operands[0].kind == AMD_K_VACC && t->row->operands[0].role == AMD_ROLE_DST &&
        overlaps_addend(gen, t))
        return "a matrix's addend is its destination or apart from it";
    if (gen == AMD_GFX908 && t->row->operands[0].kind == AMD_K_AGPR && on_constant_bus(in->src[0]))
        return "an accumulation register is written from a vector register or a constant";
    bool dot = strncmp(t->row->name, "v_dot", 5) == 0;
    if (gen == AMD_GFX942 && dot && (in->op_sel || in->op_sel_hi != 7))
        return "dot products have no op_sel on gfx942";
    return NULL;
}

static const char *
check_image(const asm_trial *t)
{
    const amd_inst *in = &t->in;
    if (t->row->memory & AMD_A_BVH)
        return NULL;
    bool gather4 = t->row->operands[0].type == AMD_T_B128;
    if (gather4 && base_popcount32(in->dmask) != 1)
        return "image_gather4 has one bit in dmask";
    bool pairs = strstr(t->row->name, "cmpswap") != NULL; /* the new value, and the old one */
    if (t->row->flags & AMD_F_ATOMIC && in->dmask != 3 && in->dmask != (pairs ? 15 : 1))
        return pairs ? "a comparing image atomic's dmask is 0x3 or 0xf"
                     : "an image atomic's dmask is 0x1 or 0x3";
    bool msaa = in->op == AMD_IMAGE_MSAA_LOAD || in->op == AMD_IMAGE_MSAA_LOAD4;
    if (msaa && in->dim < 6)
        return "image_msaa_load takes msaa images";
    return NULL;
}

const char *
asm_check(amd_gen gen, const asm_trial *t, bool wave64)
{
    const amd_inst *in = &t->in;
    const char *rule = check_cdna(gen, t);
    if (!rule && (gen == AMD_GFX90A || gen == AMD_GFX942))
        rule = check_unified_registers(gen, t);
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
            return "a lane's number is no literal";
        const char *broken = check_lds_direct(gen, t);
        return broken ? broken : check_constant_bus(gen, t, wave64);
    }
    case AMD_SMEM:
        if (t->row->operands[1].type == AMD_T_B128 && in->offset < 0 && gen < AMD_GFX12)
            return "a buffer's offset is not negative";
        return NULL;
    case AMD_MUBUF: return in->tfe && t->row->flags & AMD_F_STORE ? "a store has no tfe" : NULL;
    case AMD_MIMG: return check_image(t);
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

/* Bank of a VGPR's number, of which VOPD's operands in the same place must have different ones. */
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

/* RDNA3 ISA, "Dual Issue VALU": first sources from different banks, second ones too, third ones
 * and destinations one even and one odd, at most two scalar values. gfx12 reads the second half's
 * source of two moves from another cache. */
const char *
asm_check_dual(amd_gen gen, const amd_inst *in, bool wave64)
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
    for (unsigned y = 0; y < 2; y++) { /* fmamk's register is its third source, fmac's is vdst */
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
    return n > 2 ? "more scalar operands than the constant bus carries" : NULL;
}
