/* Shorter encodings of v_fma, once registers are known: 4 bytes instead of 8, 8 instead of 12.
 *
 *     v_fma_f32 v0, v1, v2, v0           ->    v_fmac_f32_e32 v0, v1, v2
 *     v_fma_f32 v0, v1, 0x1234, v2       ->    v_fmamk_f32 v0, v1, 0x1234, v2
 *     v_fma_f32 v0, v1, v2, 0x1234       ->    v_fmaak_f32 v0, v1, v2, 0x1234
 *     v_pk_fma_f16 v0, v1, v2, v0        ->    v_pk_fmac_f16 v0, v1, v2
 *
 * None of them has modifiers. Only the first operand may be other than a VGPR.
 */
#include "amd/post/lower.h"

static bool
is_vgpr(ir_ref r)
{
    return r.kind != IR_REF_CONST && amd_rc_is_vgpr(r.rc);
}

static amd_gen
gen_of(const ir_instr *i)
{
    return amd_prog(i->block->fn)->target->gen;
}

static bool
is_literal(const ir_instr *i, unsigned ref)
{
    return amd_is_literal(gen_of(i), i->refs[ref], 32);
}

static void
swap_factors(ir_instr *i)
{
    ir_ref a = i->refs[0];
    i->refs[0] = i->refs[1];
    i->refs[1] = a;
}

static bool
exists(const ir_instr *i, amd_op op)
{
    return amd_op_has_e32(op, gen_of(i));
}

static void
shorten(ir_instr *i)
{
    ir_ref c = i->refs[2];
    bool wide = i->op == AMD_V_FMA_F32;
    amd_op fmac = wide ? AMD_V_FMAC_F32 : AMD_V_FMAC_F16;
    if (is_vgpr(i->refs[0]) && !is_vgpr(i->refs[1]))
        swap_factors(i);
    if (is_vgpr(c) && c.reg == i->defs[0].reg && is_vgpr(i->refs[1]) && exists(i, fmac)) {
        i->op = (uint16_t)fmac;
    } else if (!exists(i, AMD_V_FMAMK_F32)) {
        return;
    } else if (wide && is_vgpr(c) && (is_literal(i, 0) || is_literal(i, 1))) {
        if (is_literal(i, 0))
            swap_factors(i);
        i->op = AMD_V_FMAMK_F32;
    } else if (wide && is_literal(i, 2) && is_vgpr(i->refs[1])) {
        i->op = AMD_V_FMAAK_F32;
    }
}

/* A packed fma that reads all halves in place. */
static void
shorten_pair(ir_instr *i)
{
    bool plain = ir_words(i)[0] == 7u << AMD_MOD_OPSEL_HI && !ir_words(i)[1] && !ir_words(i)[2];
    if (!plain || i->form || !exists(i, AMD_V_PK_FMAC_F16) || !is_vgpr(i->refs[0]) ||
        !is_vgpr(i->refs[1]) || !is_vgpr(i->refs[2]) || i->refs[2].reg != i->defs[0].reg)
        return;
    i->op = AMD_V_PK_FMAC_F16;
    ir_words(i)[0] = 0;
}

void
amd_low_shorten(const ir_block *b)
{
    IR_FOREACH_INSTR(i, b) {
        if (i->op == AMD_V_PK_FMA_F16)
            shorten_pair(i);
        bool fma = i->op == AMD_V_FMA_F32 || i->op == AMD_V_FMA_F16;
        if (fma && !(ir_words(i)[0] | ir_words(i)[1] | ir_words(i)[2]) && !i->form)
            shorten(i);
    }
}
