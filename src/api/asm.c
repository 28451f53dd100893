/* Assembling to machine code, or into a code object, where it replaces the code. A text can also
 * describe a whole code object. */
#include "api/api.h"

#include <string.h>

typedef struct asm_job {
    const char *text;
    size_t size;
    heddle_asm_options options;
} asm_job;

/* Replaces the code of another code object. */
static void
replace_code(api_state *s, const asm_job *job, const family_target *t, base_buf *code)
{
    obj_file file;
    base_buf out = buf_make(&s->arena);
    const ir_ctx c = api_ctx(s);
    const family_objects *objects = family_objects_of(t);
    family_need(&s->diag, t, objects->replace_code && objects->write, "replacing code");
    families_read_object(&s->diag, &s->arena, job->options.like, job->options.like_size, &file);
    const obj_code *like = obj_find_kernel(&file, NULL);
    if (!like)
        diag_fail(&s->diag, ERR_API_BAD_ARGUMENT,
                  arena_printf(&s->arena,
                               "the code object must have one kernel, whose code is replaced; it "
                               "has %u",
                               file.n_kernels));
    if (strcmp(file.target, t->name) != 0)
        diag_fail(&s->diag, ERR_API_BAD_ARGUMENT,
                  arena_printf(&s->arena, "the code object is for %s, but the text is for %s",
                               file.target, t->name));
    obj_code replaced = *like;
    objects->replace_code(&c, t, code, &replaced);
    objects->write(&s->diag, &replaced, &out);
    api_set_shader(s, t, &replaced);
    api_set_data(s, out.data, out.size);
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
    if (is_warning)
        api_tell(user, loc, "warning", "ASM_WARNING", text);
    else
        api_tell(user, loc, "note", "ASM_NOTE", text);
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

/* The target that the text names, for any family; NULL if it names none. */
static const char *
stated_target(api_state *s, const asm_job *job)
{
    const char *name = NULL;
    for (const family *const *f = families; *f && !name; f++)
        if ((*f)->isa && (*f)->isa->stated_target)
            name = (*f)->isa->stated_target(&s->arena, job->text, job->size);
    return name;
}

static void
assemble(api_state *s, const void *user)
{
    const asm_job *job = user;
    heddle_asm_options o = job->options;
    base_buf out = buf_make(&s->arena);
    const ir_ctx c = api_ctx(s);
    o.target = o.target ? o.target : stated_target(s, job);
    const family_target t = api_find_target(s, o.target);
    api_check_wave_size(s, &t, o.wave_size);
    family_need(&s->diag, &t, family_isa_of(&t)->assemble, "assembling");
    const asm_options options = {.is_code = !o.object,
                                 .with_lines = o.object && o.line_info,
                                 .given = given_symbols(s, &o),
                                 .n_given = o.n_symbols,
                                 .include = o.include ? include : NULL,
                                 .include_user = &o,
                                 .note = note,
                                 .note_user = s,
                                 .report = report,
                                 .report_user = s};
    const family_assembly assembly = {.target = &t,
                                      .text = job->text,
                                      .size = job->size,
                                      .wave_size = o.wave_size,
                                      .object = o.object != 0,
                                      .options = &options};
    t.family->isa->assemble(&c, &assembly, &out);
    if (o.like && !o.object)
        replace_code(s, job, &t, &out);
    else
        api_set_data(s, out.data, out.size);
}

heddle_result
heddle_assemble(heddle_context *context, const char *text, size_t size,
                const heddle_asm_options *options, heddle_output **out)
{
    asm_job job = {.text = text, .size = size};
    if (out)
        *out = NULL;
    heddle_result result = api_check_call(context, text || !size, options, out);
    if (result != HEDDLE_OK)
        return result;
    api_copy_struct(&job.options, sizeof job.options, options);
    return api_call(context, job.options.file, assemble, &job, out);
}
