/* Declarations for test_kernels.c: rows of kernels, each with a reference on the host and the shape
 * of its dispatch.
 *
 * A kernel gets two arrays of KERNEL_ITEMS random words, an array of KERNEL_OUT zero words for its
 * results, and KERNEL_ITEMS. It must leave the same results in the third array as the reference in
 * its own.
 */
#ifndef KERNEL_TEST_H
#define KERNEL_TEST_H

#include "amd/isa/isa.h"
#include "machine/memory.h"

#include "items_base.h"

#include <string.h>

enum { KERNEL_ITEMS = 512, KERNEL_GROUP = 128, KERNEL_GROUPS = 4, KERNEL_OUT = 1024 };

/* Properties of the dispatch, for references. */
typedef struct kernel_trial {
    amd_gen gen;
    u32 wave;           /* lanes of a wave */
    const char *target; /* the processor's name */
} kernel_trial;

/* Data from which further arguments are made. */
typedef struct kernel_setup {
    amd_gen gen;
    mach_memory *m;
    uint64_t address; /* of the first array */
    const u32 *a, *b; /* the arrays */
} kernel_setup;

typedef void
kernel_reference(const kernel_trial *t, const u32 *a, const u32 *b, u32 *out);

enum {
    KERNEL_CALLS = 1,     /* calls functions at every level; otherwise only at -O0, or never */
    KERNEL_CALLS_O0 = 2,  /* calls functions at -O0 */
    KERNEL_OPTIMIZED = 4, /* does not exist at -O0 */
};

typedef struct kernel_row {
    const char *name;
    kernel_reference *run;
    u32 flags;    /* KERNEL_* */
    u32 gens;     /* 1 << amd_gen for the generations that have it; 0: all */
    u32 group[3]; /* work items of a group; 0: KERNEL_GROUP in a row */
    u32 items[3]; /* of the grid; 0: KERNEL_ITEMS in a row */
    u32 offset;   /* global offset of all dimensions */
    u32 ulps;     /* results are binary32, with this maximum distance from the reference */
    u32 lds;      /* bytes of dynamic LDS, at the offset in the fifth argument */
    /* Fills the arguments after the first four; `args` holds all. Returns the size of all
     * arguments; 0 if there is no room. */
    size_t (*fill)(const kernel_setup *s, uint8_t *args);
} kernel_row;

/* Kernels by file; each list is terminated by a row without a name. */
extern const kernel_row kernel_items[], kernel_groups[], kernel_atomics[], kernel_lanes[],
    kernel_memory[], kernel_target[], kernel_images[], kernel_matrix[], kernel_c[],
    kernel_uniform[], kernel_sync[], kernel_math[];

#define REFERENCE(name)                                                                            \
    static void ref_##name(const kernel_trial *t, const u32 *a, const u32 *b, u32 *out)
#define ROW(kernel) .name = #kernel, .run = ref_##kernel

#define GENS_FROM(first) (~(u32)0 << AMD_##first)
#define GENS_TO(last)    ((2u << AMD_##last) - 1)
#define GENS_ONE(gen)    (1u << AMD_##gen)

#endif
