/* What runs the pipelines of a script: an emulator, the HIR interpreter, a Vulkan driver.
 *
 * A device is a table of functions over its own state. The runner (run.h) owns the contents of all
 * buffers as host memory; a device reads them at the start of a dispatch and has written them back
 * when it returns. The exception is a multisampled image, which no copy can fill: a device may keep
 * its contents for itself, keyed by the amber_buffer, until `end_script`.
 *
 * A device is used by one thread at a time; several devices run at once.
 */
#ifndef AMBER_DEVICE_H
#define AMBER_DEVICE_H

#include "amber/amber.h"

/* The contents of a buffer or image while a script runs; `bytes` has buffer->size bytes, in the
 * layout that amber_buffer states. */
typedef struct amber_memory {
    uint8_t *bytes;
    uint64_t size;
} amber_memory;

/* One run of a compute pipeline. */
typedef struct amber_dispatch {
    const uint32_t *words; /* SPIR-V, valid by spirv-val where that is built in */
    size_t word_count;
    const amber_pipeline *pipeline;       /* bindings */
    const amber_attach *stage;            /* entry point, specialisation constants, subgroups */
    const amber_memory *memory;           /* of each buffer, by amber_buffer.index */
    const amber_buffer *const *addressed; /* all buffers with an address, bound or not. Not on a
                                             driver, which chooses addresses itself */
    uint32_t addressed_count;
    const uint8_t *push;       /* push constants */
    uint32_t push_size;        /* bytes */
    uint32_t groups[3];        /* numbers of workgroups */
    uint64_t max_instructions; /* of a wave; 0: the device's own bound. Not on a driver */
} amber_dispatch;

typedef enum amber_status {
    AMBER_PASS,
    AMBER_FAIL,
    AMBER_SKIP, /* the device lacks what the script requires, or it is not built yet: named */
} amber_status;

enum { AMBER_REASON_MAX = 1024 };

/* The outcome of a script or a dispatch, with one line of reason unless it passed. What is counted
 * and found is of the last dispatch, of the devices of our own; a driver leaves it alone. */
typedef struct amber_result {
    amber_status status;
    uint32_t findings;     /* AMD_EMU_CHECK_* (amd/emu/emu.h) of the checkers that found something;
                                   the interpreter's bad accesses and hangs have the same bits */
    uint64_t instructions; /* executed by all waves */
    uint64_t lane_instructions; /* the same times active lanes; of an emulator the vector ALU's */
    char reason[AMBER_REASON_MAX];
} amber_result;

/* Sets the status and the reason, a printf format; its line breaks become "; ". Returns whether the
 * status is AMBER_PASS. */
bool
amber_set_result(amber_result *r, amber_status status, const char *format, ...);

typedef struct amber_device amber_device;

typedef struct amber_device_functions {
    /* Whether the device has a feature, by AmberScript's name for it. */
    bool (*has_feature)(amber_device *d, const char *name);
    bool (*has_device_extension)(amber_device *d, const char *name);
    bool (*has_instance_extension)(amber_device *d, const char *name);
    bool (*has_property)(amber_device *d, const char *name);
    /* Runs one pipeline to its end. Findings of checkers are failures. Temporary memory may come
     * from `scratch`. False (with the result set) if it did not run well. */
    bool (*dispatch)(amber_device *d, arena *scratch, const amber_dispatch *run, amber_result *r);
    /* Called after each script: what was kept for its buffers goes. May be NULL. */
    void (*end_script)(amber_device *d);
    void (*destroy)(amber_device *d);
} amber_device_functions;

/* The head of every device's state. */
struct amber_device {
    const amber_device_functions *functions;
    const char *name; /* "gfx1030", "hir", "vulkan": what stands in brackets in the report */
};

#endif
