/* The optimizer on machine IR: declarations that its files share. */
#ifndef AMD_COMBINE_H
#define AMD_COMBINE_H

#include "amd/amd.h"
#include "amd/isa/table/table.h"
#include "cg/uses.h"

typedef struct mopt_ctx {
    ir_fn *f;
    amd_program *p;
    cg_uses uses; /* updated as instructions change */
} mopt_ctx;

/* Has it modifiers, or an offset? */
static inline bool
mopt_has_words(const ir_instr *i)
{
    uint32_t any = 0;
    for (unsigned w = 0; w < i->n_words; w++)
        any |= ir_words(i)[w];
    return any != 0;
}

/* Does the target have the opcode, in the encoding of its row? */
static inline bool
mopt_exists(const mopt_ctx *c, unsigned op)
{
    return amd_op_number((amd_op)op, (amd_fmt)amd_op_row((amd_op)op)->fmt, c->p->target->gen) >= 0;
}

static inline bool
mopt_is_const(ir_ref r, uint32_t value)
{
    return r.kind == IR_REF_CONST && r.id == value;
}

/* The instruction that computes `r` if nothing else uses it, it has no modifiers, and `i` may read
 * its operands instead; else NULL. */
ir_instr *
amd_opt_inner(const mopt_ctx *c, const ir_instr *i, ir_ref r);

/* Turns `i` into `op` with `n` sources, if these are legal. Modifiers must be cleared or moved by
 * the caller. */
bool
amd_opt_become(mopt_ctx *c, ir_instr *i, unsigned op, unsigned n, const ir_ref *refs);

/* The same with three sources, of which one may be a literal that `op` has no room for: an SGPR
 * gets it, under the name of what `inner`, which nothing will need any more, computes. */
bool
amd_opt_become_literal(mopt_ctx *c, ir_instr *i, unsigned op, const ir_ref refs[3],
                       const ir_instr *inner);

/* optimize_operand.c: folds signs, copies and constants into the operands of the vector
 * instruction `i`. */
void
amd_opt_fold_operands(mopt_ctx *c, ir_instr *i, const amd_op_info *row);

/* optimize_operand.c: an instruction that counts or searches the bits of a copy of exec reads exec
 * itself. */
void
amd_opt_read_exec(mopt_ctx *c, ir_instr *i);

/* optimize_half.c: lets the vector instruction `i` read high halves of registers by op_sel. */
void
amd_opt_use_halves(mopt_ctx *c, ir_instr *i, const amd_op_info *row);

/* optimize_part.c: lets the vector instruction `i` read bytes and halves of registers directly. */
void
amd_opt_use_parts(mopt_ctx *c, ir_instr *i, const amd_op_info *row);

/* Has it one or two operands, all in VGPRs, and a VGPR of its own for its first result? */
static inline bool
mopt_is_of_registers(const ir_instr *i, const amd_op_info *row)
{
    bool is = !i->form && i->n_refs <= 2 && i->n_refs == amd_op_src_count(row) &&
              amd_tied(i).ref < 0 && i->defs[0].rc == AMD_V1;
    for (unsigned r = 0; is && r < i->n_refs; r++)
        is = ir_is_value(i->refs[r]) && i->refs[r].rc == AMD_V1;
    return is;
}

/* merge_loads.c: neighbouring scalar loads become one. */
void
amd_opt_merge_loads(ir_fn *f);

/* The same file: `load`, before `at`, which is one of them, takes the place of two loads; its
 * result gets the registers of `low`, then those of `high`. */
void
amd_opt_join_loads(ir_fn *f, ir_instr *load, ir_instr *low, ir_instr *high, ir_instr *at);

/* pair_lds.c: two accesses to shared memory become one. */
void
amd_opt_pair_lds(ir_fn *f);

/* optimize_lanes.c: lets the vector instruction `i` read other lanes directly. */
void
amd_opt_use_lanes(mopt_ctx *c, ir_instr *i, const amd_op_info *row);

/* optimize_combine.c: one rule of rules.def for `i`; true if `i` changed. */
bool
amd_opt_combine(mopt_ctx *c, ir_instr *i);

/* The rules of rules.def that are functions: true if `i` changed. */
typedef bool
mopt_special(mopt_ctx *c, ir_instr *i);

/* optimize_bits.c */
mopt_special amd_opt_field, amd_opt_shifted_field, amd_opt_byte, amd_opt_select_bits, amd_opt_align,
    amd_opt_add_count, amd_opt_two_shifts, amd_opt_select_xor, amd_opt_rotate;
/* optimize_bytes.c */
mopt_special amd_opt_move_bytes;
/* optimize_range.c */
mopt_special amd_opt_multiply, amd_opt_multiply_constant, amd_opt_count, amd_opt_median,
    amd_opt_mask, amd_opt_whole_field, amd_opt_multiply_add, amd_opt_difference,
    amd_opt_add_difference;
/* optimize_half.c */
mopt_special amd_opt_pair_clamp, amd_opt_pair_mad, amd_opt_median_f16;
/* optimize_write_half.c */
mopt_special amd_opt_write_high, amd_opt_write_part, amd_opt_convert_to_high;
/* optimize_mix.c */
mopt_special amd_opt_mix, amd_opt_mix_low, amd_opt_mix_high;
/* optimize_scalar.c */
mopt_special amd_opt_test, amd_opt_test_bit, amd_opt_test_shifted, amd_opt_inverse,
    amd_opt_add_negation, amd_opt_convert_high;

/* known_bits.c: the bits of a 32-bit value that may be set. */
uint32_t
amd_opt_possible_bits(const mopt_ctx *c, ir_ref r);

#endif
