/* Compiling: reads SPIR-V or text, runs the steps of the target's pipeline, and produces the
 * requested output.
 *
 * `emit` names a product (obj, bin, asm) or a point at which the program is printed: "hir" is the
 * function as read, any other name is the step after which the run stops.
 */
#include "api/compile.h"
#include "api/switches.h"
#include "families/families.h"
#include "family/compile.h"
#include "ir/graph.h"
#include "opt/opt.h"

#include <string.h>

/* Not a pass: only timed. */
static const ir_pass work_read = {.name = "read", .what = "Makes HIR of the input."};
static const ir_pass work_object = {.name = "object",
                                    .what = "Makes the code object and counts its instructions."};

enum { EMIT_OBJ, EMIT_BIN, EMIT_ASM, EMIT_HIR, EMIT_STEP };

/* The products and the function as read; the passes follow. */
static const char *const emit_names[EMIT_STEP] = {
    [EMIT_OBJ] = "obj",
    [EMIT_BIN] = "bin",
    [EMIT_ASM] = "asm",
    [EMIT_HIR] = "hir",
};

const char *
heddle_emit_name(uint32_t index)
{
    return index < EMIT_STEP ? emit_names[index] : families_pass(index - EMIT_STEP);
}

/* ---- options ---- */

_Noreturn void
api_bad_argument(compiler *c, const char *format, const char *text)
{
    diag_fail(&c->s->diag, ERR_API_BAD_ARGUMENT, arena_printf(&c->s->arena, format, text));
}

/* The product, or EMIT_STEP; the default is obj. */
static unsigned
find_emit(const compiler *c)
{
    const char *emit = c->job->options.emit;
    unsigned i = 0;
    while (emit && i < EMIT_STEP && strcmp(emit_names[i], emit) != 0)
        i++;
    return i;
}

/* Fails if the family does not make the product. */
static void
check_product(compiler *c, unsigned emit)
{
    const family_target *t = &c->target;
    family_need(&c->s->diag, t, emit != EMIT_OBJ || family_objects_of(t)->write, "a code object");
    family_need(&c->s->diag, t, emit != EMIT_ASM || family_isa_of(t)->open, "the text of code");
}

/* Does any family have a pass of this name? */
static bool
is_pass_of_any(const char *name)
{
    const char *pass;
    for (uint32_t i = 0; (pass = families_pass(i)); i++) {
        size_t len = strlen(pass);
        if (strncmp(pass, name, len) == 0 && (!name[len] || name[len] == '.'))
            return true;
    }
    return false;
}

/* Finds the product or step that `emit` names; fails if the target does not make it. */
static void
read_emit(compiler *c)
{
    const char *name = c->job->options.emit;
    size_t first = c->from < c->steps.count ? c->from : 0;
    check_product(c, find_emit(c));
    if (find_emit(c) != EMIT_STEP)
        return;
    if (api_has_phase(&c->target, name)) {
        c->request.phase = name;
        return;
    }
    if (ir_find_step(&c->steps, 0, name) == c->steps.count)
        api_bad_argument(c,
                         is_pass_of_any(name) ? "the target has no phase '%.60s'"
                                              : "there is no product or phase '%.60s'",
                         name);
    if (ir_find_step(&c->steps, first, name) == c->steps.count)
        api_bad_argument(c, "the phase '%.60s' is before the one that the text is from", name);
    c->run.stop_after = name;
}

/* Appends a name to a list of the pass runner. */
static void
add_name(compiler *c, const char **list, const char *name)
{
    *list = *list ? arena_printf(&c->s->arena, "%s,%s", *list, name) : name;
}

/* The family knows the switches that are not about phases. */
static void
read_switches(compiler *c)
{
    const char *(*read)(void *, const char *) = c->target.family->compiler->read_switch;
    const char *list = c->job->options.debug, *word;
    api_switches w = {.s = c->s, .target = &c->target, .steps = &c->steps, .run = &c->run};
    while ((word = api_next_switch(c->s, &list))) {
        const char *wrong = NULL;
        if (*word && !api_read_switch(&w, word))
            wrong = read ? read(c->switches, word) : "the target has no debug switch '%.40s'";
        if (wrong)
            api_wrong_switch(&w, wrong, word);
    }
    c->run.verify |= w.verifies;
    c->request.prints_code = w.prints_code;
}

static void
trace(void *user, const char *pass, const char *text, size_t size)
{
    const heddle_compile_options *o = user;
    if (o->trace)
        o->trace(o->user, pass, text, size);
}

static bool
is_cancelled(void *user)
{
    const heddle_compile_options *o = user;
    return o->cancelled(o->user) != 0;
}

static const char *
find_code(void *user, const char *id, size_t *size)
{
    const heddle_compile_options *o = user;
    return o->find_code(o->user, id, size);
}

static uint64_t
read_clock(void *user)
{
    const heddle_compile_options *o = user;
    return o->clock(o->user);
}

/* NONE skips every pass on HIR that is not required; the family knows what less effort means for
 * its phases. */
static void
set_effort(compiler *c, heddle_optimization level)
{
    static const family_effort efforts[] = {
        [HEDDLE_OPTIMIZE_NONE] = FAMILY_EFFORT_NONE,
        [HEDDLE_OPTIMIZE_LESS] = FAMILY_EFFORT_LESS,
    };
    if (level != HEDDLE_OPTIMIZE_NONE && level != HEDDLE_OPTIMIZE_LESS)
        return;
    c->request.effort = efforts[level];
    for (unsigned i = 0; i < OPT_PASS_COUNT && level == HEDDLE_OPTIMIZE_NONE; i++) {
        if (!(opt_passes[i].flags & IR_PASS_REQUIRED))
            add_name(c, &c->run.skip, opt_passes[i].name);
    }
}

/* Finds the target; fails if it does not compile. */
static void
set_target(compiler *c)
{
    const char *name = c->job->options.target;
    c->target = api_find_target(c->s, name ? name : c->origin.target);
    if (!c->target.compiles || !c->target.family->compiler)
        diag_fail(&c->s->diag, ERR_API_TARGET_NOT_COMPILED, c->target.name);
    c->switches = arena_zalloc(&c->s->arena, c->target.family->compiler->switches_size);
}

/* Fails if a word that the code has built in cannot be what is asked for. */
static void
check_words(compiler *c)
{
    const heddle_compile_options *o = &c->job->options;
    uint32_t align = o->buffer_align;
    if (align && (align & (align - 1) || align < 4 || align > 65536))
        diag_fail(&c->s->diag, ERR_API_BAD_ARGUMENT,
                  "buffer_align is not a power of two from 4 to 65536");
    if (o->has_address_high > 1)
        diag_fail(&c->s->diag, ERR_API_BAD_ARGUMENT, "has_address_high is neither 0 nor 1");
}

static void
read_options(compiler *c)
{
    const heddle_compile_options *o = &c->job->options;
    if (o->abi != HEDDLE_ABI_VULKAN && o->abi != HEDDLE_ABI_HSA)
        diag_fail(&c->s->diag, ERR_API_BAD_ARGUMENT,
                  "abi is neither HEDDLE_ABI_VULKAN nor HEDDLE_ABI_HSA");
    if ((unsigned)o->optimization > HEDDLE_OPTIMIZE_FULL)
        diag_fail(&c->s->diag, ERR_API_BAD_ARGUMENT,
                  "optimization has none of the values of heddle_optimization");
    set_target(c);
    api_find_from(c);
    api_check_wave_size(c->s, &c->target, o->wave_size);
    check_words(c);
    if (o->layout)
        api_read_layout(c->s, &c->target, o->layout, &c->given);
    if (o->pipeline)
        c->pipeline = api_read_pipeline(c->s, o->pipeline);
    c->request = (family_request){
        .target = &c->target,
        .wave_size = o->wave_size,
        .abi = o->abi == HEDDLE_ABI_HSA ? OBJ_ABI_HSA : OBJ_ABI_VULKAN,
        .layout = &c->layout,
        .pipeline = c->pipeline,
        .has_address_high = o->has_address_high != 0,
        .address_high = o->address_high,
        .switches = c->switches,
        .run = &c->run,
        .find_code = o->find_code ? find_code : NULL,
        .find_user = (void *)o,
    };
#ifndef NDEBUG
    c->run.verify = true;
#endif
    set_effort(c, o->optimization);
    read_switches(c);
    if (o->bisect_limit)
        c->run.bisect_limit = o->bisect_limit;
    c->run.clock = o->clock ? read_clock : NULL;
    c->run.cancelled = o->cancelled ? is_cancelled : NULL;
    c->run.printed = trace;
    c->run.user = (void *)o;
    api_set_parts(c);
}

/* ---- output ---- */

void
api_give_text(compiler *c, const ir_fn *f)
{
    base_buf text = buf_make(&c->s->arena); /* the printer releases scratch memory */
    if (c->job->options.graph)
        ir_print_graph(f, 0, &text);
    else
        ir_print_run(f, &c->run, &text);
    api_set_data(c->s, text.data, text.size);
}

/* The name of a row of the times: that of a step has its number. */
static const char *
name_time(compiler *c, const ir_pass_time *t)
{
    char name[IR_STEP_NAME];
    if (!t->step)
        return t->pass->name;
    ir_step_name(&c->run.steps, t->step - 1, name);
    return arena_strdup(&c->s->output->arena, name);
}

static void
give_times(compiler *c)
{
    heddle_stats *stats = &c->s->output->stats;
    heddle_phase_time *times = ARENA_ARRAY(&c->s->output->arena, c->run.n_times, heddle_phase_time);
    for (size_t i = 0; c->run.clock && i < c->run.n_times; i++)
        times[stats->n_phases++] = (heddle_phase_time){name_time(c, &c->run.times[i]),
                                                       c->run.times[i].ns};
    stats->phases = times;
}

static void
give_code(compiler *c, obj_code *code)
{
    api_list_resources(c, code);
    base_buf out = buf_make(&c->s->scratch);
    api_set_shader(c->s, &c->target, code);
    switch (find_emit(c)) {
    case EMIT_OBJ: c->target.family->objects->write(&c->s->diag, code, &out); break;
    case EMIT_BIN: buf_put(&out, code->code, code->code_size); break;
    default:
        api_print_shader(c->s, code, (family_text){.as_graph = c->job->options.graph != 0}, &out);
        break;
    }
    api_set_data(c->s, out.data, out.size);
    ir_charge(&c->run, &work_object, &c->s->arena);
    give_times(c);
}

static void
compile(api_state *s, const void *user)
{
    compiler c = {.s = s, .job = user, .ctx = {&s->diag, &s->arena, &s->scratch}};
    family_binary binary;
    if (c.job->text)
        c.origin = ir_find_origin(&c.ctx, c.job->text, c.job->text_size);
    read_options(&c);
    read_emit(&c);
    ir_start_charging(&c.run);
    if (c.run.cancelled && c.run.cancelled(c.run.user))
        diag_fail(&s->diag, ERR_CANCELLED);
    ir_fn *f = c.job->words ? api_read_spirv(&c) : api_read_text(&c);
    api_choose_layout(&c, f);
    api_set_used(&c);
    ir_charge(&c.run, &work_read, &s->arena);
    if (find_emit(&c) == EMIT_HIR) {
        api_give_text(&c, f);
        return;
    }
    c.request.name = f->name;
    family_compile(f, &c.request, &binary);
    if (c.run.stopped)
        api_give_text(&c, binary.fn);
    else if (c.request.phase)
        api_set_data(c.s, binary.text.data, binary.text.size);
    else
        give_code(&c, &binary.code);
}

static void
run_passes(api_state *s, const void *user)
{
    compiler c = {.s = s, .job = user, .ctx = {&s->diag, &s->arena, &s->scratch}};
    c.origin = ir_find_origin(&c.ctx, c.job->text, c.job->text_size);
    read_options(&c);
    ir_fn *f = api_read_text(&c);
    api_choose_layout(&c, f);
    api_set_used(&c);
    api_run_list(&c, f);
}

/* Runs the middle end alone, on whose result both stages' targets agree. */
static void
link_stage(api_state *s, const void *user)
{
    compiler c = {.s = s, .job = user, .ctx = {&s->diag, &s->arena, &s->scratch}};
    family_stage_link link;
    c.origin.target = families_default_target();
    read_options(&c);
    ir_fn *f = api_read_spirv(&c);
    if (c.spirv.stage != IR_STAGE_VERTEX && c.spirv.stage != IR_STAGE_FRAGMENT)
        diag_fail(&s->diag, ERR_API_UNSUPPORTED,
                  "linking of shaders other than vertex and fragment shaders");
    f = ir_run_passes(f, opt_pipeline, &c.run);
    if (c.spirv.stage == IR_STAGE_VERTEX)
        family_link_outputs(f, &link);
    else
        family_link_inputs(f, &link);
    api_give_link(s, &link);
}

static heddle_result
start(heddle_context *context, compile_job *job, const heddle_compile_options *options,
      heddle_output **out)
{
    static const api_work works[] = {compile, run_passes, link_stage}; /* by compile_kind */
    if (out)
        *out = NULL;
    heddle_result result = api_check_call(context, job->words || job->text, options, out);
    if (result != HEDDLE_OK)
        return result;
    api_copy_struct(&job->options, sizeof job->options, options);
    if (job->kind == COMPILE_PASSES && !job->options.passes)
        return api_check_call(context, false, true, true);
    bool has_values = !job->options.n_spec_constants || job->options.spec_constants;
    result = api_check_call(context, has_values, true, true);
    if (result != HEDDLE_OK)
        return result;
    return api_call(context, job->options.file, works[job->kind], job, out);
}

heddle_result
heddle_compile(heddle_context *context, const uint32_t *words, size_t n_words,
               const heddle_compile_options *options, heddle_output **out)
{
    compile_job job = {.words = words, .n_words = n_words};
    return start(context, &job, options, out);
}

heddle_result
heddle_compile_hir(heddle_context *context, const char *text, size_t size,
                   const heddle_compile_options *options, heddle_output **out)
{
    compile_job job = {.text = text, .text_size = size};
    return start(context, &job, options, out);
}

heddle_result
heddle_run_passes(heddle_context *context, const char *text, size_t size,
                  const heddle_compile_options *options, heddle_output **out)
{
    compile_job job = {.text = text, .text_size = size, .kind = COMPILE_PASSES};
    return start(context, &job, options, out);
}

heddle_result
heddle_link_stage(heddle_context *context, const uint32_t *words, size_t n_words,
                  const heddle_compile_options *options, heddle_output **out)
{
    compile_job job = {.words = words, .n_words = n_words, .kind = COMPILE_LINK};
    return start(context, &job, options, out);
}

const heddle_stage_link *
heddle_output_link(const heddle_output *output)
{
    return output ? output->link : NULL;
}

/* Phase number `index` behind the pipeline. */
static heddle_result
describe_phase(const family_target *t, uint32_t index, heddle_phase_info *info)
{
    const family_phase *p = t->family->compiler->phases;
    for (; p && p->name && index; p++)
        index--;
    if (!p || !p->name)
        return HEDDLE_ERROR_ARGUMENT;
    const heddle_phase_info found = {.pass = p->name,
                                     .number = 1,
                                     .count = 1,
                                     .sentence = p->what,
                                     .required = p->is_required,
                                     .machine = 1};
    api_fill_struct(info, &found, sizeof found);
    return HEDDLE_OK;
}

heddle_result
heddle_get_phase(const char *target, uint32_t index, heddle_phase_info *info)
{
    family_target t;
    bool known = info && families_find_target(target ? target : families_default_target(), &t) &&
                 t.compiles && t.family->compiler && t.family->compiler->pipeline;
    static const ir_step none[] = {{NULL}};
    const ir_steps s = ir_list_steps(known ? t.family->compiler->pipeline : none, &ir_hir_level);
    heddle_phase_info found = {.number = 1, .count = 1};
    if (index >= s.count)
        return known ? describe_phase(&t, index - (uint32_t)s.count, info) : HEDDLE_ERROR_ARGUMENT;
    const ir_pass *pass = s.list[index].pass;
    for (size_t k = 0; k < s.count; k++) {
        found.number += k < index && s.list[k].pass == pass;
        found.count += k != index && s.list[k].pass == pass;
    }
    found.pass = pass->name;
    found.sentence = pass->what;
    found.required = (pass->flags & IR_PASS_REQUIRED) != 0;
    found.machine = ir_level_behind(&s, index)->machine != NULL;
    api_fill_struct(info, &found, sizeof found);
    return HEDDLE_OK;
}
