/* Parts of the disassembler that have a file of their own. */
#ifndef AMD_PRINT_H
#define AMD_PRINT_H

#include "amd/isa/table.h"

/* An immediate of kind `kind` (amd_kind) with the meaning it has in `in`. */
void
amd_print_immediate(amd_gen gen, const amd_inst *in, amd_kind kind, base_buf *out);

/* A literal as an operand of type `t`: as a small number or float if an inline constant has its
 * value, else in hex. */
void
amd_print_literal(uint32_t literal, amd_type t, base_buf *out);

/* ds_swizzle_b32's offset, with a leading space; nothing for 0. */
void
amd_print_swizzle(uint32_t offset, base_buf *out);

/* Appends the bit fields of the instruction at `bytes` by name: "VOP2: SRC0=258 SRC1=1 ...". Fields
 * of several parts are put together. */
void
amd_print_fields(amd_gen gen, const amd_inst *in, const uint8_t *bytes, base_buf *out);

#endif
