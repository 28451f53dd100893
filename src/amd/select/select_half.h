/* 16-bit numbers in the halves of registers, and pairs of them in packed instructions. */
#ifndef AMD_SELECT_HALF_H
#define AMD_SELECT_HALF_H

#include "amd/select/select.h"

/* The high half of the register `r`; of a constant, its high 16 bits as a constant. */
ir_ref
amd_sel_high(ir_ref r);

/* The same where `r` was just defined: if that is an SGPR, the shift that moves its half, which
 * writes scc, is here. */
ir_ref
amd_sel_high_here(sel *s, ir_ref r);

/* The number as one in the low half of a register. */
ir_ref
amd_sel_low(sel *s, ir_ref r);

/* Component `c` of the value that `r` refers to, in either half. */
ir_ref
amd_sel_get_part(sel *s, ir_ref r, unsigned c);

/* The component that `r` reads, in either half. */
static inline ir_ref
amd_sel_part(sel *s, ir_ref r)
{
    return amd_sel_get_part(s, r, r.comp == IR_WHOLE ? 0 : r.comp);
}

/* Two scalars or constants as the halves of an SGPR. */
ir_ref
amd_sel_pack_scalars(sel *s, ir_ref lo, ir_ref hi);

/* A dword with two numbers, which are in either half of their registers: the register itself if
 * they are in place, else one instruction. */
ir_ref
amd_sel_pack(sel *s, ir_ref lo, ir_ref hi);

/* The dword with components `first` and `first` + 1 (if there is one) of the value. */
ir_ref
amd_sel_pack_comps(sel *s, ir_ref value, unsigned first);

/* The `n` components of a vector of halves. */
void
amd_sel_split_halves(sel *s, ir_ref all, unsigned n, ir_ref *comps);

/* select_pair.c: selects the pair of `low` and `high` as packed instructions; false if they must be
 * selected one by one. */
bool
amd_sel_pair_of_halves(sel *s, const ir_instr *low, const ir_instr *high);

#endif
