/* Operations on machine code without compiling: disassembling, reading code objects, counting
 * instructions. */
#include "amd/amd.h"
#include "api/listing.h"

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
    listing l = {.target = listing_target(s, o->target), .wave64 = o->wave_size != 32};
    l.bytes = job->bytes;
    l.size = job->size;
    l.with_bytes = o->with_bytes != 0;
    l.with_fields = o->with_fields != 0;
    l.address = o->address;
    l.out = &out;
    l.check = amd_line_check_new(&s->scratch, l.target->gen, l.wave64);
    if (l.with_bytes)
        listing_find_labels(&l, &s->arena);
    listing_run(&l);
    api_set_data(s, out.data, out.size);
}

bool
api_is_code_end(const obj_code *code, uint32_t at)
{
    static const uint8_t code_end[4] = {0x00, 0x00, 0x9f, 0xbf};
    return code->code_size - at >= 4 && memcmp(code->code + at, code_end, 4) == 0;
}

/* Prints what follows the code: s_code_end for the instruction prefetcher, then constant data. The
 * text must include the padding, because the code contains the distance to its data. */
static void
print_constant_data(const obj_code *code, base_buf *out)
{
    uint32_t at = code->data_offset, n = 0;
    for (; api_is_code_end(code, at); at += 4)
        n++;
    if (n)
        buf_printf(out, "\t.rept %u\n\ts_code_end\n\t.endr\n", n);
    if (at < code->code_size)
        buf_printf(out, "%s.data:\n", code->name);
    for (; at < code->code_size; at += 4) {
        buf_puts(out, "\t");
        listing_data(code->code + at, code->code_size - at, out);
        buf_puts(out, "\n");
    }
}

void
api_print_shader(api_state *s, const obj_code *code, bool with_bytes, bool with_fields,
                 base_buf *out)
{
    listing l = {
        .target = listing_target(s, code->target), .wave64 = code->wave_size == 64, .out = out};
    l.bytes = code->code;
    l.size = code->data_offset;
    l.with_bytes = with_bytes;
    l.code = code;
    l.with_fields = with_fields;
    l.check = amd_line_check_new(&s->scratch, l.target->gen, l.wave64);
    listing_find_labels(&l, &s->arena);
    listing_head(code, out);
    buf_printf(out, "%s:\n", code->name);
    listing_run(&l);
    print_constant_data(code, out);
}

/* The kernel of a code object that the job selects by index. */
static const obj_code *
find_kernel(api_state *s, const code_job *job)
{
    obj_file file;
    obj_read(&s->diag, &s->arena, job->bytes, job->size, &file);
    if (job->index >= file.n_kernels)
        diag_fail(&s->diag, ERR_API_BAD_ARGUMENT, "the code object has no such kernel");
    return &file.kernels[job->index];
}

static void
print_kernel(api_state *s, const void *user)
{
    const code_job *job = user;
    const heddle_asm_options *o = &job->options;
    base_buf out = buf_make(&s->arena);
    const obj_code *code = find_kernel(s, job);
    api_print_shader(s, code, true, o->with_fields != 0, &out);
    api_set_data(s, out.data, out.size);
}

/* Objects of this compiler have one kernel, whose model separates data from code. */
static void
print_object(api_state *s, const void *user)
{
    const code_job *job = user;
    const heddle_asm_options *o = &job->options;
    base_buf out = buf_make(&s->arena);
    obj_file file;
    obj_read(&s->diag, &s->arena, job->bytes, job->size, &file);
    if (o->object && file.abi != OBJ_ABI_HSA)
        diag_fail(&s->diag, ERR_API_BAD_ARGUMENT, "only objects of the AMDHSA ABI have directives");
    if (file.is_ours && !o->object)
        api_print_shader(s, &file.kernels[0], true, o->with_fields != 0, &out);
    else
        api_print_object(s, &file, o->with_fields != 0, o->object != 0, &out);
    api_set_data(s, out.data, out.size);
}

static void
read_kernel(api_state *s, const void *user)
{
    const code_job *job = user;
    const obj_code *code = find_kernel(s, job);
    api_set_shader(s, code);
    s->output->data = s->output->shader.code;
    s->output->size = s->output->shader.data_offset;
}

static void
count_kernels(api_state *s, const void *user)
{
    const code_job *job = user;
    obj_file file;
    obj_read(&s->diag, &s->arena, job->bytes, job->size, &file);
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
    if (!context || !object || !options || !out)
        return HEDDLE_ERROR_ARGUMENT;
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
    if (!context || !object || !options || !out)
        return HEDDLE_ERROR_ARGUMENT;
    api_copy_struct(&job.options, sizeof job.options, options);
    return api_call(context, job.options.file, print_object, &job, out);
}

heddle_result
heddle_disassemble(heddle_context *context, const void *code, size_t size,
                   const heddle_asm_options *options, heddle_output **out)
{
    code_job job = {.bytes = code, .size = size};
    if (out)
        *out = NULL;
    if (!context || (!code && size) || !options || !out)
        return HEDDLE_ERROR_ARGUMENT;
    api_copy_struct(&job.options, sizeof job.options, options);
    return api_call(context, job.options.file, disassemble, &job, out);
}

heddle_result
heddle_count_kernels(heddle_context *context, const void *object, size_t size, const char *file,
                     uint32_t *count)
{
    code_job job = {.bytes = object, .size = size, .count = count};
    if (!context || !object || !count)
        return HEDDLE_ERROR_ARGUMENT;
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
    if (!context || !object || !out)
        return HEDDLE_ERROR_ARGUMENT;
    return api_call(context, file, read_kernel, &job, out);
}
