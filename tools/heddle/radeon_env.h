/* The environment in which a process's Vulkan loader finds the software Radeon (tools/radeon). */
#ifndef RADEON_ENV_H
#define RADEON_ENV_H

#include "run_check.h"

#include <stdbool.h>

/* NULL: what the Radeon does without. */
typedef struct radeon_wish {
    const char *chip; /* by its name, or a processor */
    const run_checks *checks;
    const char *log;        /* a file for findings */
    const char *json;       /* the same, as JSON */
    const char *captures;   /* a folder for captures */
    const char *dispatches; /* a file for what each dispatch has executed */
    const char *driver;     /* the library of RADV */
    const char *queues;     /* "compute", "all" */
    const char *limit;      /* of the instructions of a dispatch; "0": none */
    const char *threads;    /* for the groups of a dispatch */
    bool trace;             /* packets, too */
    bool sums;              /* counts by class (counts.h) */
} radeon_wish;

/* Sets the environment of this process and those that it starts. Returns -1, or an exit code after
 * a message: there is no such chip, or the Radeon is not built in. */
int
cli_set_radeon(const radeon_wish *wish);

#endif
