/* What the printer and the assembler both know of texts. */
#ifndef ADRENO_ISA_TEXT_TEXT_H
#define ADRENO_ISA_TEXT_TEXT_H

#include "adreno/isa/table/table.h"

/* Registers behind the general ones, in the numbers of vec4. */
enum { ADRENO_REG_A0 = 61, ADRENO_REG_P0 = 62 };

/* The table of floats that a source may name. */
#define ADRENO_FLOAT_TABLE "0.0 0.5 1.0 2.0 e pi 1/pi 1/log2(e) log2(e) 1/log2(10) log2(10) 4.0"

/* Field mode of category 5: where sampler and texture come from. a1: the sampler's base is in
 * a1.x. */
typedef enum adreno_desc_mode {
    ADRENO_DESC_UNIFORM,
    ADRENO_DESC_BINDLESS_A1_UNIFORM,
    ADRENO_DESC_BINDLESS_NONUNIFORM,
    ADRENO_DESC_BINDLESS_A1_NONUNIFORM,
    ADRENO_DESC_NONUNIFORM,
    ADRENO_DESC_BINDLESS_UNIFORM,
    ADRENO_DESC_BINDLESS_IMM,
    ADRENO_DESC_BINDLESS_A1_IMM
} adreno_desc_mode;

static inline bool
adreno_is_indirect(unsigned mode)
{
    return mode < ADRENO_DESC_BINDLESS_IMM;
}

static inline bool
adreno_is_bindless(unsigned mode)
{
    return mode != ADRENO_DESC_UNIFORM && mode != ADRENO_DESC_NONUNIFORM;
}

static inline bool
adreno_uses_a1(unsigned mode)
{
    return mode == ADRENO_DESC_BINDLESS_A1_UNIFORM || mode == ADRENO_DESC_BINDLESS_A1_NONUNIFORM ||
           mode == ADRENO_DESC_BINDLESS_A1_IMM;
}

static inline bool
adreno_is_uniform(unsigned mode)
{
    return mode == ADRENO_DESC_UNIFORM || mode == ADRENO_DESC_BINDLESS_A1_UNIFORM ||
           mode == ADRENO_DESC_BINDLESS_UNIFORM;
}

static inline bool
adreno_is_nonuniform(unsigned mode)
{
    return mode == ADRENO_DESC_BINDLESS_NONUNIFORM || mode == ADRENO_DESC_BINDLESS_A1_NONUNIFORM ||
           mode == ADRENO_DESC_NONUNIFORM;
}

/* The shift that a type's size gives to an address. */
static inline unsigned
adreno_type_shift(unsigned type)
{
    return type >= ADRENO_U8 ? 0 : adreno_is_half_type(type) ? 1 : 2;
}

#endif
