/* What a case draws: attributes, attachments, and the other stage of a vertex or fragment shader.
 *
 * The other stage is a module of its own, made for the shader's inputs and outputs by partners.py,
 * which knows their formats, too. Attributes and attachments are buffers of the case: the seed
 * fills both, and an attachment keeps what no fragment covers.
 */
#ifndef REAL_DRAWING_H
#define REAL_DRAWING_H

#include "amber/device.h"

enum { REAL_MAX_ATTRIBUTES = 32 };

/* An attribute's place and format, or an attachment's format. */
typedef struct real_format {
    uint32_t location;
    amber_texel texel;
} real_format;

/* What a draw needs beside the shader. */
typedef struct real_drawn {
    const uint32_t *words; /* of the other stage, whose entry point is "main" */
    size_t n_words;
    real_format attributes[REAL_MAX_ATTRIBUTES], targets[AMBER_MAX_TARGETS];
    uint32_t n_attributes, n_targets; /* target i has location i */
    bool points;                      /* in place of triangles */
} real_drawn;

/* The state of a case that draws; the pipeline points into it. */
typedef struct real_drawing {
    amber_graphics graphics;
    amber_vertices vertices;
    amber_vertex_input inputs[REAL_MAX_ATTRIBUTES];
    amber_shader shader; /* of the other stage */
    amber_attach stage;  /* of the same */
    amber_stage_code codes[2];
} real_drawing;

/* Reads "LOCATION:FORMAT,...", formats as scripts name them. Returns false if there are more than
 * `max`, or one is not known. */
bool
real_read_formats(const char *text, real_format *formats, uint32_t max, uint32_t *n);

struct real_maker;

/* Adds attributes and attachments to the case, and makes it draw. */
void
real_make_drawing(struct real_maker *m, const real_drawn *drawn);

#endif
