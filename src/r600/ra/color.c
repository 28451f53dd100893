/* Numbers of registers.
 *
 * Each component of a register has a row of bits, one a position, for where it is taken. Inputs are
 * first, because they cannot choose; then arrays, clusters, and single variables, each group in
 * the order in which they begin, and each in the lowest register that is free where it is live.
 * What lives inside one ALU clause can be in one of its temporaries, which cost nothing. */
#include "r600/ra/ra.h"

#include "base/bits.h"

#include <stdlib.h>

enum { GPRS = 128 };

typedef struct color {
    tree_program *p;
    ra_state *s;
    tree_live live;
    uint64_t *taken;  /* by register, component, word of positions */
    uint32_t *clause; /* by position: the ALU clause that goes on behind it; 0: none */
} color;

static uint64_t *
taken_row(const color *c, unsigned gpr, unsigned channel)
{
    return c->taken + (size_t)(gpr * 4 + channel) * c->live.words;
}

static bool
is_free(const color *c, unsigned gpr, uint32_t v)
{
    const tree_places *lives = &c->live.at[v];
    const tree_places taken = {0, c->live.words, taken_row(c, gpr, c->s->channel[v])};
    return !r600_places_meet(&taken, lives);
}

static void
assign(color *c, unsigned gpr, uint32_t v)
{
    uint64_t *taken = taken_row(c, gpr, c->s->channel[v]);
    const tree_places *lives = &c->live.at[v];
    for (uint32_t w = lives->first; w < lives->end; w++)
        taken[w] |= lives->bits[w - lives->first];
    c->s->gpr[v] = (uint8_t)gpr;
    if (gpr < RA_FIRST_TEMP && gpr >= c->s->n_gprs)
        c->s->n_gprs = gpr + 1;
}

static uint32_t
first_position(const color *c, uint32_t v)
{
    const tree_places *lives = &c->live.at[v];
    for (uint32_t w = lives->first; w < lives->end; w++)
        if (lives->bits[w - lives->first])
            return w * 64 + base_ctz64(lives->bits[w - lives->first]);
    return UINT32_MAX;
}

/* The clause inside which a variable lives; 0: none. */
static uint32_t
home_clause(const color *c, uint32_t v)
{
    const tree_places *lives = &c->live.at[v];
    uint32_t clause = 0;
    for (uint32_t w = lives->first; w < lives->end; w++) {
        for (uint64_t set = lives->bits[w - lives->first]; set; set &= set - 1) {
            const uint32_t k = c->clause[w * 64 + base_ctz64(set)];
            if (!k || (clause && k != clause))
                return 0;
            clause = k;
        }
    }
    return clause;
}

static void
find_clauses(color *c)
{
    uint32_t clause = 1;
    c->clause = ARENA_ARRAY(c->p->arena, c->live.n_positions + 64, uint32_t);
    TREE_FOREACH(n, c->p) {
        if (n->kind != TREE_ALU)
            continue;
        c->clause[n->mark] = n->ends_clause ? 0 : clause;
        clause += n->ends_clause;
    }
}

/* ---- what is placed ---- */

/* A cluster or a variable, by the position where it begins. */
typedef struct thing {
    uint32_t first, number;
    bool is_cluster;
} thing;

static int
compare_things(const void *a, const void *b)
{
    const thing *x = a, *y = b;
    if (x->is_cluster != y->is_cluster)
        return x->is_cluster ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

static bool
is_member(const ra_state *s, uint32_t cluster, uint32_t v)
{
    return s->cluster[v] == cluster + 1;
}

static bool
fits_array(const color *c, const tree_array *a, unsigned first)
{
    for (uint32_t k = 0; k < a->n; k++)
        if (!is_free(c, first + k, a->element[k]))
            return false;
    return true;
}

/* Arrays of which nothing is left have no live element, and need no registers. */
static bool
is_live_array(const color *c, const tree_array *a)
{
    for (uint32_t k = 0; a->element && k < a->n; k++)
        if (first_position(c, a->element[k]) != UINT32_MAX)
            return true;
    return false;
}

static bool
place_array(color *c, const tree_array *a)
{
    for (unsigned first = 0; first + a->n <= RA_FIRST_TEMP; first++) {
        if (!fits_array(c, a, first))
            continue;
        for (uint32_t k = 0; k < a->n; k++)
            assign(c, first + k, a->element[k]);
        return true;
    }
    return false;
}

static bool
place_arrays(color *c)
{
    for (uint32_t i = 0; i < c->p->n_arrays; i++)
        if (is_live_array(c, &c->p->arrays[i]) && !place_array(c, &c->p->arrays[i]))
            return false;
    return true;
}

static bool
place_cluster(color *c, uint32_t number)
{
    const ra_cluster *k = &c->s->clusters[number];
    const unsigned first = k->gpr == RA_NO_GPR ? 0 : k->gpr;
    const unsigned end = k->gpr == RA_NO_GPR ? RA_FIRST_TEMP : k->gpr + 1u;
    for (unsigned gpr = first; gpr < end; gpr++) {
        bool fits = true;
        for (unsigned i = 0; i < k->n && fits; i++)
            fits = !is_member(c->s, number, k->member[i]) || is_free(c, gpr, k->member[i]);
        if (!fits)
            continue;
        for (unsigned i = 0; i < k->n; i++)
            if (is_member(c->s, number, k->member[i]))
                assign(c, gpr, k->member[i]);
        return true;
    }
    return false;
}

static bool
place_variable(color *c, uint32_t v)
{
    r600_ra_channel(c->s, v);
    for (unsigned gpr = home_clause(c, v) ? RA_FIRST_TEMP : GPRS; gpr < GPRS; gpr++) {
        if (is_free(c, gpr, v)) {
            assign(c, gpr, v);
            return true;
        }
    }
    for (unsigned gpr = 0; gpr < RA_FIRST_TEMP; gpr++) {
        if (is_free(c, gpr, v)) {
            assign(c, gpr, v);
            return true;
        }
    }
    return false;
}

static unsigned
collect(const color *c, thing *list)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < c->s->n_clusters; i++) {
        const ra_cluster *k = &c->s->clusters[i];
        uint32_t first = UINT32_MAX;
        if (k->is_element)
            continue;
        for (unsigned m = 0; m < k->n; m++) {
            const uint32_t at = first_position(c, k->member[m]);
            if (is_member(c->s, i, k->member[m]) && at < first)
                first = at;
        }
        if (first != UINT32_MAX)
            list[n++] = (thing){k->gpr == RA_NO_GPR ? 1 + first : 0, i, true};
    }
    for (uint32_t v = 1; v < c->p->n_values; v++)
        if (!c->s->cluster[v] && first_position(c, v) != UINT32_MAX)
            list[n++] = (thing){first_position(c, v), v, false};
    return n;
}

bool
r600_ra_color(tree_program *p, ra_state *s)
{
    color c = {.p = p, .s = s};
    r600_tree_find_live(p, &c.live);
    find_clauses(&c);
    c.taken = ARENA_ARRAY(p->arena, (size_t)GPRS * 4 * c.live.words, uint64_t);
    s->n_gprs = p->has_fetch_shader ? p->input_gprs : 0;
    thing *list = ARENA_ARRAY(p->arena, s->n_clusters + p->n_values + 1, thing);
    const unsigned n = collect(&c, list);
    qsort(list, n, sizeof *list, compare_things);
    unsigned inputs = 0;
    while (inputs < n && list[inputs].is_cluster && !list[inputs].first)
        place_cluster(&c, list[inputs++].number);
    if (!place_arrays(&c))
        return false;
    for (unsigned i = inputs; i < n; i++)
        if (list[i].is_cluster ? !place_cluster(&c, list[i].number)
                               : !place_variable(&c, list[i].number))
            return false;
    return true;
}
