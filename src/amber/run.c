/* The runner: checks requirements, and handles contents of buffers and commands. */
#include "amber/run.h"
#include "amber/check.h"

#include <stdio.h>
#include <string.h>

/* What the clears of a pipeline set. */
typedef struct clear_values {
    double color[4];
    double depth;
    uint32_t stencil;
} clear_values;

typedef struct runner {
    const amber_script *script;
    amber_device *device;
    const amber_frontend *frontend;
    const amber_observer *observer; /* NULL: none */
    arena *arena;
    amber_memory *memory;        /* of each buffer */
    amber_stage_code **stages;   /* of each pipeline, once they are compiled */
    clear_values *clears;        /* of each pipeline */
    const amber_command *failed; /* NULL: none */
    amber_result *result;
} runner;

static bool
check_names(runner *r, const amber_names *names, bool (*has)(amber_device *, const char *),
            const char *what)
{
    for (size_t i = 0; i < names->count; i++)
        if (!has(r->device, names->items[i]))
            return amber_set_result(r->result, AMBER_SKIP, "%s %s", what, names->items[i]);
    return true;
}

static bool
check_pipelines(runner *r)
{
    for (uint32_t i = 0; i < r->script->pipeline_count; i++)
        if (r->script->pipelines[i]->graphics && !r->device->functions->draw)
            return amber_set_result(r->result, AMBER_SKIP, "graphics pipeline");
    return true;
}

static bool
check_requirements(runner *r)
{
    const amber_script *s = r->script;
    const amber_device_functions *f = r->device->functions;
    return check_pipelines(r) &&
           check_names(r, &s->instance_extensions, f->has_instance_extension,
                       "instance extension") &&
           check_names(r, &s->device_extensions, f->has_device_extension, "device extension") &&
           check_names(r, &s->features, f->has_feature, "device feature") &&
           check_names(r, &s->properties, f->has_property, "device property");
}

static void
make_memory(runner *r)
{
    const amber_script *s = r->script;
    r->memory = ARENA_ARRAY(r->arena, s->buffer_count, amber_memory);
    for (uint32_t i = 0; i < s->buffer_count; i++) {
        const amber_buffer *b = s->buffers[i];
        r->memory[i].size = b->size;
        r->memory[i].bytes = arena_zalloc_sparse(r->arena, (size_t)amber_room(b->size));
        if (b->init_size)
            memcpy(r->memory[i].bytes, b->init, (size_t)b->init_size);
    }
}

/* Gets the bytes of a buffer that the runner is going to read, or with `write` to change. */
static const amber_memory *
get_bytes(runner *r, const amber_buffer *b, bool write)
{
    const amber_memory *m = &r->memory[b->index];
    if (r->device->functions->sync)
        r->device->functions->sync(r->device, b, m, write);
    return m;
}

/* A shader in a language that the front end does not have yet is skipped. */
static bool
compile_stage(runner *r, const amber_attach *at, amber_stage_code *code)
{
    static const char lacks[] = "extension not supported: ";
    const char *message = "", *extension;
    code->attach = at;
    if (r->frontend->compile(r->frontend->user, r->arena, r->script, at, &code->words,
                             &code->word_count, &message))
        return true;
    extension = strstr(message, lacks);
    if (extension) {
        extension += strlen(lacks);
        return amber_set_result(r->result, AMBER_SKIP, "the GLSL compiler has no %.*s",
                                (int)strcspn(extension, " \n"), extension);
    }
    return amber_set_result(r->result, AMBER_FAIL, "line %u: shader %s: %s", at->shader->line,
                            at->shader->name, message);
}

/* Returns the words of a pipeline's shaders, which are compiled at first use; NULL if one is wrong.
 */
static const amber_stage_code *
get_stages(runner *r, const amber_pipeline *p)
{
    if (r->stages[p->index])
        return r->stages[p->index];
    amber_stage_code *list = ARENA_ARRAY(r->arena, p->attach_count, amber_stage_code);
    for (uint32_t i = 0; i < p->attach_count; i++)
        if (!compile_stage(r, &p->attached[i], &list[i]))
            return NULL;
    r->stages[p->index] = list;
    return list;
}

/* The bytes of a pipeline's push constants. */
static const amber_memory *
get_push(runner *r, const amber_pipeline *p)
{
    static const amber_memory none = {0};
    return p->push ? get_bytes(r, p->push, false) : &none;
}

static bool
run_dispatch(runner *r, const amber_command *c, uint32_t times)
{
    const amber_stage_code *code = get_stages(r, c->pipeline);
    if (!code)
        return false;
    const amber_memory *push = get_push(r, c->pipeline);
    amber_dispatch run = {
        .words = code->words,
        .word_count = code->word_count,
        .pipeline = c->pipeline,
        .stage = code->attach,
        .memory = r->memory,
        .push = push->bytes,
        .push_size = (uint32_t)push->size,
        .groups = {c->groups[0], c->groups[1], c->groups[2]},
        .times = times,
        .is_lasting = true,
    };
    arena_mark mark = arena_save(r->arena);
    bool ok = r->device->functions->dispatch(r->device, r->arena, &run, r->result);
    arena_release(r->arena, mark);
    return ok;
}

static bool
asks_for(const amber_script *s, const char *extension)
{
    for (size_t k = 0; k < s->device_extensions.count; k++) {
        if (strcmp(s->device_extensions.items[k], extension) == 0)
            return true;
    }
    return false;
}

/* AMBER_ASKS_* */
static uint32_t
what_asks(const amber_script *s)
{
    bool rays = asks_for(s, "VK_KHR_acceleration_structure") || asks_for(s, "VK_KHR_ray_query");
    return (asks_for(s, "VK_EXT_depth_range_unrestricted") ? AMBER_ASKS_UNRESTRICTED_DEPTH : 0u) |
           (rays ? AMBER_ASKS_RAYS : 0u);
}

static void
show_drawn(runner *r, const amber_command *c)
{
    const amber_graphics *g = c->pipeline->graphics;
    if (!r->observer || !r->observer->drawn || r->result->status == AMBER_SKIP)
        return;
    for (uint32_t i = 0; i < g->target_count; i++)
        get_bytes(r, g->targets[i].buffer, false);
    if (g->depth_stencil)
        get_bytes(r, g->depth_stencil, false);
    r->observer->drawn(r->observer->user, c, r->memory);
}

static bool
run_draw(runner *r, const amber_command *c)
{
    const amber_stage_code *code = get_stages(r, c->pipeline);
    if (!code)
        return false;
    const amber_memory *push = get_push(r, c->pipeline);
    amber_draw draw = {
        .stages = code,
        .stage_count = c->pipeline->attach_count,
        .pipeline = c->pipeline,
        .vertices = c->vertices,
        .memory = r->memory,
        .push = push->bytes,
        .push_size = (uint32_t)push->size,
        .is_lasting = true,
        .unrestricted_depth = what_asks(r->script) & AMBER_ASKS_UNRESTRICTED_DEPTH,
    };
    arena_mark mark = arena_save(r->arena);
    bool ok = r->device->functions->draw(r->device, r->arena, &draw, r->result);
    arena_release(r->arena, mark);
    show_drawn(r, c);
    return ok;
}

/* Sets all texels of a mip level, with their samples. */
static void
fill_level(runner *r, const amber_buffer *b, uint32_t level, const double texel[4])
{
    uint8_t *at = get_bytes(r, b, true)->bytes;
    uint64_t w = b->width, h = b->height, size = b->type->size;
    for (uint32_t i = 0; i < level; i++) {
        at += w * h * b->samples * size;
        w = w > 1 ? w / 2 : 1;
        h = h > 1 ? h / 2 : 1;
    }
    for (uint64_t i = 0; i < w * h * b->samples; i++)
        amber_texel_encode(&b->type->texel, texel, at + i * size);
}

static bool
run_clear(runner *r, const amber_command *c)
{
    const amber_graphics *g = c->pipeline->graphics;
    const clear_values *v = &r->clears[c->pipeline->index];
    const double depth[4] = {v->depth, (double)v->stencil};
    if (r->device->functions->clear) {
        amber_clear clear = {.pipeline = c->pipeline,
                             .memory = r->memory,
                             .depth = (float)v->depth,
                             .stencil = (uint8_t)v->stencil};
        memcpy(clear.color, v->color, sizeof clear.color);
        arena_mark mark = arena_save(r->arena);
        bool ok = r->device->functions->clear(r->device, r->arena, &clear, r->result);
        arena_release(r->arena, mark);
        return ok;
    }
    for (uint32_t i = 0; i < g->target_count; i++)
        fill_level(r, g->targets[i].buffer, g->targets[i].mip, v->color);
    if (g->depth_stencil)
        fill_level(r, g->depth_stencil, 0, depth);
    return true;
}

static void
run_copy(runner *r, const amber_command *c)
{
    const amber_memory *from = get_bytes(r, c->buffer, false);
    memmove(get_bytes(r, c->other, true)->bytes, from->bytes, (size_t)from->size);
}

/* The reader ensures that the buffer is large enough. */
static void
run_set_data(runner *r, const amber_command *c)
{
    const amber_type *t = c->type;
    uint8_t *at = get_bytes(r, c->buffer, true)->bytes + c->offset;
    for (uint32_t v = 0; v < c->value_count; at += t->size)
        for (uint32_t i = 0; i < t->slot_count; i++, v++)
            amber_store(at + t->slots[i].offset, (amber_mode)t->slots[i].mode, t->slots[i].bits,
                        c->values[v]);
}

static bool
run_commands(runner *r, const amber_command *commands, uint32_t count);

static bool
run_repeat(runner *r, const amber_command *c)
{
    bool one = c->body_count == 1 && c->body[0].op == AMBER_OP_DISPATCH;
    if (one && c->count && r->device->functions->repeats) {
        bool ok = run_dispatch(r, &c->body[0], c->count);
        r->failed = ok || r->failed ? r->failed : &c->body[0];
        return ok;
    }
    for (uint32_t i = 0; i < c->count; i++)
        if (!run_commands(r, c->body, c->body_count))
            return false;
    return true;
}

static bool
run_check(runner *r, const amber_command *c)
{
    get_bytes(r, c->buffer, false);
    if (c->other)
        get_bytes(r, c->other, false);
    if (amber_check(c, r->memory, r->result))
        return true;
    if (c->what) {
        const amber_result why = *r->result;
        amber_set_result(r->result, AMBER_FAIL, "%s: %s", c->what, why.reason);
    }
    return false;
}

static bool
run_expect_no_code(runner *r, const amber_command *c)
{
    if (get_stages(r, c->pipeline))
        return amber_set_result(r->result, AMBER_FAIL,
                                "line %u: the shaders compile, expected is "
                                "an error",
                                c->line);
    if (r->result->status == AMBER_SKIP)
        return false;
    *r->result = (amber_result){.status = AMBER_PASS};
    return true;
}

static bool
run_command(runner *r, const amber_command *c)
{
    switch (c->op) {
    case AMBER_OP_DISPATCH: return run_dispatch(r, c, 1);
    case AMBER_OP_DRAW: return run_draw(r, c);
    case AMBER_OP_CLEAR: return run_clear(r, c);
    case AMBER_OP_CLEAR_COLOR:
        memcpy(r->clears[c->pipeline->index].color, c->color, sizeof c->color);
        return true;
    case AMBER_OP_CLEAR_DEPTH: r->clears[c->pipeline->index].depth = c->limit; return true;
    case AMBER_OP_CLEAR_STENCIL: r->clears[c->pipeline->index].stencil = c->count; return true;
    case AMBER_OP_COPY: run_copy(r, c); return true;
    case AMBER_OP_EXPECT_NO_CODE: return run_expect_no_code(r, c);
    case AMBER_OP_SET_DATA: run_set_data(r, c); return true;
    case AMBER_OP_REPEAT: return run_repeat(r, c);
    default: return run_check(r, c);
    }
}

static bool
run_commands(runner *r, const amber_command *commands, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!run_command(r, &commands[i])) {
            r->failed = r->failed ? r->failed : &commands[i];
            return false;
        }
    }
    return true;
}

static bool
begin_script(runner *r)
{
    const amber_device_functions *f = r->device->functions;
    return !f->begin_script || f->begin_script(r->device, what_asks(r->script), r->result);
}

void
amber_run(const amber_script *script, amber_device *device, const amber_frontend *frontend,
          const amber_observer *observer, arena *scratch, amber_result *result)
{
    arena_mark mark = arena_save(scratch);
    runner r = {
        .script = script,
        .device = device,
        .frontend = frontend,
        .observer = observer,
        .arena = scratch,
        .stages = ARENA_ARRAY(scratch, script->pipeline_count, amber_stage_code *),
        .clears = ARENA_ARRAY(scratch, script->pipeline_count, clear_values),
        .result = result,
    };
    for (uint32_t i = 0; i < script->pipeline_count; i++)
        r.clears[i].depth = 1.0;
    *result = (amber_result){.status = AMBER_PASS};
    if (check_requirements(&r) && begin_script(&r)) {
        make_memory(&r);
        run_commands(&r, script->commands, script->command_count);
        if (observer && observer->finished) {
            for (uint32_t i = 0; i < script->buffer_count; i++)
                get_bytes(&r, script->buffers[i], false);
            observer->finished(observer->user, script, r.memory, r.failed);
        }
    }
    if (device->functions->end_script)
        device->functions->end_script(device);
    arena_release(scratch, mark);
}
