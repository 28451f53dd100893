/* Machine code without compiling: disassembling, reading code objects, counting instructions. */
#include "amd/amd.h"
#include "amd/isa/table.h"
#include "api/api.h"

#include "base/bitset.h"

#include <string.h>

typedef struct code_job {
    const void *bytes;
    size_t size;
    heddle_asm_options options;
    uint32_t index;
    uint32_t *count;
} code_job;

/* Where code has an instruction, and which dwords are branched to. */
typedef struct branches {
    uint64_t *labels; /* bit set of dwords */
    size_t n_dwords;
} branches;

static bool
decode_at(const amd_target *t, const uint8_t *bytes, size_t size, size_t at, amd_inst *in)
{
    return size - at >= 4 && amd_decode(t->gen, bytes + at, size - at, in) && in->size <= size - at;
}

/* The dword that a branch at byte `at` goes to, or SIZE_MAX for what is no branch in the code. */
static size_t
branch_target(const amd_inst *in, size_t at, size_t n_dwords)
{
    const amd_op_info *row = amd_op_row((amd_op)in->op);
    if (in->fmt != AMD_SOPP || !(row->flags & AMD_F_BRANCH))
        return SIZE_MAX;
    int64_t to = (int64_t)(at / 4) + 1 + in->imm;
    return to >= 0 && (size_t)to <= n_dwords ? (size_t)to : SIZE_MAX;
}

static void
find_labels(const amd_target *t, const code_job *job, branches *b)
{
    amd_inst in;
    for (size_t at = 0; at < job->size;) {
        bool ok = decode_at(t, job->bytes, job->size, at, &in);
        size_t to = ok ? branch_target(&in, at, b->n_dwords) : SIZE_MAX;
        if (to != SIZE_MAX)
            bitset_add(b->labels, to);
        at += ok ? in.size : 4;
    }
}

/* The text of one instruction; branches inside the code name their label. */
static void
print_instruction(const amd_target *t, const code_job *job, const branches *b, const amd_inst *in,
                  size_t at, base_buf *out)
{
    size_t to = job->options.with_bytes ? branch_target(in, at, b->n_dwords) : SIZE_MAX;
    if (to == SIZE_MAX)
        amd_print(t->gen, in, job->options.wave_size != 32, out);
    else
        buf_printf(out, "%s L%zx", amd_op_row((amd_op)in->op)->name, to * 4);
}

static void
print_line(const amd_target *t, const code_job *job, const branches *b, size_t at, size_t *next,
           base_buf *out)
{
    const uint8_t *bytes = job->bytes;
    size_t left = job->size - at, start = out->size;
    amd_inst in;
    *next = at + (left < 4 ? left : 4);
    buf_puts(out, "\t");
    if (decode_at(t, bytes, job->size, at, &in)) {
        *next = at + in.size;
        print_instruction(t, job, b, &in, at, out);
    } else if (left >= 4) {
        buf_printf(out, ".long 0x%02x%02x%02x%02x", bytes[at + 3], bytes[at + 2], bytes[at + 1],
                   bytes[at]);
    } else {
        for (size_t i = 0; i < left; i++)
            buf_printf(out, "%s0x%02x", i ? ", " : ".byte ", bytes[at + i]);
    }
    if (job->options.with_bytes) {
        size_t width = out->size - start;
        buf_printf(out, "%*s // %012llX:", width < 60 ? (int)(60 - width) : 1, "",
                   (unsigned long long)(job->options.address + at));
        for (size_t i = at; i + 4 <= *next; i += 4)
            buf_printf(out, " %02X%02X%02X%02X", bytes[i + 3], bytes[i + 2], bytes[i + 1],
                       bytes[i]);
    }
    buf_puts(out, "\n");
}

static void
disassemble(api_state *s, const void *user)
{
    const code_job *job = user;
    const amd_target *t = api_find_target(s, &job->options);
    base_buf out = buf_make(&s->arena);
    branches b = {.n_dwords = job->size / 4};
    if (job->options.with_bytes) {
        b.labels = ARENA_ARRAY(&s->arena, BITSET_WORDS(b.n_dwords + 1), uint64_t);
        find_labels(t, job, &b);
    }
    for (size_t at = 0, next; at < job->size; at = next) {
        if (b.labels && at % 4 == 0 && bitset_has(b.labels, at / 4))
            buf_printf(&out, "L%zx:\n", at);
        print_line(t, job, &b, at, &next, &out);
    }
    if (b.labels && job->size % 4 == 0 && bitset_has(b.labels, b.n_dwords))
        buf_printf(&out, "L%zx:\n", job->size);
    api_set_data(s, out.data, out.size);
}

static void
read_kernel(api_state *s, const void *user)
{
    const code_job *job = user;
    obj_file file;
    obj_read(&s->diag, &s->arena, job->bytes, job->size, &file);
    if (job->index >= file.n_kernels)
        diag_fail(&s->diag, ERR_API_BAD_ARGUMENT, "the code object has no such kernel");
    const obj_code *code = &file.kernels[job->index];
    api_set_shader(s, code);
    api_count_code(s, code);
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

static void
count_instruction(const amd_inst *in, heddle_stats *stats)
{
    const amd_op_info *row = amd_op_row((amd_op)in->op);
    stats->instructions++;
    switch ((amd_fmt)in->fmt) {
    case AMD_SOPP:
        if (row->flags & AMD_F_BRANCH)
            stats->branches++;
        else if (strncmp(row->name, "s_waitcnt", 9) == 0)
            stats->waits++;
        else if (strcmp(row->name, "s_nop") == 0)
            stats->nops++;
        else
            stats->salu++;
        break;
    case AMD_SOPK:
        if (strncmp(row->name, "s_waitcnt", 9) == 0)
            stats->waits++;
        else
            stats->salu++;
        break;
    case AMD_SOP1:
    case AMD_SOP2:
    case AMD_SOPC: stats->salu++; break;
    case AMD_SMEM: stats->smem++; break;
    case AMD_DS: stats->ds++; break;
    case AMD_MUBUF:
    case AMD_MTBUF:
    case AMD_MIMG:
    case AMD_FLAT:
    case AMD_GLOBAL:
    case AMD_SCRATCH: stats->vmem++; break;
    case AMD_EXP: break;
    default: stats->valu++; break;
    }
    if (in->fmt == AMD_SOP1 || in->fmt == AMD_VOP1) {
        stats->copies += strcmp(row->name, "s_mov_b32") == 0 ||
                         strcmp(row->name, "s_mov_b64") == 0 || strcmp(row->name, "v_mov_b32") == 0;
    }
}

void
api_count_code(api_state *s, const obj_code *code)
{
    heddle_stats *stats = &s->output->stats;
    const amd_target *t = amd_find_target(code->target);
    amd_inst in;
    for (size_t at = 0; t && at < code->data_offset;) {
        bool ok = decode_at(t, code->code, code->data_offset, at, &in);
        if (ok)
            count_instruction(&in, stats);
        at += ok ? in.size : 4;
    }
    stats->wave_size = code->wave_size;
    stats->code_bytes = code->code_size;
    stats->sgprs = code->sgprs;
    stats->vgprs = code->vgprs;
    stats->spilled_sgprs = code->spilled_sgprs;
    stats->spilled_vgprs = code->spilled_vgprs;
    stats->scratch_bytes = code->scratch_bytes;
    stats->lds_bytes = code->lds_bytes;
}
