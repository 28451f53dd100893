/* Combines two instructions into one, by the rows of a table: the result of the inner one has one
 * use, in the outer one, which computes the same from the sources of both. The combined instruction
 * takes the outer one's position.
 *
 *     v1: %2 = v_lshlrev_b32 4, %1
 *     v1: %4 = v_add_nc_u32 %2, %3         ->    v1: %4 = v_lshl_add_u32 %1, 4, %3
 */
#ifndef CG_COMBINE_H
#define CG_COMBINE_H

#include "cg/uses.h"

/* Sources of the combined instruction: those of the inner one, the outer one's other operand, or
 * none. */
enum { CG_IN_0, CG_IN_1, CG_IN_2, CG_OTHER, CG_NONE, CG_SOURCES = 3 };

/* Places of the inner one's result. */
enum { CG_FIRST = 1, CG_SECOND = 2, CG_EITHER = 3 };

typedef struct cg_rule {
    uint16_t inner, op;
    uint8_t at, order[CG_SOURCES], flags; /* CG_FIRST ...; CG_IN_0 ...; the machine's own */
} cg_rule;

typedef struct cg_match {
    const cg_rule *rule;
    ir_instr *outer;
    const ir_instr *inner;
    unsigned at; /* the place of its result */
} cg_match;

/* Calls `fuse` for each place of the rule whose operand only the outer instruction uses and can be
 * taken apart there, until it returns true. It must look at the inner one's opcode. */
bool
cg_apply_rule(const cg_uses *u, const cg_rule *rule, ir_instr *outer,
              bool (*fuse)(void *user, const cg_match *m), void *user);

/* Writes the sources of the combined instruction, and their modifiers for its attribute word 0,
 * where those of operand n are the bits `each` << n. Returns the number of sources. */
unsigned
cg_find_sources(const cg_match *m, uint32_t each, ir_ref refs[CG_SOURCES], uint32_t *bits);

#endif
