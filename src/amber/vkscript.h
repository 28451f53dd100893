/* The state of the reader of VkScript, and its parts (internal).
 *
 * vkscript.c reads sections, buffers and compute shaders' commands; vkscript_draw.c vertex data and
 * the commands that draw, clear and probe; vkscript_state.c the state of the graphics pipeline.
 *
 * A command of [test] that sets graphics state changes `state`. A draw that follows makes a
 * pipeline of it, unless nothing has changed since the last draw. All pipelines have the same
 * attachments, which those commands make that need them first.
 */
#ifndef AMBER_VKSCRIPT_H
#define AMBER_VKSCRIPT_H

#include "amber/read_pipeline.h"

/* A buffer that the script has mentioned. */
typedef struct vk_buffer {
    amber_buffer *buffer;
    amber_descriptor kind;
    uint32_t set, binding;
    uint64_t count;  /* elements requested by `ssbo binding size` */
    uint64_t extent; /* bytes written */
} vk_buffer;

enum { VK_STAGES = AMBER_COMPUTE + 1 };

typedef struct vkscript {
    reader *r;
    amber_shader *shaders[VK_STAGES]; /* of the last section of each stage, or NULL */
    const char *entries[VK_STAGES];   /* the entry points of draws that follow; NULL: main */
    amber_pipeline *pipeline;         /* of compute shaders */
    vk_buffer *buffers;
    size_t buffer_count, buffer_cap;
    vk_buffer push;           /* push constants; `buffer` is NULL until they are mentioned */
    base_map places;          /* set << 32 | binding -> index in `buffers` */
    amber_command tolerances; /* the current tolerances */

    const char *color_format, *depth_format; /* of [require]; NULL: not given */
    uint32_t width, height;                  /* of the framebuffer */
    amber_vertex_input *inputs;              /* [vertex data] */
    size_t input_count, input_cap;
    const amber_buffer *index; /* [indices], or NULL */
    amber_pipeline *target;    /* has the attachments alone, for clears; NULL until they are used */
    amber_graphics state;      /* for the draws that follow */
    const amber_pipeline *draw; /* of the last draw, if `state` is still the same, else NULL */
} vkscript;

/* Makes the framebuffer and the state, if no command has needed them before. */
void
amber_vkscript_prepare(vkscript *v);

/* Read sections. */
void
amber_vkscript_vertex_data(vkscript *v);
void
amber_vkscript_indices(vkscript *v);

/* Read commands of [test], whose first word has been consumed. */
void
amber_vkscript_draw(vkscript *v);
void
amber_vkscript_clear(vkscript *v);
void
amber_vkscript_entry_point(vkscript *v);
void
amber_vkscript_patch(vkscript *v);
void
amber_vkscript_probe(vkscript *v);
void
amber_vkscript_relative(vkscript *v);

/* Reads a command that sets graphics state. Returns false if the last token is none. */
bool
amber_vkscript_state(vkscript *v);

#endif
