/* Counts of a script by ACO's code and by Heddle's, in one table.
 *
 * RADV runs in a process of its own on the software Radeon, which adds up what the application's
 * pipelines execute; the shaders by which RADV itself copies and fills are counted apart.
 */
#define _GNU_SOURCE 1

#include "run_beside.h"

#include "families/families.h"
#include "json.h"
#include "radeon_run.h"
#include "targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct beside {
    const char *target; /* by its own name */
    const family_emulator *emulator;
    const run_options *options;
    const char *path; /* of the script */
    mach_watch radv, driver, heddle;
    uint64_t dispatches; /* of RADV's process, its own included */
    amber_result result; /* of Heddle's run */
    int radv_code;
} beside;

/* ---- runs ---- */

static void
take_sums(mach_watch *to, _Atomic uint64_t sums[RADEON_SUMS])
{
    uint64_t numbers[RADEON_SUMS];
    for (unsigned k = 0; k < RADEON_SUMS; k++)
        numbers[k] = sums[k];
    memcpy(to->counts, numbers, sizeof to->counts);
    memcpy(&to->time, numbers + RADEON_CLASS_SUMS, sizeof to->time);
}

/* Copies a file descriptor's text to standard output. */
static void
show(int fd)
{
    char text[4096];
    ssize_t n;
    lseek(fd, 0, SEEK_SET);
    while ((n = read(fd, text, sizeof text)) > 0)
        fwrite(text, 1, (size_t)n, stdout);
}

static void
run_by_radv(beside *b)
{
    static const char *const words[] = {"/proc/self/exe", "run", "-j", "0", "--device", "vulkan"};
    cli_list command = {0};
    int output = memfd_create("output", MFD_CLOEXEC);
    const radeon_run run = {.radeon = {.chip = b->target,
                                       .checks = &b->options->checks,
                                       .queues = "compute",
                                       .sums = true},
                            .root = b->options->root,
                            .output = output > 0 ? output : 0};
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
        cli_list_add(&command, words[k]);
    cli_list_add(&command, b->path);
    radeon_counts *c = cli_new_radeon_counts();
    b->radv_code = cli_run_on_radeon(&run, &command);
    take_sums(&b->radv, c->sums[0]);
    take_sums(&b->driver, c->sums[1]);
    b->dispatches = c->dispatches;
    if (b->radv_code == CLI_OK && (c->findings || c->faults))
        b->radv_code = CLI_FAILED;
    if (b->radv_code && output > 0)
        show(output);
    cli_free_radeon_counts(c);
    cli_list_free(&command);
    close(output);
}

static void
run_by_heddle(beside *b)
{
    run_options own = *b->options;
    own.counts = "text";
    own.sums = &b->heddle;
    run_session *session = run_session_open(&own);
    run_texts texts = run_script(session, b->path, b->target, &b->result);
    fputs(texts.findings ? texts.findings : "", stderr);
    free(texts.findings);
    free(texts.counts);
    run_session_close(session);
}

/* ---- text ---- */

static uint64_t
all_instructions(const beside *b, const mach_watch *w)
{
    uint64_t n = 0;
    for (unsigned k = 0; b->emulator->classes[k]; k++)
        n += w->counts[k].instructions;
    return n;
}

/* Classes that access memory, by their names. */
static bool
is_memory(const char *class)
{
    static const char *const names[] = {"smem", "lds",    "buffer", "image",
                                        "flat", "global", "scratch"};
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        if (strcmp(class, names[k]) == 0)
            return true;
    }
    return false;
}

static uint64_t
memory_operations(const beside *b, const mach_watch *w)
{
    uint64_t n = 0;
    for (unsigned k = 0; b->emulator->classes[k]; k++)
        n += is_memory(b->emulator->classes[k]) ? w->counts[k].instructions : 0;
    return n;
}

static void
print_row(const char *name, uint64_t radv, uint64_t heddle)
{
    printf("%-18s %14llu %14llu", name, (unsigned long long)radv, (unsigned long long)heddle);
    if (radv)
        printf(" %8.3f", (double)heddle / (double)radv);
    fputc('\n', stdout);
}

static void
print_text(const beside *b)
{
    const char *const *classes = b->emulator->classes;
    printf("%-18s %14s %14s %8s\n", "executed", "RADV (ACO)", "Heddle", "ratio");
    for (unsigned k = 0; classes[k]; k++) {
        uint64_t radv = b->radv.counts[k].instructions, heddle = b->heddle.counts[k].instructions;
        if (radv || heddle)
            print_row(classes[k], radv, heddle);
    }
    print_row("all instructions", all_instructions(b, &b->radv), all_instructions(b, &b->heddle));
    print_row("memory operations", memory_operations(b, &b->radv),
              memory_operations(b, &b->heddle));
    print_row("waves", b->radv.time.waves, b->heddle.time.waves);
    print_row("cycles", b->radv.time.cycles, b->heddle.time.cycles);
    print_row("cycles of waves", b->radv.time.wave_cycles, b->heddle.time.wave_cycles);
    uint64_t own = all_instructions(b, &b->driver);
    if (own)
        printf("RADV's own shaders: %llu instructions, which are not counted above\n",
               (unsigned long long)own);
}

/* ---- JSON ---- */

static void
print_side_json(const beside *b, const char *name, const mach_watch *w)
{
    printf(", \"%s\": {\"instructions\": %llu, \"memory_operations\": %llu, \"waves\": %llu, "
           "\"cycles\": %llu, \"wave_cycles\": %llu, \"classes\": {",
           name, (unsigned long long)all_instructions(b, w),
           (unsigned long long)memory_operations(b, w), (unsigned long long)w->time.waves,
           (unsigned long long)w->time.cycles, (unsigned long long)w->time.wave_cycles);
    for (unsigned k = 0; b->emulator->classes[k]; k++)
        printf("%s\"%s\": %llu", k ? ", " : "", b->emulator->classes[k],
               (unsigned long long)w->counts[k].instructions);
    fputs("}}", stdout);
}

static void
print_json(const beside *b)
{
    fputs("{\"file\": ", stdout);
    json_print_text(b->path, stdout);
    printf(", \"target\": \"%s\"", b->target);
    print_side_json(b, "radv", &b->radv);
    print_side_json(b, "heddle", &b->heddle);
    printf(", \"drivers_own\": %llu}\n", (unsigned long long)all_instructions(b, &b->driver));
}

/* One script. Returns CLI_OK if it passed, or was skipped, by both. */
static int
run_one(beside *b)
{
    static const char *const words[] = {"PASS", "FAIL", "SKIP"};
    run_by_radv(b);
    run_by_heddle(b);
    printf("%s %s [%s]%s%s; RADV: %s\n", words[b->result.status], b->path, b->target,
           b->result.status == AMBER_PASS ? "" : ": ",
           b->result.status == AMBER_PASS ? "" : b->result.reason,
           b->radv_code ? "FAIL" : "no failure");
    if (b->result.status != AMBER_SKIP && !b->options->counts)
        print_text(b);
    else if (b->result.status != AMBER_SKIP)
        (strcmp(b->options->counts, "json") == 0 ? print_json : print_text)(b);
    fflush(stdout);
    return b->result.status == AMBER_FAIL || b->radv_code ? CLI_FAILED : CLI_OK;
}

int
run_beside(const char *target, const run_options *options, const cli_list *scripts)
{
    family_target t;
    int code = CLI_OK;
    const char *name = cli_target_name(target);
    if (!families_find_target(name, &t) || !t.family->emulator || !t.family->emulator->classes)
        return cli_usage_error("run: --device radv,TARGET needs a target with an emulator, not %s",
                               target);
    for (size_t k = 0; k < scripts->count; k++) {
        beside b = {.target = t.name,
                    .emulator = t.family->emulator,
                    .options = options,
                    .path = scripts->items[k]};
        code = cli_worse(code, run_one(&b));
    }
    return code;
}
