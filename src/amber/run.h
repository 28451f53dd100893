/* Running a script on a device. */
#ifndef AMBER_RUN_H
#define AMBER_RUN_H

#include "amber/device.h"

/* How shaders become SPIR-V. */
typedef struct amber_frontend {
    /* The words of the module in the arena, or false with a message in the arena. */
    bool (*compile)(void *user, arena *a, const amber_script *script, const amber_attach *at,
                    const uint32_t **words, size_t *count, const char **message);
    void *user;
} amber_frontend;

/* Executes the script's commands in order, until one fails. `scratch` is empty again afterwards.
 * Running out of memory leaves by the arena's failure handler. */
void
amber_run(const amber_script *script, amber_device *device, const amber_frontend *frontend,
          arena *scratch, amber_result *result);

#endif
