/* Helpers for sorted arrays. */
#ifndef BASE_SORTED_H
#define BASE_SORTED_H

#include <stdint.h>

/* The number of elements less than `key` among the `n` ascending numbers at `a`, which is the index
 * of the first element that is not less. */
static inline uint32_t
base_lower_bound(const uint32_t *a, uint32_t n, uint64_t key)
{
    uint32_t lo = 0, hi = n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (a[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

#endif
