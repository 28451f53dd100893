/* The tables of TeraScale's instruction set, and what is computed from them. */
#ifndef R600_ISA_TABLE_TABLE_H
#define R600_ISA_TABLE_TABLE_H

#include "r600/isa/isa.h"

/* ---- words ---- */

typedef enum r600_bits_kind {
    R600_BITS_FIELD,
    R600_BITS_NUMBER, /* of the row */
    R600_BITS_FIXED,
    R600_BITS_FREE,
} r600_bits_kind;

/* Bits of a word. */
typedef struct r600_bits {
    uint8_t kind, low, width;
    uint8_t value; /* the field, or the constant */
    uint8_t shift; /* where they stand in the field */
} r600_bits;

enum { R600_MAX_BITS = 20 };

typedef struct r600_word_info {
    const char *name;
    r600_bits bits[R600_MAX_BITS]; /* until width is 0 */
} r600_word_info;

typedef enum r600_word {
    R600_WORD_NONE,
#define WORD(name, ...) R600_WORD_##name,
#include "r600/isa/table/words.def"
#undef WORD
    R600_WORD_COUNT
} r600_word;

/* ---- formats ---- */

typedef enum r600_format {
#define FORMAT(name, ...) R600_FMT_##name,
#include "r600/isa/table/formats.def"
#undef FORMAT
    R600_FORMAT_COUNT
} r600_format;

typedef struct r600_format_info {
    const char *name;
    uint8_t space;                            /* R600_SPACE_* */
    uint8_t words[R600_GENS][R600_MAX_WORDS]; /* R600_WORD_NONE from the end on */
    const char *operands, *options;
} r600_format_info;

/* ---- elements of texts ---- */

typedef enum r600_element_kind {
    R600_E_ADDR,
    R600_E_REG,
    R600_E_SELECTS,
    R600_E_MASK,
    R600_E_NUMBER,
    R600_E_PREFIX,
    R600_E_NAMES,
    R600_E_FLAG, /* options from here on */
    R600_E_NOT,
    R600_E_VALUE,
    R600_E_ALWAYS,
    R600_E_SIGNED,
    R600_E_CHOICE,
    R600_E_BARE,
    R600_E_KCACHE,
    R600_E_UNNORM,
    R600_E_INDEX,
    R600_E_BANK,
    R600_E_OMOD,
    R600_E_INDEXMODE,
} r600_element_kind;

typedef struct r600_element_info {
    const char *name;
    uint8_t kind, field, arg;
    const char *text;
} r600_element_info;

typedef enum r600_element {
#define ELEMENT(name, kind, field, arg, text) R600_EL_##name,
#include "r600/isa/table/elements.def"
#undef ELEMENT
    R600_ELEMENT_COUNT
} r600_element;

/* ---- rows ---- */

enum {
    R600_P_SRC1 = 1, /* the number of sources; the lower two bits */
    R600_P_SRC2 = 2,
    R600_P_SRC3 = 3,
    R600_P_SOURCES = 3,
    R600_P_PRED = 4,  /* computes a predicate */
    R600_P_PUSH = 8,  /* a counter of the stack in a register, and a predicate */
    R600_P_KILL = 16, /* ends pixels */
    R600_P_MOVA = 32, /* writes the address register */
    R600_P_REPL = 64, /* the result is in all slots that it takes */
    R600_P_F64 = 128, /* doubles in pairs of slots */
    R600_P_INTERP = 256,
    R600_P_PREV = 512,       /* reads what another slot of the group computes */
    R600_P_SETS_NEXT = 1024, /* a fetch that sets what the next one takes: gradients, offsets */
};

typedef struct r600_op_info {
    const char *name;
    uint16_t number[R600_GENS]; /* R600_NO_OP: not there */
    uint16_t properties;
    uint8_t format;
    const char *slots; /* of ALU instructions: a letter a generation */
} r600_op_info;

extern const r600_op_info r600_op_rows[R600_OP_COUNT];

static inline const r600_op_info *
r600_op_row(r600_op op)
{
    return &r600_op_rows[op];
}

const r600_format_info *
r600_format_row(r600_format format);
const r600_element_info *
r600_element_row(r600_element element);
const r600_word_info *
r600_word_row(r600_word word);

static inline const r600_format_info *
r600_format_of(r600_op op)
{
    return r600_format_row((r600_format)r600_op_row(op)->format);
}

static inline bool
r600_op_exists(r600_op op, r600_gen gen)
{
    return op >= R600_RAW + 2 && r600_op_row(op)->number[gen] != R600_NO_OP;
}

/* ---- sources of ALU instructions ---- */

typedef enum r600_source_form {
    R600_S_NUMBERED_X,
    R600_S_INDEXED_X,
    R600_S_ALONE,
    R600_S_ALONE_X,
} r600_source_form;

typedef struct r600_source_info {
    uint16_t first, count;
    uint8_t first_gen, last_gen, form;
    const char *name;
} r600_source_info;

/* The row of a select, or NULL. */
const r600_source_info *
r600_find_source(r600_gen gen, uint32_t select);

/* All rows, ended by a count of 0. */
extern const r600_source_info r600_sources[];

enum {
    R600_SEL_KC0 = 128,
    R600_SEL_KC1 = 160,
    R600_SEL_0 = 248,
    R600_SEL_1 = 250, /* the integer */
    R600_SEL_M1 = 251,
    R600_SEL_LITERAL = 253,
    R600_SEL_PV = 254,
    R600_SEL_PS = 255,
    R600_SEL_KC2 = 256,
    R600_SEL_KC3 = 288,
    R600_SEL_PARAM = 448,
};

/* Ways to index: the register or counter that is added. */
#define R600_INDEX_NAMES "AR.x AR.y AR.z AR.w LOOP GLOBAL GLOBAL_AR.x"

/* ---- chips ---- */

enum {
    R600_NO_VTX_CACHE = 1, /* vertex fetches go through the texture cache */
    R600_DOUBLES = 2,
    R600_SAFE_PUSH = 4,   /* ALU_PUSH_BEFORE works inside loops */
    R600_NO_MOVA_INT = 8, /* indices are loaded by MOVA_GPR_INT for the loop index */
};

typedef struct r600_chip {
    const char *name;
    r600_gen gen;
    uint32_t wave_size;
    uint32_t properties;
    const char *const *names; /* others, terminated by NULL */
} r600_chip;

/* Is an invocation a subgroup of its own? Before Evergreen nothing numbers lanes (ops.def,
 * MBCNT_*), and Vulkan lets a subgroup have one invocation. */
static inline bool
r600_lanes_are_alone(const r600_chip *chip)
{
    return chip->gen < R600_GEN_EG;
}

extern const r600_chip r600_chips[];
extern const uint32_t r600_chip_count;

/* ---- computed tables ---- */

/* A piece of a format's text: an element or a character. */
typedef struct r600_piece {
    uint8_t element; /* R600_ELEMENT_COUNT: the character */
    char character;  /* '\0': the end */
} r600_piece;

enum { R600_MAX_PIECES = 24, R600_MAX_OPTIONS = 24 };

struct r600_isa {
    r600_gen gen;
    uint32_t mask[R600_OP_COUNT][R600_MAX_WORDS], value[R600_OP_COUNT][R600_MAX_WORDS];
    uint16_t ops[R600_SPACES + 1]
                [R600_OP_COUNT]; /* of a space, in the order of the table, until 0 */
    r600_piece operands[R600_FORMAT_COUNT][R600_MAX_PIECES];
    uint8_t options[R600_FORMAT_COUNT][R600_MAX_OPTIONS]; /* until R600_ELEMENT_COUNT */
    uint8_t width[R600_FORMAT_COUNT][R600_FIELD_COUNT];   /* bits of each field; 0: not there */
    uint8_t n_words[R600_FORMAT_COUNT];
};

/* The bits of a field in the row's format. */
static inline unsigned
r600_field_width(const r600_isa *t, r600_op op, unsigned field)
{
    return t->width[r600_op_row(op)->format][field];
}

/* Name number `index` of a list with blanks between; false if it has none ("?"). */
bool
r600_get_name(const char *list, unsigned index, const char **name, size_t *size);

/* The number of a name, or -1. */
int
r600_find_name(const char *list, const char *name, size_t size);

/* The slots where the row may stand; '\0' for other instructions than those of ALU clauses. */
char
r600_slots_of(const r600_isa *t, r600_op op);

#endif
