/* A draw that runs (inside the room). */
#ifndef R600_EMU_DRAW_STATE_H
#define R600_EMU_DRAW_STATE_H

#include "r600/emu/draw/draw.h"
#include "r600/emu/run/stage.h"

enum { DRAW_PIXEL, DRAW_POSITION, DRAW_PARAMETER }; /* types of exports */
enum { DRAW_FIRST_POSITION = 60, DRAW_POSITIONS = 4, DRAW_DEPTH = 61 };

/* Four components and which of them are defined, a bit each. */
typedef struct draw_vector {
    uint32_t c[4];
    uint8_t defined;
} draw_vector;

typedef struct draw_run {
    const r600_draw *draw;
    mach_report *report;
    r600_stage *vertex, *fragment;
    mach_draw fixed;
    const mach_vertex_batch *batch;
    uint32_t n_batches, n_waves; /* waves of fragments of the batch */
    uint32_t first;              /* vertex of the wave that runs */
    const emu_wave *wave;
    draw_vector position[MACH_BATCH_VERTICES][DRAW_POSITIONS];
    draw_vector parameter[MACH_BATCH_VERTICES][R600_DRAW_PARAMETERS];
    draw_vector pixel[EMU_LANES][MACH_MAX_COLORS], depth[EMU_LANES];
    emu_parameters planes;
    bool captures;
    emu_streamout streamout;
    uint32_t stream_room, streamed; /* vertices for which buffers have room, and of draws before */
} draw_run;

/* mach_shading's callbacks; `user` is a draw_run. */
bool
r600_draw_vertices(void *user, mach_vertex_batch *b);
bool
r600_draw_fragments(void *user, mach_fragment_batch *b);

/* Reads where transform feedback stores. */
void
r600_draw_open_streams(draw_run *r);

/* What the stages export. */
void
r600_draw_take_vertices(void *user, const r600_export *e);
void
r600_draw_take_pixels(void *user, const r600_export *e);

/* A vector that a lane exports, added to what it has exported. */
static inline void
r600_draw_take(const r600_export *e, unsigned lane, draw_vector *to)
{
    for (unsigned c = 0; c < 4; c++) {
        if (!(e->mask >> c & 1))
            continue;
        to->c[c] = e->value[c][lane];
        to->defined = (uint8_t)((to->defined & ~(1u << c)) | (e->defined[c] >> lane & 1) << c);
    }
}

#endif
