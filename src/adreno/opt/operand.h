/* What an operand of an operation may be. Sources: ir3_valid_flags and ir3_valid_immediate of Mesa,
 * and the code of turnip 26.2.6.
 *
 *   category 2    one of two sources may be in the constant file or shared by the wave, one may be
 *                 a number of ten bits with its sign, of operations on floats one of the table
 *   category 3    the second source is a register; the others may be in the constant file or
 *                 shared, but of shifts with a mask, which have numbers of twelve bits instead
 *   category 4    a register
 *   scalar ALU    the same of shared registers, of which there may be several, in each place;
 *                 none of a fibre's
 *   category 5    a register; the value of a1.x, which is the last reference, is a number
 *   others        a register; a number where the instruction has a field for one */
#ifndef ADRENO_OPT_OPERAND_H
#define ADRENO_OPT_OPERAND_H

#include "adreno/adreno.h"

typedef enum adreno_operand {
    ADRENO_O_REGISTER,
    ADRENO_O_SHARED, /* a register that the fibres of a wave share */
    ADRENO_O_FILE,   /* in the constant file */
    ADRENO_O_NUMBER,
} adreno_operand;

adreno_operand
adreno_operand_of(const ir_instr *i, unsigned r);

/* May operand `r` of `i` be of that kind, whatever the number, beside the other operands as they
 * are? */
bool
adreno_operand_fits(const ir_instr *i, unsigned r, adreno_operand kind);

/* Does the number fit into the field that the operand has for one? */
bool
adreno_number_fits(const ir_instr *i, unsigned r, ir_ref number);

/* The modifiers of operand `r`: its bits of `neg`, `abs` and `cfile` at their places for operand
 * 0. */
enum {
    ADRENO_OPERAND_BITS = 1u << ADRENO_M_NEG | 1u << ADRENO_M_ABS | 1u << ADRENO_M_CFILE,
};

static inline uint32_t
adreno_operand_bits(const ir_instr *i, unsigned r)
{
    return ir_words(i)[0] >> r & ADRENO_OPERAND_BITS;
}

static inline void
adreno_set_operand_bits(ir_instr *i, unsigned r, uint32_t bits)
{
    ir_words(i)[0] = (ir_words(i)[0] & ~((uint32_t)ADRENO_OPERAND_BITS << r)) | bits << r;
}

/* Exchanges two operands with their modifiers. */
void
adreno_exchange(ir_instr *i, unsigned a, unsigned b);

/* Exchanges the first two operands of an operation of which they are factors or summands. Returns
 * false if it is no such operation. */
bool
adreno_swap_operands(ir_instr *i);

/* The instruction that moves a number or what is in the constant file to `r`; NULL: something else
 * gives it. */
const ir_instr *
adreno_constant_move(const ir_fn *f, ir_ref r);

/* Which signs float operands may have: bits of IR neg and abs. */
enum { ADRENO_SIGN_NEG = 1, ADRENO_SIGN_ABS = 2 };
unsigned
adreno_signs_of(unsigned op);

#endif
