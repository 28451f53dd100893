/* Makes a case: from declarations to buffers, bindings and constants. */
#include "case.h"

#include "maker.h"

#include <string.h>

enum { INVOCATIONS = 512 /* the approximate number that runs */ };

/* ---- contents ---- */

static bool
is_uniform(const real_case *c, const real_buffer *b)
{
    for (uint32_t k = 0; k < c->pipeline.binding_count; k++)
        if (c->pipeline.bindings[k].buffer == &b->amber)
            return c->pipeline.bindings[k].kind == AMBER_BIND_UNIFORM;
    return false;
}

/* Filling a buffer may add buffers to pools; the loop reaches these later. */
static void
fill_buffers(real_maker *m)
{
    real_case *c = m->c;
    size_t cap = 0;
    for (size_t i = 0; i < c->n_buffers; i++) {
        const real_buffer *b = c->buffers[i];
        uint8_t *bytes = arena_zalloc(c->arena, (size_t)b->amber.size);
        m->draw.uniform = is_uniform(c, b);
        if (b->type)
            real_fill_block(&m->draw, b->type, bytes, b->amber.size);
        else
            real_fill_texels(&m->draw, mach_format_from_vk(b->amber.type->texel.vk), bytes,
                             b->amber.size);
        c->contents = arena_grow(c->arena, c->contents, &cap, i + 1, sizeof *c->contents);
        c->contents[i] = bytes;
    }
}

static void
list_addressed(real_case *c)
{
    c->addressed = ARENA_ARRAY(c->arena, c->n_buffers, const amber_buffer *);
    for (size_t i = 0; i < c->n_buffers; i++)
        if (c->buffers[i]->amber.address)
            c->addressed[c->n_addressed++] = &c->buffers[i]->amber;
}

static void
fill_push(real_maker *m)
{
    real_case *c = m->c;
    uint64_t size = 0;
    for (size_t g = 0; g < c->reader.n_globals; g++) {
        const spirv_var *v = c->reader.globals[g];
        if (v->storage != SPIRV_SC_PUSH_CONSTANT || v->type->kind != SPIRV_STRUCT ||
            v->type->explicit_size <= size)
            continue;
        size = v->type->explicit_size;
        c->push_size = (uint32_t)(size + 3) & ~3u;
        c->push = arena_zalloc(c->arena, c->push_size);
        m->draw.uniform = true;
        real_fill_block(&m->draw, v->type, c->push, c->push_size);
    }
}

/* Chooses about INVOCATIONS in all, in more than one group, in as many dimensions as a group has.
 */
static void
choose_groups(real_maker *m)
{
    real_case *c = m->c;
    uint32_t lanes = c->local[0] * c->local[1] * c->local[2];
    if (c->plan.attempt >= REAL_ONE_GROUP) {
        c->groups[0] = c->groups[1] = c->groups[2] = 1;
        return;
    }
    uint32_t wanted = lanes ? (INVOCATIONS + lanes - 1) / lanes : 1;
    c->groups[0] = wanted > 3 ? 3 : wanted < 2 ? 2 : wanted;
    c->groups[1] = c->local[1] > 1 || wanted >= 6 ? 2 : 1;
    c->groups[2] = c->local[2] > 1 || wanted >= 12 ? 2 : 1;
}

static bool
has_spec(const amber_attach *stage, uint32_t id)
{
    for (uint32_t k = 0; k < stage->spec_count; k++)
        if (stage->specs[k].id == id)
            return true;
    return false;
}

static void
set_stage(real_maker *m)
{
    real_case *c = m->c;
    static const amber_stage stages[IR_STAGE_COUNT] = {[IR_STAGE_COMPUTE] = AMBER_COMPUTE,
                                                       [IR_STAGE_VERTEX] = AMBER_VERTEX,
                                                       [IR_STAGE_FRAGMENT] = AMBER_FRAGMENT};
    amber_stage stage = stages[c->options.stage];
    c->shader = (amber_shader){.name = "shader", .stage = stage, .language = AMBER_SPIRV_BIN};
    c->stage = (amber_attach){.shader = &c->shader, .stage = stage, .entry = c->options.entry};
    c->stage.specs = ARENA_ARRAY(c->arena, c->options.n_specs, amber_spec);
    for (size_t i = 0; i < c->options.n_specs; i++) {
        if (c->info->specs[i].bits > 32 || has_spec(&c->stage, c->options.specs[i].id))
            continue;
        c->stage.specs[c->stage.spec_count++] = (amber_spec){c->options.specs[i].id,
                                                             (uint32_t)c->options.specs[i].value};
    }
    c->pipeline = (amber_pipeline){
        .name = "pipeline", .kind = AMBER_PIPE_COMPUTE, .attached = &c->stage, .attach_count = 1};
}

/* Selects the first entry point that computes, or that draws. Returns false if there is none. */
static bool
choose_entry(real_case *c, const spirv_info *info, bool draws)
{
    for (size_t n = 0; n < info->n_entries; n++) {
        const spirv_entry *e = &info->entries[n];
        if (!e->has_stage || draws == (e->stage == IR_STAGE_COMPUTE))
            continue;
        c->options.stage = e->stage;
        c->options.entry = e->name;
        return true;
    }
    c->skip = draws ? "no vertex or fragment entry point" : "no compute entry point";
    return false;
}

bool
real_any_instruction(const real_case *c, bool (*test)(const uint32_t *w, size_t n))
{
    enum { HEADER = 5 };
    for (size_t at = HEADER; at < c->n_words && c->words[at] >> 16; at += c->words[at] >> 16)
        if (test(c->words + at, c->n_words - at))
            return true;
    return false;
}

/* May it pack two halves into a word? PackHalf2x16 of GLSL.std.450 does, and OpBitcast of a vector
 * of halves, which needs conversions (OpFConvert). */
static bool
packs_halves(const uint32_t *w, size_t n)
{
    enum { OP_EXT_INST = 12, OP_F_CONVERT = 115, PACK_HALF = 58 };
    uint32_t op = w[0] & 0xffff;
    return op == OP_F_CONVERT || (op == OP_EXT_INST && n > 4 && w[4] == PACK_HALF);
}

static real_profile
profile_of(real_plan plan)
{
    switch (plan.attempt) {
    case REAL_TAME_VALUES: return REAL_TAME;
    case REAL_ZERO_VALUES: return REAL_ZERO;
    default: return (real_profile)((plan.seed + REAL_TAME - 1) % REAL_TAME);
    }
}

real_case *
real_case_make(ir_ctx *ctx, const uint32_t *words, size_t n_words, real_plan plan,
               const real_drawn *drawn)
{
    real_case *c = ARENA_NEW(ctx->arena, real_case);
    real_maker m = {.ctx = ctx, .c = c, .draw = {.state = plan.seed * 1000003, .user = &m}};
    *c = (real_case){.arena = ctx->arena, .words = words, .n_words = n_words, .plan = plan};
    m.draw.profile = profile_of(plan);
    c->has_specials = m.draw.profile == REAL_SPECIAL;
    c->options = (spirv_options){.stage = IR_STAGE_COMPUTE, .subgroup_size = 32};
    if (!choose_entry(c, real_reflect(&m), drawn))
        return c;
    real_choose_specs(&m);
    c->info = real_reflect(&m);
    if (c->info->conflict) {
        c->skip = c->info->conflict;
        return c;
    }
    real_local_size(c, c->info, c->local);
    c->reader.reflecting = true;
    spirv_parse(&c->reader, ctx, &c->options, words, n_words);
    m.draw.address = c->reader.addressing == SPIRV_ADDRESSING_PHYSICAL64 ? real_pool_address : NULL;
    c->packs_floats = real_any_instruction(c, packs_halves);
    set_stage(&m);
    if (!real_make_bindings(&m))
        return c;
    if (m.too_large)
        return NULL;
    if (drawn)
        real_make_drawing(&m, drawn);
    else
        choose_groups(&m);
    fill_push(&m);
    fill_buffers(&m);
    list_addressed(c);
    return c;
}

static void
copy_contents(const real_case *c, amber_memory *memory)
{
    for (size_t i = 0; i < c->n_buffers; i++) {
        memory[i].size = c->buffers[i]->amber.size;
        memory[i].bytes = arena_zalloc(c->arena, (size_t)amber_room(memory[i].size));
        memcpy(memory[i].bytes, c->contents[i], (size_t)memory[i].size);
    }
}

static bool
dispatch(const real_case *c, amber_device *device, uint64_t limit, const amber_memory *memory,
         amber_result *result)
{
    amber_dispatch d = {.words = c->words,
                        .word_count = c->n_words,
                        .pipeline = &c->pipeline,
                        .stage = &c->stage,
                        .memory = memory,
                        .push = c->push,
                        .push_size = c->push_size,
                        .addressed = c->addressed,
                        .addressed_count = c->n_addressed,
                        .max_instructions = limit};
    memcpy(d.groups, c->groups, sizeof d.groups);
    return device->functions->dispatch(device, c->arena, &d, result);
}

static bool
draw(const real_case *c, amber_device *device, uint64_t limit, const amber_memory *memory,
     amber_result *result)
{
    const amber_draw d = {.stages = c->drawing->codes,
                          .stage_count = 2,
                          .pipeline = &c->pipeline,
                          .vertices = &c->drawing->vertices,
                          .memory = memory,
                          .push = c->push,
                          .push_size = c->push_size,
                          .addressed = c->addressed,
                          .addressed_count = c->n_addressed,
                          .max_instructions = limit};
    if (!device->functions->draw)
        return amber_set_result(result, AMBER_SKIP, "the target does not draw");
    return device->functions->draw(device, c->arena, &d, result);
}

bool
real_case_run(const real_case *c, amber_device *device, uint64_t limit, amber_memory *memory,
              amber_result *result)
{
    copy_contents(c, memory);
    return (c->drawing ? draw : dispatch)(c, device, limit, memory, result);
}
