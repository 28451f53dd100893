/* Executing a row of the vector ALU (valu_rows.h): operands and results, modifiers, DPP, rounding.
 * VOP3P, lane operations and matrices use the parts too.
 */
#ifndef AMD_EMU_VALU_H
#define AMD_EMU_VALU_H

#include "amd/emu/alu/valu_rows.h"
#include "amd/emu/core/wave.h"

/* The handler of any instruction that has a row; valu_fast.h has faster ones. */
emu_handler amd_emu_run_valu;

/* Runs a row with scalar sources and destination: floating point on the scalar ALU, V_S_* (valu.c).
 * All lanes compute the same. */
emu_handler amd_emu_run_scalar_row;

/* Parts of executing a row that VOP3P and lane operations use too (valu.c). */

typedef union emu_row {
    uint32_t u[EMU_LANES];
    uint64_t q[EMU_LANES];
} emu_row;

/* The lanes of source `s` of `i` as dwords: a register's row, or `room` filled with a scalar. `add`
 * is added to the register's number (for scalars, 1 is the upper half of a pair). */
const uint32_t *
amd_emu_source_row(emu_wave *w, const emu_inst *i, uint32_t code, emu_type t, uint32_t add,
                   emu_row *room);

/* Loads the lanes of a 64-bit source of type `t` (emu_type) into room->q. */
void
amd_emu_wide_source(emu_wave *w, const emu_inst *i, uint32_t code, uint32_t t, emu_row *room);

/* The NaN rule of minima and maxima (minmax.h). */
uint32_t
amd_emu_nan_rule(const emu_wave *w);

/* Does a 16-bit result keep the other half of its register? Otherwise that half becomes zero. */
bool
amd_emu_keeps_half(const emu_wave *w, const emu_inst *i, const emu_valu *v);

/* The rounding mode for an operation with the row's types. */
unsigned
amd_emu_rounding(const emu_wave *w, const emu_valu *v);

/* amd_emu_dpp_lane: the lane that the DPP control of `in` reads for lane `l`; -1 beyond its row.
 * amd_emu_dpp_write: the lanes that are written: exec without those that row_mask and bank_mask
 * disable, and without those that lack a valid source lane if bound_ctrl is off (DPP8 has no such
 * bits: invalid lanes read 0). */
int
amd_emu_dpp_lane(const amd_inst *in, uint32_t l);
uint64_t
amd_emu_dpp_write(const emu_wave *w, const amd_inst *in);

/* Applies DPP to src0, not in place: a source lane beyond the row, or disabled without FI, reads
 * 0. */
void
amd_emu_dpp_permute(const emu_wave *w, const amd_inst *in, const uint32_t *from, uint32_t *to);

/* Sets the host's rounding mode to `round`; amd_emu_round_end restores it. */
bool
amd_emu_round_begin(unsigned round);
void
amd_emu_round_end(bool begun);

/* Post-processes a row's float results: denormals, output modifier, clamp. */
void
amd_emu_finish(const emu_wave *w, const amd_inst *in, const emu_valu *v, emu_row *d);

/* Writes `d` to VGPR `reg` in the lanes of `mask`. */
void
amd_emu_write_vgpr(emu_wave *w, uint32_t reg, const uint32_t *d, uint64_t mask);

/* Writes a comparison's result: v_cmpx writes exec, and before gfx10 also a mask. */
void
amd_emu_write_comparison(emu_wave *w, const emu_inst *i, uint64_t mask);

/* The bits of a scaled conversion's result (valu_scale.c); 0 for other instructions. */
uint32_t
amd_emu_scale_bits(const emu_inst *i);

/* Packs lanes of 0 or 1 into bits. */
uint64_t
amd_emu_pack_mask(const uint32_t *m, uint32_t n);

#endif
