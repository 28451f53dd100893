/* Making and walking trees. */
#include "r600/tree/tree.h"

tree_program *
r600_tree_open(diag *d, arena *a, const r600_chip *chip)
{
    tree_program *p = ARENA_NEW(a, tree_program);
    *p = (tree_program){.arena = a, .diag = d, .chip = chip, .n_values = 1, .cap_values = 1};
    p->isa = r600_isa_open_codec(a, chip->gen);
    p->values = ARENA_NEW(a, tree_value);
    return p;
}

tree_node *
r600_tree_new(tree_program *p, tree_kind kind)
{
    tree_node *n = ARENA_NEW(p->arena, tree_node);
    n->kind = (uint8_t)kind;
    n->body.owner = n;
    if (kind == TREE_REGION)
        n->id = ++p->n_regions;
    return n;
}

tree_node *
r600_tree_alu(tree_program *p, unsigned op)
{
    tree_node *n = r600_tree_new(p, TREE_ALU);
    n->n = 1;
    n->slots = ARENA_NEW(p->arena, tree_slot);
    n->slots->op = (uint16_t)op;
    return n;
}

tree_node *
r600_tree_element(tree_program *p, unsigned array, tree_operand index, bool is_write)
{
    tree_node *n = r600_tree_alu(p, R600_MOV);
    n->access = ARENA_NEW(p->arena, tree_access);
    *n->access = (tree_access){
        .array = (uint8_t)array, .is_write = is_write, .n = p->arrays[array].n, .index = index};
    if (!is_write)
        n->slots->src[0] = (tree_operand){.kind = TREE_ELEMENT, .buffer = (uint8_t)array};
    p->has_elements = true;
    return n;
}

void
r600_tree_append(tree_list *list, tree_node *n)
{
    n->list = list;
    n->prev = list->last;
    n->next = NULL;
    if (list->last)
        list->last->next = n;
    else
        list->first = n;
    list->last = n;
}

void
r600_tree_insert_before(tree_node *at, tree_node *n)
{
    tree_list *list = at->list;
    n->list = list;
    n->prev = at->prev;
    n->next = at;
    if (at->prev)
        at->prev->next = n;
    else
        list->first = n;
    at->prev = n;
}

void
r600_tree_remove(tree_node *n)
{
    tree_list *list = n->list;
    if (n->prev)
        n->prev->next = n->next;
    else
        list->first = n->next;
    if (n->next)
        n->next->prev = n->prev;
    else
        list->last = n->prev;
}

uint32_t
r600_tree_value(tree_program *p)
{
    if (!p->n_values)
        p->n_values = 1;
    p->values = (tree_value *)arena_grow(p->arena, p->values, &p->cap_values, p->n_values + 1,
                                         sizeof *p->values);
    p->values[p->n_values] = (tree_value){0};
    return p->n_values++;
}

tree_node *
r600_tree_next(const tree_node *n)
{
    if ((n->kind == TREE_REGION || n->kind == TREE_IF) && n->body.first)
        return n->body.first;
    while (n && !n->next)
        n = n->list->owner;
    return n ? n->next : NULL;
}

tree_node *
r600_tree_next_in(const tree_node *root, const tree_node *n)
{
    if ((n->kind == TREE_REGION || n->kind == TREE_IF) && n->body.first)
        return n->body.first;
    while (n != root && !n->next)
        n = n->list->owner;
    return n == root ? NULL : n->next;
}

static void
access_operands(tree_node *n, void (*f)(void *, tree_node *, tree_operand *), void *user)
{
    tree_access *a = n->access;
    f(user, n, &a->index);
    for (uint32_t i = 0; a->use && i < a->n; i++)
        if (a->use[i].kind)
            f(user, n, &a->use[i]);
}

void
r600_tree_operands(tree_node *n, void (*f)(void *user, tree_node *n, tree_operand *o), void *user)
{
    if (n->kind == TREE_ALU || n->kind == TREE_IF) {
        for (unsigned i = 0; i < n->n; i++)
            for (unsigned k = 0; k < r600_tree_sources(n->slots[i].op); k++)
                f(user, n, &n->slots[i].src[k]);
        if (n->access)
            access_operands(n, f, user);
    } else if (n->kind == TREE_FETCH || n->kind == TREE_FLOW) {
        for (unsigned i = 0; i < n->n; i++) {
            for (unsigned c = 0; c < 4; c++)
                if (n->vectors[i].src[c].kind)
                    f(user, n, &n->vectors[i].src[c]);
            for (unsigned c = 0; c < 4; c++)
                if (n->vectors[i].index[c].kind)
                    f(user, n, &n->vectors[i].index[c]);
        }
    }
}

void
r600_tree_defs(tree_node *n, void (*f)(void *user, tree_node *n, uint32_t *def), void *user)
{
    if (n->kind == TREE_ALU) {
        for (unsigned i = 0; i < n->n; i++)
            if (n->slots[i].def)
                f(user, n, &n->slots[i].def);
        for (uint32_t i = 0; n->access && n->access->def && i < n->access->n; i++)
            if (n->access->def[i])
                f(user, n, &n->access->def[i]);
    } else if (n->kind == TREE_FETCH || n->kind == TREE_FLOW) {
        for (unsigned i = 0; i < n->n; i++)
            for (unsigned c = 0; c < 4; c++)
                if (n->vectors[i].def[c])
                    f(user, n, &n->vectors[i].def[c]);
    }
}

bool
r600_tree_is_float(unsigned op)
{
    return (op >= R600_ADD && op <= R600_SETNE_DX10) || (op >= R600_FRACT && op <= R600_FLOOR) ||
           op == R600_MOV || (op >= R600_PRED_SETE && op <= R600_PRED_SETNE) ||
           (op >= R600_KILLE && op <= R600_KILLNE) || (op >= R600_EXP_IEEE && op <= R600_COS) ||
           op == R600_DOT4 || op == R600_DOT4_IEEE || op == R600_CUBE ||
           (op >= R600_MULADD && op <= R600_CNDGE);
}

static bool
reads_queue(const tree_slot *s)
{
    for (unsigned k = 0; k < r600_tree_sources(s->op); k++) {
        const uint32_t select = s->src[k].id / 4;
        if (s->src[k].kind == TREE_SPECIAL && select >= 219 && select <= 222)
            return true;
    }
    return false;
}

bool
r600_tree_has_effect(const tree_node *n)
{
    if (n->kind != TREE_ALU && n->kind != TREE_FETCH)
        return true;
    if (n->kind == TREE_FETCH)
        return r600_op_row(n->vectors[n->n - 1].inst.op)->format == R600_FMT_GDS ||
               r600_op_row(n->vectors[n->n - 1].inst.op)->format == R600_FMT_TF;
    for (unsigned i = 0; i < n->n; i++) {
        const r600_op_info *row = r600_op_row((r600_op)n->slots[i].op);
        if (row->format == R600_FMT_LDS || row->properties & R600_P_KILL ||
            n->slots[i].op == R600_GROUP_BARRIER || n->slots[i].op == R600_ALU_NOP ||
            reads_queue(&n->slots[i]))
            return true;
    }
    return false;
}

bool
r600_tree_is_memory(const tree_node *n)
{
    if (n->kind == TREE_FLOW) {
        const uint8_t format = r600_op_row(n->vectors->inst.op)->format;
        return format != R600_FMT_CF_EXPORT;
    }
    return n->kind == TREE_ALU && n->slots->op == R600_GROUP_BARRIER;
}
