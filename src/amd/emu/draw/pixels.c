/* Pixel waves: four lanes a quad, helpers among them, as many quads as a wave has lanes.
 *
 * SPI_PS_INPUT_ADDR says which inputs have VGPRs, in the order of its bits, and SPI_PS_INPUT_ENA
 * which of them are set. Behind the user data a wave has one SGPR for m0: the primitives' mask and
 * the place of parameters in LDS (docs: RDNA 2 ISA, "Parameter Interpolation").
 */
#include "amd/emu/draw/state.h"

#include "base/bits.h"
#include "base/fp.h"
#include "machine/raster/fragment_place.h"

#include <math.h>
#include <string.h>

/* Bits of SPI_PS_INPUT_ENA, and how many VGPRs each has. */
enum {
    PERSP_SAMPLE,
    PERSP_CENTER,
    PERSP_CENTROID,
    PERSP_PULL,
    LINEAR_SAMPLE,
    LINEAR_CENTER,
    LINEAR_CENTROID,
    LINE_STIPPLE,
    POS_X,
    POS_Y,
    POS_Z,
    POS_W,
    FRONT_FACE,
    ANCILLARY,
    COVERAGE,
    POS_FIXED,
    N_INPUTS
};
static const uint8_t sizes[N_INPUTS] = {2, 2, 2, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* A lane's pixel: its places, and the weights there. */
typedef struct pixel {
    const mach_fragment_quad *quad;
    unsigned k;
    mach_fragment_places places;
    mach_weights at[MACH_FRAGMENT_PLACES];
} pixel;

/* ---- places ---- */

/* A point's weights are its coordinates, for parameters that are such (parameters.c). */
static mach_weights
weights_of(const pixel *p, unsigned at)
{
    const mach_part *part = p->quad->part;
    mach_weights w = mach_weights_at(&part->surface, p->places.x[at], p->places.y[at]);
    if (part->point_size > 0) {
        mach_point_coord(part, p->places.x[at], p->places.y[at], w.perspective);
        memcpy(w.linear, w.perspective, sizeof w.linear);
    }
    return w;
}

static void
set_weights(const draw_run *r, pixel *p)
{
    static const uint32_t inputs[MACH_FRAGMENT_PLACES] = {
        [MACH_AT_CENTER] = 1 << PERSP_CENTER | 1 << PERSP_PULL | 1 << LINEAR_CENTER | 1 << POS_Z |
                           1 << POS_W,
        [MACH_AT_CENTROID] = 1 << PERSP_CENTROID | 1 << LINEAR_CENTROID,
        [MACH_AT_SAMPLE] = 1 << PERSP_SAMPLE | 1 << LINEAR_SAMPLE};
    bool done[MACH_FRAGMENT_PLACES] = {false};
    for (unsigned at = 0; at < MACH_FRAGMENT_PLACES; at++) {
        uint32_t needed = inputs[at];
        if (at == r->pixels->position_place)
            needed |= 1 << POS_Z | 1 << POS_W;
        if (!(needed & r->pixels->enabled))
            continue;
        for (unsigned o = 0; o < at && !done[at]; o++) {
            if (done[o] && p->places.x[o] == p->places.x[at] && p->places.y[o] == p->places.y[at]) {
                p->at[at] = p->at[o];
                done[at] = true;
            }
        }
        if (!done[at])
            p->at[at] = weights_of(p, at);
        done[at] = true;
    }
}

/* ---- values ---- */

static uint32_t
front_face(const draw_run *r, const mach_fragment_quad *q)
{
    if (r->pixels->face_all_bits)
        return q->part->back ? 0 : UINT32_MAX;
    return base_f32_bits(q->part->back ? -1.0f : 1.0f);
}

static uint32_t
ancillary(const mach_fragment_quad *q)
{
    enum { SAMPLE_SHIFT = 8, LAYER_SHIFT = 16 };
    return (uint32_t)(q->sample > 0 ? q->sample : 0) << SAMPLE_SHIFT | q->layer << LAYER_SHIFT;
}

static void
two(uint32_t out[3], const float v[2])
{
    out[0] = base_f32_bits(v[0]);
    out[1] = base_f32_bits(v[1]);
}

static uint32_t
position(const draw_run *r, double v)
{
    return base_f32_bits((float)(r->pixels->position_corner ? floor(v) : v));
}

/* The samples that are covered; or of pixels all of whose area is (COVERAGE_TO_SHADER_SELECT 1,
 * INPUT_INNER_COVERAGE). */
static uint32_t
coverage(const draw_run *r, const pixel *p)
{
    const mach_fragment_quad *q = p->quad;
    return r->pixels->inner_coverage && !(q->at.full >> p->k & 1) ? 0 : q->covered[p->k];
}

static void
set_input(const draw_run *r, unsigned input, const pixel *p, uint32_t out[3])
{
    const mach_fragment_quad *q = p->quad;
    const mach_weights *pull = &p->at[MACH_AT_CENTER];
    unsigned at = r->pixels->position_place;
    switch (input) {
    case PERSP_SAMPLE: two(out, p->at[MACH_AT_SAMPLE].perspective); break;
    case PERSP_CENTER: two(out, p->at[MACH_AT_CENTER].perspective); break;
    case PERSP_CENTROID: two(out, p->at[MACH_AT_CENTROID].perspective); break;
    case LINEAR_SAMPLE: two(out, p->at[MACH_AT_SAMPLE].linear); break;
    case LINEAR_CENTER: two(out, p->at[MACH_AT_CENTER].linear); break;
    case LINEAR_CENTROID: two(out, p->at[MACH_AT_CENTROID].linear); break;
    case PERSP_PULL:
        out[0] = base_f32_bits((float)((double)pull->perspective[0] * pull->inv_w));
        out[1] = base_f32_bits((float)((double)pull->perspective[1] * pull->inv_w));
        out[2] = base_f32_bits((float)pull->inv_w);
        break;
    case POS_X: out[0] = position(r, p->places.x[at]); break;
    case POS_Y: out[0] = position(r, p->places.y[at]); break;
    case POS_Z:
        out[0] = base_f32_bits((float)mach_depth_at(q->part, p->places.x[at], p->places.y[at]));
        break;
    case POS_W: out[0] = base_f32_bits((float)(1 / p->at[at].inv_w)); break;
    case FRONT_FACE: out[0] = front_face(r, q); break;
    case ANCILLARY: out[0] = ancillary(q); break;
    case COVERAGE: out[0] = coverage(r, p); break;
    case POS_FIXED:
        out[0] = ((uint32_t)(q->at.x + (int)(p->k & 1)) & 0xffff) |
                 (uint32_t)(q->at.y + (int)(p->k >> 1)) << 16;
        break;
    default: out[0] = 0; break;
    }
}

/* ---- waves ---- */

static void
set_lane(const draw_run *r, const pixel *p, uint32_t lane, amd_emu_stage_wave *w)
{
    const draw_pixels *x = r->pixels;
    unsigned reg = 0;
    for (unsigned i = 0; i < N_INPUTS; i++) {
        uint32_t value[3];
        if (!(x->addressed >> i & 1))
            continue;
        if (x->enabled >> i & 1) {
            set_input(r, i, p, value);
            for (unsigned k = 0; k < sizes[i]; k++)
                w->vgprs[reg + k][lane] = value[k];
        }
        reg += sizes[i];
    }
}

/* What ordered waves up to gfx10.3 wait by: the wave's number (9:0), that of the newest one that
 * has pixels of it (25:16), the packer that counts them, and whether there is one (31); the code
 * waits until the packer's SRC_POPS_EXITING_WAVE_ID has passed it (as RADV 26.2.6 does). Waves run
 * one after the other here: each is number 0, which is the next to leave, behind the last one. */
static uint32_t
collision(void)
{
    enum { NEWEST_AT = 16, LAST = 1023 };
    return 1u << 31 | (uint32_t)LAST << NEWEST_AT;
}

static void
set_scalars(const draw_run *r, amd_emu_stage_wave *w)
{
    enum { MASK_SHIFT = 16 };
    const draw_shader *s = &r->pixel;
    w->n_sgprs = 0;
    w->sgprs_set = 0;
    amd_draw_give_user(s, w);
    amd_draw_give_scalar(w, r->pixels->lds.new_primitives << MASK_SHIFT);
    if (r->pixels->counts_waves)
        amd_draw_give_scalar(w, 0);
    if (r->pixels->takes_collision)
        amd_draw_give_scalar(w, collision());
    amd_draw_give_scratch(r, s, 0, w);
}

static void
set_wave(draw_run *r, const mach_fragment_quad *quads, uint32_t n)
{
    draw_pixels *x = r->pixels;
    amd_emu_stage_wave *w = &x->wave;
    x->live = 0;
    for (uint32_t q = 0; q < n; q++) {
        for (unsigned k = 0; k < 4; k++) {
            pixel p = {.quad = &quads[q], .k = k};
            p.places = mach_places_of(&quads[q], k, r->out.samples);
            set_weights(r, &p);
            set_lane(r, &p, 4 * q + k, w);
            x->live |= (uint64_t)(quads[q].at.samples[k] != 0) << (4 * q + k);
        }
    }
    w->exec = x->live;
    w->defined = base_mask64(4 * n);
    set_scalars(r, w);
}

static bool
run_wave(draw_run *r, const mach_fragment_quad *quads, mach_fragment (*fragments)[4], uint32_t n)
{
    draw_pixels *x = r->pixels;
    amd_draw_fill_lds(r, quads, n, &x->lds);
    set_wave(r, quads, n);
    x->fragments = fragments;
    x->any_export = x->done = false;
    const amd_emu_stage_group g = {.id = {r->batch - 1, r->group++, 1},
                                   .n_waves = 1,
                                   .waves = &x->wave,
                                   .lds = x->lds.values,
                                   .lds_defined = x->lds.defined,
                                   .lds_bytes = x->lds.bytes};
    if (!amd_emu_stage_run(r->pixel.stage, &g))
        return false;
    if (!x->done && (x->any_export || x->color_format || x->depth_format))
        amd_emu_stage_missing_export(r->pixel.stage, 0, "its last export of colours or depth");
    return true;
}

bool
amd_draw_shade_pixels(void *user, mach_fragment_batch *b)
{
    draw_run *r = user;
    uint32_t most = r->pixel.launch.wave_size / 4;
    for (uint32_t q = 0; q < b->n_quads; q += most) {
        uint32_t n = b->n_quads - q < most ? b->n_quads - q : most;
        if (!run_wave(r, &b->quads[q], &b->fragments[q], n))
            return false;
    }
    return true;
}

void
amd_draw_begin_pixels(draw_run *r)
{
    draw_pixels *x = r->pixels;
    amd_emu_stage_wave *w = &x->wave;
    uint32_t room = r->pixel.launch.lds_bytes + 16;
    x->enabled = draw_value(r, AMD_HW_SPI_PS_INPUT_ENA);
    x->addressed = draw_value(r, AMD_HW_SPI_PS_INPUT_ADDR);
    x->color_format = draw_value(r, AMD_HW_SPI_SHADER_COL_FORMAT);
    x->depth_format = draw_field(r, AMD_HW_SPI_SHADER_Z_FORMAT_Z_EXPORT_FORMAT);
    uint32_t place = draw_field(r, AMD_HW_SPI_BARYC_CNTL_POS_FLOAT_LOCATION);
    x->position_place = place < MACH_FRAGMENT_PLACES ? place : MACH_AT_CENTER;
    x->position_corner = draw_field(r, AMD_HW_SPI_BARYC_CNTL_POS_FLOAT_ULC);
    x->face_all_bits = draw_field(r, AMD_HW_SPI_BARYC_CNTL_FRONT_FACE_ALL_BITS);
    x->inner_coverage = draw_field(r, AMD_HW_PA_SC_AA_CONFIG_COVERAGE_TO_SHADER_SELECT) == 1 ||
                        draw_field(r, AMD_HW_SPI_PS_INPUT_ENA_COVERAGE_TO_SHADER_SELECT) == 1;
    x->exports_mask = draw_field(r, AMD_HW_DB_SHADER_CONTROL_MASK_EXPORT_ENABLE);
    x->counts_waves = draw_field(r, AMD_HW_SPI_SHADER_PGM_RSRC2_PS_WAVE_CNT_EN);
    x->takes_collision = draw_field(r, AMD_HW_SPI_SHADER_PGM_RSRC2_PS_LOAD_COLLISION_WAVEID);
    amd_draw_read_inputs(r);
    x->lds.values = arena_zalloc(r->arena, room);
    x->lds.defined = arena_zalloc(r->arena, room);
    for (unsigned i = 0; i < N_INPUTS; i++) {
        if (!(x->addressed >> i & 1))
            continue;
        if (x->enabled >> i & 1)
            w->vgprs_set |= base_mask64(sizes[i]) << w->n_vgprs;
        w->n_vgprs += sizes[i];
    }
}
