/* SPIR-V in: the function of the entry point, and the layout of the sets that the module declares.
 */
#include "api/compile.h"
#include "ir/verify.h"

#include <string.h>

static bool
is_stage(const spirv_entry *e, heddle_stage stage)
{
    switch (stage) {
    case HEDDLE_STAGE_DEFAULT: return true;
    case HEDDLE_STAGE_COMPUTE: return e->has_stage && e->stage == IR_STAGE_COMPUTE;
    case HEDDLE_STAGE_VERTEX: return e->has_stage && e->stage == IR_STAGE_VERTEX;
    case HEDDLE_STAGE_FRAGMENT: return e->has_stage && e->stage == IR_STAGE_FRAGMENT;
    default: return !e->has_stage;
    }
}

/* The entry point that the options name: by name, by stage, or the first one. */
static const spirv_entry *
find_entry(compiler *c, const spirv_info *info)
{
    const heddle_compile_options *o = &c->job->options;
    for (size_t k = 0; k < info->n_entries; k++) {
        const spirv_entry *e = &info->entries[k];
        if (is_stage(e, o->stage) && (!o->entry || strcmp(e->name, o->entry) == 0))
            return e;
    }
    diag_fail(&c->s->diag, ERR_API_NO_ENTRY, o->entry ? o->entry : "of the stage asked for");
}

static void
read_specs(compiler *c)
{
    const heddle_compile_options *o = &c->job->options;
    spirv_spec *specs = ARENA_ARRAY(&c->s->arena, o->n_spec_constants, spirv_spec);
    for (size_t k = 0; k < o->n_spec_constants; k++)
        specs[k] = (spirv_spec){o->spec_constants[k].id, o->spec_constants[k].value};
    c->spirv = (spirv_options){.specs = specs, .n_specs = o->n_spec_constants};
}

static void
read_layout(compiler *c, const spirv_info *info)
{
    amd_layout *l = &c->layout;
    l->bindings = ARENA_ARRAY(&c->s->arena, info->n_bindings, amd_binding);
    for (size_t k = 0; k < info->n_bindings; k++) {
        const spirv_binding *b = &info->bindings[k];
        l->bindings[l->n_bindings++] = (amd_binding){
            .set = b->set, .binding = b->binding, .type = b->type, .count = b->count};
    }
    amd_layout_default(l);
}

ir_fn *
api_read_spirv(compiler *c)
{
    read_specs(c);
    const spirv_info *info = spirv_reflect(&c->ctx, &c->spirv, c->job->words, c->job->n_words);
    const spirv_entry *e = find_entry(c, info);
    if (!e->has_stage)
        diag_fail(&c->s->diag, ERR_API_UNSUPPORTED,
                  arena_printf(&c->s->arena, "stage %s", e->stage_name));
    c->spirv.entry = e->name;
    c->spirv.stage = e->stage;
    ir_fn *f = spirv_read(&c->ctx, &c->spirv, c->job->words, c->job->n_words);
    if (c->run.verify)
        ir_verify(f, "spirv");
    read_layout(c, info);
    return f;
}
