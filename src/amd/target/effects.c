/* The effects of AMD's instructions other than computing their definitions (cg/effects.h).
 *
 * Memory: word 2 of a memory instruction names the classes (AMD_SYNC_*); if it names none, the
 * access may be to any memory. Loads that may be reordered read memory that nothing writes.
 *
 * Lanes: vector instructions write where exec is set. Masks are zero in inactive lanes, and
 * instructions that read other lanes see only the active ones, so these depend on exec as a whole.
 */
#include "amd/amd.h"
#include "amd/isa/table/table.h"

enum { SYNC_CLASSES = 0x1f, MEMORY_EXPORT = 1u << 8 };

static bool
reads_other_lanes(const ir_instr *i, const amd_op_info *row)
{
    switch (i->op) {
    case AMD_V_PERMLANE64_B32:
    case AMD_V_PERMLANE16_B32:
    case AMD_V_PERMLANEX16_B32:
    case AMD_V_PERMLANE16_VAR_B32:
    case AMD_V_PERMLANEX16_VAR_B32:
    case AMD_DS_SWIZZLE_B32:
    case AMD_DS_PERMUTE_B32:
    case AMD_DS_BPERMUTE_B32: return true;
    default:
        return (row->flags & AMD_F_EXEC_R) ||
               (amd_words_of(i->op) == AMD_WORDS_VALU && ir_words(i)[1]);
    }
}

static unsigned
lanes_of(const ir_instr *i, const amd_op_info *row)
{
    unsigned lanes = row && row->flags & AMD_F_EXEC_W ? IR_LANES_WRITE : 0;
    for (unsigned d = 0; d < i->n_defs; d++) {
        bool exec = i->defs[d].reg == AMD_EXEC || i->defs[d].reg == AMD_EXEC + 4;
        lanes |= exec && (i->defs[d].flags & IR_FIXED) ? IR_LANES_WRITE : 0;
    }
    if (!amd_needs_exec(i))
        return lanes;
    bool reads = ir_has_flag(i, IR_OP_CONVERGENT) || (row && reads_other_lanes(i, row));
    for (unsigned d = 0; row && d < i->n_defs; d++)
        reads |= !amd_rc_is_vgpr(i->defs[d].rc);
    return lanes | IR_LANES_MASK | (reads ? IR_LANES_READ : 0);
}

static void
refine_memory(const ir_instr *i, ir_effects *e)
{
    uint32_t sync = ir_words(i)[2];
    uint16_t classes = sync & SYNC_CLASSES ? (uint16_t)(sync & SYNC_CLASSES) : IR_MEMORY_ALL;
    bool ordered = sync & (AMD_SYNC_VOLATILE | AMD_SYNC_ATOMIC);
    e->reads &= classes;
    e->writes &= classes;
    if (ordered)
        e->reads = e->writes = classes;
    else if (sync & AMD_SYNC_CAN_REORDER)
        e->reads = 0;
}

static bool
is_barrier(const ir_instr *i)
{
    return ir_has_flag(i, IR_OP_BARRIER);
}

/* Reads a counter, a message's answer, or its own address. */
static bool
is_unique(const ir_instr *i, const amd_op_info *row)
{
    const unsigned memory = AMD_F_LOAD | AMD_F_STORE | AMD_F_ATOMIC;
    bool answer = (row->flags & AMD_F_LGKM) && !(row->flags & memory) && row->fmt != AMD_DS;
    return answer || i->op == AMD_S_GETPC_B64;
}

/* Instructions without results have an effect that their row does not state; those of SOPK with
 * results only compute these. */
static bool
stays(const ir_instr *i, const amd_op_info *row)
{
    if (row->flags & (AMD_F_BRANCH | AMD_F_TERM) || row->fmt == AMD_SOPP)
        return true;
    if (row->fmt == AMD_SOPK)
        return !i->n_defs || i->op == AMD_S_GETREG_B32;
    return !i->n_defs && row->fmt != AMD_EXP && !(row->flags & (AMD_F_STORE | AMD_F_ATOMIC));
}

void
amd_refine_effects(const ir_instr *i, ir_effects *e)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    e->lanes = (uint8_t)lanes_of(i, row);
    if (is_barrier(i)) {
        e->fence = false;
        return;
    }
    if (!row)
        return;
    e->unique = is_unique(i, row);
    e->fence = e->unique || stays(i, row);
    if (row->fmt == AMD_EXP)
        e->writes = MEMORY_EXPORT;
    else if (amd_words_of(i->op) == AMD_WORDS_MEM)
        refine_memory(i, e);
}
