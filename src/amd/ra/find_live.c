/* live_var_analysis: liveness as for all levels, of a program in which the addresses of scalar
 * loads live as long as the hardware may need them.
 *
 * Where accesses may be repeated (XNACK), a load of several dwords that crosses a page may have
 * written some of them when the other page turns out to be missing. It is then executed again, so
 * it must not overwrite its own address, unless it is aligned to its size and so within one page
 * (LLVM 20: the opcodes ..._ec of scalar loads). Alignments are not known here.
 */
#include "amd/amd.h"
#include "amd/isa/table/table.h"
#include "cg/live.h"

static void
keep_address(ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    if (!row || row->fmt != AMD_SMEM || !i->n_defs || amd_rc_regs(i->defs[0].rc) < 2)
        return;
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (ir_is_value(i->refs[r]))
            i->refs[r].flags |= IR_LATE_KILL;
    }
}

void
amd_find_live(ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        for (ir_instr *i = b->first; i && amd_prog(f)->may_retry; i = i->next)
            keep_address(i);
    }
    cg_find_live(f);
}
