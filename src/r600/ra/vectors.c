/* Clusters: variables that must share a register.
 *
 * Walks over all vectors. The variables of one join the cluster that has most of them already;
 * those that cannot (their channel is taken, they are in another register, there are more than
 * four) are moved to new variables. Fetches and exports select components, so that there only the
 * register matters; stores by mask and packs fix channels, too. */
#include "r600/ra/ra.h"

/* A use or a definition in a vector. */
typedef struct entry {
    uint32_t *at; /* the operand's id or the definition */
    uint8_t *kind;
    tree_operand from; /* of a use: what is moved if it must be */
    tree_node *move;   /* that was made for it */
    uint32_t was;      /* the variable before */
    uint8_t kind_was;
    bool is_shared;  /* it has the move of another entry */
    uint8_t channel; /* that it must have */
} entry;

typedef struct vector {
    entry e[4];
    unsigned n;
    bool is_def;
} vector;

void
r600_ra_set_channel(ra_state *s, uint32_t variable, unsigned channel)
{
    s->channel[variable] = (uint8_t)channel;
    s->used[channel]++;
}

unsigned
r600_ra_channel(ra_state *s, uint32_t variable)
{
    unsigned best = s->p->values[variable].reg & 3;
    if (s->channel[variable] != RA_NO_CHANNEL)
        return s->channel[variable];
    for (unsigned c = 0; c < 4; c++)
        if (s->used[c] < s->used[best])
            best = c;
    r600_ra_set_channel(s, variable, best);
    return best;
}

static void *
grow(const ra_state *s, const void *old, uint32_t room, size_t size)
{
    unsigned char *at = arena_array(s->p->arena, room, size);
    memcpy(at, old, s->room * size);
    return at;
}

uint32_t
r600_ra_new(ra_state *s, uint32_t like)
{
    const uint32_t v = r600_tree_value(s->p);
    if (v >= s->room) {
        const uint32_t room = s->room * 2 + 64;
        s->channel = grow(s, s->channel, room, sizeof *s->channel);
        s->gpr = grow(s, s->gpr, room, sizeof *s->gpr);
        s->cluster = grow(s, s->cluster, room, sizeof *s->cluster);
        s->room = room;
    }
    s->p->values[v].reg = like ? s->p->values[like].reg : 0;
    s->channel[v] = RA_NO_CHANNEL;
    s->gpr[v] = RA_NO_GPR;
    return v;
}

/* ---- clusters ---- */

static bool
has_member(const ra_cluster *c, uint32_t v)
{
    for (unsigned i = 0; i < c->n; i++)
        if (c->member[i] == v)
            return true;
    return false;
}

static bool
has_channel(const ra_state *s, const ra_cluster *c, unsigned channel, uint32_t but)
{
    for (unsigned i = 0; i < c->n; i++)
        if (c->member[i] != but && channel != RA_NO_CHANNEL && s->channel[c->member[i]] == channel)
            return true;
    return false;
}

/* Can the members of `b` join `a`? */
static bool
can_merge(const ra_state *s, const ra_cluster *a, const ra_cluster *b)
{
    if (a->is_element || b->is_element || a->n + b->n > 4 ||
        (a->gpr != RA_NO_GPR && b->gpr != RA_NO_GPR))
        return false;
    for (unsigned i = 0; i < b->n; i++)
        if (has_channel(s, a, s->channel[b->member[i]], 0))
            return false;
    return true;
}

/* Puts the entry's variable into the cluster. Returns false if it cannot be there; with `is_trial`
 * only says so. The cluster is changed in any case if it can. */
static bool
enter(ra_state *s, ra_cluster *c, uint32_t number, const entry *e, bool is_trial)
{
    const uint32_t v = *e->at;
    const uint8_t channel = s->channel[v];
    if (e->channel != RA_NO_CHANNEL && channel != RA_NO_CHANNEL && channel != e->channel)
        return false;
    if (e->channel != RA_NO_CHANNEL && has_channel(s, c, e->channel, v))
        return false;
    if (!has_member(c, v)) {
        ra_cluster alone = {.member = {v}, .n = 1, .gpr = RA_NO_GPR};
        const ra_cluster *other = s->cluster[v] ? &s->clusters[s->cluster[v] - 1] : &alone;
        if (!can_merge(s, c, other) || has_channel(s, other, e->channel, v))
            return false;
        for (unsigned i = 0; i < other->n; i++)
            c->member[c->n++] = other->member[i];
        c->gpr = c->gpr == RA_NO_GPR ? other->gpr : c->gpr;
    }
    if (is_trial)
        return true;
    for (unsigned i = 0; i < c->n; i++)
        s->cluster[c->member[i]] = number;
    if (channel == RA_NO_CHANNEL && e->channel != RA_NO_CHANNEL)
        r600_ra_set_channel(s, v, e->channel);
    return true;
}

/* Entries that could not join the cluster `start`; more than four: their moves have no room. */
static unsigned
count_moves(ra_state *s, const ra_cluster *start, const vector *v)
{
    ra_cluster c = *start;
    unsigned moves = 0;
    for (unsigned i = 0; i < v->n; i++) {
        if (*v->e[i].kind == TREE_VALUE && enter(s, &c, 0, &v->e[i], true))
            continue;
        moves += has_channel(s, start, v->e[i].channel, 0) ? 5 : 1;
    }
    return c.n + moves > 4 ? 5 + moves : moves;
}

/* What a move reads: of a variable that is a constant, this. */
static tree_operand
source_of(const ra_state *s, const tree_operand *from)
{
    const tree_node *def = from->kind == TREE_VALUE && !from->mods ? s->p->values[from->id].def
                                                                   : NULL;
    const bool is_move = def && def->kind == TREE_ALU && !def->is_pack &&
                         def->slots->op == R600_MOV && !def->slots->clamp && !def->slots->omod;
    return is_move && def->slots->src[0].kind == TREE_CONST ? def->slots->src[0] : *from;
}

static void
move_entry(ra_state *s, tree_node *n, vector *v, unsigned i)
{
    entry *e = &v->e[i];
    tree_node *move = r600_tree_alu(s->p, R600_MOV);
    const uint32_t fresh = r600_ra_new(s, *e->kind == TREE_VALUE ? *e->at : 0);
    if (v->is_def) {
        move->slots->src[0] = r600_tree_use(fresh);
        move->slots->def = *e->at;
        if (n->next)
            r600_tree_insert_before(n->next, move);
        else
            r600_tree_append(n->list, move);
    } else {
        move->slots->src[0] = source_of(s, &e->from);
        move->slots->def = fresh;
        r600_tree_insert_before(n, move);
    }
    e->move = move;
    e->was = *e->at;
    e->kind_was = *e->kind;
    *e->at = fresh;
    *e->kind = TREE_VALUE;
}

static void
leave_cluster(ra_state *s, uint32_t variable)
{
    const uint32_t number = s->cluster[variable];
    ra_cluster *c = number ? &s->clusters[number - 1] : NULL;
    for (unsigned i = 0; c && i < c->n; i++)
        if (c->member[i] == variable)
            c->member[i--] = c->member[--c->n];
    s->cluster[variable] = 0;
    if (s->channel[variable] != RA_NO_CHANNEL)
        s->used[s->channel[variable]]--;
    s->channel[variable] = RA_NO_CHANNEL;
}

/* Takes an entry's move away again. */
static void
undo_move(ra_state *s, entry *e)
{
    if (!e->move && !e->is_shared)
        return;
    if (e->move) {
        leave_cluster(s, *e->at);
        r600_tree_remove(e->move);
    }
    e->move = NULL;
    e->is_shared = false;
    *e->at = e->was;
    *e->kind = e->kind_was;
}

/* Two entries with one variable need one move. */
static void
move_again(vector *v, unsigned i, const tree_operand *from)
{
    for (unsigned k = i + 1; k < v->n && !v->is_def; k++) {
        entry *e = &v->e[k];
        if (!r600_tree_same(&e->from, from) || e->channel != RA_NO_CHANNEL)
            continue;
        e->was = *e->at;
        e->kind_was = *e->kind;
        e->is_shared = true;
        *e->at = *v->e[i].at;
        *e->kind = TREE_VALUE;
    }
}

/* A single component needs no neighbours. */
static bool
is_at_home(ra_state *s, const vector *v)
{
    const entry *e = &v->e[0];
    if (v->n != 1 || *e->kind != TREE_VALUE)
        return false;
    if (e->channel == RA_NO_CHANNEL || s->channel[*e->at] == e->channel)
        return true;
    const uint32_t c = s->cluster[*e->at];
    if (s->channel[*e->at] != RA_NO_CHANNEL ||
        (c && has_channel(s, &s->clusters[c - 1], e->channel, 0)))
        return false;
    r600_ra_set_channel(s, *e->at, e->channel);
    return true;
}

/* All of them move to new variables. */
static void
isolate(ra_state *s, tree_node *n, vector *v)
{
    s->clusters[s->n_clusters] = (ra_cluster){.gpr = RA_NO_GPR};
    const uint32_t number = ++s->n_clusters;
    for (unsigned i = 0; i < v->n; i++)
        undo_move(s, &v->e[i]);
    for (unsigned i = 0; i < v->n; i++) {
        const tree_operand from = v->e[i].from;
        if (v->e[i].is_shared)
            continue;
        move_entry(s, n, v, i);
        enter(s, &s->clusters[number - 1], number, &v->e[i], false);
        move_again(v, i, &from);
    }
}

static void
add_vector(ra_state *s, tree_node *n, vector *v)
{
    ra_cluster none = {.gpr = RA_NO_GPR};
    unsigned best = count_moves(s, &none, v);
    uint32_t number = 0;
    if (!v->n || is_at_home(s, v))
        return;
    for (unsigned i = 0; i < v->n; i++) {
        const uint32_t c = *v->e[i].kind == TREE_VALUE ? s->cluster[*v->e[i].at] : 0;
        const unsigned moves = c && !s->clusters[c - 1].is_element
                                   ? count_moves(s, &s->clusters[c - 1], v)
                                   : 99;
        if (moves < best || (moves == best && !number)) {
            best = moves;
            number = c;
        }
    }
    if (!number) {
        s->clusters[s->n_clusters] = none;
        number = ++s->n_clusters;
    }
    for (unsigned i = 0; i < v->n; i++) {
        ra_cluster *c = &s->clusters[number - 1];
        const tree_operand from = v->e[i].from;
        if (*v->e[i].kind == TREE_VALUE && enter(s, c, number, &v->e[i], false))
            continue;
        move_entry(s, n, v, i);
        if (!enter(s, c, number, &v->e[i], false)) {
            isolate(s, n, v);
            return;
        }
        move_again(v, i, &from);
    }
}

/* ---- vectors of nodes ---- */

/* Constants 0 and 1.0 can be selected. */
static bool
is_selectable(const tree_operand *o)
{
    return o->kind == TREE_CONST && (o->id == 0 || o->id == 0x3f800000);
}

static bool
has_selects(const r600_inst *in)
{
    switch (r600_op_row(in->op)->format) {
    case R600_FMT_TEX:
    case R600_FMT_TEX_MOD:
    case R600_FMT_CF_EXPORT: return true;
    default: return false;
    }
}

static void
add_uses(ra_state *s, tree_node *n, tree_operand o[4], const r600_inst *in, bool is_fixed)
{
    vector v = {.n = 0};
    for (unsigned c = 0; c < 4; c++) {
        if (!o[c].kind || o[c].kind == TREE_UNDEF || (has_selects(in) && is_selectable(&o[c])))
            continue;
        v.e[v.n++] = (entry){.at = &o[c].id,
                             .kind = &o[c].kind,
                             .from = o[c],
                             .channel = is_fixed ? (uint8_t)c : RA_NO_CHANNEL};
    }
    add_vector(s, n, &v);
    for (unsigned c = 0; c < 4; c++)
        if (o[c].kind == TREE_VALUE)
            o[c].mods = 0;
}

static void
add_node(ra_state *s, tree_node *n)
{
    for (unsigned i = 0; i < n->n; i++) {
        tree_vector *v = &n->vectors[i];
        const uint8_t format = r600_op_row(v->inst.op)->format;
        const bool is_flow = n->kind == TREE_FLOW;
        const bool is_fixed = is_flow && format != R600_FMT_CF_EXPORT;
        uint8_t defined = TREE_VALUE;
        vector defs = {.is_def = true};
        add_uses(s, n, v->src, &v->inst, is_fixed);
        if (is_flow)
            add_uses(s, n, v->index, &v->inst, true);
        for (unsigned c = 0; c < 4; c++)
            if (v->def[c])
                defs.e[defs.n++] = (entry){.at = &v->def[c],
                                           .kind = &defined,
                                           .channel = is_fixed ? (uint8_t)c : RA_NO_CHANNEL};
        add_vector(s, n, &defs);
    }
}

/* The results of a pack are in the channels of its slots. A result that all slots have can be taken
 * from any. */
static void
add_pack(ra_state *s, tree_node *n)
{
    unsigned defs = 0;
    for (unsigned i = 0; i < n->n; i++)
        defs += n->slots[i].def != 0;
    if (r600_op_row((r600_op)n->slots->op)->properties & R600_P_REPL && defs == 1 && n->n == 4)
        return;
    for (unsigned i = 0; i < n->n; i++) {
        tree_slot *slot = &n->slots[i];
        if (!slot->def || s->channel[slot->def] == slot->slot)
            continue;
        const uint32_t number = s->cluster[slot->def];
        const bool is_taken = number && has_channel(s, &s->clusters[number - 1], slot->slot, 0);
        if (s->channel[slot->def] != RA_NO_CHANNEL || is_taken) {
            tree_node *move = r600_tree_alu(s->p, R600_MOV);
            const uint32_t fresh = r600_ra_new(s, slot->def);
            move->slots->src[0] = r600_tree_use(fresh);
            move->slots->def = slot->def;
            slot->def = fresh;
            if (n->next)
                r600_tree_insert_before(n->next, move);
            else
                r600_tree_append(n->list, move);
        }
        r600_ra_set_channel(s, slot->def, slot->slot);
    }
}

/* ---- all ---- */

static void
count_room(void *user, tree_node *n, uint32_t *def)
{
    (void)n;
    (void)def;
    ++*(uint32_t *)user;
}

static void
count_use(void *user, tree_node *n, tree_operand *o)
{
    (void)n;
    (void)o;
    ++*(uint32_t *)user;
}

static void
pin_inputs(ra_state *s)
{
    uint32_t number[R600_FIRST_TEMP] = {0};
    for (uint32_t v = 1; v < s->p->n_values; v++) {
        const tree_value *value = &s->p->values[v];
        if (!value->is_input)
            continue;
        uint32_t *c = &number[value->reg / 4];
        if (!*c) {
            s->clusters[s->n_clusters] = (ra_cluster){.gpr = (uint8_t)(value->reg / 4)};
            *c = ++s->n_clusters;
        }
        ra_cluster *cluster = &s->clusters[*c - 1];
        cluster->member[cluster->n++] = v;
        s->cluster[v] = *c;
        r600_ra_set_channel(s, v, value->reg & 3);
    }
}

/* Elements of arrays are in registers that follow each other, all in one channel. */
static void
pin_elements(ra_state *s)
{
    for (uint32_t i = 0; i < s->p->n_arrays; i++) {
        const tree_array *a = &s->p->arrays[i];
        for (uint32_t k = 0; a->element && k < a->n; k++) {
            const uint32_t v = a->element[k];
            s->clusters[s->n_clusters] = (ra_cluster){
                .member = {v}, .n = 1, .gpr = RA_NO_GPR, .is_element = true};
            s->cluster[v] = ++s->n_clusters;
            r600_ra_set_channel(s, v, a->reg & 3);
        }
    }
}

/* Members that have no channel yet get those that are left: of several the one that the fewest
 * variables have. */
static void
give_channels(ra_state *s, ra_cluster *c)
{
    for (unsigned i = 0; i < c->n; i++) {
        const uint32_t v = c->member[i];
        unsigned best = 4;
        if (s->channel[v] != RA_NO_CHANNEL || s->cluster[v] != 1 + (uint32_t)(c - s->clusters))
            continue;
        for (unsigned k = 0; k < 4; k++)
            if (!has_channel(s, c, k, 0) && (best == 4 || s->used[k] < s->used[best]))
                best = k;
        r600_ra_set_channel(s, v, best);
    }
}

void
r600_ra_vectors(tree_program *p, ra_state *s)
{
    uint32_t room = p->n_values;
    TREE_FOREACH(n, p) {
        r600_tree_defs(n, count_room, &room);
        r600_tree_defs(n, count_room, &room);
        if (n->kind == TREE_FETCH || n->kind == TREE_FLOW) {
            r600_tree_operands(n, count_use, &room);
            r600_tree_operands(n, count_use, &room);
        }
    }
    *s = (ra_state){.p = p, .room = room};
    s->channel = ARENA_ARRAY(p->arena, room, uint8_t);
    s->gpr = ARENA_ARRAY(p->arena, room, uint8_t);
    s->cluster = ARENA_ARRAY(p->arena, room, uint32_t);
    s->clusters = ARENA_ARRAY(p->arena, room, ra_cluster);
    memset(s->channel, RA_NO_CHANNEL, room);
    memset(s->gpr, RA_NO_GPR, room);
    pin_inputs(s);
    pin_elements(s);
    for (tree_node *n = p->body.first, *next; n; n = next) {
        next = r600_tree_next(n);
        if (n->kind == TREE_ALU && n->is_pack)
            add_pack(s, n);
    }
    for (tree_node *n = p->body.first, *next; n; n = next) {
        next = r600_tree_next(n);
        if (n->kind == TREE_FETCH || n->kind == TREE_FLOW)
            add_node(s, n);
    }
    for (uint32_t i = 0; i < s->n_clusters; i++)
        give_channels(s, &s->clusters[i]);
}
