/* Instructions of AMD's TeraScale GPUs: R600, R700, Evergreen and Cayman.
 *
 * A program has three kinds of code. Control flow (64 bits an instruction) stands first and names
 * clauses: runs of ALU instructions (64 bits; up to five of them and their literals are a group,
 * which executes at once) and of fetches (128 bits: textures, vertex buffers, memory, GDS). A word
 * alone does not say which kind it is: r600_map_code follows the control flow and says it for each
 * dword of a program.
 *
 * The rows of ops.def, the words of table/words.def, the formats of table/formats.def and the
 * elements of table/elements.def describe encoding and text; encoder, decoder, printer and
 * assembler read nothing else.
 *
 *   table/   the rows, the formats, the chips
 *   codec/   words to instructions and back; the map of a program
 *   text/    the printer
 *   asm/     the assembler */
#ifndef R600_ISA_ISA_H
#define R600_ISA_ISA_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum r600_gen {
    R600_GEN_R600,
    R600_GEN_R700,
    R600_GEN_EG,
    R600_GEN_CM,
    R600_GENS
} r600_gen;

/* Which kind of code a word belongs to: the same number means different things in each. */
typedef enum r600_space {
    R600_SPACE_CF,
    R600_SPACE_ALU,
    R600_SPACE_FETCH, /* textures, vertex buffers, memory, GDS */
    R600_SPACES
} r600_space;

enum { R600_MAX_WORDS = 4, R600_NO_OP = 0xffff };

/* Slots of a group; Cayman has no t. */
enum { R600_SLOT_X, R600_SLOT_Y, R600_SLOT_Z, R600_SLOT_W, R600_SLOT_T, R600_SLOTS };

typedef enum r600_op {
    R600_RAW,     /* words that are no instruction */
    R600_LITERAL, /* literals of a group */
#define OP(id, name, format, r600, r700, eg, cm, slots, properties) R600_##id,
#include "r600/isa/ops.def"
#undef OP
    R600_OP_COUNT
} r600_op;

typedef enum r600_field {
#define X(name) R600_F_##name,
#include "r600/isa/fields.def"
#undef X
    R600_FIELD_COUNT
} r600_field;

/* An instruction: its row and the values of its format's fields, as they are encoded. Other
 * values are zero. */
typedef struct r600_inst {
    r600_op op;
    uint8_t n_words; /* 2 or 4 */
    uint8_t slot;    /* of an ALU instruction in its group: R600_SLOT_* */
    uint32_t group; /* the number of the group that begins here; 0: none does, or it is not known */
    uint32_t words[R600_MAX_WORDS]; /* R600_RAW and R600_LITERAL */
    uint32_t f[R600_FIELD_COUNT];
} r600_inst;

/* The table of a generation, with what is computed from its rows. */
typedef struct r600_isa r600_isa;

const r600_isa *
r600_isa_open(arena *a, r600_gen gen);

/* The same without what printing and parsing need, which takes longer to compute than the rest. */
const r600_isa *
r600_isa_open_codec(arena *a, r600_gen gen);

/* Decodes the words of an instruction of the space: two of control flow and ALU, four of the
 * others. What is no instruction of the generation becomes R600_RAW. Returns true if bits are set
 * that the instruction does not use. The slot of an ALU instruction is the one that it has
 * alone. */
bool
r600_decode(const r600_isa *t, r600_space space, const uint32_t *words, r600_inst *out);

/* Writes the words of an instruction; bits that it does not use are zero. */
void
r600_encode(const r600_isa *t, const r600_inst *in, uint32_t words[R600_MAX_WORDS]);

/* Appends the text. `target` replaces the number of an address if it is not NULL. */
void
r600_print(const r600_isa *t, const r600_inst *in, const char *target, base_buf *out);

/* ---- programs ---- */

/* What stands at a dword of a program. */
typedef enum r600_place_kind {
    R600_PLACE_DATA, /* not reached by control flow */
    R600_PLACE_CODE, /* an instruction of `space` begins */
    R600_PLACE_LITERAL,
    R600_PLACE_INSIDE, /* of what began before */
} r600_place_kind;

typedef struct r600_place {
    uint8_t kind;
    uint8_t space;  /* of an instruction */
    uint8_t size;   /* in dwords, of what begins here */
    uint8_t slot;   /* of an ALU instruction */
    uint32_t group; /* as in r600_inst */
} r600_place;

/* A place for each of the `n` dwords of a program. */
r600_place *
r600_map_code(const r600_isa *t, arena *a, const uint8_t *bytes, size_t n);

/* The slot of an instruction in a group where `taken` has a bit for each slot that is used: that of
 * its channel, unless it is taken, or the instruction can only stand in slot t. */
uint8_t
r600_assign_slot(const r600_isa *t, const r600_inst *in, unsigned taken);

/* One more than the last literal that a source names: the dwords behind the group, but for one that
 * makes them even. */
unsigned
r600_count_literals(const r600_inst *in);

/* The dword that stands at `bytes`. */
static inline uint32_t
r600_read_dword(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

#endif
