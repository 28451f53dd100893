/* The pipeline from HIR as read to machine IR that can be encoded. */
#include "amd/abi/lower_abi.h"
#include "amd/compile/compile.h"
#include "amd/lower/lower_missing.h"
#include "amd/select/select.h"
#include "amd/target/hir_level.h"
#include "cg/live.h"
#include "cg/ssa_elimination.h"
#include "cg/value_numbering.h"
#include "ir/analysis.h"
#include "opt/close_ifs.h"
#include "opt/narrow_images.h"
#include "opt/opt.h"
#include "opt/pair_halves.h"

#define DOM   IR_HAS_DOMINANCE
#define LOOPS IR_HAS_LOOPS
#define DIV   IR_HAS_DIVERGENCE
#define LIVE  IR_HAS_LIVENESS
#define KILLS IR_HAS_KILLS

/* ---- between HIR and machine IR ---- */

static void
lower_abi(ir_fn *f)
{
    amd_lower_abi(f, amd_prog(f), amd_prog(f)->layout);
}

static const ir_pass pass_lower_abi = {
    .name = "lower_abi",
    .phase = lower_abi,
    .needs = DOM | LOOPS | DIV,
    .keeps = DOM | LOOPS | DIV,
    .flags = IR_PASS_REQUIRED,
    .what = "Descriptors, push constants and built-in values become what the ABI gives.",
    .level = &amd_hir_level,
};

static const ir_pass pass_lower_missing = {
    .name = "lower_missing",
    .run = amd_lower_missing,
    .keeps = DOM | LOOPS,
    .flags = IR_PASS_REQUIRED,
    .what = "Operations that the target lacks become others.",
};

/* Uniform values and lane masks live in SGPRs. */
static bool
lives_in_sgprs(const ir_fn *f, uint32_t id)
{
    return !f->values[id].divergent || ir_type_bits(f->values[id].type) == 1;
}

static void
close_ifs(ir_fn *f)
{
    if (ir_convert_to_lcssa(f))
        f->valid &= ~(uint32_t)DIV;
    ir_require(f, DOM | LOOPS | DIV);
    opt_close_divergent_ifs(f, lives_in_sgprs);
}

static const ir_pass pass_close_ifs = {
    .name = "close_ifs",
    .phase = close_ifs,
    .needs = DOM | LOOPS,
    .keeps = DOM | LOOPS | DIV,
    .flags = IR_PASS_REQUIRED,
    .what = "Loop-closed SSA, and divergent ifs with both arms at their end.",
};

static void
narrow_images(ir_fn *f)
{
    if (amd_has(amd_prog(f)->target, packed_d16))
        opt_narrow_images(f);
}

static const ir_pass pass_narrow_images = {
    .name = "narrow_images",
    .phase = narrow_images,
    .keeps = DOM | LOOPS | DIV,
    .unless = AMD_DEBUG_NO_OPT,
    .what = "Makes conversions between f32 and f16 part of image operations.",
};

static void
pair_halves(ir_fn *f)
{
    opt_pair_halves(f, amd_sel_pair_rule);
}

static const ir_pass pass_pair_halves = {
    .name = "pair_halves",
    .phase = pair_halves,
    .keeps = DOM | LOOPS | DIV,
    .unless = AMD_DEBUG_NO_OPT,
    .what = "Pairs 16-bit operations that packed instructions compute.",
};

static ir_fn *
select_program(ir_fn *f)
{
    return amd_select_program(f, amd_prog(f));
}

static const ir_pass pass_select_program = {
    .name = "select_program",
    .make = select_program,
    .needs = DOM | LOOPS | DIV,
    .flags = IR_PASS_REQUIRED,
    .what = "Makes machine IR and its linear CFG of HIR.",
    .level = &amd_level,
};

/* ---- on machine IR ---- */

#define NO_OPT        AMD_DEBUG_NO_OPT
#define NO_SCHED      AMD_DEBUG_NO_SCHED
#define NO_SCHED_ILP  AMD_DEBUG_NO_SCHED_ILP
#define NO_SCHED_VOPD AMD_DEBUG_NO_SCHED_VOPD
#define NO_VN         AMD_DEBUG_NO_VN
/* amd_program.debug decides what required phases leave out. */
#define PHASE(id, ...)                                                                             \
    static const ir_pass phase_##id = IR_PHASE_ROW(IR_PASS_REQUIRED, 0, id, __VA_ARGS__);
#define OPTIONAL_PHASE(id, function, unless, ...)                                                  \
    static const ir_pass phase_##id = IR_PHASE_ROW(0, unless, id, function, __VA_ARGS__);
#include "amd/phases.def"
#undef OPTIONAL_PHASE
#undef PHASE

/* ---- the whole ---- */

const ir_step amd_pipeline[] = {
    /* before what the arms of its ifs share moves out of them */
    OPT_STEP(chain_switches),
    OPT_PIPELINE,
    {&pass_lower_abi},
    /* cleans up after it */
    OPT_STEP(lower_idiv),
    OPT_STEP(lower_int64),
    {&pass_lower_missing},
    OPT_STEP(gvn),
    OPT_STEP_IF_CHANGED(copy_prop),
    OPT_STEP(licm),
    OPT_STEP(dce),
    OPT_STEP(shrink_loads),
    OPT_STEP(hoist),
    OPT_STEP(sink),
    {&pass_close_ifs},
    {&pass_narrow_images},
    {&pass_pair_halves},
    {&pass_select_program},
    OPT_STEP(dce), /* removes unused results of selection */
#define PHASE(id, ...)          {&phase_##id},
#define OPTIONAL_PHASE(id, ...) {&phase_##id},
#include "amd/phases.def"
#undef OPTIONAL_PHASE
#undef PHASE
    {NULL},
};
