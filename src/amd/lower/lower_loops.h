/* lower_loops: turns operations that need a loop into HIR loops before selection.
 *
 * The hardware uses one descriptor for the whole wave. If a resource handle differs between lanes
 * (NonUniform), a loop takes the first active lane's handle, executes the operation for the lanes
 * with the same handle, and continues with the others.
 *
 *     loop { h = read_first_invocation(handle); if (handle == h) { r = op(h); break; } }
 *
 * A float addition in memory, which gfx10.3 supports only in LDS, becomes a loop around a compare
 * and swap.
 *
 *     old = load; loop { got = swap(if old, old + data); if (got == old) break; old = got; }
 */
#ifndef AMD_LOWER_LOOPS_H
#define AMD_LOWER_LOOPS_H

#include "ir/hir.h"

/* Needs divergence; invalidates all analyses if it returns true. */
bool
amd_lower_divergent_handles(ir_fn *f);
bool
amd_lower_float_atomics(ir_fn *f);

/* The operands of `i` that are resource handles; returns their number, at most 2. */
unsigned
amd_handle_refs(const ir_instr *i, uint8_t refs[2]);

#endif
