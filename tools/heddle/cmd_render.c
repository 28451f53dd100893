/* heddle render: draws a picture, or an animation, with a fragment shader. */
#include "cli.h"
#include "data_spec.h"
#include "picture_png.h"
#include "radeon_self.h"
#include "render.h"
#include "targets.h"

#include "families/families.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the command line says. */
typedef struct wishes {
    render_options draw;
    run_options run;
    cli_list targets, textures;
    const char *out, *size, *time, *fps, *mouse, *check, *findings;
    unsigned frames;
} wishes;

/* ---- options ---- */

/* Reads up to four numbers with commas. Returns how many; 0 if they are none. */
static unsigned
read_numbers(const char *text, double out[4])
{
    unsigned n = 0;
    data_number number;
    const char *message;
    while (n < 4 && data_number_parse(&text, &number, &message) && isfinite(number.real)) {
        out[n++] = number.real;
        if (!*text)
            return n;
        if (*text++ != ',')
            return 0;
    }
    return 0;
}

static bool
read_one(const char *text, double *out)
{
    double all[4];
    bool ok = read_numbers(text, all) == 1;
    *out = ok ? all[0] : 0;
    return ok;
}

/* X,Y or X,Y,Z,W */
static bool
has_mouse(const char *text, double out[4])
{
    unsigned n = read_numbers(text, out);
    return n == 2 || n == 4;
}

static bool
read_size(const char *text, render_options *o)
{
    char *end;
    unsigned long w = strtoul(text, &end, 10), h = *end == 'x' ? strtoul(end + 1, &end, 10) : 0;
    o->width = (uint32_t)w;
    o->height = (uint32_t)h;
    return *text >= '0' && *text <= '9' && !*end && w && h && w <= RENDER_MAX_SIDE &&
           h <= RENDER_MAX_SIDE;
}

/* Reads what is written as numbers. Returns -1, or the exit code after a message. */
static int
read_values(wishes *w)
{
    enum { MAX_FRAMES = 10000, MAX_FPS = 1000 };
    render_options *o = &w->draw;
    double fps = 0;
    o->width = 512;
    o->height = 288;
    o->fps = 30;
    o->frames = w->frames ? w->frames : 1;
    if (w->size && !read_size(w->size, o))
        return cli_usage_error("render: --size is WIDTHxHEIGHT, each from 1 to %d",
                               RENDER_MAX_SIDE);
    if (w->time && !read_one(w->time, &o->time))
        return cli_usage_error("render: --time is a number of seconds");
    if (w->fps && (!read_one(w->fps, &fps) || fps < 1 || fps > MAX_FPS || fps != floor(fps)))
        return cli_usage_error("render: --fps is a whole number from 1 to %d", MAX_FPS);
    if (w->frames > MAX_FRAMES)
        return cli_usage_error("render: --frames is at most %d", MAX_FRAMES);
    if (w->mouse && !has_mouse(w->mouse, o->mouse))
        return cli_usage_error("render: --mouse is X,Y or X,Y,Z,W");
    o->fps = w->fps ? fps : o->fps;
    return -1;
}

/* Checks what the option parser does not. Returns -1, or the exit code after a message. */
static int
check_wishes(wishes *w, const cli_list *operands)
{
    bool vulkan = strcmp(w->run.device, "vulkan") == 0, radv = strcmp(w->run.device, "radv") == 0;
    if (operands->count != 1)
        return cli_usage_error("render: give one shader");
    if (!picture_has_png())
        return cli_usage_error("render: pictures are not built in, which need libpng");
    if (w->targets.count > 1)
        return cli_usage_error("render: one target at a time");
    if (vulkan && w->targets.count)
        return cli_usage_error("render: --device vulkan has no targets");
    if (w->textures.count > RENDER_TEXTURES)
        return cli_usage_error("render: there are at most %d textures", RENDER_TEXTURES);
    cli_settle_targets(&w->targets, vulkan ? "vulkan" : families_default_target());
    if (!radv && !run_has_target(w->targets.items[0]))
        return cli_target_error("render", w->targets.items[0]);
    if (!run_findings_parse(w->findings, &w->run.findings))
        return cli_usage_error("render: --findings needs a number from 1 on, or all");
    int code = run_checks_parse(w->check, &w->run.checks);
    return code < 0 ? run_check_switches() : code;
}

/* ---- drawing ---- */

/* NAME.png in the current folder, for FOLDER/NAME.EXTENSION. */
static const char *
default_out(arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return arena_printf(a, "%.*s.png", (int)strcspn(name, "."), name);
}

static bool
write_picture(const render_result *r, const char *out)
{
    const base_buf *file = &r->animation.file;
    return r->options->frames > 1 ? cli_write_file(out, file->data, file->size)
                                  : picture_write_png(out, &r->last);
}

/* Writes what has been drawn, even if there were findings, and tells them. */
static int
finish(wishes *w, render_result *r, const run_texts *texts, const amber_result *verdict)
{
    const char *out = w->out ? w->out : default_out(r->arena, w->draw.path);
    fputs(texts->findings ? texts->findings : "", stderr);
    int code = verdict->status == AMBER_PASS ? CLI_OK : CLI_FAILED;
    if (code && !texts->findings)
        cli_error(w->draw.path, "RENDER", "%s", verdict->reason);
    if (!r->count)
        return code;
    if (r->options->frames > 1)
        picture_animation_end(&r->animation);
    if (!write_picture(r, out))
        return CLI_FAILED;
    printf("%s: %u x %u, %u frame%s, %s\n", out, r->last.width, r->last.height, r->count,
           r->count == 1 ? "" : "s", w->targets.items[0]);
    fputs(texts->counts ? texts->counts : "", stdout);
    return code;
}

static int
draw(wishes *w, arena *a, arena *scratch)
{
    render_shader shader;
    amber_result verdict = {0};
    render_result result = {.options = &w->draw, .shader = &shader, .arena = a, .scratch = scratch};
    int code = render_read_shader(a, &w->draw, &shader);
    if (code < 0)
        code = render_check_shader(a, &w->draw, &shader);
    for (size_t i = 0; i < w->textures.count && code < 0; i++)
        code = render_read_texture(a, w->textures.items[i], shader.from_below,
                                   &w->draw.textures[i]);
    if (code >= 0)
        return code;
    run_session *session = run_session_open(&w->run);
    run_texts texts = render_draw(session, &result, w->targets.items[0], &verdict);
    run_session_close(session);
    code = finish(w, &result, &texts, &verdict);
    free(texts.findings);
    free(texts.counts);
    return code;
}

/* Draws on the software Radeon: this command again, with its own options but those of the device. */
static int
draw_by_radv(const wishes *w, int argc, char **argv)
{
    const radeon_self radv = {
        .target = w->targets.items[0], .check = w->run.checks.text, .root = w->run.root};
    static const char *const dropped[] = {"-t", "--target", "--device", "--check", "--root"};
    const size_t n = sizeof dropped / sizeof *dropped;
    cli_list words = {0};
    cli_list_add(&words, "render");
    cli_list_add(&words, "--device");
    cli_list_add(&words, "vulkan");
    for (int i = 1; i < argc; i++) {
        size_t k = 0, size = strcspn(argv[i], "=");
        while (k < n && (strlen(dropped[k]) != size || strncmp(argv[i], dropped[k], size) != 0))
            k++;
        if (k == n)
            cli_list_add(&words, argv[i]);
        else
            i += argv[i][size] != '=';
    }
    int code = cli_run_self_on_radv(&radv, &words);
    cli_list_free(&words);
    return code;
}

static int
render(wishes *w, const cli_list *operands, int argc, char **argv)
{
    arena a, scratch;
    int code = check_wishes(w, operands);
    if (code < 0)
        code = read_values(w);
    if (code < 0 && strcmp(w->run.device, "radv") == 0)
        return draw_by_radv(w, argc, argv);
    if (code >= 0)
        return code;
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, NULL);
    arena_init(&scratch, &base_malloc_allocator, diag_out_of_memory, NULL);
    w->draw.path = operands->items[0];
    code = draw(w, &a, &scratch);
    arena_free(&scratch);
    arena_free(&a);
    return code;
}

int
cmd_render(int argc, char **argv)
{
    wishes w = {.run.device = "emu"};
    cli_list operands = {0};
    const cli_option rows[] = {
        {'t', "target", CLI_LIST, &w.targets, "TARGET",
         "draw on this target's emulator (gfx1030), or hir: the interpreter", NULL},
        {'o', NULL, CLI_TEXT, &w.out, "FILE", "the picture (NAME.png in the current folder)", NULL},
        {0, "size", CLI_TEXT, &w.size, "WxH", "of the picture in pixels (512x288)", NULL},
        {0, "time", CLI_TEXT, &w.time, "T", "seconds, of the first picture (0)", NULL},
        {0, "frames", CLI_NUMBER, &w.frames, "N", "draw N pictures: an animated PNG", NULL},
        {0, "fps", CLI_TEXT, &w.fps, "F", "pictures a second (30)", NULL},
        {0, "mouse", CLI_TEXT, &w.mouse, "X,Y", "where the mouse is, in pixels; X,Y,Z,W: all of it",
         NULL},
        {0, "texture", CLI_LIST, &w.textures, "FILE.png[,WORDS]",
         "the next of four textures; nearest, linear (no mip levels), clamp, srgb, aniso=16", NULL},
        {0, "entry", CLI_TEXT, &w.draw.entry, "NAME",
         "the entry point (the first one of fragments)", NULL},
        {'I', NULL, CLI_LIST, &w.draw.include, "DIR", "look for #include files here", NULL},
        {'D', NULL, CLI_LIST, &w.draw.define, "NAME=V", "define a macro", NULL},
        {0, "wave-size", CLI_NUMBER, &w.run.wave_size, "N",
         "lanes of a wave, where a target has a choice", NULL},
        {0, "check", CLI_TEXT, &w.check, "LIST",
         "checkers of the emulator, as for heddle run (all)", NULL},
        {0, "findings", CLI_TEXT, &w.findings, "N",
         "list at most N findings of the checkers (10), or all", NULL},
        {0, "counts", CLI_CHOICE, &w.run.counts, "FORMAT",
         "what was executed, as for heddle run: text or json", "text|json"},
        {0, "device", CLI_CHOICE, &w.run.device, "DEVICE",
         "emu (default), vulkan: the system's driver, radv: its RADV on the software Radeon",
         "emu|vulkan|radv"},
        {0, "root", CLI_TEXT, &w.run.root, "DIR",
         "radv: another system's folder, as for heddle run", NULL},
    };
    const size_t n = sizeof rows / sizeof *rows;
    int code = cli_parse(rows, n, argc, argv, &operands);
    if (code < 0)
        code = render(&w, &operands, argc, argv);
    run_checks_free(&w.run.checks);
    cli_release(rows, n, &operands);
    return code;
}
