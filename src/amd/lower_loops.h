/* lower_loops: operations that only a loop can do, made into loops of HIR before selection.
 *
 * Where a resource handle differs between lanes (NonUniform), the hardware still takes one
 * descriptor for the wave: the loop takes the first active lane's handle, serves the lanes that
 * have the same, and goes on with the rest.
 *
 *     loop { h = read_first_invocation(handle); if (handle == h) { r = op(h); break; } }
 *
 * A float addition in memory, which gfx10.3 can do in LDS only, becomes a loop around a compare and
 * swap.
 *
 *     old = load; loop { got = swap(if old, old + data); if (got == old) break; old = got; }
 */
#ifndef AMD_LOWER_LOOPS_H
#define AMD_LOWER_LOOPS_H

#include "ir/hir.h"

/* Needs divergence; keeps no analysis if it returns true. */
bool
amd_lower_divergent_handles(ir_fn *f);
bool
amd_lower_float_atomics(ir_fn *f);

/* The operands of `i` that are resource handles; returns how many, at most 2. */
unsigned
amd_handle_refs(const ir_instr *i, uint8_t refs[2]);

#endif
