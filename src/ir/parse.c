/* Reads the text form: header, blocks, and the edges between them.
 *
 * Blocks and values may be referenced before they are defined; a block is made at its first
 * mention, and values are just numbers. Edges come from the terminators (HIR) or from the comments
 * at the start and end of a block (machine levels). If a comment states edges, it also states their
 * order. Steps that need the whole function are done at the end: the order of edges and phi
 * references, components, missing definitions.
 */
#include "ir/parse.h"
#include "ir/bundle.h"
#include "ir/header.h"

/* ---- block names ---- */

static bool
block_number(const ir_parser *p, uint64_t *out)
{
    const char *prefix = p->level->machine ? "BB" : "b";
    size_t n = strlen(prefix);
    ir_tok t = p->lex.tok;
    if (t.kind != IR_TOK_WORD || t.len <= n || memcmp(t.text, prefix, n) != 0 || t.text[n] == '-')
        return false;
    t.text += n;
    t.len -= n;
    return ir_tok_number(t, 32, out);
}

bool
ir_parse_at_block_name(const ir_parser *p)
{
    uint64_t n;
    return block_number(p, &n);
}

ir_parse_block *
ir_parse_block_name(ir_parser *p)
{
    uint64_t number, at;
    ir_lexer *l = &p->lex;
    if (!block_number(p, &number)) {
        ir_lex_at(l, l->tok);
        diag_fail(l->diag, ERR_IR_BAD_BLOCK, (int)l->tok.len, l->tok.text);
    }
    if (!map_get(&p->block_of, number, &at)) {
        p->blocks = arena_grow(p->ctx->scratch, p->blocks, &p->cap_blocks, p->n_blocks + 1,
                               sizeof *p->blocks);
        at = p->n_blocks++;
        p->blocks[at] = ARENA_NEW(p->ctx->scratch, ir_parse_block);
        p->blocks[at]->block = ir_block_new(p->f);
        p->blocks[at]->tok = l->tok;
        p->blocks[at]->number = (uint32_t)number;
        p->blocks[at]->block->offset = (uint32_t)at;
        map_put(&p->block_of, number, at);
    }
    ir_lex_next(l);
    return p->blocks[at];
}

void
ir_parse_state_block(ir_parser *p, ir_stated *list, ir_block *b)
{
    list->at = arena_grow(p->ctx->scratch, list->at, &list->cap, list->count + 1, sizeof *list->at);
    list->at[list->count++] = b;
    list->given = true;
}

/* ---- header ---- */

static unsigned
take_name(ir_parser *p, const char *const *names)
{
    ir_tok t = ir_lex_word(&p->lex, "a word");
    for (unsigned i = 0; names[i]; i++) {
        if (*names[i] && ir_tok_is(t, names[i]))
            return i;
    }
    ir_lex_at(&p->lex, t);
    diag_fail(p->lex.diag, ERR_IR_BAD_FIELD, (int)t.len, t.text);
}

static bool
take_bool(ir_parser *p)
{
    bool v = ir_lex_is_word(&p->lex, "true");
    if (!v && !ir_lex_is_word(&p->lex, "false"))
        ir_lex_fail(&p->lex, "true or false");
    ir_lex_next(&p->lex);
    return v;
}

static void
parse_constant_data(ir_parser *p)
{
    ir_shader *s = &p->f->shader;
    ir_tok t = ir_lex_word(&p->lex, "hexadecimal bytes");
    uint8_t *data = arena_alloc(p->f->arena, s->constant_size + t.len / 2);
    if (s->constant_size)
        memcpy(data, s->constant_data, s->constant_size);
    for (size_t i = 0; i < t.len; i += 2) {
        uint64_t v;
        char hex[] = {'0', 'x', t.text[i], i + 1 < t.len ? t.text[i + 1] : 'x'};
        if (!ir_tok_number((ir_tok){.kind = IR_TOK_WORD, .text = hex, .len = 4}, 8, &v)) {
            p->lex.tok = t;
            ir_lex_fail(&p->lex, "hexadecimal bytes");
        }
        data[s->constant_size++] = (uint8_t)v;
    }
    s->constant_data = data;
}

/* Reads a field that a table describes. Returns false if none has this name. */
static bool
parse_table_field(ir_parser *p, ir_tok name)
{
    ir_fn *f = p->f;
    const ir_text_part own[] = {{ir_text_shader_fields, &f->shader},
                                {p->level->program, f->backend}};
    const ir_text_part *given = p->parts;
    const ir_text_field *field = NULL;
    void *at = NULL;
    for (unsigned k = 0; !field && k < 2 && own[k].fields; k++) {
        field = ir_find_field(own[k].fields, name);
        at = own[k].at;
    }
    for (; !field && given && given->fields; given++) {
        field = ir_find_field(given->fields, name);
        at = given->at;
    }
    if (field)
        ir_take_field(&p->lex, f->arena, field, at);
    return field != NULL;
}

static void
parse_field(ir_parser *p)
{
    ir_shader *s = &p->f->shader;
    ir_tok name = ir_lex_word(&p->lex, "a property of the shader, or 'impl'");
    ir_lex_expect(&p->lex, ':');
    if (ir_tok_is(name, "shader")) {
        s->stage = (ir_stage)take_name(p, ir_text_stages);
    } else if (ir_tok_is(name, "workgroup_size")) {
        for (unsigned d = 0; d < 3; d++) {
            if (d)
                ir_lex_expect(&p->lex, ',');
            s->workgroup_size[d] = (uint32_t)ir_lex_number(&p->lex, 32);
        }
    } else if (ir_tok_is(name, "constant_data")) {
        parse_constant_data(p);
    } else if (ir_tok_is(name, "ssa")) {
        p->f->ssa = take_bool(p);
    } else if (ir_tok_is(name, "allocated")) {
        p->f->allocated = take_bool(p);
    } else if (ir_tok_is(name, "valid")) {
        do
            p->valid |= 1u << take_name(p, ir_text_analyses);
        while (ir_lex_take(&p->lex, '|'));
    } else if (!parse_table_field(p, name)) {
        ir_lex_at(&p->lex, name);
        diag_fail(p->lex.diag, ERR_IR_BAD_FIELD, (int)name.len, name.text);
    }
}

const char *
ir_parse_string(ir_parser *p, arena *a, const char *what)
{
    ir_tok t = p->lex.tok;
    if (t.kind != IR_TOK_STRING)
        ir_lex_fail(&p->lex, what);
    char *text = arena_alloc(a, t.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < t.len; i++) {
        uint64_t v = (unsigned char)t.text[i];
        if (v == '\\') {
            char hex[] = {'0', 'x', i + 2 < t.len ? t.text[i + 2] : 'x',
                          i + 3 < t.len ? t.text[i + 3] : 'x'};
            ir_tok number = {.kind = IR_TOK_WORD, .text = hex, .len = 4};
            if (i + 1 >= t.len || t.text[i + 1] != 'x' || !ir_tok_number(number, 8, &v) || v == 0)
                ir_lex_fail(&p->lex, "escapes of the form \\xNN");
            i += 3;
        }
        text[n++] = (char)v;
    }
    text[n] = 0;
    ir_lex_next(&p->lex);
    return text;
}

/* ---- blocks ---- */

static void
open_block(ir_parser *p)
{
    ir_tok t = p->lex.tok;
    ir_parse_block *b = ir_parse_block_name(p);
    if (b->block->index != UINT32_MAX) {
        ir_lex_at(&p->lex, t);
        diag_fail(p->lex.diag, ERR_IR_REDEFINED_BLOCK, b->number);
    }
    ir_append_block(p->f, b->block);
    p->current = b;
}

/* Reads blocks until another token follows. */
static void
parse_stated(ir_parser *p, ir_stated *list)
{
    list->given = true;
    while (ir_parse_at_block_name(p) && !p->lex.tok.new_line) {
        ir_parse_state_block(p, list, ir_parse_block_name(p)->block);
        ir_lex_take(&p->lex, ',');
    }
}

static void
parse_hir_block(ir_parser *p)
{
    ir_lexer *l = &p->lex;
    open_block(p);
    ir_lex_expect(l, ':');
    if (ir_lex_take(l, '/')) {
        ir_lex_expect(l, '/');
        ir_lex_next(l);
        ir_lex_expect(l, ':');
        parse_stated(p, &p->current->preds[0]);
    }
}

static void
parse_kinds(ir_parser *p, ir_block *b)
{
    while (p->lex.tok.kind == IR_TOK_WORD) {
        uint64_t bits;
        if (ir_tok_number(p->lex.tok, 32, &bits)) {
            b->kind |= (uint32_t)bits;
            ir_lex_next(&p->lex);
        } else {
            b->kind |= 1u << take_name(p, ir_text_block_kinds);
        }
        ir_lex_take(&p->lex, ',');
    }
}

/* Reads one part of a machine block's comment: "linear preds: BB0, BB2,". */
static void
parse_part(ir_parser *p, ir_parse_block *b)
{
    ir_lexer *l = &p->lex;
    ir_tok word = ir_lex_word(l, "logical, linear, kind, merge or continue");
    bool logical = ir_tok_is(word, "logical");
    if (logical || ir_tok_is(word, "linear")) {
        ir_tok end = ir_lex_word(l, "preds or succs");
        ir_lex_expect(l, ':');
        parse_stated(p, &(ir_tok_is(end, "preds") ? b->preds : b->succs)[!logical]);
        return;
    }
    ir_lex_expect(l, ':');
    if (ir_tok_is(word, "kind"))
        parse_kinds(p, b->block);
    else if (ir_tok_is(word, "merge"))
        b->block->merge = ir_parse_block_name(p)->block;
    else
        b->block->cont = ir_parse_block_name(p)->block;
}

/* Reads the comment at a machine block's start or end. The current token is its first slash. */
static void
parse_edges_comment(ir_parser *p)
{
    ir_lexer *l = &p->lex;
    if (!p->current)
        ir_lex_fail(l, "a block");
    ir_lex_next(l);
    ir_lex_expect(l, '*');
    do
        parse_part(p, p->current);
    while (ir_lex_take(l, '/'));
    ir_lex_expect(l, '*');
    ir_lex_expect(l, '/');
}

/* ---- bundles ---- */

/* The innermost kind whose braces are open, or NULL. */
static const ir_bundle_kind *
open_bundle(const ir_parser *p)
{
    const ir_bundle_kind *innermost = NULL;
    IR_FOREACH_BUNDLE_KIND(k, p->level) {
        innermost = p->open_bundles & k->joins ? k : innermost;
    }
    return innermost;
}

/* The kind whose name or brace is the current token, if it may open here; or NULL. */
static const ir_bundle_kind *
at_bundle(const ir_parser *p)
{
    const ir_bundle_kind *outer = open_bundle(p);
    for (const ir_bundle_kind *k = outer ? outer + 1 : p->level->bundles; k && k->joins; k++) {
        if (*k->name ? ir_lex_is_word(&p->lex, k->name) : ir_lex_is(&p->lex, '{'))
            return k;
    }
    return NULL;
}

static void
parse_bundle(ir_parser *p, const ir_bundle_kind *k)
{
    if (*k->name)
        ir_lex_next(&p->lex);
    ir_lex_expect(&p->lex, '{');
    p->open_bundles |= k->joins;
}

static void
close_bundle(ir_parser *p, const ir_bundle_kind *k)
{
    if (!(p->begun_bundles & k->joins))
        ir_lex_fail(&p->lex, "an instruction of the bundle");
    ir_lex_next(&p->lex);
    p->open_bundles &= (uint8_t)~k->joins;
    p->begun_bundles &= (uint8_t)~k->joins;
}

/* Parses an instruction, which joins the open bundles that have one already. */
static void
parse_instr(ir_parser *p)
{
    ir_parse_instr(p);
    p->current->block->last->form |= p->begun_bundles;
    p->begun_bundles = p->open_bundles;
}

/* ---- bodies ---- */

/* Parses the name of a block, or a comment on its edges. Returns false if there is something else
 * here. */
static bool
parse_block_part(ir_parser *p)
{
    ir_lexer *l = &p->lex;
    bool machine = p->level->machine, comment = machine && ir_lex_is(l, '/');
    if (!comment && !(machine ? ir_parse_at_block_name(p) : ir_lex_is_word(l, "block")))
        return false;
    if (p->open_bundles)
        ir_lex_fail(l, "the bundle's '}'");
    if (comment) {
        parse_edges_comment(p);
    } else if (machine) {
        open_block(p);
    } else {
        ir_lex_next(l);
        parse_hir_block(p);
    }
    return true;
}

static void
parse_body(ir_parser *p)
{
    ir_lexer *l = &p->lex;
    ir_lex_expect(l, '{');
    for (const ir_bundle_kind *k; (k = open_bundle(p)) || !ir_lex_take(l, '}');) {
        const ir_bundle_kind *opens = at_bundle(p);
        if (k && ir_lex_is(l, '}'))
            close_bundle(p, k);
        else if (opens)
            parse_bundle(p, opens);
        else if (!parse_block_part(p))
            parse_instr(p);
    }
    if (l->tok.kind != IR_TOK_END)
        ir_lex_fail(l, "the end of the text");
}

/* ---- steps that need the whole function ---- */

_Noreturn static void
fail_at_block(ir_parser *p, ir_parse_block *b, diag_error e)
{
    ir_lex_at(&p->lex, b->tok);
    diag_fail(p->lex.diag, e, b->number);
}

/* Adds the edges stated at either end. */
static void
add_stated_edges(ir_parser *p, unsigned list)
{
    for (size_t i = 0; i < p->n_blocks; i++) {
        for (size_t s = 0; s < p->blocks[i]->succs[list].count; s++)
            ir_add_edge(p->blocks[i]->block, p->blocks[i]->succs[list].at[s], list);
    }
    for (size_t i = 0; i < p->n_blocks; i++) {
        ir_block *b = p->blocks[i]->block;
        for (size_t s = 0; s < p->blocks[i]->preds[list].count; s++) {
            ir_block *from = p->blocks[i]->preds[list].at[s];
            if (!p->blocks[from->offset]->succs[list].given)
                ir_add_edge(from, b, list);
        }
    }
}

/* Puts `e` into the stated order. Returns false if the two differ in more than their order. `seen`
 * is an array of zeros by block and is zero again on return. */
static bool
order_edges(ir_edges *e, const ir_stated *order, uint32_t *seen)
{
    bool ok = e->count == order->count;
    for (uint32_t i = 0; i < e->count; i++)
        seen[e->at[i]->index]++;
    for (uint32_t i = 0; i < order->count; i++)
        ok &= seen[order->at[i]->index]-- == 1;
    for (uint32_t i = 0; i < e->count; i++)
        seen[e->at[i]->index] = 0;
    for (uint32_t i = 0; i < order->count; i++)
        seen[order->at[i]->index] = 0;
    if (ok && e->count)
        memcpy(e->at, order->at, e->count * sizeof *e->at);
    return ok;
}

static void
finish_edges(ir_parser *p)
{
    uint32_t *seen = ARENA_ARRAY(p->ctx->scratch, p->f->n_blocks, uint32_t);
    for (size_t i = 0; i < p->n_blocks; i++) {
        if (p->blocks[i]->block->index == UINT32_MAX)
            fail_at_block(p, p->blocks[i], ERR_IR_UNDEFINED_BLOCK);
    }
    for (size_t i = 0; i < p->n_blocks; i++) {
        if (!p->blocks[i]->succs[1].given)
            p->blocks[i]->succs[1] = p->blocks[i]->targets;
    }
    for (unsigned list = 0; list < 2; list++) {
        add_stated_edges(p, list);
        for (size_t i = 0; i < p->n_blocks; i++) {
            ir_parse_block *b = p->blocks[i];
            if (b->preds[list].given && !order_edges(&b->block->preds[list], &b->preds[list], seen))
                fail_at_block(p, b, ERR_IR_BAD_EDGES);
        }
    }
}

/* Reorders the references of a phi from the order of `phi->blocks` to that of the predecessors. */
static void
finish_phi(ir_parser *p, ir_parse_phi *phi, uint32_t *place)
{
    ir_instr *i = phi->instr;
    ir_edges *preds = &i->block->preds[0];
    ir_ref *refs = arena_copy(p->ctx->scratch, i->refs, i->n_refs * sizeof *i->refs);
    bool ok = preds->count == phi->blocks.count;
    for (uint32_t b = 0; b < preds->count; b++)
        place[preds->at[b]->index] = b + 1;
    for (size_t b = 0; ok && b < phi->blocks.count; b++) {
        uint32_t *at = &place[phi->blocks.at[b]->index];
        ok = *at != 0;
        if (ok)
            i->refs[*at - 1] = refs[b];
        *at = 0;
    }
    for (uint32_t b = 0; b < preds->count; b++)
        place[preds->at[b]->index] = 0;
    if (!ok) {
        p->lex.diag->loc.line = i->mark;
        p->lex.diag->loc.column = 1;
        diag_fail(p->lex.diag, ERR_IR_BAD_PHI);
    }
}

/* The class of a reference that states none: its value's or, if the value has no definition any
 * more behind allocation, that which the register's name implies. */
static void
set_class(ir_parser *p, ir_ref *ref)
{
    ir_value *v = &p->f->values[ref->id];
    bool implied = ref->flags & IR_MAKERS_MARK; /* imply_class */
    bool lost = p->f->allocated && !p->f->ssa && ref->rc;
    if (!v->def && !lost)
        diag_fail(p->lex.diag, ERR_IR_UNDEFINED_VALUE, ref->id);
    if (v->def && (implied || !ref->rc))
        ref->rc = (uint8_t)v->type;
    if (!v->def && !v->type)
        ir_set_type(p->f, ref->id, ref->rc);
    ref->flags &= ~IR_MAKERS_MARK;
}

static void
finish_refs(ir_parser *p, ir_instr *i)
{
    ir_fn *f = p->f;
    p->lex.diag->loc.line = i->mark;
    p->lex.diag->loc.column = 1;
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_ref *ref = &i->refs[r];
        if (!ir_is_value(*ref) || (ref->id == 0 && p->level->machine))
            continue;
        const ir_value *v = &f->values[ref->id];
        if (p->level->machine) {
            set_class(p, ref);
            continue;
        }
        if (!v->def)
            diag_fail(p->lex.diag, ERR_IR_UNDEFINED_VALUE, ref->id);
        unsigned comps = ir_type_comps(v->type);
        if (ref->comp == IR_WHOLE && comps == 1)
            ref->comp = 0;
        if (ref->comp != IR_WHOLE && ref->comp >= comps)
            diag_fail(p->lex.diag, ERR_IR_BAD_COMPONENT, ref->id);
    }
}

static void
finish(ir_parser *p)
{
    ir_fn *f = p->f;
    finish_edges(p);
    uint32_t *place = ARENA_ARRAY(p->ctx->scratch, f->n_blocks, uint32_t);
    for (size_t i = 0; i < p->n_phis; i++)
        finish_phi(p, &p->phis[i], place);
    IR_FOREACH_BLOCK(b, f) {
        b->offset = 0;
        IR_FOREACH_INSTR(i, b) {
            finish_refs(p, i);
            i->mark = 0;
        }
    }
    f->valid = p->valid;
}

ir_fn *
ir_parse_parts(ir_ctx *ctx, const ir_level *level, const char *text, size_t size,
               const ir_text_part *parts)
{
    arena_mark m = arena_save(ctx->scratch);
    ir_parser p = {.ctx = ctx, .level = level, .f = ir_fn_new(ctx, level, ""), .parts = parts};
    if (level->program)
        p.f->backend = arena_zalloc(p.f->arena, level->program_size);
    p.ops = strings_make(ctx->scratch);
    p.locs = strings_make(ctx->scratch);
    p.block_of = map_make(ctx->scratch);
    p.op_of = ARENA_ARRAY(ctx->scratch, level->n_ops, uint16_t);
    for (unsigned op = level->n_ops; op-- > 0;) {
        if (level->ops[op].name)
            p.op_of[strings_intern(&p.ops, level->ops[op].name, strlen(level->ops[op].name))] =
                (uint16_t)op;
    }
    ir_lex_init(&p.lex, ctx->diag, ctx->scratch, text, size);
    while (!ir_lex_take_word(&p.lex, "impl"))
        parse_field(&p);
    p.f->name = ir_parse_string(&p, p.f->arena, "the function's name in quotes");
    parse_body(&p);
    finish(&p);
    ctx->diag->loc.line = ctx->diag->loc.column = 0;
    arena_release(ctx->scratch, m);
    return p.f;
}

/* Takes the rest of the line: a target id has colons. */
static const char *
take_line(arena *a, ir_lexer *l)
{
    const char *first = l->tok.text, *end = first;
    do {
        end = l->tok.text + l->tok.len;
        ir_lex_next(l);
    } while (l->tok.kind != IR_TOK_END && !l->tok.new_line);
    return arena_printf(a, "%.*s", (int)(end - first), first);
}

ir_text_origin
ir_find_origin(ir_ctx *ctx, const char *text, size_t size)
{
    ir_lexer l;
    ir_text_origin o = {0};
    arena_mark m = arena_save(ctx->scratch);
    ir_lex_init(&l, ctx->diag, ctx->scratch, text, size);
    while (l.tok.kind != IR_TOK_END && !ir_lex_is_word(&l, "impl")) {
        ir_tok name = l.tok;
        ir_lex_next(&l);
        bool field = name.new_line && ir_lex_take(&l, ':') && l.tok.kind == IR_TOK_WORD;
        if (field && ir_tok_is(name, "target"))
            o.target = take_line(ctx->arena, &l);
        else if (field && ir_tok_is(name, "after"))
            o.after = take_line(ctx->arena, &l);
    }
    while (l.tok.kind != IR_TOK_END && !ir_lex_is(&l, '{'))
        ir_lex_next(&l);
    ir_lex_take(&l, '{');
    ir_tok t = l.tok;
    o.machine = t.kind == IR_TOK_WORD && t.len > 2 && memcmp(t.text, "BB", 2) == 0;
    arena_release(ctx->scratch, m);
    return o;
}
