/* The layout of a compile: whether a shader fits to the one that is given, and what is reported of
 * the places.
 *
 * As in Vulkan, only what the entry point uses counts (its calls, not only what remains after
 * optimization, so that an error does not depend on the passes). Source of the types that fit:
 * Vulkan 1.3, 15.5.3 "DescriptorSet and Binding Assignment", table "Shader Resource and Descriptor
 * Type Correspondence".
 */
#include "api/compile.h"

#include <stdlib.h>
#include <string.h>

/* ---- descriptors ---- */

/* Returns true if a shader's descriptor may be of the layout's type. */
static bool
fits(obj_descriptor shader, obj_descriptor layout)
{
    static const uint32_t also[OBJ_DESCRIPTOR_COUNT] = {
        [OBJ_DESCRIPTOR_SAMPLER] = 1u << OBJ_DESCRIPTOR_COMBINED,
        [OBJ_DESCRIPTOR_SAMPLED_IMAGE] = 1u << OBJ_DESCRIPTOR_COMBINED,
        [OBJ_DESCRIPTOR_UNIFORM_BUFFER] = 1u << OBJ_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC |
                                          1u << OBJ_DESCRIPTOR_INLINE_UNIFORM_BLOCK,
        [OBJ_DESCRIPTOR_STORAGE_BUFFER] = 1u << OBJ_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC,
    };
    return shader == layout || layout == OBJ_DESCRIPTOR_MUTABLE || (also[shader] >> layout & 1);
}

/* " ('name')", or nothing. */
static const char *
shown_name(compiler *c, const spirv_binding *d)
{
    return d->name && *d->name ? arena_printf(&c->s->arena, " ('%.100s')", d->name) : "";
}

static void
check_count(compiler *c, const spirv_binding *d, const family_binding *b, const char *name)
{
    bool is_inline = b->type == OBJ_DESCRIPTOR_INLINE_UNIFORM_BLOCK;
    uint32_t has = is_inline ? 1 : b->count;
    if (d->count > has)
        diag_fail(&c->s->diag, ERR_API_LAYOUT_COUNT, d->set, d->binding, name, has, "elements",
                  d->count);
    if (is_inline && d->size > b->count)
        diag_fail(&c->s->diag, ERR_API_LAYOUT_COUNT, d->set, d->binding, name, b->count, "bytes",
                  d->size);
}

static void
check_binding(compiler *c, const spirv_binding *d, uint32_t stage_bit)
{
    const family_binding *b = api_find_binding(&c->layout, d->set, d->binding);
    obj_descriptor type = family_descriptor_of(d->type);
    const char *name = shown_name(c, d);
    if (!b)
        diag_fail(&c->s->diag, ERR_API_LAYOUT_BINDING, d->set, d->binding, name);
    if (!fits(type, b->type))
        diag_fail(&c->s->diag, ERR_API_LAYOUT_TYPE, d->set, d->binding, name,
                  obj_descriptor_name(b->type), obj_descriptor_name(type));
    check_count(c, d, b, name);
    if (b->stages && !(b->stages & stage_bit))
        diag_fail(&c->s->diag, ERR_API_LAYOUT_STAGE, d->set, d->binding, name, stage_bit);
}

/* ---- push constants ---- */

/* Finds the first of the bytes [first, end) that no range has; returns false if there is none. */
static bool
find_missing_byte(const api_layout *l, uint64_t first, uint64_t end, uint32_t stage_bit,
                  uint32_t *missing)
{
    for (uint64_t at = first; at < end;) {
        uint64_t to = at;
        for (size_t i = 0; i < l->n_ranges; i++) {
            const api_push_range *r = &l->ranges[i];
            bool has = r->first <= at && at < r->end && (!r->stages || r->stages & stage_bit);
            to = has && r->end > to ? r->end : to;
        }
        *missing = (uint32_t)at;
        if (to == at)
            return true;
        at = to;
    }
    return false;
}

static void
check_push_constants(compiler *c, const ir_fn *f, uint32_t stage_bit)
{
    IR_FOREACH_INSTR_OF(i, f) {
        if (i->op != IR_load_push_constant)
            continue;
        ir_type t = f->values[i->defs[0].id].type;
        uint64_t first = ir_attr_get(i, IR_A_BASE), offset;
        uint64_t size = ir_attr_get(i, IR_A_RANGE);
        if (ir_is_const(f, i->refs[0], &offset)) {
            first += offset;
            size = ir_type_bits(t) / 8 * ir_type_comps(t);
        }
        uint32_t missing;
        if (!find_missing_byte(&c->given, first, first + size, stage_bit, &missing))
            continue;
        ir_locate(f, i->loc);
        diag_fail(&c->s->diag, ERR_API_LAYOUT_PUSH, missing, (unsigned)first,
                  (unsigned)(first + size) - 1);
    }
}

/* ---- the layout of the compile ---- */

static void
infer(compiler *c)
{
    family_layout *l = &c->layout;
    l->n_bindings = c->n_declared;
    l->bindings = ARENA_ARRAY(&c->s->arena, c->n_declared, family_binding);
    for (size_t i = 0; i < c->n_declared; i++) {
        const spirv_binding *d = &c->declared[i];
        l->bindings[i] = (family_binding){.set = d->set,
                                          .binding = d->binding,
                                          .type = family_descriptor_of(d->type),
                                          .count = d->count};
    }
}

void
api_choose_layout(compiler *c, const ir_fn *f)
{
    const uint32_t stage_bit = HEDDLE_STAGE_BIT(HEDDLE_STAGE_COMPUTE); /* the reader has no other */
    if (!c->given.places.is_given) {
        infer(c);
        return;
    }
    c->layout = c->given.places;
    for (size_t i = 0; i < c->n_declared; i++) {
        if (c->declared[i].used)
            check_binding(c, &c->declared[i], stage_bit);
    }
    if (!f->level->machine) /* a text of machine IR has been checked */
        check_push_constants(c, f, stage_bit);
}

/* ---- the report ---- */

static int
compare_resources(const void *x, const void *y)
{
    const obj_resource *a = x, *b = y;
    if (a->set != b->set)
        return a->set < b->set ? -1 : 1;
    if (a->binding != b->binding)
        return a->binding < b->binding ? -1 : 1;
    return (a->type > b->type) - (a->type < b->type);
}

static obj_resource
resource_of(const compiler *c, const spirv_binding *d, const family_binding *b)
{
    bool given = c->layout.is_given;
    return (obj_resource){
        .set = d->set,
        .binding = d->binding,
        .type = given ? b->type : family_descriptor_of(d->type),
        .count = given || !d->count ? b->count : d->count,
        .offset = b->offset,
        .stride = b->stride,
        .size = b->size,
        .in_block = b->in_block,
        .is_used = b->is_used,
    };
}

/* Merges neighbours that are equal but for the number of elements; returns how many remain. */
static uint32_t
merge(obj_resource *list, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!kept || compare_resources(&list[kept - 1], &list[i]) != 0)
            list[kept++] = list[i];
        obj_resource *r = &list[kept - 1];
        r->count = list[i].count > r->count ? list[i].count : r->count;
        r->is_used |= list[i].is_used;
    }
    return kept;
}

void
api_list_resources(compiler *c, obj_code *code)
{
    obj_resource *list = ARENA_ARRAY(&c->s->arena, c->n_declared, obj_resource);
    uint32_t n = 0;
    for (size_t i = 0; i < c->n_declared; i++) {
        const spirv_binding *d = &c->declared[i];
        const family_binding *b = api_find_binding(&c->layout, d->set, d->binding);
        if (b)
            list[n++] = resource_of(c, d, b);
    }
    if (n)
        qsort(list, n, sizeof *list, compare_resources);
    code->resources = list;
    code->n_resources = merge(list, n);
}
