/* Generates random compute shaders with numbers of 8, 16, 32 and 64 bits: vectors of all of them,
 * their components in all orders, conversions and bit casts between any two, and structures of
 * random members in private arrays, workgroup memory and a storage buffer.
 *
 * Every result is exact: floats are multiples of 1/2 in [-8, 8] (f16) or of 1/4 in [-512, 512] (f32
 * and f64) after each assignment, factors are variables or constants, and sums have few terms, so
 * that neither contraction nor the precision of a step changes a value. Integers wrap around; shift
 * counts are masked, divisors are not 0, signed ones positive, and operands of a signed remainder
 * not negative. Floats become integers within [-100, 100]. The sign of a zero is not stored.
 */
#include "gen_family.h"
#include "gen_flow.h"

#include <string.h>

enum { N_VARIABLES = 2, MAX_MEMBERS = 7, N_PRIVATE = 3, RECORD_BYTES = 320 };

typedef enum domain { SIGNED, UNSIGNED, FLOAT } domain;

/* A type of numbers; its variables are vectors of `comps` components: c0, c1. */
typedef struct number {
    char name;
    uint8_t bits, comps;
    domain kind;
    const char *scalar, *vector; /* "i8vec": the number of components follows */
} number;

static const number numbers[] = {
    {'c', 8, 4, SIGNED, "int8_t", "i8vec"},     {'d', 8, 3, UNSIGNED, "uint8_t", "u8vec"},
    {'s', 16, 3, SIGNED, "int16_t", "i16vec"},  {'w', 16, 4, UNSIGNED, "uint16_t", "u16vec"},
    {'i', 32, 2, SIGNED, "int", "ivec"},        {'u', 32, 3, UNSIGNED, "uint", "uvec"},
    {'l', 64, 2, SIGNED, "int64_t", "i64vec"},  {'m', 64, 3, UNSIGNED, "uint64_t", "u64vec"},
    {'h', 16, 4, FLOAT, "float16_t", "f16vec"}, {'f', 32, 3, FLOAT, "float", "vec"},
    {'e', 64, 2, FLOAT, "double", "dvec"},
};
enum { N_NUMBERS = sizeof numbers / sizeof *numbers };

typedef struct member {
    const number *of;
    unsigned n;     /* components */
    unsigned array; /* elements; 0: it is no array */
} member;

typedef struct gen {
    gen_flow flow;
    member members[MAX_MEMBERS];
    unsigned n_members;
} gen;

#include "gen_names.h"

/* ---- types ---- */

static void
put_type(gen *g, const number *t, unsigned n)
{
    if (n == 1)
        put(g, t->scalar);
    else
        PUTF(g, "%s%u", t->vector, n);
}

static const number *
any_number(gen *g)
{
    return &numbers[below(g, N_NUMBERS)];
}

/* Its values are what the head of this file says: `keep_h(`. */
static void
put_keep(gen *g, const number *t)
{
    if (t->kind == FLOAT)
        PUTF(g, "keep_%c(", t->name);
    else
        put(g, "(");
}

/* ---- leaves ---- */

static void
swizzle(gen *g, unsigned from, unsigned n)
{
    put(g, ".");
    for (unsigned c = 0; c < n; c++)
        PUTF(g, "%c", "xyzw"[below(g, from)]);
}

static void
constant(gen *g, const number *t, unsigned n)
{
    static const char *const values[][8] = {
        [SIGNED] = {"0", "1", "-1", "7", "-128", "127", "85", "-3"},
        [UNSIGNED] = {"0", "1", "3", "15", "128", "255", "170", "64"},
        [FLOAT] = {"0", "1", "-1", "0.5", "2", "-4", "3.5", "-7.5"},
    };
    put_type(g, t, n);
    put(g, "(");
    bool same = n == 1 || below(g, 2);
    for (unsigned c = 0; c < (same ? 1 : n); c++)
        PUTF(g, "%s%s", c ? ", " : "", values[t->kind][below(g, 8)]);
    put(g, ")");
}

/* A place of a structure: of the private array, of workgroup memory, of the buffer. */
static void
put_place(gen *g)
{
    switch (below(g, 3)) {
    case 0: PUTF(g, "own[(lane + %uu) %% %uu]", below(g, 3), (unsigned)N_PRIVATE); break;
    case 1: put(g, "share[lane]"); break;
    default: put(g, "records[id]"); break;
    }
}

static void
put_member(gen *g, unsigned k)
{
    put_place(g);
    PUTF(g, ".m%u", k);
    if (g->members[k].array)
        PUTF(g, "[(u0.x >> %u) %% %uu]", below(g, 8), g->members[k].array);
}

/* A member of the type; false if the structure has none. */
static bool
member_leaf(gen *g, const number *t, unsigned n)
{
    for (unsigned k = 0; k < g->n_members; k++) {
        const member *m = &g->members[k];
        if (m->of != t)
            continue;
        put_type(g, t, n);
        put(g, "(");
        put_member(g, k);
        if (m->n > 1)
            swizzle(g, m->n, n);
        put(g, ")");
        return true;
    }
    return false;
}

static void
leaf(gen *g, const number *t, unsigned n)
{
    unsigned kind = below(g, 10);
    if (kind == 0) {
        constant(g, t, n);
        return;
    }
    if (kind < 4 && member_leaf(g, t, n))
        return;
    PUTF(g, "%c%u", t->name, below(g, N_VARIABLES));
    swizzle(g, t->comps, n);
}

/* Casts of 64 bits to four of 16, and the same of a number that a compiler does not know. lavapipe of
 * Mesa 22.3.6 makes 0 of the highest 16 bits of a constant (known/lavapipe-unpack-64.amber). */
static const char words_known[] = "u16vec4 words(uint64_t x) { return unpack16(x); }\n"
                                  "i16vec4 words(int64_t x) { return unpack16(x); }\n";
static const char words_unknown[] =
    "u16vec4 words(uint64_t x) { return unpack16(x ^ uint64_t(counters[0])); }\n"
    "i16vec4 words(int64_t x) { return unpack16(x ^ int64_t(counters[0])); }\n";

/* ---- expressions ---- */

static void
expr(gen *g, const number *t, unsigned n, unsigned depth);

static void
binary(gen *g, const char *op, const number *t, unsigned n, unsigned depth)
{
    put(g, "(");
    expr(g, t, n, depth);
    put(g, op);
    expr(g, t, n, depth);
    put(g, ")");
}

static void
call(gen *g, const char *name, unsigned arguments, const number *t, unsigned n, unsigned depth)
{
    PUTF(g, "%s(", name);
    for (unsigned k = 0; k < arguments; k++) {
        put(g, k ? ", " : "");
        expr(g, t, n, depth);
    }
    put(g, ")");
}

/* A bit cast that makes a scalar of a vector, or takes a number apart. */
typedef struct cast {
    const char *name;
    char to, to_n, from, from_n;
} cast;

static const cast casts[] = {
    {"pack16", 'w', 1, 'd', 2},   {"pack32", 'u', 1, 'd', 4},   {"pack32", 'u', 1, 'w', 2},
    {"pack64", 'm', 1, 'w', 4},   {"pack64", 'm', 1, 'u', 2},   {"pack16", 's', 1, 'c', 2},
    {"pack32", 'i', 1, 'c', 4},   {"pack32", 'i', 1, 's', 2},   {"pack64", 'l', 1, 's', 4},
    {"pack64", 'l', 1, 'i', 2},   {"unpack8", 'd', 2, 'w', 1},  {"unpack8", 'd', 4, 'u', 1},
    {"unpack16", 'w', 2, 'u', 1}, {"words", 'w', 4, 'm', 1},    {"unpack32", 'u', 2, 'm', 1},
    {"unpack8", 'c', 2, 's', 1},  {"unpack8", 'c', 4, 'i', 1},  {"unpack16", 's', 2, 'i', 1},
    {"words", 's', 4, 'l', 1},    {"unpack32", 'i', 2, 'l', 1},
};
enum { N_CASTS = sizeof casts / sizeof *casts };

static const number *
number_named(char name)
{
    const number *t = numbers;
    while (t->name != name)
        t++;
    return t;
}

/* A bit cast to the type; false if none fits. */
static bool
cast_expr(gen *g, const number *t, unsigned n, unsigned depth)
{
    unsigned first = below(g, N_CASTS);
    for (unsigned k = 0; k < N_CASTS; k++) {
        const cast *c = &casts[(first + k) % N_CASTS];
        if (c->to != t->name || (unsigned)c->to_n < n)
            continue;
        PUTF(g, "%s(", c->name);
        expr(g, number_named(c->from), (unsigned)c->from_n, depth);
        put(g, ")");
        if (c->to_n > 1)
            swizzle(g, (unsigned)c->to_n, n);
        return true;
    }
    return false;
}

static void
convert(gen *g, const number *t, unsigned n, unsigned depth)
{
    const number *from = any_number(g);
    if (t->kind == FLOAT) {
        put_keep(g, t);
        put_type(g, t, n);
        put(g, "(");
        expr(g, from, n, depth);
        if (from->kind != FLOAT)
            PUTF(g, " & %s(7)", from->scalar);
        put(g, "))");
        return;
    }
    put_type(g, t, n);
    put(g, "(");
    if (from->kind == FLOAT)
        PUTF(g, "clamp(");
    expr(g, from, n, depth);
    if (from->kind == FLOAT)
        PUTF(g, ", %s(%s), %s(100))", from->scalar, t->kind == SIGNED ? "-100" : "0", from->scalar);
    put(g, ")");
}

/* `mix(a, b, lessThan(c, d))`: the type of the comparison is any. */
static void
choose(gen *g, const number *t, unsigned n, unsigned depth)
{
    static const char *const vectors[] = {"lessThan",         "lessThanEqual", "greaterThan",
                                          "greaterThanEqual", "equal",         "notEqual"};
    static const char *const scalars[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    const number *by = any_number(g);
    unsigned k = below(g, 6);
    if (n == 1) {
        put(g, "(");
        binary(g, scalars[k], by, 1, depth);
        put(g, " ? ");
        expr(g, t, 1, depth);
        put(g, " : ");
        expr(g, t, 1, depth);
        put(g, ")");
        return;
    }
    put(g, "mix(");
    expr(g, t, n, depth);
    put(g, ", ");
    expr(g, t, n, depth);
    put(g, ", ");
    call(g, vectors[k], 2, by, n, depth);
    put(g, ")");
}

static void
divide(gen *g, const number *t, unsigned n, unsigned depth)
{
    bool rest = below(g, 2);
    put(g, "((");
    expr(g, t, n, depth);
    if (t->kind == SIGNED && rest)
        PUTF(g, " & %s(0x7f)", t->scalar);
    put(g, rest ? ") % (" : ") / (");
    expr(g, t, n, depth);
    if (t->kind == SIGNED)
        PUTF(g, " & %s(63)", t->scalar);
    PUTF(g, " | %s(1)))", t->scalar);
}

static void
shift(gen *g, const number *t, unsigned n, unsigned depth)
{
    put(g, "(");
    expr(g, t, n, depth);
    put(g, below(g, 2) ? " << (" : " >> (");
    expr(g, t, n, 0);
    PUTF(g, " & %s(%u)))", t->scalar, t->bits - 1u);
}

/* Operations of 32 bits only, each with a result of 32 bits. */
static void
bits_expr(gen *g, const number *t, unsigned n, unsigned depth)
{
    static const char *const names[] = {"bitCount", "findLSB", "findMSB", "bitfieldReverse"};
    unsigned kind = below(g, 6);
    put_type(g, t, n);
    put(g, "(");
    if (kind < 4) {
        call(g, names[kind], 1, t, n, depth);
    } else if (kind == 4) {
        put(g, "bitfieldExtract(");
        expr(g, t, n, depth);
        PUTF(g, ", %u, %u)", below(g, 16), below(g, 17));
    } else {
        put(g, "bitfieldInsert(");
        expr(g, t, n, depth);
        put(g, ", ");
        expr(g, t, n, depth);
        PUTF(g, ", %u, %u)", below(g, 16), below(g, 17));
    }
    put(g, ")");
}

static void
int_expr(gen *g, const number *t, unsigned n, unsigned d)
{
    static const char *const ops[] = {" + ", " - ", " * ", " & ", " | ", " ^ "};
    unsigned kind = below(g, 20);
    switch (kind) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5: binary(g, ops[kind], t, n, d); break;
    case 6:
    case 7: shift(g, t, n, d); break;
    case 8: divide(g, t, n, d); break;
    case 9: call(g, "min", 2, t, n, d); break;
    case 10: call(g, "max", 2, t, n, d); break;
    case 11: call(g, below(g, 2) ? "~" : "-", 1, t, n, d); break;
    case 12: call(g, t->kind == SIGNED ? "abs" : "~", 1, t, n, d); break;
    case 13: choose(g, t, n, d); break;
    case 14:
        if (t->bits == 32)
            bits_expr(g, t, n, d);
        else
            shift(g, t, n, d);
        break;
    case 15:
    case 16:
        if (!cast_expr(g, t, n, d))
            convert(g, t, n, d);
        break;
    default: convert(g, t, n, d); break;
    }
}

static void
float_expr(gen *g, const number *t, unsigned n, unsigned d)
{
    switch (below(g, 14)) {
    case 0: binary(g, " + ", t, n, d); break;
    case 1: binary(g, " - ", t, n, d); break;
    case 2:
    case 3:
        put_keep(g, t);
        binary(g, " * ", t, n, 0);
        put(g, below(g, 2) ? " + " : " - ");
        leaf(g, t, n);
        put(g, ")");
        break;
    case 4: call(g, "min", 2, t, n, d); break;
    case 5: call(g, "max", 2, t, n, d); break;
    case 6: call(g, "-", 1, t, n, d); break;
    case 7: call(g, "abs", 1, t, n, d); break;
    case 8: call(g, "floor", 1, t, n, d); break;
    case 9: call(g, "trunc", 1, t, n, d); break;
    case 10: call(g, "sign", 1, t, n, d); break;
    case 11: choose(g, t, n, d); break;
    default: convert(g, t, n, d); break;
    }
}

static void
expr(gen *g, const number *t, unsigned n, unsigned depth)
{
    if (depth == 0 || below(g, 5) == 0)
        leaf(g, t, n);
    else
        (t->kind == FLOAT ? float_expr : int_expr)(g, t, n, depth - 1);
}

static void
condition(gen_flow *f)
{
    gen *g = (gen *)f;
    static const char *const ops[] = {" < ", " >= ", " == ", " != "};
    if (below(g, 4)) {
        binary(g, ops[below(g, 4)], any_number(g), 1, 1);
        return;
    }
    put(g, below(g, 2) ? "any(" : "all(");
    call(g, "lessThan", 2, any_number(g), 2, 1);
    put(g, ")");
}

/* ---- statements ---- */

/* Assigns a variable, or some of its components. */
static void
assign(gen *g)
{
    const number *t = any_number(g);
    unsigned n = t->comps;
    PUTF(g, "%c%u", t->name, below(g, N_VARIABLES));
    if (below(g, 3) == 0) {
        n = 1 + below(g, 2);
        put(g, n == 1 ? ".y" : ".yx");
    }
    put(g, " = ");
    put_keep(g, t);
    expr(g, t, n, 3);
    put(g, ");\n");
}

static void
store_member(gen *g)
{
    unsigned k = below(g, g->n_members);
    const member *m = &g->members[k];
    unsigned n = m->n;
    put_member(g, k);
    if (n > 1 && below(g, 3) == 0) {
        PUTF(g, ".%c", "xyzw"[below(g, n)]);
        n = 1;
    }
    put(g, m->of->kind == FLOAT ? " = abs(" : " = (");
    put_keep(g, m->of);
    expr(g, m->of, n, 2);
    put(g, "));\n");
}

/* A whole structure from one place to another. */
static void
copy_record(gen *g)
{
    put_place(g);
    put(g, " = ");
    put_place(g);
    put(g, ";\n");
}

/* All invocations read another's structure, between barriers. */
static void
exchange(gen *g)
{
    PUTF(g, "barrier(); own[%u] = share[(lane + u1.y) & %uu]; barrier();\n", below(g, N_PRIVATE),
         GEN_WORKGROUP - 1u);
}

static void
statement(gen_flow *f)
{
    gen *g = (gen *)f;
    gen_line_start(&f->text);
    switch (below(g, 10)) {
    case 0:
    case 1: store_member(g); break;
    case 2: copy_record(g); break;
    case 3: (f->divergent ? assign : exchange)(g); break;
    default: assign(g); break;
    }
}

/* ---- the shader ---- */

/* Bytes of a member, with what may be lost before it. */
static unsigned
most_bytes(const member *m)
{
    unsigned element = m->of->bits / 8u * (m->n == 3 ? 4 : m->n);
    return element * (1 + (m->array ? m->array : 1));
}

static void
declare_record(gen *g)
{
    unsigned bytes = 0, wanted = 3 + below(g, MAX_MEMBERS - 2);
    put(g, "struct Record {");
    for (unsigned k = 0; k < wanted; k++) {
        member *m = &g->members[k];
        *m = (member){any_number(g), 1 + below(g, 4), below(g, 4) == 0 ? 2 + below(g, 3) : 0};
        bytes += most_bytes(m);
        if (bytes > RECORD_BYTES)
            break;
        g->n_members++;
        put(g, " ");
        put_type(g, m->of, m->n);
        PUTF(g, " m%u", k);
        if (m->array)
            PUTF(g, "[%u]", m->array);
        put(g, ";");
    }
    put(g, " };\n"
           "layout(set = 0, binding = 4) buffer Records { Record records[]; };\n"
           "shared Record share[64];\n");
}

static void
declare_keep(gen *g)
{
    static const char *const limits[] = {"8", "512"}, *const steps[] = {"2", "4"};
    for (const number *t = numbers; t < numbers + N_NUMBERS; t++) {
        bool more = t->bits > 16;
        for (unsigned n = 1; n <= 4 && t->kind == FLOAT; n++) {
            put_type(g, t, n);
            PUTF(g, " keep_%c(", t->name);
            put_type(g, t, n);
            PUTF(g, " x) { return floor(clamp(x, %s(-%s), %s(%s)) * %s(%s)) / %s(%s); }\n",
                 t->scalar, limits[more], t->scalar, limits[more], t->scalar, steps[more],
                 t->scalar, steps[more]);
        }
    }
}

/* The variables, from `in` and the lane. */
static void
declare_variables(gen *g)
{
    unsigned at = 0;
    for (const number *t = numbers; t < numbers + N_NUMBERS; t++) {
        for (unsigned v = 0; v < N_VARIABLES; v++) {
            put(g, "    ");
            put_type(g, t, t->comps);
            PUTF(g, " %c%u = ", t->name, v);
            put_keep(g, t);
            put_type(g, t, t->comps);
            put(g, "(");
            for (unsigned c = 0; c < t->comps; c++, at++)
                PUTF(g, "%sdata_in[id * 8u + %uu]%s", c ? ", " : "", at % 8,
                     t->kind == FLOAT ? " & 7u" : "");
            PUTF(g, ") - %s(%u));\n", t->scalar, v * 3);
        }
    }
}

/* Gives all structures defined members. */
static void
declare_records(gen *g)
{
    put(g, "    Record own[3], first;\n");
    for (unsigned k = 0; k < g->n_members; k++) {
        const member *m = &g->members[k];
        for (unsigned e = 0; e < (m->array ? m->array : 1); e++) {
            PUTF(g, "    first.m%u", k);
            if (m->array)
                PUTF(g, "[%u]", e);
            put(g, " = ");
            put_type(g, m->of, m->n);
            PUTF(g, "(%u);\n", k + e);
        }
    }
    put(g, "    own[0] = first; own[1] = first; own[2] = first; share[lane] = first; records[id] = "
           "first;\n");
}

/* Puts the variables into `out`. */
static void
save(gen *g)
{
    put(g, "    records[128u + id] = own[id % 3u]; records[256u + id] = share[lane];\n");
    unsigned word = 0;
    for (const number *t = numbers; t < numbers + N_NUMBERS; t++) {
        for (unsigned v = 0; v < N_VARIABLES; v++) {
            for (unsigned c = 0; c < t->comps; c++, word++) {
                PUTF(g, "    data_out[id * 8u + %uu] = data_out[id * 8u + %uu] * 31u + ", word % 8,
                     word % 8);
                if (t->kind == FLOAT)
                    PUTF(g, "uint(int(%c%u.%c * %s(4)));\n", t->name, v, "xyzw"[c], t -> scalar);
                else if (t->bits == 64)
                    PUTF(g, "(uint(%c%u.%c) ^ uint(%c%u.%c >> 32));\n", t->name, v, "xyzw"[c],
                         t -> name, v, "xyzw"[c]);
                else
                    PUTF(g, "uint(%c%u.%c);\n", t->name, v, "xyzw"[c]);
            }
        }
    }
}

static gen_info
make(uint64_t seed, gen_cuts cuts, base_buf *out)
{
    static const gen_flow_rules rules = {statement, condition, true};
    gen g = {.flow = {.text = {.state = seed * 3 + 7, .out = out, .cuts = cuts, .indent = 1},
                      .rules = &rules,
                      .budget = 40}};
    const char *rest = strchr(gen_interface, '\n') + 1;
    buf_printf(out, "%.*s", (int)(rest - gen_interface), gen_interface);
    buf_puts(out, "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                  "#extension GL_EXT_shader_16bit_storage : require\n"
                  "#extension GL_EXT_shader_8bit_storage : require\n");
    buf_puts(out, rest);
    declare_record(&g);
    declare_keep(&g);
    put(&g, words_known);
    put(&g, "void main() {\n"
            "    uint id = gl_GlobalInvocationID.x, lane = gl_LocalInvocationIndex;\n");
    declare_variables(&g);
    declare_records(&g);
    gen_flow_block(&g.flow, 6 + below(&g, 12));
    save(&g);
    put(&g, "}\n");
    return (gen_info){.statements = g.flow.text.statement};
}

static void
resources(uint64_t seed, base_buf *out)
{
    (void)seed;
    buf_printf(out, "BUFFER records DATA_TYPE uint32 SIZE %u FILL 0\n",
               GEN_INVOCATIONS * 3u * RECORD_BYTES / 4u);
}

const gen_family gen_sizes = {
    "sizes",
    make,
    .flags = GEN_NO_DRIVER, /* lavapipe takes seconds to compile one */
    .resources = resources,
    .doubted = words_known,
    .instead = words_unknown, /* no program of this family writes to counters */
    .bindings = "  BIND BUFFER records AS storage DESCRIPTOR_SET 0 BINDING 4\n"};
