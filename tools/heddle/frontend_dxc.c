/* HLSL to SPIR-V with dxc, Microsoft's DirectXShaderCompiler, as a program that the user names. It
 * reads and writes files: the input by its path (standard input is copied to a file), the module in
 * a folder for temporary files. Its options: include/dxc/Support/HLSLOptions.td of its source, and
 * docs/SPIR-V.rst, which has the same rules for bindings as Heddle's. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, posix_spawnp */

#include "frontend_glsl.h"

#if HEDDLE_HAS_FRONTEND

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Shader model 6.6, which dxc has had since 2021. */
static const struct {
    const char *stage, *profile;
} profiles[] = {
    {"comp", "cs_6_6"}, {"vert", "vs_6_6"}, {"frag", "ps_6_6"}, {"geom", "gs_6_6"},
    {"tesc", "hs_6_6"}, {"tese", "ds_6_6"}, {"task", "as_6_6"}, {"mesh", "ms_6_6"},
};

/* A run of dxc. The texts of arguments that are made here are freed with it. */
typedef struct dxc_run {
    const frontend_options *options;
    const char *name;
    char folder[64], output[80], input[80];
    cli_list arguments, made;
} dxc_run;

/* ---- arguments ---- */

static void
add(dxc_run *d, const char *argument)
{
    cli_list_add(&d->arguments, argument);
}

static void
add_number(dxc_run *d, uint32_t number)
{
    char text[16];
    snprintf(text, sizeof text, "%u", (unsigned)number);
    char *copy = frontend_copy_text(text, strlen(text));
    if (!copy)
        cli_out_of_memory();
    cli_list_add(&d->made, copy);
    add(d, copy);
}

static void
add_shift(dxc_run *d, const char *option, uint32_t shift)
{
    add(d, option);
    add_number(d, shift);
    add(d, "all");
}

/* The target environment's option; NULL if dxc has none. */
static const char *
environment_option(const char *name)
{
    static const char *const options[] = {
        "-fspv-target-env=vulkan1.0", "-fspv-target-env=vulkan1.1", "-fspv-target-env=vulkan1.2",
        "-fspv-target-env=vulkan1.3"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (strcmp(strchr(options[i], '=') + 1, name) == 0)
            return options[i];
    }
    return NULL;
}

/* Returns true if a later -U removes the macro. */
static bool
is_undefined(const frontend_options *o, const char *macro)
{
    size_t len = strcspn(macro, "=");
    for (size_t i = 0; o->undefine && i < o->undefine->count; i++) {
        if (strlen(o->undefine->items[i]) == len && memcmp(o->undefine->items[i], macro, len) == 0)
            return true;
    }
    return false;
}

static void
add_lists(dxc_run *d)
{
    const frontend_options *o = d->options;
    for (size_t i = 0; o->include && i < o->include->count; i++) {
        add(d, "-I");
        add(d, o->include->items[i]);
    }
    for (size_t i = 0; o->define && i < o->define->count; i++) {
        if (is_undefined(o, o->define->items[i]))
            continue;
        add(d, "-D");
        add(d, o->define->items[i]);
    }
    for (size_t i = 0; o->dxc_options && i < o->dxc_options->count; i++)
        add(d, o->dxc_options->items[i]);
}

/* Makes the command line. Returns false, with the message in `r`, if an option is wrong. */
static bool
add_arguments(dxc_run *d, const char *stage, frontend_result *r)
{
    const frontend_options *o = d->options;
    const char *environment = environment_option(o->target_env ? o->target_env : "vulkan1.3");
    if (!environment) {
        frontend_say(r, d->name, "TARGET_ENV",
                     "with --dxc, --target-env is vulkan1.0 to vulkan1.3");
        return false;
    }
    add(d, o->dxc);
    add(d, "-spirv");
    add(d, environment);
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++) {
        if (strcmp(profiles[i].stage, stage) == 0) {
            add(d, "-T");
            add(d, profiles[i].profile);
        }
    }
    add(d, "-E");
    add(d, o->entry ? o->entry : "main");
    if (o->registers) {
        add_shift(d, "-fvk-b-shift", o->registers->b);
        add_shift(d, "-fvk-t-shift", o->registers->t);
        add_shift(d, "-fvk-u-shift", o->registers->u);
        add_shift(d, "-fvk-s-shift", o->registers->s);
    }
    if (o->line_info)
        add(d, "-fspv-debug=line");
    add_lists(d);
    add(d, "-Fo");
    add(d, d->output);
    add(d, *d->input ? d->input : d->name);
    cli_list_add(&d->arguments, NULL);
    return true;
}

/* ---- running ---- */

/* Everything that comes from the pipe until its end: malloc'd text. */
static char *
read_all(int fd)
{
    size_t used = 0, room = 4096;
    char *text = malloc(room);
    ssize_t got = 0;
    while (text && (got = read(fd, text + used, room - used - 1)) > 0) {
        used += (size_t)got;
        if (room - used > 1)
            continue;
        char *grown = realloc(text, room *= 2);
        if (!grown)
            free(text);
        text = grown;
    }
    if (text)
        text[used] = '\0';
    return text;
}

/* Runs the command. `*said` gets what it printed. Returns its exit code, or -1. */
static int
run_command(const dxc_run *d, char **said)
{
    int ends[2], status = 0;
    pid_t child;
    posix_spawn_file_actions_t actions;
    *said = NULL;
    if (pipe(ends) != 0)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    bool started = posix_spawnp(&child, d->arguments.items[0], &actions, NULL,
                                (char *const *)(const void *)d->arguments.items, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *said = started ? read_all(ends[0]) : NULL;
    close(ends[0]);
    if (!started || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static void
take_output(const dxc_run *d, frontend_result *r)
{
    uint8_t *bytes;
    size_t size;
    if (cli_read_file_quietly(d->output, &bytes, &size)) {
        frontend_take(r, bytes, size);
        free(bytes);
    } else {
        frontend_say(r, d->name, "DXC", "the program that --dxc names writes no module");
    }
}

static void
run(dxc_run *d, frontend_result *r)
{
    char *said;
    int code = run_command(d, &said);
    bool missing = code < 0 || code == 127; /* 127: posix_spawnp's child cannot run it */
    if (missing)
        frontend_say(r, d->name, "DXC", "the program that --dxc names cannot be run, or crashes");
    else if (said && *said)
        frontend_say_all(r, "HLSL", said);
    if (code == 0)
        take_output(d, r);
    else if (!missing && !(r->messages && strstr(r->messages, "error: ")))
        frontend_say(r, d->name, "DXC", "the program that --dxc names fails and gives no reason");
    free(said);
}

/* Makes the folder, and the file for text of standard input. */
static bool
make_files(dxc_run *d, const char *text, size_t size)
{
    snprintf(d->folder, sizeof d->folder, "/tmp/heddle-XXXXXX");
    if (!mkdtemp(d->folder)) {
        *d->folder = '\0';
        return false;
    }
    snprintf(d->output, sizeof d->output, "%s/out.spv", d->folder);
    if (strcmp(d->name, "-") != 0)
        return true;
    snprintf(d->input, sizeof d->input, "%s/stdin.hlsl", d->folder);
    return cli_write_file(d->input, text, size);
}

static void
drop(dxc_run *d)
{
    if (*d->folder) {
        remove(d->output);
        if (*d->input)
            remove(d->input);
        rmdir(d->folder);
    }
    for (size_t i = 0; i < d->made.count; i++)
        free((char *)d->made.items[i]);
    cli_list_free(&d->made);
    cli_list_free(&d->arguments);
}

frontend_result
frontend_run_dxc(const char *text, size_t size, const char *name, const char *stage,
                 const frontend_options *options)
{
    dxc_run d = {.options = options, .name = name};
    frontend_result r = {0};
    if (!make_files(&d, text, size))
        frontend_say(&r, name, "DXC", "no folder for temporary files can be made in /tmp");
    else if (add_arguments(&d, stage, &r))
        run(&d, &r);
    drop(&d);
    return r;
}

#endif
