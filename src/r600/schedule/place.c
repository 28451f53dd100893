/* Slots and channels.
 *
 * A vector operation is in the slot of its result's channel, or in slot t; its sources that the
 * group before has computed come from PV and PS. Of the channels that are free it gets the one in
 * which the fewest variables live (pressure.c). */
#include "r600/schedule/place.h"

schedule_forward *
r600_forward_of(scheduler *s, uint32_t v)
{
    s->forward = (schedule_forward *)arena_grow_zeroed(s->p->arena, s->forward, &s->cap_forward,
                                                       v + 1, sizeof *s->forward);
    return &s->forward[v];
}

/* Sources that the group before has computed come from PV and PS. */
static void
forward_sources(scheduler *s, tree_slot *slot)
{
    for (unsigned k = 0; k < r600_tree_sources(slot->op); k++) {
        tree_operand *o = &slot->src[k];
        if (o->kind != TREE_VALUE)
            continue;
        const schedule_forward *f = r600_forward_of(s, o->id);
        if (!s->used || f->number != s->number - 1 || !f->number)
            continue;
        o->kind = TREE_PREV;
        o->id = f->slot;
    }
}

/* The group with the operations of a node in these slots, or nothing if they do not fit. */
static bool
try_slots(scheduler *s, tree_node *n, const tree_slot *ops, const uint8_t *slots)
{
    tree_slot copies[TREE_MAX_SLOTS];
    schedule_group g = s->group;
    for (unsigned i = 0; i < n->n; i++) {
        copies[i] = ops[i];
        copies[i].slot = slots[i];
        forward_sources(s, &copies[i]);
        if (g.op[slots[i]].s)
            return false;
        g.op[slots[i]] = (schedule_op){.s = &copies[i], .node = n};
        g.n_ops++;
    }
    if (!r600_schedule_fits(s->p, s->ra, &g))
        return false;
    for (unsigned i = 0; i < n->n; i++) {
        n->slots[i] = copies[i];
        g.op[slots[i]].s = &n->slots[i];
    }
    s->group = g;
    return true;
}

/* The channel that an operation's result must have, or RA_NO_CHANNEL. One that reads the variable
 * that it defines, which nothing else need have defined, is given its channel before its ports. */
static unsigned
result_channel(const scheduler *s, const tree_node *n, const tree_slot *op)
{
    if (n->access && n->access->is_write)
        return s->p->arrays[n->access->array].reg & 3;
    for (unsigned k = 0; op->def && k < r600_tree_sources(op->op); k++)
        if (op->src[k].kind == TREE_VALUE && op->src[k].id == op->def)
            return r600_ra_channel(s->ra, op->def);
    return op->def ? s->ra->channel[op->def] : RA_NO_CHANNEL;
}

static bool
place_single(scheduler *s, tree_node *n)
{
    const tree_slot op = *n->slots;
    const char letter = r600_slots_of(s->p->isa, (r600_op)op.op);
    const bool has_t = s->p->chip->gen != R600_GEN_CM && letter != 'V' && !n->access;
    const uint8_t t = R600_SLOT_T;
    const unsigned known = result_channel(s, n, &op);
    uint8_t order[4];
    r600_pressure_order(&s->pressure, order);
    for (unsigned i = 0; i < 4 && letter != 'S'; i++) {
        if (known != RA_NO_CHANNEL && order[i] != known)
            continue;
        if (!try_slots(s, n, &op, &order[i]))
            continue;
        if (op.def && known == RA_NO_CHANNEL)
            r600_ra_set_channel(s->ra, op.def, order[i]);
        return true;
    }
    if (!has_t)
        return false;
    /* an operation that could be elsewhere is in slot t only behind one in its channel's slot */
    for (unsigned i = 0; i < 4; i++) {
        const bool is_chosen = letter == 'S' || s->group.op[order[i]].s;
        if (!is_chosen || (known != RA_NO_CHANNEL && order[i] != known) ||
            !try_slots(s, n, &op, &t))
            continue;
        if (op.def && known == RA_NO_CHANNEL)
            r600_ra_set_channel(s->ra, op.def, order[i]);
        return true;
    }
    return false;
}

static bool
place_pack(scheduler *s, tree_node *n)
{
    tree_slot ops[TREE_MAX_SLOTS];
    uint8_t slots[TREE_MAX_SLOTS];
    unsigned defs = 0, at = 0;
    for (unsigned i = 0; i < n->n; i++) {
        ops[i] = n->slots[i];
        slots[i] = ops[i].slot;
        defs += ops[i].def != 0;
        at = ops[i].def ? i : at;
    }
    const uint32_t def = ops[at].def;
    const bool is_double = r600_op_row((r600_op)n->slots->op)->properties & R600_P_F64;
    if (defs == 1 && n->n == 4 && !is_double && s->ra->channel[def] != slots[at]) {
        ops[at].def = 0;
        ops[r600_ra_channel(s->ra, def)].def = def;
    }
    return try_slots(s, n, ops, slots);
}

bool
r600_schedule_place(scheduler *s, tree_node *n)
{
    return n->is_pack ? place_pack(s, n) : place_single(s, n);
}

bool
r600_schedule_place_address(scheduler *s, const tree_operand *index)
{
    const uint8_t x = R600_SLOT_X;
    tree_node *n = r600_tree_alu(s->p, R600_MOVA_INT);
    n->slots->src[0] = *index;
    const tree_slot op = *n->slots;
    if (!try_slots(s, n, &op, &x))
        return false;
    s->ar = *index;
    s->ar_number = s->number;
    return true;
}
