/* Trees to blocks and instructions.
 *
 *     region R { a; if c { b; depart R } d; depart R }    a, branch | b, jump | d, jump | exit of R
 *     region L { a; repeat L }                            jump | head of L: a, jump
 *
 * The blocks stand in the order of the walk, so that each one is behind what leads to it, except
 * the jumps back to the head of a loop. */
#include "r600/spill/mirror.h"

#include "base/bits.h"

/* ---- the level ---- */

static const ir_attr_info words[] = {{"number", 0, 0, 32, IR_ATTR_UINT, true, NULL, 0}, {0}};

#define ROW(name, defs, refs, flags)                                                               \
    {                                                                                              \
        name, defs, refs, 1, 1, flags, words, NULL                                                 \
    }
static const ir_op_info ops[MIRROR_OPS] = {
    [MIRROR_NONE] = ROW("none", 0, 0, 0),
    [MIRROR_PHI] = ROW("phi", 1, IR_ANY, IR_OP_PHI),
    [MIRROR_LINEAR_PHI] = ROW("linear_phi", 1, IR_ANY, IR_OP_PHI | IR_OP_LINEAR_PHI),
    [MIRROR_COPY] = ROW("copy", IR_ANY, IR_ANY, 0),
    [MIRROR_SPILL] = ROW("spill", 0, 1, IR_OP_EFFECT),
    [MIRROR_RELOAD] = ROW("reload", 1, 0, 0),
    [MIRROR_START] = ROW("start", IR_ANY, 0, IR_OP_EFFECT),
    [MIRROR_NODE] = ROW("node", IR_ANY, IR_ANY, IR_OP_EFFECT),
    [MIRROR_BRANCH] = ROW("branch", 0, IR_ANY, IR_OP_TERMINATOR | IR_OP_EFFECT),
    [MIRROR_JUMP] = ROW("jump", 0, 0, IR_OP_TERMINATOR | IR_OP_EFFECT),
};
#undef ROW

static const ir_class classes[256] = {
    [MIRROR_COMPONENT] = {.bank = 0, .edges = 0, .units = 1, .align = 1, .bytes = 4},
};

static const ir_bank banks[] = {{.name = "component", .first = 0, .units = 512}};

static ir_tied
tied(const ir_instr *i)
{
    (void)i;
    return (ir_tied){-1, -1};
}

static bool
kills_late(unsigned op)
{
    (void)op;
    return false;
}

static bool
is_move(const ir_instr *i)
{
    return i->op == MIRROR_COPY;
}

static void
demand_known(ir_fn *f)
{
    mirror *m = f->backend;
    m->cg.budget[0] = m->cg.cheap[0] = m->cg.pinned_end[0] = m->cg.limit[0] = (uint16_t)
                                                                                  m->p->budget;
}

static const ir_machine machine = {
    .classes = classes,
    .banks = banks,
    .n_banks = 1,
    .unit_shift = 2,
    .n_units = 512,
    .null_reg = IR_REG_NONE,
    .ops = {.phi = {MIRROR_PHI, MIRROR_LINEAR_PHI},
            .parallel_copy = MIRROR_COPY,
            .spill = MIRROR_SPILL,
            .reload = MIRROR_RELOAD,
            .jump = MIRROR_JUMP},
    .tied = tied,
    .kills_late = kills_late,
    .is_move = is_move,
    .demand_known = demand_known,
};

static const ir_level level = {
    .name = "mirror", .ops = ops, .n_ops = MIRROR_OPS, .machine = &machine};

/* ---- values ---- */

static uint32_t *
from_slot(mirror *m, uint32_t id)
{
    m->from = (uint32_t *)arena_grow_zeroed(m->p->arena, m->from, &m->cap_from, id + 1,
                                            sizeof *m->from);
    return &m->from[id];
}

uint32_t
r600_mirror_value(mirror *m, uint32_t id)
{
    if (!*from_slot(m, id)) {
        const uint32_t v = r600_tree_value(m->p);
        m->p->values[v].reg = v & 3;
        m->from[id] = v;
    }
    return m->from[id];
}

static void
define(mirror *m, ir_instr *i, unsigned d, uint32_t value)
{
    const uint32_t id = ir_define(m->f, i, d, MIRROR_COMPONENT).id;
    m->to[value] = id;
    *from_slot(m, id) = value;
}

/* What has no definition is any value. */
static ir_ref
use(const mirror *m, const tree_operand *o)
{
    if (o->kind == TREE_VALUE && m->to[o->id])
        return ir_use(m->f, m->to[o->id]);
    ir_ref r = ir_none();
    r.kind = IR_REF_UNDEF;
    r.rc = MIRROR_COMPONENT;
    return r;
}

/* ---- nodes ---- */

static void
note_operand(void *user, tree_node *n, tree_operand *o)
{
    mirror *m = user;
    (void)n;
    if (o->kind != TREE_VALUE || !m->to[o->id])
        return;
    m->operands = (tree_operand **)arena_grow(m->p->arena, m->operands, &m->cap_operands,
                                              m->n_operands + 1, sizeof(tree_operand *));
    m->operands[m->n_operands++] = o;
}

static void
note_def(void *user, tree_node *n, uint32_t *def)
{
    mirror *m = user;
    (void)n;
    m->defs = (uint32_t **)arena_grow(m->p->arena, m->defs, &m->cap_defs, m->n_defs + 1,
                                      sizeof(uint32_t *));
    m->defs[m->n_defs++] = def;
}

void
r600_mirror_collect(mirror *m, tree_node *n)
{
    m->n_operands = m->n_defs = 0;
    r600_tree_operands(n, note_operand, m);
    r600_tree_defs(n, note_def, m);
}

static void
add_node(mirror *m, ir_block *b, mirror_op op, tree_node *n)
{
    r600_mirror_collect(m, n);
    ir_instr *i = ir_new_instr(m->f, op, (unsigned)m->n_defs, (unsigned)m->n_operands);
    m->nodes = (tree_node **)arena_grow(m->p->arena, m->nodes, &m->cap_nodes, m->n_nodes + 2,
                                        sizeof *m->nodes);
    m->nodes[++m->n_nodes] = n;
    ir_words(i)[0] = (uint32_t)m->n_nodes;
    ir_append(b, i);
    for (unsigned r = 0; r < m->n_operands; r++)
        i->refs[r] = use(m, m->operands[r]);
    for (unsigned d = 0; d < m->n_defs; d++)
        define(m, i, d, *m->defs[d]);
}

tree_node *
r600_mirror_node(const mirror *m, const ir_instr *i)
{
    const bool has_node = i->op == MIRROR_NODE || i->op == MIRROR_BRANCH || i->op == MIRROR_JUMP;
    return has_node ? m->nodes[ir_words(i)[0]] : NULL;
}

/* ---- blocks ---- */

static void
connect(ir_block *from, ir_block *to)
{
    ir_add_edge(from, to, 0);
    ir_add_edge(from, to, 1);
}

static void
add_phis(mirror *m, ir_block *b, const tree_phi *phi, unsigned n)
{
    for (; phi; phi = phi->next) {
        ir_instr *i = ir_new_instr(m->f, MIRROR_PHI, 1, n);
        ir_append(b, i);
        define(m, i, 0, phi->def);
    }
}

/* Goes on in a new block behind a jump of a region that repeats. */
static ir_block *
open_loop(mirror *m, ir_block *b, tree_node *region)
{
    ir_block *head = ir_block_new(m->f);
    add_node(m, b, MIRROR_JUMP, region);
    connect(b, head);
    ir_append_block(m->f, head);
    m->head[region->id] = head;
    add_phis(m, head, region->loop_phis, 1 + region->n_repeats);
    return head;
}

static ir_block *
add_list(mirror *m, ir_block *b, tree_list *list);

/* Returns the block behind the region; NULL: nothing comes there. */
static ir_block *
add_region(mirror *m, ir_block *b, tree_node *region)
{
    ir_block *exit = m->exit[region->id] = ir_block_new(m->f);
    b = region->n_repeats ? open_loop(m, b, region) : b;
    add_list(m, b, &region->body);
    if (!region->n_departs)
        return NULL;
    ir_append_block(m->f, exit);
    add_phis(m, exit, region->phis, region->n_departs);
    return exit;
}

static ir_block *
add_branch(mirror *m, ir_block *b, tree_node *n)
{
    ir_block *then = ir_block_new(m->f), *rest = ir_block_new(m->f);
    add_node(m, b, MIRROR_BRANCH, n);
    connect(b, then);
    connect(b, rest);
    ir_append_block(m->f, then);
    add_list(m, then, &n->body);
    ir_append_block(m->f, rest);
    return rest;
}

static ir_block *
add_list(mirror *m, ir_block *b, tree_list *list)
{
    for (tree_node *n = list->first; n && b; n = n->next) {
        switch (n->kind) {
        case TREE_REGION: b = add_region(m, b, n); break;
        case TREE_IF: b = add_branch(m, b, n); break;
        case TREE_DEPART:
        case TREE_REPEAT:
            add_node(m, b, MIRROR_JUMP, n);
            connect(b, n->kind == TREE_DEPART ? m->exit[n->target->id] : m->head[n->target->id]);
            return NULL;
        default: add_node(m, b, MIRROR_NODE, n); break;
        }
    }
    return b;
}

static void
add_start(mirror *m, ir_block *b)
{
    uint32_t n = 0;
    for (uint32_t v = 1; v < m->p->n_values; v++)
        n += m->p->values[v].is_input;
    ir_instr *i = ir_new_instr(m->f, MIRROR_START, n, 0);
    ir_append(b, i);
    n = 0;
    for (uint32_t v = 1; v < m->p->n_values; v++)
        if (m->p->values[v].is_input)
            define(m, i, n++, v);
}

/* ---- phis ---- */

static void
move_operand(tree_program *p, tree_node *before, tree_operand *o)
{
    if (o->kind == TREE_VALUE || o->kind == TREE_UNDEF)
        return;
    tree_node *n = r600_tree_alu(p, R600_MOV);
    const uint32_t v = r600_tree_value(p);
    n->slots->src[0] = *o;
    n->slots->def = v;
    p->values[v].def = n;
    p->values[v].reg = v & 3;
    r600_tree_insert_before(before, n);
    *o = r600_tree_use(v);
}

/* Operands of phis become values, which can be stored. */
static void
move_operands(tree_program *p)
{
    TREE_FOREACH(n, p) {
        const tree_phi *phi = n->kind == TREE_DEPART   ? n->target->phis
                              : n->kind == TREE_REPEAT ? n->target->loop_phis
                              : n->kind == TREE_REGION ? n->loop_phis
                                                       : NULL;
        const uint32_t at = n->kind == TREE_DEPART ? n->id : n->kind == TREE_REPEAT ? n->id + 1 : 0;
        for (; phi; phi = phi->next)
            move_operand(p, n, &phi->src[at]);
    }
}

static void
fill_phis(const mirror *m, const ir_block *b, const tree_phi *phi)
{
    for (ir_instr *i = b->first; phi; phi = phi->next, i = i->next)
        for (uint32_t k = 0; k < b->preds[0].count; k++) {
            const tree_node *n = r600_mirror_node(m, b->preds[0].at[k]->last);
            const uint32_t at = n->kind == TREE_DEPART   ? n->id
                                : n->kind == TREE_REPEAT ? n->id + 1
                                                         : 0;
            i->refs[k] = use(m, &phi->src[at]);
        }
}

mirror *
r600_mirror_make(tree_program *p, arena *scratch)
{
    mirror *m = ARENA_NEW(p->arena, mirror);
    move_operands(p);
    m->p = p;
    m->ctx = (ir_ctx){.diag = p->diag, .arena = p->arena, .scratch = scratch};
    m->f = ir_fn_new(&m->ctx, &level, "mirror");
    m->f->backend = m;
    m->f->ssa = true;
    m->to = ARENA_ARRAY(p->arena, p->n_values, uint32_t);
    m->head = ARENA_ARRAY(p->arena, p->n_regions + 1, ir_block *);
    m->exit = ARENA_ARRAY(p->arena, p->n_regions + 1, ir_block *);
    ir_block *first = ir_block_new(m->f);
    ir_append_block(m->f, first);
    add_start(m, first);
    add_list(m, first, &p->body);
    TREE_FOREACH(n, p) {
        if (n->kind == TREE_REGION && n->n_repeats)
            fill_phis(m, m->head[n->id], n->loop_phis);
        if (n->kind == TREE_REGION && n->n_departs)
            fill_phis(m, m->exit[n->id], n->phis);
    }
    return m;
}
