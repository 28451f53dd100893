/* Vector ALU operations as table rows.
 *
 * A row names the opcode, the types of its result and sources, and an expression in `a`, `b`, `c`
 * (typed values of one lane), `l` (the lane) and `k` (the other arguments). The row becomes a
 * kernel: a loop over the lanes from arrays to an array, which the host's compiler vectorises.
 * valu.c implements everything around it (operands, SDWA, DPP, modifiers, flushing, exec, clamp)
 * once for all rows.
 *
 * Arrays hold one dword per lane; 16-bit values are in the low half (the upper half of a source is
 * undefined); 64-bit types use arrays of uint64_t. Masks are arrays of 0 and 1.
 */
#ifndef AMD_EMU_VALU_ROW_H
#define AMD_EMU_VALU_ROW_H

#include "amd/emu/core/inst.h"
#include "amd/emu/num/float.h"

typedef enum emu_type {
    EMU_T_NONE,
    EMU_T_U32,
    EMU_T_I32,
    EMU_T_F32,
    EMU_T_U16,
    EMU_T_I16,
    EMU_T_F16,
    EMU_T_H16, /* binary16 as bits, for operations on the encoding */
    EMU_T_U64,
    EMU_T_I64,
    EMU_T_F64,
    EMU_T_MASK, /* a wave mask, expanded to one value per lane */
    EMU_T_V2,   /* two 16-bit values, as bits */
    EMU_T_B16,  /* bfloat16 as bits */
    EMU_T_VB,   /* two bfloat16 values */
} emu_type;

typedef struct emu_args {
    uint32_t n; /* lanes: 32 or 64 */
    uint32_t mode;
    const void *a, *b, *c;
    const uint32_t *vcc; /* with EMU_VALU_VCC: vcc, expanded */
    void *d;
    uint32_t *mask; /* second result, 0 or 1 per lane; for comparisons the result */
    uint32_t nans;  /* the NaN rule of minima and maxima (minmax.h) */
    const amd_inst *in;
    amd_gen gen;
} emu_args;

typedef void
emu_kernel(const emu_args *k);

enum {
    EMU_VALU_ACC = 1,      /* the last source is the destination register */
    EMU_VALU_MASK_OUT = 2, /* `mask` goes to dst[1] */
    EMU_VALU_CMP = 4,      /* `mask` goes to dst[0] (or exec) */
    EMU_VALU_VCC = 8,      /* reads vcc in addition to its sources */
    EMU_VALU_RAW = 16,     /* does not flush denormals */
    EMU_VALU_RNE = 32,     /* rounds to nearest regardless of the mode */
    EMU_VALU_FLUSH = 64,   /* flushes denormals regardless of the mode */
    EMU_VALU_CHOICE = 128, /* a minimum or similar: nothing is flushed before gfx9 */
    EMU_VALU_KEEP = 256,   /* keeps the other half of the destination on gfx9 too */
};

typedef struct emu_valu {
    emu_kernel *fn;
    emu_kernel *sat; /* kernel for integers with the clamp bit; NULL: clamp has no effect or
                        clamps to [0, 1] */
    uint16_t flags;
    uint8_t dst;    /* emu_type */
    uint8_t src[3]; /* emu_type */
} emu_valu;

/* Does a value of the type occupy two registers, or half of one? */
static inline bool
amd_emu_type_is_wide(uint32_t t)
{
    return t == EMU_T_U64 || t == EMU_T_I64 || t == EMU_T_F64;
}

static inline bool
amd_emu_type_is_half(uint32_t t)
{
    return t == EMU_T_U16 || t == EMU_T_I16 || t == EMU_T_F16 || t == EMU_T_H16 || t == EMU_T_B16;
}

/* How a type is loaded from lane l of an array, stored, and represented. */
#define EMU_C_U32  uint32_t
#define EMU_C_I32  int32_t
#define EMU_C_F32  float
#define EMU_C_U16  uint32_t
#define EMU_C_I16  int32_t
#define EMU_C_F16  float
#define EMU_C_H16  uint32_t
#define EMU_C_U64  uint64_t
#define EMU_C_I64  int64_t
#define EMU_C_F64  double
#define EMU_C_MASK uint32_t
#define EMU_C_V2   uint32_t
#define EMU_C_B16  uint32_t
#define EMU_C_VB   uint32_t

#define EMU_A_U32  uint32_t
#define EMU_A_I32  uint32_t
#define EMU_A_F32  uint32_t
#define EMU_A_U16  uint32_t
#define EMU_A_I16  uint32_t
#define EMU_A_F16  uint32_t
#define EMU_A_H16  uint32_t
#define EMU_A_U64  uint64_t
#define EMU_A_I64  uint64_t
#define EMU_A_F64  uint64_t
#define EMU_A_MASK uint32_t
#define EMU_A_V2   uint32_t
#define EMU_A_B16  uint32_t
#define EMU_A_VB   uint32_t

#define EMU_L_U32(x)  (x)
#define EMU_L_I32(x)  ((int32_t)(x))
#define EMU_L_F32(x)  base_bits_f32(x)
#define EMU_L_U16(x)  ((x)&0xffffu)
#define EMU_L_I16(x)  ((int32_t)((x) << 16) >> 16)
#define EMU_L_F16(x)  amd_emu_from_half(x)
#define EMU_L_H16(x)  ((x)&0xffffu)
#define EMU_L_U64(x)  (x)
#define EMU_L_I64(x)  ((int64_t)(x))
#define EMU_L_F64(x)  base_bits_f64(x)
#define EMU_L_MASK(x) (x)
#define EMU_L_V2(x)   (x)
#define EMU_L_B16(x)  ((x)&0xffffu)
#define EMU_L_VB(x)   (x)

#define EMU_S_U32(x) (x)
#define EMU_S_I32(x) ((uint32_t)(x))
#define EMU_S_F32(x) base_f32_bits(x)
#define EMU_S_U16(x) ((x)&0xffffu)
#define EMU_S_I16(x) ((uint32_t)(x)&0xffffu)
#define EMU_S_F16(x) amd_emu_to_half_rne(x)
#define EMU_S_H16(x) ((x)&0xffffu)
#define EMU_S_U64(x) (x)
#define EMU_S_I64(x) ((uint64_t)(x))
#define EMU_S_F64(x) base_f64_bits(x)
#define EMU_S_V2(x)  (x)
#define EMU_S_B16(x) ((x)&0xffffu)

/* Kernels with one, two and three sources. */
#define EMU_KERNEL1(name, td, ta, expr)                                                            \
    static void name(const emu_args *k)                                                            \
    {                                                                                              \
        const EMU_A_##ta *restrict pa = k->a;                                                      \
        EMU_A_##td *restrict pd = k->d;                                                            \
        uint32_t n = k->n;                                                                         \
        for (uint32_t l = 0; l < n; l++) {                                                         \
            EMU_C_##ta a = EMU_L_##ta(pa[l]);                                                      \
            pd[l] = EMU_S_##td((EMU_C_##td)(expr));                                                \
        }                                                                                          \
    }
#define EMU_KERNEL2(name, td, ta, tb, expr)                                                        \
    static void name(const emu_args *k)                                                            \
    {                                                                                              \
        const EMU_A_##ta *restrict pa = k->a;                                                      \
        const EMU_A_##tb *restrict pb = k->b;                                                      \
        EMU_A_##td *restrict pd = k->d;                                                            \
        uint32_t n = k->n;                                                                         \
        for (uint32_t l = 0; l < n; l++) {                                                         \
            EMU_C_##ta a = EMU_L_##ta(pa[l]);                                                      \
            EMU_C_##tb b = EMU_L_##tb(pb[l]);                                                      \
            pd[l] = EMU_S_##td((EMU_C_##td)(expr));                                                \
        }                                                                                          \
    }
#define EMU_KERNEL3(name, td, ta, tb, tc, expr)                                                    \
    static void name(const emu_args *k)                                                            \
    {                                                                                              \
        const EMU_A_##ta *restrict pa = k->a;                                                      \
        const EMU_A_##tb *restrict pb = k->b;                                                      \
        const EMU_A_##tc *restrict pc = k->c;                                                      \
        EMU_A_##td *restrict pd = k->d;                                                            \
        uint32_t n = k->n;                                                                         \
        for (uint32_t l = 0; l < n; l++) {                                                         \
            EMU_C_##ta a = EMU_L_##ta(pa[l]);                                                      \
            EMU_C_##tb b = EMU_L_##tb(pb[l]);                                                      \
            EMU_C_##tc c = EMU_L_##tc(pc[l]);                                                      \
            pd[l] = EMU_S_##td((EMU_C_##td)(expr));                                                \
        }                                                                                          \
    }
/* A comparison of two sources. */
#define EMU_KERNEL_CMP(name, ta, tb, expr)                                                         \
    static void name(const emu_args *k)                                                            \
    {                                                                                              \
        const EMU_A_##ta *restrict pa = k->a;                                                      \
        const EMU_A_##tb *restrict pb = k->b;                                                      \
        uint32_t *restrict pm = k->mask;                                                           \
        uint32_t n = k->n;                                                                         \
        for (uint32_t l = 0; l < n; l++) {                                                         \
            EMU_C_##ta a = EMU_L_##ta(pa[l]);                                                      \
            EMU_C_##tb b = EMU_L_##tb(pb[l]);                                                      \
            pm[l] = (uint32_t)(expr);                                                              \
        }                                                                                          \
    }

/* What a row (opcode, flags, types of the result and of the sources, expression) becomes: a kernel,
 * and an entry of the table. */
#define EMU_ROW_KERNEL1(id, flags, td, ta, ...) EMU_KERNEL1(kernel_##id, td, ta, (__VA_ARGS__))
#define EMU_ROW_KERNEL2(id, flags, td, ta, tb, ...)                                                \
    EMU_KERNEL2(kernel_##id, td, ta, tb, (__VA_ARGS__))
#define EMU_ROW_KERNEL3(id, flags, td, ta, tb, tc, ...)                                            \
    EMU_KERNEL3(kernel_##id, td, ta, tb, tc, (__VA_ARGS__))
#define EMU_ROW_ENTRY1(id, flags, td, ta, ...)                                                     \
    {AMD_##id, {kernel_##id, NULL, flags, EMU_T_##td, {EMU_T_##ta}}},
#define EMU_ROW_ENTRY2(id, flags, td, ta, tb, ...)                                                 \
    {AMD_##id, {kernel_##id, NULL, flags, EMU_T_##td, {EMU_T_##ta, EMU_T_##tb}}},
#define EMU_ROW_ENTRY3(id, flags, td, ta, tb, tc, ...)                                             \
    {AMD_##id, {kernel_##id, NULL, flags, EMU_T_##td, {EMU_T_##ta, EMU_T_##tb, EMU_T_##tc}}},

/* A part of the table; each file with rows has one. */
typedef struct emu_valu_entry {
    uint16_t op; /* amd_op */
    emu_valu v;
} emu_valu_entry;

extern const emu_valu_entry amd_emu_valu_f32_rows[], amd_emu_valu_f16_rows[],
    amd_emu_valu_f64_rows[], amd_emu_valu_int_rows[], amd_emu_valu_cmp_rows[],
    amd_emu_valu_cvt_rows[], amd_emu_valu_fp8_rows[];
extern const size_t amd_emu_valu_f32_count, amd_emu_valu_f16_count, amd_emu_valu_f64_count,
    amd_emu_valu_int_count, amd_emu_valu_cmp_count, amd_emu_valu_cvt_count, amd_emu_valu_fp8_count;

/* The row of an opcode, or NULL (valu_rows.c). */
const emu_valu *
amd_emu_valu_find(uint32_t op);

/* Converts an 8-bit float of the generation, fp8 or bf8 (valu_fp8.c). */
float
amd_emu_from_small_float(amd_gen gen, uint32_t v, bool bf8);

/* d = a * b + c in the host's rounding mode. Not inline: the compiler must not move it across a
 * change of rounding. */
void
amd_emu_fma_lanes(uint32_t n, const float *a, const float *b, const float *c, float *d);
/* The same with the product rounded and its denormals flushed. */
void
amd_emu_mad_lanes(uint32_t n, const float *a, const float *b, const float *c, float *d);

#endif
