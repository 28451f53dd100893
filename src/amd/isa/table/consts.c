/* Inline constants (RDNA 2 ISA, table "Scalar and vector operands": 128 to 208 and 240 to 248). */
#include "amd/isa/table/consts.h"
#include "base/bits.h"

/* 0.5 -0.5 1 -1 2 -2 4 -4 1/(2 pi). */
static const uint16_t floats16[9] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                     0xc000, 0x4400, 0xc400, 0x3118};
static const uint32_t floats32[9] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                     0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
static const uint64_t floats64[9] = {
    UINT64_C(0x3fe0000000000000), UINT64_C(0xbfe0000000000000), UINT64_C(0x3ff0000000000000),
    UINT64_C(0xbff0000000000000), UINT64_C(0x4000000000000000), UINT64_C(0xc000000000000000),
    UINT64_C(0x4010000000000000), UINT64_C(0xc010000000000000), UINT64_C(0x3fc45f306dc9c882)};

/* The type of bfloat16 operands: 16-bit sources and pairs, and a matrix of 16-bit results. */
static amd_type
bfloat_type(amd_type t)
{
    switch (t) {
    case AMD_T_F16:
    case AMD_T_MF128: return AMD_T_BF16;
    case AMD_T_V2F16:
    case AMD_T_B32: return AMD_T_V2BF16;
    default: return t;
    }
}

amd_type
amd_constant_type(const amd_op_info *row, const amd_operand *o)
{
    if (row == amd_op_row(AMD_V_DOT2_BF16_BF16) || row == amd_op_row(AMD_V_DOT2_F32_BF16) ||
        row == amd_op_row(AMD_V_WMMA_BF16_16X16X16_BF16))
        return bfloat_type((amd_type)o->type);
    if (amd_type_is_matrix((amd_type)o->type))
        return o->type == AMD_T_MF128                              ? AMD_T_F16
               : amd_type_class((amd_type)o->type) == AMD_CLASS_MF ? AMD_T_F32
                                                                   : AMD_T_I32;
    if (amd_type_class((amd_type)o->type) == AMD_CLASS_ACC)
        return AMD_T_F32;
    if (row == amd_op_row(AMD_V_PK_MOV_B32) && o->role == AMD_ROLE_SRC)
        return AMD_T_V2F32; /* two values of 32 bits each */
    if (amd_type_class((amd_type)o->type) == AMD_CLASS_ACCD)
        return AMD_T_F64;
    bool half = row->flags & AMD_F_MIX || row == amd_op_row(AMD_V_LDEXP_F16);
    return half && o->role == AMD_ROLE_SRC ? AMD_T_F16 : (amd_type)o->type;
}

uint64_t
amd_float_constant(unsigned code, amd_type t)
{
    unsigned i = code - AMD_SRC_F_0_5, bits = amd_type_bits(t, false);
    if (amd_type_class(t) == AMD_CLASS_BF)
        return floats32[i] >> 16;
    if (amd_type_class(t) == AMD_CLASS_V2F)
        bits /= 2;
    return bits == 16 ? floats16[i] : bits == 64 ? floats64[i] : floats32[i];
}

unsigned
amd_inline_constant(amd_type t, uint64_t value)
{
    unsigned bits = amd_type_bits(t, false);
    bits = bits < 64 ? (bits < 32 ? 16 : 32) : 64;
    int64_t number = base_sext64(value, bits);
    value &= base_mask64(bits);
    if (number >= 0 && number <= 64)
        return AMD_SRC_INT_0 + (unsigned)number;
    if (number < 0 && number >= -16)
        return AMD_SRC_INT_NEG1 - 1 + (unsigned)-number;
    if (bits == 16 && amd_type_class(t) != AMD_CLASS_F && t != AMD_T_BF16)
        return AMD_SRC_LITERAL;
    for (unsigned code = AMD_SRC_F_0_5; code <= AMD_SRC_F_INV_2PI; code++) {
        if (amd_float_constant(code, t) == value)
            return code;
    }
    return AMD_SRC_LITERAL;
}
