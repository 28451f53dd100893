/* Integer expressions with C's operators and precedences, on 64 bits. A symbol's value must be
 * known already. */
#include "amd/isa/asm.h"
#include "amd/isa/names.h"

uint32_t
asm_symbol_of(amd_asm *a, const char *name, size_t len)
{
    uint32_t i = strings_intern(&a->names, name, len);
    if (i >= a->n_symbols) {
        a->symbols = arena_grow(a->arena, a->symbols, &a->symbols_cap, (size_t)i + 1,
                                sizeof *a->symbols);
        for (; a->n_symbols <= i; a->n_symbols++)
            a->symbols[a->n_symbols] = (asm_symbol){0};
    }
    return i;
}

/* Symbols that are always there: what s_version takes. */
static const amd_name predefined[] = {
    {"UC_VERSION_W64_BIT", 0x2000},
    {"UC_VERSION_W32_BIT", 0x4000},
    {"UC_VERSION_MDP_BIT", 0x8000},
    {NULL, 0},
};

static bool
symbol_value(amd_asm *a, int64_t *value)
{
    uint32_t known;
    if (amd_name_find(predefined, a->token.text, a->token.len, &known) ||
        amd_name_find(amd_version_names, a->token.text, a->token.len, &known)) {
        *value = known;
        return true;
    }
    uint32_t i = strings_find(&a->names, a->token.text, a->token.len);
    if (i == UINT32_MAX || !a->symbols[i].defined)
        return asm_expected(a, "a number");
    *value = a->symbols[i].value;
    return true;
}

/* Nested parentheses and signs; deeper is not taken. */
enum { MAX_DEPTH = 64 };

static bool
binary(amd_asm *a, unsigned lowest, unsigned depth, int64_t *value);

static bool
unary(amd_asm *a, unsigned depth, int64_t *value)
{
    if (depth > MAX_DEPTH)
        return asm_expected(a, "an expression of less depth");
    if (asm_take(a, '-')) {
        if (!unary(a, depth + 1, value))
            return false;
        *value = (int64_t)(0 - (uint64_t)*value);
        return true;
    }
    if (asm_take(a, '+'))
        return unary(a, depth + 1, value);
    if (asm_take(a, '~')) {
        if (!unary(a, depth + 1, value))
            return false;
        *value = ~*value;
        return true;
    }
    if (asm_take(a, '!')) {
        if (!unary(a, depth + 1, value))
            return false;
        *value = !*value;
        return true;
    }
    if (asm_take(a, '('))
        return binary(a, 1, depth + 1, value) && asm_expect(a, ')', "')'");
    if (a->token.kind == ASM_INT)
        *value = (int64_t)a->token.value;
    else if (a->token.kind != ASM_IDENT || !symbol_value(a, value))
        return asm_expected(a, "a number");
    asm_next(a);
    return true;
}

/* The binary operator at the token, its precedence or 0. */
static unsigned
precedence(const amd_asm *a)
{
    if (a->token.kind != ASM_PUNCT)
        return 0;
    switch (a->token.value) {
    case '|': return 1;
    case '^': return 2;
    case '&': return 3;
    case '<' + 256:
    case '>' + 256: return 4;
    case '+':
    case '-': return 5;
    case '*':
    case '/':
    case '%': return 6;
    default: return 0;
    }
}

static bool
apply(amd_asm *a, uint64_t op, int64_t *left, int64_t right)
{
    uint64_t l = (uint64_t)*left, r = (uint64_t)right;
    switch (op) {
    case '|': *left = (int64_t)(l | r); break;
    case '^': *left = (int64_t)(l ^ r); break;
    case '&': *left = (int64_t)(l & r); break;
    case '<' + 256: *left = r > 63 ? 0 : (int64_t)(l << r); break;
    case '>' + 256: *left = r > 63 ? 0 : (int64_t)(l >> r); break;
    case '+': *left = (int64_t)(l + r); break;
    case '-': *left = (int64_t)(l - r); break;
    case '*': *left = (int64_t)(l * r); break;
    default:
        if (right == 0)
            return asm_expected(a, "a divisor other than 0");
        if (right == -1)
            *left = op == '/' ? (int64_t)(0 - l) : 0;
        else
            *left = op == '/' ? *left / right : *left % right;
    }
    return true;
}

static bool
binary(amd_asm *a, unsigned lowest, unsigned depth, int64_t *value)
{
    if (!unary(a, depth, value))
        return false;
    unsigned p;
    while ((p = precedence(a)) >= lowest && p) {
        uint64_t op = a->token.value;
        int64_t right;
        asm_next(a);
        if (!binary(a, p + 1, depth + 1, &right) || !apply(a, op, value, right))
            return false;
    }
    return true;
}

bool
asm_expression(amd_asm *a, bool primary, int64_t *value)
{
    return primary ? unary(a, 0, value) : binary(a, 1, 0, value);
}

bool
asm_integer(amd_asm *a, int64_t low, int64_t high, int64_t *value)
{
    const char *at = a->token.text;
    if (!asm_expression(a, false, value))
        return false;
    if (*value >= low && *value <= high)
        return true;
    asm_seek(a, at);
    return asm_fail(a, ERR_AMD_ASM_RANGE,
                    arena_printf(a->arena, "%lld to %lld", (long long)low, (long long)high));
}
