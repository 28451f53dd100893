/* Waves of fragments: four fibres a quad, helpers among them. */
#include "adreno/emu/draw/state.h"

#include "adreno/emu/check/sync.h"
#include "adreno/emu/core/alias.h"
#include "adreno/emu/core/findings.h"
#include "adreno/emu/image/image.h"
#include "adreno/isa/text/text.h"
#include "base/fp.h"
#include "machine/raster/fragment_place.h"

#include <string.h>

typedef mach_fragment_pixel pixel;

/* ---- inputs ---- */

/* The place for which position is given. */
static unsigned
shaded_place(const pixel *p)
{
    return p->quad->sample >= 0 ? MACH_AT_SAMPLE : MACH_AT_CENTER;
}

static void
give(adreno_wave *w, unsigned fibre, unsigned reg, uint32_t value)
{
    if (reg != ADRENO_DRAW_NONE)
        adreno_stage_give(w, fibre, reg, false, value);
}

static void
give_two(adreno_wave *w, unsigned fibre, unsigned reg, const float value[2])
{
    for (unsigned c = 0; c < 2 && reg != ADRENO_DRAW_NONE; c++)
        adreno_stage_give(w, fibre, reg + c, false, base_f32_bits(value[c]));
}

static void
give_position(adreno_wave *w, unsigned fibre, const uint8_t *reg, const pixel *p)
{
    enum { STEPS = 16 };
    const unsigned at = shaded_place(p);
    const double x = p->places.x[at], y = p->places.y[at];
    const float zw[2] = {(float)mach_depth_at(p->quad->part, x, y), (float)p->at[at].inv_w};
    if (reg[ADRENO_IO_XY] != ADRENO_DRAW_NONE) {
        adreno_stage_give(w, fibre, reg[ADRENO_IO_XY], false, (uint32_t)(int32_t)(x * STEPS));
        adreno_stage_give(w, fibre, reg[ADRENO_IO_XY] + 1u, false, (uint32_t)(int32_t)(y * STEPS));
    }
    give_two(w, fibre, reg[ADRENO_IO_ZW], zw);
}

static void
give_pixel(const draw_run *r, adreno_wave *w, unsigned fibre, const pixel *p)
{
    const uint8_t *reg = r->draw->fs.reg;
    const mach_fragment_quad *q = p->quad;
    const bool live = q->at.samples[p->k] != 0;
    w->active[fibre / 64] |= UINT64_C(1) << fibre % 64;
    if (!live)
        w->helpers.word[fibre / 64] |= UINT64_C(1) << fibre % 64;
    for (unsigned at = 0; at < MACH_FRAGMENT_PLACES; at++) {
        give_two(w, fibre, reg[ADRENO_IO_IJ_PIXEL + at], p->at[at].perspective);
        give_two(w, fibre, reg[ADRENO_IO_IJ_LINEAR_PIXEL + at], p->at[at].linear);
    }
    give_position(w, fibre, reg, p);
    give(w, fibre, reg[ADRENO_IO_CENTER_W],
         base_f32_bits((float)(1 / p->at[MACH_AT_CENTER].inv_w)));
    give(w, fibre, reg[ADRENO_IO_SAMPLE_MASK_IN], live ? q->covered[p->k] : 0);
    if (reg[ADRENO_IO_FACE] != ADRENO_DRAW_NONE)
        adreno_stage_give(w, fibre, reg[ADRENO_IO_FACE], true, q->part->back ? 0xffff : 0);
    if (reg[ADRENO_IO_SAMPLE_ID] != ADRENO_DRAW_NONE)
        adreno_stage_give(w, fibre, reg[ADRENO_IO_SAMPLE_ID], true,
                          q->sample > 0 ? (uint32_t)q->sample : 0);
}

/* ---- varyings ---- */

static adreno_varying
varying_of(const draw_run *r, const mach_fragment_quad *q, uint32_t place)
{
    const adreno_fragment_state *s = &r->draw->fs;
    const mach_primitive *p = q->primitive;
    adreno_varying v = {.defined = true};
    for (unsigned k = 0; k < 3; k++) {
        const uint32_t vertex = p->vertex[k < p->n ? k : 0];
        switch (s->source[place]) {
        case ADRENO_FROM_VERTEX:
            v.vertex[k] = r->words[vertex][s->word[place]];
            v.defined &= r->defined[vertex][s->word[place]];
            break;
        case ADRENO_FROM_NOTHING: v.defined = false; break;
        case ADRENO_FROM_PRIMITIVE_ID: v.vertex[k] = p->id; break;
        case ADRENO_FROM_LAYER: v.vertex[k] = q->layer; break;
        case ADRENO_FROM_VIEWPORT: v.vertex[k] = q->viewport; break;
        default: break;
        }
    }
    return v;
}

static void
set_quad(draw_run *r, uint32_t number, const mach_fragment_quad *q)
{
    adreno_varyings *v = &r->varyings;
    for (uint32_t place = 0; place < v->n; place++)
        v->place[number][place] = varying_of(r, q, place);
}

static void
set_point(draw_run *r, unsigned fibre, const pixel *p)
{
    mach_point_coord(p->quad->part, p->places.x[MACH_AT_CENTER], p->places.y[MACH_AT_CENTER],
                     r->varyings.point[fibre]);
}

/* ---- outputs ---- */

/* Components are in registers, or aliases. */
static void
take_color(adreno_wave *w, unsigned fibre, const adreno_color_regs *from, uint32_t out[4])
{
    for (unsigned c = 0; c < 4; c++) {
        if (from->aliased >> c & 1) {
            if (!adreno_alias_output(w, from->number, c, &out[c]))
                adreno_find(w, ADRENO_RULE_UNDEFINED_OUTPUT, -1, "nothing stands for rt%u.%c",
                            from->number, "xyzw"[c]);
        } else if (from->mask >> c & 1 && from->reg != ADRENO_DRAW_NONE) {
            adreno_stage_take(w, fibre, from->reg + c, "a colour", &out[c]);
        }
    }
}

static void
take_fragment(const draw_run *r, adreno_wave *w, unsigned fibre, mach_fragment *f)
{
    const adreno_fragment_state *s = &r->draw->fs;
    uint32_t value;
    f->dead = w->killed.word[fibre / 64] >> fibre % 64 & 1;
    if (f->dead)
        return;
    for (uint32_t k = 0; k < r->fixed.n_colors; k++)
        take_color(w, fibre, &s->colors[k], f->color[k]);
    take_color(w, fibre, &s->second_color, f->second);
    if (s->reg[ADRENO_IO_DEPTH] != ADRENO_DRAW_NONE) {
        adreno_stage_take(w, fibre, s->reg[ADRENO_IO_DEPTH], "the depth", &value);
        f->depth = base_bits_f32(value);
    }
    if (s->reg[ADRENO_IO_STENCIL] != ADRENO_DRAW_NONE) {
        adreno_stage_take(w, fibre, s->reg[ADRENO_IO_STENCIL], "the stencil reference", &value);
        f->stencil = (uint8_t)value;
    }
    if (s->reg[ADRENO_IO_SAMPLE_MASK] != ADRENO_DRAW_NONE) {
        adreno_stage_take(w, fibre, s->reg[ADRENO_IO_SAMPLE_MASK], "the mask of samples", &value);
        f->mask = (uint16_t)value;
    }
}

/* ---- textures before the wave ---- */

/* The same as two bary.f to registers that hold nothing yet, and a sam. Its result must be waited
 * for. */
static void
prefetch(const draw_run *r, adreno_wave *w, const adreno_prefetch *p)
{
    enum { FREE = 46 * 4 };
    for (unsigned c = 0; c < 2; c++) {
        adreno_inst bary = {.op = ADRENO_BARY_F};
        const adreno_source place = {.kind = ADRENO_S_NUMBER, .value = p->place + c};
        const adreno_source weights = {.kind = ADRENO_S_REG,
                                       .value = r->draw->fs.reg[ADRENO_IO_IJ_PIXEL]};
        bary.f[ADRENO_F_full] = 1;
        bary.f[ADRENO_F_dst] = FREE + c;
        if (!adreno_write_source(&place, &bary.f[ADRENO_F_src1]) ||
            !adreno_write_source(&weights, &bary.f[ADRENO_F_src2]))
            return;
        adreno_execute_varying(w, &bary);
    }
    adreno_inst sam = {.op = ADRENO_SAM_ANY};
    sam.f[ADRENO_F_type] = ADRENO_F32;
    sam.f[ADRENO_F_mask] = p->mask;
    sam.f[ADRENO_F_full] = 1;
    sam.f[ADRENO_F_dst] = p->reg;
    sam.f[ADRENO_F_src1] = FREE;
    sam.f[ADRENO_F_mode] = ADRENO_DESC_BINDLESS_IMM;
    sam.f[ADRENO_F_base] = p->set & 1;
    sam.f[ADRENO_F_base_high] = p->set >> 1;
    sam.f[ADRENO_F_src3] = p->sampler | (uint32_t)p->texture << 4;
    if (w->sync)
        adreno_sync_prefetched(w, &sam);
    adreno_execute_texture(w, &sam);
}

/* ---- waves ---- */

static bool
run_wave(draw_run *r, const mach_fragment_quad *quads, mach_fragment (*fragments)[4], uint32_t n)
{
    const uint32_t id[3] = {r->n_batches, r->n_waves++, 1};
    adreno_wave *w = adreno_stage_begin(r->fragment, id);
    w->varyings = &r->varyings;
    w->has_inputs = r->varyings.n != 0;
    for (uint32_t q = 0; q < n; q++) {
        set_quad(r, q, &quads[q]);
        for (unsigned k = 0; k < 4; k++) {
            const pixel p = mach_pixel_of(&quads[q], k, r->fixed.samples);
            set_point(r, 4 * q + k, &p);
            give_pixel(r, w, 4 * q + k, &p);
        }
    }
    for (uint32_t k = 0; k < r->draw->fs.n_prefetches; k++)
        prefetch(r, w, &r->draw->fs.prefetches[k]);
    if (!adreno_stage_run(r->fragment))
        return false;
    for (uint32_t f = 0; f < 4 * n; f++)
        if (quads[f / 4].at.samples[f % 4])
            take_fragment(r, w, f, &fragments[f / 4][f % 4]);
    return true;
}

bool
adreno_draw_fragments(void *user, mach_fragment_batch *b)
{
    draw_run *r = user;
    const uint32_t most = r->draw->fragment->wave_size / 4;
    for (uint32_t q = 0; q < b->n_quads; q += most) {
        const uint32_t n = b->n_quads - q < most ? b->n_quads - q : most;
        if (!run_wave(r, &b->quads[q], &b->fragments[q], n))
            return false;
    }
    return true;
}
