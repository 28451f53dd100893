/* Parts of operations. */
#ifndef R600_EMU_ALU_COMPUTE_H
#define R600_EMU_ALU_COMPUTE_H

#include "r600/emu/core/wave.h"

/* The comparison of an operation that compares. Returns false for others. */
bool
r600_emu_compare(r600_op op, const uint32_t s[3], bool *out);

/* Applies the multiplier and the clamp of a result. */
uint32_t
r600_emu_modify(const r600_inst *in, uint32_t bits, bool is_mask_op);

/* The sum of four products. */
uint32_t
r600_emu_dot(r600_op op, const uint32_t a[4], const uint32_t b[4]);

#endif
