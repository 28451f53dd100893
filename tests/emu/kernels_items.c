/* The items' references: their bodies, compiled for the host. */
#include "kernel_test.h"

#include "items.h"

#include "items_int.h"

#include "items_convert.h"

#include "items_math.h"

#include "items_flow.h"

#include "items_calls.h"

#define X(name)                                                                                    \
    static void ref_##name(const kernel_trial *t, const u32 *a, const u32 *b, u32 *out)            \
    {                                                                                              \
        (void)t;                                                                                   \
        for (u32 i = 0; i < KERNEL_ITEMS; i++)                                                     \
            out[i] = item_##name(i, a, b, KERNEL_ITEMS);                                           \
    }
ITEMS(X)
ITEMS_INT(X)
ITEMS_CONVERT(X)
ITEMS_MATH(X)
ITEMS_FLOW(X)
ITEMS_CALLS(X)
ITEMS_SCRATCH(X)
#undef X

const kernel_row kernel_items[] = {
#define X(item) {.name = #item, .run = ref_##item, .flags = KERNEL_CALLS_O0},
    ITEMS(X)
#undef X
#define X(item) {.name = #item, .run = ref_##item},
        ITEMS_INT(X) ITEMS_CONVERT(X) ITEMS_MATH(X) ITEMS_FLOW(X) ITEMS_SCRATCH(X)
#undef X
#define X(item) {.name = #item, .run = ref_##item, .flags = KERNEL_CALLS},
            ITEMS_CALLS(X)
#undef X
                {.name = NULL},
};
