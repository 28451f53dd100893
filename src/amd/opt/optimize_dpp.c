/* Reads other lanes in the instruction that uses their values.
 *
 *     v1: %2 = v_mov_b32 %1 quad_perm:[1,0,3,2] bound_ctrl:1
 *     v1: %3 = v_add_f32 %2, %1    ->    v1: %3 = v_add_f32 %1, %1 quad_perm:[1,0,3,2] bound_ctrl:1
 *
 * DPP selects the lanes of the first source, so the sources are exchanged if the second one is
 * moved; sources are VGPRs (RDNA 2 ISA, "DPP16"). With bound_ctrl a lane that cannot be read counts
 * as 0 in both forms. Both instructions are in one block, so the same lanes are active.
 */
#include "amd/opt/combine.h"

/* The move that makes source `n` of `i` if it can be part of `i`. */
static const ir_instr *
moved(const mopt_ctx *c, const ir_instr *i, unsigned n)
{
    const uint32_t all = 0xfu << AMD_DPP_ROW_MASK | 0xfu << AMD_DPP_BANK_MASK |
                         1u << AMD_DPP_BOUND_CTRL;
    const ir_instr *def = cg_single_def(&c->uses, i->refs[n]);
    if (!def || def->op != AMD_V_MOV_B32 || amd_form_ext(def) != AMD_EXT_DPP16 ||
        def->block != i->block || !ir_is_value(def->refs[0]) || def->refs[0].rc != AMD_V1)
        return NULL;
    const uint32_t *words = ir_words(def);
    return !words[0] && !words[2] && (words[1] & all) == all ? def : NULL;
}

static bool
can_be_dpp(const mopt_ctx *c, const ir_instr *i, const amd_op_info *row)
{
    const uint32_t signs = 3u << AMD_MOD_NEG | 3u << AMD_MOD_ABS;
    amd_gen gen = c->p->target->gen;
    if ((row->fmt != AMD_VOP1 && row->fmt != AMD_VOP2) || i->form || i->n_defs != 1 ||
        i->n_refs > 2 || i->n_refs != amd_op_src_count(row) || i->defs[0].rc != AMD_V1 ||
        amd_tied(i).ref >= 0 || !amd_op_has_dpp((amd_op)i->op, (amd_fmt)row->fmt, gen) ||
        !amd_op_has_e32((amd_op)i->op, gen))
        return false;
    if ((ir_words(i)[0] & ~signs) || ir_words(i)[1] || ir_words(i)[2])
        return false;
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (!ir_is_value(i->refs[r]) || i->refs[r].rc != AMD_V1)
            return false;
    }
    return true;
}

/* Exchanges the two sources with their signs. */
static bool
exchange(const mopt_ctx *c, ir_instr *i, const amd_op_info *row)
{
    const uint32_t first = 1u << AMD_MOD_NEG | 1u << AMD_MOD_ABS;
    uint32_t signs = ir_words(i)[0];
    if (row->reversed == AMD_OP_INVALID || !mopt_exists(c, row->reversed))
        return false;
    ir_ref r = i->refs[0];
    i->refs[0] = i->refs[1];
    i->refs[1] = r;
    i->op = row->reversed;
    ir_words(i)[0] = (signs & first) << 1 | (signs >> 1 & first);
    return true;
}

void
amd_opt_use_lanes(mopt_ctx *c, ir_instr *i, const amd_op_info *row)
{
    if (!can_be_dpp(c, i, row))
        return;
    const ir_instr *def = moved(c, i, 0);
    if (!def && i->n_refs == 2) {
        def = moved(c, i, 1);
        if (!def || !exchange(c, i, row))
            return;
        row = amd_op_row((amd_op)i->op);
    }
    if (!def)
        return;
    uint32_t word = ir_words(def)[1];
    cg_set_ref(&c->uses, i, 0, def->refs[0]);
    i->form = amd_form(row->fmt, AMD_EXT_DPP16);
    ir_words(i)[1] = word;
}
