/* The runner: checks requirements, and handles contents of buffers and commands. */
#include "amber/run.h"
#include "amber/check.h"

#include <stdio.h>
#include <string.h>

/* The words of a shader's module, once compiled. */
typedef struct module {
    const amber_attach *attach;
    const uint32_t *words;
    size_t count;
} module;

typedef struct runner {
    const amber_script *script;
    amber_device *device;
    const amber_frontend *frontend;
    arena *arena;
    amber_memory *memory; /* of each buffer */
    module *modules;      /* of each pipeline's stage */
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
check_requirements(runner *r)
{
    const amber_script *s = r->script;
    const amber_device_functions *f = r->device->functions;
    return check_names(r, &s->instance_extensions, f->has_instance_extension,
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
        r->memory[i].bytes = arena_zalloc_sparse(r->arena, (size_t)amber_whole_dwords(b->size));
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

/* Returns the module of a pipeline's shader, which is compiled at first use. */
static const module *
get_module(runner *r, const amber_pipeline *p)
{
    uint32_t i = 0;
    const char *message = "";
    while (r->script->pipelines[i] != p)
        i++;
    module *m = &r->modules[i];
    if (m->words)
        return m;
    m->attach = &p->attached[0];
    if (r->frontend->compile(r->frontend->user, r->arena, r->script, m->attach, &m->words,
                             &m->count, &message))
        return m;
    amber_set_result(r->result, AMBER_FAIL, "line %u: shader %s: %s", m->attach->shader->line,
                     m->attach->shader->name, message);
    return NULL;
}

static bool
run_dispatch(runner *r, const amber_command *c)
{
    const module *m = get_module(r, c->pipeline);
    if (!m)
        return false;
    amber_dispatch run = {
        .words = m->words,
        .word_count = m->count,
        .pipeline = c->pipeline,
        .stage = m->attach,
        .memory = r->memory,
        .groups = {c->groups[0], c->groups[1], c->groups[2]},
        .is_lasting = true,
    };
    if (c->pipeline->push) {
        const amber_memory *push = get_bytes(r, c->pipeline->push, false);
        run.push = push->bytes;
        run.push_size = (uint32_t)push->size;
    }
    arena_mark mark = arena_save(r->arena);
    bool ok = r->device->functions->dispatch(r->device, r->arena, &run, r->result);
    arena_release(r->arena, mark);
    return ok;
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
    return amber_check(c, r->memory, r->result);
}

static bool
run_command(runner *r, const amber_command *c)
{
    switch (c->op) {
    case AMBER_OP_DISPATCH: return run_dispatch(r, c);
    case AMBER_OP_COPY: run_copy(r, c); return true;
    case AMBER_OP_SET_DATA: run_set_data(r, c); return true;
    case AMBER_OP_REPEAT: return run_repeat(r, c);
    default: return run_check(r, c);
    }
}

static bool
run_commands(runner *r, const amber_command *commands, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!run_command(r, &commands[i]))
            return false;
    return true;
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
        .arena = scratch,
        .modules = ARENA_ARRAY(scratch, script->pipeline_count, module),
        .result = result,
    };
    *result = (amber_result){.status = AMBER_PASS};
    if (check_requirements(&r)) {
        make_memory(&r);
        run_commands(&r, script->commands, script->command_count);
        if (observer && observer->finished) {
            for (uint32_t i = 0; i < script->buffer_count; i++)
                get_bytes(&r, script->buffers[i], false);
            observer->finished(observer->user, script, r.memory);
        }
    }
    if (device->functions->end_script)
        device->functions->end_script(device);
    arena_release(scratch, mark);
}
