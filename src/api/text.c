/* Texts of HIR and machine IR as input: which step of the pipeline they are from, what their header
 * says besides the function, and single passes over them. */
#include "api/compile.h"
#include "ir/verify.h"

#include <string.h>

static _Noreturn void
bad_state(compiler *c, const char *format, const char *what, const char *other)
{
    diag_fail(&c->s->diag, ERR_IR_BAD_STATE, arena_printf(&c->s->arena, format, what, other));
}

/* ---- where a text is from ---- */

/* The step of this name; fails if there is none. */
static size_t
find_step(compiler *c, const char *name)
{
    size_t at = ir_find_step(&c->steps, 0, name);
    if (at == c->steps.count)
        bad_state(c, "the target has no phase '%.60s'", name, NULL);
    return at;
}

/* The level of the function before step `at`. */
static const ir_level *
level_before(const compiler *c, size_t at)
{
    return at ? ir_level_behind(&c->steps, at - 1) : &ir_hir_level;
}

/* The caller's from, or NULL: "hir" is the function as read. */
static const char *
stated_from(compiler *c)
{
    const char *from = c->job->options.from;
    if (!from)
        return NULL;
    if (!c->job->text)
        api_bad_argument(c, "only a text is from a phase: %.60s", from);
    if (strcmp(from, "hir") != 0 && ir_find_step(&c->steps, 0, from) == c->steps.count)
        api_bad_argument(c, "there is no phase '%.60s' to go on from", from);
    return from;
}

static void
check_target(compiler *c)
{
    const char *stated = c->origin.target;
    if (stated && strcmp(stated, c->target.name) != 0)
        bad_state(c, "it is for the target %.40s, not %.40s", stated, c->target.name);
}

void
api_find_from(compiler *c)
{
    const ir_step *pipeline = c->target.family->compiler->pipeline;
    static const ir_step none[] = {{NULL}};
    c->steps = ir_list_steps(pipeline ? pipeline : none, &ir_hir_level);
    c->run.steps = c->steps;
    c->run.at = c->steps.count; /* none was reached */
    c->from = c->steps.count;
    check_target(c);
    const char *given = stated_from(c), *after = c->origin.after;
    if (after) {
        c->from = find_step(c, after);
        if (given && !ir_is_step_name(&c->steps, c->from, given, strlen(given)))
            bad_state(c, "it is from behind '%.60s', not '%.60s'", after, given);
    } else if (given && strcmp(given, "hir") != 0) {
        c->from = find_step(c, given);
    }
    if (c->from < c->steps.count)
        c->run.from = after ? after : given;
}

/* ---- what the header says ---- */

/* A descriptor that the shader declares. */
typedef struct api_text_binding {
    uint32_t set, binding, type, count; /* type: ir_desc_type */
    bool used;                          /* as spirv_binding has it */
    bool read;                          /* from lower_abi on: family_binding.is_used */
} api_text_binding;

#define FIELD(how, member) IR_TEXT_FIELD(api_text_binding, how, member)
#define SHOWN(member)                                                                              \
    {                                                                                              \
        .name = #member, .kind = IR_TEXT_NUMBER, .size = sizeof(uint32_t), .always = true,         \
        .offset = offsetof(api_text_binding, member)                                               \
    }
static const ir_text_field binding_fields[] = {
    SHOWN(set),
    SHOWN(binding),
    {.name = "type",
     .kind = IR_TEXT_ENUM,
     .size = sizeof(uint32_t),
     .always = true,
     .offset = offsetof(api_text_binding, type),
     .names = ir_hir_names.desc},
    FIELD(NUMBER, count),
    FIELD(BOOL, used),
    FIELD(BOOL, read),
    {.name = NULL},
};
static const ir_text_rows binding_rows = {
    .fields = binding_fields,
    .row_size = sizeof(api_text_binding),
    .count_offset = offsetof(compiler, n_bindings),
    .count_size = sizeof(size_t),
};
/* Of a compiler. */
static const ir_text_field layout_fields[] = {
    {.name = "binding",
     .kind = IR_TEXT_ROWS,
     .offset = offsetof(compiler, bindings),
     .rows = &binding_rows},
    {.name = NULL},
};

static const family_binding *
find_binding(const family_layout *l, uint32_t set, uint32_t binding)
{
    for (size_t i = 0; i < l->n_bindings; i++) {
        const family_binding *b = &l->bindings[i];
        if (b->set == set && b->binding == binding && b->is_used)
            return b;
    }
    return NULL;
}

/* Makes the rows anew: lower_abi finds out what is read. */
static ir_text_part
list_bindings(void *user)
{
    compiler *c = user;
    c->n_bindings = c->n_declared;
    c->bindings = ARENA_ARRAY(&c->s->arena, c->n_declared, api_text_binding);
    for (size_t i = 0; i < c->n_declared; i++) {
        const spirv_binding *d = &c->declared[i];
        c->bindings[i] = (api_text_binding){d->set,  d->binding,
                                            d->type, d->count,
                                            d->used, find_binding(&c->layout, d->set, d->binding)};
    }
    return (ir_text_part){layout_fields, c};
}

void
api_set_parts(compiler *c)
{
    c->run.more = list_bindings;
    c->run.more_user = c;
    c->run.target = c->target.name;
}

/* What the text says that the shader declares. A text without bindings describes them only by their
 * uses: each counts as the declaration of one descriptor. */
static void
find_declared(compiler *c, const ir_fn *f)
{
    size_t cap = c->n_bindings;
    c->declared = ARENA_ARRAY(&c->s->arena, cap, spirv_binding);
    for (size_t i = 0; i < c->n_bindings; i++) {
        const api_text_binding *b = &c->bindings[i];
        c->declared[c->n_declared++] = (spirv_binding){.set = b->set,
                                                       .binding = b->binding,
                                                       .type = (ir_desc_type)b->type,
                                                       .count = b->count,
                                                       .used = b->used};
    }
    IR_FOREACH_INSTR_OF(i, f) {
        if (c->n_bindings || f->level->machine || i->op != IR_vulkan_resource_index)
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

void
api_set_used(compiler *c)
{
    for (size_t i = 0; i < c->n_bindings; i++) {
        const api_text_binding *row = &c->bindings[i];
        for (size_t k = 0; row->read && k < c->layout.n_bindings; k++) {
            family_binding *b = &c->layout.bindings[k];
            b->is_used |= b->set == row->set && b->binding == row->binding;
        }
    }
}

/* ---- reading ---- */

/* The step before which a pass of this name runs on the text: the next one in the pipeline, else
 * the first one at the text's level; the number of steps if there is none. */
static size_t
find_place(const compiler *c, size_t from, const char *name)
{
    const ir_level *level = from < c->steps.count ? ir_level_behind(&c->steps, from) : NULL;
    size_t first = from < c->steps.count ? from + 1 : 0;
    for (unsigned round = 0; round < 2; round++, first = 0) {
        size_t k = first;
        while ((k = ir_find_step(&c->steps, k, name)) < c->steps.count) {
            const ir_level *before = level_before(c, k);
            if (level ? before == level : !before->machine == !c->origin.machine)
                return k;
            k++;
        }
    }
    return c->steps.count;
}

/* The first name of the job's list of passes. */
static const char *
first_pass(compiler *c)
{
    const char *passes = c->job->options.passes;
    return arena_printf(&c->s->arena, "%.*s", (int)strcspn(passes, ","), passes);
}

/* The level of a text that does not say where it is from: as the first pass needs it. */
static const ir_level *
guess_level(compiler *c)
{
    size_t at = c->job->kind == COMPILE_PASSES ? find_place(c, c->steps.count, first_pass(c))
                                               : c->steps.count;
    if (at < c->steps.count)
        return level_before(c, at);
    if (c->origin.machine && c->job->kind != COMPILE_PASSES)
        bad_state(c, "it does not say from which phase it is: name that with --from", NULL, NULL);
    return c->origin.machine ? level_before(c, c->steps.count) : &ir_hir_level;
}

static const ir_level *
level_of_text(compiler *c)
{
    char name[IR_STEP_NAME];
    if (c->from == c->steps.count)
        return guess_level(c);
    const ir_level *level = ir_level_behind(&c->steps, c->from);
    ir_step_name(&c->steps, c->from, name);
    if (!level->machine == c->origin.machine)
        bad_state(c, "it is %s, which there is not behind '%.60s'",
                  c->origin.machine ? "machine IR" : "HIR", name);
    return level;
}

ir_fn *
api_read_text(compiler *c)
{
    const ir_level *level = level_of_text(c);
    const ir_text_part parts[] = {{ir_run_fields, &c->words}, {layout_fields, c}, {NULL, NULL}};
    ir_fn *f = ir_parse_parts(&c->ctx, level, c->job->text, c->job->text_size, parts);
    c->run.clean = c->words.clean;
    ir_verify(f, NULL);
    find_declared(c, f);
    return f;
}

/* ---- single passes ---- */

/* Runs the pass at its place behind step `from`; returns the place. */
static size_t
run_pass(compiler *c, ir_fn **f, size_t from, const char *name)
{
    size_t at = find_place(c, from, name);
    if (at == c->steps.count) {
        bool known = ir_find_step(&c->steps, 0, name) < c->steps.count;
        api_bad_argument(c,
                         known ? "the pass '%.60s' does not run at the level of the text"
                               : "there is no pass '%.60s'",
                         name);
    }
    *f = ir_run_step(*f, at, &c->run);
    c->run.at = at;
    return at;
}

void
api_run_list(compiler *c, ir_fn *f)
{
    const family_compiler *back = c->target.family->compiler;
    const char *names = c->job->options.passes;
    size_t from = c->from;
    family_need(&c->s->diag, &c->target, back->prepare, "running single passes");
    back->prepare(f, &c->request);
    c->run.verify = true;
    c->run.at = from;
    for (size_t len; *names; names += len + (names[len] == ',')) {
        len = strcspn(names, ",");
        from = run_pass(c, &f, from, arena_printf(&c->s->arena, "%.*s", (int)len, names));
    }
    api_give_text(c, f);
}
