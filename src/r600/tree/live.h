/* Where values are live: at which positions of the program.
 *
 * A position is a place behind a node, in the order of the walk; behind a depart, a repeat or the
 * beginning of a loop it is on the edge, where phis already have their values. Lanes execute
 * branches as threads do, so what is live in one branch alone does not disturb the other. */
#ifndef R600_TREE_LIVE_H
#define R600_TREE_LIVE_H

#include "r600/tree/tree.h"

/* A set of positions as words of 64 bits: words `first` to `end` - 1, the others are 0. */
typedef struct tree_places {
    uint32_t first, end;
    uint64_t *bits;
} tree_places;

typedef struct tree_live {
    uint32_t n_positions, words; /* words of all positions */
    tree_places *at;             /* by value: where it is live */
} tree_live;

/* Numbers positions (node->mark) and fills `out`. Works on SSA form and on variables. */
void
r600_tree_find_live(tree_program *p, tree_live *out);

static inline bool
r600_places_have(const tree_places *p, uint32_t position)
{
    const uint32_t w = position / 64;
    return w >= p->first && w < p->end && p->bits[w - p->first] >> position % 64 & 1;
}

/* Have the two sets a position in common? */
static inline bool
r600_places_meet(const tree_places *a, const tree_places *b)
{
    const uint32_t first = a->first > b->first ? a->first : b->first;
    const uint32_t end = a->end < b->end ? a->end : b->end;
    for (uint32_t w = first; w < end; w++)
        if (a->bits[w - a->first] & b->bits[w - b->first])
            return true;
    return false;
}

#endif
