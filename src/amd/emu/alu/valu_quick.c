/* Faster handlers for binary64 and 16-bit arithmetic: one pass directly over the registers.
 *
 * A binary64 value occupies two register rows, and one row holds two binary16 values, so the
 * general code (valu.c, vop3p.c) copies each source and each result. The kernels here extract the
 * values from the rows themselves, apply neg and abs, and assemble the result. They exist for the
 * operations that ALU code mostly consists of, and are valid if MODE rounds to nearest and keeps
 * denormals, without SDWA, DPP, clamp, omod and, for single halves, op_sel. Everything else uses
 * the general code.
 */
#include "amd/emu/alu/valu.h"
#include "amd/emu/alu/valu_fast.h"
#include "amd/emu/core/operand.h"

/* Computes `n` lanes from the rows of up to three sources (for 64-bit sources followed by three
 * rows with their high dwords) into result rows. Bits 15 and 31 of the returned value tell that the
 * kernel met a value in a lower or an upper half that it cannot handle: then the row's `any` is
 * called. */
typedef uint32_t
quick_kernel(uint32_t n, const uint32_t *const *src, uint32_t (*restrict d)[EMU_LANES]);

typedef enum quick_kind { DOUBLES, HALVES, PAIRS, INT_PAIRS } quick_kind;

struct emu_quick {
    uint16_t op;
    uint8_t kind, n_src;
    quick_kernel *fn, *any;
};

#define KERNEL(id)                                                                                 \
    static uint32_t id(uint32_t n, const uint32_t *const *src, uint32_t(*restrict d)[EMU_LANES])
#define OPEN2 const uint32_t *pa = src[0], *pb = src[1]
#define OPEN3 const uint32_t *pa = src[0], *pb = src[1], *pc = src[2]

/* ---- binary64 ---- */

enum { HIGH_ROWS = 3, ROWS = 6 };

static inline double
wide(const uint32_t *low, const uint32_t *high, uint32_t l)
{
    return base_bits_f64(low[l] | (uint64_t)high[l] << 32);
}

#define OPEN_WIDE2                                                                                 \
    OPEN2;                                                                                         \
    const uint32_t *ha = src[HIGH_ROWS], *hb = src[HIGH_ROWS + 1]

#define DOUBLE2(id, expr)                                                                          \
    KERNEL(id)                                                                                     \
    {                                                                                              \
        OPEN_WIDE2;                                                                                \
        for (uint32_t l = 0; l < n; l++) {                                                         \
            double a = wide(pa, ha, l), b = wide(pb, hb, l);                                       \
            uint64_t u = base_f64_bits(expr);                                                      \
            d[0][l] = (uint32_t)u;                                                                 \
            d[1][l] = (uint32_t)(u >> 32);                                                         \
        }                                                                                          \
        return 0;                                                                                  \
    }
DOUBLE2(add_f64, a + b)
DOUBLE2(mul_f64, a *b)

/* Three loops: the middle one calls the host's library, which is as fast as computing the error of
 * product and sum and rounding with it. */
KERNEL(fma_f64)
{
    double a[EMU_LANES], b[EMU_LANES], c[EMU_LANES];
    OPEN_WIDE2;
    const uint32_t *pc = src[2], *hc = src[HIGH_ROWS + 2];
    for (uint32_t l = 0; l < n; l++) {
        a[l] = wide(pa, ha, l);
        b[l] = wide(pb, hb, l);
        c[l] = wide(pc, hc, l);
    }
    for (uint32_t l = 0; l < n; l++)
        a[l] = fma(a[l], b[l], c[l]);
    for (uint32_t l = 0; l < n; l++) {
        d[0][l] = (uint32_t)base_f64_bits(a[l]);
        d[1][l] = (uint32_t)(base_f64_bits(a[l]) >> 32);
    }
    return 0;
}

/* ---- binary16 ----
 *
 * Each operation has two kernels: one for finite numbers with finite results, and one for any
 * values. The lower and the upper half of a dword are computed separately; for single halves the
 * upper result is garbage that is not written. */

/* Converts finite values: amd_emu_from_half without its last step, so 2^112 times too small. */
static inline float
low_scaled(uint32_t x)
{
    return base_bits_f32((uint32_t)((int32_t)(x << 16) >> 3) & 0x8fffe000u);
}

static inline float
high_scaled(uint32_t x)
{
    return base_bits_f32((uint32_t)((int32_t)x >> 3) & 0x8fffe000u);
}

#define LOW_NUMBER(x)  (low_scaled(x) * 0x1p112f)
#define HIGH_NUMBER(x) (high_scaled(x) * 0x1p112f)

/* Returns bits 15 and 31 if the halves of `x` are infinity or NaN; too_large: if a magnitude is
 * above infinity's. */
static inline uint32_t
not_finite(uint32_t x)
{
    return (x & 0x7fff7fff) + 0x04000400;
}

static inline uint32_t
too_large(uint32_t magnitudes)
{
    return magnitudes + 0x03ff03ff;
}

/* Combines two binary16 magnitudes with the signs of two numbers. */
static inline uint32_t
join(uint32_t magnitudes, float low, float high)
{
    return magnitudes | (base_f32_bits(low) >> 16 & 0x8000) | (base_f32_bits(high) & 0x80000000u);
}

static inline uint32_t
cut_pair(float low, float high)
{
    return amd_emu_cut_to_half(low) | amd_emu_cut_to_half(high) << 16;
}

/* Rounds a sum that is 2^112 times too small: below the normal range it is exact. */
static inline uint32_t
cut_sum(float f)
{
    uint32_t u = base_f32_bits(f);
    float a = base_bits_f32(u & 0x7fffffff), cut = base_bits_f32(u & 0x7f800000) * 0x1.8p13f;
    return base_f32_bits((a + cut) - cut);
}

/* A kernel with a loop over the lanes: `body` computes the numbers `low` and `high` and the
 * magnitudes `m` from the dwords x, y (and z). */
#define LANES2(id, body)                                                                           \
    KERNEL(id)                                                                                     \
    {                                                                                              \
        OPEN2;                                                                                     \
        uint32_t other = 0;                                                                        \
        for (uint32_t l = 0; l < n; l++) {                                                         \
            uint32_t x = pa[l], y = pb[l];                                                         \
            body other |= not_finite(x) | not_finite(y) | too_large(m);                            \
            d[0][l] = join(m, low, high);                                                          \
        }                                                                                          \
        return other;                                                                              \
    }
#define LANES3(id, body)                                                                           \
    KERNEL(id)                                                                                     \
    {                                                                                              \
        OPEN3;                                                                                     \
        uint32_t other = 0;                                                                        \
        for (uint32_t l = 0; l < n; l++) {                                                         \
            uint32_t x = pa[l], y = pb[l], z = pc[l];                                              \
            body other |= not_finite(x) | not_finite(y) | not_finite(z) | too_large(m);            \
            d[0][l] = join(m, low, high);                                                          \
        }                                                                                          \
        return other;                                                                              \
    }
/* The same for any values. */
#define ANY(id, open, low_value, high_value)                                                       \
    KERNEL(any_##id)                                                                               \
    {                                                                                              \
        open;                                                                                      \
        for (uint32_t l = 0; l < n; l++)                                                           \
            d[0][l] = amd_emu_to_half_rne(low_value) | amd_emu_to_half_rne(high_value) << 16;      \
        return 0;                                                                                  \
    }
#define LOW(s)  amd_emu_from_half(s[l])
#define HIGH(s) amd_emu_from_half(s[l] >> 16)

#define SUM(op)                                                                                    \
    float low = low_scaled(x) op low_scaled(y), high = high_scaled(x) op high_scaled(y);           \
    uint32_t m = cut_sum(low) >> 13 | cut_sum(high) << 3;
LANES2(add_f16, SUM(+))
LANES2(sub_f16, SUM(-))
ANY(add_f16, OPEN2, LOW(pa) + LOW(pb), HIGH(pa) + HIGH(pb))
ANY(sub_f16, OPEN2, LOW(pa) - LOW(pb), HIGH(pa) - HIGH(pb))

#define PRODUCT                                                                                    \
    float low = LOW_NUMBER(x) * LOW_NUMBER(y), high = HIGH_NUMBER(x) * HIGH_NUMBER(y);             \
    uint32_t m = cut_pair(low, high);
LANES2(mul_f16, PRODUCT)
ANY(mul_f16, OPEN2, LOW(pa) * LOW(pb), HIGH(pa) * HIGH(pb))

#define FUSED                                                                                      \
    float low = amd_emu_fma16_odd(LOW_NUMBER(x), LOW_NUMBER(y), LOW_NUMBER(z));                    \
    float high = amd_emu_fma16_odd(HIGH_NUMBER(x), HIGH_NUMBER(y), HIGH_NUMBER(z));                \
    uint32_t m = cut_pair(low, high);
LANES3(fma_f16, FUSED)
ANY(fma_f16, OPEN3, amd_emu_fma16_odd(LOW(pa), LOW(pb), LOW(pc)),
    amd_emu_fma16_odd(HIGH(pa), HIGH(pb), HIGH(pc)))

/* ---- pairs of 16-bit integers ---- */

#define LOW_UINT(s)  (s[l] & 0xffffu)
#define HIGH_UINT(s) (s[l] >> 16)
#define LOW_INT(s)   ((int32_t)(s[l] << 16) >> 16)
#define HIGH_INT(s)  ((int32_t)s[l] >> 16)
#define LEAST(a, b)  ((a) < (b) ? (a) : (b))
#define MOST(a, b)   ((a) > (b) ? (a) : (b))
#define INTS(id, open, low, high)                                                                  \
    KERNEL(id)                                                                                     \
    {                                                                                              \
        open;                                                                                      \
        for (uint32_t l = 0; l < n; l++)                                                           \
            d[0][l] = ((uint32_t)(low)&0xffff) | (uint32_t)(high) << 16;                           \
        return 0;                                                                                  \
    }
INTS(pk_add, OPEN2, pa[l] + pb[l], HIGH_UINT(pa) + HIGH_UINT(pb))
INTS(pk_sub, OPEN2, pa[l] - pb[l], HIGH_UINT(pa) - HIGH_UINT(pb))
INTS(pk_mul, OPEN2, pa[l] * pb[l], HIGH_UINT(pa) * HIGH_UINT(pb))
INTS(pk_mad, OPEN3, pa[l] * pb[l] + pc[l], HIGH_UINT(pa) * HIGH_UINT(pb) + HIGH_UINT(pc))
INTS(pk_min_u, OPEN2, LEAST(LOW_UINT(pa), LOW_UINT(pb)), LEAST(HIGH_UINT(pa), HIGH_UINT(pb)))
INTS(pk_max_u, OPEN2, MOST(LOW_UINT(pa), LOW_UINT(pb)), MOST(HIGH_UINT(pa), HIGH_UINT(pb)))
INTS(pk_min_i, OPEN2, LEAST(LOW_INT(pa), LOW_INT(pb)), LEAST(HIGH_INT(pa), HIGH_INT(pb)))
INTS(pk_max_i, OPEN2, MOST(LOW_INT(pa), LOW_INT(pb)), MOST(HIGH_INT(pa), HIGH_INT(pb)))

/* ---- rows ---- */

static const struct emu_quick quick_rows[] = {
    {AMD_V_ADD_F64, DOUBLES, 2, add_f64, NULL},
    {AMD_V_MUL_F64, DOUBLES, 2, mul_f64, NULL},
    {AMD_V_FMA_F64, DOUBLES, 3, fma_f64, NULL},
    {AMD_V_FMAC_F64, DOUBLES, 3, fma_f64, NULL},
    {AMD_V_ADD_F16, HALVES, 2, add_f16, any_add_f16},
    {AMD_V_SUB_F16, HALVES, 2, sub_f16, any_sub_f16},
    {AMD_V_MUL_F16, HALVES, 2, mul_f16, any_mul_f16},
    {AMD_V_FMA_F16, HALVES, 3, fma_f16, any_fma_f16},
    {AMD_V_FMAC_F16, HALVES, 3, fma_f16, any_fma_f16},
    {AMD_V_FMAMK_F16, HALVES, 3, fma_f16, any_fma_f16},
    {AMD_V_FMAAK_F16, HALVES, 3, fma_f16, any_fma_f16},
    {AMD_V_PK_ADD_F16, PAIRS, 2, add_f16, any_add_f16},
    {AMD_V_PK_MUL_F16, PAIRS, 2, mul_f16, any_mul_f16},
    {AMD_V_PK_FMA_F16, PAIRS, 3, fma_f16, any_fma_f16},
    {AMD_V_PK_FMAC_F16, PAIRS, 3, fma_f16, any_fma_f16},
    {AMD_V_PK_ADD_I16, INT_PAIRS, 2, pk_add, NULL},
    {AMD_V_PK_ADD_U16, INT_PAIRS, 2, pk_add, NULL},
    {AMD_V_PK_SUB_I16, INT_PAIRS, 2, pk_sub, NULL},
    {AMD_V_PK_SUB_U16, INT_PAIRS, 2, pk_sub, NULL},
    {AMD_V_PK_MUL_LO_U16, INT_PAIRS, 2, pk_mul, NULL},
    {AMD_V_PK_MIN_U16, INT_PAIRS, 2, pk_min_u, NULL},
    {AMD_V_PK_MAX_U16, INT_PAIRS, 2, pk_max_u, NULL},
    {AMD_V_PK_MIN_I16, INT_PAIRS, 2, pk_min_i, NULL},
    {AMD_V_PK_MAX_I16, INT_PAIRS, 2, pk_max_i, NULL},
    {AMD_V_PK_MAD_I16, INT_PAIRS, 3, pk_mad, NULL},
    {AMD_V_PK_MAD_U16, INT_PAIRS, 3, pk_mad, NULL},
};

/* ---- around the kernels ---- */

/* The operand code of source `s`. The last source of an accumulating operation is its
 * destination. */
static uint32_t
source_code(const amd_inst *in, const struct emu_quick *q, uint32_t s)
{
    bool accumulates = in->op == AMD_V_FMAC_F64 || in->op == AMD_V_FMAC_F16 ||
                       in->op == AMD_V_PK_FMAC_F16;
    return accumulates && s + 1u == q->n_src ? in->dst[0] : in->src[s];
}

/* The rows of source `s`; scalars are expanded into `room`. */
static void
open_source(emu_wave *w, const emu_inst *i, uint32_t s, const uint32_t **src,
            uint32_t (*room)[EMU_LANES])
{
    uint32_t code = source_code(&i->in, i->quick, s);
    quick_kind kind = i->quick->kind;
    emu_row row;
    src[s] = room[0];
    src[HIGH_ROWS + s] = room[1];
    if (code >= AMD_REG_VGPR0) {
        src[s] = w->vgpr[code - AMD_REG_VGPR0];
        src[HIGH_ROWS + s] = src[s] + EMU_LANES;
    } else if (kind == DOUBLES) {
        amd_emu_wide_source(w, i, code, EMU_T_F64, &row);
        for (uint32_t l = 0; l < w->lanes; l++) {
            room[0][l] = (uint32_t)row.q[l];
            room[1][l] = (uint32_t)(row.q[l] >> 32);
        }
    } else {
        emu_type t = kind == HALVES ? EMU_T_F16 : kind == PAIRS ? EMU_T_V2 : EMU_T_U32;
        memcpy(room[0], amd_emu_source_row(w, i, code, t, 0, &row), w->lanes * sizeof row.u[0]);
    }
}

/* The halves that op_sel and op_sel_hi select, as pairs in `room`. */
static const uint32_t *
swap_halves(uint32_t n, const amd_inst *in, uint32_t s, const uint32_t *row, uint32_t *room)
{
    uint32_t low = in->op_sel >> s & 1 ? 16 : 0, high = in->op_sel_hi >> s & 1 ? 16 : 0;
    if (in->fmt != AMD_VOP3P || (!low && high))
        return row;
    for (uint32_t l = 0; l < n; l++)
        room[l] = (row[l] >> low & 0xffff) | row[l] >> high << 16;
    return room;
}

/* Applies neg and abs to a source, whose dword with the sign is in `row`; the result is in
 * `room`. */
static const uint32_t *
modify(uint32_t n, const amd_inst *in, quick_kind kind, uint32_t s, const uint32_t *row,
       uint32_t *room)
{
    bool pair = kind == PAIRS, neg = in->neg >> s & 1, high = pair && in->neg_hi >> s & 1;
    uint32_t sign = kind == DOUBLES ? 0x80000000 : 0x8000;
    uint32_t keep = !pair && in->abs >> s & 1 ? ~sign : UINT32_MAX;
    uint32_t flip = (neg ? sign : 0) | (high ? 0x80000000 : 0);
    if (kind == INT_PAIRS || (keep == UINT32_MAX && !flip))
        return row;
    for (uint32_t l = 0; l < n; l++)
        room[l] = (row[l] & keep) ^ flip;
    return room;
}

/* Writes results of single halves, merging or clearing the registers' upper halves. */
static void
place_halves(emu_wave *w, const emu_inst *i, uint32_t *d, uint64_t exec)
{
    uint32_t reg = i->in.dst[0] - AMD_REG_VGPR0, *old = w->vgpr[reg], n = w->lanes;
    uint32_t keep = amd_emu_keeps_half(w, i, i->op) ? 0xffff0000 : 0;
    uint32_t *to = exec == w->all_lanes ? old : d;
    for (uint32_t l = 0; l < n; l++)
        to[l] = (d[l] & 0xffff) | (old[l] & keep);
    if (to == d)
        amd_emu_write_vgpr(w, reg, d, exec);
}

static void
compute(const struct emu_quick *q, uint32_t n, const uint32_t *const *src, uint32_t (*d)[EMU_LANES])
{
    static const uint32_t undone[] = {[HALVES] = 0x8000, [PAIRS] = 0x80008000, [INT_PAIRS] = 0};
    if (q->fn(n, src, d) & undone[q->kind])
        q->any(n, src, d);
}

static void
run_quick(emu_wave *w, const emu_inst *i)
{
    const struct emu_quick *q = i->quick;
    const amd_inst *in = &i->in;
    uint64_t exec = amd_emu_exec(w);
    if ((w->mode & i->keep) != i->keep || (i->keep && (w->mode >> 2 & 3) != EMU_RNE)) {
        i->general(w, i);
        return;
    }
    if (!exec)
        return;
    const uint32_t *src[ROWS];
    uint32_t rooms[3][2][EMU_LANES], own[2][EMU_LANES], reg = in->dst[0] - AMD_REG_VGPR0;
    /* writes directly to the registers if they are not also sources */
    bool direct = exec == w->all_lanes && q->kind != HALVES;
    for (uint32_t s = 0; s < q->n_src; s++) {
        open_source(w, i, s, src, rooms[s]);
        direct = direct && source_code(in, q, s) + 1u - in->dst[0] > 2;
        if (q->kind >= PAIRS)
            src[s] = swap_halves(w->lanes, in, s, src[s], rooms[s][1]);
        const uint32_t **signs = &src[q->kind == DOUBLES ? HIGH_ROWS + s : s];
        *signs = modify(w->lanes, in, q->kind, s, *signs, rooms[s][q->kind == DOUBLES]);
    }
    uint32_t(*d)[EMU_LANES] = direct ? &w->vgpr[reg] : own;
    compute(q, w->lanes, src, d);
    w->lane_instructions += exec == w->all_lanes ? w->lanes : base_popcount64(exec);
    if (direct)
        return;
    if (q->kind == HALVES) {
        place_halves(w, i, d[0], exec);
        return;
    }
    amd_emu_write_vgpr(w, reg, d[0], exec);
    if (q->kind == DOUBLES)
        amd_emu_write_vgpr(w, reg + 1, d[1], exec);
}

void
amd_emu_bind_quick(emu_inst *i)
{
    const amd_inst *in = &i->in;
    if (in->ext || in->clamp || in->omod || (in->fmt != AMD_VOP3P && in->op_sel))
        return;
    for (size_t k = 0; k < sizeof quick_rows / sizeof *quick_rows; k++) {
        if (quick_rows[k].op != in->op)
            continue;
        i->quick = &quick_rows[k];
        i->general = i->run;
        i->run = run_quick;
        if (i->quick->kind != INT_PAIRS)
            i->keep = EMU_DENORM_IN_16_64 | EMU_DENORM_OUT_16_64;
        return;
    }
}
