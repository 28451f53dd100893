/* BC6 and BC7: Khronos Data Format Specification 1.4, "BPTC", which requires exact results.
 *
 * A block has a mode. One of 64 patterns divides the texels into one to three subsets. A subset has
 * two end points; each texel has an index that selects a point between them, in steps of 1/64. The
 * highest index bit of a subset's anchor texel is 0 and not stored.
 */
#include "machine/block.h"

#include "base/bits.h"
#include "base/fp.h"

enum { END_POINTS = 6 };

/* The subset of texel t: bit t, and bits 2t + 1 and 2t. */
static const uint16_t patterns_2[64] = {
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80,
    0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310,
    0x3100, 0x8cce, 0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa,
    0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc,
    0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6,
    0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};
static const uint32_t patterns_3[64] = {
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
    0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
    0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
    0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
    0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};

/* Anchors of the second subset of two, and of the second and third of three. The first subset's
 * anchor is texel 0. */
static const uint8_t anchors_2[64] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2,  8, 2,  2, 8,
    8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  15, 15, 6,  8,  2,  8,  15, 15, 2, 8,  2, 2,
    2,  15, 15, 6,  6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2, 15,
};
static const uint8_t anchors_32[64] = {
    3,  3,  15, 15, 8, 3,  15, 15, 8,  8,  6, 6,  6, 5,  3, 3,  3,  3,  8,  15, 3,  3,
    6,  10, 5,  8,  8, 6,  8,  5,  15, 15, 8, 15, 3, 5,  6, 10, 8,  15, 15, 3,  15, 5,
    15, 15, 15, 15, 3, 15, 5,  5,  5,  8,  5, 10, 5, 10, 8, 13, 15, 12, 3,  3,
};
static const uint8_t anchors_33[64] = {
    15, 8, 8, 3,  15, 15, 3,  8,  15, 15, 15, 15, 15, 15, 15, 8,  15, 8,  15, 3,  15, 8,
    15, 8, 3, 15, 6,  10, 15, 15, 10, 8,  15, 3,  15, 10, 10, 8,  9,  10, 6,  15, 8,  15,
    3,  6, 6, 8,  15, 3,  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8,
};

/* Takes the next `n` bits at `*at`, lowest bit first. */
static unsigned
take(const uint8_t *block, unsigned *at, unsigned n)
{
    unsigned v = 0;
    for (unsigned k = 0; k < n; k++, ++*at)
        v |= (unsigned)(block[*at / 8] >> *at % 8 & 1) << k;
    return v;
}

static unsigned
subset_of(unsigned subsets, unsigned pattern, unsigned texel)
{
    return subsets == 1   ? 0
           : subsets == 2 ? patterns_2[pattern] >> texel & 1
                          : patterns_3[pattern] >> 2 * texel & 3;
}

/* The index of `texel`, where indices have `bits` bits and start at bit `first`. */
static unsigned
index_of(const uint8_t *block, unsigned first, unsigned bits, unsigned subsets, unsigned pattern,
         unsigned texel)
{
    unsigned anchors[3] = {0, subsets == 2 ? anchors_2[pattern] : anchors_32[pattern],
                           anchors_33[pattern]};
    unsigned at = first + bits * texel, n = bits;
    for (unsigned s = 0; s < subsets; s++) {
        at -= anchors[s] < texel;
        n -= anchors[s] == texel;
    }
    return take(block, &at, n);
}

static int
weight_of(unsigned bits, unsigned index)
{
    return (int)(bits == 2   ? index * 21 + (index >> 1)
                 : bits == 3 ? index * 9 + (index >> 2)
                             : index * 4 + (index >> 2) + (index >> 1 & 1));
}

/* Rounds down, also for negative sums. */
static int
interpolate(int a, int b, int weight)
{
    int sum = (64 - weight) * a + weight * b + 32;
    return sum >= 0 ? sum / 64 : -((63 - sum) / 64);
}

/* ---- BC7 ---- */

typedef struct bc7_mode {
    /* the number of subsets, then field sizes in bits */
    uint8_t subsets, pattern, rotation, selection;
    uint8_t color, alpha; /* bits per channel of an end point */
    /* one additional bit per end point, or per subset */
    uint8_t own_p, shared_p;
    uint8_t index, second; /* bits per index */
} bc7_mode;

static const bc7_mode bc7_modes[8] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
};

/* Reads the end points, starting at bit *at, as four channels of 8 bits. */
static void
read_end_points(const bc7_mode *m, const uint8_t *block, unsigned *at, int e[END_POINTS][4])
{
    unsigned n = 2 * m->subsets, p = m->own_p | m->shared_p;
    unsigned raw[END_POINTS][4], low[END_POINTS] = {0};
    for (unsigned c = 0; c < 4; c++)
        for (unsigned k = 0; k < n; k++)
            raw[k][c] = take(block, at, c < 3 ? m->color : m->alpha);
    for (unsigned k = 0; k < n; k++)
        low[k] = m->own_p || (m->shared_p && k % 2 == 0) ? take(block, at, 1)
                 : k % 2                                 ? low[k - 1]
                                                         : 0;
    for (unsigned k = 0; k < n; k++) {
        for (unsigned c = 0; c < 4; c++) {
            unsigned bits = (c < 3 ? m->color : m->alpha) + p;
            unsigned v = (raw[k][c] << p | low[k]) << (8 - bits);
            e[k][c] = (int)(v | v >> bits);
        }
        e[k][3] = m->alpha ? e[k][3] : 255;
    }
}

void
mach_block_bc7(const uint8_t *block, unsigned texel, double out[4])
{
    out[0] = out[1] = out[2] = out[3] = 0;
    if (block[0] == 0) /* reserved */
        return;
    unsigned mode = base_ctz32(block[0]), at = mode + 1;
    const bc7_mode *m = &bc7_modes[mode];
    unsigned pattern = take(block, &at, m->pattern), rotation = take(block, &at, m->rotation);
    bool selected = take(block, &at, m->selection);
    int e[END_POINTS][4], v[4];
    read_end_points(m, block, &at, e);
    unsigned s = 2 * subset_of(m->subsets, pattern, texel);
    int color = weight_of(m->index, index_of(block, at, m->index, m->subsets, pattern, texel));
    int alpha = color;
    if (m->second) {
        at += 16u * m->index - m->subsets;
        alpha = weight_of(m->second, index_of(block, at, m->second, m->subsets, pattern, texel));
    }
    for (unsigned c = 0; c < 4; c++)
        v[c] = interpolate(e[s][c], e[s + 1][c], (c < 3) != selected ? color : alpha);
    if (rotation) {
        int swapped = v[3];
        v[3] = v[rotation - 1];
        v[rotation - 1] = swapped;
    }
    for (unsigned c = 0; c < 4; c++)
        out[c] = v[c] / 255.0;
}

/* ---- BC6 ---- */

typedef struct bc6_mode {
    uint8_t number;
    bool two;          /* two subsets */
    bool relative;     /* the other end points are stored as differences from the first */
    uint8_t bits;      /* bits per channel of an end point */
    uint8_t others[3]; /* stored bits per channel of the other end points */
    /* The fields after the mode's number, in order: channel and end point (p: the pattern), then
     * the number of the first bit, and of the last. */
    const char *layout;
} bc6_mode;

static const bc6_mode bc6_modes[] = {
#define MODE(number, two, relative, bits, r, g, b, layout)                                         \
    {                                                                                              \
        number, two, relative, bits, {r, g, b}, layout                                             \
    }
    MODE(0, true, true, 10, 5, 5, 5,
         "g2:4 b2:4 b3:4 r0:0-9 g0:0-9 b0:0-9 r1:0-4 g3:4 g2:0-3 g1:0-4 b3:0 g3:0-3 b1:0-4 b3:1 "
         "b2:0-3 r2:0-4 b3:2 r3:0-4 b3:3 p:0-4"),
    MODE(1, true, true, 7, 6, 6, 6,
         "g2:5 g3:4 g3:5 r0:0-6 b3:0 b3:1 b2:4 g0:0-6 b2:5 b3:2 g2:4 b0:0-6 b3:3 b3:5 b3:4 r1:0-5 "
         "g2:0-3 g1:0-5 g3:0-3 b1:0-5 b2:0-3 r2:0-5 r3:0-5 p:0-4"),
    MODE(2, true, true, 11, 5, 4, 4,
         "r0:0-9 g0:0-9 b0:0-9 r1:0-4 r0:10 g2:0-3 g1:0-3 g0:10 b3:0 g3:0-3 b1:0-3 b0:10 b3:1 "
         "b2:0-3 r2:0-4 b3:2 r3:0-4 b3:3 p:0-4"),
    MODE(6, true, true, 11, 4, 5, 4,
         "r0:0-9 g0:0-9 b0:0-9 r1:0-3 r0:10 g3:4 g2:0-3 g1:0-4 g0:10 g3:0-3 b1:0-3 b0:10 b3:1 "
         "b2:0-3 r2:0-3 b3:0 b3:2 r3:0-3 g2:4 b3:3 p:0-4"),
    MODE(10, true, true, 11, 4, 4, 5,
         "r0:0-9 g0:0-9 b0:0-9 r1:0-3 r0:10 b2:4 g2:0-3 g1:0-3 g0:10 b3:0 g3:0-3 b1:0-4 b0:10 "
         "b2:0-3 r2:0-3 b3:1 b3:2 r3:0-3 b3:4 b3:3 p:0-4"),
    MODE(14, true, true, 9, 5, 5, 5,
         "r0:0-8 b2:4 g0:0-8 g2:4 b0:0-8 b3:4 r1:0-4 g3:4 g2:0-3 g1:0-4 b3:0 g3:0-3 b1:0-4 b3:1 "
         "b2:0-3 r2:0-4 b3:2 r3:0-4 b3:3 p:0-4"),
    MODE(18, true, true, 8, 6, 5, 5,
         "r0:0-7 g3:4 b2:4 g0:0-7 b3:2 g2:4 b0:0-7 b3:3 b3:4 r1:0-5 g2:0-3 g1:0-4 b3:0 g3:0-3 "
         "b1:0-4 b3:1 b2:0-3 r2:0-5 r3:0-5 p:0-4"),
    MODE(22, true, true, 8, 5, 6, 5,
         "r0:0-7 b3:0 b2:4 g0:0-7 g2:5 g2:4 b0:0-7 g3:5 b3:4 r1:0-4 g3:4 g2:0-3 g1:0-5 g3:0-3 "
         "b1:0-4 b3:1 b2:0-3 r2:0-4 b3:2 r3:0-4 b3:3 p:0-4"),
    MODE(26, true, true, 8, 5, 5, 6,
         "r0:0-7 b3:1 b2:4 g0:0-7 b2:5 g2:4 b0:0-7 b3:5 b3:4 r1:0-4 g3:4 g2:0-3 g1:0-4 b3:0 g3:0-3 "
         "b1:0-5 b2:0-3 r2:0-4 b3:2 r3:0-4 b3:3 p:0-4"),
    MODE(30, true, false, 6, 6, 6, 6,
         "r0:0-5 g3:4 b3:0 b3:1 b2:4 g0:0-5 g2:5 b2:5 b3:2 g2:4 b0:0-5 g3:5 b3:3 b3:5 b3:4 r1:0-5 "
         "g2:0-3 g1:0-5 g3:0-3 b1:0-5 b2:0-3 r2:0-5 r3:0-5 p:0-4"),
    MODE(3, false, false, 10, 10, 10, 10, "r0:0-9 g0:0-9 b0:0-9 r1:0-9 g1:0-9 b1:0-9"),
    MODE(7, false, true, 11, 9, 9, 9,
         "r0:0-9 g0:0-9 b0:0-9 r1:0-8 r0:10 g1:0-8 g0:10 b1:0-8 b0:10"),
    MODE(11, false, true, 12, 8, 8, 8,
         "r0:0-9 g0:0-9 b0:0-9 r1:0-7 r0:11-10 g1:0-7 g0:11-10 b1:0-7 b0:11-10"),
    MODE(15, false, true, 16, 4, 4, 4,
         "r0:0-9 g0:0-9 b0:0-9 r1:0-3 r0:15-10 g1:0-3 g0:15-10 b1:0-3 b0:15-10"),
#undef MODE
};

static unsigned
number_at(const char **text)
{
    unsigned v = 0;
    while (**text >= '0' && **text <= '9')
        v = v * 10 + (unsigned)(*(*text)++ - '0');
    return v;
}

/* Distributes the bits from *at on according to the layout. Returns the pattern. */
static unsigned
read_fields(const bc6_mode *m, const uint8_t *block, unsigned *at, unsigned e[4][3])
{
    unsigned pattern = 0;
    for (const char *t = m->layout; *t;) {
        unsigned *field = &pattern;
        if (*t++ != 'p') {
            unsigned c = t[-1] == 'r' ? 0 : t[-1] == 'g' ? 1 : 2;
            field = &e[number_at(&t)][c];
        }
        t++; /* skips the colon */
        unsigned first = number_at(&t), last = first;
        if (*t == '-') {
            t++;
            last = number_at(&t);
        }
        for (unsigned bit = first;; bit += first < last ? 1u : -1u) {
            *field |= take(block, at, 1) << bit;
            if (bit == last)
                break;
        }
        t += *t == ' ';
    }
    return pattern;
}

static int
sign_extend(unsigned v, unsigned bits)
{
    return (int)base_sext64(v, bits);
}

/* Expands an end point from `bits` bits to 16 (signed: 15 and the sign). */
static int
unquantize(int x, unsigned bits, bool is_signed)
{
    int magnitude = x < 0 ? -x : x, most = (1 << (is_signed ? bits - 1 : bits)) - 1;
    if (bits >= (is_signed ? 16u : 15u) || x == 0)
        return x;
    int v = magnitude >= most ? (is_signed ? 0x7fff : 0xffff)
                              : ((magnitude << 15) + 0x4000) >> (bits - 1);
    return x < 0 ? -v : v;
}

/* End point `k` of channel `c`. */
static int
end_point(const bc6_mode *m, unsigned e[4][3], unsigned k, unsigned c, bool is_signed)
{
    unsigned v = e[k][c];
    if (m->relative && k > 0)
        v = (e[0][c] + (unsigned)sign_extend(v, m->others[c])) & ((1u << m->bits) - 1);
    return unquantize(is_signed ? sign_extend(v, m->bits) : (int)v, m->bits, is_signed);
}

static const bc6_mode *
bc6_mode_of(const uint8_t *block)
{
    unsigned number = (block[0] & 3) < 2 ? block[0] & 3 : block[0] & 31;
    for (unsigned k = 0; k < sizeof bc6_modes / sizeof *bc6_modes; k++)
        if (bc6_modes[k].number == number)
            return &bc6_modes[k];
    return NULL;
}

void
mach_block_bc6(bool is_signed, const uint8_t *block, unsigned texel, double out[4])
{
    const bc6_mode *m = bc6_mode_of(block);
    out[0] = out[1] = out[2] = 0;
    if (!m) /* reserved */
        return;
    unsigned e[4][3] = {{0}}, at = m->number < 2 ? 2 : 5, bits = m->two ? 3 : 4;
    unsigned pattern = read_fields(m, block, &at, e), subsets = m->two ? 2 : 1;
    unsigned s = 2 * subset_of(subsets, pattern, texel);
    int weight = weight_of(bits, index_of(block, at, bits, subsets, pattern, texel));
    for (unsigned c = 0; c < 3; c++) {
        int v = interpolate(end_point(m, e, s, c, is_signed), end_point(m, e, s + 1, c, is_signed),
                            weight);
        unsigned half = !is_signed ? (unsigned)(v * 31) >> 6
                        : v < 0    ? (unsigned)(-v * 31) >> 5 | 0x8000u
                                   : (unsigned)(v * 31) >> 5;
        out[c] = base_f16_to_f64((uint16_t)half);
    }
}
