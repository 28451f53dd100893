/* Folds definitions into the operands of vector instructions: copies of scalars and constants
 * become scalar operands, signs become source modifiers, where the constant bus and the encoding
 * allow it.
 */
#include "amd/opt/combine.h"

static bool
try_ref(mopt_ctx *c, ir_instr *i, unsigned n, ir_ref r)
{
    ir_ref before = i->refs[n];
    i->refs[n] = r;
    bool legal = amd_sources_fit(c->p->target->gen, i->op, i->n_refs, i->refs) &&
                 (!mopt_has_words(i) || !amd_forbids_modifiers(c->p, i));
    i->refs[n] = before;
    if (legal)
        cg_set_ref(&c->uses, i, n, r);
    return legal;
}

/* ---- copies ---- */

/* A vector operand that is a copy of a scalar or a constant is replaced by the copy's source. */
static void
fold_copy(mopt_ctx *c, ir_instr *i, unsigned n)
{
    const ir_instr *def = cg_def_of(&c->uses, i->refs[n]);
    if (!def || def->op != AMD_P_PARALLELCOPY || def->n_defs != 1 || !cg_can_move_refs(def, i))
        return;
    ir_ref from = def->refs[0];
    bool same_size = amd_rc_bytes(from.rc) == amd_rc_bytes(def->defs[0].rc);
    if (from.kind == IR_REF_UNDEF || !same_size || (from.kind == IR_REF_CONST && from.rc == AMD_S2))
        return;
    try_ref(c, i, n, from);
}

/* ---- signs ---- */

typedef enum sign_kind { SIGN_NONE, SIGN_NEG, SIGN_ABS } sign_kind;

/* Does `def` change the sign of a float of `bits` bits? `*of` is the index of the operand. */
static sign_kind
sign_of(const ir_instr *def, unsigned bits, unsigned *of)
{
    bool neg = def->op == AMD_V_XOR_B32 || def->op == AMD_S_XOR_B32,
         abs = def->op == AMD_V_AND_B32 || def->op == AMD_S_AND_B32;
    uint32_t top = bits == 16 ? 0x8000u : 0x80000000u, mask = bits == 16 ? 0xffffu : UINT32_MAX;
    if ((!neg && !abs) || bits > 32 || mopt_has_words(def))
        return SIGN_NONE;
    *of = def->refs[0].kind == IR_REF_CONST;
    ir_ref constant = def->refs[!*of];
    if (constant.kind != IR_REF_CONST || def->refs[*of].kind == IR_REF_CONST)
        return SIGN_NONE;
    if (neg && (constant.id & mask) == top)
        return SIGN_NEG;
    return abs && (constant.id & mask) == (top ^ mask) ? SIGN_ABS : SIGN_NONE;
}

static bool
fold_sign(mopt_ctx *c, ir_instr *i, const amd_op_info *row, unsigned n)
{
    const amd_operand *o = amd_op_src(row, n);
    const ir_instr *def = cg_def_of(&c->uses, i->refs[n]);
    unsigned of;
    if (!def || !(row->flags & AMD_F_NEG) || row->fmt == AMD_VOP3P ||
        amd_type_class(o->type) != AMD_CLASS_F ||
        (row->fmt != AMD_VOP3 && !(row->flags & AMD_F_E64)))
        return false;
    sign_kind kind = sign_of(def, o->type & 0xfffu, &of);
    if (kind == SIGN_NONE || amd_forbids_modifiers(c->p, i) || !cg_can_move_refs(def, i) ||
        !try_ref(c, i, n, def->refs[of]))
        return false;
    uint32_t neg = 1u << (AMD_MOD_NEG + n), abs = 1u << (AMD_MOD_ABS + n);
    if (ir_words(i)[0] & abs) /* abs discards the inner sign */
        return true;
    ir_words(i)[0] = kind == SIGN_NEG ? ir_words(i)[0] ^ neg : ir_words(i)[0] | abs;
    return true;
}

void
amd_opt_fold_operands(mopt_ctx *c, ir_instr *i, const amd_op_info *row)
{
    bool vector = row->fmt == AMD_VOP1 || row->fmt == AMD_VOP2 || row->fmt == AMD_VOPC ||
                  row->fmt == AMD_VOP3;
    if (!vector || ir_words(i)[1] || ir_words(i)[2] || i->n_refs != amd_op_src_count(row))
        return;
    for (unsigned n = 0; n < i->n_refs; n++) {
        const amd_operand *o = amd_op_src(row, n);
        if (!ir_is_value(i->refs[n]) || (o->kind != AMD_K_VSRC && o->kind != AMD_K_SSRC))
            continue;
        while (fold_sign(c, i, row, n))
            continue;
        if (ir_is_value(i->refs[n]) && amd_rc_is_vgpr(i->refs[n].rc))
            fold_copy(c, i, n);
    }
}
