/* VOPD: two operations in one instruction, executed side by side (gfx11 and later, wave32).
 *
 * Each half is an operation that also has a 32-bit vector encoding. In amd_inst `op` is the first
 * half's opcode and `op_y` the second's; dst[0], src[0] and src[1] are the first half's registers,
 * dst[1], src[2] and src[3] the second's. The second source is AMD_REG_ABSENT if an operation has
 * only one. Other operands (an accumulator that is also dst, vcc, the literal of fmaak and fmamk)
 * have no place; both halves share the literal.
 */
#ifndef AMD_DUAL_H
#define AMD_DUAL_H

#include "amd/isa/table/table.h"

/* The operation's name on `gen` without "v_dual_". */
const char *
amd_dual_name(amd_gen gen, amd_op op);

/* The operation whose name after "v_dual_" is the `len` characters at `name`; AMD_OP_INVALID if
 * that half has none. */
amd_op
amd_dual_find(amd_gen gen, const char *name, size_t len, bool second);

/* May `op` be a half of VOPD on `gen`? `second`: as the second half. */
bool
amd_dual_exists(amd_gen gen, amd_op op, bool second);

/* Can the pair be encoded? */
bool
amd_dual_valid(amd_gen gen, const amd_inst *in);

/* The place in src of the half's next source, not counting literals: 0 or 1 in the first half, 2 or
 * 3 in the second. `o` is the row's operand, `k` counts the sources. -1 for operands without a
 * place. */
int
amd_dual_place(const amd_operand *o, bool second, unsigned *k);

/* The half as an instruction of its 32-bit encoding. */
amd_inst
amd_dual_half(const amd_inst *in, bool second);

/* The counterparts of amd_decode and amd_encode, which call them. */
bool
amd_decode_dual(amd_gen gen, const uint32_t *words, size_t size, amd_inst *out, bool *extra);
bool
amd_encode_dual(amd_gen gen, amd_inst *in, base_buf *out);

#endif
