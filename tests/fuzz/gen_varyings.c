/* Generates pairs of a vertex and a fragment shader with random varyings: constants, the same number
 * at several places, components that nothing reads, locations that two variables share, in all ways
 * of interpolation.
 *
 * Both shaders are made of one plan, which is drawn from the seed. What is interpolated is a whole
 * number and a half at the centres of pixels, so that its floor is exact.
 */
#include "gen_family.h"

enum { MOST_ROWS = 8, N_FLOATS = 8, N_NUMBERS = 6 };

typedef enum way { SMOOTH, NOPERSPECTIVE, CENTROID, FLAT, INT, UINT, N_WAYS } way;

/* A variable. */
typedef struct row {
    unsigned location, component, n;
    way way;
    uint8_t value[4]; /* of the table for its type */
} row;

typedef struct plan {
    gen_text text;
    row rows[MOST_ROWS];
    unsigned n;
} plan;

static const char *const floats[N_FLOATS] = {"at.x",
                                             "at.y",
                                             "at.x + 3.0",
                                             "at.x + at.y + 0.5",
                                             "1.5",
                                             "2.5",
                                             "float(uniforms.y & 255u) + 0.5",
                                             "40.0 - at.y"};
static const char *const numbers[N_NUMBERS] = {
    "number", "number + 1", "7", "-3", "int(uniforms.x & 1023u)", "number * int(uniforms.z & 7u)"};

static const char *const parts[4] = {".x", ".y", ".z", ".w"};

static unsigned
below(plan *p, unsigned n)
{
    return gen_below(&p->text, n);
}

static bool
is_float(const row *r)
{
    return r->way < INT;
}

/* ---- the plan ---- */

/* Adds a variable of up to `most` components, as a neighbour of the last one or at a new location. */
static void
add_row(plan *p, unsigned location, unsigned component, unsigned most, way w)
{
    row *r = &p->rows[p->n++];
    *r = (row){.location = location, .component = component, .n = 1 + below(p, most), .way = w};
    for (unsigned c = 0; c < r->n; c++)
        r->value[c] = (uint8_t)below(p, is_float(r) ? N_FLOATS : N_NUMBERS);
}

static void
draw_plan(plan *p, uint64_t seed, gen_cuts cuts, base_buf *out)
{
    *p = (plan){.text = {.state = seed * 11 + 5, .out = out, .cuts = cuts, .indent = 1}};
    const unsigned locations = 2 + below(p, 5);
    for (unsigned k = 0; k < locations && p->n < MOST_ROWS; k++) {
        const way w = (way)below(p, N_WAYS);
        const bool shared = below(p, 3) == 0 && p->n + 2 <= MOST_ROWS;
        add_row(p, k, 0, shared ? 2 : 4, w);
        if (shared)
            add_row(p, k, 2, 2, w);
    }
}

/* `    layout(location = 1, component = 2) flat out vec2 v3;` */
static void
declare(plan *p, unsigned number, const char *direction)
{
    static const char *const ways[N_WAYS] = {"",      "noperspective ", "centroid ",
                                             "flat ", "flat ",          "flat "};
    static const char *const types[3][4] = {{"float", "vec2", "vec3", "vec4"},
                                            {"int", "ivec2", "ivec3", "ivec4"},
                                            {"uint", "uvec2", "uvec3", "uvec4"}};
    const row *r = &p->rows[number];
    GEN_PUTF(&p->text, "layout(location = %u, component = %u) %s%s %s v%u;\n", r->location,
             r->component, ways[r->way], direction,
             types[is_float(r)     ? 0
                   : r->way == INT ? 1
                                   : 2][r->n - 1],
             number);
}

/* ---- the shaders ---- */

static void
make_vertex(uint64_t seed, base_buf *out)
{
    plan p;
    draw_plan(&p, seed, (gen_cuts){.cut = NULL}, out);
    buf_puts(out, "#version 450\n"
                  "layout(set = 0, binding = 3) uniform Uniforms { uvec4 uniforms; };\n"
                  "layout(location = 0) in vec4 position;\n");
    for (unsigned k = 0; k < p.n; k++)
        declare(&p, k, "out");
    buf_printf(out,
               "void main() {\n"
               "    gl_Position = position;\n"
               "    vec2 at = (position.xy * 0.5 + 0.5) * vec2(%u.0, %u.0);\n"
               "    int number = gl_VertexIndex * 17;\n",
               GEN_WIDTH, GEN_HEIGHT);
    for (unsigned k = 0; k < p.n; k++) {
        const row *r = &p.rows[k];
        for (unsigned c = 0; c < r->n; c++)
            buf_printf(out, "    v%u%s = %s(%s);\n", k, r->n > 1 ? parts[c] : "",
                       is_float(r)     ? ""
                       : r->way == INT ? "int"
                                       : "uint",
                       is_float(r) ? floats[r->value[c]] : numbers[r->value[c]]);
    }
    buf_puts(out, "}\n");
}

/* `color.x += uint(int(floor(v3.y))) * 5u;`, for some invocations alone */
static void
put_read(plan *p)
{
    const unsigned number = below(p, p->n);
    const row *r = &p->rows[number];
    const char *c = parts[below(p, r->n)];
    const bool cut = gen_begin_statement(&p->text);
    gen_line_start(&p->text);
    if (below(p, 3) == 0)
        GEN_PUTF(&p->text, "if ((lane & %uu) != 0u) ", 1u << below(p, 7));
    GEN_PUTF(&p->text, "color.%c %s= uint(int(%s(v%u%s))) * %uu;\n", "xyzw"[below(p, 4)],
             below(p, 2) ? "^" : "+", is_float(r) ? "floor" : "", number, r->n > 1 ? c : "",
             1 + below(p, 30));
    gen_end_statement(&p->text, cut);
}

static gen_info
make(uint64_t seed, gen_cuts cuts, base_buf *out)
{
    plan p;
    draw_plan(&p, seed, cuts, out);
    const bool one = below(&p, 2);
    buf_puts(out, "#version 450\n");
    for (unsigned k = 0; k < p.n; k++)
        declare(&p, k, "in");
    buf_printf(out,
               "layout(location = 0) out uvec4 color;\n"
               "void main() {\n"
               "    uint lane = uint(gl_FragCoord.y) * %uu + uint(gl_FragCoord.x);\n"
               "    color = uvec4(lane);\n",
               GEN_WIDTH);
    const unsigned reads = 1 + below(&p, 14);
    for (unsigned k = 0; k < reads; k++)
        put_read(&p);
    buf_puts(out, "}\n");
    return (gen_info){.statements = p.text.statement, .one_triangle = one};
}

const gen_family gen_varyings = {"varyings", make, .make_vertex = make_vertex,
                                 .flags = GEN_UNIFORM_INPUT};
