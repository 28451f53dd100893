/* Rules that depend on the ranges of values: known bits and constants. */
#include "amd/opt/combine.h"

#include "base/bits.h"

/* Does a shift or a field by constants leave a number of
 * 24 bits with its sign? */
static bool
leaves_24(const ir_instr *def)
{
    const ir_ref *r = def->refs;
    switch (def->op) {
    case AMD_V_BFE_I32: return r[2].kind == IR_REF_CONST && r[2].id <= 24;
    case AMD_V_ASHRREV_I32: return r[0].kind == IR_REF_CONST && r[0].id >= 8 && r[0].id < 32;
    case AMD_S_ASHR_I32: return r[1].kind == IR_REF_CONST && r[1].id >= 8 && r[1].id < 32;
    case AMD_S_BFE_I32: return r[1].kind == IR_REF_CONST && (r[1].id >> 16 & 0x7f) <= 24;
    default: return false;
    }
}

/* Is `r` a number of 24 bits with its sign, which is extended to 32? */
static bool
is_signed_24(const mopt_ctx *c, ir_ref r)
{
    if (r.kind == IR_REF_CONST)
        return (int32_t)r.id >= -(1 << 23) && (int32_t)r.id < 1 << 23;
    const ir_instr *def = cg_def_of(&c->uses, r);
    if (!def || !def->n_defs || def->defs[0].id != r.id)
        return false;
    switch (def->op) {
    case AMD_S_SEXT_I32_I8:
    case AMD_S_SEXT_I32_I16:
    case AMD_BUFFER_LOAD_SBYTE:
    case AMD_BUFFER_LOAD_SSHORT:
    case AMD_GLOBAL_LOAD_SBYTE:
    case AMD_GLOBAL_LOAD_SSHORT:
    case AMD_DS_READ_I8:
    case AMD_DS_READ_I16: return true;
    default: return !mopt_has_words(def) && leaves_24(def);
    }
}

/* A product of factors below 2^24 is computed four times as fast, and may absorb an addition (RDNA
 * 2 ISA, V_MUL_U32_U24: the low 32 bits). So is one of numbers with signs (V_MUL_I32_I24). */
bool
amd_opt_multiply(mopt_ctx *c, ir_instr *i)
{
    ir_ref refs[2] = {i->refs[0], i->refs[1]};
    bool small[2], sign[2];
    for (unsigned r = 0; r < 2; r++) {
        uint32_t bits = amd_opt_possible_bits(c, refs[r]);
        small[r] = bits >> 24 == 0;
        sign[r] = bits >> 23 == 0 || is_signed_24(c, refs[r]);
    }
    if (small[0] && small[1])
        return amd_opt_become(c, i, AMD_V_MUL_U32_U24, 2, refs);
    return sign[0] && sign[1] && amd_opt_become(c, i, AMD_V_MUL_I32_I24, 2, refs);
}

/* x * (2^n + 1) = (x << n) + x */
bool
amd_opt_multiply_constant(mopt_ctx *c, ir_instr *i)
{
    unsigned at = i->refs[0].kind == IR_REF_CONST;
    uint32_t power = i->refs[!at].kind == IR_REF_CONST ? i->refs[!at].id - 1 : 0;
    if (power < 2 || power & (power - 1))
        return false;
    ir_ref x = i->refs[at];
    return amd_opt_become(c, i, AMD_V_LSHL_ADD_U32, 3,
                          (ir_ref[]){x, amd_const(base_ctz32(power)), x});
}

/* The factor by which `inner` multiplies its source number `*x`, if that is a constant of the short
 * kind; else 0. */
static uint32_t
factor_of(const mopt_ctx *c, const ir_instr *inner, unsigned *x)
{
    bool left = inner->op == AMD_V_LSHLREV_B32, right = inner->op == AMD_S_LSHL_B32;
    if (!left && !right && inner->op != AMD_S_MUL_I32)
        return 0;
    *x = left || (!right && inner->refs[0].kind == IR_REF_CONST);
    ir_ref k = inner->refs[!*x];
    if (k.kind != IR_REF_CONST)
        return 0;
    uint32_t factor = !left && !right ? k.id : 1u << (k.id & 31);
    return amd_is_literal(c->p->target->gen, amd_const(factor), AMD_T_U32) ? 0 : factor;
}

/* x * factor + y, if x has 24 bits. */
bool
amd_opt_multiply_add(mopt_ctx *c, ir_instr *i)
{
    for (unsigned at = 0; at < 2 && !mopt_has_words(i); at++) {
        const ir_instr *inner = amd_opt_inner(c, i, i->refs[at]);
        unsigned x = 0;
        uint32_t factor = inner && inner->n_refs == 2 ? factor_of(c, inner, &x) : 0;
        if (!factor || factor >> 24 || amd_opt_possible_bits(c, inner->refs[x]) >> 24)
            continue;
        ir_ref refs[3] = {inner->refs[x], amd_const(factor), i->refs[!at]};
        if (amd_opt_become(c, i, AMD_V_MAD_U32_U24, 3, refs))
            return true;
    }
    return false;
}

/* The operands of `i` of which only the low five bits are read (RDNA 2 ISA: [4:0]), as bits. */
static unsigned
counts_of(unsigned op)
{
    switch (op) {
    case AMD_V_LSHLREV_B32:
    case AMD_V_LSHRREV_B32:
    case AMD_V_ASHRREV_I32: return 1u << 0;
    case AMD_S_LSHL_B32:
    case AMD_S_LSHR_B32:
    case AMD_S_ASHR_I32: return 1u << 1;
    case AMD_V_BFE_U32:
    case AMD_V_BFE_I32: return 1u << 1 | 1u << 2;
    default: return 0;
    }
}

/* What `r` is a mask of, if the mask keeps the low five bits; else kind NONE. */
static ir_ref
unmasked(const mopt_ctx *c, const ir_instr *i, ir_ref r)
{
    bool vector = amd_words_of(i->op) == AMD_WORDS_VALU;
    const ir_instr *mask = cg_def_of(&c->uses, r);
    if (!mask || mask->op != (vector ? AMD_V_AND_B32 : AMD_S_AND_B32) || mopt_has_words(mask) ||
        !cg_can_move_refs(mask, i))
        return ir_none();
    unsigned at = mask->refs[0].kind == IR_REF_CONST;
    bool keeps = mask->refs[!at].kind == IR_REF_CONST && !(~mask->refs[!at].id & 31);
    return keeps ? mask->refs[at] : ir_none();
}

/* A count of bits need not be masked. */
bool
amd_opt_count(mopt_ctx *c, ir_instr *i)
{
    unsigned counts = counts_of(i->op), n = i->n_refs;
    ir_ref refs[3];
    bool any = false;
    if (mopt_has_words(i) || n > 3)
        return false;
    for (unsigned r = 0; r < n; r++) {
        ir_ref whole = counts >> r & 1 ? unmasked(c, i, i->refs[r]) : ir_none();
        refs[r] = whole.kind == IR_REF_NONE ? i->refs[r] : whole;
        any |= whole.kind != IR_REF_NONE;
    }
    return any && amd_opt_become(c, i, i->op, n, refs);
}

/* A mask that clears nothing. */
bool
amd_opt_mask(mopt_ctx *c, ir_instr *i)
{
    unsigned at = i->refs[0].kind == IR_REF_CONST;
    if (mopt_has_words(i) || i->refs[!at].kind != IR_REF_CONST || !ir_is_value(i->refs[at]) ||
        i->refs[at].rc != i->defs[0].rc || (i->n_defs > 1 && c->uses.count[i->defs[1].id]) ||
        amd_opt_possible_bits(c, i->refs[at]) & ~i->refs[!at].id)
        return false;
    cg_replace_value(&c->uses, i->defs[0].id, i->refs[at].id);
    return true;
}

/* A field of low bits that has all that may be set. */
bool
amd_opt_whole_field(mopt_ctx *c, ir_instr *i)
{
    const ir_ref *r = i->refs;
    if (mopt_has_words(i) || !mopt_is_const(r[1], 0) || r[2].kind != IR_REF_CONST || r[2].id > 31 ||
        !ir_is_value(r[0]) || r[0].rc != i->defs[0].rc || amd_opt_possible_bits(c, r[0]) >> r[2].id)
        return false;
    cg_replace_value(&c->uses, i->defs[0].id, r[0].id);
    return true;
}

/* ---- differences ---- */

/* max(a, b) - min(a, b) is the difference without its sign, which v_sad_u32 adds to 0. */
bool
amd_opt_difference(mopt_ctx *c, ir_instr *i)
{
    const ir_instr *high = amd_opt_inner(c, i, i->refs[0]), *low = amd_opt_inner(c, i, i->refs[1]);
    if (mopt_has_words(i) || !high || !low || high->op != AMD_V_MAX_U32 || low->op != AMD_V_MIN_U32)
        return false;
    bool crossed = ir_same_ref(high->refs[0], low->refs[1]);
    ir_ref refs[] = {high->refs[0], high->refs[1], amd_const(0)};
    return ir_same_ref(refs[0], low->refs[crossed]) && ir_same_ref(refs[1], low->refs[!crossed]) &&
           amd_opt_become(c, i, AMD_V_SAD_U32, 3, refs);
}

/* And to another number. */
bool
amd_opt_add_difference(mopt_ctx *c, ir_instr *i)
{
    for (unsigned n = 0; n < 2 && !mopt_has_words(i); n++) {
        const ir_instr *sad = amd_opt_inner(c, i, i->refs[n]);
        if (sad && sad->op == AMD_V_SAD_U32 && mopt_is_const(sad->refs[2], 0))
            return amd_opt_become(c, i, AMD_V_SAD_U32, 3,
                                  (ir_ref[]){sad->refs[0], sad->refs[1], i->refs[!n]});
    }
    return false;
}

/* ---- the middle of three ---- */

static bool
in_order(unsigned op, uint32_t low, uint32_t high)
{
    if (op == AMD_V_MED3_I32)
        return (int32_t)low <= (int32_t)high;
    if (op == AMD_V_MED3_U32)
        return low <= high;
    /* False for NaN. Of two zeros of different signs the middle may be the other one, if `high` is
     * zero. */
    return base_bits_f32(low) <= base_bits_f32(high) && high << 1;
}

/* min(max(x, low), high) = med3(x, low, high) if low <= high. So is max(min(x, high), low) of
 * integers; for a float that is NaN it would be `high`, but the middle of three is `low`. Signs of
 * x move with it. */
static bool
median(mopt_ctx *c, ir_instr *i, unsigned other, unsigned op, bool is_min)
{
    unsigned at = i->refs[0].kind == IR_REF_CONST;
    if (i->refs[!at].kind != IR_REF_CONST || mopt_has_words(i))
        return false;
    const ir_instr *inner = cg_single_def(&c->uses, i->refs[at]);
    if (!inner || inner->op != other || !cg_can_move_refs(inner, i))
        return false;
    unsigned x = inner->refs[0].kind == IR_REF_CONST;
    uint32_t bound[2] = {i->refs[!at].id, inner->refs[!x].id}, word = ir_words(inner)[0];
    uint32_t own = 1u << (AMD_MOD_NEG + x) | 1u << (AMD_MOD_ABS + x);
    if (inner->refs[!x].kind != IR_REF_CONST || inner->refs[x].kind == IR_REF_CONST ||
        !in_order(op, bound[is_min], bound[!is_min]) || ir_words(inner)[1] | ir_words(inner)[2] ||
        (word & ~own) || (word && op != AMD_V_MED3_F32))
        return false;
    ir_ref refs[3] = {inner->refs[x], amd_const(bound[is_min]), amd_const(bound[!is_min])};
    if (!amd_opt_become(c, i, op, 3, refs))
        return false;
    ir_words(i)[0] = word >> x;
    return true;
}

bool
amd_opt_median(mopt_ctx *c, ir_instr *i)
{
    switch (i->op) {
    case AMD_V_MIN_I32: return median(c, i, AMD_V_MAX_I32, AMD_V_MED3_I32, true);
    case AMD_V_MAX_I32: return median(c, i, AMD_V_MIN_I32, AMD_V_MED3_I32, false);
    case AMD_V_MIN_U32: return median(c, i, AMD_V_MAX_U32, AMD_V_MED3_U32, true);
    case AMD_V_MAX_U32: return median(c, i, AMD_V_MIN_U32, AMD_V_MED3_U32, false);
    case AMD_V_MIN_F32: return median(c, i, AMD_V_MAX_F32, AMD_V_MED3_F32, true);
    default: return false;
    }
}
