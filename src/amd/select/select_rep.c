/* The representation of each HIR value: SGPRs, VGPRs, an s1 boolean or a lane mask (see select.h).
 *
 * Divergent values live in VGPRs and lane masks. A uniform value lives in SGPRs if its sources do
 * and the instruction that computes it can write SGPRs. Phis of loop headers depend on sources that
 * are decided later: all values start as scalar and are demoted until these phis do not change; a
 * value is demoted at most once, so one to three rounds suffice.
 *
 * Where the scalar unit has no floats, uniform ones live in VGPRs, but for those that change the
 * sign of one in an SGPR. An integer that is converted from one goes to an SGPR, by
 * v_readfirstlane_b32, if several operations that the scalar unit can do follow from it.
 */
#include "amd/select/select_memory.h"
#include "amd/target/hir_level.h"
#include "ir/analysis.h"

/* ---- uniform integers from floats ---- */

enum { ENOUGH = 6 }; /* operations that are worth one v_readfirstlane_b32 */

static bool
is_conversion(const ir_instr *i)
{
    return i->op == IR_f2i || i->op == IR_f2u;
}

static bool
is_worth_moving(const sel *s, const ir_instr *i)
{
    return is_conversion(i) && sel_bits(s, i->defs[0]) <= 32 && !amd_sel_float_is_scalar(s, i) &&
           s->values[i->defs[0].id].gain >= ENOUGH;
}

static void
add_gain(sel_value *v, unsigned gain)
{
    v->gain = v->gain + gain < ENOUGH ? (uint8_t)(v->gain + gain) : ENOUGH;
}

/* Finds the gain of all values, from the last to the first. */
static void
find_gains(sel *s)
{
    for (size_t k = s->hir->n_blocks; k-- > 0;) {
        IR_FOREACH_INSTR_REVERSE(i, s->hir->blocks[k]) {
            if (!i->n_defs || s->hir->values[i->defs[0].id].divergent ||
                !(s->hir->level->ops[i->op].flags & IR_OP_ALU) || is_conversion(i) ||
                !amd_sel_alu_is_scalar(s, i->op, sel_bits(s, i->refs[0])))
                continue;
            unsigned gain = s->values[i->defs[0].id].gain + 1u;
            for (unsigned r = 0; r < i->n_refs; r++) {
                if (ir_is_value(i->refs[r]))
                    add_gain(&s->values[i->refs[r].id], gain);
            }
        }
    }
}

/* ---- representations ---- */

static bool
scalar_source(const sel *s, ir_ref r)
{
    if (!ir_is_value(r))
        return true;
    unsigned op = s->hir->values[r.id].def->op;
    sel_rep rep = sel_rep_of(s, r);
    return op == IR_load_const || op == IR_undef || rep == SEL_SGPR || rep == SEL_BOOL;
}

static bool
scalar_sources(const sel *s, const ir_instr *i, unsigned from)
{
    for (unsigned r = from; r < i->n_refs; r++) {
        if (!scalar_source(s, i->refs[r]))
            return false;
    }
    return true;
}

static bool
alu_is_scalar(const sel *s, const ir_instr *i)
{
    unsigned src_bits = sel_bits(s, i->refs[0]);
    if (sel_bits(s, i->defs[0]) == 1) {
        bool logic = src_bits == 1;
        return scalar_sources(s, i, 0) && (logic || amd_sel_cmp_is_scalar(s, i->op, src_bits));
    }
    if (i->op == IR_bcsel) /* by a lane mask: v_cndmask, because s_cselect would need a test of
                              the mask */
        return scalar_sources(s, i, 0);
    if (i->op == IR_b2i || i->op == IR_b2f)
        return scalar_sources(s, i, 0);
    if (scalar_sources(s, i, 0) &&
        (amd_sel_alu_is_scalar(s, i->op, src_bits) || amd_sel_float_is_scalar(s, i)))
        return true;
    return is_worth_moving(s, i);
}

static bool
intrinsic_is_scalar(const sel *s, const ir_instr *i)
{
    unsigned bits = sel_bits(s, i->defs[0]);
    switch (i->op) {
    case IR_load_const:
    case IR_undef:
    case AMD_HIR_load_scalar_arg_amd:
    case AMD_HIR_load_smem_amd:
    case AMD_HIR_exiting_wave_amd:
    case IR_load_subgroup_size:
    case IR_get_ssbo_size:
    case IR_ballot:
    case IR_read_first_invocation:
    case IR_read_invocation:
    case IR_shader_clock:
    case IR_vote_any:
    case IR_vote_all:
    case IR_vote_ieq:
    case IR_vote_feq: return true;
    case IR_reduce: return bits > 1 && ir_attr_get(i, IR_A_CLUSTER_SIZE) == 0;
    case IR_load_ubo:
    case IR_load_constant: return amd_sel_scalar_reach(s, i) != SEL_REACH_NONE;
    case IR_load_ssbo:
    case IR_load_global: {
        uint32_t access = ir_attr_get(i, IR_A_ACCESS);
        bool stable = access & (IR_ACCESS_READONLY | IR_ACCESS_CAN_REORDER);
        bool aligned = bits < 32 || (ir_attr_get(i, IR_A_ALIGN_MUL) >= 4 &&
                                     ir_attr_get(i, IR_A_ALIGN_OFFSET) % 4 == 0);
        return stable && !(access & IR_ACCESS_VOLATILE) && aligned &&
               amd_sel_scalar_reach(s, i) != SEL_REACH_NONE;
    }
    case IR_phi:
    case IR_vec:
    case IR_mov: return scalar_sources(s, i, 0);
    default: return false;
    }
}

static uint8_t
decide(const sel *s, const ir_instr *i)
{
    const ir_value *v = &s->hir->values[i->defs[0].id];
    bool is_bool = ir_type_bits(v->type) == 1;
    bool scalar = !v->divergent &&
                  ((s->hir->level->ops[i->op].flags & IR_OP_ALU) ? alu_is_scalar(s, i)
                                                                 : intrinsic_is_scalar(s, i));
    if (is_bool)
        return scalar ? SEL_BOOL : SEL_MASK;
    return scalar ? SEL_SGPR : SEL_VGPR;
}

/* Returns true if the instruction's result was demoted. */
static bool
update(sel *s, const ir_instr *i)
{
    sel_value *v = &s->values[i->defs[0].id];
    uint8_t before = v->rep;
    v->rep = decide(s, i);
    return v->rep != before;
}

static bool
any_changes(sel *s, ir_instr *const *phis, size_t n)
{
    bool changed = false;
    for (size_t p = 0; p < n; p++)
        changed |= update(s, phis[p]);
    return changed;
}

void
amd_sel_decide_reps(sel *s)
{
    arena *a = s->hir->ctx->scratch;
    arena_mark mark = arena_save(a);
    ir_instr **phis = NULL; /* those of loop headers */
    size_t n_phis = 0, cap = 0;
    bool converts = false;
    for (size_t id = 0; id < s->hir->n_values; id++) {
        const ir_value *v = &s->hir->values[id];
        s->values[id].rep = ir_type_bits(v->type) == 1 ? SEL_BOOL : SEL_SGPR;
        converts |= !v->divergent && v->def && is_conversion(v->def);
    }
    if (converts && !sel_has(s, AMD_S_ADD_F32))
        find_gains(s);
    do {
        n_phis = 0;
        IR_FOREACH_BLOCK(b, s->hir) {
            bool header = b->first->op == IR_phi && ir_last_latch(b, 0);
            IR_FOREACH_INSTR(i, b) {
                if (!i->n_defs)
                    continue;
                update(s, i);
                if (!header || i->op != IR_phi)
                    continue;
                phis = arena_grow(a, phis, &cap, n_phis + 1, sizeof *phis);
                phis[n_phis++] = i;
            }
        }
    } while (any_changes(s, phis, n_phis));
    arena_release(a, mark);
}
