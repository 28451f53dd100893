/* Values of other lanes as operands, by DPP.
 *
 *     v1: %2 = v_mov_b32 %1 dpp:0x3feb1
 *     v1: %4 = v_add_f32 %3, %2            ->    v1: %4 = v_add_f32 %1, %3 dpp:0x3feb1
 *
 * The move must have no other use and be in the same block, where the same lanes are active. With
 * bound_ctrl and without masks it gives 0 where there is no active lane to read, and the operand
 * does that, too (RDNA 2 ISA, "Data Parallel Processing (DPP)"). The first source alone can be one,
 * so that the sources may have to be exchanged.
 */
#include "amd/opt/combine.h"

/* The fields of word 1 that are not the control. */
enum {
    EVERYWHERE = 0xf << AMD_DPP_ROW_MASK | 0xf << AMD_DPP_BANK_MASK | 1 << AMD_DPP_BOUND_CTRL,
    CONTROL = 0x1ff,
};

/* The move of another lane's value that computes `r` for `i` alone, or NULL. */
static const ir_instr *
lane_move(const mopt_ctx *c, const ir_instr *i, ir_ref r)
{
    const ir_instr *def = cg_single_def(&c->uses, r);
    if (!def || def->op != AMD_V_MOV_B32 || def->block != i->block ||
        amd_form_ext(def) != AMD_EXT_DPP16 || def->n_refs != 1)
        return NULL;
    bool plain = !ir_words(def)[0] && !ir_words(def)[2] &&
                 (ir_words(def)[1] & ~(uint32_t)CONTROL) == EVERYWHERE;
    bool moves = ir_is_value(def->refs[0]) && def->refs[0].rc == AMD_V1 && cg_can_move_refs(def, i);
    return plain && moves ? def : NULL;
}

/* Has it modifiers other than signs and absolute values of its sources? */
static bool
has_more_than_signs(const ir_instr *i)
{
    const uint32_t signs = 3u << AMD_MOD_NEG | 3u << AMD_MOD_ABS;
    return (ir_words(i)[0] & ~signs) || ir_words(i)[1] || ir_words(i)[2];
}

static bool
can_be_dpp(const mopt_ctx *c, const ir_instr *i, const amd_op_info *row)
{
    amd_gen gen = c->p->target->gen;
    bool form = (row->fmt == AMD_VOP1 || row->fmt == AMD_VOP2) &&
                amd_op_has_e32((amd_op)i->op, gen) &&
                amd_op_has_dpp((amd_op)i->op, (amd_fmt)row->fmt, gen);
    return form && i->n_defs == 1 && !has_more_than_signs(i) && mopt_is_of_registers(i, row);
}

/* Puts the operand `n` first, with its sign; false if the operation has no form for that. */
static bool
put_first(const mopt_ctx *c, ir_instr *i, const amd_op_info *row, unsigned n)
{
    const uint32_t first = 1u << AMD_MOD_NEG | 1u << AMD_MOD_ABS;
    ir_ref other = i->refs[0];
    uint32_t signs = n ? ir_words(i)[0] : 0;
    if (n == 0)
        return true;
    if (row->reversed == AMD_OP_INVALID ||
        !amd_op_has_dpp((amd_op)row->reversed, AMD_VOP2, c->p->target->gen))
        return false;
    i->op = row->reversed;
    i->refs[0] = i->refs[n];
    i->refs[n] = other;
    ir_words(i)[0] = (signs & first) << 1 | (signs >> 1 & first);
    return true;
}

void
amd_opt_use_lanes(mopt_ctx *c, ir_instr *i, const amd_op_info *row)
{
    if (!can_be_dpp(c, i, row))
        return;
    for (unsigned n = 0; n < i->n_refs; n++) {
        const ir_instr *move = lane_move(c, i, i->refs[n]);
        if (!move || !put_first(c, i, row, n))
            continue;
        ir_words(i)[1] = ir_words(move)[1];
        i->form = amd_form(row->fmt, AMD_EXT_DPP16);
        cg_set_ref(&c->uses, i, 0, move->refs[0]);
        return;
    }
}
