/* The texture unit: what a texture instruction gives, through the words of its resource and
 * sampler.
 *
 * Coordinates: x; y of images that have it; the depth or the layer in z, so that of a 1D array, y
 * does not count. A cube has what CUBE gives, divided and moved to 1 to 2, in x and y, and the face
 * plus 8 times the layer in z. The level, or its bias, is in w, and so is the sample of a
 * multisampled image; what is compared is in w, or in z if w has a level. Gradients, and offsets
 * that are not constants, come from instructions before. Implicit gradients are differences in a
 * quad of lanes. GATHER4 takes the component that the instruction's modifier names; until Evergreen
 * the results are in another order. (Mesa lowers to these: sfn_instr_tex.cpp,
 * sfn_nir_lower_tex.cpp.) */
#include "r600/emu/core/wave.h"

#include "base/bits.h"
#include "base/fp.h"

#include <string.h>

enum { QUAD = 4, FACES_OF_LAYER = 8 };

/* What there is for sampling instructions. */
typedef struct sample_row {
    uint16_t op;
    uint8_t mode; /* mach_lod_mode; MACH_LOD_GRADIENT: of SET_GRADIENTS */
    bool is_implicit, compares, gathers;
} sample_row;

static const sample_row rows[] = {
    {R600_SAMPLE, MACH_LOD_GRADIENT, true, false, false},
    {R600_SAMPLE_L, MACH_LOD_EXPLICIT, false, false, false},
    {R600_SAMPLE_LB, MACH_LOD_GRADIENT, true, false, false},
    {R600_SAMPLE_LZ, MACH_LOD_ZERO, false, false, false},
    {R600_SAMPLE_G, MACH_LOD_GRADIENT, false, false, false},
    {R600_SAMPLE_C, MACH_LOD_GRADIENT, true, true, false},
    {R600_SAMPLE_C_L, MACH_LOD_EXPLICIT, false, true, false},
    {R600_SAMPLE_C_LB, MACH_LOD_GRADIENT, true, true, false},
    {R600_SAMPLE_C_LZ, MACH_LOD_ZERO, false, true, false},
    {R600_SAMPLE_C_G, MACH_LOD_GRADIENT, false, true, false},
    {R600_GATHER4, MACH_LOD_ZERO, false, false, true},
    {R600_GATHER4_O, MACH_LOD_ZERO, false, false, true},
    {R600_GATHER4_C, MACH_LOD_ZERO, false, true, true},
    {R600_GATHER4_C_O, MACH_LOD_ZERO, false, true, true},
    {R600_GET_LOD, MACH_LOD_GRADIENT, true, false, false},
};

typedef struct operation {
    emu_wave *w;
    const r600_inst *in;
    const sample_row *row; /* NULL: no sampling */
    mach_image image;
    uint64_t address; /* of the image's first byte */
    mach_sampler sampler;
} operation;

static const sample_row *
find_row(unsigned op)
{
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == op)
            return &rows[i];
    return NULL;
}

/* ---- coordinates ---- */

static uint32_t
coordinate(const operation *o, unsigned c, uint32_t lane)
{
    const uint32_t select = o->in->f[R600_F_sel_x + c];
    if (select < 4)
        return o->w->gpr[o->in->f[R600_F_src_gpr]][select].v[lane];
    return select == EMU_SELECT_1 ? base_f32_bits(1.0f) : 0;
}

static float
number(const operation *o, unsigned c, uint32_t lane)
{
    return base_bits_f32(coordinate(o, c, lane));
}

static unsigned
axes_of(const operation *o)
{
    return o->image.dim == MACH_DIM_3D ? 3 : o->image.dim == MACH_DIM_1D ? 1 : 2;
}

/* Offsets are halves of texels, of which only whole ones are known. */
static int32_t
constant_offset(const operation *o, unsigned c)
{
    return (int32_t)base_sext64(o->in->f[R600_F_offset_x + c], 5) / 2;
}

/* ---- fetches ---- */

static void
fetch(const operation *o, uint32_t lane, uint32_t value[4])
{
    const unsigned axes = axes_of(o);
    const uint32_t last = coordinate(o, 3, lane);
    int32_t at[4] = {0};
    for (unsigned c = 0; c < axes; c++)
        at[c] = (int32_t)coordinate(o, c, lane) + constant_offset(o, c);
    if (axes < 3)
        at[axes] = (int32_t)coordinate(o, 2, lane);
    const bool has_samples = o->image.samples > 1;
    const mach_texel t = mach_image_fetch(&o->image, at, has_samples ? 0 : (int32_t)last,
                                          has_samples ? last : 0);
    for (unsigned c = 0; c < 4; c++)
        value[c] = (uint32_t)t.c[c];
    const uint64_t texel = mach_texel_offset(
        &o->image, (uint32_t)at[0], axes > 1 ? (uint32_t)at[1] : 0,
        o->image.base_layer + (uint32_t)at[axes < 3 ? axes : 2],
        o->image.base_level + (has_samples ? 0 : last), 0);
    if (texel != UINT64_MAX)
        r600_emu_check_fetch(o->w, o->address + texel, mach_format_get(o->image.format)->bytes,
                             lane);
}

/* ---- sampling ---- */

static void
set_place(const operation *o, uint32_t lane, mach_sample *p)
{
    const unsigned axes = axes_of(o);
    const float z = number(o, 2, lane);
    for (unsigned c = 0; c < axes; c++)
        p->coord[c] = number(o, c, lane);
    if (o->image.dim == MACH_DIM_CUBE) {
        const float at = z > 0 ? z : 0;
        const uint32_t layer = (uint32_t)(at / FACES_OF_LAYER);
        p->on_face = true;
        p->coord[0] -= 1;
        p->coord[1] -= 1;
        p->face = (uint32_t)(at - (float)(layer * FACES_OF_LAYER)) % 6;
        p->coord[3] = (float)layer;
    } else if (axes < 3) {
        p->coord[axes] = z;
    }
}

/* Differences to the neighbours of lane 0 of the quad. */
static void
set_implicit_gradients(const operation *o, uint32_t lane, mach_sample *p)
{
    const uint32_t first = lane / QUAD * QUAD;
    for (unsigned c = 0; c < axes_of(o); c++) {
        p->ddx[c] = number(o, c, first + 1) - number(o, c, first);
        p->ddy[c] = number(o, c, first + 2) - number(o, c, first);
    }
}

static void
set_level(const operation *o, uint32_t lane, mach_sample *p)
{
    const unsigned op = o->in->op;
    p->lod_mode = (mach_lod_mode)o->row->mode;
    p->lod = (float)base_sext64(o->in->f[R600_F_lod_bias], 7) / 16;
    if (op == R600_SAMPLE_L || op == R600_SAMPLE_LB || op == R600_SAMPLE_C_L ||
        op == R600_SAMPLE_C_LB)
        p->lod += number(o, 3, lane);
    if (o->row->is_implicit) {
        set_implicit_gradients(o, lane, p);
        return;
    }
    for (unsigned c = 0; c < 3; c++) {
        p->ddx[c] = base_bits_f32(o->w->set[EMU_SET_H][c][lane]);
        p->ddy[c] = base_bits_f32(o->w->set[EMU_SET_V][c][lane]);
    }
}

static void
set_offsets(const operation *o, uint32_t lane, mach_sample *p)
{
    const bool is_set = o->w->sets & 1u << EMU_SET_OFFSETS;
    for (unsigned c = 0; c < axes_of(o); c++)
        p->offset[c] = is_set ? (int32_t)o->w->set[EMU_SET_OFFSETS][c][lane]
                              : constant_offset(o, c);
}

/* Results of GATHER4 begin elsewhere until Evergreen: Mesa reads them as y z x w. */
static void
order_gathered(const operation *o, uint32_t value[4])
{
    const uint32_t was[4] = {value[0], value[1], value[2], value[3]};
    static const uint8_t places[4] = {1, 2, 0, 3};
    for (unsigned c = 0; emu_machine_of(o->w)->isa->gen < R600_GEN_CM && c < 4; c++)
        value[places[c]] = was[c];
}

/* Gathers of integers take nearest texels, which are half a texel beyond those of a linear filter
 * (Mesa, r600_nir_lower_int_tg4). */
static void
move_gather(const operation *o, mach_sample *p)
{
    const uint32_t sizes[2] = {mach_level_size(o->image.width, o->image.base_level),
                               mach_level_size(o->image.height, o->image.base_level)};
    for (unsigned c = 0; c < axes_of(o) && c < 2; c++)
        p->coord[c] += 0.5f / (o->sampler.unnormalized ? 1 : (float)sizes[c]);
}

static void
sample(const operation *o, uint32_t lane, uint32_t value[4])
{
    const bool has_level = o->in->op == R600_SAMPLE_C_L || o->in->op == R600_SAMPLE_C_LB;
    mach_sample p = {.gather = o->row->gathers, .component = o->in->f[R600_F_inst_mod]};
    set_place(o, lane, &p);
    set_level(o, lane, &p);
    set_offsets(o, lane, &p);
    p.has_dref = o->row->compares;
    p.dref = number(o, has_level ? 2 : 3, lane);
    if (o->in->op == R600_GET_LOD) { /* x: what was computed, y: the level that is used */
        const mach_texel t = mach_image_query_lod(&o->image, &o->sampler, &p);
        value[0] = (uint32_t)t.c[1];
        value[1] = (uint32_t)t.c[0];
        value[2] = value[3] = 0;
        return;
    }
    if (p.gather && mach_format_is_int(o->image.format))
        move_gather(o, &p);
    const mach_texel t = mach_image_sample(&o->image, &o->sampler, &p);
    for (unsigned c = 0; c < 4; c++)
        value[c] = (uint32_t)t.c[p.has_dref && !p.gather ? 0 : c];
    if (p.gather)
        order_gathered(o, value);
}

/* ---- queries ---- */

/* Width, height, depth or layers, levels. */
static void
query(const operation *o, uint32_t lane, uint32_t value[4])
{
    const mach_image *m = &o->image;
    uint32_t size[3] = {0};
    mach_image_query_size(m, (int32_t)coordinate(o, 0, lane), size);
    value[0] = size[0];
    value[1] = m->dim == MACH_DIM_1D ? 1 : size[1];
    value[2] = m->dim == MACH_DIM_3D ? size[2] : m->view_layers / (m->dim == MACH_DIM_CUBE ? 6 : 1);
    value[3] = m->view_levels;
}

static void
execute(const operation *o, uint32_t lane, uint32_t value[4])
{
    memset(value, 0, 4 * sizeof *value);
    switch (o->in->op) {
    case R600_LD: fetch(o, lane, value); break;
    case R600_GET_TEXTURE_RESINFO: query(o, lane, value); break;
    case R600_GET_NUMBER_OF_SAMPLES: value[3] = o->image.samples; break;
    default: sample(o, lane, value); break;
    }
}

/* ---- descriptors ---- */

static bool
open_texture(operation *o)
{
    emu_machine *m = emu_machine_of(o->w);
    const uint32_t *words = m->d->resources[o->in->f[R600_F_resource]];
    if (!r600_decode_texture(m->isa->gen, words, &o->image, &o->address)) {
        r600_emu_find(o->w, R600_RULE_DESCRIPTOR, -1, "the resource is no texture that is known");
        return false;
    }
    const mach_region *r = mach_memory_find(m->memory, &m->hint, o->address, o->image.size);
    if (!r) {
        r600_emu_find(o->w, R600_RULE_DESCRIPTOR, -1, "the texture is in no allocation");
        return false;
    }
    o->image.data = r->host + (o->address - r->base);
    return true;
}

/* Coordinates in texels or from 0 to 1, which instructions say of each. */
static void
open_sampler(operation *o)
{
    const r600_emu_dispatch *d = emu_machine_of(o->w)->d;
    const uint32_t s = o->in->f[R600_F_sampler];
    const unsigned mode = o->in->f[R600_F_coord_x];
    for (unsigned c = 1; c < axes_of(o); c++)
        if (o->in->f[R600_F_coord_x + c] != mode)
            r600_emu_unsupported(o->w, "coordinates of which some are in texels");
    if (s >= R600_MAX_SAMPLERS)
        r600_emu_unsupported(o->w, "a sampler beyond 17");
    r600_decode_sampler(emu_machine_of(o->w)->isa->gen, d->samplers[s], d->borders[s], &o->sampler);
    o->sampler.unnormalized = !mode;
    o->sampler.compare_enable = o->row->compares;
}

void
r600_emu_texture(emu_wave *w, const r600_inst *in)
{
    operation o = {.w = w, .in = in, .row = find_row(in->op)};
    const bool is_known = o.row || in->op == R600_LD || in->op == R600_GET_TEXTURE_RESINFO ||
                          in->op == R600_GET_NUMBER_OF_SAMPLES;
    if (!is_known || in->f[R600_F_alt_const] || in->f[R600_F_resource_index] ||
        in->f[R600_F_sampler_index])
        r600_emu_unsupported(w, "a texture instruction that the emulator does not have");
    const bool is_open = open_texture(&o);
    if (is_open && o.row)
        open_sampler(&o);
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        uint32_t value[4] = {0};
        if (is_open)
            execute(&o, lane, value);
        r600_emu_write_fetch(w, in, value, lane);
    }
}
