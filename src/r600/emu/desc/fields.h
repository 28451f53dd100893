/* A field of a descriptor's words (fields.def). */
#ifndef R600_EMU_DESC_FIELDS_H
#define R600_EMU_DESC_FIELDS_H

#include "base/bits.h"

typedef struct r600_desc_field {
    uint8_t word, low, width;
} r600_desc_field;

/* Which column of fields.def: R600 and R700, or from Evergreen on. */
static inline unsigned
r600_desc_column(r600_gen gen)
{
    return gen >= R600_GEN_EG;
}

static inline uint32_t
r600_desc_get(const r600_desc_field *f, const uint32_t *words)
{
    return words[f->word] >> f->low & (uint32_t)base_mask64(f->width);
}

/* Sets the bits of an empty field. Returns false if the number does not fit. */
static inline bool
r600_desc_put(const r600_desc_field *f, uint32_t *words, uint64_t value)
{
    words[f->word] |= (uint32_t)((value & base_mask64(f->width)) << f->low);
    return value <= base_mask64(f->width);
}

#endif
