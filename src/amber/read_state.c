/* AmberScript: the state of a graphics pipeline. Words stand in the order of Vulkan's numbers. */
#include "amber/read_pipeline.h"

#include <string.h>

const char *const amber_read_compares[] = {
    "never",  "less", "equal", "less_or_equal", "greater", "not_equal", "greater_or_equal",
    "always", NULL};

const char *const amber_read_stencil_ops[] = {"keep",
                                              "zero",
                                              "replace",
                                              "increment_and_clamp",
                                              "decrement_and_clamp",
                                              "invert",
                                              "increment_and_wrap",
                                              "decrement_and_wrap",
                                              NULL};

const char *const amber_read_blend_factors[] = {"zero",
                                                "one",
                                                "src_color",
                                                "one_minus_src_color",
                                                "dst_color",
                                                "one_minus_dst_color",
                                                "src_alpha",
                                                "one_minus_src_alpha",
                                                "dst_alpha",
                                                "one_minus_dst_alpha",
                                                "constant_color",
                                                "one_minus_constant_color",
                                                "constant_alpha",
                                                "one_minus_constant_alpha",
                                                "src_alpha_saturate",
                                                "src1_color",
                                                "one_minus_src1_color",
                                                "src1_alpha",
                                                "one_minus_src1_alpha",
                                                NULL};

/* Spelled as the language has them. */
static const char *const blend_ops[] = {"add", "substract", "reverse_substract",
                                        "min", "max",       NULL};

static const char *const advanced_blend_ops[] = {"zero",
                                                 "src",
                                                 "dst",
                                                 "src_over",
                                                 "dst_over",
                                                 "src_in",
                                                 "dst_in",
                                                 "src_out",
                                                 "dst_out",
                                                 "src_atop",
                                                 "dst_atop",
                                                 "xor",
                                                 "multiply",
                                                 "screen",
                                                 "overlay",
                                                 "darken",
                                                 "lighten",
                                                 "color_dodge",
                                                 "color_burn",
                                                 "hard_light",
                                                 "soft_light",
                                                 "difference",
                                                 "exclusion",
                                                 "invert",
                                                 "invert_rgb",
                                                 "linear_dodge",
                                                 "linear_burn",
                                                 "vivid_light",
                                                 "linear_light",
                                                 "pin_light",
                                                 "hard_mix",
                                                 "hsl_hue",
                                                 "hsl_saturation",
                                                 "hsl_color",
                                                 "hsl_luminosity",
                                                 "plus",
                                                 "plus_clamped",
                                                 "plus_clamped_alpha",
                                                 "plus_darker",
                                                 "minus",
                                                 "minus_clamped",
                                                 "contrast",
                                                 "invert_org",
                                                 "red",
                                                 "green",
                                                 "blue",
                                                 NULL};

/* Defaults: google/amber, docs/amber_script.md and src/pipeline_data.h. */
amber_graphics *
amber_read_new_graphics(arena *a)
{
    amber_graphics *g = ARENA_NEW(a, amber_graphics);
    mach_stencil stencil = {
        .compare = MACH_COMPARE_ALWAYS, .compare_mask = 0xff, .write_mask = 0xff};
    g->patch_vertices = 3;
    g->width = g->height = 250;
    g->samples = 1;
    g->viewport.max_depth = 1.0f;
    g->line_width = 1.0f;
    g->tests.depth_compare = MACH_COMPARE_ALWAYS;
    g->tests.stencil[0] = g->tests.stencil[1] = stencil;
    g->blend.color.src = g->blend.alpha.src = MACH_BLEND_ONE;
    g->write_mask = 0xf;
    return g;
}

static float
read_float(reader *r)
{
    return (float)amber_read_real(r, "a number");
}

static void
read_framebuffer_size(read_body *b)
{
    uint32_t width = (uint32_t)amber_read_uint(b->r, "a width", 1 << 14);
    uint32_t height = (uint32_t)amber_read_uint(b->r, "a height", 1 << 14);
    if (!width || !height)
        amber_read_expected(b->r, "a width and a height of at least 1");
    if (b->p->graphics) {
        b->p->graphics->width = width;
        b->p->graphics->height = height;
    }
    amber_read_line_end(b->r, "FRAMEBUFFER_SIZE");
}

/* VIEWPORT x y SIZE width height [MIN_DEPTH d] [MAX_DEPTH d] */
static void
read_viewport(read_body *b)
{
    mach_viewport *v = &b->p->graphics->viewport;
    b->p->graphics->has_viewport = true;
    v->x = read_float(b->r);
    v->y = read_float(b->r);
    amber_read_word(b->r, "SIZE");
    v->width = read_float(b->r);
    v->height = read_float(b->r);
    if (v->width <= 0.0f)
        amber_read_expected(b->r, "a viewport that is wider than 0");
    if (amber_read_accept(b->r, "MIN_DEPTH"))
        v->min_depth = read_float(b->r);
    if (amber_read_accept(b->r, "MAX_DEPTH"))
        v->max_depth = read_float(b->r);
    amber_read_line_end(b->r, "VIEWPORT");
}

/* Reads the next word of a block. Returns the index of END behind its last line. */
static unsigned
read_block_word(reader *r, const char *const *words, const char *what)
{
    amber_read_skip_lines(r);
    return amber_read_choice(r, words, what);
}

static void
read_depth_bounds(reader *r, amber_graphics *g)
{
    g->bounds_depth = true;
    amber_read_word(r, "min");
    g->depth_bounds[0] = read_float(r);
    amber_read_word(r, "max");
    g->depth_bounds[1] = read_float(r);
}

static void
read_depth_bias(reader *r, amber_graphics *g)
{
    g->has_bias = true;
    amber_read_word(r, "constant");
    g->bias.constant = read_float(r);
    amber_read_word(r, "clamp");
    g->bias.clamp = read_float(r);
    amber_read_word(r, "slope");
    g->bias.slope = read_float(r);
}

static void
read_depth(read_body *b)
{
    static const char *const words[] = {"TEST",   "WRITE", "COMPARE_OP", "CLAMP",
                                        "BOUNDS", "BIAS",  "END",        NULL};
    reader *r = b->r;
    amber_graphics *g = b->p->graphics;
    amber_read_line_end(r, "DEPTH");
    for (;;) {
        switch (read_block_word(r, words, "a setting of DEPTH or END")) {
        case 0: g->tests.depth_test = amber_read_switch(r); break;
        case 1: g->tests.depth_write = amber_read_switch(r); break;
        case 2:
            g->tests.depth_compare = (uint8_t)amber_read_choice(r, amber_read_compares,
                                                                "a compare operation");
            break;
        case 3: g->clamps_depth = amber_read_switch(r); break;
        case 4: read_depth_bounds(r, g); break;
        case 5: read_depth_bias(r, g); break;
        default: amber_read_line_end(r, "END"); return;
        }
    }
}

static uint8_t
read_stencil_op(reader *r)
{
    return (uint8_t)amber_read_choice(r, amber_read_stencil_ops, "a stencil operation");
}

static uint8_t
read_byte(reader *r)
{
    return (uint8_t)amber_read_uint(r, "a number from 0 to 255", 255);
}

/* Reads one setting of STENCIL into `s`. Returns false at END. */
static bool
read_stencil_setting(reader *r, amber_graphics *g, mach_stencil *s)
{
    static const char *const words[] = {
        "TEST",         "FAIL_OP",    "PASS_OP",   "DEPTH_FAIL_OP", "COMPARE_OP",
        "COMPARE_MASK", "WRITE_MASK", "REFERENCE", "END",           NULL};
    switch (read_block_word(r, words, "a setting of STENCIL or END")) {
    case 0: g->tests.stencil_test = amber_read_switch(r); break;
    case 1: s->fail = read_stencil_op(r); break;
    case 2: s->pass = read_stencil_op(r); break;
    case 3: s->depth_fail = read_stencil_op(r); break;
    case 4:
        s->compare = (uint8_t)amber_read_choice(r, amber_read_compares, "a compare operation");
        break;
    case 5: s->compare_mask = read_byte(r); break;
    case 6: s->write_mask = read_byte(r); break;
    case 7: s->reference = read_byte(r); break;
    default: return false;
    }
    return true;
}

/* The two faces may be set in blocks of their own, so a block begins with what is set. */
static void
read_stencil(read_body *b)
{
    static const char *const faces[] = {"front", "back", "front_and_back", NULL};
    amber_graphics *g = b->p->graphics;
    unsigned face = amber_read_choice(b->r, faces, "front, back or front_and_back");
    mach_stencil s = g->tests.stencil[face == 1];
    amber_read_line_end(b->r, "STENCIL");
    while (read_stencil_setting(b->r, g, &s))
        ;
    if (face != 1)
        g->tests.stencil[0] = s;
    if (face != 0)
        g->tests.stencil[1] = s;
    amber_read_line_end(b->r, "END");
}

static uint8_t
read_blend_factor(reader *r)
{
    return (uint8_t)amber_read_choice(r, amber_read_blend_factors, "a blend factor");
}

static uint8_t
read_blend_op(reader *r)
{
    lexer before = r->lex;
    const char *name = amber_read_name(r, "a blend operation");
    for (uint8_t i = 0; blend_ops[i]; i++)
        if (strcmp(blend_ops[i], name) == 0)
            return i;
    for (size_t i = 0; advanced_blend_ops[i]; i++)
        if (strcmp(advanced_blend_ops[i], name) == 0)
            amber_read_unsupported(r, "advanced blend operation");
    r->lex = before;
    return (uint8_t)amber_read_choice(r, blend_ops, "a blend operation");
}

static void
read_blend(read_body *b)
{
    static const char *const words[] = {
        "SRC_COLOR_FACTOR", "DST_COLOR_FACTOR", "COLOR_OP", "SRC_ALPHA_FACTOR",
        "DST_ALPHA_FACTOR", "ALPHA_OP",         "END",      NULL};
    reader *r = b->r;
    mach_blend *s = &b->p->graphics->blend;
    b->p->graphics->blends = true;
    amber_read_line_end(r, "BLEND");
    for (;;) {
        switch (read_block_word(r, words, "a setting of BLEND or END")) {
        case 0: s->color.src = read_blend_factor(r); break;
        case 1: s->color.dst = read_blend_factor(r); break;
        case 2: s->color.op = read_blend_op(r); break;
        case 3: s->alpha.src = read_blend_factor(r); break;
        case 4: s->alpha.dst = read_blend_factor(r); break;
        case 5: s->alpha.op = read_blend_op(r); break;
        default: amber_read_line_end(r, "END"); return;
        }
    }
}

static void
read_polygon_mode(read_body *b)
{
    static const char *const modes[] = {"fill", "line", "point", NULL};
    b->p->graphics->polygon_mode = (mach_polygon_mode)amber_read_choice(b->r, modes,
                                                                        "fill, line or point");
    amber_read_line_end(b->r, "POLYGON_MODE");
}

static void
read_provoking_vertex(read_body *b)
{
    static const char *const vertices[] = {"first", "last", NULL};
    b->p->graphics->last_provokes = amber_read_choice(b->r, vertices, "first or last") == 1;
    amber_read_line_end(b->r, "PROVOKING_VERTEX");
}

static void
read_conservative(read_body *b)
{
    static const char *const modes[] = {"disabled", "overestimate", "underestimate", NULL};
    b->p->graphics->conservative = (mach_conservative)amber_read_choice(
        b->r, modes, "disabled, overestimate or underestimate");
    amber_read_line_end(b->r, "CONSERVATIVE_RASTERIZATION");
}

static void
read_patch_control_points(read_body *b)
{
    b->p->graphics->patch_vertices = (uint32_t)amber_read_uint(b->r, "a number of vertices", 32);
    if (!b->p->graphics->patch_vertices)
        amber_read_expected(b->r, "at least one vertex");
    amber_read_line_end(b->r, "PATCH_CONTROL_POINTS");
}

/* Scripts give compute pipelines a FRAMEBUFFER_SIZE, too, which means nothing. */
static const struct {
    const char *word;
    void (*read)(read_body *b);
} commands[] = {
    {"BLEND", read_blend},
    {"CONSERVATIVE_RASTERIZATION", read_conservative},
    {"DEPTH", read_depth},
    {"FRAMEBUFFER_SIZE", read_framebuffer_size},
    {"INDEX_DATA", amber_read_index_data},
    {"PATCH_CONTROL_POINTS", read_patch_control_points},
    {"POLYGON_MODE", read_polygon_mode},
    {"PROVOKING_VERTEX", read_provoking_vertex},
    {"STENCIL", read_stencil},
    {"VERTEX_DATA", amber_read_vertex_data},
    {"VIEWPORT", read_viewport},
};

bool
amber_read_graphics_command(read_body *b)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (amber_read_is(b->r, commands[i].word)) {
            if (!b->p->graphics && commands[i].read != read_framebuffer_size)
                amber_read_expected(b->r, "a command of a compute pipeline");
            commands[i].read(b);
            return true;
        }
    }
    return false;
}
