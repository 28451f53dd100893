/* Reads one instruction of the text form.
 *
 *  HIR       con 32x4 %4 = @load_ssbo (%2, %3) (access=readonly, align_mul=16)
 *  machine   s2: %3,  s1: %2:scc = s_and_b64 %1, %0:exec
 *
 * Definitions, opcode, references and attributes are gathered first; the instruction is made when
 * their counts are known.
 */
#include "ir/parse.h"

typedef struct gathered {
    ir_parser *p;
    ir_tok op_tok;
    unsigned op;
    const ir_op_info *row;
    ir_ref *defs, *refs;
    ir_type *types; /* of the definitions */
    size_t n_defs, n_refs, cap_defs, cap_types, cap_refs;
    ir_stated blocks; /* phi blocks */
    uint32_t *words;
    size_t n_words, cap_words;
    uint8_t form;
} gathered;

static void
add_ref(gathered *g, ir_ref r)
{
    if (g->n_refs == IR_PARSE_MAX_REFS)
        diag_fail(g->p->lex.diag, ERR_IR_TOO_LARGE, (unsigned)g->n_refs + 1, IR_PARSE_MAX_REFS);
    g->refs = arena_grow(g->p->ctx->scratch, g->refs, &g->cap_refs, g->n_refs + 1, sizeof *g->refs);
    g->refs[g->n_refs++] = r;
}

static void
add_def(gathered *g, ir_ref r, ir_type t)
{
    arena *a = g->p->ctx->scratch;
    if (g->n_defs == 255)
        diag_fail(g->p->lex.diag, ERR_IR_TOO_LARGE, 256u, 255u);
    g->defs = arena_grow(a, g->defs, &g->cap_defs, g->n_defs + 1, sizeof *g->defs);
    g->types = arena_grow(a, g->types, &g->cap_types, g->n_defs + 1, sizeof *g->types);
    g->defs[g->n_defs] = r;
    g->types[g->n_defs++] = t;
}

/* ---- values ---- */

static uint32_t
value_id(ir_parser *p, ir_tok t)
{
    uint64_t id;
    bool machine = p->level->machine;
    ir_lex_at(&p->lex, t);
    if (!ir_tok_number(t, 32, &id) || (id == 0 && !machine)) {
        p->lex.tok = t;
        ir_lex_fail(&p->lex, "a value's number");
    }
    if (id > IR_PARSE_MAX_VALUE)
        diag_fail(p->lex.diag, ERR_IR_TOO_LARGE, (unsigned)id, (unsigned)IR_PARSE_MAX_VALUE);
    while (p->f->n_values <= id)
        ir_new_value(p->f, 0);
    return (uint32_t)id;
}

static unsigned
component(ir_parser *p, ir_tok t, char letter)
{
    const char *few = strchr(ir_text_comps_few, letter);
    const char *many = strchr(ir_text_comps_many, letter);
    if (letter && few)
        return (unsigned)(few - ir_text_comps_few);
    if (letter && many)
        return (unsigned)(many - ir_text_comps_many);
    p->lex.tok = t;
    ir_lex_fail(&p->lex, "a component's letter");
}

/* "4" or "4.x", after the percent sign. */
static ir_ref
parse_value(ir_parser *p)
{
    ir_tok t = ir_lex_word(&p->lex, "a value's number"), id = t;
    ir_ref r = {.kind = IR_REF_VALUE, .reg = IR_REG_NONE, .comp = IR_WHOLE};
    if (t.len > 2 && t.text[t.len - 2] == '.') {
        id.len -= 2;
        r.comp = (uint8_t)component(p, t, t.text[t.len - 1]);
    }
    r.id = value_id(p, id);
    return r;
}

static ir_type
parse_type(ir_parser *p, ir_tok t)
{
    ir_type type;
    if (!p->level->parse_type(t.text, t.len, &type)) {
        ir_lex_at(&p->lex, t);
        diag_fail(p->lex.diag, ERR_IR_BAD_TYPE, (int)t.len, t.text);
    }
    return type;
}

/* ---- references of machine levels ---- */

/* "{fa}": on entry the current token is the colon before it, on return its last character. */
static uint8_t
parse_reg_marks(ir_parser *p)
{
    ir_lexer *l = &p->lex;
    if (l->next == l->end || *l->next != '{')
        return p->f->allocated ? IR_ASSIGNED : IR_FIXED;
    uint8_t flags = 0;
    ir_lex_next(l);
    ir_lex_next(l);
    if (l->tok.kind == IR_TOK_WORD) {
        flags |= memchr(l->tok.text, 'f', l->tok.len) ? IR_FIXED : 0;
        flags |= memchr(l->tok.text, 'a', l->tok.len) ? IR_ASSIGNED : 0;
        ir_lex_next(l);
    }
    if (!ir_lex_is(l, '}'))
        ir_lex_fail(l, "'}'");
    return flags;
}

/* The register's name implies a class, which counts if no other is known: set_class. */
static void
imply_class(ir_ref *r, ir_type type)
{
    if (!r->rc) {
        r->rc = (uint8_t)type;
        r->flags |= IR_MAKERS_MARK;
    }
}

static void
parse_reg(ir_parser *p, ir_ref *r)
{
    unsigned reg;
    ir_type type;
    ir_lexer *l = &p->lex;
    if (!ir_lex_is(l, ':'))
        return;
    r->flags |= parse_reg_marks(p);
    ir_lex_register(l);
    if (!p->level->parse_reg(l->tok.text, l->tok.len, &reg, &type)) {
        ir_lex_at(l, l->tok);
        diag_fail(l->diag, ERR_IR_BAD_REGISTER, (int)l->tok.len, l->tok.text);
    }
    ir_lex_next(l);
    r->reg = (uint16_t)reg;
    if (r->kind == IR_REF_NONE && r->rc == 0)
        r->rc = (uint8_t)type;
    else if (p->f->allocated && r->kind == IR_REF_VALUE)
        imply_class(r, type);
}

static uint8_t
parse_kill_flags(ir_parser *p)
{
    uint8_t flags = 0;
    ir_lexer *l = &p->lex;
    while (ir_lex_take(l, '(')) {
        if (ir_lex_take_word(l, "kill"))
            flags |= IR_KILL;
        else if (ir_lex_take_word(l, "firstkill"))
            flags |= IR_FIRST_KILL;
        else if (ir_lex_take_word(l, "latekill"))
            flags |= IR_LATE_KILL;
        else
            ir_lex_fail(l, "kill, firstkill or latekill");
        ir_lex_expect(l, ')');
    }
    return flags;
}

static void
parse_const(ir_parser *p, ir_ref *r)
{
    uint64_t v;
    ir_tok t = p->lex.tok;
    if (t.kind == IR_TOK_WORD && t.len > 1 && t.text[t.len - 1] == 'l') {
        r->flags |= IR_CONST64;
        t.len--;
    }
    if (!ir_tok_number(t, 32, &v))
        ir_lex_fail(&p->lex, "an operand");
    r->kind = IR_REF_CONST;
    r->id = (uint32_t)v;
    r->rc = r->rc ? r->rc : (uint8_t)p->level->const_type;
    ir_lex_next(&p->lex);
}

static ir_ref
parse_machine_ref(ir_parser *p)
{
    ir_type type;
    ir_lexer *l = &p->lex;
    ir_ref r = ir_none();
    r.flags = parse_kill_flags(p);
    ir_tok t = l->tok;
    if (t.kind == IR_TOK_WORD && p->level->parse_type(t.text, t.len, &type)) {
        ir_lex_next(l);
        ir_lex_expect(l, ':');
        r.rc = (uint8_t)type;
    }
    if (ir_lex_take_word(l, "_"))
        return r;
    if (ir_lex_take(l, '%')) {
        ir_ref v = parse_value(p);
        r.kind = v.id ? v.kind : IR_REF_NONE; /* %0: just a register */
        r.id = v.id;
    } else if (ir_lex_take_word(l, "undef")) {
        r.kind = IR_REF_UNDEF;
    } else {
        parse_const(p, &r);
    }
    parse_reg(p, &r);
    return r;
}

static bool
at_machine_ref(const ir_parser *p)
{
    ir_type type;
    uint64_t v;
    ir_tok t = p->lex.tok;
    if (t.new_line || t.kind == IR_TOK_END)
        return false;
    if (t.kind == IR_TOK_PUNCT)
        return *t.text == '%' || *t.text == '(';
    if (t.len > 1 && t.text[t.len - 1] == 'l' && t.text[0] <= '9')
        t.len--;
    return ir_tok_is(t, "_") || ir_tok_is(t, "undef") || ir_tok_number(t, 32, &v) ||
           p->level->parse_type(t.text, t.len, &type);
}

static void
parse_machine_refs(gathered *g)
{
    ir_parser *p = g->p;
    if (!at_machine_ref(p) && !(ir_parse_at_block_name(p) && !p->lex.tok.new_line))
        return;
    do {
        if (ir_parse_at_block_name(p))
            ir_parse_state_block(p, &p->current->targets, ir_parse_block_name(p)->block);
        else
            add_ref(g, parse_machine_ref(p));
        p->current->targets.given |= p->current->targets.count > 0;
    } while (ir_lex_take(&p->lex, ','));
}

/* ---- references of HIR ---- */

static ir_ref
parse_hir_ref(ir_parser *p)
{
    if (ir_lex_take_word(&p->lex, "_"))
        return ir_none();
    ir_lex_expect(&p->lex, '%');
    return parse_value(p);
}

static void
parse_hir_refs(gathered *g)
{
    ir_lexer *l = &g->p->lex;
    bool at = ir_lex_is(l, '%') || ir_lex_is_word(l, "_") || (g->row->flags & IR_OP_PHI);
    if (l->tok.new_line || !at)
        return;
    do {
        if (g->row->flags & IR_OP_PHI) {
            ir_parse_state_block(g->p, &g->blocks, ir_parse_block_name(g->p)->block);
            ir_lex_expect(l, ':');
        }
        add_ref(g, parse_hir_ref(g->p));
    } while (ir_lex_take(l, ','));
}

/* ---- attributes ---- */

static bool
enum_value(const ir_attr_info *a, ir_tok t, uint32_t *out)
{
    uint64_t v;
    for (unsigned i = 0; a->names[i]; i++) {
        if (ir_tok_is(t, a->names[i])) {
            *out = i;
            return true;
        }
    }
    if (!ir_tok_number(t, a->bits, &v))
        return false;
    *out = (uint32_t)v;
    return true;
}

static bool
mask_value(ir_tok t, uint32_t *out)
{
    uint64_t v;
    *out = 0;
    if (ir_tok_is(t, "none"))
        return true;
    if (ir_tok_number(t, 32, &v)) {
        *out = (uint32_t)v;
        return true;
    }
    const char *set = memchr(ir_text_comps_few, t.text[0], 4) ? ir_text_comps_few
                                                              : ir_text_comps_many;
    for (size_t i = 0; i < t.len; i++) {
        const char *at = memchr(set, t.text[i], strlen(set));
        if (!at || *out >> (at - set))
            return false;
        *out |= 1u << (at - set);
    }
    return true;
}

static bool
word_value(const ir_attr_info *a, ir_tok t, uint32_t *out)
{
    uint64_t v = 0;
    bool ok = true;
    if (a->kind == IR_ATTR_ENUM)
        return enum_value(a, t, out);
    if (a->kind == IR_ATTR_MASK)
        return mask_value(t, out);
    if (a->kind == IR_ATTR_BOOL && (ir_tok_is(t, "true") || ir_tok_is(t, "false")))
        v = ir_tok_is(t, "true");
    else
        ok = ir_tok_number(t, a->bits, &v);
    *out = (uint32_t)v;
    return ok;
}

static bool
flag_value(const ir_attr_info *a, ir_tok t, uint32_t *out)
{
    if (ir_tok_is(t, "none")) {
        *out = 0;
        return true;
    }
    for (unsigned i = 0; a->names[i]; i++) {
        if (ir_tok_is(t, a->names[i])) {
            *out = 1u << i;
            return true;
        }
    }
    uint64_t v;
    bool ok = ir_tok_number(t, a->bits, &v);
    *out = ok ? (uint32_t)v : 0;
    return ok;
}

static uint32_t
parse_attr_value(ir_parser *p, const ir_attr_info *a)
{
    uint32_t value = 0, part;
    ir_tok t;
    do {
        t = ir_lex_word(&p->lex, "an attribute's value");
        if (!(a->kind == IR_ATTR_FLAGS ? flag_value : word_value)(a, t, &part)) {
            ir_lex_at(&p->lex, t);
            diag_fail(p->lex.diag, ERR_IR_BAD_ATTR_VALUE, (int)t.len, t.text, a->name);
        }
        value |= part;
    } while (a->kind == IR_ATTR_FLAGS && ir_lex_take(&p->lex, '|'));
    return value;
}

static const ir_attr_info *
find_attr(gathered *g, ir_tok t)
{
    for (unsigned a = 0; a < g->row->n_attrs; a++) {
        const ir_attr_info *info = &g->row->attrs[a];
        if (info->kind != IR_ATTR_WORDS && ir_tok_is(t, info->name))
            return info;
    }
    ir_lex_at(&g->p->lex, t);
    diag_fail(g->p->lex.diag, ERR_IR_BAD_ATTR, g->row->name, (int)t.len, t.text);
}

static void
set_word_bits(gathered *g, const ir_attr_info *a, uint32_t v)
{
    uint32_t mask = (uint32_t)base_mask64(a->bits) << a->shift;
    g->words[a->word] = (g->words[a->word] & ~mask) | (v << a->shift & mask);
}

static void
add_word(gathered *g, uint32_t v)
{
    g->words = arena_grow(g->p->ctx->scratch, g->words, &g->cap_words, g->n_words + 1,
                          sizeof *g->words);
    g->words[g->n_words++] = v;
}

static void
start_words(gathered *g)
{
    const ir_op_info *row = g->row;
    for (unsigned w = 0; row->n_words != IR_ANY && w < row->n_words; w++)
        add_word(g, 0);
}

static void
parse_hir_attrs(gathered *g)
{
    ir_lexer *l = &g->p->lex;
    do {
        ir_tok name = ir_lex_word(l, "an attribute");
        const ir_attr_info *a = find_attr(g, name);
        ir_lex_expect(l, '=');
        set_word_bits(g, a, parse_attr_value(g->p, a));
    } while (ir_lex_take(l, ','));
    ir_lex_expect(l, ')');
}

/* The part of the level's form with this name, or NULL. */
static const ir_attr_info *
find_form(const gathered *g, ir_tok t)
{
    for (const ir_attr_info *a = g->p->level->form; a && a->name; a++) {
        if (a->kind != IR_ATTR_MARK && ir_tok_is(t, a->name))
            return a;
    }
    return NULL;
}

static void
parse_machine_attrs(gathered *g)
{
    ir_lexer *l = &g->p->lex;
    while (l->tok.kind == IR_TOK_WORD && !l->tok.new_line) {
        ir_tok name = ir_lex_word(l, "an attribute");
        bool valued = ir_lex_take(l, ':');
        const ir_attr_info *part = find_form(g, name);
        if (valued && part) {
            g->form |= (uint8_t)(parse_attr_value(g->p, part) << part->shift);
        } else if (valued && ir_tok_is(name, "words") && g->row->n_words == IR_ANY) {
            do
                add_word(g, (uint32_t)ir_lex_number(l, 32));
            while (ir_lex_take(l, '|'));
        } else {
            const ir_attr_info *a = find_attr(g, name);
            if (!valued && a->kind != IR_ATTR_BOOL)
                ir_lex_fail(l, "':' and a value");
            set_word_bits(g, a, valued ? parse_attr_value(g->p, a) : 1);
        }
    }
}

/* ---- constants ---- */

/* Skips the same values repeated as floats and integers. */
static void
skip_views(ir_lexer *l)
{
    while (!ir_lex_is(l, ')')) {
        if (l->tok.kind == IR_TOK_END)
            ir_lex_fail(l, "')'");
        ir_lex_next(l);
    }
    ir_lex_next(l);
    while (ir_lex_is(l, '=') && !l->tok.new_line) {
        ir_lex_next(l);
        ir_lex_expect(l, '(');
        skip_views(l);
    }
}

static void
parse_load_const(gathered *g)
{
    ir_parser *p = g->p;
    ir_lexer *l = &p->lex;
    ir_type t = g->n_defs ? g->types[0] : IR_I32;
    unsigned bits = ir_type_bits(t);
    ir_lex_expect(l, '(');
    for (unsigned c = 0; c < ir_type_comps(t); c++) {
        uint64_t v = ir_lex_is_word(l, "true");
        if (c)
            ir_lex_expect(l, ','), v = ir_lex_is_word(l, "true");
        if (bits == 1 && (v || ir_lex_is_word(l, "false")))
            ir_lex_next(l);
        else
            v = ir_lex_number(l, bits);
        add_word(g, (uint32_t)v);
        if (bits == 64)
            add_word(g, (uint32_t)(v >> 32));
    }
    if (!ir_lex_is(l, '=') && !ir_lex_is(l, ')'))
        ir_lex_fail(l, "')'");
    skip_views(l);
}

/* ---- terminators of HIR ---- */

static ir_block *
take_labelled_block(ir_parser *p, const char *label)
{
    if (!ir_lex_take_word(&p->lex, label))
        ir_lex_fail(&p->lex, label);
    return ir_parse_block_name(p)->block;
}

static void
parse_terminator(gathered *g)
{
    ir_parser *p = g->p;
    ir_parse_block *b = p->current;
    b->succs[0].given = true;
    if (g->op == IR_if) {
        add_ref(g, parse_hir_ref(p));
        ir_parse_state_block(p, &b->succs[0], take_labelled_block(p, "then"));
        ir_parse_state_block(p, &b->succs[0], take_labelled_block(p, "else"));
    } else if (g->op != IR_return) {
        ir_parse_state_block(p, &b->succs[0], ir_parse_block_name(p)->block);
    }
    if (g->op == IR_if || g->op == IR_loop)
        b->block->merge = take_labelled_block(p, "merge");
    if (g->op == IR_loop) {
        b->block->cont = take_labelled_block(p, "continue");
        if (!p->lex.tok.new_line && ir_lex_take(&p->lex, '('))
            parse_hir_attrs(g);
    }
}

/* ---- definitions, opcode, whole instructions ---- */

static void
take_op(gathered *g, ir_tok t)
{
    ir_parser *p = g->p;
    uint32_t n = t.kind == IR_TOK_WORD ? strings_find(&p->ops, t.text, t.len) : UINT32_MAX;
    if (n == UINT32_MAX) {
        ir_lex_at(&p->lex, t);
        diag_fail(p->lex.diag, ERR_IR_BAD_OPCODE, (int)t.len, t.text);
    }
    g->op_tok = t;
    g->op = p->op_of[n];
    g->row = &p->level->ops[g->op];
}

/* The marks after an opcode that it may have. */
static void
parse_marks(gathered *g)
{
    const ir_level *level = g->p->level;
    for (const ir_attr_info *a = level->form; a && a->name; a++) {
        uint8_t with = (uint8_t)(g->form | 1u << a->shift);
        if (a->kind == IR_ATTR_MARK && (!level->has_form || level->has_form(g->op, with)) &&
            ir_lex_take(&g->p->lex, *a->name))
            g->form = with;
    }
}

/* "con 32x4 %4, ..." and the opcode. */
static void
parse_hir_defs(gathered *g)
{
    ir_parser *p = g->p;
    ir_lexer *l = &p->lex;
    bool intrinsic = ir_lex_take(l, '@');
    for (;;) {
        bool divergent = ir_lex_is_word(l, "div");
        if (divergent || ir_lex_is_word(l, "con"))
            ir_lex_next(l);
        ir_tok t = ir_lex_word(l, "an instruction");
        if (!ir_lex_is(l, '%') || l->tok.new_line ||
            strings_find(&p->ops, t.text, t.len) != UINT32_MAX) {
            take_op(g, t);
            break;
        }
        ir_lex_next(l);
        ir_ref r = parse_value(p);
        add_def(g, r, parse_type(p, t));
        p->f->values[r.id].divergent = divergent;
        if (ir_lex_take(l, ','))
            continue;
        ir_lex_expect(l, '=');
        intrinsic = ir_lex_take(l, '@');
        take_op(g, ir_lex_word(l, "an opcode"));
        break;
    }
    if (intrinsic != ((g->row->flags & IR_OP_INTRINSIC) != 0)) {
        l->tok = g->op_tok;
        ir_lex_fail(l, intrinsic ? "an intrinsic" : "'@' before an intrinsic's name");
    }
}

/* "s2: %3,  s1: %2:scc = " and the opcode. */
static void
parse_machine_defs(gathered *g)
{
    ir_parser *p = g->p;
    ir_lexer *l = &p->lex;
    for (;;) {
        ir_tok t = ir_lex_word(l, "an instruction");
        if (!ir_lex_take(l, ':')) {
            take_op(g, t);
            return;
        }
        ir_type type = parse_type(p, t);
        uint8_t flags = parse_kill_flags(p);
        ir_lex_expect(l, '%');
        ir_ref r = parse_value(p);
        r.kind = r.id ? r.kind : IR_REF_NONE;
        r.rc = (uint8_t)type;
        r.flags = flags;
        parse_reg(p, &r);
        add_def(g, r, type);
        if (ir_lex_take(l, ','))
            continue;
        ir_lex_expect(l, '=');
        take_op(g, ir_lex_word(l, "an opcode"));
        return;
    }
}

static void
parse_operands(gathered *g)
{
    ir_lexer *l = &g->p->lex;
    if (g->p->level->machine) {
        parse_machine_refs(g);
        parse_machine_attrs(g);
    } else if (g->op == IR_load_const) {
        parse_load_const(g);
    } else if (g->row->flags & IR_OP_TERMINATOR) {
        parse_terminator(g);
    } else {
        bool parens = (g->row->flags & IR_OP_INTRINSIC) && !l->tok.new_line && ir_lex_take(l, '(');
        bool refs = ir_lex_is(l, '%') || ir_lex_is_word(l, "_") || ir_lex_is(l, ')');
        if (!parens || refs) {
            parse_hir_refs(g);
            if (parens)
                ir_lex_expect(l, ')');
            parens = !l->tok.new_line && ir_lex_take(l, '(');
        }
        if (parens)
            parse_hir_attrs(g);
    }
}

static void
check_count(gathered *g, unsigned want, size_t have, const char *what)
{
    ir_lex_at(&g->p->lex, g->op_tok);
    if (want != IR_ANY && want != have)
        diag_fail(g->p->lex.diag, ERR_IR_BAD_COUNT, g->row->name, want, what, (unsigned)have);
}

static void
set_defs(gathered *g, ir_instr *i)
{
    ir_fn *f = g->p->f;
    for (unsigned d = 0; d < i->n_defs; d++) {
        ir_ref r = g->defs[d];
        i->defs[d] = r;
        if (r.id == 0)
            continue;
        ir_value *v = &f->values[r.id];
        if (v->def && f->ssa)
            diag_fail(g->p->lex.diag, ERR_IR_REDEFINED_VALUE, r.id);
        v->def = i;
        ir_set_type(f, r.id, g->types[d]);
        if (!g->p->level->machine)
            i->defs[d].comp = ir_type_comps(v->type) == 1 ? 0 : IR_WHOLE;
    }
}

static void
note_phi(gathered *g, ir_instr *i)
{
    ir_parser *p = g->p;
    p->phis = arena_grow(p->ctx->scratch, p->phis, &p->cap_phis, p->n_phis + 1, sizeof *p->phis);
    p->phis[p->n_phis++] = (ir_parse_phi){i, g->blocks};
}

/* // at "file":12:5 */
static uint32_t
parse_loc(ir_parser *p)
{
    ir_lexer *l = &p->lex;
    ir_fn *f = p->f;
    ir_loc loc;
    if (l->tok.new_line || !ir_lex_take(l, '/'))
        return 0;
    ir_lex_expect(l, '/');
    ir_lex_word(l, "at");
    const char *start = l->tok.text;
    const char *file = ir_parse_string(p, p->ctx->scratch, "the name of a file in quotes");
    ir_lex_expect(l, ':');
    loc.line = (uint32_t)ir_lex_number(l, 32);
    ir_lex_expect(l, ':');
    const char *end = l->tok.text + l->tok.len;
    loc.column = (uint32_t)ir_lex_number(l, 32);
    uint32_t n = strings_intern(&p->locs, start, (size_t)(end - start));
    if (n + 1 == f->n_locs) {
        loc.file = strings_intern(&f->strings, file, strlen(file));
        f->locs = arena_grow(f->arena, f->locs, &f->cap_locs, f->n_locs + 1, sizeof *f->locs);
        f->locs[f->n_locs++] = loc;
    }
    return n + 1;
}

void
ir_parse_instr(ir_parser *p)
{
    gathered g = {.p = p};
    ir_lexer *l = &p->lex;
    uint32_t line = l->tok.line;
    ir_lex_at(l, l->tok);
    if (l->tok.kind == IR_TOK_END)
        ir_lex_fail(l, "'}'");
    if (!p->current)
        diag_fail(l->diag, ERR_IR_NO_BLOCK);
    if (!p->level->machine && ir_terminator(p->current->block))
        diag_fail(l->diag, ERR_IR_BEHIND_END);
    if (p->level->machine)
        parse_machine_defs(&g);
    else
        parse_hir_defs(&g);
    parse_marks(&g);
    start_words(&g);
    parse_operands(&g);
    uint32_t loc = parse_loc(p);
    check_count(&g, g.row->n_defs, g.n_defs, "results");
    check_count(&g, g.row->n_refs, g.n_refs, "operands");
    ir_instr *i = ir_new_instr_words(p->f, g.op, (unsigned)g.n_defs, (unsigned)g.n_refs,
                                     (unsigned)g.n_words);
    set_defs(&g, i);
    if (g.n_refs)
        memcpy(i->refs, g.refs, g.n_refs * sizeof *i->refs);
    if (g.n_words)
        memcpy(ir_words(i), g.words, g.n_words * sizeof *ir_words(i));
    i->form = g.form;
    i->loc = loc;
    i->mark = line;
    ir_append(p->current->block, i);
    if ((g.row->flags & IR_OP_PHI) && !p->level->machine)
        note_phi(&g, i);
}
