/* Moves whose source got the register of their result: what could not be one variable before
 * registers had numbers, but is in one place after all. They are dropped, and with the last of a
 * group the group, unless the next group takes the result as PV or PS. An operation that any slot
 * may have is in slot t only because the slot of its channel is taken, so there they stay. */
#include "r600/ra/ra.h"

static bool
is_self_move(const ra_state *s, const tree_node *n)
{
    const tree_slot *op = n->slots;
    if (n->kind != TREE_ALU || n->is_pack || n->access || op->op != R600_MOV || !op->def)
        return false;
    const tree_operand *from = &op->src[0];
    return from->kind == TREE_VALUE && !from->mods && !op->clamp && !op->omod &&
           s->gpr[from->id] == s->gpr[op->def] && s->channel[from->id] == s->channel[op->def];
}

/* The first node of a node's group. */
static const tree_node *
first_of_group(const tree_node *n)
{
    while (n->prev && n->prev->kind == TREE_ALU && !n->prev->ends_group)
        n = n->prev;
    return n;
}

/* Would an operation in slot t move to the slot that becomes free? */
static bool
holds_slot(const tree_program *p, const tree_node *n)
{
    if (n->slots->slot == R600_SLOT_T)
        return false;
    for (const tree_node *k = first_of_group(n);; k = k->next) {
        if (k->slots->slot == R600_SLOT_T && r600_slots_of(p->isa, (r600_op)k->slots->op) != 'S')
            return true;
        if (k->ends_group)
            return false;
    }
}

static bool
reads_previous(const tree_node *n, unsigned slot)
{
    for (unsigned i = 0; i < n->n; i++)
        for (unsigned k = 0; k < r600_tree_sources(n->slots[i].op); k++) {
            const tree_operand *o = &n->slots[i].src[k];
            if (o->kind == TREE_PREV && o->id == slot)
                return true;
        }
    return false;
}

/* Does the group behind that of a node read what the node's slot has computed? */
static bool
is_forwarded(const tree_node *n)
{
    const unsigned slot = n->slots->slot;
    while (!n->ends_group)
        n = n->next;
    if (n->ends_clause)
        return false;
    do {
        n = n->next;
        if (reads_previous(n, slot))
            return true;
    } while (!n->ends_group);
    return false;
}

/* The node before it in its clause, or NULL. */
static tree_node *
before_in_clause(const tree_node *n)
{
    return n->prev && n->prev->kind == TREE_ALU && !n->prev->ends_clause ? n->prev : NULL;
}

/* Groups that AR or writes through it keep apart stay. */
static void
drop(const tree_program *p, tree_node *n)
{
    tree_node *before = before_in_clause(n);
    const bool is_alone = n->ends_group && (!before || before->ends_group);
    if (is_alone && p->n_arrays)
        return;
    if (before && n->ends_group) {
        before->ends_group = true;
        before->ends_clause = n->ends_clause;
    }
    r600_tree_remove(n);
}

void
r600_ra_drop_moves(tree_program *p, const ra_state *s)
{
    for (tree_node *n = p->body.first, *next; n; n = next) {
        next = r600_tree_next(n);
        if (is_self_move(s, n) && !is_forwarded(n) && !holds_slot(p, n))
            drop(p, n);
    }
}
