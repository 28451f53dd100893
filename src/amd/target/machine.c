/* AMD's registers and pseudo instructions as general passes see them. */
#include "amd/isa/table/table.h"
#include "amd/target/notes.h"
#include "amd/target/occupancy.h"
#include "base/bitset.h"
#include "cg/live.h"
#include "cg/register_allocation.h"

/* ---- register classes ---- */

#define SIZE(rc)              ((rc)&AMD_RC_SIZE)
#define BYTES(rc)             (SIZE(rc) * ((rc)&AMD_RC_BYTES ? 1 : 4))
#define UNITS(rc)             ((BYTES(rc) + 3) / 4)
#define IS_VGPR(rc)           (((rc)&AMD_RC_VGPR) != 0)
#define IS_LINEAR_VGPR(rc)    (IS_VGPR(rc) && ((rc)&AMD_RC_LINEAR))
/* SGPR tuples of two and more begin at an even register, of four and more at a multiple of four.
 * VGPR tuples begin at an even register if they are `paired`, and then take an even number, so that
 * allocation loses none. */
#define IS_PAIRED(rc, paired) ((paired) && IS_VGPR(rc) && UNITS(rc) > 1)
#define TAKEN(rc, paired)     (UNITS(rc) + (IS_PAIRED(rc, paired) ? UNITS(rc) % 2 : 0))
#define ALIGN(rc, paired)                                                                          \
    (IS_PAIRED(rc, paired) ? 2 : IS_VGPR(rc) || UNITS(rc) % 2 ? 1 : UNITS(rc) % 4 ? 2 : 4)

#define CLASS(rc, p)                                                                               \
    {                                                                                              \
        .bank = IS_VGPR(rc) ? AMD_BANK_VGPR : AMD_BANK_SGPR,                                       \
        .edges = IS_VGPR(rc) && !((rc)&AMD_RC_LINEAR) ? 0 : 1, .units = TAKEN(rc, p),              \
        .align = ALIGN(rc, p), .bytes = BYTES(rc), .pinned = IS_LINEAR_VGPR(rc)                    \
    }
#define CLASS_4(rc, p) CLASS(rc, p), CLASS((rc) + 1, p), CLASS((rc) + 2, p), CLASS((rc) + 3, p)
#define CLASS_16(rc, p)                                                                            \
    CLASS_4(rc, p), CLASS_4((rc) + 4, p), CLASS_4((rc) + 8, p), CLASS_4((rc) + 12, p)
#define CLASS_64(rc, p)                                                                            \
    CLASS_16(rc, p), CLASS_16((rc) + 16, p), CLASS_16((rc) + 32, p), CLASS_16((rc) + 48, p)
#define CLASSES(p) CLASS_64(0, p), CLASS_64(64, p), CLASS_64(128, p), CLASS_64(192, p)

static const ir_class classes[256] = {CLASSES(0)}, paired_classes[256] = {CLASSES(1)};

static const ir_bank banks[AMD_BANK_COUNT] = {
    [AMD_BANK_SGPR] = {.name = "sgpr",
                       .first = AMD_REG_SGPR0,
                       .units = 256,
                       .special = AMD_REG_VCC_LO,
                       .spills_constants = true},
    [AMD_BANK_VGPR] = {.name = "vgpr", .first = AMD_REG_VGPR0, .units = 256},
};

/* ---- properties of instructions ---- */

static bool
kills_late(unsigned op)
{
    switch (op) {
    case AMD_P_REDUCE:
    case AMD_P_INCLUSIVE_SCAN:
    case AMD_P_EXCLUSIVE_SCAN:
    case AMD_P_BPERMUTE:
    case AMD_P_SPILL:
    case AMD_P_RELOAD: return true;
    default: return false;
    }
}

/* ttmp: what the hardware sets there before the program starts. */
static bool
is_special(unsigned reg)
{
    return reg == AMD_SCC || reg == AMD_EXEC || (reg >= AMD_PHYS(AMD_REG_TTMP0) && reg < AMD_M0);
}

static bool
is_move(const ir_instr *i)
{
    switch (i->op) {
    case AMD_P_PARALLELCOPY:
    case AMD_P_CREATE_VECTOR:
    case AMD_S_MOV_B32:
    case AMD_S_MOV_B64:
    case AMD_S_MOVK_I32:
    case AMD_V_MOV_B32: return !amd_form_ext(i);
    default: return false;
    }
}

/* ---- values that make an instruction shorter if they lie in vcc ---- */

typedef struct wants {
    void (*want)(void *user, uint32_t id, unsigned unit);
    void *user;
    unsigned lane_mask; /* class */
} wants;

static void
want_vcc(const wants *w, ir_ref r)
{
    if (ir_is_value(r) && r.rc == w->lane_mask)
        w->want(w->user, r.id, AMD_REG_VCC_LO);
}

/* The masks of the encodings that have no field for them. */
static void
want_masks(const wants *w, const ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    if (row->fmt != AMD_VOPC && row->fmt != AMD_VOP2)
        return;
    unsigned def = 0, ref = 0;
    for (const amd_operand *o = row->operands; o < row->operands + AMD_MAX_OPERANDS && o->role;
         o++) {
        bool dst = o->role == AMD_ROLE_DST || o->role == AMD_ROLE_BOTH,
             mask = o->kind == AMD_K_MASK;
        if (mask && dst && def < i->n_defs)
            want_vcc(w, i->defs[def]);
        if (mask && o->role == AMD_ROLE_SRC && ref < i->n_refs)
            want_vcc(w, i->refs[ref]);
        def += dst;
        ref += o->role == AMD_ROLE_SRC;
    }
}

static void
find_wants(const ir_instr *i, void (*want)(void *user, uint32_t id, unsigned unit), void *user)
{
    wants w = {want, user, amd_prog(i->block->fn)->lane_mask};
    for (unsigned r = 0; r < i->n_refs; r++) {
        if ((i->refs[r].flags & IR_FIXED) && i->refs[r].reg == AMD_VCC)
            want_vcc(&w, i->refs[r]);
    }
    if (!amd_is_pseudo(i->op))
        want_masks(&w, i);
}

/* ---- the phases that are general ---- */

static void
demand_known(ir_fn *f)
{
    amd_set_budgets(amd_prog(f));
    amd_note_liveness(f);
}

#define MACHINE(table)                                                                             \
    {                                                                                              \
        .classes = table, .banks = banks, .n_banks = AMD_BANK_COUNT, .unit_shift = 2,              \
        .n_units = AMD_PHYS_COUNT / 4, .null_reg = AMD_NULL,                                       \
        .ops = {.phi = {AMD_P_PHI, AMD_P_LINEAR_PHI},                                              \
                .parallel_copy = AMD_P_PARALLELCOPY,                                               \
                .create_vector = AMD_P_CREATE_VECTOR,                                              \
                .split_vector = AMD_P_SPLIT_VECTOR,                                                \
                .extract_vector = AMD_P_EXTRACT_VECTOR,                                            \
                .begin_pinned = AMD_P_START_LINEAR_VGPR,                                           \
                .spill = AMD_P_SPILL,                                                              \
                .reload = AMD_P_RELOAD,                                                            \
                .logical_start = AMD_P_LOGICAL_START,                                              \
                .logical_end = AMD_P_LOGICAL_END,                                                  \
                .jump = AMD_P_BRANCH},                                                             \
        .tied = amd_tied, .kills_late = kills_late, .is_special = is_special, .is_move = is_move,  \
        .find_wants = find_wants, .refine_effects = amd_refine_effects,                            \
        .demand_known = demand_known, .find_live = cg_find_live,                                   \
    }

const ir_machine amd_machine = MACHINE(classes);
const ir_machine amd_paired_machine = MACHINE(paired_classes);

/* Sets the program's register counts from the registers in use; vcc is after the SGPRs that are
 * counted. */
static void
count_registers(amd_program *p)
{
    const uint64_t *used = p->cg.used;
    p->sgprs_used = p->vgprs_used = 0;
    for (unsigned r = 0; r < AMD_REG_VCC_LO; r++)
        p->sgprs_used = bitset_has(used, r) ? r + 1 : p->sgprs_used;
    for (unsigned r = 0; r < 256; r++)
        p->vgprs_used = bitset_has(used, AMD_REG_VGPR0 + r) ? r + 1 : p->vgprs_used;
    p->needs_vcc |= bitset_has(used, AMD_REG_VCC_LO) || bitset_has(used, AMD_REG_VCC_HI);
}

void
amd_register_allocation(ir_fn *f)
{
    amd_program *p = amd_prog(f);
    p->cg.in_turn[AMD_BANK_SGPR] = amd_has(p->target, sgprs_in_turn);
    p->cg.validate = p->debug & AMD_DEBUG_VALIDATE_RA;
    cg_allocate_registers(f);
    count_registers(p);
}
