/* Assembling to machine code, or into a code object, where it replaces the code. A text that
 * describes a whole code object is linked in asm_link.c. */
#include "amd/isa/table/layout.h"
#include "amd/isa/table/table.h"
#include "api/asm_link.h"

#include <string.h>

typedef struct asm_job {
    const char *text;
    size_t size;
    heddle_asm_options options;
} asm_job;

/* Returns the highest VGPR that the code uses, plus one. `*end` is the start of s_code_end, after
 * which only padding and data follow, or else the code's size. */
static uint32_t
count_vgprs(const amd_target *t, bool wave64, const base_buf *code, uint32_t *end)
{
    uint32_t n = 0;
    amd_inst in;
    *end = (uint32_t)code->size;
    for (size_t at = 0; code->size - at >= 4; at += in.size) {
        if (!amd_decode(t->gen, code->data + at, code->size - at, &in)) {
            in.size = 4;
            continue;
        }
        if (in.op == AMD_S_CODE_END) {
            *end = (uint32_t)at;
            break;
        }
        const amd_op_info *row = amd_op_row((amd_op)in.op);
        for (unsigned i = 0; i < in.n_dst + in.n_src; i++) {
            bool dst = i < in.n_dst;
            uint16_t reg = dst ? in.dst[i] : in.src[i - in.n_dst];
            const amd_operand *o = dst ? amd_op_dst(row, i) : amd_op_src(row, i - in.n_dst);
            unsigned dwords = o ? amd_operand_dwords(t->gen, row, &in, o, wave64) : 1;
            if (reg >= AMD_REG_VGPR0 && reg < AMD_REG_VGPR0 + 256 &&
                reg - AMD_REG_VGPR0 + dwords > n)
                n = reg - AMD_REG_VGPR0 + dwords;
        }
    }
    return n;
}

/* Appends as many s_code_end to the new code as the old code has, for the instruction prefetcher.
 */
static void
pad_like(const obj_code *like, base_buf *code)
{
    for (uint32_t at = like->data_offset; api_is_code_end(like, at); at += 4)
        buf_put(code, like->code + at, 4);
}

/* Replaces the code of another code object. */
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
    uint32_t vgprs = count_vgprs(t, c.wave_size == 64, code, &c.data_offset);
    if (vgprs > c.vgprs)
        diag_fail(&s->diag, ERR_API_BAD_ARGUMENT,
                  arena_printf(&s->arena, "the code uses %u VGPRs, but the code object has %u",
                               vgprs, c.vgprs));
    if (c.data_offset == code->size)
        pad_like(like, code);
    c.code = code->data;
    c.code_size = (uint32_t)code->size;
    c.n_lines = 0;
    obj_write(&s->diag, &c, &out);
    api_set_shader(s, &c);
    api_set_data(s, out.data, out.size);
}

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool
begins_line(const asm_job *job, const char *p)
{
    while (p > job->text && is_blank(p[-1]))
        p--;
    return p == job->text || p[-1] == '\n';
}

/* The word after the directive `name` at the start of a line, or NULL if there is none. */
static const char *
find_word(const asm_job *job, const char *name)
{
    size_t n = strlen(name);
    const char *p = job->text, *end = p + job->size;
    for (; p < end && (p = memchr(p, *name, (size_t)(end - p))); p++) {
        if ((size_t)(end - p) <= n || memcmp(p, name, n) != 0 || !is_blank(p[n]) ||
            !begins_line(job, p))
            continue;
        for (p += n; p < end && is_blank(*p); p++)
            ;
        return p < end ? p : NULL;
    }
    return NULL;
}

/* The processor that .amdgcn_target names, or NULL. */
static const char *
stated_target(api_state *s, const asm_job *job)
{
    const char *end = job->text + job->size, *p = find_word(job, ".amdgcn_target");
    for (; p && end - p > 6 && *p != '\n'; p++) {
        size_t n = 3;
        if (memcmp(p, "gfx", 3) != 0)
            continue;
        while (p + n < end && n < 16 && strchr("0123456789abcdef", p[n]) && p[n])
            n++;
        return arena_printf(&s->arena, "%.*s", (int)n, p);
    }
    return NULL;
}

/* Decides between vcc and vcc_lo: as the options say, else as the kernels in the text say. Kernels
 * are wave32 on gfx10 and later by default. */
static bool
is_wave64(const asm_job *job, const amd_target *t)
{
    const char *p = find_word(job, ".amdhsa_wavefront_size32");
    if (job->options.wave_size || t->gen < AMD_GFX10)
        return job->options.wave_size != 32;
    if (p)
        return *p == '0';
    return !find_word(job, ".amdhsa_kernel");
}

static bool
include(void *user, const char *name, const char **text, size_t *size)
{
    const heddle_asm_options *o = user;
    *size = 0;
    return o->include(o->include_user, name, text, size) != 0;
}

/* Passes .warning and .print to the diagnostic callback. */
static void
note(void *user, const diag_loc *loc, bool is_warning, const char *text)
{
    api_state *s = user;
    const char *kind = is_warning ? "warning" : "note";
    if (!s->context->diagnostic)
        return;
    heddle_diagnostic d = {.result = HEDDLE_OK,
                           .name = is_warning ? "ASM_WARNING" : "ASM_NOTE",
                           .message = text,
                           .file = loc->file,
                           .line = loc->line,
                           .column = loc->column};
    d.text = arena_printf(&s->scratch, "%s:%u:%u: %s: %s", loc->file ? loc->file : "heddle",
                          loc->line, loc->column, kind, text);
    s->context->diagnostic(s->context->diagnostic_user, &d);
}

static void
report(void *user, const diag *d)
{
    (void)d; /* the call's own */
    api_report(user);
}

static const asm_unit_given *
given_symbols(api_state *s, const heddle_asm_options *o)
{
    asm_unit_given *list = ARENA_ARRAY(&s->scratch, o->n_symbols + 1u, asm_unit_given);
    for (uint32_t i = 0; i < o->n_symbols; i++) {
        const heddle_asm_symbol *from = &o->symbols[i];
        list[i].name = arena_printf(&s->scratch, "%.*s", (int)from->length, from->name);
        list[i].value = from->value;
    }
    return list;
}

static void
assemble(api_state *s, const void *user)
{
    const asm_job *job = user;
    heddle_asm_options o = job->options;
    base_buf out = buf_make(&s->arena);
    o.target = o.target ? o.target : stated_target(s, job);
    const family_target target = api_find_target(s, o.target);
    api_check_wave_size(s, &target, o.wave_size);
    const amd_target *t = target.own;
    const amd_unit_options options = {.text = {.is_code = !o.object,
                                               .given = given_symbols(s, &o),
                                               .n_given = o.n_symbols,
                                               .include = o.include ? include : NULL,
                                               .include_user = &o,
                                               .note = note,
                                               .note_user = s,
                                               .report = report,
                                               .report_user = s},
                                      .gen = t->gen,
                                      .wave64 = is_wave64(job, t),
                                      .target = t->name,
                                      .has_xnack = obj_target_has_xnack(t->name)};
    amd_unit *u = amd_assemble_unit(&s->diag, &s->scratch, &options, job->text, job->size);
    if (o.object) {
        api_link_unit(s, u, t, &out);
        api_set_data(s, out.data, out.size);
        return;
    }
    asm_resolve(u->text);
    base_buf *code = &u->text->sections[0].data;
    if (o.like)
        replace_code(s, job, t, code);
    else
        api_set_data(s, code->data, code->size);
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
