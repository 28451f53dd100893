/* Input values: corners of each type, and random values that often hit interesting cases. */
#include "alu_frame.h"

#define COUNT(a) (unsigned)(sizeof(a) / sizeof *(a))

/* The first eight of each are the `few` values used when three sources are crossed; signs of floats
 * are then drawn separately. */
static const uint64_t f16[] = {
    0x0000, 0x8000, 0x0001, 0x03ff, 0x7bff, 0x7c00, 0x7e01, 0x3c00, /* zeros to one */
    0x7c01, 0xfc01, 0xfe00, 0xfc00, 0x0400, 0x8400, 0x0401, 0x8001, 0x83ff, 0xfbff, 0xbc00, 0x3c01,
    0x3bff, 0x3800, 0x4000, 0x4248, 0x5bff, 0x6400, 0x6401, 0x77ff, 0x7800, 0xc500, 0x3555, 0x1400,
};
static const uint64_t f32[] = {
    0x00000000, 0x80000000, 0x00000001, 0x007fffff, 0x7f7fffff, 0x7f800000, 0x7fc00001, 0x3f800000,
    0x7f800001, 0xffa00000, 0xffc00000, 0xff800000, 0x00800000, 0x80800000, 0x00800001, 0x80000001,
    0x807fffff, 0xff7fffff, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x3f000000, 0x40000000, 0x40490fdb,
    0x4b7fffff, 0x4b000001, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x33000001,
    0x38800000, 0x387fe000, 0x477fefff, 0x477ff000, 0x7e800000, 0x00400000, 0x5f7fffff, 0xcf000001,
};
static const uint64_t f64[] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x000fffffffffffff,
    0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000001, 0x3ff0000000000000,
    0x7ff0000000000001, 0xfff4000000000000, 0xfff8000000000000, 0xfff0000000000000,
    0x0010000000000000, 0x8010000000000000, 0x8000000000000001, 0x800fffffffffffff,
    0xffefffffffffffff, 0xbff0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff,
    0x3fe0000000000000, 0x4000000000000000, 0x400921fb54442d18, 0x433fffffffffffff,
    0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000, 0x41efffffffe00000,
    0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0x3810000000000000,
    0x380fffffc0000000, 0x36a0000000000000, 0x3690000000000001, 0x7fd0000000000000,
};
static const uint64_t ints[] = {
    0x0,
    0x1,
    0xffffffffffffffff,
    0x7fffffff7fff7fff,
    0x8000000080008000,
    0xff,
    0x10001,
    31,
    0x2,
    0x80,
    0x7f,
    0xffff,
    0x7fff,
    0x8000,
    0x10000,
    0xffff0000,
    0x7fffff,
    0x800000,
    0xffffff,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x100000000,
    0x7fffffffffffffff,
    0x8000000000000000,
    0x0123456789abcdef,
    32,
    63,
    64,
    0x55555555aaaaaaaa,
};

typedef struct corners {
    const uint64_t *values;
    unsigned count;
} corners;

static corners
corners_of(unsigned type)
{
    switch (type) {
    case AMD_T_F16: return (corners){f16, COUNT(f16)};
    case AMD_T_F32: return (corners){f32, COUNT(f32)};
    case AMD_T_F64: return (corners){f64, COUNT(f64)};
    default: return (corners){ints, COUNT(ints)};
    }
}

static bool
is_pair(unsigned type)
{
    return type == AMD_T_V2F16 || type == AMD_T_V2I16 || type == AMD_T_V2U16;
}

unsigned
input_corners(unsigned type, bool few)
{
    return few ? 8 : is_pair(type) ? 64 : corners_of(type).count;
}

uint64_t
input_corner(unsigned type, bool few, uint64_t index)
{
    corners c = corners_of(type);
    if (type == AMD_T_V2F32)
        return f32[index % COUNT(f32)] | f32[index * 7 % COUNT(f32)] << 32;
    if (is_pair(type)) {
        /* different corners in the halves */
        c = type == AMD_T_V2F16 ? (corners){f16, COUNT(f16)} : (corners){ints, COUNT(ints)};
        unsigned n = few ? 8 : c.count;
        return (c.values[index % n] & 0xffff) | (c.values[index * 7 % n] & 0xffff) << 16;
    }
    return c.values[index % c.count];
}

/* A float with an exponent close to that of one. */
static uint64_t
moderate(frame *f, unsigned mantissa, unsigned bits)
{
    uint64_t one = (UINT64_C(1) << (bits - 2 - mantissa)) - 1;
    uint64_t e = one - 8 + frame_random(f, 17), sign = frame_random(f, 2) << (bits - 1);
    uint64_t m = frame_bits(f) & base_mask64(mantissa);
    if (frame_random(f, 4) == 0)
        m &= ~base_mask64((unsigned)frame_random(f, mantissa + 1)); /* few significant bits cause
                                                                       ties */
    return sign | e << mantissa | m;
}

static uint64_t
small_integer(frame *f)
{
    uint64_t v = frame_random(f, 300);
    switch (frame_random(f, 4)) {
    case 0: return v;
    case 1: return UINT64_C(0) - v;
    case 2: return (UINT64_C(1) << frame_random(f, 64)) + v % 3 - 1;
    default: return frame_bits(f) >> frame_random(f, 64);
    }
}

static uint64_t
one_random(frame *f, unsigned type, const uint64_t *before, unsigned n_before)
{
    uint64_t kind = frame_random(f, 16);
    if (kind < 5)
        return input_corner(type, false, frame_random(f, 64));
    if (kind < 9)
        return frame_bits(f);
    if (kind < 11 && n_before) /* close to another source: sums cancel, quotients are near 1 */
        return before[frame_random(f, n_before)] + frame_random(f, 5) - 2;
    switch (type) {
    case AMD_T_F16: return moderate(f, 10, 16);
    case AMD_T_F32: return moderate(f, 23, 32);
    case AMD_T_F64: return moderate(f, 52, 64);
    default: return small_integer(f);
    }
}

uint64_t
input_random(frame *f, unsigned type, const uint64_t *before, unsigned n_before)
{
    if (type == AMD_T_V2F32)
        return (one_random(f, AMD_T_F32, NULL, 0) & UINT32_MAX) | one_random(f, AMD_T_F32, NULL, 0)
                                                                      << 32;
    if (is_pair(type) || (type == AMD_T_B32 && frame_random(f, 2))) {
        unsigned half = type == AMD_T_V2F16 ? AMD_T_F16 : AMD_T_I16;
        return (one_random(f, half, NULL, 0) & 0xffff) | one_random(f, half, NULL, 0) << 16;
    }
    return one_random(f, type, before, n_before);
}
