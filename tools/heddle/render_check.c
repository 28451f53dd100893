/* Whether a shader asks for what heddle render gives: an entry point for fragments, and of
 * descriptors the uniform block and four textures. */
#include "render.h"

#include "spirv/spirv.h"

/* Bytes of the uniform block, the structure `frame` of render_script.c. */
enum { BLOCK_SIZE = 192 };

static bool
is_given(const spirv_binding *b)
{
    if (b->set || b->count != 1)
        return false;
    if (b->binding == 0)
        return b->type == IR_DESC_ubo && b->size <= BLOCK_SIZE;
    return b->binding <= RENDER_TEXTURES && b->type == IR_DESC_combined && b->dim == IR_DIM_2D &&
           !b->image_array && !b->multisampled;
}

static int
check_bindings(const char *path, const spirv_info *info)
{
    for (size_t i = 0; i < info->n_bindings; i++) {
        const spirv_binding *b = &info->bindings[i];
        if (b->used && !is_given(b))
            return cli_error(path, "RENDER_SHADER",
                             "'%s', set %u, binding %u, is not there: set 0 has the uniform block "
                             "of %d bytes as binding 0, and as 1 to %d a sampler2D each",
                             b->name, b->set, b->binding, BLOCK_SIZE, RENDER_TEXTURES);
    }
    if (info->push_constant_size)
        return cli_error(path, "RENDER_SHADER", "there are no push constants");
    return -1;
}

int
render_check_shader(arena *a, const render_options *o, render_shader *shader)
{
    spirv_entry e;
    ir_stage stage = IR_STAGE_FRAGMENT;
    diag d;
    diag_init(&d);
    if (!spirv_find_entry(shader->words, shader->word_count, o->entry, &stage, &e))
        return cli_error(o->path, "RENDER_SHADER", "there is no entry point %s%s%sof fragments",
                         o->entry ? "'" : "", o->entry ? o->entry : "", o->entry ? "' " : "");
    shader->entry = arena_strdup(a, e.name);
    if (!DIAG_TRY(&d))
        return cli_error(o->path, "RENDER_SHADER", "%s", d.message);
    ir_ctx ctx = {.diag = &d, .arena = a, .scratch = a};
    const spirv_options options = {.entry = shader->entry, .stage = stage};
    return check_bindings(o->path,
                          spirv_reflect(&ctx, &options, shader->words, shader->word_count));
}
