/* Assembling: to machine code, or into a code object in place of its code. */
#include "amd/isa/table.h"
#include "api/api.h"

#include <string.h>

typedef struct asm_job {
    const char *text;
    size_t size;
    heddle_asm_options options;
} asm_job;

/* One more than the highest VGPR that the code names. */
static uint32_t
count_vgprs(const amd_target *t, bool wave64, const base_buf *code)
{
    uint32_t n = 0;
    amd_inst in;
    for (size_t at = 0; code->size - at >= 4; at += in.size) {
        if (!amd_decode(t->gen, code->data + at, code->size - at, &in)) {
            in.size = 4;
            continue;
        }
        const amd_op_info *row = amd_op_row((amd_op)in.op);
        for (unsigned i = 0; i < in.n_dst + in.n_src; i++) {
            bool dst = i < in.n_dst;
            uint16_t reg = dst ? in.dst[i] : in.src[i - in.n_dst];
            const amd_operand *o = dst ? amd_op_dst(row, i) : amd_op_src(row, i - in.n_dst);
            unsigned dwords = o ? amd_type_dwords((amd_type)o->type, wave64) : 1;
            if (reg >= AMD_REG_VGPR0 && reg < AMD_REG_VGPR0 + 256 &&
                reg - AMD_REG_VGPR0 + dwords > n)
                n = reg - AMD_REG_VGPR0 + dwords;
        }
    }
    return n;
}

/* As many s_code_end behind the new code as the old one has, for the instruction prefetcher. */
static void
pad_like(const obj_code *like, base_buf *code)
{
    for (uint32_t at = like->data_offset; api_is_code_end(like, at); at += 4)
        buf_put(code, like->code + at, 4);
}

/* The code in the place of another code object's. */
static void
replace_code(api_state *s, const asm_job *job, const amd_target *t, base_buf *code)
{
    obj_file file;
    base_buf out = buf_make(&s->arena);
    obj_read(&s->diag, &s->arena, job->options.like, job->options.like_size, &file);
    const obj_code *like = obj_find_kernel(&file, NULL);
    if (!like)
        diag_fail(&s->diag, ERR_API_BAD_ARGUMENT, "the code object has not exactly one kernel");
    if (strcmp(file.target, t->name) != 0)
        diag_fail(&s->diag, ERR_API_BAD_ARGUMENT, "the code object is for another target");
    obj_code c = *like;
    uint32_t vgprs = count_vgprs(t, c.wave_size == 64, code);
    if (vgprs > c.vgprs)
        diag_fail(&s->diag, ERR_API_BAD_ARGUMENT,
                  arena_printf(&s->arena, "the code uses %u VGPRs, but the code object has %u",
                               vgprs, c.vgprs));
    c.data_offset = (uint32_t)code->size;
    pad_like(like, code);
    c.code = code->data;
    c.code_size = (uint32_t)code->size;
    c.n_lines = 0;
    obj_write(&s->diag, &c, &out);
    api_set_shader(s, &c);
    api_set_data(s, out.data, out.size);
}

static void
assemble(api_state *s, const void *user)
{
    const asm_job *job = user;
    const amd_target *t = api_find_target(s, &job->options);
    base_buf code = buf_make(&s->arena);
    amd_assemble(&s->diag, &s->scratch, t->gen, job->options.wave_size != 32, job->text, job->size,
                 &code);
    if (job->options.like)
        replace_code(s, job, t, &code);
    else
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
