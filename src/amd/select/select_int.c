/* Selection of integer operations that need several instructions. */
#include "amd/select/select_alu.h"
#include "amd/select/select_half.h"

/* ---- 64-bit integers ---- */

/* a + b or a - b on the vector unit in halves, with the carry in a lane mask. */
static ir_ref
add64_vector(sel *s, bool sub, ir_ref a, ir_ref b)
{
    ir_ref parts[2], carry = ir_none();
    for (unsigned h = 0; h < 2; h++) {
        ir_ref x = amd_sel_half(s, a, h), y = amd_sel_as_vgpr(s, amd_sel_half(s, b, h));
        x = h == 1 ? amd_sel_as_vgpr(s, x) : x;
        parts[h] = amd_sel_carry(s, sub, x, y, &carry);
    }
    return amd_sel_pair(s, true, parts[0], parts[1]);
}

static ir_ref
add64_scalar(sel *s, bool sub, ir_ref a, ir_ref b)
{
    ir_ref a1 = amd_sel_half(s, a, 1), b1 = amd_sel_half(s, b, 1), a0 = amd_sel_half(s, a, 0),
           b0 = amd_sel_half(s, b, 0);
    ir_ref lo = amd_sel_2(s, sub ? AMD_S_SUB_U32 : AMD_S_ADD_U32, AMD_S1, a0, b0);
    ir_ref hi = amd_sel_3(s, sub ? AMD_S_SUBB_U32 : AMD_S_ADDC_U32, AMD_S1, a1, b1, amd_sel_scc(s));
    return amd_sel_pair(s, false, lo, hi);
}

static void
select_add64(sel *s, const ir_instr *i, bool sub, ir_ref a, ir_ref b)
{
    amd_sel_set(s, i,
                sel_wants_vgpr(s, i) ? add64_vector(s, sub, a, b) : add64_scalar(s, sub, a, b));
}

/* A product of two 32-bit numbers, which nothing else needs, is added by the multiplication (gfx7
 * on), as fast as either half of the product alone (isa/table/timing.def). */
static bool
select_mad_wide(sel *s, const ir_instr *i)
{
    for (unsigned r = 0; r < 2 && sel_wants_vgpr(s, i); r++) {
        const ir_instr *mul = ir_def_of(s->hir, i->refs[r]);
        bool sign = mul && mul->op == IR_imul_2x32_64;
        if (!mul || (!sign && mul->op != IR_umul_2x32_64) || mul->block != i->block ||
            s->uses[mul->defs[0].id] != 1 || !sel_wants_vgpr(s, mul) ||
            i->refs[!r].kind != IR_REF_VALUE || !sel_has(s, AMD_V_MAD_U64_U32))
            continue;
        ir_ref a = amd_sel_get(s, mul->refs[0]), b = amd_sel_get(s, mul->refs[1]);
        amd_sel_set(s, i, amd_sel_mad_wide(s, sign, a, b, amd_sel_get(s, i->refs[!r])));
        return true;
    }
    return false;
}

/* Logic operations on 64-bit vectors, in halves. */
static void
select_logic64(sel *s, const ir_instr *i)
{
    unsigned op = amd_sel_row(i->op)->v32;
    ir_ref parts[2];
    for (unsigned h = 0; h < 2; h++) {
        ir_ref refs[2];
        for (unsigned r = 0; r < i->n_refs; r++)
            refs[r] = amd_sel_half(s, amd_sel_get(s, i->refs[r]), h);
        parts[h] = amd_sel_emit(s, op, AMD_V1, i->n_refs, refs);
    }
    amd_sel_set(s, i, amd_sel_pair(s, true, parts[0], parts[1]));
}

/* ---- bits ---- */

static void
select_bfe(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_ibitfield_extract;
    ir_ref a = amd_sel_get(s, i->refs[0]), offset = amd_sel_get(s, i->refs[1]),
           count = amd_sel_get(s, i->refs[2]);
    if (sel_bits(s, i->refs[0]) != 32)
        amd_sel_unsupported(
            s, "bit field extraction of other sizes than 32 bits that was not lowered");
    if (sel_wants_vgpr(s, i)) {
        /* The hardware takes the count modulo 32; a count of 32 (with offset 0) selects the value
         * itself. */
        ir_ref r = amd_sel_3(s, sign ? AMD_V_BFE_I32 : AMD_V_BFE_U32, AMD_V1, a, offset, count);
        if (count.kind == IR_REF_CONST) {
            amd_sel_set(s, i, count.id >= 32 ? a : r);
            return;
        }
        ir_ref full = amd_sel_2(s, AMD_V_CMP_LT_U32, s->p->lane_mask, amd_const(31),
                                amd_sel_as_vgpr(s, count));
        amd_sel_set(s, i, amd_sel_cndmask(s, a, r, full));
        return;
    }
    /* s_bfe takes offset and a 7-bit count in one word: offset | count << 16. */
    ir_ref packed;
    if (offset.kind == IR_REF_CONST && count.kind == IR_REF_CONST)
        packed = amd_const((offset.id & 31) | count.id << 16);
    else if (amd_op_number(AMD_S_PACK_LL_B32_B16, AMD_SOP2, s->p->target->gen) >= 0)
        packed = amd_sel_2(s, AMD_S_PACK_LL_B32_B16, AMD_S1, offset, count);
    else
        packed = amd_sel_2(s, AMD_S_OR_B32, AMD_S1,
                           amd_sel_2(s, AMD_S_LSHL_B32, AMD_S1, count, amd_const(16)), offset);
    amd_sel_set(s, i, amd_sel_2(s, sign ? AMD_S_BFE_I32 : AMD_S_BFE_U32, AMD_S1, a, packed));
}

static void
select_bitfield_select(sel *s, const ir_instr *i)
{
    ir_ref m = amd_sel_get(s, i->refs[0]), a = amd_sel_get(s, i->refs[1]),
           b = amd_sel_get(s, i->refs[2]);
    if (amd_sel_def_bits(s, i) == 64)
        amd_sel_unsupported(s, "64-bit bitfield_select that was not lowered");
    if (sel_wants_vgpr(s, i)) {
        amd_sel_set(s, i, amd_sel_3(s, AMD_V_BFI_B32, AMD_V1, m, a, b));
        return;
    }
    ir_ref x = amd_sel_2(s, AMD_S_AND_B32, AMD_S1, a, m),
           y = amd_sel_2(s, AMD_S_ANDN2_B32, AMD_S1, b, m);
    amd_sel_set(s, i, amd_sel_2(s, AMD_S_OR_B32, AMD_S1, x, y));
}

static void
select_bit_count(sel *s, const ir_instr *i)
{
    bool wide = sel_bits(s, i->refs[0]) == 64;
    ir_ref a = amd_sel_source(s, i, 0, SEL_ZEXT);
    if (!sel_wants_vgpr(s, i)) {
        amd_sel_set(s, i,
                    amd_sel_1(s, wide ? AMD_S_BCNT1_I32_B64 : AMD_S_BCNT1_I32_B32, AMD_S1, a));
        return;
    }
    ir_ref lo = wide ? amd_sel_half(s, a, 0) : a;
    ir_ref n = amd_sel_2(s, AMD_V_BCNT_U32_B32, AMD_V1, lo, amd_const(0));
    amd_sel_set(s, i,
                wide ? amd_sel_2(s, AMD_V_BCNT_U32_B32, AMD_V1, amd_sel_half(s, a, 1), n) : n);
}

/* The position of the highest bit (that differs from the sign): 31 - leading bits; -1 if the
 * hardware finds none, which returns -1 then: the difference borrows. */
static void
select_find_msb(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_ifind_msb;
    ir_ref a = amd_sel_source(s, i, 0, sign ? SEL_SEXT : SEL_ZEXT);
    if (sel_bits(s, i->refs[0]) == 64)
        amd_sel_unsupported(s, "64-bit find_msb that was not lowered");
    if (!sel_wants_vgpr(s, i)) {
        ir_ref lead = amd_sel_1(s, sign ? AMD_S_FLBIT_I32 : AMD_S_FLBIT_I32_B32, AMD_S1, a);
        ir_ref pos = amd_sel_2(s, AMD_S_SUB_U32, AMD_S1, amd_const(31), lead);
        amd_sel_set(s, i, amd_sel_3(s, AMD_S_CSELECT_B32, AMD_S1, lead, pos, amd_sel_scc(s)));
        return;
    }
    ir_ref lead = amd_sel_1(s, sign ? AMD_V_FFBH_I32 : AMD_V_FFBH_U32, AMD_V1, a);
    ir_ref none = ir_none(), pos = amd_sel_carry(s, true, amd_const(31), lead, &none);
    amd_sel_set(s, i, amd_sel_cndmask(s, lead, pos, none));
}

static void
select_carry(sel *s, const ir_instr *i)
{
    bool sub = i->op == IR_usub_borrow, vgpr = sel_wants_vgpr(s, i);
    ir_ref a = amd_sel_get(s, i->refs[0]), b = amd_sel_get(s, i->refs[1]);
    if (amd_sel_def_bits(s, i) != 32)
        amd_sel_unsupported(s, "carry of other sizes than 32 bits that was not lowered");
    if (!vgpr) {
        amd_sel_2(s, sub ? AMD_S_SUB_U32 : AMD_S_ADD_U32, AMD_S1, a, b);
        amd_sel_set(
            s, i,
            amd_sel_3(s, AMD_S_CSELECT_B32, AMD_S1, amd_const(1), amd_const(0), amd_sel_scc(s)));
        return;
    }
    ir_ref carry = ir_none();
    amd_sel_carry(s, sub, a, amd_sel_as_vgpr(s, b), &carry);
    amd_sel_set(s, i, amd_sel_cndmask(s, amd_const(1), amd_const(0), carry));
}

static void
select_mul_wide(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_imul_2x32_64, vgpr = sel_wants_vgpr(s, i);
    ir_ref a = amd_sel_get(s, i->refs[0]), b = amd_sel_get(s, i->refs[1]);
    if (!vgpr) {
        ir_ref lo = amd_sel_2(s, AMD_S_MUL_I32, AMD_S1, a, b);
        ir_ref hi = amd_sel_2(s, sign ? AMD_S_MUL_HI_I32 : AMD_S_MUL_HI_U32, AMD_S1, a, b);
        amd_sel_set(s, i, amd_sel_pair(s, false, lo, hi));
        return;
    }
    ir_ref lo = amd_sel_2(s, AMD_V_MUL_LO_U32, AMD_V1, a, b);
    ir_ref hi = amd_sel_2(s, sign ? AMD_V_MUL_HI_I32 : AMD_V_MUL_HI_U32, AMD_V1, a, b);
    amd_sel_set(s, i, amd_sel_pair(s, true, lo, hi));
}

static void
select_pack16(sel *s, const ir_instr *i)
{
    ir_ref a = amd_sel_part(s, i->refs[0]), b = amd_sel_part(s, i->refs[1]);
    amd_sel_set(s, i, sel_wants_vgpr(s, i) ? amd_sel_pack(s, a, b) : amd_sel_pack_scalars(s, a, b));
}

static void
select_extract(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_extract_i8 || i->op == IR_extract_i16;
    unsigned bits = i->op == IR_extract_u8 || i->op == IR_extract_i8 ? 8 : 16;
    ir_ref a = amd_sel_get(s, i->refs[0]), n = amd_sel_get(s, i->refs[1]);
    bool vgpr = sel_wants_vgpr(s, i);
    if (n.kind != IR_REF_CONST)
        amd_sel_unsupported(s, "extract of a part that is not constant");
    unsigned at = n.id * bits % 32;
    if (vgpr)
        amd_sel_set(s, i,
                    amd_sel_3(s, sign ? AMD_V_BFE_I32 : AMD_V_BFE_U32, AMD_V1, a, amd_const(at),
                              amd_const(bits)));
    else
        amd_sel_set(s, i,
                    amd_sel_2(s, sign ? AMD_S_BFE_I32 : AMD_S_BFE_U32, AMD_S1, a,
                              amd_const(at | bits << 16)));
}

static void
select_dot(sel *s, const ir_instr *i)
{
    bool mixed = i->op == IR_sudot_4x8_iadd || i->op == IR_sudot_4x8_iadd_sat;
    bool sign = mixed || i->op == IR_sdot_4x8_iadd || i->op == IR_sdot_4x8_iadd_sat;
    bool sat = i->op == IR_sdot_4x8_iadd_sat || i->op == IR_udot_4x8_uadd_sat ||
               i->op == IR_sudot_4x8_iadd_sat;
    unsigned op = sign ? AMD_V_DOT4_I32_I8 : AMD_V_DOT4_U32_U8, signs = 0;
    ir_ref refs[3] = {amd_sel_get(s, i->refs[0]), amd_sel_get(s, i->refs[1]),
                      amd_sel_get(s, i->refs[2])};
    if (sign && amd_op_number(AMD_V_DOT4_I32_IU8, AMD_VOP3P, s->p->target->gen) >= 0) {
        op = AMD_V_DOT4_I32_IU8;
        signs = mixed ? 1 : 3; /* neg_lo: the source is signed (RDNA3 ISA, V_DOT4_I32_IU8) */
    }
    amd_sel_set(s, i, amd_sel_emit(s, op, AMD_V1, 3, refs));
    if (amd_has(s->p->target, whole_dots))
        amd_sel_modify(s, 7u << AMD_MOD_OPSEL_HI);
    amd_sel_modify(s, signs << AMD_MOD_NEG);
    if (sat)
        amd_sel_modify(s, 1u << AMD_MOD_CLAMP);
}

static void
select_iabs(sel *s, const ir_instr *i)
{
    ir_ref a = amd_sel_source(s, i, 0, SEL_SEXT);
    if (amd_sel_def_bits(s, i) == 64)
        amd_sel_unsupported(s, "64-bit iabs that was not lowered");
    if (!sel_wants_vgpr(s, i)) {
        amd_sel_set(s, i, amd_sel_1(s, AMD_S_ABS_I32, AMD_S1, a));
        return;
    }
    ir_ref n = amd_sel_2(s, AMD_V_SUB_NC_U32, AMD_V1, amd_const(0), a);
    amd_sel_set(s, i, amd_sel_2(s, AMD_V_MAX_I32, AMD_V1, a, n));
}

static void
select_isign(sel *s, const ir_instr *i)
{
    ir_ref a = amd_sel_source(s, i, 0, SEL_SEXT);
    if (amd_sel_def_bits(s, i) == 64)
        amd_sel_unsupported(s, "64-bit isign that was not lowered");
    if (sel_wants_vgpr(s, i)) {
        amd_sel_set(s, i,
                    amd_sel_3(s, AMD_V_MED3_I32, AMD_V1, amd_const(UINT32_MAX), a, amd_const(1)));
        return;
    }
    ir_ref low = amd_sel_2(s, AMD_S_MAX_I32, AMD_S1, a, amd_const(UINT32_MAX));
    amd_sel_set(s, i, amd_sel_2(s, AMD_S_MIN_I32, AMD_S1, low, amd_const(1)));
}

static void
select_saturating(sel *s, const ir_instr *i)
{
    static const struct {
        uint16_t op, valu;
    } ops[] = {{IR_iadd_sat, AMD_V_ADD_NC_I32},
               {IR_uadd_sat, AMD_V_ADD_NC_U32},
               {IR_isub_sat, AMD_V_SUB_NC_I32},
               {IR_usub_sat, AMD_V_SUB_NC_U32}};
    if (amd_sel_def_bits(s, i) != 32)
        amd_sel_unsupported(
            s, "saturating arithmetic of other sizes than 32 bits that was not lowered");
    unsigned k = 0;
    while (ops[k].op != i->op)
        k++;
    ir_ref r = amd_sel_2(s, ops[k].valu, AMD_V1, amd_sel_get(s, i->refs[0]),
                         amd_sel_get(s, i->refs[1]));
    amd_sel_modify(s, 1u << AMD_MOD_CLAMP);
    amd_sel_set(s, i, r);
}

static void
select_find_lsb64(sel *s, const ir_instr *i)
{
    ir_ref a = amd_sel_get(s, i->refs[0]);
    ir_ref lo = amd_sel_1(s, AMD_V_FFBL_B32, AMD_V1, amd_sel_half(s, a, 0));
    ir_ref hi = amd_sel_1(s, AMD_V_FFBL_B32, AMD_V1, amd_sel_half(s, a, 1));
    /* the number is below 32, or "none": all ones, which stays the largest */
    hi = amd_sel_2(s, AMD_V_OR_B32, AMD_V1, amd_const(32), hi);
    amd_sel_set(s, i, amd_sel_2(s, AMD_V_MIN_U32, AMD_V1, lo, hi));
}

bool
amd_sel_int(sel *s, const ir_instr *i)
{
    unsigned bits = amd_sel_def_bits(s, i);
    bool vgpr = sel_wants_vgpr(s, i);
    ir_ref zero = bits == 64 ? amd_const64(0) : amd_const(0);
    switch (i->op) {
    case IR_iadd:
        if (select_mad_wide(s, i))
            return true;
        select_add64(s, i, false, amd_sel_get(s, i->refs[0]), amd_sel_get(s, i->refs[1]));
        return true;
    case IR_isub:
        select_add64(s, i, true, amd_sel_get(s, i->refs[0]), amd_sel_get(s, i->refs[1]));
        return true;
    case IR_ineg:
        if (bits == 64)
            select_add64(s, i, true, zero, amd_sel_get(s, i->refs[0]));
        else
            amd_sel_set(s, i,
                        amd_sel_2(s, vgpr ? AMD_V_SUB_NC_U32 : AMD_S_SUB_U32,
                                  vgpr ? AMD_V1 : AMD_S1, zero, amd_sel_get(s, i->refs[0])));
        return true;
    case IR_iand:
    case IR_ior:
    case IR_ixor:
    case IR_inot: select_logic64(s, i); return true;
    case IR_iabs: select_iabs(s, i); return true;
    case IR_isign: select_isign(s, i); return true;
    case IR_iadd_sat:
    case IR_uadd_sat:
    case IR_isub_sat:
    case IR_usub_sat: select_saturating(s, i); return true;
    case IR_uadd_carry:
    case IR_usub_borrow: select_carry(s, i); return true;
    case IR_imul_2x32_64:
    case IR_umul_2x32_64: select_mul_wide(s, i); return true;
    case IR_ubitfield_extract:
    case IR_ibitfield_extract: select_bfe(s, i); return true;
    case IR_bitfield_select: select_bitfield_select(s, i); return true;
    case IR_bit_count: select_bit_count(s, i); return true;
    case IR_find_lsb: select_find_lsb64(s, i); return true;
    case IR_ufind_msb:
    case IR_ifind_msb: select_find_msb(s, i); return true;
    case IR_pack_64_2x32:
        amd_sel_set(s, i,
                    amd_sel_pair(s, vgpr, amd_sel_get(s, i->refs[0]), amd_sel_get(s, i->refs[1])));
        return true;
    case IR_unpack_64_2x32_x:
    case IR_unpack_64_2x32_y:
        amd_sel_set(s, i,
                    amd_sel_half(s, amd_sel_get(s, i->refs[0]), i->op == IR_unpack_64_2x32_y));
        return true;
    case IR_pack_32_2x16: select_pack16(s, i); return true;
    case IR_unpack_32_2x16_x: amd_sel_set(s, i, amd_sel_get(s, i->refs[0])); return true;
    case IR_unpack_32_2x16_y:
        amd_sel_set(s, i,
                    vgpr ? amd_sel_high(amd_sel_as_vgpr(s, amd_sel_get(s, i->refs[0])))
                         : amd_sel_high_here(s, amd_sel_get(s, i->refs[0])));
        return true;
    case IR_extract_u8:
    case IR_extract_i8:
    case IR_extract_u16:
    case IR_extract_i16: select_extract(s, i); return true;
    case IR_sdot_4x8_iadd:
    case IR_udot_4x8_uadd:
    case IR_sudot_4x8_iadd:
    case IR_sdot_4x8_iadd_sat:
    case IR_udot_4x8_uadd_sat:
    case IR_sudot_4x8_iadd_sat: select_dot(s, i); return true;
    default: return false;
    }
}
