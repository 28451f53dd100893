/* Random machine IR for tests of register allocation: see machine_gen.c. */
#ifndef TEST_MACHINE_GEN_H
#define TEST_MACHINE_GEN_H

#include "amd/amd.h"

/* How the program looks: number of statements, how deep ifs and loops nest, how many values (about)
 * are alive, and the share (of 100) of SGPR values. */
typedef struct gen_options {
    uint64_t seed;
    unsigned statements, depth, alive, scalar;
} gen_options;

/* A new function at amd_level with its amd_program, in uniform control flow. */
ir_fn *
gen_program(ir_ctx *ctx, const gen_options *o);

#endif
