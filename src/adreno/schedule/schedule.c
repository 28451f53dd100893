/* What Adreno's machine is to the schedulers of cg: cycles between operations are exact
 * (target/timing.h); those of slow instructions are guesses, of how long a wave waits that others
 * help to hide.
 *
 * HEDDLE_DEBUG=nosched leaves both phases out. */
#include "cg/schedule.h"
#include "adreno/target/repeat.h"
#include "adreno/target/timing.h"
#include "cg/schedule_delays.h"

enum {
    SPECIAL_CYCLES = 10, /* Mesa's soft_ss_delay, as the next */
    SHARED_CYCLES = 6,
    LOCAL_CYCLES = 16,
    LOAD_CYCLES = 60,
    TEXTURE_CYCLES = 80,
    FAR = 40,
    CHEAP_UNITS = 64, /* of eight rows of full registers: more cost waves */
    ROOM = 8,         /* units that stay free for registers in a row */
};

static bool
is_half(ir_ref r)
{
    return adreno_is_half_class(r.rc);
}

static bool
is_scalar(const ir_instr *i)
{
    return i->n_defs && adreno_is_shared_class(i->defs[0].rc);
}

/* From an operation to what reads its result. */
static unsigned
operation_latency(const adreno_target *t, const ir_instr *from, const ir_instr *to, unsigned ref)
{
    if (is_scalar(from))
        return is_scalar(to) ? 1 : SHARED_CYCLES;
    const bool direct = adreno_kind_of(to) == ADRENO_K_ALU && from->n_defs &&
                        from->defs[0].rc != ADRENO_P1 &&
                        is_half(from->defs[0]) == is_half(to->refs[ref]);
    const unsigned delay = direct ? t->alu_delay : t->other_delay;
    const unsigned later = adreno_read_delay(t, to, ref);
    return delay > later ? 1 + delay - later : 1;
}

static unsigned
slow_latency(adreno_kind k)
{
    switch (k) {
    case ADRENO_K_SPECIAL: return SPECIAL_CYCLES;
    case ADRENO_K_SHORT_LOAD: return LOCAL_CYCLES;
    case ADRENO_K_LOAD: return LOAD_CYCLES;
    case ADRENO_K_TEXTURE: return TEXTURE_CYCLES;
    default: return 0;
    }
}

static unsigned
latency(const void *user, const ir_instr *from, const ir_instr *to, cg_dep_kind kind, unsigned ref)
{
    const adreno_kind k = adreno_kind_of(from);
    if (kind == CG_DEP_VALUE && k == ADRENO_K_ALU)
        return operation_latency(user, from, to, ref);
    if (kind == CG_DEP_VALUE)
        return slow_latency(k);
    if (kind == CG_DEP_MEMORY && (from->op == ADRENO_MOVA || from->op == ADRENO_MOVA1))
        return 1u + ((const adreno_target *)user)->other_delay;
    if (kind == CG_DEP_READ && k != ADRENO_K_ALU && k != ADRENO_K_FLOW)
        return SPECIAL_CYCLES;
    return kind == CG_DEP_WRITE;
}

/* ---- before register allocation ---- */

static cg_schedule_facts
facts(const void *user, const ir_instr *i)
{
    (void)user;
    const adreno_kind k = adreno_kind_of(i);
    return (cg_schedule_facts){
        .issue = 1,
        .slow = i->n_defs && slow_latency(k),
    };
}

void
adreno_schedule_program(ir_fn *f)
{
    const adreno_program *p = adreno_prog(f);
    cg_schedule_rules rules = {
        .user = p->target, .latency = latency, .facts = facts, .all_blocks = true, .far = FAR};
    const int32_t budget = p->cg.budget[ADRENO_BANK_GPR];
    const int32_t cheap = budget < CHEAP_UNITS ? budget : CHEAP_UNITS;
    rules.most.units[ADRENO_BANK_GPR] = rules.free.units[ADRENO_BANK_GPR] = cheap - ROOM;
    rules.most.units[ADRENO_BANK_SHARED] = rules.free.units[ADRENO_BANK_SHARED] =
        ADRENO_SHARED_UNITS - ROOM;
    rules.most.units[ADRENO_BANK_P] = rules.free.units[ADRENO_BANK_P] = p->target->predicates;
    cg_schedule(f, &rules);
}

/* ---- after it ---- */

static unsigned
issue(const void *user, const ir_instr *i)
{
    (void)user;
    return adreno_cycles_of(i);
}

static bool
is_exact(const void *user, const ir_instr *i)
{
    (void)user;
    return adreno_kind_of(i) == ADRENO_K_ALU;
}

/* Repetitions of one instruction are one word. */
static bool
can_join(const void *user, const ir_instr *a, const ir_instr *b)
{
    uint32_t counts = 0;
    (void)user;
    return adreno_can_repeat(a) && adreno_is_repetition(a, b, 1, &counts);
}

void
adreno_schedule_delays(ir_fn *f)
{
    cg_schedule_delays(f, &(cg_delay_rules){.user = adreno_prog(f)->target,
                                            .latency = latency,
                                            .issue = issue,
                                            .is_exact = is_exact,
                                            .joins = can_join});
}
