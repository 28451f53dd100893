/* Devices run the pipelines of a script: an emulator, the HIR interpreter, a Vulkan driver.
 *
 * A device is a table of functions over its own state. The runner (run.h) owns the contents of all
 * buffers as host memory; a device reads them at the start of a dispatch, draw or clear and writes
 * them back before it returns. There are two exceptions, whose contents a device may keep, keyed by
 * the amber_buffer, until `end_script`: a multisampled image, which cannot be filled by a copy; and
 * with `sync` any buffer of a lasting dispatch or draw, so that a script that repeats it does not
 * copy its images each time.
 *
 * A device is used by one thread at a time; several devices may run concurrently.
 */
#ifndef AMBER_DEVICE_H
#define AMBER_DEVICE_H

#include "amber/amber.h"

/* The contents of a buffer or image while a script runs; `bytes` has buffer->size bytes in the
 * layout described at amber_buffer, and room up to the next multiple of AMBER_ROOM. */
typedef struct amber_memory {
    uint8_t *bytes;
    uint64_t size;
} amber_memory;

enum { AMBER_ROOM = 16 };

static inline uint64_t
amber_room(uint64_t size)
{
    return (size + AMBER_ROOM - 1) & ~(uint64_t)(AMBER_ROOM - 1);
}

static inline uint64_t
amber_whole_dwords(uint64_t size)
{
    return (size + 3) & ~UINT64_C(3);
}

/* One run of a compute pipeline. */
typedef struct amber_dispatch {
    const uint32_t *words; /* SPIR-V, validated by spirv-val if that is built in */
    size_t word_count;
    const amber_pipeline *pipeline;       /* bindings */
    const amber_attach *stage;            /* entry point, specialisation constants, subgroups */
    const amber_memory *memory;           /* of each buffer, by amber_buffer.index */
    const amber_buffer *const *addressed; /* all buffers with an address, bound or not. Not used by
                                           * drivers, which choose addresses themselves */
    uint32_t addressed_count;
    const uint8_t *push; /* push constants */
    uint32_t push_size;  /* in bytes */
    uint32_t groups[3];  /* number of workgroups */
    uint32_t times; /* runs, one behind the other; 0: one. Others only where the device `repeats` */
    uint64_t max_instructions; /* per wave; 0: the device's own limit. Not used by drivers */
    /* `words`, `stage` and `memory` stay where they are until `end_script`, and the caller calls
     * `sync`: the device may keep what it makes of them. Otherwise it keeps nothing. */
    bool is_lasting;
} amber_dispatch;

/* A shader of a draw. */
typedef struct amber_stage_code {
    const uint32_t *words; /* SPIR-V, validated as that of amber_dispatch */
    size_t word_count;
    const amber_attach *attach; /* stage, entry point, specialisation constants, subgroups */
} amber_stage_code;

/* One draw of a graphics pipeline. Attachments are read from and written to the bytes of their
 * buffers in `memory`; all buffers may be among the bindings, too. */
typedef struct amber_draw {
    const amber_stage_code *stages; /* in no order; there is one for vertices. Without one for
                                     * fragments only depth is written */
    uint32_t stage_count;
    const amber_pipeline *pipeline;
    const amber_vertices *vertices;
    const amber_memory *memory; /* as in amber_dispatch; so all that follow */
    const amber_buffer *const *addressed;
    uint32_t addressed_count;
    const uint8_t *push;
    uint32_t push_size;
    uint64_t max_instructions;
    bool is_lasting;
    bool unrestricted_depth; /* the script asks for VK_EXT_depth_range_unrestricted */
} amber_draw;

/* Sets all texels of a pipeline's attachments. */
typedef struct amber_clear {
    const amber_pipeline *pipeline;
    const amber_memory *memory; /* of each buffer, by amber_buffer.index */
    double color[4];
    float depth;
    uint8_t stencil;
} amber_clear;

typedef enum amber_status {
    AMBER_PASS,
    AMBER_FAIL,
    /* the device lacks a required feature, or Heddle does not support it yet: the reason names
     * it */
    AMBER_SKIP,
} amber_status;

enum { AMBER_REASON_MAX = 1024 };

/* The outcome of a script or a dispatch, with a one-line reason unless it passed. Counts and
 * findings are those of the last dispatch and are only set by Heddle's own devices, not by a
 * driver. */
typedef struct amber_result {
    amber_status status;
    uint32_t findings;     /* MACH_CHECK_* (machine/report.h) of the checks with findings; the
                            * interpreter's bad accesses and hangs use the same bits */
    uint64_t instructions; /* executed by all waves */
    /* the same times active lanes; on an emulator only for the vector ALU */
    uint64_t lane_instructions;
    char reason[AMBER_REASON_MAX];
} amber_result;

/* Sets the status and the reason (a printf format); line breaks in the reason become "; ". Returns
 * true if the status is AMBER_PASS. */
bool
amber_set_result(amber_result *r, amber_status status, const char *format, ...);

/* Extensions that scripts which do not ask for them should not have: the first changes what depths
 * do, the others cost drivers time. */
enum {
    AMBER_ASKS_UNRESTRICTED_DEPTH = 1, /* VK_EXT_depth_range_unrestricted */
    AMBER_ASKS_RAYS = 2,               /* VK_KHR_acceleration_structure, VK_KHR_ray_query */
};

typedef struct amber_device amber_device;

typedef struct amber_device_functions {
    /* Returns true if the device has the feature, named as in AmberScript. */
    bool (*has_feature)(amber_device *d, const char *name);
    bool (*has_device_extension)(amber_device *d, const char *name);
    bool (*has_instance_extension)(amber_device *d, const char *name);
    bool (*has_property)(amber_device *d, const char *name);
    /* Runs one pipeline to completion. Findings of checks are failures. Temporary memory may come
     * from `scratch`. Returns false (with the result set) on failure. */
    bool (*dispatch)(amber_device *d, arena *scratch, const amber_dispatch *run, amber_result *r);
    /* The same for one draw. NULL: scripts that draw are skipped. */
    bool (*draw)(amber_device *d, arena *scratch, const amber_draw *draw, amber_result *r);
    /* NULL: the runner writes the bytes of the attachments, of all samples. */
    bool (*clear)(amber_device *d, arena *scratch, const amber_clear *clear, amber_result *r);
    /* Called before the runner reads the bytes of a buffer, or (`write`) changes them. The device
     * brings them up to date, and drops its own copy if they will change. NULL: they always are. */
    void (*sync)(amber_device *d, const amber_buffer *b, const amber_memory *m, bool write);
    bool repeats; /* a dispatch may be run many times, whose contents are then moved only once */
    /* Called before each script with the AMBER_ASKS_* of the extensions that it asks for and that
     * are enabled for such scripts alone. May be NULL. Returns false (with the result set) on
     * failure. */
    bool (*begin_script)(amber_device *d, uint32_t asks, amber_result *r);
    /* Called after each script to free the state kept for its buffers. May be NULL. */
    void (*end_script)(amber_device *d);
    /* Was the device lost before it took the last dispatch? Another must be opened then. May be
     * NULL. */
    bool (*was_lost)(const amber_device *d);
    void (*destroy)(amber_device *d);
} amber_device_functions;

/* The head of every device's state. */
struct amber_device {
    const amber_device_functions *functions;
    const char *name; /* "gfx1030", "hir", "vulkan": the name in brackets in the report */
};

#endif
