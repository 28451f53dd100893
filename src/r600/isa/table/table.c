#include "r600/isa/table/table.h"

#include "base/bits.h"

#include <string.h>

#define N R600_NO_OP
static const r600_op_info ops[R600_OP_COUNT] = {
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

const r600_op_info *
r600_op_row(r600_op op)
{
    return &ops[op];
}

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
    return *ops[op].slots ? ops[op].slots[t->gen] : '\0';
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

static void
find_constants(r600_isa *t, r600_op op)
{
    const r600_format_info *format = r600_format_of(op);
    uint32_t number = ops[op].number[t->gen];
    for (unsigned w = 0; w < R600_MAX_WORDS; w++) {
        const r600_bits *b = words[format->words[t->gen][w]].bits, *end = b + R600_MAX_BITS;
        for (; b < end && b->width; b++) {
            const uint32_t ones = (uint32_t)base_mask64(b->width);
            if (b->kind != R600_BITS_NUMBER && b->kind != R600_BITS_FIXED)
                continue;
            t->mask[op][w] |= ones << b->low;
            t->value[op][w] |= (b->kind == R600_BITS_FIXED ? b->value : number & ones) << b->low;
            if (b->kind == R600_BITS_NUMBER)
                number >>= b->width;
        }
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

const r600_isa *
r600_isa_open(arena *a, r600_gen gen)
{
    r600_isa *t = ARENA_NEW(a, r600_isa);
    unsigned n[R600_SPACES] = {0};
    memset(t, 0, sizeof *t);
    t->gen = gen;
    for (unsigned f = 0; f < R600_FORMAT_COUNT; f++) {
        find_widths(t, (r600_format)f);
        split_text(t, (r600_format)f);
        split_options(t, (r600_format)f);
    }
    for (unsigned op = 0; op < R600_OP_COUNT; op++) {
        if (!r600_op_exists((r600_op)op, gen))
            continue;
        const uint8_t space = r600_format_of((r600_op)op)->space;
        find_constants(t, (r600_op)op);
        t->ops[space][n[space]++] = (uint16_t)op;
    }
    return t;
}
