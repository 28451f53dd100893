/* Image instructions (MIMG): loads, stores, atomics, sampling, queries.
 *
 * T# and S# become a mach_image and a mach_sampler (image_address.c); the machine layer does the
 * arithmetic. Addresses of sampled cubes have face coordinates in [1, 2] and a face number (plus 8
 * times the layer), as the compiler computes them with v_cubesc and related opcodes. Without an
 * explicit lod, the gradients come from the lane's quad.
 */
#include "amd/emu/image/image.h"

#include "amd/emu/core/findings.h"
#include "amd/emu/core/lock.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/image/image_address.h"
#include "amd/emu/num/float.h"

/* Converts coordinates of loads, stores and atomics to the machine layer's; returns the sample
 * number. */
static uint32_t
integer_coords(const emu_image_args *g, const emu_image_address *a, int32_t coord[4])
{
    uint32_t n = amd_emu_image_coords(g->dim), sample = 0;
    if (g->dim >= EMU_DIM_2D_MSAA)
        sample = a->coord[--n];
    for (uint32_t k = 0; k < 4; k++)
        coord[k] = k < n ? (int32_t)a->coord[k] : 0;
    return sample;
}

/* The register of component `n` of the data, and the component's bit position in it. */
static uint32_t
component_register(const emu_inst *i, uint32_t n, uint32_t *shift)
{
    bool halves = i->in.d16 && !i->unpacked_d16;
    *shift = halves && n % 2 ? 16 : 0;
    return i->vdata - AMD_REG_VGPR0 + (halves ? n / 2 : n);
}

/* The number of data registers for `n` components, including the one for tfe. */
static uint32_t
data_registers(const emu_inst *i, uint32_t n)
{
    n = n ? n : 1;
    return (i->in.d16 && !i->unpacked_d16 ? (n + 1) / 2 : n) + i->in.tfe;
}

/* Writes the components of `t` that dmask selects to the registers from vdata on. */
static void
put_texel(emu_wave *w, const emu_inst *i, bool is_int, uint32_t mask, uint32_t l,
          const mach_texel *t)
{
    uint32_t n = 0, shift;
    for (uint32_t c = 0; c < 4; c++) {
        if (!(mask >> c & 1))
            continue;
        uint32_t v = (uint32_t)t->c[c], *at = &w->vgpr[component_register(i, n++, &shift)][l];
        if (i->in.d16) {
            v = is_int ? v & 0xffff : amd_emu_to_half_rne(base_bits_f32(v));
            v = (*at & ~(0xffffu << shift)) | v << shift;
        }
        *at = v;
    }
    if (i->in.tfe)
        w->vgpr[i->vdata - AMD_REG_VGPR0 + data_registers(i, n) - 1][l] = 0;
}

static mach_texel
get_texel(const emu_wave *w, const emu_inst *i, bool is_int, uint32_t l)
{
    uint32_t n = 0, shift;
    mach_texel t = {{0}};
    for (uint32_t c = 0; c < 4; c++) {
        if (!(i->in.dmask >> c & 1))
            continue;
        uint32_t v = w->vgpr[component_register(i, n++, &shift)][l];
        if (i->in.d16) {
            v = v >> shift & 0xffff;
            v = is_int ? v : base_f32_bits(amd_emu_from_half(v));
        }
        t.c[c] = v;
    }
    return t;
}

/* The bytes of a texel of the base level, or NULL outside the image. */
static uint8_t *
texel_bytes(const emu_image_args *g, const emu_image_address *a, uint32_t size)
{
    const mach_image *m = &g->image;
    int32_t c[4];
    uint32_t sample = integer_coords(g, a, c), slice = 0;
    uint32_t y = m->dim == MACH_DIM_1D ? 0 : (uint32_t)c[1];
    if (m->dim == MACH_DIM_3D || m->dim == MACH_DIM_CUBE || (m->array && m->dim == MACH_DIM_2D))
        slice = (uint32_t)c[2];
    else if (m->array)
        slice = (uint32_t)c[1];
    if (m->dim != MACH_DIM_3D && slice >= m->view_layers)
        return NULL;
    uint64_t at = mach_texel_offset(m, (uint32_t)c[0], y, slice + m->base_layer, m->base_level,
                                    sample);
    return at == UINT64_MAX || at + size > m->size ? NULL : m->data + at;
}

/* Tells of the access to the texel at `p`, if there is one. */
static void
note_texel(emu_wave *w, const emu_image_args *g, const uint8_t *p, uint32_t l, bool same)
{
    if (w->m->tell.shared && p)
        w->m->tell.shared(w, g->base + (uint64_t)(p - g->image.data),
                          mach_format_get(g->image.format)->bytes, (int)l, same);
}

static void
load(emu_wave *w, const emu_inst *i, const emu_image_args *g, uint32_t l)
{
    emu_image_address a;
    int32_t coord[4];
    amd_emu_image_read_address(w, i, g, l, &a);
    uint32_t sample = integer_coords(g, &a, coord);
    int32_t level = g->parts & AMD_A_LOD ? (int32_t)a.lod : 0;
    mach_texel t = g->none;
    if (w->m->tell.shared && g->valid && level == 0)
        note_texel(w, g, texel_bytes(g, &a, mach_format_get(g->image.format)->bytes), l, false);
    if (g->valid)
        t = mach_image_fetch(&g->image, coord, level, sample);
    put_texel(w, i, g->is_int, i->in.dmask, l, &t);
}

/* image_msaa_load: the component that dmask names, for four samples from the given one on. */
static void
msaa_load(emu_wave *w, const emu_inst *i, const emu_image_args *g, uint32_t l)
{
    emu_image_address a;
    int32_t coord[4];
    mach_texel t = {{0}};
    uint32_t component = i->in.dmask ? base_ctz32(i->in.dmask) : 0;
    amd_emu_image_read_address(w, i, g, l, &a);
    uint32_t sample = integer_coords(g, &a, coord);
    for (uint32_t k = 0; g->valid && k < 4 && sample + k < g->image.samples; k++)
        t.c[k] = mach_image_fetch(&g->image, coord, 0, sample + k).c[component];
    put_texel(w, i, g->is_int, 15, l, &t);
}

static void
store(emu_wave *w, const emu_inst *i, const emu_image_args *g, uint32_t l)
{
    emu_image_address a;
    int32_t coord[4];
    amd_emu_image_read_address(w, i, g, l, &a);
    uint32_t sample = integer_coords(g, &a, coord);
    mach_texel t = mach_texel_unswizzle(g->image.swizzle, get_texel(w, i, g->is_int, l));
    uint32_t size = mach_format_get(g->image.format)->bytes,
             level = g->parts & AMD_A_LOD ? a.lod : 0;
    uint8_t old[16];
    const uint8_t *p = w->m->tell.shared && g->valid && level == 0 && size <= sizeof old
                           ? texel_bytes(g, &a, size)
                           : NULL;
    if (p)
        memcpy(old, p, size);
    if (g->valid)
        mach_image_store(&g->image, coord, (int32_t)level, sample, &t);
    note_texel(w, g, p, l, p && !memcmp(old, p, size));
}

/* The *_pck opcodes move the raw bytes of a texel, dword k for bit k of dmask. A texel smaller than
 * a dword is zero- or sign-extended (RDNA 2 ISA, "Image opcodes"). */
static uint8_t *
packed_bytes(emu_wave *w, const emu_inst *i, const emu_image_args *g, uint32_t l, uint32_t *size)
{
    emu_image_address a;
    *size = mach_format_get(g->image.format)->bytes;
    amd_emu_image_read_address(w, i, g, l, &a);
    uint32_t level = g->parts & AMD_A_LOD ? a.lod : 0;
    emu_image_args at = *g;
    at.image.base_level += level;
    return g->valid && level < g->image.view_levels ? texel_bytes(&at, &a, *size) : NULL;
}

static void
load_packed(emu_wave *w, const emu_inst *i, const emu_image_args *g, uint32_t l)
{
    uint32_t words[4] = {0}, size, reg = i->vdata - AMD_REG_VGPR0;
    const uint8_t *p = packed_bytes(w, i, g, l, &size);
    bool sign = i->in.op == AMD_IMAGE_LOAD_PCK_SGN || i->in.op == AMD_IMAGE_LOAD_MIP_PCK_SGN;
    if (p)
        memcpy(words, p, size);
    note_texel(w, g, p, l, false);
    if (p && sign && size < 4)
        words[0] = (uint32_t)base_sext64(words[0], size * 8);
    for (uint32_t k = 0; k < 4; k++)
        if (i->in.dmask >> k & 1)
            w->vgpr[reg++][l] = words[k];
    if (i->in.tfe)
        w->vgpr[reg][l] = 0;
}

static void
store_packed(emu_wave *w, const emu_inst *i, const emu_image_args *g, uint32_t l)
{
    uint32_t words[4] = {0}, size, reg = i->vdata - AMD_REG_VGPR0;
    uint8_t *p = packed_bytes(w, i, g, l, &size);
    for (uint32_t k = 0; k < 4; k++)
        if (i->in.dmask >> k & 1)
            words[k] = w->vgpr[reg++][l];
    note_texel(w, g, p, l, p && !memcmp(p, words, size));
    if (p)
        memcpy(p, words, size);
}

static emu_atomic
atomic_of(uint32_t op)
{
    switch (op) {
    case AMD_IMAGE_ATOMIC_SWAP: return EMU_SWAP;
    case AMD_IMAGE_ATOMIC_CMPSWAP: return EMU_CMPSWAP;
    case AMD_IMAGE_ATOMIC_ADD: return EMU_ADD;
    case AMD_IMAGE_ATOMIC_SUB: return EMU_SUB;
    case AMD_IMAGE_ATOMIC_RSUB: return EMU_RSUB;
    case AMD_IMAGE_ATOMIC_SMIN: return EMU_SMIN;
    case AMD_IMAGE_ATOMIC_UMIN: return EMU_UMIN;
    case AMD_IMAGE_ATOMIC_SMAX: return EMU_SMAX;
    case AMD_IMAGE_ATOMIC_UMAX: return EMU_UMAX;
    case AMD_IMAGE_ATOMIC_AND: return EMU_AND;
    case AMD_IMAGE_ATOMIC_OR: return EMU_OR;
    case AMD_IMAGE_ATOMIC_XOR: return EMU_XOR;
    case AMD_IMAGE_ATOMIC_INC: return EMU_INC;
    case AMD_IMAGE_ATOMIC_DEC: return EMU_DEC;
    case AMD_IMAGE_ATOMIC_FCMPSWAP: return EMU_FCMPSWAP;
    case AMD_IMAGE_ATOMIC_FMIN: return EMU_FMIN;
    case AMD_IMAGE_ATOMIC_FMAX: return EMU_FMAX;
    case AMD_IMAGE_ATOMIC_ADD_FLT: return EMU_FADD;
    case AMD_IMAGE_ATOMIC_PK_ADD_F16: return EMU_PK_ADD_F16;
    case AMD_IMAGE_ATOMIC_PK_ADD_BF16: return EMU_PK_ADD_BF16;
    default: return EMU_ATOMIC_NONE;
    }
}

/* The number of components in the data: that of dmask, or four for gathers and multisample loads
 * (for which LLVM's text for gfx10.3 has a register per bit of dmask). */
static uint32_t
image_data(const emu_inst *i)
{
    bool four = i->row->operands[0].type == AMD_T_B128 || i->in.op == AMD_IMAGE_MSAA_LOAD;
    return data_registers(i, four ? 4 : base_popcount32(i->in.dmask));
}

/* dmask gives the number of registers: one for the operand (two for 64 bits), and as many again for
 * the compared value. */
static void
atomic(emu_wave *w, const emu_inst *i, const emu_image_args *g, uint32_t l)
{
    emu_atomic op = atomic_of(i->in.op);
    bool compare = op == EMU_CMPSWAP || op == EMU_FCMPSWAP;
    uint32_t reg = i->vdata - AMD_REG_VGPR0,
             words = base_popcount32(i->in.dmask) / (compare ? 2 : 1);
    bool wide = words > 1;
    emu_image_address a;
    amd_emu_image_read_address(w, i, g, l, &a);
    uint64_t x = w->vgpr[reg][l] | (wide ? (uint64_t)w->vgpr[reg + 1][l] << 32 : 0), y = 0, old = 0;
    if (compare)
        y = w->vgpr[reg + (wide ? 2 : 1)][l] | (wide ? (uint64_t)w->vgpr[reg + 3][l] << 32 : 0);
    uint8_t *p = g->valid ? texel_bytes(g, &a, wide ? 8 : 4) : NULL;
    if (p) {
        amd_emu_lock(w->m->locks, p);
        memcpy(&old, p, wide ? 8 : 4);
        uint64_t new = amd_emu_atomic_result(op, wide ? 64 : 32, old, x, y);
        memcpy(p, &new, wide ? 8 : 4);
        amd_emu_unlock(w->m->locks, p);
        note_texel(w, g, p, l, false);
    }
    if (!i->in.glc)
        return;
    if (i->in.tfe)
        w->vgpr[reg + image_data(i) - 1][l] = 0;
    w->vgpr[reg][l] = (uint32_t)old;
    if (wide)
        w->vgpr[reg + 1][l] = (uint32_t)(old >> 32);
}

static void
sample_coords(const emu_image_args *g, const emu_image_address *a, mach_sample *p)
{
    uint32_t n = amd_emu_image_coords(g->dim);
    for (uint32_t k = 0; k < n; k++)
        p->coord[k] = base_bits_f32(a->coord[k]);
    for (uint32_t k = 0; k < 3; k++) {
        p->ddx[k] = a->dx[k];
        p->ddy[k] = a->dy[k];
    }
    if (g->dim != EMU_DIM_CUBE)
        return;
    float id = p->coord[2];
    id = g->sampler.trunc_layer ? floorf(id) : nearbyintf(id);
    uint32_t slice = id > 0 && id < 65536 ? (uint32_t)id : 0;
    p->on_face = true;
    p->face = (slice & 7) % 6;
    p->coord[0] -= 1;
    p->coord[1] -= 1;
    p->coord[3] = (float)(slice >> 3);
}

/* Gradients from a quad, whose first lane is given: right minus left, lower minus upper. */
static void
quad_gradients(const emu_wave *w, const emu_inst *i, emu_image_args *g, uint32_t first)
{
    emu_image_address at[3];
    uint32_t n = amd_emu_image_gradients(g->dim);
    memset(g->dx, 0, sizeof g->dx);
    memset(g->dy, 0, sizeof g->dy);
    for (uint32_t k = 0; k < 3; k++)
        amd_emu_image_read_address(w, i, g, first + k, &at[k]);
    for (uint32_t k = 0; k < n; k++) {
        g->dx[k] = base_bits_f32(at[1].coord[k]) - base_bits_f32(at[0].coord[k]);
        g->dy[k] = base_bits_f32(at[2].coord[k]) - base_bits_f32(at[0].coord[k]);
    }
}

/* An opcode's source of the lod; computed, like whether it gathers, from parts of its name, once
 * per instruction. */
typedef enum lod_kind { LOD_IMPLICIT, LOD_GIVEN, LOD_ZERO } lod_kind;

typedef struct sample_way {
    lod_kind lod;
    bool gather;
} sample_way;

static const sample_way *
way_of(const amd_op_info *row)
{
    static const sample_way ways[2][3] = {
        {{LOD_IMPLICIT, false}, {LOD_GIVEN, false}, {LOD_ZERO, false}},
        {{LOD_IMPLICIT, true}, {LOD_GIVEN, true}, {LOD_ZERO, true}},
    };
    const char *name = row->name, *l = strstr(name, "_l");
    /* "_l" or "_l_o", but not "_cl" */
    bool given = l && (l[2] == '\0' || l[2] == '_');
    return &ways[!strncmp(name, "image_gather4", 13)][strstr(name, "_lz") ? LOD_ZERO
                                                      : given             ? LOD_GIVEN
                                                                          : LOD_IMPLICIT];
}

static bool
has_implicit_gradients(const emu_inst *i, const emu_image_args *g)
{
    return i->samp != AMD_REG_ABSENT && ((const sample_way *)i->op)->lod == LOD_IMPLICIT &&
           !(g->parts & AMD_A_GRADIENTS);
}

static void
fill_sample(emu_wave *w, const emu_inst *i, const emu_image_args *g, uint32_t l, mach_sample *p)
{
    emu_image_address a;
    lod_kind lod = ((const sample_way *)i->op)->lod;
    amd_emu_image_read_address(w, i, g, l, &a);
    if (has_implicit_gradients(i, g)) {
        memcpy(a.dx, g->dx, sizeof a.dx);
        memcpy(a.dy, g->dy, sizeof a.dy);
    }
    *p = (mach_sample){.has_dref = g->parts & AMD_A_COMPARE, .dref = a.compare, .lod = a.bias};
    p->lod_mode = lod == LOD_ZERO    ? MACH_LOD_ZERO
                  : lod == LOD_GIVEN ? MACH_LOD_EXPLICIT
                                     : MACH_LOD_GRADIENT;
    if (lod == LOD_GIVEN)
        p->lod = base_bits_f32(a.lod);
    else if (g->parts & AMD_A_LOD)
        p->min_lod = base_bits_f32(a.lod); /* the lod clamp */
    for (uint32_t k = 0; k < 3; k++)
        p->offset[k] = (int32_t)base_sext64(a.offset >> (8 * k), 6);
    sample_coords(g, &a, p);
}

static void
sample(emu_wave *w, const emu_inst *i, const emu_image_args *g, uint32_t l)
{
    mach_sample p;
    mach_texel t = g->none;
    bool gather = ((const sample_way *)i->op)->gather;
    fill_sample(w, i, g, l, &p);
    p.gather = gather;
    p.component = gather && i->in.dmask ? base_ctz32(i->in.dmask) : 0;
    if (g->valid)
        t = mach_image_sample(&g->image, &g->sampler, &p);
    put_texel(w, i, g->is_int, gather ? 15 : i->in.dmask, l, &t);
}

static void
get_lod(emu_wave *w, const emu_inst *i, const emu_image_args *g, uint32_t l)
{
    mach_sample p;
    mach_texel t = {{0}};
    fill_sample(w, i, g, l, &p);
    if (g->valid)
        t = mach_image_query_lod(&g->image, &g->sampler, &p);
    put_texel(w, i, false, i->in.dmask, l, &t);
}

/* Returns width, height, depth or layers, and the number of levels. */
static void
get_resinfo(emu_wave *w, const emu_inst *i, const emu_image_args *g, uint32_t l)
{
    const mach_image *m = &g->image;
    uint32_t level = w->vgpr[amd_emu_image_address_register(i, 0)][l] & (i->in.a16 ? 0xffff : ~0u);
    mach_texel t = {{0}};
    if (g->valid && level < m->view_levels) {
        level += m->base_level;
        bool layered = m->array || m->dim == MACH_DIM_CUBE;
        t.c[0] = mach_level_size(m->width, level);
        t.c[1] = m->dim == MACH_DIM_1D && m->array ? m->view_layers
                                                   : mach_level_size(m->height, level);
        t.c[2] = m->dim == MACH_DIM_3D ? mach_level_size(m->depth, level)
                 : layered             ? m->view_layers
                                       : 1;
    }
    t.c[3] = g->valid ? (m->samples > 1 ? m->samples : m->view_levels) : 0;
    put_texel(w, i, true, i->in.dmask, l, &t);
}

typedef void
lane_handler(emu_wave *w, const emu_inst *i, const emu_image_args *g, uint32_t l);

/* The bytes of the k-th data register that hold components. */
static uint32_t
component_bytes(const emu_inst *i, uint32_t k)
{
    uint32_t n = base_popcount32(i->in.dmask);
    return i->in.d16 && (i->unpacked_d16 || n == 2 * k + 1) ? EMU_BYTES_LOW : EMU_BYTES_ALL;
}

static void
check_shadow(emu_wave *w, const emu_inst *i, const emu_image_args *g)
{
    uint64_t exec = amd_emu_exec(w);
    uint32_t n = image_data(i);
    for (uint32_t k = 0; k < amd_emu_image_address_dwords(i, g); k++)
        amd_emu_shadow_use(w, amd_emu_image_address_register(i, k), exec, "image address");
    amd_emu_shadow_use_scalar(w, i->rsrc, i->in.r128 ? 4 : 8, "image descriptor");
    for (uint32_t k = 0; k < n; k++) {
        uint32_t reg = i->vdata - AMD_REG_VGPR0 + k;
        bool status = i->in.tfe && k + 1 == n;
        if (i->row->flags & (AMD_F_STORE | AMD_F_ATOMIC) && !status)
            amd_emu_shadow_use_bytes(w, reg, component_bytes(i, k), exec, "image data");
        else if (!(i->row->flags & AMD_F_STORE) && (i->in.glc || !(i->row->flags & AMD_F_ATOMIC)))
            amd_emu_shadow_set(w, reg, EMU_BYTES_ALL, exec, 0);
    }
}

static lane_handler *
handler_of(const emu_inst *i)
{
    switch (i->in.op) {
    case AMD_IMAGE_LOAD:
    case AMD_IMAGE_LOAD_MIP: return load;
    case AMD_IMAGE_MSAA_LOAD:
    case AMD_IMAGE_MSAA_LOAD4: return msaa_load;
    case AMD_IMAGE_LOAD_PCK:
    case AMD_IMAGE_LOAD_PCK_SGN:
    case AMD_IMAGE_LOAD_MIP_PCK:
    case AMD_IMAGE_LOAD_MIP_PCK_SGN: return load_packed;
    case AMD_IMAGE_STORE_PCK:
    case AMD_IMAGE_STORE_MIP_PCK: return store_packed;
    case AMD_IMAGE_STORE:
    case AMD_IMAGE_STORE_MIP: return store;
    case AMD_IMAGE_GET_RESINFO: return get_resinfo;
    case AMD_IMAGE_GET_LOD: return get_lod;
    case AMD_IMAGE_GATHER4H: return NULL;
    default: break;
    }
    if (i->row->flags & AMD_F_ATOMIC)
        return atomic_of(i->in.op) == EMU_ATOMIC_NONE ? NULL : atomic;
    return i->samp != AMD_REG_ABSENT ? sample : NULL;
}

/* Stores, atomics and packed loads require texels that occupy whole bytes. */
static bool
can_access(emu_wave *w, const emu_inst *i, const emu_image_args *g)
{
    const mach_format_info *f = mach_format_get(g->image.format);
    bool plain = i->samp != AMD_REG_ABSENT || i->in.op == AMD_IMAGE_GET_RESINFO ||
                 handler_of(i) == load || handler_of(i) == msaa_load;
    if (!plain && g->valid && (f->block || f->kind == MACH_NUM_FMASK)) {
        amd_emu_stop(w, MACH_RUN_UNSUPPORTED, "%s of an image of format %s", i->row->name, f->name);
        return false;
    }
    return true;
}

static void
run_image(emu_wave *w, const emu_inst *i)
{
    emu_image_args g;
    lane_handler *lane = handler_of(i);
    if (!amd_emu_exec(w))
        return;
    amd_emu_image_descriptors(w, i, &g);
    if (w->shadow)
        check_shadow(w, i, &g);
    if (!can_access(w, i, &g))
        return;
    bool implicit = has_implicit_gradients(i, &g);
    uint32_t quad = UINT32_MAX;
    for (uint64_t left = amd_emu_exec(w); left && !w->m->stop; left &= left - 1) {
        uint32_t l = base_ctz64(left);
        if (implicit && (l & ~3u) != quad) {
            quad = l & ~3u;
            quad_gradients(w, i, &g, quad);
        }
        lane(w, i, &g, l);
    }
}

bool
amd_emu_bind_image(emu_inst *i)
{
    if (!handler_of(i))
        return false;
    uint32_t n = amd_emu_image_address_least(i), data = image_data(i);
    for (uint32_t k = 0; k < n && i->in.nsa; k++)
        amd_emu_add_range(i, i->in.nsa_addr[k], 1, false);
    if (!i->in.nsa)
        amd_emu_add_range(i, i->vaddr, n, false);
    if (i->row->flags & (AMD_F_STORE | AMD_F_ATOMIC))
        amd_emu_add_range(i, i->vdata, data - i->in.tfe, false);
    if (i->row->flags & AMD_F_LOAD || (i->row->flags & AMD_F_ATOMIC && i->in.glc))
        amd_emu_add_range(i, i->vdata, data, true);
    i->op = way_of(i->row);
    i->run = run_image;
    return true;
}
