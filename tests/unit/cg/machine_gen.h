/* Random machine IR for tests of register allocation: see machine_gen.c. */
#ifndef TEST_MACHINE_GEN_H
#define TEST_MACHINE_GEN_H

#include "amd/amd.h"

/* The shape of the program: number of statements, nesting depth of ifs and loops, approximate
 * number of live values, and the percentage of SGPR values. */
typedef struct gen_options {
    uint64_t seed;
    unsigned statements, depth, alive, scalar;
} gen_options;

/* A new function at amd_level with its amd_program, in uniform control flow. */
ir_fn *
gen_program(ir_ctx *ctx, const gen_options *o);

#endif
