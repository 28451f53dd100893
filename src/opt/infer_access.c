/* Marks memory that the shader does not write as unchanging.
 *
 * If no load of a storage buffer is coherent or volatile, and nothing in the shader writes the
 * buffer (opt/memory.h: through no binding that may alias it), it is read-only, however it is
 * declared: its loads may be reordered, merged across barriers, and done by the scalar unit. So are
 * loads at addresses if the shader writes no buffer. One walk over the instructions.
 *
 * Operations stay what they are, so that the only new work for other passes is to merge equal
 * loads. The pass says whether there may be such work, or other that the reader's builder has left:
 * it numbers operations, but neither loads nor handles, and does not know which ifs in arms are
 * decided, nor what undefined values, constant data and the wave size may become.
 */
#include "opt/memory.h"
#include "opt/opt.h"
#include "opt/speculate.h"

#include "ir/value_table.h"

/* Is it a load of a buffer that may be found not to change? */
static bool
is_candidate(const ir_instr *i)
{
    const uint32_t bound = IR_ACCESS_COHERENT | IR_ACCESS_VOLATILE | IR_ACCESS_ALIASED;
    return (i->op == IR_load_ssbo || i->op == IR_load_global) &&
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

/* Are there loops, or ifs in the arms of others? */
static bool
has_nesting(const ir_fn *f)
{
    const ir_block *merge = NULL;
    IR_FOREACH_BLOCK(b, f) {
        merge = b == merge ? NULL : merge;
        if (b->cont || (b->merge && merge))
            return true;
        merge = b->merge ? b->merge : merge;
    }
    return false;
}

static bool
may_become_constant(const ir_instr *i)
{
    return i->op == IR_undef || i->op == IR_load_constant || i->op == IR_load_subgroup_size;
}

/* Has the builder perhaps left work for value numbering? Different intrinsics may share a bit. */
static bool
has_work(const ir_fn *f)
{
    enum { BITS = 1024 };
    uint64_t seen[BITS / 64] = {0};
    IR_FOREACH_INSTR_OF(i, f) {
        if (may_become_constant(i))
            return true;
        if (!ir_has_flag(i, IR_OP_INTRINSIC) || !opt_is_pure(i))
            continue;
        uint32_t h = ir_operation_hash(i, 0, 0) % BITS;
        if (seen[h / 64] >> h % 64 & 1)
            return true;
        seen[h / 64] |= UINT64_C(1) << h % 64;
    }
    return false;
}

/* Returns true if it changed a load. */
static bool
mark_loads(ir_fn *f)
{
    ir_replacement none = {.f = f};
    ir_instr **loads = NULL;
    size_t n_loads = 0, cap = 0;
    uint64_t writes = 0;
    bool changed = false;
    if (!ir_made_op(f, IR_load_ssbo) && !ir_made_op(f, IR_load_global))
        return false;
    IR_FOREACH_INSTR_OF(i, f) {
        if (ir_has_flag(i, IR_OP_WRITES))
            writes |= opt_whole_arrays(opt_domain_of(&none, i));
        if (!is_candidate(i))
            continue;
        loads = arena_grow(f->ctx->scratch, loads, &cap, n_loads + 1, sizeof *loads);
        loads[n_loads++] = i;
    }
    for (size_t n = 0; n < n_loads; n++)
        changed |= visit_load(&none, loads[n], writes);
    return changed;
}

bool
opt_infer_access(ir_fn *f)
{
    bool changed = mark_loads(f);
    f->numbered = f->changes == 0 && !has_nesting(f) && !has_work(f);
    return changed;
}
