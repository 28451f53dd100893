/* The effects of AMD's instructions other than computing their definitions (cg/effects.h).
 *
 * Memory: word 2 of a memory instruction names the classes (AMD_SYNC_*); if it names none, the
 * access may be to any memory. Loads that may be reordered read memory that nothing writes. A
 * barrier orders accesses to the memory that it names, and atomics of any memory, which others may
 * use as signals: a load from a buffer passes a barrier of shared memory.
 *
 * Lanes: vector instructions write where exec is set. Masks are zero in inactive lanes, and
 * instructions that read other lanes see only the active ones, so these depend on exec as a whole.
 */
#include "amd/amd.h"
#include "amd/isa/table/table.h"
#include "ir/hir.h"

enum { SYNC_CLASSES = 0x1f, MEMORY_EXPORT = 1u << 8, MEMORY_SIGNALS = 1u << 9 };

/* What the effects of a hardware instruction follow from, besides its words. */
enum {
    WRITES_EXEC = 1 << 0,
    READS_LANES = 1 << 1, /* of others */
    IS_EXPORT = 1 << 2,
    IS_BARRIER = 1 << 3,
    IS_UNIQUE = 1 << 4, /* reads a counter, a message's answer, or its own address */
    STAYS = 1 << 5,
    STAYS_EMPTY = 1 << 6, /* if it has no definitions */
};

enum {
#define FLAG_SHORT(name) F_##name = AMD_F_##name,
    AMD_FLAGS(FLAG_SHORT)
#undef FLAG_SHORT
};

#define FMT(f, x) ((f) == AMD_##x)
#define OP(op, x) ((op) == AMD_##x)
#define PERMUTES(op)                                                                               \
    (OP(op, V_PERMLANE64_B32) || OP(op, V_PERMLANE16_B32) || OP(op, V_PERMLANEX16_B32) ||          \
     OP(op, V_PERMLANE16_VAR_B32) || OP(op, V_PERMLANEX16_VAR_B32) || OP(op, DS_SWIZZLE_B32) ||    \
     OP(op, DS_PERMUTE_B32) || OP(op, DS_BPERMUTE_B32) || OP(op, DS_BPERMUTE_FI_B32))
#define ANSWERS(f, fl) (((fl)&F_LGKM) && !((fl) & (F_LOAD | F_STORE | F_ATOMIC)) && !FMT(f, DS))

/* Instructions without results have an effect that their row does not state; those of SOPK with
 * results only compute these. */
#define ALWAYS_STAYS(op, f, fl)                                                                    \
    (((fl) & (F_BRANCH | F_TERM)) || FMT(f, SOPP) || OP(op, S_GETREG_B32) || OP(op, S_ALLOC_VGPR))
#define EMPTY_STAYS(f, fl) (FMT(f, SOPK) || !(FMT(f, EXP) || ((fl) & (F_STORE | F_ATOMIC))))

#define BIT(condition, trait) ((condition) ? (trait) : 0)
#define TRAITS(op, f, fl)                                                                          \
    (BIT((fl)&F_EXEC_W, WRITES_EXEC) | BIT(((fl)&F_EXEC_R) || PERMUTES(op), READS_LANES) |         \
     BIT(FMT(f, EXP), IS_EXPORT) | BIT((fl)&F_BARRIER, IS_BARRIER) |                               \
     BIT(ANSWERS(f, fl) || OP(op, S_GETPC_B64), IS_UNIQUE) | BIT(ALWAYS_STAYS(op, f, fl), STAYS) | \
     BIT(EMPTY_STAYS(f, fl), STAYS_EMPTY))

static const uint8_t traits_of[AMD_OP_HW_COUNT] = {
#define AMD_OP(id, name, fmt, operands, numbers, flags, memory, reversed)                          \
    [AMD_##id] = TRAITS(AMD_##id, AMD_##fmt, flags),
#include "amd/isa/ops.def"
#undef AMD_OP
};

static unsigned
writes_lanes(const ir_instr *i)
{
    unsigned lanes = 0;
    for (unsigned d = 0; d < i->n_defs; d++) {
        bool exec = i->defs[d].reg == AMD_EXEC || i->defs[d].reg == AMD_EXEC + 4;
        lanes |= exec && (i->defs[d].flags & IR_FIXED) ? IR_LANES_WRITE : 0;
    }
    return lanes;
}

static unsigned
lanes_of(const ir_instr *i, unsigned traits)
{
    unsigned lanes = writes_lanes(i) | (traits & WRITES_EXEC ? IR_LANES_WRITE : 0);
    if (!amd_needs_exec(i))
        return lanes;
    bool reads = (traits & READS_LANES) ||
                 (amd_words_of(i->op) == AMD_WORDS_VALU && ir_words(i)[1]);
    for (unsigned d = 0; d < i->n_defs; d++)
        reads |= !amd_rc_is_vgpr(i->defs[d].rc);
    return lanes | IR_LANES_MASK | (reads ? IR_LANES_READ : 0);
}

static unsigned
lanes_of_pseudo(const ir_instr *i)
{
    unsigned lanes = writes_lanes(i);
    if (!amd_needs_exec(i))
        return lanes;
    bool reads = ir_has_flag(i, IR_OP_CONVERGENT);
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
    if (ordered) {
        e->writes = classes;
        e->reads = classes | MEMORY_SIGNALS;
    } else if (sync & AMD_SYNC_CAN_REORDER) {
        e->reads = 0;
    }
}

/* Texel buffers are images to the shader, and buffers here. */
static uint16_t
ordered_by(const ir_instr *barrier)
{
    uint32_t modes = ir_words(barrier)[3];
    unsigned classes = MEMORY_SIGNALS | MEMORY_EXPORT; /* an export may be the signal, too */
    if (modes & ~(uint32_t)IR_MODE_SHARED)
        classes |= AMD_SYNC_BUFFER;
    if (modes & IR_MODE_IMAGE)
        classes |= AMD_SYNC_IMAGE;
    if (modes & IR_MODE_SHARED)
        classes |= AMD_SYNC_SHARED;
    return modes ? (uint16_t)classes : IR_MEMORY_ALL;
}

void
amd_refine_effects(const ir_instr *i, ir_effects *e)
{
    if (amd_is_pseudo(i->op)) {
        e->lanes = (uint8_t)lanes_of_pseudo(i);
        e->fence &= !ir_has_flag(i, IR_OP_BARRIER);
        if (i->op == AMD_P_BARRIER)
            e->reads = e->writes = ordered_by(i);
        return;
    }
    unsigned traits = traits_of[i->op];
    e->lanes = (uint8_t)lanes_of(i, traits);
    e->unique = traits & IS_UNIQUE;
    e->fence = (traits & (IS_UNIQUE | STAYS)) || ((traits & STAYS_EMPTY) && !i->n_defs);
    if (traits & IS_BARRIER)
        e->unique = e->fence = false;
    else if (traits & IS_EXPORT)
        e->writes = MEMORY_EXPORT;
    else if (amd_words_of(i->op) == AMD_WORDS_MEM)
        refine_memory(i, e);
}
