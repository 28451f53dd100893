/* The compiler: HIR to HIR that the tree can express, to the tree, to code. */
#include "r600/compile/family_compiler.h"

#include "family/compiler.h"
#include "opt/choose_handles.h"
#include "opt/lower_loops.h"
#include "opt/opt.h"
#include "r600/compile/compile.h"
#include "r600/compile/object_state.h"
#include "r600/lower/lower.h"
#include "r600/select/select.h"

#include <string.h>

static const ir_pass pass_lower_atomics = {OPT_LOWER_ATOMICS, .lacks = opt_is_float_atomic};
static const ir_pass pass_lower_scans = {OPT_LOWER_SCANS, .lacks = r600_lacks_scan};

static const ir_pass pass_lower_values = {
    .name = "lower_values",
    .run = r600_lower_values,
    .keeps = IR_HAS_DOMINANCE | IR_HAS_LOOPS,
    .flags = IR_PASS_REQUIRED,
    .what = "Operations that the target lacks become others.",
};

static const ir_pass pass_nest_continues = {
    .name = "nest_continues",
    .run = r600_nest_continues,
    .flags = IR_PASS_REQUIRED,
    .what = "Loops whose continue region should not be copied get one way to it.",
};

static const ir_step pipeline[] = {
    OPT_PIPELINE,
    {&pass_lower_atomics},
    {&pass_lower_scans},
    OPT_STEP(lower_idiv),
    OPT_STEP(lower_int64),
    {&pass_lower_values},
    OPT_AFTER_LOWERING,
    {&pass_nest_continues},
    OPT_STEP_IF_CHANGED(copy_prop),
    OPT_STEP(scale_offsets),
    OPT_STEP(dce),
    {NULL},
};

static void
check(const ir_fn *hir, const family_request *r)
{
    diag *d = hir->ctx->diag;
    const r600_chip *chip = r->target->own;
    if (hir->shader.stage == IR_STAGE_COMPUTE && chip->gen <= R600_GEN_R700)
        diag_fail(d, ERR_TARGET_SELECT, r->target->name, "compute shaders");
    family_check_group(hir, r->target, R600_MOST_LDS);
    if (hir->shader.fp.denorm_preserve & 2)
        diag_fail(d, ERR_TARGET_SELECT, r->target->name, "denormals of 32-bit floats");
    if (hir->shader.fp.round_zero & 2)
        diag_fail(d, ERR_TARGET_SELECT, r->target->name, "rounding towards zero");
}

/* ---- switches ---- */

enum { SPILL_ALL = 1, ELEMENT_BYTES = 16 };

static const char *
read_switch(void *switches, const char *word)
{
    static const family_switch list[] = {{"spillall", SPILL_ALL}, {NULL, 0}};
    return family_read_switch(list, word, switches);
}

/* What is made of one function. */
typedef struct compilation {
    ir_fn *hir;
    r600_program *program;
} compilation;

static tree_program *
make_tree(void *user, bool saves_registers)
{
    const compilation *c = user;
    tree_program *p = r600_select_program(c->hir, c->program, saves_registers);
    c->program->inputs = p->input_gprs;
    return p;
}

static obj_code
describe(const r600_program *p, const ir_fn *f, const family_request *r, const base_buf *code)
{
    obj_code out = family_describe_code(r, &f->shader, code);
    out.wave_size = (uint8_t)p->wave_size;
    out.lds_bytes = p->lds_bytes;
    out.scratch_bytes = p->private_bytes + p->spill_elements * ELEMENT_BYTES;
    out.own = r600_obj_make_state(f->arena, p);
    return out;
}

static r600_program *
open_program(const ir_fn *f, const family_request *r)
{
    r600_program *p = ARENA_NEW(f->arena, r600_program);
    const ir_shader *s = &f->shader;
    *p = (r600_program){.chip = r->target->own,
                        .layout = r->layout,
                        .wave_size = r->target->default_wave_size,
                        .push_dwords = (s->push_constant_size + 3) / 4,
                        .constants = s->constant_data,
                        .constant_bytes = s->constant_size,
                        .hir = f,
                        .pipeline = family_pipeline_or_default(r->pipeline)};
    return p;
}

/* The tree's phases, whose names are those of the optimizer with a prefix, because passes on HIR
 * have them, too. */
static const family_phase phases[] = {
#define PHASE(name, required, sentence) {"tree" name, sentence, required},
#include "r600/compile/phases.def"
#undef PHASE
    {NULL},
};

/* The optimizer's name of a phase; NULL: none was asked for. */
static const char *
plain_name(const char *phase)
{
    const size_t prefix = strlen("tree_");
    return !phase ? NULL : strlen(phase) < prefix ? "read" : phase + prefix;
}

static void
compile(ir_fn *hir, const family_request *r, family_binary *out)
{
    r600_figures figures;
    check(hir, r);
    if (r->target->subgroup_size)
        hir->shader.wave_size = r->target->subgroup_size;
    family_sort_bindings(r->layout);
    ir_fn *f = ir_run_passes(hir, pipeline, r->run);
    compilation c = {f, open_program(f, r)};
    *out = (family_binary){.fn = f, .own = c.program};
    if (r->run->stopped)
        return;
    r600_lower_chip(f, r->target->own);
    const family_elements elements = {r->layout, r->target->name};
    if (opt_choose_handles(f, family_count_elements, &elements))
        opt_dce(f);
    ir_require(f, IR_HAS_LOOPS);
    base_buf code = buf_make(f->arena);
    const r600_optimize_job job = {.diag = f->ctx->diag,
                                   .arena = f->arena,
                                   .chip = r->target->own,
                                   .make = make_tree,
                                   .user = &c,
                                   .can_spill = true,
                                   .spills = r->switches &&
                                             *(const uint32_t *)r->switches & SPILL_ALL,
                                   .scratch = f->ctx->scratch,
                                   .stop = plain_name(r->phase),
                                   .no_passes = r->effort == FAMILY_EFFORT_NONE,
                                   .run = r->run};
    r600_optimize(&job, &code, &figures);
    out->text = code;
    if (r->phase)
        return;
    c.program->gprs = figures.gprs > c.program->inputs ? figures.gprs : c.program->inputs;
    c.program->stack = figures.stack;
    c.program->spill_elements = figures.spilled;
    out->code = describe(c.program, f, r, &code);
}

const family_compiler r600_family_compiler = {
    .pipeline = pipeline,
    .phases = phases,
    .compile = compile,
    .switches_size = sizeof(uint32_t),
    .read_switch = read_switch,
};
