/* Elements of arrays of resources that are chosen at run time.
 *
 * Instructions name resources by constants. (Evergreen could take the number from a register, but
 * one for all lanes of a wave, and not for all kinds.) So an instruction whose handle has an index
 * is selected once for each element, in branches that halve the array:
 *
 *     region 1 { if PRED_SETGT_UINT n / 2, index { lower half; depart 1 } upper half; depart 1 }
 *
 * An index beyond the array takes the last element. */
#include "r600/select/select.h"

/* The first handle of an instruction whose element is not known yet; NULL: there is none. */
static const ir_instr *
find_choice(const r600_sel *s, const ir_instr *i)
{
    uint64_t n;
    for (unsigned k = 0; k < i->n_refs; k++) {
        if (!ir_is_value(i->refs[k]))
            continue;
        const ir_instr *def = s->hir->values[i->refs[k].id].def;
        if (def && def->op == IR_vulkan_resource_index && !ir_is_const(s->hir, def->refs[0], &n) &&
            !r600_sel_choice(s, def->refs[0]))
            return def;
    }
    return NULL;
}

const r600_choice *
r600_sel_choice(const r600_sel *s, ir_ref index)
{
    for (unsigned k = 0; k < s->n_choices; k++)
        if (s->choices[k].index.id == index.id && s->choices[k].index.comp == index.comp)
            return &s->choices[k];
    return NULL;
}

/* An array without a size has some elements of those that an instruction can name. */
static uint32_t
count_elements(const r600_sel *s, const ir_instr *handle)
{
    const family_binding *row = family_find_binding(
        s->program->layout, ir_attr_get(handle, IR_A_DESC_SET), ir_attr_get(handle, IR_A_BINDING));
    if (row && row->count > R600_MOST_ELEMENTS)
        r600_sel_lacks(s, "arrays of more than 48 resources whose elements are chosen at run time");
    return row && row->count ? row->count : R600_ELEMENTS_OF_UNSIZED;
}

static void
depart(r600_sel *s, tree_node *region)
{
    tree_node *n = r600_tree_new(s->p, TREE_DEPART);
    n->target = region;
    n->id = region->n_departs++;
    r600_tree_append(s->list, n);
}

/* A value of two departs. */
static tree_operand
join(r600_sel *s, tree_node *region, tree_operand a, tree_operand b)
{
    tree_phi *phi = ARENA_NEW(s->p->arena, tree_phi);
    phi->src = ARENA_ARRAY(s->p->arena, 2, tree_operand);
    phi->src[0] = a;
    phi->src[1] = b;
    phi->def = r600_sel_define(s, NULL);
    phi->next = region->phis;
    region->phis = phi;
    return r600_tree_use(phi->def);
}

/* An instruction in elements `first` to that before `end`, and what it gives. */
static void
select_range(r600_sel *s, const ir_instr *i, uint32_t first, uint32_t end)
{
    if (end - first == 1) {
        s->choices[s->n_choices - 1].element = first;
        r600_select_elements(s, i);
        return;
    }
    r600_choice *choice = &s->choices[s->n_choices - 1];
    const uint32_t middle = first + (end - first) / 2, unacked = s->unacked;
    const unsigned n = i->n_defs ? r600_sel_parts(s, ir_use(s->hir, i->defs[0].id)) : 0;
    tree_list *outer = s->list;
    tree_node *region = r600_tree_new(s->p, TREE_REGION);
    tree_node *branch = r600_tree_new(s->p, TREE_IF);
    tree_operand *lower = ARENA_ARRAY(s->p->arena, n + 1, tree_operand);
    r600_tree_append(outer, region);
    branch->n = 1;
    branch->slots = ARENA_NEW(s->p->arena, tree_slot);
    *branch->slots = (tree_slot){.op = R600_PRED_SETGT_UINT,
                                 .src = {r600_tree_const(middle), choice->value}};
    r600_tree_append(&region->body, branch);
    s->list = &branch->body;
    select_range(s, i, first, middle);
    depart(s, region);
    for (unsigned k = 0; k < n; k++)
        lower[k] = r600_sel_def(s, i)[k];
    const uint32_t lower_unacked = s->unacked;
    s->unacked = unacked;
    s->list = &region->body;
    select_range(s, i, middle, end);
    depart(s, region);
    s->unacked |= lower_unacked;
    s->list = outer;
    for (unsigned k = 0; k < n; k++)
        r600_sel_def(s, i)[k] = join(s, region, lower[k], r600_sel_def(s, i)[k]);
}

void
r600_select_elements(r600_sel *s, const ir_instr *i)
{
    const ir_instr *handle = find_choice(s, i);
    if (!handle) {
        r600_select_instr(s, i);
        return;
    }
    if (s->n_choices == R600_MOST_CHOICES)
        r600_sel_lacks(s, "so many resources that are chosen at run time");
    s->choices[s->n_choices++] = (r600_choice){.index = handle->refs[0],
                                               .value = r600_sel_get(s, handle->refs[0])};
    select_range(s, i, 0, count_elements(s, handle));
    s->n_choices--;
}
