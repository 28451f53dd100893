/* Rules for bit fields and bytes. */
#include "amd/opt/combine.h"

/* The byte of its operand that `i` extracts, or -1; `*of` is the index of the operand. */
static int
extracted_byte(const ir_instr *i, unsigned *of)
{
    const ir_ref *r = i->refs;
    bool constant = i->n_refs && r[0].kind == IR_REF_CONST;
    *of = i->op == AMD_V_AND_B32 ? constant : i->op != AMD_V_BFE_U32;
    switch (i->op) {
    case AMD_V_BFE_U32:
        return r[1].kind == IR_REF_CONST && r[1].id % 8 == 0 && r[1].id < 32 &&
                       mopt_is_const(r[2], 8)
                   ? (int)(r[1].id / 8)
                   : -1;
    case AMD_V_AND_B32: return mopt_is_const(r[!*of], 0xff) ? 0 : -1;
    case AMD_V_LSHRREV_B32: return constant && r[0].id == 24 ? 3 : -1;
    default: return -1;
    }
}

/* v_cvt_f32_u32 of an extracted byte becomes v_cvt_f32_ubyte, also if others use the byte: the
 * conversions do not wait for it then. */
bool
amd_opt_byte(mopt_ctx *c, ir_instr *i)
{
    const ir_instr *inner = cg_def_of(&c->uses, i->refs[0]);
    unsigned of;
    if (!inner || mopt_has_words(inner) || !cg_can_move_refs(inner, i) ||
        ir_words(i)[0] | ir_words(i)[1] | ir_words(i)[2])
        return false;
    int byte = extracted_byte(inner, &of);
    if (byte < 0 || inner->refs[of].kind != IR_REF_VALUE)
        return false;
    return amd_opt_become(c, i, (unsigned)(AMD_V_CVT_F32_UBYTE0 + byte), 1, &inner->refs[of]);
}

static bool
is_mask(ir_ref r)
{
    return r.kind == IR_REF_CONST && r.id && (r.id & (r.id + 1)) == 0;
}

static bool
is_right_shift(unsigned op, bool vector, bool sign)
{
    if (sign)
        return op == (vector ? AMD_V_ASHRREV_I32 : AMD_S_ASHR_I32);
    return op == (vector ? AMD_V_LSHRREV_B32 : AMD_S_LSHR_B32);
}

/* A mask of low bits after a right shift becomes a bit field extract, also after an arithmetic one
 * whose copies of the sign the mask removes. */
bool
amd_opt_field(mopt_ctx *c, ir_instr *i)
{
    bool vector = i->op == AMD_V_AND_B32;
    unsigned at = is_mask(i->refs[0]);
    if (!is_mask(i->refs[!at]) || mopt_has_words(i))
        return false;
    const ir_instr *inner = amd_opt_inner(c, i, i->refs[at]);
    bool sign = inner && is_right_shift(inner->op, vector, true);
    if (!inner || (!sign && !is_right_shift(inner->op, vector, false)))
        return false;
    ir_ref shift = inner->refs[!vector], from = inner->refs[vector];
    uint32_t bits = base_bit_width(i->refs[!at].id);
    if (shift.kind != IR_REF_CONST || shift.id > 31 || from.kind != IR_REF_VALUE ||
        (sign && shift.id + bits > 32))
        return false;
    ir_ref refs[3] = {from, amd_const(shift.id), amd_const(bits)};
    if (!vector) /* the offset and the number of bits share one word */
        refs[1] = amd_const(shift.id | bits << 16);
    return amd_opt_become(c, i, vector ? AMD_V_BFE_U32 : AMD_S_BFE_U32, vector ? 3 : 2, refs);
}

/* A shift to the left and one to the right by no fewer bits extract a bit field. */
bool
amd_opt_two_shifts(mopt_ctx *c, ir_instr *i)
{
    bool vector = amd_words_of(i->op) == AMD_WORDS_VALU, sign = is_right_shift(i->op, vector, true);
    const ir_instr *inner = amd_opt_inner(c, i, i->refs[vector]);
    if (mopt_has_words(i) || !inner || inner->op != (vector ? AMD_V_LSHLREV_B32 : AMD_S_LSHL_B32))
        return false;
    ir_ref right = i->refs[!vector], left = inner->refs[!vector], from = inner->refs[vector];
    if (right.kind != IR_REF_CONST || left.kind != IR_REF_CONST || from.kind != IR_REF_VALUE ||
        right.id > 31 || left.id > right.id)
        return false;
    uint32_t at = right.id - left.id, bits = 32 - right.id;
    if (vector)
        return amd_opt_become(c, i, sign ? AMD_V_BFE_I32 : AMD_V_BFE_U32, 3,
                              (ir_ref[]){from, amd_const(at), amd_const(bits)});
    return amd_opt_become(c, i, sign ? AMD_S_BFE_I32 : AMD_S_BFE_U32, 2,
                          (ir_ref[]){from, amd_const(at | bits << 16)});
}

/* A bit field of what was shifted to the right is a field of the number itself, also if others use
 * the shifted number: the field does not wait for it then. The highest bits are a shift. */
bool
amd_opt_shifted_field(mopt_ctx *c, ir_instr *i)
{
    const ir_instr *inner = cg_def_of(&c->uses, i->refs[0]);
    const ir_ref *r = i->refs;
    if (mopt_has_words(i) || r[1].kind != IR_REF_CONST || r[2].kind != IR_REF_CONST || !inner ||
        inner->op != AMD_V_LSHRREV_B32 || mopt_has_words(inner) || !cg_can_move_refs(inner, i))
        return false;
    ir_ref count = inner->refs[0], from = inner->refs[1];
    bool sign = i->op == AMD_V_BFE_I32;
    uint32_t at = count.id + r[1].id;
    if (count.kind != IR_REF_CONST || from.kind != IR_REF_VALUE || count.id > 31 || r[1].id > 31 ||
        !r[2].id || r[2].id > 31 || at + r[2].id > 32)
        return false;
    if (at + r[2].id == 32)
        return amd_opt_become(c, i, sign ? AMD_V_ASHRREV_I32 : AMD_V_LSHRREV_B32, 2,
                              (ir_ref[]){amd_const(at), from});
    return amd_opt_become(c, i, i->op, 3, (ir_ref[]){from, amd_const(at), r[2]});
}

/* ---- two halves of an "or" ---- */

/* The instructions that compute the operands of `i`, an "or", if nothing else uses them and they
 * are `op` (0: any). */
static bool
two_parts(const mopt_ctx *c, const ir_instr *i, unsigned op, const ir_instr *part[2])
{
    if (mopt_has_words(i))
        return false;
    for (unsigned r = 0; r < 2; r++) {
        part[r] = amd_opt_inner(c, i, i->refs[r]);
        if (!part[r] || (op && part[r]->op != op))
            return false;
    }
    return true;
}

/* The operand of the "and" `a` that is m, if one of `b` is ~m; else -1. */
static int
inverted_operand(const mopt_ctx *c, const ir_instr *i, const ir_instr *a, const ir_instr *b,
                 unsigned *inverse)
{
    for (unsigned k = 0; k < 4; k++) {
        const ir_instr *not = cg_def_of(&c->uses, b->refs[k & 1]);
        if (!not || not ->op != AMD_V_NOT_B32 || mopt_has_words(not ) || !cg_can_move_refs(not, i))
            continue;
        *inverse = k & 1;
        if (ir_is_value(a->refs[k >> 1]) && ir_same_ref(a->refs[k >> 1], not ->refs[0]))
            return (int)(k >> 1);
    }
    return -1;
}

/* (a & m) | (b & ~m) where ~m is computed. */
static bool
select_by_inverse(mopt_ctx *c, ir_instr *i, const ir_instr *const part[2])
{
    for (unsigned r = 0; r < 2; r++) {
        const ir_instr *a = part[r], *b = part[1 - r];
        unsigned inverse = 0;
        int m = inverted_operand(c, i, a, b, &inverse);
        if (m >= 0)
            return amd_opt_become(c, i, AMD_V_BFI_B32, 3,
                                  (ir_ref[]){a->refs[m], a->refs[!m], b->refs[!inverse]});
    }
    return false;
}

/* (a & m) | (b & ~m) is a selection of bits. */
bool
amd_opt_select_bits(mopt_ctx *c, ir_instr *i)
{
    const ir_instr *part[2];
    ir_ref refs[3];
    uint32_t mask[2];
    if (!two_parts(c, i, AMD_V_AND_B32, part))
        return false;
    if (select_by_inverse(c, i, part))
        return true;
    for (unsigned r = 0; r < 2; r++) {
        unsigned at = part[r]->refs[0].kind != IR_REF_CONST;
        if (part[r]->refs[at].kind != IR_REF_CONST || part[r]->refs[!at].kind == IR_REF_CONST)
            return false;
        mask[r] = part[r]->refs[at].id;
        refs[1 + r] = part[r]->refs[!at];
    }
    if (mask[0] != ~mask[1])
        return false;
    amd_gen gen = c->p->target->gen;
    bool swap = amd_is_literal(gen, amd_const(mask[0]), AMD_T_B32) &&
                !amd_is_literal(gen, amd_const(mask[1]), AMD_T_B32);
    refs[0] = amd_const(mask[swap]);
    if (swap) {
        ir_ref t = refs[1];
        refs[1] = refs[2];
        refs[2] = t;
    }
    return amd_opt_become_literal(c, i, AMD_V_BFI_B32, refs, part[0]);
}

/* ((a ^ b) & m) ^ b is a selection of bits, too: of a where m has ones. */
bool
amd_opt_select_xor(mopt_ctx *c, ir_instr *i)
{
    for (unsigned k = 0; k < 8 && !mopt_has_words(i); k++) {
        unsigned at = k & 1, mask = k >> 1 & 1, other = k >> 2;
        const ir_instr *masked = amd_opt_inner(c, i, i->refs[at]);
        const ir_instr *mixed = masked && masked->op == AMD_V_AND_B32
                                    ? amd_opt_inner(c, i, masked->refs[!mask])
                                    : NULL;
        if (mixed && mixed->op == AMD_V_XOR_B32 && ir_same_ref(mixed->refs[!other], i->refs[!at]))
            return amd_opt_become_literal(
                c, i, AMD_V_BFI_B32,
                (ir_ref[]){masked->refs[mask], mixed->refs[other], i->refs[!at]}, masked);
    }
    return false;
}

/* Are the two parts a shift to the left and one to the right? */
static bool
find_shifts(mopt_ctx *c, const ir_instr *i, const ir_instr **left, const ir_instr **right)
{
    const ir_instr *part[2];
    if (!two_parts(c, i, 0, part))
        return false;
    unsigned high = part[0]->op != AMD_V_LSHLREV_B32;
    *left = part[high];
    *right = part[!high];
    return (*left)->op == AMD_V_LSHLREV_B32 && (*right)->op == AMD_V_LSHRREV_B32;
}

/* (a << 32 - n) | (b >> n) are 32 bits of a pair (RDNA 2 ISA, V_ALIGNBIT_B32). */
bool
amd_opt_align(mopt_ctx *c, ir_instr *i)
{
    const ir_instr *a, *b;
    if (!find_shifts(c, i, &a, &b) || a->refs[0].kind != IR_REF_CONST ||
        b->refs[0].kind != IR_REF_CONST || !b->refs[0].id || a->refs[0].id > 31 ||
        a->refs[0].id + b->refs[0].id != 32)
        return false;
    ir_ref refs[3] = {a->refs[1], b->refs[1], b->refs[0]};
    return amd_opt_become(c, i, AMD_V_ALIGNBIT_B32, 3, refs);
}

/* Is one count of bits the other one taken from 32, or another multiple of it? */
static bool
is_rest(const mopt_ctx *c, ir_ref of, ir_ref count)
{
    const ir_instr *sub = cg_def_of(&c->uses, count);
    bool is = sub && (sub->op == AMD_V_SUB_NC_U32 || sub->op == AMD_V_SUB_CO_U32 ||
                      sub->op == AMD_S_SUB_I32 || sub->op == AMD_S_SUB_U32);
    return is && !mopt_has_words(sub) && sub->refs[0].kind == IR_REF_CONST &&
           sub->refs[0].id % 32 == 0 && ir_is_value(of) && ir_same_ref(sub->refs[1], of);
}

/* (a << n) | (a >> 32 - n) turns a; shifts use the low five bits of their counts. */
bool
amd_opt_rotate(mopt_ctx *c, ir_instr *i)
{
    const ir_instr *a, *b;
    if (!find_shifts(c, i, &a, &b) || !ir_same_ref(a->refs[1], b->refs[1]) ||
        (!is_rest(c, a->refs[0], b->refs[0]) && !is_rest(c, b->refs[0], a->refs[0])))
        return false;
    return amd_opt_become(c, i, AMD_V_ALIGNBIT_B32, 3,
                          (ir_ref[]){b->refs[1], b->refs[1], b->refs[0]});
}

/* ---- counts ---- */

/* `i` becomes the count `op`, which the program has already, of `of`, and adds `n`. */
static bool
count_from(mopt_ctx *c, ir_instr *i, unsigned op, ir_ref of, ir_ref n)
{
    ir_ref refs[2] = {of, n};
    if (!amd_sources_fit(c->p->target->gen, op, 2, refs))
        return false;
    cg_set_refs(&c->uses, i, 2, refs);
    i->op = (uint16_t)op;
    return true;
}

/* Counts of bits add a number: one bit count any, a count of lower lanes a constant, before its
 * first half. These may read exec, which is the same in the whole block. */
bool
amd_opt_add_count(mopt_ctx *c, ir_instr *i)
{
    for (unsigned n = 0; n < 2 && i->n_defs == 1; n++) {
        ir_instr *count = cg_single_def(&c->uses, i->refs[n]), *low = count;
        ir_ref other = i->refs[!n];
        if (!count || count->block != i->block || mopt_has_words(count) || mopt_has_words(i))
            continue;
        if (count->op == AMD_V_BCNT_U32_B32 && mopt_is_const(count->refs[1], 0))
            return count_from(c, i, count->op, count->refs[0], other);
        if (count->op == AMD_V_MBCNT_HI_U32_B32)
            low = cg_single_def(&c->uses, count->refs[1]);
        if (!low || low->op != AMD_V_MBCNT_LO_U32_B32 || low->block != i->block ||
            other.kind != IR_REF_CONST || !mopt_is_const(low->refs[1], 0))
            continue;
        if (low == count)
            return count_from(c, i, low->op, low->refs[0], other);
        /* the second one's sources are legal already */
        return count_from(c, low, low->op, low->refs[0], other) &&
               count_from(c, i, count->op, count->refs[0], count->refs[1]);
    }
    return false;
}
