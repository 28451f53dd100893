/* Inside value numbering. */
#ifndef R600_OPT_GVN_H
#define R600_OPT_GVN_H

#include "r600/opt/opt.h"

typedef struct gvn_entry {
    uint32_t next; /* 1 + the next one of its bucket */
    uint32_t hash;
    tree_node *n;
    bool is_behind; /* its scope is left */
} gvn_entry;

enum { GVN_BUCKETS = 1024 };

typedef struct gvn {
    tree_program *p;
    tree_operand *same; /* by value: what it equals, with modifiers; kind 0: itself */
    uint32_t *alias;    /* by value of a move: of the same source, for what cannot read that */
    uint32_t *uses;     /* by value, before the pass */
    uint32_t *phi_at;   /* by value of a phi: the mark of its region */
    uint32_t buckets[GVN_BUCKETS];
    gvn_entry *entries; /* those that a scope adds are a run */
    size_t n_entries, cap_entries;
} gvn;

/* The single operation that defines the operand's value, or NULL. */
tree_slot *
r600_gvn_def(const gvn *g, const tree_operand *o);

/* Applies algebraic rules to a single operation whose operands are the best known. Returns true if
 * it is now another one. */
bool
r600_gvn_simplify(gvn *g, tree_node *n);

/* May the operation have this operand as source `k`? */
bool
r600_gvn_can_read(const gvn *g, const tree_node *n, unsigned slot, unsigned k,
                  const tree_operand *o);

/* Moves `n`, whose scope is left, to where `other` sees it, too. Returns false if it cannot be
 * there. */
bool
r600_gvn_hoist(gvn *g, tree_node *n, const tree_node *other);

#endif
