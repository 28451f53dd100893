/* If-conversion: a branch of few operations is computed in all lanes, and its phis become
 * selections.
 *
 *     region 1 { a; if c { b; depart 1 } d; depart 1 } %5 = phi %3, %4
 *
 * becomes a, b, d and %5 = CNDE_INT %c, %4, %3, where %c is the comparison's mask. A branch costs
 * three instructions of control flow and ends clauses, so that many operations pay for it. */
#include "r600/opt/opt.h"

enum { MOST_OPERATIONS = 48 };

/* The operations of a list of single, free nodes that ends with a depart from `region`; more than
 * the limit if it is no such list. */
static unsigned
count_operations(const tree_node *n, const tree_node *region)
{
    unsigned count = 0;
    for (; n && n->next; n = n->next) {
        if (n->kind != TREE_ALU || n->access || r600_tree_has_effect(n))
            return MOST_OPERATIONS + 1;
        count += n->n;
    }
    return n && n->kind == TREE_DEPART && n->target == region ? count : MOST_OPERATIONS + 1;
}

static tree_node *
find_branch(tree_node *region)
{
    tree_node *n = region->body.first;
    while (n && n->kind <= TREE_FLOW)
        n = n->next;
    return n && n->kind == TREE_IF ? n : NULL;
}

/* Moves what stands before a node of a list. */
static void
move_out(tree_list *from, const tree_node *end, tree_node *before)
{
    while (from->first != end) {
        tree_node *n = from->first;
        r600_tree_remove(n);
        r600_tree_insert_before(before, n);
    }
}

static tree_node *
insert(tree_program *p, tree_node *before, unsigned op, uint32_t def)
{
    tree_node *n = r600_tree_alu(p, op);
    r600_tree_insert_before(before, n);
    n->slots->def = def;
    p->values[def].def = n;
    return n;
}

/* Selections cannot have every operand. */
static tree_operand
as_value(tree_program *p, tree_node *before, const tree_operand *o)
{
    if (o->kind == TREE_UNDEF)
        return r600_tree_const(0);
    if (!o->mods && o->kind != TREE_KCACHE)
        return *o;
    const uint32_t v = r600_tree_value(p);
    insert(p, before, R600_MOV, v)->slots->src[0] = *o;
    return r600_tree_use(v);
}

static void
convert(tree_program *p, tree_node *region, tree_node *branch)
{
    const tree_slot compare = *branch->slots;
    const unsigned yes = branch->body.last->id, no = region->body.last->id;
    move_out(&region->body, branch, region);
    move_out(&branch->body, branch->body.last, region);
    r600_tree_remove(branch);
    move_out(&region->body, region->body.last, region);
    const uint32_t mask = r600_tree_value(p);
    tree_node *test = insert(p, region, r600_opt_mask_op(compare.op), mask);
    test->slots->src[0] = compare.src[0];
    test->slots->src[1] = compare.src[1];
    for (const tree_phi *phi = region->phis; phi; phi = phi->next) {
        const tree_operand a = as_value(p, region, &phi->src[no]);
        const tree_operand b = as_value(p, region, &phi->src[yes]);
        tree_slot *s = insert(p, region, R600_CNDE_INT, phi->def)->slots;
        s->src[0] = r600_tree_use(mask);
        s->src[1] = a;
        s->src[2] = b;
    }
    r600_tree_remove(region);
}

void
r600_opt_if_convert(tree_program *p)
{
    tree_node *last = NULL;
    TREE_FOREACH(n, p) { /* a list of regions, inner ones first */
        n->mark = 0;
        if (n->kind == TREE_REGION && !n->n_repeats) {
            n->prev_region = last;
            last = n;
        }
    }
    for (tree_node *region = last; region; region = region->prev_region) {
        tree_node *branch = find_branch(region);
        unsigned n = 0;
        if (!branch || region->n_departs != 2 || !r600_opt_mask_op(branch->slots->op))
            continue;
        for (const tree_phi *phi = region->phis; phi; phi = phi->next)
            n++;
        n += count_operations(branch->body.first, region) + count_operations(branch->next, region);
        if (n <= MOST_OPERATIONS && r600_tree_may_change(p))
            convert(p, region, branch);
    }
}
