#include "spirv_change.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHANGES = 3 };

static uint64_t
seed(const uint32_t *words, size_t n)
{
    uint64_t state = 88172645463325252u + n;
    for (size_t k = 0; k < n; k++)
        state = (state ^ words[k]) * UINT64_C(0x100000001b3);
    return state;
}

static uint32_t
next_random(uint64_t *state, uint32_t n)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return n ? (uint32_t)((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % n : 0;
}

/* Returns the offset of a random instruction other than names and debug information; 0 if there is
 * none. */
static uint32_t
draw_instruction(const uint32_t *words, uint32_t n, uint64_t *state)
{
    enum { OP_MEMBER_NAME = 6 };
    uint32_t seen = 0, chosen = 0;
    for (uint32_t at = 5; at < n; at += words[at] >> 16) {
        if (!(words[at] >> 16) || words[at] >> 16 > n - at)
            return 0;
        if ((words[at] & 0xffff) > OP_MEMBER_NAME && !next_random(state, ++seen))
            chosen = at;
    }
    return chosen;
}

/* Changes an operand or the opcode of a random instruction, or removes it. */
static void
change_instruction(uint32_t *words, uint32_t n, uint64_t *state)
{
    uint32_t at = draw_instruction(words, n, state), from = draw_instruction(words, n, state);
    if (!at || !from || words[at] >> 16 < 2 || words[from] >> 16 < 2)
        return;
    uint32_t *to = &words[at + 1 + next_random(state, (words[at] >> 16) - 1)];
    switch (next_random(state, 12)) {
    case 0: *to = next_random(state, 16); break;
    case 1: *to = UINT32_MAX - next_random(state, 4); break;
    case 2: words[at] = (words[at] & 0xffff0000) | (words[from] & 0xffff); break;
    case 3: *to = next_random(state, words[3] < 100000 ? words[3] : 1); break;
    case 4:
        for (uint32_t k = words[at] >> 16; k > 0; k--)
            words[at + k - 1] = 1 << 16; /* OpNop */
        break;
    default: *to = words[from + 1 + next_random(state, (words[from] >> 16) - 1)]; break;
    }
}

static bool
change(uint32_t *words, size_t n, uint64_t *state)
{
    if (n <= 6 || n >= 1 << 20 || !draw_instruction(words, (uint32_t)n, state))
        return false;
    for (uint32_t k = 1 + next_random(state, MAX_CHANGES); k > 0; k--)
        change_instruction(words, (uint32_t)n, state);
    return true;
}

void
spirv_change_each(const uint8_t *data, size_t size, unsigned copies, uint64_t salt,
                  void (*run)(const uint32_t *words, size_t n, unsigned copy))
{
    size_t n = size / 4;
    uint32_t *words = malloc(n * 4 + 4);
    if (!words)
        return;
    memcpy(words, data, n * 4);
    uint64_t state = seed(words, n) + salt;
    run(words, n, 0);
    for (unsigned c = 1; c <= copies && change(words, n, &state); c++) {
        run(words, n, c);
        memcpy(words, data, n * 4);
    }
    free(words);
}
