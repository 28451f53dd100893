/* Compares buffers number by number if the bytes differ. */
#include "compare.h"

#include "base/fp.h"
#include "layout.h"
#include "machine/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Tolerances by width (16, 32 and 64 bits): relative to the larger magnitude, and absolute, for
 * what cancellation leaves of values about 1. */
static const struct {
    double relative, absolute;
} tolerances[3] = {{0x1p-7, 0x1p-8}, {0x1p-10, 0x1p-13}, {0x1p-30, 0x1p-33}};

typedef struct comparison {
    const real_case *c;
    const real_buffer *buffer;
    const uint8_t *expected, *got;
    uint8_t *covered; /* by byte: it belongs to a number that has been compared */
    /* of real_others; NULL: not available */
    const uint8_t *undefined[REAL_UNDEFINED], *backwards, *rough[2];
    real_difference *d;
} comparison;

static uint64_t
load(const uint8_t *at, unsigned bits)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < bits / 8; i++)
        v |= (uint64_t)at[i] << 8 * i;
    return v;
}

static bool
is_near(double a, double b, unsigned bits)
{
    unsigned row = bits == 16 ? 0 : bits == 32 ? 1 : 2;
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (isinf(a) || isinf(b))
        return a == b;
    return fabs(a - b) <=
           tolerances[row].absolute + tolerances[row].relative * fmax(fabs(a), fabs(b));
}

static bool
is_open(const comparison *c, const uint8_t *other, uint64_t offset, unsigned bytes)
{
    return other && memcmp(c->expected + offset, other + offset, bytes) != 0;
}

/* Notes what differs at the offset, `bytes` wide; its first `bits` are told. */
static void
note(comparison *c, uint64_t offset, unsigned bytes, bool is_float)
{
    unsigned bits = bytes > 8 ? 64 : bytes * 8;
    uint64_t a = load(c->expected + offset, bits), b = load(c->got + offset, bits);
    real_difference *d = c->d;
    bool open = is_open(c, c->backwards, offset, bytes);
    for (unsigned k = 0; k < REAL_UNDEFINED; k++)
        open |= is_open(c, c->undefined[k], offset, bytes);
    if (open) {
        d->open++;
        return;
    }
    if (d->far++)
        return;
    int n = snprintf(d->where, sizeof d->where, "%s: byte %llu: expected 0x%0*llx, got 0x%0*llx",
                     c->buffer->amber.name, (unsigned long long)offset, (int)bits / 4,
                     (unsigned long long)a, (int)bits / 4, (unsigned long long)b);
    if (is_float)
        snprintf(d->where + n, sizeof d->where - (size_t)n, " (%.9g, %.9g)",
                 base_fp_decode(a, bits), base_fp_decode(b, bits));
}

/* Are the values within the tolerance, or as near as operations without correct rounding permit?
 * `rough` are the interpreter's values with the results of these operations off by one. */
static bool
is_near_or_rough(double a, double b, const double rough[2], unsigned bits)
{
    if (is_near(a, b, bits))
        return true;
    for (unsigned i = 0; i < 2; i++) {
        if (isnan(a) != isnan(rough[i]) || isinf(a) != isinf(rough[i]) ||
            fabs(a - b) <= REAL_ROUGH * fabs(a - rough[i]))
            return true;
    }
    return false;
}

/* The same for the encodings `a` and `b`, `offset` bytes from the buffer's start. */
static bool
are_near_patterns(const comparison *c, uint64_t a, uint64_t b, uint64_t offset, unsigned bits)
{
    double x = base_fp_decode(a, bits), rough[2] = {x, x};
    for (unsigned i = 0; i < 2; i++)
        if (c->rough[i])
            rough[i] = base_fp_decode(load(c->rough[i] + offset, bits), bits);
    return is_near_or_rough(x, base_fp_decode(b, bits), rough, bits);
}

static bool
are_near_halves(const comparison *c, uint64_t a, uint64_t b, uint64_t offset)
{
    return are_near_patterns(c, a & 0xffff, b & 0xffff, offset, 16) &&
           are_near_patterns(c, a >> 16, b >> 16, offset + 2, 16);
}

static void
compare_cell(void *user, const real_cell *cell)
{
    comparison *c = user;
    unsigned bits = cell->bits;
    uint64_t a = load(c->expected + cell->offset, bits), b = load(c->got + cell->offset, bits);
    bool is_float = cell->kind == SPIRV_FLOAT;
    memset(c->covered + cell->offset, 1, bits / 8);
    if (a == b || (is_float && base_fp_is_nan(a, bits) && base_fp_is_nan(b, bits)))
        return;
    if ((is_float && are_near_patterns(c, a, b, cell->offset, bits)) ||
        (!is_float && bits == 32 && c->c->packs_floats && are_near_halves(c, a, b, cell->offset)))
        c->d->near++;
    else
        note(c, cell->offset, bits / 8, is_float);
}

static void
compare_block(comparison *c)
{
    uint64_t size = c->buffer->amber.size;
    real_walk(c->buffer->type, size, compare_cell, c);
    for (uint64_t i = 0; i < size; i++)
        if (!c->covered[i] && c->expected[i] != c->got[i])
            note(c, i, 1, false);
}

/* The step of a fixed-point channel; 0 for others. */
static double
step_of(const mach_format_info *f)
{
    switch ((mach_numeric)f->kind) {
    case MACH_NUM_UNORM: return 1.0 / (double)base_mask64(f->bits[0]);
    case MACH_NUM_SNORM: return 1.0 / (double)base_mask64(f->bits[0] - 1u);
    default: return 0;
    }
}

/* Floats of fewer than 16 bits have mantissas of 5 or 6; a number beyond a format's range may
 * become infinite or the greatest. */
static bool
is_near_small_float(const mach_format_info *f, double x, double y)
{
    double less = fmin(fabs(x), fabs(y));
    if (f->kind != MACH_NUM_FLOAT || f->bits[0] > 16)
        return false;
    if (isinf(x) || isinf(y))
        return less >= (f->bits[0] == 16 ? 65504 : 64512);
    return f->bits[0] < 16 && fabs(x - y) <= fmax(fabs(x), fabs(y)) * 0x1p-4 + 0x1p-14;
}

static bool
is_near_texel(const comparison *c, mach_format format, uint64_t at)
{
    const mach_format_info *info = mach_format_get(format);
    mach_texel a = mach_texel_read(format, c->expected + at);
    mach_texel b = mach_texel_read(format, c->got + at), rough[2] = {a, a};
    for (unsigned i = 0; i < 2; i++)
        if (c->rough[i])
            rough[i] = mach_texel_read(format, c->rough[i] + at);
    for (unsigned i = 0; i < 4; i++) {
        double x = base_fp_decode(a.c[i], 32), y = base_fp_decode(b.c[i], 32);
        double r[2] = {base_fp_decode(rough[0].c[i], 32), base_fp_decode(rough[1].c[i], 32)};
        bool is_step = fabs(x - y) <= step_of(info) * 1.001;
        if (!is_step && !is_near_small_float(info, x, y) &&
            !is_near_or_rough(x, y, r, info->bits[0] < 32 ? 16 : 32))
            return false;
    }
    return true;
}

static void
compare_texels(comparison *c)
{
    mach_format format = mach_format_from_vk(c->buffer->amber.type->texel.vk);
    unsigned bytes = mach_format_get(format)->bytes;
    for (uint64_t at = 0; at + bytes <= c->buffer->amber.size; at += bytes) {
        if (memcmp(c->expected + at, c->got + at, bytes) == 0)
            continue;
        if (!mach_format_is_int(format) && is_near_texel(c, format, at))
            c->d->near++;
        else
            note(c, at, bytes, false);
    }
}

static const uint8_t *
bytes_of(const amber_memory *memory, size_t i)
{
    return memory ? memory[i].bytes : NULL;
}

void
real_compare(const real_case *c, const amber_memory *expected, const amber_memory *got,
             const real_others *others, real_difference *d)
{
    *d = (real_difference){0};
    for (size_t i = 0; i < c->n_buffers; i++) {
        comparison x = {.c = c,
                        .buffer = c->buffers[i],
                        .expected = expected[i].bytes,
                        .got = got[i].bytes,
                        .d = d};
        if (memcmp(x.expected, x.got, (size_t)x.buffer->amber.size) == 0)
            continue;
        arena_mark mark = arena_save(c->arena);
        x.backwards = bytes_of(others->backwards, i);
        for (unsigned k = 0; k < REAL_UNDEFINED; k++)
            x.undefined[k] = bytes_of(others->undefined[k], i);
        for (unsigned k = 0; k < 2; k++)
            x.rough[k] = bytes_of(others->rough[k], i);
        x.covered = arena_zalloc(c->arena, (size_t)x.buffer->amber.size);
        if (x.buffer->type)
            compare_block(&x);
        else
            compare_texels(&x);
        arena_release(c->arena, mark);
    }
}
