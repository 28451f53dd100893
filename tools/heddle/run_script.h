/* Runs one script on one target, for heddle run. */
#ifndef RUN_SCRIPT_H
#define RUN_SCRIPT_H

#include "cli.h"
#include "run_check.h"
#include "run_pictures.h"

#include "amber/run.h"
#include "machine/watch.h"

typedef struct run_options {
    const char *device; /* "emu", "vulkan" or "radv" */
    const char *root;   /* of radv: another system's folder; NULL: this one */
    unsigned wave_size; /* 0: the target's default */
    run_checks checks;
    uint32_t findings;       /* the maximum to list */
    const char *abi;         /* for machines: "vulkan" or "hsa" */
    const char *vertex_kind; /* "any", "legacy" or "primitive"; NULL: any */
    unsigned seed;
    const char *png_dir; /* NULL: no pictures */
    const char *png_as;  /* what pictures' names call the target; NULL: its name */
    const char *spirv;   /* a module that replaces the script's shaders; NULL: none */
    const char
        *save_spirv; /* where the module of the script's shader is written; NULL: nowhere. Two
                               shaders leave it empty */
    /* Gets a number made of the contents of all buffers at the end; NULL: it is not wanted. */
    uint64_t *digest;
    /* Steps of the compiler behind and before which the program is printed; NULL: none. `printed` is
     * ir_pass_run's. */
    const char *print, *print_before;
    void (*printed)(void *user, const char *step, const char *text, size_t size);
    void *printed_user;
    const char *counts; /* "text" or "json"; NULL: nothing is counted */
    mach_watch *sums;   /* gets what was counted, in place of a text; NULL: nobody asks */
} run_options;

/* Returns true if scripts can be run on a target of that name: "vulkan", "hir", or a machine's
 * name. */
bool
run_has_target(const char *name);

/* Adds to the list what is run of a path: the cases of a shader library file (.test) as
 * "FILE.test:CASE", otherwise the path itself. Texts are in the arena. */
void
run_list_cases(arena *a, const char *path, cli_list *to);

/* Checks HEDDLE_DEBUG, of which only the switches of families are allowed. Returns -1, or CLI_USAGE
 * after a message. */
int
run_check_switches(void);

/* State that a process keeps between scripts: open devices. */
typedef struct run_session run_session;

run_session *
run_session_open(const run_options *options);

void
run_session_close(run_session *session);

/* What a run says besides its result, malloc'd; NULL: nothing. */
typedef struct run_texts {
    char *findings; /* of the checks, as lines */
    char *counts;   /* as options.counts says */
} run_texts;

/* A script that is made when it runs. */
typedef struct run_work {
    const char *path;   /* for messages; paths of its shaders are relative to it */
    const char *target; /* as run_has_target takes it */
    /* Makes the script in the arena. Errors leave through `d`; NULL: the result says why. */
    const amber_script *(*make)(void *user, arena *a, diag *d, amber_result *r);
    void *user;
    const amber_observer *observer; /* NULL: none */
    run_pictures *pictures;         /* the observer's, of which the arena is set; or NULL */
} run_work;

run_texts
run_made(run_session *session, const run_work *work, amber_result *result);

/* Runs the file; failures are only reported in the result. */
run_texts
run_script(run_session *session, const char *path, const char *target, amber_result *result);

#endif
