/* Shorter encodings of v_fma and v_mad, once registers are known: 4 bytes instead of 8, 8 instead
 * of 12.
 *
 *     v_fma_f32 v0, v1, v2, v0           ->    v_fmac_f32_e32 v0, v1, v2
 *     v_fma_f32 v0, v1, 0x1234, v2       ->    v_fmamk_f32 v0, v1, 0x1234, v2
 *     v_fma_f32 v0, v1, v2, 0x1234       ->    v_fmaak_f32 v0, v1, v2, 0x1234
 *     v_mad_f32 v0, v1, v2, v0           ->    v_mac_f32_e32 v0, v1, v2
 *     v_pk_fma_f16 v0, v1, v2, v0        ->    v_pk_fmac_f16 v0, v1, v2
 *     v_fma_f16 v0.h, v1.l, v2.h, v0.h   ->    v_fmac_f16_e32 v0.h, v1.l, v2.h
 *
 * None of them has modifiers, but for the halves that are chosen. Only the first operand may be
 * other than a VGPR. A v_mad_f32 with a literal has no other encoding (amd_is_bad_literal).
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

typedef struct short_forms {
    uint16_t op, accumulate, factor, addend; /* with the literal `factor`, `addend`; 0: none */
    uint8_t bits;
} short_forms;

static const short_forms forms[] = {
    {AMD_V_FMA_F32, AMD_V_FMAC_F32, AMD_V_FMAMK_F32, AMD_V_FMAAK_F32, 32},
    {AMD_V_FMA_F16, AMD_V_FMAC_F16, 0, 0, 16},
    {AMD_V_MAD_F32, AMD_V_MAC_F32, AMD_V_MADMK_F32, AMD_V_MADAK_F32, 32},
};

static const short_forms *
forms_of(unsigned op)
{
    for (unsigned k = 0; k < sizeof forms / sizeof *forms; k++) {
        if (forms[k].op == op)
            return &forms[k];
    }
    return NULL;
}

static bool
is_literal(const ir_instr *i, unsigned ref, unsigned bits)
{
    return amd_is_literal(gen_of(i), i->refs[ref], bits);
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
shorten(ir_instr *i, const short_forms *to)
{
    ir_ref c = i->refs[2];
    if (is_vgpr(i->refs[0]) && !is_vgpr(i->refs[1]))
        swap_factors(i);
    if (is_vgpr(c) && c.reg == i->defs[0].reg && is_vgpr(i->refs[1]) && exists(i, to->accumulate)) {
        i->op = to->accumulate;
    } else if (!to->factor || !exists(i, to->factor)) {
        return;
    } else if (is_vgpr(c) && (is_literal(i, 0, to->bits) || is_literal(i, 1, to->bits))) {
        if (is_literal(i, 0, to->bits))
            swap_factors(i);
        i->op = to->factor;
    } else if (is_literal(i, 2, to->bits) && is_vgpr(i->refs[1])) {
        i->op = to->addend;
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

/* An f16 that is added to in its half of the register; the operands are in halves of VGPRs. */
static void
shorten_half(ir_instr *i)
{
    uint32_t sel = ir_words(i)[0] >> AMD_MOD_OPSEL;
    bool plain = ir_words(i)[0] == sel << AMD_MOD_OPSEL && sel < 16 && !ir_words(i)[1] &&
                 !ir_words(i)[2] && !i->form;
    if (!plain || (sel >> 2 & 1) != sel >> 3 || i->refs[2].reg != i->defs[0].reg ||
        !is_vgpr(i->refs[0]) || !is_vgpr(i->refs[1]) || !is_vgpr(i->refs[2]) ||
        !amd_has(amd_prog(i->block->fn)->target, moves_halves) || !exists(i, AMD_V_FMAC_F16))
        return;
    i->op = AMD_V_FMAC_F16;
    ir_words(i)[0] &= ~(4u << AMD_MOD_OPSEL);
}

void
amd_low_shorten(const ir_block *b)
{
    IR_FOREACH_INSTR(i, b) {
        if (i->op == AMD_V_PK_FMA_F16)
            shorten_pair(i);
        if (i->op == AMD_V_FMA_F16 && ir_words(i)[0])
            shorten_half(i);
        const short_forms *to = forms_of(i->op);
        if (to && !(ir_words(i)[0] | ir_words(i)[1] | ir_words(i)[2]) && !i->form)
            shorten(i, to);
    }
}
