/* pair_halves: pairs operations on 16-bit numbers that a machine computes two at a time. */
#ifndef OPT_PAIR_HALVES_H
#define OPT_PAIR_HALVES_H

#include "ir/ir.h"

/* What a machine has for two operations of one opcode whose results are the halves of a register.
 */
typedef enum opt_pair_kind {
    OPT_PAIR_NONE,    /* nothing; of a phi: it is not kept in registers that hold pairs */
    OPT_PAIR_ANY,     /* one instruction, which reads either half of a register for each of the two,
                         and may negate floats */
    OPT_PAIR_ALIGNED, /* one instruction on whole registers: its first operation reads low halves,
                         the second one high halves */
    OPT_PAIR_PARTS, /* two instructions, each of which writes one half and reads whole registers */
} opt_pair_kind;

/* The machine's answer for `i`, a phi or an ALU operation with a 16-bit result. */
typedef opt_pair_kind (*opt_pair_rule)(const ir_fn *f, const ir_instr *i);

/* Runs just before selection; keeps dominance, loops and divergence. Returns true if there are
 * pairs. */
bool
opt_pair_halves(ir_fn *f, opt_pair_rule rule);

#endif
