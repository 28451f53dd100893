/* Folds definitions into the operands of vector instructions: copies of scalars and constants
 * become scalar operands, signs become source modifiers, where the constant bus and the encoding
 * allow it. Copies of exec are not needed where it can be read.
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

/* ---- exec ---- */

static bool
reads_mask(unsigned op)
{
    switch (op) {
    case AMD_V_MBCNT_LO_U32_B32:
    case AMD_V_MBCNT_HI_U32_B32:
    case AMD_S_BCNT1_I32_B32:
    case AMD_S_BCNT1_I32_B64:
    case AMD_S_FF1_I32_B32:
    case AMD_S_FF1_I32_B64:
    case AMD_S_FLBIT_I32_B32:
    case AMD_S_FLBIT_I32_B64: return true;
    default: return false;
    }
}

/* The offset in bytes at which `r` is part of `whole`, or -1. */
static int
part_at(const ir_instr *split, ir_ref r)
{
    int at = 0;
    for (unsigned d = 0; d < split->n_defs; at += (int)amd_rc_bytes(split->defs[d].rc), d++) {
        if (split->defs[d].id == r.id)
            return at;
    }
    return -1;
}

/* A block's lanes are the same from its start to its end, so a copy of exec made there is exec. */
void
amd_opt_read_exec(mopt_ctx *c, ir_instr *i)
{
    const ir_instr *def = reads_mask(i->op) ? cg_def_of(&c->uses, i->refs[0]) : NULL;
    int at = 0;
    if (def && def->op == AMD_P_SPLIT_VECTOR) {
        at = part_at(def, i->refs[0]);
        def = cg_def_of(&c->uses, def->refs[0]);
    }
    if (!def || at < 0 || def->op != AMD_P_PARALLELCOPY || def->n_defs != 1 ||
        def->block != i->block || !(def->refs[0].flags & IR_FIXED) || def->refs[0].reg != AMD_EXEC)
        return;
    ir_ref refs[2] = {amd_phys(AMD_EXEC + (unsigned)at, i->refs[0].rc), i->refs[1 % i->n_refs]};
    if (amd_words_of(i->op) != AMD_WORDS_VALU ||
        amd_sources_fit(c->p->target->gen, i->op, i->n_refs, refs))
        cg_set_ref(&c->uses, i, 0, refs[0]);
}
