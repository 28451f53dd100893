/* The rule for source operands: the bits that an operand of each type gets from each form of a
 * source.
 *
 * A word is 64 bits as in a register pair; an operand of 32 bits or less takes the low dword, from
 * which op_sel, SDWA and packed operations select halves and bytes as from any register.
 *
 * Sources: LLVM, AMDGPUOperandSyntax ("Type and size conversion": literals), and
 * getInlineEncodingV216 and its neighbours in AMDGPUBaseInfo.cpp (inline constants of 16 bits, one
 * or two: "integers are dwords extended with their sign; floats of binary16 operations have 0 in
 * the high half, of integer operations they are binary32"); the ISA guides' tables of source
 * operands.
 */
#ifndef SOURCE_RULE_H
#define SOURCE_RULE_H

#include "amd/isa/table/table.h"

typedef enum rule_int {
    RULE_INT32,    /* the dword, sign-extended */
    RULE_INT64,    /* sign-extended to two dwords */
    RULE_INT_TWICE /* the dword in both halves */
} rule_int;

typedef enum rule_float {
    RULE_F16,  /* binary16 in the low half, 0 in the high half */
    RULE_BF16, /* the same for bfloat16 */
    RULE_F32,  /* binary32 */
    RULE_F64,  /* binary64 */
    RULE_F32_TWICE,
} rule_float;

typedef enum rule_literal {
    RULE_DWORD,     /* unchanged */
    RULE_ZEROS,     /* zeros above it */
    RULE_SIGN,      /* its sign above it */
    RULE_HIGH,      /* zeros below it */
    RULE_NO_LITERAL /* no encoding has a literal */
} rule_literal;

typedef struct source_rule {
    uint16_t type; /* amd_type */
    uint8_t ints, floats, literals;
} source_rule;

static const source_rule source_rules[] = {
    {AMD_T_B16, RULE_INT32, RULE_F32, RULE_DWORD},
    {AMD_T_U16, RULE_INT32, RULE_F32, RULE_DWORD},
    {AMD_T_I16, RULE_INT32, RULE_F32, RULE_DWORD},
    {AMD_T_F16, RULE_INT32, RULE_F16, RULE_DWORD},
    {AMD_T_BF16, RULE_INT32, RULE_BF16, RULE_DWORD},
    {AMD_T_V2U16, RULE_INT32, RULE_F32, RULE_DWORD},
    {AMD_T_V2I16, RULE_INT32, RULE_F32, RULE_DWORD},
    {AMD_T_V2F16, RULE_INT32, RULE_F16, RULE_DWORD},
    {AMD_T_V2BF16, RULE_INT32, RULE_BF16, RULE_DWORD},
    {AMD_T_B32, RULE_INT32, RULE_F32, RULE_DWORD},
    {AMD_T_U32, RULE_INT32, RULE_F32, RULE_DWORD},
    {AMD_T_I32, RULE_INT32, RULE_F32, RULE_DWORD},
    {AMD_T_F32, RULE_INT32, RULE_F32, RULE_DWORD},
    {AMD_T_B64, RULE_INT64, RULE_F64, RULE_ZEROS},
    {AMD_T_U64, RULE_INT64, RULE_F64, RULE_ZEROS},
    {AMD_T_I64, RULE_INT64, RULE_F64, RULE_SIGN},
    {AMD_T_F64, RULE_INT64, RULE_F64, RULE_HIGH},
    {AMD_T_V2F32, RULE_INT_TWICE, RULE_F32_TWICE, RULE_NO_LITERAL},
};

/* Operands whose type in ops.def is wider than their value. */
typedef struct source_exception {
    uint16_t op, type, as;
} source_exception;

static const source_exception source_exceptions[] = {
    {AMD_V_DOT2_F32_BF16, AMD_T_B32, AMD_T_V2BF16},
    {AMD_V_DOT2_BF16_BF16, AMD_T_V2F16, AMD_T_V2BF16},
    {AMD_V_DOT2_BF16_BF16, AMD_T_F16, AMD_T_BF16},
    {AMD_V_PK_MOV_B32, AMD_T_B64, AMD_T_V2F32},
};

/* The rule of an operand; NULL if it has none: masks, matrices, operands that must be registers,
 * and unclear cases. (A constant as a half of a mixed operation is not documented; the exponent of
 * v_ldexp_f16 is i16 in the guides but binary16 in LLVM.) */
static inline const source_rule *
source_rule_of(const amd_op_info *row, unsigned op, unsigned type)
{
    if (row->flags & AMD_F_MIX || (op == AMD_V_LDEXP_F16 && type != AMD_T_F16))
        return NULL;
    for (size_t k = 0; k < sizeof source_exceptions / sizeof *source_exceptions; k++)
        if (source_exceptions[k].op == op && source_exceptions[k].type == type)
            type = source_exceptions[k].as;
    for (size_t k = 0; k < sizeof source_rules / sizeof *source_rules; k++)
        if (source_rules[k].type == type)
            return &source_rules[k];
    return NULL;
}

/* The word of inline constant `code`, 128 to 208 or 240 to 248. */
static inline uint64_t
source_rule_constant(const source_rule *r, unsigned code)
{
    static const uint32_t f16[9] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                    0xc000, 0x4400, 0xc400, 0x3118};
    static const uint32_t f32[9] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                    0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
    static const uint32_t f64_high[9] = {0x3fe00000, 0xbfe00000, 0x3ff00000, 0xbff00000, 0x40000000,
                                         0xc0000000, 0x40100000, 0xc0100000, 0x3fc45f30};
    if (code <= 208) {
        int64_t n = code <= 192 ? (int64_t)code - 128 : 192 - (int64_t)code;
        uint64_t low = (uint64_t)n & UINT32_MAX;
        return r->ints == RULE_INT64 ? (uint64_t)n : r->ints == RULE_INT32 ? low : low << 32 | low;
    }
    unsigned k = code - 240;
    switch (r->floats) {
    case RULE_F16: return f16[k];
    case RULE_BF16: return f32[k] >> 16;
    case RULE_F32: return f32[k];
    case RULE_F64: return (uint64_t)f64_high[k] << 32 | (k == 8 ? 0x6dc9c882 : 0);
    default: return (uint64_t)f32[k] << 32 | f32[k];
    }
}

static inline uint64_t
source_rule_literal(const source_rule *r, uint32_t literal)
{
    switch (r->literals) {
    case RULE_SIGN: return (uint64_t)(int64_t)(int32_t)literal;
    case RULE_HIGH: return (uint64_t)literal << 32;
    default: return literal;
    }
}

#endif
