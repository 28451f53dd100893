/* Renaming: each write of a register becomes a value.
 *
 * A walk keeps the current value of each register. A depart notes those of its time; behind the
 * region, a register that has different values at its departs gets a phi. Registers that a loop
 * writes get loop phis. What is read before it is written is an input.
 *
 * The sources of a group are read before anything is written; PV and PS are the results of the
 * group before. Elements of arrays that AR selects become moves before the group and behind it,
 * which name all elements. Trees that selection makes have values already, and only such moves to
 * rename; those with a known index become plain ones. An operation under a predicate computes in
 * any case, and CNDE_INT selects between its result and the old value (a psi). */
#include "r600/opt/opt.h"
#include "r600/read/read.h"

#include <string.h>

enum { N_PREV = 5, FIRST_CLAUSE_REG = 124 * 4 };

typedef struct rename {
    tree_program *p;
    uint32_t current[READ_REGISTERS]; /* values; 0: not written yet */
    uint32_t inputs[READ_REGISTERS];
    uint32_t prev[N_PREV];
    uint32_t ar[4];     /* as it is for the running group */
    tree_node *group;   /* its first node */
    bool elements_only; /* all else has values */
} rename;

/* What the departs of a region have noted. */
typedef struct snapshots {
    struct snapshots *outer;
    tree_node *region;
    uint32_t (*at)[READ_REGISTERS]; /* by depart */
} snapshots;

static tree_operand
value_of(rename *r, uint32_t reg)
{
    tree_program *p = r->p;
    if (r->current[reg])
        return r600_tree_use(r->current[reg]);
    if (reg >= FIRST_CLAUSE_REG || r->elements_only)
        return (tree_operand){.kind = TREE_UNDEF};
    if (!r->inputs[reg]) {
        r->inputs[reg] = r600_tree_value(p);
        p->values[r->inputs[reg]].is_input = true;
        p->values[r->inputs[reg]].reg = reg;
        if (reg / 4 >= p->input_gprs)
            p->input_gprs = reg / 4 + 1;
    }
    return r600_tree_use(r->inputs[reg]);
}

static uint32_t
new_value(rename *r, tree_node *n, uint32_t reg)
{
    const uint32_t v = r600_tree_value(r->p);
    r->p->values[v].def = n;
    r->p->values[v].reg = reg;
    return v;
}

/* ---- elements of arrays ---- */

static uint32_t
element_reg(const rename *r, const tree_access *a, uint32_t i)
{
    return r->p->arrays[a->array].reg + i * 4;
}

/* An element that is known: a plain move. */
static void
resolve_element(rename *r, tree_node *n)
{
    const tree_access *a = n->access;
    const uint64_t at = (uint64_t)a->base + a->index.id;
    const bool exists = at < a->n;
    const uint32_t reg = exists ? element_reg(r, a, (uint32_t)at) : 0;
    if (!a->is_write) {
        n->slots->src[0] = exists ? value_of(r, reg) : (tree_operand){.kind = TREE_UNDEF};
    } else {
        n->slots->def = new_value(r, n, reg);
        if (exists)
            r->current[reg] = n->slots->def;
    }
    n->access = NULL;
}

/* The elements before the node, and what a write may make of them. */
static void
rename_element(rename *r, tree_node *n)
{
    tree_access *a = n->access;
    if (a->index.kind == TREE_CONST) {
        resolve_element(r, n);
        return;
    }
    a->use = ARENA_ARRAY(r->p->arena, a->n, tree_operand);
    for (uint32_t i = 0; i < a->n; i++)
        a->use[i] = value_of(r, element_reg(r, a, i));
    if (!a->is_write)
        return;
    a->def = ARENA_ARRAY(r->p->arena, a->n, uint32_t);
    for (uint32_t i = 0; i < a->n; i++) {
        const uint32_t reg = element_reg(r, a, i);
        a->def[i] = r->current[reg] = new_value(r, n, reg);
    }
}

static tree_operand
address(const rename *r, unsigned c)
{
    return r->ar[c] ? r600_tree_use(r->ar[c]) : r600_tree_const(0);
}

/* What a group reads of an array, by a move before it. */
static tree_operand
read_element(rename *r, const tree_operand *o)
{
    tree_node *n = r600_tree_element(r->p, o->buffer, address(r, o->id & 3), false);
    n->access->base = o->id / 4;
    n->slots->def = new_value(r, n, r->p->arrays[o->buffer].reg);
    r600_tree_insert_before(r->group, n);
    const uint32_t v = n->slots->def;
    rename_element(r, n);
    return r600_tree_use(v);
}

/* Puts a node behind the group that ends with `last`. */
static void
insert_behind(tree_node *last, tree_node *n)
{
    if (last->next)
        r600_tree_insert_before(last->next, n);
    else
        r600_tree_append(last->list, n);
}

static void
write_element(rename *r, tree_node *last, const tree_slot *s, uint32_t base, uint32_t value)
{
    tree_node *n = r600_tree_element(r->p, s->array - 1u, address(r, s->ar), true);
    n->access->base = base;
    n->slots->src[0] = r600_tree_use(value);
    insert_behind(last, n);
    rename_element(r, n);
}

/* ---- operands ---- */

static void
rename_operand(void *user, tree_node *n, tree_operand *o)
{
    rename *r = user;
    const uint8_t mods = o->mods;
    (void)n;
    if (o->kind == TREE_REG) {
        *o = value_of(r, o->id);
    } else if (o->kind == TREE_ELEMENT) {
        *o = read_element(r, o);
    } else if (o->kind == TREE_PREV) {
        *o = r->prev[o->id] ? r600_tree_use(r->prev[o->id]) : (tree_operand){.kind = TREE_UNDEF};
    } else {
        return;
    }
    o->mods = mods;
}

/* ---- groups ---- */

uint16_t
r600_opt_mask_op(unsigned op)
{
    static const uint16_t pairs[][2] = {
        {R600_PRED_SETE, R600_SETE_DX10},        {R600_PRED_SETGT, R600_SETGT_DX10},
        {R600_PRED_SETGE, R600_SETGE_DX10},      {R600_PRED_SETNE, R600_SETNE_DX10},
        {R600_PRED_SETE_INT, R600_SETE_INT},     {R600_PRED_SETGT_INT, R600_SETGT_INT},
        {R600_PRED_SETGE_INT, R600_SETGE_INT},   {R600_PRED_SETNE_INT, R600_SETNE_INT},
        {R600_PRED_SETGT_UINT, R600_SETGT_UINT}, {R600_PRED_SETGE_UINT, R600_SETGE_UINT},
    };
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] == op)
            return pairs[i][1];
    return 0;
}

/* The old value or the new one, as the predicate says. */
static uint32_t
select_value(rename *r, tree_node *after, const tree_slot *s, uint32_t reg, uint32_t value)
{
    tree_node *n = r600_tree_alu(r->p, R600_CNDE_INT);
    const tree_operand old = value_of(r, reg), written = r600_tree_use(value);
    n->slots->src[0] = value_of(r, READ_PRED);
    n->slots->src[1] = s->pred == 2 ? written : old;
    n->slots->src[2] = s->pred == 2 ? old : written;
    n->slots->def = new_value(r, n, reg);
    insert_behind(after, n);
    return n->slots->def;
}

static void
define_slots(rename *r, tree_node *n, tree_node *last, uint32_t prev[N_PREV])
{
    for (unsigned i = 0; i < n->n; i++) {
        tree_slot *s = &n->slots[i];
        const uint32_t reg = s->def;
        const uint16_t properties = r600_op_row((r600_op)s->op)->properties;
        const bool is_silent = r600_op_row((r600_op)s->op)->format == R600_FMT_LDS ||
                               properties & R600_P_KILL || s->op == R600_ALU_NOP ||
                               s->op == R600_GROUP_BARRIER;
        s->def = 0;
        if (is_silent)
            continue;
        s->def = new_value(r, n, reg);
        if (reg == READ_PRED && r600_opt_mask_op(s->op))
            s->op = r600_opt_mask_op(s->op);
        if (reg < READ_EXEC || reg >= READ_AR)
            prev[s->slot] = s->def;
        if (!s->writes)
            continue;
        /* the tree behind the group grows by the selections */
        const uint32_t v = s->def;
        if (s->array) {
            write_element(r, last, s, reg, v);
            s->array = 0;
            continue;
        }
        r->current[reg] = s->pred ? select_value(r, last, s, reg, v) : v;
        s->pred = 0;
    }
}

/* Renames the group that begins at `n`. Returns the node behind it. */
static tree_node *
rename_group(rename *r, tree_node *first)
{
    uint32_t prev[N_PREV] = {0};
    tree_node *last = first;
    while (!last->ends_group)
        last = last->next;
    tree_node *behind = last->next;
    r->group = first;
    memcpy(r->ar, &r->current[READ_AR], sizeof r->ar);
    for (tree_node *n = first; n != behind; n = n->next)
        r600_tree_operands(n, rename_operand, r);
    for (tree_node *n = first;; n = n->next) {
        define_slots(r, n, last, prev);
        if (n == last)
            break;
    }
    if (last->ends_clause)
        memset(prev, 0, sizeof prev);
    memcpy(r->prev, prev, sizeof prev);
    for (uint32_t reg = READ_PRED; last->ends_clause && reg < READ_REGISTERS; reg++)
        r->current[reg] = 0;
    return behind;
}

static void
rename_vectors(rename *r, tree_node *n)
{
    r600_tree_operands(n, rename_operand, r);
    for (unsigned i = 0; i < n->n; i++)
        for (unsigned c = 0; c < 4; c++)
            if (n->kind == TREE_FETCH && n->vectors[i].writes >> c & 1) {
                const uint32_t reg = n->vectors[i].def[c];
                n->vectors[i].def[c] = r->current[reg] = new_value(r, n, reg);
            }
}

/* ---- control flow ---- */

static void
note_elements(const rename *r, unsigned array, uint8_t *writes)
{
    for (uint32_t i = 0; i < r->p->arrays[array].n; i++)
        writes[r->p->arrays[array].reg + i * 4] = 1;
}

static void
note_writes(const rename *r, const tree_node *n, uint8_t *writes)
{
    if (n->access && n->access->is_write && !n->access->use)
        note_elements(r, n->access->array, writes);
    if (r->elements_only)
        return;
    for (unsigned i = 0; n->kind == TREE_ALU && i < n->n; i++) {
        if (n->slots[i].array)
            note_elements(r, n->slots[i].array - 1u, writes);
        else if (n->slots[i].writes)
            writes[n->slots[i].def] = 1;
    }
    for (unsigned i = 0; n->kind == TREE_FETCH && i < n->n; i++)
        for (unsigned c = 0; c < 4; c++)
            if (n->vectors[i].writes >> c & 1)
                writes[n->vectors[i].def[c]] = 1;
}

static tree_phi *
new_phi(rename *r, uint32_t reg, unsigned n)
{
    tree_phi *phi = ARENA_NEW(r->p->arena, tree_phi);
    phi->reg = 1 + reg;
    phi->src = ARENA_ARRAY(r->p->arena, n, tree_operand);
    phi->def = new_value(r, NULL, reg);
    return phi;
}

/* Loop phis for the registers that the loop writes. */
static void
begin_loop(rename *r, tree_node *region)
{
    uint8_t writes[READ_REGISTERS] = {0};
    for (tree_node *n = region->body.first; n; n = r600_tree_next_in(region, n))
        note_writes(r, n, writes);
    for (uint32_t reg = 0; reg < READ_EXEC; reg++) {
        if (!writes[reg])
            continue;
        tree_phi *phi = new_phi(r, reg, 1 + region->n_repeats);
        phi->src[0] = value_of(r, reg);
        phi->next = region->loop_phis;
        region->loop_phis = phi;
    }
    for (tree_phi *phi = region->loop_phis; phi; phi = phi->next)
        if (phi->reg)
            r->current[phi->reg - 1] = phi->def;
}

static void
end_region(rename *r, tree_node *region, const snapshots *s)
{
    for (uint32_t reg = 0; reg < READ_REGISTERS && region->n_departs; reg++) {
        bool differs = false;
        for (unsigned i = 1; i < region->n_departs; i++)
            differs |= s->at[i][reg] != s->at[0][reg];
        r->current[reg] = s->at[0][reg];
        if (!differs || reg >= READ_EXEC)
            continue;
        tree_phi *phi = new_phi(r, reg, region->n_departs);
        for (unsigned i = 0; i < region->n_departs; i++) {
            r->current[reg] = s->at[i][reg];
            phi->src[i] = value_of(r, reg);
        }
        r->current[reg] = phi->def;
        phi->next = region->phis;
        region->phis = phi;
    }
}

static void
leave(rename *r, tree_node *n, snapshots *open)
{
    for (snapshots *s = open; n->kind == TREE_DEPART && s; s = s->outer)
        if (s->region == n->target)
            memcpy(s->at[n->id], r->current, sizeof r->current);
    for (tree_phi *phi = n->target->loop_phis; n->kind == TREE_REPEAT && phi; phi = phi->next)
        if (phi->reg)
            phi->src[n->id + 1] = value_of(r, phi->reg - 1);
}

/* The comparison is that of the operation which set the lanes. */
static void
rename_if(rename *r, tree_node *n)
{
    const uint32_t v = r->current[READ_EXEC];
    const tree_node *compare = r->p->values[v].def;
    *n->slots = *compare->slots;
    n->slots->def = 0;
}

static void
rename_list(rename *r, tree_list *list, snapshots *open);

static void
rename_region(rename *r, tree_node *n, snapshots *open)
{
    snapshots s = {.outer = open, .region = n};
    s.at = arena_zalloc(r->p->arena, (n->n_departs + 1) * sizeof *s.at);
    if (n->n_repeats)
        begin_loop(r, n);
    rename_list(r, &n->body, &s);
    end_region(r, n, &s);
}

static void
rename_branch(rename *r, tree_node *n, snapshots *open)
{
    uint32_t saved[READ_REGISTERS];
    if (!r->elements_only)
        rename_if(r, n);
    memcpy(saved, r->current, sizeof saved);
    rename_list(r, &n->body, open);
    memcpy(r->current, saved, sizeof saved);
    memset(r->prev, 0, sizeof r->prev);
}

static void
rename_list(rename *r, tree_list *list, snapshots *open)
{
    for (tree_node *n = list->first; n;) {
        tree_node *next = n->next;
        switch (n->kind) {
        case TREE_ALU:
            if (!r->elements_only)
                next = rename_group(r, n);
            else if (n->access && !n->access->use)
                rename_element(r, n);
            break;
        case TREE_FETCH:
        case TREE_FLOW:
            if (!r->elements_only)
                rename_vectors(r, n);
            break;
        case TREE_REGION: rename_region(r, n, open); break;
        case TREE_IF: rename_branch(r, n, open); break;
        default: leave(r, n, open); break;
        }
        n = next;
    }
}

void
r600_opt_rename(tree_program *p)
{
    rename *r = ARENA_NEW(p->arena, rename);
    r->p = p;
    r->elements_only = p->is_renamed;
    rename_list(r, &p->body, NULL);
    TREE_FOREACH(n, p)
        n->ends_group = n->ends_clause = false;
    p->is_ssa = p->is_renamed = true;
    p->has_elements = false;
}
