/* Prints functions as text: HIR in NIR's style, machine levels in ACO's.
 *
 * The text is complete: ir_parse makes an equal function from it. The order of edges is therefore
 * stated in the comments after block names, which the parser reads:
 *
 *     block b3: // preds: b1 b2                      HIR
 *     /+ logical preds: BB0, / linear preds: BB0, / kind: uniform, +/     machine; "/+" stands for
 *                                                                         the C comment marks
 *
 * The printer also works on broken functions, because the verifier prints them.
 */
#include "ir/bundle.h"
#include "ir/header.h"
#include "ir/hir.h"
#include "ir/text_names.h"

#include <math.h>

/* ---- names ---- */

static void
put_name(const char *name, base_buf *out)
{
    buf_puts(out, "\"");
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (c < 32 || c == '"' || c == '\\' || c == 127)
            buf_printf(out, "\\x%02x", c);
        else
            buf_printf(out, "%c", c);
    }
    buf_puts(out, "\"");
}

static void
put_words(base_buf *out, const char *const *names, uint32_t flags, const char *between)
{
    const char *sep = "";
    for (unsigned bit = 0; names[bit]; bit++) {
        if (!(flags >> bit & 1) || !names[bit][0])
            continue;
        buf_printf(out, "%s%s", sep, names[bit]);
        sep = between;
        flags &= ~(1u << bit);
    }
    if (flags)
        buf_printf(out, "%s0x%x", sep, flags);
}

static void
put_type(const ir_fn *f, ir_type t, base_buf *out)
{
    char name[16];
    f->level->type_name(t, name);
    buf_puts(out, name);
}

/* Prints component letters: xyzw, or a to p if a component lies beyond w. */
static void
put_mask(uint32_t mask, base_buf *out)
{
    if (mask == 0 || mask >> IR_MAX_COMPS) {
        buf_printf(out, mask ? "0x%x" : "none", mask);
        return;
    }
    for (unsigned c = 0; c < IR_MAX_COMPS; c++) {
        if (mask >> c & 1)
            buf_printf(out, "%c", (mask >> 4 ? ir_text_comps_many : ir_text_comps_few)[c]);
    }
}

static unsigned
name_count(const char *const *names)
{
    unsigned n = 0;
    while (names[n])
        n++;
    return n;
}

static void
put_attr_value(const ir_attr_info *a, uint32_t v, base_buf *out)
{
    switch (a->kind) {
    case IR_ATTR_INT: buf_printf(out, "%d", (int)base_sext64(v, a->bits)); break;
    case IR_ATTR_HEX: buf_printf(out, "0x%x", v); break;
    case IR_ATTR_BOOL: buf_printf(out, v > 1 ? "%u" : v ? "true" : "false", v); break;
    case IR_ATTR_MASK: put_mask(v, out); break;
    case IR_ATTR_FLAGS:
        if (v == 0)
            buf_puts(out, "none");
        put_words(out, a->names, v, "|");
        break;
    case IR_ATTR_ENUM:
        if (v < name_count(a->names))
            buf_puts(out, a->names[v]);
        else
            buf_printf(out, "%u", v);
        break;
    default: buf_printf(out, "%u", v); break;
    }
}

/* ---- references ---- */

static void
put_value(const ir_fn *f, ir_ref r, base_buf *out)
{
    buf_printf(out, "%%%u", r.id);
    if (f->level->machine || r.comp == IR_WHOLE || r.id >= f->n_values)
        return;
    unsigned comps = ir_type_comps(f->values[r.id].type);
    if (comps > 1 && r.comp < IR_MAX_COMPS)
        buf_printf(out, ".%c", (comps > 4 ? ir_text_comps_many : ir_text_comps_few)[r.comp]);
}

/* Prints ":v[3]". Without marks, the register is fixed before allocation and assigned after it.
 * Marks state other cases: ":{fa}exec" is both, ":{}exec" a hint. */
static void
put_reg(const ir_fn *f, ir_ref r, base_buf *out)
{
    char name[16];
    if (r.reg == IR_REG_NONE)
        return;
    f->level->reg_name(r.reg, r.rc, name);
    unsigned how = r.flags & (IR_FIXED | IR_ASSIGNED);
    buf_puts(out, ":");
    if (how != (f->allocated ? IR_ASSIGNED : IR_FIXED))
        buf_printf(out, "{%s%s}", how & IR_FIXED ? "f" : "", how & IR_ASSIGNED ? "a" : "");
    buf_puts(out, name);
}

/* Returns true if the name of the register of `r` implies its class. */
static bool
register_implies_class(const ir_fn *f, ir_ref r)
{
    char name[16];
    unsigned reg;
    ir_type t;
    f->level->reg_name(r.reg, r.rc, name);
    return f->level->parse_reg(name, strlen(name), &reg, &t) && reg == r.reg && t == r.rc;
}

/* Returns true if the text of `r` implies its class, so that the class need not be printed. Behind
 * SSA a value may have no definition any more; for the parser the register then says its class. */
static bool
class_is_implied(const ir_fn *f, ir_ref r, unsigned flags)
{
    bool lost = (flags & IR_PRINT_STATE) && f->allocated && !f->ssa;
    if (r.kind == IR_REF_CONST)
        return r.rc == f->level->const_type;
    if (r.kind == IR_REF_UNDEF)
        return false;
    if (r.id && r.id < f->n_values && r.rc != f->values[r.id].type)
        return false;
    if (r.reg == IR_REG_NONE)
        return r.id ? !lost : r.rc == 0;
    return (r.id && !lost) || register_implies_class(f, r);
}

static void
put_const(ir_ref r, base_buf *out)
{
    int32_t v = (int32_t)r.id;
    buf_printf(out, v >= -16 && v <= 64 ? "%d" : "0x%x", v);
    if (r.flags & IR_CONST64)
        buf_puts(out, "l");
}

static void
put_machine_ref(const ir_fn *f, ir_ref r, unsigned flags, base_buf *out)
{
    if (flags & IR_PRINT_KILLS) {
        if (r.flags & IR_LATE_KILL)
            buf_puts(out, "(latekill)");
        if (r.flags & IR_KILL)
            buf_puts(out, "(kill)");
        if (r.flags & IR_FIRST_KILL)
            buf_puts(out, "(firstkill)");
    }
    if (r.kind == IR_REF_NONE && r.reg == IR_REG_NONE) {
        buf_puts(out, "_");
        return;
    }
    if (!class_is_implied(f, r, flags)) {
        put_type(f, r.rc, out);
        buf_puts(out, ": ");
    }
    if (r.kind == IR_REF_CONST)
        put_const(r, out);
    else if (r.kind == IR_REF_UNDEF)
        buf_puts(out, "undef");
    else
        put_value(f, r, out);
    put_reg(f, r, out);
}

static void
put_ref(const ir_fn *f, ir_ref r, unsigned flags, base_buf *out)
{
    if (f->level->machine)
        put_machine_ref(f, r, flags, out);
    else if (ir_is_value(r))
        put_value(f, r, out);
    else
        buf_puts(out, "_");
}

static void
put_refs(const ir_fn *f, const ir_instr *i, unsigned flags, base_buf *out)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        buf_puts(out, r ? ", " : "");
        put_ref(f, i->refs[r], flags, out);
    }
}

/* ---- constants of HIR ---- */

static double
const_as_float(uint64_t v, unsigned bits)
{
    if (bits == 64)
        return base_bits_f64(v);
    if (bits == 32)
        return base_bits_f32((uint32_t)v);
    unsigned exp = v >> 10 & 31, man = v & 1023;
    double x = exp == 31  ? (man ? NAN : HUGE_VAL)
               : exp == 0 ? ldexp(man, -24)
                          : ldexp(man + 1024, (int)exp - 25);
    return v >> 15 ? -x : x;
}

/* Prints the same text on every host: C leaves the sign of a NaN in text to the library. */
static void
put_float(uint64_t v, unsigned bits, base_buf *out)
{
    double x = const_as_float(v, bits);
    if (isnan(x))
        buf_puts(out, "nan");
    else if ((fabs(x) < 1e-4 && fabs(x) > 1e-30) || fabs(x) >= 1e9)
        buf_put_float(out, x, 'e', 6);
    else
        buf_put_float(out, x, 'f', 6);
}

static void
put_const_view(const ir_instr *i, ir_type t, char view, base_buf *out)
{
    unsigned bits = ir_type_bits(t), comps = ir_type_comps(t);
    unsigned words = bits == 64 ? 2 : 1;
    for (unsigned c = 0; c < comps && (c + 1) * words <= i->n_words; c++) {
        uint64_t v = ir_words(i)[c * words];
        if (words == 2)
            v |= (uint64_t)ir_words(i)[c * words + 1] << 32;
        buf_puts(out, c ? ", " : "");
        if (view == 'f')
            put_float(v, bits, out);
        else if (view == 'i')
            buf_printf(out, "%lld", (long long)base_sext64(v, bits));
        else if (bits == 1)
            buf_puts(out, v ? "true" : "false");
        else
            buf_printf(out, "0x%0*llx", (int)bits / 4, (unsigned long long)v);
    }
}

/* Prints (0x3f800000 = 1.000000 = 1065353216); vectors as (a, b) = (a, b) = (a, b). The parser
 * reads only the first. */
static void
put_load_const(const ir_fn *f, const ir_instr *i, base_buf *out)
{
    ir_type t = f->values[i->defs[0].id].type;
    const char *equals = ir_type_comps(t) > 1 ? ") = (" : " = ";
    buf_puts(out, " (");
    put_const_view(i, t, 'x', out);
    if (ir_type_bits(t) >= 16) {
        buf_puts(out, equals);
        put_const_view(i, t, 'f', out);
    }
    if (ir_type_bits(t) >= 8) {
        buf_puts(out, equals);
        put_const_view(i, t, 'i', out);
    }
    buf_puts(out, ")");
}

/* ---- instructions ---- */

static bool
attr_is_shown(const ir_instr *i, const ir_attr_info *a)
{
    return a->kind != IR_ATTR_WORDS && a->word < i->n_words && (!a->optional || ir_get_attr(i, a));
}

/* Prints the parts of the instruction's form, either those that are marks or the others. */
static void
put_form(const ir_fn *f, const ir_instr *i, bool marks, base_buf *out)
{
    for (const ir_attr_info *a = f->level->form; a && a->name; a++) {
        uint32_t v = i->form >> a->shift & (uint32_t)base_mask64(a->bits);
        if (v == 0 || (a->kind == IR_ATTR_MARK) != marks)
            continue;
        buf_printf(out, marks ? "%s" : " %s:", a->name);
        if (!marks)
            put_attr_value(a, v, out);
    }
}

static void
put_opcode(const ir_fn *f, const ir_instr *i, base_buf *out)
{
    const ir_op_info *row = ir_op_of(f, i);
    buf_printf(out, "%s%s", row->flags & IR_OP_INTRINSIC ? "@" : "", row->name);
    put_form(f, i, true, out);
}

static void
put_hir_attrs(const ir_fn *f, const ir_instr *i, base_buf *out)
{
    const ir_op_info *row = ir_op_of(f, i);
    const char *sep = " (";
    for (unsigned a = 0; a < row->n_attrs; a++) {
        if (!attr_is_shown(i, &row->attrs[a]))
            continue;
        buf_printf(out, "%s%s=", sep, row->attrs[a].name);
        put_attr_value(&row->attrs[a], ir_get_attr(i, &row->attrs[a]), out);
        sep = ", ";
    }
    if (sep[0] == ',')
        buf_puts(out, ")");
}

static void
put_block(const ir_fn *f, const ir_block *b, base_buf *out)
{
    const char *prefix = f->level->machine ? "BB" : "b";
    if (b)
        buf_printf(out, "%s%u", prefix, b->index);
    else
        buf_printf(out, "%s?", prefix);
}

static void
put_labelled(const ir_fn *f, const char *label, const ir_block *b, base_buf *out)
{
    buf_puts(out, label);
    put_block(f, b, out);
}

static const ir_block *
succ(const ir_block *b, unsigned n)
{
    return b && n < b->succs[0].count ? b->succs[0].at[n] : NULL;
}

static void
put_hir_terminator(const ir_fn *f, const ir_instr *i, base_buf *out)
{
    const ir_block *b = i->block;
    if (i->op == IR_jump) {
        put_labelled(f, " ", succ(b, 0), out);
    } else if (i->op == IR_if) {
        buf_puts(out, " ");
        put_refs(f, i, 0, out);
        put_labelled(f, " then ", succ(b, 0), out);
        put_labelled(f, " else ", succ(b, 1), out);
        put_labelled(f, " merge ", b ? b->merge : NULL, out);
    } else if (i->op == IR_loop) {
        put_labelled(f, " ", succ(b, 0), out);
        put_labelled(f, " merge ", b ? b->merge : NULL, out);
        put_labelled(f, " continue ", b ? b->cont : NULL, out);
    }
    put_hir_attrs(f, i, out);
}

static void
put_phi_refs(const ir_fn *f, const ir_instr *i, base_buf *out)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        const ir_block *b = i->block;
        buf_puts(out, r ? ", " : " ");
        put_block(f, b && r < b->preds[0].count ? b->preds[0].at[r] : NULL, out);
        buf_puts(out, ": ");
        put_ref(f, i->refs[r], 0, out);
    }
}

static void
put_hir_defs(const ir_fn *f, const ir_instr *i, unsigned flags, base_buf *out)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        const ir_value *v = i->defs[d].id < f->n_values ? &f->values[i->defs[d].id] : f->values;
        buf_puts(out, d ? ", " : "");
        if (flags & IR_PRINT_DIVERGENCE)
            buf_puts(out, v->divergent ? "div " : "con ");
        put_type(f, v->type, out);
        buf_printf(out, " %%%u", i->defs[d].id);
    }
    buf_puts(out, i->n_defs ? " = " : "");
}

static void
put_hir_instr(const ir_fn *f, const ir_instr *i, unsigned flags, base_buf *out)
{
    const ir_op_info *row = ir_op_of(f, i);
    bool parens = (row->flags & IR_OP_INTRINSIC) != 0;
    put_hir_defs(f, i, flags, out);
    put_opcode(f, i, out);
    if (i->op == IR_load_const) {
        put_load_const(f, i, out);
        return;
    }
    if (row->flags & IR_OP_TERMINATOR) {
        put_hir_terminator(f, i, out);
        return;
    }
    if (row->flags & IR_OP_PHI) {
        put_phi_refs(f, i, out);
    } else if (i->n_refs) {
        buf_puts(out, parens ? " (" : " ");
        put_refs(f, i, 0, out);
        buf_puts(out, parens ? ")" : "");
    }
    put_hir_attrs(f, i, out);
}

static void
put_machine_attrs(const ir_fn *f, const ir_instr *i, base_buf *out)
{
    const ir_op_info *row = ir_op_of(f, i);
    for (unsigned a = 0; a < row->n_attrs; a++) {
        const ir_attr_info *info = &row->attrs[a];
        if (!attr_is_shown(i, info))
            continue;
        uint32_t v = ir_get_attr(i, info);
        buf_printf(out, " %s", info->name);
        if (info->kind == IR_ATTR_BOOL && v == 1)
            continue;
        buf_puts(out, ":");
        put_attr_value(info, v, out);
    }
    if (row->n_words == IR_ANY) {
        buf_puts(out, " words:");
        for (unsigned w = 0; w < i->n_words; w++)
            buf_printf(out, "%s0x%x", w ? "|" : "", ir_words(i)[w]);
    }
    put_form(f, i, false, out);
}

static void
put_machine_instr(const ir_fn *f, const ir_instr *i, unsigned flags, base_buf *out)
{
    const ir_op_info *row = ir_op_of(f, i);
    for (unsigned d = 0; d < i->n_defs; d++) {
        buf_puts(out, d ? ",  " : "");
        put_type(f, i->defs[d].rc, out);
        buf_puts(out, ": ");
        if ((flags & IR_PRINT_KILLS) && i->defs[d].flags & IR_KILL)
            buf_puts(out, "(kill)");
        buf_printf(out, "%%%u", i->defs[d].id);
        put_reg(f, i->defs[d], out);
    }
    buf_puts(out, i->n_defs ? " = " : "");
    put_opcode(f, i, out);
    buf_puts(out, i->n_refs ? " " : "");
    put_refs(f, i, flags, out);
    if ((row->flags & IR_OP_TERMINATOR) && i->block) {
        for (unsigned s = 0; s < i->block->succs[1].count; s++)
            put_labelled(f, s || i->n_refs ? ", " : " ", i->block->succs[1].at[s], out);
    }
    put_machine_attrs(f, i, out);
}

void
ir_print_instr(const ir_fn *f, const ir_instr *i, unsigned flags, base_buf *out)
{
    if (f->level->machine)
        put_machine_instr(f, i, flags, out);
    else
        put_hir_instr(f, i, flags, out);
}

/* ---- functions ---- */

static void
put_shader(const ir_shader *s, base_buf *out)
{
    if (s->stage < IR_STAGE_COUNT)
        buf_printf(out, "shader: %s\n", ir_text_stages[s->stage]);
    if (s->stage == IR_STAGE_COMPUTE)
        buf_printf(out, "workgroup_size: %u, %u, %u\n", s->workgroup_size[0], s->workgroup_size[1],
                   s->workgroup_size[2]);
    ir_put_fields(ir_text_shader_fields, s, out);
    for (uint32_t i = 0; i < s->constant_size; i++) {
        buf_puts(out, i == 0 ? "constant_data: " : i % 32 == 0 ? "\nconstant_data: " : "");
        buf_printf(out, "%02x", s->constant_data[i]);
    }
    buf_puts(out, s->constant_size ? "\n" : "");
}

static void
put_edges(const ir_fn *f, const char *label, const ir_edges *e, const char *after, base_buf *out)
{
    buf_puts(out, label);
    for (unsigned i = 0; i < e->count; i++) {
        buf_puts(out, " ");
        put_block(f, e->at[i], out);
        buf_puts(out, after);
    }
}

static void
put_machine_block_head(const ir_fn *f, const ir_block *b, base_buf *out)
{
    buf_printf(out, "BB%u\n", b->index);
    put_edges(f, "/* logical preds:", &b->preds[0], ",", out);
    put_edges(f, " / linear preds:", &b->preds[1], ",", out);
    buf_puts(out, " / kind: ");
    put_words(out, ir_text_block_kinds, b->kind, ", ");
    if (b->merge)
        put_labelled(f, " / merge: ", b->merge, out);
    if (b->cont)
        put_labelled(f, " / continue: ", b->cont, out);
    buf_puts(out, " */\n");
}

/* A comment that the parser reads. */
static void
put_loc(const ir_fn *f, const ir_instr *i, base_buf *out)
{
    if (!i->loc || i->loc >= f->n_locs)
        return;
    const ir_loc *l = &f->locs[i->loc];
    buf_puts(out, " // at ");
    put_name(strings_get(&f->strings, l->file), out);
    buf_printf(out, ":%u:%u", l->line, l->column);
}

/* Opens the bundles that begin with `i`. */
static void
open_bundles(const ir_fn *f, const ir_instr *i, unsigned *indent, base_buf *out)
{
    IR_FOREACH_BUNDLE_KIND(k, f->level) {
        if (i->form & k->joins || !ir_joins_next(i, k))
            continue;
        buf_printf(out, "%*s%s%s{\n", (int)*indent, "", k->name, *k->name ? " " : "");
        *indent += 4;
    }
}

/* Closes the bundles that end with `i`. */
static void
close_bundles(const ir_fn *f, const ir_instr *i, unsigned *indent, base_buf *out)
{
    IR_FOREACH_BUNDLE_KIND(k, f->level) {
        if (!ir_joins_previous(i, k) || ir_joins_next(i, k))
            continue;
        *indent -= 4;
        buf_printf(out, "%*s}\n", (int)*indent, "");
    }
}

static void
put_instrs(const ir_fn *f, const ir_block *b, unsigned flags, unsigned indent, base_buf *out)
{
    IR_FOREACH_INSTR(i, b) {
        open_bundles(f, i, &indent, out);
        buf_printf(out, "%*s", (int)indent, "");
        ir_print_instr(f, i, flags, out);
        if (flags & IR_PRINT_LOCS)
            put_loc(f, i, out);
        buf_puts(out, "\n");
        close_bundles(f, i, &indent, out);
    }
}

/* Indents blocks by their enclosing constructs, whose merge blocks `open` holds. `open` is freed by
 * the owner of the scratch arena, because `out` may grow in the same arena. */
static void
put_hir_blocks(const ir_fn *f, unsigned flags, base_buf *out)
{
    const ir_block **open = ARENA_ARRAY(f->ctx->scratch, f->n_blocks + 1, const ir_block *);
    unsigned depth = 0;
    IR_FOREACH_BLOCK(b, f) {
        if (depth && open[depth - 1] == b)
            depth--;
        unsigned indent = 4 * (1 + (depth < 30 ? depth : 30));
        buf_printf(out, "%*sblock b%u:", (int)indent, "", b->index);
        put_edges(f, " // preds:", &b->preds[0], "", out);
        buf_puts(out, "\n");
        put_instrs(f, b, flags, indent, out);
        if (b->merge)
            open[depth++] = b->merge;
    }
}

static void
put_machine_blocks(const ir_fn *f, unsigned flags, base_buf *out)
{
    IR_FOREACH_BLOCK(b, f) {
        put_machine_block_head(f, b, out);
        put_instrs(f, b, flags, 4, out);
        put_edges(f, "/* logical succs:", &b->succs[0], ",", out);
        put_edges(f, " / linear succs:", &b->succs[1], ",", out);
        buf_puts(out, " */\n");
    }
}

/* The fields of the header that a new function does not have. */
static void
put_state(const ir_fn *f, base_buf *out)
{
    uint32_t shown = IR_HAS_DIVERGENCE | (f->level->machine ? IR_HAS_LIVENESS | IR_HAS_KILLS : 0);
    if (f->valid & shown) {
        buf_puts(out, "valid: ");
        put_words(out, ir_text_analyses, f->valid & shown, "|");
        buf_puts(out, "\n");
    }
    if (f->level->program && f->backend)
        ir_put_fields(f->level->program, f->backend, out);
}

/* The flags that IR_PRINT_STATE stands for. */
static unsigned
state_flags(const ir_fn *f)
{
    unsigned flags = IR_PRINT_LOCS;
    flags |= f->valid & IR_HAS_DIVERGENCE ? IR_PRINT_DIVERGENCE : 0;
    return f->valid & IR_HAS_KILLS ? flags | IR_PRINT_KILLS : flags;
}

void
ir_print_parts(const ir_fn *f, unsigned flags, const ir_text_part *parts, base_buf *out)
{
    put_shader(&f->shader, out);
    for (; parts && parts->fields; parts++)
        ir_put_fields(parts->fields, parts->at, out);
    if (flags & IR_PRINT_STATE) {
        put_state(f, out);
        flags |= state_flags(f);
    }
    if (!f->ssa)
        buf_puts(out, "ssa: false\n");
    if (f->allocated)
        buf_puts(out, "allocated: true\n");
    buf_puts(out, "impl ");
    put_name(f->name, out);
    buf_puts(out, " {\n");
    if (f->level->machine)
        put_machine_blocks(f, flags, out);
    else
        put_hir_blocks(f, flags, out);
    buf_puts(out, "}\n");
}
