/* Marks memory that the shader does not write as unchanging.
 *
 * If no load of a storage buffer is coherent or volatile, and nothing in the shader writes the
 * buffer (opt/memory.h: through no binding that may alias it), it is read-only, however it is
 * declared: its loads may be reordered, merged across barriers, and done by the scalar unit. One
 * walk over the instructions.
 */
#include "opt/memory.h"
#include "opt/opt.h"

/* Is it a load of a buffer that may be found not to change? */
static bool
is_candidate(const ir_instr *i)
{
    const uint32_t bound = IR_ACCESS_COHERENT | IR_ACCESS_VOLATILE | IR_ACCESS_ALIASED;
    return i->op == IR_load_ssbo &&
           !(ir_attr_get(i, IR_A_ACCESS) & (bound | IR_ACCESS_CAN_REORDER));
}

/* Updates the load's flags. Returns true if they changed. */
static bool
visit_load(const ir_replacement *map, ir_instr *i, uint64_t writes)
{
    const uint32_t fixed = IR_ACCESS_READONLY | IR_ACCESS_CAN_REORDER;
    if (opt_domains_meet(opt_domain_of(map, i), writes) || !ir_may_change(i->block->fn->ctx))
        return false;
    ir_attr_set(i, IR_A_ACCESS, ir_attr_get(i, IR_A_ACCESS) | fixed);
    return true;
}

bool
opt_infer_access(ir_fn *f)
{
    ir_replacement none = {.f = f};
    ir_instr **loads = NULL;
    size_t n_loads = 0, cap = 0;
    uint64_t writes = 0;
    bool changed = false;
    if (!ir_made_op(f, IR_load_ssbo))
        return false;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (ir_has_flag(i, IR_OP_WRITES))
                writes |= opt_whole_arrays(opt_domain_of(&none, i));
            if (!is_candidate(i))
                continue;
            loads = arena_grow(f->ctx->scratch, loads, &cap, n_loads + 1, sizeof *loads);
            loads[n_loads++] = i;
        }
    }
    for (size_t n = 0; n < n_loads; n++)
        changed |= visit_load(&none, loads[n], writes);
    return changed;
}
