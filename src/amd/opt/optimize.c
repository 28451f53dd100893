/* optimize: combines instructions on SSA, using what one machine instruction can do.
 *
 *     v1: %2 = v_xor_b32 0x80000000, %1
 *     v1: %4 = v_add_f32 %2, %3            ->    v1: %4 = v_add_f32 -%1, %3
 *
 *     v1: %2 = v_lshlrev_b32 4, %1
 *     v1: %4 = v_add_nc_u32 %2, %3         ->    v1: %4 = v_lshl_add_u32 %1, 4, %3
 *
 * A forward walk folds the definitions of operands into their users: signs become source modifiers,
 * copies of scalars become scalar operands, saturation becomes the clamp of the instruction that
 * computes the value; pairs of instructions become one with three operands (optimize_combine.c).
 * Unused instructions are then removed (opt/dce.c). Use counts are maintained, so nothing is
 * computed twice.
 *
 * Results stay the same: the hardware's modifiers treat signs as bits, like integer operations do;
 * clamp replaces v_max x, x clamp, which flushes denormals by the same mode and also turns NaN into
 * 0 (DX10_CLAMP); omod is not used, because it ignores denormals (RDNA 2 ISA, 6.2.4).
 */
#include "amd/opt/combine.h"

#include "opt/opt.h"

/* ---- saturation ---- */

static bool
is_saturation(const ir_instr *i)
{
    return (i->op == AMD_V_MAX_F32 || i->op == AMD_V_MAX_F16) &&
           ir_words(i)[0] == 1u << AMD_MOD_CLAMP && !ir_words(i)[1] && !ir_words(i)[2] &&
           ir_is_value(i->refs[0]) && ir_same_ref(i->refs[0], i->refs[1]);
}

/* Where a literal leaves no room for the clamp of `def`, which computes x: an SGPR gets the number,
 * under the name of x, and `def` computes what the saturation `i` did. */
static bool
clamp_beside_literal(mopt_ctx *c, ir_instr *i, ir_instr *def)
{
    unsigned at = 0;
    while (at < def->n_refs && !amd_is_literal(c->p->target->gen, def->refs[at], AMD_T_F32))
        at++;
    if (i->op != AMD_V_MAX_F32 || at == def->n_refs || def->n_defs != 1)
        return false;
    ir_ref x = def->defs[0], number = x;
    ir_instr *copy = amd_new(c->f, AMD_P_PARALLELCOPY, 1, 1);
    number.rc = AMD_S1;
    copy->loc = def->loc;
    copy->refs[0] = def->refs[at];
    copy->defs[0] = number;
    c->f->values[x.id] = (ir_value){.def = copy, .type = AMD_S1};
    ir_insert_before(def, copy);
    def->refs[at] = number;
    def->defs[0] = i->defs[0];
    c->f->values[i->defs[0].id].def = def;
    c->uses.count[x.id] = 1;
    ir_words(def)[0] |= 1u << AMD_MOD_CLAMP;
    ir_unlink(i);
    return true;
}

/* v_max x, x clamp: the instruction that computes x gets the clamp. */
static bool
fold_clamp(mopt_ctx *c, ir_instr *i)
{
    ir_instr *def = is_saturation(i) ? cg_def_of(&c->uses, i->refs[0]) : NULL;
    const amd_op_info *row = def ? amd_op_row((amd_op)def->op) : NULL;
    bool half = i->op == AMD_V_MAX_F16;
    if (!row || c->uses.count[i->refs[0].id] != 2 || def->block != i->block)
        return false;
    const amd_operand *d = amd_op_dst(row, 0);
    bool has = (row->flags & AMD_F_CLAMP) && (row->flags & AMD_F_FP) && row->fmt != AMD_VOP3P &&
               (row->fmt == AMD_VOP3 || row->fmt == AMD_VOP2 || row->fmt == AMD_VOP1);
    if (!has || !d || d->type != (half ? AMD_T_F16 : AMD_T_F32) || ir_words(def)[1] ||
        ir_words(def)[2] || (row->fmt != AMD_VOP3 && !(row->flags & AMD_F_E64)) ||
        amd_tied(def).ref >= 0)
        return false;
    if (amd_forbids_modifiers(c->p, def))
        return clamp_beside_literal(c, i, def);
    ir_words(def)[0] |= 1u << AMD_MOD_CLAMP;
    cg_replace_value(&c->uses, i->defs[0].id, i->refs[0].id);
    return true;
}

/* ---- the walks ---- */

static void
use_parts(mopt_ctx *c, ir_instr *i, const amd_op_info *row)
{
    amd_opt_use_halves(c, i, row);
    amd_opt_use_parts(c, i, row);
    amd_opt_use_lanes(c, i, row);
}

static void
visit(mopt_ctx *c, ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    cg_rename_refs(&c->uses, i);
    if (!ir_may_change(c->f->ctx))
        return;
    if (!row || amd_is_pseudo(i->op) || amd_words_of(i->op) == AMD_WORDS_MEM)
        return;
    if (fold_clamp(c, i))
        return;
    amd_opt_read_exec(c, i);
    if (amd_words_of(i->op) == AMD_WORDS_VALU)
        amd_opt_fold_operands(c, i, row);
    while (amd_opt_combine(c, i))
        continue;
    if (i->n_refs && amd_words_of(i->op) == AMD_WORDS_VALU)
        use_parts(c, i, amd_op_row((amd_op)i->op));
}

void
amd_optimize(ir_fn *f)
{
    amd_opt_merge_loads(f);
    amd_opt_pair_lds(f);
    arena_mark mark = arena_save(f->ctx->scratch);
    mopt_ctx c = {.f = f, .p = amd_prog(f), .uses = cg_count_uses(f, f->ctx->scratch)};
    IR_FOREACH_INSTR_OF(i, f)
        visit(&c, i);
    cg_rename_phis(&c.uses);
    opt_dce(f);
    arena_release(f->ctx->scratch, mark);
}
