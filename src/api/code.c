/* Machine code without compiling: disassembling, reading code objects, counting instructions. */
#include "amd/amd.h"
#include "amd/isa/amdhsa.h"
#include "amd/isa/print.h"
#include "amd/isa/table.h"
#include "amd/isa/unit.h"
#include "api/api.h"
#include "object/image.h"
#include "object/yaml.h"

#include "base/bitset.h"

#include <string.h>

typedef struct code_job {
    const void *bytes;
    size_t size;
    heddle_asm_options options;
    uint32_t index;
    uint32_t *count;
} code_job;

/* Code being printed. */
typedef struct listing {
    const amd_target *target;
    bool wave64;
    const uint8_t *bytes;
    size_t size;
    uint64_t *labels; /* bit set of dwords that are branched to; NULL: no labels */
    bool with_bytes, with_fields;
    uint64_t address;      /* of the first byte */
    amd_line_check *check; /* of the text: what it does not assemble to is printed as data */
    const obj_code *code;  /* whose source lines are shown; may be NULL */
    const obj_line *shown; /* last */
    base_buf *out;
} listing;

static bool
decode_at(const amd_target *t, const uint8_t *bytes, size_t size, size_t at, amd_inst *in)
{
    return size - at >= 4 && amd_decode(t->gen, bytes + at, size - at, in) && in->size <= size - at;
}

/* The dword that a branch at byte `at` goes to, or SIZE_MAX for what is no branch inside the code.
 */
static size_t
branch_target(const listing *l, const amd_inst *in, size_t at)
{
    const amd_op_info *row = amd_op_row((amd_op)in->op);
    if (in->fmt != AMD_SOPP || !(row->flags & AMD_F_BRANCH))
        return SIZE_MAX;
    int64_t to = (int64_t)(at / 4) + 1 + in->imm;
    return to >= 0 && (size_t)to <= l->size / 4 ? (size_t)to : SIZE_MAX;
}

/* Labels stand where lines begin: a branch into an instruction has none. */
static void
find_labels(listing *l, arena *a)
{
    amd_inst in;
    uint64_t *starts = ARENA_ARRAY(a, BITSET_WORDS(l->size / 4 + 1), uint64_t);
    uint64_t *targets = ARENA_ARRAY(a, BITSET_WORDS(l->size / 4 + 1), uint64_t);
    for (size_t at = 0; at < l->size;) {
        bool ok = decode_at(l->target, l->bytes, l->size, at, &in);
        size_t to = ok ? branch_target(l, &in, at) : SIZE_MAX;
        bitset_add(starts, at / 4);
        if (to != SIZE_MAX)
            bitset_add(targets, to);
        at += ok ? in.size : 4;
    }
    if (l->size % 4 == 0)
        bitset_add(starts, l->size / 4);
    for (size_t i = 0; i < BITSET_WORDS(l->size / 4 + 1); i++)
        targets[i] &= starts[i];
    l->labels = targets;
}

/* The text of one instruction; branches inside the code name their label. */
static void
print_instruction(const listing *l, const amd_inst *in, size_t at)
{
    size_t to = l->labels ? branch_target(l, in, at) : SIZE_MAX;
    if (to == SIZE_MAX || !bitset_has(l->labels, to))
        amd_print(l->target->gen, in, l->wave64, l->out);
    else
        buf_printf(l->out, "%s L%zx", amd_op_name((amd_op)in->op, l->target->gen), to * 4);
}

/* Does the instruction's text assemble to its bytes? */
static bool
is_assembled(const listing *l, const amd_inst *in, size_t at)
{
    size_t start = l->out->size;
    amd_print(l->target->gen, in, l->wave64, l->out);
    bool ok = !l->check || amd_line_check_run(l->check, (const char *)l->out->data + start,
                                              l->out->size - start, l->bytes + at, in->size);
    l->out->size = start;
    return ok;
}

/* Bytes that are no instruction: a dword, or what is left of one. */
static void
print_data(const uint8_t *bytes, size_t left, base_buf *out)
{
    if (left >= 4) {
        buf_printf(out, ".long 0x%02x%02x%02x%02x", bytes[3], bytes[2], bytes[1], bytes[0]);
    } else {
        for (size_t i = 0; i < left; i++)
            buf_printf(out, "%s0x%02x", i ? ", " : ".byte ", bytes[i]);
    }
}

static void
print_comment(const listing *l, size_t at, size_t next, size_t width)
{
    const uint8_t *bytes = l->bytes;
    buf_printf(l->out, "%*s // %012llX:", width < 60 ? (int)(60 - width) : 1, "",
               (unsigned long long)(l->address + at));
    for (size_t i = at; i + 4 <= next; i += 4)
        buf_printf(l->out, " %02X%02X%02X%02X", bytes[i + 3], bytes[i + 2], bytes[i + 1], bytes[i]);
}

/* Where the source line changes it stands before the instruction. */
static void
print_source(listing *l, size_t at)
{
    const obj_line *row = l->code ? obj_find_line(l->code, at) : NULL;
    if (row && row != l->shown) {
        buf_puts(l->out, "// ");
        for (const char *c = l->code->files[row->file]; *c; c++)
            buf_put_u8(l->out, (unsigned char)*c < ' ' ? '?' : (uint8_t)*c);
        buf_printf(l->out, ":%u", row->line);
        if (row->column)
            buf_printf(l->out, ":%u", row->column);
        buf_puts(l->out, "\n");
    }
    l->shown = row;
}

/* Prints the line at byte `at`; gives where the next one begins. */
static size_t
print_line(listing *l, size_t at)
{
    size_t left = l->size - at, start = l->out->size, next = at + (left < 4 ? left : 4);
    amd_inst in;
    if (l->labels && at % 4 == 0 && bitset_has(l->labels, at / 4))
        buf_printf(l->out, "L%zx:\n", at);
    print_source(l, at);
    bool is_inst = decode_at(l->target, l->bytes, l->size, at, &in);
    bool ok = is_inst && is_assembled(l, &in, at);
    if (is_inst && !ok && l->with_bytes) { /* what it means, above its words */
        buf_puts(l->out, "// ");
        amd_print(l->target->gen, &in, l->wave64, l->out);
        buf_puts(l->out, "\n");
    }
    start = l->out->size;
    buf_puts(l->out, "\t");
    if (is_inst) {
        next = at + in.size;
        if (ok)
            print_instruction(l, &in, at);
        for (size_t word = at; !ok && word < next; word += 4)
            buf_printf(l->out, "%s0x%02x%02x%02x%02x", word > at ? ", " : ".long ",
                       l->bytes[word + 3], l->bytes[word + 2], l->bytes[word + 1], l->bytes[word]);
    } else {
        print_data(l->bytes + at, left, l->out);
    }
    if (l->with_bytes)
        print_comment(l, at, next, l->out->size - start);
    buf_puts(l->out, "\n");
    if (l->with_fields && is_inst) {
        buf_puts(l->out, "\t// ");
        amd_print_fields(l->target->gen, &in, l->bytes + at, l->out);
        buf_puts(l->out, "\n");
    }
    return next;
}

static void
print_listing(listing *l)
{
    for (size_t at = 0; at < l->size;)
        at = print_line(l, at);
    if (l->labels && l->size % 4 == 0 && bitset_has(l->labels, l->size / 4))
        buf_printf(l->out, "L%zx:\n", l->size);
}

static void
disassemble(api_state *s, const void *user)
{
    const code_job *job = user;
    const heddle_asm_options *o = &job->options;
    base_buf out = buf_make(&s->arena);
    listing l = {.target = api_find_target(s, o), .wave64 = o->wave_size != 32};
    l.bytes = job->bytes;
    l.size = job->size;
    l.with_bytes = o->with_bytes != 0;
    l.with_fields = o->with_fields != 0;
    l.address = o->address;
    l.out = &out;
    l.check = amd_line_check_new(&s->scratch, l.target->gen, l.wave64);
    if (l.with_bytes)
        find_labels(&l, &s->arena);
    print_listing(&l);
    api_set_data(s, out.data, out.size);
}

static void
print_head(const obj_code *c, base_buf *out)
{
    buf_printf(out,
               "// %s: target %s, %s, wave%u, %u SGPRs, %u VGPRs, %u bytes LDS, %u bytes scratch\n",
               c->name, c->target, obj_abi_name(c->abi), c->wave_size, c->sgprs, c->vgprs,
               c->lds_bytes, c->scratch_bytes);
    if (c->workgroup_size[0])
        buf_printf(out, "// workgroup %u %u %u\n", c->workgroup_size[0], c->workgroup_size[1],
                   c->workgroup_size[2]);
    buf_printf(out, "// rsrc 0x%08x 0x%08x 0x%08x\n", c->rsrc[0], c->rsrc[1], c->rsrc[2]);
    for (uint32_t i = 0; i < c->n_user_sgprs; i++) {
        const obj_user_sgpr *u = &c->user_sgprs[i];
        if (u->count == 1)
            buf_printf(out, "// s%u ", u->first_sgpr);
        else
            buf_printf(out, "// s[%u:%u] ", u->first_sgpr, u->first_sgpr + u->count - 1);
        buf_printf(out, "%s %u\n", obj_user_kind_name(u->kind), u->index);
    }
}

bool
api_is_code_end(const obj_code *code, uint32_t at)
{
    static const uint8_t code_end[4] = {0x00, 0x00, 0x9f, 0xbf};
    return code->code_size - at >= 4 && memcmp(code->code + at, code_end, 4) == 0;
}

/* What stands behind the code: s_code_end for the instruction prefetcher, then constant data. */
static void
print_constant_data(const obj_code *code, base_buf *out)
{
    uint32_t at = code->data_offset, n = 0;
    for (; api_is_code_end(code, at); at += 4)
        n++;
    if (n)
        buf_printf(out, "// s_code_end %u times\n", n);
    if (at < code->code_size)
        buf_printf(out, "%s.data:\n", code->name);
    for (; at < code->code_size; at += 4) {
        buf_puts(out, "\t");
        print_data(code->code + at, code->code_size - at, out);
        buf_puts(out, "\n");
    }
}

void
api_print_shader(api_state *s, const obj_code *code, bool with_bytes, bool with_fields,
                 base_buf *out)
{
    const heddle_asm_options o = {.target = code->target};
    listing l = {.target = api_find_target(s, &o), .wave64 = code->wave_size == 64, .out = out};
    l.bytes = code->code;
    l.size = code->data_offset;
    l.with_bytes = with_bytes;
    l.code = code;
    l.with_fields = with_fields;
    l.check = amd_line_check_new(&s->scratch, l.target->gen, l.wave64);
    find_labels(&l, &s->arena);
    print_head(code, out);
    buf_printf(out, "%s:\n", code->name);
    print_listing(&l);
    print_constant_data(code, out);
}

/* What stands before a kernel's code so that the text makes the object again. */
static void
print_kernel_start(const obj_code *code, bool is_first, uint32_t version, base_buf *out)
{
    if (is_first) {
        buf_printf(out, "\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n", code->target);
        buf_printf(out, "\t.amdhsa_code_object_version %u\n", version < 4 ? 4 : version);
    }
    buf_printf(out, "\t.text\n\t.globl %s\n\t.p2align 8\n\t.type %s,@function\n", code->name,
               code->name);
}

/* The kernel's descriptor, as directives, or as bytes where no directives make it. */
static void
print_descriptor(const obj_code *code, base_buf *out)
{
    amd_hsa_target t = {.has_xnack = obj_target_has_xnack(code->target)};
    amd_hsa_kernel k;
    buf_printf(out, "\t.size %s, .-%s\n\t.section .rodata,\"a\",@progbits\n\t.p2align 6\n",
               code->name, code->name);
    if (amd_hsa_parse_target(code->target, strlen(code->target), &t) &&
        amd_hsa_decode(&t, code->descriptor, &k)) {
        amd_hsa_print(&t, code->name, &k, out);
        return;
    }
    buf_printf(out, "\t.globl %s.kd\n\t.type %s.kd,@object\n%s.kd:\n", code->name, code->name,
               code->name);
    for (unsigned at = 0; at < AMD_HSA_DESCRIPTOR_SIZE; at += 4) {
        if (at == 16)
            buf_printf(out, "\t.quad %s-(.-16)\n", code->name);
        if (at == 16)
            at += 8;
        buf_puts(out, "\t");
        print_data(code->descriptor + at, 4, out);
        buf_puts(out, "\n");
    }
}

static void
print_metadata(const obj_file *f, base_buf *out)
{
    buf_puts(out, "\t.amdgpu_metadata\n");
    yaml_write(f->metadata, out);
    buf_puts(out, "\t.end_amdgpu_metadata\n");
}

static void
print_kernel(api_state *s, const void *user)
{
    const code_job *job = user;
    const heddle_asm_options *o = &job->options;
    base_buf out = buf_make(&s->arena);
    obj_file file;
    obj_read(&s->diag, &s->arena, job->bytes, job->size, &file);
    if (job->index >= file.n_kernels)
        diag_fail(&s->diag, ERR_API_BAD_ARGUMENT, "the code object has no such kernel");
    const obj_code *code = &file.kernels[job->index];
    if (o->object && code->abi != OBJ_ABI_HSA)
        diag_fail(&s->diag, ERR_API_BAD_ARGUMENT, "only objects of the AMDHSA ABI have directives");
    if (o->object)
        print_kernel_start(code, job->index == 0, file.code_object_version, &out);
    api_print_shader(s, code, true, o->with_fields != 0, &out);
    if (o->object)
        print_descriptor(code, &out);
    if (o->object && job->index + 1 == file.n_kernels)
        print_metadata(&file, &out);
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
