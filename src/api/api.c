/* Contexts, outputs, and the protected call. */
#include "api/figures.h"

#include <stdio.h>
#include <string.h>

uint32_t
heddle_version(void)
{
    return HEDDLE_VERSION_MAJOR << 16 | HEDDLE_VERSION_MINOR << 8 | HEDDLE_VERSION_PATCH;
}

const char *
heddle_result_text(heddle_result result)
{
    static const char *const texts[] = {
        "ok",
        "invalid input",
        "unsupported",
        "limit exceeded",
        "out of memory",
        "internal error",
        "invalid argument",
        "cancelled",
    };
    return (size_t)result < sizeof texts / sizeof texts[0] ? texts[result] : "unknown result";
}

void
api_copy_struct(void *copy, size_t size, const void *from)
{
    size_t have;
    memcpy(&have, from, sizeof have);
    memset(copy, 0, size);
    memcpy(copy, from, have < size ? have : size);
}

const void *
api_read_struct(void *copy, size_t size, const void *at)
{
    enum { LARGEST_STRUCT = 4096 };
    size_t have;
    memcpy(&have, at, sizeof have);
    if (have < sizeof have || have > LARGEST_STRUCT)
        return NULL;
    api_copy_struct(copy, size, at);
    return (const char *)at + have;
}

void
api_fill_struct(void *to, const void *from, size_t size)
{
    size_t room;
    memcpy(&room, to, sizeof room);
    size_t n = room < size ? room : size;
    if (n > sizeof room)
        memcpy((char *)to + sizeof room, (const char *)from + sizeof room, n - sizeof room);
    if (room > size)
        memset((char *)to + size, 0, room - size);
}

/* Sizes of the blocks that `kept` may hold: those of a compile's arenas, which double in size. */
static const size_t kept_sizes[API_KEPT] = {
    API_FIRST_BLOCK,     API_FIRST_BLOCK,     API_FIRST_BLOCK,     2 * API_FIRST_BLOCK,
    2 * API_FIRST_BLOCK, 4 * API_FIRST_BLOCK, 4 * API_FIRST_BLOCK, 4 * API_FIRST_BLOCK,
};

static void *
take_block(void *user, size_t size)
{
    heddle_context *c = user;
    for (unsigned k = 0; k < API_KEPT; k++) {
        if (kept_sizes[k] != size || !atomic_load_explicit(&c->kept[k], memory_order_relaxed))
            continue;
        void *block = atomic_exchange(&c->kept[k], NULL);
        if (block)
            return block;
    }
    return c->allocator.alloc(c->allocator.user, size);
}

static void
give_block(void *user, void *block, size_t size)
{
    heddle_context *c = user;
    for (unsigned k = 0; k < API_KEPT; k++) {
        void *none = NULL;
        if (kept_sizes[k] == size && atomic_compare_exchange_strong(&c->kept[k], &none, block))
            return;
    }
    c->allocator.release(c->allocator.user, block, size);
}

heddle_result
heddle_create_context(const heddle_context_options *options, heddle_context **out)
{
    heddle_context_options o = {0};
    base_allocator allocator = base_malloc_allocator;
    if (!out)
        return HEDDLE_ERROR_ARGUMENT;
    *out = NULL;
    if (options)
        api_copy_struct(&o, sizeof o, options);
    if (o.allocator) {
        if (!o.allocator->alloc || !o.allocator->release)
            return HEDDLE_ERROR_ARGUMENT;
        allocator = (base_allocator){o.allocator->alloc, o.allocator->release, o.allocator->user};
    }
    heddle_context *c = allocator.alloc(allocator.user, sizeof *c);
    if (!c)
        return HEDDLE_ERROR_OUT_OF_MEMORY;
    *c = (heddle_context){.allocator = allocator,
                          .blocks = {take_block, give_block, c},
                          .diagnostic = o.diagnostic,
                          .diagnostic_user = o.diagnostic_user};
    *out = c;
    return HEDDLE_OK;
}

void
heddle_destroy_context(heddle_context *context)
{
    if (!context)
        return;
    const base_allocator a = context->allocator;
    for (unsigned k = 0; k < API_KEPT; k++) {
        void *block = atomic_exchange(&context->kept[k], NULL);
        if (block)
            a.release(a.user, block, kept_sizes[k]);
    }
    a.release(a.user, context, sizeof *context);
}

void
heddle_destroy_output(heddle_output *output)
{
    if (!output)
        return;
    const base_allocator *a = &output->context->allocator;
    arena_free(&output->arena);
    a->release(a->user, output, sizeof *output);
}

const void *
heddle_output_data(const heddle_output *output)
{
    return output ? output->data : NULL;
}

size_t
heddle_output_size(const heddle_output *output)
{
    return output ? output->size : 0;
}

static heddle_result
result_of(const diag *d)
{
    static const heddle_result results[] = {
        [DIAG_OK] = HEDDLE_OK,
        [DIAG_INVALID] = HEDDLE_ERROR_INVALID,
        [DIAG_UNSUPPORTED] = HEDDLE_ERROR_UNSUPPORTED,
        [DIAG_LIMIT] = HEDDLE_ERROR_LIMIT,
        [DIAG_NO_MEMORY] = HEDDLE_ERROR_OUT_OF_MEMORY,
        [DIAG_CANCELLED] = HEDDLE_ERROR_CANCELLED,
        [DIAG_INTERNAL] = HEDDLE_ERROR_INTERNAL,
    };
    if (d->error == ERR_API_BAD_ARGUMENT || d->error == ERR_API_UNKNOWN_TARGET ||
        d->error == ERR_API_AMBIGUOUS_TARGET || d->error == ERR_API_LAYOUT)
        return HEDDLE_ERROR_ARGUMENT;
    return results[d->class];
}

heddle_result
api_report(const api_state *s)
{
    const diag *d = &s->diag;
    char text[DIAG_MESSAGE_MAX + 512];
    heddle_diagnostic out = {
        .result = result_of(d),
        .name = diag_error_name(d->error),
        .message = d->message,
        .text = text,
        .file = d->loc.line && d->loc.source ? d->loc.source : d->loc.file,
        .line = d->loc.line,
        .column = d->loc.column,
        .offset = d->loc.offset,
        .unit = d->loc.has_offset ? d->loc.unit : NULL,
        .item = d->loc.what,
    };
    diag_format(d, text, sizeof text);
    if (s->context->diagnostic && !d->is_reported)
        s->context->diagnostic(s->context->diagnostic_user, &out);
    return out.result;
}

void
api_tell(api_state *s, const diag_loc *loc, const char *kind, const char *name, const char *message)
{
    const char *file = loc->file ? loc->file : "heddle";
    if (!s->context->diagnostic)
        return;
    const char *place = loc->line
                            ? arena_printf(&s->scratch, "%s:%u:%u", file, loc->line, loc->column)
                            : file;
    const heddle_diagnostic d = {
        .result = HEDDLE_OK,
        .name = name,
        .message = message,
        .text = arena_printf(&s->scratch, "%s: %s: %s", place, kind, message),
        .file = loc->file,
        .line = loc->line,
        .column = loc->column,
    };
    s->context->diagnostic(s->context->diagnostic_user, &d);
}

heddle_result
api_check_call(const heddle_context *context, bool input, bool options, bool place)
{
    api_state s = {.context = context};
    if (context && input && options && place)
        return HEDDLE_OK;
    if (!context)
        return HEDDLE_ERROR_ARGUMENT;
    diag_init(&s.diag);
    diag_record(&s.diag, ERR_API_BAD_ARGUMENT,
                !place     ? "the call gives no place for its result"
                : !options ? "the call gives no options"
                           : "the call gives no input");
    return api_report(&s);
}

/* Returns true if `work` completed. Separate from api_call, so that no local variable of api_call
 * changes after setjmp. */
static bool
guarded(api_state *s, api_work work, const void *job, bool has_output)
{
    if (!DIAG_TRY(&s->diag))
        return false;
    if (has_output) {
        const base_allocator *a = &s->context->allocator;
        heddle_output *o = a->alloc(a->user, sizeof *o);
        if (!o)
            diag_fail(&s->diag, ERR_NO_MEMORY);
        memset(o, 0, sizeof *o);
        o->context = s->context;
        arena_init(&o->arena, a, diag_out_of_memory, &s->diag);
        s->output = o;
    }
    work(s, job);
    return true;
}

heddle_result
api_call(const heddle_context *context, const char *file, api_work work, const void *job,
         heddle_output **out)
{
    api_state s = {.context = context};
    diag_init(&s.diag);
    s.diag.loc.file = file;
    arena_init(&s.arena, &context->blocks, diag_out_of_memory, &s.diag);
    arena_init(&s.scratch, &context->blocks, diag_out_of_memory, &s.diag);
    s.arena.first = s.scratch.first = API_FIRST_BLOCK;
    bool ok = guarded(&s, work, job, out != NULL);
    heddle_result result = ok ? HEDDLE_OK : api_report(&s);
    if (ok && out)
        s.output->stats.peak_bytes = arena_peak(&s.arena) + arena_peak(&s.scratch) +
                                     arena_peak(&s.output->arena);
    arena_free(&s.arena);
    arena_free(&s.scratch);
    if (!ok)
        heddle_destroy_output(s.output);
    else if (out)
        *out = s.output;
    return result;
}

void
api_set_data(api_state *s, const void *data, size_t size)
{
    char *copy = arena_alloc(&s->output->arena, size + 1);
    if (size)
        memcpy(copy, data, size);
    copy[size] = '\0';
    s->output->data = copy;
    s->output->size = size;
}

/* Copies what the code's family alone knows of it. */
static void
keep_launch_state(heddle_output *o, const family_target *t, const obj_code *code)
{
    const family_objects *f = family_objects_of(t);
    family_value v;
    uint32_t n = 0;
    while (f->get_value && f->get_value(code, n, &v))
        n++;
    o->user_sgprs = ARENA_ARRAY(&o->arena, n, heddle_user_sgpr);
    for (uint32_t i = 0; i < n && f->get_value(code, i, &v); i++)
        o->user_sgprs[i] = (heddle_user_sgpr){v.kind, v.index, v.first, v.count};
    o->n_user_sgprs = n;
    o->shader.own = f->keep ? f->keep(&o->arena, code) : NULL;
}

static void
keep_bindings(heddle_output *o, const obj_code *code)
{
    o->bindings = ARENA_ARRAY(&o->arena, code->n_resources, heddle_binding_place);
    o->n_bindings = code->n_resources;
    for (uint32_t i = 0; i < code->n_resources; i++) {
        const obj_resource *r = &code->resources[i];
        o->bindings[i] = (heddle_binding_place){
            r->set,   r->binding,  (heddle_descriptor_type)r->type,
            r->count, r->offset,   r->stride,
            r->size,  r->in_block, r->is_used};
    }
}

static void
keep_args(heddle_output *o, const obj_code *code)
{
    o->args = ARENA_ARRAY(&o->arena, code->n_args, heddle_kernel_arg);
    o->n_args = code->n_args;
    for (uint32_t i = 0; i < code->n_args; i++) {
        const obj_arg *from = &code->args[i];
        o->args[i] = (heddle_kernel_arg){arena_strdup(&o->arena, from->name),
                                         arena_strdup(&o->arena, from->kind), from->offset,
                                         from->size};
    }
}

void
api_set_shader(api_state *s, const family_target *t, const obj_code *code)
{
    heddle_output *o = s->output;
    arena *a = &o->arena;
    obj_code *c = &o->shader;
    *c = *code;
    c->target = arena_strdup(a, code->target);
    c->name = arena_strdup(a, code->name);
    c->code = arena_copy(a, code->code, code->code_size);
    keep_launch_state(o, t, code);
    keep_bindings(o, code);
    keep_args(o, code);
    /* Clears pointers that the output does not use, so that they do not dangle. */
    c->args = NULL;
    c->files = NULL;
    c->lines = NULL;
    c->resources = NULL;
    c->n_args = c->n_files = c->n_lines = c->n_resources = 0;
    o->has_shader = true;
}

heddle_result
heddle_output_info(const heddle_output *output, heddle_shader_info *info)
{
    if (!output || !output->has_shader || !info)
        return HEDDLE_ERROR_ARGUMENT;
    const obj_code *c = &output->shader;
    family_figures figures = {0};
    family_target t;
    heddle_shader_info i = {
        .entry = c->name,
        .target = c->target,
        .stage = (heddle_stage)(c->stage + 1),
        .abi = c->abi == OBJ_ABI_HSA ? HEDDLE_ABI_HSA : HEDDLE_ABI_VULKAN,
        .wave_size = c->wave_size,
        .code = c->code,
        .code_size = c->code_size,
        .data_offset = c->data_offset,
        .user_sgprs = output->user_sgprs,
        .n_user_sgprs = output->n_user_sgprs,
        .kernarg_size = c->args_size,
        .bindings = output->bindings,
        .n_bindings = output->n_bindings,
        .args = output->args,
        .n_args = output->n_args,
        .push_size = c->push_size,
    };
    memcpy(i.workgroup_size, c->workgroup_size, sizeof i.workgroup_size);
    if (families_find_target(c->target, &t) && family_objects_of(&t)->describe)
        family_objects_of(&t)->describe(c, &figures);
    api_show_launch_figures(&figures, &i);
    api_fill_struct(info, &i, sizeof i);
    return HEDDLE_OK;
}

typedef struct stats_job {
    const heddle_output *output;
    heddle_stats *stats;
} stats_job;

/* Counts the output's code, if its family does that. Returns the family's objects, or NULL. */
static const family_objects *
count_code(api_state *s, const obj_code *code, family_figures *figures)
{
    family_target t;
    if (!families_find_target(code->target, &t) || !family_objects_of(&t)->count)
        return NULL;
    t.family->objects->count(&s->scratch, &t, code, figures);
    return t.family->objects;
}

static void
count_output(api_state *s, const void *user)
{
    const stats_job *job = user;
    family_figures figures = {0};
    heddle_stats stats = job->output->stats;
    stats.wave_size = job->output->shader.wave_size;
    count_code(s, &job->output->shader, &figures);
    api_show_statistics(&figures, &stats);
    api_fill_struct(job->stats, &stats, sizeof stats);
}

heddle_result
heddle_output_stats(const heddle_output *output, heddle_stats *stats)
{
    stats_job job = {output, stats};
    if (!output || !output->has_shader || !stats)
        return HEDDLE_ERROR_ARGUMENT;
    return api_call(output->context, NULL, count_output, &job, NULL);
}

static void
print_statistics(api_state *s, const void *user)
{
    const stats_job *job = user;
    family_figures figures = {0};
    base_buf text = buf_make(&s->arena);
    const family_objects *f = count_code(s, &job->output->shader, &figures);
    if (f && f->print_statistics)
        f->print_statistics(&figures, &text);
    api_set_data(s, text.data, text.size);
}

heddle_result
heddle_print_stats(const heddle_output *output, heddle_output **out)
{
    stats_job job = {.output = output};
    if (out)
        *out = NULL;
    if (!output || !output->has_shader || !out)
        return HEDDLE_ERROR_ARGUMENT;
    return api_call(output->context, NULL, print_statistics, &job, out);
}
