/* Bindings: what a handle names, and the number that it gets.
 *
 * Storage buffers and images that are stored to share the numbers of RATs; uniform buffers,
 * textures and samplers have numbers of their own. A combined descriptor is a texture and a
 * sampler. */
#include "r600/select/select.h"

/* The numbers of a kind; those of one group are shared. */
typedef struct kind_row {
    uint8_t group, first, end;
    const char *limit;
} kind_row;

static const kind_row kinds[] = {
    [R600_BOUND_BUFFER] = {0, 0, R600_RAT_PRIVATE, "more than 11 storage buffers and images"},
    [R600_BOUND_IMAGE] = {0, 0, R600_RAT_PRIVATE, "more than 11 storage buffers and images"},
    [R600_BOUND_UNIFORM] = {1, 1, R600_MOST_CONSTANT_BUFFERS, "more than 15 uniform buffers"},
    [R600_BOUND_TEXTURE] = {2, 0, R600_MOST_TEXTURES, "more than 48 textures"},
    [R600_BOUND_SAMPLER] = {3, 0, R600_MOST_SAMPLERS, "more than 18 samplers"},
};

static const ir_instr *
handle_def(const r600_sel *s, ir_ref handle)
{
    const ir_instr *def = s->hir->values[handle.id].def;
    if (!def || def->op != IR_vulkan_resource_index)
        r600_sel_lacks(s, "handles that are chosen at run time");
    return def;
}

static r600_bound *
add_bound(r600_sel *s, r600_bound b)
{
    r600_program *p = s->program;
    const kind_row *k = &kinds[b.kind];
    unsigned n = k->first;
    for (uint32_t i = 0; i < p->n_bound; i++)
        n += kinds[p->bound[i].kind].group == k->group;
    if (n + (k->group ? 0 : p->first_rat) >= k->end)
        r600_sel_lacks(s, k->limit);
    b.number = (uint8_t)n;
    p->bound[p->n_bound] = b;
    return &p->bound[p->n_bound++];
}

r600_bound *
r600_sel_bound_as(r600_sel *s, ir_ref handle, r600_bound_kind kind)
{
    const ir_instr *def = handle_def(s, handle);
    uint64_t index = 0;
    ir_is_const(s->hir, def->refs[0], &index);
    const r600_bound b = {.set = ir_attr_get(def, IR_A_DESC_SET),
                          .binding = ir_attr_get(def, IR_A_BINDING),
                          .element = (uint32_t)index,
                          .kind = (uint8_t)kind};
    for (uint32_t i = 0; i < s->program->n_bound; i++) {
        r600_bound *o = &s->program->bound[i];
        if (o->set == b.set && o->binding == b.binding && o->element == b.element &&
            o->kind == b.kind)
            return o;
    }
    family_binding *row = family_find_binding(s->program->layout, b.set, b.binding);
    if (!row)
        r600_sel_lacks(s, "a descriptor that is not in the layout");
    row->is_used = true;
    return add_bound(s, b);
}

const r600_bound *
r600_sel_bound(r600_sel *s, ir_ref handle)
{
    const ir_desc_type type = ir_attr_get(handle_def(s, handle), IR_A_DESC_TYPE);
    const bool is_uniform = type == IR_DESC_ubo || type == IR_DESC_inline_ubo;
    return r600_sel_bound_as(s, handle, is_uniform ? R600_BOUND_UNIFORM : R600_BOUND_BUFFER);
}
