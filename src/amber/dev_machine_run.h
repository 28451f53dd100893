/* A family's compiler and emulator as a device: what dispatches and draws have in common (internal
 * to dev_machine*.c). */
#ifndef AMBER_DEV_MACHINE_RUN_H
#define AMBER_DEV_MACHINE_RUN_H

#include "amber/accel.h"
#include "amber/dev_emu.h"
#include "amber/dev_machine.h"

typedef struct amber_machine_device {
    amber_device base;
    amber_device_functions functions; /* without those that the family lacks */
    amber_emu_job job;
    family_target target;
    amber_emu_waves waves;
    amber_machine_options options;
    void *switches;     /* of the family */
    bool prints_code;   /* the switch disasm */
    ir_pass_run passes; /* requests of each compile */
} amber_machine_device;

/* A buffer of the script in the machine's memory: as bytes, as an image, or both. */
typedef struct amber_machine_placed {
    const amber_buffer *source;
    mach_region *bytes;  /* NULL: not bound as a buffer */
    mach_region *texels; /* NULL: not bound as an image */
    const mach_image *image;
} amber_machine_placed;

/* A compiled shader. */
typedef struct amber_machine_program {
    family_layout layout;
    family_binary binary;
    uint32_t group_size[3];
    mach_poison poison; /* options.poison: `first` is set for each launch */
    /* of a draw's shaders */
    const family_pipeline *pipeline;
    bool shades_samples;
} amber_machine_program;

/* A shader of the run; a draw's dispatch has what functions ask of a stage. */
typedef struct amber_machine_stage {
    const amber_dispatch *run;
    const amber_machine_program *program;
    uint64_t entry; /* where its code is */
} amber_machine_stage;

enum { AMBER_MACHINE_STAGES = 2 /* compute; vertex, fragment */ };

typedef struct amber_machine_run {
    amber_emu_job *job; /* the device's */
    amber_machine_device *device;
    const amber_dispatch *run; /* that of the first stage */
    const amber_draw *draw;    /* NULL: a dispatch */
    amber_result *result;
    amber_machine_stage stages[AMBER_MACHINE_STAGES];
    mach_memory memory;
    amber_machine_placed *buffers; /* by amber_buffer.index */
    uint32_t buffer_count;
    amber_accels accels;
    mach_region *accel_bytes;     /* NULL: there are none */
    family_resource *resources;   /* of each binding */
    mach_watch own_watch, *watch; /* own_watch, or options.watch */
    mach_report report;
} amber_machine_run;

/* Compiles a stage's shader for the pipeline (NULL: none) when it first runs with it. Returns false
 * with a skip if the device lacks the size of its waves. */
bool
amber_machine_compile(amber_machine_run *r, amber_machine_stage *s, const family_pipeline *p);

/* Maps all buffers that are bound, or have an address, or are a draw's, and describes the bindings
 * as resources. Returns false with a skip if there is an image of an unknown format. */
bool
amber_machine_bind(amber_machine_run *r);

/* A stage with its resources, as the family takes it. */
family_shader
amber_machine_shader(const amber_machine_run *r, const amber_machine_stage *s);

/* After the run: notes its counts, and fails with its findings unless `ok`. */
bool
amber_machine_end(amber_machine_run *r, bool ok);

/* amber_device_functions.draw. */
bool
amber_machine_draw(amber_device *base, arena *scratch, const amber_draw *draw,
                   amber_result *result);

#endif
