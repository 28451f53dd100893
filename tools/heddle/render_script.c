/* The drawing of heddle render as a script. */
#include "render.h"

#include "base/buf.h"

#include <string.h>

/* ---- the text ---- */

/* Everything but the frames. The triangle's corners are at -1 and 3, so that it has the picture's
 * corners on its sides or within; (0, 0) of `uv` is the picture's first pixel's corner. */
static const char scene[] = "#!amber\n"
                            "SHADER vertex corners GLSL\n"
                            "#version 450\n"
                            "layout(location = 0) out vec2 uv;\n"
                            "void main() {\n"
                            "    uv = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;\n"
                            "    gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);\n"
                            "}\n"
                            "END\n"
                            "SHADER fragment shader SPIRV-BIN FILE SHADER\n"
                            "STRUCT frame\n"
                            "  vec3<float> resolution\n"
                            "  float time\n"
                            "  vec4<float> mouse\n"
                            "  vec4<float> date\n"
                            "  int32 number\n"
                            "  float time_delta\n"
                            "  float rate\n"
                            "  float sample_rate\n"
                            "  vec4<float>[4] texture_resolution\n"
                            "  vec4<float>[4] texture_time\n"
                            "END\n"
                            "BUFFER picture FORMAT R8G8B8A8_UNORM\n";

static void
put_number(base_buf *b, double x)
{
    buf_puts(b, " ");
    buf_put_float(b, x, 'g', 9);
}

static void
put_numbers(base_buf *b, const double *x, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        put_number(b, x[i]);
}

static void
put_frame(base_buf *b, const render_options *o, uint32_t n)
{
    static const double zeros[4] = {0};
    double time = o->time + n / o->fps;
    buf_printf(b, "BUFFER frame%u DATA_TYPE frame STD140 DATA", n);
    put_numbers(b, (const double[]){o->width, o->height, 1, time}, 4);
    put_numbers(b, o->mouse, 4);
    put_numbers(b, zeros, 4);
    buf_printf(b, " %u", n);
    put_numbers(b, (const double[]){1 / o->fps, o->fps, 44100}, 3);
    for (unsigned i = 0; i < RENDER_TEXTURES; i++) {
        const picture *p = &o->textures[i].levels[0];
        put_numbers(b, (const double[]){p->width, p->height, p->rgba ? 1 : 0, 0}, 4);
    }
    for (unsigned i = 0; i < RENDER_TEXTURES; i++)
        put_numbers(b, (const double[]){time, 0, 0, 0}, 4);
    buf_puts(b, " END\n");
}

/* A texture that is not given is one texel of zeros. */
static void
put_texture(base_buf *b, const render_texture *t, unsigned n)
{
    const picture *p = &t->levels[0];
    const char *filter = t->is_nearest ? "nearest" : "linear";
    const char *address = t->is_clamped ? "clamp_to_edge" : "repeat";
    buf_printf(b, "IMAGE texture%u FORMAT R8G8B8A8_%s DIM_2D WIDTH %u HEIGHT %u MIP_LEVELS %u\n", n,
               t->is_srgb ? "SRGB" : "UNORM", p->rgba ? p->width : 1, p->rgba ? p->height : 1,
               t->level_count ? t->level_count : 1);
    buf_printf(b,
               "SAMPLER sampler%u MAG_FILTER %s MIN_FILTER %s MIPMAP_MODE %s MAX_LOD %u "
               "ADDRESS_MODE_U %s ADDRESS_MODE_V %s MAX_ANISOTROPY %u\n",
               n, filter, filter, filter, RENDER_MAX_LEVELS, address, address, t->anisotropy);
}

static const char *
make_text(arena *a, const render_options *o, const char *entry)
{
    base_buf b = buf_make(a);
    buf_puts(&b, scene);
    for (uint32_t n = 0; n < o->frames; n++)
        put_frame(&b, o, n);
    put_frame(&b, o, o->frames); /* the one that is bound */
    for (unsigned i = 0; i < RENDER_TEXTURES; i++)
        put_texture(&b, &o->textures[i], i);
    buf_printf(&b,
               "PIPELINE graphics pipeline\n  ATTACH corners\n  ATTACH shader ENTRY_POINT %s\n"
               "  FRAMEBUFFER_SIZE %u %u\n  BIND BUFFER picture AS color LOCATION 0\n"
               "  BIND BUFFER frame%u AS uniform DESCRIPTOR_SET 0 BINDING 0\n",
               entry, o->width, o->height, o->frames);
    for (unsigned i = 0; i < RENDER_TEXTURES; i++)
        buf_printf(&b,
                   "  BIND BUFFER texture%u AS combined_image_sampler SAMPLER sampler%u "
                   "DESCRIPTOR_SET 0 BINDING %u\n",
                   i, i, i + 1);
    buf_puts(&b, "END\n");
    for (uint32_t n = 0; n < o->frames; n++)
        buf_printf(&b,
                   "COPY frame%u TO frame%u\nCLEAR pipeline\n"
                   "RUN pipeline DRAW_ARRAY AS TRIANGLE_LIST START_IDX 0 COUNT 3\n",
                   n, o->frames);
    return buf_text(&b);
}

/* ---- the script ---- */

/* amber_loader.load: gives the shader's words. */
static bool
load_shader(void *user, arena *a, const char *path, const char **data, size_t *size)
{
    const render_shader *s = user;
    (void)a, (void)path;
    *data = (const char *)(const void *)s->words;
    *size = s->word_count * 4;
    return true;
}

/* Puts the levels of a texture into the image that is made for it. */
static void
fill_texture(arena *a, amber_buffer *b, const render_texture *t)
{
    uint8_t *at = arena_zalloc(a, b->size);
    b->init = at;
    b->init_size = b->size;
    for (uint32_t i = 0; i < t->level_count; i++) {
        size_t size = (size_t)t->levels[i].width * t->levels[i].height * 4;
        memcpy(at, t->levels[i].rgba, size);
        at += size;
    }
}

/* run_work.make */
static const amber_script *
make_script(void *user, arena *a, diag *d, amber_result *r)
{
    const render_result *result = user;
    const char *text = make_text(a, result->options, result->shader->entry);
    const amber_loader loader = {.load = load_shader, .user = (void *)result->shader};
    amber_script *s = amber_parse(a, d, result->options->path, text, strlen(text), &loader);
    (void)r;
    for (uint32_t i = 0; i < s->buffer_count; i++) {
        static const char prefix[] = "texture";
        const char *name = s->buffers[i]->name;
        if (strncmp(name, prefix, strlen(prefix)) == 0)
            fill_texture(a, s->buffers[i], &result->options->textures[name[strlen(prefix)] - '0']);
    }
    return s;
}

/* amber_observer.drawn: takes the picture. */
static void
take_picture(void *user, const amber_command *draw, const amber_memory *memory)
{
    render_result *r = user;
    const amber_buffer *b = draw->pipeline->graphics->targets[0].buffer;
    arena_release(r->scratch, (arena_mark){0});
    r->last = picture_of_buffer(r->scratch, b, memory[b->index].bytes, 0, PICTURE_COLOR);
    if (r->shader->from_below)
        picture_flip(&r->last);
    r->count++;
    if (r->options->frames > 1)
        picture_animation_add(&r->animation, &r->last);
}

run_texts
render_draw(run_session *session, render_result *result, const char *target, amber_result *verdict)
{
    const render_options *o = result->options;
    const amber_observer observer = {.drawn = take_picture, .user = result};
    const run_work w = {.path = o->path,
                        .target = target,
                        .make = make_script,
                        .user = result,
                        .observer = &observer};
    result->count = 0;
    result->animation = picture_animation_begin(result->arena, o->frames, (uint32_t)o->fps);
    return run_made(session, &w, verdict);
}
