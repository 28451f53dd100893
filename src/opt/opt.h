/* Optimisation and lowering of HIR. A pass is a row of opt/passes.def and is run by ir/pass.h. */
#ifndef OPT_OPT_H
#define OPT_OPT_H

#include "ir/hir.h"
#include "ir/pass.h"

typedef enum opt_pass {
#define OPT(name, needs, keeps, flags, what) OPT_##name,
#include "opt/passes.def"
#undef OPT
    OPT_PASS_COUNT,
} opt_pass;

/* The functions of the rows. Each returns true if it changed `f`. They allocate in f->ctx->scratch;
 * the runner releases that memory. */
#define OPT(name, needs, keeps, flags, what) bool opt_##name(ir_fn *f);
#include "opt/passes.def"
#undef OPT

extern const ir_pass opt_passes[OPT_PASS_COUNT];

/* Returns the row with that name, or NULL. */
const ir_pass *
opt_find_pass(const char *name);

/* The pipeline that a backend runs before its own lowering. It leaves small code without operations
 * that opt/lower_*.c lowers. Terminated by NULL. */
extern const ir_pass *const opt_pipeline[];

#endif
