/* Category 5: sampling, fetches, queries.
 *
 * The first source has, in this order: coordinates, the reference of a shadow comparison, the
 * layer, the sample, and from the fifth register on the gradients; a 1D image has a second
 * coordinate. The second source has offsets, then the level or bias (emit_tex in ir3_compiler_nir.c
 * of Mesa, which says it of a4xx on). */
#include "adreno/emu/image/image.h"

#include "adreno/emu/core/alias.h"
#include "adreno/isa/text/text.h"
#include "base/fp.h"

#include <math.h>
#include <string.h>

/* What the fibres get, when all have read their sources: those of the quad, and the descriptor's
 * number of the first one, may be the registers of the result. */
typedef struct results {
    adreno_fibres given;
    uint32_t value[ADRENO_MAX_FIBRES][4];
} results;

/* A texture operation in a fibre. */
typedef struct operation {
    adreno_wave *w;
    const adreno_inst *in;
    unsigned fibre, next1, next2; /* registers of the sources that are read next */
    mach_image image;
    adreno_buffer_view records; /* of a fetch from records; otherwise `record` is 0 */
    mach_sampler sampler;
    results *results;
} operation;

/* A register, or what stands for it. Where texels are dropped it does not matter which they are. */
static uint32_t
read_source(const operation *o, unsigned fibre, unsigned reg, bool must_have)
{
    const bool half = !o->in->f[ADRENO_F_full];
    const adreno_source s = adreno_alias_of(o->w, reg, half);
    if (s.kind != ADRENO_S_REG)
        return adreno_alias_value(o->w, &s) & (half ? 0xffff : UINT32_MAX);
    if (must_have && o->in->f[ADRENO_F_dst] != ADRENO_NUMBER_NONE)
        adreno_need_value(o->w, fibre, (unsigned)s.value, half, "a texture's operand");
    return adreno_wave_read(o->w, fibre, s.value, half);
}

static uint32_t
read_next(operation *o, unsigned *reg)
{
    return read_source(o, o->fibre, (*reg)++, true);
}

static float
read_float(operation *o, unsigned *reg)
{
    const uint32_t bits = read_next(o, reg);
    return o->in->f[ADRENO_F_full] ? base_bits_f32(bits) : (float)base_fp_decode(bits, 16);
}

static int32_t
read_int(operation *o, unsigned *reg)
{
    const uint32_t bits = read_next(o, reg);
    return o->in->f[ADRENO_F_full] ? (int32_t)bits : (int32_t)base_sext64(bits, 16);
}

static unsigned
dims_of(const operation *o)
{
    return o->in->f[ADRENO_F_d3] ? 3 : 2;
}

/* ---- where the descriptors are ---- */

typedef struct places {
    adreno_place tex, samp;
} places;

/* Numbers of texture and sampler from the instruction, or from two registers (texture first). */
static void
read_numbers(const operation *o, places *p)
{
    const adreno_inst *in = o->in;
    const uint32_t bits = in->f[ADRENO_F_src3], mode = in->f[ADRENO_F_mode];
    const unsigned from = adreno_is_nonuniform(mode) ? o->fibre : adreno_wave_first(o->w);
    const bool half = mode == ADRENO_DESC_UNIFORM || mode == ADRENO_DESC_NONUNIFORM;
    if (!adreno_is_indirect(mode)) {
        const bool is_small = !adreno_uses_a1(mode);
        p->samp.index = is_small ? bits & 15 : bits;
        p->tex.index = is_small ? bits >> 4 : bits;
        return;
    }
    adreno_need_value(o->w, from, bits, half, "the texture's number");
    p->tex.index = adreno_wave_read(o->w, from, bits, half);
    p->samp.index = adreno_wave_read(o->w, from, bits + 1, half);
}

static places
find_places(const operation *o)
{
    const adreno_inst *in = o->in;
    places p = {.tex = {.set = -1, .fibre = o->fibre}, .samp = {.set = -1, .fibre = o->fibre}};
    if (!adreno_field_width(adreno_format_of(in->op), ADRENO_F_mode)) {
        p.tex.index = in->f[ADRENO_F_tex];
        p.samp.index = in->f[ADRENO_F_samp];
        return p;
    }
    const uint32_t mode = in->f[ADRENO_F_mode];
    read_numbers(o, &p);
    if (adreno_is_bindless(mode))
        p.tex.set = p.samp.set = (int)(in->f[ADRENO_F_base] | in->f[ADRENO_F_base_high] << 1);
    if (adreno_uses_a1(mode)) {
        const uint32_t a1 = adreno_wave_read(o->w, o->fibre, ADRENO_NUMBER_A0 + 1, false);
        p.samp.set = (int)(a1 & 7);
        if (!adreno_is_indirect(mode)) /* a7xx: the instruction has the texture's number */
            *(o->w->isa->gen >= 7 ? &p.samp.index : &p.tex.index) = a1 >> 3;
    }
    return p;
}

/* A fetch from records reaches one texel, so the others need not be in memory: turnip describes the
 * instances of an acceleration structure as more records than there are. */
static bool
open_records(operation *o, const adreno_place *place)
{
    uint64_t address;
    const bool is_isam = o->in->op == ADRENO_ISAM || o->in->op == ADRENO_ISAM_ANY;
    if (o->w->isa->gen < 6 || !is_isam || o->in->f[ADRENO_F_sv])
        return false;
    const uint32_t *words = adreno_peek_descriptor(o->w, place, ADRENO_DESCRIPTOR_BYTES);
    if (!words || !adreno_decode_buffer(words, &o->records) || o->records.record <= 1) {
        o->records.record = 0;
        return false;
    }
    return adreno_decode_image(o->w->isa->gen, words, &o->image, &address);
}

static bool
open_texture(operation *o)
{
    const places p = find_places(o);
    if (open_records(o, &p.tex))
        return true;
    if (!adreno_open_image(o->w, &p.tex, &o->image))
        return false;
    o->image.array = o->in->f[ADRENO_F_a];
    if (!(adreno_op_row(o->in->op)->properties & ADRENO_SAMP) || o->in->op <= ADRENO_ISAMM_ANY)
        return true;
    return adreno_open_sampler(o->w, &p.samp, mach_format_is_int(o->image.format), &o->sampler);
}

/* ---- results ---- */

static uint32_t
convert(uint64_t texel, unsigned type)
{
    if (type == ADRENO_F16)
        return base_f64_to_f16((double)base_bits_f32((uint32_t)texel), BASE_ROUND_EVEN);
    return (uint32_t)texel;
}

static void
give(const operation *o, const uint64_t c[4])
{
    o->results->given.word[o->fibre / 64] |= UINT64_C(1) << o->fibre % 64;
    for (unsigned i = 0; i < 4; i++)
        o->results->value[o->fibre][i] = convert(c[i], o->in->f[ADRENO_F_type]);
}

/* The components of the mask go to registers in a row, with gaps. */
static void
put_results(adreno_wave *w, const adreno_inst *in, const results *r)
{
    const bool half = adreno_is_half_type(in->f[ADRENO_F_type]);
    ADRENO_FOREACH_FIBRE(f, w) {
        for (unsigned i = 0; i < 4 && r->given.word[f / 64] >> f % 64 & 1; i++) {
            if (!(in->f[ADRENO_F_mask] >> i & 1))
                continue;
            adreno_wave_write(w, f, in->f[ADRENO_F_dst] + i, half, r->value[f][i]);
            adreno_wave_define(w, f, in->f[ADRENO_F_dst] + i, half, true);
        }
    }
}

/* ---- fetches ---- */

/* isam of a buffer with .v loads as many elements as the mask has, of the instruction's type. */
static void
fetch_buffer(operation *o)
{
    const unsigned type = o->in->f[ADRENO_F_type], size = adreno_type_bytes(type);
    const uint32_t first = (uint32_t)read_int(o, &o->next1);
    uint64_t c[4] = {0};
    for (unsigned i = 0; i < 4; i++) {
        const uint64_t at = ((uint64_t)first + i) * size;
        for (unsigned b = size; b-- > 0 && o->image.data && at + size <= o->image.size;)
            c[i] = c[i] << 8 | o->image.data[at + b];
    }
    for (unsigned i = 0; type == ADRENO_F16 && i < 4; i++)
        c[i] = base_f32_bits((float)base_fp_decode(c[i], 16));
    give(o, c);
}

/* isam without .v: record and texel. Outside there are zeros; what a place behind the record gives
 * is not known, here zero, too. */
static void
fetch_record(operation *o)
{
    const adreno_buffer_view *v = &o->records;
    const uint32_t bytes = mach_format_get(v->format)->bytes;
    const uint32_t record = read_next(o, &o->next1), texel = read_next(o, &o->next1);
    const adreno_access a = {.space = ADRENO_GLOBAL,
                             .kind = ADRENO_LOAD,
                             .address = v->address + ((uint64_t)record * v->record + texel) * bytes,
                             .size = bytes,
                             .fibre = o->fibre};
    const bool inside = record < v->elements && texel < v->record;
    const adreno_bytes b = inside ? adreno_reach(o->w, &a) : (adreno_bytes){0};
    mach_texel t = {{0}};
    if (b.host) {
        adreno_note_access(o->w, &a);
        o->image.data = b.host;
        o->image.width = 1;
        o->image.size = bytes;
        t = mach_image_fetch(&o->image, (const int32_t[4]){0}, 0, 0);
    }
    give(o, t.c);
}

/* On a3xx coordinates count texels of the first level (unminify_coords of ir3_compiler.c). */
static bool
is_scaled(const operation *o)
{
    return o->w->isa->gen < 4 && (o->in->op == ADRENO_ISAML || o->in->op == ADRENO_ISAML_ANY);
}

static void
fetch(operation *o)
{
    const adreno_op op = o->in->op;
    int32_t at[4] = {0}, level = 0;
    unsigned n = 0, sample = 0;
    const bool is_1d = o->image.dim == MACH_DIM_1D || o->image.dim == MACH_DIM_BUFFER;
    const unsigned dims = dims_of(o), used = is_1d ? 1 : dims;
    for (unsigned i = 0; i < dims; i++) {
        const int32_t x = read_int(o, &o->next1);
        if (i < used)
            at[n++] = x;
    }
    if (o->in->f[ADRENO_F_a])
        at[n++] = read_int(o, &o->next1);
    if (op == ADRENO_ISAMM || op == ADRENO_ISAMM_ANY)
        sample = (unsigned)read_int(o, &o->next1);
    int32_t by[4] = {0};
    for (unsigned i = 0; o->in->f[ADRENO_F_o] && i < dims; i++)
        by[i] = read_int(o, &o->next2);
    if (op == ADRENO_ISAML || op == ADRENO_ISAML_ANY)
        level = read_int(o, &o->next2);
    for (unsigned i = 0; i < used; i++)
        at[i] = (is_scaled(o) ? at[i] >> (level & 31) : at[i]) + by[i];
    const mach_texel t = mach_image_fetch(&o->image, at, level, sample);
    give(o, t.c);
}

/* ---- sampling ---- */

static bool
is_any(const adreno_inst *in, adreno_op op)
{
    return in->op == op || in->op == op + 1; /* the row with bases stands behind */
}

/* The component that a gather takes; 4: it is none. */
static unsigned
gathered(const adreno_inst *in)
{
    unsigned c = 0;
    while (c < 4 && !is_any(in, (adreno_op)(ADRENO_GATHER4R + 2 * c)))
        c++;
    return c;
}

static void
read_place(operation *o, mach_sample *p)
{
    const unsigned first = o->next1, dims = dims_of(o);
    const unsigned used = o->image.dim == MACH_DIM_1D ? 1 : dims;
    unsigned n = 0;
    for (unsigned i = 0; i < dims; i++) {
        const float x = read_float(o, &o->next1);
        if (i < used)
            p->coord[n++] = x;
    }
    if (o->in->f[ADRENO_F_sv]) {
        p->has_dref = true;
        p->dref = read_float(o, &o->next1);
    }
    if (o->in->f[ADRENO_F_a])
        p->coord[n++] = read_float(o, &o->next1);
    if (is_any(o->in, ADRENO_SAMGQ)) {
        p->lod_mode = MACH_LOD_GRADIENT;
        o->next1 = first + 4;
        for (unsigned i = 0; i < dims; i++)
            p->ddx[i] = read_float(o, &o->next1);
        for (unsigned i = 0; i < dims; i++)
            p->ddy[i] = read_float(o, &o->next1);
    }
}

/* Differences to the neighbours in the quad of what is at the first source. Where neighbours take
 * other ways, they are what happens to be there, as Vulkan allows. */
static void
set_gradients(const operation *o, mach_sample *p)
{
    const bool half = !o->in->f[ADRENO_F_full];
    const unsigned first = o->fibre / 4 * 4, src = o->in->f[ADRENO_F_src1];
    for (unsigned i = 0; i < dims_of(o); i++) {
        float x[3];
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t bits = read_source(o, first + k, src + i, false);
            x[k] = half ? (float)base_fp_decode(bits, 16) : base_bits_f32(bits);
        }
        p->ddx[i] = x[1] - x[0];
        p->ddy[i] = x[2] - x[0];
    }
}

/* Fragments have neighbours; others sample the base level. */
static void
set_implicit_level(const operation *o, mach_sample *p)
{
    const bool implicit = is_any(o->in, ADRENO_SAM) || is_any(o->in, ADRENO_SAMB) ||
                          is_any(o->in, ADRENO_GETLOD);
    if (!o->w->varyings || !implicit)
        return;
    set_gradients(o, p);
    p->lod_mode = MACH_LOD_GRADIENT;
}

static void
read_level(operation *o, mach_sample *p)
{
    const unsigned dims = o->image.dim == MACH_DIM_CUBE ? 2 : dims_of(o);
    for (unsigned i = 0; o->in->f[ADRENO_F_o] && i < dims; i++)
        p->offset[i] = read_int(o, &o->next2);
    if (is_any(o->in, ADRENO_SAML) || is_any(o->in, ADRENO_SAMB)) {
        p->lod_mode = is_any(o->in, ADRENO_SAML) ? MACH_LOD_EXPLICIT : MACH_LOD_BIAS;
        p->lod = read_float(o, &o->next2);
    }
    if (o->in->f[ADRENO_F_clp])
        p->min_lod = read_float(o, &o->next2);
}

static void
sample(operation *o)
{
    mach_sample p = {.lod_mode = MACH_LOD_BIAS};
    const unsigned component = gathered(o->in);
    read_place(o, &p);
    read_level(o, &p);
    set_implicit_level(o, &p);
    p.gather = component < 4;
    p.component = component & 3;
    if (p.gather)
        p.lod_mode = MACH_LOD_ZERO;
    o->sampler.compare_enable = p.has_dref;
    const bool is_lod = is_any(o->in, ADRENO_GETLOD);
    mach_texel t = is_lod ? mach_image_query_lod(&o->image, &o->sampler, &p)
                          : mach_image_sample(&o->image, &o->sampler, &p);
    if (is_lod) /* in 1/256 of a level (ir3_compiler_nir's emit_tex) */
        for (unsigned k = 0; k < 2; k++)
            t.c[k] = (uint32_t)(int32_t)floorf(base_bits_f32((uint32_t)t.c[k]) * 256);
    give(o, t.c);
}

/* ---- queries ---- */

/* getsize: the size of a level, then the layers, in w as the words have them, on a3xx one less;
 * getinfo: levels in z, on a3xx one less, samples in w (emit_tex_txs, emit_tex_info of Mesa's
 * ir3_compiler_nir.c). */
static void
query(operation *o)
{
    uint32_t size[3] = {0};
    uint64_t c[4] = {0};
    const mach_image *m = &o->image;
    const uint32_t less = o->w->isa->gen < 4,
                   layers = m->layers / (m->dim == MACH_DIM_CUBE ? 6 : 1);
    if (is_any(o->in, ADRENO_GETSIZE)) {
        const int32_t level = (int32_t)read_next(o, &o->next1);
        mach_image_query_size(m, level, size);
        c[0] = size[0];
        c[1] = m->dim == MACH_DIM_1D ? 1 : size[1];
        c[2] = m->dim == MACH_DIM_3D ? size[2] : layers;
        c[3] = layers - less;
    } else {
        c[0] = m->width;
        c[1] = m->height;
        c[2] = m->view_levels - less;
        c[3] = m->samples;
    }
    give(o, c);
}

/* A buffer's elements. */
static void
query_buffer(operation *o)
{
    const uint64_t c[4] = {o->image.width, 0, 0, 0};
    give(o, c);
}

typedef void
handler(operation *o);

static handler *
handler_of(const adreno_inst *in)
{
    if (in->op >= ADRENO_ISAM && in->op <= ADRENO_ISAMM_ANY)
        return fetch;
    if (in->op >= ADRENO_SAM && in->op <= ADRENO_GETLOD_ANY)
        return sample;
    if (gathered(in) < 4)
        return sample;
    if (is_any(in, ADRENO_GETBUF))
        return query_buffer;
    return is_any(in, ADRENO_GETSIZE) || is_any(in, ADRENO_GETINFO) ? query : NULL;
}

bool
adreno_execute_texture(adreno_wave *w, const adreno_inst *in)
{
    handler *h = handler_of(in);
    results r;
    if (!h || in->f[ADRENO_F_p])
        return in->op == ADRENO_TCINV;
    r.given = (adreno_fibres){0};
    ADRENO_FOREACH_FIBRE(f, w) {
        operation o = {.w = w,
                       .in = in,
                       .fibre = f,
                       .next1 = in->f[ADRENO_F_src1],
                       .next2 = in->f[ADRENO_F_src2],
                       .results = &r};
        if (!open_texture(&o))
            continue;
        const bool is_buffer = o.image.dim == MACH_DIM_BUFFER && h == fetch && in->f[ADRENO_F_sv];
        (o.records.record ? fetch_record : is_buffer ? fetch_buffer : h)(&o);
    }
    put_results(w, in, &r);
    return true;
}
