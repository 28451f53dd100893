/* The optimizer as a whole. */
#ifndef R600_COMPILE_COMPILE_H
#define R600_COMPILE_COMPILE_H

#include "r600/emit/emit.h"

typedef struct r600_optimize_options {
    const r600_chip *chip;
    bool no_passes;   /* only there and back */
    const char *stop; /* the phase behind which the tree is printed in place of words; NULL: none */
} r600_optimize_options;

/* Is it the name of a phase, for `stop`? */
bool
r600_has_phase(const char *name);

/* Reads a program's bytecode, optimizes it and appends its words, or the text of the tree. Fails
 * with an R600_* error. */
void
r600_optimize(diag *d, arena *a, const r600_optimize_options *o, const uint8_t *bytes, size_t size,
              base_buf *out, r600_figures *figures);

#endif
