/* Operations on machine code without compiling: disassembling, reading code objects, counting
 * instructions. */
#include "api/switches.h"
#include "family/blocks.h"
#include "ir/hir.h"

#include <string.h>

typedef struct code_job {
    const void *bytes;
    size_t size;
    heddle_asm_options options;
    uint32_t index;
    uint32_t *count;
} code_job;

static void
disassemble(api_state *s, const void *user)
{
    const code_job *job = user;
    const heddle_asm_options *o = &job->options;
    base_buf out = buf_make(&s->arena);
    const family_target t = api_find_target(s, o->target);
    api_check_wave_size(s, &t, o->wave_size);
    family_need(&s->diag, &t, family_isa_of(&t)->open, "the text of code");
    family_listing l = {.isa = t.family->isa,
                        .reader = t.family->isa->open(&s->scratch, &t, o->wave_size),
                        .bytes = job->bytes,
                        .size = job->size,
                        .with_bytes = o->with_bytes != 0,
                        .with_fields = o->with_fields != 0,
                        .address = o->address,
                        .out = &out};
    family_listing_begin(&l);
    if (l.with_bytes || o->with_live_registers || o->graph)
        family_listing_find_labels(&l, &s->arena);
    if (o->graph) {
        family_need(&s->diag, &t, t.family->isa->effects, "the control-flow graph");
        family_print_graph(&l, "code");
        api_set_data(s, out.data, out.size);
        return;
    }
    if (o->with_live_registers) {
        const ir_ctx c = api_ctx(s);
        family_listing_show_live(&c, &t, &l);
    }
    family_listing_run(&l);
    api_set_data(s, out.data, out.size);
}

static void
trace(void *user, const char *phase, const char *text, size_t size)
{
    const heddle_asm_options *o = user;
    if (o->trace)
        o->trace(o->user, phase, text, size);
}

/* Reads what is requested of the optimizer's phases. A bisection numbers them as a compile does. */
static void
read_switches(api_state *s, const family_target *t, const heddle_asm_options *o, ir_pass_run *run,
              family_bytecode *code)
{
    const ir_steps steps = ir_list_steps(t->family->compiler->pipeline, &ir_hir_level);
    const char *list = o->debug, *word;
    api_switches w = {s, t, &steps, run, false};
    *run = (ir_pass_run){
        .printed = trace, .user = (void *)o, .n_counted = ir_count_optional_steps(&steps)};
    while ((word = api_next_switch(s, &list))) {
        if (strcmp(word, "noopt") == 0)
            code->no_passes = true;
        else if (*word && !api_read_switch(&w, word))
            api_wrong_switch(&w, "the optimizer of code has no debug switch '%.40s'", word);
    }
}

static void
optimize(api_state *s, const void *user)
{
    const code_job *job = user;
    const ir_ctx c = api_ctx(s);
    const family_target t = api_find_target(s, job->options.target);
    base_buf out = buf_make(&s->arena);
    ir_pass_run run;
    family_need(&s->diag, &t, family_isa_of(&t)->optimize, "optimizing machine code");
    family_bytecode code = {job->bytes, job->size, job->options.until, .run = &run,
                            .arrays = job->options.arrays};
    read_switches(s, &t, &job->options, &run, &code);
    t.family->isa->optimize(&c, &t, &code, &out);
    api_set_data(s, out.data, out.size);
}

void
api_print_shader(api_state *s, const obj_code *code, family_text how, base_buf *out)
{
    const ir_ctx c = api_ctx(s);
    const family_target t = api_find_target(s, code->target);
    family_print_shader(&c, &t, code, how, out);
}

/* The kernel of a code object that the job selects by index. */
static const obj_code *
find_kernel(api_state *s, const code_job *job)
{
    obj_file file;
    families_read_object(&s->diag, &s->arena, job->bytes, job->size, &file);
    if (job->index >= file.n_kernels)
        diag_fail(&s->diag, ERR_API_BAD_ARGUMENT, "the code object has no such kernel");
    return &file.kernels[job->index];
}

/* How the options want code objects printed. */
static family_text
text_of(const heddle_asm_options *o)
{
    return (family_text){.with_bytes = !o->without_bytes,
                         .with_fields = o->with_fields != 0,
                         .as_directives = o->object != 0,
                         .with_live = o->with_live_registers != 0,
                         .as_graph = o->graph != 0,
                         .source = {o->source, o->source_user}};
}

static void
print_kernel(api_state *s, const void *user)
{
    const code_job *job = user;
    const heddle_asm_options *o = &job->options;
    base_buf out = buf_make(&s->arena);
    const obj_code *code = find_kernel(s, job);
    api_print_shader(s, code, text_of(o), &out);
    api_set_data(s, out.data, out.size);
}

static void
print_object(api_state *s, const void *user)
{
    const code_job *job = user;
    const heddle_asm_options *o = &job->options;
    const family_text how = text_of(o);
    const ir_ctx c = api_ctx(s);
    base_buf out = buf_make(&s->arena);
    obj_file file;
    families_read_object(&s->diag, &s->arena, job->bytes, job->size, &file);
    const family_target t = api_find_target(s, file.target);
    const family_objects *objects = family_objects_of(&t);
    family_need(&s->diag, &t, objects->print || !how.as_directives, "the text of an object");
    bool whole = objects->print && !how.with_live && !how.source.find && !how.as_graph;
    if (whole)
        objects->print(&c, &t, &file, how, &out);
    for (uint32_t i = 0; i < file.n_kernels && !whole; i++)
        family_print_shader(&c, &t, &file.kernels[i], how, &out);
    api_set_data(s, out.data, out.size);
}

static void
read_kernel(api_state *s, const void *user)
{
    const code_job *job = user;
    const obj_code *code = find_kernel(s, job);
    const family_target t = api_find_target(s, code->target);
    api_set_shader(s, &t, code);
    s->output->data = s->output->shader.code;
    s->output->size = s->output->shader.data_offset;
}

static void
count_kernels(api_state *s, const void *user)
{
    const code_job *job = user;
    obj_file file;
    families_read_object(&s->diag, &s->arena, job->bytes, job->size, &file);
    *job->count = file.n_kernels;
}

heddle_result
heddle_print_kernel(heddle_context *context, const void *object, size_t size, const char *file,
                    uint32_t index, heddle_output **out)
{
    const heddle_asm_options options = {.struct_size = sizeof options, .file = file};
    return heddle_print_kernel_with(context, object, size, index, &options, out);
}

heddle_result
heddle_print_kernel_with(heddle_context *context, const void *object, size_t size, uint32_t index,
                         const heddle_asm_options *options, heddle_output **out)
{
    code_job job = {.bytes = object, .size = size, .index = index};
    if (out)
        *out = NULL;
    heddle_result result = api_check_call(context, object, options, out);
    if (result != HEDDLE_OK)
        return result;
    api_copy_struct(&job.options, sizeof job.options, options);
    const char *file = job.options.file;
    return api_call(context, file, print_kernel, &job, out);
}

heddle_result
heddle_print_object(heddle_context *context, const void *object, size_t size,
                    const heddle_asm_options *options, heddle_output **out)
{
    code_job job = {.bytes = object, .size = size};
    if (out)
        *out = NULL;
    heddle_result result = api_check_call(context, object, options, out);
    if (result != HEDDLE_OK)
        return result;
    api_copy_struct(&job.options, sizeof job.options, options);
    return api_call(context, job.options.file, print_object, &job, out);
}

/* Runs `work` on plain code, which may be empty. */
static heddle_result
call_with_code(heddle_context *context, code_job *job, const heddle_asm_options *options,
               api_work work, heddle_output **out)
{
    if (out)
        *out = NULL;
    heddle_result result = api_check_call(context, job->bytes || !job->size, options, out);
    if (result != HEDDLE_OK)
        return result;
    api_copy_struct(&job->options, sizeof job->options, options);
    return api_call(context, job->options.file, work, job, out);
}

heddle_result
heddle_disassemble(heddle_context *context, const void *code, size_t size,
                   const heddle_asm_options *options, heddle_output **out)
{
    code_job job = {.bytes = code, .size = size};
    return call_with_code(context, &job, options, disassemble, out);
}

heddle_result
heddle_optimize_code(heddle_context *context, const void *code, size_t size,
                     const heddle_asm_options *options, heddle_output **out)
{
    code_job job = {.bytes = code, .size = size};
    return call_with_code(context, &job, options, optimize, out);
}

heddle_result
heddle_count_kernels(heddle_context *context, const void *object, size_t size, const char *file,
                     uint32_t *count)
{
    code_job job = {.bytes = object, .size = size, .count = count};
    heddle_result result = api_check_call(context, object, true, count);
    if (result != HEDDLE_OK)
        return result;
    *count = 0;
    return api_call(context, file, count_kernels, &job, NULL);
}

heddle_result
heddle_read_kernel(heddle_context *context, const void *object, size_t size, const char *file,
                   uint32_t index, heddle_output **out)
{
    code_job job = {.bytes = object, .size = size, .index = index};
    if (out)
        *out = NULL;
    heddle_result result = api_check_call(context, object, true, out);
    if (result != HEDDLE_OK)
        return result;
    return api_call(context, file, read_kernel, &job, out);
}
