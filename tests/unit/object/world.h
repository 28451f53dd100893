/* A fixture for tests of objects: a diag, and an arena that fails through it. */
#ifndef TEST_OBJECT_WORLD_H
#define TEST_OBJECT_WORLD_H

#include "base/arena.h"
#include "base/diag.h"

typedef struct world {
    diag d;
    arena a;
} world;

/* Set-up and tear-down of a cmocka test whose state is the world. */
static inline int
make_world(void **state)
{
    static world w;
    diag_init(&w.d);
    arena_init(&w.a, &base_malloc_allocator, diag_out_of_memory, &w.d);
    *state = &w;
    return 0;
}

static inline int
drop_world(void **state)
{
    arena_free(&((world *)*state)->a);
    return 0;
}

#endif
