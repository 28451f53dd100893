/* SPI_SHADER registers: programs, register counts, user data; and the stages that run them. */
#include "amd/emu/draw/state.h"

#include "amd/emu/run/group.h"
#include "amd/emu/run/load.h"
#include "base/bits.h"

#include <string.h>

/* What the stages call their registers. */
typedef struct shader_regs {
    amd_hw_reg low, rsrc1, rsrc2, user_data;
    amd_hw_field high, user_sgprs, user_msb, scratch, fp16_overflow, shared_vgprs, wave32;
} shader_regs;

#define REGS(stage, program, w32)                                                                  \
    {                                                                                              \
        AMD_HW_SPI_SHADER_PGM_LO_##program, AMD_HW_SPI_SHADER_PGM_RSRC1_##stage,                   \
            AMD_HW_SPI_SHADER_PGM_RSRC2_##stage, AMD_HW_SPI_SHADER_USER_DATA_##stage##_0,          \
            AMD_HW_SPI_SHADER_PGM_HI_##program##_MEM_BASE,                                         \
            AMD_HW_SPI_SHADER_PGM_RSRC2_##stage##_USER_SGPR,                                       \
            AMD_HW_SPI_SHADER_PGM_RSRC2_##stage##_USER_SGPR_MSB,                                   \
            AMD_HW_SPI_SHADER_PGM_RSRC2_##stage##_SCRATCH_EN,                                      \
            AMD_HW_SPI_SHADER_PGM_RSRC1_##stage##_FP16_OVFL,                                       \
            AMD_HW_SPI_SHADER_PGM_RSRC2_##stage##_SHARED_VGPR_CNT, w32                             \
    }

static const shader_regs vs = REGS(VS, VS, AMD_HW_VGT_SHADER_STAGES_EN_VS_W32_EN);
static const shader_regs ngg = REGS(GS, ES, AMD_HW_VGT_SHADER_STAGES_EN_GS_W32_EN);
static const shader_regs ps = REGS(PS, PS, AMD_HW_SPI_PS_IN_CONTROL_PS_W32_EN);

static uint64_t
entry_of(const amd_hw_registers *f, const shader_regs *g)
{
    return mach_canonical(((uint64_t)amd_hw_register_value(f, g->low, 0) |
                           (uint64_t)amd_hw_register_field(f, g->high) << 32)
                          << 8);
}

/* WAVESIZE counts 256 dwords of a wave, from gfx11 on 64. */
static void
set_scratch(const amd_hw_registers *f, amd_emu_dispatch *l)
{
    enum { RING_UNIT = 1024, ARCHITECTED_UNIT = 256 };
    uint32_t unit = amd_draw_gen_of(f->gen)->scratch_sgpr ? RING_UNIT : ARCHITECTED_UNIT;
    l->scratch_bytes = amd_hw_register_field(f, AMD_HW_SPI_TMPRING_SIZE_WAVESIZE) * unit /
                       l->wave_size;
}

/* Word 1 has its fields below bit 24 where compute shaders have them, words 2 and 3 do not. */
static void
set_words(const amd_hw_registers *f, const shader_regs *g, amd_emu_dispatch *l)
{
    enum { FP16_OVERFLOW = 26, WGP_MODE = 29 };
    uint32_t whole = g == &ngg ? amd_hw_register_field(f, AMD_HW_SPI_SHADER_PGM_RSRC1_GS_WGP_MODE)
                               : 0;
    const uint32_t words[3] = {(amd_hw_register_value(f, g->rsrc1, 0) & 0xffffff) |
                                   amd_hw_register_field(f, g->fp16_overflow) << FP16_OVERFLOW |
                                   whole << WGP_MODE,
                               0, amd_hw_register_field(f, g->shared_vgprs)};
    amd_emu_set_words(l, words);
}

/* What registers say of a program: `*l` gets all that is not the same for all programs. */
static void
set_program(const amd_hw_registers *f, const shader_regs *g, amd_emu_dispatch *l)
{
    uint32_t user = amd_hw_register_field(f, g->user_sgprs) | amd_hw_register_field(f, g->user_msb)
                                                                  << 5;
    l->gen = f->gen;
    l->entry = entry_of(f, g);
    l->wave_size = amd_hw_register_field(f, g->wave32) ? 32 : 64;
    set_words(f, g, l);
    l->n_user_sgprs = user < AMD_EMU_MAX_USER_SGPRS ? user : AMD_EMU_MAX_USER_SGPRS;
    for (uint32_t k = 0; k < l->n_user_sgprs; k++)
        l->user_sgprs[k] = amd_hw_register_value(f, g->user_data, k);
    if (amd_hw_register_field(f, g->scratch))
        set_scratch(f, l);
    if (g == &ngg)
        l->lds_bytes = amd_hw_register_field(f, AMD_HW_SPI_SHADER_PGM_RSRC2_GS_LDS_SIZE) *
                       amd_draw_gen_of(f->gen)->lds_granule;
}

uint32_t
amd_draw_program_of(const amd_hw_registers *regs, bool pixels, amd_emu_dispatch *l)
{
    bool is_ngg = amd_draw_gen_of(regs->gen)->always_ngg ||
                  amd_hw_register_field(regs, AMD_HW_VGT_SHADER_STAGES_EN_PRIMGEN_EN);
    const shader_regs *g = pixels ? &ps : is_ngg ? &ngg : &vs;
    set_program(regs, g, l);
    return g == &ngg ? AMD_DRAW_NGG_FIRST_USER : 0;
}

static void
read_shader(draw_run *r, const shader_regs *g, draw_shader *s)
{
    const amd_draw *d = r->draw;
    amd_emu_dispatch *l = &s->launch;
    *l = (amd_emu_dispatch){.processor = d->processor,
                            .resident_waves = d->resident_waves,
                            .packed_d16 = d->packed_d16,
                            .may_retry = d->may_retry,
                            .packs_tiles = d->packs_tiles,
                            .export_user = r,
                            .checks = d->checks & ~(uint32_t)MACH_CHECK_RACES,
                            .rules_off = d->rules_off,
                            .seed = d->seed,
                            .max_instructions = d->max_instructions,
                            .max_total = d->max_total,
                            .watch = d->watch};
    l->border_colors = (uint64_t)draw_value(r, AMD_HW_TA_BC_BASE_ADDR) << 8 |
                       (uint64_t)draw_field(r, AMD_HW_TA_BC_BASE_ADDR_HI_ADDRESS) << 40;
    if (d->border_colors)
        l->border_colors = d->border_colors;
    set_program(r->regs, g, l);
    s->has_scratch = draw_field(r, g->scratch);
}

/* ---- vertices ---- */

static void
take_vertex(void *user, const amd_emu_export *e)
{
    draw_run *r = user;
    amd_draw_take_vertex_export(r, e, e->wave * r->vertex.launch.wave_size);
}

/* gs_alloc_req: vertices in m0 11:0, primitives from 12 on. */
static void
take_message(void *user, uint32_t message, uint32_t m0)
{
    enum { GS_ALLOC_REQ = 9 };
    draw_run *r = user;
    draw_vertices *v = r->vertices;
    if ((message & 15) != GS_ALLOC_REQ)
        return;
    v->allocated = true;
    v->n_vertices = m0 & 0xfff;
    v->n_primitives = m0 >> 12 & 0xfff;
}

static void
read_vertex_shader(draw_run *r)
{
    draw_shader *s = &r->vertex;
    if (draw_field(r, AMD_HW_VGT_SHADER_STAGES_EN_LS_EN) ||
        draw_field(r, AMD_HW_VGT_SHADER_STAGES_EN_HS_EN))
        r->problem = "tessellation";
    else if (!r->ngg && (draw_field(r, AMD_HW_VGT_SHADER_STAGES_EN_ES_EN) ||
                         draw_field(r, AMD_HW_VGT_SHADER_STAGES_EN_GS_EN)))
        r->problem = "a geometry shader";
    else if (draw_field(r, AMD_HW_VGT_SHADER_STAGES_EN_GS_FAST_LAUNCH))
        r->problem = "a mesh shader";
    else if (!r->ngg && !r->is->has_vs)
        r->problem = "a hardware vertex shader, which the generation does not have";
    read_shader(r, r->ngg ? &ngg : &vs, s);
    s->launch.on_export = take_vertex;
    if (r->is->attribute_ring) {
        s->launch.ring_base = amd_draw_attribute_ring(r);
        s->launch.ring_bytes = (draw_field(r, AMD_HW_SPI_ATTRIBUTE_RING_SIZE_MEM_SIZE) + 1) << 16;
    }
    s->launch.on_message = take_message;
    uint32_t most = r->ngg && MACH_BATCH_PRIMITIVES > MACH_BATCH_VERTICES ? MACH_BATCH_PRIMITIVES
                                                                          : MACH_BATCH_VERTICES;
    s->most_waves = (most + s->launch.wave_size - 1) / s->launch.wave_size;
}

/* ---- pixels ---- */

static void
read_pixel_shader(draw_run *r)
{
    enum { QUADS = MACH_BATCH_QUADS, PARAMETER_BYTES = 48 };
    draw_shader *s = &r->pixel;
    uint32_t first = draw_field(r, AMD_HW_SPI_PS_IN_CONTROL_NUM_INTERP) +
                     draw_field(r, AMD_HW_SPI_SHADER_GS_OUT_CONFIG_PS_NUM_INTERP);
    uint32_t n = first + draw_field(r, AMD_HW_SPI_PS_IN_CONTROL_NUM_PRIM_INTERP) +
                 draw_field(r, AMD_HW_SPI_SHADER_GS_OUT_CONFIG_PS_NUM_PRIM_INTERP);
    read_shader(r, &ps, s);
    s->launch.on_export = amd_draw_take_pixel_export;
    s->most_waves = 1;
    r->pixels->n_parameters = n < DRAW_PARAMETERS ? n : DRAW_PARAMETERS;
    r->pixels->first_of_primitives = first;
    s->launch.lds_bytes = r->pixels->n_parameters * QUADS * PARAMETER_BYTES;
}

void
amd_draw_read_shaders(draw_run *r)
{
    read_vertex_shader(r);
    if (!r->out.shading.fragments)
        read_pixel_shader(r);
}

/* ---- stages ---- */

static bool
needs_pixels(const draw_run *r)
{
    return !r->out.discards_all && !r->out.shading.fragments && r->pixel.launch.entry;
}

bool
amd_draw_open_stages(draw_run *r)
{
    draw_shader *both[2] = {&r->vertex, needs_pixels(r) ? &r->pixel : NULL};
    amd_emu_stage_place place = {
        .memory = r->memory, .arena = r->arena, .touches = r->draw->touches, .report = r->report};
    uint64_t bytes = 0;
    for (unsigned k = 0; k < 2 && both[k]; k++) {
        const char *error = amd_emu_stage_error(&both[k]->launch);
        uint64_t need = amd_emu_scratch_bytes(&both[k]->launch) * both[k]->most_waves;
        bytes = need > bytes ? need : bytes;
        if (error) {
            r->problem = error;
            return false;
        }
    }
    if (bytes)
        place.scratch = amd_emu_map_scratch(r->memory, r->arena, bytes,
                                            r->draw->checks & MACH_CHECK_UNDEFINED);
    if (bytes && !place.scratch)
        return false;
    for (unsigned k = 0; k < 2 && both[k]; k++)
        both[k]->stage = amd_emu_stage_open(&both[k]->launch, &place, both[k]->most_waves);
    return true;
}

void
amd_draw_close_stages(draw_run *r)
{
    amd_emu_stage_close(r->vertex.stage);
    if (r->pixel.stage)
        amd_emu_stage_close(r->pixel.stage);
}

/* ---- registers at a wave's start ---- */

void
amd_draw_give_scalar(amd_emu_stage_wave *w, uint32_t v)
{
    if (w->n_sgprs == AMD_EMU_STAGE_SGPRS)
        return;
    w->sgprs_set |= UINT64_C(1) << w->n_sgprs;
    w->sgprs[w->n_sgprs++] = v;
}

void
amd_draw_give_user(const draw_shader *s, amd_emu_stage_wave *w)
{
    for (uint32_t k = 0; k < s->launch.n_user_sgprs; k++)
        amd_draw_give_scalar(w, s->launch.user_sgprs[k]);
}

void
amd_draw_give_scratch(const draw_run *r, const draw_shader *s, uint32_t wave, amd_emu_stage_wave *w)
{
    if (s->has_scratch && r->is->scratch_sgpr)
        amd_draw_give_scalar(w, (uint32_t)amd_emu_scratch_bytes(&s->launch) * wave);
}
