/* The phases from bytecode to bytecode. */
#include "r600/compile/compile.h"

#include "r600/opt/opt.h"
#include "r600/read/read.h"
#include "r600/spill/spill.h"

#include <stdio.h>
#include <string.h>

typedef struct phase {
    const char *name;
    void (*run)(tree_program *p);
    bool is_optional;
} phase;

/* Until registers are given. */
static const phase phases[] = {
    {"rename", r600_opt_rename, false}, {"gvn", r600_opt_gvn, true},
    {"dce", r600_opt_dce, false},       {"if_convert", r600_opt_if_convert, true},
    {"gvn2", r600_opt_gvn, true},       {"dce2", r600_opt_dce, true},
    {"spill", r600_spill, false},       {"leave_ssa", r600_opt_leave_ssa, false},
};

bool
r600_has_phase(const char *name)
{
    static const char *const others[] = {"read", "vectors", "schedule"};
    for (unsigned i = 0; i < sizeof phases / sizeof *phases; i++)
        if (strcmp(phases[i].name, name) == 0)
            return true;
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i], name) == 0)
            return true;
    return false;
}

static bool
stops(const r600_optimize_job *o, const tree_program *p, const char *name, base_buf *out)
{
    if (!o->stop || strcmp(o->stop, name) != 0)
        return false;
    r600_tree_print(p, out);
    return true;
}

/* The text of a tree begins with its target, or with comments. */
bool
r600_is_tree_text(const r600_optimize_job *j)
{
    static const char *const heads[] = {"target:", "// "};
    for (unsigned i = 0; i < sizeof heads / sizeof *heads; i++)
        if (j->size > strlen(heads[i]) && memcmp(j->bytes, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

static tree_program *
read_program(const r600_optimize_job *j, bool saves_registers)
{
    if (j->make)
        return j->make(j->user, saves_registers);
    if (!r600_is_tree_text(j))
        return r600_read_tree(j->diag, j->arena, j->chip,
                              &(read_code){j->bytes, j->size, j->arrays});
    char *text = arena_alloc(j->arena, j->size + 1);
    memcpy(text, j->bytes, j->size);
    text[j->size] = 0;
    return r600_tree_parse(j->diag, j->arena, j->chip, text);
}

/* ---- requests ---- */

/* Phases' names as the family's, because passes on HIR have the same ones. */
#define PREFIX "tree_"

/* Has a list of a request the phase? */
static bool
is_listed(const char *list, const char *name)
{
    char full[IR_STEP_NAME];
    snprintf(full, sizeof full, PREFIX "%s", name);
    return list && (ir_pass_listed(list, full) || ir_pass_listed(list, "all"));
}

static void
look(const r600_optimize_job *o, const tree_program *p, const char *name, bool before)
{
    char title[IR_STEP_NAME + 8];
    base_buf text = buf_make(o->arena);
    if (!o->run || !o->run->printed ||
        !is_listed(before ? o->run->print_before : o->run->print, name))
        return;
    snprintf(title, sizeof title, "%s" PREFIX "%s", before ? "before " : "", name);
    r600_tree_print(p, &text);
    o->run->printed(o->run->user, title, buf_text(&text), text.size);
}

/* Does optional phase number `number` run? If it is the last one that a limit lets run, it may have
 * a limit of changes. */
static bool
may_run(const r600_optimize_job *o, tree_program *p, const phase *f, int64_t number)
{
    const ir_pass_run *run = o->run;
    p->n_changes = p->change_limit = 0;
    if (!f->is_optional || !run)
        return !f->is_optional || !o->no_passes;
    if (run->bisect_limit > 0 && run->n_counted + number == run->bisect_limit)
        p->change_limit = run->bisect_changes ? run->bisect_changes + 1 : 0;
    const bool beyond = run->bisect_limit && run->n_counted + number > run->bisect_limit;
    return !o->no_passes && !beyond && !is_listed(run->skip, f->name);
}

/* ---- the whole ---- */

/* Runs the phases until registers are given. Returns false if the text was asked for in place of
 * code. */
static bool
run_phases(const r600_optimize_job *o, tree_program *p, base_buf *out)
{
    int64_t number = 0;
    for (unsigned i = 0; i < sizeof phases / sizeof *phases; i++) {
        const phase *f = &phases[i];
        const bool is_due = f->run == r600_opt_rename ? !p->is_renamed || p->has_elements
                                                      : p->is_ssa;
        number += f->is_optional;
        if (is_due && may_run(o, p, f, number)) {
            look(o, p, f->name, true);
            f->run(p);
            look(o, p, f->name, false);
        }
        if (stops(o, p, f->name, out))
            return false;
    }
    p->change_limit = 0;
    return true;
}

/* How far the scheduler looks, and the nodes of the longest sequence that it has met. */
typedef struct schedule_reach {
    uint32_t window, longest;
} schedule_reach;

/* One attempt. Returns false if the registers do not suffice, or if the text was asked for. */
static bool
attempt(const r600_optimize_job *o, const tree_program *from, schedule_reach *reach, base_buf *out,
        r600_figures *figures)
{
    const bool looks = reach->window == UINT32_MAX; /* the first one */
    ra_state ra;
    tree_program *p = r600_tree_copy(from);
    r600_ra_vectors(p, &ra);
    if (stops(o, p, "vectors", out))
        return false;
    reach->longest = r600_schedule(p, &ra, reach->window);
    if (looks)
        look(o, p, "schedule", false);
    if (stops(o, p, "schedule", out) || !r600_ra_color(p, &ra))
        return false;
    r600_ra_drop_moves(p, &ra);
    r600_emit(p, &ra, out, figures);
    figures->spilled = p->end_scratch ? p->end_scratch - p->first_scratch : 0;
    return true;
}

/* Size weighs more than registers: by its third power, and their square. */
static double
cost_of(const r600_figures *f)
{
    const double size = f->dwords, registers = f->gprs + 1;
    return size * size * size * registers * registers;
}

static bool
is_better(const r600_figures *a, const r600_figures *b)
{
    const double x = cost_of(a), y = cost_of(b);
    return x < y || (!(y < x) && a->groups < b->groups);
}

/* Returns false if the registers do not suffice. Windows that hold the longest sequence give what
 * the first one gave. */
static bool
make_code(const r600_optimize_job *o, tree_program *p, base_buf *out, r600_figures *figures)
{
    static const uint32_t windows[] = {UINT32_MAX, 24, 10, 4, 1};
    r600_figures best = {0};
    schedule_reach reach = {.longest = UINT32_MAX};
    const size_t start = out->size;
    if (stops(o, p, "read", out) || !run_phases(o, p, out))
        return true;
    for (unsigned i = 0; i < sizeof windows / sizeof *windows; i++) {
        base_buf words = buf_make(o->arena);
        r600_figures f;
        reach.window = windows[i];
        if (i && reach.window >= reach.longest)
            continue;
        const bool is_made = attempt(o, p, &reach, o->stop ? out : &words, &f);
        if (is_made && (!best.dwords || is_better(&f, &best))) {
            best = f;
            out->size = start;
            buf_put(out, words.data, words.size);
        }
        if (o->stop)
            return true;
    }
    *figures = best;
    return best.dwords;
}

/* Components of registers that values may have at once, with fewer and fewer of the 496, because
 * vectors and channels leave some of them empty. */
static bool
make_spilled(const r600_optimize_job *o, base_buf *out, r600_figures *figures)
{
    static const uint16_t budgets[] = {420, 340, 260, 180, 100, 1};
    for (unsigned i = o->spills ? 5 : 0; o->can_spill && i < sizeof budgets / sizeof *budgets;
         i++) {
        tree_program *p = read_program(o, true);
        p->budget = budgets[i];
        p->scratch = o->scratch;
        if (make_code(o, p, out, figures))
            return true;
    }
    return false;
}

void
r600_optimize(const r600_optimize_job *o, base_buf *out, r600_figures *figures)
{
    for (unsigned saves = 0; !o->spills && saves < (o->make ? 2 : 1); saves++)
        if (make_code(o, read_program(o, saves), out, figures))
            return;
    if (make_spilled(o, out, figures))
        return;
    diag_fail(o->diag, ERR_R600_NO_REGISTERS);
}
