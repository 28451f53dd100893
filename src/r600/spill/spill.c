/* Spilling: values that are used farthest away wait in scratch memory (cg/spill.c).
 *
 * A slot is a component of an element of 16 bytes behind the program's own. A reload needs what was
 * stored before to have reached memory; it waits if a store may be under way. Compute shaders have
 * scratch memory as others do (Mesa: SQ_LSTMP_RING in evergreen_setup_scratch_buffers). */
#include "r600/spill/spill.h"

#include "cg/live.h"
#include "cg/spilling.h"
#include "ir/pass.h"
#include "r600/spill/mirror.h"

enum { SLACK = 4 };

static const cg_spill_bank bank = {.bank = 0, .edges = 0};

/* ---- what the spiller has made goes into the tree ---- */

/* The node before which the instructions behind `i` stand; NULL: the end of the program. */
static tree_node *
place_of(const mirror *m, const ir_instr *i)
{
    tree_node *n = NULL;
    for (; i && !n; i = i->next)
        n = r600_mirror_node(m, i);
    return n;
}

static void
insert(const mirror *m, const ir_instr *i, tree_node *n)
{
    tree_node *at = place_of(m, i);
    if (at)
        r600_tree_insert_before(at, n);
    else
        r600_tree_append(&m->p->body, n);
}

static tree_operand
element_of(const mirror *m, const ir_instr *i)
{
    const uint32_t slot = ir_words(i)[0], element = m->p->first_scratch + slot / 4;
    if (element >= m->p->end_scratch)
        m->p->end_scratch = element + 1;
    return r600_tree_const(element);
}

static void
put_copies(mirror *m, const ir_instr *i)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (!ir_is_value(i->refs[d]))
            continue;
        tree_node *n = r600_tree_alu(m->p, R600_MOV);
        n->slots->src[0] = r600_tree_use(r600_mirror_value(m, i->refs[d].id));
        n->slots->def = r600_mirror_value(m, i->defs[d].id);
        m->p->values[n->slots->def].def = n;
        insert(m, i, n);
    }
}

static void
put_spill(mirror *m, const ir_instr *i)
{
    const unsigned c = ir_words(i)[0] % 4;
    tree_node *n = r600_tree_write_scratch(m->p, element_of(m, i), 0, c);
    n->vectors->src[c] = ir_is_value(i->refs[0])
                             ? r600_tree_use(r600_mirror_value(m, i->refs[0].id))
                             : r600_tree_const(0);
    insert(m, i, n);
}

static void
put_reload(mirror *m, const ir_instr *i)
{
    const unsigned c = ir_words(i)[0] % 4;
    tree_node *n = r600_tree_read_scratch(m->p, element_of(m, i), 0, c);
    const uint32_t v = r600_mirror_value(m, i->defs[0].id);
    r600_tree_take_scratch(m->p, n, c, v);
    m->p->values[v].def = n;
    insert(m, i, n);
}

static void
rename_operands(mirror *m, const ir_instr *i)
{
    r600_mirror_collect(m, r600_mirror_node(m, i));
    for (unsigned r = 0; r < i->n_refs; r++)
        m->operands[r]->id = r600_mirror_value(m, i->refs[r].id);
}

static void
put_instr(mirror *m, const ir_instr *i)
{
    switch (i->op) {
    case MIRROR_NODE:
    case MIRROR_BRANCH: rename_operands(m, i); break;
    case MIRROR_COPY: put_copies(m, i); break;
    case MIRROR_SPILL: put_spill(m, i); break;
    case MIRROR_RELOAD: put_reload(m, i); break;
    default: break;
    }
}

/* The phis of a block; `n` is the number of a phi's operands. */
static tree_phi *
make_phis(mirror *m, const ir_block *b, unsigned n)
{
    tree_phi *list = NULL, **end = &list;
    for (const ir_instr *i = b->first; i && i->op == MIRROR_PHI; i = i->next) {
        tree_phi *phi = *end = ARENA_NEW(m->p->arena, tree_phi);
        end = &phi->next;
        phi->def = r600_mirror_value(m, i->defs[0].id);
        phi->src = ARENA_ARRAY(m->p->arena, n, tree_operand);
        for (uint32_t k = 0; k < b->preds[0].count; k++) {
            const tree_node *from = r600_mirror_node(m, b->preds[0].at[k]->last);
            const uint32_t at = from->kind == TREE_DEPART   ? from->id
                                : from->kind == TREE_REPEAT ? from->id + 1
                                                            : 0;
            phi->src[at] = ir_is_value(i->refs[k])
                               ? r600_tree_use(r600_mirror_value(m, i->refs[k].id))
                               : (tree_operand){.kind = TREE_UNDEF};
        }
    }
    return list;
}

static void
put_back(mirror *m)
{
    IR_FOREACH_BLOCK(b, m->f) {
        for (const ir_instr *i = b->first; i; i = i->next)
            put_instr(m, i);
    }
    TREE_FOREACH(n, m->p) {
        if (n->kind == TREE_REGION && n->n_repeats)
            n->loop_phis = make_phis(m, m->head[n->id], 1 + n->n_repeats);
        if (n->kind == TREE_REGION && n->n_departs)
            n->phis = make_phis(m, m->exit[n->id], n->n_departs);
    }
}

/* ---- waits ---- */

static bool
has_op(const tree_node *n, tree_kind kind, r600_op op)
{
    return n->kind == kind && n->vectors->inst.op == op;
}

/* Stores may be under way before a list, and behind it. */
static bool
add_waits(tree_program *p, tree_list *list, bool is_under_way)
{
    for (tree_node *n = list->first; n; n = n->next) {
        if (has_op(n, TREE_FLOW, R600_MEM_SCRATCH)) {
            is_under_way = true;
        } else if (has_op(n, TREE_FLOW, R600_WAIT_ACK)) {
            is_under_way = false;
        } else if (has_op(n, TREE_FETCH, R600_READ_SCRATCH) && is_under_way) {
            r600_tree_insert_before(n, r600_tree_wait(p));
            is_under_way = false;
        } else if (n->kind == TREE_IF) {
            is_under_way |= add_waits(p, &n->body, is_under_way);
        } else if (n->kind == TREE_REGION) {
            add_waits(p, &n->body, is_under_way || n->n_repeats);
            is_under_way = true;
        }
    }
    return is_under_way;
}

/* ---- all ---- */

void
r600_spill(tree_program *p)
{
    if (!p->budget)
        return;
    const arena_mark mark = arena_save(p->scratch);
    mirror *m = r600_mirror_make(p, p->scratch);
    cg_find_live(m->f);
    const unsigned floor = cg_spill_floor(m->f, &bank) + SLACK;
    p->budget = p->budget < floor ? floor : p->budget;
    m->f->level->machine->demand_known(m->f);
    if (m->cg.max_demand.units[0] > (int32_t)m->cg.budget[0]) {
        const cg_cssa classes = cg_lower_to_cssa(m->f, p->arena);
        cg_spill(m->f, &bank, &classes, p->arena);
        put_back(m);
        add_waits(p, &p->body, false);
    }
    arena_release(p->scratch, mark);
}
