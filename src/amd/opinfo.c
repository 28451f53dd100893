#include "amd/amd.h"

/* Inline float constants in the order of their codes (RDNA 2 ISA, "Scalar operands": 240 to 248),
 * by operand size. */
static const uint32_t inline_f32[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                      0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
static const uint16_t inline_f16[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                      0xc000, 0x4400, 0xc400, 0x3118};

unsigned
amd_const_code(ir_ref constant, unsigned bits)
{
    int32_t v = bits == 16 ? (int16_t)constant.id : (int32_t)constant.id;
    if (v >= 0 && v <= 64)
        return AMD_SRC_INT_0 + (unsigned)v;
    if (v >= -16 && v < 0)
        return AMD_SRC_INT_NEG1 - 1u + (unsigned)-v;
    for (unsigned i = 0; i < sizeof inline_f32 / sizeof *inline_f32; i++) {
        if (bits == 16 && inline_f16[i] == (constant.id & 0xffff))
            return AMD_SRC_F_0_5 + i;
        if (bits == 32 && inline_f32[i] == constant.id)
            return AMD_SRC_F_0_5 + i;
    }
    return AMD_SRC_LITERAL;
}
