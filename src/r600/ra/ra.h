/* Registers.
 *
 * Values that a fetch, an export or a store uses together must share a register: they form a
 * cluster (vectors.c). Channels are given before and while groups are formed, because they decide
 * slots and read ports; the numbers of registers come last (color.c), and decide nothing else. */
#ifndef R600_RA_RA_H
#define R600_RA_RA_H

#include "r600/tree/live.h"

enum { RA_NO_CHANNEL = 0xff, RA_NO_GPR = 0xff, RA_FIRST_TEMP = 124 };

/* Up to four variables with different channels of one register. */
typedef struct ra_cluster {
    uint32_t member[4];
    uint8_t n;
    uint8_t gpr;     /* RA_NO_GPR: any */
    bool is_element; /* an element of an array: nothing joins it */
} ra_cluster;

typedef struct ra_state {
    tree_program *p;
    uint32_t room;    /* of the arrays by variable */
    uint8_t *channel; /* by variable */
    uint8_t *gpr;
    uint32_t *cluster; /* 1 + its number; 0: none */
    ra_cluster *clusters;
    uint32_t n_clusters;
    uint32_t used[4]; /* variables by channel */
    uint32_t n_gprs;
} ra_state;

/* Makes clusters, and moves where a value cannot be in all that use it. */
void
r600_ra_vectors(tree_program *p, ra_state *s);

/* Makes a variable like another one; 0: like none. */
uint32_t
r600_ra_new(ra_state *s, uint32_t like);

/* The channel of a variable; gives it one if it has none. */
unsigned
r600_ra_channel(ra_state *s, uint32_t variable);
void
r600_ra_set_channel(ra_state *s, uint32_t variable, unsigned channel);

/* Gives registers to all variables of a scheduled program. Returns false if there are too few. */
bool
r600_ra_color(tree_program *p, ra_state *s);

/* Drops moves from a register to itself. */
void
r600_ra_drop_moves(tree_program *p, const ra_state *s);

#endif
