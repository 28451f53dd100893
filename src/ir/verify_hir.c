/* Types and attributes of HIR.
 *
 * ALU opcodes are checked against their row (ir_alu_table), intrinsics against the rule of theirs
 * (ir_op_info.types; ops.def explains its letters).
 */
#include "ir/verify_hir.h"

static bool
matches(char rule, ir_type t, ir_type first)
{
    unsigned bits = ir_type_bits(t), comps = ir_type_comps(t);
    switch (rule) {
    case 'b': return t == IR_BOOL;
    case 'i':
    case 'a': return t == IR_I32;
    case '2':
    case '3':
    case '4':
    case '5':
    case '8': return t == IR_TYPE(32, rule - '0');
    case 'l': return t == IR_I64;
    case 's': return comps == 1;
    case 'n': return comps == 1 && bits > 1;
    case 'd': return bits > 1;
    case 'v': return bits == 32 || bits == 16;
    case 'h': return bits == 32 || t == IR_I64;
    case '=': return t == first;
    default: return false;
    }
}

static void
check_by_rule(const ir_verifier *v, const ir_instr *i, const char *rule)
{
    ir_type first = 0;
    for (unsigned n = 0; n < (unsigned)i->n_defs + i->n_refs; n++) {
        bool def = n < i->n_defs;
        ir_ref r = def ? i->defs[n] : i->refs[n - i->n_defs];
        char want = rule[0];
        bool optional = want && rule[1] == '?';
        rule += want ? optional ? 2 : 1 : 0;
        rule += *rule == ' ';
        if (r.kind == IR_REF_NONE && optional)
            continue;
        ir_type t = ir_is_value(r) ? ir_ref_type(v->f, r) : 0;
        if (!t || !matches(want, t, first))
            ir_verify_fail(v, i->block, i, "%s %u is not of kind '%c'", def ? "result" : "operand",
                           def ? n : n - i->n_defs, want);
        first = n == 0 ? t : first;
    }
}

/* ---- ALU ---- */

static bool
bits_suit_kind(ir_kind k, unsigned bits)
{
    switch (ir_kind_base(k)) {
    case IR_KIND_B: return bits == 1;
    case IR_KIND_F: return bits >= 16;
    default: return true;
    }
}

/* Checks one operand (-1: the result) against its kind. `*common` is the size that F, I and U
 * share. */
static void
check_alu_type(const ir_verifier *v, const ir_instr *i, int n, ir_kind k, unsigned *common)
{
    ir_ref r = n < 0 ? i->defs[0] : i->refs[n];
    ir_type t = ir_is_value(r) ? ir_ref_type(v->f, r) : 0;
    unsigned bits = ir_type_bits(t), fixed = ir_kind_bits(k);
    bool open = k == IR_KIND_FX || k == IR_KIND_IX || k == IR_KIND_UX;
    bool ok = ir_type_comps(t) == 1 && bits_suit_kind(k, bits) && (!fixed || bits == fixed);
    if (ok && !fixed && !open) {
        ok = !*common || *common == bits;
        *common = bits;
    }
    if (!ok && n < 0)
        ir_verify_fail(v, i->block, i, "the result's type does not suit the opcode");
    if (!ok)
        ir_verify_fail(v, i->block, i, "operand %d's type does not suit the opcode", n);
}

/* Opcodes that also accept booleans; for others, 1-bit operands of kind U are errors. */
static bool
takes_booleans(unsigned op)
{
    return op == IR_iand || op == IR_ior || op == IR_ixor || op == IR_inot || op == IR_bcsel ||
           op == IR_ieq || op == IR_ine;
}

static void
check_alu(const ir_verifier *v, const ir_instr *i)
{
    const ir_alu_info *a = &ir_alu_table[i->op];
    unsigned common = 0;
    for (int n = 0; n < a->n; n++)
        check_alu_type(v, i, n, (ir_kind)a->src[n], &common);
    check_alu_type(v, i, -1, (ir_kind)a->dst, &common);
    if (common == 1 && !takes_booleans(i->op))
        ir_verify_fail(v, i->block, i, "the opcode does not take booleans");
}

/* ---- structure ---- */

static void
check_same_type(const ir_verifier *v, const ir_instr *i, ir_type want)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (!ir_is_value(i->refs[r]) || ir_ref_type(v->f, i->refs[r]) != want)
            ir_verify_fail(v, i->block, i, "operand %u has another type", r);
    }
}

static void
check_load_const(const ir_verifier *v, const ir_instr *i)
{
    ir_type t = v->f->values[i->defs[0].id].type;
    unsigned bits = ir_type_bits(t), words = bits == 64 ? 2 : 1;
    if (i->n_words != words * ir_type_comps(t))
        ir_verify_fail(v, i->block, i, "%u words for the constant", i->n_words);
    for (unsigned w = 0; w < i->n_words; w++) {
        if (ir_words(i)[w] & ~(uint32_t)base_mask64(bits))
            ir_verify_fail(v, i->block, i, "word %u has bits beyond the type's", w);
    }
}

static void
check_core(const ir_verifier *v, const ir_instr *i)
{
    ir_type t = i->n_defs ? v->f->values[i->defs[0].id].type : 0;
    switch (i->op) {
    case IR_load_const: check_load_const(v, i); break;
    case IR_phi:
    case IR_mov: check_same_type(v, i, t); break;
    case IR_if: check_same_type(v, i, IR_BOOL); break;
    case IR_vec:
        if (i->n_refs != ir_type_comps(t) || i->n_refs < 2)
            ir_verify_fail(v, i->block, i, "%u operands for the vector", i->n_refs);
        check_same_type(v, i, IR_TYPE(ir_type_bits(t), 1));
        break;
    default: break;
    }
}

void
ir_verify_types(const ir_verifier *v)
{
    IR_FOREACH_BLOCK(b, v->f) {
        IR_FOREACH_INSTR(i, b) {
            if (ir_has_flag(i, IR_OP_ALU))
                check_alu(v, i);
            else if (ir_op_of(v->f, i)->types)
                check_by_rule(v, i, ir_op_of(v->f, i)->types);
            else
                check_core(v, i);
        }
    }
}

/* ---- attributes ---- */

/* The components of the data that the instruction stores. */
static unsigned
stored_comps(const ir_verifier *v, const ir_instr *i)
{
    return ir_type_comps(ir_ref_type(v->f, i->refs[0]));
}

static void
check_alignment(const ir_verifier *v, const ir_instr *i)
{
    uint32_t mul = ir_attr_get(i, IR_A_ALIGN_MUL), offset = ir_attr_get(i, IR_A_ALIGN_OFFSET);
    if (!base_is_pow2(mul) || offset >= mul)
        ir_verify_fail(v, i->block, i, "the alignment is not a power of two above its offset");
}

static void
check_field(const ir_verifier *v, const ir_instr *i, const ir_attr_info *a)
{
    uint32_t value = ir_get_attr(i, a), n = 0;
    while (a->names && a->names[n])
        n++;
    bool ok = true;
    if (a->kind == IR_ATTR_ENUM)
        ok = value < n;
    else if (a->kind == IR_ATTR_FLAGS)
        ok = (value & ~(uint32_t)base_mask64(n)) == 0;
    else if (a->kind == IR_ATTR_BOOL)
        ok = value <= 1;
    else if (a->kind == IR_ATTR_MASK)
        ok = value && value <= base_mask64(stored_comps(v, i));
    if (!ok)
        ir_verify_fail(v, i->block, i, "attribute %s is out of its range", a->name);
}

void
ir_verify_attributes(const ir_verifier *v)
{
    IR_FOREACH_BLOCK(b, v->f) {
        IR_FOREACH_INSTR(i, b) {
            const ir_op_info *row = ir_op_of(v->f, i);
            for (unsigned a = 0; a < row->n_attrs; a++) {
                if (row->attrs[a].kind != IR_ATTR_WORDS)
                    check_field(v, i, &row->attrs[a]);
            }
            if (ir_attr_has(i, IR_A_ALIGN_MUL))
                check_alignment(v, i);
        }
    }
}
