/* dealloc_vgprs: gives the VGPRs back before the stores at the program's end have finished, so that
 * another wave can start.
 *
 *     global_store_b32 ...          global_store_b32 ...
 *     s_endpgm                 ->   s_nop 0
 *                                   s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
 *                                   s_endpgm
 *
 * The message gives scratch memory back, too: a program that stores there must not send it. It pays
 * only if VGPRs limit the number of waves, as a short program is slower with it (LLVM, pull request
 * 112765). s_nop is required before it (LLVM 19, requiresNopBeforeDeallocVGPRs; Mesa).
 */
#include "amd/isa/table/table.h"
#include "amd/target/occupancy.h"

enum { MSG_DEALLOC_VGPRS = 3 }; /* LLVM 19, AMDGPUUsage, "s_sendmsg" */

static bool
pays(const amd_program *p)
{
    return amd_has(p->target, has_vgpr_dealloc) && !p->needs_scratch && !p->scratch_bytes &&
           amd_waves_for_vgprs(p, p->vgprs_used) < p->target->max_waves;
}

static void
insert(ir_instr *at, unsigned op, uint32_t imm)
{
    ir_instr *i = amd_new(at->block->fn, op, 0, 0);
    ir_words(i)[0] = imm;
    i->loc = at->loc;
    ir_insert_before(at, i);
}

void
amd_dealloc_vgprs(ir_fn *f)
{
    bool stores = false;
    if (!pays(amd_prog(f)))
        return;
    IR_FOREACH_INSTR_OF(i, f) {
        const amd_op_info *row = amd_op_row((amd_op)i->op);
        stores |= row && row->flags & AMD_F_VS;
        if (i->op != AMD_S_ENDPGM || !stores)
            continue;
        insert(i, AMD_S_NOP, 0);
        insert(i, AMD_S_SENDMSG, MSG_DEALLOC_VGPRS);
    }
}
