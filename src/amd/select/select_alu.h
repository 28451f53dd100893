/* Declarations that the files for selecting ALU operations share. */
#ifndef AMD_SELECT_ALU_H
#define AMD_SELECT_ALU_H

#include "amd/select/select.h"

/* Flags of select_rows.def. */
enum { SEL_REV = 1, SEL_ZEXT = 2, SEL_SEXT = 4, SEL_FULL = 8 };

/* Source `n` of `i`, extended to 32 bits if it is smaller and `how` (SEL_ZEXT, SEL_SEXT) requests
 * it. */
ir_ref
amd_sel_source(sel *s, const ir_instr *i, unsigned n, unsigned how);

/* Bits of a component of the definition. */
unsigned
amd_sel_def_bits(const sel *s, const ir_instr *i);

/* Joins two halves to a 64-bit value. */
ir_ref
amd_sel_pair(sel *s, bool vgpr, ir_ref lo, ir_ref hi);

/* Per lane: `yes` if the mask has a bit, otherwise `no`; 32 bits. */
ir_ref
amd_sel_cndmask(sel *s, ir_ref yes, ir_ref no, ir_ref mask);

/* The opcodes of select_rows.def for a HIR opcode: of the vector unit for 16, 32 and 64 bits, of
 * the scalar unit for 32 and 64 bits; AMD_OP_INVALID: none. */
typedef struct sel_row {
    uint16_t v16, v32, v64, s32, s64;
    uint8_t flags; /* SEL_REV ... */
} sel_row;

const sel_row *
amd_sel_row(unsigned op);

/* Has the number a reciprocal, both normal? The reciprocal. */
bool
amd_sel_has_reciprocal(uint32_t bits);
uint32_t
amd_sel_reciprocal(uint32_t bits);

/* Emit sequences; return false if they do not handle `i`. */
bool
amd_sel_float(sel *s, const ir_instr *i);
bool
amd_sel_scalar_float(sel *s, const ir_instr *i);
bool
amd_sel_convert(sel *s, const ir_instr *i);
bool
amd_sel_int(sel *s, const ir_instr *i);

#endif
