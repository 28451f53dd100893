/* The pass runner of ir/pass.h. */
#include "ir/pass.h"

#include "ir/analysis.h"
#include "ir/machine.h"
#include "ir/verify.h"

#include "base/number.h"

#include <assert.h>
#include <stdio.h>

/* ---- steps ---- */

ir_steps
ir_list_steps(const ir_step *pipeline, const ir_level *level)
{
    ir_steps s = {pipeline, 0, level};
    while (pipeline[s.count].pass)
        s.count++;
    return s;
}

const ir_level *
ir_level_behind(const ir_steps *s, size_t at)
{
    for (size_t k = at + 1; k-- > 0;) {
        if (s->list[k].pass->level)
            return s->list[k].pass->level;
    }
    return s->level;
}

/* The steps of the same pass before `end`. */
static unsigned
count_steps(const ir_steps *s, const ir_pass *pass, size_t end)
{
    unsigned n = 0;
    for (size_t k = 0; k < end; k++)
        n += s->list[k].pass == pass;
    return n;
}

void
ir_step_name(const ir_steps *s, size_t at, char out[IR_STEP_NAME])
{
    const ir_pass *pass = s->list[at].pass;
    if (count_steps(s, pass, s->count) > 1)
        snprintf(out, IR_STEP_NAME, "%s.%u", pass->name, count_steps(s, pass, at) + 1);
    else
        snprintf(out, IR_STEP_NAME, "%s", pass->name);
}

bool
ir_is_step_name(const ir_steps *s, size_t at, const char *name, size_t len)
{
    const ir_pass *pass = s->list[at].pass;
    size_t n = strlen(pass->name);
    char number[16];
    if (len < n || memcmp(name, pass->name, n) != 0)
        return false;
    if (len == n)
        return true;
    int more = snprintf(number, sizeof number, ".%u", count_steps(s, pass, at) + 1);
    return len == n + (size_t)more && memcmp(name + n, number, (size_t)more) == 0;
}

size_t
ir_find_step(const ir_steps *s, size_t first, const char *name)
{
    while (first < s->count && !ir_is_step_name(s, first, name, strlen(name)))
        first++;
    return first;
}

/* ---- lists of names ---- */

/* Returns true if an item of the list is "all" or `is` what `what` asks for. */
static bool
has_item(const char *list, bool (*is)(const void *what, const char *item, size_t len),
         const void *what)
{
    while (list && *list) {
        size_t len = strcspn(list, ",");
        if ((len == 3 && memcmp(list, "all", 3) == 0) || is(what, list, len))
            return true;
        list += len + (list[len] == ',');
    }
    return false;
}

static bool
is_text(const void *what, const char *item, size_t len)
{
    return strlen(what) == len && memcmp(item, what, len) == 0;
}

typedef struct place {
    const ir_steps *steps;
    size_t at;
} place;

static bool
is_step(const void *what, const char *item, size_t len)
{
    const place *p = what;
    return ir_is_step_name(p->steps, p->at, item, len);
}

/* Is step `at` in the list? */
static bool
has_step(const ir_pass_run *run, size_t at, const char *list)
{
    if (!list)
        return false;
    const place p = {&run->steps, at};
    return has_item(list, is_step, &p);
}

bool
ir_pass_listed(const char *list, const char *name)
{
    return has_item(list, is_text, name);
}

/* ---- analyses ---- */

void
ir_require(ir_fn *f, uint32_t needs)
{
    uint32_t missing = needs & ~f->valid;
    if (missing & IR_HAS_DOMINANCE)
        ir_compute_dominance(f);
    if (missing & (IR_HAS_LOOPS | IR_HAS_DIVERGENCE) && !(f->valid & IR_HAS_LOOPS))
        ir_compute_loops(f);
    if (missing & IR_HAS_DIVERGENCE)
        ir_compute_divergence(f);
    if (missing & (IR_HAS_LIVENESS | IR_HAS_KILLS))
        f->level->machine->find_live(f);
}

/* ---- time ---- */

void
ir_start_charging(ir_pass_run *run)
{
    run->charged = run->clock ? run->clock(run->user) : 0;
}

/* Charges to the row of a pass, or of a step, which runs once. */
static void
charge(ir_pass_run *run, ir_pass_time row, arena *a)
{
    size_t at = row.step ? run->n_times : 0;
    uint64_t now = run->clock(run->user), since = run->charged;
    while (at < run->n_times && (run->times[at].pass != row.pass || run->times[at].step))
        at++;
    if (at == run->n_times) {
        run->times = arena_grow(a, run->times, &run->cap_times, at + 1, sizeof *run->times);
        run->times[run->n_times++] = row;
    }
    run->times[at].ns += now - since;
    run->times[at].runs++;
    run->charged = now;
}

void
ir_charge(ir_pass_run *run, const ir_pass *row, arena *a)
{
    if (run->clock)
        charge(run, (ir_pass_time){.pass = row}, a);
}

/* ---- cleanup passes ---- */

/* Returns the index of the pass in `ran`, or n_ran. */
static unsigned
find_run(const ir_pass *p, const ir_pass_run *run)
{
    unsigned k = 0;
    while (k < run->n_ran && run->ran[k].pass != p)
        k++;
    return k;
}

static void
note_run(const ir_fn *f, const ir_pass *p, ir_pass_run *run)
{
    unsigned k = find_run(p, run);
    assert(k < IR_PASS_RAN);
    run->n_ran += k == run->n_ran;
    run->ran[k].pass = p;
    run->ran[k].changes = f->changes;
}

static bool
is_clean(const ir_fn *f, const ir_pass *p, const ir_pass_run *run)
{
    assert(p->flags & IR_PASS_CLEANS);
    unsigned k = find_run(p, run);
    if (k < run->n_ran)
        return f->changes == run->ran[k].changes;
    return f->changes == 0 && (f->numbered || !(p->flags & IR_PASS_NUMBERS));
}

/* ---- text ---- */

const ir_text_field ir_run_fields[] = {
    IR_TEXT_FIELD(ir_run_words, WORDS, target),
    IR_TEXT_FIELD(ir_run_words, WORDS, after),
    IR_TEXT_FIELD(ir_run_words, WORDS, clean),
    {.name = NULL},
};

/* The passes that are still to come with if_changed and have nothing to do; NULL: none. */
static const char *
list_clean(const ir_fn *f, const ir_pass_run *run, arena *a)
{
    const char *list = NULL;
    for (size_t k = run->at + 1; k < run->steps.count && !f->level->machine; k++) {
        const ir_pass *p = run->steps.list[k].pass;
        if (!run->steps.list[k].if_changed || !is_clean(f, p, run) ||
            (list && ir_pass_listed(list, p->name)))
            continue;
        list = list ? arena_printf(a, "%s,%s", list, p->name) : p->name;
    }
    return list;
}

void
ir_print_run(const ir_fn *f, const ir_pass_run *run, base_buf *out)
{
    char name[IR_STEP_NAME];
    ir_run_words words = {.target = f->level->program ? run->target : NULL};
    ir_text_part parts[3] = {{ir_run_fields, &words}};
    if (run->plain) {
        ir_print(f, run->print_flags, out);
        return;
    }
    if (run->at < run->steps.count) {
        ir_step_name(&run->steps, run->at, name);
        words.after = name;
        words.clean = list_clean(f, run, f->ctx->arena);
    }
    if (run->more)
        parts[1] = run->more(run->more_user);
    ir_print_parts(f, run->print_flags | IR_PRINT_STATE, parts, out);
}

static void
print_function(const ir_fn *f, const char *title, const ir_pass_run *run)
{
    arena_mark m = arena_save(f->ctx->scratch);
    base_buf out = buf_make(f->ctx->scratch);
    ir_print_run(f, run, &out);
    run->printed(run->user, title, buf_text(&out), out.size);
    arena_release(f->ctx->scratch, m);
}

/* ---- bisection ---- */

bool
ir_read_bisect(const char *text, ir_pass_run *run)
{
    uint64_t steps = 0, changes = 0;
    size_t len = strlen(text), first = base_integer_read(text, len, 10, &steps), rest = 0;
    bool has_changes = text[first] == '.';
    if (has_changes)
        rest = 1 + base_integer_read(text + first + 1, len - first - 1, 10, &changes);
    run->bisect_limit = steps && steps < INT64_MAX ? (int64_t)steps : -1;
    run->bisect_changes = changes;
    return first && first + rest == len && (!has_changes || (rest > 1 && changes));
}

size_t
ir_find_optional_step(const ir_steps *steps, int64_t number)
{
    size_t at = 0;
    for (; at < steps->count; at++) {
        if (!(steps->list[at].pass->flags & IR_PASS_REQUIRED) && --number == 0)
            break;
    }
    return at;
}

int64_t
ir_count_optional_steps(const ir_steps *steps)
{
    int64_t n = 0;
    for (size_t at = 0; at < steps->count; at++)
        n += !(steps->list[at].pass->flags & IR_PASS_REQUIRED);
    return n;
}

/* ---- one step ---- */

/* Does the caller request anything but that the steps run? */
static bool
has_requests(const ir_pass_run *run)
{
    return run->skip || run->bisect_limit || run->print || run->print_before || run->verify ||
           run->clock || run->cancelled;
}

/* Prints the function before the pass on request. */
static void
look_before(const ir_fn *f, size_t at, ir_pass_run *run)
{
    char title[IR_STEP_NAME], name[IR_STEP_NAME + 8];
    if (!run->printed || !has_step(run, at, run->print_before))
        return;
    ir_step_name(&run->steps, at, title);
    snprintf(name, sizeof name, "before %s", title);
    print_function(f, name, run);
    ir_start_charging(run);
}

/* Does what was requested after each pass. The time spent here is not charged to any pass. */
static void
look_at(const ir_fn *f, size_t at, ir_pass_run *run)
{
    char name[IR_STEP_NAME];
    const char *pass = run->steps.list[at].pass->name;
    bool print = run->printed && has_step(run, at, run->print);
    if (print) {
        ir_step_name(&run->steps, at, name);
        print_function(f, name, run);
    }
    if (run->verify)
        ir_verify(f, pass);
    if (run->verify && run->check)
        run->check(f, pass);
    if (print || run->verify)
        ir_start_charging(run);
}

static bool
is_optional(const ir_pass_run *run, size_t at)
{
    return !(run->steps.list[at].pass->flags & IR_PASS_REQUIRED);
}

static bool
is_left_out(size_t at, const ir_pass_run *run)
{
    if (!is_optional(run, at))
        return false;
    bool beyond = run->bisect_limit && run->n_counted > run->bisect_limit;
    return beyond || has_step(run, at, run->skip);
}

/* The limit of the last step that the bisection lets run. */
static void
limit_changes(ir_ctx *c, size_t at, const ir_pass_run *run)
{
    bool last = run->bisect_limit > 0 && run->n_counted == run->bisect_limit &&
                is_optional(run, at);
    c->n_changes = 0;
    c->change_limit = last && run->bisect_changes ? run->bisect_changes + 1 : 0;
}

/* Runs the pass itself. Returns true if it changed the function, which `*f` is from then on. */
static bool
apply(ir_fn **f, const ir_pass *p)
{
    arena_mark m = arena_save((*f)->ctx->scratch);
    bool changed = true;
    if (p->phase)
        p->phase(*f);
    else if (p->run)
        changed = p->run(*f);
    else if (p->lower)
        changed = p->lower(*f, p->lacks);
    else
        *f = p->make(*f);
    arena_release((*f)->ctx->scratch, m);
    return changed;
}

static void
run_step(ir_fn **f, size_t at, ir_pass_run *run)
{
    const ir_pass *p = run->steps.list[at].pass;
    run->at = at;
    ir_require(*f, p->needs);
    if (!(p->unless & run->switches) && apply(f, p)) {
        (*f)->valid &= p->keeps;
        (*f)->changes += !(p->flags & IR_PASS_REMOVES);
    }
    if (p->flags & IR_PASS_CLEANS)
        note_run(*f, p, run);
}

/* The same with all that may be requested. */
static void
run_watched_step(ir_fn **f, size_t at, ir_pass_run *run)
{
    if (run->stopped || is_left_out(at, run))
        return;
    if (run->cancelled && run->cancelled(run->user))
        diag_fail((*f)->ctx->diag, ERR_CANCELLED);
    look_before(*f, at, run);
    limit_changes((*f)->ctx, at, run);
    run_step(f, at, run);
    (*f)->ctx->change_limit = 0;
    if (run->clock)
        charge(run, (ir_pass_time){.pass = run->steps.list[at].pass, .step = at + 1},
               (*f)->ctx->arena);
    look_at(*f, at, run);
}

ir_fn *
ir_run_step(ir_fn *f, size_t at, ir_pass_run *run)
{
    run_watched_step(&f, at, run);
    return f;
}

/* ---- pipelines ---- */

/* The step to begin with. The function is as it was behind run->from. */
static size_t
begin_behind(ir_fn *f, ir_pass_run *run)
{
    if (!run->from)
        return 0;
    run->at = ir_find_step(&run->steps, 0, run->from);
    f->changes++;
    for (size_t k = run->at + 1; run->clean && k < run->steps.count; k++) {
        const ir_step *s = &run->steps.list[k];
        if (s->if_changed && ir_pass_listed(run->clean, s->pass->name))
            note_run(f, s->pass, run);
    }
    return run->at + 1;
}

ir_fn *
ir_run_passes(ir_fn *f, const ir_step *pipeline, ir_pass_run *run)
{
    if (run->steps.list != pipeline)
        run->steps = ir_list_steps(pipeline, f->level);
    run->at = run->steps.count;
    size_t at = begin_behind(f, run), first = run->from ? at - 1 : 0, last = run->steps.count;
    if (run->stop_after)
        last = ir_find_step(&run->steps, first, run->stop_after);
    run->stopped |= run->from && last < at;
    const bool watched = has_requests(run);
    for (size_t k = 0; k < at; k++)
        run->n_counted += is_optional(run, k);
    for (; at < run->steps.count && !run->stopped; at++) {
        const ir_step *s = &run->steps.list[at];
        run->n_counted += is_optional(run, at);
        bool needed = !s->if_changed || !is_clean(f, s->pass, run);
        if (needed && watched)
            run_watched_step(&f, at, run);
        else if (needed)
            run_step(&f, at, run);
        run->at = at;
        run->stopped = at == last;
    }
    return f;
}
