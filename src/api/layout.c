/* Pipeline layouts: the caller's structs are read once, checked, and placed by the family. Nothing
 * of the shader is needed for this, so drivers can ask for the places when they create a layout. */
#include "api/layout.h"

#include <string.h>

enum { ALL_STAGES = 0xff, LARGEST_PUSH = 65536 };

_Static_assert((int)HEDDLE_DESCRIPTOR_MUTABLE == OBJ_DESCRIPTOR_MUTABLE &&
                   (int)HEDDLE_DESCRIPTOR_INLINE_UNIFORM_BLOCK ==
                       OBJ_DESCRIPTOR_INLINE_UNIFORM_BLOCK &&
                   (int)OBJ_DESCRIPTOR_MUTABLE + 1 == OBJ_DESCRIPTOR_COUNT,
               "the types of the API are those of code objects");

const char *
heddle_descriptor_type_text(heddle_descriptor_type type)
{
    return obj_descriptor_name((obj_descriptor)type);
}

static _Noreturn void
wrong(api_state *s, const char *what)
{
    diag_fail(&s->diag, ERR_API_LAYOUT, what);
}

/* Copies an element of an array of structs into `*copy` of `size` bytes; returns the next one. */
static const void *
read_struct(api_state *s, void *copy, size_t size, const void *at)
{
    size_t have;
    const void *next = api_read_struct(copy, size, at);
    memcpy(&have, at, sizeof have);
    if (!next)
        wrong(s, arena_printf(&s->arena, "a struct_size is %llu", (unsigned long long)have));
    return next;
}

/* ---- sets ---- */

static bool
has_sampler(obj_descriptor type)
{
    return type == OBJ_DESCRIPTOR_SAMPLER || type == OBJ_DESCRIPTOR_COMBINED;
}

/* What is wrong with a binding; NULL: nothing. */
static const char *
fault_of(const heddle_layout_binding *b)
{
    bool is_inline = b->type == HEDDLE_DESCRIPTOR_INLINE_UNIFORM_BLOCK;
    if ((unsigned)b->type - 1 >= OBJ_DESCRIPTOR_COUNT - 1)
        return "has a type that heddle_descriptor_type does not have";
    if (b->stages > ALL_STAGES)
        return "has a bit in its stages that is no stage's";
    if (b->immutable_samplers && !has_sampler((obj_descriptor)b->type))
        return "has immutable samplers, but a type without samplers";
    if (is_inline && b->count % 4)
        return "is an inline uniform block whose bytes are not a multiple of 4";
    return NULL;
}

static void
read_set(api_state *s, const heddle_set_layout *from, uint32_t set, family_layout *out)
{
    heddle_set_layout l;
    read_struct(s, &l, sizeof l, from);
    if (l.n_bindings && !l.bindings)
        wrong(s, arena_printf(&s->arena, "set %u has no bindings, but a number of them", set));
    size_t cap = out->n_bindings;
    out->bindings = arena_grow(&s->arena, out->bindings, &cap, out->n_bindings + l.n_bindings,
                               sizeof *out->bindings);
    const void *at = l.bindings;
    for (size_t i = 0; i < l.n_bindings; i++) {
        heddle_layout_binding b;
        at = read_struct(s, &b, sizeof b, at);
        const char *fault = fault_of(&b);
        if (fault)
            wrong(s, arena_printf(&s->arena, "set %u, binding %u %s", set, b.binding, fault));
        if (b.count)
            out->bindings[out->n_bindings++] = (family_binding){
                .set = set,
                .binding = b.binding,
                .type = (obj_descriptor)b.type,
                .count = b.count,
                .stages = b.stages,
                .samplers = b.immutable_samplers,
            };
    }
}

/* Has the family place the bindings; then two of one number are neighbours. */
static void
place(api_state *s, const family_target *t, family_layout *l)
{
    const family_compiler *compiler = t->family->compiler;
    family_need(&s->diag, t, compiler && compiler->place, "a pipeline layout");
    compiler->place(&s->diag, t, l);
    l->is_given = true;
    for (size_t i = 1; i < l->n_bindings; i++) {
        const family_binding *a = &l->bindings[i - 1], *b = &l->bindings[i];
        if (a->set == b->set && a->binding == b->binding)
            wrong(s, arena_printf(&s->arena, "set %u has binding %u twice", b->set, b->binding));
    }
}

/* ---- push constants ---- */

static void
read_ranges(api_state *s, const heddle_pipeline_layout *from, api_layout *out)
{
    const void *at = from->push_ranges;
    if (from->n_push_ranges && !at)
        wrong(s, "it has no push constant ranges, but a number of them");
    out->ranges = ARENA_ARRAY(&s->arena, from->n_push_ranges, api_push_range);
    for (; out->n_ranges < from->n_push_ranges; out->n_ranges++) {
        heddle_push_range r;
        at = read_struct(s, &r, sizeof r, at);
        uint64_t end = (uint64_t)r.offset + r.size;
        if (r.offset % 4 || r.size % 4 || !r.size || end > LARGEST_PUSH || r.stages > ALL_STAGES)
            wrong(s, arena_printf(&s->arena,
                                  "the push constant range of %u bytes from byte %u, stages 0x%x",
                                  r.size, r.offset, r.stages));
        out->ranges[out->n_ranges] = (api_push_range){r.stages, r.offset, (uint32_t)end};
        if (end > out->places.push_size)
            out->places.push_size = (uint32_t)end;
    }
}

void
api_read_layout(api_state *s, const family_target *t, const heddle_pipeline_layout *from,
                api_layout *out)
{
    heddle_pipeline_layout l;
    read_struct(s, &l, sizeof l, from);
    if (l.n_sets > HEDDLE_MAX_SETS || (l.n_sets && !l.sets))
        wrong(s, l.sets ? "it has more than 32 sets" : "it has no sets, but a number of them");
    read_ranges(s, &l, out);
    for (uint32_t set = 0; set < l.n_sets; set++) {
        if (l.sets[set])
            read_set(s, l.sets[set], set, &out->places);
    }
    place(s, t, &out->places);
}

const family_binding *
api_find_binding(const family_layout *layout, uint32_t set, uint32_t binding)
{
    size_t low = 0, high = layout->n_bindings;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const family_binding *b = &layout->bindings[middle];
        if (b->set == set && b->binding == binding)
            return b;
        if (b->set < set || (b->set == set && b->binding < binding))
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* ---- the places without a shader ---- */

typedef struct place_job {
    const char *target;
    const heddle_set_layout *set;
    const heddle_pipeline_layout *layout;
    heddle_set_info *set_info;
    heddle_layout_info *layout_info;
    heddle_binding_place *places;
} place_job;

/* The target whose places are asked for. */
static family_target
find_target(api_state *s, const char *name)
{
    const family_target t = api_find_target(s, name);
    if (!t.compiles)
        diag_fail(&s->diag, ERR_API_TARGET_NOT_COMPILED, name);
    return t;
}

static heddle_set_info
measure_set(const family_layout *l)
{
    heddle_set_info info = {.align = 1};
    for (size_t i = 0; i < l->n_bindings; i++) {
        const family_binding *b = &l->bindings[i];
        const uint32_t end = b->offset + (uint32_t)b->extent;
        uint32_t *size = b->in_block ? &info.block_size : &info.size;
        *size = end > *size ? end : *size;
        if (!b->in_block && b->align > info.align)
            info.align = b->align;
    }
    return info;
}

/* Gives the places in the order of the caller's bindings. */
static void
give_places(const place_job *job, const family_layout *l)
{
    heddle_set_layout set;
    api_copy_struct(&set, sizeof set, job->set);
    const char *at = (const char *)set.bindings;
    for (size_t i = 0; i < set.n_bindings; i++) {
        heddle_layout_binding row;
        size_t step;
        memcpy(&step, at, sizeof step);
        api_copy_struct(&row, sizeof row, at);
        at += step;
        heddle_binding_place *p = &job->places[i];
        *p = (heddle_binding_place){.binding = row.binding, .type = row.type};
        const family_binding *b = api_find_binding(l, 0, row.binding);
        if (!b)
            continue;
        p->count = b->count;
        p->offset = b->offset;
        p->stride = b->stride;
        p->size = b->size;
        p->in_block = b->in_block;
    }
}

static void
place_set(api_state *s, const void *user)
{
    const place_job *job = user;
    const family_target t = find_target(s, job->target);
    const heddle_pipeline_layout layout = {
        .struct_size = sizeof layout, .sets = &job->set, .n_sets = 1};
    api_layout l = {.ranges = NULL};
    api_read_layout(s, &t, &layout, &l);
    const heddle_set_info info = measure_set(&l.places);
    if (job->set_info)
        api_fill_struct(job->set_info, &info, sizeof info);
    if (job->places)
        give_places(job, &l.places);
}

static void
place_layout(api_state *s, const void *user)
{
    const place_job *job = user;
    const family_target t = find_target(s, job->target);
    heddle_layout_info info = {0};
    api_layout l = {.ranges = NULL};
    api_read_layout(s, &t, job->layout, &l);
    info.push_size = info.block_size = l.places.push_size;
    uint32_t set = 0; /* those before it have their offsets */
    for (size_t i = 0; i < l.places.n_bindings; i++) {
        const family_binding *b = &l.places.bindings[i];
        for (; b->in_block && set <= b->set; set++)
            info.dynamic_offset[set] = b->offset;
        if (b->in_block)
            info.block_size = b->offset + b->count * b->stride;
    }
    while (set < HEDDLE_MAX_SETS)
        info.dynamic_offset[set++] = info.block_size;
    api_fill_struct(job->layout_info, &info, sizeof info);
}

heddle_result
heddle_place_set(heddle_context *context, const char *target, const heddle_set_layout *set,
                 heddle_set_info *info, heddle_binding_place *places)
{
    const place_job job = {.target = target, .set = set, .set_info = info, .places = places};
    heddle_result result = api_check_call(context, set, true, info || places);
    if (result != HEDDLE_OK)
        return result;
    return api_call(context, NULL, place_set, &job, NULL);
}

heddle_result
heddle_place_layout(heddle_context *context, const char *target,
                    const heddle_pipeline_layout *layout, heddle_layout_info *info)
{
    const place_job job = {.target = target, .layout = layout, .layout_info = info};
    heddle_result result = api_check_call(context, layout, true, info);
    if (result != HEDDLE_OK)
        return result;
    return api_call(context, NULL, place_layout, &job, NULL);
}
