/* live_var_analysis: liveness as for all levels, of a program in which some instructions' operands
 * live as long as the hardware may need them.
 *
 * Where accesses may be repeated (XNACK), a load of several dwords that crosses a page may have
 * written some of them when the other page turns out to be missing. It is then executed again, so
 * it must not overwrite its own address, unless it is aligned to its size and so within one page
 * (LLVM 20: the opcodes ..._ec of scalar loads). Alignments are not known here. And the factors of
 * v_mad_u64_u32 must not be overwritten on gfx11 (mad_wide_bug).
 */
#include "amd/amd.h"
#include "amd/isa/table/table.h"
#include "cg/live.h"

/* How many of the first operands an instruction needs until it has written its result. */
static unsigned
late_operands(const amd_program *p, const ir_instr *i)
{
    if (i->op == AMD_V_MAD_U64_U32 || i->op == AMD_V_MAD_I64_I32)
        return amd_has(p->target, mad_wide_bug) ? 2 : 0;
    const amd_op_info *row = p->may_retry ? amd_op_row((amd_op)i->op) : NULL;
    bool wide = row && row->fmt == AMD_SMEM && i->n_defs && amd_rc_regs(i->defs[0].rc) > 1;
    return wide ? i->n_refs : 0;
}

void
amd_find_live(ir_fn *f)
{
    const amd_program *p = amd_prog(f);
    bool has_late = p->may_retry || amd_has(p->target, mad_wide_bug);
    IR_FOREACH_BLOCK(b, f) {
        for (ir_instr *i = b->first; i && has_late; i = i->next) {
            for (unsigned r = 0, n = late_operands(p, i); r < n; r++) {
                if (ir_is_value(i->refs[r]))
                    i->refs[r].flags |= IR_LATE_KILL;
            }
        }
    }
    cg_find_live(f);
}
