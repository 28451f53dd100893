/* Draws the values of a shader's memory: see fill.h. */
#include "fill.h"

#include "base/fp.h"

#include <math.h>
#include <string.h>

/* Integers are in [1, uniform) in uniform blocks, in [0, storage) elsewhere, where signed ones are
 * negative in `negative` of 16 cases. */
static const struct {
    uint32_t uniform, storage, negative;
    double from, to; /* floats */
} ranges[REAL_PROFILES] = {
    [REAL_UNIT] = {16, 64, 0, 0.0, 1.0},        [REAL_SIGNED] = {48, 256, 4, -4.0, 4.0},
    [REAL_SPECIAL] = {20, 100, 2, -16.0, 16.0}, [REAL_TAME] = {4, 4, 0, 0.0, 1.0},
    [REAL_ZERO] = {1, 1, 0, 0.0, 1.0},
};

uint64_t
real_next(real_draw *d)
{
    d->state += UINT64_C(0x9e3779b97f4a7c15);
    return base_hash64(d->state);
}

static double
draw_float(real_draw *d)
{
    static const double special[] = {0.0,   -0.0,     1.0,        -1.0, INFINITY, -INFINITY,
                                     1e-40, 0x1p-126, 16777217.0, 0.5,  65504.0,  -2.0};
    uint64_t n = real_next(d);
    double from = ranges[d->profile].from, to = ranges[d->profile].to;
    if (d->profile == REAL_SPECIAL && n % 8 == 0)
        return n % 64 == 0 ? NAN : special[n / 64 % (sizeof special / sizeof *special)];
    return from + (to - from) * (double)(n >> 40) * 0x1p-24;
}

static uint64_t
draw_int(real_draw *d, bool is_signed, unsigned bits)
{
    static const uint64_t special[] = {UINT64_MAX, INT64_MAX, UINT32_MAX, 0x80000000, 0xffff, 0x80};
    uint64_t n = real_next(d);
    uint32_t bound = d->uniform ? ranges[d->profile].uniform : ranges[d->profile].storage;
    uint64_t value = d->uniform ? 1 + (n >> 8) % bound : (n >> 8) % bound;
    if (d->profile == REAL_SPECIAL && !d->uniform && n % 16 == 0)
        value = special[n / 16 % (sizeof special / sizeof *special)];
    else if (is_signed && !d->uniform && n % 16 < ranges[d->profile].negative)
        value = 0 - value;
    return value & base_mask64(bits);
}

static void
put(uint8_t *at, uint64_t value, unsigned bits)
{
    for (unsigned i = 0; i < bits / 8; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

typedef struct filler {
    real_draw *draw;
    uint8_t *bytes;
    uint64_t high; /* half of an address whose lower half was drawn last */
} filler;

/* Draws an address, or half of one, if the module has addresses and the number can hold one: a
 * pointer, a 64-bit integer, a word of a pair. */
static bool
draw_address(filler *f, const real_cell *cell, uint64_t *value)
{
    bool is_pair = cell->bits == 32 && cell->lanes == 2;
    if (!f->draw->address || cell->kind == SPIRV_FLOAT || (cell->bits != 64 && !is_pair))
        return false;
    if (is_pair && cell->lane == 1) {
        *value = f->high;
        return true;
    }
    *value = f->draw->address(f->draw->user, cell->target);
    f->high = *value >> 32;
    return *value != 0;
}

static void
fill_cell(void *user, const real_cell *cell)
{
    filler *f = user;
    uint64_t value;
    if (cell->kind == SPIRV_FLOAT) {
        double x = draw_float(f->draw);
        if (cell->column >= 0 && f->draw->uniform) /* a transformation */
            x = (cell->column == cell->row ? 1.0 : 0.0) +
                (isfinite(x) ? fmod(x, 1.0) * 0.125 : 0.0);
        value = base_fp_encode(x, cell->bits, BASE_ROUND_EVEN);
    } else if (!draw_address(f, cell, &value)) {
        value = draw_int(f->draw, cell->is_signed, cell->bits);
    }
    put(f->bytes + cell->offset, value, cell->bits);
}

void
real_fill_block(real_draw *d, const spirv_type *block, uint8_t *bytes, uint64_t size)
{
    filler f = {d, bytes, 0};
    memset(bytes, 0xcd, (size_t)size);
    real_walk(block, size, fill_cell, &f);
}

void
real_fill_texels(real_draw *d, mach_format format, uint8_t *bytes, uint64_t size)
{
    const mach_format_info *info = mach_format_get(format);
    for (uint64_t at = 0; at + info->bytes <= size; at += info->bytes) {
        mach_texel texel;
        for (unsigned i = 0; i < 4; i++) {
            if (!mach_format_is_int(format))
                texel.c[i] = base_f32_bits((float)draw_float(d));
            else
                texel.c[i] = draw_int(d, info->kind == MACH_NUM_SINT, info->bits[0] > 32 ? 64 : 32);
        }
        mach_texel_write(format, bytes + at, &texel);
    }
}
