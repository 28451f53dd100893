/* Captured submissions of the software Radeon, executed again. */
#define _POSIX_C_SOURCE 200809L

#include "gpu_capture.h"

#include "base/diag.h"
#include "cli.h"
#include "families/families.h"
#include "gpu/capture/format.h"
#include "gpu/capture/replay.h"
#include "gpu/report/report.h"
#include "gpu/sdma/sdma.h"
#include "run_counts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A replay that is under way. */
typedef struct playing {
    const char *path;
    const capture_options *options;
    uint8_t *data; /* the file */
    size_t size;
    FILE *json, *instructions; /* NULL: none */
    gpu_replay replay;
    gpu_capture capture;
    mach_watch sums; /* of all dispatches */
    uint64_t findings, dispatches, instructions_run;
    arena *a;
} playing;

bool
cli_is_capture(const uint8_t *data, size_t size)
{
    return size >= 8 && memcmp(data, GPU_CAPTURE_MAGIC, 8) == 0;
}

/* ---- what the replay tells ---- */

static void
add_counts(mach_watch *sums, const mach_watch *more)
{
    for (unsigned k = 0; k < MACH_MAX_CLASSES; k++) {
        mach_class_count *to = &sums->counts[k];
        const mach_class_count *from = &more->counts[k];
        to->instructions += from->instructions;
        to->lanes += from->lanes;
        to->bytes += from->bytes;
        to->lines64 += from->lines64;
        to->lines128 += from->lines128;
        to->conflicts += from->conflicts;
    }
    for (unsigned k = 0; k < MACH_MAX_UNITS; k++)
        sums->time.busy[k] += more->time.busy[k];
    sums->time.waves += more->time.waves;
    sums->time.wave_cycles += more->time.wave_cycles;
    sums->time.cycles += more->time.cycles;
}

static void
tell_conflict(void *user, const gpu_conflict *c, const mach_memory *m)
{
    playing *p = user;
    const gpu_shaders shaders = {gpu_replay_shader, &p->replay};
    arena_mark mark = arena_save(p->a);
    base_buf text = buf_make(p->a);
    p->findings++;
    gpu_print_packet_conflict(p->capture.cp.gen, c, m, &shaders, &text);
    fwrite(text.data, 1, text.size, stderr);
    text.size = 0;
    if (p->json) {
        gpu_print_packet_conflict_json(p->capture.cp.gen, c, m, &shaders, &text);
        fwrite(text.data, 1, text.size, p->json);
    }
    arena_release(p->a, mark);
}

static void
tell_dispatch(void *user, const gpu_run *run)
{
    playing *p = user;
    const gpu_shaders shaders = {gpu_replay_shader, &p->replay};
    arena_mark mark = arena_save(p->a);
    base_buf text = buf_make(p->a);
    p->dispatches++;
    p->findings += run->report->total;
    p->instructions_run += run->report->instructions;
    if (run->watch)
        add_counts(&p->sums, run->watch);
    if (run->report->n_findings) {
        gpu_print_run(run, &shaders, &text);
        fwrite(text.data, 1, text.size, stderr);
    }
    if (run->report->n_findings && p->json) {
        text.size = 0;
        gpu_print_run_json(run, &shaders, &text);
        fwrite(text.data, 1, text.size, p->json);
    }
    arena_release(p->a, mark);
}

static void
tell_packet(void *user, const gpu_packet *packet, uint64_t address)
{
    const playing *p = user;
    arena_mark mark = arena_save(p->a);
    base_buf text = buf_make(p->a);
    gpu_print_packet(packet, &text);
    fprintf(stderr, "0x%" PRIx64 " ", address);
    fwrite(text.data, 1, text.size, stderr);
    arena_release(p->a, mark);
}

static void
tell_copy_packet(void *user, const gpu_copy_packet *packet, uint64_t address)
{
    const playing *p = user;
    arena_mark mark = arena_save(p->a);
    base_buf text = buf_make(p->a);
    gpu_print_copy_packet(packet, &text);
    fprintf(stderr, "0x%" PRIx64 " ", address);
    fwrite(text.data, 1, text.size, stderr);
    arena_release(p->a, mark);
}

static void
tell_instruction(void *user, const char *text, size_t size)
{
    const playing *p = user;
    fwrite(text, 1, size, p->instructions);
}

/* ---- the end ---- */

/* Prints how the memory compares. Returns true if it differs. */
static bool
compare_memory(const playing *p)
{
    const gpu_capture *c = &p->capture;
    uint32_t differ = 0, first = 0;
    for (uint32_t k = 0; c->end.hashes && k < c->n_buffers; k++) {
        if (gpu_capture_hash(&c->buffers[k]) == c->end.hashes[k])
            continue;
        first = differ++ ? first : k;
    }
    if (!c->end.hashes)
        printf("; the memory that it left was not captured");
    else if (differ)
        printf("; memory differs: '%s' and %u other buffers", c->buffers[first].name,
               (unsigned)differ - 1);
    else
        printf("; memory as captured");
    return differ;
}

static bool
tell_end(const playing *p)
{
    const gpu_capture *c = &p->capture;
    const gpu_fault *fault = &c->cp.fault;
    bool failed = p->replay.status != GPU_CP_DONE;
    printf("%s: submission %" PRIu64 " (%s) on %s: %" PRIu64 " dispatches, %" PRIu64
           " instructions of waves, %" PRIu64 " findings",
           p->path, c->submission, c->ring, c->chip->name, p->dispatches, p->instructions_run,
           p->findings);
    if (p->replay.status == GPU_CP_WAITING)
        printf("; it waits for what nobody wrote before it was given up");
    else if (failed)
        printf("; packet at 0x%" PRIx64 ": %s", fault->address, fault->message);
    bool other = c->end.known && !c->end.waited && c->end.failed != failed;
    if (other)
        printf("; when it was captured it %s",
               c->end.failed ? c->end.fault.message : "came to its end");
    else if (!failed)
        failed = compare_memory(p);
    fputc('\n', stdout);
    fflush(stdout);
    return failed || other;
}

static void
print_counts(const playing *p)
{
    family_target t;
    if (!families_find_target(p->capture.chip->processor, &t))
        return;
    const run_counts counts = {
        .watch = &p->sums, .emulator = t.family->emulator, .file = p->path, .target = t.name};
    run_counts_print(&counts, "text", stdout);
}

static int
replay(void *user, arena *a)
{
    char message[160];
    playing *p = user;
    const capture_options *o = p->options;
    p->a = a;
    if (!gpu_capture_read(a, p->data, p->size, &p->capture, message))
        return cli_error(p->path, "GPU_CAPTURE", "%s", message);
    p->replay.launch = (gpu_launch_options){.checks = o->checks->checks,
                                            .rules_off = o->checks->off,
                                            .seed = p->capture.seed,
                                            .limit = o->limit ? strtoull(o->limit, NULL, 10)
                                                              : p->capture.limit,
                                            .counts = o->counts,
                                            .trace = p->instructions ? tell_instruction : NULL,
                                            .dispatched = tell_dispatch,
                                            .conflict = tell_conflict,
                                            .user = p};
    p->replay.packet = o->trace ? tell_packet : NULL;
    p->replay.copy_packet = o->trace ? tell_copy_packet : NULL;
    if (!gpu_replay_open(&p->replay, a, &p->capture, message))
        return cli_error(p->path, "GPU_CAPTURE", "%s", message);
    gpu_replay_run(&p->replay);
    bool failed = tell_end(p);
    if (o->counts)
        print_counts(p);
    return failed || p->findings ? CLI_FAILED : CLI_OK;
}

int
cli_with_arena(const char *path, int (*call)(void *user, arena *a), void *user)
{
    arena a;
    diag d;
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    int code = DIAG_TRY(&d) ? call(user, &a) : cli_error(path, "NO_MEMORY", "%s", d.message);
    arena_free(&a);
    return code;
}

/* Opens a file that is asked for. False, after a message, if it cannot be written. */
static bool
open_output(const char *path, const char *mode, FILE **out)
{
    *out = path ? fopen(path, mode) : NULL;
    if (!path || *out)
        return true;
    cli_error(path, "FILE_WRITE", "cannot write the file");
    return false;
}

int
cli_replay_capture(const char *path, const capture_options *options)
{
    playing p = {.path = path, .options = options};
    bool ok = open_output(options->json, "a", &p.json) &&
              open_output(options->instructions, "w", &p.instructions) &&
              cli_read_file(path, &p.data, &p.size);
    int code = ok ? cli_with_arena(path, replay, &p) : CLI_FAILED;
    free(p.data);
    if (p.json)
        fclose(p.json);
    if (p.instructions)
        fclose(p.instructions);
    return code;
}
