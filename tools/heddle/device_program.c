/* Each dispatch is written to a file, whose name is the program's only argument. The program runs
 * it and puts the buffers' bytes back. Scripts that draw, and images, are skipped. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, posix_spawnp */

#include "device_program.h"
#include "device_job.h"

#include "amber/dev_emu.h"
#include "base/buf.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct program_device {
    amber_device base;
    const char *path;
    bool storage_16bit; /* the script has asked for this feature */
} program_device;

/* Notes what the script asks for. */
static bool
has_feature(amber_device *base, const char *name)
{
    static const char storage[] = "Storage16BitFeatures.";
    program_device *d = (program_device *)base;
    d->storage_16bit |= strncmp(name, storage, sizeof storage - 1) == 0;
    return amber_emu_has_feature(base, name);
}

static void
end_script(amber_device *base)
{
    ((program_device *)base)->storage_16bit = false;
}

/* ---- the file ---- */

static void
put_padded(base_buf *b, const void *bytes, size_t size)
{
    static const uint8_t zeros[3] = {0};
    buf_put(b, bytes, size);
    buf_put(b, zeros, (4 - size % 4) % 4);
}

/* VkDescriptorType of a buffer, or -1. */
static int
type_of(amber_descriptor kind)
{
    switch (kind) {
    case AMBER_BIND_UNIFORM: return 6;
    case AMBER_BIND_STORAGE: return 7;
    case AMBER_BIND_UNIFORM_DYNAMIC: return 8;
    case AMBER_BIND_STORAGE_DYNAMIC: return 9;
    default: return -1;
    }
}

/* The first descriptor of the buffer of descriptor `k`. */
static uint32_t
first_of(const amber_pipeline *p, uint32_t k)
{
    uint32_t first = 0;
    while (p->bindings[first].buffer != p->bindings[k].buffer)
        first++;
    return first;
}

/* How many buffers the descriptors before `k` have. */
static uint32_t
count_before(const amber_pipeline *p, uint32_t k)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < k; i++)
        n += first_of(p, i) == i;
    return n;
}

/* The place of a descriptor's buffer among the job's. */
static uint32_t
place_of(const amber_pipeline *p, uint32_t k)
{
    return count_before(p, first_of(p, k));
}

static bool
put_descriptors(base_buf *b, const amber_dispatch *run, amber_result *r)
{
    const amber_pipeline *p = run->pipeline;
    for (uint32_t k = 0; k < p->binding_count; k++) {
        const amber_binding *at = &p->bindings[k];
        const int type = type_of(at->kind);
        if (type < 0)
            return amber_set_result(r, AMBER_SKIP, "programs get buffers alone");
        const device_job_descriptor d = {
            .set = at->set,
            .binding = at->binding,
            .element = at->element,
            .type = (uint32_t)type,
            .buffer = place_of(p, k),
            .offset = (uint32_t)at->offset,
            .range = at->range >= UINT32_MAX ? UINT32_MAX : (uint32_t)at->range,
            .dynamic_offset = (uint32_t)at->dynamic_offset,
        };
        buf_put(b, &d, sizeof d);
    }
    return true;
}

static bool
make_job(const program_device *d, base_buf *b, const amber_dispatch *run, amber_result *r)
{
    const amber_attach *s = run->stage;
    const device_job head = {
        .magic = DEVICE_JOB_MAGIC,
        .n_words = (uint32_t)run->word_count,
        .n_specs = s->spec_count,
        .push_bytes = run->push_size,
        .name_bytes = (uint32_t)strlen(s->entry),
        .n_descriptors = run->pipeline->binding_count,
        .n_buffers = count_before(run->pipeline, run->pipeline->binding_count),
        .groups = {run->groups[0], run->groups[1], run->groups[2]},
        .subgroup_size = s->subgroup == AMBER_SUBGROUP_EXACT ? s->subgroup_size : 0,
        .full_subgroups = s->full_subgroups,
        .storage_16bit = d->storage_16bit,
    };
    buf_put(b, &head, sizeof head);
    buf_put(b, run->words, run->word_count * sizeof *run->words);
    for (uint32_t k = 0; k < s->spec_count; k++)
        buf_put(b, (uint32_t[]){s->specs[k].id, s->specs[k].value}, 8);
    put_padded(b, run->push, run->push_size);
    put_padded(b, s->entry, strlen(s->entry));
    return put_descriptors(b, run, r);
}

static const amber_memory *
memory_of(const amber_dispatch *run, uint32_t k)
{
    return &run->memory[run->pipeline->bindings[k].buffer->index];
}

static void
put_buffers(base_buf *b, const amber_dispatch *run)
{
    for (uint32_t k = 0; k < run->pipeline->binding_count; k++) {
        const amber_memory *m = memory_of(run, k);
        if (first_of(run->pipeline, k) != k)
            continue;
        const uint32_t size = (uint32_t)m->size;
        buf_put(b, &size, sizeof size);
        put_padded(b, m->bytes, size);
    }
}

/* Reads the buffers' bytes again. */
static bool
take_buffers(FILE *f, size_t at, const amber_dispatch *run)
{
    for (uint32_t k = 0; k < run->pipeline->binding_count; k++) {
        const amber_memory *m = memory_of(run, k);
        if (first_of(run->pipeline, k) != k)
            continue;
        if (fseek(f, (long)at + 4, SEEK_SET) || fread(m->bytes, 1, m->size, f) != m->size)
            return false;
        at += 4 + (size_t)amber_whole_dwords(m->size);
    }
    return true;
}

/* ---- the program ---- */

/* The exit code, or -1. */
static int
run_program(const char *program, const char *file)
{
    char *const arguments[] = {(char *)(uintptr_t)program, (char *)(uintptr_t)file, NULL};
    pid_t pid;
    int status;
    if (posix_spawnp(&pid, program, NULL, NULL, arguments, environ) ||
        waitpid(pid, &status, 0) != pid)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool
run_job(const program_device *d, const base_buf *b, size_t buffers, const amber_dispatch *run,
        amber_result *r)
{
    char name[] = "/tmp/heddle-job-XXXXXX";
    const int fd = mkstemp(name);
    FILE *f = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    if (!f)
        return amber_set_result(r, AMBER_FAIL, "there is no file for the dispatch");
    bool ok = fwrite(b->data, 1, b->size, f) == b->size && fflush(f) == 0;
    const int code = ok ? run_program(d->path, name) : -1;
    ok = ok && code == 0 && take_buffers(f, buffers, run);
    fclose(f);
    unlink(name);
    if (code == DEVICE_JOB_LACKS)
        return amber_set_result(r, AMBER_SKIP, "the program lacks something that is needed");
    if (!ok)
        return amber_set_result(r, AMBER_FAIL, "the program ended with %d", code);
    return amber_set_result(r, AMBER_PASS, "%s", "");
}

static bool
dispatch(amber_device *base, arena *scratch, const amber_dispatch *run, amber_result *r)
{
    const program_device *d = (const program_device *)base;
    const arena_mark mark = arena_save(scratch);
    base_buf b = buf_make(scratch);
    bool ok = make_job(d, &b, run, r);
    const size_t buffers = b.size;
    if (ok) {
        put_buffers(&b, run);
        ok = run_job(d, &b, buffers, run, r);
    }
    arena_release(scratch, mark);
    return ok;
}

static void
destroy(amber_device *base)
{
    (void)base;
}

static const amber_device_functions functions = {
    .has_feature = has_feature,
    .has_device_extension = amber_emu_has_device_extension,
    .has_instance_extension = amber_emu_has_instance_extension,
    .has_property = amber_emu_has_property,
    .dispatch = dispatch,
    .end_script = end_script,
    .destroy = destroy,
};

amber_device *
device_program_open(arena *a, const char *path)
{
    program_device *d = ARENA_NEW(a, program_device);
    *d = (program_device){.base = {.functions = &functions, .name = "program"}, .path = path};
    return &d->base;
}
