/* Common code of lowering passes: a walk that replaces instructions by what a callback builds for
 * them.
 */
#ifndef OPT_LOWER_H
#define OPT_LOWER_H

#include "ir/builder.h"

/* Builds what replaces an instruction's definition, or returns ir_none(). */
typedef ir_ref
opt_lower_fn(ir_builder *b, const ir_instr *i);

/* Calls `lower` for each instruction with one definition, in structured order, with the builder
 * positioned before it. `lower` returns a replacement for the definition (of the same type), or
 * ir_none() to leave the instruction alone. Instructions that it built are passed to `lower` in
 * turn. Returns true if anything was replaced. */
bool
opt_lower(ir_fn *f, opt_lower_fn *lower);

/* What the first of some functions builds that builds anything; NULL ends the list. */
ir_ref
opt_lower_by(opt_lower_fn *const *ways, ir_builder *b, const ir_instr *i);

/* Size in bits of an instruction's definition, and of its source 0. */
unsigned
opt_def_bits(const ir_builder *b, const ir_instr *i);
unsigned
opt_src_bits(const ir_builder *b, const ir_instr *i);

/* The conversion `op` of `r` to `bits` bits. */
static inline ir_ref
opt_convert(ir_builder *b, ir_op op, unsigned bits, ir_ref r)
{
    return ir_build_alu(b, op, IR_TYPE(bits, 1), r, ir_none(), ir_none());
}

/* Splits a 64-bit reference into halves, and joins halves. */
ir_ref
opt_lo(ir_builder *b, ir_ref r);
ir_ref
opt_hi(ir_builder *b, ir_ref r);
ir_ref
opt_pack(ir_builder *b, ir_ref lo, ir_ref hi);

#endif
