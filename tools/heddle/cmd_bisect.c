/* heddle bisect: finds the pass, and the change that it makes, with which a script begins to fail.
 *
 * The passes that may be left out are numbered along the pipeline, and each asks before its changes
 * (ir_may_change). The search halves the number of passes that run between one with which the
 * script passes and one with which it fails, then in the same way the number of changes of the pass
 * found. What that change does is shown as the difference of the program's text behind the pass.
 * Failures that remain without optional passes are tried with the debug switches that show their
 * kind.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "input.h"
#include "line_diff.h"
#include "module_script.h"
#include "probe.h"
#include "targets.h"

#include "families/families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CHANGES = 1 << 24 };

typedef struct bisection {
    probe probe;
    const char *input; /* NULL: a command */
    unsigned tries, most_tries;
    bool command;
    unsigned programs; /* that the command optimizes (opt_code.h); 0: not searched */
    char only[48];     /* the switch for those in which the fault is; "": all */
    char folder[32], script[64], module[64]; /* of a module; "": a script */
} bisection;

/* Where the failure begins. */
typedef struct culprit {
    unsigned pass;     /* number of the step among those that may be left out */
    unsigned n_passes; /* of them */
    unsigned change;   /* of its changes; 0: the pass is not divided */
    char step[IR_STEP_NAME];
} culprit;

/* ---- trials ---- */

static bool
fails_with(bisection *b, const char *more)
{
    b->tries++;
    return probe_try(&b->probe, more).status == AMBER_FAIL;
}

static bool
fails(bisection *b, unsigned passes, unsigned changes)
{
    char more[128];
    const char *comma = *b->only ? "," : "";
    if (changes)
        snprintf(more, sizeof more, "%s%sbisect=%u.%u", b->only, comma, passes, changes);
    else
        snprintf(more, sizeof more, "%s%sbisect=%u", b->only, comma, passes);
    return fails_with(b, more);
}

static bool
may_try(const bisection *b)
{
    return b->tries < b->most_tries;
}

/* ---- the pipeline ---- */

/* Counts the optional steps of the target's pipeline, and behind them the phases that the family
 * has besides; names number `number` of them. */
static unsigned
count_passes(const char *target, unsigned number, char name[IR_STEP_NAME])
{
    family_target t;
    families_find_target(target, &t);
    const family_phase *phase = t.family->compiler->phases;
    ir_steps steps = ir_list_steps(t.family->compiler->pipeline, &ir_hir_level);
    unsigned n = (unsigned)ir_count_optional_steps(&steps);
    if (number && number <= n)
        ir_step_name(&steps, ir_find_optional_step(&steps, number), name);
    for (; phase && phase->name; phase++) {
        n += !phase->is_required;
        if (!phase->is_required && n == number)
            snprintf(name, IR_STEP_NAME, "%s", phase->name);
    }
    return n;
}

/* ---- showing the change ---- */

typedef struct show {
    const culprit *found;
    bool between;    /* the change is between two runs, else between before and after the pass */
    bool second;     /* the run that fails */
    char *texts[64]; /* of the first run, by compile */
    unsigned n, at;
} show;

static void
keep_text(show *s, const char *text)
{
    if (s->n == sizeof s->texts / sizeof *s->texts)
        return;
    char *copy = malloc(strlen(text) + 1);
    if (!copy)
        cli_out_of_memory();
    s->texts[s->n++] = strcpy(copy, text);
}

/* The program's text, from the pass runner. */
static void
printed(void *user, const char *step, const char *text, size_t size)
{
    show *s = user;
    (void)size;
    char names[2][IR_STEP_NAME + 40];
    const culprit *c = s->found;
    bool first = s->between ? !s->second : strncmp(step, "before ", 7) == 0;
    if (first) {
        keep_text(s, text);
        return;
    }
    snprintf(names[0], sizeof names[0], s->between ? "%s with %u changes" : "before %s", c->step,
             c->change - 1);
    snprintf(names[1], sizeof names[1], s->between ? "%s with %u changes" : "after %s", c->step,
             c->change);
    if (s->at < s->n)
        line_diff_print(stdout, (const char *const[]){names[0], names[1]}, s->texts[s->at++], text);
    fflush(stdout);
}

static void
run_shown(const probe *p, show *s, unsigned pass, unsigned change)
{
    char more[64];
    amber_result r = {0};
    run_options o = p->options;
    o.print = s->found->step;
    o.print_before = s->between ? NULL : s->found->step;
    o.printed = printed;
    o.printed_user = s;
    snprintf(more, sizeof more, change ? "bisect=%u.%u" : "bisect=%u", pass, change);
    probe_set_debug(more);
    run_session *session = run_session_open(&o);
    run_texts texts = run_script(session, p->script, p->target, &r);
    free(texts.findings);
    free(texts.counts);
    run_session_close(session);
}

static void
show_body(const probe *p, void *user)
{
    show s = {.found = user};
    s.between = s.found->change > 1;
    if (s.between)
        run_shown(p, &s, s.found->pass, s.found->change - 1);
    s.second = true;
    run_shown(p, &s, s.found->pass, s.found->change);
}

/* ---- the search ---- */

/* Halves between `good`, with which the probe passes, and `bad`. `pass`: 0 to search the pass. */
static unsigned
halve(bisection *b, unsigned pass, unsigned good, unsigned bad)
{
    while (bad - good > 1 && may_try(b)) {
        unsigned middle = good + (bad - good) / 2;
        bool failed = pass ? fails(b, pass, middle) : fails(b, middle, 0);
        if (failed)
            bad = middle;
        else
            good = middle;
    }
    return bad;
}

/* The first program that must be optimized for the failure. It alone is optimized from then on, if
 * that fails, else it and those before it. Returns -1, or an exit code. */
static int
find_program(bisection *b)
{
    unsigned good = 0, bad = b->programs;
    snprintf(b->only, sizeof b->only, "except=1-%u", bad);
    if (fails_with(b, b->only))
        return cli_error(b->probe.command, "BISECT_REFERENCE",
                         "it fails when none of its programs is optimized, too");
    while (bad - good > 1 && may_try(b)) {
        const unsigned middle = good + (bad - good) / 2;
        snprintf(b->only, sizeof b->only, "only=1-%u", middle);
        if (fails_with(b, b->only))
            bad = middle;
        else
            good = middle;
    }
    snprintf(b->only, sizeof b->only, "only=%u", bad);
    const bool alone = fails_with(b, b->only);
    if (!alone)
        snprintf(b->only, sizeof b->only, "only=1-%u", bad);
    printf("program %u of %u%s (%u trials)\n", bad, b->programs,
           alone ? "" : ", together with some before it", b->tries);
    return -1;
}

/* The first change of the pass with which the probe fails. Returns 0 if the pass fails with each
 * number of changes, or with none. */
static unsigned
find_change(bisection *b, unsigned pass)
{
    unsigned bad = 1, good = 0;
    while (bad < MOST_CHANGES && may_try(b) && !fails(b, pass, bad)) {
        good = bad;
        bad *= 2;
    }
    return bad < MOST_CHANGES ? halve(b, pass, good, bad) : 0;
}

static void
report(const bisection *b, const culprit *c)
{
    printf("pass %u of %u, %s", c->pass, c->n_passes, c->step);
    if (c->change > 1)
        printf(": change %u breaks it", c->change);
    else
        printf(": its first change breaks it, or it makes all at once");
    printf(" (%u trials)\n", b->tries);
    const char *comma = *b->only ? "," : "";
    printf("reproduce: HEDDLE_DEBUG=%s%sbisect=%u.%u fails, ", b->only, comma, c->pass,
           c->change ? c->change : 1);
    if (c->change > 1)
        printf("HEDDLE_DEBUG=%s%sbisect=%u.%u does not\n", b->only, comma, c->pass, c->change - 1);
    else
        printf("HEDDLE_DEBUG=%s%sbisect=%u does not\n", b->only, comma, c->pass - 1);
}

/* A failure without any optional pass: which switch heals it? */
static int
try_switches(bisection *b)
{
    static const struct {
        const char *name, *means;
    } switches[] = {
        {"force-waitcnt", "a wait for memory is missing"},
        {"force-waitdeps", "a hazard, or a wait of the vector unit, is missing"},
        {"noopt", "the phase optimize breaks it"},
        {"novn", "the phase value_numbering breaks it"},
        {"nosched", "a scheduler breaks it"},
    };
    for (size_t i = 0; i < sizeof switches / sizeof *switches && may_try(b); i++) {
        b->tries++;
        if (probe_try(&b->probe, switches[i].name).status != AMBER_PASS)
            continue;
        printf("HEDDLE_DEBUG=%s passes: %s (%u trials)\n", switches[i].name, switches[i].means,
               b->tries);
        return CLI_OK;
    }
    printf(
        "it fails without the passes that may be left out, and with each switch: the fault is in "
        "a required phase, the front end or the emulator (%u trials)\n",
        b->tries);
    return CLI_FAILED;
}

static int
search(bisection *b)
{
    const probe *p = &b->probe;
    culprit c = {.n_passes = count_passes(p->target, 0, NULL)};
    const int code = b->programs ? find_program(b) : -1;
    if (code >= 0)
        return code;
    if (fails(b, 0, 0))
        return try_switches(b);
    c.pass = halve(b, 0, 0, c.n_passes);
    count_passes(p->target, c.pass, c.step);
    c.change = find_change(b, c.pass);
    if (!may_try(b))
        printf("--tries is used up: the search is not finished\n");
    report(b, &c);
    if (p->script)
        probe_fork(p, show_body, &c);
    return CLI_OK;
}

/* Makes a script of a module, in a folder of its own. Returns -1, or an exit code. */
static int
take_module(bisection *b)
{
    input in;
    const input_options options = {0};
    int code = input_load(&in, b->input, &options);
    if (code < 0 && in.kind != FRONTEND_SPIRV)
        code = cli_usage_error("bisect: %s is neither a script nor a module", b->input);
    strcpy(b->folder, "/tmp/heddle-bisect-XXXXXX");
    if (code < 0 && !mkdtemp(b->folder))
        code = cli_error("/tmp", "FILE_WRITE", "no folder can be made");
    snprintf(b->script, sizeof b->script, "%s/module.amber", b->folder);
    snprintf(b->module, sizeof b->module, "%s/module.spv", b->folder);
    bool ok = code < 0 && cli_write_file(b->module, in.words, in.n_words * 4) &&
              module_script_write(b->script, b->input, in.words, in.n_words);
    input_free(&in);
    b->probe.script = b->script;
    b->probe.options.spirv = b->module;
    return ok ? -1 : code < 0 ? CLI_FAILED : code;
}

static void
remove_module(const bisection *b)
{
    if (!*b->folder)
        return;
    unlink(b->script);
    unlink(b->module);
    rmdir(b->folder);
}

/* Checks that the interpreter agrees with the script, and that the target does not. */
static int
check_start(bisection *b)
{
    probe reference = b->probe;
    const char *what = b->command ? b->probe.command : b->input;
    reference.target = "hir";
    probe_result r = {.status = AMBER_PASS};
    if (!b->command)
        r = probe_try(&reference, NULL);
    if (r.status != AMBER_PASS)
        return cli_error(
            what, "BISECT_REFERENCE",
            "the interpreter does not pass it, so the fault is in the script, the front "
            "end or the interpreter: %s",
            r.reason);
    b->probe.expected = r.digest;
    b->probe.compares = b->probe.options.spirv != NULL;
    r = probe_try(&b->probe, NULL);
    if (r.status != AMBER_FAIL)
        return cli_error(what, "BISECT_PASSES",
                         "it does not fail on %s%s%s: there is nothing to find", b->probe.target,
                         *r.reason ? ": " : "", r.reason);
    printf("%s: %s\n", b->probe.target, *r.reason ? r.reason : "fails");
    return -1;
}

static int
bisect(bisection *b, const cli_list *targets, const cli_list *operands)
{
    family_target t;
    if (b->command ? operands->count != 0 : operands->count != 1)
        return cli_usage_error("bisect: give one script or module, or --command");
    if (targets->count > 1)
        return cli_usage_error("bisect: one target at a time");
    if (b->programs && !b->command)
        return cli_usage_error("bisect: --programs goes with --command");
    b->probe.target = targets->count ? cli_target_name(targets->items[0])
                                     : families_default_target();
    if (!families_find_target(b->probe.target, &t) || !t.compiles)
        return cli_target_error("bisect", b->probe.target);
    if (!b->probe.seconds || !b->most_tries)
        return cli_usage_error("bisect: --time and --tries are at least 1");
    int code = run_check_switches();
    b->input = b->probe.script = b->command ? NULL : operands->items[0];
    if (code < 0 && b->input && frontend_detect(b->input, NULL, 0) != FRONTEND_AMBER)
        code = take_module(b);
    if (code < 0)
        code = check_start(b);
    return code < 0 ? search(b) : code;
}

int
cmd_bisect(int argc, char **argv)
{
    bisection b = {.most_tries = 200};
    cli_list operands = {0}, targets = {0};
    b.probe.seconds = 60;
    b.probe.options.device = "emu";
    b.probe.options.findings = 1;
    const cli_option rows[] = {
        {'t', "target", CLI_LIST, &targets, "TARGET", "the machine on which it fails", NULL},
        {0, "wave-size", CLI_NUMBER, &b.probe.options.wave_size, "N",
         "lanes of a wave, where a target has a choice", NULL},
        {0, "abi", CLI_CHOICE, &b.probe.options.abi, "ABI", "vulkan (default) or hsa",
         "vulkan|hsa"},
        {0, "seed", CLI_NUMBER, &b.probe.options.seed, "N",
         "order in which the emulator runs waves", NULL},
        {0, "command", CLI_TEXT, &b.probe.command, "COMMAND",
         "in place of a script: what fails, a command for sh that passes HEDDLE_DEBUG on to heddle",
         NULL},
        {0, "programs", CLI_NUMBER, &b.programs, "N",
         "of the command's programs, which heddle opt optimizes, find the one that is at fault",
         NULL},
        {0, "time", CLI_NUMBER, &b.probe.seconds, "SECONDS",
         "of one trial (60); a longer one fails", NULL},
        {0, "tries", CLI_NUMBER, &b.most_tries, "N", "at most so many trials (200)", NULL},
    };
    int code = cli_parse(rows, sizeof rows / sizeof rows[0], argc, argv, &operands);
    b.command = b.probe.command != NULL;
    if (code < 0)
        code = run_checks_parse(NULL, &b.probe.options.checks);
    if (code < 0)
        code = bisect(&b, &targets, &operands);
    remove_module(&b);
    run_checks_free(&b.probe.options.checks);
    cli_release(rows, sizeof rows / sizeof rows[0], &operands);
    return code;
}
