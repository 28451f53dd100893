/* High halves of registers as operands.
 *
 *     v1: %2 = v_lshrrev_b32 16, %1
 *     v1: %4 = v_fma_f16 %2, %3, %3        ->    v1: %4 = v_fma_f16 %1, %3, %3 op_sel:0x1
 *
 * Where an instruction has op_sel, it reads the half in place; other uses of the shifted value may
 * stay. Saturation of a pair becomes the clamp of the instruction that computes it, a product and a
 * sum of pairs of integers one instruction, two bounds of an f16 a median.
 */
#include "amd/opt/optimize_half.h"

#include "amd/target/half.h"
#include "base/fp.h"

bool
amd_opt_half_of(const mopt_ctx *c, const ir_instr *i, ir_ref r, ir_ref *from)
{
    const ir_instr *def = cg_def_of(&c->uses, r);
    if (!def || def->op != AMD_V_LSHRREV_B32 || def->n_refs != 2 || mopt_has_words(def) ||
        !mopt_is_const(def->refs[0], 16) || !ir_is_value(def->refs[1]) || !cg_can_move_refs(def, i))
        return false;
    *from = def->refs[1];
    return true;
}

/* ---- op_sel ---- */

static void
select_half(mopt_ctx *c, ir_instr *i, const amd_op_info *row, unsigned n)
{
    const uint32_t bit = 1u << (AMD_MOD_OPSEL + n);
    ir_ref from, before = i->refs[n];
    if (ir_words(i)[0] & bit ||
        !amd_selects_source_half(c->p->target->gen, row, amd_op_src(row, n)) ||
        !amd_opt_half_of(c, i, i->refs[n], &from))
        return;
    i->refs[n] = from;
    bool legal = amd_sources_fit(c->p->target->gen, i->op, i->n_refs, i->refs);
    i->refs[n] = before;
    if (!legal)
        return;
    cg_set_ref(&c->uses, i, n, from);
    ir_words(i)[0] |= bit;
}

void
amd_opt_use_halves(mopt_ctx *c, ir_instr *i, const amd_op_info *row)
{
    const amd_operand *first = amd_op_src(row, 0);
    if (!first || amd_type_bits((amd_type)first->type, false) != 16)
        return;
    bool vop = row->fmt == AMD_VOP1 || row->fmt == AMD_VOP2 || row->fmt == AMD_VOPC ||
               row->fmt == AMD_VOP3;
    if (!vop || ir_words(i)[1] | ir_words(i)[2] || i->form || i->n_refs != amd_op_src_count(row) ||
        amd_forbids_modifiers(c->p, i))
        return;
    for (unsigned n = 0; n < i->n_refs; n++)
        select_half(c, i, row, n);
}

/* ---- pairs ---- */

/* v_pk_max x, x clamp: the packed instruction that computes x gets the clamp. */
bool
amd_opt_pair_clamp(mopt_ctx *c, ir_instr *i)
{
    const uint32_t clamp = 1u << AMD_MOD_CLAMP;
    ir_instr *def = cg_def_of(&c->uses, i->refs[0]);
    const amd_op_info *row = def ? amd_op_row((amd_op)def->op) : NULL;
    if (!row || ir_words(i)[0] != (clamp | 3u << AMD_MOD_OPSEL_HI) ||
        !ir_same_ref(i->refs[0], i->refs[1]) || c->uses.count[i->refs[0].id] != 2 ||
        def->block != i->block || amd_op_dst(row, 0)->type != AMD_T_V2F16 ||
        row->fmt != AMD_VOP3P || !(row->flags & AMD_F_CLAMP) || !(row->flags & AMD_F_FP))
        return false;
    ir_words(def)[0] |= clamp;
    cg_replace_value(&c->uses, i->defs[0].id, i->refs[0].id);
    return false; /* nothing is left to combine */
}

/* a * b + c of pairs of integers, if the sum reads the product's halves in place. */
bool
amd_opt_pair_mad(mopt_ctx *c, ir_instr *i)
{
    for (unsigned at = 0; at < 2; at++) {
        const ir_instr *product = cg_single_def(&c->uses, i->refs[at]);
        uint32_t sum = ir_words(i)[0], low = sum >> AMD_MOD_OPSEL, high = sum >> AMD_MOD_OPSEL_HI;
        if (!product || product->op != AMD_V_PK_MUL_LO_U16 || !cg_can_move_refs(product, i) ||
            sum >> AMD_MOD_CLAMP & 1 || (low >> at & 1) || !(high >> at & 1))
            continue;
        ir_ref refs[3] = {product->refs[0], product->refs[1], i->refs[!at]};
        uint32_t word = ir_words(product)[0];
        word |= (low >> !at & 1) << (AMD_MOD_OPSEL + 2) | (high >> !at & 1)
                                                              << (AMD_MOD_OPSEL_HI + 2);
        if (amd_opt_become(c, i, AMD_V_PK_MAD_U16, 3, refs)) {
            ir_words(i)[0] = word;
            return true;
        }
    }
    return false;
}

/* ---- medians ---- */

/* The source of `i` that is a constant f16, or -1. */
static int
constant_at(const ir_instr *i)
{
    return i->refs[1].kind == IR_REF_CONST ? 1 : i->refs[0].kind == IR_REF_CONST ? 0 : -1;
}

static double
half_value(ir_ref r)
{
    return base_fp_decode(r.id & 0xffff, 16);
}

/* min(max(x, low), high) = med3(x, low, high) if low <= high: of a NaN both are low. */
bool
amd_opt_median_f16(mopt_ctx *c, ir_instr *i)
{
    int high = constant_at(i);
    const ir_instr *inner = high < 0 || mopt_has_words(i) ? NULL
                                                          : amd_opt_inner(c, i, i->refs[!high]);
    int low = inner && inner->op == AMD_V_MAX_F16 ? constant_at(inner) : -1;
    if (low < 0 || !(half_value(inner->refs[low]) <= half_value(i->refs[high])))
        return false;
    ir_ref refs[3] = {inner->refs[!low], inner->refs[low], i->refs[high]};
    return amd_opt_become(c, i, AMD_V_MED3_F16, 3, refs);
}
