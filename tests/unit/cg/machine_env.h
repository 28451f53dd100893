/* What tests on random machine IR share: the memory of one program, and running many of them. */
#ifndef TEST_MACHINE_ENV_H
#define TEST_MACHINE_ENV_H

#include "machine_gen.h"
#include "machine_model.h"

typedef struct env {
    diag d;
    arena a, scratch;
    ir_ctx ctx;
    uint64_t seed; /* of env_random */
    void *user;    /* the test's */
} env;

void
open_env(env *e);

void
close_env(env *e);

/* A number from 0 to below - 1. */
uint32_t
env_random(env *e, uint32_t below);

typedef void
env_test(env *e, const gen_options *o);

/* Runs `test` on `count` programs of the shape `o`, each with a seed and an env of its own. An error
 * fails the test. */
void
run_many(unsigned count, gen_options o, env_test *test, void *user);

/* Fails if a program's output and end are not those that are wanted. */
void
check_same(const model_machine *m, const model_machine *want, uint64_t seed, const char *after);

#endif
