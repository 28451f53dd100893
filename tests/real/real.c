/* Runs shaders with memory made from their own declarations (case.h): on the HIR interpreter with
 * the target's subgroups, which is the reference, and on a target, gfx1030 if none is named, in the
 * ways of ways.def with wave sizes that it has, with all checkers.
 *
 *     real [--seed=N] [--target=NAME] [--on=NAME,...] [--time] [--with=FILE.spv ...] FILE.spv ...
 *
 * Shaders compute, or are of vertices or fragments and draw, where --with names the other stage,
 * and --attributes and --targets the formats (drawing.h).
 *
 * Findings in code without optional passes (`bare`) are attributed to the shader: a race, a value
 * that it never wrote, an access beyond its memory. The boldest plan without findings is used, or
 * else the one with the fewest kinds of findings. Each file and way gives a line with tab-separated
 * fields:
 *
 *     file  seed  way  verdict  plan  findings  instructions  lane instructions  cycles  what
 *
 * The cycles are those of the target's code by the machine model (docs/machine-model.md), with
 * --time; otherwise 0.
 *
 * Verdicts: `same` (all bits), `near` (floats within the tolerance), `excused` (differs for one of
 * the reasons below), `differs`, `found` (a finding that is not the shader's own), `fails` (it does
 * not compile or run), `hangs`, `skip` (the harness or the device lacks what `what` names). The
 * reference's verdict is `ran`. The plan is its attempt (case.h), the size of a workgroup and the
 * number of workgroups. Exit code 0 unless a file cannot be read.
 *
 * A difference is excused if the interpreter's own result changes when unwritten memory has other
 * bytes, or when lanes, subgroups and groups run in reverse order; if the shader has findings of
 * its own; if two lanes of a subgroup race (ir/eval_races.c: stores of different numbers to one place,
 * with no barrier between, which a compiler may forward to each lane's own loads); or if the
 * difference disappears without the passes that use inexact floats; or, of a draw, if as many of
 * the interpreter's own numbers move far when interpolated inputs move a little. It is also excused
 * if with every plan the reference does not end or leaves its memory. `what` names the reason.
 *
 * --on=vulkan runs only the system's Vulkan driver, as it may crash, with subgroups of the size that
 * --subgroup-size gives. Its line follows those of the
 * reference with the target's smaller subgroups. It skips modules that need what it lacks (driver.h) and
 * slow ones. If it differs from the reference and the target does not, with any wave size, the
 * reason is `the driver alone`; somebody must have found the cause (run_real.py).
 */
#include "amber/dev_hir.h"
#include "amber/dev_machine.h"
#include "amber/dev_vulkan.h"
#include "base/bits.h"
#include "case.h"
#include "compare.h"
#include "driver.h"
#include "families/families.h"
#include "ir/pass.h"
#include "machine/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits of a wave on the interpreter and as machine code. */
enum { MAX_INSTRUCTIONS = 1 << 18, MAX_MACHINE_INSTRUCTIONS = 1 << 22 };

/* With all but the first of `undefined` variables in scratch memory stand this many bytes apart:
 * what is read outside of a variable is undefined, too, and then no part of another one. */
enum { SCRATCH_GAP = 1024 };

/* What fills values that are never written: as floats of all sizes a number below 1, a great one,
 * and a small negative one. */
static const uint8_t undefined[REAL_UNDEFINED] = {0x3d, 0x47, 0xa5};

/* Units in the last place, of is_sensitive. */
enum { MOVED = 100 };

/* The most instructions times lanes of the reference for a shader that runs on the driver. */
enum { MAX_QUICK = 1 << 22 };

typedef struct way {
    const char *name;
    amber_machine_options options;
} way;

static const way ways[] = {
#define REAL(name, wave, words, passes)                                                            \
    {name, {.wave_size = wave, .checks = MACH_CHECK_ALL, .switches = words, .skip = passes}},
#define LIVE(name, wave, words)                                                                    \
    {name, {.wave_size = wave, .checks = MACH_CHECK_ALL, .switches = words, .poison = true}},
#include "ways.def"
#undef REAL
#undef LIVE
};

enum { N_WAYS = sizeof ways / sizeof ways[0] };

typedef struct tool {
    uint64_t seed;
    family_target target;
    char reference[16];     /* reference_name */
    uint32_t subgroup_size; /* of the driver, where the target has several; 0: as it likes */
    const char *on;         /* names of ways, comma-separated; NULL: all */
    bool timed;             /* --time */
    real_drawn drawn;       /* --with, --attributes, --targets; no words: shaders compute */
    mach_watch watch;       /* of the last run */
    diag d, case_diag, driver_diag, kept_diag;
    arena a;               /* of one file */
    arena devices, kept;   /* `kept`: of the options */
    amber_device *driver;  /* of --on=vulkan; NULL: not chosen, or not available */
    const char *no_driver; /* why a chosen driver is not available; otherwise NULL */
} tool;

/* The interpreter's results for a case with a wave size, and the findings in bare code. */
typedef struct reference {
    bool tried, ok;
    amber_result result;
    amber_memory *memory;
    uint32_t findings; /* MACH_CHECK_* that are the shader's own */
    bool hangs;        /* it never ends, with any plan */
    bool tried_others;
    real_others others;
    const char *race; /* of lanes of a subgroup, in words; NULL: none. Known with the others */
} reference;

static void
print_findings(uint32_t findings)
{
    const char *divide = "";
    for (uint32_t check = 1; check < MACH_CHECK_ALL; check *= 2) {
        if (findings & check) {
            printf("%s%s", divide, mach_check_name(check));
            divide = ",";
        }
    }
}

static void
print_line(const tool *t, const char *file, const char *name, const char *verdict,
           const real_case *c, const amber_result *r, const char *what)
{
    static const amber_result none = {.status = AMBER_SKIP};
    r = r ? r : &none;
    printf("%s\t%llu\t%s\t%s\t", file, (unsigned long long)t->seed, name, verdict);
    if (c)
        printf("%u:%ux%ux%u*%ux%ux%u", (unsigned)c->plan.attempt, c->local[0], c->local[1],
               c->local[2], c->groups[0], c->groups[1], c->groups[2]);
    putchar('\t');
    print_findings(r->findings);
    printf("\t%llu\t%llu\t%llu\t", (unsigned long long)r->instructions,
           (unsigned long long)r->lane_instructions, (unsigned long long)t->watch.time.cycles);
    for (const char *p = what; *p; p++)
        putchar(*p == '\t' || *p == '\n' ? ' ' : *p);
    putchar('\n');
    fflush(stdout);
}

static bool
is_wanted(const tool *t, const way *w)
{
    return (t->target.wave_sizes & w->options.wave_size) &&
           (!t->on || ir_pass_listed(t->on, w->name));
}

static uint32_t
smaller_wave(const tool *t)
{
    return t->target.wave_sizes & -t->target.wave_sizes;
}

static amber_device *
open_target(tool *t, const amber_machine_options *options)
{
    return amber_machine_open(&t->a, t->target.name, options);
}

/* The reference of waves of `wave_size` lanes, which has the target's subgroups. */
static amber_device *
open_reference(tool *t, uint32_t wave_size, amber_hir_odd odd)
{
    return amber_hir_open_odd(&t->a, family_subgroup_size(&t->target, wave_size), odd);
}

static const char *
reference_name(tool *t, uint32_t wave_size)
{
    snprintf(t->reference, sizeof t->reference, "hir%u",
             (unsigned)family_subgroup_size(&t->target, wave_size));
    return t->reference;
}

/* ---- one file ---- */

static bool
run(tool *t, const real_case *c, amber_device *device, uint64_t limit, amber_memory **memory,
    amber_result *result)
{
    *memory = ARENA_ARRAY(&t->a, c->n_buffers, amber_memory);
    *result = (amber_result){.status = AMBER_PASS};
    t->watch = (mach_watch){.count = true};
    return real_case_run(c, device, limit, *memory, result);
}

static void
run_reference(tool *t, const real_case *c, uint32_t wave_size, reference *r)
{
    static const amber_machine_options plain = {
        .checks = MACH_CHECK_ALL, .switches = "noopt", .skip = "all"};
    amber_machine_options options = plain;
    amber_device *device = open_reference(t, wave_size, (amber_hir_odd){0});
    amber_memory *memory;
    amber_result result;
    *r = (reference){.tried = true};
    r->ok = run(t, c, device, MAX_INSTRUCTIONS, &r->memory, &r->result);
    if (!r->ok)
        return;
    options.wave_size = wave_size;
    run(t, c, open_target(t, &options), MAX_MACHINE_INSTRUCTIONS, &memory, &result);
    r->findings = result.findings & (MACH_CHECK_MEMORY | MACH_CHECK_UNDEFINED | MACH_CHECK_RACES);
}

/* The case of one attempt; NULL if its declarations are invalid with these constants. */
static real_case *
make_case(tool *t, const uint32_t *words, size_t n, real_attempt attempt)
{
    ir_ctx ctx = {.diag = &t->case_diag, .arena = &t->a, .scratch = &t->a};
    diag_init(&t->case_diag);
    if (!DIAG_TRY(&t->case_diag))
        return NULL;
    return real_case_make(&ctx, words, n, (real_plan){t->seed, attempt},
                          t->drawn.words ? &t->drawn : NULL);
}

static void
print_no_case(tool *t, const char *file)
{
    print_line(t, file, reference_name(t, smaller_wave(t)),
               t->case_diag.class == DIAG_UNSUPPORTED ? "skip" : "fails", NULL, NULL,
               t->case_diag.message);
}

static const char *
reference_verdict(const reference *r)
{
    if (r->ok)
        return "ran";
    if (r->result.status == AMBER_SKIP)
        return "skip";
    return r->result.findings ? "excused" : "fails";
}

/* What is drawn may also take more than the limit. */
static const char *
unending(const real_case *c)
{
    return c->drawing ? "runs too long; " : "never ends; ";
}

static void
print_reference(const tool *t, const char *file, const char *name, const real_case *c,
                const reference *r)
{
    const amber_result *result = &r->result;
    const char *why = "";
    char text[AMBER_REASON_MAX + 64];
    if (!r->ok && result->findings)
        why = result->findings & MACH_CHECK_HANGS ? unending(c) : "leaves its memory; ";
    snprintf(text, sizeof text, "%s%s", why, result->reason);
    print_line(t, file, name, reference_verdict(r), c, result, text);
}

/* The boldest plan with which the reference ends without findings, or the one with the fewest kinds
 * of findings. NULL, with a line printed, if it ends with none. */
static real_case *
find_plan(tool *t, const char *file, const uint32_t *words, size_t n, reference *best)
{
    real_case *found = NULL, *boldest = NULL;
    const char *name = reference_name(t, smaller_wave(t));
    reference r = {0}, first = {0};
    for (int k = 0; k < REAL_ATTEMPTS && !(found && !best->findings); k++) {
        real_case *c = make_case(t, words, n, (real_attempt)k);
        if (!c)
            continue;
        if (c->skip) {
            print_line(t, file, name, "skip", c, NULL, c->skip);
            return NULL;
        }
        run_reference(t, c, smaller_wave(t), &r);
        if (!boldest) {
            boldest = c;
            first = r;
        }
        if (r.ok && (!found || base_popcount32(r.findings) < base_popcount32(best->findings))) {
            found = c;
            *best = r;
        }
        if (!r.ok && !r.result.findings)
            break;
    }
    first.hangs = boldest && !found && first.result.findings == MACH_CHECK_HANGS;
    if (!boldest)
        print_no_case(t, file);
    else if (found)
        print_line(t, file, name, "ran", found, &best->result, "");
    else
        print_reference(t, file, name, boldest, &first);
    if (first.hangs) {
        *best = first;
        return boldest;
    }
    return found;
}

static void
run_odd(tool *t, const real_case *c, uint32_t wave_size, amber_hir_odd odd, amber_memory **memory)
{
    amber_result result;
    amber_device *device = open_reference(t, wave_size, odd);
    if (!run(t, c, device, MAX_INSTRUCTIONS, memory, &result))
        *memory = NULL;
}

/* The run that looks for races between lanes. */
static void
find_race(tool *t, const real_case *c, uint32_t wave_size, reference *r)
{
    amber_memory *memory;
    amber_result result;
    amber_device *device = open_reference(t, wave_size, (amber_hir_odd){.find_races = true});
    if (run(t, c, device, MAX_INSTRUCTIONS, &memory, &result) && result.findings & MACH_CHECK_RACES)
        r->race = arena_printf(&t->a, "lanes race; %s; ", result.reason);
}

static void
run_others(tool *t, const real_case *c, uint32_t wave_size, reference *r)
{
    if (r->tried_others)
        return;
    r->tried_others = true;
    for (unsigned k = 0; k < REAL_UNDEFINED; k++) {
        const amber_hir_odd odd = {.undefined = undefined[k], .scratch_gap = k ? SCRATCH_GAP : 0};
        run_odd(t, c, wave_size, odd, &r->others.undefined[k]);
    }
    run_odd(t, c, wave_size, (amber_hir_odd){.backwards = true}, &r->others.backwards);
    run_odd(t, c, wave_size, (amber_hir_odd){.rough = 1}, &r->others.rough[0]);
    run_odd(t, c, wave_size, (amber_hir_odd){.rough = -1}, &r->others.rough[1]);
    find_race(t, c, wave_size, r);
}

/* Runs a device and compares it with the reference of `wave_size`. If there is no outcome, prints a
 * line for the way `name` and returns false. */
static bool
compare_device(tool *t, const char *file, const real_case *c, const char *name,
               amber_device *device, uint32_t wave_size, reference *r, amber_result *result,
               real_difference *d)
{
    amber_memory *memory;
    if (!run(t, c, device, MAX_MACHINE_INSTRUCTIONS, &memory, result) &&
        (!result->findings || result->findings & MACH_CHECK_HANGS)) {
        print_line(t, file, name,
                   result->status == AMBER_SKIP ? "skip"
                   : result->findings           ? "hangs"
                                                : "fails",
                   c, result, result->reason);
        return false;
    }
    real_compare(c, r->memory, memory, &r->others, d);
    if (d->far) {
        run_others(t, c, wave_size, r);
        real_compare(c, r->memory, memory, &r->others, d);
    }
    return true;
}

static bool
compare_way(tool *t, const char *file, const real_case *c, const way *w, reference *r,
            amber_result *result, real_difference *d)
{
    amber_machine_options options = w->options;
    const char *more = getenv("HEDDLE_DEBUG"); /* of `heddle bisect --command` */
    if (more)
        options.switches = options.switches ? arena_printf(&t->a, "%s,%s", options.switches, more)
                                            : more;
    if (t->timed)
        options.watch = &t->watch;
    return compare_device(t, file, c, w->name, open_target(t, &options), options.wave_size, r,
                          result, d);
}

/* Do all large differences disappear without the passes that use inexact floats? */
static bool
is_right_when_exact(tool *t, const char *file, const real_case *c, const way *w, reference *r)
{
    way exact = *w;
    amber_result result;
    real_difference d;
    exact.options.skip = w->options.skip
                             ? arena_printf(&t->a, "%s,relax_float,fuse_fma,order_products",
                                            w->options.skip)
                             : "relax_float,fuse_fma,order_products";
    return compare_way(t, file, c, &exact, r, &result, &d) && !d.far;
}

/* Do as many of the interpreter's own numbers, or more, become far when interpolated inputs move by
 * a few units in the last place? Then the shader compares them, or takes small differences. */
static bool
is_sensitive(tool *t, const real_case *c, const way *w, const reference *r,
             const real_difference *d)
{
    static const real_others none = {0};
    uint64_t most = 0;
    for (int sign = -1; c->drawing && sign <= 1; sign += 2) {
        const amber_hir_odd odd = {.rough = (int8_t)(sign * MOVED)};
        amber_memory *moved;
        real_difference e;
        run_odd(t, c, w->options.wave_size, odd, &moved);
        if (!moved)
            continue;
        real_compare(c, r->memory, moved, &none, &e);
        most = e.far > most ? e.far : most;
    }
    return d->far <= most;
}

static void
print_difference(const tool *t, const char *file, const char *name, const char *verdict,
                 const char *why, const real_case *c, const amber_result *result,
                 const real_difference *d)
{
    char text[AMBER_REASON_MAX + 512];
    snprintf(text, sizeof text, "%s%llu far, %llu near, %llu open%s%s%s%s", why,
             (unsigned long long)d->far, (unsigned long long)d->near, (unsigned long long)d->open,
             d->far ? "; " : "", d->where, *result->reason ? "; " : "", result->reason);
    print_line(t, file, name, verdict, c, result, text);
}

/* What the emulator's checkers may find: what they find in code without optional passes, and races,
 * which depend on the order of the waves, where the interpreter finds one. */
static uint32_t
known_findings(tool *t, const real_case *c, const way *w, reference *r, uint32_t found)
{
    if (found & ~r->findings & MACH_CHECK_RACES)
        run_others(t, c, w->options.wave_size, r);
    return r->findings | (r->race ? MACH_CHECK_RACES : 0);
}

static void
run_way(tool *t, const char *file, const real_case *c, const way *w, reference *r)
{
    amber_result result;
    real_difference d;
    const char *verdict = "differs", *why = "";
    if (!compare_way(t, file, c, w, r, &result, &d))
        return;
    if (result.findings & ~known_findings(t, c, w, r, result.findings))
        verdict = "found";
    else if (!d.far && !d.open)
        verdict = d.near ? "near" : "same";
    else if (!d.far)
        verdict = "excused", why = "undefined values or order; ";
    else if (r->findings)
        verdict = "excused", why = "findings; ";
    else if (r->race)
        verdict = "excused", why = r->race;
    else if (is_sensitive(t, c, w, r, &d))
        verdict = "excused", why = "sensitive to interpolation; ";
    else if (is_right_when_exact(t, file, c, w, r))
        verdict = "excused", why = "inexact floats; ";
    print_difference(t, file, w->name, verdict, why, c, &result, &d);
}

/* Does default code for the target agree with the reference, with each wave size? `exact` is set if
 * it does so only without the passes that use inexact floats. */
static bool
is_driver_alone(tool *t, const char *file, const real_case *c, reference *r, bool *exact)
{
    for (unsigned i = 0; i < 2; i++) {
        amber_result result;
        real_difference d;
        if (!(t->target.wave_sizes & ways[i].options.wave_size))
            continue;
        bool ok = compare_way(t, file, c, &ways[i], r, &result, &d);
        if (ok && d.far && is_right_when_exact(t, file, c, &ways[i], r))
            *exact = true;
        else if (!ok || d.far)
            return false;
    }
    return true;
}

static void
compare_driver(tool *t, const char *file, const real_case *c, reference *r)
{
    amber_result result;
    real_difference d;
    const char *verdict = "differs", *why = "";
    bool exact = false;
    real_case sized = *c;
    if (t->subgroup_size && t->target.wave_sizes != t->subgroup_size) {
        sized.stage.subgroup = AMBER_SUBGROUP_EXACT;
        sized.stage.subgroup_size = t->subgroup_size;
    }
    if (!compare_device(t, file, &sized, "vulkan", t->driver, smaller_wave(t), r, &result, &d))
        return;
    if (!d.far && !d.open)
        verdict = d.near ? "near" : "same";
    else if (!d.far)
        verdict = "excused", why = "undefined values or order; ";
    else if (r->findings)
        verdict = "excused", why = "findings; ";
    else if (r->race)
        verdict = "excused", why = r->race;
    else if (is_driver_alone(t, file, c, r, &exact))
        verdict = "excused", why = exact ? "inexact floats; " : "the driver alone; ";
    print_difference(t, file, "vulkan", verdict, why, c, &result, &d);
}

/* Runs the case on the driver, if the driver supports it and the reference has an outcome. */
static void
run_driver(tool *t, const char *file, const uint32_t *words, size_t n)
{
    reference r = {0};
    const char *skip = t->no_driver ? t->no_driver : real_driver_lacks(&t->a, t->driver, words, n);
    real_case *c = skip ? NULL : find_plan(t, file, words, n, &r);
    if (c && r.hangs)
        skip = "it never ends";
    else if (c && r.findings & MACH_CHECK_MEMORY)
        skip = "it leaves its memory";
    else if (c && c->has_specials)
        skip = "special floats";
    else if (c && r.result.lane_instructions > MAX_QUICK)
        skip = "it is not quick";
    if (skip)
        print_line(t, file, "vulkan", "skip", c, NULL, skip);
    else if (c)
        compare_driver(t, file, c, &r);
}

/* A shader that never ends on the interpreter has no outcome to compare with. The compiled code may
 * end: the compiler may remove an endless loop without effects. */
static void
run_hanging_way(tool *t, const char *file, const real_case *c, const way *w)
{
    amber_device *device = open_target(t, &w->options);
    amber_memory *memory;
    amber_result result;
    bool ok = run(t, c, device, MAX_INSTRUCTIONS, &memory, &result);
    print_line(t, file, w->name, ok || result.findings ? "excused" : "fails", c, &result,
               ok || result.findings ? unending(c) : result.reason);
}

static void
run_words(tool *t, const char *file, const uint32_t *words, size_t n)
{
    reference r[2] = {{0}};
    real_case *c = find_plan(t, file, words, n, &r[smaller_wave(t) == 64]);
    for (unsigned i = 0; c && i < N_WAYS; i++) {
        reference *expected = &r[ways[i].options.wave_size == 64];
        if (!is_wanted(t, &ways[i]))
            continue;
        if (!expected->tried) {
            run_reference(t, c, ways[i].options.wave_size, expected);
            expected->hangs = expected->result.findings == MACH_CHECK_HANGS;
            print_reference(t, file, reference_name(t, ways[i].options.wave_size), c, expected);
        }
        if (expected->hangs)
            run_hanging_way(t, file, c, &ways[i]);
        else if (expected->ok)
            run_way(t, file, c, &ways[i], expected);
    }
}

static uint32_t *
read_words(arena *a, const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    base_buf b = buf_make(a);
    uint8_t bytes[4096];
    size_t got;
    if (!f)
        return NULL;
    while ((got = fread(bytes, 1, sizeof bytes, f)) > 0)
        buf_put(&b, bytes, got);
    fclose(f);
    *n = b.size / 4;
    return (uint32_t *)(void *)b.data;
}

static bool
run_file(tool *t, const char *path)
{
    size_t n = 0;
    volatile bool ok = true;
    diag_init(&t->d);
    arena_init(&t->a, &base_malloc_allocator, diag_out_of_memory, &t->d);
    if (DIAG_TRY(&t->d)) {
        const uint32_t *words = read_words(&t->a, path, &n);
        if (words && (t->driver || t->no_driver))
            run_driver(t, path, words, n);
        else if (words)
            run_words(t, path, words, n);
        else
            ok = false;
    } else {
        print_line(t, path, reference_name(t, smaller_wave(t)),
                   t->d.class == DIAG_UNSUPPORTED ? "skip" : "fails", NULL, NULL, t->d.message);
    }
    arena_free(&t->a);
    return ok;
}

static void
open_driver(tool *t)
{
    if (!t->on || strcmp(t->on, "vulkan") != 0)
        return;
    diag_init(&t->driver_diag);
    arena_init(&t->devices, &base_malloc_allocator, diag_out_of_memory, &t->driver_diag);
    if (DIAG_TRY(&t->driver_diag))
        t->driver = amber_vulkan_open(&t->devices, &t->no_driver);
    else
        t->no_driver = "out of memory";
}

static void
close_driver(tool *t)
{
    real_driver_close(t->driver);
    if (t->driver || t->no_driver)
        arena_free(&t->devices);
}

/* Returns false if the compiler makes no code for `name`. */
static bool
choose_target(tool *t, const char *name)
{
    return families_find_target(name, &t->target) && t->target.compiles;
}

static bool
read_partner(tool *t, const char *path)
{
    diag_init(&t->kept_diag);
    if (!DIAG_TRY(&t->kept_diag))
        return false;
    t->drawn.words = read_words(&t->kept, path, &t->drawn.n_words);
    return t->drawn.words;
}

static bool
parse_option(tool *t, const char *arg)
{
    if (strncmp(arg, "--seed=", 7) == 0)
        t->seed = strtoull(arg + 7, NULL, 0);
    else if (strncmp(arg, "--target=", 9) == 0)
        return choose_target(t, arg + 9);
    else if (strncmp(arg, "--subgroup-size=", 16) == 0)
        t->subgroup_size = (uint32_t)strtoul(arg + 16, NULL, 0);
    else if (strncmp(arg, "--with=", 7) == 0)
        return read_partner(t, arg + 7);
    else if (strncmp(arg, "--attributes=", 13) == 0)
        return real_read_formats(arg + 13, t->drawn.attributes, REAL_MAX_ATTRIBUTES,
                                 &t->drawn.n_attributes);
    else if (strncmp(arg, "--targets=", 10) == 0)
        return real_read_formats(arg + 10, t->drawn.targets, AMBER_MAX_TARGETS,
                                 &t->drawn.n_targets);
    else if (strcmp(arg, "--points") == 0)
        t->drawn.points = true;
    else if (strcmp(arg, "--time") == 0)
        t->timed = true;
    else if (strncmp(arg, "--on=", 5) == 0)
        t->on = arg + 5, open_driver(t);
    else
        return false;
    return true;
}

int
main(int argc, char **argv)
{
    static tool t = {.seed = 1};
    int code = 0;
    choose_target(&t, "gfx1030");
    arena_init(&t.kept, &base_malloc_allocator, diag_out_of_memory, &t.kept_diag);
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            if (!run_file(&t, argv[i]))
                code = 1;
        } else if (!parse_option(&t, argv[i])) {
            fprintf(stderr, "usage: real [--seed=N] [--target=NAME] [--on=NAME,...] "
                            "[--subgroup-size=N] [--time]\n            [--with=FILE.spv] "
                            "[--attributes=LOCATION:FORMAT,...] "
                            "[--targets=LOCATION:FORMAT,...] [--points] FILE.spv ...\n");
            return 2;
        }
    }
    close_driver(&t);
    arena_free(&t.kept);
    return code;
}
