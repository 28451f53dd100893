/* Launches a compiled shader: constant buffers, resources, RATs, the return buffer. */
#include "r600/launch/launch.h"

#include "base/fp.h"
#include "family/launch.h"

#include <string.h>

enum { DWORD = 4 };

/* The 4 GiB with which the heap of buffers begins (mach_heap). */
#define WINDOW_BASE  (UINT64_C(1) << 32)
#define WINDOW_BYTES (UINT64_C(1) << 32)

static mach_region *
allocate(const r600_launch *l, uint64_t size, const char *name)
{
    return family_allocate(l->c, l->memory, MACH_HEAP_LOW, size, name);
}

void
r600_set_resource(r600_emu_dispatch *d, uint32_t number, const r600_range *range, uint32_t stride)
{
    enum { FORMAT_32 = 13, NUM_INT = 1 };
    uint32_t *w = d->resources[number];
    w[0] = (uint32_t)range->address;
    w[1] = (uint32_t)range->size - 1;
    w[2] = (uint32_t)(range->address >> 32 & 0xff) | stride << 8 | FORMAT_32 << 20 | NUM_INT << 26;
    w[7] = UINT32_C(3) << 30; /* a valid buffer */
}

/* A resource whose elements are dwords, and that whose elements are bytes. */
static void
set_resource(r600_emu_dispatch *d, uint32_t number, const r600_range *range)
{
    r600_set_resource(d, number, range, DWORD);
    r600_set_resource(d, R600_RESOURCE_BYTES + number, range, 1);
}

/* ---- buffers ---- */

static bool
bind_buffer(r600_launch *l, const r600_bound *b, const family_resource *r, uint32_t *constants)
{
    r600_emu_dispatch *d = l->dispatch;
    const bool is_uniform = b->kind == R600_BOUND_UNIFORM;
    const r600_range range = {r->address, r->size};
    if (r->kind != FAMILY_BUFFER || r->size > UINT32_MAX)
        return false;
    if (is_uniform) {
        d->constants[b->number] = range;
    } else { /* RATs are whole dwords, as allocations are */
        const uint64_t bytes = (r->size + 3) & ~UINT64_C(3);
        d->rats[l->program->first_rat + b->number] = (r600_range){r->address, bytes};
        constants[R600_CONST_SIZES + b->number] = (uint32_t)r->size;
    }
    set_resource(d, b->number + (is_uniform ? R600_RESOURCE_CONSTANT : 0), &range);
    return true;
}

/* What the shader must be told of a texel buffer. */
static void
put_texels(const r600_launch *l, unsigned number, const mach_image *m)
{
    const mach_format_info *f = mach_format_get(m->format);
    uint8_t *to = l->constants->host +
                  (r600_first_texels(l->program) + number * R600_TEXELS_DWORDS) * DWORD;
    for (unsigned c = 0; c < 4; c++)
        base_put_u32(to + (R600_TEXELS_MASKS + c) * DWORD, f->bits[c] ? UINT32_MAX : 0);
    if (!f->bits[3])
        base_put_u32(to + R600_TEXELS_OR * DWORD,
                     mach_format_is_int(m->format) ? 1 : base_f32_bits(1));
    base_put_u32(to + R600_TEXELS_COUNT * DWORD, m->width);
}

/* The number of cubes of an array. */
static void
put_cubes(const r600_launch *l, unsigned number, const mach_image *m)
{
    enum { FACES = 6 };
    const uint32_t dword = r600_first_texels(l->program) + number * R600_TEXELS_DWORDS +
                           R600_TEXELS_COUNT;
    base_put_u32(l->constants->host + dword * DWORD, m->view_layers / FACES);
}

/* An image, a texture, a texel buffer, or the sampler of a combined descriptor. */
static bool
bind_image(r600_launch *l, const r600_bound *b, const family_resource *r)
{
    r600_emu_dispatch *d = l->dispatch;
    const r600_gen gen = d->chip->gen;
    const bool is_image = b->kind == R600_BOUND_IMAGE;
    const uint32_t resource = b->number + (is_image ? R600_RESOURCE_IMAGE : R600_RESOURCE_TEXTURE);
    const uint32_t description = r600_description_of(resource);
    uint32_t *words = d->resources[resource];
    if (b->kind == R600_BOUND_SAMPLER) {
        if (!r->sampler || !r600_encode_sampler(gen, r->sampler, d->samplers[b->number]))
            return false;
        memcpy(d->borders[b->number], r->sampler->border, sizeof r->sampler->border);
        return true;
    }
    if (!r->image || (r->kind != FAMILY_IMAGE && r->kind != FAMILY_TEXEL_BUFFER))
        return false;
    if (r->kind == FAMILY_IMAGE ? !r600_encode_texture(gen, r->image, r->address, words)
                                : !r600_encode_texel_buffer(gen, r->image, r->address, words))
        return false;
    const bool is_described = description < l->program->n_texels;
    if (is_described && r->kind == FAMILY_TEXEL_BUFFER)
        put_texels(l, description, r->image);
    if (is_described && r->image->dim == MACH_DIM_CUBE)
        put_cubes(l, description, r->image);
    const uint32_t rat = l->program->first_rat + b->number;
    return !b->is_stored || r600_encode_rat(r->image, r->address, d->rat_words[rat]);
}

/* Returns the number of a resource that cannot be what the program takes it for, or UINT32_MAX. */
static uint32_t
bind(r600_launch *l, uint32_t *constants)
{
    for (uint32_t i = 0; i < l->program->n_bound; i++) {
        const r600_bound *b = &l->program->bound[i];
        const family_resource *r = family_find_resource(l->shader, b->set, b->binding, b->element);
        const bool is_buffer = b->kind == R600_BOUND_BUFFER || b->kind == R600_BOUND_UNIFORM;
        if (!r || (is_buffer && !r->size))
            continue;
        if (is_buffer ? !bind_buffer(l, b, r, constants) : !bind_image(l, b, r))
            return (uint32_t)(r - l->shader->resources);
    }
    return UINT32_MAX;
}

/* Bytes of constant buffer 0. */
static uint32_t
constant_bytes(const r600_program *p)
{
    const uint32_t plain = (R600_CONST_PUSH + p->push_dwords) * DWORD + p->constant_bytes;
    return p->n_texels ? (r600_first_texels(p) + p->n_texels * R600_TEXELS_DWORDS) * DWORD : plain;
}

static void
put_constants(const r600_launch *l, const uint32_t head[R600_CONST_PUSH])
{
    const r600_program *p = l->program;
    const family_shader *s = l->shader;
    const uint32_t push = R600_CONST_PUSH * DWORD, data = push + p->push_dwords * DWORD;
    mach_region *r = l->constants;
    for (uint32_t i = 0; i < R600_CONST_PUSH; i++)
        base_put_u32(r->host + i * DWORD, head[i]);
    const uint32_t room = p->push_dwords * DWORD, n = s->push_size < room ? s->push_size : room;
    if (n)
        memcpy(r->host + push, s->push, n);
    if (p->constant_bytes)
        memcpy(r->host + data, p->constants, p->constant_bytes);
    const r600_range range = {r->base, constant_bytes(p)};
    l->dispatch->constants[0] = range;
    set_resource(l->dispatch, R600_RESOURCE_CONSTANT, &range);
}

/* So many bytes for each lane of each wave that the machine holds. */
static r600_range
put_lanes(r600_launch *l, uint32_t number, uint64_t bytes, const char *name)
{
    const uint64_t size = R600_EMU_WAVE_SLOTS * UINT64_C(64) * bytes;
    const r600_range range = {allocate(l, size, name)->base, size};
    set_resource(l->dispatch, number, &range);
    return range;
}

/* Scratch memory has a dword of private memory in each element, but compute shaders have that in a
 * RAT; then come elements of spilled values. */
static void
put_scratch(r600_launch *l)
{
    enum { ELEMENT = 16 };
    const bool is_compute = l->program->hir->shader.stage == IR_STAGE_COMPUTE;
    l->dispatch->scratch_elements = (is_compute ? 0 : l->program->private_bytes / DWORD) +
                                    l->program->spill_elements;
    if (!l->dispatch->scratch_elements)
        return;
    const uint64_t size = R600_EMU_WAVE_SLOTS * UINT64_C(64) * ELEMENT *
                          l->dispatch->scratch_elements;
    l->dispatch->scratch = (r600_range){allocate(l, size, "scratch memory")->base, size};
}

/* ---- the launch ---- */

r600_emu_dispatch *
r600_new_dispatch(const ir_ctx *c, const family_dispatch *d, const r600_program *p)
{
    r600_emu_dispatch *out = ARENA_NEW(c->arena, r600_emu_dispatch);
    out->chip = p->chip;
    out->n_gprs = p->gprs;
    out->stack_entries = p->stack;
    out->lds_bytes = p->lds_bytes > d->shared_bytes ? p->lds_bytes : d->shared_bytes;
    out->checks = d->checks;
    out->rules_off = d->rules_off;
    out->seed = d->seed;
    out->max_instructions = d->max_instructions;
    memcpy(out->group_size, d->group_size, sizeof out->group_size);
    memcpy(out->groups, d->groups, sizeof out->groups);
    return out;
}

uint32_t
r600_put_shader(r600_launch *l, uint32_t head[R600_CONST_PUSH])
{
    const obj_code *code = &l->shader->binary->code;
    const r600_range window = {WINDOW_BASE, WINDOW_BYTES};
    l->constants = allocate(l, constant_bytes(l->program), "constants");
    set_resource(l->dispatch, R600_RESOURCE_MEMORY, &window);
    const uint32_t wrong = bind(l, head);
    if (wrong != UINT32_MAX)
        return wrong;
    put_constants(l, head);
    if (l->program->uses_returns)
        l->dispatch->returns = put_lanes(l, R600_RESOURCE_RETURN, DWORD, "results of atomics");
    put_scratch(l);
    if (l->program->private_bytes && l->program->hir->shader.stage == IR_STAGE_COMPUTE)
        l->dispatch->rats[R600_RAT_PRIVATE] = put_lanes(
            l, R600_RAT_PRIVATE, l->program->private_bytes, "private memory");
    const mach_region *r = family_put_code(l->c, l->memory, code->code, code->code_size);
    l->dispatch->code = r->host;
    l->dispatch->size = code->code_size;
    l->entry = r->base;
    return UINT32_MAX;
}

static family_launch
launch_shader(const ir_ctx *c, mach_memory *m, const family_target *t, const family_dispatch *d,
              const family_shader *shader)
{
    (void)t;
    r600_launch l = {.c = c, .memory = m, .shader = shader, .program = shader->binary->own};
    uint32_t head[R600_CONST_PUSH] = {0};
    l.dispatch = r600_new_dispatch(c, d, l.program);
    for (unsigned k = 0; k < 3; k++)
        head[R600_CONST_GROUPS + k] = d->groups[k];
    const uint32_t wrong = r600_put_shader(&l, head);
    if (wrong != UINT32_MAX)
        return (family_launch){.resource = wrong};
    return (family_launch){.own = l.dispatch, .entry = l.entry};
}

static uint64_t
layout_image(const family_target *t, mach_image *image)
{
    (void)t;
    return r600_layout_image(image);
}

static bool
run(const void *launch, mach_memory *m, arena *scratch, mach_report *report)
{
    r600_emu_run(scratch, m, launch, report);
    return report->status == MACH_RUN_DONE && !report->n_findings;
}

const family_emulator r600_family_emulator = {
    .get_rule = r600_emu_get_rule,
    .launch_shader = launch_shader,
    .layout_image = layout_image,
    .run = run,
    .draw = r600_launch_draw,
};
