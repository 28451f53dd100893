/* Generates random compute shaders with images: storage images of any format, of two and of three
 * dimensions, with atomics; sampled images, with and without filtering, by lines, in arrays with an
 * index that differs by lane; texel buffers; conversions of texels to and from f16.
 *
 * An invocation writes only its own texels. Every result is exact: texels of floats are multiples of
 * 1/4 in [-8, 8], those of normalised integers are read back as integers, integers are masked to the
 * format's range, and filters take one texel or, of floats, the mean of four. Coordinates are inside
 * the image, or repeat it.
 */
#include "gen_family.h"
#include "gen_flow.h"

#include "base/bits.h"

#include <string.h>

enum { WIDTH = 16, HEIGHT = 8, LINE = 32, N_ARRAY = 3, N_VARIABLES = 2 };

typedef enum domain { FLOATS, NORMALISED, UNSIGNED, SIGNED } domain;

typedef struct format {
    const char *script, *layout;
    domain domain;
    unsigned comps, most; /* the largest integer */
} format;

static const format formats[] = {
    {"R8G8B8A8_UNORM", "rgba8", NORMALISED, 4, 255},
    {"R16G16B16A16_SFLOAT", "rgba16f", FLOATS, 4, 0},
    {"R32G32B32A32_SFLOAT", "rgba32f", FLOATS, 4, 0},
    {"R32_SFLOAT", "r32f", FLOATS, 1, 0},
    {"R16G16_SFLOAT", "rg16f", FLOATS, 2, 0},
    {"R16_SFLOAT", "r16f", FLOATS, 1, 0},
    {"R8G8_UNORM", "rg8", NORMALISED, 2, 255},
    {"R16_UNORM", "r16", NORMALISED, 1, 65535},
    {"R8G8B8A8_UINT", "rgba8ui", UNSIGNED, 4, 255},
    {"R16G16_UINT", "rg16ui", UNSIGNED, 2, 65535},
    {"R32_UINT", "r32ui", UNSIGNED, 1, 0xffffffff},
    {"R32G32B32A32_UINT", "rgba32ui", UNSIGNED, 4, 0xffffffff},
    {"R16G16B16A16_SINT", "rgba16i", SIGNED, 4, 127},
    {"R8G8_SINT", "rg8i", SIGNED, 2, 127},
    {"R32G32_SINT", "rg32i", SIGNED, 2, 127},
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

/* What images, vectors and conversions are called, by domain; and the name of the variables, which
 * are vectors of four: f0, u0, i0, and h0 of f16. */
static const struct {
    char variable;
    const char *prefix, *vector;
} domains[] = {
    [FLOATS] = {'f', "", "vec4"},
    [NORMALISED] = {'f', "", "vec4"},
    [UNSIGNED] = {'u', "u", "uvec4"},
    [SIGNED] = {'i', "i", "ivec4"},
};

/* The images of a seed. */
typedef struct images {
    const format *stored, *sampled, *line, *texels, *cells;
} images;

typedef struct gen {
    gen_flow flow;
    images images;
    bool by_lane; /* an image is selected by lane, which lavapipe does not know */
} gen;

static images
draw_images(uint64_t seed)
{
    uint64_t h = base_hash64(seed + 77);
    return (images){
        .stored = &formats[h % N_FORMATS],
        .sampled = &formats[(h >> 8) % N_FORMATS],
        .line = &formats[(h >> 16) % N_FORMATS],
        .texels = &formats[(h >> 24) % N_FORMATS],
        .cells = &formats[(h >> 32) % N_FORMATS],
    };
}

#include "gen_names.h"

/* ---- numbers ---- */

/* A number of any kind, for coordinates. */
static void
put_number(gen *g)
{
    switch (below(g, 5)) {
    case 0: put(g, "lane"); break;
    case 1: PUTF(g, "uniforms[%u]", below(g, 4)); break;
    case 2: PUTF(g, "(u%u.%c >> %u)", below(g, 2), "xyzw"[below(g, 4)], below(g, 8)); break;
    case 3: PUTF(g, "%uu", below(g, 100)); break;
    default: PUTF(g, "(lane * %uu + id)", 1 + below(g, 9)); break;
    }
}

static void
put_coordinate(gen *g, unsigned size)
{
    put(g, "int(");
    put_number(g);
    PUTF(g, " & %uu)", size - 1);
}

static void
put_place(gen *g)
{
    put(g, "ivec2(");
    put_coordinate(g, WIDTH);
    put(g, ", ");
    put_coordinate(g, HEIGHT);
    put(g, ")");
}

/* Writes `f0 = keep(`, for a texel of the format that is read behind it; end_read ends it. */
static void
begin_read(gen *g, const format *f)
{
    static const char *const keeps[] = {"keep", "whole"};
    bool half = f->domain == FLOATS && below(g, 3) == 0;
    bool changes = f->domain <= NORMALISED;
    if (half)
        PUTF(g, "h%u = keep(f16vec4(", below(g, N_VARIABLES));
    else
        PUTF(g, "%c%u = %s((", domains[f->domain].variable, below(g, N_VARIABLES),
             changes ? keeps[f->domain] : "");
}

static void
end_read(gen *g, const format *f)
{
    if (f->domain == NORMALISED)
        PUTF(g, ") * %u.0", f->most);
    else
        put(g, ")");
    put(g, ");\n");
}

/* A value that the format's texels can have. */
static void
put_texel(gen *g, const format *f)
{
    unsigned v = below(g, N_VARIABLES);
    if (f->domain == FLOATS)
        PUTF(g, below(g, 3) ? "abs(f%u)" : "vec4(abs(h%u))", v);
    else if (f->domain == NORMALISED)
        PUTF(g, "vec4(u%u & %uu) / %u.0", v, f->most, f->most);
    else if (f->domain == UNSIGNED)
        PUTF(g, "u%u & %uu", v, f->most);
    else
        PUTF(g, "(i%u & %u) - %u", v, f->most, f->most / 2);
}

/* ---- statements ---- */

static void
load_own(gen *g)
{
    begin_read(g, g->images.stored);
    put(g, "imageLoad(stored, place)");
    end_read(g, g->images.stored);
}

static void
store_own(gen *g)
{
    put(g, "imageStore(stored, place, ");
    put_texel(g, g->images.stored);
    put(g, ");\n");
}

static void
atomic(gen *g)
{
    static const char *const ops[] = {"Add", "Min", "Max", "And", "Or", "Xor", "Exchange"};
    unsigned op = below(g, 8);
    PUTF(g, "u%u.%c = imageAtomic%s(volume, cell, ", below(g, N_VARIABLES), "xyzw"[below(g, 4)],
         op == 7 ? "CompSwap" : ops[op]);
    if (op == 7)
        PUTF(g, "u%u.x, ", below(g, N_VARIABLES));
    put_number(g);
    put(g, ");\n");
}

static void
volume_move(gen *g)
{
    if (below(g, 2))
        PUTF(g, "u%u = imageLoad(volume, cell);\n", below(g, N_VARIABLES));
    else
        PUTF(g, "imageStore(volume, cell, u%u);\n", below(g, N_VARIABLES));
}

/* All invocations add to a few texels; nobody reads them. */
static void
count(gen *g)
{
    static const char *const ops[] = {"Add", "Max", "Or", "Xor"};
    unsigned op = below(g, 4);
    PUTF(g, "imageAtomic%s(totals, int(%u), ", ops[op], op * 2 + below(g, 2));
    put_number(g);
    put(g, ");\n");
}

static void
fetch(gen *g)
{
    begin_read(g, g->images.sampled);
    put(g, "texelFetch(sampled, ");
    put_place(g);
    put(g, ", 0)");
    end_read(g, g->images.sampled);
}

static void
fetch_line(gen *g)
{
    begin_read(g, g->images.line);
    put(g, "texelFetch(line, ");
    put_coordinate(g, LINE);
    put(g, ", 0)");
    end_read(g, g->images.line);
}

/* At the middle of a texel; beyond the edges the image repeats. */
static void
sample(gen *g)
{
    begin_read(g, g->images.sampled);
    put(g, "textureLod");
    bool offset = below(g, 3) == 0;
    put(g, offset ? "Offset(sampled, (vec2(" : "(sampled, (vec2(");
    put_place(g);
    PUTF(g, ") + 0.5) / vec2(%u.0, %u.0) + vec2(%u.0, -%u.0), 0.0", (unsigned)WIDTH,
         (unsigned)HEIGHT, below(g, 3), below(g, 2));
    if (offset)
        PUTF(g, ", ivec2(%u, -%u)", below(g, 4), below(g, 5));
    put(g, ")");
    end_read(g, g->images.sampled);
}

/* Between four texels. */
static void
gather(gen *g)
{
    const format *f = g->images.sampled;
    begin_read(g, f);
    put(g, "textureGather(sampled, vec2(");
    put_place(g);
    PUTF(g, ") / vec2(%u.0, %u.0), %u)", (unsigned)WIDTH, (unsigned)HEIGHT, below(g, f->comps));
    end_read(g, f);
}

/* With a sampler of its own: one texel, or of floats the mean of four. */
static void
filter(gen *g)
{
    const format *f = g->images.cells;
    if (f->domain != FLOATS) {
        fetch_line(g);
        return;
    }
    PUTF(g, "f%u = keep(textureLod(sampler2D(cells[%u], smooth_), (vec2(", below(g, N_VARIABLES),
         below(g, N_ARRAY));
    put_place(g);
    PUTF(g, ") + %s) / vec2(%u.0, %u.0), 0.0));\n", below(g, 2) ? "0.5" : "1.0", (unsigned)WIDTH,
         (unsigned)HEIGHT);
}

static void
fetch_cell(gen *g)
{
    begin_read(g, g->images.cells);
    put(g, "texelFetch(cells[");
    put(g, "nonuniformEXT(");
    g->by_lane |= !g->flow.text.silent;
    PUTF(g, "lane %% %uu)], ", (unsigned)N_ARRAY);
    put_place(g);
    put(g, ", 0)");
    end_read(g, g->images.cells);
}

static void
fetch_texel(gen *g)
{
    begin_read(g, g->images.texels);
    put(g, "texelFetch(texels, ");
    put_coordinate(g, LINE);
    put(g, ")");
    end_read(g, g->images.texels);
}

static void
query(gen *g)
{
    static const char *const sizes[] = {
        "uvec4(imageSize(stored), textureSize(sampled, 0))",
        "uvec4(imageSize(volume), textureSize(line, 0))",
        "uvec4(textureSize(texels), imageSize(totals), textureQueryLevels(sampled), 3)",
    };
    PUTF(g, "u%u ^= %s;\n", below(g, N_VARIABLES), sizes[below(g, 3)]);
}

static void
compute(gen *g)
{
    static const char *const forms[] = {
        "f%u = keep(f%u.wzyx + f%u);\n",      "f%u = keep(f%u * f%u.yyxx);\n",
        "h%u = keep(h%u * h%u.zwxy);\n",      "h%u = keep(h%u - f16vec4(f%u));\n",
        "f%u = keep(vec4(h%u) + f%u);\n",     "u%u = u%u * 5u + u%u.yzwx;\n",
        "u%u ^= uvec4(i%u) + (u%u >> 3);\n",  "i%u = i%u.xzyw - ivec4(u%u & 15u);\n",
        "f%u = keep(vec4(i%u & 7) - f%u);\n", "i%u += ivec4(f%u) * ivec4(h%u);\n",
    };
    unsigned form = below(g, sizeof forms / sizeof *forms);
    PUTF(g, forms[form], below(g, N_VARIABLES), below(g, N_VARIABLES), below(g, N_VARIABLES));
}

static void
statement(gen_flow *f)
{
    static void (*const kinds[])(gen *) = {load_own,    store_own,   load_own, store_own,  atomic,
                                           atomic,      volume_move, count,    fetch,      fetch,
                                           sample,      sample,      gather,   filter,     filter,
                                           fetch_cell,  fetch_cell,  query,    fetch_line, compute,
                                           fetch_texel, fetch_texel, compute};
    gen_line_start(&f->text);
    kinds[below((gen *)f, sizeof kinds / sizeof *kinds)]((gen *)f);
}

static void
condition(gen_flow *f)
{
    gen *g = (gen *)f;
    unsigned a = below(g, N_VARIABLES), c = below(g, 4);
    switch (below(g, 4)) {
    case 0: PUTF(g, "(lane & %uu) != 0u", 1u << below(g, 6)); break;
    case 1: PUTF(g, "f%u.%c < f%u.x", a, "xyzw"[c], 1 - a); break;
    case 2: PUTF(g, "(u%u.%c & 3u) != 0u", a, "xyzw"[c]); break;
    default: PUTF(g, "h%u.%c >= float16_t(0.5)", a, "xyzw"[c]); break;
    }
}

/* ---- the shader ---- */

static const char *
prefix(const format *f)
{
    return domains[f->domain].prefix;
}

static void
declare_images(gen *g)
{
    const images *i = &g->images;
    PUTF(g, "layout(set = 0, binding = 4, %s) uniform %simage2D stored;\n", i->stored->layout,
         prefix(i->stored));
    put(g, "layout(set = 0, binding = 5, r32ui) uniform uimage3D volume;\n"
           "layout(set = 0, binding = 6, r32ui) uniform uimageBuffer totals;\n");
    PUTF(g, "layout(set = 0, binding = 7) uniform %ssampler2D sampled;\n", prefix(i->sampled));
    PUTF(g, "layout(set = 0, binding = 8) uniform %stexture1D line;\n", prefix(i->line));
    PUTF(g, "layout(set = 0, binding = 9) uniform %stextureBuffer texels;\n", prefix(i->texels));
    put(g, "layout(set = 0, binding = 10) uniform sampler smooth_;\n");
    PUTF(g, "layout(set = 0, binding = 11) uniform %stexture2D cells[%u];\n", prefix(i->cells),
         (unsigned)N_ARRAY);
}

static const char extensions[] = "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                                 "#extension GL_EXT_samplerless_texture_functions : require\n"
                                 "#extension GL_EXT_shader_image_load_formatted : require\n"
                                 "#extension GL_EXT_nonuniform_qualifier : require\n";

static const char prologue[] =
    "vec4 keep(vec4 x) { return floor(clamp(x, -8.0, 8.0) * 4.0) * 0.25; }\n"
    "vec4 whole(vec4 x) { return floor(mod(x + 0.5, 8.0)); }\n"
    "f16vec4 keep(f16vec4 x) { return floor(clamp(x, float16_t(-8), float16_t(8)) * float16_t(2)) "
    "/ float16_t(2); }\n"
    "void main() {\n"
    "    uint id = gl_GlobalInvocationID.x, lane = gl_LocalInvocationIndex;\n"
    "    ivec2 place = ivec2(id & 15u, id >> 4);\n"
    "    ivec3 cell = ivec3(id & 7u, (id >> 3) & 3u, id >> 5);\n"
    "    uvec4 u0 = uvec4(data_in[id * 8u], data_in[id * 8u + 1u], lane, 7), u1 = u0.wzyx * 3u;\n"
    "    ivec4 i0 = ivec4(u0) >> 8, i1 = ivec4(lane, -3, 100, id);\n"
    "    vec4 f0 = vec4(u0 & 15u) * 0.25, f1 = vec4(1.0, -0.5, 2.0, 3.25);\n"
    "    f16vec4 h0 = f16vec4(u1 & 7u), h1 = f16vec4(1, -2, 0.5, 4);\n";

static const char epilogue[] =
    "    uvec4 r = u0 * 31u + u1 * 7u + uvec4(i0) * 3u + uvec4(i1);\n"
    "    uvec4 s = uvec4(ivec4(f0 * 4.0)) * 31u + uvec4(ivec4(f1 * 4.0)) + uvec4(ivec4(h0 * "
    "float16_t(2))) * 7u + uvec4(ivec4(h1 * float16_t(2))) * 3u;\n"
    "    for (int k = 0; k < 4; k++) { data_out[id * 8u + uint(k)] = r[k]; data_out[id * 8u + 4u + "
    "uint(k)] = s[k]; }\n"
    "}\n";

static gen_info
make(uint64_t seed, gen_cuts cuts, base_buf *out)
{
    static const gen_flow_rules rules = {statement, condition, true};
    gen g = {.flow = {.text = {.state = seed * 13 + 1, .out = out, .cuts = cuts, .indent = 1},
                      .rules = &rules,
                      .budget = 32},
             .images = draw_images(seed)};
    const char *rest = strchr(gen_interface, '\n') + 1;
    buf_printf(out, "%.*s", (int)(rest - gen_interface), gen_interface);
    buf_puts(out, extensions);
    buf_puts(out, rest);
    declare_images(&g);
    buf_puts(out, prologue);
    gen_flow_block(&g.flow, 8 + below(&g, 12));
    buf_puts(out, epilogue);
    return (gen_info){.statements = g.flow.text.statement, .beyond_lavapipe = g.by_lane};
}

/* ---- the resources ---- */

static void
put_texels(base_buf *out, const format *f, unsigned n, uint64_t seed)
{
    buf_puts(out, " DATA");
    for (unsigned k = 0; k < n * f->comps; k++) {
        uint32_t r = (uint32_t)base_hash64(seed * 1000 + k);
        if (f->domain == FLOATS)
            buf_printf(out, " %u.%s", r % 8, r & 256 ? "25" : "5");
        else if (f->domain == SIGNED)
            buf_printf(out, " %d", (int)(r % 128) - 60);
        else
            buf_printf(out, " %u", f->most == 0xffffffff ? r : r % (f->most + 1));
    }
    buf_puts(out, "\nEND\n");
}

static void
put_image(base_buf *out, const char *name, const format *f, unsigned width, unsigned height)
{
    buf_printf(out, "IMAGE %s FORMAT %s %s WIDTH %u", name, f->script, height ? "DIM_2D" : "DIM_1D",
               width);
    if (height)
        buf_printf(out, " HEIGHT %u", height);
    put_texels(out, f, width * (height ? height : 1), base_hash64(width + (uint8_t)name[0]));
}

static void
resources(uint64_t seed, base_buf *out)
{
    const images i = draw_images(seed);
    put_image(out, "stored", i.stored, WIDTH, HEIGHT);
    buf_puts(out, "IMAGE volume FORMAT R32_UINT DIM_3D WIDTH 8 HEIGHT 4 DEPTH 4 FILL 5\n"
                  "BUFFER totals DATA_TYPE uint32 SIZE 8 FILL 0\n");
    put_image(out, "sampled", i.sampled, WIDTH, HEIGHT);
    put_image(out, "line", i.line, LINE, 0);
    buf_printf(out, "BUFFER texels DATA_TYPE %s", i.texels->script);
    put_texels(out, i.texels, LINE, seed);
    static const char *const names[] = {"a", "b", "c"};
    for (unsigned k = 0; k < N_ARRAY; k++)
        put_image(out, names[k], i.cells, WIDTH, HEIGHT);
    buf_puts(out, "SAMPLER nearest ADDRESS_MODE_U repeat ADDRESS_MODE_V repeat\n"
                  "SAMPLER smooth MAG_FILTER linear MIN_FILTER linear ADDRESS_MODE_U clamp_to_edge "
                  "ADDRESS_MODE_V clamp_to_edge\n");
}

const gen_family gen_images = {
    "images", make, .resources = resources,
    .bindings = "  BIND BUFFER stored AS storage_image DESCRIPTOR_SET 0 BINDING 4\n"
                "  BIND BUFFER volume AS storage_image DESCRIPTOR_SET 0 BINDING 5\n"
                "  BIND BUFFER totals AS storage_texel_buffer DESCRIPTOR_SET 0 BINDING 6\n"
                "  BIND BUFFER sampled AS combined_image_sampler SAMPLER nearest DESCRIPTOR_SET 0 "
                "BINDING 7\n"
                "  BIND BUFFER line AS sampled_image DESCRIPTOR_SET 0 BINDING 8\n"
                "  BIND BUFFER texels AS uniform_texel_buffer DESCRIPTOR_SET 0 BINDING 9\n"
                "  BIND SAMPLER smooth DESCRIPTOR_SET 0 BINDING 10\n"
                "  BIND BUFFER_ARRAY a b c AS sampled_image DESCRIPTOR_SET 0 BINDING 11\n"};
