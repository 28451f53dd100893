/* spirv_reflect: lists what a module declares. */
#include "spirv/reader.h"

#include <stdlib.h>

/* ---- entry points ---- */

static bool
stage_of(uint32_t model, ir_stage *stage)
{
    switch (model) {
    case SPIRV_MODEL_COMPUTE: *stage = IR_STAGE_COMPUTE; return true;
    case SPIRV_MODEL_VERTEX: *stage = IR_STAGE_VERTEX; return true;
    case SPIRV_MODEL_FRAGMENT: *stage = IR_STAGE_FRAGMENT; return true;
    default: return false;
    }
}

/* Reads LocalSize and LocalSizeId of the entry point with this function id. */
static void
read_size(spirv_reader *r, uint32_t function, uint32_t size[3])
{
    for (uint32_t at = 5; at < r->functions_at; at += r->words[at] >> 16) {
        spirv_insn i = spirv_insn_at(r, at);
        bool plain = i.op == SPIRV_OpExecutionMode, by_id = i.op == SPIRV_OpExecutionModeId;
        if ((!plain && !by_id) || i.w[1] != function || i.n < 6)
            continue;
        for (unsigned d = 0; d < 3; d++) {
            uint64_t value = i.w[3 + d];
            if (plain && i.w[2] == SPIRV_MODE_LOCAL_SIZE)
                size[d] = (uint32_t)value;
            else if (by_id && i.w[2] == SPIRV_MODE_LOCAL_SIZE_ID)
                size[d] = (uint32_t)spirv_const_word(r, &i, 3 + d);
        }
    }
    if (!r->size_builtin)
        return;
    spirv_id *id = spirv_id_of(r, r->size_builtin);
    for (unsigned d = 0; id->type && id->type->leaves == 3 && d < 3; d++)
        size[d] = (uint32_t)spirv_const_leaves(r, id)[d];
}

/* The string at words `w`, of which `n` are left, or NULL if it is not terminated. */
static const char *
entry_name(const uint32_t *w, size_t n)
{
    return memchr(w, 0, 4 * n) ? (const char *)w : NULL;
}

bool
spirv_find_entry(const uint32_t *words, size_t n_words, const char *name, const ir_stage *stage,
                 spirv_entry *e)
{
    static const uint32_t one = 1;
    bool readable = n_words > 5 && words[0] == SPIRV_MAGIC && *(const unsigned char *)&one;
    size_t n = 1;
    for (size_t at = 5; readable && at < n_words && n; at += n) {
        const uint32_t *w = words + at;
        n = w[0] >> 16;
        if (n > n_words - at || (w[0] & 0xffff) == SPIRV_OpFunction)
            break;
        if ((w[0] & 0xffff) != SPIRV_OpEntryPoint)
            continue;
        *e = (spirv_entry){.name = n > 3 ? entry_name(w + 3, n - 3) : NULL};
        if (!e->name)
            return false;
        e->model = w[1];
        e->stage_name = spirv_model_name(e->model);
        e->has_stage = stage_of(e->model, &e->stage);
        if ((!name || strcmp(name, e->name) == 0) &&
            (!stage || (e->has_stage && e->stage == *stage)))
            return true;
    }
    return false;
}

static void
list_entries(spirv_reader *r, spirv_info *info)
{
    arena *a = r->ctx->arena;
    info->entries = ARENA_ARRAY(a, r->n_entries, spirv_entry);
    info->n_entries = info->entry = r->n_entries;
    spirv_charge(r, r->n_entries * (uint64_t)(r->functions_at / 16));
    for (size_t e = 0; e < r->n_entries; e++) {
        spirv_insn i = spirv_insn_at(r, r->entries[e]);
        spirv_entry *x = &info->entries[e];
        x->name = arena_strdup(a, spirv_string(r, &i, 3));
        x->model = i.w[1];
        x->stage_name = spirv_model_name(x->model);
        x->has_stage = stage_of(x->model, &x->stage);
        if (x->model == SPIRV_MODEL_COMPUTE)
            read_size(r, i.w[2], x->local_size);
        if (r->entries[e] == r->entry_at)
            info->entry = e;
    }
}

/* ---- bindings ---- */

/* Marks the variables referenced by functions that the entry point calls, by a walk over the call
 * graph. */
static void
mark_used(spirv_reader *r)
{
    if (!r->entry_at)
        return;
    spirv_func **stack = ARENA_ARRAY(r->a, r->n_funcs + 1, spirv_func *);
    size_t n = 0;
    spirv_func *entry = spirv_id_of(r, r->words[r->entry_at + 2])->func;
    if (entry)
        stack[n++] = entry, entry->state = 2;
    while (n) {
        const spirv_func *f = stack[--n];
        uint32_t at = f->at;
        for (spirv_insn i = spirv_insn_at(r, at); i.op != SPIRV_OpFunctionEnd;
             at += i.n, i = spirv_insn_at(r, at)) {
            spirv_func *callee = spirv_mark_operands(r, &i);
            if (callee && callee->state != 2)
                stack[n++] = callee, callee->state = 2;
        }
    }
}

static const char *
name_of(const spirv_reader *r, const spirv_var *v)
{
    const char *name = v->info->name;
    const spirv_id *block = r->slots[v->desc->id] ? &r->ids[r->slots[v->desc->id]] : NULL;
    if ((!name || !*name) && v->desc->kind == SPIRV_STRUCT && block)
        name = block->name;
    return name ? name : "";
}

static bool
all_members_are(const spirv_type *t, uint32_t access)
{
    for (uint32_t m = 0; t->kind == SPIRV_STRUCT && m < t->count; m++) {
        if (!(t->members[m].access & access))
            return false;
    }
    return t->kind == SPIRV_STRUCT && t->count;
}

static spirv_binding
binding_of(const spirv_reader *r, const spirv_var *v)
{
    const spirv_type *t = v->desc, *m = t->kind == SPIRV_SAMPLED_IMAGE ? t->elem : t;
    bool is_image = m->kind == SPIRV_IMAGE;
    uint64_t size = t->kind == SPIRV_STRUCT ? t->explicit_size : 0;
    return (spirv_binding){
        .name = arena_strdup(r->ctx->arena, name_of(r, v)),
        .set = v->set,
        .binding = v->binding,
        .count = v->desc_count,
        .type = v->desc_type,
        .dim = is_image ? (ir_dim)m->dim : IR_DIM_1D,
        .image_array = is_image && m->arrayed,
        .depth = is_image && m->depth_image,
        .multisampled = is_image && m->multisampled,
        .format = is_image ? (ir_format)m->format : IR_FORMAT_unknown,
        .size = (uint32_t)size,
        .read_only = v->desc_type == IR_DESC_ubo || (v->access & IR_ACCESS_READONLY) ||
                     all_members_are(t, IR_ACCESS_READONLY),
        .write_only = (v->access & IR_ACCESS_WRITEONLY) || all_members_are(t, IR_ACCESS_WRITEONLY),
        .used = v->used,
    };
}

static int
compare_bindings(const void *x, const void *y)
{
    const spirv_binding *a = x, *b = y;
    if (a->set != b->set)
        return a->set < b->set ? -1 : 1;
    if (a->binding != b->binding)
        return a->binding < b->binding ? -1 : 1;
    return strcmp(a->name, b->name);
}

void
spirv_list_bindings(spirv_reader *r, spirv_info *info)
{
    info->spec_used = r->spec_used;
    info->bindings = ARENA_ARRAY(r->ctx->arena, r->n_globals, spirv_binding);
    for (size_t g = 0; g < r->n_globals; g++) {
        const spirv_var *v = r->globals[g];
        if (v->is_descriptor)
            info->bindings[info->n_bindings++] = binding_of(r, v);
        if (v->storage != SPIRV_SC_PUSH_CONSTANT || v->type->kind != SPIRV_STRUCT)
            continue;
        uint32_t size = (uint32_t)v->type->explicit_size;
        info->push_constant_size = size > info->push_constant_size ? size
                                                                   : info->push_constant_size;
    }
    if (info->n_bindings)
        qsort(info->bindings, info->n_bindings, sizeof *info->bindings, compare_bindings);
}

/* ---- descriptors that share a binding ---- */

static int
compare_places(const void *x, const void *y)
{
    const spirv_var *const *a = x, *const *b = y;
    uint64_t first = (uint64_t)(*a)->set << 32 | (*a)->binding;
    uint64_t second = (uint64_t)(*b)->set << 32 | (*b)->binding;
    return (first > second) - (first < second);
}

/* Returns true if the variables are at one binding but of different types. */
static bool
is_conflict(const spirv_var *a, const spirv_var *b)
{
    return a->set == b->set && a->binding == b->binding && a->desc_type != b->desc_type;
}

void
spirv_check_bindings(spirv_reader *r, spirv_info *info)
{
    const spirv_var **used = ARENA_ARRAY(r->a, r->n_globals, const spirv_var *);
    size_t n = 0, k = 1;
    for (size_t g = 0; g < r->n_globals; g++) {
        if (r->globals[g]->is_descriptor && r->globals[g]->used)
            used[n++] = r->globals[g];
    }
    if (n)
        qsort(used, n, sizeof *used, compare_places);
    while (k < n && !is_conflict(used[k - 1], used[k]))
        k++;
    if (k >= n)
        return;
    const char *text = arena_printf(
        r->ctx->arena, "resources of different types, '%s' and '%s', at set %u, binding %u",
        name_of(r, used[k - 1]), name_of(r, used[k]), used[k]->set, used[k]->binding);
    if (r->opt->one_type_a_binding)
        diag_fail(r->d, ERR_SPIRV_BINDING, text);
    if (info)
        info->conflict = text;
}

/* ---- specialisation constants ---- */

static void
list_specs(spirv_reader *r, spirv_info *info)
{
    size_t cap = 0;
    for (uint32_t at = 5; at < r->functions_at; at += r->words[at] >> 16) {
        uint32_t op = r->words[at] & 0xffff;
        if (op != SPIRV_OpSpecConstant && op != SPIRV_OpSpecConstantTrue &&
            op != SPIRV_OpSpecConstantFalse)
            continue;
        spirv_id *id = spirv_id_of(r, r->words[at + 2]);
        const spirv_decor *d = spirv_decor_find(id, SPIRV_DEC_SPEC_ID, UINT32_MAX);
        if (!d || !d->n_args)
            continue;
        info->specs = arena_grow(r->ctx->arena, info->specs, &cap, info->n_specs + 1,
                                 sizeof *info->specs);
        info->specs[info->n_specs++] = (spirv_spec_info){
            .name = id->name ? arena_strdup(r->ctx->arena, id->name) : "",
            .id = d->args[0],
            .bits = id->type->bits,
            .is_float = id->type->kind == SPIRV_FLOAT,
            .value = *id->constant->leaf};
    }
}

spirv_info *
spirv_reflect(ir_ctx *ctx, const spirv_options *options, const uint32_t *words, size_t n_words)
{
    arena_mark mark = arena_save(ctx->scratch);
    spirv_reader *r = ARENA_NEW(ctx->scratch, spirv_reader);
    spirv_info *info = ARENA_NEW(ctx->arena, spirv_info);
    r->reflecting = true;
    spirv_parse(r, ctx, options, words, n_words);
    mark_used(r);
    info->version = r->version;
    list_entries(r, info);
    spirv_list_bindings(r, info);
    list_specs(r, info);
    r->d->loc.has_offset = false;
    r->d->loc.what = NULL;
    if (ctx->scratch != ctx->arena)
        arena_release(ctx->scratch, mark);
    return info;
}
