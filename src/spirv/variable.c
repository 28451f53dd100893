/* Variables: descriptors, workgroup memory, built-ins, and variables that become SSA values. */
#include "spirv/reader.h"

#include <stdlib.h>

/* ---- reading ---- */

static ir_desc_type
image_descriptor(const spirv_type *t, bool combined)
{
    bool buffer = t->dim == IR_DIM_buf;
    if (t->dim == IR_DIM_subpass)
        return IR_DESC_input_attachment;
    if (t->sampled == 2)
        return buffer ? IR_DESC_storage_texel_buffer : IR_DESC_storage_image;
    if (buffer)
        return IR_DESC_uniform_texel_buffer;
    return combined ? IR_DESC_combined : IR_DESC_sampled_image;
}

static ir_desc_type
descriptor_type(const spirv_var *v)
{
    const spirv_type *t = v->desc;
    switch (t->kind) {
    case SPIRV_IMAGE: return image_descriptor(t, false);
    case SPIRV_SAMPLED_IMAGE: return image_descriptor(t->elem, true);
    case SPIRV_SAMPLER: return IR_DESC_sampler;
    case SPIRV_STRUCT:
        return v->storage == SPIRV_SC_STORAGE_BUFFER || t->is_buffer_block ? IR_DESC_ssbo
                                                                           : IR_DESC_ubo;
    default: return IR_DESC_accel;
    }
}

static void
read_descriptor(spirv_var *v)
{
    uint64_t count = 1;
    const spirv_type *t = v->type;
    for (; t->kind == SPIRV_ARRAY || t->kind == SPIRV_RUNTIME_ARRAY; t = t->elem) {
        count *= t->kind == SPIRV_ARRAY ? t->count : 0;
        count = count > UINT32_MAX ? UINT32_MAX : count;
    }
    v->desc = t;
    v->desc_count = (uint32_t)count;
    v->is_descriptor = true;
    v->set = spirv_decor_arg(v->info, SPIRV_DEC_DESCRIPTOR_SET, 0);
    v->binding = spirv_decor_arg(v->info, SPIRV_DEC_BINDING, 0);
    v->desc_type = descriptor_type(v);
}

/* Makes a variable from an OpVariable. */
static spirv_var *
new_variable(spirv_reader *r, const spirv_insn *i)
{
    spirv_id *id = spirv_ref(r, i, 2);
    const spirv_type *t = spirv_type_ref(r, i, 1);
    spirv_var *v = ARENA_NEW(r->a, spirv_var);
    if (t->kind != SPIRV_POINTER || !t->elem || t->storage != i->w[3])
        spirv_invalid(r, "the type of a variable is not a pointer to its storage class");
    id->type = (spirv_type *)t;
    *v = (spirv_var){.id = id->number,
                     .storage = t->storage,
                     .type = t->elem,
                     .info = id,
                     .access = spirv_decor_access(id),
                     .initial = i->n > 4 ? spirv_ref(r, i, 4)->number : 0,
                     .builtin = spirv_decor_arg(id, SPIRV_DEC_BUILTIN, UINT32_MAX)};
    return v;
}

static spirv_place
place_of(const spirv_reader *r, const spirv_var *v)
{
    bool graphics = r->opt->stage != IR_STAGE_COMPUTE;
    switch (v->storage) {
    case SPIRV_SC_INPUT: return graphics ? SPIRV_PLACE_SSA : SPIRV_PLACE_INPUT;
    case SPIRV_SC_OUTPUT: return SPIRV_PLACE_SSA;
    case SPIRV_SC_PUSH_CONSTANT: return SPIRV_PLACE_PUSH;
    case SPIRV_SC_WORKGROUP: return SPIRV_PLACE_SHARED;
    case SPIRV_SC_PRIVATE:
    case SPIRV_SC_FUNCTION: return SPIRV_PLACE_SSA;
    case SPIRV_SC_UNIFORM:
    case SPIRV_SC_UNIFORM_CONSTANT:
    case SPIRV_SC_STORAGE_BUFFER: return SPIRV_PLACE_DESC;
    default: return SPIRV_PLACE_INPUT;
    }
}

static spirv_ptr *
pointer_to(spirv_reader *r, spirv_var *v)
{
    spirv_ptr *p = ARENA_NEW(r->a, spirv_ptr);
    *p = (spirv_ptr){.place = (uint8_t)place_of(r, v),
                     .storage = v->storage,
                     .access = v->access,
                     .type = v->type,
                     .var = v,
                     .explicit_layout = v->storage == SPIRV_SC_PUSH_CONSTANT,
                     .component = ir_none(),
                     .handle = ir_none(),
                     .offset = ir_none(),
                     .coord = ir_none(),
                     .sample = ir_none(),
                     .align = 16};
    return p;
}

void
spirv_read_variable(spirv_reader *r, const spirv_insn *i)
{
    spirv_var *v = new_variable(r, i);
    v->info->kind = SPIRV_ID_VAR;
    v->info->var = v;
    v->info->ptr = pointer_to(r, v);
    v->info->block = NULL;
    r->globals = arena_grow(r->a, r->globals, &r->cap_globals, r->n_globals + 1,
                            sizeof *r->globals);
    r->globals[r->n_globals++] = v;
    switch (v->storage) {
    case SPIRV_SC_UNIFORM:
    case SPIRV_SC_UNIFORM_CONSTANT:
    case SPIRV_SC_STORAGE_BUFFER: read_descriptor(v); break;
    case SPIRV_SC_PRIVATE:
        spirv_scan_root(r, v->info, v->type);
        v->info->scan->constant = v->initial;
        break;
    case SPIRV_SC_INPUT:
    case SPIRV_SC_OUTPUT: spirv_scan_root(r, v->info, v->type); break;
    case SPIRV_SC_WORKGROUP: r->shared_blocks |= v->type->is_block; break;
    case SPIRV_SC_FUNCTION: spirv_invalid(r, "a Function variable is outside a function");
    default: break;
    }
}

/* ---- memory of a variable ---- */

static uint32_t
take(spirv_reader *r, uint32_t *top, const spirv_type *t, uint64_t limit, const char *what)
{
    uint64_t at = (*top + 15u) & ~UINT64_C(15), end = at + t->size;
    if (t->kind == SPIRV_RUNTIME_ARRAY || end > limit)
        spirv_limit(r, "more than %llu bytes of %s", (unsigned long long)limit, what);
    *top = (uint32_t)end;
    return (uint32_t)at;
}

/* Puts the constant `id` into constant data, at most once. */
static uint32_t
place_constant(spirv_reader *r, spirv_id *id)
{
    uint64_t at;
    const spirv_type *t = id->type;
    if (map_get(&r->constant_at, id->number, &at))
        return (uint32_t)at;
    const uint64_t *leaf = spirv_const_leaves(r, id);
    buf_align(&r->constant_data, 16);
    at = r->constant_data.size;
    if (at + t->size > SPIRV_MAX_CONST_DATA)
        spirv_limit(r, "more than %d bytes of constant data", SPIRV_MAX_CONST_DATA);
    unsigned char *data = buf_extend(&r->constant_data, t->size);
    memset(data, 0, t->size);
    spirv_charge(r, t->leaves);
    for (uint32_t k = 0; k < t->leaves; k++) {
        unsigned bits = ir_type_bits(spirv_leaf_type(r, t, k));
        uint64_t offset = spirv_natural_offset(r, t, k);
        for (unsigned b = 0; b < (bits + 7) / 8; b++)
            data[offset + b] = (unsigned char)(leaf[k] >> 8 * b);
    }
    map_put(&r->constant_at, id->number, at);
    return (uint32_t)at;
}

/* Decides where a Function or Private variable is kept, and initialises it. */
static void
open_variable(spirv_reader *r, spirv_var *v)
{
    const spirv_scan *s = v->info->scan;
    const spirv_type *t = v->type;
    v->scan = v->info->scan;
    v->opened = r->b.block->index;
    v->n_memory = s->n_memory;
    memcpy(v->memory, s->memory, sizeof v->memory);
    if (t->leaves > SPIRV_MAX_SSA_LEAVES) {
        v->n_memory = 1;
        v->memory[0] = (spirv_range){0, UINT32_MAX};
    }
    if (v->n_memory && s->constant && !s->written &&
        spirv_id_of(r, s->constant)->kind == SPIRV_ID_CONST &&
        spirv_id_of(r, s->constant)->type == t) {
        v->in_constant = true;
        v->offset = place_constant(r, spirv_id_of(r, s->constant));
        return;
    }
    if (v->n_memory) {
        r->scratch_top += r->opt->scratch_gap;
        v->offset = take(r, &r->scratch_top, t, SPIRV_MAX_SCRATCH, "scratch memory");
        if (r->scratch_top > r->f->shader.scratch_size)
            r->f->shader.scratch_size = (r->scratch_top + 15u) & ~15u;
    }
    if (t->leaves <= SPIRV_MAX_SSA_LEAVES)
        v->ssa = spirv_ssa_leaves(r, t, false, v);
    if (v->storage == SPIRV_SC_INPUT) {
        ir_ref *leaf = spirv_new_leaves(r, t->leaves);
        spirv_open_input(r, v, leaf);
        spirv_store(r, v->info->ptr, leaf, 0, 0);
    }
    if (!v->initial)
        return;
    if (spirv_id_of(r, v->initial)->type != t)
        spirv_invalid(r, "the initializer is not of the variable's type");
    spirv_store(r, v->info->ptr, spirv_leaves(r, spirv_id_of(r, v->initial)), 0, 0);
}

void
spirv_open_local(spirv_reader *r, const spirv_insn *i)
{
    spirv_var *v = new_variable(r, i);
    if (v->storage != SPIRV_SC_FUNCTION)
        spirv_invalid(r, "a variable in a function is not of storage class Function");
    v->info->first_var = 0;
    v->info->block = r->b.block;
    v->info->ptr = pointer_to(r, v);
    open_variable(r, v);
}

/* ---- globals ---- */

static void
open_shared(spirv_reader *r, spirv_var *v, uint32_t zero[2])
{
    ir_shader *s = &r->f->shader;
    if (r->shared_blocks) {
        if (!v->type->is_block)
            spirv_invalid(r, "of the Workgroup variables some are blocks and some are not");
        v->info->ptr->explicit_layout = true;
        uint64_t size = v->type->explicit_size;
        if (size > SPIRV_MAX_SHARED)
            spirv_limit(r, "more than %d bytes of workgroup memory", SPIRV_MAX_SHARED);
        s->shared_size = s->shared_size > size ? s->shared_size : (uint32_t)size;
    } else {
        v->offset = take(r, &s->shared_size, v->type, SPIRV_MAX_SHARED, "workgroup memory");
        v->info->ptr->base = v->offset;
    }
    if (!v->initial)
        return;
    if (spirv_id_of(r, v->initial)->op != SPIRV_OpConstantNull)
        spirv_unsupported(r, "initializers of Workgroup variables other than null");
    s->shared_zero = true;
    zero[0] = v->offset < zero[0] ? v->offset : zero[0];
    zero[1] = s->shared_size > zero[1] ? s->shared_size : zero[1];
}

static void
open_push_constants(spirv_reader *r, const spirv_var *v)
{
    uint64_t size = spirv_explicit_size(v->type, 0, false);
    if (size > UINT16_MAX)
        spirv_limit(r, "more than %d bytes of push constants", UINT16_MAX);
    if (size > r->f->shader.push_constant_size)
        r->f->shader.push_constant_size = (uint32_t)size;
}

void
spirv_open_globals(spirv_reader *r)
{
    uint32_t zero[2] = {UINT32_MAX, 0};
    for (size_t g = 0; g < r->n_globals; g++) {
        spirv_var *v = r->globals[g];
        /* Blocks of workgroup memory share their bytes, so an unreferenced one may zero another. */
        bool aliased = v->storage == SPIRV_SC_WORKGROUP && v->initial && r->shared_blocks;
        if (!v->used && !aliased)
            continue;
        spirv_insn_at(r, v->info->at);
        switch (v->storage) {
        case SPIRV_SC_WORKGROUP: open_shared(r, v, zero); break;
        case SPIRV_SC_OUTPUT: spirv_open_output(r, v); /* fall through */
        case SPIRV_SC_PRIVATE: open_variable(r, v); break;
        case SPIRV_SC_PUSH_CONSTANT: open_push_constants(r, v); break;
        case SPIRV_SC_INPUT:
            if (v->info->ptr->place == SPIRV_PLACE_SSA)
                open_variable(r, v);
            else
                v->input = spirv_builtin(r, v);
            break;
        case SPIRV_SC_UNIFORM:
        case SPIRV_SC_UNIFORM_CONSTANT:
        case SPIRV_SC_STORAGE_BUFFER:
            if (v->desc_count == 1)
                v->handle = spirv_handle(r, v->info->ptr);
            break;
        default: spirv_unsupported(r, "variables of storage class %u", v->storage);
        }
    }
    if (zero[1])
        spirv_zero_shared(r, zero[0], zero[1]);
}
