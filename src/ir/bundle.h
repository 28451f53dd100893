/* Bundles: groups of adjacent instructions of a block that the machine treats as one, such as the
 * slots of a VLIW group or the instructions of a clause.
 *
 * A level lists its kinds of bundles, outer kinds first (ir_level.bundles). An instruction whose
 * `form` has the bit `joins` of a kind is in the same bundle of that kind as the instruction before
 * it, so that a bundle takes no memory and walks over a block see no difference. An instruction
 * that neither joins nor is joined is in no bundle. Inner bundles lie within one outer bundle or
 * outside of all.
 *
 * Text encloses a bundle in braces after the kind's name, which is no opcode and may be empty:
 *
 *     clause {
 *         {
 *             v1: %3 = add %1, %2
 *             v1: %4 = mul %1, %2
 *         }
 *         v1: %5 = add %3, %4
 *     }
 *
 * Bundles are made after the passes that move instructions. A pass that still removes one calls
 * ir_bundle_unlink. An instruction inserted before one that joins splits the bundle and becomes the
 * first instruction of its second part.
 */
#ifndef IR_BUNDLE_H
#define IR_BUNDLE_H

#include "ir/ir.h"

typedef struct ir_bundle_kind {
    const char *name;
    uint8_t joins; /* a bit of ir_instr.form; 0 ends the list */
    uint8_t slots; /* instructions at most; 0: any number */
    /* Instructions execute one after the other and may use what the bundle defined before them.
     * Otherwise all of them read before any of them writes: a use of a value that the bundle
     * defines is an error, and so are two definitions of one register. */
    bool in_order;
    /* Returns why the machine has no bundle of these instructions (a phrase in English), or NULL if
     * it has. May be NULL. */
    const char *(*check)(const ir_instr *first, const ir_instr *last);
} ir_bundle_kind;

#define IR_FOREACH_BUNDLE_KIND(k, level)                                                           \
    for (const ir_bundle_kind *k = (level)->bundles; k && k->joins; k++)

/* Is there an instruction before `i`, or after it, that is in the same bundle? */
static inline bool
ir_joins_previous(const ir_instr *i, const ir_bundle_kind *k)
{
    return i->prev && i->form & k->joins;
}

static inline bool
ir_joins_next(const ir_instr *i, const ir_bundle_kind *k)
{
    return i->next && i->next->form & k->joins;
}

/* All bits of `form` that join. */
static inline uint8_t
ir_bundle_bits(const ir_level *level)
{
    unsigned bits = 0;
    IR_FOREACH_BUNDLE_KIND(k, level) {
        bits |= k->joins;
    }
    return (uint8_t)bits;
}

/* ir_unlink, which leaves the other instructions in their bundles. */
static inline void
ir_bundle_unlink(ir_instr *i)
{
    uint8_t first_of = (uint8_t)(ir_bundle_bits(i->block->fn->level) & ~i->form);
    if (i->next)
        i->next->form &= (uint8_t)~first_of;
    ir_unlink(i);
}

#endif
