/* The optimizer as a whole. */
#ifndef R600_COMPILE_COMPILE_H
#define R600_COMPILE_COMPILE_H

#include "family/family.h"
#include "r600/emit/emit.h"

/* What to optimize. */
typedef struct r600_optimize_job {
    diag *diag;
    arena *arena;
    const r600_chip *chip;
    const uint8_t *bytes; /* bytecode, or the text of a tree */
    size_t size;
    const char *arrays; /* of bytecode, as read/read.h says; NULL: none */
    /* Makes the tree instead; if it needs too many registers, another one that saves some. */
    tree_program *(*make)(void *user, bool saves_registers);
    void *user;
    bool can_spill;   /* to scratch memory, from element `first_scratch` of the tree on */
    bool spills;      /* as much as possible, for tests */
    arena *scratch;   /* for spilling */
    bool no_passes;   /* only there and back */
    const char *stop; /* the phase behind which the tree is printed in place of words; NULL: none */
    /* What is requested of phases, by their names as the family's ("tree_gvn"): lists and limits.
     * The optional ones are numbered behind the n_counted of its pipeline. NULL: nothing. */
    const ir_pass_run *run;
} r600_optimize_job;

/* Is it the name of a phase, for `stop`? */
bool
r600_has_phase(const char *name);

/* Is the job's program the text of a tree? */
bool
r600_is_tree_text(const r600_optimize_job *j);

/* Reads a program's bytecode, optimizes it and appends its words, or the text of the tree. Fails
 * with an R600_* error. */
void
r600_optimize(const r600_optimize_job *j, base_buf *out, r600_figures *figures);

#endif
