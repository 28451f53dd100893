/* One computation for several branches: what value numbering finds to be equal to a node that it
 * has left behind, in a branch or a region, is moved to where both see it.
 *
 *     if a { x = ADD p, q }  ...  y = ADD p, q     becomes     x = ADD p, q; if a { } ...
 *
 * The node goes before the outermost construct that it is in and the other one is not, if its
 * operands are known there. They are if they are defined before that construct begins: a definition
 * that dominates what is inside and stands before the construct dominates the construct. Marks of
 * nodes are positions in the order of the walk. */
#include "r600/opt/gvn.h"

static tree_node *
owner_of(const tree_node *n)
{
    return n->list->owner;
}

static bool
is_in(const tree_node *n, const tree_list *list)
{
    for (; n; n = owner_of(n))
        if (n->list == list)
            return true;
    return false;
}

/* The outermost construct around `n` that `other` is not in. */
static tree_node *
find_construct(tree_node *n, const tree_node *other)
{
    while (!is_in(other, n->list))
        n = owner_of(n);
    return n;
}

/* Where a value is defined: a phi at its region. */
static uint32_t
position_of(const gvn *g, uint32_t value)
{
    const tree_node *def = g->p->values[value].def;
    return def ? def->mark : g->phi_at[value];
}

static bool
is_known_before(const gvn *g, const tree_node *n, uint32_t position)
{
    for (unsigned i = 0; i < n->n; i++)
        for (unsigned k = 0; k < r600_tree_sources(n->slots[i].op); k++)
            if (n->slots[i].src[k].kind == TREE_VALUE &&
                position_of(g, n->slots[i].src[k].id) >= position)
                return false;
    return true;
}

bool
r600_gvn_hoist(gvn *g, tree_node *n, const tree_node *other)
{
    tree_node *construct = find_construct(n, other);
    if (construct == n || !is_known_before(g, n, construct->mark) || !r600_tree_may_change(g->p))
        return false;
    r600_tree_remove(n);
    r600_tree_insert_before(construct, n);
    n->mark = construct->mark - 1;
    return true;
}
