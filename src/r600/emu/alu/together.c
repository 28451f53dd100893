/* What slots compute together: sums of products, cube coordinates, interpolation; what depends on
 * the lane's number.
 *
 * INTERP_XY and INTERP_ZW (for one component INTERP_X and INTERP_Z) evaluate a parameter's plane,
 * P0 + i * P10 + j * P20: i is what the slots y and w read, j what x and z do. Their results are
 * in two of the four slots. */
#include "r600/emu/alu/compute.h"

#include "base/bits.h"
#include "base/fp.h"
#include "r600/isa/text/text.h"

#include <math.h>

enum { FOUR = 4 };

uint64_t
r600_emu_defined_in(const emu_work *k)
{
    uint64_t defined = ~UINT64_C(0);
    for (unsigned i = 0; i < (k->row->properties & R600_P_SOURCES); i++)
        defined &= k->s[i].defined;
    return defined;
}

bool
r600_emu_is_together(r600_op op)
{
    switch (op) {
    case R600_DOT4:
    case R600_DOT4_IEEE:
    case R600_MAX4:
    case R600_CUBE:
    case R600_INTERP_XY:
    case R600_INTERP_ZW:
    case R600_INTERP_X:
    case R600_INTERP_Z:
    case R600_MBCNT_32HI_INT:
    case R600_MBCNT_32LO_ACCUM_PREV_INT:
    case R600_INTERP_LOAD_P0: return true;
    default: return r600_emu_is_double(op);
    }
}

static float
source(const emu_work *k, unsigned i, unsigned lane)
{
    const uint32_t bits = k->s[i].v[lane];
    return base_bits_f32((bits & 0x7f800000) ? bits : bits & 0x80000000);
}

/* The four slots have the same result. */
static void
compute_sum(emu_work *const four[FOUR], unsigned lane, uint32_t out[FOUR])
{
    uint32_t a[FOUR], b[FOUR];
    for (unsigned i = 0; i < FOUR; i++) {
        a[i] = four[i]->s[0].v[lane];
        b[i] = four[i]->s[1].v[lane];
    }
    for (unsigned i = 0; i < FOUR; i++)
        out[i] = r600_emu_dot(four[0]->in->op, a, b);
}

static void
compute_max(emu_work *const four[FOUR], unsigned lane, uint32_t out[FOUR])
{
    float most = source(four[0], 0, lane);
    for (unsigned i = 1; i < FOUR; i++)
        most = source(four[i], 0, lane) > most ? source(four[i], 0, lane) : most;
    for (unsigned i = 0; i < FOUR; i++)
        out[i] = base_f32_bits(most);
}

/* T, S, twice the major axis, the face. Slots x and y read z first, slot z x, slot w y. */
static void
compute_cube(emu_work *const four[FOUR], unsigned lane, uint32_t out[FOUR])
{
    const float x = source(four[2], 0, lane), y = source(four[3], 0, lane),
                z = source(four[0], 0, lane);
    const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    float t = -y, s = z < 0 ? -x : x, major = z, face = z < 0 ? 5 : 4;
    if (az < ax || az < ay) {
        const bool is_y = ay >= ax;
        t = is_y ? (y < 0 ? -z : z) : -y;
        s = is_y ? x : x < 0 ? z : -z;
        major = is_y ? y : x;
        face = is_y ? (y < 0 ? 3 : 2) : x < 0 ? 1 : 0;
    }
    out[0] = base_f32_bits(t);
    out[1] = base_f32_bits(s);
    out[2] = base_f32_bits(2 * major);
    out[3] = base_f32_bits(face);
}

typedef struct place {
    unsigned c, lane;
} place;

/* The number of the parameter that a source names. */
static uint32_t
parameter_of(const emu_work *k, unsigned i)
{
    return r600_source_fields(k->in, i)[R600_SRC_SEL] - R600_SEL_PARAM;
}

/* The value of a component for the weights of a lane, rounded once. Returns false if the parameter
 * is not defined. */
static bool
evaluate(const emu_wave *w, const emu_work *k, place at, const float ij[2], uint32_t *out)
{
    uint32_t plane[3];
    const bool defined = r600_emu_plane(w, parameter_of(k, 1), at.c, at.lane, plane);
    double x = (double)base_bits_f32(plane[0]);
    for (unsigned i = 0; i < 2; i++)
        x += (double)ij[i] * (double)base_bits_f32(plane[1 + i]);
    *out = base_f64_to_f32(x, BASE_ROUND_EVEN);
    return defined;
}

/* Returns the components that are defined, a bit each. */
static unsigned
compute_plane(const emu_wave *w, emu_work *const four[FOUR], unsigned lane, uint32_t out[FOUR])
{
    const unsigned first = four[0]->in->op == R600_INTERP_XY ? 0 : 2;
    unsigned defined = 0;
    for (unsigned i = 0; i < FOUR; i++)
        out[i] = 0;
    for (unsigned c = first; c < first + 2; c++) {
        const float ij[2] = {source(four[c | 1], 0, lane), source(four[c & 2], 0, lane)};
        defined |= (unsigned)evaluate(w, four[c], (place){c, lane}, ij, &out[c]) << c;
    }
    return defined;
}

static bool
is_plane(r600_op op)
{
    return op == R600_INTERP_XY || op == R600_INTERP_ZW;
}

static void
compute_four(const emu_wave *w, emu_work *const four[FOUR])
{
    uint64_t defined = ~UINT64_C(0);
    const r600_op op = four[0]->in->op;
    for (unsigned i = 0; i < FOUR; i++)
        defined &= r600_emu_defined_in(four[i]);
    for (unsigned i = 0; i < FOUR; i++) {
        four[i]->result.defined = is_plane(op) ? 0 : defined;
        four[i]->has_result = true;
    }
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        uint32_t out[FOUR];
        unsigned planes = 0;
        if (op == R600_CUBE)
            compute_cube(four, lane, out);
        else if (op == R600_MAX4)
            compute_max(four, lane, out);
        else if (is_plane(op))
            planes = compute_plane(w, four, lane, out);
        else
            compute_sum(four, lane, out);
        for (unsigned i = 0; i < FOUR; i++) {
            four[i]->result.v[lane] = r600_emu_modify(four[i]->in, out[i], false);
            four[i]->result.defined |= (uint64_t)(planes >> i & 1) << lane & defined;
        }
    }
}

/* INTERP_X and INTERP_Z use two slots for the result of the first one. */
static void
compute_pair(const emu_wave *w, emu_work *first, emu_work *second)
{
    const uint64_t weighted = r600_emu_defined_in(first) & r600_emu_defined_in(second);
    first->result.defined = second->result.defined = 0;
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        const float ij[2] = {source(second, 0, lane), source(first, 0, lane)};
        uint32_t bits;
        const bool defined = evaluate(w, first, (place){first->in->slot, lane}, ij, &bits);
        first->result.v[lane] = r600_emu_modify(first->in, bits, false);
        first->result.defined |= (uint64_t)defined << lane & weighted;
    }
    first->has_result = second->has_result = true;
}

static void
load_p0(const emu_wave *w, emu_work *k)
{
    const unsigned c = r600_source_fields(k->in, 0)[R600_SRC_CHAN];
    k->result.defined = 0;
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        uint32_t plane[3];
        const bool defined = r600_emu_plane(w, parameter_of(k, 0), c, lane, plane);
        k->result.v[lane] = plane[0];
        k->result.defined |= (uint64_t)defined << lane;
    }
    k->has_result = true;
}

/* The bits of lanes below in the upper or the lower half of a wave; the lower ones are added to
 * what slot `before` has computed, or to nothing without it. */
static void
count_below(const emu_wave *w, emu_work *k, const emu_work *before)
{
    const bool is_high = k->in->op == R600_MBCNT_32HI_INT;
    k->result.defined = k->s[0].defined &
                        (is_high || !before ? ~UINT64_C(0) : before->result.defined);
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        const uint64_t bits = (uint64_t)k->s[0].v[lane] << (is_high ? 32 : 0);
        const uint64_t below = bits & ((UINT64_C(1) << lane) - 1);
        k->result.v[lane] = (uint32_t)base_popcount64(below) +
                            (is_high || !before ? 0 : before->result.v[lane]);
    }
    k->has_result = true;
}

static const emu_work *
slot_before(const emu_work *work, unsigned n, unsigned slot)
{
    for (unsigned i = 0; i < n; i++)
        if (work[i].in->slot + 1u == slot)
            return &work[i];
    return NULL;
}

void
r600_emu_together(const emu_wave *w, emu_work *work, unsigned n)
{
    emu_work *four[FOUR] = {0};
    for (unsigned i = 0; i < n; i++) {
        const r600_op op = work[i].in->op;
        if (op == R600_INTERP_LOAD_P0)
            load_p0(w, &work[i]);
        else if (op == R600_MBCNT_32HI_INT || op == R600_MBCNT_32LO_ACCUM_PREV_INT)
            count_below(w, &work[i], slot_before(work, n, work[i].in->slot));
        else if (r600_emu_is_together(op) && work[i].in->slot < FOUR)
            four[work[i].in->slot] = &work[i];
    }
    r600_emu_doubles(w, four);
    for (unsigned c = 0; c < FOUR; c += 2) {
        const r600_op op = four[c] ? four[c]->in->op : R600_RAW;
        if (four[c + 1] && (op == R600_INTERP_X || op == R600_INTERP_Z)) {
            compute_pair(w, four[c], four[c + 1]);
            four[c] = NULL;
        }
    }
    if (four[0] && four[1] && four[2] && four[3])
        compute_four(w, four);
}
