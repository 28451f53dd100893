/* References for the emulator's arithmetic.
 *
 * A reference computes one opcode for one lane, following AMD's ISA guides: floats with MPFR,
 * everything else with plain integer arithmetic. It shares no code with the emulator. alu_compare.c
 * has a second model of the handling around every operation (operand selection, SDWA, DPP, neg,
 * abs, flushing of denormals, output modifier, clamp, the half of a register that is written).
 *
 * If the guides do not determine a result, the reference says so instead of copying the emulator:
 * NaNs produced by arithmetic may have any sign and payload (`any_nan`), transcendental results
 * have an error bound (`ulp`). `alt` is a second correct result.
 */
#ifndef ALU_REF_H
#define ALU_REF_H

#include "amd/isa/table/table.h"

#include <stdint.h>

#include <mpfr.h>

/* A binary format, described by its stored bits. */
typedef struct ref_format {
    uint8_t bits;     /* of the encoding */
    uint8_t mantissa; /* stored bits */
    bool finite;      /* no infinities: all ones is NaN (OCP E4M3) */
    int bias;
} ref_format;

extern const ref_format ref_f16, ref_f32, ref_f64, ref_bf16, ref_fp8, ref_bf8;

typedef enum ref_round { REF_RNE, REF_RPI, REF_RNI, REF_RTZ } ref_round;

/* Denormal modes of one width: MODE's two bits. */
enum { REF_KEEP_IN = 1, REF_KEEP_OUT = 2 };

/* State of the wave and the instruction besides the sources. */
typedef struct ref_env {
    amd_gen gen;
    amd_op op;
    const amd_inst *in;
    ref_round round32, round16_64;
    unsigned denorm32, denorm16_64;
    bool ieee, dx10_clamp;
    bool clamp; /* the instruction's clamp bit, for references of saturating integers */
    uint32_t lanes;
} ref_env;

/* One lane. Sources have the order of amd_inst.src and the width of their type, with modifiers
 * applied. The frame stores `d` with the type of the row's first destination. */
typedef struct ref_lane {
    uint32_t lane;
    uint64_t s[3];
    uint64_t high[3]; /* bits 127:64 of wide sources */
    uint64_t old;     /* the old value of the destination */
    bool mask_in;     /* a MASK source's bit, or vcc's */
    uint64_t d, d_high;
    bool mask_out; /* a MASK destination's bit: carry, comparison */
    /* exactness */
    bool any_nan;      /* `d` is a NaN with any sign and payload */
    bool any_zero;     /* `d` is a zero with any sign */
    bool halves;       /* `d` is two binary16 values; 0x7e00 means any NaN */
    uint8_t open_half; /* for `halves`, the float ones: 1 low only, 2 high only, 0 both */
    bool singles;      /* `d` is two binary32 values; 0x7fc00000 means any NaN */
    uint64_t d_mask;   /* bits of `d` that are not compared */
    bool has_alt;      /* `alt` is correct too */
    bool mask_open;    /* any mask bit is correct */
    uint64_t alt;
    double ulp;           /* allowed error in units of the last place; 0: exact */
    const ref_format *as; /* the format for any_nan and ulp; NULL: the destination's type */
} ref_lane;

typedef void
ref_fn(const ref_env *e, ref_lane *x);

/* Flags that tell the frame how to handle a row. */
enum {
    REF_RAW = 1,      /* no flushing, no omod, no float clamp, regardless of the types */
    REF_NO_IN = 2,    /* sources are not flushed */
    REF_NO_OUT = 4,   /* the result is not flushed */
    REF_WHOLE = 8,    /* the reference computes the whole destination dword (packed, mixed) */
    REF_NO_TYPE = 16, /* sources are raw dwords: the frame applies no 16-bit selection and no
                         modifiers */
    REF_PLAIN = 32,   /* without clamp and omod: results are not exact, or the modifiers' effect
                         is unknown */
    REF_CHOICE = 64,  /* a minimum or similar: nothing is flushed before gfx9 */
    REF_KEEP = 128,   /* keeps the other half of its register on gfx9 too */
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

/* The reason why a vector or scalar ALU opcode has no reference here; NULL if it should have
 * one. */
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

/* Allocates MPFR's working values; must be called before any reference. */
void
ref_soft_begin(void);
void
ref_soft_end(void);
/* Compares the integer arithmetic with MPFR: sums, products, fused operations, scaling, rounding to
 * integers, in each format and rounding mode, `rounds` times. Prints a difference. */
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
/* Flushes denormals to a zero of the same sign. */
uint64_t
ref_flush(const ref_format *f, uint64_t v);

/* The rounding and denormal mode of a format. */
ref_round
ref_mode(const ref_env *e, const ref_format *f);
unsigned
ref_denorm(const ref_env *e, const ref_format *f);

/* Loads the exact value; sets the precision of `x` accordingly. */
void
ref_load(mpfr_t x, const ref_format *f, uint64_t v);
/* `x` rounded to the format. */
uint64_t
ref_store(const ref_format *f, mpfr_t x, ref_round r);
/* An exactly rounded result (NaN if it is one). */
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
/* Converts to an integer, clamped to [low, high]; NaN gives 0. */
int64_t
ref_to_int(const ref_format *f, uint64_t v, ref_round r, int64_t low, int64_t high);
/* Rounded to an integral value of the format. */
uint64_t
ref_integral(const ref_format *f, uint64_t v, ref_round r);
/* Stores the exact value of a result with an error bound; tells whether `got` is within `ulp` units
 * of its last place. */
void
ref_keep_exact(const mpfr_t x);
bool
ref_within(const ref_format *f, double ulp, uint64_t got);

/* Min and max with the NaN rules of the generation (alu_ref_float.c). */
uint64_t
ref_min(const ref_env *e, const ref_format *f, uint64_t a, uint64_t b, bool max);

#endif
