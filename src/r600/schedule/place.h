/* The state of the list scheduler, and the place of a node in the group that is being made. */
#ifndef R600_SCHEDULE_PLACE_H
#define R600_SCHEDULE_PLACE_H

#include "r600/schedule/graph.h"
#include "r600/schedule/pressure.h"
#include "r600/schedule/schedule.h"

/* The group that has computed a variable, and its slot. */
typedef struct schedule_forward {
    uint32_t number;
    uint8_t slot;
} schedule_forward;

typedef struct scheduler {
    tree_program *p;
    ra_state *ra;
    graph_builder builder;
    graph g;
    pressure pressure;
    tree_node *compare; /* of the `if` behind the sequence; NULL: there is none */
    tree_list out;
    uint32_t window;
    uint32_t longest; /* nodes of the longest sequence so far */
    uint32_t first;   /* that is not scheduled yet */
    /* the clause */
    schedule_group group;
    tree_node *last;   /* of the clause's last group */
    unsigned used;     /* 64-bit units */
    unsigned in_queue; /* results of LDS that are not read yet */
    bool is_open, must_end;
    tree_operand ar;         /* the index that AR has */
    uint32_t ar_number;      /* the group that has loaded it in this clause; 0: none */
    uint32_t element_number; /* the last group that wrote an element by AR */
    /* by variable: the group that wrote it, and the slot */
    uint32_t number; /* of the group */
    schedule_forward *forward;
    size_t cap_forward;
} scheduler;

schedule_forward *
r600_forward_of(scheduler *s, uint32_t variable);

/* Gives the operations of a node slots in the group, and channels to their results. Returns false,
 * with nothing changed, if they do not fit. */
bool
r600_schedule_place(scheduler *s, tree_node *n);

/* Makes the group load AR, which it must not read then. Returns false if it cannot. */
bool
r600_schedule_place_address(scheduler *s, const tree_operand *index);

#endif
