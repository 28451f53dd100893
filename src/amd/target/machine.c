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
/* With units of half a register: values of up to two bytes take one of them. A whole register is
 * better where there are enough: the hardware orders what reads and writes the two halves. */
#define IS_HALF(rc)      (BYTES(rc) <= 2)
#define HALVES(rc, p, n) (IS_HALF(rc) ? 1 : 2 * n(rc, p))
#define HALF_CLASS(rc, p)                                                                          \
    {                                                                                              \
        .bank = IS_VGPR(rc) ? AMD_BANK_VGPR : AMD_BANK_SGPR,                                       \
        .edges = IS_VGPR(rc) && !((rc)&AMD_RC_LINEAR) ? 0 : 1, .units = HALVES(rc, p, TAKEN),      \
        .align = HALVES(rc, p, ALIGN), .apart = IS_HALF(rc) ? 2 : 0, .bytes = BYTES(rc),           \
        .pinned = IS_LINEAR_VGPR(rc)                                                               \
    }
#define CLASS_4(how, rc, p) how(rc, p), how((rc) + 1, p), how((rc) + 2, p), how((rc) + 3, p)
#define CLASS_16(how, rc, p)                                                                       \
    CLASS_4(how, rc, p), CLASS_4(how, (rc) + 4, p), CLASS_4(how, (rc) + 8, p),                     \
        CLASS_4(how, (rc) + 12, p)
#define CLASS_64(how, rc, p)                                                                       \
    CLASS_16(how, rc, p), CLASS_16(how, (rc) + 16, p), CLASS_16(how, (rc) + 32, p),                \
        CLASS_16(how, (rc) + 48, p)
#define CLASSES(how, p)                                                                            \
    CLASS_64(how, 0, p), CLASS_64(how, 64, p), CLASS_64(how, 128, p), CLASS_64(how, 192, p)

static const ir_class classes[256] = {CLASSES(CLASS, 0)}, paired_classes[256] = {CLASSES(CLASS, 1)},
                      half_classes[256] = {CLASSES(HALF_CLASS, 0)};

#define BANKS(units_of)                                                                            \
    {                                                                                              \
        [AMD_BANK_SGPR] = {.name = "sgpr",                                                         \
                           .first = AMD_REG_SGPR0 * (units_of),                                    \
                           .units = 256 * (units_of),                                              \
                           .special = AMD_REG_VCC_LO * (units_of),                                 \
                           .spills_constants = true},                                              \
        [AMD_BANK_VGPR] = {                                                                        \
            .name = "vgpr", .first = AMD_REG_VGPR0 * (units_of), .units = 256 * (units_of)},       \
    }

static const ir_bank banks[AMD_BANK_COUNT] = BANKS(1), half_banks[AMD_BANK_COUNT] = BANKS(2);

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
    unsigned lane_mask, vcc; /* class; unit */
} wants;

static void
want_vcc(const wants *w, ir_ref r)
{
    if (ir_is_value(r) && r.rc == w->lane_mask)
        w->want(w->user, r.id, w->vcc);
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
    const ir_fn *f = i->block->fn;
    wants w = {want, user, amd_prog(f)->lane_mask, AMD_REG_VCC_LO * amd_reg_units(f)};
    for (unsigned r = 0; r < i->n_refs; r++) {
        if ((i->refs[r].flags & IR_FIXED) && i->refs[r].reg == AMD_VCC)
            want_vcc(&w, i->refs[r]);
    }
    if (!amd_is_pseudo(i->op))
        want_masks(&w, i);
}

/* A sum of a product that overwrites its addend has 4 bytes instead of 8 (post/lower_short.c). */
static int
shorter_in(const ir_instr *i)
{
    enum { ADDEND = 2 };
    if ((i->op != AMD_V_FMA_F32 && i->op != AMD_V_FMA_F16 && i->op != AMD_V_MAD_F32) || i->form ||
        (ir_words(i)[0] | ir_words(i)[1] | ir_words(i)[2]))
        return -1;
    bool factor = amd_rc_is_vgpr(i->refs[0].rc) || amd_rc_is_vgpr(i->refs[1].rc);
    return factor && ir_is_value(i->refs[ADDEND]) ? ADDEND : -1;
}

/* ---- the phases that are general ---- */

static void
demand_known(ir_fn *f)
{
    amd_set_budgets(amd_prog(f));
    amd_note_liveness(f);
}

#define MACHINE(table, files, shift, bytes)                                                        \
    {                                                                                              \
        .classes = table, .banks = files, .n_banks = AMD_BANK_COUNT, .unit_shift = shift,          \
        .n_units = (bytes) >> (shift), .null_reg = AMD_NULL,                                       \
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
        .find_wants = find_wants, .shorter_in = shorter_in, .refine_effects = amd_refine_effects,  \
        .finds_lanes = true, .demand_known = demand_known, .find_live = cg_find_live,              \
    }

const ir_machine amd_machine = MACHINE(classes, banks, 2, AMD_PHYS_COUNT);
const ir_machine amd_paired_machine = MACHINE(paired_classes, banks, 2, AMD_PHYS_COUNT_AGPRS);
const ir_machine amd_half_machine = MACHINE(half_classes, half_banks, 1, AMD_PHYS_COUNT);

/* The registers, of `n` units each, up to the last used one of units first .. first + count - 1;
 * `first` is a multiple of 64. */
static uint32_t
count_used(const uint64_t *used, unsigned first, unsigned count, unsigned n)
{
    for (unsigned left = count; left; left = (left - 1) / 64 * 64) {
        uint64_t word = used[(first + left - 1) / 64] & base_mask64((left - 1) % 64 + 1);
        if (word)
            return ((left - 1) / 64 * 64 + 63 - base_clz64(word)) / n + 1;
    }
    return 0;
}

/* Sets the program's register counts from the registers in use; vcc is after the SGPRs that are
 * counted. */
static void
count_registers(amd_program *p)
{
    const uint64_t *used = p->cg.used;
    const unsigned n = amd_reg_units(p->fn), vgpr0 = AMD_REG_VGPR0 * n;
    p->sgprs_used = count_used(used, 0, AMD_REG_VCC_LO * n, n);
    p->vgprs_used = count_used(used, vgpr0, 256 * n, n);
    p->needs_vcc |= bitset_has(used, AMD_REG_VCC_LO * n) || bitset_has(used, AMD_REG_VCC_HI * n);
}

/* Behind allocation nothing counts halves: what the program's text says is in registers again. */
static void
leave_halves(ir_fn *f)
{
    cg_state *s = &amd_prog(f)->cg;
    unsigned n = amd_reg_units(f);
    f->level = amd_level_of(amd_prog(f)->target);
    for (unsigned k = 0; k < AMD_BANK_COUNT; k++) {
        s->max_demand.units[k] = (s->max_demand.units[k] + (int32_t)n - 1) / (int32_t)n;
        s->budget[k] = (uint16_t)(s->budget[k] / n);
        s->cheap[k] = (uint16_t)(s->cheap[k] / n);
        s->pinned_end[k] = (uint16_t)(s->pinned_end[k] / n);
        s->limit[k] = (uint16_t)(s->limit[k] / n);
    }
}

void
amd_register_allocation(ir_fn *f)
{
    amd_program *p = amd_prog(f);
    p->cg.in_turn[AMD_BANK_SGPR] = amd_has(p->target, sgprs_in_turn);
    p->cg.validate = p->debug & AMD_DEBUG_VALIDATE_RA;
    cg_allocate_registers(f);
    count_registers(p);
    leave_halves(f);
}
