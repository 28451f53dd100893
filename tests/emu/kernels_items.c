/* The items' references: their bodies compiled for the host. */
#include "kernel_test.h"

#include "items_all.h"

#include "items_c.h"

#define X(name)                                                                                    \
    static void ref_##name(const kernel_trial *t, const u32 *a, const u32 *b, u32 *out)            \
    {                                                                                              \
        (void)t;                                                                                   \
        for (u32 i = 0; i < KERNEL_ITEMS; i++)                                                     \
            out[i] = item_##name(i, a, b, KERNEL_ITEMS);                                           \
    }
ITEMS_ALL(X, X, X)
ITEMS_C(X)
ITEMS_C_CALLS(X)
#undef X

/* All items of a group do the work of the item with the group's number. */
#define X(name)                                                                                    \
    REFERENCE(uniform_##name)                                                                      \
    {                                                                                              \
        (void)t;                                                                                   \
        for (u32 i = 0; i < KERNEL_ITEMS; i++)                                                     \
            out[i] = item_##name(i / KERNEL_GROUP, a, b, KERNEL_ITEMS) + i % KERNEL_GROUP;         \
    }
ITEMS_UNIFORM(X)
#undef X

#define PLAIN(item)    {ROW(item)},
#define FUNCTION(item) {ROW(item), .flags = KERNEL_CALLS_O0},
#define CALLING(item)  {ROW(item), .flags = KERNEL_CALLS},

#define UNIFORM(item) {ROW(uniform_##item), .flags = KERNEL_OPTIMIZED},

const kernel_row kernel_items[] = {ITEMS_ALL(PLAIN, FUNCTION, CALLING)
                                       ITEMS_UNIFORM(UNIFORM){.name = NULL}};

#define AS_C(item)      {ROW(item), .gens = GENS_FROM(GFX7)},
#define AS_C_CALL(item) {ROW(item), .gens = GENS_FROM(GFX7), .flags = KERNEL_CALLS},

const kernel_row kernel_c[] = {ITEMS_C(AS_C) ITEMS_C_CALLS(AS_C_CALL){.name = NULL}};
