/* Random HIR programs for tests: structured control flow with breaks and continues, phis, ALU
 * operations, subgroup operations, loads and stores. Nothing is folded during generation. Every
 * program ends, because loops have counters.
 *
 * Buffer 0 is read (HIR_GEN_IN bytes), buffer 1 written: each store site has a dword for each lane
 * (HIR_GEN_OUT bytes in all).
 */
#ifndef TEST_HIR_GEN_H
#define TEST_HIR_GEN_H

#include "ir/hir.h"

enum {
    HIR_GEN_LANES = 64,
    HIR_GEN_IN = 1024,
    HIR_GEN_SITES = 64,
    HIR_GEN_OUT = HIR_GEN_SITES * HIR_GEN_LANES * 4
};

enum {
    HIR_GEN_SUBGROUP = 1, /* with subgroup operations */
    HIR_GEN_SCRATCH = 2,  /* with loads and stores of scratch and shared memory */
};

/* A program of about `size` instructions. */
ir_fn *
hir_gen(ir_ctx *ctx, uint64_t seed, unsigned size, unsigned features);

#endif
