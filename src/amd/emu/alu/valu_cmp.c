/* Comparisons: V_CMP writes a wave mask, V_CMPX writes exec, with the same kernels. V_CMPS and
 * V_CMPSX of gfx6 and gfx7 also signal NaNs, which has no effect here: there are no exceptions.
 */
#include "amd/emu/alu/valu_rows.h"

/* V_CMP_CLASS: the bit of S1 that selects the class of `f`. */
static uint32_t
class_bit(bool negative, bool zero, bool denormal, bool infinite, bool nan, bool quiet)
{
    if (nan)
        return quiet ? 1 : 0;
    if (infinite)
        return negative ? 2 : 9;
    if (zero)
        return negative ? 5 : 6;
    if (denormal)
        return negative ? 4 : 7;
    return negative ? 3 : 8;
}

static uint32_t
class32(uint32_t u, uint32_t want)
{
    uint32_t a = u & 0x7fffffff;
    return want >> class_bit(u >> 31, a == 0, a<0x800000, a == 0x7f800000, a> 0x7f800000,
                             a & 0x400000) &
           1;
}

static uint32_t
class16(uint32_t u, uint32_t want)
{
    uint32_t a = u & 0x7fff;
    return want >> class_bit(u >> 15 & 1, a == 0, a<0x400, a == 0x7c00, a> 0x7c00, a & 0x200) & 1;
}

static uint32_t
class64(uint64_t u, uint32_t want)
{
    uint64_t a = u & INT64_MAX, inf = UINT64_C(0x7ff0000000000000);
    return want >> class_bit(u >> 63, a == 0, a<UINT64_C(1) << 52, a == inf, a> inf, a >> 51 & 1) &
           1;
}

/* Float comparisons of type T, with the ISA's names. `lg` means ordered and different. */
#define FLOAT_ROWS(R, T)                                                                           \
    R(F, T, (void)a, (void)b, 0)                                                                   \
    R(LT, T, a < b)                                                                                \
    R(EQ, T, a == b)                                                                               \
    R(LE, T, a <= b)                                                                               \
    R(GT, T, a > b)                                                                                \
    R(LG, T, a<b || a> b)                                                                          \
    R(GE, T, a >= b)                                                                               \
    R(O, T, a == a && b == b)                                                                      \
    R(U, T, a != a || b != b)                                                                      \
    R(NGE, T, !(a >= b))                                                                           \
    R(NLG, T, !(a < b || a > b))                                                                   \
    R(NGT, T, !(a > b))                                                                            \
    R(NLE, T, !(a <= b))                                                                           \
    R(NEQ, T, !(a == b))                                                                           \
    R(NLT, T, !(a < b))                                                                            \
    R(TRU, T, (void)a, (void)b, 1)

/* Integer comparisons that exist in all widths, and the two that 16 bits lack. */
#define INT_ROWS(R, T)                                                                             \
    R(LT, T, a < b)                                                                                \
    R(EQ, T, a == b)                                                                               \
    R(LE, T, a <= b)                                                                               \
    R(GT, T, a > b)                                                                                \
    R(NE, T, a != b)                                                                               \
    R(GE, T, a >= b)
#define CONST_ROWS(R, type)                                                                        \
    R(F, type, (void)a, (void)b, 0)                                                                \
    R(T, type, (void)a, (void)b, 1)

#define ALL_ROWS(R)                                                                                \
    FLOAT_ROWS(R, F32)                                                                             \
    FLOAT_ROWS(R, F64)                                                                             \
    FLOAT_ROWS(R, F16)                                                                             \
    INT_ROWS(R, I32)                                                                               \
    INT_ROWS(R, U32)                                                                               \
    INT_ROWS(R, I64)                                                                               \
    INT_ROWS(R, U64)                                                                               \
    INT_ROWS(R, I16)                                                                               \
    INT_ROWS(R, U16)                                                                               \
    CONST_ROWS(R, I16)                                                                             \
    CONST_ROWS(R, U16)                                                                             \
    CONST_ROWS(R, I32)                                                                             \
    CONST_ROWS(R, U32)                                                                             \
    CONST_ROWS(R, I64)                                                                             \
    CONST_ROWS(R, U64)

#define KERNEL(name, T, ...) EMU_KERNEL_CMP(kernel_##name##_##T, T, T, (__VA_ARGS__))
ALL_ROWS(KERNEL)
EMU_KERNEL_CMP(kernel_CLASS_F32, U32, U32, class32(a, b))
EMU_KERNEL_CMP(kernel_CLASS_F16, H16, U16, class16(a, b))
EMU_KERNEL_CMP(kernel_CLASS_F64, U64, U32, class64(a, b))

#define ENTRY2(op, kernel, flags, ta, tb)                                                          \
    {AMD_##op, {kernel, NULL, (flags) | EMU_VALU_CMP, EMU_T_MASK, {EMU_T_##ta, EMU_T_##tb}}},
#define ENTRY(name, T, ...)                                                                        \
    ENTRY2(V_CMP_##name##_##T, kernel_##name##_##T, 0, T, T)                                       \
    ENTRY2(V_CMPX_##name##_##T, kernel_##name##_##T, 0, T, T)

#define SIGNAL(name, T, ...)                                                                       \
    ENTRY2(V_CMPS_##name##_##T, kernel_##name##_##T, 0, T, T)                                      \
    ENTRY2(V_CMPSX_##name##_##T, kernel_##name##_##T, 0, T, T)

const emu_valu_entry amd_emu_valu_cmp_rows[] = {
    /* clang-format off */
    ALL_ROWS(ENTRY)
    FLOAT_ROWS(SIGNAL, F32)
    FLOAT_ROWS(SIGNAL, F64)
    ENTRY2(V_CMP_CLASS_F32, kernel_CLASS_F32, EMU_VALU_RAW, F32, U32)
    ENTRY2(V_CMPX_CLASS_F32, kernel_CLASS_F32, EMU_VALU_RAW, F32, U32)
    ENTRY2(V_CMP_CLASS_F16, kernel_CLASS_F16, EMU_VALU_RAW, H16, U16)
    ENTRY2(V_CMPX_CLASS_F16, kernel_CLASS_F16, EMU_VALU_RAW, H16, U16)
    ENTRY2(V_CMP_CLASS_F64, kernel_CLASS_F64, EMU_VALU_RAW, F64, U32)
    ENTRY2(V_CMPX_CLASS_F64, kernel_CLASS_F64, EMU_VALU_RAW, F64, U32)
    /* clang-format on */
};
const size_t amd_emu_valu_cmp_count = sizeof amd_emu_valu_cmp_rows / sizeof *amd_emu_valu_cmp_rows;
