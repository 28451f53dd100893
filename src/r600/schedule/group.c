/* What fits into a group: literals, constants, and read ports of registers by bank swizzle.
 *
 * A register's component is read in one of three cycles; in a cycle each channel gives one
 * register. Two variables of one channel that a group reads are in different registers, so
 * variables stand for registers here before these are known. */
#include "r600/schedule/schedule.h"

#include "base/bits.h"

enum { CYCLES = 3, CHANNELS = 4, VECTOR_BANKS = 6, SCALAR_BANKS = 4, MAX_CONSTANTS = 4 };

/* The cycles of the three sources by bank swizzle. */
static const uint8_t vector_cycles[VECTOR_BANKS][CYCLES] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0},
                                                            {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
static const uint8_t scalar_cycles[SCALAR_BANKS][CYCLES] = {
    {2, 1, 0}, {1, 2, 2}, {2, 1, 2}, {2, 2, 1}};

typedef struct ports {
    uint64_t key[CYCLES][CHANNELS]; /* port_key; 0: the port is free */
} ports;

/* ---- constants ---- */

bool
r600_schedule_inline(unsigned op, uint32_t bits, uint32_t *select, bool *negate)
{
    static const uint32_t values[] = {0, 0x3f800000, 1, 0xffffffff, 0x3f000000};
    for (unsigned sign = 0; sign < (r600_tree_is_float(op) ? 2 : 1); sign++) {
        for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
            if (values[i] != (bits ^ (uint32_t)sign << 31))
                continue;
            *select = R600_SEL_0 + i;
            *negate = sign;
            return true;
        }
    }
    return false;
}

static bool
add_literal(schedule_group *g, uint32_t bits)
{
    for (unsigned i = 0; i < g->n_literals; i++)
        if (g->literals[i] == bits)
            return true;
    if (g->n_literals == 4)
        return false;
    g->literals[g->n_literals++] = bits;
    return true;
}

bool
r600_schedule_lock(schedule_locks *l, const tree_operand *o)
{
    const uint32_t line = o->id / 4 / R600_KCACHE_LINE;
    for (unsigned i = 0; i < l->n; i++) {
        schedule_lock *k = &l->at[i];
        if (k->buffer == o->buffer && line >= k->first && line < k->first + k->lines)
            return true;
    }
    for (unsigned i = 0; i < l->n; i++) {
        schedule_lock *k = &l->at[i];
        if (k->buffer != o->buffer || k->lines == 2 ||
            (line != k->first + 1 && line + 1 != k->first))
            continue;
        k->first = line < k->first ? line : k->first;
        k->lines = 2;
        return true;
    }
    if (l->n == l->most)
        return false;
    l->at[l->n++] = (schedule_lock){.buffer = o->buffer, .lines = 1, .first = line};
    return true;
}

static bool
is_constant(r600_gen gen, const tree_operand *o)
{
    return o->kind == TREE_KCACHE ||
           (o->kind == TREE_SPECIAL && gen <= R600_GEN_R700 && o->id / 4 >= 256);
}

/* R600 has four ports for a component each; later chips two for half a register. */
static bool
add_port(r600_gen gen, uint64_t list[MAX_CONSTANTS], unsigned *n, const tree_operand *o)
{
    const uint32_t id = gen == R600_GEN_R600 ? o->id : o->id / 2;
    const uint64_t key = (uint64_t)o->buffer << 40 | (uint64_t)o->kind << 32 | id;
    for (unsigned i = 0; i < *n; i++)
        if (list[i] == key)
            return true;
    if (*n == (gen == R600_GEN_R600 ? 4 : 2))
        return false;
    list[(*n)++] = key;
    return true;
}

static bool
collect_constants(const tree_program *p, schedule_group *g)
{
    uint64_t list[MAX_CONSTANTS];
    unsigned n = 0;
    uint32_t select;
    bool negate;
    g->n_literals = 0;
    for (unsigned i = 0; i < R600_SLOTS; i++) {
        const tree_slot *s = g->op[i].s;
        for (unsigned k = 0; s && k < r600_tree_sources(s->op); k++) {
            const tree_operand *o = &s->src[k];
            if (is_constant(p->chip->gen, o) && !add_port(p->chip->gen, list, &n, o))
                return false;
            if (o->kind == TREE_KCACHE && !r600_schedule_lock(&g->locks, o))
                return false;
            if (o->kind == TREE_CONST && !r600_schedule_inline(s->op, o->id, &select, &negate) &&
                !add_literal(g, o->id))
                return false;
        }
    }
    return true;
}

/* ---- registers ---- */

/* What an operand reads through a port: its variable; 0: nothing. An element that AR selects is in
 * a register of its own, by the array and the element that index 0 names. */
static uint64_t
port_key(const tree_program *p, const tree_node *n, const tree_operand *o)
{
    if (o->kind == TREE_ELEMENT)
        return p->arrays[o->buffer].element[0] | (uint64_t)(n->access->base + 1) << 32;
    return o->kind == TREE_VALUE ? o->id : 0;
}

static bool
take(ra_state *ra, ports *t, unsigned cycle, uint64_t key)
{
    uint64_t *port = &t->key[cycle][r600_ra_channel(ra, (uint32_t)key)];
    if (*port && *port != key)
        return false;
    *port = key;
    return true;
}

static bool
read_vector(ra_state *ra, ports *t, const schedule_op *op)
{
    const tree_slot *s = op->s;
    for (unsigned k = 0; k < r600_tree_sources(s->op); k++) {
        const tree_operand *o = &s->src[k];
        const bool is_shared = k == 1 && s->src[0].kind == TREE_VALUE && s->src[0].id == o->id;
        const uint64_t key = port_key(ra->p, op->node, o);
        if (key && !is_shared && !take(ra, t, vector_cycles[op->bank][k], key))
            return false;
    }
    return true;
}

static unsigned
count_scalar_constants(const tree_program *p, const tree_slot *s)
{
    unsigned n = 0;
    for (unsigned k = 0; k < r600_tree_sources(s->op); k++)
        n += is_constant(p->chip->gen, &s->src[k]) || s->src[k].kind == TREE_CONST ||
             s->src[k].kind == TREE_UNDEF;
    return n;
}

/* In slot t the first cycles read constants. */
static bool
read_scalar(ra_state *ra, ports *t, const schedule_op *op)
{
    const tree_slot *s = op->s;
    const unsigned constants = count_scalar_constants(ra->p, s);
    if (constants > 2)
        return false;
    for (unsigned k = 0; k < r600_tree_sources(s->op); k++) {
        const tree_operand *o = &s->src[k];
        const unsigned cycle = scalar_cycles[op->bank][k];
        const uint64_t key = port_key(ra->p, op->node, o);
        if ((key || o->kind == TREE_PREV) && cycle < constants)
            return false;
        if (key && !take(ra, t, cycle, key))
            return false;
    }
    return true;
}

static bool
solve(ra_state *ra, schedule_group *g, unsigned slot, const ports *before)
{
    while (slot < R600_SLOTS && !g->op[slot].s)
        slot++;
    if (slot == R600_SLOTS)
        return true;
    schedule_op *op = &g->op[slot];
    const bool is_scalar = slot == R600_SLOT_T;
    const unsigned forced = op->node->bank;
    for (unsigned bank = 0; bank < (is_scalar ? SCALAR_BANKS : VECTOR_BANKS); bank++) {
        ports t = *before;
        if (forced && bank != forced - 1)
            continue;
        op->bank = (uint8_t)bank;
        const bool is_free = is_scalar ? read_scalar(ra, &t, op) : read_vector(ra, &t, op);
        if (is_free && solve(ra, g, slot + 1, &t))
            return true;
    }
    return false;
}

bool
r600_schedule_fits(const tree_program *p, ra_state *ra, schedule_group *g)
{
    const ports none = {0};
    return collect_constants(p, g) && solve(ra, g, 0, &none);
}
