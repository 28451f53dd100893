/* Environment of the IR's unit tests: a context in which an error fails the test. */
#ifndef TEST_IR_ENV_H
#define TEST_IR_ENV_H

#include "base/buf.h"
#include "ir/text.h"

typedef struct ir_env {
    diag d;
    arena a, scratch;
    ir_ctx ctx;
} ir_env;

static inline void
env_open(ir_env *e)
{
    diag_init(&e->d);
    arena_init(&e->a, &base_malloc_allocator, diag_out_of_memory, &e->d);
    arena_init(&e->scratch, &base_malloc_allocator, diag_out_of_memory, &e->d);
    e->ctx = (ir_ctx){.diag = &e->d, .arena = &e->a, .scratch = &e->scratch};
}

static inline void
env_close(ir_env *e)
{
    arena_free(&e->a);
    arena_free(&e->scratch);
}

/* The function as text, in the environment's arena. */
static inline char *
env_print(ir_env *e, const ir_fn *f, unsigned flags)
{
    base_buf out = buf_make(&e->a);
    ir_print(f, flags, &out);
    return buf_text(&out);
}

/* Parses; the test must have armed e->d. */
static inline ir_fn *
env_parse(ir_env *e, const ir_level *level, const char *text)
{
    return ir_parse(&e->ctx, level, text, strlen(text));
}

#endif
