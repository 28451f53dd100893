/* Parses descriptions of data. data_make.c makes, compares and prints the data. */
#include "data_spec.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t size;
} types[DATA_TYPE_COUNT] = {{"u8", 1},  {"i8", 1},  {"u16", 2}, {"i16", 2}, {"u32", 4}, {"i32", 4},
                            {"u64", 8}, {"i64", 8}, {"f16", 2}, {"f32", 4}, {"f64", 8}};

unsigned
data_type_size(data_type type)
{
    return types[type].size;
}

const char *
data_type_name(data_type type)
{
    return types[type].name;
}

bool
data_type_find(const char *name, size_t len, data_type *type)
{
    for (int t = 0; t < DATA_TYPE_COUNT; t++) {
        if (strlen(types[t].name) == len && memcmp(types[t].name, name, len) == 0) {
            *type = (data_type)t;
            return true;
        }
    }
    return false;
}

static bool
fail(const char **message, const char *what)
{
    *message = what;
    return false;
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static unsigned
digit_of(char c)
{
    if (is_digit(c))
        return (unsigned)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 99;
}

/* Parses an unsigned integer. Returns false if there is no digit or it exceeds 64 bits. */
static bool
parse_integer(const char **text, uint64_t *out)
{
    const char *p = *text;
    unsigned base = 10;
    uint64_t v = 0;
    if (p[0] == '0' && (p[1] | 0x20) == 'x') {
        base = 16;
        p += 2;
    }
    const char *start = p;
    for (unsigned d; (d = digit_of(*p)) < base; p++) {
        if (v > (UINT64_MAX - d) / base)
            return false;
        v = v * base + d;
    }
    *text = p;
    *out = v;
    return p > start;
}

/* Returns true if the number with digits at `p` is a float. */
static bool
looks_like_float(const char *p)
{
    if (p[0] == '0' && (p[1] | 0x20) == 'x')
        return false;
    while (is_digit(*p))
        p++;
    if (*p == '.' || *p == 'h' || *p == 'f' || *p == 'd')
        return true;
    return (*p | 0x20) == 'e' &&
           (is_digit(p[1]) || ((p[1] == '-' || p[1] == '+') && is_digit(p[2])));
}

static bool
parse_named_float(const char **text, double *out)
{
    static const struct {
        const char *name;
        double value;
    } names[] = {{"inf", HUGE_VAL}, {"nan", NAN}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(*text, names[i].name, 3) == 0) {
            *text += 3;
            *out = names[i].value;
            return true;
        }
    }
    return false;
}

static bool
parse_decimal(const char **text, double *out)
{
    size_t length = base_float_length(*text, strlen(*text));
    *out = length ? base_double_read(*text, length) : 0;
    *text += length;
    return length != 0;
}

bool
data_number_parse(const char **text, data_number *out, const char **message)
{
    const char *p = *text;
    *out = (data_number){.suffix = -1, .is_negative = *p == '-'};
    p += *p == '-' || *p == '+';
    if (parse_named_float(&p, &out->real) || looks_like_float(p)) {
        out->is_float = true;
        if (p == *text + out->is_negative + (**text == '+') && !parse_decimal(&p, &out->real))
            return fail(message, "that is not a number");
    } else if (parse_integer(&p, &out->magnitude)) {
        out->real = (double)out->magnitude;
    } else {
        return fail(message, "expected a number of at most 64 bits");
    }
    if (out->is_negative)
        out->real = -out->real;
    if (out->is_float && (*p == 'h' || *p == 'f' || *p == 'd'))
        out->suffix = *p == 'h' ? DATA_F16 : *p == 'f' ? DATA_F32 : DATA_F64;
    *text = p + (out->suffix >= 0);
    return true;
}

bool
data_size_parse(const char *text, const char *end, uint64_t *out)
{
    const char *p = text;
    unsigned shift = 0;
    if (!parse_integer(&p, out))
        return false;
    if (p < end && (*p == 'k' || *p == 'm' || *p == 'g'))
        shift = *p == 'k' ? 10 : *p == 'm' ? 20 : 30;
    p += shift != 0;
    if (p != end || *out > UINT64_MAX >> shift)
        return false;
    *out <<= shift;
    return true;
}

/* ---- items ---- */

typedef struct spec_reader {
    arena *arena;
    data_spec *out;
    bool is_expectation;
    const char **message;
} spec_reader;

/* Parses numbers separated by ':' up to `end`. */
static bool
parse_values(spec_reader *r, const char *p, const char *end, uint32_t least, uint32_t most)
{
    data_spec *s = r->out;
    size_t cap = 0;
    s->values = NULL;
    for (s->n_values = 0;; p++) {
        s->values = arena_grow(r->arena, s->values, &cap, s->n_values + 1u, sizeof *s->values);
        if (!data_number_parse(&p, &s->values[s->n_values], r->message))
            return false;
        s->n_values++;
        if (p == end)
            break;
        if (p > end || *p != ':')
            return fail(r->message, "separate numbers by ':'");
    }
    if (s->n_values < least || s->n_values > most)
        return fail(r->message, "wrong count of numbers");
    return true;
}

typedef enum item_key {
    KEY_COUNT,
    KEY_SIZE,
    KEY_OFFSET,
    KEY_ULPS,
    KEY_TOLERANCE,
    KEY_RELATIVE,
    KEY_ZEROS,
    KEY_FILL,
    KEY_IOTA,
    KEY_RANDOM,
    KEY_VALUES,
    KEY_FILE,
    KEY_UNDEFINED,
    KEY_NONE,
} item_key;

static const struct {
    const char *name;
    int8_t source; /* data_source, or -1 */
    int8_t value;  /* 0: no value, 1: needs a value, 2: value is optional */
    bool expectation;
} keys[KEY_NONE] = {
    [KEY_COUNT] = {"count", -1, 1, false},
    [KEY_SIZE] = {"size", -1, 1, false},
    [KEY_OFFSET] = {"offset", -1, 1, true},
    [KEY_ULPS] = {"ulps", -1, 1, true},
    [KEY_TOLERANCE] = {"tolerance", -1, 1, true},
    [KEY_RELATIVE] = {"relative", -1, 1, true},
    [KEY_ZEROS] = {"zeros", DATA_ZEROS, 0, false},
    [KEY_FILL] = {"fill", DATA_FILL, 1, false},
    [KEY_IOTA] = {"iota", DATA_IOTA, 2, false},
    [KEY_RANDOM] = {"random", DATA_RANDOM, 2, false},
    [KEY_VALUES] = {"values", DATA_VALUES, 1, false},
    [KEY_FILE] = {"file", DATA_FILE, 1, false},
    [KEY_UNDEFINED] = {"undefined", DATA_UNDEFINED, 0, false},
};

static item_key
find_key(const char *name, size_t len)
{
    for (int k = 0; k < KEY_NONE; k++) {
        if (strlen(keys[k].name) == len && memcmp(keys[k].name, name, len) == 0)
            return (item_key)k;
    }
    return KEY_NONE;
}

/* A non-negative real number. */
static bool
parse_bound(spec_reader *r, const char *p, const char *end, double *out)
{
    data_number n;
    if (!data_number_parse(&p, &n, r->message))
        return false;
    *out = n.real;
    return (p == end && n.real >= 0) ||
           fail(r->message, "a bound must be a number that is not negative");
}

static bool
parse_count(spec_reader *r, const char *p, const char *end, bool *has, uint64_t *out)
{
    if (has && *has)
        return fail(r->message, "the size is stated twice");
    if (has)
        *has = true;
    return data_size_parse(p, end, out) ||
           fail(r->message, "a size must be a number, optionally with k, m or g");
}

static bool
parse_value(spec_reader *r, item_key key, const char *p, const char *end)
{
    data_spec *s = r->out;
    switch (key) {
    case KEY_COUNT: return parse_count(r, p, end, &s->has_count, &s->count);
    case KEY_SIZE: return parse_count(r, p, end, &s->has_size, &s->size);
    case KEY_OFFSET: return parse_count(r, p, end, NULL, &s->offset);
    case KEY_ULPS: return parse_count(r, p, end, NULL, &s->ulps);
    case KEY_TOLERANCE: return parse_bound(r, p, end, &s->tolerance);
    case KEY_RELATIVE: return parse_bound(r, p, end, &s->relative);
    case KEY_FILL: return parse_values(r, p, end, 1, 1);
    case KEY_IOTA: return parse_values(r, p, end, 1, 2);
    case KEY_VALUES: return parse_values(r, p, end, 1, UINT32_MAX);
    case KEY_RANDOM:
        return data_size_parse(p, end, &s->seed) || fail(r->message, "a seed must be a number");
    default: s->path = arena_printf(r->arena, "%.*s", (int)(end - p), p); return true;
    }
}

static bool
parse_item(spec_reader *r, const char *p, const char *end)
{
    data_spec *s = r->out;
    const char *equals = memchr(p, '=', (size_t)(end - p));
    size_t len = (size_t)((equals ? equals : end) - p);
    data_type type;
    if (!equals && data_type_find(p, len, &type)) {
        if (s->has_type)
            return fail(r->message, "the type is stated twice");
        s->type = type;
        s->has_type = true;
        return true;
    }
    item_key key = find_key(p, len);
    if (key == KEY_NONE || (keys[key].expectation && !r->is_expectation))
        return fail(r->message,
                    arena_printf(r->arena, "'%.*s' is neither a type nor an item of a description",
                                 (int)(len > 40 ? 40 : len), p));
    if (keys[key].value != 2 && (keys[key].value == 1) != (equals != NULL))
        return fail(r->message,
                    arena_printf(r->arena, equals ? "'%s' takes no value" : "'%s' needs =VALUE",
                                 keys[key].name));
    if (keys[key].source >= 0) {
        if (s->has_source)
            return fail(r->message, "the contents are stated twice");
        s->has_source = true;
        s->source = (data_source)keys[key].source;
    }
    return !equals || parse_value(r, key, equals + 1, end);
}

bool
data_spec_parse(arena *a, const char *text, bool is_expectation, data_spec *out,
                const char **message)
{
    spec_reader r = {a, out, is_expectation, message};
    *out = (data_spec){.type = DATA_U32};
    for (const char *p = text;; p++) {
        const char *end = strchr(p, ',');
        if (!end)
            end = p + strlen(p);
        if (!parse_item(&r, p, end))
            return false;
        if (!*end)
            break;
        p = end;
    }
    if (out->has_count && out->has_size)
        return fail(message, "count and size exclude each other");
    return true;
}
