/* Reads shader library files. */
#include "amber/cases.h"

#include "base/number.h"

#include <string.h>

/* ---- tokens ---- */

static bool
is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

static void
step(lexer *l)
{
    if (*l->at++ == '\n') {
        l->line++;
        l->line_start = l->at;
    }
}

/* White space, and comments to the end of the line. */
static void
skip_blank(lexer *l)
{
    bool comment = false;
    while (l->at < l->end && (comment || *l->at == '#' || (unsigned char)*l->at <= ' ')) {
        comment = (comment || *l->at == '#') && *l->at != '\n';
        step(l);
    }
}

/* "text" on one line, or ""text"" on many. */
static void
read_string(lexer *l, lex_token *t)
{
    bool is_long = l->end - l->at >= 2 && l->at[1] == '"';
    l->at += is_long ? 2 : 1;
    t->kind = LEX_STRING;
    t->text = l->at;
    while (l->at < l->end &&
           !(*l->at == '"' && (!is_long || (l->end - l->at >= 2 && l->at[1] == '"'))))
        step(l);
    t->size = (uint32_t)(l->at - t->text);
    for (int i = 0; i < (is_long ? 2 : 1) && l->at < l->end; i++)
        l->at++;
}

static bool
is_number_start(const lexer *l)
{
    char c = *l->at, next = l->end - l->at > 1 ? l->at[1] : '\0';
    bool is_sign = c == '-' || c == '+';
    return (c >= '0' && c <= '9') || ((is_sign || c == '.') && next >= '0' && next <= '9') ||
           (is_sign && next == '.');
}

/* A number of GLSL, whose suffix u or f means nothing. */
static void
read_number(lexer *l, lex_token *t)
{
    const char *from = l->at;
    t->kind = LEX_INTEGER;
    t->negative = *l->at == '-';
    bool has_sign = *l->at == '-' || *l->at == '+';
    l->at += has_sign;
    while (l->at < l->end &&
           (is_word_char(*l->at) || ((*l->at == '-' || *l->at == '+') && (l->at[-1] | 32) == 'e')))
        l->at++;
    t->text = from;
    t->size = (uint32_t)(l->at - from);
    for (const char *p = from; p < l->at; p++)
        if (*p == '.' || (*p | 32) == 'e')
            t->kind = LEX_FLOAT;
    size_t digits = t->size - has_sign;
    if (t->kind == LEX_INTEGER)
        base_integer_read(from + has_sign, digits, 10, &t->u);
    t->f = t->kind == LEX_FLOAT ? base_double_read(from + has_sign, digits) : (double)t->u;
    t->u = t->negative ? 0 - t->u : t->u;
    t->f = t->negative ? -t->f : t->f;
}

/* Consumes a token: a word, a string, a number or one character. */
static void
next(reader *r)
{
    lexer *l = &r->lex;
    skip_blank(l);
    lex_token *t = &r->token;
    *t = (lex_token){.kind = LEX_END_OF_TEXT,
                     .text = l->at,
                     .line = l->line,
                     .column = (uint32_t)(l->at - l->line_start) + 1};
    r->diag->loc.line = t->line;
    r->diag->loc.column = t->column;
    if (l->at >= l->end)
        return;
    if (*l->at == '"') {
        read_string(l, t);
    } else if (is_number_start(l)) {
        read_number(l, t);
    } else {
        t->kind = LEX_WORD;
        do
            l->at++;
        while (is_word_char(l->at[-1]) && l->at < l->end && is_word_char(*l->at));
        t->size = (uint32_t)(l->at - t->text);
    }
}

static bool
accept(reader *r, const char *word)
{
    lexer before = r->lex;
    lex_token token = r->token;
    next(r);
    if (amber_read_is(r, word))
        return true;
    r->lex = before;
    r->token = token;
    return false;
}

static void
expect(reader *r, const char *word)
{
    next(r);
    if (!amber_read_is(r, word))
        amber_read_expected(r, arena_printf(r->arena, "'%s'", word));
}

static const char *
copy_token(const reader *r)
{
    return arena_printf(r->arena, "%.*s", (int)r->token.size, r->token.text);
}

static const char *
read_word(reader *r, const char *what)
{
    next(r);
    if (r->token.kind != LEX_WORD || !is_word_char(*r->token.text))
        amber_read_expected(r, what);
    return copy_token(r);
}

/* The name of a group or case, which may have hyphens. */
static const char *
read_title(reader *r, const char *what)
{
    read_word(r, what);
    while (r->lex.at < r->lex.end && (*r->lex.at == '-' || is_word_char(*r->lex.at))) {
        r->lex.at++;
        r->token.size++;
    }
    return copy_token(r);
}

static void
skip_line(reader *r)
{
    while (r->lex.at < r->lex.end && *r->lex.at != '\n')
        r->lex.at++;
}

/* ---- values ---- */

static case_type
read_type(reader *r)
{
    static const char *const bools[][2] = {
        {"bool", "int"}, {"bvec2", "ivec2"}, {"bvec3", "ivec3"}, {"bvec4", "ivec4"}};
    const char *name = read_word(r, "a type");
    case_type t = {.name = name, .transport = name};
    for (size_t i = 0; i < sizeof bools / sizeof bools[0]; i++) {
        if (strcmp(name, bools[i][0]) == 0) {
            t.transport = bools[i][1];
            t.is_bool = true;
        }
    }
    if (!amber_layout_parse_vkscript(t.transport, strlen(t.transport), &t.shape) ||
        t.shape.bits != 32)
        diag_fail(r->diag, ERR_AMBER_UNKNOWN, "type", name);
    return t;
}

static amber_value
read_number_of(reader *r, const case_type *t)
{
    next(r);
    if (t->is_bool) {
        bool is_true = amber_read_is(r, "true");
        if (!is_true && !amber_read_is(r, "false"))
            amber_read_expected(r, "true or false");
        return (amber_value){.u = is_true, .f = is_true};
    }
    if (r->token.kind != LEX_INTEGER && r->token.kind != LEX_FLOAT)
        amber_read_expected(r, "a number");
    return amber_read_value(r, (amber_mode)t->shape.mode);
}

/* One value: a number, or TYPE(number, ...). */
static void
read_value(reader *r, case_value *v, size_t *cap)
{
    uint32_t count = case_components(&v->type);
    v->numbers = arena_grow(r->arena, v->numbers, cap, ((size_t)v->set_count + 1) * count,
                            sizeof *v->numbers);
    amber_value *at = v->numbers + (size_t)v->set_count++ * count;
    if (count > 1) {
        expect(r, v->type.name);
        expect(r, "(");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            expect(r, ",");
        at[i] = read_number_of(r, &v->type);
    }
    if (count > 1)
        expect(r, ")");
}

static void
read_value_line(reader *r, test_case *c, case_storage storage)
{
    case_value v = {.storage = storage, .type = read_type(r)};
    size_t cap = 0;
    v.name = read_word(r, "a name");
    expect(r, "=");
    if (accept(r, "[")) {
        do
            read_value(r, &v, &cap);
        while (accept(r, "|"));
        expect(r, "]");
    } else {
        read_value(r, &v, &cap);
    }
    expect(r, ";");
    if (v.set_count > 1 && c->set_count > 1 && v.set_count != c->set_count)
        diag_fail(r->diag, ERR_AMBER_VALUES, c->set_count, v.set_count);
    if (v.set_count > c->set_count)
        c->set_count = v.set_count;
    c->values = arena_grow(r->arena, c->values, &c->value_cap, (size_t)c->value_count + 1,
                           sizeof *c->values);
    c->values[c->value_count++] = v;
}

static void
read_values(reader *r, test_case *c)
{
    static const char *const words[] = {"input", "output", "uniform"};
    expect(r, "{");
    while (!accept(r, "}")) {
        unsigned storage = 0;
        next(r);
        while (storage < 3 && !amber_read_is(r, words[storage]))
            storage++;
        if (storage == 3)
            amber_read_expected(r, "input, output, uniform or }");
        read_value_line(r, c, (case_storage)storage);
    }
}

/* ---- cases ---- */

static void
read_text(reader *r, test_case *c, case_text which)
{
    next(r);
    if (r->token.kind != LEX_STRING)
        amber_read_expected(r, "a shader between quotes");
    c->texts[which] = copy_token(r);
    c->text_lines[which] = r->token.line;
}

/* "310 es", "440 core" */
static void
read_version(reader *r, test_case *c)
{
    next(r);
    if (r->token.kind != LEX_INTEGER)
        amber_read_expected(r, "a version");
    c->version = copy_token(r);
    if (accept(r, "es") || accept(r, "core"))
        c->version = arena_printf(r->arena, "%s %s", c->version, copy_token(r));
}

static void
read_expectation(reader *r, test_case *c)
{
    const char *word = read_word(r, "what is expected");
    c->must_fail = strcmp(word, "compile_fail") == 0 || strcmp(word, "link_fail") == 0 ||
                   strcmp(word, "compile_or_link_fail") == 0;
    if (!c->must_fail && strcmp(word, "pass") != 0)
        c->unsupported = arena_printf(r->arena, "expect %s", word);
}

static void
read_color_type(reader *r, test_case *c)
{
    case_type *t = ARENA_NEW(r->arena, case_type);
    *t = read_type(r);
    if (t->shape.columns > 1 || t->is_bool)
        amber_read_expected(r, "a number or vector");
    c->color = t;
}

/* Words of a case that are about what is not built yet. */
static const char *const unbuilt[] = {"require",
                                      "geometry",
                                      "tessellation_control",
                                      "tessellation_evaluation",
                                      "pipeline_program",
                                      "active_stages",
                                      "compute"};

/* A shader, or the rest of the line. */
static void
skip_unbuilt(reader *r)
{
    skip_blank(&r->lex);
    if (r->lex.at < r->lex.end && *r->lex.at == '"')
        next(r);
    else
        skip_line(r);
}

/* Reads the item whose word is the last token. */
static void
read_item(reader *r, test_case *c)
{
    for (size_t i = 0; i < sizeof unbuilt / sizeof unbuilt[0]; i++) {
        if (amber_read_is(r, unbuilt[i])) {
            c->unsupported = arena_printf(r->arena, "%s of a shader library file", unbuilt[i]);
            skip_unbuilt(r);
            return;
        }
    }
    if (amber_read_is(r, "version"))
        read_version(r, c);
    else if (amber_read_is(r, "desc"))
        next(r);
    else if (amber_read_is(r, "expect"))
        read_expectation(r, c);
    else if (amber_read_is(r, "output_color"))
        read_color_type(r, c);
    else if (amber_read_is(r, "values"))
        read_values(r, c);
    else if (amber_read_is(r, "both"))
        read_text(r, c, CASE_BOTH);
    else if (amber_read_is(r, "vertex"))
        read_text(r, c, CASE_VERTEX);
    else if (amber_read_is(r, "fragment"))
        read_text(r, c, CASE_FRAGMENT);
    else
        amber_read_expected(r, "an item of a case, or end");
}

static void
read_case(reader *r, case_list *list, const char *groups)
{
    const char *name = read_title(r, "the name of a case");
    test_case c = {.name = arena_printf(r->arena, "%s%s", groups, name),
                   .version = "310 es",
                   .line = r->token.line,
                   .set_count = 1};
    while (!accept(r, "end")) {
        next(r);
        if (r->token.kind == LEX_END_OF_TEXT)
            diag_fail(r->diag, ERR_AMBER_MISSING, "the case", "its end");
        read_item(r, &c);
    }
    bool is_pair = c.texts[CASE_VERTEX] && c.texts[CASE_FRAGMENT];
    if (!c.texts[CASE_BOTH] && !is_pair && !c.unsupported)
        diag_fail(r->diag, ERR_AMBER_MISSING, "the case", "shaders: both, or vertex and fragment");
    list->items = arena_grow(r->arena, list->items, &list->cap, list->count + 1,
                             sizeof *list->items);
    list->items[list->count++] = c;
}

enum { MAX_GROUPS = 16 };

static void
read_cases(reader *r, case_list *out)
{
    const char *groups[MAX_GROUPS] = {""};
    unsigned depth = 0;
    for (next(r); r->token.kind != LEX_END_OF_TEXT; next(r)) {
        if (amber_read_is(r, "group") && depth < MAX_GROUPS - 1) {
            const char *name = read_title(r, "the name of a group");
            groups[depth + 1] = arena_printf(r->arena, "%s%s.", groups[depth], name);
            depth++;
            next(r);
            if (r->token.kind != LEX_STRING)
                amber_read_expected(r, "what the group is about");
        } else if (amber_read_is(r, "case")) {
            read_case(r, out, groups[depth]);
        } else if (amber_read_is(r, "end") && depth) {
            depth--;
        } else if (amber_read_is(r, "import")) {
            amber_read_unsupported(r, "import of a shader library file");
        } else {
            amber_read_expected(r, "group or case");
        }
    }
    if (depth)
        diag_fail(r->diag, ERR_AMBER_MISSING, "the group", "its end");
}

/* ---- names ---- */

static reader
make_reader(arena *a, diag *d, const amber_text *text, read_commands *commands)
{
    reader r = {
        .arena = a,
        .diag = d,
        .script = ARENA_NEW(a, amber_script),
        .names = strings_make(a),
        .lex = amber_lex_make(a, text->text, text->size, 1),
        .commands = commands,
    };
    for (int i = 0; i < READ_SPACES; i++)
        r.spaces[i] = map_make(a);
    d->loc = (diag_loc){.file = text->file, .line = 1, .column = 1};
    r.script->file = text->file;
    return r;
}

/* A case for both stages has a name for each. */
static const char *
name_of(arena *a, const test_case *c, case_text tested)
{
    static const char *const tails[] = {"", "_vertex", "_fragment"};
    return arena_printf(a, "%s%s", c->name, tails[tested]);
}

amber_names
amber_list_cases(arena *a, diag *d, const amber_text *text)
{
    case_list list = {0};
    amber_names names = {0};
    reader r = make_reader(a, d, text, NULL);
    read_cases(&r, &list);
    for (size_t i = 0; i < list.count; i++) {
        const test_case *c = &list.items[i];
        if (c->texts[CASE_BOTH]) {
            amber_read_add_name(&r, &names, name_of(a, c, CASE_VERTEX));
            amber_read_add_name(&r, &names, name_of(a, c, CASE_FRAGMENT));
        } else {
            amber_read_add_name(&r, &names, c->name);
        }
    }
    return names;
}

amber_script *
amber_parse_case(arena *a, diag *d, const amber_text *text, const char *name)
{
    case_list list = {0};
    read_commands commands = {0};
    reader r = make_reader(a, d, text, &commands);
    read_cases(&r, &list);
    for (size_t i = 0; i < list.count; i++) {
        const test_case *c = &list.items[i];
        bool has_both = c->texts[CASE_BOTH] != NULL;
        for (case_text t = has_both ? CASE_VERTEX : CASE_BOTH;
             t <= (has_both ? CASE_FRAGMENT : CASE_BOTH); t++) {
            if (strcmp(name_of(a, c, t), name) != 0)
                continue;
            d->loc.line = r.token.line = c->line;
            if (c->unsupported)
                amber_read_unsupported(&r, c->unsupported);
            amber_cases_make(&r, c, t);
            r.script->commands = commands.items;
            r.script->command_count = (uint32_t)commands.count;
            return r.script;
        }
    }
    diag_fail(d, ERR_AMBER_UNKNOWN, "case", name);
}
