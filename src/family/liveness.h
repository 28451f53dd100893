/* Which registers are live at each instruction of machine code: the value that they hold may still
 * be read. It is computed from the code alone, so it serves code of any compiler and checks this
 * one.
 *
 * A register that is not live may hold anything, in all lanes. For vector registers that is more
 * than it seems: a write replaces only the lanes in the execution mask, so the old value stays live
 * where later reads may be in more lanes. Therefore the analysis says for each live register in
 * which mask it may be read, and a write ends that if its mask contains that one (liveness.c).
 */
#ifndef FAMILY_LIVENESS_H
#define FAMILY_LIVENESS_H

#include "family/blocks.h"

/* Bit r of instruction k's words: register r is live before it. */
typedef struct family_liveness {
    const family_code *code;
    uint32_t n_registers, n_words;
    uint64_t *before; /* n_words for each instruction */
} family_liveness;

/* Analyses the code, in `a`. `scratch` is used and released. */
family_liveness *
family_liveness_of(arena *a, arena *scratch, const family_code *c);

static inline const uint64_t *
family_live_before(const family_liveness *l, uint32_t inst)
{
    return l->before + (size_t)inst * l->n_words;
}

/* Finds the registers that are live behind an instruction: `out` has n_words words. */
void
family_live_behind(const family_liveness *l, uint32_t inst, uint64_t *out);

#endif
