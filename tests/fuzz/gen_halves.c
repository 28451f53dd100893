/* Generates random compute shaders with 16-bit types: vectors of f16, i16 and u16, their components
 * in all orders, conversions to and from 32 bits, loops that carry vectors.
 *
 * Every result is exact: floats are multiples of 1/2 in [-8, 8] after each assignment, and an
 * expression has one product of two of them and few sums, all of which f16 has (11 bits), so
 * neither contraction nor the precision of a step changes it. Integers wrap around; shift counts
 * are masked.
 */
#include "gen_family.h"

#include <stdio.h>
#include <string.h>

enum { N_VECTORS = 3, MAX_DEPTH = 3 };

typedef struct gen {
    gen_text text;
    unsigned depth, loops;
    int budget;
} gen;

/* The types of values: vectors of f16 h0 to h2 of four components, i16 s0 to s2 of four, u16 w0 to
 * w2 of two, f32 f0 to f2 of four. */
typedef enum type { HALF, SHORT, WORD, FLOAT, N_TYPES } type;

static const struct {
    char name;
    unsigned comps;
    const char *vector, *scalar;
} types[N_TYPES] = {
    {'h', 4, "f16vec4", "float16_t"},
    {'s', 4, "i16vec4", "int16_t"},
    {'w', 2, "u16vec2", "uint16_t"},
    {'f', 4, "vec4", "float"},
};

static unsigned
below(gen *g, unsigned n)
{
    return gen_below(&g->text, n);
}

static void
put(gen *g, const char *text)
{
    gen_put(&g->text, text);
}

#define PUTF(g, ...) GEN_PUTF(&(g)->text, __VA_ARGS__)

/* ---- expressions ---- */

/* `.wzyx`: `n` components of a vector of type `t` in any order. */
static void
swizzle(gen *g, type t, unsigned n)
{
    put(g, ".");
    for (unsigned c = 0; c < n; c++)
        PUTF(g, "%c", "xyzw"[below(g, types[t].comps)]);
}

static void
constant(gen *g, type t)
{
    static const char *const numbers[N_TYPES][6] = {
        {"0.0", "0.5", "-1.0", "2.0", "3.5", "-7.5"},
        {"0", "1", "-1", "77", "-12345", "32767"},
        {"0", "1", "3", "255", "40000", "65535"},
        {"0.0", "0.5", "-1.0", "2.0", "3.5", "-7.5"},
    };
    PUTF(g, "%s(", types[t].vector);
    bool same = below(g, 2);
    unsigned k = below(g, 6);
    for (unsigned c = 0; c < (same ? 1 : types[t].comps); c++)
        PUTF(g, "%s%s", c ? ", " : "", numbers[t][same ? k : below(g, 6)]);
    put(g, ")");
}

/* A vector variable, a permutation of it, one component for all, or a constant. */
static void
leaf(gen *g, type t)
{
    unsigned kind = below(g, 8), v = below(g, N_VECTORS);
    if (kind == 0) {
        constant(g, t);
        return;
    }
    if (kind == 1)
        PUTF(g, "%s(", types[t].vector);
    PUTF(g, "%c%u", types[t].name, v);
    if (kind <= 4)
        swizzle(g, t, kind == 1 ? 1 : types[t].comps);
    if (kind == 1)
        put(g, ")");
}

static void
call(gen *g, const char *name, type t, unsigned n)
{
    PUTF(g, "%s(", name);
    for (unsigned k = 0; k < n; k++) {
        put(g, k ? ", " : "");
        leaf(g, t);
    }
    put(g, ")");
}

static void
binary(gen *g, const char *op, type t)
{
    put(g, "(");
    leaf(g, t);
    put(g, op);
    leaf(g, t);
    put(g, ")");
}

/* The other type of floats, converted. */
static void
other_floats(gen *g, type t)
{
    type from = t == HALF ? FLOAT : HALF;
    PUTF(g, "%s(", types[t].vector);
    leaf(g, from);
    put(g, ")");
}

/* At most one product, and sums of a few numbers, in [-8, 8]. */
static void
float_expr(gen *g, type t)
{
    switch (below(g, 12)) {
    case 0: binary(g, " + ", t); break;
    case 1: binary(g, " - ", t); break;
    case 2: binary(g, " * ", t); break;
    case 3:
    case 4:
        binary(g, " * ", t);
        put(g, below(g, 2) ? " + " : " - ");
        leaf(g, t);
        break;
    case 5: call(g, "min", t, 2); break;
    case 6: call(g, "max", t, 2); break;
    case 7: call(g, "-", t, 1); break;
    case 8: call(g, "abs", t, 1); break;
    case 9:
        put(g, "min(max(");
        leaf(g, t);
        PUTF(g, ", %s(-2.5)), %s(4.0))", types[t].scalar, types[t].scalar);
        break;
    case 10:
        other_floats(g, t);
        put(g, " * ");
        leaf(g, t);
        put(g, " + ");
        leaf(g, t);
        break;
    default: other_floats(g, t); break;
    }
}

static void
int_expr(gen *g, type t)
{
    static const char *const ops[] = {" + ", " - ", " * ", " & ", " | ", " ^ "};
    unsigned kind = below(g, 14);
    if (kind < 6) {
        binary(g, ops[kind], t);
        return;
    }
    switch (kind) {
    case 6:
    case 7:
        put(g, "(");
        leaf(g, t);
        PUTF(g, kind == 6 ? " << (" : " >> (");
        leaf(g, t);
        PUTF(g, " & %s(15)))", types[t].scalar);
        break;
    case 8: call(g, "min", t, 2); break;
    case 9: call(g, "max", t, 2); break;
    case 10: call(g, "~", t, 1); break;
    case 11: call(g, "-", t, 1); break;
    case 12:
        binary(g, " * ", t);
        put(g, " + ");
        leaf(g, t);
        break;
    default:
        PUTF(g, "%s(", types[t].vector);
        leaf(g, t == SHORT ? HALF : SHORT);
        put(g, t == SHORT ? ")" : ".zx)");
        break;
    }
}

static void
condition(gen *g)
{
    type t = (type)below(g, N_TYPES);
    PUTF(g, "%c%u", types[t].name, below(g, N_VECTORS));
    swizzle(g, t, 1);
    PUTF(g, " < %c%u", types[t].name, below(g, N_VECTORS));
    swizzle(g, t, 1);
}

/* ---- statements ---- */

static void
block(gen *g, unsigned statements);

static void
value(gen *g, type t)
{
    bool floats = t == HALF || t == FLOAT;
    if (below(g, 6) == 0) {
        condition(g);
        put(g, " ? ");
        leaf(g, t);
        put(g, " : ");
    }
    (floats ? float_expr : int_expr)(g, t);
}

static void
assign(gen *g)
{
    type t = (type)below(g, N_TYPES);
    bool floats = t == HALF || t == FLOAT, part = below(g, 5) == 0;
    gen_line_start(&g->text);
    PUTF(g, "%c%u", types[t].name, below(g, N_VECTORS));
    if (part)
        PUTF(g, ".%c", "xyzw"[below(g, types[t].comps)]);
    put(g, floats ? " = keep(" : " = (");
    value(g, t);
    put(g, ")");
    if (part)
        swizzle(g, t, 1);
    put(g, ";\n");
}

static void
enclosed(gen *g, const char *begin)
{
    gen_line_start(&g->text);
    put(g, begin);
    if (!*begin) {
        put(g, "if (");
        condition(g);
        put(g, ") {\n");
    }
    g->text.indent++;
    g->depth++;
    block(g, 1 + below(g, 5));
    g->depth--;
    g->text.indent--;
    gen_line_start(&g->text);
    put(g, "}\n");
}

static void
loop(gen *g)
{
    char head[80];
    unsigned k = g->loops++, more = below(g, 3);
    const char *count = below(g, 2) ? "uniforms.y % 4u" : "(lane & 3u)";
    snprintf(head, sizeof head, "for (uint k%u = 0u; k%u < %s + %uu; k%u++) {\n", k, k, count, more,
             k);
    enclosed(g, head);
    g->loops--;
}

static void
block(gen *g, unsigned statements)
{
    for (unsigned i = 0; i < statements && g->budget > 0; i++) {
        bool cut = gen_begin_statement(&g->text);
        unsigned kind = g->depth < MAX_DEPTH ? below(g, 10) : 9;
        g->budget--;
        if (kind == 0)
            enclosed(g, "");
        else if (kind == 1)
            loop(g);
        else
            assign(g);
        gen_end_statement(&g->text, cut);
    }
}

/* The extensions stand after #version, the first line of gen_interface. */
static const char extensions[] =
    "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n"
    "#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require\n";

static const char prologue[] =
    "f16vec4 keep(f16vec4 x) { return floor(clamp(x, float16_t(-8.0), float16_t(8.0)) * "
    "float16_t(2.0)) * float16_t(0.5); }\n"
    "uint pack(vec2 x) { ivec2 i = ivec2(x * 2.0); return uint(i.x & 0xffff) | uint(i.y) << 16; "
    "}\n" /* without the sign of zeros */
    "vec4 keep(vec4 x) { return floor(clamp(x, -8.0, 8.0) * 2.0) * 0.5; }\n"
    "void main() {\n"
    "    uint at = gl_GlobalInvocationID.x * 8u, lane = gl_LocalInvocationIndex;\n"
    "    vec4 f0 = vec4(ivec4(data_in[at], data_in[at + 1u], data_in[at + 2u], data_in[at + 3u]) "
    ">> "
    "27) * 0.5, f1 = vec4(float(lane & 15u) - 8.0, 1.5, -0.5, 2.0), f2 = f0.wxzy;\n"
    "    f16vec4 h0 = f16vec4(f0.yzwx), h1 = f16vec4(f1), h2 = f16vec4(1.0, -2.0, 0.5, 4.0);\n"
    "    i16vec4 s0 = i16vec4(ivec4(data_in[at + 4u], data_in[at + 5u], lane, -7)), s1 = s0.wxyz * "
    "int16_t(3), s2 = i16vec4(1, -2, 300, -400);\n"
    "    u16vec2 w0 = u16vec2(data_in[at + 6u], data_in[at + 7u]), w1 = w0.yx + uint16_t(9), w2 = "
    "u16vec2(lane);\n";

static const char epilogue[] =
    "    data_out[at] = pack(vec2(h0.xy)); data_out[at + 1u] = pack(vec2(h0.zw + "
    "h1.xy));\n"
    "    data_out[at + 2u] = pack(vec2(h1.zw)) ^ pack(vec2(h2.yx));\n"
    "    data_out[at + 3u] = floatBitsToUint(f0.x + f1.y + f2.z + f0.w + float(h2.z));\n"
    "    data_out[at + 4u] = uint(uint16_t(s0.x)) | uint(uint16_t(s1.y)) << 16; data_out[at + 5u] "
    "= uint(uint16_t(s2.z ^ s0.w)) | uint(uint16_t(s1.x + s2.y)) << 16;\n"
    "    data_out[at + 6u] = uint(w0.x) | uint(w1.y) << 16; data_out[at + 7u] = uint(w2.x ^ w0.y) "
    "+ uint(w1.x);\n"
    "}\n";

static gen_info
make(uint64_t seed, gen_cuts cuts, base_buf *out)
{
    gen g = {.text = {.state = seed, .out = out, .cuts = cuts, .indent = 1}, .budget = 40};
    const char *rest = strchr(gen_interface, '\n') + 1;
    buf_printf(out, "%.*s", (int)(rest - gen_interface), gen_interface);
    buf_puts(out, extensions);
    buf_puts(out, rest);
    buf_puts(out, prologue);
    block(&g, 8 + below(&g, 16));
    buf_puts(out, epilogue);
    return (gen_info){.statements = g.text.statement};
}

const gen_family gen_halves = {"halves", make};
