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

/* The pipeline that a backend runs before its own lowering, as the first elements of its own. It
 * leaves small code without operations that opt/lower_*.c lowers. */
#define OPT_STEP(name)                                                                             \
    {                                                                                              \
        &opt_passes[OPT_##name], .if_changed = false                                               \
    }
#define OPT_STEP_IF_CHANGED(name)                                                                  \
    {                                                                                              \
        &opt_passes[OPT_##name], .if_changed = true                                                \
    }
#define OPT_PIPELINE                                                                               \
    /* control flow and local arrays come first, because they produce constants */                 \
    OPT_STEP_IF_CHANGED(copy_prop), OPT_STEP(infer_access), OPT_STEP(unroll), OPT_STEP(dead_cf),   \
        OPT_STEP_IF_CHANGED(gvn), OPT_STEP_IF_CHANGED(dead_cf), OPT_STEP(unroll_known),            \
        OPT_STEP_IF_CHANGED(dead_cf), OPT_STEP_IF_CHANGED(gvn), OPT_STEP(scratch_to_regs),         \
        OPT_STEP_IF_CHANGED(copy_prop), OPT_STEP(uniform_subgroup), OPT_STEP(if_flatten),          \
        OPT_STEP(forward_mem), OPT_STEP(dce),                                                      \
        OPT_STEP(relax_float), /* operations that machines lack */                                 \
        OPT_STEP(lower_idiv), OPT_STEP(lower_int64), OPT_STEP(split_offsets), OPT_STEP(licm),      \
        OPT_STEP(order_products), OPT_STEP_IF_CHANGED(gvn), OPT_STEP_IF_CHANGED(dead_cf),          \
        OPT_STEP(vectorize_mem), OPT_STEP_IF_CHANGED(copy_prop), OPT_STEP(if_flatten),             \
        OPT_STEP(merge_tests), OPT_STEP(fuse_fma), OPT_STEP_IF_CHANGED(dce)

/* What simplifies the operations that a backend's own lowering leaves. */
#define OPT_AFTER_LOWERING                                                                         \
    OPT_STEP(gvn), OPT_STEP_IF_CHANGED(copy_prop), OPT_STEP(licm), OPT_STEP(dce),                  \
        OPT_STEP(shrink_loads)

/* OPT_PIPELINE alone. */
extern const ir_step opt_pipeline[];

#endif
