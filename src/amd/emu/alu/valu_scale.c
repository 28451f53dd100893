/* Scaled conversions between floats of 4 to 8 bits and wider ones (CDNA 4 ISA, V_CVT_SCALEF32_*).
 *
 * The last source's exponent is the scale: numbers are divided by that power of two before they are
 * made narrow, and multiplied by it when they are made wide. One number, two, or 32 of a lane are
 * converted. op_sel selects the byte or the half of a register that holds less than 32 bits: bits 1
 * and 0 of a source, bits 3 and 2 of the result, whose register keeps the rest.
 *
 * Results are rounded to nearest even or by a seed, which V_PRNG_B32 changes from one number to the
 * next. What the guide leaves open is as in AMD's emulator (rocm-systems, rocjitsu): a scale whose
 * exponent is all ones is NaN, and NaN becomes 0 where the format has none.
 */
#include "amd/emu/alu/alu.h"
#include "amd/emu/alu/valu.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/num/narrow.h"

typedef enum form { FP8, BF8, FP6, BF6, FP4, F16, BF16, F32 } form;

/* PAIRS: numbers come from two sources in turn; RANDOM: the source before the scale is a seed. */
enum { PAIRS = 1, RANDOM = 2 };
enum { FP16_OVFL = 1 << 23, MOST = 32 };

typedef struct scale_op {
    uint16_t op;
    uint8_t to, from; /* form */
    uint8_t count, flags;
} scale_op;

#define ROW(name, to, from, count, flags) {AMD_V_CVT_SCALEF32_##name, to, from, count, flags},
/* Of a wide format: to the 8-bit ones, from them, and of 32 numbers. */
#define BYTES(W, pairs)                                                                            \
    ROW(PK_FP8_##W, FP8, W, 2, pairs)                                                              \
    ROW(PK_BF8_##W, BF8, W, 2, pairs)                                                              \
    ROW(SR_FP8_##W, FP8, W, 1, RANDOM)                                                             \
    ROW(SR_BF8_##W, BF8, W, 1, RANDOM)                                                             \
    ROW(PK_##W##_FP8, W, FP8, 2, 0)                                                                \
    ROW(PK_##W##_BF8, W, BF8, 2, 0)                                                                \
    ROW(PK_FP4_##W, FP4, W, 2, pairs)                                                              \
    ROW(SR_PK_FP4_##W, FP4, W, 2, RANDOM)                                                          \
    ROW(PK_##W##_FP4, W, FP4, 2, 0)                                                                \
    ROW(SR_PK32_FP6_##W, FP6, W, 32, RANDOM)                                                       \
    ROW(SR_PK32_BF6_##W, BF6, W, 32, RANDOM)                                                       \
    ROW(PK32_##W##_FP6, W, FP6, 32, 0)                                                             \
    ROW(PK32_##W##_BF6, W, BF6, 32, 0)

static const scale_op scale_ops[] = {
    /* clang-format off */
    BYTES(F32, PAIRS)
    BYTES(F16, 0)
    BYTES(BF16, 0)
    ROW(F32_FP8, F32, FP8, 1, 0)
    ROW(F32_BF8, F32, BF8, 1, 0)
    ROW(F16_FP8, F16, FP8, 1, 0)
    ROW(F16_BF8, F16, BF8, 1, 0)
    ROW(2XPK16_FP6_F32, FP6, F32, 32, PAIRS)
    ROW(2XPK16_BF6_F32, BF6, F32, 32, PAIRS)
    ROW(PK32_FP6_F16, FP6, F16, 32, 0)
    ROW(PK32_FP6_BF16, FP6, BF16, 32, 0)
    ROW(PK32_BF6_F16, BF6, F16, 32, 0)
    ROW(PK32_BF6_BF16, BF6, BF16, 32, 0)
    /* clang-format on */
};

static uint32_t
form_bits(uint32_t f)
{
    return f == F32 ? 32 : f >= F16 ? 16 : amd_emu_narrow_bits((emu_narrow)f);
}

/* The field of `bits` bits at bit `at` of a lane's registers. */
static uint32_t
get_field(const uint32_t *words, uint32_t at, uint32_t bits)
{
    uint64_t v = words[at / 32];
    if (at % 32 + bits > 32)
        v |= (uint64_t)words[at / 32 + 1] << 32;
    return (uint32_t)(v >> at % 32 & base_mask64(bits));
}

static void
put_field(uint32_t *words, uint32_t at, uint32_t bits, uint32_t v)
{
    uint64_t mask = base_mask64(bits) << at % 32, field = (uint64_t)v << at % 32;
    words[at / 32] = (words[at / 32] & ~(uint32_t)mask) | (uint32_t)field;
    if (at % 32 + bits > 32)
        words[at / 32 + 1] = (words[at / 32 + 1] & ~(uint32_t)(mask >> 32)) |
                             (uint32_t)(field >> 32);
}

static float
widen(uint32_t f, uint32_t v)
{
    switch (f) {
    case F32: return base_bits_f32(v);
    case F16: return amd_emu_from_half(v);
    case BF16: return base_bits_f32(v << 16);
    default: return amd_emu_from_narrow((emu_narrow)f, v);
    }
}

/* A wide result. The product of a narrow number and a power of two is exact in binary64. */
static uint32_t
make_wide(uint32_t f, double v)
{
    switch (f) {
    case F32: return base_f32_bits((float)v);
    case F16: return amd_emu_to_half(v, EMU_RNE);
    default: return amd_emu_to_bf16(v);
    }
}

static uint32_t
next_random(uint32_t v)
{
    return v << 1 ^ (v >> 31 ? 197u : 0);
}

/* neg and abs of a float, or of both halves of a pair. */
static uint32_t
modified(const amd_inst *in, uint32_t f, uint32_t s, uint32_t v)
{
    uint32_t sign = f == F32 ? 0x80000000 : 0x80008000;
    if (f < F16)
        return v;
    v &= in->abs >> s & 1 ? ~sign : UINT32_MAX;
    return v ^ (in->neg >> s & 1 ? sign : 0);
}

/* The bit at which numbers of `bits` bits in all begin in the first register: op_sel selects it. */
static uint32_t
first_bit(uint32_t select, uint32_t bits)
{
    return bits == 16 ? (select & 1) * 16 : bits == 8 ? (select & 3) * 8 : 0;
}

/* The registers of source `s`, one row each. */
static void
fetch(emu_wave *w, const emu_inst *i, uint32_t s, uint32_t dwords, emu_row *rows)
{
    const scale_op *o = i->op;
    emu_type t = o->from == F16 ? EMU_T_V2 : o->from == BF16 ? EMU_T_VB : EMU_T_U32;
    for (uint32_t k = 0; k < dwords; k++) {
        emu_row room;
        const uint32_t *u = amd_emu_source_row(w, i, i->in.src[s], t, k, &room);
        for (uint32_t l = 0; l < w->lanes; l++)
            rows[k].u[l] = modified(&i->in, o->from, s, u[l]);
    }
}

/* What one lane converts: its sources' registers, the scale and the seed. */
typedef struct lane_in {
    uint32_t words[2][MOST + 1];
    uint32_t seed;
    int scale; /* exponent; NO_SCALE: NaN */
} lane_in;
enum { NO_SCALE = 128 };

static void
convert_lane(const emu_wave *w, const emu_inst *i, lane_in *in, uint32_t *out)
{
    const scale_op *o = i->op;
    bool pairs = o->flags & PAIRS;
    uint32_t from = form_bits(o->from), to = form_bits(o->to), op_sel = i->in.op_sel;
    uint32_t source = pairs ? 0 : first_bit(op_sel, from * o->count);
    uint32_t result = to * o->count == 16 ? (op_sel >> 3 & 1) * 16
                                          : first_bit(op_sel >> 2, to * o->count);
    for (uint32_t n = 0; n < o->count; n++) {
        uint32_t at = source + from * (pairs ? n / 2 : n);
        double v = (double)widen(o->from, get_field(in->words[pairs ? n & 1 : 0], at, from));
        bool wide = o->to >= F16;
        v = in->scale == NO_SCALE ? (double)NAN : ldexp(v, wide ? in->scale : -in->scale);
        emu_rounding how = {o->flags & RANDOM, w->mode & FP16_OVFL, in->seed};
        put_field(out, result + to * n, to,
                  wide ? make_wide(o->to, v) : amd_emu_to_narrow((emu_narrow)o->to, (float)v, how));
        in->seed = next_random(in->seed);
    }
}

static void
run_scale(emu_wave *w, const emu_inst *i)
{
    const scale_op *o = i->op;
    uint32_t sources = o->flags & PAIRS ? 2 : 1, dst = i->in.dst[0] - AMD_REG_VGPR0;
    uint32_t in_dwords = (form_bits(o->from) * o->count / sources + 31) / 32;
    uint32_t out_dwords = (form_bits(o->to) * o->count + 31) / 32;
    uint64_t exec = amd_emu_exec(w);
    arena_mark mark = arena_save(w->m->arena);
    emu_row *rows = ARENA_ARRAY(w->m->arena, sources * in_dwords, emu_row);
    uint32_t(*out)[EMU_LANES] = arena_zalloc(w->m->arena, out_dwords * sizeof *out);
    emu_row seeds, scales;
    const uint32_t *scale = amd_emu_source_row(w, i, i->in.src[i->in.n_src - 1], EMU_T_F32, 0,
                                               &scales);
    const uint32_t *seed = amd_emu_source_row(w, i, i->in.src[i->in.n_src - 2], EMU_T_U32, 0,
                                              &seeds);
    for (uint32_t s = 0; s < sources; s++)
        fetch(w, i, s, in_dwords, &rows[s * in_dwords]);
    for (uint32_t l = 0; l < w->lanes; l++) {
        uint32_t exponent = scale[l] >> 23 & 255, words[MOST + 1];
        lane_in in = {.seed = seed[l], .scale = exponent == 255 ? NO_SCALE : (int)exponent - 127};
        for (uint32_t k = 0; k < sources * in_dwords; k++)
            in.words[k / in_dwords][k % in_dwords] = rows[k].u[l];
        for (uint32_t k = 0; k < out_dwords; k++)
            words[k] = w->vgpr[dst + k][l];
        convert_lane(w, i, &in, words);
        for (uint32_t k = 0; k < out_dwords; k++)
            out[k][l] = words[k];
    }
    for (uint32_t k = 0; k < out_dwords; k++)
        amd_emu_write_vgpr(w, dst + k, out[k], exec);
    w->lane_instructions += base_popcount64(exec);
    arena_release(w->m->arena, mark);
}

uint32_t
amd_emu_scale_bits(const emu_inst *i)
{
    const scale_op *o = i->op;
    return i->run == run_scale ? form_bits(o->to) * o->count : 0;
}

bool
amd_emu_bind_scale(emu_inst *i)
{
    for (size_t r = 0; r < sizeof scale_ops / sizeof *scale_ops; r++) {
        if (scale_ops[r].op == i->in.op) {
            i->op = &scale_ops[r];
            i->run = run_scale;
            return true;
        }
    }
    return false;
}
