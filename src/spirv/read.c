/* spirv_read: processes the module's parts in order. */
#include "spirv/reader.h"

static void
check_entry(spirv_reader *r)
{
    const char *name = r->opt->entry;
    static const char *const stages[] = {"compute", "vertex", "fragment"};
    if (r->entry_at)
        return;
    r->d->loc.what = NULL;
    if (name)
        spirv_invalid(r, "no entry point '%s' of stage %s", name, stages[r->opt->stage]);
    for (size_t e = 0; e < r->n_entries; e++) {
        const char *model = spirv_model_name(r->words[r->entries[e] + 1]);
        spirv_unsupported(r, "stage %s", model);
    }
    spirv_invalid(r, "the module has no entry point");
}

static spirv_func *
entry_function(spirv_reader *r)
{
    spirv_insn i = spirv_insn_at(r, r->entry_at);
    spirv_func *f = spirv_ref(r, &i, 2)->func;
    if (!f)
        spirv_invalid(r, "the entry point is not a function");
    if (f->n_params || f->type->elem->kind != SPIRV_VOID)
        spirv_invalid(r, "the entry point's function has parameters or a result");
    r->f->name = arena_strdup(r->f->arena, spirv_string(r, &i, 3));
    return f;
}

static void
close_function(spirv_reader *r)
{
    ir_shader *s = &r->f->shader;
    spirv_ssa_finish(r);
    s->constant_size = (uint32_t)r->constant_data.size;
    if (s->constant_size)
        s->constant_data = arena_copy(r->f->arena, r->constant_data.data, s->constant_size);
    s->shared_size = (s->shared_size + 3u) & ~3u;
    r->f->changes = 0; /* the builder and SSA construction have already cleaned up */
    r->d->loc.has_offset = false;
    r->d->loc.what = NULL;
}

ir_fn *
spirv_read_with_info(ir_ctx *ctx, const spirv_options *options, const uint32_t *words,
                     size_t n_words, spirv_info *info)
{
    arena_mark mark = arena_save(ctx->scratch);
    spirv_reader *r = ARENA_NEW(ctx->scratch, spirv_reader);
    spirv_parse(r, ctx, options, words, n_words);
    check_entry(r);
    spirv_func *entry = entry_function(r);
    spirv_scan_functions(r, entry);
    if (info)
        spirv_list_bindings(r, info);
    spirv_check_bindings(r, info);
    if (options->stage == IR_STAGE_COMPUTE)
        spirv_set_workgroup_size(r);
    spirv_open_globals(r);
    spirv_emit_entry(r, entry);
    close_function(r);
    ir_fn *f = r->f;
    if (ctx->scratch != f->arena)
        arena_release(ctx->scratch, mark);
    return f;
}

ir_fn *
spirv_read(ir_ctx *ctx, const spirv_options *options, const uint32_t *words, size_t n_words)
{
    return spirv_read_with_info(ctx, options, words, n_words, NULL);
}
