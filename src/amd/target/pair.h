/* Pairs: two vector instructions that VOPD executes side by side (gfx11 and later, wave32).
 *
 * In the machine IR they are a bundle of the kind AMD_FORM_JOINS, the first half first. Both halves
 * read their operands before either writes (RDNA3 ISA, "Dual Issue VALU").
 */
#ifndef AMD_PAIR_H
#define AMD_PAIR_H

#include "amd/amd.h"
#include "ir/bundle.h"

/* The bundles of the level. */
extern const ir_bundle_kind amd_bundles[];

static inline bool
amd_joins_previous(const ir_instr *i)
{
    return i->prev && i->form & AMD_FORM_JOINS;
}

static inline bool
amd_joins_next(const ir_instr *i)
{
    return i->next && i->next->form & AMD_FORM_JOINS;
}

/* May `i` be a half of a pair, as far as it can be told without the other? */
bool
amd_may_pair(const amd_program *p, const ir_instr *i);

/* Makes the instruction of which `x` is the first half and `y` the second, as they are. False if
 * there is none. Registers are allocated. */
bool
amd_make_pair(const amd_program *p, const ir_instr *x, const ir_instr *y, amd_inst *out);

/* Orders the two and exchanges their sources so that they can be a pair: `*first` is the first half
 * then. Returns false, and changes nothing, if they cannot. That neither uses the other's result is
 * for the caller to know. */
bool
amd_fit_pair(const amd_program *p, ir_instr *a, ir_instr *b, ir_instr **first);

#endif
