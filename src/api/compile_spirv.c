/* SPIR-V as the input of a compile: selects the entry point and the layout. */
#include "api/compile.h"

#include <string.h>

static const struct {
    heddle_stage stage;
    ir_stage ir;
} stages[] = {
    {HEDDLE_STAGE_COMPUTE, IR_STAGE_COMPUTE},
    {HEDDLE_STAGE_VERTEX, IR_STAGE_VERTEX},
    {HEDDLE_STAGE_FRAGMENT, IR_STAGE_FRAGMENT},
};

static ir_stage
stage_of(compiler *c, heddle_stage stage)
{
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        if (stages[i].stage == stage)
            return stages[i].ir;
    }
    diag_fail(&c->s->diag, ERR_API_UNSUPPORTED, "shaders of this stage");
}

static bool
is_wanted(const compiler *c, const spirv_entry *e)
{
    const heddle_compile_options *o = &c->job->options;
    bool named = !o->entry || strcmp(o->entry, e->name) == 0;
    return named &&
           (o->stage == HEDDLE_STAGE_DEFAULT || (e->has_stage && e->stage == c->spirv.stage));
}

/* The first entry point that the options allow. Does a full read, which also reports errors in the
 * module. */
static spirv_entry
search_entry(compiler *c)
{
    const char *name = c->job->options.entry;
    const spirv_info *info = spirv_reflect(&c->ctx, &c->spirv, c->job->words, c->job->n_words);
    for (size_t i = 0; i < info->n_entries; i++) {
        if (is_wanted(c, &info->entries[i]))
            return info->entries[i];
    }
    diag_fail(&c->s->diag, ERR_API_NO_ENTRY, name ? name : "of the stage");
}

/* Passes the entry's name and stage to the reader. */
static void
choose_entry(compiler *c)
{
    const heddle_compile_options *o = &c->job->options;
    const ir_stage *stage = o->stage == HEDDLE_STAGE_DEFAULT ? NULL : &c->spirv.stage;
    spirv_entry e;
    bool found = spirv_find_entry(c->job->words, c->job->n_words, o->entry, stage, &e);
    if (!found || !e.has_stage)
        e = search_entry(c);
    if (!e.has_stage)
        diag_fail(&c->s->diag, ERR_API_UNSUPPORTED,
                  arena_printf(&c->s->arena, "%s shaders", e.stage_name));
    c->spirv.entry = e.name;
    c->spirv.stage = e.stage;
}

static spirv_spec
spec_of(compiler *c, const heddle_spec_constant *s)
{
    static const spirv_spec_type types[] = {
        [HEDDLE_SPEC_BITS] = SPIRV_SPEC_BITS,
        [HEDDLE_SPEC_INTEGER] = SPIRV_SPEC_INTEGER,
        [HEDDLE_SPEC_FLOAT] = SPIRV_SPEC_FLOAT,
        [HEDDLE_SPEC_BOOL] = SPIRV_SPEC_BOOL,
    };
    if ((size_t)s->type >= sizeof types / sizeof types[0])
        diag_fail(&c->s->diag, ERR_API_BAD_ARGUMENT,
                  arena_printf(&c->s->arena, "type %d of the specialisation constant with id %u",
                               (int)s->type, s->id));
    return (spirv_spec){s->id, types[s->type], s->value};
}

/* Warns about the module as a whole. */
static void
warn(compiler *c, const char *name, const char *message)
{
    const diag_loc loc = {.file = c->s->diag.loc.file};
    api_tell(c->s, &loc, "warning", name, message);
}

static void
warn_of_unknown_specs(compiler *c, const spirv_info *info)
{
    for (size_t i = 0; i < c->spirv.n_specs; i++) {
        if (!info->spec_used[i])
            warn(c, "SPIRV_NO_SPEC",
                 arena_printf(&c->s->scratch,
                              "the module has no specialisation constant with id %u",
                              c->spirv.specs[i].id));
    }
}

ir_fn *
api_read_spirv(compiler *c)
{
    const heddle_compile_options *o = &c->job->options;
    spirv_spec *specs = ARENA_ARRAY(&c->s->arena, o->n_spec_constants, spirv_spec);
    for (size_t i = 0; i < o->n_spec_constants; i++)
        specs[i] = spec_of(c, &o->spec_constants[i]);
    c->spirv.specs = specs;
    c->spirv.n_specs = o->n_spec_constants;
    c->spirv.entry = o->entry;
    c->spirv.buffer_align = o->buffer_align;
    c->spirv.fuses_sums = c->target.fuses_sums;
    /* masks of more than 64 invocations have more words */
    c->spirv.subgroup_size = o->wave_size > 64 ? o->wave_size : 0;
    c->spirv.one_type_a_binding = o->one_type_a_binding != 0;
    if (o->stage != HEDDLE_STAGE_DEFAULT)
        c->spirv.stage = stage_of(c, o->stage);
    spirv_info info = {0};
    choose_entry(c);
    ir_fn *f = spirv_read_with_info(&c->ctx, &c->spirv, c->job->words, c->job->n_words, &info);
    c->declared = info.bindings;
    c->n_declared = info.n_bindings;
    warn_of_unknown_specs(c, &info);
    if (info.conflict)
        warn(c, "SPIRV_BINDING", info.conflict);
    return f;
}
