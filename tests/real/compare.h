/* Compares the memory of two devices after a run.
 *
 * Integers, pointers and padding must be the same. Numbers that the module declares as floats
 * may differ by the tolerance: the compiler fuses multiplications and additions that SPIR-V does
 * not mark NoContraction and simplifies where results need not be exact, and divisions, square
 * roots and transcendental functions have the hardware's precision (Vulkan specification,
 * "Precision of Individual Operations"). A fixed-point texel may differ by one step, as its value
 * may lie between two. If a shader packs halves into words, words are near if both halves are.
 */
#ifndef REAL_COMPARE_H
#define REAL_COMPARE_H

#include "case.h"

typedef struct real_difference {
    uint64_t far;  /* numbers and bytes of padding that differ by more than the tolerance */
    uint64_t near; /* numbers that differ within the tolerance */
    uint64_t open; /* numbers that differ, and also between `expected` and another valid outcome */
    char where[400]; /* the first of `far` */
} real_difference;

enum { REAL_ROUGH = 64, REAL_UNDEFINED = 3 };

/* Other valid outcomes of the interpreter; members may be NULL. Numbers that differ between
 * `expected` and these but `rough` are not counted as wrong. In the runs of `rough`, operations
 * without correct rounding gave the next higher and next lower number: floats may differ by
 * REAL_ROUGH times the difference from these. */
typedef struct real_others {
    amber_memory *undefined[REAL_UNDEFINED], *backwards, *rough[2];
} real_others;

/* Compares all buffers of the case, `expected` with `got`. */
void
real_compare(const real_case *c, const amber_memory *expected, const amber_memory *got,
             const real_others *others, real_difference *d);

#endif
