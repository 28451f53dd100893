/* How many variables live in each channel while a sequence is put in order. */
#ifndef R600_SCHEDULE_PRESSURE_H
#define R600_SCHEDULE_PRESSURE_H

#include "r600/ra/ra.h"
#include "r600/schedule/graph.h"

/* A variable in the running sequence. */
typedef struct pressure_variable {
    uint32_t sequence; /* entries of others do not count */
    uint32_t reads;    /* that are still to come */
    bool is_live;
} pressure_variable;

typedef struct pressure {
    ra_state *ra;
    tree_live live; /* of the tree before it is scheduled */
    pressure_variable *variables;
    uint32_t n_variables, sequence;
    uint32_t last;      /* the position behind the sequence */
    uint32_t *by_first; /* variables, by the first word of their places */
    uint32_t n_begun;   /* those of them that begin before the sequence ends */
    uint32_t *open;     /* those of these that may live at the sequence, or later */
    uint32_t n_open;
    uint32_t by_channel[4];
    uint32_t *reads; /* variables that the items read */
    uint32_t *first; /* by item: its run of them; one more at the end */
} pressure;

/* The tree is not scheduled, but for its last legal form. */
void
r600_pressure_open(pressure *t, ra_state *ra);

/* A sequence begins, whose first and last node are in the tree. */
void
r600_pressure_begin(pressure *t, const graph *g);

/* An item has its place: what it reads for the last time dies, what it defines lives. */
void
r600_pressure_finish(pressure *t, const graph *g, uint32_t item);

/* By how many more variables would live behind an item than before it, if it were next. */
int
r600_pressure_growth(pressure *t, const graph *g, uint32_t item);

/* Channels, those in which few variables live first. */
void
r600_pressure_order(const pressure *t, uint8_t order[4]);

#endif
