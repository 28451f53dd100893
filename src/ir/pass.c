/* The pass runner of ir/pass.h. */
#include "ir/pass.h"

#include "ir/analysis.h"
#include "ir/text.h"
#include "ir/verify.h"

bool
ir_pass_listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    while (list && *list) {
        size_t len = strcspn(list, ",");
        if ((len == n && memcmp(list, name, n) == 0) || (len == 3 && memcmp(list, "all", 3) == 0))
            return true;
        list += len + (list[len] == ',');
    }
    return false;
}

const ir_pass ir_if_changed = {.name = "if_changed"};

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
}

static bool
is_left_out(const ir_pass *p, ir_pass_run *run)
{
    if (p->flags & IR_PASS_REQUIRED)
        return false;
    run->n_counted++;
    bool beyond = run->bisect_limit && run->n_counted > run->bisect_limit;
    return beyond || ir_pass_listed(run->skip, p->name);
}

void
ir_start_charging(ir_pass_run *run)
{
    run->charged = run->clock ? run->clock(run->user) : 0;
}

void
ir_charge(ir_pass_run *run, const ir_pass *row, arena *a)
{
    size_t at = 0;
    if (!run->clock)
        return;
    uint64_t now = run->clock(run->user), since = run->charged;
    while (at < run->n_times && run->times[at].pass != row)
        at++;
    if (at == run->n_times) {
        run->times = arena_grow(a, run->times, &run->cap_times, at + 1, sizeof *run->times);
        run->times[run->n_times++] = (ir_pass_time){.pass = row};
    }
    run->times[at].ns += now - since;
    run->times[at].runs++;
    run->charged = now;
}

static void
print_function(const ir_fn *f, const ir_pass *p, const ir_pass_run *run)
{
    arena_mark m = arena_save(f->ctx->scratch);
    base_buf out = buf_make(f->ctx->scratch);
    unsigned flags = run->print_flags;
    if (f->valid & IR_HAS_DIVERGENCE)
        flags |= IR_PRINT_DIVERGENCE;
    ir_print(f, flags, &out);
    run->printed(run->user, p->name, buf_text(&out), out.size);
    arena_release(f->ctx->scratch, m);
}

/* Does what was requested after each pass. The time spent here is not charged to any pass. */
static void
look_at(const ir_fn *f, const ir_pass *p, ir_pass_run *run)
{
    bool print = run->printed && ir_pass_listed(run->print, p->name);
    if (print)
        print_function(f, p, run);
    if (run->verify)
        ir_verify(f, p->name);
    if (run->verify && run->check)
        run->check(f, p->name);
    if (print || run->verify)
        ir_start_charging(run);
}

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
    if (k == IR_PASS_RAN)
        return;
    run->n_ran += k == run->n_ran;
    run->ran[k].pass = p;
    run->ran[k].changes = f->changes;
}

static bool
is_clean(const ir_fn *f, const ir_pass *p, const ir_pass_run *run)
{
    unsigned k = find_run(p, run);
    return f->changes == (k < run->n_ran ? run->ran[k].changes : 0);
}

static bool
is_last(const ir_pass *p, const ir_pass_run *run)
{
    return run->stop_after && strcmp(run->stop_after, p->name) == 0;
}

bool
ir_run_pass(ir_fn *f, const ir_pass *p, ir_pass_run *run)
{
    if (run->stopped || is_left_out(p, run))
        return false;
    if (run->cancelled && run->cancelled(run->user))
        diag_fail(f->ctx->diag, ERR_CANCELLED);
    ir_require(f, p->needs);
    arena_mark m = arena_save(f->ctx->scratch);
    bool changed = p->run ? p->run(f) : true;
    if (!p->run)
        p->phase(f);
    arena_release(f->ctx->scratch, m);
    if (changed) {
        f->valid &= p->keeps;
        f->changes += !(p->flags & IR_PASS_REMOVES);
    }
    if (p->run)
        note_run(f, p, run);
    ir_charge(run, p, f->ctx->arena);
    look_at(f, p, run);
    run->stopped = is_last(p, run);
    return changed;
}

void
ir_run_passes(ir_fn *f, const ir_pass *const *pipeline, ir_pass_run *run)
{
    for (; *pipeline && !run->stopped; pipeline++) {
        bool tidies = *pipeline == &ir_if_changed;
        pipeline += tidies;
        if (!tidies || !is_clean(f, *pipeline, run))
            ir_run_pass(f, *pipeline, run);
        else
            run->stopped = is_last(*pipeline, run);
    }
}
