/* Each dispatch is written to a file, whose name is the program's only argument. The program runs
 * it and puts the bytes of buffers and images back. Scripts that draw are skipped. */
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

/* VkDescriptorType. */
static const uint8_t types[] = {
    [AMBER_BIND_SAMPLER] = 0,         [AMBER_BIND_COMBINED] = 1,
    [AMBER_BIND_SAMPLED_IMAGE] = 2,   [AMBER_BIND_STORAGE_IMAGE] = 3,
    [AMBER_BIND_UNIFORM_TEXEL] = 4,   [AMBER_BIND_STORAGE_TEXEL] = 5,
    [AMBER_BIND_UNIFORM] = 6,         [AMBER_BIND_STORAGE] = 7,
    [AMBER_BIND_UNIFORM_DYNAMIC] = 8, [AMBER_BIND_STORAGE_DYNAMIC] = 9,
};

/* The first descriptor of the buffer of descriptor `k`. */
static uint32_t
first_of(const amber_pipeline *p, uint32_t k)
{
    uint32_t first = 0;
    while (p->bindings[first].buffer != p->bindings[k].buffer)
        first++;
    return first;
}

/* Is descriptor `k` the first of a buffer? A sampler alone has none. */
static bool
brings_buffer(const amber_pipeline *p, uint32_t k)
{
    return p->bindings[k].buffer && first_of(p, k) == k;
}

/* How many buffers the descriptors before `k` bring. */
static uint32_t
count_buffers(const amber_pipeline *p, uint32_t k)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < k; i++)
        n += brings_buffer(p, i);
    return n;
}

/* How many of the descriptors before `k` have a sampler. */
static uint32_t
count_samplers(const amber_pipeline *p, uint32_t k)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < k; i++)
        n += p->bindings[i].sampler != NULL;
    return n;
}

/* The place of a descriptor's buffer among the job's. */
static uint32_t
place_of(const amber_pipeline *p, uint32_t k)
{
    return p->bindings[k].buffer ? count_buffers(p, first_of(p, k)) : DEVICE_JOB_NONE;
}

static void
put_descriptors(base_buf *b, const amber_pipeline *p)
{
    for (uint32_t k = 0; k < p->binding_count; k++) {
        const amber_binding *at = &p->bindings[k];
        const device_job_descriptor d = {
            .set = at->set,
            .binding = at->binding,
            .element = at->element,
            .type = types[at->kind],
            .buffer = place_of(p, k),
            .offset = (uint32_t)at->offset,
            .range = at->range >= UINT32_MAX ? UINT32_MAX : (uint32_t)at->range,
            .dynamic_offset = (uint32_t)at->dynamic_offset,
            .base_level = at->base_mip,
            .sampler = at->sampler ? count_samplers(p, k) : DEVICE_JOB_NONE,
        };
        buf_put(b, &d, sizeof d);
    }
}

static void
put_samplers(base_buf *b, const amber_pipeline *p)
{
    for (uint32_t k = 0; k < p->binding_count; k++) {
        const amber_sampler *s = p->bindings[k].sampler;
        if (!s)
            continue;
        const device_job_sampler out = {
            .mag = s->mag == AMBER_LINEAR,
            .min = s->min == AMBER_LINEAR,
            .mip = s->mip == AMBER_LINEAR,
            .address = {s->address[0], s->address[1], s->address[2]},
            .border = s->border,
            .min_lod = s->min_lod,
            .max_lod = s->max_lod,
            .max_anisotropy = s->max_anisotropy,
            .unnormalized = s->unnormalized,
            .compare = s->compare,
            .compare_op = s->compare_op,
        };
        buf_put(b, &out, sizeof out);
    }
}

static void
make_job(const program_device *d, base_buf *b, const amber_dispatch *run)
{
    const amber_attach *s = run->stage;
    const amber_pipeline *p = run->pipeline;
    const device_job head = {
        .magic = DEVICE_JOB_MAGIC,
        .n_words = (uint32_t)run->word_count,
        .n_specs = s->spec_count,
        .push_bytes = run->push_size,
        .name_bytes = (uint32_t)strlen(s->entry),
        .n_descriptors = p->binding_count,
        .n_samplers = count_samplers(p, p->binding_count),
        .n_buffers = count_buffers(p, p->binding_count),
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
    put_descriptors(b, p);
    put_samplers(b, p);
}

static const amber_memory *
memory_of(const amber_dispatch *run, uint32_t k)
{
    return &run->memory[run->pipeline->bindings[k].buffer->index];
}

static device_job_buffer
describe_buffer(const amber_buffer *b, const amber_memory *m)
{
    return (device_job_buffer){
        .size = (uint32_t)m->size,
        .format = b->type->has_texel ? b->type->texel.vk : 0,
        .texel_bytes = b->type->size,
        .dim = b->dim == AMBER_NOT_IMAGE ? 0 : (uint32_t)(b->dim - AMBER_1D) + 1,
        .width = b->width,
        .height = b->height,
        .depth = b->depth,
        .levels = b->mips,
        .samples = b->samples,
        .layers = b->layers,
        .cube = b->cube,
    };
}

static void
put_buffers(base_buf *b, const amber_dispatch *run)
{
    for (uint32_t k = 0; k < run->pipeline->binding_count; k++) {
        if (!brings_buffer(run->pipeline, k))
            continue;
        const amber_memory *m = memory_of(run, k);
        const device_job_buffer head = describe_buffer(run->pipeline->bindings[k].buffer, m);
        buf_put(b, &head, sizeof head);
        put_padded(b, m->bytes, m->size);
    }
}

/* Reads the buffers' bytes again. */
static bool
take_buffers(FILE *f, size_t at, const amber_dispatch *run)
{
    for (uint32_t k = 0; k < run->pipeline->binding_count; k++) {
        if (!brings_buffer(run->pipeline, k))
            continue;
        const amber_memory *m = memory_of(run, k);
        at += sizeof(device_job_buffer);
        if (fseek(f, (long)at, SEEK_SET) || fread(m->bytes, 1, m->size, f) != m->size)
            return false;
        at += (size_t)amber_whole_dwords(m->size);
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

/* A skip with the line that the program has left in place of the job, if there is one. */
static bool
skip_what_lacks(FILE *f, amber_result *r)
{
    char line[160] = "";
    const uint32_t magic = DEVICE_JOB_MAGIC;
    rewind(f);
    if (!fgets(line, sizeof line, f) || memcmp(line, &magic, sizeof magic) == 0)
        return amber_set_result(r, AMBER_SKIP, "the program lacks something that is needed");
    line[strcspn(line, "\n")] = '\0';
    return amber_set_result(r, AMBER_SKIP, "%s", line);
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
    if (code == DEVICE_JOB_LACKS)
        skip_what_lacks(f, r);
    fclose(f);
    unlink(name);
    if (code == DEVICE_JOB_LACKS)
        return false;
    if (!ok)
        return amber_set_result(r, AMBER_FAIL, "the program ended with %d", code);
    return amber_set_result(r, AMBER_PASS, "%s", "");
}

static bool
dispatch(amber_device *base, arena *scratch, const amber_dispatch *run, amber_result *r)
{
    const program_device *d = (const program_device *)base;
    for (uint32_t k = 0; k < run->pipeline->binding_count; k++)
        if (run->pipeline->bindings[k].kind == AMBER_BIND_ACCEL)
            return amber_set_result(r, AMBER_SKIP, "acceleration structures");
    const arena_mark mark = arena_save(scratch);
    base_buf b = buf_make(scratch);
    make_job(d, &b, run);
    const size_t buffers = b.size;
    put_buffers(&b, run);
    const bool ok = run_job(d, &b, buffers, run, r);
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
