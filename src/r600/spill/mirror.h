/* A tree in SSA form as blocks and instructions of src/ir, for the spiller of src/cg.
 *
 * Each node is an instruction that defines and uses what the node does, one register a component;
 * regions are blocks with phis. What the spiller adds (copies, spills, reloads, phis) goes back
 * into the tree. */
#ifndef R600_SPILL_MIRROR_H
#define R600_SPILL_MIRROR_H

#include "cg/state.h"
#include "ir/ir.h"
#include "r600/tree/tree.h"

/* Instructions; attribute word 0 of those with a node is its number, of others as src/cg says. */
typedef enum mirror_op {
    MIRROR_NONE,
    MIRROR_PHI,
    MIRROR_LINEAR_PHI,
    MIRROR_COPY,
    MIRROR_SPILL,
    MIRROR_RELOAD,
    MIRROR_START,
    MIRROR_NODE,
    MIRROR_BRANCH,
    MIRROR_JUMP,
    MIRROR_OPS
} mirror_op;

enum { MIRROR_COMPONENT = 1 /* the class of all values */ };

typedef struct mirror {
    cg_state cg; /* the spiller's, and so the first one */
    tree_program *p;
    ir_ctx ctx;
    ir_fn *f;
    uint32_t *to;   /* by value of the tree: the mirror's */
    uint32_t *from; /* by value of the mirror: the tree's */
    size_t cap_from;
    tree_node **nodes; /* by number, from 1 on */
    size_t n_nodes, cap_nodes;
    ir_block **head, **exit; /* by region: its first block, if it repeats, and the one behind it */
    tree_operand **operands; /* of the running node: those that are values */
    uint32_t **defs;
    size_t n_operands, cap_operands, n_defs, cap_defs;
} mirror;

/* The mirror of a tree. Operands of phis that are no values become moves. */
mirror *
r600_mirror_make(tree_program *p, arena *scratch);

/* Collects a node's operands that are values, and its definitions. */
void
r600_mirror_collect(mirror *m, tree_node *n);

/* The node of an instruction; NULL: it has none. */
tree_node *
r600_mirror_node(const mirror *m, const ir_instr *i);

/* The tree's value for one of the mirror, which it gets if it has none. */
uint32_t
r600_mirror_value(mirror *m, uint32_t id);

#endif
