/* Parts of the disassembler in files of their own. */
#ifndef AMD_PRINT_H
#define AMD_PRINT_H

#include "amd/isa/table/table.h"

/* Prints an immediate of kind `kind` (amd_kind), with its meaning in `in`. */
void
amd_print_immediate(amd_gen gen, const amd_inst *in, amd_kind kind, base_buf *out);

/* Prints a literal as an operand of type `t`: as a small number or float if an inline constant has
 * its value, otherwise in hex. */
void
amd_print_literal(uint32_t literal, amd_type t, base_buf *out);

/* Prints ds_swizzle_b32's offset, with a leading space; nothing for 0. */
void
amd_print_swizzle(uint32_t offset, base_buf *out);

/* Appends the names and values of the bit fields of the instruction at `bytes`: "VOP2: SRC0=258
 * SRC1=1 ...". The parts of a split field are combined. */
void
amd_print_fields(amd_gen gen, const amd_inst *in, const uint8_t *bytes, base_buf *out);

#endif
