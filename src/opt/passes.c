/* The table of HIR passes. */
#include "opt/opt.h"

#define DOM   IR_HAS_DOMINANCE
#define LOOPS IR_HAS_LOOPS
#define DIV   IR_HAS_DIVERGENCE

const ir_pass opt_passes[OPT_PASS_COUNT] = {
#define OPT(name, needs, keeps, flags, what)                                                       \
    [OPT_##name] = {#name, opt_##name, NULL, needs, keeps, flags, what},
#include "opt/passes.def"
#undef OPT
};

#define P(name)          &opt_passes[OPT_##name]
#define IF_CHANGED(name) &ir_if_changed, P(name)
const ir_pass *const opt_pipeline[] = {
    /* control flow and local arrays come first, because they produce constants */
    IF_CHANGED(copy_prop),
    P(infer_access),
    P(unroll),
    P(dead_cf),
    P(gvn),
    IF_CHANGED(dead_cf),
    P(scratch_to_regs),
    IF_CHANGED(copy_prop),
    P(if_flatten),
    P(uniform_subgroup),
    P(forward_mem),
    P(dce),
    P(relax_float),
    /* operations that machines lack */
    P(lower_idiv),
    P(lower_int64),
    P(licm),
    IF_CHANGED(gvn),
    P(vectorize_mem),
    IF_CHANGED(copy_prop),
    P(fuse_fma),
    P(dce),
    NULL,
};

const ir_pass *
opt_find_pass(const char *name)
{
    for (unsigned p = 0; p < OPT_PASS_COUNT; p++) {
        if (strcmp(opt_passes[p].name, name) == 0)
            return &opt_passes[p];
    }
    return NULL;
}
