/* Pressure by channel. An operation may be in four slots, and its result in four channels: it takes
 * the one in which the fewest variables live, so that registers are full. */
#include "r600/schedule/pressure.h"

/* Counting sort. */
static void
sort_by_first(pressure *t)
{
    arena *a = t->ra->p->arena;
    uint32_t *start = ARENA_ARRAY(a, t->live.words + 2, uint32_t);
    for (uint32_t v = 1; v < t->n_variables; v++)
        start[t->live.at[v].first + 2]++;
    for (uint32_t w = 2; w <= t->live.words; w++)
        start[w] += start[w - 1];
    for (uint32_t v = 1; v < t->n_variables; v++)
        t->by_first[start[t->live.at[v].first + 1]++] = v;
}

void
r600_pressure_open(pressure *t, ra_state *ra)
{
    *t = (pressure){.ra = ra, .n_variables = ra->p->n_values};
    t->variables = ARENA_ARRAY(ra->p->arena, t->n_variables, pressure_variable);
    t->by_first = ARENA_ARRAY(ra->p->arena, t->n_variables, uint32_t);
    t->open = ARENA_ARRAY(ra->p->arena, t->n_variables, uint32_t);
    r600_tree_find_live(ra->p, &t->live);
    sort_by_first(t);
}

static bool
lives_at(const pressure *t, uint32_t v, uint32_t position)
{
    return r600_places_have(&t->live.at[v], position);
}

static pressure_variable *
variable_of(pressure *t, uint32_t v)
{
    pressure_variable *k = &t->variables[v];
    if (k->sequence != t->sequence)
        *k = (pressure_variable){.sequence = t->sequence};
    return k;
}

static void
change(pressure *t, uint32_t v, bool lives)
{
    pressure_variable *k = variable_of(t, v);
    const uint8_t channel = t->ra->channel[v];
    if (k->is_live == lives)
        return;
    k->is_live = lives;
    if (channel == RA_NO_CHANNEL)
        return;
    if (lives)
        t->by_channel[channel]++;
    else
        t->by_channel[channel]--;
}

/* ---- a sequence ---- */

typedef struct reading {
    pressure *t;
    uint32_t n;
    bool is_count; /* only the number is wanted */
} reading;

static void
note_read(void *user, tree_node *n, tree_operand *o)
{
    reading *r = user;
    (void)n;
    if (o->kind != TREE_VALUE)
        return;
    if (!r->is_count) {
        r->t->reads[r->n] = o->id;
        variable_of(r->t, o->id)->reads++;
    }
    r->n++;
}

static void
note_reads(pressure *t, const graph *g)
{
    reading r = {.t = t, .is_count = true};
    for (uint32_t i = 0; i < g->n; i++)
        r600_tree_operands(g->items[i].n, note_read, &r);
    t->reads = ARENA_ARRAY(t->ra->p->arena, r.n + 1, uint32_t);
    t->first = ARENA_ARRAY(t->ra->p->arena, g->n + 1, uint32_t);
    r = (reading){.t = t};
    for (uint32_t i = 0; i < g->n; i++) {
        t->first[i] = r.n;
        r600_tree_operands(g->items[i].n, note_read, &r);
    }
    t->first[g->n] = r.n;
}

/* Makes those live that are so at `position`. Sequences come in the order of their positions, so
 * that each variable is met from where it begins to where it ends. */
static void
begin_variables(pressure *t, uint32_t position)
{
    uint32_t n = 0;
    for (; t->n_begun + 1 < t->n_variables; t->n_begun++) {
        const uint32_t v = t->by_first[t->n_begun];
        if (t->live.at[v].first > position / 64)
            break;
        t->open[t->n_open++] = v;
    }
    for (uint32_t i = 0; i < t->n_open; i++) {
        const uint32_t v = t->open[i];
        if (t->live.at[v].end <= position / 64)
            continue;
        t->open[n++] = v;
        if (lives_at(t, v, position))
            change(t, v, true);
    }
    t->n_open = n;
}

void
r600_pressure_begin(pressure *t, const graph *g)
{
    const uint32_t first = g->items[0].n->mark;
    t->sequence++;
    t->last = first;
    for (unsigned c = 0; c < 4; c++)
        t->by_channel[c] = 0;
    for (uint32_t i = 0; i < g->n; i++)
        t->last = g->items[i].n->mark > t->last ? g->items[i].n->mark : t->last;
    note_reads(t, g);
    begin_variables(t, first);
}

static void
define(void *user, tree_node *n, uint32_t *def)
{
    pressure *t = user;
    (void)n;
    if (variable_of(t, *def)->reads || lives_at(t, *def, t->last))
        change(t, *def, true);
}

void
r600_pressure_finish(pressure *t, const graph *g, uint32_t item)
{
    for (uint32_t i = t->first[item]; i < t->first[item + 1]; i++) {
        const uint32_t v = t->reads[i];
        if (!--variable_of(t, v)->reads && !lives_at(t, v, t->last))
            change(t, v, false);
    }
    r600_tree_defs(g->items[item].n, define, t);
}

typedef struct growing {
    pressure *t;
    int by;
} growing;

static void
count_new(void *user, tree_node *n, uint32_t *def)
{
    growing *g = user;
    (void)n;
    g->by += variable_of(g->t, *def)->reads || lives_at(g->t, *def, g->t->last);
}

int
r600_pressure_growth(pressure *t, const graph *g, uint32_t item)
{
    growing count = {.t = t};
    for (uint32_t i = t->first[item]; i < t->first[item + 1]; i++) {
        const uint32_t v = t->reads[i];
        count.by -= variable_of(t, v)->reads == 1 && !lives_at(t, v, t->last);
    }
    r600_tree_defs(g->items[item].n, count_new, &count);
    return count.by;
}

void
r600_pressure_order(const pressure *t, uint8_t order[4])
{
    const uint32_t *live = t->by_channel, *used = t->ra->used;
    for (unsigned i = 0; i < 4; i++) {
        unsigned k = i;
        for (; k; k--) {
            const uint8_t o = order[k - 1];
            if (live[o] < live[i] || (live[o] == live[i] && used[o] <= used[i]))
                break;
            order[k] = o;
        }
        order[k] = (uint8_t)i;
    }
}
