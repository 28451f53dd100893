/* Every value of a T#'s format field, on every generation: either image_load returns what the
 * test's own reference computes from the bytes, or the run ends with a message that gives the
 * number and the name of the unsupported format. The table lists the names in IMG_DATA_FORMAT and
 * IMG_FMT (ROCr, Linux, PAL), from the highest bit down. */
#include "emu_format_env.h"
#include "emu_image_env.h"

#include "amd/emu/desc/hwformat.h"
#include "amd/emu/num/float.h"

#include <math.h>

/* kinds: a letter a number, in the order of the unified numbers: U UNORM, S SNORM, X USCALED,
 * Y SSCALED, u UINT, s SINT, f FLOAT, r SRGB, c clamped, 6 and 7 the 10-bit floats. 0 as a number:
 * the generation has none. */
static const struct row {
    const char *name, *kinds;
    uint16_t gfx10, gfx11; /* the first */
    uint8_t data;          /* data format of gfx6 to gfx9 */
} rows[] = {
    {"8", "USXYus", 1, 1, 1},
    {"16", "USXYusf", 7, 7, 2},
    {"8_8", "USXYus", 14, 14, 3},
    {"32", "usf", 20, 20, 4},
    {"16_16", "USXYusf", 23, 23, 5},
    {"10_11_11", "USXYus", 30, 0, 6},
    {"10_11_11", "f", 36, 30, 6},
    {"11_11_10", "USXYus", 37, 0, 7},
    {"11_11_10", "f", 43, 31, 7},
    {"10_10_10_2", "US", 44, 32, 8},
    {"10_10_10_2", "XY", 46, 0, 8},
    {"10_10_10_2", "us", 48, 34, 8},
    {"2_10_10_10", "USXYus", 50, 36, 9},
    {"8_8_8_8", "USXYus", 56, 42, 10},
    {"32_32", "usf", 62, 48, 11},
    {"16_16_16_16", "USXYusf", 65, 51, 12},
    {"32_32_32", "usf", 72, 58, 13},
    {"32_32_32_32", "usf", 75, 61, 14},
    {"8", "r", 128, 64, 1},
    {"8_8", "r", 129, 65, 3},
    {"8_8_8_8", "r", 130, 66, 10},
    {"5_9_9_9", "f", 132, 67, 34},
    {"5_6_5", "U", 133, 68, 16},
    {"1_5_5_5", "U", 134, 69, 17},
    {"5_5_5_1", "U", 135, 70, 18},
    {"4_4_4_4", "U", 136, 71, 19},
    {"4_4", "U", 137, 72, 57},
    {"32", "c", 140, 75, 0},
    {"2_10_10_10", "6", 131, 227, 0},
    {"2_10_10_10", "7", 0, 228, 0},
    {"8_24", "Uu", 141, 76, 20},
    {"24_8", "Uu", 143, 78, 21},
    {"X24_8_32", "u", 145, 80, 22},
    {"X32_32", "f", 146, 81, 22}, /* X24_8_32 without what nobody has described */
    {"GB_GR", "USur", 147, 82, 32},
    {"BG_RG", "USur", 151, 86, 33},
    {"BC1", "Ur", 169, 109, 35},
    {"BC2", "Ur", 171, 111, 36},
    {"BC3", "Ur", 173, 113, 37},
    {"BC4", "US", 175, 115, 38},
    {"BC5", "US", 177, 117, 39},
    {"BC6", "US", 179, 119, 40}, /* unsigned and signed floats */
    {"BC7", "Ur", 181, 121, 41},
};
enum { N_ROWS = sizeof rows / sizeof *rows, WIDTH = 8, HEIGHT = 8, FIRST_FMASK = 156 };

static bool
is_block(const struct row *r)
{
    return r->name[0] == 'B' || r->name[0] == 'G';
}

/* The row of a number in the field, and the index of its kind; NULL if there is none. */
static const struct row *
find_row(amd_gen gen, uint32_t raw, char *kind)
{
    static const char nums[] = "USXYus-f-r------";
    for (unsigned k = 0; k < N_ROWS; k++) {
        const struct row *r = &rows[k];
        uint32_t first = gen < AMD_GFX11 ? r->gfx10 : r->gfx11;
        if (gen < AMD_GFX10) {
            *kind = nums[raw >> 6];
            if (r->data && r->data == (raw & 63) && strchr(r->kinds, *kind))
                return r;
        } else if (first && raw >= first && raw < first + strlen(r->kinds)) {
            *kind = r->kinds[raw - first];
            return r;
        }
    }
    return NULL;
}

/* Sizes of the channels from the lowest bit up; X: not a channel. */
static uint32_t
channels_of(const struct row *r, uint32_t bits[4], uint32_t *total)
{
    uint32_t all[4], n = 0, shown = 0;
    bool skip[4];
    *total = 0;
    for (const char *p = r->name; *p; p += *p == '_') {
        skip[n] = *p == 'X';
        all[n++] = (uint32_t)strtoul(p + (*p == 'X'), (char **)&p, 10);
        *total += all[n - 1];
    }
    while (n-- > 0)
        if (!skip[n])
            bits[shown++] = all[n];
    return shown;
}

static double
from_srgb(double v)
{
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* A number of `n` bits as in a register. */
static uint32_t
number(char kind, uint32_t v, uint32_t n, bool alpha)
{
    double most = ldexp(1, (int)n) - 1, d = 0;
    switch (kind) {
    case 'r': d = alpha ? v / most : from_srgb(v / most); break;
    case '6':
    case '7': {
        uint32_t fraction = (uint32_t)kind - '0', exponent = v >> fraction;
        int bias = kind == '6' ? 7 : 3;
        d = (double)(v % (1u << fraction)) / (1u << fraction);
        d = alpha ? v / most : ldexp(exponent ? 1 + d : d, (exponent ? (int)exponent : 1) - bias);
        break;
    }
    case 'c': d = base_bits_f32(v); return base_f32_bits((float)(d > 0 ? d < 1 ? d : 1 : 0));
    default: return plain_number(kind, v, n);
    }
    return base_f32_bits((float)d);
}

static void
plain_texel(const struct row *r, char kind, const uint8_t *p, uint32_t out[4])
{
    uint32_t bits[4], total, n = channels_of(r, bits, &total), at = 0;
    for (uint32_t c = 0; c < n; at += bits[c++])
        out[c] = number(kind, field_at(p, at, bits[c]), bits[c], c == 3);
    if (!strcmp(r->name, "5_9_9_9"))
        for (uint32_t c = 0; c < 3; c++)
            out[c] = base_f32_bits(
                (float)ldexp(field_at(p, 9 * c, 9), (int)field_at(p, 27, 5) - 24));
}

/* ---- blocks, from the specification's tables ---- */

static uint32_t
field(uint32_t v, uint32_t at, uint32_t bits)
{
    return v >> at & ((1u << bits) - 1);
}

/* The colour of S3TC, in real numbers. */
static void
s3tc(const uint8_t *p, uint32_t texel, bool always_four, double out[4])
{
    uint32_t c[2] = {field_at(p, 0, 16), field_at(p, 16, 16)},
             code = field_at(p, 32 + 2 * texel, 2);
    static const uint32_t at[3] = {11, 5, 0}, bits[3] = {5, 6, 5};
    bool four = always_four || c[0] > c[1];
    static const double weight[2][4] = {{0, 1, 0.5, 0}, {0, 1, 1 / 3.0, 2 / 3.0}};
    for (uint32_t k = 0; k < 3; k++) {
        double most = (1 << bits[k]) - 1, a = field(c[0], at[k], bits[k]) / most,
               b = field(c[1], at[k], bits[k]) / most, w = weight[four][code];
        out[k] = !four && code == 3 ? 0 : (1 - w) * a + w * b;
    }
    out[3] = !four && code == 3 ? 0 : 1;
}

static double
rgtc(const uint8_t *p, uint32_t texel, bool is_signed)
{
    static const double eight[8] = {0, 1, 1 / 7.0, 2 / 7.0, 3 / 7.0, 4 / 7.0, 5 / 7.0, 6 / 7.0},
                        six[6] = {0, 1, 0.2, 0.4, 0.6, 0.8};
    uint32_t code = field_at(p, 16 + 3 * texel, 3);
    int e[2] = {is_signed ? (int8_t)p[0] : p[0], is_signed ? (int8_t)p[1] : p[1]};
    double v[2];
    for (uint32_t k = 0; k < 2; k++)
        v[k] = fmax(e[k] / (is_signed ? 127.0 : 255.0), -1);
    if (e[0] <= e[1] && code > 5)
        return code == 7 ? 1 : is_signed ? -1 : 0;
    double w = e[0] > e[1] ? eight[code] : six[code];
    return (1 - w) * v[0] + w * v[1];
}

/* Texel (x, y) of the block at `p`; returns the number of channels, and the tolerance for AMD's
 * colours. BC6 and BC7 are decoded by the machine layer: test_bptc compares it with another
 * decoder. */
static uint32_t
block_texel(const struct row *r, char kind, const uint8_t *p, uint32_t x, uint32_t y,
            uint32_t out[4], double *tolerance)
{
    uint32_t texel = 4 * (y % 4) + x % 4, n = r->name[2] <= '3' ? 4 : r->name[2] - '3';
    double v[4] = {0, 0, 0, 0};
    *tolerance = r->name[2] <= '3' ? (kind == 'r' ? 4.6 : 2) / 255 : 1e-6;
    switch (r->name[2]) {
    case '1': s3tc(p, texel, false, v); break;
    case '2':
    case '3':
        s3tc(p + 8, texel, true, v);
        v[3] = r->name[2] == '2' ? field_at(p, 4 * texel, 4) / 15.0 : rgtc(p, texel, false);
        break;
    case '5': v[1] = rgtc(p + 8, texel, kind == 'S'); /* fall through */
    case '4': v[0] = rgtc(p, texel, kind == 'S'); break;
    case '_': {
        uint32_t odd = x % 2, xyzy = r->name[0] == 'G';
        const uint8_t raw[3] = {p[!xyzy], p[2 * odd + xyzy], p[2 + !xyzy]};
        for (uint32_t c = 0; c < 3; c++)
            out[c] = number(kind, raw[c], 8, false);
        return 3;
    }
    default: {
        mach_format f = kind == 'r'         ? MACH_FORMAT_bc7_srgb_block
                        : r->name[2] == '7' ? MACH_FORMAT_bc7_unorm_block
                        : kind == 'S'       ? MACH_FORMAT_bc6h_sfloat_block
                                            : MACH_FORMAT_bc6h_ufloat_block;
        mach_texel t = mach_texel_read_at(f, p, x, y);
        for (uint32_t c = 0; c < 4; c++)
            out[c] = (uint32_t)t.c[c];
        return r->name[2] == '7' ? 4 : 3;
    }
    }
    for (uint32_t c = 0; c < n; c++)
        out[c] = base_f32_bits((float)(kind == 'r' && c < 3 ? from_srgb(v[c]) : v[c]));
    return n;
}

static bool
close_to(char kind, uint32_t got, uint32_t want, double tolerance)
{
    float a = base_bits_f32(got), b = base_bits_f32(want);
    if (kind == 'u' || kind == 's' || got == want || (isnan(a) && isnan(b)))
        return got == want || (kind != 'u' && kind != 's');
    return fabs((double)a - b) <= fmax(tolerance, 1.2e-7 * fabs((double)b));
}

/* ---- the walk ---- */

static uint32_t
field_of(amd_gen gen, const uint32_t words[8])
{
    return gen < AMD_GFX10   ? words[1] >> 20 & 0x3ff
           : gen < AMD_GFX11 ? words[1] >> 20 & 0x1ff
           : gen < AMD_GFX12 ? words[1] >> 20 & 0xff
                             : words[1] >> 17 & 0xff;
}

static void
set_field(amd_gen gen, uint32_t words[8], uint32_t raw)
{
    uint32_t shift = gen < AMD_GFX12 ? 20 : 17, mask = gen < AMD_GFX10   ? 0x3ff
                                                       : gen < AMD_GFX11 ? 0x1ff
                                                                         : 0xff;
    words[1] = (words[1] & ~(mask << shift)) | raw << shift;
}

/* The T# of an image of random bytes in format `raw`, in s[8:15]. */
static void
show(setting *s, mach_region *r, const struct row *row, uint32_t raw, uint32_t n)
{
    uint32_t unified = amd_format_of_image(s->gen, raw), sel[4];
    amd_image_desc d;
    for (uint32_t c = 0; c < 4; c++)
        sel[c] = c < n ? AMD_SEL_X + c : c == 3 ? AMD_SEL_1 : AMD_SEL_0;
    s->m = (mach_image){.dim = MACH_DIM_2D,
                        .width = WIDTH,
                        .height = HEIGHT,
                        .depth = 1,
                        .layers = 1,
                        .levels = 1,
                        .samples = 1};
    s->m.format = amd_format_to_mach(unified, sel, s->m.swizzle);
    if (!s->m.format)
        fail_msg("gen %u: %s (%u) has no format", (unsigned)s->gen, row->name, raw);
    s->m.size = amd_image_layout(s->gen, &s->m);
    assert_in_range(s->m.size, 1, r->size);
    s->m.data = r->host;
    assert_true(amd_image_from_mach(s->gen, &s->m, r->base, &d));
    amd_image_encode(s->gen, &d, s->e->w.sgpr + 8);
    set_field(s->gen, s->e->w.sgpr + 8, raw);
}

static void
check_format(setting *s, mach_region *r, const struct row *row, char kind, uint32_t raw)
{
    uint32_t want[4], bits[4], total = 0, ignored[4];
    double tolerance = 0;
    uint32_t n = is_block(row) ? block_texel(row, kind, r->host, 0, 0, ignored, &tolerance)
                               : channels_of(row, bits, &total);
    if (!strcmp(row->name, "5_9_9_9"))
        n = 3;
    show(s, r, row, raw, n);
    run_op(s, "image_load", 15, 4, 2, false, "");
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t x = l % WIDTH, y = l / WIDTH;
        const uint8_t *p = s->m.data + mach_texel_offset(&s->m, x, y, 0, 0, 0);
        want[0] = want[1] = want[2] = 0;
        want[3] = strchr("us", kind) ? 1 : 0x3f800000;
        if (is_block(row))
            block_texel(row, kind, p, x, y, want, &tolerance);
        else
            plain_texel(row, kind, p, want);
        if (n < 4)
            want[3] = strchr("us", kind) ? 1 : 0x3f800000;
        for (uint32_t c = 0; c < 4; c++)
            if (!close_to(kind, s->e->w.vgpr[c][l], want[c], tolerance))
                fail_msg("gen %u, %s %c (%u), texel %u %u, channel %u: %08x, not %08x",
                         (unsigned)s->gen, row->name, kind, raw, x, y, c, s->e->w.vgpr[c][l],
                         want[c]);
    }
}

static void
test_formats(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        amd_gen gen = targets[t].gen;
        setting s = {.e = emu_env_new(LANES), .gen = gen, .dim = 1};
        mach_region *r = mach_memory_alloc(&s.e->memory, MACH_HEAP_LOW, 65536, 256, "image");
        uint32_t end = gen < AMD_GFX10 ? 1024 : gen < AMD_GFX11 ? 512 : 256, built = 0;
        s.e->d.gen = gen;
        for (uint32_t k = 0; k < r->size; k++)
            r->host[k] = (uint8_t)base_hash64(k + 1);
        for (uint32_t l = 0; l < LANES; l++) {
            address(&s, 0)[l] = l % WIDTH;
            address(&s, 1)[l] = l / WIDTH;
        }
        for (uint32_t raw = 0; raw < end; raw++) {
            char kind = 0;
            const struct row *row = find_row(gen, raw, &kind);
            uint32_t unified = amd_format_of_image(gen, raw);
            bool fmask = unified >= FIRST_FMASK && unified < FIRST_FMASK + 13;
            bool invalid = gen < AMD_GFX10 ? (raw & 63) == 0 : raw == 0;
            if ((row || fmask || invalid) == !!(unified & AMD_FORMAT_UNKNOWN))
                fail_msg("gen %u: number %u is %u", (unsigned)gen, raw, unified);
            built += row != NULL;
            if (row)
                check_format(&s, r, row, kind, raw);
        }
        assert_int_equal(built, gen < AMD_GFX10 ? 114 : gen < AMD_GFX11 ? 116 : 103);
        emu_env_free(s.e);
    }
}

/* ---- unsupported ---- */

static const mach_image small = {.format = MACH_FORMAT_r8g8b8a8_unorm,
                                 .dim = MACH_DIM_2D,
                                 .width = 4,
                                 .height = 4,
                                 .depth = 1,
                                 .layers = 1,
                                 .levels = 1,
                                 .samples = 1};

/* The run of `op` on the T# in s[8:15] must end with `name` in its message. */
static void
expect_unbuilt(setting *s, const char *op, const char *name)
{
    amd_emu_dispatch d = {.gen = s->gen,
                          .wave_size = 64,
                          .n_user_sgprs = 16,
                          .group_size = {1, 1, 1},
                          .grid_groups = {1, 1, 1}};
    mach_report report;
    memcpy(d.user_sgprs + 8, s->e->w.sgpr + 8, 32);
    const char *how = s->gen >= AMD_GFX12   ? "[v0, v0], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D"
                      : s->gen >= AMD_GFX10 ? "v[0:1], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm"
                                            : "v[0:1], s[8:15] dmask:0x1 unorm";
    const char *text = arena_printf(&s->e->a, "%s v0, %s\ns_endpgm\n", op, how);
    d.entry = emu_assemble_for(s->gen, &s->e->a, &s->e->memory, 64, text)->base;
    assert_false(amd_emu_run(&d, &s->e->memory, &s->e->a, &report));
    assert_int_equal(report.status, MACH_RUN_UNSUPPORTED);
    if (!strstr(report.findings[0].message, name))
        fail_msg("gen %u, %s: %s", (unsigned)s->gen, name, report.findings[0].message);
}

static void
test_named(void **state)
{
    static const struct {
        amd_gen gen;
        uint32_t raw;
        const char *name;
    } cases[] = {
        {AMD_GFX6, 59, "1 bit"},
        {AMD_GFX7, 61, "32_AS_8"},
        {AMD_GFX8, 24, "ETC2"},
        {AMD_GFX9, 46, "ASTC"},
        {AMD_GFX9, 10 | 6 << 6, "number format"},
        {AMD_GFX9, 52, "N_IN_16"},
        {AMD_GFX6, 15, "reserved"},
        {AMD_GFX9, 31, "6E4"},
        {AMD_GFX10, 138, "1_UNORM"},
        {AMD_GFX10, 190, "ETC2"},
        {AMD_GFX10_3, 200, "ASTC"},
        {AMD_GFX10_3, 270, "multimedia"},
        {AMD_GFX11, 74, "1_UNORM"},
        {AMD_GFX11_5, 90, "multimedia"},
        {AMD_GFX12, 205, "YCBCR"},
        {AMD_GFX12, 229, "reserved"},
        {AMD_GFX12, 100, "reserved"},
    };
    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        setting s = set_up(cases[k].gen, &small);
        set_field(s.gen, s.e->w.sgpr + 8, cases[k].raw);
        assert_int_equal(field_of(s.gen, s.e->w.sgpr + 8), cases[k].raw);
        expect_unbuilt(&s, "image_load", cases[k].name);
        emu_env_free(s.e);
    }
}

/* Compressed blocks can only be read. */
static void
test_no_stores_to_blocks(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        amd_gen gen = targets[t].gen;
        setting s = set_up(gen, &small);
        set_field(gen, s.e->w.sgpr + 8,
                  gen < AMD_GFX10   ? 37
                  : gen < AMD_GFX11 ? 173
                                    : 113); /* BC3 */
        expect_unbuilt(&s, "image_store", "bc3_unorm_block");
        emu_env_free(s.e);
    }
}

/* ---- FMASK ---- */

/* The FMASK in memory if sample s has fragment s as far as there are fragments: PAL's "packed
 * expanded" values. */
static void
test_fmask(void **state)
{
    static const struct {
        uint32_t samples, fragments;
        uint64_t packed;
    } cases[13] = {
        {2, 1, 0x02},
        {4, 1, 0x0e},
        {8, 1, 0xfe},
        {2, 2, 0x02},
        {4, 2, 0xa4},
        {4, 4, 0xe4},
        {16, 1, 0xfffe},
        {8, 2, 0xaaa4},
        {16, 2, 0xaaaaaaa4},
        {8, 4, 0x44443210},
        {8, 8, 0x76543210},
        {16, 4, UINT64_C(0x4444444444443210)},
        {16, 8, UINT64_C(0x8888888876543210)},
    };
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        amd_gen gen = targets[t].gen;
        setting s = {.e = emu_env_new(LANES), .gen = gen, .dim = 1};
        mach_region *r = mach_memory_alloc(&s.e->memory, MACH_HEAP_LOW, 65536, 256, "image");
        s.e->d.gen = gen;
        for (uint32_t k = 0; gen < AMD_GFX11 && k < 13; k++) {
            uint32_t raw = gen <= AMD_GFX8   ? (44 + k) | 4 << 6
                           : gen < AMD_GFX10 ? 45 | k << 6
                                             : FIRST_FMASK + k;
            uint64_t want = 0;
            show(&s, r, &rows[0], raw, 2);
            memset(r->host, 0xff, r->size);
            memcpy(r->host + mach_texel_offset(&s.m, 3, 2, 0, 0, 0), &cases[k].packed,
                   mach_format_get(s.m.format)->bytes);
            for (uint32_t n = 0; n < cases[k].samples; n++)
                want |= (uint64_t)(n < cases[k].fragments ? n : 8) << 4 * n;
            emu_set_all(s.e, ADDRESS, 3);
            emu_set_all(s.e, ADDRESS + 1, 2);
            run_op(&s, "image_load", 3, 2, 2, false, "");
            assert_int_equal(s.e->w.vgpr[0][9], (uint32_t)want);
            assert_int_equal(s.e->w.vgpr[1][9], (uint32_t)(want >> 32));
        }
        emu_env_free(s.e);
    }
}

/* A shader reads a sample by loading the fragment that FMASK gives for it. Here sample s of four
 * has fragment 3 - s. */
static void
test_sample_by_fmask(void **state)
{
    static const mach_image like = {.format = MACH_FORMAT_r8g8b8a8_unorm,
                                    .dim = MACH_DIM_2D,
                                    .width = WIDTH,
                                    .height = HEIGHT,
                                    .depth = 1,
                                    .layers = 1,
                                    .levels = 1,
                                    .samples = 4};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS && targets[t].gen < AMD_GFX11; t++) {
        amd_gen gen = targets[t].gen;
        setting s = set_up(gen, &like), mask = {.e = s.e, .gen = gen, .dim = 1};
        mach_region *r = mach_memory_alloc(&s.e->memory, MACH_HEAP_LOW, 65536, 256, "fmask");
        uint32_t color[8], raw = gen <= AMD_GFX8   ? 49 | 4 << 6
                                 : gen < AMD_GFX10 ? 45 | 5 << 6
                                                   : FIRST_FMASK + 5;
        memcpy(color, s.e->w.sgpr + 8, sizeof color);
        show(&mask, r, &rows[0], raw, 1);
        memset(r->host, 0x1b, r->size);
        for (uint32_t l = 0; l < LANES; l++) {
            address(&s, 0)[l] = l % WIDTH;
            address(&s, 1)[l] = l / WIDTH;
            address(&s, 4)[l] = l % 4 * 4;
        }
        run_op(&mask, "image_load", 1, 1, 2, false, "");
        emu_run_text(s.e, "v_bfe_u32 v18, v0, v20, 3");
        memcpy(s.e->w.sgpr + 8, color, sizeof color);
        run_op(&s, "image_load", 2, 1, 3, false, "");
        for (uint32_t l = 0; l < LANES; l++)
            assert_int_equal(s.e->w.vgpr[0][l],
                             unorm_bits(channel(0, l % WIDTH, l / WIDTH, 0, 3 - l % 4, 1)));
        emu_env_free(s.e);
    }
}

/* ---- block compression ---- */

/* Block `k` of a fixed sequence. */
static void
random_block(unsigned k, uint8_t b[16])
{
    for (unsigned h = 0; h < 2; h++) {
        uint64_t x = UINT64_C(0x9e3779b97f4a7c15) * (2 * k + h + 1);
        x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
        x ^= x >> 31;
        memcpy(b + 8 * h, &x, 8);
    }
}

/* 2048 random blocks of each kind, for BC7 of each mode. The digests are of the texels that Mesa's
 * lavapipe fetches from images of these blocks. */
static void
test_bptc(void **state)
{
    static const struct {
        mach_format format;
        uint64_t digest;
    } cases[] = {
        {MACH_FORMAT_bc6h_ufloat_block, UINT64_C(0x7e9a8615879fe325)},
        {MACH_FORMAT_bc6h_sfloat_block, UINT64_C(0x1d0151423560e325)},
        {MACH_FORMAT_bc7_unorm_block, UINT64_C(0x7234ff178f2c6021)},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t h = UINT64_C(0xcbf29ce484222325);
        bool bc7 = cases[i].format == MACH_FORMAT_bc7_unorm_block;
        for (unsigned k = 0; k < 2048 * 16; k++) {
            uint8_t b[16];
            random_block(k / 16, b);
            if (bc7)
                b[0] = (uint8_t)((b[0] | 1) << (k / 16 % 8));
            mach_texel t = mach_texel_read_at(cases[i].format, b, k % 4, k / 4);
            for (unsigned c = 0; c < 4; c++) {
                uint32_t v = (uint32_t)t.c[c];
                v = bc7 ? (uint32_t)lroundf(base_bits_f32(v) * 255) : v;
                h = (h ^ v) * UINT64_C(0x100000001b3);
            }
        }
        assert_true(h == cases[i].digest);
    }
}

/* AMD's rounding of BC1's colours between the end points. */
static void
test_bc1_rounding(void **state)
{
    static const struct {
        uint16_t c0, c1;
        uint32_t code, red;
    } cases[] = {
        {31 << 11, 0, 2, 171}, {31 << 11, 0, 3, 84},         {0, 31 << 11, 2, 128},
        {16 << 11, 0, 0, 132}, {31 << 11, 16 << 11, 2, 215},
    };
    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint8_t b[8] = {(uint8_t)cases[k].c0, (uint8_t)(cases[k].c0 >> 8), (uint8_t)cases[k].c1,
                        (uint8_t)(cases[k].c1 >> 8), (uint8_t)cases[k].code};
        mach_texel t = mach_texel_read(MACH_FORMAT_bc1_rgba_unorm_block, b);
        assert_int_equal(t.c[0], unorm_bits(cases[k].red));
        assert_int_equal(t.c[3], 0x3f800000);
    }
    uint8_t clear[8] = {0, 0, 0, 0, 3};
    assert_int_equal(mach_texel_read(MACH_FORMAT_bc1_rgba_unorm_block, clear).c[3], 0);
    assert_int_equal(mach_texel_read(MACH_FORMAT_bc1_rgb_unorm_block, clear).c[3], 0x3f800000);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_named),
        cmocka_unit_test(test_no_stores_to_blocks),
        cmocka_unit_test(test_fmask),
        cmocka_unit_test(test_sample_by_fmask),
        cmocka_unit_test(test_bptc),
        cmocka_unit_test(test_bc1_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
