/* Conversions between formats that need no binary16 result (valu_f16.c has those). */
#include "amd/emu/alu/valu_rows.h"
#include "amd/emu/num/narrow.h"

/* Converts to a normalised integer: scaled, rounded to nearest even, symmetric for signed ones (-1
 * is -32767, as on hardware). */
static uint32_t
snorm16(float f)
{
    double v = f != f ? 0 : f > 1 ? 1 : f < -1 ? -1 : (double)f;
    return (uint32_t)(int32_t)nearbyint(v * 32767.0) & 0xffff;
}

static uint32_t
unorm16(float f)
{
    double v = !(f > 0) ? 0 : f > 1 ? 1 : (double)f;
    return (uint32_t)nearbyint(v * 65535.0);
}

static uint32_t
pack_u8(float f, uint32_t byte, uint32_t into)
{
    uint32_t shift = (byte & 3) * 8;
    uint32_t v = !(f > 0) ? 0 : f >= 255 ? 255 : (uint32_t)nearbyintf(f);
    return (into & ~(UINT32_C(255) << shift)) | v << shift;
}

static uint32_t
pkrtz(float a, float b)
{
    return amd_emu_to_half((double)a, EMU_RTZ) | amd_emu_to_half((double)b, EMU_RTZ) << 16;
}

static float
off_i4(uint32_t a)
{
    return (float)((int32_t)(a << 28) >> 28) * 0.0625f;
}

/* Converts to 16 bits: towards zero, saturating. */
static uint32_t
i16_of(float f)
{
    return (uint32_t)amd_emu_clamp_i(amd_emu_to_i32((double)f), INT16_MIN, INT16_MAX) & 0xffff;
}

static uint32_t
u16_of(float f)
{
    uint32_t u = amd_emu_to_u32((double)f);
    return u > 0xffff ? 0xffff : u;
}

/* Exact. If clang 19 knows that a value is not negative, it converts it with a subtraction, which
 * gives -0 for 0 when rounding downwards; it does not know that here. */
static double
exact_u32(uint32_t u)
{
    return (double)(int32_t)u + (u >> 31 ? 4294967296.0 : 0.0);
}

/* v_cvt_pk_f16_f32, v_cvt_pk_bf16_f32: to nearest whatever MODE says; clamp is to [0, 1]. */
static uint32_t
pack_nearest(const emu_args *k, emu_narrow format, float a, float b)
{
    emu_rounding how = {false, false, 0};
    if (k->in->clamp) {
        a = a > 0 ? a < 1 ? a : 1 : 0;
        b = b > 0 ? b < 1 ? b : 1 : 0;
    }
    return amd_emu_to_narrow(format, a, how) | amd_emu_to_narrow(format, b, how) << 16;
}

static uint32_t
by_seed(emu_narrow format, float a, uint32_t seed)
{
    return amd_emu_to_narrow(format, a, (emu_rounding){true, false, seed});
}

#define NONE 0
#define RNE  EMU_VALU_RNE

#define ROWS(R1, R2, R3)                                                                           \
    R1(V_CVT_I32_F64, RNE, I32, F64, amd_emu_to_i32(a))                                            \
    R1(V_CVT_U32_F64, RNE, U32, F64, amd_emu_to_u32(a))                                            \
    R1(V_CVT_F64_I32, NONE, F64, I32, a)                                                           \
    R1(V_CVT_F64_U32, NONE, F64, U32, exact_u32(a))                                                \
    R1(V_CVT_F32_I32, NONE, F32, I32, a)                                                           \
    R1(V_CVT_F32_U32, NONE, F32, U32, (float)exact_u32(a))                                         \
    R1(V_CVT_U32_F32, RNE, U32, F32, amd_emu_to_u32((double)a))                                    \
    R1(V_CVT_I32_F32, RNE, I32, F32, amd_emu_to_i32((double)a))                                    \
    R1(V_CVT_RPI_I32_F32, RNE, I32, F32, amd_emu_to_i32(floor((double)a + 0.5)))                   \
    R1(V_CVT_FLR_I32_F32, RNE, I32, F32, amd_emu_to_i32(floor((double)a)))                         \
    R1(V_CVT_OFF_F32_I4, NONE, F32, U32, off_i4(a))                                                \
    R1(V_CVT_F32_F64, NONE, F32, F64, a)                                                           \
    R1(V_CVT_F64_F32, NONE, F64, F32, a)                                                           \
    R1(V_CVT_F32_UBYTE0, NONE, F32, U32, (int32_t)(a & 255))                                       \
    R1(V_CVT_F32_UBYTE1, NONE, F32, U32, (int32_t)(a >> 8 & 255))                                  \
    R1(V_CVT_F32_UBYTE2, NONE, F32, U32, (int32_t)(a >> 16 & 255))                                 \
    R1(V_CVT_F32_UBYTE3, NONE, F32, U32, (int32_t)(a >> 24))                                       \
    R1(V_CVT_NORM_I16_F16, RNE, U16, F16, snorm16(a))                                              \
    R1(V_CVT_NORM_U16_F16, RNE, U16, F16, unorm16(a))                                              \
    R2(V_CVT_PKNORM_I16_F16, RNE, V2, F16, F16, snorm16(a) | snorm16(b) << 16)                     \
    R2(V_CVT_PKNORM_U16_F16, RNE, V2, F16, F16, unorm16(a) | unorm16(b) << 16)                     \
    R2(V_CVT_PKNORM_I16_F32, RNE, V2, F32, F32, snorm16(a) | snorm16(b) << 16)                     \
    R2(V_CVT_PKNORM_U16_F32, RNE, V2, F32, F32, unorm16(a) | unorm16(b) << 16)                     \
    R2(V_CVT_PK_U16_U32, NONE, V2, U32, U32,                                                       \
       (a > 0xffff ? 0xffff : a) | (b > 0xffff ? 0xffff : b) << 16)                                \
    R2(V_CVT_PK_I16_I32, NONE, V2, I32, I32,                                                       \
       ((uint32_t)amd_emu_clamp_i(a, INT16_MIN, INT16_MAX) & 0xffff) |                             \
           (uint32_t)amd_emu_clamp_i(b, INT16_MIN, INT16_MAX) << 16)                               \
    R2(V_CVT_PKRTZ_F16_F32, RNE, V2, F32, F32, pkrtz(a, b))                                        \
    R2(V_CVT_PK_I16_F32, RNE, V2, F32, F32, i16_of(a) | i16_of(b) << 16)                           \
    R2(V_CVT_PK_U16_F32, RNE, V2, F32, F32, u16_of(a) | u16_of(b) << 16)                           \
    R1(V_CVT_F32_BF16, NONE, F32, B16, base_bits_f32(a << 16))                                     \
    R2(V_CVT_PK_F16_F32, RNE, V2, F32, F32, pack_nearest(k, EMU_HALF, a, b))                       \
    R2(V_CVT_PK_BF16_F32, RNE, V2, F32, F32, pack_nearest(k, EMU_BRAIN, a, b))                     \
    R2(V_CVT_SR_F16_F32, RNE, U16, F32, U32, by_seed(EMU_HALF, a, b))                              \
    R2(V_CVT_SR_BF16_F32, RNE, U16, F32, U32, by_seed(EMU_BRAIN, a, b))                            \
    R3(V_CVT_PK_U8_F32, RNE, U32, F32, U32, U32, pack_u8(a, b, c))                                 \
    R3(V_CVT_PKACCUM_U8_F32, RNE | EMU_VALU_ACC, U32, F32, U32, U32, pack_u8(a, b, c))

ROWS(EMU_ROW_KERNEL1, EMU_ROW_KERNEL2, EMU_ROW_KERNEL3)

const emu_valu_entry amd_emu_valu_cvt_rows[] = {
    /* clang-format off */
    ROWS(EMU_ROW_ENTRY1, EMU_ROW_ENTRY2, EMU_ROW_ENTRY3)
    /* clang-format on */
};
const size_t amd_emu_valu_cvt_count = sizeof amd_emu_valu_cvt_rows / sizeof *amd_emu_valu_cvt_rows;
