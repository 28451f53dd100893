/* A draw that runs (inside the room). */
#ifndef ADRENO_EMU_DRAW_STATE_H
#define ADRENO_EMU_DRAW_STATE_H

#include "adreno/emu/draw/draw.h"
#include "adreno/emu/graphics/graphics.h"
#include "adreno/emu/run/stage.h"

typedef struct draw_run {
    const adreno_draw *draw;
    const mach_memory *memory;
    mach_report *report;
    adreno_stage *vertex, *fragment;
    mach_draw fixed;
    const mach_vertex_batch *batch;
    uint32_t n_batches, n_waves;                            /* waves of fragments of the batch */
    uint32_t words[MACH_BATCH_VERTICES][ADRENO_DRAW_WORDS]; /* what vertices gave */
    bool defined[MACH_BATCH_VERTICES][ADRENO_DRAW_WORDS];
    adreno_varyings varyings;
    uint64_t streamed; /* vertices that were captured */
    bool stream_full;  /* a buffer had no room for a primitive */
} draw_run;

/* Captures the vertices of the batch. */
void
adreno_draw_capture(draw_run *r, const mach_vertex_batch *b);

/* mach_shading's callbacks; `user` is a draw_run. */
bool
adreno_draw_vertices(void *user, mach_vertex_batch *b);
bool
adreno_draw_fragments(void *user, mach_fragment_batch *b);

#endif
