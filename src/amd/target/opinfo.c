#include "amd/amd.h"
#include "amd/isa/table/consts.h"

/* Inline float constants in the order of their codes (RDNA 2 ISA, "Scalar operands": 240 to 248),
 * by operand size. */
static const uint32_t inline_f32[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                      0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
static const uint16_t inline_f16[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                      0xc000, 0x4400, 0xc400, 0x3118};

/* Integers of 16 bits have no float constants: the hardware would read the low half of a binary32
 * (LLVM, isInlinableLiteralI16). */
static unsigned
code_of_bits(amd_gen gen, ir_ref constant, unsigned bits, bool floats)
{
    unsigned n = sizeof inline_f32 / sizeof *inline_f32 - !amd_properties.inline_inv_2pi[gen];
    int32_t v = bits == 16 ? (int16_t)constant.id : (int32_t)constant.id;
    if (v >= 0 && v <= 64)
        return AMD_SRC_INT_0 + (unsigned)v;
    if (v >= -16 && v < 0)
        return AMD_SRC_INT_NEG1 - 1u + (unsigned)-v;
    for (unsigned i = 0; i < n; i++) {
        if (bits == 16 && floats && inline_f16[i] == (constant.id & 0xffff))
            return AMD_SRC_F_0_5 + i;
        if (bits == 32 && inline_f32[i] == constant.id)
            return AMD_SRC_F_0_5 + i;
    }
    return AMD_SRC_LITERAL;
}

unsigned
amd_const_code_of(amd_gen gen, ir_ref constant, unsigned t)
{
    if (amd_type_class((amd_type)t) != AMD_CLASS_V2F)
        return code_of_bits(gen, constant, t & 0xfffu, amd_type_class((amd_type)t) == AMD_CLASS_F);
    return amd_inline_constant((amd_type)t, constant.id);
}

bool
amd_is_literal(amd_gen gen, ir_ref r, unsigned t)
{
    return r.kind == IR_REF_CONST && amd_const_code_of(gen, r, t) == AMD_SRC_LITERAL;
}

bool
amd_is_scalar_ref(ir_ref r)
{
    bool phys = r.kind == IR_REF_NONE && (r.flags & IR_FIXED);
    return phys ? r.reg / 4 < AMD_REG_VGPR0 : ir_is_value(r) && !amd_rc_is_vgpr(r.rc);
}

bool
amd_bus_take_ref(amd_bus *b, ir_ref r, unsigned t)
{
    bool constant = r.kind == IR_REF_CONST;
    if (constant ? !amd_is_literal(b->gen, r, t) : !amd_is_scalar_ref(r))
        return true;
    uint64_t reg = !constant && r.flags & IR_FIXED ? r.reg + 1u : 0;
    return amd_bus_take(b, r.id | reg << 32 | (uint64_t)constant << 63, constant);
}

static bool
is_literal(amd_gen gen, ir_ref r, const amd_operand *o)
{
    return amd_is_literal(gen, r, o ? o->type : AMD_T_B32);
}

static bool
has_mask(const amd_op_info *row)
{
    for (const amd_operand *o = row->operands; o < row->operands + AMD_MAX_OPERANDS && o->role; o++)
        if (o->kind == AMD_K_MASK)
            return true;
    return false;
}

/* Reference `at` of v_mad is a literal. Has v_madmk or v_madak room for it? The addend, or else one
 * factor, is a VGPR; the bus carries nothing but the literal. */
static bool
fits_short_mad(amd_gen gen, const ir_ref *refs, unsigned at)
{
    unsigned vgprs = 0, addend = 2;
    for (unsigned k = 0; k < 3; k++) {
        bool constant = refs[k].kind == IR_REF_CONST,
             vgpr = !constant && !amd_is_scalar_ref(refs[k]);
        if (k != at && !vgpr && (!constant || amd_is_literal(gen, refs[k], AMD_T_F32)))
            return false;
        vgprs |= (unsigned)vgpr << k;
    }
    return at == addend ? vgprs != 0 : vgprs >> addend & 1;
}

bool
amd_is_bad_literal(amd_gen gen, unsigned op, unsigned n, const ir_ref *refs, unsigned at)
{
    const amd_op_info *row = amd_op_row((amd_op)op);
    const amd_operand *o = amd_op_src(row, at);
    if (amd_properties.vop3_literals[gen] || !o || o->kind == AMD_K_LIT ||
        !is_literal(gen, refs[at], o))
        return false;
    if (op == AMD_V_MAD_F32 && amd_op_has_e32(AMD_V_MADMK_F32, gen))
        return !fits_short_mad(gen, refs, at);
    if (!amd_op_has_e32((amd_op)op, gen) || has_mask(row) ||
        (at > 0 && row->reversed == AMD_OP_INVALID))
        return true;
    for (unsigned k = 0; k < n; k++) {
        bool vgpr = refs[k].kind != IR_REF_CONST && !amd_is_scalar_ref(refs[k]);
        if (k != at && !vgpr)
            return true;
    }
    return false;
}

bool
amd_forbids_modifiers(const amd_program *p, const ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    bool literal = false;
    for (unsigned r = 0; r < i->n_refs; r++)
        literal |= is_literal(p->target->gen, i->refs[r], amd_op_src(row, r));
    return literal && !amd_has(p->target, vop3_literals);
}

/* Do the references of a vector instruction fit on the constant bus, and its literals? */
static bool
fit_bus(amd_gen gen, unsigned op, unsigned n, const ir_ref *refs)
{
    const amd_op_info *row = amd_op_row((amd_op)op);
    amd_bus bus = amd_bus_begin(gen, op);
    bool fit = true;
    for (unsigned i = 0; i < n; i++) {
        const amd_operand *o = amd_op_src(row, i);
        if (o && (op != AMD_V_WRITELANE_B32 || i != 1))
            fit &= amd_bus_take_ref(&bus, refs[i], o->type);
        if (o)
            fit &= !amd_is_bad_literal(gen, op, n, refs, i);
    }
    return fit;
}

bool
amd_sources_fit(amd_gen gen, unsigned op, unsigned n, const ir_ref *refs)
{
    const amd_op_info *row = amd_op_row((amd_op)op);
    for (unsigned i = 0; i < n; i++) {
        const amd_operand *o = amd_op_src(row, i);
        if (!o)
            return false;
        bool vgpr = refs[i].kind != IR_REF_CONST && !amd_is_scalar_ref(refs[i]);
        if (o->kind == AMD_K_SSRC ? vgpr : o->kind != AMD_K_VSRC && o->kind != AMD_K_MASK && !vgpr)
            return false;
    }
    return fit_bus(gen, op, n, refs);
}

/* Is what can only be a literal one? */
static bool
has_its_literal(const ir_instr *i, const amd_op_info *row)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        const amd_operand *o = amd_op_src(row, r);
        if (o && o->kind == AMD_K_LIT && i->refs[r].kind != IR_REF_CONST)
            return false;
    }
    return true;
}

/* Why the references do not fit the instruction, or NULL. */
static const char *
misfit(amd_gen gen, const ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    if (!row)
        return NULL;
    if (!has_its_literal(i, row))
        return "an operand that is always a literal is a register";
    bool fits = amd_words_of(i->op) != AMD_WORDS_VALU || fit_bus(gen, i->op, i->n_refs, i->refs);
    return fits ? NULL : "more scalar operands than the constant bus carries";
}

void
amd_check_operands(const ir_fn *f, const char *after)
{
    if (!f->level->machine)
        return;
    amd_gen gen = amd_prog(f)->target->gen;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            const char *why = misfit(gen, i);
            if (!why)
                continue;
            base_buf where = buf_make(f->ctx->scratch);
            buf_printf(&where, " in BB%u: ", b->index);
            ir_print_instr(f, i, 0, &where);
            if (!after)
                diag_fail(f->ctx->diag, ERR_IR_INVALID, "operands", why, buf_text(&where));
            diag_fail(f->ctx->diag, ERR_IR_VERIFY, "operands", after, why, buf_text(&where));
        }
    }
}
