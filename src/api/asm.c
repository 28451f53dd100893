/* Assembling. */
#include "api/api.h"

typedef struct asm_job {
    const char *text;
    size_t size;
    heddle_asm_options options;
} asm_job;

static void
assemble(api_state *s, const void *user)
{
    const asm_job *job = user;
    const amd_target *t = api_find_target(s, &job->options);
    base_buf code = buf_make(&s->arena);
    amd_assemble(&s->diag, &s->scratch, t->gen, job->options.wave_size != 32, job->text, job->size,
                 &code);
    api_set_data(s, code.data, code.size);
}

heddle_result
heddle_assemble(heddle_context *context, const char *text, size_t size,
                const heddle_asm_options *options, heddle_output **out)
{
    asm_job job = {.text = text, .size = size};
    if (out)
        *out = NULL;
    if (!context || (!text && size) || !options || !out)
        return HEDDLE_ERROR_ARGUMENT;
    api_copy_struct(&job.options, sizeof job.options, options);
    return api_call(context, job.options.file, assemble, &job, out);
}
