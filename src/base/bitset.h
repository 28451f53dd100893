/* Sets of small numbers as arrays of 64-bit words. The owner knows the number of bits. */
#ifndef BASE_BITSET_H
#define BASE_BITSET_H

#include "base/arena.h"
#include "base/bits.h"

#define BITSET_WORDS(bits) (((size_t)(bits) + 63) / 64)

/* An empty set for the numbers 0 to `bits` - 1. */
static inline uint64_t *
bitset_new(arena *a, size_t bits)
{
    return ARENA_ARRAY(a, BITSET_WORDS(bits), uint64_t);
}

static inline bool
bitset_has(const uint64_t *s, size_t i)
{
    return s[i / 64] >> (i % 64) & 1;
}

static inline void
bitset_add(uint64_t *s, size_t i)
{
    s[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void
bitset_remove(uint64_t *s, size_t i)
{
    s[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* Adds all members of `from` to `s`. Returns true if `s` grew. */
static inline bool
bitset_union(uint64_t *s, const uint64_t *from, size_t bits)
{
    uint64_t grown = 0;
    for (size_t w = 0; w < BITSET_WORDS(bits); w++) {
        grown |= from[w] & ~s[w];
        s[w] |= from[w];
    }
    return grown != 0;
}

static inline void
bitset_clear(uint64_t *s, size_t bits)
{
    memset(s, 0, BITSET_WORDS(bits) * sizeof *s);
}

static inline size_t
bitset_count(const uint64_t *s, size_t bits)
{
    size_t n = 0;
    for (size_t w = 0; w < BITSET_WORDS(bits); w++)
        n += base_popcount64(s[w]);
    return n;
}

/* The smallest member that is at least `from`, or `bits` if there is none. */
static inline size_t
bitset_next(const uint64_t *s, size_t from, size_t bits)
{
    size_t w = from / 64;
    if (from >= bits)
        return bits;
    uint64_t word = s[w] & (~UINT64_C(0) << (from % 64));
    while (!word) {
        if (++w >= BITSET_WORDS(bits))
            return bits;
        word = s[w];
    }
    return w * 64 + base_ctz64(word);
}

#define BITSET_FOREACH(i, s, bits)                                                                 \
    for (size_t i = bitset_next((s), 0, (bits)); i < (bits); i = bitset_next((s), i + 1, (bits)))

#endif
