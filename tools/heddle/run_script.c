/* Runs one script on one target: reads the file, opens the device, runs, reports. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "run_script.h"
#include "cli.h"
#include "device_program.h"
#include "pass_watch.h"
#include "run_counts.h"

#include "amber/dev_hir.h"
#include "amber/dev_machine.h"
#include "amber/dev_vulkan.h"
#include "amber/run.h"
#include "families/families.h"
#include "picture_png.h"
#include "script_shader.h"
#include "shader_override.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A device that was opened, for the target it is named by. */
typedef struct opened {
    struct opened *next;
    const char *target;
    amber_device *device; /* NULL: it was lost, and could not be opened again */
} opened;

struct run_session {
    run_options options;
    const char *switches; /* words for the families; NULL: none */
    arena arena;          /* for the devices; fails through the diag of the running script */
    opened *devices;
    frontend_hold *hold;
    const char *path; /* of the running script */
    char *told;       /* the findings, malloc'd; NULL: none */
    size_t told_size;
    mach_watch watch; /* counts of the running script */
    shader_override other;
};

bool
run_has_target(const char *name)
{
    family_target t;
    return strcmp(name, "vulkan") == 0 || strcmp(name, "hir") == 0 ||
           strncmp(name, DEVICE_PROGRAM, strlen(DEVICE_PROGRAM)) == 0 ||
           families_find_target(name, &t);
}

/* Returns true if a family knows the debug switch, if it is for all families, or if it does not
 * matter here: the verifiers are always on. */
static bool
is_switch(const char *word)
{
    ir_pass_run run = {0};
    bool known = !*word || strcmp(word, "validateir") == 0 || strcmp(word, "disasm") == 0 ||
                 (strncmp(word, "bisect=", 7) == 0 && ir_read_bisect(word + 7, &run)) ||
                 (strncmp(word, "skip=", 5) == 0 &&
                  (strcmp(word + 5, "all") == 0 || cli_is_phase(word + 5)));
    for (const family *const *f = families; *f && !known; f++) {
        const family_compiler *c = (*f)->compiler;
        void *switches = c && c->read_switch ? calloc(1, c->switches_size ? c->switches_size : 1)
                                             : NULL;
        known = switches && !c->read_switch(switches, word);
        free(switches);
    }
    return known;
}

int
run_check_switches(void)
{
    const char *text = getenv("HEDDLE_DEBUG");
    while (text && *text) {
        char word[64];
        size_t len = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)len, text);
        if (!is_switch(word))
            return cli_usage_error("HEDDLE_DEBUG: no switch for run: '%s'", word);
        text += len + (text[len] == ',');
    }
    return -1;
}

run_session *
run_session_open(const run_options *options)
{
    run_session *s = calloc(1, sizeof *s);
    if (!s)
        cli_out_of_memory();
    s->options = *options;
    s->switches = getenv("HEDDLE_DEBUG");
    arena_init(&s->arena, &base_malloc_allocator, diag_out_of_memory, NULL);
    s->hold = frontend_acquire();
    return s;
}

void
run_session_close(run_session *session)
{
    for (const opened *o = session->devices; o; o = o->next) {
        if (o->device)
            o->device->functions->destroy(o->device);
    }
    arena_free(&session->arena);
    shader_override_free(&session->other);
    frontend_release(session->hold);
    free(session);
}

/* amber_machine_options.tell: adds a line. */
static void
add_finding(void *user, const char *line)
{
    run_session *s = user;
    size_t more = strlen(s->path) + strlen(line) + sizeof ": \n";
    char *grown = realloc(s->told, s->told_size + more);
    if (!grown)
        cli_out_of_memory();
    s->told = grown;
    s->told_size += (size_t)sprintf(s->told + s->told_size, "%s: %s\n", s->path, line);
}

/* amber_machine_options.find_code. */
static const char *
find_code(void *user, const char *id, size_t *size)
{
    run_session *s = user;
    return shader_override_find(&s->other, id, size);
}

static family_vertex_kind
vertex_kind_of(const char *word)
{
    return !word                            ? FAMILY_VERTEX_ANY
           : strcmp(word, "legacy") == 0    ? FAMILY_VERTEX_LEGACY
           : strcmp(word, "primitive") == 0 ? FAMILY_VERTEX_PRIMITIVE
                                            : FAMILY_VERTEX_ANY;
}

static amber_device *
open_device(run_session *s, const char *target, const char **message)
{
    const run_options *o = &s->options;
    const amber_machine_options machine = {
        .wave_size = o->wave_size,
        .checks = o->checks.checks,
        .rules_off = o->checks.off,
        .tell = add_finding,
        .tell_user = s,
        .max_findings = o->findings,
        .seed = o->seed,
        .abi = o->abi && strcmp(o->abi, "hsa") == 0 ? OBJ_ABI_HSA : OBJ_ABI_VULKAN,
        .vertex_kind = vertex_kind_of(o->vertex_kind),
        .switches = s->switches,
        .watch = o->counts ? &s->watch : NULL,
        .print = o->print,
        .print_before = o->print_before,
        .printed = o->printed ? o->printed : pass_watch_print,
        .printed_user = o->printed_user,
        .find_code = getenv("HEDDLE_SHADER_OVERRIDE_PATH") ? find_code : NULL,
        .find_user = s,
    };
    if (strcmp(target, "vulkan") == 0)
        return amber_vulkan_open(&s->arena, message);
    if (strncmp(target, DEVICE_PROGRAM, strlen(DEVICE_PROGRAM)) == 0)
        return device_program_open(&s->arena, target + strlen(DEVICE_PROGRAM));
    if (strcmp(target, "hir") == 0)
        return amber_hir_open(&s->arena, o->wave_size);
    *message = "compiling for this target is not supported yet; heddle targets says where it is";
    return amber_machine_open(&s->arena, target, &machine);
}

/* The device of a target, opened on first use. */
static amber_device *
get_device(run_session *s, const char *target, amber_result *r)
{
    const char *message = NULL;
    opened *o = s->devices;
    while (o && strcmp(o->target, target) != 0)
        o = o->next;
    if (!o) {
        o = arena_alloc(&s->arena, sizeof *o);
        *o = (opened){s->devices, target, NULL};
        s->devices = o;
    }
    if (!o->device)
        o->device = open_device(s, target, &message);
    if (!o->device)
        amber_set_result(r, AMBER_FAIL, "%s", message);
    return o->device;
}

/* Opens a device anew that an earlier script has lost. */
static amber_device *
replace_device(run_session *s, amber_device *lost, amber_result *r)
{
    opened *o = s->devices;
    while (o->device != lost)
        o = o->next;
    lost->functions->destroy(lost);
    o->device = NULL;
    return get_device(s, o->target, r);
}

/* Reads a file into the arena, followed by a zero byte. Returns NULL on failure. */
static char *
read_file(arena *a, const char *path, size_t *size)
{
    uint8_t *data;
    char *copy;
    if (!cli_read_file_quietly(path, &data, size))
        return NULL;
    copy = arena_copy(a, data, *size + 1);
    free(data);
    return copy;
}

/* Makes a path relative to the script's folder. */
static const char *
path_beside(arena *a, const char *script, const char *name)
{
    const char *slash = strrchr(script, '/');
    if (!slash || name[0] == '/')
        return name;
    return arena_printf(a, "%.*s/%s", (int)(slash - script), script, name);
}

static bool
load(void *user, arena *a, const char *path, const char **data, size_t *size)
{
    *data = read_file(a, path_beside(a, user, path), size);
    return *data != NULL;
}

static bool
load_png(void *user, arena *a, const char *path, const uint8_t **rgba, uint32_t *width,
         uint32_t *height)
{
    picture p;
    bool ok = picture_read_png(a, path_beside(a, user, path), &p);
    *rgba = p.rgba;
    *width = p.width;
    *height = p.height;
    return ok;
}

/* amber_observer.finished: makes run_options.digest, by Fowler, Noll and Vo's function. */
static void
digest_buffers(void *user, const amber_script *script, const amber_memory *memory,
               const amber_command *failed)
{
    (void)failed;
    uint64_t *digest = user;
    *digest = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < script->buffer_count; i++) {
        for (uint64_t k = 0; k < memory[i].size; k++)
            *digest = (*digest ^ memory[i].bytes[k]) * UINT64_C(0x100000001b3);
    }
}

/* Compiles a shader; `user` is the script's path. */
static bool
compile(void *user, arena *a, const amber_script *script, const amber_attach *at,
        const uint32_t **words, size_t *count, const char **message)
{
    const char *file = at->shader->path ? path_beside(a, user, at->shader->path) : user;
    frontend_result r = script_compile(script, at, file);
    bool ok = r.ok;
    if (ok) {
        *words = arena_copy(a, r.words, r.n_words * 4);
        *count = r.n_words;
    } else {
        *message = arena_strdup(a, r.messages ? r.messages : "out of memory");
    }
    frontend_free(&r);
    return ok;
}

/* Gives the module of options.spirv. */
static bool
take_module(const run_session *s, arena *a, const uint32_t **words, size_t *count,
            const char **message)
{
    size_t size;
    const char *bytes = read_file(a, s->options.spirv, &size);
    *message = "the module of --spirv cannot be read";
    *words = (const uint32_t *)(const void *)bytes;
    *count = size / 4;
    return bytes && size >= 20 && size % 4 == 0;
}

/* amber_frontend.compile: `user` is the session. */
static bool
compile_for(void *user, arena *a, const amber_script *script, const amber_attach *at,
            const uint32_t **words, size_t *count, const char **message)
{
    run_session *s = user;
    if (s->options.spirv)
        return take_module(s, a, words, count, message);
    if (!compile((void *)s->path, a, script, at, words, count, message))
        return false;
    if (s->options.save_spirv)
        cli_write_file(s->options.save_spirv, *words, script->shader_count == 1 ? *count * 4 : 0);
    return true;
}

static bool
ends_with(const char *text, const char *tail)
{
    size_t n = strlen(text), m = strlen(tail);
    return n >= m && strcmp(text + n - m, tail) == 0;
}

/* Names a kind of file that heddle run does not support yet, or returns NULL for a script. */
static const char *
foreign_kind(const char *data, size_t size)
{
    return size >= 4 && memcmp(data, "\177ELF", 4) == 0 ? "code object" : NULL;
}

#define LIBRARY ".test"

void
run_list_cases(arena *a, const char *path, cli_list *to)
{
    diag d;
    amber_text text = {.file = path};
    amber_names names;
    diag_init(&d);
    text.text = ends_with(path, LIBRARY) ? read_file(a, path, &text.size) : NULL;
    if (!text.text || !DIAG_TRY(&d)) {
        cli_list_add(to, path);
        return;
    }
    names = amber_list_cases(a, &d, &text);
    for (size_t i = 0; i < names.count; i++)
        cli_list_add(to, arena_printf(a, "%s:%s", path, names.items[i]));
}

/* Splits "FILE.test:CASE". Returns the case, or NULL for another path. */
static const char *
split_case(arena *a, const char *path, const char **file)
{
    const char *at = strstr(path, LIBRARY ":");
    *file = at ? arena_printf(a, "%.*s", (int)(at - path + (int)sizeof LIBRARY - 1), path) : path;
    return at ? at + sizeof LIBRARY : NULL;
}

static const amber_script *
parse(arena *a, diag *d, const amber_text *text, const char *which, const amber_loader *loader)
{
    if (which)
        return amber_parse_case(a, d, text, which);
    if (ends_with(text->file, LIBRARY))
        amber_list_cases(a, d, text); /* says what is wrong with it */
    return amber_parse(a, d, text->file, text->text, text->size, loader);
}

/* Returns true if a shader requests passes of SPIRV-Tools' optimizer. */
static bool
is_optimized(const amber_script *s)
{
    for (uint32_t i = 0; i < s->pipeline_count; i++)
        for (uint32_t k = 0; k < s->pipelines[i]->attach_count; k++)
            if (s->pipelines[i]->attached[k].optimize_count)
                return true;
    return false;
}

/* The script of a file, or of a case in it. */
static const amber_script *
read_script(void *user, arena *a, diag *d, amber_result *result)
{
    const char *path = user;
    amber_text text;
    const char *which = split_case(a, path, &text.file);
    text.text = read_file(a, text.file, &text.size);
    const char *kind = text.text ? foreign_kind(text.text, text.size) : NULL;
    amber_loader loader = {
        .load = load, .load_png = picture_has_png() ? load_png : NULL, .user = user};
    if (!text.text)
        amber_set_result(result, AMBER_FAIL, "cannot read the file");
    else if (kind)
        amber_set_result(result, AMBER_SKIP, "%s", kind);
    else
        return parse(a, d, &text, which, &loader);
    return NULL;
}

/* The part that may leave through the diag's exit. */
static void
run_protected(run_session *s, const run_work *w, arena *a, diag *d, amber_result *result)
{
    amber_frontend frontend = {.compile = compile_for, .user = s};
    const amber_script *script = w->make(w->user, a, d, result);
    if (script && !frontend_has_optimizer() && is_optimized(script)) {
        amber_set_result(
            result, AMBER_SKIP,
            "SHADER_OPTIMIZATION: this heddle was built without SPIRV-Tools' optimizer");
        return;
    }
    amber_device *device = script ? get_device(s, w->target, result) : NULL;
    if (device && w->pictures)
        w->pictures->has_samples = device->functions->sync != NULL;
    if (device)
        amber_run(script, device, &frontend, w->observer, a, result);
    if (device && device->functions->was_lost && device->functions->was_lost(device)) {
        device = replace_device(s, device, result);
        if (device)
            amber_run(script, device, &frontend, w->observer, a, result);
    }
}

/* The counts of the script that has run, malloc'd. */
static char *
counts_text(const run_session *s, const char *target)
{
    char *text = NULL;
    size_t size;
    family_target t;
    FILE *to = families_find_target(target, &t) ? open_memstream(&text, &size) : NULL;
    if (!to)
        return NULL;
    const run_counts counts = {
        .watch = &s->watch, .emulator = t.family->emulator, .file = s->path, .target = t.name};
    run_counts_print(&counts, s->options.counts, to);
    return fclose(to) == 0 ? text : NULL;
}

run_texts
run_made(run_session *session, const run_work *w, amber_result *result)
{
    arena a;
    diag d;
    session->path = w->path;
    session->told = NULL;
    session->told_size = 0;
    session->watch = (mach_watch){.count = true};
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    session->arena.fail_user = &d;
    if (w->pictures)
        w->pictures->arena = &a;
    if (DIAG_TRY(&d)) {
        run_protected(session, w, &a, &d, result);
    } else if (d.class == DIAG_UNSUPPORTED) {
        amber_set_result(result, AMBER_SKIP, "%s", d.message);
    } else {
        amber_set_result(result, AMBER_FAIL, "line %u, column %u: %s [%s]", d.loc.line,
                         d.loc.column, d.message, diag_error_name(d.error));
    }
    arena_free(&a);
    if (session->options.sums)
        *session->options.sums = session->watch;
    bool in_text = session->options.counts && !session->options.sums;
    return (run_texts){session->told, in_text ? counts_text(session, w->target) : NULL};
}

run_texts
run_script(run_session *session, const char *path, const char *target, amber_result *result)
{
    const run_options *o = &session->options;
    run_pictures p = {.dir = o->png_dir, .path = path, .target = o->png_as ? o->png_as : target};
    amber_observer observer = {.finished = run_write_pictures, .user = &p};
    if (o->digest)
        observer = (amber_observer){.finished = digest_buffers, .user = o->digest};
    const run_work w = {.path = path,
                        .target = target,
                        .make = read_script,
                        .user = (void *)path,
                        .observer = o->png_dir || o->digest ? &observer : NULL,
                        .pictures = &p};
    return run_made(session, &w, result);
}
