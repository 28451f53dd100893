/* Reads any bytes as a script, and checks its expectations on a device that only builds the
 * acceleration structures. */
#include "fuzz.h"

#include "amber/accel.h"
#include "amber/run.h"

#include <stdlib.h>

enum { MAX_MEMORY = 1 << 25 }; /* so that scripts of huge buffers end early */

static void *
allocate(void *user, size_t size)
{
    size_t *left = user;
    if (size > *left)
        return NULL;
    *left -= size;
    return malloc(size);
}

static void
release(void *user, void *block, size_t size)
{
    *(size_t *)user += size;
    free(block);
}

static bool
has(amber_device *d, const char *name)
{
    (void)d, (void)name;
    return true;
}

static void
build_accels(arena *a, const amber_pipeline *p)
{
    amber_accels all;
    amber_accel_build(a, p, &all);
    amber_accel_store(&all, 0, arena_zalloc(a, (size_t)all.size));
}

static bool
dispatch(amber_device *d, arena *scratch, const amber_dispatch *run, amber_result *r)
{
    (void)d, (void)r;
    build_accels(scratch, run->pipeline);
    return true;
}

static bool
draw(amber_device *d, arena *scratch, const amber_draw *draw, amber_result *r)
{
    (void)d, (void)r;
    build_accels(scratch, draw->pipeline);
    return true;
}

static bool
compile(void *user, arena *a, const amber_script *script, const amber_attach *at,
        const uint32_t **words, size_t *count, const char **message)
{
    static const uint32_t module[1] = {0};
    (void)user, (void)a, (void)script, (void)at, (void)message;
    *words = module;
    *count = 1;
    return true;
}

static bool
load(void *user, arena *a, const char *path, const char **data, size_t *size)
{
    (void)user, (void)path;
    *data = arena_strdup(a, "1 2 3 4");
    *size = 7;
    return true;
}

/* A text that begins with a word of a shader library file is read as one: its first case. */
static const amber_script *
read_script(arena *a, diag *d, const uint8_t *data, size_t size, const amber_loader *loader)
{
    const amber_text text = {.file = "fuzz", .text = (const char *)data, .size = size};
    if (!size || (*data != 'g' && *data != 'c'))
        return amber_parse(a, d, text.file, text.text, size, loader);
    amber_names names = amber_list_cases(a, d, &text);
    return names.count ? amber_parse_case(a, d, &text, names.items[0]) : NULL;
}

static void
read_and_run(arena *a, diag *d, const uint8_t *data, size_t size)
{
    static const amber_device_functions functions = {
        .has_feature = has,
        .has_device_extension = has,
        .has_instance_extension = has,
        .has_property = has,
        .dispatch = dispatch,
        .draw = draw,
    };
    static const amber_frontend frontend = {.compile = compile};
    static const amber_loader loader = {.load = load};
    amber_device device = {.functions = &functions, .name = "none"};
    amber_result result;
    const amber_script *s = read_script(a, d, data, size, &loader);
    for (uint32_t i = 0; s && i < s->command_count; i++)
        if (s->commands[i].op == AMBER_OP_REPEAT)
            return; /* it could repeat nothing millions of times */
    if (s)
        amber_run(s, &device, &frontend, NULL, a, &result);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t left = MAX_MEMORY;
    base_allocator allocator = {allocate, release, &left};
    arena a;
    diag d;
    diag_init(&d);
    arena_init(&a, &allocator, diag_out_of_memory, &d);
    if (DIAG_TRY(&d))
        read_and_run(&a, &d, data, size);
    arena_free(&a);
    return 0;
}

uint8_t *
fuzz_seed(int index, size_t *size)
{
    (void)index, (void)size;
    return NULL;
}
