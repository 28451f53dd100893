/* The table of instructions: rows, formats with their fields, elements of texts. */
#ifndef ADRENO_ISA_TABLE_TABLE_H
#define ADRENO_ISA_TABLE_TABLE_H

#include "adreno/isa/isa.h"

/* Properties of a row. */
enum {
    ADRENO_HALF = 1 << 0,        /* the sources are half registers, by the opcode */
    ADRENO_SAME_TYPES = 1 << 1,  /* only if result and source have the same type ... */
    ADRENO_OTHER_TYPES = 1 << 2, /* ... or different ones */
    ADRENO_IMMEDIATES = 1 << 3,  /* sources 1 and 3 may be immediates instead of constants */
    ADRENO_IMMEDIATE_3 = 1 << 4, /* only source 3 */
    ADRENO_SRC1 = 1 << 5,        /* category 5: one source ... */
    ADRENO_SRC2 = 1 << 6,        /* ... or two */
    ADRENO_SAMP = 1 << 7,        /* has a sampler, a texture, a type */
    ADRENO_TEX = 1 << 8,
    ADRENO_TYPE = 1 << 9,
    ADRENO_LOADS = 1 << 10, /* reads what others may write, or writes what others may read */
    ADRENO_STORES = 1 << 11,
    ADRENO_UPDATES = ADRENO_LOADS | ADRENO_STORES,
    ADRENO_LANES = 1 << 12, /* exchanges between fibres */
    ADRENO_ENDS = 1 << 13,  /* the last instruction of a block */
    ADRENO_BY_SS = 1 << 14, /* category 6: (ss) waits for the result, else (sy) */
};

/* The floats that sources of categories 2 to 4 name by number, as doubles: the hardware has the
 * nearest of each size. Their names are ADRENO_FLOAT_TABLE (isa/text/text.h). */
enum { ADRENO_TABLE_FLOATS = 12 };
extern const double adreno_table_floats[ADRENO_TABLE_FLOATS];

/* What an operation computes with. */
typedef enum adreno_op_type {
    ADRENO_T_N,
    ADRENO_T_F,
    ADRENO_T_U,
    ADRENO_T_S,
    ADRENO_T_B
} adreno_op_type;

/* The types of fields dtype, stype and type. */
typedef enum adreno_data_type {
    ADRENO_F16,
    ADRENO_F32,
    ADRENO_U16,
    ADRENO_U32,
    ADRENO_S16,
    ADRENO_S32,
    ADRENO_U8,
    ADRENO_U64 = ADRENO_U8, /* of atomics */
    ADRENO_U8_32            /* 8 bits in a whole register; category 5: a shadow comparison `.rck` */
} adreno_data_type;

typedef enum adreno_format {
#define FORMAT(name, ...) ADRENO_FMT_##name,
#include "adreno/isa/table/formats.def"
#undef FORMAT
    ADRENO_FORMAT_COUNT
} adreno_format;

typedef struct adreno_op_info {
    const char *name;
    uint16_t format, number, properties;
    uint8_t first, last; /* generations */
    uint8_t type;
} adreno_op_info;

/* Kinds of bits in a format. */
typedef enum adreno_bits_kind {
    ADRENO_BITS_FIELD,  /* value: the field */
    ADRENO_BITS_NUMBER, /* the next bits of the row's number */
    ADRENO_BITS_FIXED,  /* value: these bits */
    ADRENO_BITS_FREE    /* value: what is written */
} adreno_bits_kind;

enum { ADRENO_MAX_BITS = 32 };

typedef struct adreno_bits {
    uint8_t kind, low, width; /* width 0 ends the list */
    uint16_t value;
} adreno_bits;

typedef struct adreno_format_info {
    const char *name, *text;
    adreno_bits bits[ADRENO_MAX_BITS];
} adreno_format_info;

/* What an element of a text is. */
typedef enum adreno_element_kind {
    ADRENO_E_FLAG,   /* `text` if the field is 1 */
    ADRENO_E_NAMES,  /* the name of the value */
    ADRENO_E_NUMBER, /* the value plus `arg` */
    ADRENO_E_SIGNED, /* a signed offset with its sign; nothing if it is zero */
    ADRENO_E_POWER,  /* 2 << value */
    ADRENO_E_REG,    /* a register; `arg` says which size */
    ADRENO_E_REG_C,  /* a register, or a constant if field c1 is set */
    ADRENO_E_REG_N,  /* a register, or a number if the field `arg` is set */
    ADRENO_E_OWN     /* has its own functions */
} adreno_element_kind;

/* Which rule makes a register a half one. */
typedef enum adreno_size_rule {
    ADRENO_WHOLE,   /* never half */
    ADRENO_BY_SRC,  /* the sources' size: field `full`, or the row */
    ADRENO_BY_DST,  /* the other size with `conv` */
    ADRENO_BY_WDST, /* field `dst_full` */
    ADRENO_BY_TYPE, /* fields type, dtype, stype */
    ADRENO_BY_DTYPE,
    ADRENO_BY_STYPE,
    ADRENO_BY_TSIZE, /* field `tsize` */
    ADRENO_SIZE_RULES
} adreno_size_rule;

typedef enum adreno_element {
#define ELEMENT(name, kind, field, arg, text) ADRENO_E_##name,
#include "adreno/isa/table/elements.def"
#undef ELEMENT
    ADRENO_ELEMENT_COUNT
} adreno_element;

typedef struct adreno_element_info {
    const char *name;
    uint8_t kind, field, arg;
    const char *text; /* FLAG: the text; NAMES: the names, separated by spaces */
} adreno_element_info;

/* A part of a format's text: an element, or a character. */
typedef struct adreno_piece {
    uint8_t element; /* ADRENO_ELEMENT_COUNT: a character; 0 of it ends the text */
    char character;
} adreno_piece;

enum { ADRENO_MAX_PIECES = 72, ADRENO_CATEGORIES = 8 };

struct adreno_isa {
    unsigned gen;
    uint64_t mask[ADRENO_OP_COUNT], value[ADRENO_OP_COUNT]; /* the constant bits of the rows */
    uint16_t ops[ADRENO_OP_COUNT];                          /* the generation's rows by category */
    uint16_t first[ADRENO_CATEGORIES + 1];                  /* of a category in `ops` */
    adreno_piece pieces[ADRENO_FORMAT_COUNT][ADRENO_MAX_PIECES];
};

#define ADRENO_FOREACH_PIECE(p, t, op)                                                             \
    for (const adreno_piece *p = (t)->pieces[adreno_op_row(op)->format];                           \
         p->element < ADRENO_ELEMENT_COUNT || p->character; p++)

/* The constant bits of a row's words; adds their places to `mask`. */
uint64_t
adreno_constant_bits(adreno_op op, uint64_t *mask);

/* The row of an opcode. */
const adreno_op_info *
adreno_op_row(adreno_op op);

const adreno_format_info *
adreno_format_row(adreno_format format);

const adreno_element_info *
adreno_element_row(adreno_element element);

static inline bool
adreno_op_exists(adreno_op op, unsigned gen)
{
    const adreno_op_info *row = adreno_op_row(op);
    return gen >= row->first && gen <= row->last;
}

static inline const adreno_format_info *
adreno_format_of(adreno_op op)
{
    return adreno_format_row((adreno_format)adreno_op_row(op)->format);
}

/* The category of a row, which its format has: formats stand in the order of categories. */
static inline unsigned
adreno_category_of(adreno_op op)
{
    static const uint16_t first[] = {ADRENO_FMT_CAT1_MOVA, ADRENO_FMT_CAT2_1, ADRENO_FMT_CAT3,
                                     ADRENO_FMT_CAT4,      ADRENO_FMT_CAT5,   ADRENO_FMT_CAT6_LDG,
                                     ADRENO_FMT_CAT7_BAR};
    const unsigned format = adreno_op_row(op)->format;
    unsigned category = 0;
    while (category < 7 && format >= first[category])
        category++;
    return category;
}

/* The width of a field in a format; 0 if the format does not have it. */
unsigned
adreno_field_width(const adreno_format_info *format, adreno_field field);

/* Name number `index` of a list of names separated by spaces: its start and size. "-" stands for
 * an empty name. Returns false if there are fewer, or if the number has no name, which "?" says. */
bool
adreno_get_name(const char *list, unsigned index, const char **name, size_t *size);

/* A value of category 1 to 7 is in a half register. */
static inline bool
adreno_is_half_type(unsigned type)
{
    return type == ADRENO_F16 || type == ADRENO_U16 || type == ADRENO_S16 || type == ADRENO_U8;
}

/* Registers that a number of an atomic's type takes. */
static inline unsigned
adreno_atomic_words(unsigned type)
{
    return type == ADRENO_U64 ? 2 : 1;
}

/* Whether the rule makes a register of the instruction a half one. */
bool
adreno_is_half(const adreno_inst *in, adreno_size_rule rule);

/* ---- sources ---- */

/* What a source is: the sources of categories 1 to 4 encode it in their bits. */
typedef enum adreno_source_kind {
    ADRENO_S_NONE, /* bits that mean nothing */
    ADRENO_S_REG,
    ADRENO_S_CONST,
    ADRENO_S_REG_REL, /* relative to a0.x: `value` is the signed offset */
    ADRENO_S_CONST_REL,
    ADRENO_S_NUMBER, /* an integer */
    ADRENO_S_TABLE,  /* entry `value` of the table of floats */
    ADRENO_S_FLOAT   /* a pattern of 16 or 32 bits */
} adreno_source_kind;

typedef struct adreno_source {
    adreno_source_kind kind;
    int64_t value;
    bool last;      /* the last use of the register */
    bool own_half;  /* TABLE: half by bits of its own, not by the instruction */
    uint8_t absneg; /* categories 2 and 4: 1 negated, 2 absolute, 3 both */
    bool extra;     /* bits are set that mean nothing */
} adreno_source;

/* A source of categories 2 and 4 (16 bits). */
adreno_source
adreno_read_source(uint32_t bits);
/* Returns false if it cannot be encoded. */
bool
adreno_write_source(const adreno_source *s, uint32_t *bits);

/* Source 1 or 3 of category 3 (13 bits). */
adreno_source
adreno_read_source3(const adreno_isa *t, adreno_op op, bool third, uint32_t bits);
bool
adreno_write_source3(const adreno_isa *t, adreno_op op, bool third, const adreno_source *s,
                     uint32_t *bits);

/* The source of a move or of an alias, in 32 bits with its kind beside it. */
adreno_source
adreno_read_move(const adreno_inst *in);
bool
adreno_write_move(const adreno_source *s, adreno_inst *in);

/* ---- chips ---- */

typedef struct adreno_chip {
    const char *name; /* "a660" */
    uint8_t gen, sub; /* the generation and its sub-generation: chips.def */
    const char *const *names;
} adreno_chip;

extern const adreno_chip adreno_chips[];
extern const uint32_t adreno_chip_count;

#endif
