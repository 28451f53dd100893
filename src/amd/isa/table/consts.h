/* Constants that need no literal: the SRC code that represents a value, by the operand's type. */
#ifndef AMD_CONSTS_H
#define AMD_CONSTS_H

#include "amd/isa/table/table.h"

/* The SRC code of the inline constant that an operand of type `t` reads as `bits` (as many as the
 * type has; for 16-bit types the low 16); AMD_SRC_LITERAL if there is none. Integers have the
 * inline constants -16 to 64 and the floats of the type's size; 16-bit integers have only the
 * former. */
unsigned
amd_inline_constant(amd_type t, uint64_t bits);

/* The type that decides which constants operand `o` of the row may be, and how they are written:
 * mixed math reads f16; the integer exponent of v_ldexp_f16 takes f16's constants, and bfloat16
 * products take bfloat16's (as in LLVM 19). */
amd_type
amd_constant_type(const amd_op_info *row, const amd_operand *o);

/* The bits that an operand of type `t` reads for float constant `code` (AMD_SRC_F_0_5 to
 * AMD_SRC_F_INV_2PI): a float of the type's size, or of the element size for pairs. */
uint64_t
amd_float_constant(unsigned code, amd_type t);

#endif
