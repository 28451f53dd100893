/* Generates random compute shaders with operations between the lanes of a subgroup: reductions,
 * scans, clusters, shuffles, quads, ballots and votes, on numbers of all sizes and on vectors, in
 * uniform and in divergent control flow, in whole workgroups and in some smaller than a subgroup.
 *
 * Results depend on the size of subgroups, and on which lanes are together: those that structured
 * control flow brings there, which meet again behind each construct. A value from a lane that is
 * not there is undefined and not used: a shuffle asks a ballot. Floats are small multiples of 1/2,
 * so that sums do not depend on their order, and are not multiplied.
 *
 * The family `lanes` draws more kinds of statements; the programs of `subgroups` stay as they are,
 * because some of its seeds are tests.
 */
#include "gen_family.h"
#include "gen_flow.h"

#include <stdio.h>
#include <string.h>

enum { N_VARIABLES = 2 };

/* A type; its variables are u0, u1. A vector has `comps` components. */
typedef struct value {
    char name;
    bool is_float;
    uint8_t comps;
    const char *type, *scalar;
} value;

static const value values[] = {
    {'u', false, 1, "uint", "uint"},         {'i', false, 1, "int", "int"},
    {'f', true, 1, "float", "float"},        {'c', false, 1, "int8_t", "int8_t"},
    {'d', false, 1, "uint8_t", "uint8_t"},   {'s', false, 1, "int16_t", "int16_t"},
    {'w', false, 1, "uint16_t", "uint16_t"}, {'h', true, 1, "float16_t", "float16_t"},
    {'l', false, 1, "int64_t", "int64_t"},   {'m', false, 1, "uint64_t", "uint64_t"},
    {'e', true, 1, "double", "double"},      {'v', false, 3, "uvec3", "uint"},
    {'x', true, 2, "f16vec2", "float16_t"},  {'y', true, 4, "vec4", "float"},
    {'z', false, 2, "i16vec2", "int16_t"},
};
enum { N_VALUES = sizeof values / sizeof *values };

typedef struct gen {
    gen_flow flow;
    bool lanes; /* also shuffles by the lane's number, sums with them, masks of lanes */
} gen;

#include "gen_names.h"

static const value *
any_value(gen *g)
{
    return &values[below(g, N_VALUES)];
}

/* ---- expressions of one lane ---- */

static void
put_variable(gen *g, const value *t)
{
    PUTF(g, "%c%u", t->name, below(g, N_VARIABLES));
}

/* An expression of the type, of values in the range of its variables. */
static void
put_value(gen *g, const value *t)
{
    static const char *const ops[] = {" + ", " - ", " * ", " ^ ", " & ", " | "};
    switch (below(g, 6)) {
    case 0: PUTF(g, "%s(lane & 7u)", t->type); break;
    case 1: PUTF(g, "%s(uniforms[%u] & 7u)", t->type, below(g, 4)); break;
    case 2: PUTF(g, "%s(%u)", t->type, below(g, 8)); break;
    case 3:
        PUTF(g, t->is_float ? "keep(" : "(");
        put_variable(g, t);
        put(g, ops[below(g, t->is_float ? 2 : 6)]);
        put_variable(g, t);
        put(g, ")");
        break;
    default: put_variable(g, t); break;
    }
}

static void
condition(gen_flow *f)
{
    gen *g = (gen *)f;
    const value *t = &values[below(g, 11)];
    switch (below(g, 6)) {
    case 0: PUTF(g, "(lane & %uu) != 0u", 1u << below(g, 7)); break;
    case 1: PUTF(g, "lane < (u%u & 63u)", below(g, 2)); break;
    case 2: PUTF(g, "gl_SubgroupInvocationID %% %uu == %uu", 2 + below(g, 4), below(g, 2)); break;
    case 3: PUTF(g, "(uint(i%u >> %u) & 3u) != 0u", below(g, 2), below(g, 16)); break;
    default:
        put_variable(g, t);
        put(g, below(g, 2) ? " < " : " != ");
        put_value(g, t);
        break;
    }
}

/* ---- operations of the subgroup, each a statement ---- */

/* `u0 = subgroupInclusiveAdd(...)`. */
static void
arithmetic(gen *g)
{
    static const char *const forms[] = {"", "", "Inclusive", "Exclusive", "Clustered"};
    static const char *const ops[] = {"Add", "Min", "Max", "Mul", "And", "Or", "Xor"};
    const value *t = any_value(g);
    unsigned form = below(g, 5);
    line(g);
    put_variable(g, t);
    PUTF(g, " = %ssubgroup%s%s(", t->is_float ? "keep(" : "(", forms[form],
         ops[below(g, t->is_float ? 3 : 7)]);
    put_value(g, t);
    if (form == 4)
        PUTF(g, ", %uu", 1u << below(g, 6));
    put(g, "));\n");
}

/* `at` is made from the lane's number. */
static void
put_index(gen *g, unsigned n)
{
    static const char *const forms[] = {
        "gl_SubgroupInvocationID ^ %uu",
        "gl_SubgroupInvocationID + %uu",
        "gl_SubgroupInvocationID - %uu",
        "(gl_SubgroupInvocationID + %uu) & (gl_SubgroupSize - 1u)",
        "gl_SubgroupInvocationID + (uniforms[%u & 3u] & 7u)",
        "(gl_SubgroupInvocationID & ~3u) | (%uu & 3u)",
        "gl_SubgroupInvocationID & 0x%xu",
        "(gl_SubgroupInvocationID | %uu) & 31u",
        "gl_SubgroupSize - 1u - gl_SubgroupInvocationID + 0u * %uu",
        "gl_SubgroupInvocationID + 0u * %uu",
    };
    put(g, "at = ");
    PUTF(g, forms[below(g, sizeof forms / sizeof *forms)], n);
    put(g, "; ");
}

/* The lane that a shuffle reads is `at`. Writes the shuffle of the value up to its end. */
static void
put_shuffle(gen *g, const value *t)
{
    static const char *const kinds[] = {"ShuffleXor", "ShuffleUp", "ShuffleDown"};
    static const char *const quads[] = {"Horizontal", "Vertical", "Diagonal"};
    static const char ops[] = "^-+";
    unsigned kind = below(g, g->lanes ? 10 : 8), k = below(g, 3), n = below(g, 64);
    if (kind > 7) {
        put_index(g, n);
        PUTF(g, "%s r = subgroupShuffle(", t->type);
        put_value(g, t);
        put(g, ", at)");
    } else if (kind < 2) {
        PUTF(g, "at = (");
        put_variable(g, &values[0]);
        PUTF(g, " + %uu) & (gl_SubgroupSize - 1u); %s r = subgroupShuffle(", n, t->type);
        put_value(g, t);
        put(g, ", at)");
    } else if (kind < 5) {
        bool uniform = below(g, 3) == 0;
        char by[40];
        snprintf(by, sizeof by, uniform ? "(uniforms[%u] & 15u)" : "%uu", uniform ? n % 4 : n);
        PUTF(g, "at = gl_SubgroupInvocationID %c %s; %s r = subgroup%s(", ops[k], by, t->type,
             kinds[k]);
        put_value(g, t);
        PUTF(g, ", %s)", by);
    } else if (kind == 5) {
        PUTF(g, "at = gl_SubgroupInvocationID ^ %uu; %s r = subgroupQuadSwap%s(", k + 1, t->type,
             quads[k]);
        put_value(g, t);
        put(g, ")");
    } else if (kind == 6) {
        PUTF(g, "at = (gl_SubgroupInvocationID & ~3u) + %uu; %s r = subgroupQuadBroadcast(", n % 4,
             t->type);
        put_value(g, t);
        PUTF(g, ", %uu)", n % 4);
    } else {
        PUTF(g, "at = %uu; %s r = subgroupBroadcast(", n, t->type);
        put_value(g, t);
        PUTF(g, ", %uu)", n);
    }
}

/* Uses the value, or a sum with it, if the lane is there. */
static void
shuffle(gen *g)
{
    static const char *const ops[] = {" + ", " - ", " * ", " ^ ", " & ", " | "};
    const value *t = any_value(g);
    line(g);
    put(g, "{ uvec4 here = subgroupBallot(true); uint ");
    put_shuffle(g, t);
    if (g->lanes && below(g, 2)) { /* the operation may read the other lane itself */
        put(g, ops[below(g, t->is_float ? 2 : 6)]);
        put_variable(g, t);
    }
    put(g, "; if (at < gl_SubgroupSize && subgroupBallotBitExtract(here, at & 63u)) ");
    put_variable(g, t);
    put(g, g->lanes && t->is_float ? " = keep(r); }\n" : " = r; }\n");
}

static void
first(gen *g)
{
    const value *t = any_value(g);
    line(g);
    put_variable(g, t);
    put(g, " = subgroupBroadcastFirst(");
    put_value(g, t);
    put(g, ");\n");
}

/* A ballot, and a number made of it. */
static void
ballot(gen *g)
{
    static const char *const masks[] = {"Eq", "Ge", "Gt", "Le", "Lt"};
    static const char *const counts[] = {"subgroupBallotBitCount",
                                         "subgroupBallotInclusiveBitCount",
                                         "subgroupBallotExclusiveBitCount"};
    line(g);
    put(g, "{ uvec4 b = subgroupBallot(");
    condition(&g->flow);
    put(g, "); ");
    if (below(g, 4) == 0)
        PUTF(g, "b &= gl_Subgroup%sMask; ", masks[below(g, 5)]);
    put_variable(g, &values[0]);
    switch (below(g, g->lanes ? 8 : 5)) {
    case 0: put(g, " ^= b.x + b.y * 3u"); break;
    case 5:
        put(g, " += bitCount(b.x & gl_SubgroupLtMask.x) + bitCount(b.y & gl_SubgroupLtMask.y)");
        break;
    case 6: {
        const char *mask = masks[below(g, 5)];
        PUTF(g, " ^= gl_Subgroup%sMask.x * 5u + gl_Subgroup%sMask.y", mask, mask);
        break;
    }
    case 7:
        PUTF(g, " += subgroupInverseBallot(uvec4(0x%xu, 0x%xu, 0u, 0u)) ? 5u : 1u", below(g, 64),
             below(g, 64) << 26);
        break;
    case 1: put(g, " += (b.x | b.y) == 0u ? 99u : subgroupBallotFindLSB(b)"); break;
    case 2: put(g, " += (b.x | b.y) == 0u ? 77u : subgroupBallotFindMSB(b)"); break;
    case 3:
        PUTF(g, " += subgroupBallotBitExtract(b, (lane + %uu) & (gl_SubgroupSize - 1u)) ? 5u : 1u",
             below(g, 32));
        break;
    default: PUTF(g, " += %s(b)", counts[below(g, 3)]); break;
    }
    put(g, "; }\n");
}

static void
vote(gen *g)
{
    static const char *const begins[] = {"subgroupAll(", "subgroupAny(", "subgroupBroadcastFirst(",
                                         "subgroupInverseBallot(subgroupBallot("};
    unsigned kind = below(g, 5);
    line(g);
    put(g, "b0 = ");
    if (kind == 4) {
        put(g, "subgroupAllEqual(");
        put_value(g, &values[below(g, N_VALUES)]);
    } else {
        put(g, begins[kind]);
        condition(&g->flow);
    }
    put(g, kind == 3 ? "));\n" : ");\n");
}

/* One lane of those that are there counts them. */
static void
elect(gen *g)
{
    line(g);
    PUTF(g,
         "{ uint n = subgroupBallotBitCount(subgroupBallot(true)); if (subgroupElect()) { "
         "atomicAdd(counters[%u], n * n); ",
         below(g, GEN_COUNTERS));
    put_variable(g, &values[0]);
    put(g, " ^= n; } }\n");
}

/* ---- statements of one lane ---- */

static void
assign(gen *g)
{
    const value *t = any_value(g);
    line(g);
    put_variable(g, t);
    put(g, " = ");
    if (below(g, 4) == 0)
        PUTF(g, "b0 ? %c0 : ", t->name);
    put_value(g, t);
    put(g, ";\n");
}

/* From one type to the next. */
static void
convert(gen *g)
{
    const value *t = &values[below(g, 11)], *from = &values[below(g, 11)];
    line(g);
    put_variable(g, t);
    if (from->is_float)
        PUTF(g, " = %s(abs(%c0));\n", t->type, from->name);
    else
        PUTF(g, " = %s(%c0 & %s(7));\n", t->type, from->name, from->type);
}

static void
statement(gen_flow *f)
{
    gen *g = (gen *)f;
    static void (*const kinds[])(gen *) = {arithmetic, arithmetic, arithmetic, shuffle, shuffle,
                                           first,      ballot,     ballot,     vote,    elect,
                                           assign,     assign,     convert,    convert};
    kinds[below(g, sizeof kinds / sizeof *kinds)](g);
}

/* ---- the shader ---- */

static const char extensions[] =
    "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
    "#extension GL_KHR_shader_subgroup_basic : require\n"
    "#extension GL_KHR_shader_subgroup_vote : require\n"
    "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
    "#extension GL_KHR_shader_subgroup_ballot : require\n"
    "#extension GL_KHR_shader_subgroup_shuffle : require\n"
    "#extension GL_KHR_shader_subgroup_shuffle_relative : require\n"
    "#extension GL_KHR_shader_subgroup_clustered : require\n"
    "#extension GL_KHR_shader_subgroup_quad : require\n"
    "#extension GL_EXT_shader_subgroup_extended_types_int8 : require\n"
    "#extension GL_EXT_shader_subgroup_extended_types_int16 : require\n"
    "#extension GL_EXT_shader_subgroup_extended_types_int64 : require\n"
    "#extension GL_EXT_shader_subgroup_extended_types_float16 : require\n";

static void
declare(gen *g)
{
    for (const value *t = values; t < values + N_VALUES; t++) {
        if (t->is_float)
            PUTF(g, "%s keep(%s x) { return floor(clamp(x, %s(-8), %s(8)) * %s(2)) / %s(2); }\n",
                 t->type, t->type, t->scalar, t->scalar, t->scalar, t->scalar);
    }
    put(g, "void main() {\n"
           "    uint id = gl_GlobalInvocationID.x, lane = gl_LocalInvocationIndex;\n"
           "    bool b0 = (data_in[id * 8u] & 1u) != 0u;\n");
    unsigned at = 0;
    for (const value *t = values; t < values + N_VALUES; t++) {
        PUTF(g, "    %s", t->type);
        for (unsigned v = 0; v < N_VARIABLES; v++, at++)
            PUTF(g, "%s %c%u = %s(data_in[id * 8u + %uu]%s)", v ? "," : "", t->name, v, t->type,
                 at % 8, t->is_float ? " & 7u" : "");
        put(g, ";\n");
    }
}

static void
save(gen *g)
{
    unsigned word = 0;
    for (const value *t = values; t < values + N_VALUES; t++) {
        for (unsigned k = 0; k < N_VARIABLES * t->comps; k++, word++) {
            PUTF(g, "    data_out[id * 8u + %uu] = data_out[id * 8u + %uu] * 31u + uint(%s",
                 word % 8, word % 8, t->is_float ? "int(" : "");
            PUTF(g, "%c%u", t->name, k % N_VARIABLES);
            if (t->comps > 1)
                PUTF(g, ".%c", "xyzw"[k / N_VARIABLES]);
            if (t->is_float)
                PUTF(g, " * %s(2))", t->scalar);
            put(g, ");\n");
        }
    }
    put(g, "    data_out[id * 8u + 7u] += uint(l0 >> 32) * 5u + uint(m1 >> 32) + (b0 ? 7u : 0u);\n"
           "}\n");
}

static gen_info
make_some(uint64_t seed, gen_cuts cuts, bool lanes, base_buf *out)
{
    static const gen_flow_rules rules = {statement, condition, false};
    static const unsigned sizes[] = {64, 64, 64, 128, 32, 16};
    gen g = {.flow = {.text = {.state = seed * 7 + 3, .out = out, .cuts = cuts, .indent = 1},
                      .rules = &rules,
                      .budget = 40},
             .lanes = lanes};
    unsigned size = sizes[below(&g, sizeof sizes / sizeof *sizes)];
    const char *extended = strchr(gen_interface, '\n') + 1, *rest = strchr(extended, '\n') + 1;
    buf_printf(out, "%.*s", (int)(extended - gen_interface), gen_interface);
    buf_puts(out, extensions);
    buf_printf(out, "layout(local_size_x = %u) in;\n", size);
    buf_puts(out, rest);
    declare(&g);
    gen_flow_block(&g.flow, 6 + below(&g, 12));
    save(&g);
    return (gen_info){.statements = g.flow.text.statement, .workgroup = size};
}

static gen_info
make(uint64_t seed, gen_cuts cuts, base_buf *out)
{
    return make_some(seed, cuts, false, out);
}

static gen_info
make_lanes(uint64_t seed, gen_cuts cuts, base_buf *out)
{
    return make_some(seed, cuts, true, out);
}

const gen_family gen_subgroups = {"subgroups", make, .flags = GEN_BY_WAVE};
const gen_family gen_lanes = {"lanes", make_lanes, .flags = GEN_BY_WAVE};
