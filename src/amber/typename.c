/* The names of data types in both languages. */
#include "amber/layout.h"

#include <string.h>

typedef struct scalar_row {
    const char *amber, *vkscript; /* names */
    amber_mode mode;
    uint8_t bits;
    const char *vector; /* VkScript's prefix of "vec" and "mat" */
} scalar_row;

static const scalar_row scalars[] = {
    {"int8", "int8_t", AMBER_SINT, 8, "i8"},
    {"int16", "int16_t", AMBER_SINT, 16, "i16"},
    {"int32", "int", AMBER_SINT, 32, "i"},
    {"int64", "int64_t", AMBER_SINT, 64, "i64"},
    {"uint8", "uint8_t", AMBER_UINT, 8, "u8"},
    {"uint16", "uint16_t", AMBER_UINT, 16, "u16"},
    {"uint32", "uint", AMBER_UINT, 32, "u"},
    {"uint64", "uint64_t", AMBER_UINT, 64, "u64"},
    {"float16", "float16_t", AMBER_SFLOAT, 16, "f16"},
    {"float", "float", AMBER_SFLOAT, 32, ""},
    {"double", "double", AMBER_SFLOAT, 64, "d"},
};

enum { SCALARS = sizeof scalars / sizeof scalars[0] };

static bool
equals(const char *text, size_t len, const char *name)
{
    return strlen(name) == len && memcmp(text, name, len) == 0;
}

static bool
set_scalar(layout_type *t, const scalar_row *row)
{
    *t = (layout_type){.kind = LAYOUT_NUMBER,
                       .mode = (uint8_t)row->mode,
                       .bits = row->bits,
                       .rows = 1,
                       .columns = 1,
                       .count = t->count};
    return true;
}

static bool
parse_scalar(const char *name, size_t len, layout_type *t)
{
    for (size_t i = 0; i < SCALARS; i++)
        if (equals(name, len, scalars[i].amber))
            return set_scalar(t, &scalars[i]);
    return false;
}

/* 2, 3, 4, or 0. */
static uint8_t
dimension(char c)
{
    return c >= '2' && c <= '4' ? (uint8_t)(c - '0') : 0;
}

/* Parses "[]" or "[n]" at the end of a name and removes it from `len`. */
static bool
parse_array(const char *name, size_t *len, uint32_t *count)
{
    size_t open = *len;
    *count = 0;
    if (!*len || name[*len - 1] != ']')
        return true;
    while (open && name[open - 1] != '[')
        open--;
    if (!open || *len - open > 7)
        return false;
    for (size_t i = open; i < *len - 1; i++) {
        if (name[i] < '0' || name[i] > '9')
            return false;
        *count = *count * 10 + (uint32_t)(name[i] - '0');
    }
    if (*len - open > 1 && !*count)
        return false;
    if (*len - open == 1)
        *count = 1;
    *len = open - 1;
    return true;
}

bool
amber_layout_parse(const char *name, size_t len, layout_type *out)
{
    layout_type t = {0};
    uint8_t rows = 1, columns = 1;
    if (!parse_array(name, &len, &t.count))
        return false;
    if (amber_texel_find(name, len, &t.texel)) {
        t.kind = LAYOUT_TEXEL;
        *out = t;
        return true;
    }
    if (len > 6 && memcmp(name, "vec", 3) == 0 && name[4] == '<' && name[len - 1] == '>') {
        rows = dimension(name[3]);
        name += 5;
        len -= 6;
    } else if (len > 8 && memcmp(name, "mat", 3) == 0 && name[4] == 'x' && name[6] == '<' &&
               name[len - 1] == '>') {
        columns = dimension(name[3]);
        rows = dimension(name[5]);
        name += 7;
        len -= 8;
    }
    if (!rows || !columns || !parse_scalar(name, len, &t))
        return false;
    t.rows = rows;
    t.columns = columns;
    *out = t;
    return true;
}

/* Parses the rows and columns after "vec" and "mat": "3", "2x4", or nothing, which means 4. */
static bool
parse_shape(const char *text, size_t len, bool matrix, layout_type *t)
{
    t->rows = t->columns = 4;
    if (len) {
        t->columns = dimension(text[0]);
        t->rows = len == 3 && text[1] == 'x' ? dimension(text[2]) : len == 1 ? t->columns : 0;
    }
    if (!matrix) {
        t->rows = t->columns;
        t->columns = len > 1 ? 0 : 1;
    }
    return t->rows && t->columns;
}

bool
amber_layout_parse_vkscript(const char *name, size_t len, layout_type *out)
{
    layout_type t = {0};
    for (size_t i = 0; i < SCALARS; i++) {
        size_t prefix = strlen(scalars[i].vector);
        if (equals(name, len, scalars[i].vkscript)) {
            set_scalar(&t, &scalars[i]);
            *out = t;
            return true;
        }
        if (len < prefix + 3 || memcmp(name, scalars[i].vector, prefix) != 0)
            continue;
        bool matrix = memcmp(name + prefix, "mat", 3) == 0;
        if (!matrix && memcmp(name + prefix, "vec", 3) != 0)
            continue;
        set_scalar(&t, &scalars[i]);
        if (!parse_shape(name + prefix + 3, len - prefix - 3, matrix, &t))
            return false;
        *out = t;
        return true;
    }
    return false;
}
