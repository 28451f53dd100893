/* Optimisation and lowering of HIR. A pass is a row of opt/passes.def, run by ir/pass.h. */
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

/* The functions of the rows: true if they changed `f`. They use f->ctx->scratch and leave what they
 * took there to the runner. */
#define OPT(name, needs, keeps, flags, what) bool opt_##name(ir_fn *f);
#include "opt/passes.def"
#undef OPT

extern const ir_pass opt_passes[OPT_PASS_COUNT];

/* The row of that name, or NULL. */
const ir_pass *
opt_find_pass(const char *name);

/* What a backend runs before its own lowering: what is left behind is small, and has no operation
 * that opt/lower_*.c takes away. Ends with NULL. */
extern const ir_pass *const opt_pipeline[];

#endif
