/* What the files that select ALU operations share. */
#ifndef AMD_SELECT_ALU_H
#define AMD_SELECT_ALU_H

#include "amd/select.h"

/* Flags of select_rows.def. */
enum { SEL_REV = 1, SEL_ZEXT = 2, SEL_SEXT = 4, SEL_FULL = 8 };

/* Source `n` of `i`, extended to 32 bits where it is smaller and `how` (SEL_ZEXT, SEL_SEXT) asks
 * for it. */
ir_ref
sel_source(sel *s, const ir_instr *i, unsigned n, unsigned how);

/* Bits of a component of the definition. */
unsigned
sel_def_bits(const sel *s, const ir_instr *i);

/* A 64-bit value of its halves. */
ir_ref
sel_pair(sel *s, bool vgpr, ir_ref lo, ir_ref hi);

/* A dword of the low halves of two in vector registers. */
ir_ref
sel_pack_halves(sel *s, ir_ref lo, ir_ref hi);

/* By lane: `yes` where the mask has a bit, else `no`; 32 bits. */
ir_ref
sel_cndmask(sel *s, ir_ref yes, ir_ref no, ir_ref mask);

/* The 32-bit vector opcode of select_rows.def for a HIR opcode. */
unsigned
sel_vector_op(unsigned op);

/* Sequences: false if `i` is none of theirs. */
bool
sel_float(sel *s, const ir_instr *i);
bool
sel_convert(sel *s, const ir_instr *i);
bool
sel_int(sel *s, const ir_instr *i);

#endif
