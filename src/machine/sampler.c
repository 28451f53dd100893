/* Sampling, in the order of the Vulkan specification's chapter "Image Operations": the level of
 * detail, the levels, in each level the texels of the footprint (a `tap` each: coordinates with
 * wrapping, border, comparison), the filter over taps, the filter over levels, the swizzle.
 *
 * Anisotropy follows the specification's example ("Scale Factor Operation", "Texel Anisotropic
 * Filtering"): for gradients of lengths P >= p (in texels) the ratio is n = min(P / p, maximum) and
 * the level of detail log2(P / n). N = ceil(n) samples are averaged, the i-th at a distance of i /
 * (N + 1) - 1/2 times the longer gradient. It applies to 2D images and cubes.
 *
 * Coordinates and weights are computed in float as the specification states. A hardware sampler may
 * round weights to 8 bits (subTexelPrecisionBits); tests allow for that. */
#include "machine/image.h"

#include "ir/eval_math.h"

/* The four components of a texel during filtering. */
typedef struct color {
    float c[4];
} color;

/* State that is the same for all taps of one operation. */
typedef struct sampling {
    const mach_image *m;
    const mach_sampler *s;
    const mach_sample *p;
    unsigned axes;  /* number of axes to filter: 1 to 3 */
    uint32_t layer; /* of the view; cubes: layer of face 0 */
    unsigned face;  /* cubes */
    float coord[3]; /* cubes: s and t on the face */
    unsigned steps; /* anisotropy: number of samples along `major`, the longer gradient */
    float major[3];
} sampling;

/* One level's size. */
typedef struct extent {
    int32_t size[3];
    uint32_t level; /* of the view */
} extent;

/* ---- cubes ---- */

/* Axis and sign of sc, tc and the major axis of each face: Vulkan, "Cube Map Face Selection". */
static const struct {
    int8_t sc[3], tc[3], rc[3];
} cube_faces[6] = {
    {{0, 0, -1}, {0, -1, 0}, {1, 0, 0}}, {{0, 0, 1}, {0, -1, 0}, {-1, 0, 0}},
    {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},   {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
    {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},  {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
};

static double
dot(const int8_t axis[3], const double v[3])
{
    return axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
}

/* The face that a direction hits; if components are equal, z takes precedence over y, and y over x.
 */
static unsigned
select_face(const double r[3])
{
    double x = fabs(r[0]), y = fabs(r[1]), z = fabs(r[2]);
    if (z >= x && z >= y)
        return r[2] < 0 ? 5 : 4;
    if (y >= x)
        return r[1] < 0 ? 3 : 2;
    return r[0] < 0 ? 1 : 0;
}

/* Replaces the direction by face and face coordinates, and the derivatives by those of the face
 * coordinates. */
static void
project_cube(sampling *g, float ddx[3], float ddy[3])
{
    const double r[3] = {g->p->coord[0], g->p->coord[1], g->p->coord[2]};
    g->face = select_face(r);
    double sc = dot(cube_faces[g->face].sc, r), tc = dot(cube_faces[g->face].tc, r);
    double rc = dot(cube_faces[g->face].rc, r);
    g->coord[0] = (float)(0.5 * sc / rc + 0.5);
    g->coord[1] = (float)(0.5 * tc / rc + 0.5);
    float *const both[2] = {ddx, ddy};
    for (unsigned k = 0; k < 2; k++) {
        const double d[3] = {both[k][0], both[k][1], both[k][2]};
        double drc = dot(cube_faces[g->face].rc, d);
        both[k][0] = (float)(0.5 * (rc * dot(cube_faces[g->face].sc, d) - sc * drc) / (rc * rc));
        both[k][1] = (float)(0.5 * (rc * dot(cube_faces[g->face].tc, d) - tc * drc) / (rc * rc));
        both[k][2] = 0;
    }
}

/* Moves a texel that is one step beyond an edge of its face to the neighbouring face. Its centre,
 * folded over the edge, is a point on that face. */
static unsigned
fold_over_edge(unsigned face, int32_t size, int32_t *i, int32_t *j)
{
    double sc = (2.0 * *i + 1) / size - 1, tc = (2.0 * *j + 1) / size - 1, rc = 1, v[3];
    double *beyond = fabs(sc) > 1 ? &sc : &tc;
    rc -= fabs(*beyond) - 1;
    *beyond = *beyond < 0 ? -1 : 1;
    for (unsigned a = 0; a < 3; a++)
        v[a] = cube_faces[face].sc[a] * sc + cube_faces[face].tc[a] * tc +
               cube_faces[face].rc[a] * rc;
    unsigned to = 0;
    for (unsigned f = 0; f < 6; f++) {
        if (dot(cube_faces[f].rc, v) == 1)
            to = f;
    }
    *i = (int32_t)floor((dot(cube_faces[to].sc, v) + 1) / 2 * size);
    *j = (int32_t)floor((dot(cube_faces[to].tc, v) + 1) / 2 * size);
    return to;
}

/* ---- wrapping ---- */

static int32_t
modulo(int32_t i, int32_t n)
{
    int32_t r = i % n;
    return r < 0 ? r + n : r;
}

static int32_t
mirror(int32_t i)
{
    return i >= 0 ? i : -(1 + i);
}

static int32_t
clamp(int32_t i, int32_t lo, int32_t hi)
{
    return i < lo ? lo : i > hi ? hi : i;
}

/* Vulkan, "Wrapping Operation"; a result outside [0, n) means the border. */
static int32_t
wrap(unsigned mode, int32_t i, int32_t n)
{
    switch (mode) {
    case MACH_ADDRESS_REPEAT: return modulo(i, n);
    case MACH_ADDRESS_MIRRORED_REPEAT: return n - 1 - mirror(modulo(i, 2 * n) - n);
    case MACH_ADDRESS_HALF_BORDER:
    case MACH_ADDRESS_MIRROR_HALF_BORDER:
    case MACH_ADDRESS_CLAMP_TO_BORDER: return clamp(i, -1, n);
    case MACH_ADDRESS_MIRROR_CLAMP_TO_BORDER: return clamp(mirror(i), 0, n);
    case MACH_ADDRESS_MIRROR_CLAMP_TO_EDGE: return clamp(mirror(i), 0, n - 1);
    default: return clamp(i, 0, n - 1);
    }
}

/* ---- taps ---- */

/* The depth comparison's result as a texel; the reference is clamped for fixed-point formats. */
static mach_texel
compare_depth(const sampling *g, mach_texel t)
{
    float ref = g->p->dref, d = base_bits_f32((uint32_t)t.c[0]);
    uint8_t kind = mach_format_get(g->m->format)->kind;
    if (kind == MACH_NUM_UNORM || kind == MACH_NUM_CLAMPED)
        ref = ref > 0 ? (ref < 1 ? ref : 1) : 0;
    uint64_t r = base_f32_bits(mach_compare_passes((mach_compare)g->s->compare, ref, d) ? 1 : 0);
    return (mach_texel){{r, r, r, r}};
}

static mach_texel
read_tap(const sampling *g, const extent *e, const int32_t at[3], unsigned face)
{
    const mach_image *m = g->m;
    bool border = false;
    for (unsigned a = 0; a < g->axes; a++)
        border |= at[a] < 0 || at[a] >= e->size[a];
    mach_texel t;
    if (border) {
        for (unsigned c = 0; c < 4; c++)
            t.c[c] = g->s->border[c];
    } else {
        uint32_t slice = m->dim == MACH_DIM_3D ? (uint32_t)at[2] : m->base_layer + g->layer + face;
        uint64_t offset = mach_texel_offset(m, (uint32_t)at[0], g->axes > 1 ? (uint32_t)at[1] : 0,
                                            slice, m->base_level + e->level, 0);
        t = (mach_texel){{0}};
        if (offset != UINT64_MAX)
            t = mach_texel_read_at(m->format, m->data + offset, (uint32_t)at[0], (uint32_t)at[1]);
    }
    return g->p->has_dref ? compare_depth(g, t) : t;
}

/* A texel beyond an edge of a cube face comes from the neighbouring face; beyond a corner it is the
 * mean of the three texels that meet there. */
static mach_texel
read_cube_tap(const sampling *g, const extent *e, int32_t i, int32_t j)
{
    int32_t n = e->size[0], ic = clamp(i, 0, n - 1), jc = clamp(j, 0, n - 1);
    if ((i == ic && j == jc) || g->s->seam) {
        const int32_t at[3] = {ic, jc, 0};
        return read_tap(g, e, at, g->face);
    }
    if (i == ic || j == jc) {
        int32_t at[3] = {clamp(i, -1, n), clamp(j, -1, n), 0};
        unsigned face = fold_over_edge(g->face, n, &at[0], &at[1]);
        return read_tap(g, e, at, face);
    }
    const mach_texel t[3] = {read_cube_tap(g, e, ic, jc), read_cube_tap(g, e, i, jc),
                             read_cube_tap(g, e, ic, j)};
    if (mach_format_is_int(g->m->format))
        return t[0];
    mach_texel mean;
    for (unsigned c = 0; c < 4; c++) {
        float sum = 0;
        for (unsigned k = 0; k < 3; k++)
            sum += base_bits_f32((uint32_t)t[k].c[c]);
        mean.c[c] = base_f32_bits(sum / 3);
    }
    return mean;
}

/* Reads the texel at (unwrapped) coordinates. */
static mach_texel
tap(const sampling *g, const extent *e, const int32_t at[3])
{
    int32_t w[3] = {0, 0, 0};
    if (g->m->dim == MACH_DIM_CUBE)
        return read_cube_tap(g, e, at[0], at[1]);
    for (unsigned a = 0; a < g->axes; a++)
        w[a] = wrap(g->s->address[a], at[a], e->size[a]);
    return read_tap(g, e, w, 0);
}

/* ---- filters ---- */

static color
to_color(mach_texel t)
{
    color r;
    for (unsigned c = 0; c < 4; c++)
        r.c[c] = base_bits_f32((uint32_t)t.c[c]);
    return r;
}

static mach_texel
to_texel(const color *sum)
{
    mach_texel t;
    for (unsigned c = 0; c < 4; c++)
        t.c[c] = base_f32_bits(sum->c[c]);
    return t;
}

/* Adds a texel with weight `w`; min and max use all texels with a weight other than 0. */
static void
accumulate(const sampling *g, color *sum, bool *first, float w, color t)
{
    if (g->s->reduction != MACH_REDUCTION_AVERAGE && w == 0)
        return;
    for (unsigned c = 0; c < 4; c++) {
        switch (g->s->reduction) {
        case MACH_REDUCTION_MIN:
            sum->c[c] = *first ? t.c[c] : (float)ev_fmin(sum->c[c], t.c[c]);
            break;
        case MACH_REDUCTION_MAX:
            sum->c[c] = *first ? t.c[c] : (float)ev_fmax(sum->c[c], t.c[c]);
            break;
        default: /* a weight of 0 must hide infinities and NaNs: the texel counts as not read */
            sum->c[c] = (*first ? 0 : sum->c[c]) + (w == 0 ? 0 : w * t.c[c]);
            break;
        }
    }
    *first = false;
}

/* The integer part of a texel coordinate, clamped so that an int32_t can hold it and a few more
 * steps. */
static int32_t
to_index(float f)
{
    const float most = 0x1p30f;
    return f != f ? 0 : (int32_t)(f > most ? most : f < -most ? -most : f);
}

/* Computes texel coordinates u for the level. Normalised ones are scaled, and clamped if the
 * address mode clamps before texels are selected. */
static void
texel_coords(const sampling *g, const extent *e, float u[3])
{
    for (unsigned a = 0; a < g->axes; a++) {
        float n = (float)e->size[a];
        u[a] = g->s->unnormalized ? g->coord[a] : g->coord[a] * n;
        if (g->s->address[a] < MACH_ADDRESS_HALF_BORDER || g->m->dim == MACH_DIM_CUBE)
            continue;
        if (g->s->address[a] == MACH_ADDRESS_MIRROR_HALF_BORDER)
            u[a] = fabsf(u[a]);
        u[a] = u[a] > 0 ? (u[a] < n ? u[a] : n) : 0;
    }
}

static mach_texel
sample_nearest(const sampling *g, const extent *e)
{
    float u[3];
    int32_t at[3];
    texel_coords(g, e, u);
    for (unsigned a = 0; a < g->axes; a++) {
        int32_t i = to_index(floorf(u[a]));
        bool last = g->s->address[a] >= MACH_ADDRESS_HALF_BORDER && i == e->size[a];
        at[a] = (last ? i - 1 : i) + g->p->offset[a];
        /* Unfiltered cube samples stay on their face. */
        if (g->m->dim == MACH_DIM_CUBE)
            at[a] = clamp(at[a], 0, e->size[a] - 1);
    }
    return tap(g, e, at);
}

/* Returns true if axis `a` is filtered, given whether the others are. */
static bool
is_linear(const sampling *g, unsigned a, bool others)
{
    return a < 2 || g->s->z_filter == MACH_Z_AS_OTHERS ? others : g->s->z_filter == MACH_Z_LINEAR;
}

/* Computes the lower corner of the footprint and the weights of the upper texels (0 along
 * unfiltered axes). `linear`: the first two axes are filtered. */
static void
footprint(const sampling *g, const extent *e, bool linear, int32_t at[3], float weight[3])
{
    float u[3];
    texel_coords(g, e, u);
    for (unsigned a = 0; a < g->axes; a++) {
        bool filter = is_linear(g, a, linear);
        float corner = filter ? u[a] - 0.5f : u[a], low = floorf(corner);
        weight[a] = filter ? corner - low : 0;
        at[a] = to_index(low) + g->p->offset[a];
    }
}

static mach_texel
sample_linear(const sampling *g, const extent *e, bool linear)
{
    int32_t low[3];
    float weight[3];
    color sum = {{0}};
    bool first = true;
    footprint(g, e, linear, low, weight);
    for (unsigned k = 0; k < 1u << g->axes; k++) {
        int32_t at[3];
        float w = 1;
        for (unsigned a = 0; a < g->axes; a++) {
            at[a] = low[a] + (int32_t)(k >> a & 1);
            w *= k >> a & 1 ? weight[a] : 1 - weight[a];
        }
        accumulate(g, &sum, &first, w, to_color(tap(g, e, at)));
    }
    return to_texel(&sum);
}

/* ---- level of detail ---- */

static extent
extent_of(const mach_image *m, uint32_t level)
{
    uint32_t l = m->base_level + level;
    return (extent){{(int32_t)mach_level_size(m->width, l), (int32_t)mach_level_size(m->height, l),
                     (int32_t)mach_level_size(m->depth, l)},
                    level};
}

/* The anisotropy ratio of the longer to the shorter gradient. */
static float
anisotropy(const sampling *g, float longer, float shorter)
{
    uint8_t most = g->s->min_aniso > g->s->mag_aniso ? g->s->min_aniso : g->s->mag_aniso;
    if (most < 2 || g->axes != 2 || !(longer > 0))
        return 1;
    return shorter * most <= longer ? most : longer / shorter;
}

/* log2 of the larger scale factor: Vulkan, "Scale Factor Operation". Also sets the state for
 * anisotropy.
 */
static float
gradient_lod(sampling *g, const float ddx[3], const float ddy[3])
{
    extent e = extent_of(g->m, 0);
    float x = 0, y = 0;
    for (unsigned a = 0; a < g->axes; a++) {
        float mx = ddx[a] * (float)e.size[a], my = ddy[a] * (float)e.size[a];
        x += mx * mx;
        y += my * my;
    }
    float longer = sqrtf(x > y ? x : y), ratio = anisotropy(g, longer, sqrtf(x > y ? y : x));
    g->steps = (unsigned)ceilf(ratio);
    memcpy(g->major, x > y ? ddx : ddy, sizeof g->major);
    return log2f(longer / ratio);
}

/* The specification's lambda', before clamping. */
static float
computed_lod(sampling *g, const float ddx[3], const float ddy[3])
{
    switch (g->p->lod_mode) {
    case MACH_LOD_EXPLICIT:
    case MACH_LOD_BIAS: return g->p->lod + g->s->lod_bias;
    case MACH_LOD_GRADIENT: return gradient_lod(g, ddx, ddy) + g->p->lod + g->s->lod_bias;
    default: return 0;
    }
}

static float
clamped_lod(const sampling *g, float lod)
{
    float lo = g->p->min_lod > g->s->min_lod ? g->p->min_lod : g->s->min_lod; /* never NaN */
    lod = lod != lod || lod < lo ? lo : lod;
    return lod > g->s->max_lod ? g->s->max_lod : lod;
}

/* The specification's d, relative to the view's base level. */
static float
level_of(const sampling *g, float lod)
{
    float q = (float)(g->m->view_levels - 1), least = g->m->min_lod - (float)g->m->base_level;
    float d = lod < 0 ? 0 : lod > q ? q : lod;
    d = d < least ? least : d;
    d = d > q ? q : d;
    return g->s->mip_linear ? d : ceilf(d + 0.5f) - 1;
}

/* ---- the operation ---- */

static sampling
begin(const mach_image *m, const mach_sampler *s, const mach_sample *p, float ddx[3], float ddy[3])
{
    sampling g = {.m = m, .s = s, .p = p};
    static const uint8_t axes[] = {[MACH_DIM_1D] = 1,
                                   [MACH_DIM_2D] = 2,
                                   [MACH_DIM_3D] = 3,
                                   [MACH_DIM_CUBE] = 2,
                                   [MACH_DIM_BUFFER] = 1};
    g.axes = axes[m->dim];
    for (unsigned a = 0; a < 3; a++) {
        ddx[a] = p->ddx[a];
        ddy[a] = p->ddy[a];
        g.coord[a] = p->coord[a];
    }
    bool cube = m->dim == MACH_DIM_CUBE;
    g.face = p->face;
    if (cube && !p->on_face)
        project_cube(&g, ddx, ddy);
    if (m->array) {
        float given = p->coord[cube ? 3 : g.axes];
        double layer = s->trunc_layer ? floorf(given) : ev_round_even(given);
        double last = m->view_layers / (cube ? 6 : 1) - 1.0;
        layer = layer > 0 ? (layer < last ? layer : last) : 0;
        g.layer = (uint32_t)layer * (cube ? 6 : 1);
    }
    return g;
}

static mach_texel
sample_point(const sampling *g, const extent *e, bool linear)
{
    bool filter = linear || (g->axes == 3 && is_linear(g, 2, linear));
    return filter ? sample_linear(g, e, linear) : sample_nearest(g, e);
}

/* With 2 or more `steps`, the mean of that many samples along the longer gradient. */
static mach_texel
sample_level(const sampling *g, uint32_t level, bool linear, unsigned steps)
{
    extent e = extent_of(g->m, level);
    color sum = {{0}};
    bool first = true, is_int = mach_format_is_int(g->m->format);
    if (is_int)
        return sample_nearest(g, &e);
    if (steps < 2)
        return sample_point(g, &e, linear);
    for (unsigned k = 1; k <= steps; k++) {
        sampling at = *g;
        for (unsigned a = 0; a < g->axes; a++)
            at.coord[a] += g->major[a] * ((float)k / (float)(steps + 1) - 0.5f);
        color one = to_color(sample_point(&at, &e, linear));
        accumulate(g, &sum, &first, 1 / (float)steps, one);
    }
    return to_texel(&sum);
}

/* The texels of the linear footprint in gather's order: Vulkan, "Texel Gathering". They come from
 * one level, the nearest. */
static mach_texel
gather(sampling *g, const float ddx[3], const float ddy[3])
{
    static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    float d = level_of(g, clamped_lod(g, computed_lod(g, ddx, ddy)));
    extent e = extent_of(g->m, (uint32_t)(ceilf(d + 0.5f) - 1));
    mach_texel r;
    for (unsigned k = 0; k < 4; k++) {
        int32_t at[3];
        float weight[3];
        bool four = g->p->offsets != NULL;
        footprint(g, &e, true, at, weight);
        at[0] += four ? g->p->offsets[k][0] : order[k][0];
        if (g->axes > 1)
            at[1] += four ? g->p->offsets[k][1] : order[k][1];
        mach_texel t = tap(g, &e, at);
        r.c[k] = g->p->has_dref ? t.c[0] : mach_texel_swizzle(g->m, t).c[g->p->component & 3];
    }
    return r;
}

mach_texel
mach_image_sample(const mach_image *m, const mach_sampler *s, const mach_sample *p)
{
    float ddx[3], ddy[3];
    sampling g = begin(m, s, p, ddx, ddy);
    if (p->gather)
        return gather(&g, ddx, ddy);
    float lod = clamped_lod(&g, computed_lod(&g, ddx, ddy));
    float d = level_of(&g, s->unnormalized ? 0 : lod), low = floorf(d);
    bool magnified = lod <= 0 || s->unnormalized;
    bool linear = magnified ? s->mag_linear : s->min_linear;
    unsigned steps = (magnified ? s->mag_aniso : s->min_aniso) > 1 ? g.steps : 1;
    mach_texel t = sample_level(&g, (uint32_t)low, linear, steps);
    if (d > low && !mach_format_is_int(m->format)) {
        color sum = {{0}};
        bool first = true;
        mach_texel next = sample_level(&g, (uint32_t)low + 1, linear, steps);
        accumulate(&g, &sum, &first, 1 - (d - low), to_color(t));
        accumulate(&g, &sum, &first, d - low, to_color(next));
        t = to_texel(&sum);
    }
    return p->has_dref ? t : mach_texel_swizzle(m, t);
}

mach_texel
mach_image_query_lod(const mach_image *m, const mach_sampler *s, const mach_sample *p)
{
    float ddx[3], ddy[3];
    sampling g = begin(m, s, p, ddx, ddy);
    float lod = computed_lod(&g, ddx, ddy);
    return (mach_texel){{base_f32_bits(level_of(&g, clamped_lod(&g, lod))), base_f32_bits(lod)}};
}
