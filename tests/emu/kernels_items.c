/* The items' references: their bodies, compiled for the host. */
#include "kernel_test.h"

#include "items_all.h"

#define X(name)                                                                                    \
    static void ref_##name(const kernel_trial *t, const u32 *a, const u32 *b, u32 *out)            \
    {                                                                                              \
        (void)t;                                                                                   \
        for (u32 i = 0; i < KERNEL_ITEMS; i++)                                                     \
            out[i] = item_##name(i, a, b, KERNEL_ITEMS);                                           \
    }
ITEMS_ALL(X, X, X)
#undef X

#define PLAIN(item)    {ROW(item)},
#define FUNCTION(item) {ROW(item), .flags = KERNEL_CALLS_O0},
#define CALLING(item)  {ROW(item), .flags = KERNEL_CALLS},

const kernel_row kernel_items[] = {ITEMS_ALL(PLAIN, FUNCTION, CALLING){.name = NULL}};
