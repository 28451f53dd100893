/* Operations on doubles, on chips that have them.
 *
 * An operation takes two slots, x and y or z and w: the even one reads the high dwords of its
 * sources and the odd one the low ones, and the result is the other way around, low in the even
 * slot. MUL_64 and FMA_64 take four: x, y and z read high dwords, w low ones; the result is in x
 * and y. A comparison's mask, and a number of 32 bits, are in the even slot. (Mesa,
 * sfn_instr_alu.cpp: emit_alu_op2_64bit and those around it.) Denormals are numbers. */
#include "r600/emu/alu/compute.h"

#include "base/fp.h"

#include <math.h>
#include <string.h>

typedef enum shape {
    NOT_DOUBLE,
    PAIR,
    FOUR_SLOTS,
} shape;

static shape
shape_of(r600_op op)
{
    switch (op) {
    case R600_ADD_64:
    case R600_MIN_64:
    case R600_MAX_64:
    case R600_SETE_64:
    case R600_SETNE_64:
    case R600_SETGT_64:
    case R600_SETGE_64:
    case R600_FRACT_64:
    case R600_FLT64_TO_FLT32:
    case R600_FLT32_TO_FLT64: return PAIR;
    case R600_MUL_64:
    case R600_FMA_64: return FOUR_SLOTS;
    default: return NOT_DOUBLE;
    }
}

bool
r600_emu_is_double(r600_op op)
{
    return shape_of(op) != NOT_DOUBLE;
}

static double
make_double(uint32_t low, uint32_t high)
{
    const uint64_t bits = low | (uint64_t)high << 32;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t
bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* A mask in the even slot, which has the lower half of a result. */
static uint64_t
mask(bool is_true)
{
    return is_true ? UINT32_MAX : 0;
}

static uint64_t
compute(r600_op op, const double s[3], uint32_t first)
{
    const float single = base_bits_f32((first & 0x7f800000) ? first : first & 0x80000000);
    switch (op) {
    case R600_ADD_64: return bits_of(s[0] + s[1]);
    case R600_MUL_64: return bits_of(s[0] * s[1]);
    case R600_FMA_64: return bits_of(fma(s[0], s[1], s[2]));
    case R600_MIN_64: return bits_of(fmin(s[0], s[1]));
    case R600_MAX_64: return bits_of(fmax(s[0], s[1]));
    case R600_SETE_64: return mask(s[0] == s[1]);
    case R600_SETNE_64: return mask(s[0] != s[1]);
    case R600_SETGT_64: return mask(s[0] > s[1]);
    case R600_SETGE_64: return mask(s[0] >= s[1]);
    case R600_FRACT_64: return bits_of(s[0] - floor(s[0]));
    case R600_FLT64_TO_FLT32: return base_f64_to_f32(s[0], BASE_ROUND_EVEN);
    default: return bits_of((double)single);
    }
}

/* Slots without a register to write have the result all the same. */
static void
compute_one(const emu_wave *w, const emu_work *high, const emu_work *low, emu_work *out[2])
{
    const unsigned n = high->row->properties & R600_P_SOURCES;
    const uint64_t defined = r600_emu_defined_in(high) & r600_emu_defined_in(low);
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        double s[3] = {0};
        for (unsigned k = 0; k < n; k++)
            s[k] = make_double(low->s[k].v[lane], high->s[k].v[lane]);
        const uint64_t r = compute(high->in->op, s, high->s[0].v[lane]);
        out[0]->result.v[lane] = (uint32_t)r;
        out[1]->result.v[lane] = (uint32_t)(r >> 32);
    }
    for (unsigned i = 0; i < 2; i++) {
        out[i]->result.defined = defined;
        out[i]->has_result = true;
    }
}

static void
check(const emu_wave *w, const emu_work *k)
{
    if (k->in->f[R600_F_clamp] || k->in->f[R600_F_omod])
        r600_emu_unsupported(w, "a double that is clamped or multiplied");
}

void
r600_emu_doubles(const emu_wave *w, emu_work *four[4])
{
    for (unsigned c = 0; c < 4; c += 2) {
        emu_work *even = four[c], *odd = four[c + 1];
        const shape how = even ? shape_of(even->in->op) : NOT_DOUBLE;
        if (how == NOT_DOUBLE || !odd || odd->in->op != even->in->op)
            continue;
        check(w, even);
        if (how == PAIR) {
            compute_one(w, even, odd, (emu_work *[2]){even, odd});
            four[c] = four[c + 1] = NULL;
        } else if (!c && four[2] && four[3]) {
            compute_one(w, even, four[3], (emu_work *[2]){even, odd});
            four[2]->has_result = four[3]->has_result = true;
            four[0] = four[1] = four[2] = four[3] = NULL;
        }
    }
}
