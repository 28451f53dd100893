#include "r600/isa/table/table.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

#define N R600_NO_OP
const r600_op_info r600_op_rows[R600_OP_COUNT] = {
#define OP(id, name, format, r600, r700, eg, cm, slots, properties)                                \
    {name, {r600, r700, eg, cm}, properties, R600_FMT_##format, slots},
    {"RAW", {N, N, N, N}, 0, 0, ""},
    {"LIT", {N, N, N, N}, 0, 0, ""},
#include "r600/isa/ops.def"
#undef OP
};
#undef N

static const r600_word_info words[R600_WORD_COUNT] = {
#define F(name, low, width)                                                                        \
    {                                                                                              \
        R600_BITS_FIELD, low, width, R600_F_##name, 0                                              \
    }
#define P(name, low, width, shift)                                                                 \
    {                                                                                              \
        R600_BITS_FIELD, low, width, R600_F_##name, shift                                          \
    }
#define OPC(low, width)                                                                            \
    {                                                                                              \
        R600_BITS_NUMBER, low, width, 0, 0                                                         \
    }
#define FIX(low, width, value)                                                                     \
    {                                                                                              \
        R600_BITS_FIXED, low, width, value, 0                                                      \
    }
#define FREE(low, width)                                                                           \
    {                                                                                              \
        R600_BITS_FREE, low, width, 0, 0                                                           \
    }
#define WORD(name, ...) {#name, {__VA_ARGS__}},
    {"NONE", {{0}}},
#include "r600/isa/table/words.def"
#undef WORD
};

#define W(name) R600_WORD_##name
#define W2(a, b)                                                                                   \
    {                                                                                              \
        W(a), W(b)                                                                                 \
    }
#define W4(a, b, c, d)                                                                             \
    {                                                                                              \
        W(a), W(b), W(c), W(d)                                                                     \
    }
#define NONE                                                                                       \
    {                                                                                              \
        0                                                                                          \
    }
static const r600_format_info formats[R600_FORMAT_COUNT] = {
#define FORMAT(name, space, operands, options, ...)                                                \
    {#name, R600_SPACE_##space, {__VA_ARGS__}, operands, options},
#include "r600/isa/table/formats.def"
#undef FORMAT
};

static const r600_element_info elements[R600_ELEMENT_COUNT] = {
#define ELEMENT(name, kind, field, arg, text) {#name, R600_E_##kind, R600_F_##field, arg, text},
#include "r600/isa/table/elements.def"
#undef ELEMENT
};

const r600_source_info r600_sources[] = {
#define SOURCE(first, count, from, to, name, form)                                                 \
    {first, count, R600_GEN_##from, R600_GEN_##to, R600_S_##form, name},
#include "r600/isa/table/sources.def"
#undef SOURCE
    {0, 0, 0, 0, 0, NULL},
};

const r600_format_info *
r600_format_row(r600_format format)
{
    return &formats[format];
}

const r600_element_info *
r600_element_row(r600_element element)
{
    return &elements[element];
}

const r600_word_info *
r600_word_row(r600_word word)
{
    return &words[word];
}

const r600_source_info *
r600_find_source(r600_gen gen, uint32_t select)
{
    for (const r600_source_info *s = r600_sources; s->count; s++)
        if (gen >= s->first_gen && gen <= s->last_gen && select >= s->first &&
            select - s->first < s->count)
            return s;
    return NULL;
}

char
r600_slots_of(const r600_isa *t, r600_op op)
{
    return *r600_op_row(op)->slots ? r600_op_row(op)->slots[t->gen] : '\0';
}

/* ---- names ---- */

bool
r600_get_name(const char *list, unsigned index, const char **name, size_t *size)
{
    for (; index; index--) {
        list = strchr(list, ' ');
        if (!list++)
            return false;
    }
    *name = list;
    *size = strcspn(list, " ");
    return *size != 1 || (*list != '?' && *list != '-');
}

int
r600_find_name(const char *list, const char *name, size_t size)
{
    const char *have;
    size_t length;
    int i = 0;
    for (const char *p = list; p; p = strchr(p, ' '), i++) {
        p += *p == ' ';
        have = p;
        length = strcspn(p, " ");
        if (length == size && memcmp(have, name, size) == 0)
            return i;
    }
    return -1;
}

/* ---- what is computed from the rows ---- */

static r600_element
find_element(const char *name, size_t size)
{
    unsigned i = 0;
    while (i < R600_ELEMENT_COUNT &&
           (strlen(elements[i].name) != size || memcmp(elements[i].name, name, size) != 0))
        i++;
    return (r600_element)i;
}

/* The bits of a format that its rows do not encode as fields: fixed ones, and the row's number, in
 * pieces from the lowest to the highest. */
typedef struct constant_bits {
    uint32_t mask[R600_MAX_WORDS], value[R600_MAX_WORDS];
    struct {
        uint8_t word, low, width;
    } number[R600_MAX_WORDS];
    unsigned n_pieces;
} constant_bits;

static constant_bits
find_constant_bits(const r600_isa *t, r600_format format)
{
    constant_bits c = {.n_pieces = 0};
    for (uint8_t w = 0; w < R600_MAX_WORDS; w++) {
        const r600_bits *b = words[formats[format].words[t->gen][w]].bits, *end = b + R600_MAX_BITS;
        for (; b < end && b->width; b++) {
            if (b->kind != R600_BITS_NUMBER && b->kind != R600_BITS_FIXED)
                continue;
            c.mask[w] |= (uint32_t)base_mask64(b->width) << b->low;
            if (b->kind == R600_BITS_FIXED) {
                c.value[w] |= (uint32_t)b->value << b->low;
                continue;
            }
            assert(c.n_pieces < R600_MAX_WORDS);
            c.number[c.n_pieces].word = w;
            c.number[c.n_pieces].low = b->low;
            c.number[c.n_pieces++].width = b->width;
        }
    }
    return c;
}

static void
set_constants(r600_isa *t, r600_op op, const constant_bits *c)
{
    uint32_t number = r600_op_row(op)->number[t->gen];
    memcpy(t->mask[op], c->mask, sizeof c->mask);
    memcpy(t->value[op], c->value, sizeof c->value);
    for (unsigned i = 0; i < c->n_pieces; i++) {
        const uint32_t ones = (uint32_t)base_mask64(c->number[i].width);
        t->value[op][c->number[i].word] |= (number & ones) << c->number[i].low;
        number >>= c->number[i].width;
    }
}

static void
find_widths(r600_isa *t, r600_format format)
{
    for (unsigned w = 0; w < R600_MAX_WORDS && formats[format].words[t->gen][w]; w++) {
        const r600_bits *b = words[formats[format].words[t->gen][w]].bits, *end = b + R600_MAX_BITS;
        for (; b < end && b->width; b++)
            if (b->kind == R600_BITS_FIELD)
                t->width[format][b->value] = (uint8_t)(t->width[format][b->value] + b->width);
        t->n_words[format]++;
    }
}

static void
split_text(r600_isa *t, r600_format format)
{
    r600_piece *p = t->operands[format];
    for (const char *at = formats[format].operands; *at; at++, p++) {
        *p = (r600_piece){.element = R600_ELEMENT_COUNT, .character = *at};
        if (*at != '{')
            continue;
        size_t size = strcspn(at + 1, "}");
        p->element = (uint8_t)find_element(at + 1, size);
        at += size + 1;
    }
    *p = (r600_piece){.element = R600_ELEMENT_COUNT};
}

static void
split_options(r600_isa *t, r600_format format)
{
    uint8_t *o = t->options[format];
    for (const char *at = formats[format].options; *at; at += *at == ' ') {
        size_t size = strcspn(at, " ");
        *o++ = (uint8_t)find_element(at, size);
        at += size;
    }
    *o = R600_ELEMENT_COUNT;
}

static r600_isa *
open_codec(arena *a, r600_gen gen)
{
    r600_isa *t = ARENA_NEW(a, r600_isa);
    constant_bits constants[R600_FORMAT_COUNT];
    unsigned n[R600_SPACES] = {0};
    t->gen = gen;
    for (unsigned f = 0; f < R600_FORMAT_COUNT; f++) {
        find_widths(t, (r600_format)f);
        constants[f] = find_constant_bits(t, (r600_format)f);
    }
    for (unsigned op = 0; op < R600_OP_COUNT; op++) {
        if (!r600_op_exists((r600_op)op, gen))
            continue;
        const uint8_t space = r600_format_of((r600_op)op)->space;
        set_constants(t, (r600_op)op, &constants[r600_op_row((r600_op)op)->format]);
        t->ops[space][n[space]++] = (uint16_t)op;
    }
    return t;
}

const r600_isa *
r600_isa_open_codec(arena *a, r600_gen gen)
{
    return open_codec(a, gen);
}

const r600_isa *
r600_isa_open(arena *a, r600_gen gen)
{
    r600_isa *t = open_codec(a, gen);
    for (unsigned f = 0; f < R600_FORMAT_COUNT; f++) {
        split_text(t, (r600_format)f);
        split_options(t, (r600_format)f);
    }
    return t;
}
