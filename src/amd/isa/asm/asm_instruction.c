/* Instructions: the mnemonic's row and forms, a trial for each form, encoding.
 *
 * Without a suffix LLVM takes the first form that fits in the order: 32-bit, VOP3, SDWA, DPP; so do
 * we. */
#include "amd/isa/asm/asm.h"
#include "amd/isa/codec/legal.h"
#include "amd/isa/table/dual.h"
#include "amd/isa/table/layout.h"
#include "amd/isa/table/mimg.h"

#include <string.h>

/* A form of an instruction's text. */
typedef struct amd_asm_form {
    uint8_t fmt, ext;
    bool omit_dst;
} amd_asm_form;

enum { MAX_FORMS = 8 };

/* The form that a suffix selects. */
typedef enum amd_asm_suffix { ANY_FORM, E32, E64, SDWA_FORM, DPP_FORM, E64_DPP } amd_asm_suffix;

/* The row of a mnemonic. A mnemonic that is a row's whole name has no suffix. */
static const amd_op_info *
find_row(const asm_ctx *a, const asm_token *name, amd_op *op, amd_asm_suffix *suffix)
{
    static const struct {
        const char *text;
        uint8_t len, suffix;
    } suffixes[] = {{"_e32", 4, E32},
                    {"_e64", 4, E64},
                    {"_sdwa", 5, SDWA_FORM},
                    {"_e64_dpp", 8, E64_DPP},
                    {"_dpp", 4, DPP_FORM}};
    uint32_t i = strings_find(&amd_asm_of(a)->mnemonics, name->text, name->len);
    *suffix = ANY_FORM;
    for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes && i == UINT32_MAX; k++) {
        uint32_t len = suffixes[k].len;
        if (name->len <= len || memcmp(name->text + name->len - len, suffixes[k].text, len) != 0)
            continue;
        i = strings_find(&amd_asm_of(a)->mnemonics, name->text, name->len - len);
        *suffix = (amd_asm_suffix)suffixes[k].suffix;
    }
    if (i == UINT32_MAX)
        return NULL;
    *op = (amd_op)amd_asm_of(a)->mnemonic_ops[i];
    return amd_op_row(*op);
}

static bool
is_e32(amd_fmt fmt)
{
    return fmt == AMD_VOP1 || fmt == AMD_VOP2 || fmt == AMD_VOPC || fmt == AMD_VINTRP;
}

static unsigned
add_dpp(amd_asm_form *forms, unsigned n, uint8_t fmt)
{
    forms[n++] = (amd_asm_form){fmt, AMD_EXT_DPP16, false};
    forms[n++] = (amd_asm_form){fmt, AMD_EXT_DPP8, false};
    return n;
}

/* The forms of packed math. */
static unsigned
packed_forms(const asm_ctx *a, amd_op op, amd_asm_suffix suffix, amd_asm_form *forms)
{
    unsigned n = 0;
    if (suffix == ANY_FORM)
        forms[n++] = (amd_asm_form){AMD_VOP3P, AMD_EXT_NONE, false};
    if (amd_op_has_dpp(op, AMD_VOP3P, amd_asm_of(a)->gen) &&
        (suffix == ANY_FORM || suffix == E64_DPP))
        n = add_dpp(forms, n, AMD_VOP3P);
    return n;
}

/* The forms to try, in order; returns their number. */
static unsigned
forms_of(const asm_ctx *a, const amd_op_info *row, amd_op op, amd_asm_suffix suffix,
         amd_asm_form *forms)
{
    unsigned n = 0;
    amd_fmt fmt = (amd_fmt)row->fmt;
    bool e32 = amd_op_number(op, fmt, amd_asm_of(a)->gen) >= 0 && is_e32(fmt);
    bool e64 = amd_op_number(op, AMD_VOP3, amd_asm_of(a)->gen) >= 0;
    if (!is_e32(fmt) && fmt != AMD_VOP3) {
        if (amd_op_number(op, fmt, amd_asm_of(a)->gen) < 0)
            return 0;
        if (fmt == AMD_VOP3P)
            return packed_forms(a, op, suffix, forms);
        if (suffix != ANY_FORM)
            return 0;
        forms[n++] = (amd_asm_form){row->fmt, AMD_EXT_NONE, false};
        bool optional = row->operands[0].role == AMD_ROLE_DST && fmt >= AMD_MUBUF &&
                        fmt <= AMD_SCRATCH;
        if (optional && (row->flags & AMD_F_ATOMIC || amd_has_lds_bit(amd_asm_of(a)->gen, row)))
            forms[n++] = (amd_asm_form){row->fmt, AMD_EXT_NONE, true};
        return n;
    }
    if (e32 && (suffix == ANY_FORM || suffix == E32))
        forms[n++] = (amd_asm_form){row->fmt, AMD_EXT_NONE, false};
    if (e64 && (suffix == ANY_FORM || suffix == E64))
        forms[n++] = (amd_asm_form){AMD_VOP3, AMD_EXT_NONE, false};
    if (e32 && amd_op_has_sdwa(op, amd_asm_of(a)->gen) &&
        (suffix == ANY_FORM || suffix == SDWA_FORM))
        forms[n++] = (amd_asm_form){row->fmt, AMD_EXT_SDWA, false};
    if (e32 && amd_op_has_dpp(op, fmt, amd_asm_of(a)->gen) &&
        (suffix == ANY_FORM || suffix == DPP_FORM))
        n = add_dpp(forms, n, row->fmt);
    if (e64 && amd_op_has_dpp(op, AMD_VOP3, amd_asm_of(a)->gen) &&
        (suffix == ANY_FORM || suffix == E64_DPP))
        n = add_dpp(forms, n, AMD_VOP3);
    return n;
}

/* The values of modifiers that are not written. */
static void
set_defaults(amd_gen gen, amd_asm_trial *t)
{
    amd_inst *in = &t->in;
    if (in->ext == AMD_EXT_SDWA) {
        in->src0_sel = 6;
        if (in->fmt != AMD_VOP1)
            in->src1_sel = 6;
        if (in->fmt != AMD_VOPC) {
            in->dst_sel = 6;
            in->dst_unused = amd_writes_whole_sdwa(t->row) ? 0 : 2;
        }
    } else if (in->ext == AMD_EXT_DPP16) {
        in->row_mask = in->bank_mask = 15;
        in->dpp_ctrl = 0xe4; /* quad_perm:[0,1,2,3] */
    }
    if (in->fmt == AMD_MTBUF)
        in->format = 1;
    if (in->fmt == AMD_MIMG && t->row->memory & AMD_A_BVH) {
        in->dmask = 15;
        in->unorm = gen != AMD_GFX12; /* VIMAGE has no such field */
        in->r128 = true;
    }
}

/* Parses the operands in the row's order. */
static bool
parse_operands(asm_ctx *a, amd_asm_trial *t)
{
    bool first = true;
    for (const amd_operand *o = t->row->operands;
         o < t->row->operands + AMD_MAX_OPERANDS && o->role; o++) {
        amd_inst *in = &t->in;
        unsigned i = o->role == AMD_ROLE_SRC ? in->n_src : in->n_dst;
        bool omitted = t->omit_dst && o == t->row->operands;
        bool written = !omitted && amd_operand_kind(amd_asm_of(a)->gen, o) != AMD_K_EXEC;
        if (o->kind == AMD_K_CODE && a->token.kind == ASM_END)
            continue;
        bool optional = t->in.fmt == AMD_SMEM && o->kind == AMD_K_SOFFSET &&
                        a->token.kind == ASM_END;
        if (written && !first && !asm_take(a, ',') && o[-1].kind != AMD_K_TARGET && !optional)
            return asm_expected(a, "','");
        first &= !written;
        if (o->role == AMD_ROLE_IMM) {
            if (!amd_asm_immediate(a, t, (amd_kind)o->kind))
                return false;
            continue;
        }
        if (o->role == AMD_ROLE_SRC)
            in->n_src++;
        else
            in->n_dst++;
        if (omitted)
            in->dst[i] = AMD_REG_ABSENT;
        else if (!amd_asm_operand(a, t, o, i))
            return false;
    }
    return true;
}

/* Whether the tuples that were written have the operands' sizes. */
static bool
sizes_match(const asm_ctx *a, const amd_asm_trial *t)
{
    unsigned n_dst = 0, n_src = 0;
    for (const amd_operand *o = t->row->operands;
         o < t->row->operands + AMD_MAX_OPERANDS && o->role; o++) {
        if (o->role == AMD_ROLE_IMM)
            continue;
        bool src = o->role == AMD_ROLE_SRC;
        unsigned count = src ? t->src_count[n_src] : t->dst_count[n_dst];
        unsigned code = src ? t->in.src[n_src++] : t->in.dst[n_dst++];
        if (count == 0 || code == AMD_REG_ABSENT)
            continue;
        if (t->in.fmt == AMD_MIMG && o->kind == AMD_K_VADDR && amd_asm_of(a)->gen < AMD_GFX10) {
            if (!amd_mimg_address_fits(t->row, count))
                return false;
            continue;
        }
        if (count !=
            amd_operand_dwords(amd_asm_of(a)->gen, t->row, &t->in, o, amd_asm_of(a)->wave64))
            return false;
    }
    return true;
}

/* An export has a register only if its bit of `en` is set. In compressed form each register is
 * written twice; the first counts. */
static void
pack_export(amd_asm_trial *t)
{
    amd_inst *in = &t->in;
    if (in->compr) {
        in->src[1] = in->src[2];
        in->src[2] = in->src[3] = AMD_REG_ABSENT;
    }
    for (unsigned i = 0; i < 4; i++) {
        if (in->src[i] != AMD_REG_ABSENT)
            in->dmask |= (uint8_t)(in->compr ? 3u << i * 2 : 1u << i);
    }
}

/* Conditions between parts of the text that neither the row nor the encoding states. */
static bool
is_consistent(amd_gen gen, const amd_asm_trial *t)
{
    const amd_inst *in = &t->in;
    bool flat = in->fmt == AMD_FLAT || in->fmt == AMD_GLOBAL || in->fmt == AMD_SCRATCH;
    if (flat && t->row->flags & AMD_F_ATOMIC)
        return in->glc != t->omit_dst;
    if (amd_has_lds_bit(gen, t->row) && in->fmt != AMD_DS && in->fmt != AMD_FLAT) {
        bool own = t->row->operands[0].kind == AMD_K_VADDR; /* buffer_load_lds_b32 has no lds bit */
        return in->lds == (t->omit_dst || (t->in.n_dst == 0 && !flat && !own));
    }
    return true;
}

static bool
try_form(asm_ctx *a, amd_asm_trial *t, const char *at_operands)
{
    asm_seek(a, at_operands);
    amd_asm_of(a)->has_literal = false;
    set_defaults(amd_asm_of(a)->gen, t);
    if (!parse_operands(a, t))
        return false;
    asm_take(a, ',');
    if (!amd_asm_modifiers(a, t))
        return false;
    bool matrix = t->row->operands[0].kind == AMD_K_VACC;
    if (t->in.fmt == AMD_VOP3P && !matrix && !t->op_sel_hi_given && !(t->row->flags & AMD_F_MIX))
        t->in.op_sel_hi = (uint8_t)((1u << t->in.n_src) - 1);
    if (t->in.fmt == AMD_EXP)
        pack_export(t);
    size_t size = a->out->size;
    if (!is_consistent(amd_asm_of(a)->gen, t) || !sizes_match(a, t) ||
        !amd_encode(amd_asm_of(a)->gen, &t->in, a->out)) {
        a->out->size = size;
        return asm_fail(a, ERR_ASM_ENCODING, t->row->name);
    }
    const char *broken = amd_inst_illegal(amd_asm_of(a)->gen, &t->in, amd_asm_of(a)->wave64);
    if (broken) {
        a->out->size = size;
        return asm_fail(a, ERR_ASM_RULE, broken);
    }
    if (amd_asm_note_literal(a, size))
        return true;
    a->out->size = size;
    return false;
}

/* One half of VOPD: the mnemonic, which is the current token, and its operands. */
static bool
dual_half(asm_ctx *a, amd_asm_trial *t, bool second)
{
    static const char prefix[] = "v_dual_";
    size_t skip = sizeof prefix - 1;
    unsigned k = 0;
    const amd_operand *o;
    amd_op op = AMD_OP_INVALID;
    if (a->token.kind == ASM_IDENT && a->token.len > skip && !memcmp(a->token.text, prefix, skip))
        op = amd_dual_find(amd_asm_of(a)->gen, a->token.text + skip, a->token.len - skip, second);
    if (op == AMD_OP_INVALID)
        return asm_expected(a, second ? "the second operation of a pair" : "a pair's operation");
    t->row = amd_op_row(op);
    *(second ? &t->in.op_y : &t->in.op) = (uint16_t)op;
    asm_next(a);
    if (!amd_asm_operand(a, t, amd_op_dst(t->row, 0), second))
        return false;
    bool tuple = t->dst_count[second] > 1;
    for (unsigned i = 0; (o = amd_op_src(t->row, i)); i++) {
        int place = amd_dual_place(o, second, &k);
        if (o->kind == AMD_K_MASK)
            continue;
        uint16_t kept = t->in.src[0];
        if (!asm_expect(a, ',', "','") ||
            !amd_asm_operand(a, t, o, place < 0 ? 0 : (unsigned)place))
            return false;
        tuple |= t->src_count[place < 0 ? 0 : place] > 1;
        if (place < 0)
            t->in.src[0] = kept; /* the literal has no place */
    }
    return !tuple || asm_expected(a, "operands of one register each");
}

/* "v_dual_mov_b32 v0, v1 :: v_dual_add_f32 v1, v2, v3" */
static void
dual_instruction(asm_ctx *a)
{
    amd_asm_trial t = {.in = {.fmt = AMD_VOPD, .n_dst = 2, .n_src = 4}};
    for (unsigned i = 0; i < 4; i++)
        t.in.src[i] = AMD_REG_ABSENT;
    a->failure = (asm_failure){0};
    amd_asm_of(a)->has_literal = false;
    bool ok = dual_half(a, &t, false) && asm_expect(a, ':', "'::'") && asm_expect(a, ':', "'::'") &&
              dual_half(a, &t, true);
    if (ok && a->token.kind != ASM_END)
        ok = asm_expected(a, "the end of the line");
    const char *broken = ok ? amd_inst_illegal(amd_asm_of(a)->gen, &t.in, amd_asm_of(a)->wave64)
                            : NULL;
    if (broken)
        ok = asm_fail(a, ERR_ASM_RULE, broken);
    size_t size = a->out->size;
    if (ok && !amd_encode(amd_asm_of(a)->gen, &t.in, a->out))
        ok = asm_fail(a, ERR_ASM_ENCODING, "a pair of operations");
    if (!ok || !amd_asm_note_literal(a, size))
        asm_report(a);
}

void
amd_asm_instruction(asm_ctx *a)
{
    if (amd_asm_of(a)->gen >= AMD_GFX11 && a->token.len > 7 &&
        !memcmp(a->token.text, "v_dual_", 7)) {
        dual_instruction(a);
        return;
    }
    amd_asm_form forms[MAX_FORMS];
    amd_asm_suffix suffix;
    amd_op op = AMD_OP_INVALID;
    const char *at = a->token.text;
    const amd_op_info *row = find_row(a, &a->token, &op, &suffix);
    unsigned count = row ? forms_of(a, row, op, suffix, forms) : 0;
    a->failure = (asm_failure){0};
    if (count == 0) {
        asm_fail(a, ERR_ASM_UNKNOWN, asm_short(a, at, a->token.len));
        asm_report(a);
    }
    asm_next(a);
    const char *at_operands = a->token.text;
    size_t codes = a->n_codes;
    for (unsigned i = 0; i < count; i++) {
        a->n_codes = codes;
        amd_asm_trial t = {.row = row, .omit_dst = forms[i].omit_dst};
        t.in.op = (uint16_t)op;
        t.in.fmt = forms[i].fmt;
        t.in.ext = forms[i].ext;
        size_t offset = a->out->size;
        if (!try_form(a, &t, at_operands))
            continue;
        if (t.labelled) {
            asm_add_fixup(a, (asm_fixup){.kind = ASM_FIX_BRANCH,
                                         .symbol = t.label,
                                         .offset = offset,
                                         .at = t.at_label});
        }
        amd_asm_count_registers(a, &t);
        return;
    }
    asm_report(a);
}
