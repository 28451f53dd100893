/* Groups and clauses.
 *
 * A sequence is a run of nodes without control flow; a region that no repeat names does not end it.
 * Its nodes are put into an order that the machine can execute: ALU nodes joined to groups
 * (ends_group) and clauses (ends_clause), with slots, bank swizzles and channels; what the group
 * before has computed is read from PV and PS. */
#ifndef R600_SCHEDULE_SCHEDULE_H
#define R600_SCHEDULE_SCHEDULE_H

#include "r600/ra/ra.h"

enum { SCHEDULE_CLAUSE = 128, SCHEDULE_BANKS = 4 };

/* `window`: how many nodes behind the first one that waits are looked at; a small one keeps the
 * order of the program, so that fewer values live at once. Returns the nodes of the longest
 * sequence: a window of so many, or more, gives the same schedule. Fails with R600_NO_SCHEDULE. */
uint32_t
r600_schedule(tree_program *p, ra_state *ra, uint32_t window);

/* Moves sources of operations that no group could hold to registers. */
void
r600_schedule_legalize(tree_program *p, ra_state *ra);

/* ---- locked constants ---- */

/* What a clause locks: `lines` runs of 16 constants from `first` on. */
typedef struct schedule_lock {
    uint8_t buffer, lines;
    uint32_t first;
} schedule_lock;

typedef struct schedule_locks {
    schedule_lock at[SCHEDULE_BANKS];
    unsigned n, most;
} schedule_locks;

/* Locks a constant, too. Returns false if the clause cannot. */
bool
r600_schedule_lock(schedule_locks *l, const tree_operand *o);

/* ---- one group ---- */

typedef struct schedule_op {
    tree_slot *s; /* NULL: the slot is free */
    tree_node *node;
    uint8_t bank;
} schedule_op;

typedef struct schedule_group {
    schedule_op op[R600_SLOTS];
    uint32_t literals[4];
    unsigned n_literals, n_ops;
    schedule_locks locks; /* of the clause */
} schedule_group;

/* Is it the constant of the hardware? `*negate`: with its sign changed. */
bool
r600_schedule_inline(unsigned op, uint32_t bits, uint32_t *select, bool *negate);

/* Finds bank swizzles for all operations, whose sources name PV and PS already. Returns false if
 * there are none, or if the group has too many constants or literals. */
bool
r600_schedule_fits(const tree_program *p, ra_state *ra, schedule_group *g);

#endif
