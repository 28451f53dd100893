/* heddle gpu replay and dump: captured submissions. */
#ifndef GPU_CAPTURE_H
#define GPU_CAPTURE_H

#include "base/arena.h"
#include "run_check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct capture_options {
    const run_checks *checks;
    const char *json;         /* a file for findings, appended; NULL: none */
    const char *instructions; /* a file for the trace of instructions; NULL: none */
    const char *limit;        /* of the instructions of a dispatch; NULL: the capture's */
    bool counts, trace;
} capture_options;

/* Is it a captured submission, by its first bytes? */
bool
cli_is_capture(const uint8_t *data, size_t size);

/* Executes the captured submission of a file again and compares the memory that it leaves. Returns
 * the exit code: CLI_FAILED if it cannot be read, something was found, or it ended otherwise. */
int
cli_replay_capture(const char *path, const capture_options *options);

/* Prints a captured submission, which is executed meanwhile. */
int
cli_dump_capture(const char *path, const uint8_t *data, size_t size);

/* Calls a function with an arena that lives as long, and returns what it returns, or CLI_FAILED,
 * after a message about `path`, if there is no memory. */
int
cli_with_arena(const char *path, int (*call)(void *user, arena *a), void *user);

#endif
