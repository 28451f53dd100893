/* Sampling on every generation that supports it: all suffixes of image_sample (offset, bias,
 * compare value, gradients, lod, lod clamp) and gathers, over dimensions and samplers, against the
 * test's own reference in doubles. The lanes of a quad step by (su, sv), so that implicit and
 * explicit gradients are the same. */
#include "emu_image_env.h"

#include <math.h>

/* ---- the reference ---- */

enum { AXES = 3 };

/* What a lane asks for. */
typedef struct request {
    double coord[AXES];
    uint32_t layer;
    int offset[AXES];
    double lod, dref;
    bool compare;
} request;

static unsigned
axes_of(const mach_image *m)
{
    return m->dim == MACH_DIM_1D ? 1 : m->dim == MACH_DIM_3D ? 3 : 2;
}

/* Texel index in [0, n), or -1 for the border. */
static int
ref_wrap(unsigned mode, int i, int n)
{
    int period = 2 * n, k;
    switch (mode) {
    case MACH_ADDRESS_REPEAT: return (i % n + n) % n;
    case MACH_ADDRESS_MIRRORED_REPEAT:
        k = (i % period + period) % period;
        return k < n ? k : period - 1 - k;
    case MACH_ADDRESS_HALF_BORDER:
    case MACH_ADDRESS_MIRROR_HALF_BORDER:
    case MACH_ADDRESS_CLAMP_TO_BORDER: return i < 0 || i >= n ? -1 : i;
    case MACH_ADDRESS_MIRROR_CLAMP_TO_BORDER: i = i < 0 ? -i - 1 : i; return i >= n ? -1 : i;
    case MACH_ADDRESS_MIRROR_CLAMP_TO_EDGE: i = i < 0 ? -i - 1 : i; break;
    default: break;
    }
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static double
ref_texel(const mach_image *m, const mach_sampler *s, const request *r, uint32_t level,
          const int at[AXES], unsigned c)
{
    uint32_t p[AXES] = {0, 0, 0};
    double v = 0;
    bool border = false;
    for (unsigned a = 0; a < axes_of(m); a++) {
        const uint32_t size[AXES] = {m->width, m->height, m->depth};
        int k = ref_wrap(s->address[a], at[a], (int)mach_level_size(size[a], level));
        border |= k < 0;
        p[a] = (uint32_t)k;
    }
    if (border)
        v = base_bits_f32(s->border[c]);
    else if (m->format == MACH_FORMAT_r32_sfloat)
        v = channel(level, p[0], p[1], r->layer, 0, 0) / 256.0;
    else
        v = channel(level, p[0], p[1], m->dim == MACH_DIM_3D ? p[2] : r->layer, 0, c) / 255.0;
    if (r->compare) /* LESS */
        v = r->dref < v;
    return v;
}

/* `near` is set if the result depends on the rounding of a coordinate. */
static double
ref_level(const mach_image *m, const mach_sampler *s, const request *r, uint32_t level, unsigned c,
          bool linear, bool *near)
{
    const uint32_t size[AXES] = {m->width, m->height, m->depth};
    int low[AXES] = {0};
    double weight[AXES] = {0}, sum = 0, least = 1e9;
    unsigned axes = axes_of(m);
    for (unsigned a = 0; a < axes; a++) {
        double n = mach_level_size(size[a], level), u = r->coord[a] * (s->unnormalized ? 1 : n);
        bool half = s->address[a] >= MACH_ADDRESS_HALF_BORDER, filter = linear;
        if (a == 2 && s->z_filter)
            filter = s->z_filter == MACH_Z_LINEAR;
        if (s->address[a] == MACH_ADDRESS_MIRROR_HALF_BORDER)
            u = fabs(u);
        if (half)
            u = u < 0 ? 0 : u > n ? n : u;
        if (half && !filter && u == n)
            u = n - 0.5;
        *near |= !half && (!filter || s->reduction) &&
                 fabs(u - (filter ? 0.5 : 0) - floor(u + (filter ? 0 : 0.5))) < 1e-3;
        u -= filter ? 0.5 : 0;
        low[a] = (int)floor(u) + r->offset[a];
        weight[a] = filter ? u - floor(u) : 0;
    }
    linear |= axes == 3 && s->z_filter == MACH_Z_LINEAR;
    for (unsigned k = 0; k < (linear ? 1u << axes : 1); k++) {
        int at[AXES];
        double w = 1;
        for (unsigned a = 0; a < AXES; a++) {
            at[a] = low[a] + (int)(k >> a & 1);
            w *= a >= axes ? 1 : k >> a & 1 ? weight[a] : 1 - weight[a];
        }
        double v = ref_texel(m, s, r, level, at, c);
        sum += w * v;
        least = v < least ? v : least;
    }
    return s->reduction == MACH_REDUCTION_MIN && linear ? least : sum;
}

/* Anisotropy as in the Vulkan specification's example, for gradients along the axes of `step`
 * texels; `lod` of the request is added to the resulting level. */
static double
ref_sample(const mach_image *m, const mach_sampler *s, const request *r, unsigned c, bool *near);

static double
ref_anisotropic(const mach_image *m, const mach_sampler *s, const request *r, const double step[2],
                unsigned c, bool *near)
{
    const double texels[2] = {step[0] * m->width, step[1] * m->height};
    unsigned along = texels[0] > texels[1] ? 0 : 1;
    double longer = texels[along], ratio = longer / texels[!along], sum = 0;
    ratio = !(ratio <= s->min_aniso) ? s->min_aniso : ratio;
    unsigned n = (unsigned)ceil(ratio);
    for (unsigned k = 1; k <= n; k++) {
        request at = *r;
        at.coord[along] += step[along] * (k / (n + 1.0) - 0.5);
        at.lod += log2(longer / ratio);
        sum += ref_sample(m, s, &at, c, near);
    }
    return sum / n;
}

static double
ref_sample(const mach_image *m, const mach_sampler *s, const request *r, unsigned c, bool *near)
{
    double lod = r->lod < s->min_lod ? s->min_lod : r->lod > s->max_lod ? s->max_lod : r->lod;
    bool linear = lod <= 0 ? s->mag_linear : s->min_linear;
    double last = m->levels - 1.0, d = lod < 0 ? 0 : lod > last ? last : lod;
    if (!s->mip_linear) {
        *near |= fabs(d - floor(d) - 0.5) < 1e-3;
        return ref_level(m, s, r, (uint32_t)floor(d + 0.5), c, linear, near);
    }
    uint32_t level = (uint32_t)floor(d);
    double low = ref_level(m, s, r, level, c, linear, near);
    if (d == level)
        return low;
    return low + (d - level) * (ref_level(m, s, r, level + 1, c, linear, near) - low);
}

/* ---- instructions ---- */

enum { LOD_NONE, LOD_D, LOD_L, LOD_B, LOD_LZ };

typedef struct suffixes {
    bool compare, clamp, offset;
    int lod; /* LOD_* */
} suffixes;

static const mach_image images[] = {
    {.format = MACH_FORMAT_r8g8b8a8_unorm,
     .dim = MACH_DIM_1D,
     .width = 13,
     .height = 1,
     .depth = 1,
     .layers = 1,
     .levels = 3,
     .samples = 1},
    {.format = MACH_FORMAT_r8g8b8a8_unorm,
     .dim = MACH_DIM_1D,
     .array = true,
     .width = 8,
     .height = 1,
     .depth = 1,
     .layers = 4,
     .levels = 2,
     .samples = 1},
    {.format = MACH_FORMAT_r8g8b8a8_unorm,
     .dim = MACH_DIM_2D,
     .width = 11,
     .height = 7,
     .depth = 1,
     .layers = 1,
     .levels = 4,
     .samples = 1},
    {.format = MACH_FORMAT_r8g8b8a8_unorm,
     .dim = MACH_DIM_2D,
     .array = true,
     .width = 8,
     .height = 16,
     .depth = 1,
     .layers = 3,
     .levels = 3,
     .samples = 1},
    {.format = MACH_FORMAT_r8g8b8a8_unorm,
     .dim = MACH_DIM_3D,
     .width = 6,
     .height = 5,
     .depth = 7,
     .layers = 1,
     .levels = 2,
     .samples = 1},
    {.format = MACH_FORMAT_r32_sfloat,
     .dim = MACH_DIM_2D,
     .width = 9,
     .height = 5,
     .depth = 1,
     .layers = 1,
     .levels = 3,
     .samples = 1},
};
enum { N_IMAGES = sizeof images / sizeof *images, DEPTH_IMAGE = 5 };

#define ALL(mode)                                                                                  \
    {                                                                                              \
        MACH_ADDRESS_##mode, MACH_ADDRESS_##mode, MACH_ADDRESS_##mode                              \
    }
#define ONE 0x3f800000

static const mach_sampler samplers[] = {
    {.address = ALL(REPEAT), .max_lod = 15},
    {.address = ALL(MIRRORED_REPEAT), .mag_linear = true, .min_linear = true, .max_lod = 15},
    {.address = ALL(CLAMP_TO_EDGE),
     .mag_linear = true,
     .min_linear = true,
     .mip_linear = true,
     .max_lod = 15},
    {.address = ALL(CLAMP_TO_BORDER),
     .border = {ONE, ONE, ONE, ONE},
     .mag_linear = true,
     .min_linear = true,
     .mip_linear = true,
     .max_lod = 15},
    {.address = {MACH_ADDRESS_MIRROR_CLAMP_TO_EDGE, MACH_ADDRESS_REPEAT,
                 MACH_ADDRESS_CLAMP_TO_BORDER},
     .border = {0, 0, 0, ONE},
     .mip_linear = true,
     .lod_bias = 0.5f,
     .min_lod = 0.25f,
     .max_lod = 1.5f},
    {.address = ALL(REPEAT),
     .mag_linear = true,
     .min_linear = true,
     .reduction = MACH_REDUCTION_MIN,
     .max_lod = 15},
    {.address = ALL(CLAMP_TO_EDGE), .min_linear = true, .max_lod = 15},
};
enum { N_SAMPLERS = sizeof samplers / sizeof *samplers };

static const int offsets[AXES] = {-3, 2, 5};

/* The coordinates of lane `l`, from -1 to 2, and the layer of its quad. */
static void
request_of(const mach_image *m, uint32_t l, const double step[2], request *r)
{
    const uint32_t size[AXES] = {m->width, m->height, m->depth};
    uint32_t quad = l / 4;
    *r = (request){.layer = m->array ? quad % m->layers : 0};
    for (unsigned a = 0; a < AXES; a++) {
        double whole = (double)(quad * (5 + a) % (3 * size[a])) - size[a];
        r->coord[a] = (float)((whole + 0.3) / size[a]);
        if (a < 2 && l >> a & 1)
            r->coord[a] = (float)(r->coord[a] + step[a]);
    }
}

/* Writes lane `l`'s address components in the order of the guides; returns their number. */
static uint32_t
put_address(const setting *s, const suffixes *x, const request *r, const double step[2],
            const double extra[2], uint32_t l)
{
    const mach_image *m = &s->m;
    uint32_t n = 0, axes = axes_of(m);
    float values[16];
    uint32_t packed = 0;
    for (unsigned a = 0; a < AXES; a++)
        packed |= ((uint32_t)offsets[a] & 63) << 8 * a;
    if (x->offset)
        memcpy(&values[n++], &packed, 4);
    if (x->lod == LOD_B)
        values[n++] = (float)extra[0];
    if (x->compare)
        values[n++] = (float)r->dref;
    for (unsigned d = 0; x->lod == LOD_D && d < 2; d++)
        for (unsigned a = 0; a < axes; a++)
            values[n++] = a == d ? (float)step[d] : 0;
    for (unsigned a = 0; a < axes; a++)
        values[n++] = (float)r->coord[a];
    if (m->array)
        values[n++] = (float)r->layer;
    if (x->lod == LOD_L)
        values[n++] = (float)extra[0];
    else if (x->clamp)
        values[n++] = (float)extra[1];
    for (uint32_t k = 0; k < n; k++)
        address(s, k)[l] = base_f32_bits(values[k]);
    if (x->offset)
        address(s, 0)[l] = packed;
    return n;
}

/* The lod before the sampler clamps it. */
static double
lod_of(const mach_image *m, const mach_sampler *s, const suffixes *x, const double step[2],
       const double extra[2])
{
    double dx = step[0] * m->width, dy = axes_of(m) > 1 ? step[1] * m->height : 0,
           lod = log2(dx > dy ? dx : dy);
    if (x->lod == LOD_LZ)
        return 0;
    if (x->lod == LOD_L)
        return extra[0] + s->lod_bias;
    lod += s->lod_bias + (x->lod == LOD_B ? extra[0] : 0);
    return x->clamp && lod < extra[1] ? extra[1] : lod;
}

static const char *
op_name(arena *a, const char *stem, const suffixes *x)
{
    static const char *const lods[] = {"", "_d", "_l", "_b", "_lz"};
    return arena_printf(a, "%s%s%s%s%s", stem, x->compare ? "_c" : "", lods[x->lod],
                        x->clamp ? "_cl" : "", x->offset ? "_o" : "");
}

static void
check_sample(amd_gen gen, const mach_image *m, const mach_sampler *sampler, const suffixes *x)
{
    setting s = set_up(gen, m);
    mach_sampler with = *sampler;
    const double step[2] = {1.6 / m->width, 1.4 / m->height}, extra[2] = {0.7, 1.25};
    uint32_t n = 0, checked = 0, channels = m->format == MACH_FORMAT_r32_sfloat ? 1 : 4;
    request r;
    with.compare_enable = x->compare;
    with.compare = MACH_COMPARE_LESS;
    set_sampler(&s, &with);
    for (uint32_t l = 0; l < LANES; l++) {
        request_of(m, l, step, &r);
        r.dref = 0.4;
        n = put_address(&s, x, &r, step, extra, l);
    }
    const char *op = op_name(&s.e->a, "image_sample", x);
    run_op(&s, op, x->compare ? 1 : 15, x->compare ? 1 : 4, n, true, "");
    for (uint32_t l = 0; l < LANES; l++) {
        request_of(m, l, step, &r);
        r.compare = x->compare;
        r.dref = (float)0.4;
        r.lod = lod_of(m, sampler, x, step, extra);
        for (unsigned a = 0; a < AXES && x->offset; a++)
            r.offset[a] = offsets[a];
        for (unsigned c = 0; c < channels; c++) {
            bool near = false;
            double want = ref_sample(m, sampler, &r, c, &near),
                   got = base_bits_f32(s.e->w.vgpr[c][l]);
            if (!near && !(fabs(got - want) < 2e-3))
                fail_msg("gen %u, %s, %s, sampler %u, lane %u, component %u: %f, not %f",
                         (unsigned)gen, op, dims[s.dim], (unsigned)(sampler - samplers), l, c, got,
                         want);
            checked += !near;
        }
    }
    assert_true(checked > LANES / 2);
    emu_env_free(s.e);
}

/* One image with one sampler, gradients of `texels` along x and y. */
static void
check_anisotropy(amd_gen gen, const mach_image *m, const mach_sampler *sampler,
                 const double texels[2], const suffixes *x)
{
    setting s = set_up(gen, m);
    const double step[2] = {(float)(texels[0] / m->width), (float)(texels[1] / m->height)},
                 extra[2] = {0, 0};
    uint32_t n = 0, checked = 0;
    request r;
    set_sampler(&s, sampler);
    for (uint32_t l = 0; l < LANES; l++) {
        request_of(m, l, step, &r);
        n = put_address(&s, x, &r, step, extra, l);
    }
    const char *op = op_name(&s.e->a, "image_sample", x);
    run_op(&s, op, 15, 4, n, true, "");
    for (uint32_t l = 0; l < LANES; l++) {
        bool near = false;
        request_of(m, l, step, &r);
        r.lod = sampler->lod_bias;
        double want = ref_anisotropic(m, sampler, &r, step, 1, &near),
               got = base_bits_f32(s.e->w.vgpr[1][l]);
        if (!near && !(fabs(got - want) < 2e-3))
            fail_msg("gen %u, %s, gradients %f %f, lane %u: %f, not %f", (unsigned)gen, op,
                     texels[0], texels[1], l, got, want);
        checked += !near;
    }
    assert_true(checked > LANES / 4);
    emu_env_free(s.e);
}

static void
test_anisotropy(void **state)
{
    static const double texels[][2] = {{5.3, 1.4}, {0.9, 4.1}, {3.1, 3}, {11, 0}, {1.2, 1}};
    static const suffixes ways[] = {{.lod = LOD_NONE}, {.lod = LOD_D}};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; targets[t].samples && k < 5 * 3 * 4; k++) {
            mach_sampler s = {.address = ALL(MIRRORED_REPEAT),
                              .mag_linear = k % 4 > 0,
                              .min_linear = k % 4 > 0,
                              .mip_linear = k % 2,
                              .lod_bias = k % 4 == 3 ? 0.25f : 0,
                              .min_aniso = (uint8_t)(2u << k % 3),
                              .mag_aniso = (uint8_t)(2u << k % 3),
                              .max_lod = 15};
            check_anisotropy(targets[t].gen, &images[2 + k % 2], &s, texels[k % 5], &ways[k / 30]);
        }
}

/* Results that take the place of addresses: the quad's gradients come from what was there. */
static void
check_overlap(amd_gen gen)
{
    static const suffixes plain = {.lod = LOD_NONE};
    const mach_image *m = &images[2];
    const double step[2] = {1.6 / m->width, 1.4 / m->height}, extra[2] = {0, 0};
    setting s = set_up(gen, m);
    uint32_t n = 0;
    request r;
    set_sampler(&s, &samplers[2]);
    for (uint32_t l = 0; l < LANES; l++) {
        request_of(m, l, step, &r);
        n = put_address(&s, &plain, &r, step, extra, l);
    }
    run_op(&s, "image_sample", 15, 4, n, true, "");
    emu_run_text(s.e,
                 arena_printf(&s.e->a, "image_sample v[%u:%u], %s, s[8:15], s[24:27] dmask:0xf%s",
                              ADDRESS - 1, ADDRESS + 2, address_text(&s, n, 4),
                              gen >= AMD_GFX10 ? " dim:SQ_RSRC_IMG_2D" : ""));
    for (uint32_t l = 0; l < LANES; l++) {
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(s.e->w.vgpr[ADDRESS - 1 + c][l], s.e->w.vgpr[c][l]);
    }
    emu_env_free(s.e);
}

static void
test_overlap(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        if (targets[t].samples)
            check_overlap(targets[t].gen);
    }
}

/* A filter along z but not along the other axes, or the reverse; border and half-border modes.
 */
static void
test_volume_filter(void **state)
{
    static const suffixes way = {.lod = LOD_LZ};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; targets[t].samples && k < 6; k++) {
            mach_sampler s = {.address = ALL(REPEAT),
                              .mag_linear = k & 1,
                              .min_linear = k & 1,
                              .z_filter = (uint8_t)(k / 2),
                              .max_lod = 15};
            check_sample(targets[t].gen, &images[4], &s, &way);
        }
}

static void
test_rare_address_modes(void **state)
{
    static const suffixes way = {.lod = LOD_LZ};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; targets[t].samples && k < 12; k++) {
            uint8_t mode = (uint8_t)(MACH_ADDRESS_MIRROR_CLAMP_TO_BORDER + k % 3);
            mach_sampler s = {.address = {mode, mode, mode},
                              .border = {ONE, ONE, ONE, ONE},
                              .mag_linear = k / 3 & 1,
                              .min_linear = k / 3 & 1,
                              .max_lod = 15};
            check_sample(targets[t].gen, &images[k < 6 ? 2 : 4], &s, &way);
        }
}

/* Every suffix on every generation; dimensions and samplers with some of them. */
static void
test_suffixes(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned bits = 0; targets[t].samples && bits < 8 * 5; bits++) {
            suffixes x = {bits & 1, bits >> 1 & 1, bits >> 2 & 1, (int)(bits >> 3)};
            if (x.clamp && (x.lod == LOD_L || x.lod == LOD_LZ))
                continue;
            if (x.compare)
                check_sample(targets[t].gen, &images[DEPTH_IMAGE], &samplers[1], &x);
            for (unsigned k = 0; !x.compare && k < DEPTH_IMAGE; k++)
                check_sample(targets[t].gen, &images[k], &samplers[2], &x);
        }
}

static void
test_samplers(void **state)
{
    static const suffixes ways[] = {{.lod = LOD_NONE}, {.lod = LOD_L}, {.lod = LOD_LZ}};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; targets[t].samples && k < N_IMAGES * N_SAMPLERS * 3; k++)
            check_sample(targets[t].gen, &images[k % N_IMAGES],
                         &samplers[k / N_IMAGES % N_SAMPLERS], &ways[k / N_IMAGES / N_SAMPLERS]);
}

/* Gathers: the footprint's texels, counter-clockwise from the lower left. */
static void
test_gathers(void **state)
{
    static const int corner[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    static const double step[2] = {0, 0}, extra[2] = {0, 0};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; targets[t].samples && k < 4; k++) {
            const mach_image *m = &images[k & 1 ? 3 : 2];
            suffixes x = {.lod = LOD_LZ, .offset = k >= 2};
            setting s = set_up(targets[t].gen, m);
            request r;
            uint32_t n = 0;
            set_sampler(&s, &samplers[0]);
            for (uint32_t l = 0; l < LANES; l++) {
                request_of(m, l, step, &r);
                n = put_address(&s, &x, &r, step, extra, l);
            }
            run_op(&s, op_name(&s.e->a, "image_gather4", &x), 4, 4, n, true, "");
            for (uint32_t l = 0; l < LANES; l++) {
                request_of(m, l, step, &r);
                for (unsigned c = 0; c < 4; c++) {
                    int at[AXES] = {0, 0, 0};
                    for (unsigned a = 0; a < 2; a++)
                        at[a] = (int)floor(r.coord[a] * (a ? m->height : m->width) - 0.5) +
                                corner[c][a] + (x.offset ? offsets[a] : 0);
                    double want = ref_texel(m, &samplers[0], &r, 0, at, 2);
                    assert_true(fabs(base_bits_f32(s.e->w.vgpr[c][l]) - want) < 1e-5);
                }
            }
            emu_env_free(s.e);
        }
}

/* Cubes: the face's number, and coordinates from 1 to 2 on it. */
static void
test_cubes(void **state)
{
    static const mach_image cube = {.format = MACH_FORMAT_r8g8b8a8_unorm,
                                    .dim = MACH_DIM_CUBE,
                                    .width = 4,
                                    .height = 4,
                                    .depth = 1,
                                    .layers = 12,
                                    .levels = 2,
                                    .samples = 1,
                                    .array = true};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        if (!targets[t].samples)
            continue;
        setting s = set_up(targets[t].gen, &cube);
        set_sampler(&s, &samplers[0]);
        for (uint32_t l = 0; l < LANES; l++) {
            uint32_t face = l % 6, layer = l / 6 % 2;
            const float v[4] = {1 + (float)(l % 4 * 2 + 1) / 8, 1 + (float)(l / 4 % 4 * 2 + 1) / 8,
                                (float)(face + 8 * layer), (float)(l % 2)};
            for (uint32_t k = 0; k < 4; k++)
                address(&s, k)[l] = base_f32_bits(v[k]);
        }
        run_op(&s, "image_sample_l", 15, 4, 4, true, "");
        for (uint32_t l = 0; l < LANES; l++) {
            uint32_t level = l % 2, x = l % 4 >> level, y = l / 4 % 4 >> level;
            float want = (float)channel(level, x, y, l % 6 + 6 * (l / 6 % 2), 0, 1) / 255.0f;
            assert_true(fabs(base_bits_f32(s.e->w.vgpr[1][l]) - want) < 1e-5);
        }
        emu_env_free(s.e);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_suffixes),      cmocka_unit_test(test_samplers),
        cmocka_unit_test(test_gathers),       cmocka_unit_test(test_cubes),
        cmocka_unit_test(test_anisotropy),    cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_volume_filter), cmocka_unit_test(test_rare_address_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
