/* Where values are live: at which positions of the program.
 *
 * A position is a place behind a node, in the order of the walk; behind a depart, a repeat or the
 * beginning of a loop it is on the edge, where phis already have their values. Lanes execute
 * branches as threads do, so what is live in one branch alone does not disturb the other. */
#ifndef R600_TREE_LIVE_H
#define R600_TREE_LIVE_H

#include "r600/tree/tree.h"

typedef struct tree_live {
    uint32_t n_positions, words; /* words of 64 positions */
    uint64_t *at;                /* by value: a bit for each position where it is live */
} tree_live;

/* Numbers positions (node->mark) and fills `out`. Works on SSA form and on variables. */
void
r600_tree_find_live(tree_program *p, tree_live *out);

static inline uint64_t *
r600_tree_live_row(const tree_live *l, uint32_t value)
{
    return l->at + (size_t)value * l->words;
}

/* Are two values live at one position? */
bool
r600_tree_overlap(const tree_live *l, uint32_t a, uint32_t b);

#endif
