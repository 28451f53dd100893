/* Compiling: reads SPIR-V or HIR text, runs the passes over HIR and the back end's phases, and
 * produces the requested output.
 *
 * `emit` names a product (obj, bin, asm) or a point at which the program is printed: "hir" is the
 * function as read, any other name is the pass or phase after which the run stops.
 */
#include "api/compile.h"
#include "families/families.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "opt/opt.h"

#include <string.h>

/* Not a pass: only timed. */
static const ir_pass work_read = {.name = "read", .what = "Makes HIR of the input."};
static const ir_pass work_object = {.name = "object",
                                    .what = "Makes the code object and counts its instructions."};

enum { EMIT_OBJ, EMIT_BIN, EMIT_ASM, EMIT_HIR, N_PRODUCTS };

/* The products, the function as read, and the passes on HIR; a family's phases follow. */
static const char *const emit_names[] = {
    [EMIT_OBJ] = "obj",
    [EMIT_BIN] = "bin",
    [EMIT_ASM] = "asm",
    [EMIT_HIR] = "hir",
#define OPT(name, needs, keeps, flags, what) #name,
#include "opt/passes.def"
#undef OPT
};

enum { N_EMITS = sizeof emit_names / sizeof emit_names[0] };

const char *
heddle_emit_name(uint32_t index)
{
    return index < N_EMITS ? emit_names[index] : families_phase(index - N_EMITS);
}

/* ---- options ---- */

static _Noreturn void
bad_argument(compiler *c, const char *format, const char *text)
{
    diag_fail(&c->s->diag, ERR_API_BAD_ARGUMENT, arena_printf(&c->s->arena, format, text));
}

/* The number of the name in `emit`; the default is obj. */
static unsigned
find_emit(compiler *c)
{
    const char *emit = c->job->options.emit, *name;
    for (unsigned i = 0; (name = heddle_emit_name(i)); i++) {
        if (!emit || strcmp(name, emit) == 0)
            return i;
    }
    bad_argument(c, "there is no product or phase '%.40s'", emit);
}

/* Returns true if the target's family has a phase of this name. */
static bool
has_phase(const compiler *c, const char *name)
{
    const char *const *phase = c->target.family->compiler->phases;
    while (phase && *phase && strcmp(*phase, name) != 0)
        phase++;
    return phase && *phase;
}

/* Fails if `emit` is a phase of another family, which would never be reached. */
static void
check_phase(compiler *c, unsigned emit)
{
    if (emit >= N_EMITS && !has_phase(c, c->job->options.emit))
        bad_argument(c, "the target has no phase '%.40s'", c->job->options.emit);
}

/* Fails if the family does not make the product. */
static void
check_product(compiler *c, unsigned emit)
{
    const family_target *t = &c->target;
    family_need(&c->s->diag, t, emit != EMIT_OBJ || family_objects_of(t)->write, "a code object");
    family_need(&c->s->diag, t, emit != EMIT_ASM || family_isa_of(t)->open, "the text of code");
}

/* Appends a name to a list of the pass runner. */
static void
add_name(compiler *c, const char **list, const char *name)
{
    *list = *list ? arena_printf(&c->s->arena, "%s,%s", *list, name) : name;
}

static bool
starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Returns true if the name is "all", or that of a pass or phase of the target. */
static bool
is_phase(const compiler *c, const char *name)
{
    bool known = strcmp(name, "all") == 0 || has_phase(c, name);
    for (unsigned i = 0; i < OPT_PASS_COUNT; i++)
        known |= strcmp(name, opt_passes[i].name) == 0;
    return known;
}

/* Adds the phase that a switch names to a list. */
static void
add_phase(compiler *c, const char **list, const char *name)
{
    if (!is_phase(c, name))
        bad_argument(c, "HEDDLE_DEBUG: there is no phase '%.40s'", name);
    add_name(c, list, name);
}

/* Handles one debug switch; the family knows those that are not for every family. */
static void
read_switch(compiler *c, const char *word, bool *verify)
{
    const char *(*read)(void *, const char *) = c->target.family->compiler->read_switch;
    const char *wrong = NULL;
    if (starts_with(word, "print="))
        add_phase(c, &c->run.print, word + 6);
    else if (starts_with(word, "skip="))
        add_phase(c, &c->run.skip, word + 5);
    else if (strcmp(word, "novalidateir") == 0)
        c->run.verify = false;
    else if (strcmp(word, "validateir") == 0)
        *verify = true;
    else if (*word)
        wrong = read ? read(c->switches, word) : "the target has no debug switch '%.40s'";
    if (wrong)
        bad_argument(c, wrong, word);
}

static void
read_switches(compiler *c)
{
    const char *text = c->job->options.debug;
    bool verify = false;
    while (text && *text) {
        size_t len = strcspn(text, ",");
        read_switch(c, arena_printf(&c->s->arena, "%.*s", (int)len, text), &verify);
        text += len + (text[len] == ',');
    }
    c->run.verify |= verify;
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
    c->target = api_find_target(c->s, c->job->options.target);
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
    unsigned emit = find_emit(c);
    if (o->abi != HEDDLE_ABI_VULKAN && o->abi != HEDDLE_ABI_HSA)
        diag_fail(&c->s->diag, ERR_API_BAD_ARGUMENT,
                  "abi is neither HEDDLE_ABI_VULKAN nor HEDDLE_ABI_HSA");
    if ((unsigned)o->optimization > HEDDLE_OPTIMIZE_FULL)
        diag_fail(&c->s->diag, ERR_API_BAD_ARGUMENT,
                  "optimization has none of the values of heddle_optimization");
    set_target(c);
    check_phase(c, emit);
    check_product(c, emit);
    api_check_wave_size(c->s, &c->target, o->wave_size);
    check_words(c);
    if (o->layout)
        api_read_layout(c->s, &c->target, o->layout, &c->given);
    c->request = (family_request){
        .target = &c->target,
        .wave_size = o->wave_size,
        .abi = o->abi == HEDDLE_ABI_HSA ? OBJ_ABI_HSA : OBJ_ABI_VULKAN,
        .layout = &c->layout,
        .has_address_high = o->has_address_high != 0,
        .address_high = o->address_high,
        .switches = c->switches,
        .run = &c->run,
    };
#ifndef NDEBUG
    c->run.verify = true;
#endif
    set_effort(c, o->optimization);
    read_switches(c);
    if (emit >= N_PRODUCTS)
        c->run.stop_after = heddle_emit_name(emit);
    c->run.bisect_limit = o->bisect_limit;
    c->run.clock = o->clock ? read_clock : NULL;
    c->run.cancelled = o->cancelled ? is_cancelled : NULL;
    c->run.printed = trace;
    c->run.user = (void *)o;
}

/* ---- reading ---- */

/* HIR text describes bindings only by their uses: each counts as the declaration of one
 * descriptor. */
static void
find_bindings(compiler *c, const ir_fn *f)
{
    size_t cap = 0;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (i->op != IR_vulkan_resource_index)
                continue;
            c->declared = arena_grow(&c->s->arena, c->declared, &cap, c->n_declared + 1,
                                     sizeof *c->declared);
            c->declared[c->n_declared++] = (spirv_binding){
                .set = ir_attr_get(i, IR_A_DESC_SET),
                .binding = ir_attr_get(i, IR_A_BINDING),
                .type = (ir_desc_type)ir_attr_get(i, IR_A_DESC_TYPE),
                .count = 1,
                .used = true};
        }
    }
}

static ir_fn *
read_input(compiler *c)
{
    if (c->job->words)
        return api_read_spirv(c);
    ir_fn *f = ir_parse(&c->ctx, &ir_hir_level, c->job->text, c->job->text_size);
    ir_verify(f, NULL);
    find_bindings(c, f);
    return f;
}

/* ---- output ---- */

static void
give_text(compiler *c, const ir_fn *f)
{
    base_buf text = buf_make(&c->s->arena); /* the printer releases scratch memory */
    unsigned divergence = f->valid & IR_HAS_DIVERGENCE ? IR_PRINT_DIVERGENCE : 0;
    ir_print(f, divergence, &text);
    api_set_data(c->s, text.data, text.size);
}

static void
give_times(compiler *c)
{
    heddle_stats *stats = &c->s->output->stats;
    heddle_phase_time *times = ARENA_ARRAY(&c->s->output->arena, c->run.n_times, heddle_phase_time);
    for (size_t i = 0; c->run.clock && i < c->run.n_times; i++)
        times[stats->n_phases++] = (heddle_phase_time){c->run.times[i].pass->name,
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
    default: api_print_shader(c->s, code, (family_text){0}, &out); break;
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
    read_options(&c);
    ir_start_charging(&c.run);
    if (c.run.cancelled && c.run.cancelled(c.run.user))
        diag_fail(&s->diag, ERR_CANCELLED);
    ir_fn *f = read_input(&c);
    api_choose_layout(&c, f);
    ir_charge(&c.run, &work_read, &s->arena);
    if (find_emit(&c) == EMIT_HIR) {
        give_text(&c, f);
        return;
    }
    c.request.name = f->name;
    c.target.family->compiler->compile(f, &c.request, &binary);
    if (c.run.stopped)
        give_text(&c, binary.fn);
    else
        give_code(&c, &binary.code);
}

static heddle_result
start(heddle_context *context, compile_job *job, const heddle_compile_options *options,
      heddle_output **out)
{
    if (out)
        *out = NULL;
    heddle_result result = api_check_call(context, job->words || job->text, options, out);
    if (result != HEDDLE_OK)
        return result;
    api_copy_struct(&job->options, sizeof job->options, options);
    bool has_values = !job->options.n_spec_constants || job->options.spec_constants;
    result = api_check_call(context, has_values, true, true);
    if (result != HEDDLE_OK)
        return result;
    return api_call(context, job->options.file, compile, job, out);
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
