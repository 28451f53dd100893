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

/* Locks the next run of 16 constants, in order of buffers and runs: pairs from the lowest on. */
static bool
lock_line(schedule_locks *l, uint8_t buffer, uint32_t line)
{
    schedule_lock *last = l->n ? &l->at[l->n - 1] : NULL;
    if (last && last->buffer == buffer && last->lines == 1 && last->first + 1 == line) {
        last->lines = 2;
        return true;
    }
    if (l->n == l->most)
        return false;
    l->at[l->n++] = (schedule_lock){.buffer = buffer, .lines = 1, .first = line};
    return true;
}

/* Pairs are made anew each time, so that what is locked depends on the constants alone and not on
 * their order: the emitter goes over them in another one than the scheduler. */
bool
r600_schedule_lock(schedule_locks *l, const tree_operand *o)
{
    const uint32_t line = o->id / 4 / R600_KCACHE_LINE;
    schedule_locks made = {.most = l->most};
    bool locked = false;
    for (unsigned i = 0; i < l->n; i++) {
        const schedule_lock *k = &l->at[i];
        for (uint32_t at = k->first; at < k->first + k->lines; at++) {
            const bool here = k->buffer == o->buffer && at == line;
            const bool behind = k->buffer > o->buffer || (k->buffer == o->buffer && at > line);
            if (!locked && behind && !lock_line(&made, o->buffer, line))
                return false;
            locked |= here || behind;
            if (!lock_line(&made, k->buffer, at))
                return false;
        }
    }
    if (!locked && !lock_line(&made, o->buffer, line))
        return false;
    *l = made;
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

/* What an operation reads through ports: by source its key, 0 for none, and the channel. */
typedef struct port_reads {
    uint64_t key[3];
    uint8_t channel[3];
    unsigned n, constants; /* `constants`: of an operation in slot t */
} port_reads;

static bool
take(ports *t, unsigned cycle, const port_reads *r, unsigned k)
{
    uint64_t *port = &t->key[cycle][r->channel[k]];
    if (*port && *port != r->key[k])
        return false;
    *port = r->key[k];
    return true;
}

static bool
read_vector(ports *t, const port_reads *r, unsigned bank)
{
    for (unsigned k = 0; k < r->n; k++)
        if (r->key[k] && !take(t, vector_cycles[bank][k], r, k))
            return false;
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
read_scalar(ports *t, const port_reads *r, const schedule_op *op)
{
    for (unsigned k = 0; k < r->n; k++) {
        const unsigned cycle = scalar_cycles[op->bank][k];
        if ((r->key[k] || op->s->src[k].kind == TREE_PREV) && cycle < r->constants)
            return false;
        if (r->key[k] && !take(t, cycle, r, k))
            return false;
    }
    return true;
}

/* In a vector slot a second source that is the first one needs no port of its own. */
static port_reads
find_reads(ra_state *ra, const schedule_op *op, bool is_scalar)
{
    const tree_slot *s = op->s;
    port_reads r = {.n = r600_tree_sources(s->op)};
    if (is_scalar)
        r.constants = count_scalar_constants(ra->p, s);
    for (unsigned k = 0; k < r.n && r.constants <= 2; k++) {
        const tree_operand *o = &s->src[k];
        if (!is_scalar && k == 1 && s->src[0].kind == TREE_VALUE && s->src[0].id == o->id)
            continue;
        r.key[k] = port_key(ra->p, op->node, o);
        if (r.key[k])
            r.channel[k] = (uint8_t)r600_ra_channel(ra, (uint32_t)r.key[k]);
    }
    return r;
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
    const port_reads r = find_reads(ra, op, is_scalar);
    if (r.constants > 2)
        return false;
    for (unsigned bank = 0; bank < (is_scalar ? SCALAR_BANKS : VECTOR_BANKS); bank++) {
        ports t = *before;
        if (forced && bank != forced - 1)
            continue;
        op->bank = (uint8_t)bank;
        const bool is_free = is_scalar ? read_scalar(&t, &r, op) : read_vector(&t, &r, bank);
        if (is_free && solve(ra, g, slot + 1, &t))
            return true;
    }
    return false;
}

/* Can the ports of each channel read the variables that have it? Where they cannot, all banks would
 * be tried in vain. */
static bool
has_ports(const ra_state *ra, const schedule_group *g)
{
    uint64_t keys[CHANNELS][CYCLES];
    unsigned n[CHANNELS] = {0};
    for (unsigned i = 0; i < R600_SLOTS; i++) {
        const schedule_op *op = &g->op[i];
        for (unsigned k = 0; op->s && k < r600_tree_sources(op->s->op); k++) {
            const uint64_t key = port_key(ra->p, op->node, &op->s->src[k]);
            const uint8_t channel = key ? ra->channel[(uint32_t)key] : RA_NO_CHANNEL;
            unsigned at = 0;
            if (channel == RA_NO_CHANNEL)
                continue;
            while (at < n[channel] && keys[channel][at] != key)
                at++;
            if (at == CYCLES)
                return false;
            if (at == n[channel])
                keys[channel][n[channel]++] = key;
        }
    }
    return true;
}

bool
r600_schedule_fits(const tree_program *p, ra_state *ra, schedule_group *g)
{
    const ports none = {0};
    return collect_constants(p, g) && has_ports(ra, g) && solve(ra, g, 0, &none);
}
