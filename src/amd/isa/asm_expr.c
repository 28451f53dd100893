/* Integer expressions with C's operators and precedences, on 64 bits.
 *
 * While the file is read sections are at address 0, so that the difference of two labels of one
 * section is right and an address is an offset. What is not known yet (a label below, an address
 * relative to the place, NAME@rel32@lo) can only stand in a literal or in data; it is evaluated
 * again when all addresses are known (asm_resolve.c).
 */
#include "amd/isa/asm.h"
#include "amd/isa/names.h"

#include <string.h>

/* Of a literal that is not known yet: no inline constant, and nobody writes it. */
#define PLACEHOLDER 0x7ead5a01

/* By how much sections are moved to see whether a value depends on where they are. */
#define SHIFT (UINT64_C(1) << 44)

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

asm_symbol *
asm_symbol_named(amd_asm *a, const char *name, size_t len)
{
    uint32_t i = asm_symbol_of(a, name, len);
    return &a->symbols[i];
}

/* Symbols that are always there: what s_version takes. */
static const amd_name predefined[] = {
    {"UC_VERSION_W64_BIT", 0x2000},
    {"UC_VERSION_W32_BIT", 0x4000},
    {"UC_VERSION_MDP_BIT", 0x8000},
    {NULL, 0},
};

/* The address of a place, 0-based while the file is read. */
static uint64_t
address_of(const amd_asm *a, uint32_t section, uint64_t offset)
{
    const amd_unit_section *s = &a->unit->sections[section];
    return (a->eval.resolving ? s->address : 0) + a->eval.shift + offset;
}

/* A value that is not known yet. */
static bool
defer(amd_asm *a, int64_t *value)
{
    a->eval.deferred = true;
    *value = 0;
    return a->eval.may_defer || asm_expected(a, "a number");
}

/* NAME@gotpcrel32@lo: the address of NAME's place in .got, which is made when it is new. */
static uint64_t
got_address(amd_asm *a, uint32_t symbol)
{
    uint32_t got = asm_find_section(a, ".got", 4);
    base_buf *b = &a->unit->sections[got].data;
    if (!a->symbols[symbol].got && !a->eval.resolving) {
        asm_add_fixup(a, (asm_fixup){.kind = ASM_FIX_GOT,
                                     .section = got,
                                     .symbol = symbol,
                                     .offset = b->size,
                                     .size = 8,
                                     .at = a->token.text});
        buf_put_u64(b, 0);
        a->symbols[symbol].got = (uint32_t)b->size - 7;
    }
    return address_of(a, got, a->symbols[symbol].got - 1);
}

/* NAME and what @ asks for, `suffix` being behind the first @. */
static bool
relocated_value(amd_asm *a, uint32_t symbol, const char *suffix, size_t len, int64_t *value)
{
    static const char *const names[] = {"rel32@lo", "rel32@hi", "gotpcrel32@lo", "gotpcrel32@hi"};
    int kind = 0;
    while (kind < 4 && (strlen(names[kind]) != len || memcmp(names[kind], suffix, len) != 0))
        kind++;
    if (kind == 4)
        return asm_expected(
            a, "a name, or one with @rel32@lo, @rel32@hi, @gotpcrel32@lo or @gotpcrel32@hi");
    if (!a->eval.may_defer && !a->eval.resolving)
        return asm_expected(a, "a number");
    const asm_symbol *s = &a->symbols[symbol];
    uint64_t at = kind >= 2 ? got_address(a, symbol) : 0;
    if (!a->eval.resolving)
        return defer(a, value);
    if (!s->defined)
        return asm_fail(a, ERR_AMD_ASM_UNDEFINED,
                        arena_printf(a->arena, "%.*s", (int)(len > 60 ? 60 : len), a->token.text));
    if (kind < 2)
        at = s->label ? address_of(a, s->section, (uint64_t)s->value) : (uint64_t)s->value;
    a->eval.high |= kind & 1;
    *value = (int64_t)(at - address_of(a, a->eval.section, a->eval.offset));
    return true;
}

static bool
symbol_value(amd_asm *a, int64_t *value)
{
    uint32_t known;
    const char *name = a->token.text, *at = memchr(name, '@', a->token.len);
    size_t len = at ? (size_t)(at - name) : a->token.len;
    if (amd_name_find(predefined, name, a->token.len, &known) ||
        amd_name_find(amd_version_names, name, a->token.len, &known)) {
        *value = known;
        return true;
    }
    if (len == 1 && *name == '.') {
        a->eval.saw_label = true;
        *value = (int64_t)address_of(a, a->eval.section, a->eval.offset);
        return true;
    }
    uint32_t i = strings_find(&a->names, name, len);
    if (i == UINT32_MAX)
        return asm_expected(a, "a number");
    if (at)
        return relocated_value(a, i, at + 1, a->token.len - len - 1, value);
    const asm_symbol *s = &a->symbols[i];
    if (!s->defined)
        return s->expected && !a->eval.resolving ? defer(a, value) : asm_expected(a, "a number");
    *value = s->label ? (int64_t)address_of(a, s->section, (uint64_t)s->value) : s->value;
    a->eval.saw_label |= s->label;
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
    a->eval.deferred = a->eval.saw_label = a->eval.high = false;
    return primary ? unary(a, 0, value) : binary(a, 1, 0, value);
}

bool
asm_address(amd_asm *a, bool primary, int64_t *value, int64_t *sections)
{
    const char *at = a->token.text;
    int64_t moved = 0;
    *sections = 0;
    if (!asm_expression(a, primary, value))
        return false;
    bool deferred = a->eval.deferred, high = a->eval.high;
    if (!a->eval.saw_label || deferred)
        return true;
    asm_seek(a, at);
    a->eval.shift = SHIFT;
    bool ok = asm_expression(a, primary, &moved);
    a->eval.shift = 0;
    a->eval.high = high;
    *sections = (int64_t)((uint64_t)moved - (uint64_t)*value) / (int64_t)SHIFT;
    return ok;
}

bool
asm_literal(amd_asm *a, bool primary, int64_t *value)
{
    const char *at = a->token.text;
    int64_t sections;
    a->eval.may_defer = true;
    a->eval.section = a->section;
    a->eval.offset = a->out->size;
    bool ok = asm_address(a, primary, value, &sections);
    a->eval.may_defer = false;
    if (!ok || (!a->eval.deferred && (!sections || a->unit->options.is_code)))
        return ok;
    a->eval.literal_at = at;
    *value = PLACEHOLDER;
    return true;
}

bool
asm_note_literal(amd_asm *a, size_t start)
{
    const base_buf *b = a->out;
    if (!a->eval.literal_at)
        return true;
    uint32_t last = 0;
    for (unsigned i = 0; i < 4 && b->size - start > 4; i++)
        last |= (uint32_t)b->data[b->size - 4 + i] << (8 * i);
    if (last != PLACEHOLDER) {
        asm_seek(a, a->eval.literal_at);
        return asm_fail(a, ERR_AMD_ASM_ADDRESS,
                        "a value that is not known yet must be a literal of 32 bits");
    }
    asm_add_fixup(a, (asm_fixup){.kind = ASM_FIX_LITERAL,
                                 .section = a->section,
                                 .offset = b->size - 4,
                                 .size = 4,
                                 .at = a->eval.literal_at});
    return true;
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
