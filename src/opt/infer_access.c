/* Marks memory that the shader does not write as unchanging.
 *
 * If no load of a storage buffer is coherent or volatile, and nothing in the shader writes the
 * buffer (opt/memory.h: through no binding that may alias it), it is read-only, however it is
 * declared: its loads may be reordered, merged across barriers, and done by the scalar unit. One
 * walk over the instructions.
 */
#include "opt/memory.h"
#include "opt/opt.h"

/* The domain that `i` writes. */
static uint64_t
written(const ir_replacement *map, const ir_instr *i)
{
    opt_place p;
    if (!ir_has_flag(i, IR_OP_WRITES))
        return 0;
    return opt_whole_arrays(opt_find_place(map, i, &p) ? p.domain : opt_domain_of(map, i));
}

/* Updates the load's flags. Returns true if they changed. */
static bool
visit_load(const ir_replacement *map, ir_instr *i, uint64_t writes)
{
    const uint32_t bound = IR_ACCESS_COHERENT | IR_ACCESS_VOLATILE | IR_ACCESS_ALIASED;
    const uint32_t fixed = IR_ACCESS_READONLY | IR_ACCESS_CAN_REORDER;
    opt_place p;
    opt_find_place(map, i, &p);
    if (p.flags & bound || p.memory != OPT_MEMORY_BUFFER || opt_domains_meet(p.domain, writes) ||
        !ir_may_change(i->block->fn->ctx))
        return false;
    ir_attr_set(i, IR_A_ACCESS, p.flags | fixed);
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
            writes |= written(&none, i);
            if (i->op != IR_load_ssbo)
                continue;
            loads = arena_grow(f->ctx->scratch, loads, &cap, n_loads + 1, sizeof *loads);
            loads[n_loads++] = i;
        }
    }
    for (size_t n = 0; n < n_loads; n++)
        changed |= visit_load(&none, loads[n], writes);
    return changed;
}
