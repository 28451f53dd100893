/* Generates random fragment shaders, with a vertex shader for them: derivatives, discards and
 * demotions, early returns, loops, stores and atomics of which helper invocations have no part.
 *
 * Each pixel of GEN_WIDTH x GEN_HEIGHT is an invocation. One triangle covers them, or two, so that
 * quads on their common edge are shaded twice, with helpers. A derivative stands where all of its quad come:
 * in control flow that is the same for all invocations or for the quad (the variable `quad`), and
 * before any of them may end. It is of small whole numbers, so that it is exact. Coarse ones are
 * taken of what differs along one axis alone, since any row or column may serve.
 */
#include "gen_family.h"
#include "gen_flow.h"

#include <string.h>

enum { N_NUMBERS = 4, N_FLOATS = 2 };

typedef struct gen {
    gen_flow flow;
    bool demotes; /* discards leave helpers behind */
    bool ended;   /* an invocation of a quad may have ended before */
    bool derives;
    bool is_frame; /* the family "pixels" */
} gen;

#include "gen_names.h"

/* ---- expressions ---- */

/* One of the invocation's words of the input, of type uint. */
static void
put_input(gen *g, unsigned word)
{
    if (g->is_frame)
        PUTF(g, "data_in[lane * 2u + %uu].%c", word / 4, "xyzw"[word % 4]);
    else
        PUTF(g, "data_in[lane * 8u + %uu]", word);
}

/* Of type uint. */
static void
put_number(gen *g)
{
    static const char *const ops[] = {" + ", " - ", " * ", " ^ ", " & ", " | "};
    switch (below(g, 9)) {
    case 0: put_input(g, below(g, GEN_WORDS)); break;
    case 1: PUTF(g, "uniforms[%u]", below(g, 4)); break;
    case 2: PUTF(g, "%uu", below(g, 1000)); break;
    case 3: PUTF(g, "place.%c", "xy"[below(g, 2)]); break;
    case 4: put(g, below(g, 2) ? "corner" : "lane"); break;
    case 5: PUTF(g, "uint(int(f%u))", below(g, N_FLOATS)); break;
    case 6:
        PUTF(g, "(u%u%su%u)", below(g, N_NUMBERS), ops[below(g, 6)], below(g, N_NUMBERS));
        break;
    default: PUTF(g, "u%u", below(g, N_NUMBERS)); break;
    }
}

/* Of type float, a whole number that is exact in 24 bits. */
static void
put_float(gen *g)
{
    if (below(g, 4) == 0) {
        PUTF(g, "keep(f%u)", below(g, N_FLOATS));
        return;
    }
    put(g, "float(");
    put_number(g);
    put(g, " & 0x3ffu)");
}

static void
condition(gen_flow *f)
{
    gen *g = (gen *)f;
    switch (below(g, 5)) {
    case 0: PUTF(g, "(lane & %uu) != 0u", 1u << below(g, 7)); break;
    case 1: PUTF(g, "gl_FragCoord.%c < %u.0", "xy"[below(g, 2)], 1 + below(g, 12)); break;
    case 2: PUTF(g, "f%u < %u.0", below(g, N_FLOATS), below(g, 512)); break;
    case 3: PUTF(g, "(u%u & %uu) == 0u", below(g, N_NUMBERS), 1u << below(g, 6)); break;
    default: PUTF(g, "u%u > u%u", below(g, N_NUMBERS), below(g, N_NUMBERS)); break;
    }
}

/* ---- statements ---- */

static void
assign(gen *g)
{
    line(g);
    if (below(g, 4) == 0) {
        PUTF(g, "f%u = ", below(g, N_FLOATS));
        put_float(g);
    } else {
        PUTF(g, "u%u = ", below(g, N_NUMBERS));
        put_number(g);
        put(g, " + ");
        put_number(g);
    }
    put(g, ";\n");
}

/* `f0 = dFdxFine(...);` */
static void
put_derivative(gen *g)
{
    static const char *const fine[] = {"dFdxFine", "dFdyFine", "fwidthFine"};
    PUTF(g, "f%u = ", below(g, N_FLOATS));
    switch (below(g, g->is_frame ? 2 : 4)) {
    case 0: PUTF(g, "dFdxCoarse(float((place.x * %uu) & 63u))", 1 + below(g, 30)); break;
    case 1: PUTF(g, "dFdyCoarse(float((place.y * %uu) & 63u))", 1 + below(g, 30)); break;
    default:
        PUTF(g, "%s(", fine[below(g, 3)]);
        put_float(g);
        put(g, ")");
        break;
    }
    put(g, ";");
}

/* In control flow that is the same for all of a quad. */
static void
derivative(gen *g)
{
    static const char *const begins[] = {
        "",
        "if ((quad & %uu) != 0u) { ",
        "if ((quad & %uu) == 0u) u3++; else { ",
        "for (uint q = 0u; q < (quad & %uu); q++) { u1 += q; ",
        "for (uint q = 0u; q < 3u; q++) { if ((quad & %uu) > q) continue; u2 ^= q; ",
    };
    unsigned begin = below(g, 5), by = 1 + below(g, 7);
    if (g->flow.divergent || g->ended) {
        assign(g);
        return;
    }
    g->derives = true;
    line(g);
    GEN_PUTF(&g->flow.text, begins[begin], by); /* the first takes no number */
    put_derivative(g);
    put(g, begin ? " }\n" : "\n");
}

static void
store(gen *g)
{
    line(g);
    PUTF(g, "data_out[lane * 8u + %uu] = ", below(g, GEN_WORDS));
    put_number(g);
    put(g, ";\n");
}

static void
count(gen *g)
{
    line(g);
    PUTF(g, "atomicAdd(counters[%u], ", below(g, GEN_COUNTERS));
    put_number(g);
    put(g, ");\n");
}

static void
color(gen *g)
{
    line(g);
    PUTF(g, "color.%c %s= ", "xyzw"[below(g, 4)], below(g, 2) ? "^" : "+");
    put_number(g);
    put(g, ";\n");
}

/* Not often, so that something is left to see. */
static void
discard(gen *g)
{
    line(g);
    PUTF(g, "if ((lane & 3u) == %uu && ", below(g, 4));
    condition(&g->flow);
    put(g, g->demotes ? ") demote;\n" : ") discard;\n");
    g->ended |= !g->demotes;
}

static void
leave(gen *g)
{
    line(g);
    PUTF(g, "if ((lane & 7u) == %uu && ", below(g, 8));
    condition(&g->flow);
    PUTF(g, ") { color.%c += 1u; return; }\n", "xyzw"[below(g, 4)]);
    g->ended = true;
}

static void
statement(gen_flow *f)
{
    gen *g = (gen *)f;
    static void (*const kinds[])(gen *) = {assign,     assign,     assign, store,   color,
                                           derivative, derivative, count,  discard, derivative};
    static void (*const alone[])(gen *) = {assign, assign, color, color, derivative, discard};
    bool leaves = below(g, 40) == 0;
    if (g->is_frame && !leaves) {
        alone[below(g, sizeof alone / sizeof *alone)](g);
        return;
    }
    (leaves ? leave : kinds[below(g, sizeof kinds / sizeof *kinds)])(g);
}

/* ---- the shaders ---- */

static void
make_vertex(uint64_t seed, base_buf *out)
{
    (void)seed;
    buf_puts(out, "#version 450\n"
                  "layout(location = 0) in vec4 position;\n"
                  "layout(location = 0) out vec2 at;\n"
                  "layout(location = 1) flat out uint corner;\n"
                  "void main() {\n"
                  "    gl_Position = position;\n");
    buf_printf(out, "    at = (position.xy * 0.5 + 0.5) * vec2(%u.0, %u.0);\n", GEN_WIDTH,
               GEN_HEIGHT);
    buf_puts(out, "    corner = uint(gl_VertexIndex) * 17u;\n"
                  "}\n");
}

static void
declare(gen *g)
{
    put(g, g->demotes ? "#version 450\n#extension GL_EXT_demote_to_helper_invocation : require\n"
                      : "#version 450\n");
    if (g->is_frame)
        put(g, "layout(set = 0, binding = 0) uniform In { uvec4 data_in[256]; };\n"
               "layout(set = 0, binding = 3) uniform Uniforms { uvec4 uniforms; };\n");
    else
        put(g, strstr(gen_interface, "layout(set"));
    put(g, "layout(location = 0) in vec2 at;\n"
           "layout(location = 1) flat in uint corner;\n"
           "layout(location = 0) out uvec4 color;\n"
           "float keep(float x) { return clamp(x, -1024.0, 1024.0); }\n"
           "void main() {\n"
           "    uvec2 place = uvec2(at);\n");
    PUTF(g,
         "    uint lane = (uint(gl_FragCoord.y) * %uu + uint(gl_FragCoord.x)) & %uu;\n"
         "    uint quad = uint(gl_FragCoord.y) / 2u * %uu + uint(gl_FragCoord.x) / 2u;\n",
         GEN_WIDTH, GEN_INVOCATIONS - 1, GEN_WIDTH / 2);
    for (unsigned k = 0; k < N_NUMBERS; k++) {
        PUTF(g, "    uint u%u = ", k);
        put_input(g, k);
        put(g, ";\n");
    }
    for (unsigned k = 0; k < N_FLOATS; k++) {
        PUTF(g, "    float f%u = float(", k);
        put_input(g, 4 + k);
        put(g, " & 255u);\n");
    }
    put(g, "    color = uvec4(lane, corner, place);\n");
}

static gen_info
make_shader(uint64_t seed, gen_cuts cuts, base_buf *out, bool is_frame)
{
    static const gen_flow_rules rules = {statement, condition, true};
    gen g = {.flow = {.text = {.state = seed * 11 + 5, .out = out, .cuts = cuts, .indent = 1},
                      .rules = &rules,
                      .budget = 45},
             .is_frame = is_frame};
    g.demotes = below(&g, 2);
    bool one = below(&g, 2);
    declare(&g);
    gen_flow_block(&g.flow, 6 + below(&g, 14));
    put(&g, "    color += uvec4(u0, u1, u2, u3) * 3u + uint(int(f0)) + uint(int(f1)) * 5u;\n"
            "}\n");
    return (gen_info){
        .statements = g.flow.text.statement, .one_triangle = one, .beyond_lavapipe = g.derives};
}

static gen_info
make(uint64_t seed, gen_cuts cuts, base_buf *out)
{
    return make_shader(seed, cuts, out, false);
}

static gen_info
make_frame(uint64_t seed, gen_cuts cuts, base_buf *out)
{
    return make_shader(seed, cuts, out, true);
}

const gen_family gen_pixels = {"pixels", make_frame, .make_vertex = make_vertex,
                               .flags = GEN_UNIFORM_INPUT};
const gen_family gen_fragments = {"fragments", make, .make_vertex = make_vertex};
