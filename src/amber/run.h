/* Runs a script on a device. */
#ifndef AMBER_RUN_H
#define AMBER_RUN_H

#include "amber/device.h"

/* The callback that compiles shaders to SPIR-V. */
typedef struct amber_frontend {
    /* Allocates the module's words in the arena and returns true, or returns false with a message
     * in the arena. */
    bool (*compile)(void *user, arena *a, const amber_script *script, const amber_attach *at,
                    const uint32_t **words, size_t *count, const char **message);
    void *user;
} amber_frontend;

/* Callbacks for a caller that wants to see results; a function may be NULL. */
typedef struct amber_observer {
    /* Called once, when the last command has been executed or one has failed (`failed`, else NULL),
     * with the contents of all buffers by amber_buffer.index. Not called for a script that was
     * skipped at the start. */
    void (*finished)(void *user, const amber_script *script, const amber_memory *memory,
                     const amber_command *failed);
    /* Called after each draw, also one with findings, with the contents of its attachments. */
    void (*drawn)(void *user, const amber_command *draw, const amber_memory *memory);
    void *user;
} amber_observer;

/* Executes the script's commands in order until one fails. `scratch` is empty again on return.
 * `observer` may be NULL. Running out of memory leaves through the arena's failure handler. */
void
amber_run(const amber_script *script, amber_device *device, const amber_frontend *frontend,
          const amber_observer *observer, arena *scratch, amber_result *result);

#endif
