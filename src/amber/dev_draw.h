/* A script's draw as a draw of the machine layer, for Heddle's own devices (internal to them). */
#ifndef AMBER_DEV_DRAW_H
#define AMBER_DEV_DRAW_H

#include "amber/dev_emu.h"
#include "machine/raster/draw.h"

/* Sets the fixed functions' rules: not attachments, vertices, or what shaders say. */
void
amber_draw_rules(mach_draw *s, const amber_draw *draw);

/* Sets the attachments: `depth` and `stencil` are one image if the format has both. Returns false
 * with a skip if a format is not known. */
bool
amber_draw_open_targets(amber_emu_job *j, mach_draw *s, const amber_draw *draw, amber_result *r);

/* Sets the vertices, with indices as numbers; brings the buffers that have them up to date. */
void
amber_draw_open_vertices(amber_emu_job *j, mach_draw *s, const amber_draw *draw);

/* After the draw: notes the images that have changed, and resolves samples. */
void
amber_draw_finish(amber_emu_job *j, const mach_draw *s, const amber_draw *draw, amber_result *r);

/* The vertex and the fragment shader, as dispatches that have what the devices' functions ask of a
 * stage; without words: there is none. Returns false with a skip if the draw has other stages. */
enum { AMBER_DRAW_STAGES = 2 };
bool
amber_draw_open_stages(const amber_draw *draw, amber_dispatch stages[AMBER_DRAW_STAGES],
                       amber_result *r);

/* Bits of an index. */
uint32_t
amber_draw_index_bits(const amber_buffer *b);

#endif
