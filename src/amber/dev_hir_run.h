/* The interpreter's device: what dispatches and draws have in common (internal to dev_hir*.c). */
#ifndef AMBER_DEV_HIR_RUN_H
#define AMBER_DEV_HIR_RUN_H

#include "amber/accel.h"
#include "amber/dev_emu.h"
#include "amber/dev_hir.h"
#include "ir/eval.h"

typedef struct amber_hir_device {
    amber_device base;
    amber_emu_job job;
    amber_emu_waves waves;
    amber_hir_odd odd;
} amber_hir_device;

typedef struct amber_hir_run {
    amber_hir_device *device;
    const amber_dispatch *run; /* a draw's, too, of one of its stages */
    mach_image *views;         /* by binding */
    mach_sampler *samplers;
    amber_accels accels;
    uint8_t *accel_bytes; /* their bytes, which no shader changes */
    amber_result *result;
    void *draw; /* what the stages of a draw share */
} amber_hir_run;

/* Fills in the views and samplers of the bindings. Returns false with a skip if there is one that
 * has none. */
bool
amber_hir_open_bindings(amber_hir_run *r);

/* The shader, read at its first run. */
ir_fn *
amber_hir_shader(amber_hir_run *r);

/* The environment of a run, whose user it is. */
ir_eval_env
amber_hir_env(amber_hir_run *r);

/* Adds a run's counts and findings to the result. Returns false with the message if it failed. */
bool
amber_hir_note(amber_hir_run *r, const ir_eval_result *result);

/* amber_device_functions.draw. */
bool
amber_hir_draw(amber_device *base, arena *scratch, const amber_draw *draw, amber_result *result);

#endif
