/* The part of the reader that is for graphics pipelines (internal). read_pipeline.c reads a
 * pipeline's block; read_state.c its graphics state; read_attachments.c what it draws into;
 * read_vertices.c vertex data and the commands that draw. VkScript uses the same model. */
#ifndef AMBER_READ_PIPELINE_H
#define AMBER_READ_PIPELINE_H

#include "amber/read.h"

/* A pipeline whose block is being read. */
typedef struct read_body {
    reader *r;
    amber_pipeline *p;
    size_t attach_cap, binding_cap, input_cap, resolve_cap;
    const amber_buffer **resolves; /* BIND BUFFER AS resolve, in order */
    size_t resolve_count;
} read_body;

/* The state of a graphics pipeline about which nothing was said. */
amber_graphics *
amber_read_new_graphics(arena *a);

/* Reads a command of a pipeline's block that is for graphics. Returns false if the last token is
 * none. */
bool
amber_read_graphics_command(read_body *b);

/* VERTEX_DATA and INDEX_DATA; the word has been consumed. */
void
amber_read_vertex_data(read_body *b);
void
amber_read_index_data(read_body *b);

/* The rest of BIND BUFFER name AS color, depth_stencil, resolve. */
void
amber_read_color(read_body *b, amber_buffer *buffer);
void
amber_read_depth_stencil(read_body *b, amber_buffer *buffer);
void
amber_read_captured(read_body *b, amber_buffer *buffer);
void
amber_read_resolve(read_body *b, amber_buffer *buffer);

/* Adds a colour attachment of that location. */
void
amber_read_color_target(read_body *b, const amber_buffer *buffer, uint32_t location);

/* Completes a pipeline's attachments: that of a script that names none, sizes, resolves. */
void
amber_read_finish_attachments(read_body *b);

/* A rectangle in clip coordinates, divided into cells. */
typedef struct read_grid {
    float x, y, width, height;
    uint32_t columns, rows; /* 0: the rectangle is a strip of two triangles */
} read_grid;

/* Makes a buffer that the script does not name, of `elements` of that format; the caller fills its
 * bytes. */
amber_buffer *
amber_read_hidden_buffer(reader *r, const char *format, uint64_t elements, uint8_t **bytes);

/* Makes the command that draws these vertices. */
void
amber_read_add_draw(reader *r, const amber_pipeline *p, const amber_vertices *v);

/* Makes the command that draws a rectangle or grid. */
amber_vertices *
amber_read_draw_grid(reader *r, const amber_pipeline *p, const read_grid *grid);

/* Finds a topology by its name in AmberScript. Returns false if there is none. */
bool
amber_read_find_topology(const char *name, mach_topology *out);

/* The rest of RUN pipeline DRAW_RECT, DRAW_GRID or DRAW_ARRAY. */
void
amber_read_draw(reader *r, const amber_pipeline *p);

/* CLEAR and CLEAR_COLOR, CLEAR_DEPTH, CLEAR_STENCIL. */
void
amber_read_clear(reader *r);

#endif
