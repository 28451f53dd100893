/* Arrays get their registers: each element of one a variable.
 *
 * Around each move of an element stand moves of all elements, from what they are to variables that
 * live at this place alone, and back:
 *
 *     A0[%4+0] = MOV %3 def [%7, %8] use [%5, %6]
 *
 * becomes %9 = %5, %10 = %6, the move with def [%11, %12] use [%9, %10], then %7 = %11, %8 = %12.
 * Those of one element never live at one place, so they share the element's variable. What they
 * are moved from and to joins it where it does not live together with it, as operands of phis do
 * (leave_ssa.c), and then the move is none. */
#include "r600/opt/opt.h"

static tree_node *
new_move(tree_program *p, const tree_operand *from, uint32_t to)
{
    tree_node *n = r600_tree_alu(p, R600_MOV);
    n->slots->src[0] = *from;
    n->slots->def = to;
    return n;
}

static uint32_t
new_local(tree_program *p, const tree_array *array, uint32_t element)
{
    const uint32_t v = r600_tree_value(p);
    p->values[v].reg = array->reg + element * 4;
    return v;
}

static void
isolate_uses(tree_program *p, tree_node *n)
{
    const tree_access *a = n->access;
    for (uint32_t i = 0; i < a->n; i++) {
        if (a->use[i].kind == TREE_UNDEF)
            continue;
        const uint32_t v = new_local(p, &p->arrays[a->array], i);
        r600_tree_insert_before(n, new_move(p, &a->use[i], v));
        a->use[i] = r600_tree_use(v);
    }
}

/* A write may change any element's register, also of one that nothing reads. */
static void
isolate_defs(tree_program *p, tree_node *n)
{
    const tree_access *a = n->access;
    for (uint32_t i = 0; i < a->n; i++) {
        const uint32_t v = new_local(p, &p->arrays[a->array], i), to = a->def[i];
        const tree_operand from = r600_tree_use(v);
        a->def[i] = v;
        if (!to)
            continue;
        tree_node *move = new_move(p, &from, to);
        p->values[to].def = move;
        if (n->next)
            r600_tree_insert_before(n->next, move);
        else
            r600_tree_append(n->list, move);
    }
}

/* A read of an array that nothing has written is no access. */
static bool
drop_undefined(tree_node *n)
{
    const tree_access *a = n->access;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->use[i].kind != TREE_UNDEF)
            return false;
    if (a->is_write)
        return false;
    n->access = NULL;
    n->slots->src[0] = (tree_operand){.kind = TREE_UNDEF};
    return true;
}

void
r600_opt_isolate_elements(tree_program *p)
{
    for (uint32_t i = 0; i < p->n_arrays; i++) {
        tree_array *a = &p->arrays[i];
        a->element = ARENA_ARRAY(p->arena, a->n, uint32_t);
        for (uint32_t k = 0; k < a->n; k++) {
            a->element[k] = new_local(p, a, k);
            p->values[a->element[k]].array = (uint8_t)(i + 1);
        }
    }
    for (tree_node *n = p->body.first, *next; n; n = next) {
        next = r600_tree_next(n);
        if (!n->access || drop_undefined(n))
            continue;
        isolate_uses(p, n);
        if (n->access->is_write)
            isolate_defs(p, n);
    }
}
