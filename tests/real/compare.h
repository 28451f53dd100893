/* Compares the memory that two devices leave.
 *
 * Whole numbers, pointers and padding must be the same. Numbers that the module declares as floats
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
    uint64_t far;    /* numbers and bytes of padding that differ by more than the tolerance */
    uint64_t near;   /* that differ within it */
    uint64_t open;   /* that differ, and differ between `expected` and another outcome too */
    char where[400]; /* the first one of `far` */
} real_difference;

/* Other outcomes of the interpreter that are as right as the expected one; members may be NULL. What
 * differs between `expected` and the first two is not held against anybody. Where the others differ,
 * in which operations that machines do not round correctly gave the next and the last number, floats
 * may differ by REAL_ROUGH times as much. */
typedef struct real_others {
    amber_memory *undefined, *backwards, *rough[2];
} real_others;

enum { REAL_ROUGH = 64 };

/* Compares all buffers of the case, `expected` with `got`. */
void
real_compare(const real_case *c, const amber_memory *expected, const amber_memory *got,
             const real_others *others, real_difference *d);

#endif
