#include "adreno/compile/compile.h"

#include "adreno/abi/layout.h"
#include "adreno/emit/emit.h"
#include "adreno/lower/lower.h"
#include "adreno/select/select.h"
#include "adreno/target/hir_level.h"
#include "cg/live.h"
#include "cg/ssa_elimination.h"
#include "cg/value_numbering.h"
#include "family/compiler.h"
#include "opt/choose_handles.h"
#include "opt/if_flatten.h"
#include "opt/lower_loops.h"
#include "opt/opt.h"
#include "opt/widen_accesses.h"

#include <string.h>

#define DOM   IR_HAS_DOMINANCE
#define LOOPS IR_HAS_LOOPS
#define DIV   IR_HAS_DIVERGENCE
#define LIVE  IR_HAS_LIVENESS
#define KILLS IR_HAS_KILLS

/* ---- steps ---- */

/* A branch waits for its predicate, and both ways for each other: about as much as this many
 * operations. */
static bool
flatten_ifs(ir_fn *f)
{
    enum { BRANCH = 16 };
    return opt_flatten_ifs(f, BRANCH);
}

static const ir_pass pass_flatten_ifs = {
    .name = "flatten_ifs",
    .run = flatten_ifs,
    .what = "Ifs that cost more than selections become these.",
};

/* Without descriptor sets instructions name resources by numbers. */
static bool
choose_handles(ir_fn *f)
{
    const adreno_program *p = adreno_prog(f);
    const family_elements elements = {p->layout, p->target->chip->name};
    return !p->target->bindless && opt_choose_handles(f, family_count_elements, &elements);
}

static const ir_pass pass_choose_handles = {OPT_CHOOSE_HANDLES, .run = choose_handles};

/* Floats have no atomics but exchanges, nor have numbers of 64 bits. */
static bool
lacks_atomic(const ir_fn *f, const ir_instr *i)
{
    return opt_is_float_atomic(f, i) ||
           (i->op == IR_ssbo_atomic && ir_attr_get(i, IR_A_ATOMIC_OP) != IR_ATOMIC_xchg &&
            ir_type_bits(f->values[i->defs[0].id].type) == 64);
}

static const ir_pass pass_lower_atomics = {OPT_LOWER_ATOMICS, .lacks = lacks_atomic};

static bool
lacks_scan(const ir_fn *f, const ir_instr *i)
{
    return opt_is_scan(i) && ir_type_bits(f->values[i->defs[0].id].type) == 64;
}

static const ir_pass pass_lower_scans = {OPT_LOWER_SCANS, .lacks = lacks_scan};

static bool
widen_accesses(ir_fn *f)
{
    const adreno_target *t = adreno_prog(f)->target;
    return opt_widen_accesses(f, t->storage_8bit ? 8 : t->storage_16bit ? 16 : 32);
}

static const ir_pass pass_widen_accesses = {
    .name = "widen_accesses",
    .run = widen_accesses,
    .keeps = DOM | LOOPS,
    .flags = IR_PASS_REQUIRED,
    .what = "Loads and stores of buffers that the target lacks become ones of dwords.",
};

static const ir_pass pass_lower_values = {
    .name = "lower_values",
    .run = adreno_lower_values,
    .keeps = DOM | LOOPS,
    .flags = IR_PASS_REQUIRED,
    .what = "Operations that the target lacks become others.",
};

static const ir_pass pass_lower_stage = {
    .name = "lower_stage",
    .phase = adreno_lower_stage,
    .needs = DOM | LOOPS,
    .keeps = DOM | LOOPS,
    .level = &adreno_hir_level,
    .flags = IR_PASS_REQUIRED,
    .what =
        "Fragment shaders read varyings at their start; ifs that only demote become instructions.",
};

static const ir_pass pass_select_program = {
    .name = "select_program",
    .make = adreno_select_program,
    .needs = DOM | LOOPS,
    .flags = IR_PASS_REQUIRED,
    .what = "Makes machine IR of HIR.",
    .level = &adreno_level,
};

#define NO_OPT       ADRENO_DEBUG_NO_OPT
#define NO_SCHED     ADRENO_DEBUG_NO_SCHED
#define NO_PREAMBLE  ADRENO_DEBUG_NO_PREAMBLE
#define NO_ALIAS_TEX ADRENO_DEBUG_NO_ALIAS_TEX
#define NO_ALIAS_RT  ADRENO_DEBUG_NO_ALIAS_RT
#define PHASE(id, ...)                                                                             \
    static const ir_pass phase_##id = IR_PHASE_ROW(IR_PASS_REQUIRED, 0, id, __VA_ARGS__);
#define OPTIONAL_PHASE(id, function, unless, ...)                                                  \
    static const ir_pass phase_##id = IR_PHASE_ROW(0, unless, id, function, __VA_ARGS__);
#include "adreno/phases.def"
#undef OPTIONAL_PHASE
#undef PHASE

/* All steps from HIR as read to machine IR that can be encoded. */
static const ir_step pipeline[] = {
    OPT_PIPELINE,
    {&pass_flatten_ifs},
    {&pass_choose_handles},
    {&pass_lower_atomics},
    {&pass_lower_scans},
    OPT_STEP(lower_idiv),
    OPT_STEP(lower_int64),
    {&pass_widen_accesses},
    {&pass_lower_values},
    OPT_AFTER_LOWERING,
    OPT_STEP(scale_offsets),
    {&pass_lower_stage},
    {&pass_select_program},
    OPT_STEP(dce), /* removes unused results of selection */
#define PHASE(id, ...)          {&phase_##id},
#define OPTIONAL_PHASE(id, ...) {&phase_##id},
#include "adreno/phases.def"
#undef OPTIONAL_PHASE
#undef PHASE
    {NULL},
};

/* ---- switches ---- */

static const char *
read_switch(void *switches, const char *word)
{
    static const family_switch list[] = {
#define SWITCH(name, id, bit) {name, ADRENO_DEBUG_##id},
#include "adreno/debug.def"
#undef SWITCH
        {NULL, 0},
    };
    return family_read_switch(list, word, switches);
}

/* The phases behind which the program is printed. */
static const struct {
    uint32_t bit;
    const char *name, *phases;
} messages[] = {
    {ADRENO_DEBUG_OPT_MESSAGES, "optmsgs",
     "value_numbering,hoist_uniform,optimize,place_constants"},
    {ADRENO_DEBUG_RA_MESSAGES, "ramsgs", "spill,register_allocation,ssa_elimination,lower_pseudo"},
    {ADRENO_DEBUG_SCHED_MESSAGES, "schedmsgs",
     "live_var_analysis,schedule_program,schedule_delays,insert_sync"},
};

static void
ask_for_messages(const adreno_program *p, ir_pass_run *run)
{
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        if (!(p->debug & messages[i].bit))
            continue;
        run->print = run->print
                         ? arena_printf(p->fn->arena, "%s,%s", run->print, messages[i].phases)
                         : messages[i].phases;
        run->print_flags |= IR_PRINT_KILLS;
    }
}

/* What the phases came to, in a line for each group of them that is asked for. */
static void
tell_results(const adreno_program *p, const ir_pass_run *run)
{
    const char *const lines[] = {
        arena_printf(p->fn->arena, "%u constants of the compiler", p->n_literals),
        arena_printf(p->fn->arena,
                     "%u full and %u half registers, %u halves stored to private memory",
                     p->full_used, p->half_used, p->spilled),
        arena_printf(p->fn->arena, "%u words", p->n_words),
    };
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (p->debug & messages[i].bit && run->printed)
            run->printed(run->user, messages[i].name, lines[i], strlen(lines[i]));
}

/* ---- a compile ---- */

static void
check_stage(const ir_fn *hir, const family_request *r)
{
    if (hir->shader.stage == IR_STAGE_COMPUTE && !adreno_prog(hir)->target->computes)
        diag_fail(hir->ctx->diag, ERR_TARGET_SELECT, r->target->name, "compute shaders");
}

/* The program of a shader, for which no phase has run. */
static adreno_program *
new_program(ir_fn *f, const family_request *r)
{
    adreno_program *p = ARENA_NEW(f->arena, adreno_program);
    ir_shader *s = &f->shader;
    s->wave_size = s->required_wave_size ? s->required_wave_size
                   : r->wave_size        ? r->wave_size
                                         : r->target->default_wave_size;
    p->chooses_wave = !s->required_wave_size && !r->wave_size && !s->uses_subgroups;
    p->push_dwords = (s->push_constant_size + 3) / 4;
    return p;
}

/* Computes the liveness that a text cannot show. The text's figures, if there are any, stay: they
 * were found with another order of the instructions, and allocation goes by them. */
static void
find_stated_live(ir_fn *f)
{
    cg_state *s = cg_of(f), stated = *s;
    if (!(f->valid & IR_HAS_LIVENESS))
        return;
    cg_find_live(f);
    if (!stated.cheap[ADRENO_BANK_GPR])
        return;
    s->max_demand = stated.max_demand;
    memcpy(s->cheap, stated.cheap, sizeof s->cheap);
}

static void
prepare(ir_fn *f, const family_request *r)
{
    adreno_program *p = f->backend ? f->backend : new_program(f, r);
    adreno_target *target = ARENA_NEW(f->arena, adreno_target);
    *target = adreno_target_of(r->target->own);
    p->target = target;
    p->layout = r->layout;
    p->pipeline = family_pipeline_or_default(r->pipeline);
    p->debug = r->switches ? *(const uint32_t *)r->switches : 0;
    p->debug |= r->effort == FAMILY_EFFORT_NONE ? ADRENO_DEBUG_NO_OPT : 0;
    r->run->switches = p->debug;
    p->cg.validate = r->validate;
    f->ctx->computes_once = p->target->preamble && !(p->debug & ADRENO_DEBUG_NO_PREAMBLE);
    f->ctx->has_arrays = true;
    f->ctx->unchecked_uniforms = !p->target->bindless;
    p->fn = f;
    f->backend = p;
    f->target = p->target;
    p->wave_size = f->shader.wave_size;
    if (f->level->machine)
        find_stated_live(f);
}

/* Double waves, where that does not take more registers than there are, nor leaves half of a wave
 * without fibres. Before a6xx only workgroups need them that have more invocations than a core has
 * places. Source: ir3_should_double_threadsize of Mesa. */
static void
choose_wave_size(ir_fn *f)
{
    enum { OLD_WAVES = 16, MOST_WAITING = 64 };
    adreno_program *p = adreno_prog(f);
    const adreno_target *t = p->target;
    const uint32_t size = t->wave_sizes & (0 - t->wave_sizes), *g = f->shader.workgroup_size;
    const bool is_compute = f->shader.stage == IR_STAGE_COMPUTE;
    const uint32_t items = is_compute ? g[0] * g[1] * g[2] : UINT32_MAX;
    const uint32_t rows = (p->full_used + 3) / 4;
    bool doubles = p->chooses_wave && t->wave_sizes > size &&
                   (is_compute || f->shader.stage == IR_STAGE_FRAGMENT);
    if (t->chip->gen < 6)
        doubles &= is_compute && items > size * OLD_WAVES;
    else
        doubles &= items > size && 2 * rows <= t->wave_rows && p->branch_stack <= MOST_WAITING;
    if (doubles)
        p->wave_size = f->shader.wave_size = 2 * size;
}

static obj_code
describe(const ir_fn *f, const family_request *r, const base_buf *code)
{
    const adreno_program *p = adreno_prog(f);
    obj_code out = family_describe_code(r, &f->shader, code);
    out.wave_size = (uint8_t)p->wave_size;
    out.lds_bytes = p->local_bytes;
    out.scratch_bytes = p->private_bytes;
    out.own = adreno_make_state(f);
    return out;
}

static void
compile(ir_fn *hir, const family_request *r, family_binary *out)
{
    enum { MAX_LOCAL = 32768 };
    family_check_group(hir, r->target, MAX_LOCAL);
    adreno_layout_place(hir->ctx->diag, r->target, r->layout);
    prepare(hir, r);
    check_stage(hir, r);
    ask_for_messages(adreno_prog(hir), r->run);
    ir_fn *f = ir_run_passes(hir, pipeline, r->run);
    *out = (family_binary){.fn = f, .own = adreno_prog(f)};
    if (r->run->stopped)
        return;
    base_buf code = buf_make(f->arena);
    adreno_emit_program(f, &code);
    choose_wave_size(f);
    tell_results(adreno_prog(f), r->run);
    out->code = describe(f, r, &code);
}

const family_compiler adreno_family_compiler = {
    .pipeline = pipeline,
    .switches_size = sizeof(uint32_t),
    .read_switch = read_switch,
    .place = adreno_layout_place,
    .sampler_words = 4,
    .compile = compile,
    .prepare = prepare,
};
