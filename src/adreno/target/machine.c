/* Registers as general passes see them: units are halves of a full register; half registers are
 * the halves of r0.x to r23.w. */
#include "adreno/adreno.h"
#include "cg/live.h"

#define FULL(n)                                                                                    \
    [ADRENO_F1 + (n)-1] = {.bank = ADRENO_BANK_GPR, .units = 2 * (n), .align = 2, .bytes = 4 * (n)}
#define HALF(n)                                                                                    \
    [ADRENO_H1 + (n)-1] = {.bank = ADRENO_BANK_GPR,                                                \
                           .units = (n),                                                           \
                           .align = 1,                                                             \
                           .bytes = 2 * (n),                                                       \
                           .limit = ADRENO_HALF_UNITS}

#define SHARED(n)                                                                                  \
    [ADRENO_S1 +                                                                                   \
        (n)-1] = {.bank = ADRENO_BANK_SHARED, .units = 2 * (n), .align = 2, .bytes = 4 * (n)}

#define FOUR(CLASS, n) CLASS(n), CLASS((n) + 1), CLASS((n) + 2), CLASS((n) + 3)

static const ir_class classes[256] = {
    FOUR(FULL, 1),
    FOUR(FULL, 5),
    FOUR(FULL, 9),
    FOUR(FULL, 13),
    FOUR(HALF, 1),
    FOUR(HALF, 5),
    FOUR(HALF, 9),
    FOUR(HALF, 13),
    [ADRENO_P1] = {.bank = ADRENO_BANK_P, .units = 1, .align = 1, .bytes = 2},
    FOUR(SHARED, 1),
};

static const ir_bank banks[ADRENO_BANKS] = {
    [ADRENO_BANK_GPR] = {.name = "gpr", .first = 0, .units = ADRENO_FULL_UNITS},
    [ADRENO_BANK_SHARED] = {.name = "shared",
                            .first = ADRENO_REG_FREE_SHARED / 2,
                            .units = ADRENO_SHARED_UNITS},
    [ADRENO_BANK_P] = {.name = "predicate", .first = ADRENO_REG_PREDICATE / 2, .units = 4},
};

static ir_tied
tied(const ir_instr *i)
{
    const bool is_atomic = !adreno_is_pseudo(i->op) && i->op != ADRENO_RAW &&
                           adreno_op_row((adreno_op)i->op)->format == ADRENO_FMT_CAT6_ATOMIC_B;
    return is_atomic || i->op == ADRENO_BRCST_ACTIVE ? (ir_tied){.ref = 0, .def = 0}
                                                     : (ir_tied){-1, -1};
}

static bool
kills_late(unsigned op)
{
    return op >= ADRENO_P_SPILL;
}

/* The workgroup's numbers stay where they are: the preamble is executed by one fibre, while others
 * wait for it that would look for a shared value where it was. */
static bool
is_special(unsigned reg)
{
    return reg >= ADRENO_REG_SHARED && reg < ADRENO_REG_FREE_SHARED;
}

static bool
is_move(const ir_instr *i)
{
    return i->op == ADRENO_P_PARALLELCOPY || i->op == ADRENO_P_CREATE_VECTOR ||
           (i->op == ADRENO_MOV && !(ir_words(i)[0] >> ADRENO_M_CFILE & 1));
}

/* Registers are taken in turn, out of some more than the program needs: what is written again late
 * leaves later phases more freedom. So few rows as the least do not cost waves. */
static uint16_t
cheap_units(const adreno_program *p, uint16_t budget)
{
    enum { ROW = 8, LEAST = 4 * ROW, MORE = 2 };
    const unsigned demand = (unsigned)p->cg.max_demand.units[ADRENO_BANK_GPR];
    const unsigned units = (demand + demand / MORE + ROW - 1) / ROW * ROW;
    return (uint16_t)(units > budget ? budget : units > LEAST ? units : LEAST);
}

static void
demand_known(ir_fn *f)
{
    adreno_program *p = adreno_prog(f);
    const uint16_t all = (uint16_t)(ADRENO_FULL_UNITS - 2 * p->array_words),
                   gprs = p->gpr_budget ? p->gpr_budget : all, predicates = p->target->predicates;
    p->cg.budget[ADRENO_BANK_GPR] = gprs;
    p->cg.cheap[ADRENO_BANK_GPR] = cheap_units(p, gprs);
    p->cg.in_turn[ADRENO_BANK_GPR] = p->cg.in_turn[ADRENO_BANK_SHARED] = true;
    p->cg.pinned_end[ADRENO_BANK_GPR] = p->cg.limit[ADRENO_BANK_GPR] = gprs;
    p->cg.budget[ADRENO_BANK_SHARED] = p->cg.cheap[ADRENO_BANK_SHARED] = ADRENO_SHARED_UNITS;
    p->cg.pinned_end[ADRENO_BANK_SHARED] = p->cg.limit[ADRENO_BANK_SHARED] = ADRENO_SHARED_UNITS;
    p->cg.budget[ADRENO_BANK_P] = p->cg.cheap[ADRENO_BANK_P] = predicates;
    p->cg.pinned_end[ADRENO_BANK_P] = p->cg.limit[ADRENO_BANK_P] = predicates;
}

/* The classes of memory; each address register is one of its own. */
enum {
    MEMORY_LOCAL = 1,
    MEMORY_PRIVATE = 2,
    MEMORY_GLOBAL = 4,
    MEMORY_ADDRESS = 8,
    MEMORY_VARYINGS = 16, /* are read before fibres are killed */
    MEMORY_ARRAYS = 32,
    MEMORY_A1 = 64,
    MEMORY_CONSTS = 128, /* what the preamble writes of the constant file, and reads nowhere */
};

static unsigned
memory_of(unsigned op)
{
    switch (op) {
    case ADRENO_LDL:
    case ADRENO_STL: return MEMORY_LOCAL;
    case ADRENO_LDP:
    case ADRENO_STP: return MEMORY_PRIVATE;
    case ADRENO_STC: return MEMORY_CONSTS;
    default:
        return adreno_op_row((adreno_op)op)->format == ADRENO_FMT_CAT6_ATOMIC_L ? MEMORY_LOCAL
                                                                                : MEMORY_GLOBAL;
    }
}

/* Operations of categories 1 to 4 depend on nothing but their operands. */
static void
refine_effects(const ir_instr *i, ir_effects *e)
{
    const unsigned category = adreno_category(i->op);
    if (category == 5 || category == 6) {
        const bool changes = !adreno_attr(i, 2, ADRENO_W_UNCHANGED, 1);
        e->reads = (uint16_t)(e->reads && changes ? memory_of(i->op) : 0);
        e->writes = (uint16_t)(e->writes ? memory_of(i->op) : 0);
    }
    if (i->op == ADRENO_P_ARRAY_READ || i->op == ADRENO_P_ARRAY_WRITE) {
        e->reads = (uint16_t)(e->reads ? MEMORY_ARRAYS : 0);
        e->writes = (uint16_t)(e->writes ? MEMORY_ARRAYS : 0);
    }
    if (adreno_is_varying_op(i->op))
        e->reads = MEMORY_VARYINGS;
    if (i->op == ADRENO_KILL)
        e->writes = MEMORY_VARYINGS | MEMORY_GLOBAL;
    /* There are few predicates, and no room for spilled ones: each test makes its own. */
    e->unique |= i->n_defs && i->defs[0].rc == ADRENO_P1;
    if (adreno_reads_a1(i))
        e->reads |= MEMORY_A1;
    if (i->op == ADRENO_MOVA || i->op == ADRENO_MOVA1)
        e->writes = i->op == ADRENO_MOVA ? MEMORY_ADDRESS : MEMORY_A1;
    if (category <= 3 && adreno_attr(i, 0, ADRENO_M_REL, 1))
        e->reads = MEMORY_ADDRESS;
    if (i->op == ADRENO_JUMP || adreno_is_branch(i->op))
        e->lanes = 0;
}

const ir_machine adreno_machine_description = {
    .classes = classes,
    .banks = banks,
    .n_banks = ADRENO_BANKS,
    .unit_shift = 1,
    .n_units = ADRENO_REG_PREDICATE / 2 + 64,
    .null_reg = IR_REG_NONE,
    .ops = {.phi = {ADRENO_P_PHI, ADRENO_P_LINEAR_PHI},
            .parallel_copy = ADRENO_P_PARALLELCOPY,
            .create_vector = ADRENO_P_CREATE_VECTOR,
            .split_vector = ADRENO_P_SPLIT_VECTOR,
            .extract_vector = ADRENO_P_EXTRACT_VECTOR,
            .spill = ADRENO_P_SPILL,
            .reload = ADRENO_P_RELOAD,
            .jump = ADRENO_JUMP},
    .tied = tied,
    .kills_late = kills_late,
    .is_special = is_special,
    .is_move = is_move,
    .refine_effects = refine_effects,
    .demand_known = demand_known,
    .find_live = cg_find_live,
};
