/* Instructions of Qualcomm Adreno, a3xx to a8xx, in the terms of the open driver's compiler ir3.
 *
 * All instructions have 64 bits. Bits 61 to 63 are the category: 0 control flow, 1 moves, 2 and 3
 * arithmetic with one to three sources, 4 special functions, 5 textures, 6 memory, 7 barriers,
 * caches and aliases. The rows of ops.def, the formats of table/formats.def and the elements of
 * table/elements.def describe encoding and text; encoder, decoder, printer and assembler read
 * nothing else.
 *
 *   table/   the rows, the formats, the chips
 *   codec/   words to instructions and back
 *   text/    the printer
 *   asm/     the assembler */
#ifndef ADRENO_ISA_ISA_H
#define ADRENO_ISA_ISA_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum { ADRENO_FIRST_GEN = 3, ADRENO_LAST_GEN = 8, ADRENO_WORD_BYTES = 8 };

typedef enum adreno_op {
    ADRENO_RAW, /* a word that is no instruction: `adreno_inst.word` */
#define OP(id, name, format, number, first, last, type, properties) ADRENO_##id,
#include "adreno/isa/ops.def"
#undef OP
    ADRENO_OP_COUNT
} adreno_op;

typedef enum adreno_field {
#define X(name) ADRENO_F_##name,
#include "adreno/isa/fields.def"
#undef X
    ADRENO_FIELD_COUNT
} adreno_field;

/* An instruction: its row and the values of its format's fields, as they are encoded. Other
 * values are zero. */
typedef struct adreno_inst {
    adreno_op op;
    uint64_t word; /* ADRENO_RAW */
    uint32_t f[ADRENO_FIELD_COUNT];
} adreno_inst;

/* The table of a generation, with what is computed from its rows. */
typedef struct adreno_isa adreno_isa;

/* The table of generation 3 to 8, in `a`. */
const adreno_isa *
adreno_isa_open(arena *a, unsigned gen);

/* The same with nothing computed, which suffices to encode instructions and their sources. */
const adreno_isa *
adreno_isa_to_encode(arena *a, unsigned gen);

/* Decodes a word. One that is no instruction of the generation becomes ADRENO_RAW. Returns true
 * if bits are set that the instruction does not use. */
bool
adreno_decode(const adreno_isa *t, uint64_t word, adreno_inst *out);

/* The word of an instruction; bits that it does not use are zero. */
uint64_t
adreno_encode(const adreno_isa *t, const adreno_inst *in);

/* Returns true if each field has a value that means something. */
bool
adreno_is_valid(const adreno_isa *t, const adreno_inst *in);

/* Appends the text. `target` replaces the number of a jump if it is not NULL. */
void
adreno_print(const adreno_isa *t, const adreno_inst *in, const char *target, base_buf *out);

/* The word that stands at `bytes`. */
static inline uint64_t
adreno_read_word(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (unsigned i = ADRENO_WORD_BYTES; i-- > 0;)
        word = word << 8 | bytes[i];
    return word;
}

#endif
