/* References for the emulator's arithmetic.
 *
 * A reference says what one opcode makes of one lane: from AMD's ISA guides, with MPFR for floats
 * and plain integer arithmetic for the rest. It shares no code with the emulator. What stands
 * around every operation (operand selection, SDWA, DPP, neg, abs, flushing of denormals, output
 * modifier, clamp, which half of a register is written) is modelled once more in alu_frame.c.
 *
 * Where the guides leave a result open, a reference says so instead of copying what the emulator
 * does: NaNs that arithmetic makes have any sign and payload (`any_nan`), transcendental results
 * have an error bound (`ulp`). A second admitted result is `alt`.
 */
#ifndef ALU_REF_H
#define ALU_REF_H

#include "amd/isa/table.h"

#include <stdint.h>

#include <mpfr.h>

/* Binary formats by their stored bits. */
typedef struct ref_format {
    uint8_t bits;     /* of the encoding */
    uint8_t mantissa; /* stored bits */
    bool finite;      /* no infinities: all ones is NaN (OCP E4M3) */
    int bias;
} ref_format;

extern const ref_format ref_f16, ref_f32, ref_f64, ref_bf16, ref_fp8, ref_bf8;

typedef enum ref_round { REF_RNE, REF_RPI, REF_RNI, REF_RTZ } ref_round;

/* Denormals of one width: MODE's two bits. */
enum { REF_KEEP_IN = 1, REF_KEEP_OUT = 2 };

/* What the wave and the instruction say beside the sources. */
typedef struct ref_env {
    amd_gen gen;
    amd_op op;
    const amd_inst *in;
    ref_round round32, round16_64;
    unsigned denorm32, denorm16_64;
    bool ieee, dx10_clamp;
    bool clamp; /* the instruction's bit; references of integers that saturate look at it */
    uint32_t lanes;
} ref_env;

/* One lane. Sources are in the places of amd_inst.src, as wide as their type, modifiers applied.
 * The frame stores `d` as the type of the row's first destination. */
typedef struct ref_lane {
    uint32_t lane;
    uint64_t s[3];
    uint64_t high[3]; /* bits 127:64 of wide sources */
    uint64_t old;     /* the destination before */
    bool mask_in;     /* a MASK source's bit, or vcc's */
    uint64_t d, d_high;
    bool mask_out; /* a MASK destination's bit: carry, comparison */
    /* how exact */
    bool any_nan;      /* `d` is a NaN whose sign and payload are open */
    bool any_zero;     /* `d` is a zero whose sign is open */
    bool halves;       /* `d` is two binary16 values, 0x7e00 stands for any NaN */
    uint8_t open_half; /* of `halves`: 1 low only, 2 high only, 0 both are floats */
    bool singles;      /* `d` is two binary32 values, 0x7fc00000 stands for any NaN */
    uint64_t d_mask;   /* bits of `d` that are open */
    bool has_alt;      /* `alt` is right too */
    bool mask_open;    /* any mask bit is right */
    uint64_t alt;
    double ulp;           /* distance admitted, in units of the last place; 0: exact */
    const ref_format *as; /* the format that any_nan, ulp are about; NULL: the destination's type */
} ref_lane;

typedef void
ref_fn(const ref_env *e, ref_lane *x);

/* How the frame treats a row. */
enum {
    REF_RAW = 1,      /* no flushing, no omod, no float clamp, whatever the types say */
    REF_NO_IN = 2,    /* sources are not flushed */
    REF_NO_OUT = 4,   /* the result is not flushed */
    REF_WHOLE = 8,    /* the reference builds the whole destination dword (packed, mixed) */
    REF_NO_TYPE = 16, /* sources are raw dwords: no 16-bit selection, no modifiers by the frame */
    REF_PLAIN = 32,   /* without clamp, omod: results are not exact, or their effect is not known */
    REF_CHOICE = 64,  /* a minimum or the like: nothing is flushed before gfx9 */
    REF_KEEP = 128,   /* leaves the other half of its register on gfx9 too */
};

typedef struct ref_row {
    uint16_t op;
    uint8_t flags;
    ref_fn *fn;
} ref_row;

typedef struct ref_table {
    const ref_row *rows;
    size_t count;
} ref_table;

extern const ref_table ref_float_table, ref_int_table, ref_cvt_table, ref_cmp_table,
    ref_packed_table, ref_fp8_table;

/* The row of a vector opcode; NULL if there is none. */
const ref_row *
ref_find(amd_op op);

/* Why a vector or scalar ALU opcode has no reference here; NULL if it should have one. */
const char *
ref_excuse(amd_op op);

/* The scalar ALU: one value. */
typedef struct ref_scalar {
    uint64_t s[3];
    uint64_t old, exec;
    bool scc;
    /* out */
    uint64_t d, new_exec;
    bool writes, new_scc;
    /* as in ref_lane */
    bool any_nan, any_zero, has_alt, halves;
    uint64_t alt;
    double ulp;
} ref_scalar;

typedef void
ref_scalar_fn(const ref_env *e, ref_scalar *x);

typedef struct ref_scalar_row {
    uint16_t op;
    ref_scalar_fn *fn;
} ref_scalar_row;

/* The reference of a scalar opcode; NULL if there is none. */
ref_scalar_fn *
ref_find_scalar(amd_op op);
/* The same among the floats (alu_ref_scalar_float.c). */
ref_scalar_fn *
ref_find_scalar_float(amd_op op);

/* Floats: in integers (alu_soft.c) and through MPFR (alu_soft_mpfr.c). */

/* Allocates MPFR's working values; before any reference is called. */
void
ref_soft_begin(void);
void
ref_soft_end(void);
/* Are the arithmetic in integers and MPFR's the same? Sums, products, fused ones, scaling, rounding to
 * integers, in each format and rounding mode, `rounds` times. A difference is printed. */
bool
ref_soft_check(uint64_t rounds);

bool
ref_is_nan(const ref_format *f, uint64_t v);
bool
ref_is_snan(const ref_format *f, uint64_t v);
bool
ref_is_inf(const ref_format *f, uint64_t v);
bool
ref_is_zero(const ref_format *f, uint64_t v);
bool
ref_is_denormal(const ref_format *f, uint64_t v);
bool
ref_sign(const ref_format *f, uint64_t v);
uint64_t
ref_quiet(const ref_format *f, uint64_t v);
uint64_t
ref_nan(const ref_format *f);
uint64_t
ref_inf(const ref_format *f, bool negative);
uint64_t
ref_negate(const ref_format *f, uint64_t v);
uint64_t
ref_abs(const ref_format *f, uint64_t v);
/* The biased exponent field. */
int
ref_exponent(const ref_format *f, uint64_t v);
/* Less than, as real numbers; false with NaNs; -0 equals +0. */
bool
ref_less(const ref_format *f, uint64_t a, uint64_t b);
/* Denormals to zero of their sign. */
uint64_t
ref_flush(const ref_format *f, uint64_t v);

/* The rounding and denormal mode of a format. */
ref_round
ref_mode(const ref_env *e, const ref_format *f);
unsigned
ref_denorm(const ref_env *e, const ref_format *f);

/* The exact value; `x` gets the precision that needs. */
void
ref_load(mpfr_t x, const ref_format *f, uint64_t v);
/* `x` rounded to the format. */
uint64_t
ref_store(const ref_format *f, mpfr_t x, ref_round r);
/* An exactly known result (NaN if it is one). */
uint64_t
ref_add(const ref_format *f, uint64_t a, uint64_t b, ref_round r);
uint64_t
ref_mul(const ref_format *f, uint64_t a, uint64_t b, ref_round r);
uint64_t
ref_fma(const ref_format *f, uint64_t a, uint64_t b, uint64_t c, ref_round r);
/* a * 2^e */
uint64_t
ref_scale(const ref_format *f, uint64_t a, long e, ref_round r);
/* From one format to another. */
uint64_t
ref_convert(const ref_format *to, const ref_format *from, uint64_t v, ref_round r);
uint64_t
ref_from_i64(const ref_format *f, int64_t v, ref_round r);
/* To an integer, cut to [low, high]; NaN gives 0. */
int64_t
ref_to_int(const ref_format *f, uint64_t v, ref_round r, int64_t low, int64_t high);
/* Rounded to an integral value of the format. */
uint64_t
ref_integral(const ref_format *f, uint64_t v, ref_round r);
/* Remembers the exact value of a result with an error bound, and tells whether `got` is within
 * `ulp` units of the last place of it. */
void
ref_keep_exact(const mpfr_t x);
bool
ref_within(const ref_format *f, double ulp, uint64_t got);

/* Min and max with the NaN rules of the generation (alu_ref_float.c). */
uint64_t
ref_min(const ref_env *e, const ref_format *f, uint64_t a, uint64_t b, bool max);

#endif
