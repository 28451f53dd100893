/* Running one script on one target, for heddle run. */
#ifndef RUN_SCRIPT_H
#define RUN_SCRIPT_H

#include "amber/device.h"

typedef struct run_options {
    const char *device; /* "emu" or "vulkan" */
    unsigned wave_size; /* 0: the target's default */
    const char *check;  /* "all", "none" or a list; NULL is all */
    const char *abi;    /* of machines: "vulkan" or "hsa" */
    unsigned seed;
    const char *png_dir; /* NULL: no pictures */
} run_options;

/* Whether scripts can be run on a target of that name: "vulkan", "hir", a machine's. */
bool
run_has_target(const char *name);

/* What is kept from one script to the next in a process: devices that are open. */
typedef struct run_session run_session;

run_session *
run_session_open(const run_options *options);

void
run_session_close(run_session *session);

/* Runs the file; never fails other than by the result. */
void
run_script(run_session *session, const char *path, const char *target, amber_result *result);

#endif
