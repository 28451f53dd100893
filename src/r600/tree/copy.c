/* Copies of trees, for phases that are tried in several ways. While a tree is copied, a node and
 * its copy name each other in `prev_region`. */
#include "r600/tree/tree.h"

#include <string.h>

typedef struct copying {
    tree_program *p;     /* the copy */
    tree_node **regions; /* by number: the copies */
} copying;

static void *
copy_array(const copying *c, const void *from, size_t n, size_t size)
{
    void *to = arena_array(c->p->arena, n, size);
    memcpy(to, from, n * size);
    return to;
}

static tree_access *
copy_access(const copying *c, const tree_access *from)
{
    tree_access *to = copy_array(c, from, 1, sizeof *from);
    if (from->use)
        to->use = copy_array(c, from->use, from->n, sizeof *from->use);
    if (from->def)
        to->def = copy_array(c, from->def, from->n, sizeof *from->def);
    return to;
}

static tree_node *
copy_node(const copying *c, tree_node *n)
{
    tree_node *to = ARENA_NEW(c->p->arena, tree_node);
    *to = *n;
    to->body = (tree_list){.owner = to};
    if (n->kind == TREE_ALU || n->kind == TREE_IF)
        to->slots = copy_array(c, n->slots, n->n, sizeof *n->slots);
    else if (n->kind == TREE_FETCH || n->kind == TREE_FLOW)
        to->vectors = copy_array(c, n->vectors, n->n, sizeof *n->vectors);
    else if (n->kind == TREE_REGION)
        c->regions[n->id] = to;
    else
        to->target = c->regions[n->target->id];
    if (n->access)
        to->access = copy_access(c, n->access);
    n->prev_region = to;
    to->prev_region = n;
    return to;
}

static void
copy_list(const copying *c, const tree_list *from, tree_list *to)
{
    for (tree_node *n = from->first; n; n = n->next) {
        tree_node *k = copy_node(c, n);
        r600_tree_append(to, k);
        copy_list(c, &n->body, &k->body);
    }
}

/* Definitions that are not in the tree any more are none. */
static void
copy_definitions(const copying *c)
{
    for (uint32_t v = 0; v < c->p->n_values; v++) {
        tree_value *value = &c->p->values[v];
        const tree_node *def = value->def;
        tree_node *to = def ? def->prev_region : NULL;
        value->def = to && to->prev_region == def ? to : NULL;
    }
}

tree_program *
r600_tree_copy(const tree_program *p)
{
    tree_program *to = ARENA_NEW(p->arena, tree_program);
    *to = *p;
    to->body = (tree_list){0};
    const copying c = {to, ARENA_ARRAY(p->arena, p->n_regions + 1, tree_node *)};
    to->values = copy_array(&c, p->values, p->n_values, sizeof *p->values);
    to->cap_values = p->n_values;
    copy_list(&c, &p->body, &to->body);
    copy_definitions(&c);
    return to;
}
