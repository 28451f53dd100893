/* Trees from text: what r600_tree_print writes, before it is scheduled.
 *
 * A line is a node, or opens or closes a region, an `if` or a pack. Departs and repeats get their
 * numbers in the order of the text, as phis have their operands. */
#include "r600/tree/parse.h"

#include <string.h>

/* ---- structure ---- */

static void
take_phi(tree_parser *t, uint32_t def, tree_phi **list)
{
    tree_phi *phi = ARENA_NEW(t->p->arena, tree_phi);
    size_t n = 0, cap = 0;
    phi->def = def;
    do {
        phi->src = (tree_operand *)arena_grow(t->p->arena, phi->src, &cap, n + 1, sizeof *phi->src);
        phi->src[n++] = r600_parse_operand(t);
    } while (r600_parse_take(t, ","));
    phi->n = (uint32_t)n;
    while (*list)
        list = &(*list)->next;
    *list = phi;
}

/* "%5 = phi" or "%5 = loop_phi"; goes back if it is another definition. */
static bool
try_phi(tree_parser *t, const char *name, tree_phi **list)
{
    const char *start = t->at;
    if (*t->at != '%')
        return false;
    const uint32_t def = r600_parse_new_value(t);
    if (!r600_parse_take(t, "=") || !r600_parse_take(t, name)) {
        t->at = start;
        return false;
    }
    take_phi(t, def, list);
    return true;
}

static tree_node **
region_slot(tree_parser *t, uint32_t id)
{
    if (!id || id > 1u << 16)
        r600_parse_want(t, "the number of a region");
    t->regions = (tree_node **)arena_grow_zeroed(t->p->arena, t->regions, &t->cap_regions, id + 1,
                                                 sizeof *t->regions);
    return &t->regions[id];
}

static void
take_list(tree_parser *t, tree_list *list);

static void
check_phis(tree_parser *t, const tree_phi *phi, uint32_t n)
{
    for (; phi; phi = phi->next)
        if (phi->n != n)
            r600_parse_want(t, "phis with an operand for each depart or repeat");
}

static void
take_region(tree_parser *t, tree_node *n)
{
    const uint32_t id = (r600_parse_skip_blanks(t), r600_parse_number(t));
    if (*region_slot(t, id))
        r600_parse_want(t, "a region with a number of its own");
    *region_slot(t, id) = n;
    n->id = id;
    t->p->n_regions = id > t->p->n_regions ? id : t->p->n_regions;
    r600_parse_expect(t, "{");
    for (r600_parse_skip_lines(t); try_phi(t, "loop_phi", &n->loop_phis); r600_parse_skip_lines(t))
        ;
    take_list(t, &n->body);
    for (r600_parse_skip_lines(t); try_phi(t, "phi", &n->phis); r600_parse_skip_lines(t))
        ;
    check_phis(t, n->loop_phis, 1 + n->n_repeats);
    check_phis(t, n->phis, n->n_departs);
}

static void
take_leave(tree_parser *t, tree_node *n)
{
    const uint32_t id = (r600_parse_skip_blanks(t), r600_parse_number(t));
    n->target = *region_slot(t, id);
    const tree_node *owner = n->list->owner;
    while (owner && owner != n->target)
        owner = owner->list->owner;
    if (!owner)
        r600_parse_want(t, "a region that is open");
    n->id = n->kind == TREE_DEPART ? n->target->n_departs++ : n->target->n_repeats++;
}

static void
take_if(tree_parser *t, tree_node *n)
{
    n->n = 1;
    n->slots = ARENA_NEW(t->p->arena, tree_slot);
    n->slots->op = (uint16_t)r600_parse_op(t);
    r600_parse_sources(t, n->slots);
    if (!(r600_op_row((r600_op)n->slots->op)->properties & R600_P_PRED))
        r600_parse_want(t, "a comparison");
    r600_parse_expect(t, "{");
    take_list(t, &n->body);
}

static tree_node *
begin_node(tree_parser *t, tree_list *list, tree_kind kind)
{
    const uint32_t n_regions = t->p->n_regions;
    tree_node *n = r600_tree_new(t->p, kind);
    t->p->n_regions = n_regions;
    if (kind == TREE_FETCH || kind == TREE_FLOW)
        n->vectors = ARENA_ARRAY(t->p->arena, TREE_MAX_FETCHES, tree_vector);
    r600_tree_append(list, n);
    return n;
}

static void
take_node(tree_parser *t, tree_list *list)
{
    tree_node *n;
    if (r600_parse_take(t, "region")) {
        take_region(t, begin_node(t, list, TREE_REGION));
    } else if (r600_parse_take(t, "if ")) {
        take_if(t, begin_node(t, list, TREE_IF));
    } else if (r600_parse_take(t, "depart")) {
        take_leave(t, begin_node(t, list, TREE_DEPART));
    } else if (r600_parse_take(t, "repeat")) {
        take_leave(t, begin_node(t, list, TREE_REPEAT));
    } else if (r600_parse_take(t, "fetch ")) {
        r600_parse_fetch(t, begin_node(t, list, TREE_FETCH));
    } else if (r600_parse_take(t, "flow ")) {
        r600_parse_vector(t, begin_node(t, list, TREE_FLOW));
    } else {
        n = begin_node(t, list, TREE_ALU);
        if (r600_parse_take(t, "pack {")) {
            r600_parse_pack(t, n);
        } else {
            n->n = 1;
            n->slots = ARENA_NEW(t->p->arena, tree_slot);
            r600_parse_slot(t, n->slots);
        }
        n->access = t->access;
        if (t->access && (n->is_pack || n->slots->op != R600_MOV))
            r600_parse_want(t, "a move of an element");
        if (t->access)
            r600_parse_elements(t, t->access);
        t->access = NULL;
        r600_parse_group_end(t, n);
    }
}

/* Nodes up to the closing brace, or the end of the text. */
static void
take_list(tree_parser *t, tree_list *list)
{
    if (++t->depth > 2 * TREE_MAX_DEPTH)
        r600_parse_want(t, "fewer regions inside each other");
    for (r600_parse_skip_lines(t); *t->at && !r600_parse_take(t, "}"); r600_parse_skip_lines(t)) {
        if (list->last && (list->last->kind == TREE_DEPART || list->last->kind == TREE_REPEAT))
            r600_parse_want(t, "nothing behind a depart or a repeat");
        take_node(t, list);
    }
    if (list->owner &&
        (!list->last || (list->last->kind != TREE_DEPART && list->last->kind != TREE_REPEAT)))
        r600_parse_want(t, "a depart or a repeat at the end");
    t->depth--;
}

/* ---- the whole ---- */

static void
take_form(tree_parser *t)
{
    r600_parse_expect(t, "form:");
    if (r600_parse_take(t, "registers"))
        return;
    t->p->is_renamed = true;
    t->p->is_ssa = r600_parse_take(t, "ssa");
    if (!t->p->is_ssa)
        r600_parse_expect(t, "variables");
}

static void
take_inputs(tree_parser *t)
{
    uint8_t taken[124 * 4] = {0};
    for (r600_parse_skip_lines(t); r600_parse_take(t, "input:"); r600_parse_skip_lines(t)) {
        const uint32_t v = r600_parse_value(t);
        r600_parse_skip_blanks(t);
        const uint32_t reg = r600_parse_register(t);
        if (reg >= sizeof taken || taken[reg]++)
            r600_parse_want(t, "an input's register");
        t->p->values[v].is_input = true;
        t->p->values[v].reg = reg;
        t->p->input_gprs = reg / 4 >= t->p->input_gprs ? reg / 4 + 1 : t->p->input_gprs;
    }
}

/* "array: A0 R5.x 4" */
static void
take_arrays(tree_parser *t)
{
    tree_program *p = t->p;
    for (r600_parse_skip_lines(t); r600_parse_take(t, "array: A"); r600_parse_skip_lines(t)) {
        if (r600_parse_number(t) != p->n_arrays || p->n_arrays == TREE_MAX_ARRAYS)
            r600_parse_want(t, "arrays in order");
        tree_array *a = &p->arrays[p->n_arrays++];
        r600_parse_skip_blanks(t);
        a->reg = r600_parse_register(t);
        r600_parse_skip_blanks(t);
        a->n = r600_parse_number(t);
        if (!a->n || a->reg / 4 + a->n > R600_FIRST_TEMP)
            r600_parse_want(t, "an array in registers");
    }
}

static void
note_def(void *user, tree_node *n, uint32_t *def)
{
    tree_program *p = user;
    p->values[*def].def = n;
}

tree_program *
r600_tree_parse(diag *d, arena *a, const r600_chip *chip, const char *text)
{
    tree_program *p = r600_tree_open(d, a, chip);
    p->isa = r600_isa_open(a, chip->gen);
    tree_parser t = {.p = p, .at = text, .line = 1};
    r600_parse_skip_lines(&t);
    r600_parse_expect(&t, "target:");
    r600_parse_skip_blanks(&t);
    t.at += strcspn(t.at, "\n");
    r600_parse_skip_lines(&t);
    take_form(&t);
    take_inputs(&t);
    take_arrays(&t);
    take_list(&t, &p->body);
    if (*t.at)
        r600_parse_want(&t, "the end of the text");
    TREE_FOREACH(n, p)
        if (p->is_renamed)
            r600_tree_defs(n, note_def, p);
    return p;
}
