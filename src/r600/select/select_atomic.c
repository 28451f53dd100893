/* Atomics on storage buffers and images: RATs.
 *
 * x of the value is the operand, w (on Cayman z) what is compared with. A form with a result (_RTN)
 * leaves what was there at the place of the return buffer that y names; it is fetched when the
 * instruction has been acknowledged. Each lane of each wave that a chip can hold has a place: the
 * number of the wave's slot, times 64, plus the lane. So does Mesa's driver (r600_shader.c:
 * load_thread_id_gpr, tgsi_atomic_op_rat). */
#include "r600/select/select.h"

enum {
    RAT_CMPXCHG = 4,
    RAT_RETURNS = 32, /* added to the operation */
    RAT_XCHG = 2 + RAT_RETURNS,
    HW_WAVE_ID = 231,
    SE_ID = 233,
    SLOTS_OF_ENGINE = 256,
    LANES = 64,
};

static const uint8_t ops[IR_ATOMIC_COUNT] = {
    [IR_ATOMIC_iadd] = 7,        [IR_ATOMIC_imin] = 10,
    [IR_ATOMIC_umin] = 11,       [IR_ATOMIC_imax] = 12,
    [IR_ATOMIC_umax] = 13,       [IR_ATOMIC_iand] = 14,
    [IR_ATOMIC_ior] = 15,        [IR_ATOMIC_ixor] = 16,
    [IR_ATOMIC_xchg] = RAT_XCHG, [IR_ATOMIC_cmpxchg] = RAT_CMPXCHG,
};

static tree_operand
special(uint32_t select)
{
    return (tree_operand){.kind = TREE_SPECIAL, .id = select * 4};
}

tree_operand
r600_sel_lane_place(r600_sel *s)
{
    r600_sel_check_stores(s);
    const tree_operand slot = r600_sel_op(s, R600_MULADD_UINT24, special(SE_ID),
                                          r600_tree_const(SLOTS_OF_ENGINE), special(HW_WAVE_ID));
    return r600_sel_op(s, R600_MULADD_UINT24, slot, r600_tree_const(LANES), r600_sel_lane(s));
}

static void
set_operands(r600_sel *s, const ir_instr *i, tree_vector *v)
{
    const bool swaps = i->op == IR_ssbo_atomic_swap || i->op == IR_image_atomic_swap;
    v->src[0] = r600_sel_get(s, i->refs[i->n_refs - 1]);
    if (swaps)
        v->src[s->p->chip->gen == R600_GEN_CM ? 2 : 3] = r600_sel_get(s, i->refs[i->n_refs - 2]);
}

void
r600_sel_atomic(r600_sel *s, const ir_instr *i, uint32_t number, const tree_operand index[3])
{
    tree_operand place;
    const unsigned op = ops[ir_attr_get(i, IR_A_ATOMIC_OP)];
    if (!op || r600_sel_bits(s, i->refs[i->n_refs - 1]) != 32)
        r600_sel_lacks(s, "this atomic operation");
    const bool returns = s->uses[i->defs[0].id] || op == RAT_XCHG;
    if (returns)
        place = r600_sel_lane_place(s);
    tree_vector *v = r600_sel_rat(s, number, op | (returns ? RAT_RETURNS : 0), index[0]);
    v->inst.f[R600_F_comp_mask] = 15;
    v->index[1] = index[1];
    v->index[2] = index[2];
    set_operands(s, i, v);
    if (!returns)
        return;
    v->src[1] = place;
    s->program->uses_returns = true;
    r600_sel_wait(s, UINT32_MAX);
    r600_sel_fetch(s, R600_RESOURCE_RETURN, place, 1, r600_sel_def(s, i));
}

bool
r600_select_atomic(r600_sel *s, const ir_instr *i)
{
    if (i->op != IR_ssbo_atomic && i->op != IR_ssbo_atomic_swap)
        return false;
    const uint32_t number = r600_sel_bound(s, i->refs[0])->number;
    r600_sel_atomic(s, i, number, (const tree_operand[3]){r600_sel_dwords(s, i->refs[1])});
    return true;
}
