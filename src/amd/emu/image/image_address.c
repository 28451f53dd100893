/* Addresses and descriptors of image instructions; see image.h.
 *
 * The order of address components is (RDNA 2 ISA, "Image addressing") offset, bias, compare value,
 * gradients, coordinates, lod or lod clamp or mip. From gfx10 on the instruction gives the image's
 * dimension; before that the T#'s type does, and `da` says whether there is a layer (or a face)
 * (GCN3 ISA, "Image Opcodes"). a16 packs coordinates and lod into 16-bit halves, on gfx9 also
 * gradients, separately for each direction; from gfx10 on the _g16 opcodes pack gradients (Vega
 * ISA, "A16"; LLVM 19).
 */
#include "amd/emu/image/image_address.h"

#include "amd/emu/core/findings.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/num/float.h"

/* Numbers of coordinates, by dimension: 1D 2D 3D cube 1D-array 2D-array 2D-msaa 2D-msaa-array. */
static const uint8_t dim_coords[8] = {1, 2, 3, 3, 2, 3, 3, 4};
static const uint8_t dim_gradients[8] = {1, 2, 3, 2, 1, 2, 2, 2};

uint32_t
amd_emu_image_coords(uint32_t dim)
{
    return dim_coords[dim & 7];
}

uint32_t
amd_emu_image_gradients(uint32_t dim)
{
    return dim_gradients[dim & 7];
}

uint32_t
amd_emu_image_address_register(const emu_inst *i, uint32_t k)
{
    return (i->in.nsa ? i->in.nsa_addr[k] : i->vaddr + k) - AMD_REG_VGPR0;
}

/* Component `k` of an address made of 32-bit registers, or of halves from register `first` on
 * (a16). */
static uint32_t
component(const emu_wave *w, const emu_inst *i, uint32_t first, uint32_t k, uint32_t l)
{
    if (!i->in.a16)
        return w->vgpr[amd_emu_image_address_register(i, first + k)][l];
    uint32_t v = w->vgpr[amd_emu_image_address_register(i, first + k / 2)][l];
    return v >> (16 * (k % 2)) & 0xffff;
}

/* Widens a half to a float's bits or an integer. */
static uint32_t
widened(const emu_inst *i, uint32_t v, bool is_float)
{
    if (!i->in.a16)
        return v;
    return is_float ? base_f32_bits(amd_emu_from_half(v)) : v;
}

static void
read_gradients(const emu_wave *w, const emu_inst *i, const emu_image_args *g, uint32_t *at,
               uint32_t l, emu_image_address *a)
{
    uint32_t n = amd_emu_image_gradients(g->dim);
    bool half = g->half_gradients;
    for (uint32_t d = 0; d < 2; d++) {
        float *out = d ? a->dy : a->dx;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t v = w->vgpr[amd_emu_image_address_register(i, *at + (half ? k / 2 : k))][l];
            out[k] = half ? amd_emu_from_half(v >> (16 * (k % 2))) : base_bits_f32(v);
        }
        *at += half ? (n + 1) / 2 : n;
    }
}

void
amd_emu_image_read_address(const emu_wave *w, const emu_inst *i, const emu_image_args *g,
                           uint32_t l, emu_image_address *a)
{
    bool sampled = i->samp != AMD_REG_ABSENT;
    uint32_t at = 0, n = amd_emu_image_coords(g->dim), parts = g->parts;
    *a = (emu_image_address){0};
    if (parts & AMD_A_OFFSET)
        a->offset = w->vgpr[amd_emu_image_address_register(i, at++)][l];
    if (parts & AMD_A_BIAS) {
        uint32_t bias = w->vgpr[amd_emu_image_address_register(i, at++)][l];
        a->bias = i->in.a16 ? amd_emu_from_half(bias) : base_bits_f32(bias);
    }
    if (parts & AMD_A_COMPARE)
        a->compare = base_bits_f32(w->vgpr[amd_emu_image_address_register(i, at++)][l]);
    if (parts & AMD_A_GRADIENTS)
        read_gradients(w, i, g, &at, l, a);
    if (!(parts & AMD_A_COORDS))
        n = 0;
    for (uint32_t k = 0; k < n; k++)
        a->coord[k] = widened(i, component(w, i, at, k, l), sampled);
    if (parts & AMD_A_LOD)
        a->lod = widened(i, component(w, i, at, n, l), sampled);
}

uint32_t
amd_emu_image_address_dwords(const emu_inst *i, const emu_image_args *g)
{
    uint32_t parts = g->parts, gradients = amd_emu_image_gradients(g->dim);
    uint32_t n = base_popcount32(parts & (AMD_A_OFFSET | AMD_A_BIAS | AMD_A_COMPARE));
    uint32_t comps = (parts & AMD_A_COORDS ? amd_emu_image_coords(g->dim) : 0) +
                     (parts & AMD_A_LOD ? 1 : 0);
    n += i->in.a16 ? (comps + 1) / 2 : comps;
    if (parts & AMD_A_GRADIENTS)
        n += 2 * (g->half_gradients ? (gradients + 1) / 2 : gradients);
    return n;
}

static bool
has_half_gradients(const emu_inst *i)
{
    return i->row->memory & AMD_A_G16 || (i->gen < AMD_GFX10 && i->in.a16);
}

uint32_t
amd_emu_image_address_least(const emu_inst *i)
{
    emu_image_args g = {.parts = i->row->memory,
                        .dim = i->gen >= AMD_GFX10 ? i->in.dim
                               : i->in.da          ? EMU_DIM_1D_ARRAY
                                                   : EMU_DIM_1D,
                        .half_gradients = has_half_gradients(i)};
    return amd_emu_image_address_dwords(i, &g);
}

/* Before gfx10: the dimension, which gives the meaning of the address components. */
static uint32_t
dim_of(uint32_t type, bool da)
{
    switch (type) {
    case AMD_IMG_1D:
    case AMD_IMG_1D_ARRAY: return da ? EMU_DIM_1D_ARRAY : EMU_DIM_1D;
    case AMD_IMG_3D: return EMU_DIM_3D;
    case AMD_IMG_CUBE: return EMU_DIM_CUBE;
    case AMD_IMG_2D_MSAA:
    case AMD_IMG_2D_MSAA_ARRAY: return da ? EMU_DIM_2D_MSAA_ARRAY : EMU_DIM_2D_MSAA;
    default: return da ? EMU_DIM_2D_ARRAY : EMU_DIM_2D;
    }
}

/* Finds the texels in the host's memory. */
static void
find_bytes(emu_wave *w, const amd_image_desc *d, emu_image_args *g)
{
    mach_region *r = g->valid ? mach_memory_find(w->m->memory, &w->region_hint, d->base, 1) : NULL;
    if (g->valid && !r)
        amd_emu_find(w, EMU_RULE_IMAGE_BOUNDS, -1, "the image at 0x%llx is in no allocation",
                     (unsigned long long)d->base);
    g->valid = r != NULL;
    g->base = d->base;
    g->image.data = r ? r->host + (d->base - r->base) : NULL;
    g->image.size = r ? r->size - (d->base - r->base) : 0;
    g->is_int = mach_format_is_int(g->image.format);
}

static void
read_image(emu_wave *w, const emu_inst *i, emu_image_args *g)
{
    amd_gen gen = w->m->d->gen;
    uint32_t words[8] = {0};
    amd_image_desc d;
    for (uint32_t k = 0; k < (i->in.r128 ? 4u : 8u); k++)
        words[k] = w->sgpr[i->rsrc + k];
    amd_image_decode(gen, words, &d);
    g->dim = (uint8_t)(gen >= AMD_GFX10 ? i->in.dim : dim_of(d.type, i->in.da));
    g->valid = d.type >= AMD_IMG_1D && d.format != AMD_FORMAT_INVALID;
    for (uint32_t k = 0; k < 4; k++) /* Mesa's null descriptors rely on this */
        g->none.c[k] = d.type >= AMD_IMG_1D && d.dst_sel[k] == AMD_SEL_1 ? base_f32_bits(1) : 0;
    if (d.tiled && !d.unbuilt && !w->m->d->packs_tiles)
        d.unbuilt = gen <= AMD_GFX8 ? "a TILING_INDEX that is not linear" : "a tiled SW_MODE";
    if (d.tiled)
        d.base = amd_image_tiles_base(gen, &d);
    if (g->valid && d.unbuilt) {
        amd_emu_stop(w, MACH_RUN_UNSUPPORTED, "image descriptor with %s", d.unbuilt);
        g->valid = false;
    } else if (g->valid && d.format & AMD_FORMAT_UNKNOWN) {
        uint32_t raw = d.format & ~(uint32_t)AMD_FORMAT_UNKNOWN;
        amd_emu_stop(w, MACH_RUN_UNSUPPORTED, "image format %u (%s)", raw,
                     amd_format_group(gen, raw));
        g->valid = false;
    } else if (g->valid && !amd_image_to_mach(gen, &d, &g->image)) {
        amd_emu_stop(w, MACH_RUN_UNSUPPORTED,
                     "image descriptor with format %u, type %u, %ux%ux%u, levels %u to %u of %u",
                     d.format, d.type, d.width, d.height, d.depth, d.base_level, d.last_level,
                     d.max_mip + 1);
        g->valid = false;
    }
    if (!g->valid)
        g->image = (mach_image){0};
    find_bytes(w, &d, g);
}

/* BORDER_COLOR_TYPE 3: four dwords of the table whose address is in a register
 * (TA_CS_BC_BASE_ADDR). */
static void
read_border(emu_wave *w, const amd_sampler_desc *s, mach_sampler *m)
{
    uint64_t at = w->m->d->border_colors + 16 * (uint64_t)s->border_index;
    if (!w->m->d->border_colors) {
        amd_emu_stop(w, MACH_RUN_UNSUPPORTED,
                     "a border colour from the table, and there is no table");
        return;
    }
    for (uint32_t k = 0; k < 4; k++)
        amd_emu_load_bytes(w, at + 4 * k, 4, -1, &m->border[k], NULL);
}

/* Applies FORCE_DEGAMMA and SKIP_DEGAMMA, which change how texels are read. */
static void
set_gamma(emu_wave *w, const amd_sampler_desc *s, emu_image_args *g)
{
    uint8_t kind = mach_format_get(g->image.format)->kind;
    bool force = s->force_degamma && kind == MACH_NUM_UNORM && !s->skip_degamma,
         skip = s->skip_degamma && kind == MACH_NUM_SRGB;
    if (!force && !skip)
        return;
    mach_format f = mach_format_with_srgb(g->image.format, force);
    if (f)
        g->image.format = f;
    else
        amd_emu_stop(w, MACH_RUN_UNSUPPORTED,
                     "a sampler with FORCE_DEGAMMA and an image of format %s",
                     mach_format_get(g->image.format)->name);
}

/* A fractional layer is rounded; with TRUNC_COORD, up to gfx10.3, it is truncated (Mesa,
 * ac_gpu_info.h, conformant_trunc_coord: a register enables that from gfx11 on). */
static bool
cuts_layers(amd_gen gen, const amd_sampler_desc *s)
{
    return s->trunc_coord && gen < AMD_GFX11;
}

static void
read_sampler(emu_wave *w, const emu_inst *i, emu_image_args *g)
{
    uint32_t words[4];
    amd_sampler_desc s;
    for (uint32_t k = 0; k < 4; k++)
        words[k] = w->sgpr[i->samp + k];
    amd_sampler_decode(w->m->d->gen, words, &s);
    if (s.unbuilt)
        amd_emu_stop(w, MACH_RUN_UNSUPPORTED, "sampler descriptor with %s", s.unbuilt);
    amd_sampler_to_mach(&s, g->is_int, g->parts & AMD_A_COMPARE, &g->sampler);
    g->sampler.unnormalized |= i->in.unorm;
    g->sampler.trunc_layer = cuts_layers(w->m->d->gen, &s);
    set_gamma(w, &s, g);
    if (s.border_type == AMD_BORDER_TABLE)
        read_border(w, &s, &g->sampler);
    if (w->shadow)
        amd_emu_shadow_use_scalar(w, i->samp, 4, "sampler descriptor");
}

void
amd_emu_image_descriptors(emu_wave *w, const emu_inst *i, emu_image_args *g)
{
    *g = (emu_image_args){.parts = i->row->memory, .half_gradients = has_half_gradients(i)};
    read_image(w, i, g);
    if (i->samp != AMD_REG_ABSENT && !w->m->stop)
        read_sampler(w, i, g);
}
