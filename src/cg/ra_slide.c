/* Makes adjacent registers free for a definition by letting values slide together.
 *
 *     v0 v1 v2 v3 v4 v5 v6 v7                 v0 v1 v2 v3 v4 v5 v6 v7
 *     a  a  .  b  b  b  .  .      two of 3 ->    a  a  b  b  b  .  .  .
 *
 * Free registers may be enough but scattered, so that values of several registers, moved out of a
 * window, find no other place. In a short range of registers with enough free ones, the values that
 * live on move towards one end, in their order, and the definition gets the other end. Registers of
 * dying operands are free for the definition, but not for values that move. Of all ranges the one
 * is chosen in which the fewest registers move.
 */
#include "cg/ra.h"

enum { LONGEST = 32 }; /* registers in a range */

/* A range: values slide up, to `hi`, and leave room at `lo`, or the other way round. */
typedef struct slide {
    unsigned lo, hi, size; /* `size`: of the definition */
    bool up;
    unsigned cost; /* registers that move */
} slide;

/* The value that lives on in `reg`, 0 if none does. */
static uint32_t
living(const ra_ctx *c, unsigned reg)
{
    return cg_ra_is_free(c->file.after, reg, 1) ? 0 : c->file.owner[reg];
}

static bool
is_blocked(const ra_ctx *c, unsigned reg)
{
    if (cg_ra_is_free(c->file.after, reg, 1))
        return false;
    uint32_t id = c->file.owner[reg];
    const ra_value *v = cg_ra_val(c, id);
    return !id || cg_ra_is_dying(c, id) || v->pinned || v->fixed_at == c->clock ||
           v->moved_at == c->clock || cg_ra_class(c, v->rc)->align > 1;
}

/* May a value move into the registers, once those that live on in the range have made room? */
static bool
is_open(const ra_ctx *c, unsigned reg, unsigned size)
{
    for (unsigned r = reg; r < reg + size; r++) {
        if (cg_ra_is_free(c->file.after, r, 1) && !cg_ra_is_free(c->file.before, r, 1))
            return false;
    }
    return true;
}

/* The place of the next value of `size` registers: `edge` is where the last one is, or the range's
 * end. RA_NOWHERE if there is none. */
static unsigned
next_place(const ra_ctx *c, const slide *s, unsigned edge, unsigned size)
{
    unsigned lo = s->up ? s->lo + s->size : s->lo, hi = s->up ? s->hi : s->hi - s->size;
    while (s->up ? edge >= lo + size : edge + size <= hi) {
        unsigned at = s->up ? edge - size : edge;
        if (is_open(c, at, size))
            return at;
        edge = s->up ? edge - 1 : edge + 1;
    }
    return RA_NOWHERE;
}

/* The range's values from the bottom up, and where they are. */
typedef struct slide_values {
    uint32_t id[LONGEST];
    uint16_t at[LONGEST];
    unsigned n;
} slide_values;

/* Places the values in order and counts what moves; false: they have no room. With `move`, which
 * comes after the values have left their registers, they get these places. */
static bool
place_values(ra_ctx *c, slide *s, const slide_values *v, bool move)
{
    unsigned edge = s->up ? s->hi : s->lo;
    s->cost = 0;
    for (unsigned k = 0; k < v->n; k++) {
        unsigned which = s->up ? v->n - 1 - k : k;
        unsigned size = cg_ra_units(c, cg_ra_val(c, v->id[which])->rc);
        unsigned at = next_place(c, s, edge, size);
        if (at == RA_NOWHERE)
            return false;
        s->cost += at != v->at[which] ? size : 0;
        if (move)
            cg_ra_put(c, v->id[which], at);
        edge = s->up ? at : at + size;
    }
    return true;
}

/* Considers the ranges that begin at `lo`, up to the first with enough free registers. */
static void
try_ranges(ra_ctx *c, const ra_shape *shape, unsigned lo, slide *best, slide_values *best_values)
{
    slide_values v = {.n = 0};
    unsigned n_free = 0, hi = lo;
    while (hi < shape->hi && hi < lo + LONGEST && !is_blocked(c, hi)) {
        uint32_t id = living(c, hi);
        if (id) {
            v.id[v.n] = id;
            v.at[v.n++] = (uint16_t)hi;
        }
        n_free += !id;
        hi += id ? cg_ra_units(c, cg_ra_val(c, id)->rc) : 1;
        if (n_free < shape->size)
            continue;
        for (unsigned up = 0; up < 2; up++) {
            slide s = {.lo = lo, .hi = hi, .size = shape->size, .up = up};
            if (!place_values(c, &s, &v, false) || s.cost >= best->cost)
                continue;
            *best = s;
            *best_values = v;
        }
        return;
    }
}

unsigned
cg_ra_slide(ra_ctx *c, const ra_shape *shape, unsigned limit)
{
    slide best = {.cost = limit};
    slide_values v = {.n = 0};
    for (unsigned lo = shape->lo; shape->align == 1 && lo + shape->size <= shape->hi; lo++) {
        uint32_t id = living(c, lo);
        if (!id || cg_ra_val(c, id)->reg == lo) /* not inside of a value */
            try_ranges(c, shape, lo, &best, &v);
    }
    if (!v.n)
        return RA_NOWHERE;
    for (unsigned k = 0; k < v.n; k++)
        cg_ra_evict(c, v.id[k]);
    place_values(c, &best, &v, true);
    return best.up ? best.lo : best.hi - best.size;
}
