/* Sets of many numbers of which few are members at once: a bit set, and a bit for each of its words
 * that is not 0. Operations on whole sets visit those words alone. */
#ifndef BASE_SPARSE_SET_H
#define BASE_SPARSE_SET_H

#include "base/bitset.h"

typedef struct sparse_set {
    uint64_t *bits, *used;
    uint32_t n_used; /* words of `used` */
} sparse_set;

/* An empty set for the numbers 0 to `bits` - 1. */
static inline sparse_set
sparse_set_new(arena *a, uint32_t bits)
{
    const size_t words = BITSET_WORDS(bits);
    return (sparse_set){.bits = ARENA_ARRAY(a, words, uint64_t),
                        .used = bitset_new(a, words),
                        .n_used = (uint32_t)BITSET_WORDS(words)};
}

/* The first word from `w` on that is not 0; UINT32_MAX if there is none. */
static inline uint32_t
sparse_set_word(const sparse_set *s, uint32_t w)
{
    for (; w / 64 < s->n_used; w = (w | 63) + 1) {
        const uint64_t left = s->used[w / 64] >> w % 64;
        if (left)
            return w + base_ctz64(left);
    }
    return UINT32_MAX;
}

#define SPARSE_SET_FOREACH_WORD(w, s)                                                              \
    for (uint32_t w = sparse_set_word(s, 0); w != UINT32_MAX; w = sparse_set_word(s, w + 1))

static inline bool
sparse_set_has(const sparse_set *s, uint32_t i)
{
    return bitset_has(s->bits, i);
}

static inline void
sparse_set_add(sparse_set *s, uint32_t i)
{
    bitset_add(s->bits, i);
    bitset_add(s->used, i / 64);
}

static inline void
sparse_set_remove(sparse_set *s, uint32_t i)
{
    bitset_remove(s->bits, i);
    if (!s->bits[i / 64])
        bitset_remove(s->used, i / 64);
}

static inline void
sparse_set_clear(sparse_set *s)
{
    SPARSE_SET_FOREACH_WORD(w, s)
        s->bits[w] = 0;
    memset(s->used, 0, s->n_used * sizeof *s->used);
}

/* Adds all members of `from` to `s`, which has room for the same numbers. Returns true if `s`
 * grew. */
static inline bool
sparse_set_union(sparse_set *s, const sparse_set *from)
{
    uint64_t grown = 0;
    SPARSE_SET_FOREACH_WORD(w, from) {
        grown |= from->bits[w] & ~s->bits[w];
        s->bits[w] |= from->bits[w];
    }
    for (uint32_t t = 0; t < s->n_used; t++)
        s->used[t] |= from->used[t];
    return grown != 0;
}

static inline void
sparse_set_copy(sparse_set *s, const sparse_set *from)
{
    sparse_set_clear(s);
    sparse_set_union(s, from);
}

#endif
