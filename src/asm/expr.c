/* Expressions with GNU's operators and precedences, on 64 bits, as LLVM's assembler reads them on
 * all systems except Apple's ("GNU as, 6.2.4 Infix Operators"). A comparison that is true gives -1.
 *
 * Expressions are read into postfix code. Known parts are evaluated immediately, so an expression
 * of numbers becomes a number. What remains contains names whose values depend on the positions of
 * sections, or that are defined later; eval.c finds its value then, or after the whole file was
 * read.
 */
#include "asm/ctx.h"

#include <string.h>

/* Limit on nested parentheses and signs. */
enum { MAX_DEPTH = 64 };

static void
emit(asm_ctx *a, asm_code code)
{
    a->codes = arena_grow(a->arena, a->codes, &a->codes_cap, a->n_codes + 1, sizeof *a->codes);
    a->codes[a->n_codes++] = code;
}

static void
emit_number(asm_ctx *a, int64_t value)
{
    emit(a, (asm_code){.op = ASM_CONST, .as.value = value});
}

static bool
is_number(const asm_ctx *a, size_t first)
{
    return a->n_codes == first + 1 && a->codes[first].op == ASM_CONST;
}

/* Gets NAME's entry in .got, which is made if it is new. */
static void
make_got(asm_ctx *a, uint32_t symbol)
{
    if (a->symbols[symbol].got)
        return;
    uint32_t got = asm_find_section(a, ".got", 4);
    base_buf *b = &a->unit->sections[got].data;
    asm_add_fixup(a, (asm_fixup){.kind = ASM_FIX_GOT,
                                 .section = got,
                                 .symbol = symbol,
                                 .offset = b->size,
                                 .size = 8,
                                 .at = a->token.text});
    buf_put_u64(b, 0);
    a->symbols[symbol].got = (uint32_t)b->size - 7;
}

/* Handles NAME and its @ specifier; `suffix` is the text after the first @. */
static bool
relocated(asm_ctx *a, uint32_t symbol, const char *suffix, size_t len)
{
    const asm_specifier *s = a->machine->specifiers;
    if (!s)
        return asm_expected(a, "a name");
    while (s->name && (strlen(s->name) != len || memcmp(s->name, suffix, len) != 0))
        s++;
    if (!s->name)
        return asm_expected(a, a->machine->wanted_name);
    if (!a->may_defer)
        return asm_expected(a, "a number");
    if (s->op >= ASM_GOT)
        make_got(a, symbol);
    a->symbols[symbol].used = true;
    emit(a, (asm_code){s->op, symbol, {.at = a->token.text}});
    return true;
}

static void
emit_symbol(asm_ctx *a, uint32_t i, const char *at)
{
    asm_symbol *s = &a->symbols[i];
    if (s->defined && !s->label && !s->lazy) {
        emit_number(a, s->value);
        return;
    }
    s->used = true;
    if (!a->unknown_at && !s->label) {
        a->unknown_at = at;
        a->unknown = i;
    }
    emit(a, (asm_code){ASM_SYMBOL, i, {.at = at}});
}

/* Handles the name in the current token, without consuming it. */
static bool
named(asm_ctx *a)
{
    int64_t known;
    const char *name = a->token.text, *at = memchr(name, '@', a->token.len);
    size_t len = at ? (size_t)(at - name) : a->token.len;
    if (a->machine->constant && a->machine->constant(&a->token, &known)) {
        emit_number(a, known);
        return true;
    }
    if (len == 1 && *name == '.') {
        emit(a, (asm_code){ASM_PLACE, a->section, {.value = (int64_t)a->out->size}});
        return true;
    }
    if (len == 0)
        return asm_expected(a, "a number");
    uint32_t i = asm_symbol_of(a, name, len);
    if (at)
        return relocated(a, i, at + 1, a->token.len - len - 1);
    emit_symbol(a, i, name);
    return true;
}

static bool
apply(asm_ctx *a, unsigned op, int64_t *left, int64_t right)
{
    if (asm_apply(op, left, right))
        return true;
    return asm_expected(a, "a divisor other than 0");
}

/* Emits an operator after its two values. */
static bool
emit_operator(asm_ctx *a, unsigned op, size_t left, size_t right)
{
    bool known = right == left + 1 && a->codes[left].op == ASM_CONST && is_number(a, right);
    if (!known) {
        emit(a, (asm_code){.op = (uint8_t)op});
        return true;
    }
    a->n_codes = right;
    return apply(a, op, &a->codes[left].as.value, a->codes[right].as.value);
}

static bool
binary(asm_ctx *a, unsigned lowest, unsigned depth);

/* Reads any number of arguments, combined by an operator. */
static bool
joined(asm_ctx *a, unsigned op, unsigned depth)
{
    size_t left = a->n_codes;
    asm_next(a);
    asm_next(a);
    if (!binary(a, 1, depth + 1))
        return false;
    while (asm_take(a, ',')) {
        size_t right = a->n_codes;
        if (!binary(a, 1, depth + 1) || !emit_operator(a, op, left, right))
            return false;
    }
    return asm_expect(a, ')', "')'");
}

/* Reads a function call with its number of arguments. */
static bool
call(asm_ctx *a, const asm_function *f, unsigned depth)
{
    size_t first = a->n_codes;
    unsigned n_args = f->n_args, n_known = 0;
    int64_t args[ASM_MAX_ARGUMENTS], value;
    asm_next(a);
    asm_next(a);
    for (unsigned i = 0; i < n_args; i++) {
        size_t arg = a->n_codes;
        if ((i && !asm_expect(a, ',', "','")) || !binary(a, 1, depth + 1))
            return false;
        if (is_number(a, arg))
            args[n_known++] = a->codes[arg].as.value;
    }
    if (n_known < n_args) {
        emit(a, (asm_code){.op = ASM_CALL, .as.function = f});
    } else if (!f->value(a, args, &value)) {
        return asm_expected(a, "arguments for which the function is defined");
    } else {
        a->n_codes = first;
        emit_number(a, value);
    }
    return asm_expect(a, ')', "')'");
}

/* "1f", "1b": the next label 1 after, or the last one before, this position. */
static bool
is_local(const asm_ctx *a)
{
    const char *p = a->p;
    return a->end - p >= 1 && (*p == 'f' || *p == 'b') &&
           (a->end - p == 1 || !asm_is_name_char(p[1]));
}

static const asm_function *
find_function(const asm_ctx *a)
{
    return a->machine->find_function ? a->machine->find_function(a) : NULL;
}

static bool
primary(asm_ctx *a, unsigned depth)
{
    const char *text = a->token.text;
    const asm_function *f;
    if (asm_take(a, '('))
        return binary(a, 1, depth + 1) && asm_expect(a, ')', "')'");
    if (a->token.kind == ASM_INT && is_local(a)) {
        emit_symbol(a, asm_local_label(a, a->token.value, *a->p == 'f'), text);
        a->p++;
    } else if (a->token.kind == ASM_INT) {
        emit_number(a, (int64_t)a->token.value);
    } else if (a->token.kind != ASM_IDENT) {
        return asm_expected(a, "a number");
    } else if (a->p < a->end && *a->p == '(' && (f = find_function(a))) {
        return f->n_args ? call(a, f, depth) : joined(a, f->op, depth);
    } else if (!named(a)) {
        return false;
    }
    asm_next(a);
    return true;
}

static bool
unary(asm_ctx *a, unsigned depth)
{
    size_t first = a->n_codes;
    unsigned op;
    if (depth > MAX_DEPTH)
        return asm_expected(a, "a less deeply nested expression");
    if (asm_take(a, '+'))
        return unary(a, depth + 1);
    if (asm_take(a, '-'))
        op = ASM_NEG;
    else if (asm_take(a, '~'))
        op = ASM_NOT;
    else if (asm_take(a, '!'))
        op = ASM_IS_ZERO;
    else
        return primary(a, depth);
    if (!unary(a, depth + 1))
        return false;
    if (is_number(a, first))
        asm_apply(op, &a->codes[first].as.value, 0);
    else
        emit(a, (asm_code){.op = (uint8_t)op});
    return true;
}

/* The binary operator at the token and its precedence, or 0. */
static unsigned
precedence(const asm_ctx *a, unsigned *op)
{
    static const struct {
        unsigned token;
        uint8_t op, precedence;
    } rows[] = {
        {'+', ASM_ADD, 4},
        {'-', ASM_SUB, 4},
        {'*', ASM_MUL, 6},
        {'/', ASM_DIV, 6},
        {'%', ASM_REM, 6},
        {ASM_PAIR('<', '<'), ASM_SHL, 6},
        {ASM_PAIR('>', '>'), ASM_SHR, 6},
        {'|', ASM_OR, 5},
        {'!', ASM_OR_NOT, 5},
        {'^', ASM_XOR, 5},
        {'&', ASM_AND, 5},
        {ASM_PAIR('=', '='), ASM_EQ, 3},
        {ASM_PAIR('!', '='), ASM_NE, 3},
        {ASM_PAIR('<', '>'), ASM_NE, 3},
        {'<', ASM_LT, 3},
        {ASM_PAIR('<', '='), ASM_LE, 3},
        {'>', ASM_GT, 3},
        {ASM_PAIR('>', '='), ASM_GE, 3},
        {ASM_PAIR('&', '&'), ASM_BOTH, 2},
        {ASM_PAIR('|', '|'), ASM_EITHER, 1},
    };
    if (a->token.kind != ASM_PUNCT || asm_is(a, ',') || asm_is(a, ')') || asm_is(a, ']'))
        return 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].token == a->token.value) {
            *op = rows[i].op;
            return rows[i].precedence;
        }
    }
    return 0;
}

static bool
binary(asm_ctx *a, unsigned lowest, unsigned depth)
{
    size_t left = a->n_codes;
    if (!unary(a, depth))
        return false;
    unsigned p, op = 0;
    while ((p = precedence(a, &op)) >= lowest && p) {
        size_t right;
        asm_next(a);
        right = a->n_codes;
        if (!binary(a, p + 1, depth + 1) || !emit_operator(a, op, left, right))
            return false;
    }
    return true;
}

bool
asm_parse(asm_ctx *a, bool alone, asm_expr *e)
{
    size_t first = a->n_codes;
    *e = (asm_expr){.first = (uint32_t)first, .source = a->source};
    a->unknown_at = NULL;
    if (!(alone ? unary(a, 0) : binary(a, 1, 0))) {
        a->n_codes = first;
        return false;
    }
    e->count = (uint32_t)(a->n_codes - first);
    if (is_number(a, first)) {
        e->is_known = true;
        e->value = a->codes[first].as.value;
        a->n_codes = first;
    }
    return true;
}

bool
asm_parse_late(asm_ctx *a, bool alone, asm_expr *e)
{
    a->may_defer = true;
    bool ok = asm_parse(a, alone, e);
    a->may_defer = false;
    return ok;
}

bool
asm_expression(asm_ctx *a, bool alone, int64_t *value)
{
    asm_expr e;
    asm_sum sum;
    bool may_defer = a->may_defer;
    const char *at = a->token.text;
    a->may_defer = false;
    bool ok = asm_parse(a, alone, &e);
    a->may_defer = may_defer;
    if (!ok)
        return false;
    *value = e.value;
    if (e.is_known)
        return true;
    ok = asm_evaluate(a, &e, &sum) && (!sum.bases || a->unit->options.is_code);
    *value = ok ? sum.number : 0;
    a->n_codes = e.first;
    if (ok)
        return true;
    asm_seek(a, a->unknown_at ? a->unknown_at : at);
    asm_expected(a, "a number");
    if (a->unknown_at && a->failure.at == a->unknown_at)
        a->failure.symbol = a->unknown + 1;
    return false;
}

bool
asm_integer(asm_ctx *a, int64_t low, int64_t high, int64_t *value)
{
    const char *at = a->token.text;
    if (!asm_expression(a, false, value))
        return false;
    if (*value >= low && *value <= high)
        return true;
    asm_seek(a, at);
    return asm_fail(a, ERR_ASM_RANGE,
                    arena_printf(a->arena, "%lld to %lld", (long long)low, (long long)high));
}

int64_t
asm_number(asm_ctx *a, int64_t low, int64_t high)
{
    int64_t v;
    if (!asm_integer(a, low, high, &v))
        asm_report(a);
    return v;
}
