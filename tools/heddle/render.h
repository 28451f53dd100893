/* heddle render: a picture drawn by a fragment shader, as shader playgrounds have them.
 *
 * The drawing is a script of Amber, made here: one triangle that covers the picture, a uniform
 * buffer, four textures, and a draw for each frame. So any device of heddle run draws it, with the
 * same checks. docs/cli.md says what shaders find.
 */
#ifndef RENDER_H
#define RENDER_H

#include "frontend.h"
#include "picture_animation.h"
#include "run_script.h"

enum { RENDER_TEXTURES = 4, RENDER_MAX_SIDE = 1 << 13, RENDER_MAX_LEVELS = 15 };

typedef struct render_texture {
    picture levels[RENDER_MAX_LEVELS]; /* level 0 has no pixels: there is no texture */
    uint32_t level_count;
    bool is_nearest, is_clamped, is_srgb;
    unsigned anisotropy; /* 0 and 1: none */
} render_texture;

/* Reads FILE.png{,WORD}: nearest, linear (no mip levels), clamp, srgb, aniso=N. With `upside_down`
 * the first row is the lowest one. Returns -1, or the exit code after a message. */
int
render_read_texture(arena *a, const char *text, bool upside_down, render_texture *out);

typedef struct render_options {
    const char *path;
    uint32_t width, height;
    double time, fps;
    uint32_t frames; /* more than 1: an animation */
    double mouse[4];
    const char *entry; /* NULL: the first one of fragments */
    cli_list include, define;
    render_texture textures[RENDER_TEXTURES];
} render_options;

/* A fragment shader in SPIR-V. */
typedef struct render_shader {
    const uint32_t *words;
    size_t word_count;
    const char *entry;
    bool from_below; /* a Shadertoy: y grows upwards, in the picture and in textures */
} render_shader;

/* Reads and translates the shader. Returns -1, or the exit code after a message. */
int
render_read_shader(arena *a, const render_options *o, render_shader *out);

/* Finds the entry point, and what the shader asks for that is not there. Returns -1, or the exit code
 * after a message. */
int
render_check_shader(arena *a, const render_options *o, render_shader *shader);

/* What has been drawn. */
typedef struct render_result {
    const render_options *options;
    const render_shader *shader;
    arena *arena, *scratch; /* for the animation; for the last picture */
    picture last;
    uint32_t count;
    picture_animation animation;
} render_result;

/* Draws the frames into the result. */
run_texts
render_draw(run_session *session, render_result *result, const char *target, amber_result *verdict);

#endif
