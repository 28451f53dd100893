/* What vertex and fragment shaders read and write on the interpreter's device: attributes,
 * varyings, built-ins, colours (internal to dev_hir*.c). */
#ifndef AMBER_DEV_HIR_STAGE_H
#define AMBER_DEV_HIR_STAGE_H

#include "amber/amber.h"
#include "amber/device.h"
#include "ir/eval.h"
#include "machine/raster/draw.h"

enum { AMBER_HIR_LOCATIONS = 64 };

/* What a vertex shader stored at each location, words of its components: patterns of 32 bits, of 16
 * bits in one word, of 64 bits in two. */
typedef struct amber_hir_varyings {
    uint32_t word[AMBER_HIR_LOCATIONS][4];
} amber_hir_varyings;

typedef struct amber_hir_stages {
    const amber_draw *draw;
    const mach_draw *state;
    const mach_vertex_batch *vertices; /* the batch that is shaded, or was last */
    amber_hir_varyings varyings[MACH_BATCH_VERTICES];
    const mach_fragment_batch *fragments;
    /* Transform feedback: vertices for which buffers have room, and those before the batch. */
    uint64_t capture_room, captured;
} amber_hir_stages;

/* ir_eval_env.io of the two stages. */
bool
amber_hir_vertex_io(amber_hir_stages *s, ir_eval_io *io);
bool
amber_hir_fragment_io(amber_hir_stages *s, ir_eval_io *io);

#endif
