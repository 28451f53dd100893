/* The order in which an emulator runs the waves of a group: in turn from barrier to barrier, or as
 * a generator draws it, seeded so that each group of a dispatch has an order of its own and the
 * same seed gives the same runs.
 */
#ifndef MACH_TURNS_H
#define MACH_TURNS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct mach_turns {
    bool draws;      /* else the waves run one after the other */
    uint64_t random; /* the generator's state */
    uint32_t next;
} mach_turns;

/* Begins group number `group`. With seed 0 nothing is drawn. */
static inline void
mach_turns_begin(mach_turns *t, uint64_t seed, uint64_t group)
{
    uint64_t state = seed ^ group * UINT64_C(0x9e3779b97f4a7c15);
    *t = (mach_turns){.draws = seed != 0, .random = state ? state : 1};
}

/* xorshift64* (Vigna 2016). */
static inline uint64_t
mach_turns_random(mach_turns *t)
{
    uint64_t x = t->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    t->random = x;
    return x * UINT64_C(0x2545f4914f6cdd1d);
}

/* Chooses one of `n` waves that is ready. Returns false if none is. */
static inline bool
mach_turns_choose(mach_turns *t, uint32_t n, bool (*is_ready)(const void *group, uint32_t wave),
                  const void *group, uint32_t *wave)
{
    if (t->draws)
        t->next = (uint32_t)(mach_turns_random(t) % n);
    for (uint32_t k = 0; k < n; k++) {
        *wave = (t->next + k) % n;
        if (is_ready(group, *wave)) {
            t->next = (*wave + 1) % n;
            return true;
        }
    }
    return false;
}

/* The instructions of the wave's turn: `usual`, or a drawn number. */
static inline uint64_t
mach_turns_length(mach_turns *t, uint64_t usual)
{
    enum { MOST_DRAWN = 64 };
    return t->draws ? 1 + mach_turns_random(t) % MOST_DRAWN : usual;
}

#endif
