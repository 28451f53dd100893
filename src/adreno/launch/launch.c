/* Launches a compiled shader as turnip does: descriptor sets, constants, registers; the emulator as
 * the family's. */
#include "adreno/launch/launch.h"

#include "adreno/emu/desc/descriptor.h"
#include "adreno/object/object.h"
#include "base/ray.h"
#include "family/launch.h"

#include <string.h>

/* ---- descriptors ---- */

static mach_format
element_format(const adreno_launch *l)
{
    return l->program->target->storage_16bit ? MACH_FORMAT_r16_uint : MACH_FORMAT_r32_uint;
}

static bool
write_buffer(const adreno_launch *l, const family_resource *r, const family_binding *b,
             uint32_t words[FAMILY_DESCRIPTOR_WORDS])
{
    const bool is_uniform = b->type == OBJ_DESCRIPTOR_UNIFORM_BUFFER ||
                            b->type == OBJ_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC ||
                            b->type == OBJ_DESCRIPTOR_INLINE_UNIFORM_BLOCK;
    const mach_format f = element_format(l);
    const uint32_t each = mach_format_get(f)->bytes; /* the last element may be there in part */
    const adreno_buffer_view v = {
        .address = r->address, .elements = (r->size + each - 1) / each, .format = f};
    const adreno_buffer_view bytes = {
        .address = r->address, .elements = r->size, .format = MACH_FORMAT_r8_uint};
    if (!is_uniform)
        return adreno_encode_buffer(&v, words) &&
               (!l->program->target->storage_8bit ||
                adreno_encode_buffer(&bytes, words + ADRENO_TEXTURE_WORDS));
    adreno_encode_uniform_buffer(r->address, r->size, words);
    return true;
}

/* An acceleration structure is an array of records (tu_descriptor_set.cc of Mesa, which states the
 * largest number of them). */
static bool
write_accel(const family_resource *r, uint32_t words[ADRENO_TEXTURE_WORDS])
{
    const adreno_buffer_view v = {.address = r->address,
                                  .elements = (r->size + BASE_ACCEL_RECORD - 1) / BASE_ACCEL_RECORD,
                                  .format = MACH_FORMAT_r32_uint,
                                  .record = BASE_ACCEL_RECORD / 4};
    return adreno_encode_buffer(&v, words);
}

static bool
describe(const void *user, const family_resource *r, const family_binding *b,
         uint32_t words[FAMILY_DESCRIPTOR_WORDS])
{
    const adreno_launch *l = user;
    const bool is_alone = r->kind == FAMILY_SAMPLER;
    if (r->sampler)
        adreno_encode_sampler(r->sampler, words + (is_alone ? 0 : ADRENO_TEXTURE_WORDS));
    switch (r->kind) {
    case FAMILY_BUFFER: return write_buffer(l, r, b, words);
    case FAMILY_IMAGE: {
        mach_image image = *r->image;
        if (b->type == OBJ_DESCRIPTOR_STORAGE_IMAGE && image.dim == MACH_DIM_CUBE)
            image.dim = MACH_DIM_2D; /* an array of faces (fd6_view.c of Mesa) */
        return adreno_encode_image(&image, r->address, words);
    }
    case FAMILY_TEXEL_BUFFER: {
        const adreno_buffer_view v = {.address = r->address,
                                      .elements = r->image ? r->image->width : 0,
                                      .format = r->image ? r->image->format : MACH_FORMAT_none};
        return adreno_encode_buffer(&v, words);
    }
    case FAMILY_ACCEL: return write_accel(r, words);
    default: return true;
    }
}

/* ---- where there are no descriptor sets ---- */

/* A storage buffer's words, and for a4xx its address in the constant file. */
static void
put_buffer(adreno_launch *l, adreno_slot_words *w, const adreno_slot *slot,
           const family_resource *r)
{
    enum { BYTES = 3 };
    const uint32_t dwords = (uint32_t)((r->size + 3) / 4); /* the last may be there in part */
    *w = (adreno_slot_words){.word = {dwords << 16, dwords >> 16},
                             .address_low = (uint32_t)r->address,
                             .address_high = (uint32_t)(r->address >> 32)};
    l->dispatch->address_high = w->address_high;
    if (l->program->target->wide_addresses)
        return;
    l->consts[ADRENO_CONST_BUFFERS + 4 * slot->place] = w->address_low;
    l->consts[ADRENO_CONST_BUFFERS + 4 * slot->place + BYTES] = 1;
}

/* A storage image's, of its view's first level and layer; a texel buffer is one row. */
static bool
put_image(adreno_launch *l, adreno_slot_words *w, const adreno_slot *slot, const family_resource *r)
{
    const mach_image *m = r->image;
    const bool is_row = !m || m->dim == MACH_DIM_BUFFER, wide = l->program->target->wide_addresses;
    uint32_t number;
    if (!m || !adreno_number_of_format(m->format, &number) ||
        (!wide && !adreno_format_number(ADRENO_STORED_FORMATS_4, number, &number)))
        return false;
    const uint32_t bytes = mach_format_get(m->format)->bytes, b = m->base_level;
    const mach_level *level = &m->level[b];
    const uint32_t depth = m->dim == MACH_DIM_3D ? mach_level_size(m->depth, b) : m->view_layers;
    const uint64_t first = m->dim == MACH_DIM_3D || is_row ? 0 : m->base_layer * level->slice_pitch;
    const uint64_t at = r->address + (is_row ? 0 : level->offset + first);
    const uint32_t width = is_row ? m->width & 0x7fff : mach_level_size(m->width, b);
    const uint32_t height = is_row ? m->width >> 15 : mach_level_size(m->height, b);
    *w = (adreno_slot_words){.pitch = is_row ? 0 : level->row_pitch,
                             .array_pitch = is_row ? 0 : (uint32_t)level->slice_pitch,
                             .bytes = bytes,
                             .word = {number << 8 | width << 16, height | depth << 16},
                             .address_low = (uint32_t)at,
                             .address_high = (uint32_t)(at >> 32)};
    l->dispatch->address_high = w->address_high;
    if (wide)
        return true;
    const uint32_t own[4] = {w->address_low, w->pitch, w->array_pitch, bytes};
    memcpy(&l->consts[ADRENO_CONST_BUFFERS + 4 * slot->place], own, sizeof own);
    return true;
}

static void
put_pitches(adreno_launch *l, const adreno_slot *slot, const family_resource *r)
{
    adreno_slot_words w;
    if (!put_image(l, &w, slot, r))
        return;
    const uint32_t pitches[3] = {w.bytes, w.pitch, w.array_pitch};
    memcpy(&l->consts[slot->place], pitches, sizeof pitches);
}

static bool
put_texture(adreno_launch *l, adreno_old_texture *t, const family_resource *r)
{
    const unsigned gen = l->program->target->chip->gen;
    const mach_image *m = r->image;
    l->dispatch->address_high = (uint32_t)(r->address >> 32);
    if (!m)
        return false;
    if (r->kind != FAMILY_TEXEL_BUFFER)
        return adreno_encode_old_image(gen, m, r->address, t);
    const adreno_buffer_view v = {.address = r->address, .elements = m->width, .format = m->format};
    return adreno_encode_old_buffer(gen, &v, t);
}

/* An address in the constant file. */
static void
put_address(adreno_launch *l, uint32_t place, uint64_t address)
{
    const uint32_t high = (uint32_t)(address >> 32);
    l->dispatch->address_high = high;
    l->consts[place] = (uint32_t)address;
    if (l->program->target->wide_addresses)
        l->consts[place + 1] = high;
}

/* What the program's slots are filled with, by number. */
typedef struct slot_tables {
    adreno_slot_words *words;
    adreno_old_texture *textures;
    adreno_old_sampler *samplers;
} slot_tables;

/* Returns false if the resource has no words. */
static bool
put_slot(adreno_launch *l, const slot_tables *t, const adreno_slot *slot, const family_resource *r)
{
    switch (slot->kind) {
    case ADRENO_SLOT_BUFFER: put_buffer(l, &t->words[slot->place], slot, r); return true;
    case ADRENO_SLOT_IMAGE: return put_image(l, &t->words[slot->place], slot, r);
    case ADRENO_SLOT_PITCHES: put_pitches(l, slot, r); return true;
    case ADRENO_SLOT_TEXTURE: return put_texture(l, &t->textures[slot->place], r);
    case ADRENO_SLOT_SAMPLER:
        return r->sampler && adreno_encode_old_sampler(l->program->target->chip->gen, r->sampler,
                                                       &t->samplers[slot->place]);
    case ADRENO_SLOT_SIZE:
        l->consts[slot->place] = r->kind == FAMILY_TEXEL_BUFFER && r->image ? r->image->width
                                                                            : (uint32_t)r->size;
        return true;
    default: put_address(l, slot->place, r->address); return true;
    }
}

/* Returns the number of the first resource without words, or UINT32_MAX. */
static uint32_t
put_slots(adreno_launch *l)
{
    const adreno_program *p = l->program;
    const family_shader *s = l->shader;
    arena *a = l->c->arena;
    const slot_tables t = {.words = ARENA_ARRAY(a, p->n_slots + 1, adreno_slot_words),
                           .textures = ARENA_ARRAY(a, p->n_slots + 1, adreno_old_texture),
                           .samplers = ARENA_ARRAY(a, p->n_slots + 1, adreno_old_sampler)};
    l->dispatch->slots = t.words;
    l->dispatch->textures = t.textures;
    l->dispatch->samplers = t.samplers;
    for (uint32_t k = 0; k < p->n_slots; k++) {
        const adreno_slot *slot = &p->slots[k];
        const family_resource *r = family_find_resource(s, slot->set, slot->binding, slot->element);
        const bool stored = slot->kind == ADRENO_SLOT_BUFFER || slot->kind == ADRENO_SLOT_IMAGE;
        l->dispatch->n_slots += stored;
        l->dispatch->n_textures += slot->kind == ADRENO_SLOT_TEXTURE;
        l->dispatch->n_samplers += slot->kind == ADRENO_SLOT_SAMPLER;
        if (r && !put_slot(l, &t, slot, r))
            return (uint32_t)(r - s->resources);
    }
    return UINT32_MAX;
}

/* ---- constants ---- */

static void
put_consts(adreno_launch *l)
{
    const adreno_program *p = l->program;
    const family_shader *s = l->shader;
    uint32_t *c = ARENA_ARRAY(l->c->arena, ADRENO_EMU_CONSTS, uint32_t);
    const uint32_t pushed = s->push_size < 4 * p->push_dwords ? s->push_size : 4 * p->push_dwords;
    adreno_pack_words(s->push, pushed, c + ADRENO_CONST_PUSH);
    memcpy(c + adreno_literal_place(p, 0), p->literals, 4 * (size_t)p->n_literals);
    l->dispatch->consts = l->consts = c;
    l->dispatch->n_consts = adreno_literal_place(p, p->n_literals);
    if (!p->target->bindless && !p->target->wide_addresses)
        l->dispatch->n_consts = ADRENO_EMU_CONSTS;
}

/* Constant data that is not in the constant file. */
static void
put_data(adreno_launch *l)
{
    const adreno_obj_state *s = l->shader->binary->code.own;
    if (!s->n_data)
        return;
    const size_t size = sizeof *s->data * s->n_data;
    mach_region *r = family_allocate(l->c, l->memory, MACH_HEAP_LOW, size, "constant data");
    memcpy(r->host, s->data, size);
    r->read_only = true;
    put_address(l, adreno_literal_place(l->program, l->program->constant_at - 1), r->base);
}

/* ---- the launch ---- */

adreno_dispatch *
adreno_new_dispatch(arena *a, const family_target *t, const family_dispatch *d)
{
    const adreno_chip *chip = t->own;
    adreno_dispatch *out = ARENA_NEW(a, adreno_dispatch);
    out->gen = chip->gen;
    out->intersects_rays = adreno_target_of(chip).ray_intersection;
    out->wave_size = t->default_wave_size;
    out->local_id = out->workgroup_id = ADRENO_EMU_NO_REG;
    out->checks = d->checks;
    out->rules_off = d->rules_off;
    out->seed = d->seed;
    out->max_instructions = d->max_instructions;
    memcpy(out->group_size, d->group_size, sizeof out->group_size);
    memcpy(out->groups, d->groups, sizeof out->groups);
    return out;
}

uint32_t
adreno_put_shader(adreno_launch *l, const family_target *t, const family_dispatch *d)
{
    const adreno_program *p = l->program = l->shader->binary->own;
    const obj_code *code = &l->shader->binary->code;
    adreno_dispatch *out = l->dispatch = adreno_new_dispatch(l->c->arena, t, d);
    const family_sets sets = {MACH_HEAP_LOW, out->sets, ADRENO_MAX_SETS, describe, l};
    uint32_t wrong = UINT32_MAX;
    if (p->target->bindless)
        wrong = family_put_sets(l->c, l->memory, l->shader, &sets);
    if (wrong != UINT32_MAX)
        return wrong;
    put_consts(l);
    put_data(l);
    if (!p->target->bindless)
        wrong = put_slots(l);
    if (wrong != UINT32_MAX)
        return wrong;
    out->wave_size = p->wave_size;
    out->n_full = p->full_used;
    out->branch_stack = p->branch_stack;
    out->early_preamble = p->early_preamble;
    out->local_bytes = p->local_bytes;
    out->private_bytes = p->private_bytes;
    out->entry = family_put_code(l->c, l->memory, code->code, code->code_size)->base;
    return UINT32_MAX;
}

static family_launch
launch_shader(const ir_ctx *c, mach_memory *m, const family_target *t, const family_dispatch *d,
              const family_shader *shader)
{
    adreno_launch l = {.c = c, .memory = m, .shader = shader};
    const uint32_t wrong = adreno_put_shader(&l, t, d);
    if (wrong != UINT32_MAX)
        return (family_launch){.resource = wrong};
    for (unsigned k = 0; k < 3; k++)
        l.consts[ADRENO_CONST_GROUPS + k] = d->groups[k];
    l.consts[ADRENO_CONST_BASE + 3] = l.program->wave_size;
    if (l.program->uses_local_id)
        l.dispatch->local_id = 0;
    if (l.program->uses_group_id)
        l.dispatch->workgroup_id = (uint8_t)adreno_group_id_number(l.program->target);
    return (family_launch){.own = l.dispatch, .entry = l.dispatch->entry};
}

static uint64_t
layout_image(const family_target *t, mach_image *image)
{
    return adreno_layout_image(((const adreno_chip *)t->own)->gen, image);
}

static bool
run(const void *launch, mach_memory *m, arena *scratch, mach_report *report)
{
    return adreno_emu_run(launch, m, scratch, report);
}

const family_emulator adreno_family_emulator = {
    .get_rule = adreno_emu_get_rule,
    .launch_shader = launch_shader,
    .describes_rows = true,
    .layout_image = layout_image,
    .launch_text = adreno_launch_text,
    .run = run,
    .draw = adreno_launch_draw,
};
