/* Options of heddle run for a kernel's buffers after the run.
 *
 *     --out ARG=FILE               writes the buffer
 *     --print ARG[:TYPE][,N]       prints its first N elements (64)
 *     --expect ARG:DESCRIPTION     compares (data_spec.h)
 *
 * ARG is the argument's name or its number. The options are parsed, and the expected data is made,
 * before the kernel runs.
 */
#ifndef RUN_RESULT_H
#define RUN_RESULT_H

#include "kernel_args.h"
#include "run_kernel.h"

/* One of the options above. */
typedef struct run_result {
    const char *text; /* as given */
    const kernel_slot *slot;
    const char *path;      /* out */
    data_spec spec;        /* print: type and count; expect */
    uint8_t *want;         /* expect */
    uint64_t offset, size; /* expect: bytes to compare */
} run_result;

typedef struct run_results {
    arena *arena;
    run_result *outs, *prints, *expects;
    size_t n_outs, n_prints, n_expects;
} run_results;

/* Parses the options. On failure returns false and a message. */
bool
run_results_parse(run_results *r, arena *a, const kernel_frame *frame, const kernel_files *files,
                  const kernel_options *o, const char **message);

/* Writes, prints and compares. Returns a message for the first problem, or NULL if there is none.
 */
const char *
run_results_finish(const run_results *r);

#endif
