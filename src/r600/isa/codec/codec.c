/* Words to instructions and back: fields are cut out of the words and put into them as the formats
 * say. */
#include "r600/isa/table/table.h"

#include "base/bits.h"

#define FOREACH_BITS(b, word)                                                                      \
    for (const r600_bits *b = r600_word_row((r600_word)(word))->bits,                              \
                         *b##_end = b + R600_MAX_BITS;                                             \
         b < b##_end && b->width; b++)

/* Cuts the fields out. Returns true if unused bits are set. */
static bool
read_fields(const r600_isa *t, const uint32_t *words, r600_inst *in)
{
    const r600_format_info *format = r600_format_of(in->op);
    bool extra = false;
    for (unsigned w = 0; w < in->n_words; w++) {
        FOREACH_BITS(b, format->words[t->gen][w]) {
            uint32_t value = (uint32_t)(words[w] >> b->low & base_mask64(b->width));
            if (b->kind == R600_BITS_FIELD)
                in->f[b->value] |= value << b->shift;
            extra |= b->kind == R600_BITS_FREE && value;
        }
    }
    return extra;
}

static bool
has_constants(const r600_isa *t, r600_op op, const uint32_t *words, unsigned n)
{
    for (unsigned w = 0; w < n; w++)
        if ((words[w] & t->mask[op][w]) != t->value[op][w])
            return false;
    return true;
}

/* The slot of an instruction that stands alone. */
static uint8_t
first_slot(const r600_isa *t, const r600_inst *in)
{
    const bool is_scalar = t->gen != R600_GEN_CM && r600_slots_of(t, in->op) == 'S';
    return (uint8_t)(is_scalar ? R600_SLOT_T : in->f[R600_F_dst_chan]);
}

bool
r600_decode(const r600_isa *t, r600_space space, const uint32_t *words, r600_inst *out)
{
    const uint8_t n = space == R600_SPACE_FETCH ? 4 : 2;
    for (const uint16_t *o = t->ops[space]; *o; o++) {
        if (!has_constants(t, (r600_op)*o, words, n))
            continue;
        *out = (r600_inst){.op = (r600_op)*o, .n_words = n};
        bool extra = read_fields(t, words, out);
        out->slot = first_slot(t, out);
        return extra;
    }
    *out = (r600_inst){.op = R600_RAW, .n_words = n};
    for (unsigned w = 0; w < n; w++)
        out->words[w] = words[w];
    return false;
}

void
r600_encode(const r600_isa *t, const r600_inst *in, uint32_t words[R600_MAX_WORDS])
{
    if (in->op == R600_RAW || in->op == R600_LITERAL) {
        for (unsigned w = 0; w < in->n_words; w++)
            words[w] = in->words[w];
        return;
    }
    const r600_format_info *format = r600_format_of(in->op);
    for (unsigned w = 0; w < R600_MAX_WORDS; w++) {
        words[w] = t->value[in->op][w];
        FOREACH_BITS(b, format->words[t->gen][w]) {
            if (b->kind == R600_BITS_FIELD)
                words[w] |= (uint32_t)(in->f[b->value] >> b->shift & base_mask64(b->width))
                            << b->low;
        }
    }
}
