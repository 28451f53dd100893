/* Sets of many numbers of which few are members at once: a bit set, and a bit for each of its words
 * that is not 0. Operations on whole sets visit those words alone. */
#ifndef BASE_SPARSE_SET_H
#define BASE_SPARSE_SET_H

#include "base/bitset.h"

typedef struct sparse_set {
    uint64_t *bits, *used;
    size_t words; /* of `bits` */
} sparse_set;

/* An empty set for the numbers 0 to `bits` - 1. */
static inline sparse_set
sparse_set_new(arena *a, uint32_t bits)
{
    const size_t words = BITSET_WORDS(bits);
    return (sparse_set){
        .bits = ARENA_ARRAY(a, words, uint64_t), .used = bitset_new(a, words), .words = words};
}

/* The words that are not 0. */
#define SPARSE_SET_FOREACH_WORD(w, s) BITSET_FOREACH(w, (s)->used, (s)->words)

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
    bitset_clear(s->used, s->words);
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
    bitset_union(s->used, from->used, s->words);
    return grown != 0;
}

static inline void
sparse_set_copy(sparse_set *s, const sparse_set *from)
{
    sparse_set_clear(s);
    sparse_set_union(s, from);
}

#endif
