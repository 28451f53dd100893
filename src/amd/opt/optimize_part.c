/* Parts of registers as operands: bytes and halves by SDWA.
 *
 *     v1: %2 = v_bfe_u32 %1, 16, 16
 *     v1: %3 = v_cvt_f32_u32 %2           ->    v1: %3 = v_cvt_f32_u32 %1 src0_sel:WORD_1
 *
 * The extracted part must have no other use, and all operands must be VGPRs, because SDWA cannot
 * encode constants. The carry of gfx8's additions, which nothing reads, goes to vcc, the only place
 * that SDWA has for it. Integer operands are extended from their part (RDNA 2 ISA, 13.3.9 "SDWA");
 * 16-bit operands use a half unchanged.
 */
#include "amd/opt/combine.h"

/* SDWA's selects for parts. */
enum { BYTE_0 = 0, WORD_0 = 4, DWORD = 6 };

/* The part of `*of` that `i` extracts into the low bits, with the rest cleared or, if `*sign`,
 * sign-extended; -1 if it does not extract one. */
static int
extracted_part(const ir_instr *i, ir_ref *of, bool *sign)
{
    const ir_ref *r = i->refs;
    uint32_t at = 0, bits = 0;
    *sign = i->op == AMD_V_BFE_I32;
    bool second = i->op == AMD_V_LSHRREV_B32 ||
                  (i->op == AMD_V_AND_B32 && r[0].kind == IR_REF_CONST);
    *of = r[second];
    if (*sign || i->op == AMD_V_BFE_U32) {
        if (r[1].kind != IR_REF_CONST || r[2].kind != IR_REF_CONST)
            return -1;
        at = r[1].id;
        bits = r[2].id;
    } else if (i->op == AMD_V_LSHRREV_B32 && r[0].kind == IR_REF_CONST) {
        at = r[0].id;
        bits = 32 - at;
    } else if (i->op == AMD_V_AND_B32 && r[!second].kind == IR_REF_CONST) {
        bits = r[!second].id == 0xff ? 8 : r[!second].id == 0xffff ? 16 : 0;
    }
    if (bits == 8 && at % 8 == 0 && at < 32)
        return BYTE_0 + (int)at / 8;
    return bits == 16 && at % 16 == 0 && at < 32 ? WORD_0 + (int)at / 16 : -1;
}

static bool
can_be_sdwa(const mopt_ctx *c, const ir_instr *i, const amd_op_info *row)
{
    bool form = (row->fmt == AMD_VOP1 || row->fmt == AMD_VOP2) &&
                amd_op_has_sdwa((amd_op)i->op, c->p->target->gen);
    bool carries = i->n_defs > 1 && c->uses.count[i->defs[1].id];
    return form && !carries && !mopt_has_words(i) && mopt_is_of_registers(i, row);
}

/* Can operand `n` be this part of a register? */
static bool
takes_part(const amd_op_info *row, unsigned n, int part, bool sign)
{
    amd_type type = (amd_type)amd_op_src(row, n)->type;
    amd_class class = amd_type_class(type);
    bool integer = class == AMD_CLASS_B || class == AMD_CLASS_U || class == AMD_CLASS_I;
    if (type == AMD_T_F16)
        return part >= WORD_0 && !sign;
    return integer && amd_type_bits(type, true) == 32;
}

void
amd_opt_use_parts(mopt_ctx *c, ir_instr *i, const amd_op_info *row)
{
    uint32_t sel[2] = {DWORD, i->n_refs > 1 ? DWORD : 0}, signs = 0;
    bool any = false;
    if (!can_be_sdwa(c, i, row))
        return;
    for (unsigned n = 0; n < i->n_refs; n++) {
        const ir_instr *def = cg_single_def(&c->uses, i->refs[n]);
        ir_ref of;
        bool sign;
        if (!def || amd_words_of(def->op) != AMD_WORDS_VALU || mopt_has_words(def) ||
            !cg_can_move_refs(def, i))
            continue;
        int part = extracted_part(def, &of, &sign);
        if (part < 0 || !ir_is_value(of) || of.rc != AMD_V1 || !takes_part(row, n, part, sign))
            continue;
        cg_set_ref(&c->uses, i, n, of);
        sel[n] = (uint32_t)part;
        signs |= (uint32_t)sign << n;
        any = true;
    }
    if (!any)
        return;
    if (i->n_defs > 1)
        i->defs[1] = ir_fixed(i->defs[1], AMD_VCC);
    i->form = amd_form(row->fmt, AMD_EXT_SDWA);
    ir_words(i)[2] = DWORD | sel[0] << AMD_SDWA_SRC0 | sel[1] << AMD_SDWA_SRC1 |
                     signs << AMD_SDWA_SEXT;
}
