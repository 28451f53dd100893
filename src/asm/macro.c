/* Macros: .macro, .endm, .exitm, .purgem, .altmacro, and their calls.
 *
 * A body is kept as text. Each call expands it (expand.c) into a new source, which is read next. An
 * argument ends at a comma, or at a blank that is not next to an operator; inside parentheses
 * neither ends it. All of this follows LLVM 19's AsmParser.
 */
#include "asm/ctx.h"
#include "asm/directives.h"

#include <string.h>

asm_span
asm_body(asm_ctx *a, const char *const *opening, const char *const *closing, const char *at)
{
    unsigned depth = 0;
    const char *end;
    const char *body = a->p < a->end ? a->p + 1 : a->p;
    for (;;) {
        bool closes = false;
        if (a->p == a->end) {
            a->failure = (asm_failure){at, ERR_ASM_UNTERMINATED, closing[0]};
            asm_report_last(a);
        }
        asm_seek(a, a->p + 1);
        end = a->token.text;
        for (unsigned i = 0; closing[i]; i++)
            closes |= asm_is_name(a, closing[i]);
        for (unsigned i = 0; opening[i]; i++)
            depth += asm_is_name(a, opening[i]);
        if (closes && depth-- == 0)
            break;
        asm_skip_line(a);
    }
    asm_next(a);
    return (asm_span){body, (size_t)(end - body)};
}

/* Returns true if the token is an operator, which joins the parts on both sides of a blank. */
static bool
is_operator(const asm_ctx *a)
{
    if (a->token.kind == ASM_IDENT)
        return a->token.len == 1 && *a->token.text == '.';
    return a->token.kind == ASM_PUNCT &&
           (a->token.value > 255 || strchr("+-~/*|^&!<>", (int)a->token.value));
}

static void
put_token(asm_ctx *a, base_buf *out)
{
    bool quoted = a->token.kind == ASM_STRING;
    buf_put(out, a->token.text + quoted, a->token.len - 2u * quoted);
    asm_next(a);
}

/* %EXPRESSION with .altmacro: the value of the expression. */
static asm_span
percent(asm_ctx *a)
{
    int64_t v;
    asm_next(a);
    if (!asm_expression(a, false, &v))
        asm_report(a);
    const char *text = arena_printf(a->arena, "%lld", (long long)v);
    return (asm_span){text, strlen(text)};
}

/* <TEXT> with .altmacro; ! escapes the next character. Returns false if there is no > in the line.
 */
static bool
angle_brackets(asm_ctx *a, asm_span *out)
{
    base_buf b = buf_make(a->arena);
    const char *p = a->token.text + 1;
    for (; p < a->end && *p != '>' && *p != '\n'; p++) {
        p += *p == '!' && p + 1 < a->end && p[1] != '\n';
        buf_put_u8(&b, (uint8_t)*p);
    }
    if (p == a->end || *p != '>')
        return false;
    asm_seek(a, p + 1);
    *out = (asm_span){(const char *)b.data, b.size};
    return true;
}

/* Takes the rest of the line. */
static asm_span
rest(asm_ctx *a)
{
    const char *begin = a->token.text, *end = begin;
    for (; a->token.kind != ASM_END; asm_next(a))
        end = a->token.text + a->token.len;
    return (asm_span){begin, (size_t)(end - begin)};
}

asm_span
asm_argument(asm_ctx *a)
{
    base_buf b = buf_make(a->arena);
    const char *end = a->token.text; /* of the last token */
    unsigned depth = 0;
    asm_span span;
    if (a->is_alternate && asm_is(a, '%'))
        return percent(a);
    if (a->is_alternate && asm_is(a, '<') && angle_brackets(a, &span))
        return span;
    while (a->token.kind != ASM_END) {
        bool blank = a->token.text > end;
        if (asm_is(a, '='))
            asm_want(a, "an argument");
        if (depth == 0 && asm_is(a, ','))
            break;
        bool joins = depth == 0 && is_operator(a);
        if (depth == 0 && blank && !joins)
            break;
        if (depth && blank)
            buf_put_u8(&b, ' ');
        depth += asm_is(a, '(');
        depth -= depth && asm_is(a, ')');
        end = a->token.text + a->token.len;
        put_token(a, &b);
        end = joins ? a->token.text : end;
    }
    if (depth)
        asm_want(a, "')'");
    return (asm_span){(const char *)b.data, b.size};
}

/* NAME[:req|:vararg][=VALUE] */
static void
parameter(asm_ctx *a, asm_macro *m, size_t *cap)
{
    if (m->n_params && m->params[m->n_params - 1].is_rest)
        asm_want(a, "the end of the line: a vararg parameter is the last one");
    asm_param p = {.name = {a->token.text, a->token.len}};
    for (uint32_t i = 0; i < m->n_params; i++) {
        const asm_span *other = &m->params[i].name;
        if (other->len == p.name.len && memcmp(other->text, p.name.text, p.name.len) == 0)
            asm_want(a, "another name");
    }
    if (a->token.kind != ASM_IDENT)
        asm_want(a, "a parameter");
    asm_next(a);
    if (asm_take(a, ':')) {
        p.is_required = asm_is_name(a, "req");
        p.is_rest = asm_is_name(a, "vararg");
        if (!p.is_required && !p.is_rest)
            asm_want(a, "req or vararg");
        asm_next(a);
    }
    if (asm_take(a, '='))
        p.value = asm_argument(a);
    m->params = arena_grow(a->arena, m->params, cap, m->n_params + 1u, sizeof *m->params);
    m->params[m->n_params++] = p;
    asm_take(a, ',');
}

/* The macro called `name`, or NULL. */
static asm_macro **
find_macro(asm_ctx *a, const asm_token *name)
{
    uint32_t i = strings_find(&a->macro_names, name->text, name->len);
    return i == UINT32_MAX || !a->macros[i] ? NULL : &a->macros[i];
}

/* NAME and parameters of a macro. */
static void
read_header(asm_ctx *a, void *user)
{
    asm_macro *m = user;
    asm_token name = a->token;
    size_t cap = 0;
    if (name.kind != ASM_IDENT)
        asm_want(a, "a macro's name");
    if (find_macro(a, &name)) {
        asm_fail(a, ERR_ASM_REDEFINED, asm_short(a, name.text, name.len));
        asm_report(a);
    }
    asm_next(a);
    asm_take(a, ',');
    m->name = (asm_span){name.text, name.len};
    while (a->token.kind != ASM_END)
        parameter(a, m, &cap);
}

static void
define(asm_ctx *a, unsigned unused)
{
    static const char *const opening[] = {".macro", NULL};
    static const char *const closing[] = {".endm", ".endmacro", NULL};
    const char *at = a->line;
    asm_macro *m = ARENA_NEW(a->arena, asm_macro);
    (void)unused;
    *m = (asm_macro){.source = a->source};
    m->is_broken = !asm_attempt(a, read_header, m);
    a->is_incomplete |= m->is_broken;
    m->body = asm_body(a, opening, closing, at);
    if (!m->name.len)
        return;
    uint32_t i = strings_intern(&a->macro_names, m->name.text, m->name.len);
    a->macros = arena_grow(a->arena, a->macros, &a->macros_cap, (size_t)i + 1, sizeof *a->macros);
    a->macros[i] = m;
    a->n_macros++;
}

static void
purge(asm_ctx *a, unsigned unused)
{
    (void)unused;
    asm_macro **m = a->token.kind == ASM_IDENT ? find_macro(a, &a->token) : NULL;
    if (!m)
        asm_want(a, "a macro's name");
    *m = NULL;
    a->n_macros--;
    asm_next(a);
}

/* The parameter that NAME= selects, or `position`. */
static uint32_t
which(asm_ctx *a, const asm_macro *m, uint32_t position, bool *is_named)
{
    const char *next = a->p;
    while (next < a->end && (*next == ' ' || *next == '\t'))
        next++;
    bool named = a->token.kind == ASM_IDENT && a->end - next >= 1 && *next == '=' &&
                 !(a->end - next >= 2 && next[1] == '=');
    if (!named) {
        if (*is_named)
            asm_want(a, "NAME=: positional arguments cannot follow named ones");
        return position;
    }
    for (uint32_t i = 0; i < m->n_params; i++) {
        if (m->params[i].name.len == a->token.len &&
            memcmp(m->params[i].name.text, a->token.text, a->token.len) == 0) {
            *is_named = true;
            asm_next(a);
            asm_next(a);
            return i;
        }
    }
    asm_want(a, "a parameter of the macro");
}

/* Reads the arguments of a call, which are the rest of the line. */
static asm_span *
arguments(asm_ctx *a, const asm_macro *m)
{
    asm_span *args = ARENA_ARRAY(a->arena, m->n_params + 1u, asm_span);
    bool is_named = false;
    for (uint32_t n = 0; a->token.kind != ASM_END; n++) {
        if (n >= m->n_params)
            asm_want(a, m->n_params ? "no more arguments" : "no argument");
        uint32_t i = which(a, m, n, &is_named);
        bool is_rest = n == m->n_params - 1u && m->params[n].is_rest;
        asm_span value = is_rest ? rest(a) : asm_argument(a);
        if (value.len)
            args[i] = value;
        asm_take(a, ',');
    }
    for (uint32_t i = 0; i < m->n_params; i++) {
        if (args[i].len)
            continue;
        if (m->params[i].is_required)
            asm_want(a, arena_printf(a->arena, "parameter '%s'",
                                     asm_short(a, m->params[i].name.text, m->params[i].name.len)));
        args[i] = m->params[i].value;
    }
    return args;
}

void
asm_enter_expansion(asm_ctx *a, asm_source s)
{
    base_buf b = buf_make(a->arena);
    asm_expand(&s, ASM_MAX_EXPANSION, &b);
    s.text = b.size ? (const char *)b.data : "";
    s.end = s.text + b.size;
    asm_charge(a, b.size + ASM_SOURCE_COST);
    asm_enter(a, s);
}

bool
asm_call_macro(asm_ctx *a)
{
    const char *at = a->token.text;
    asm_macro **found = find_macro(a, &a->token);
    if (!found)
        return false;
    asm_macro *m = *found;
    a->may_define = true;
    asm_next(a);
    if (m->is_broken) {
        asm_skip_line(a);
        return true;
    }
    asm_span *args = arguments(a, m);
    asm_source s = {.kind = ASM_MACRO,
                    .parent = a->source,
                    .call = at,
                    .n_conds = a->n_conds,
                    .macro = m,
                    .args = args,
                    .number = a->n_instantiations++,
                    .count = m->count++,
                    .is_alternate = a->is_alternate,
                    .rounds = 1,
                    .back = a->p};
    asm_enter_expansion(a, s);
    return true;
}

/* .exitm: leaves the innermost macro or repetition, and the conditions opened in it. */
static void
exit_macro(asm_ctx *a, unsigned unused)
{
    const asm_source *s = &a->sources[a->source];
    (void)unused;
    if (s->kind == ASM_FILE) {
        asm_seek(a, a->line);
        asm_want(a, "a line outside of macros");
    }
    asm_drop_conditions(a, s->n_conds);
    asm_leave(a);
}

/* .endm or .endr without a start. */
static void
stray(asm_ctx *a, unsigned unused)
{
    (void)unused;
    asm_seek(a, a->line);
    asm_want(a, "a block that this closes");
}

static void
alternate(asm_ctx *a, unsigned on)
{
    a->is_alternate = on;
}

const asm_directive asm_macro_directives[] = {
    {".macro", define, 0, false},
    {".purgem", purge, 0, false},
    {".exitm", exit_macro, 0, false},
    {".endm", stray, 0, false},
    {".endmacro", stray, 0, false},
    {".endr", stray, 0, false},
    {".altmacro", alternate, 1, false},
    {".noaltmacro", alternate, 0, false},
    {NULL, NULL, 0, false},
};
