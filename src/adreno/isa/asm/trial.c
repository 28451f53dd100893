/* Parts of operands: texts, registers, numbers; the sizes of registers. */
#include "adreno/isa/asm/trial.h"

#include "adreno/isa/text/text.h"

#include <string.h>

bool
adreno_want(adreno_trial *r, const char *what)
{
    asm_seek(r->a, r->at);
    return asm_expected(r->a, what);
}

void
adreno_skip_blanks(adreno_trial *r)
{
    while (r->in_operands && r->at < r->a->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
}

bool
adreno_take(adreno_trial *r, const char *text)
{
    size_t n = strlen(text);
    adreno_skip_blanks(r);
    if ((size_t)(r->a->end - r->at) < n || memcmp(r->at, text, n) != 0)
        return false;
    r->at += n;
    return true;
}

/* ---- registers ---- */

static const char components[] = "xyzw";

/* "12.y": the number of a vec4 and a component. */
bool
adreno_read_place(adreno_trial *r, uint32_t limit, uint32_t *place)
{
    const char *at = r->at, *end = r->a->end;
    uint32_t number = 0, digits = 0;
    for (; at < end && *at >= '0' && *at <= '9' && number < limit; at++, digits++)
        number = number * 10 + (uint32_t)(*at - '0');
    const char *component = end - at >= 2 && *at == '.' && at[1] ? strchr(components, at[1]) : NULL;
    const bool goes_on = component && end - at > 2 && asm_is_symbol_char(at[2]);
    if (!digits || number >= limit || !component || goes_on)
        return false;
    *place = number << 2 | (uint32_t)(component - components);
    r->at = at + 2;
    return true;
}

/* The same behind a name whose vec4 is fixed: "a0.x". */
bool
adreno_read_special(adreno_trial *r, const char *name, unsigned number, uint32_t *reg)
{
    const char *before = r->at;
    if (!adreno_take(r, name))
        return false;
    const char *component = r->at < r->a->end && *r->at ? strchr(components, *r->at) : NULL;
    if (!component) {
        r->at = before;
        return false;
    }
    r->at++;
    *reg = number << 2 | (uint32_t)(component - components);
    return true;
}

bool
adreno_read_register(adreno_trial *r, uint32_t *reg, bool *half)
{
    adreno_skip_blanks(r);
    const char *before = r->at;
    *half = adreno_take(r, "h");
    if (adreno_read_special(r, "a0.", ADRENO_REG_A0, reg) ||
        adreno_read_special(r, "p0.", ADRENO_REG_P0, reg))
        return true;
    if (adreno_take(r, "r") && adreno_read_place(r, 64, reg))
        return true;
    r->at = before;
    return false;
}

bool
adreno_set_size(adreno_trial *r, adreno_size_rule rule, bool half)
{
    uint8_t *size = &r->size[rule];
    if (rule == ADRENO_WHOLE && half)
        return adreno_want(r, "a whole register before this");
    if (*size != ADRENO_SIZE_UNKNOWN && *size != half && rule != ADRENO_WHOLE)
        return adreno_want(r, "registers of one size before this");
    *size = half;
    return true;
}

bool
adreno_read_sized(adreno_trial *r, adreno_field field, adreno_size_rule rule)
{
    bool half;
    if (!adreno_read_register(r, &r->in.f[field], &half))
        return adreno_want(r, "a register");
    return adreno_set_size(r, rule, half);
}

/* ---- numbers ---- */

bool
adreno_read_number(adreno_trial *r, int64_t low, int64_t high, int64_t *number)
{
    adreno_skip_blanks(r);
    asm_seek(r->a, r->at);
    if (!asm_expression(r->a, true, number))
        return asm_expected(r->a, "a number");
    if (*number < low || *number > high)
        return adreno_want(r, "a smaller number");
    r->at = r->a->token.text;
    return true;
}

/* A number of a field, from which `bias` is subtracted. */
bool
adreno_read_field_number(adreno_trial *r, adreno_field field, unsigned bias)
{
    const unsigned width = adreno_field_width(adreno_format_of(r->in.op), field);
    const int64_t most = (int64_t)(UINT64_C(1) << width) - 1 + bias;
    int64_t number;
    if (!adreno_read_number(r, bias, most, &number))
        return false;
    r->in.f[field] = (uint32_t)(number - bias);
    return true;
}

/* Digits in a mnemonic. */
static bool
read_digits(adreno_trial *r, uint32_t *number)
{
    const char *from = r->at;
    *number = 0;
    for (; r->at < r->a->end && *r->at >= '0' && *r->at <= '9' && *number < 10000; r->at++)
        *number = *number * 10 + (uint32_t)(*r->at - '0');
    return r->at > from || adreno_want(r, "a number in the mnemonic");
}

bool
adreno_read_mnemonic_number(adreno_trial *r, adreno_field field, unsigned bias)
{
    const unsigned width = adreno_field_width(adreno_format_of(r->in.op), field);
    uint32_t number;
    if (!read_digits(r, &number))
        return false;
    if (number < bias || (number - bias) >> width)
        return adreno_want(r, "a number of the instruction's range before this");
    r->in.f[field] = number - bias;
    return true;
}

/* The exponent of a power of two: 2 << field. */
bool
adreno_read_power(adreno_trial *r, adreno_field field, uint32_t unit)
{
    const unsigned width = adreno_field_width(adreno_format_of(r->in.op), field);
    uint32_t number, value = 0;
    if (!read_digits(r, &number))
        return false;
    while (value >> width == 0 && number != (unit == 2 ? 2u << value : unit * (value + 1)))
        value++;
    if (value >> width)
        return adreno_want(r, "a size of a cluster before this");
    r->in.f[field] = value;
    return true;
}

/* ---- names ---- */

/* A mnemonic's part ends where its next one begins. */
static bool
ends_part(const adreno_trial *r, const char *at)
{
    return at == r->a->end || !asm_is_symbol_char(*at) || *at == '.';
}

bool
adreno_take_flag(adreno_trial *r, const char *text)
{
    const char *before = r->at;
    if (!adreno_take(r, text))
        return false;
    if (r->in_operands || ends_part(r, r->at))
        return true;
    r->at = before;
    return false;
}

/* The longest name that stands here; an empty one if none does. */
bool
adreno_read_name(adreno_trial *r, const char *names, uint32_t *value)
{
    size_t best = 0;
    bool found = false;
    const char *name;
    size_t size;
    adreno_skip_blanks(r);
    for (uint32_t i = 0; i < 16; i++) {
        if (!adreno_get_name(names, i, &name, &size))
            continue;
        const bool is_here = (size_t)(r->a->end - r->at) >= size && !memcmp(r->at, name, size);
        if (!is_here || (found && size <= best))
            continue;
        found = true;
        best = size;
        *value = i;
    }
    r->at += best;
    return found || adreno_want(r, "one of the instruction's names");
}

/* ---- sizes ---- */

static bool
settle_full(adreno_trial *r)
{
    const bool has_full = adreno_field_width(adreno_format_of(r->in.op), ADRENO_F_full) != 0;
    uint8_t size = r->size[ADRENO_BY_SRC];
    if (size == ADRENO_SIZE_UNKNOWN)
        size = r->table_size;
    if (has_full)
        r->in.f[ADRENO_F_full] = size == 0;
    return has_full || size == ADRENO_SIZE_UNKNOWN ||
           size == adreno_is_half(&r->in, ADRENO_BY_SRC) ||
           adreno_want(r, "sources of the size in the mnemonic before this");
}

/* A result of the other size than the sources has `conv`. */
static bool
settle_conv(adreno_trial *r)
{
    const bool half = r->size[ADRENO_BY_DST] == 1;
    if (adreno_field_width(adreno_format_of(r->in.op), ADRENO_F_conv) == 0)
        return true;
    if (r->in.f[ADRENO_F_dst] > 0xf7)
        return !half || adreno_want(r, "a whole predicate register before this");
    r->in.f[ADRENO_F_conv] = half != adreno_is_half(&r->in, ADRENO_BY_SRC);
    return true;
}

bool
adreno_settle_sizes(adreno_trial *r)
{
    static const adreno_size_rule by_types[] = {ADRENO_BY_TYPE, ADRENO_BY_DTYPE, ADRENO_BY_STYPE,
                                                ADRENO_BY_TSIZE};
    const adreno_format_info *format = adreno_format_of(r->in.op);
    const bool is_texture = adreno_field_width(format, ADRENO_F_mask) != 0;
    if (!settle_full(r) || !settle_conv(r))
        return false;
    if (is_texture && !(adreno_op_row(r->in.op)->properties & ADRENO_TYPE) &&
        r->in.f[ADRENO_F_type] != ADRENO_U8_32)
        r->in.f[ADRENO_F_type] = r->size[ADRENO_BY_TYPE] == 1 ? ADRENO_F16 : ADRENO_F32;
    r->in.f[ADRENO_F_dst_full] = r->size[ADRENO_BY_WDST] == 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t size = r->size[by_types[i]];
        if (size != ADRENO_SIZE_UNKNOWN && size != adreno_is_half(&r->in, by_types[i]))
            return adreno_want(r, "registers of the size of the type before this");
    }
    return true;
}
