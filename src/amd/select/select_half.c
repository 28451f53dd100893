/* 16-bit numbers in the halves of registers.
 *
 * A component of 16 bits is in the low half of a register, or in the high one: then its reference
 * has the flag SEL_HIGH. Only sel_value and the functions of select_half.h have such references;
 * what cannot read a high half gets it moved to the low half of another register, by one shift
 * behind the register's definition, which the optimizer folds into operands that can.
 */
#include "amd/select/select_half.h"

ir_ref
amd_sel_high(ir_ref r)
{
    if (r.kind == IR_REF_CONST)
        return amd_const(r.id >> 16);
    r.flags |= SEL_HIGH;
    return r;
}

static ir_instr *
shift_of(sel *s, ir_ref r)
{
    bool vgpr = sel_is_vgpr(r);
    ir_instr *i = amd_new(s->f, vgpr ? AMD_V_LSHRREV_B32 : AMD_S_LSHR_B32, vgpr ? 1 : 2, 2);
    i->refs[vgpr] = sel_register(r);
    i->refs[!vgpr] = amd_const(16);
    i->loc = s->loc;
    ir_define(s->f, i, 0, vgpr ? AMD_V1 : AMD_S1);
    if (!vgpr) {
        ir_define(s->f, i, 1, AMD_S1);
        i->defs[1] = ir_fixed(i->defs[1], AMD_SCC);
    }
    return i;
}

ir_ref
amd_sel_low(sel *s, ir_ref r)
{
    if (!sel_is_high(r) || r.kind != IR_REF_VALUE)
        return sel_register(r);
    ir_instr **known = amd_sel_known(s, &s->highs, r.id);
    if (*known && ((*known)->block == s->cur || (*known)->block == s->f->values[r.id].def->block))
        return (*known)->defs[0];
    *known = shift_of(s, r);
    /* a scalar shift writes scc, which may be in use behind the definition */
    if (sel_is_vgpr(r) && amd_sel_dominates_all(s, r))
        amd_sel_insert_behind(s, r, *known);
    else
        ir_append(s->cur, *known);
    return (*known)->defs[0];
}

ir_ref
amd_sel_high_here(sel *s, ir_ref r)
{
    r = amd_sel_high(r);
    if (r.kind == IR_REF_VALUE && !sel_is_vgpr(r))
        amd_sel_low(s, r);
    return r;
}

/* ---- packing ---- */

/* Are they the halves of one register? */
static bool
in_place(ir_ref lo, ir_ref hi)
{
    return lo.kind == IR_REF_VALUE && hi.kind == IR_REF_VALUE && lo.id == hi.id &&
           !sel_is_high(lo) && sel_is_high(hi);
}

/* By shifts and masks. */
static ir_ref
merge_scalars(sel *s, ir_ref lo, ir_ref hi)
{
    bool low_half = sel_is_high(lo), high_half = sel_is_high(hi);
    lo = low_half ? amd_sel_2(s, AMD_S_LSHR_B32, AMD_S1, sel_register(lo), amd_const(16))
                  : amd_sel_2(s, AMD_S_AND_B32, AMD_S1, lo, amd_const(0xffff));
    hi = high_half ? amd_sel_2(s, AMD_S_AND_B32, AMD_S1, sel_register(hi), amd_const(0xffff0000))
                   : amd_sel_2(s, AMD_S_LSHL_B32, AMD_S1, hi, amd_const(16));
    return amd_sel_2(s, AMD_S_OR_B32, AMD_S1, lo, hi);
}

ir_ref
amd_sel_pack_scalars(sel *s, ir_ref lo, ir_ref hi)
{
    if (in_place(lo, hi))
        return lo;
    if (!sel_has(s, AMD_S_PACK_LL_B32_B16))
        return merge_scalars(s, lo, hi);
    if (sel_is_high(lo) && !sel_is_high(hi))
        lo = amd_sel_low(s, lo);
    unsigned op = !sel_is_high(hi)  ? AMD_S_PACK_LL_B32_B16
                  : sel_is_high(lo) ? AMD_S_PACK_HH_B32_B16
                                    : AMD_S_PACK_LH_B32_B16;
    return amd_sel_2(s, op, AMD_S1, sel_register(lo), sel_register(hi));
}

/* One of them is a constant. */
static ir_ref
pack_constant(sel *s, ir_ref lo, ir_ref hi)
{
    bool high = sel_is_high(lo) || sel_is_high(hi);
    if (hi.kind == IR_REF_CONST && (hi.id & 0xffff) == 0)
        return high ? amd_sel_2(s, AMD_V_LSHRREV_B32, AMD_V1, amd_const(16), sel_register(lo))
                    : amd_sel_2(s, AMD_V_AND_B32, AMD_V1, amd_const(0xffff), lo);
    if (lo.kind == IR_REF_CONST && (lo.id & 0xffff) == 0)
        return high ? amd_sel_2(s, AMD_V_AND_B32, AMD_V1, amd_const(0xffff0000), sel_register(hi))
                    : amd_sel_2(s, AMD_V_LSHLREV_B32, AMD_V1, amd_const(16), hi);
    if (lo.kind == IR_REF_CONST && !high)
        return amd_sel_3(s, AMD_V_LSHL_OR_B32, AMD_V1, hi, amd_const(16),
                         amd_const(lo.id & 0xffff));
    return ir_none();
}

ir_ref
amd_sel_pack(sel *s, ir_ref lo, ir_ref hi)
{
    bool low_half = sel_is_high(lo), high_half = sel_is_high(hi);
    if (lo.kind == IR_REF_CONST && hi.kind == IR_REF_CONST)
        return amd_const((lo.id & 0xffff) | hi.id << 16);
    if (in_place(lo, hi))
        return lo;
    if (amd_is_scalar_ref(lo) && amd_is_scalar_ref(hi))
        return amd_sel_pack_scalars(s, lo, hi);
    if (lo.kind == IR_REF_CONST || hi.kind == IR_REF_CONST) {
        ir_ref r = pack_constant(s, lo, hi);
        if (ir_is_value(r))
            return r;
    } else if (low_half && !high_half) {
        /* the 64 bits of both, hi first, shifted right (RDNA 2 ISA, V_ALIGNBIT_B32) */
        return amd_sel_3(s, AMD_V_ALIGNBIT_B32, AMD_V1, sel_register(hi), sel_register(lo),
                         amd_const(16));
    }
    if (!sel_has(s, AMD_V_PERM_B32)) {
        hi = amd_sel_low(s, hi);
        lo = low_half ? lo : amd_sel_2(s, AMD_V_LSHLREV_B32, AMD_V1, amd_const(16), lo);
        return amd_sel_3(s, AMD_V_ALIGNBIT_B32, AMD_V1, hi, sel_register(lo), amd_const(16));
    }
    /* Bytes 0 to 3 are those of the second operand, 4 to 7 those of the first (RDNA 2 ISA,
     * V_PERM_B32). */
    uint32_t select = (low_half ? 0x0302 : 0x0100) | (high_half ? 0x07060000 : 0x05040000);
    return amd_sel_3(s, AMD_V_PERM_B32, AMD_V1, sel_register(hi), sel_register(lo),
                     amd_const(select));
}

ir_ref
amd_sel_pack_comps(sel *s, ir_ref value, unsigned first)
{
    unsigned n = ir_type_comps(s->hir->values[value.id].type);
    ir_ref lo = amd_sel_get_part(s, value, first);
    if (first + 1 >= n)
        return amd_sel_low(s, lo);
    return amd_sel_pack(s, lo, amd_sel_get_part(s, value, first + 1));
}

void
amd_sel_split_halves(sel *s, ir_ref all, unsigned n, ir_ref *comps)
{
    ir_ref dwords[IR_MAX_COMPS / 2];
    amd_sel_split(s, all, (n + 1) / 2, dwords);
    for (unsigned c = 0; c < n; c++)
        comps[c] = c & 1 ? amd_sel_high(dwords[c / 2]) : dwords[c / 2];
}
