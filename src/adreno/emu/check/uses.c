#include "adreno/emu/check/uses.h"

#include "adreno/emu/alu/alu.h"
#include "adreno/isa/text/text.h"

static void
add(adreno_uses *u, unsigned reg, unsigned count, bool half, bool write)
{
    if (count && reg < ADRENO_NUMBER_NONE && u->n < ADRENO_MAX_USES)
        u->list[u->n++] = (adreno_use){
            .reg = (uint16_t)reg, .count = (uint8_t)count, .half = half, .write = write};
}

/* ---- categories 1 to 4 ---- */

/* Weights are two registers. */
static unsigned
source_count(const adreno_inst *in, unsigned index)
{
    return in->op == ADRENO_BARY_F && index ? 2 : 1;
}

static void
add_source(const adreno_isa *t, const adreno_inst *in, unsigned index, bool half, adreno_uses *u)
{
    static const adreno_field flags[] = {ADRENO_F_r1, ADRENO_F_r2, ADRENO_F_r3};
    const adreno_source s = adreno_source_of(t, in, index);
    if (s.kind == ADRENO_S_CONST)
        adreno_add_consts(&u->consts, (uint32_t)s.value, 1 + in->f[ADRENO_F_repeat]);
    if (s.kind == ADRENO_S_CONST_REL)
        adreno_add_consts(&u->consts, 0, ADRENO_EMU_CONSTS);
    if (s.kind == ADRENO_S_REG_REL || s.kind == ADRENO_S_CONST_REL)
        add(u, ADRENO_NUMBER_A0, 1, true, false);
    if (s.kind != ADRENO_S_REG)
        return;
    add(u, (unsigned)s.value, source_count(in, index), half, false);
    if (u->n) {
        u->list[u->n - 1].index = (uint8_t)index;
        u->list[u->n - 1].steps = in->f[ADRENO_F_repeat] && in->f[flags[index]];
    }
}

static void
add_result(const adreno_inst *in, unsigned category, adreno_uses *u)
{
    const bool is_address = in->op == ADRENO_MOVA || in->op == ADRENO_MOVA1;
    const bool is_dp = adreno_op_row(in->op)->format == ADRENO_FMT_CAT3_DP;
    unsigned dst = in->f[ADRENO_F_dst];
    if (is_address)
        dst = ADRENO_NUMBER_A0 + (in->op == ADRENO_MOVA1);
    else if (category == 2 && dst >= ADRENO_NUMBER_A0 && dst < ADRENO_NUMBER_P0)
        dst += ADRENO_NUMBER_P0 - ADRENO_NUMBER_A0;
    if (in->f[ADRENO_F_dst_rel]) {
        add(u, ADRENO_NUMBER_A0, 1, true, false);
        return;
    }
    const adreno_size_rule rule = category == 1 ? ADRENO_BY_DTYPE : ADRENO_BY_DST;
    add(u, dst, 1, is_address || (!is_dp && adreno_is_half(in, rule)), true);
    if (u->n)
        u->list[u->n - 1].steps = in->f[ADRENO_F_repeat] != 0;
}

static void
find_move(const adreno_inst *in, adreno_uses *u)
{
    static const adreno_field srcs[] = {ADRENO_F_src, ADRENO_F_src1, ADRENO_F_src2, ADRENO_F_src3};
    static const adreno_field dsts[] = {ADRENO_F_dst, ADRENO_F_dst1, ADRENO_F_dst2, ADRENO_F_dst3};
    const bool from = adreno_is_half(in, ADRENO_BY_STYPE), to = adreno_is_half(in, ADRENO_BY_DTYPE);
    const unsigned n = in->op == ADRENO_SWZ ? 2 : 4;
    if (in->op == ADRENO_MOVMSK) {
        add(u, in->f[ADRENO_F_dst], in->f[ADRENO_F_width] + 1, false, true);
        return;
    }
    if (in->op == ADRENO_MOVS) {
        add(u, in->f[ADRENO_F_src], 1, from, false);
        add(u, in->f[ADRENO_F_dst], 1, to, true);
        return;
    }
    if (in->op == ADRENO_SCT)
        add(u, in->f[ADRENO_F_src], n, from, false);
    else
        for (unsigned i = 0; i < n; i++)
            add(u, in->f[srcs[i]], 1, from, false);
    if (in->op == ADRENO_GAT)
        add(u, in->f[ADRENO_F_dst], n, to, true);
    else
        for (unsigned i = 0; i < n; i++)
            add(u, in->f[in->op == ADRENO_SWZ && i ? ADRENO_F_dst2 : dsts[i]], 1, to, true);
}

static void
find_alu(const adreno_isa *t, const adreno_inst *in, unsigned category, adreno_uses *u)
{
    const bool is_address = in->op == ADRENO_MOVA || in->op == ADRENO_MOVA1;
    const adreno_size_rule rule = category == 1 ? ADRENO_BY_STYPE : ADRENO_BY_SRC;
    switch (in->op) {
    case ADRENO_SWZ:
    case ADRENO_GAT:
    case ADRENO_SCT:
    case ADRENO_MOVMSK:
    case ADRENO_MOVS: find_move(in, u); return;
    default: break;
    }
    for (unsigned i = 0; i < adreno_count_sources(in); i++)
        add_source(t, in, i, is_address || adreno_is_half(in, rule), u);
    add_result(in, category, u);
}

/* ---- the others ---- */

static void
find_texture(const adreno_inst *in, adreno_uses *u)
{
    const adreno_op_info *row = adreno_op_row(in->op);
    const bool half = !in->f[ADRENO_F_full], is_3d = in->f[ADRENO_F_d3];
    const bool is_gradient = in->op == ADRENO_SAMGQ || in->op == ADRENO_SAMGQ_ANY;
    unsigned n1 = (is_3d ? 3 : 2) + in->f[ADRENO_F_a] + (in->f[ADRENO_F_sv] != 0), n2 = 1;
    n1 += in->op == ADRENO_ISAMM || in->op == ADRENO_ISAMM_ANY; /* the sample */
    if (is_gradient)
        n1 = 4 + 2 * (is_3d ? 3 : 2);
    if (!adreno_field_width(adreno_format_of(in->op), ADRENO_F_samp) &&
        !adreno_field_width(adreno_format_of(in->op), ADRENO_F_mode))
        n1 = 1; /* exchanges */
    if (!(row->properties & ADRENO_TEX && row->properties & ADRENO_SAMP))
        n1 = 1;
    if ((in->op == ADRENO_ISAM || in->op == ADRENO_ISAM_ANY) && in->f[ADRENO_F_sv])
        n1 = 1;
    if (in->f[ADRENO_F_o])
        n2 = (is_3d ? 3 : 2) + (row->properties & ADRENO_SRC2 ? 1 : 0);
    if (row->properties & (ADRENO_SRC1 | ADRENO_SRC2))
        add(u, in->f[ADRENO_F_src1], n1, half, false);
    if (row->properties & ADRENO_SRC2 || in->f[ADRENO_F_o])
        add(u, in->f[ADRENO_F_src2], n2, half, false);
    if (adreno_field_width(adreno_format_of(in->op), ADRENO_F_mode) &&
        adreno_is_indirect(in->f[ADRENO_F_mode]))
        add(u, in->f[ADRENO_F_src3], 2, !adreno_is_bindless(in->f[ADRENO_F_mode]), false);
    /* the second half of a fine derivative writes what the first one does */
    for (unsigned i = 0; i < 4 && !in->f[ADRENO_F_p]; i++)
        if (in->f[ADRENO_F_mask] >> i & 1)
            add(u, in->f[ADRENO_F_dst] + i, 1, adreno_is_half_type(in->f[ADRENO_F_type]), true);
}

/* A descriptor's number in a register. */
static void
add_place(const adreno_inst *in, adreno_uses *u)
{
    if (in->f[ADRENO_F_mode])
        add(u, in->f[ADRENO_F_uav], 1, false, false);
}

static void
find_described(const adreno_inst *in, adreno_uses *u)
{
    const bool half = adreno_is_half_type(in->f[ADRENO_F_type]);
    const unsigned coords = in->f[ADRENO_F_typed] ? in->f[ADRENO_F_dims] + 1 : 1;
    const unsigned words = adreno_atomic_words(in->f[ADRENO_F_type]);
    add_place(in, u);
    switch (in->op) {
    case ADRENO_LDIB_B:
        add(u, in->f[ADRENO_F_src2], coords, false, false);
        add(u, in->f[ADRENO_F_src1], in->f[ADRENO_F_elems] + 1, half, true);
        break;
    case ADRENO_STIB_B:
        add(u, in->f[ADRENO_F_src2], coords, false, false);
        add(u, in->f[ADRENO_F_src1], in->f[ADRENO_F_elems] + 1, half, false);
        break;
    case ADRENO_RESINFO_B:
        add(u, in->f[ADRENO_F_dst], in->f[ADRENO_F_dims] + 1, false, true);
        break;
    case ADRENO_LDC:
    case ADRENO_LDC_K:
        if (!in->f[ADRENO_F_im1])
            add(u, in->f[ADRENO_F_src1], 1, false, false);
        if (in->op == ADRENO_LDC)
            add(u, in->f[ADRENO_F_dst], in->f[ADRENO_F_elems] + 1, false, true);
        else
            add(u, ADRENO_NUMBER_A0 + 1, 1, true, false);
        break;
    default: /* atomics: result, data, what is compared with */
        add(u, in->f[ADRENO_F_src2], coords, false, false);
        add(u, in->f[ADRENO_F_src1] + words, in->op == ADRENO_ATOMIC_B_CMPXCHG ? 2 * words : words,
            false, false);
        add(u, in->f[ADRENO_F_src1], words, false, true);
        break;
    }
}

/* Registers of an address. */
static unsigned
address_words(const adreno_isa *t)
{
    return t->gen >= 5 ? 2 : 1;
}

/* Buffers that have numbers. */
static void
find_slot(const adreno_isa *t, const adreno_inst *in, adreno_uses *u)
{
    const bool half = adreno_is_half_type(in->f[ADRENO_F_type]);
    const unsigned n = in->f[ADRENO_F_elems] + 1;
    const bool swaps = in->op == ADRENO_ATOMIC_S_CMPXCHG || in->op == ADRENO_ATOMIC_S5_CMPXCHG;
    const unsigned coords = in->f[ADRENO_F_dims] < 3 ? in->f[ADRENO_F_dims] + 1
                                                     : 1; /* .4d: an offset */
    if (!in->f[ADRENO_F_im2])
        add(u, in->f[ADRENO_F_src2], coords, false, false);
    switch (in->op) {
    case ADRENO_LDIB:
    case ADRENO_LDGB:
    case ADRENO_LDGB5:
        add(u, in->f[ADRENO_F_src1], address_words(t), false, false);
        add(u, in->f[ADRENO_F_dst], n, half, true);
        break;
    case ADRENO_STIB_OLD:
    case ADRENO_STIB5:
    case ADRENO_STGB:
    case ADRENO_STGB5:
        add(u, in->f[ADRENO_F_src3], address_words(t), false, false);
        add(u, in->f[ADRENO_F_src1], n, half, false);
        break;
    default:
        add(u, in->f[ADRENO_F_src3], address_words(t), false, false);
        add(u, in->f[ADRENO_F_src1], swaps ? 2 : 1, false, false);
        add(u, in->f[ADRENO_F_dst], 1, false, true);
        break;
    }
}

/* Address, number of the node, ray, flags. */
static void
find_ray(const adreno_inst *in, adreno_uses *u)
{
    if (in->f[ADRENO_F_c1])
        adreno_add_consts(&u->consts, in->f[ADRENO_F_src1], 2);
    else
        add(u, in->f[ADRENO_F_src1], 2, false, false);
    add(u, in->f[ADRENO_F_src2], 1, false, false);
    add(u, in->f[ADRENO_F_src3], 8, false, false);
    add(u, in->f[ADRENO_F_src4], 1, false, false);
    add(u, in->f[ADRENO_F_dst], 5, false, true);
}

static void
find_memory(const adreno_isa *t, const adreno_inst *in, adreno_uses *u)
{
    const bool half = adreno_is_half_type(in->f[ADRENO_F_type]);
    const unsigned n = in->f[ADRENO_F_size];
    switch (in->op) {
    case ADRENO_LDG:
        add(u, in->f[ADRENO_F_src1], address_words(t), false, false);
        add(u, in->f[ADRENO_F_dst], n, half, true);
        break;
    case ADRENO_STG:
        add(u, in->f[ADRENO_F_src1], address_words(t), false, false);
        add(u, in->f[ADRENO_F_src3], n, half, false);
        break;
    case ADRENO_LDL:
    case ADRENO_LDLW:
    case ADRENO_LDP:
        add(u, in->f[ADRENO_F_src1], 1, false, false);
        add(u, in->f[ADRENO_F_dst], n, half, true);
        break;
    case ADRENO_STL:
    case ADRENO_STLW:
    case ADRENO_STP:
        add(u, in->f[ADRENO_F_src1], 1, false, false);
        add(u, in->f[ADRENO_F_src2], n, half, false);
        break;
    case ADRENO_STC: add(u, in->f[ADRENO_F_src1], n, false, false); break;
    case ADRENO_SHFL:
        add(u, in->f[ADRENO_F_src1], 1, half, false);
        if (!in->f[ADRENO_F_im2])
            add(u, in->f[ADRENO_F_src2], 1, false, false);
        add(u, in->f[ADRENO_F_dst], 1, half, true);
        break;
    case ADRENO_RAY_INTERSECTION: find_ray(in, u); break;
    case ADRENO_LDLV: add(u, in->f[ADRENO_F_dst], n, half, true); break;
    case ADRENO_GETFIBERID:
    case ADRENO_GETSPID:
    case ADRENO_GETWID: add(u, in->f[ADRENO_F_dst], 1, half, true); break;
    default: break;
    }
}

static void
find_atomic(const adreno_inst *in, adreno_uses *u)
{
    const bool is_local = adreno_op_row(in->op)->format == ADRENO_FMT_CAT6_ATOMIC_L;
    const bool swaps = in->op == ADRENO_ATOMIC_CMPXCHG || in->op == ADRENO_ATOMIC_G_CMPXCHG;
    if (!in->f[ADRENO_F_im1])
        add(u, in->f[ADRENO_F_src1], is_local ? 1 : 2, false, false);
    add(u, in->f[ADRENO_F_src2], swaps ? 2 : 1, false, false);
    add(u, in->f[ADRENO_F_dst], 1, false, true);
}

static void
find_flow(const adreno_inst *in, adreno_uses *u)
{
    switch (in->op) {
    case ADRENO_BRAO:
    case ADRENO_BRAA:
        add(u, ADRENO_NUMBER_P0 + in->f[ADRENO_F_comp2], 1, false, false);
        add(u, ADRENO_NUMBER_P0 + in->f[ADRENO_F_comp1], 1, false, false);
        break;
    case ADRENO_BR:
    case ADRENO_BANY:
    case ADRENO_BALL:
    case ADRENO_KILL: add(u, ADRENO_NUMBER_P0 + in->f[ADRENO_F_comp1], 1, false, false); break;
    case ADRENO_PREDT:
    case ADRENO_PREDF: add(u, ADRENO_NUMBER_P0, 1, false, false); break;
    default: break;
    }
}

void
adreno_find_uses(const adreno_isa *t, const adreno_inst *in, adreno_uses *out)
{
    const unsigned category = (unsigned)(t->value[in->op] >> 61);
    const unsigned format = adreno_op_row(in->op)->format;
    *out = (adreno_uses){0};
    switch (category) {
    case 0: find_flow(in, out); break;
    case 1:
    case 2:
    case 3:
    case 4: find_alu(t, in, category, out); break;
    case 5: find_texture(in, out); break;
    case 7:
        if (in->op == ADRENO_ALIAS && adreno_read_move(in).kind == ADRENO_S_CONST)
            adreno_add_consts(&out->consts, (uint32_t)adreno_read_move(in).value, 1);
        break;
    case 6:
        if (format == ADRENO_FMT_CAT6_ATOMIC_L || format == ADRENO_FMT_CAT6_ATOMIC_G)
            find_atomic(in, out);
        else if (adreno_field_width(adreno_format_of(in->op), ADRENO_F_bindless))
            find_described(in, out);
        else if (adreno_field_width(adreno_format_of(in->op), ADRENO_F_uav_im) && t->gen < 6)
            find_slot(t, in, out);
        else
            find_memory(t, in, out);
        break;
    default: break;
    }
}
