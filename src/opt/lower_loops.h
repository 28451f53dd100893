/* lower_loops: operations that a machine lacks become loops of those that it has.
 *
 * A machine that uses one descriptor for the whole wave cannot take a resource handle that differs
 * between lanes (NonUniform). A loop takes the first active lane's handle, executes the operation
 * for the lanes with the same handle, and continues with the others.
 *
 *     loop { h = read_first_invocation(handle); if (handle == h) { r = op(h); break; } }
 *
 * An atomic operation in memory, such as an addition of floats, becomes a loop around a compare and
 * swap.
 *
 *     old = load; loop { got = swap(if old, old + data); if (got == old) break; old = got; }
 *
 * In a reduction or scan the lanes leave a loop one by one, with what has been combined up to them;
 * what is combined of all is that of the last lane, of a cluster of its last one.
 *
 *     loop { sum = before + read_first_invocation(x); if (elect) break; before = sum; }
 */
#ifndef OPT_LOWER_LOOPS_H
#define OPT_LOWER_LOOPS_H

#include "ir/hir.h"
#include "ir/pass.h"

/* Invalidates all analyses if it returns true, as the next one does. Needs divergence. */
bool
opt_lower_divergent_handles(ir_fn *f);

/* For the atomics that `lacks` chooses among those that compute what they store: additions, minima,
 * maxima and bit operations, of integers and floats. */
bool
opt_lower_atomics(ir_fn *f, ir_choice lacks);

/* What the rows of passes that call it have in common. */
#define OPT_LOWER_ATOMICS                                                                          \
    .name = "lower_atomics", .lower = opt_lower_atomics, .flags = IR_PASS_REQUIRED,                \
    .what = "Atomic operations that the target lacks become loops of compare and swap."

/* For the reductions and scans of scalars that `lacks` chooses. Of 32-bit integers the maximum must
 * be there. */
bool
opt_lower_scans(ir_fn *f, ir_choice lacks);

#define OPT_LOWER_SCANS                                                                            \
    .name = "lower_scans", .lower = opt_lower_scans, .flags = IR_PASS_REQUIRED,                    \
    .what = "Reductions and scans that the target lacks become loops over the lanes."

/* Is `i` a reduction or scan of numbers? */
bool
opt_is_scan(const ir_instr *i);

/* Is `i` an atomic addition, minimum or maximum of floats? */
bool
opt_is_float_atomic(const ir_fn *f, const ir_instr *i);

/* The operands of `i` that are resource handles; returns their number, at most 2. */
unsigned
opt_handle_refs(const ir_instr *i, uint8_t refs[2]);

#endif
