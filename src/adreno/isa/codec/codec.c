/* Words to instructions and back: fields are cut out of the word and put into it as their
 * formats say. */
#include "adreno/isa/table/table.h"

#include "base/bits.h"

#define FOREACH_BITS(b, format)                                                                    \
    for (const adreno_bits *b = (format)->bits; b < (format)->bits + ADRENO_MAX_BITS && b->width;  \
         b++)

static bool
has_its_types(const adreno_op_info *row, const adreno_inst *in)
{
    bool same = in->f[ADRENO_F_stype] == in->f[ADRENO_F_dtype];
    return same ? !(row->properties & ADRENO_OTHER_TYPES) : !(row->properties & ADRENO_SAME_TYPES);
}

/* Cuts the fields out. Returns true if unused bits are set. */
static bool
read_fields(uint64_t word, adreno_inst *in)
{
    bool extra = false;
    FOREACH_BITS(b, adreno_format_of(in->op)) {
        uint64_t value = word >> b->low & base_mask64(b->width);
        if (b->kind == ADRENO_BITS_FIELD)
            in->f[b->value] = (uint32_t)value;
        extra |= b->kind == ADRENO_BITS_FREE && value != b->value;
    }
    return extra;
}

bool
adreno_decode(const adreno_isa *t, uint64_t word, adreno_inst *out)
{
    const unsigned category = (unsigned)(word >> 61);
    for (unsigned i = t->first[category]; i < t->first[category + 1]; i++) {
        adreno_op op = (adreno_op)t->ops[i];
        if ((word & t->mask[op]) != t->value[op])
            continue;
        *out = (adreno_inst){.op = op, .word = word};
        bool extra = read_fields(word, out);
        if (has_its_types(adreno_op_row(op), out) && adreno_is_valid(t, out))
            return extra;
    }
    *out = (adreno_inst){.op = ADRENO_RAW, .word = word};
    return false;
}

uint64_t
adreno_encode(const adreno_isa *t, const adreno_inst *in)
{
    if (in->op == ADRENO_RAW)
        return in->word;
    uint64_t mask = 0, word = adreno_constant_bits(in->op, &mask);
    (void)t;
    FOREACH_BITS(b, adreno_format_of(in->op)) {
        if (b->kind == ADRENO_BITS_FIELD)
            word |= (in->f[b->value] & base_mask64(b->width)) << b->low;
        if (b->kind == ADRENO_BITS_FREE)
            word |= (uint64_t)b->value << b->low;
    }
    return word;
}
