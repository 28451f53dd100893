/* Declarations shared by structure.c and switch.c: arms, edges, joins. See structure.c for the
 * model. */
#ifndef SPIRV_STRUCTURE_H
#define SPIRV_STRUCTURE_H

#include "spirv/reader.h"

/* How the code of a region ends. Jumps are emitted late, so that two arms may share one. */
typedef enum spirv_tail {
    SPIRV_FALLS,     /* continues after the region */
    SPIRV_BREAKS,    /* jumps to the innermost HIR loop's merge block */
    SPIRV_CONTINUES, /* ... to its continue block */
} spirv_tail;

/* An if under construction. */
typedef struct spirv_arms {
    ir_block *head, *then, *other, *merge, *then_end;
    spirv_tail then_tail;
    size_t open_mark;
} spirv_arms;

void
spirv_begin_then(spirv_reader *r, spirv_arms *a, ir_ref cond);
void
spirv_begin_else(spirv_reader *r, spirv_arms *a, spirv_tail then_tail);
/* On return the builder is in the merge block. */
spirv_tail
spirv_end_if(spirv_reader *r, spirv_arms *a, spirv_tail else_tail);

/* Opens a HIR loop; the builder moves to its header. `brk` is the target that its merge block leads
 * to, or NULL. Without a SPIR-V header `source` the variables that it writes need explicit phis
 * (spirv_ssa_header_phi), unless the loop has one iteration. */
spirv_loop *
spirv_open_loop(spirv_reader *r, spirv_target *brk, const spirv_block *source);
/* Moves the builder to the continue block after the body ended with `tail`. */
void
spirv_open_continue(spirv_reader *r, spirv_loop *l, spirv_tail tail);
/* Moves it behind the loop. */
void
spirv_close_loop(spirv_reader *r, spirv_loop *l);

/* Emits the target of an edge: a jump to an open target, or the block and everything it dominates.
 * Falling off the end leads to `fall`. */
spirv_tail
spirv_emit_edge(spirv_reader *r, spirv_block *from, uint32_t to, spirv_target *fall);

/* A case of a switch: selector values lo .. hi lead to block `to`. */
typedef struct spirv_run {
    uint64_t lo, hi;
    uint32_t to;
} spirv_run;

typedef struct spirv_switch {
    spirv_run *runs; /* sorted, disjoint */
    uint32_t n_runs, otherwise;
    uint32_t *by_target; /* the targets of all runs, sorted */
    uint32_t n_targets;  /* number of distinct targets, without `otherwise` */
    unsigned bits;
    ir_ref selector;
} spirv_switch;

/* Reads the OpSwitch that ends `b`. */
spirv_switch
spirv_plan_switch(spirv_reader *r, spirv_block *b);

/* Returns true if the switch will reach `to` from several places, so that it must be a join. */
bool
spirv_switch_forces_join(const spirv_switch *s, uint32_t to);

spirv_tail
spirv_emit_switch(spirv_reader *r, spirv_block *b, const spirv_switch *s, spirv_target *fall);

#endif
