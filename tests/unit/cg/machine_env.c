#include "machine_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

void
open_env(env *e)
{
    diag_init(&e->d);
    arena_init(&e->a, &base_malloc_allocator, diag_out_of_memory, &e->d);
    arena_init(&e->scratch, &base_malloc_allocator, diag_out_of_memory, &e->d);
    e->ctx = (ir_ctx){.diag = &e->d, .arena = &e->a, .scratch = &e->scratch};
}

void
close_env(env *e)
{
    arena_free(&e->a);
    arena_free(&e->scratch);
}

uint32_t
env_random(env *e, uint32_t below)
{
    e->seed += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(base_hash64(e->seed) % below);
}

void
run_many(unsigned count, gen_options o, env_test *test, void *user)
{
    for (unsigned k = 0; k < count; k++) {
        env e = {.seed = k, .user = user};
        o.seed = 1000u * o.statements + k;
        open_env(&e);
        if (DIAG_TRY(&e.d))
            test(&e, &o);
        else
            fail_msg("seed %u: %s", (unsigned)o.seed, e.d.message);
        close_env(&e);
    }
}

void
check_same(const model_machine *m, const model_machine *want, uint64_t seed, const char *after)
{
    bool same = m->n_trace == want->n_trace && m->ended == want->ended &&
                memcmp(m->trace, want->trace, want->n_trace * sizeof *m->trace) == 0;
    if (!same)
        fail_msg("seed %u: another result after %s", (unsigned)seed, after);
}
