/* Runs a program of the made-up machine through every pass, and compares what it puts out after each. */
#ifndef TEST_TOY_CHECK_H
#define TEST_TOY_CHECK_H

#include "toy.h"

typedef struct toy_bounds {
    uint16_t units[TOY_BANKS]; /* 0: all there are */
    uint64_t seed;             /* of random orders */
    bool unspilled;            /* spilling is left out */
    bool in_turn;              /* registers of all banks are taken in turn */
} toy_bounds;

typedef enum toy_result { TOY_SAME, TOY_ENDLESS, TOY_WRONG } toy_result;

/* Gives the program its state. */
void
toy_prepare(ir_fn *f, const toy_bounds *bounds);

/* Consumes the program. TOY_ENDLESS: it runs too long, nothing was checked. TOY_WRONG: after pass
 * `*after` it puts out something else. Other errors go to the context's diag. */
toy_result
toy_check(ir_fn *f, const toy_bounds *bounds, const char **after);

/* Is `message`, which ended the check of `f`, the error of register allocation for a program that
 * needs more registers than there are? */
bool
toy_is_refusal(const ir_fn *f, const char *message);

/* Wishes that each result lie behind the last one of its class (cg_state.behind). */
void
toy_wish_neighbours(ir_fn *f);

#endif
