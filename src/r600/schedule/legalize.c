/* Operations that would not fit into a group even alone: their sources are moved to registers. */
#include "r600/schedule/schedule.h"

static void
move_source(ra_state *ra, tree_node *n, tree_operand *o, unsigned channel)
{
    tree_node *move = r600_tree_alu(ra->p, R600_MOV);
    const uint32_t fresh = r600_ra_new(ra, 0);
    const uint8_t mods = o->kind == TREE_VALUE ? o->mods : 0;
    move->slots->src[0] = *o;
    move->slots->src[0].mods &= (uint8_t)~mods;
    move->slots->def = fresh;
    r600_tree_insert_before(n, move);
    if (channel < 4)
        r600_ra_set_channel(ra, fresh, channel);
    *o = r600_tree_use(fresh);
    o->mods = mods;
}

static schedule_group
empty_group(const tree_program *p)
{
    return (schedule_group){.locks.most = p->chip->gen >= R600_GEN_EG ? 4 : 2};
}

/* Variables of packs keep the channels that they came with. */
static void
keep_channels(ra_state *ra, const tree_slot *s)
{
    for (unsigned k = 0; k < r600_tree_sources(s->op); k++)
        if (s->src[k].kind == TREE_VALUE && ra->channel[s->src[k].id] == RA_NO_CHANNEL)
            r600_ra_set_channel(ra, s->src[k].id, ra->p->values[s->src[k].id].reg & 3);
}

static void
legalize_pack(ra_state *ra, tree_node *n)
{
    schedule_group g = empty_group(ra->p);
    for (unsigned i = 0; i < n->n; i++) {
        keep_channels(ra, &n->slots[i]);
        g.op[n->slots[i].slot] = (schedule_op){.s = &n->slots[i], .node = n};
    }
    if (r600_schedule_fits(ra->p, ra, &g))
        return;
    for (unsigned i = 0; i < n->n; i++)
        for (unsigned k = 0; k < r600_tree_sources(n->slots[i].op); k++)
            if (n->slots[i].src[k].kind != TREE_SPECIAL)
                move_source(ra, n, &n->slots[i].src[k], n->slots[i].slot);
}

/* Only constants can be too many for a single operation. */
static void
legalize_single(ra_state *ra, tree_node *n)
{
    const bool is_scalar = r600_slots_of(ra->p->isa, (r600_op)n->slots->op) == 'S';
    const unsigned most = is_scalar ? 2 : 3;
    for (unsigned k = r600_tree_sources(n->slots->op); k-- > 0;) {
        schedule_group g = empty_group(ra->p);
        tree_slot s = *n->slots;
        unsigned constants = 0;
        for (unsigned i = 0; i < r600_tree_sources(s.op); i++) {
            constants += s.src[i].kind != TREE_VALUE;
            if (s.src[i].kind == TREE_VALUE)
                s.src[i] = r600_tree_const(0);
        }
        g.op[R600_SLOT_X] = (schedule_op){.s = &s, .node = n};
        if (constants <= most && r600_schedule_fits(ra->p, ra, &g))
            return;
        if (n->slots->src[k].kind == TREE_KCACHE || constants > most)
            move_source(ra, n, &n->slots->src[k], RA_NO_CHANNEL);
    }
}

void
r600_schedule_legalize(tree_program *p, ra_state *ra)
{
    for (tree_node *n = p->body.first, *next; n; n = next) {
        next = r600_tree_next(n);
        if (n->kind == TREE_ALU && n->is_pack)
            legalize_pack(ra, n);
        else if (n->kind == TREE_ALU)
            legalize_single(ra, n);
    }
}
