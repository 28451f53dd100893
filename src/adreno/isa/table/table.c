#include "adreno/isa/table/table.h"

#include "base/bits.h"

#include <string.h>

static const adreno_op_info ops[ADRENO_OP_COUNT] = {
#define OP(id, name, format, number, first, last, type, properties)                                \
    {name, ADRENO_FMT_##format, number, properties, first, last, ADRENO_T_##type},
    {"raw", 0, 0, 0, ADRENO_FIRST_GEN, ADRENO_LAST_GEN, ADRENO_T_N},
#include "adreno/isa/ops.def"
#undef OP
};

static const adreno_format_info formats[ADRENO_FORMAT_COUNT] = {
#define F(name, low, width)                                                                        \
    {                                                                                              \
        ADRENO_BITS_FIELD, low, width, ADRENO_F_##name                                             \
    }
#define OPC(low, width)                                                                            \
    {                                                                                              \
        ADRENO_BITS_NUMBER, low, width, 0                                                          \
    }
#define FIX(low, width, value)                                                                     \
    {                                                                                              \
        ADRENO_BITS_FIXED, low, width, value                                                       \
    }
#define FREE(low, width)                                                                           \
    {                                                                                              \
        ADRENO_BITS_FREE, low, width, 0                                                            \
    }
#define USUAL(low, width, value)                                                                   \
    {                                                                                              \
        ADRENO_BITS_FREE, low, width, value                                                        \
    }
#define FORMAT(name, text, ...) {#name, text, {__VA_ARGS__}},
#include "adreno/isa/table/formats.def"
#undef FORMAT
};

static const adreno_element_info elements[ADRENO_ELEMENT_COUNT] = {
#define ELEMENT(name, kind, field, arg, text) {#name, ADRENO_E_##kind, ADRENO_F_##field, arg, text},
#include "adreno/isa/table/elements.def"
#undef ELEMENT
};

const double adreno_table_floats[ADRENO_TABLE_FLOATS] = {
    0.0,
    0.5,
    1.0,
    2.0,
    2.71828182845904523536,
    3.14159265358979323846,
    0.31830988618379067154,
    0.69314718055994530942,
    1.44269504088896340736,
    0.30102999566398119521,
    3.32192809488736234787,
    4.0,
};

const adreno_op_info *
adreno_op_row(adreno_op op)
{
    return &ops[op];
}

const adreno_format_info *
adreno_format_row(adreno_format format)
{
    return &formats[format];
}

const adreno_element_info *
adreno_element_row(adreno_element element)
{
    return &elements[element];
}

/* The element called `name`, or ADRENO_ELEMENT_COUNT. */
static adreno_element
find_element(const char *name, size_t size)
{
    unsigned i = 0;
    while (i < ADRENO_ELEMENT_COUNT &&
           (strlen(elements[i].name) != size || memcmp(elements[i].name, name, size) != 0))
        i++;
    return (adreno_element)i;
}

unsigned
adreno_field_width(const adreno_format_info *format, adreno_field field)
{
    for (const adreno_bits *b = format->bits; b < format->bits + ADRENO_MAX_BITS && b->width; b++)
        if (b->kind == ADRENO_BITS_FIELD && b->value == field)
            return b->width;
    return 0;
}

/* ---- what is computed from the rows ---- */

uint64_t
adreno_constant_bits(adreno_op op, uint64_t *mask)
{
    uint64_t number = ops[op].number, value = 0;
    const adreno_bits *b = adreno_format_of(op)->bits, *end = b + ADRENO_MAX_BITS;
    for (; b < end && b->width; b++) {
        uint64_t ones = base_mask64(b->width);
        if (b->kind != ADRENO_BITS_NUMBER && b->kind != ADRENO_BITS_FIXED)
            continue;
        *mask |= ones << b->low;
        value |= (b->kind == ADRENO_BITS_FIXED ? b->value : number & ones) << b->low;
        if (b->kind == ADRENO_BITS_NUMBER)
            number >>= b->width;
    }
    return value;
}

static void
split_text(adreno_isa *t, adreno_format format)
{
    adreno_piece *p = t->pieces[format];
    for (const char *at = formats[format].text; *at; at++, p++) {
        *p = (adreno_piece){.element = ADRENO_ELEMENT_COUNT, .character = *at};
        if (*at != '{')
            continue;
        size_t size = strcspn(at + 1, "}");
        p->element = (uint8_t)find_element(at + 1, size);
        at += size + 1;
    }
    *p = (adreno_piece){.element = ADRENO_ELEMENT_COUNT};
}

const adreno_isa *
adreno_isa_to_encode(arena *a, unsigned gen)
{
    adreno_isa *t = ARENA_NEW(a, adreno_isa);
    t->gen = gen;
    return t;
}

const adreno_isa *
adreno_isa_open(arena *a, unsigned gen)
{
    adreno_isa *t = ARENA_NEW(a, adreno_isa);
    unsigned n = 0;
    t->gen = gen;
    for (unsigned f = 0; f < ADRENO_FORMAT_COUNT; f++)
        split_text(t, (adreno_format)f);
    for (unsigned op = 1; op < ADRENO_OP_COUNT; op++)
        t->value[op] = adreno_constant_bits((adreno_op)op, &t->mask[op]);
    for (unsigned c = 0; c < ADRENO_CATEGORIES; c++) {
        t->first[c] = (uint16_t)n;
        for (unsigned op = 1; op < ADRENO_OP_COUNT; op++)
            if (adreno_op_exists((adreno_op)op, gen) && t->value[op] >> 61 == c)
                t->ops[n++] = (uint16_t)op;
    }
    t->first[ADRENO_CATEGORIES] = (uint16_t)n;
    return t;
}

/* ---- names and sizes ---- */

bool
adreno_get_name(const char *list, unsigned index, const char **name, size_t *size)
{
    for (; index; index--) {
        list = strchr(list, ' ');
        if (!list++)
            return false;
    }
    *name = list;
    *size = strcspn(list, " ");
    if (*size == 1 && *list == '-')
        *size = 0;
    return *size != 1 || *list != '?';
}

/* Moves have 8 bits in half registers, whatever the type says. */
static bool
is_half_move(unsigned type)
{
    return type == ADRENO_U8_32 || adreno_is_half_type(type);
}

bool
adreno_is_half(const adreno_inst *in, adreno_size_rule rule)
{
    const adreno_op_info *row = adreno_op_row(in->op);
    const bool has_full = adreno_field_width(adreno_format_of(in->op), ADRENO_F_full) != 0;
    const bool full = has_full ? in->f[ADRENO_F_full] : !(row->properties & ADRENO_HALF);
    switch (rule) {
    case ADRENO_BY_SRC: return !full;
    /* p0 and what stands behind it is never half */
    case ADRENO_BY_DST: return full == in->f[ADRENO_F_conv] && in->f[ADRENO_F_dst] <= 0xf7;
    case ADRENO_BY_WDST: return !in->f[ADRENO_F_dst_full];
    case ADRENO_BY_TYPE: return adreno_is_half_type(in->f[ADRENO_F_type]);
    case ADRENO_BY_DTYPE: return is_half_move(in->f[ADRENO_F_dtype]);
    case ADRENO_BY_STYPE: return is_half_move(in->f[ADRENO_F_stype]);
    case ADRENO_BY_TSIZE: return !in->f[ADRENO_F_tsize];
    default: return false;
    }
}
