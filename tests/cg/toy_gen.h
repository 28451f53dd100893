/* Random programs for the made-up machine: see toy_gen.c. */
#ifndef TEST_TOY_GEN_H
#define TEST_TOY_GEN_H

#include "toy.h"

/* The shape of the program. */
typedef struct toy_shape {
    uint64_t seed;
    unsigned statements, depth; /* nesting of ifs and loops */
    unsigned alive;             /* values that are preferred as operands: the latest so many */
    unsigned scalar;            /* percentage of values of the scalar bank */
    unsigned arrays;            /* percentage of statements that work on arrays */
} toy_shape;

/* A shape made from the seed. */
toy_shape
toy_random_shape(uint64_t seed);

/* A new function at toy_level. */
ir_fn *
toy_generate(ir_ctx *ctx, const toy_shape *shape);

#endif
