/* Executes what turnip has submitted, on the emulator: the program beside it (program.c) starts this
 * one with the memory file of the made-up kernel driver, and writes to standard input
 *
 *   buffer ADDRESS SIZE     a buffer: bytes of the file from ADDRESS - FIRST on
 *   stream ADDRESS DWORDS   a stream to execute
 *
 * in that order, numbers in hex. Usage: execute FD FIRST. Findings go to standard error; with one,
 * or if something is not executed, the exit code is 1. The environment variable ADRENO_RULES_OFF
 * names rules that are not checked. */
#define _POSIX_C_SOURCE 200809L /* mmap */

#include "base/arena.h"
#include "gpu/a6xx/a6xx.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { MAX_BUFFERS = 4096, MAX_STREAMS = 64 };

typedef struct totals {
    uint32_t dispatches, findings;
    bool failed;
} totals;

static void
out_of_memory(void *user)
{
    (void)user;
    fputs("execute: no memory\n", stderr);
    exit(1);
}

static void
note_run(void *user, const adreno_dispatch *d, const mach_report *r)
{
    totals *t = user;
    t->dispatches++;
    t->findings += r->n_findings;
    t->failed |= r->status != MACH_RUN_DONE;
    fprintf(stderr, "dispatch of %ux%ux%u groups, waves of %u: %" PRIu64 " instructions\n",
            d->groups[0], d->groups[1], d->groups[2], d->wave_size, r->instructions);
    for (uint32_t k = 0; k < r->n_findings; k++) {
        const mach_finding *f = &r->findings[k];
        fprintf(stderr, "finding: +0x%x `%s`: %s\n", (unsigned)f->pc, f->text, f->message);
    }
}

/* Reads the lines. */
static void
read_submission(uint8_t *file, uint64_t first, gpu_a6xx_submission *s)
{
    static gpu_a6xx_buffer buffers[MAX_BUFFERS];
    static gpu_a6xx_stream streams[MAX_STREAMS];
    char kind[16];
    uint64_t address, size;
    while (scanf("%15s %" SCNx64 " %" SCNx64, kind, &address, &size) == 3) {
        if (strcmp(kind, "buffer") == 0 && s->n_buffers < MAX_BUFFERS)
            buffers[s->n_buffers++] = (gpu_a6xx_buffer){address, size, file + (address - first)};
        else if (strcmp(kind, "stream") == 0 && s->n_streams < MAX_STREAMS)
            streams[s->n_streams++] = (gpu_a6xx_stream){address, (uint32_t)size};
    }
    s->buffers = buffers;
    s->streams = streams;
}

int
main(int argc, char **argv)
{
    struct stat st;
    arena a;
    totals t = {0};
    char message[160] = "";
    gpu_a6xx_submission s = {.checks = MACH_CHECK_ALL,
                             .rules_off = getenv("ADRENO_RULES_OFF"),
                             .ran = note_run,
                             .user = &t};
    const int fd = argc == 3 ? atoi(argv[1]) : -1;
    if (fd < 0 || fstat(fd, &st))
        return 1;
    uint8_t *file = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (file == MAP_FAILED)
        return 1;
    arena_init(&a, &base_malloc_allocator, out_of_memory, NULL);
    read_submission(file, strtoull(argv[2], NULL, 16), &s);
    const bool ok = gpu_a6xx_execute(&s, &a, message);
    if (!ok)
        fprintf(stderr, "not executed: %s\n", message);
    arena_free(&a);
    return ok && !t.failed && !t.findings ? 0 : 1;
}
