/* The process's Radeon, made from the environment:
 *
 *   HEDDLE_RADEON          the chip, by its name or processor; NAVI21
 *   HEDDLE_RADEON_CHECKS   checkers, as for `heddle run --check`; none
 *   HEDDLE_RADEON_LOG      a file for findings and faults; standard error
 *   HEDDLE_RADEON_JSON     a file for findings and faults as JSON; none
 *   HEDDLE_RADEON_CAPTURE  a folder for captures; none
 *   HEDDLE_RADEON_DISPATCHES  a file for what each dispatch has executed; none
 *   HEDDLE_RADEON_RULES_OFF  rules of theirs that are not checked
 *   HEDDLE_RADEON_LIMIT    instructions that the waves of a dispatch may execute; 2^34
 *   HEDDLE_RADEON_THREADS  threads for the groups of a dispatch; 1
 *   HEDDLE_RADEON_TRACE    `packets`: each packet, too
 *   HEDDLE_RADEON_COUNTS   a file descriptor of shared memory (counts.h)
 *   HEDDLE_RADEON_SUMS     set: its sums are counted, too
 */
#include "radeon.h"

#include "../heddle/kernel_threads.h"
#include "families/families.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static radeon the_radeon;
static radeon_counts own_counts;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Ends the process at once: what the loader and the driver have registered to run at its end would
 * wait for the call that is being made. */
_Noreturn static void
give_up(const char *why, const char *what)
{
    fprintf(stderr, "heddle: no Radeon: %s%s\n", why, what);
    _exit(2);
}

static const gpu_chip *
choose_chip(void)
{
    const char *name = getenv("HEDDLE_RADEON");
    const gpu_chip *chip = gpu_chip_find(name ? name : "NAVI21");
    if (chip)
        return chip;
    fprintf(stderr, "heddle: the chips are");
    for (uint32_t k = 0; gpu_chip_at(k); k++)
        fprintf(stderr, " %s", gpu_chip_at(k)->name);
    fprintf(stderr, "\n");
    give_up("there is no chip ", name);
}

/* Checkers by their names, with commas. */
static uint32_t
choose_checks(void)
{
    const char *at = getenv("HEDDLE_RADEON_CHECKS");
    uint32_t checks = 0;
    while (at && *at) {
        size_t n = strcspn(at, ",");
        int check = mach_find_check(at, n);
        if (check < 0)
            give_up("there is no checker of the name in ", at);
        checks |= (uint32_t)check;
        at += n + (at[n] == ',');
    }
    return checks;
}

/* The file that a variable names; `none` if it is not set. */
static FILE *
open_file(const char *variable, FILE *none)
{
    const char *path = getenv(variable);
    FILE *f = path ? fopen(path, "a") : none;
    if (path && !f)
        give_up("cannot write ", path);
    return f;
}

/* A dispatch that executes more hangs, as one that a kernel's watchdog ends. */
static uint64_t
choose_limit(void)
{
    const char *text = getenv("HEDDLE_RADEON_LIMIT");
    char *end = NULL;
    unsigned long long limit = text ? strtoull(text, &end, 10) : UINT64_C(1) << 34;
    if (text && (end == text || *end))
        give_up("not a number of instructions: ", text);
    return limit;
}

/* Threads for the groups of a dispatch. The races checker, counts and traces need one alone. */
static unsigned
choose_threads(void)
{
    enum { MOST = 64 };
    const char *text = getenv("HEDDLE_RADEON_THREADS");
    char *end = NULL;
    unsigned long n = text ? strtoul(text, &end, 10) : 1;
    if (text && (end == text || *end))
        give_up("not a number of threads: ", text);
    return n > MOST ? MOST : n ? (unsigned)n : 1;
}

static void
run_on_threads(void *user, const amd_emu_dispatch *d, mach_memory *m, mach_report *report)
{
    const radeon *r = user;
    family_target t;
    uint64_t groups = (uint64_t)d->grid_groups[0] * d->grid_groups[1] * d->grid_groups[2];
    if (!families_find_target(d->processor, &t))
        give_up("no such processor: ", d->processor);
    const kernel_job job = {family_emulator_of(&t), d, groups};
    kernel_run_threads(&job, m, m->arena, r->threads, report);
}

/* The memory of the program that has started this one, if it has any. */
static radeon_counts *
open_counts(void)
{
    const char *text = getenv("HEDDLE_RADEON_COUNTS");
    char *end = NULL;
    long fd = text ? strtol(text, &end, 10) : -1;
    void *map = MAP_FAILED;
    if (text && end != text && !*end)
        map = mmap(NULL, sizeof(radeon_counts), PROT_READ | PROT_WRITE, MAP_SHARED, (int)fd, 0);
    return map == MAP_FAILED ? &own_counts : map;
}

static void
make(void)
{
    radeon *r = &the_radeon;
    const char *trace = getenv("HEDDLE_RADEON_TRACE");
    r->chip = choose_chip();
    r->checks = choose_checks();
    r->log = open_file("HEDDLE_RADEON_LOG", stderr);
    r->json = open_file("HEDDLE_RADEON_JSON", NULL);
    r->dispatches = open_file("HEDDLE_RADEON_DISPATCHES", NULL);
    r->counts = open_counts();
    r->counts->devices++;
    r->shows_packets = trace && strcmp(trace, "packets") == 0;
    pthread_mutex_init(&r->lock, NULL);
    r->sums = getenv("HEDDLE_RADEON_SUMS");
    r->threads = choose_threads();
    const gpu_launch_options launch = {.checks = r->checks,
                                       .rules_off = getenv("HEDDLE_RADEON_RULES_OFF"),
                                       .seed = 1,
                                       .limit = choose_limit(),
                                       .counts = r->sums || r->dispatches,
                                       .execute = r->threads > 1 ? run_on_threads : NULL,
                                       .dispatched = radeon_report_dispatch,
                                       .conflict = radeon_report_conflict,
                                       .user = r};
    r->captures = getenv("HEDDLE_RADEON_CAPTURE");
    gpu_device_options options = {.launch = launch,
                                  .capture = r->captures ? &radeon_captures : NULL,
                                  .lost = radeon_report_lost,
                                  .user = r};
    if (r->shows_packets) {
        options.packet = radeon_show_packet;
        options.copy_packet = radeon_show_copy_packet;
    }
    if (!radeon_open_memory(r))
        give_up("there is no file in memory", "");
    r->device = gpu_device_new(r->chip, &options);
    if (!r->device)
        give_up("there is no memory or thread for it", "");
}

radeon *
radeon_get(void)
{
    pthread_once(&once, make);
    return &the_radeon;
}
