/* One trial of bisect and reduce: does a script, or a command, fail? Each trial runs in a process of
 * its own, so a crash or a hang is a failure like any other. */
#ifndef PROBE_H
#define PROBE_H

#include "cli.h"
#include "run_script.h"

typedef struct probe {
    const char *script; /* NULL: the command is tried */
    const char *target;
    const char *command; /* for sh; it fails if it does not exit with 0 */
    run_options options;
    bool compares;     /* a run whose buffers differ from these at the end fails, too */
    uint64_t expected; /* digest of them */
    unsigned seconds;  /* a trial that takes longer fails */
} probe;

typedef struct probe_result {
    amber_status status;
    uint64_t digest; /* of the buffers; 0: the run did not come to its end */
    char reason[200];
} probe_result;

/* Tries with a debug switch more in HEDDLE_DEBUG; `more` may be NULL. */
probe_result
probe_try(const probe *p, const char *more);

/* Runs `body` in a process of its own that ends after p->seconds. Returns its wait status. */
int
probe_fork(const probe *p, void (*body)(const probe *p, void *user), void *user);

/* Appends the switch to HEDDLE_DEBUG. */
void
probe_set_debug(const char *more);

#endif
