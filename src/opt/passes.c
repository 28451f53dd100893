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

const ir_step opt_pipeline[] = {OPT_PIPELINE, {NULL}};
