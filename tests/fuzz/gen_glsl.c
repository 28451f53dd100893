/* Generates random compute shaders for differential testing: GLSL whose meaning does not depend on
 * the implementation.
 *
 * All arithmetic is defined: shifts are masked, divisors are odd. Floats are quarters in [-512,
 * 512] after each assignment, so that sums and products are exact, with or without contraction;
 * operations that implementations may round (division, square roots, sines) are omitted, and so is
 * everything that depends on the subgroup size. Loops are bounded. Shared state (workgroup memory,
 * atomic counters) is used in ways that do not depend on the order of invocations.
 */
#include "gen_family.h"

enum { N_INTS = 4, N_UINTS = 4, N_FLOATS = 4, N_BOOLS = 2, MAX_DEPTH = 4, MAX_LOOPS = 3 };

typedef struct gen {
    gen_text text;
    unsigned depth, loops;
    bool divergent; /* barriers are not allowed here */
    bool returned;  /* an invocation may have returned: barriers are not allowed any more */
    bool in_function;
    bool divergent_do; /* do-while loops may end for one invocation before another by condition */
    bool in_do;        /* the innermost loop or switch is a do-while loop */
    bool left_do;      /* some break leaves a do-while loop */
    int budget;
} gen;

static unsigned
below(gen *g, unsigned n)
{
    return gen_below(&g->text, n);
}

static void
line_start(gen *g)
{
    gen_line_start(&g->text);
}

static void
put(gen *g, const char *text)
{
    gen_put(&g->text, text);
}

#define PUTF(g, ...) GEN_PUTF(&(g)->text, __VA_ARGS__)

/* ---- expressions ---- */

typedef enum type { INT, UINT, FLOAT, BOOL, N_TYPES } type;

static void
expr(gen *g, type t, unsigned depth);

static void
leaf(gen *g, type t)
{
    static const char *const ints[] = {"0", "1", "-1", "7", "-128", "2147483647", "65535", "12345"};
    static const char *const uints[] = {"0u",   "1u",          "3u",          "31u",
                                        "255u", "0x80000000u", "0xffffffffu", "0x12345678u"};
    static const char *const floats[] = {"0.0", "1.0",  "-1.0", "0.5",
                                         "2.0", "-4.0", "3.25", "100.0"};
    bool constant = below(g, 4) == 0, loop = g->loops && below(g, 4) == 0;
    unsigned k = below(g, 8);
    switch (t) {
    case INT:
        if (constant)
            put(g, ints[k]);
        else if (loop)
            PUTF(g, "k%u", below(g, g->loops));
        else
            PUTF(g, "i%u", k % N_INTS);
        break;
    case UINT:
        if (constant)
            put(g, uints[k]);
        else if (k == 7)
            put(g, "lane");
        else if (k == 6)
            PUTF(g, "arr[%s & 7]", below(g, 2) ? "i0" : "i1");
        else
            PUTF(g, "u%u", k % N_UINTS);
        break;
    case FLOAT:
        if (constant)
            put(g, floats[k]);
        else if (k >= 6)
            PUTF(g, "v.%c", "xyzw"[below(g, 4)]);
        else
            PUTF(g, "f%u", k % N_FLOATS);
        break;
    default: PUTF(g, "b%u", k % N_BOOLS); break;
    }
}

static void
binary(gen *g, const char *op, type t, unsigned depth)
{
    put(g, "(");
    expr(g, t, depth);
    put(g, op);
    expr(g, t, depth);
    put(g, ")");
}

static void
call2(gen *g, const char *name, type t, unsigned depth)
{
    put(g, name);
    put(g, "(");
    expr(g, t, depth);
    put(g, ", ");
    expr(g, t, depth);
    put(g, ")");
}

static void
call1(gen *g, const char *name, type t, unsigned depth)
{
    put(g, name);
    put(g, "(");
    expr(g, t, depth);
    put(g, ")");
}

static void
choose(gen *g, type t, unsigned depth)
{
    put(g, "(");
    expr(g, BOOL, depth);
    put(g, " ? ");
    expr(g, t, depth);
    put(g, " : ");
    expr(g, t, depth);
    put(g, ")");
}

/* `a op (b & 31)`: counts in range; `a op (b | 1)`: divisors that are not 0. */
static void
masked(gen *g, type t, const char *op, type right, const char *end, unsigned depth)
{
    put(g, "(");
    expr(g, t, depth);
    put(g, op);
    put(g, "(");
    expr(g, right, depth);
    put(g, end);
    put(g, "))");
}

static void
int_expr(gen *g, type t, unsigned d)
{
    bool s = t == INT;
    switch (below(g, 22)) {
    case 0:
    case 1: binary(g, " + ", t, d); break;
    case 2: binary(g, " - ", t, d); break;
    case 3: binary(g, " * ", t, d); break;
    case 4: binary(g, " & ", t, d); break;
    case 5: binary(g, " | ", t, d); break;
    case 6: binary(g, " ^ ", t, d); break;
    case 7: masked(g, t, " << ", t, s ? " & 31" : " & 31u", d); break;
    case 8: masked(g, t, " >> ", t, s ? " & 31" : " & 31u", d); break;
    case 9: call2(g, "min", t, d); break;
    case 10: call2(g, "max", t, d); break;
    case 11: choose(g, t, d); break;
    case 12: call1(g, s ? "bitCount" : "bitfieldReverse", t, d); break;
    case 13: call1(g, s ? "findLSB" : "~", t, d); break;
    case 14: /* the sign of a negative dividend's remainder is defined for / only */
        put(g, s ? "((" : "(");
        expr(g, t, d);
        put(g, s ? " & 0x7fffffff) / (" : " / (");
        expr(g, t, d);
        put(g, s ? " & 0xffff | 1))" : " | 1u))");
        break;
    case 15:
        put(g, s ? "((" : "(");
        expr(g, t, d);
        put(g, s ? " & 0x7fffffff) % (" : " % (");
        expr(g, t, d);
        put(g, s ? " & 0xff | 1))" : " | 1u))");
        break;
    case 16: call1(g, s ? "int" : "uint", s ? UINT : INT, d); break;
    case 17: call1(g, s ? "int" : "uint", BOOL, d); break;
    case 18: /* floats are at most a million here, so the conversion is in range */
        put(g, s ? "int(" : "uint(abs(");
        expr(g, FLOAT, 0);
        put(g, s ? ")" : "))");
        break;
    case 19:
        put(g, "bitfieldExtract(");
        expr(g, t, d);
        PUTF(g, ", %u, %u)", below(g, 16), below(g, 17));
        break;
    case 20: call1(g, s ? "abs" : "bitfieldReverse", t, d); break;
    default: call1(g, "helper_", t, d); break;
    }
}

static void
float_expr(gen *g, unsigned d)
{
    switch (below(g, 13)) {
    case 0:
    case 1: binary(g, " + ", FLOAT, d); break;
    case 2: binary(g, " - ", FLOAT, d); break;
    case 3: binary(g, " * ", FLOAT, 0); break;
    case 4: call2(g, "min", FLOAT, d); break;
    case 5: call2(g, "max", FLOAT, d); break;
    case 6: choose(g, FLOAT, d); break;
    case 7: call1(g, "floor", FLOAT, d); break;
    case 8: call1(g, "abs", FLOAT, d); break;
    case 9:
        put(g, "float(");
        expr(g, INT, d);
        put(g, " & 0xffff)");
        break;
    case 10: call1(g, "-", FLOAT, d); break;
    case 11: call1(g, "trunc", FLOAT, d); break;
    default: call1(g, "float", BOOL, d); break;
    }
}

static void
bool_expr(gen *g, unsigned d)
{
    static const char *const compare[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    static const char *const logic[] = {" && ", " || ", " ^^ "};
    switch (below(g, 5)) {
    case 0: binary(g, logic[below(g, 3)], BOOL, d); break;
    case 1: binary(g, compare[below(g, 6)], FLOAT, d); break;
    case 2: binary(g, compare[below(g, 6)], INT, d); break;
    case 3: binary(g, compare[below(g, 6)], UINT, d); break;
    default: call1(g, "!", BOOL, d); break;
    }
}

static void
expr(gen *g, type t, unsigned depth)
{
    if (depth == 0 || below(g, 5) == 0) {
        leaf(g, t);
        return;
    }
    switch (t) {
    case INT:
    case UINT: int_expr(g, t, depth - 1); break;
    case FLOAT: float_expr(g, depth - 1); break;
    default: bool_expr(g, depth - 1); break;
    }
}

/* ---- statements ---- */

static void
block(gen *g, unsigned statements);

static void
assign(gen *g)
{
    line_start(g);
    switch (below(g, 8)) {
    case 0:
    case 1:
        PUTF(g, "i%u = ", below(g, N_INTS));
        expr(g, INT, 3);
        break;
    case 2:
    case 3:
        PUTF(g, "u%u = ", below(g, N_UINTS));
        expr(g, UINT, 3);
        break;
    case 4:
    case 5:
        PUTF(g, "f%u = keep(", below(g, N_FLOATS));
        expr(g, FLOAT, 3);
        put(g, ")");
        break;
    case 6:
        PUTF(g, "b%u = ", below(g, N_BOOLS));
        expr(g, BOOL, 2);
        break;
    default:
        put(g, "arr[");
        expr(g, INT, 1);
        put(g, " & 7] = ");
        expr(g, UINT, 2);
        break;
    }
    put(g, ";\n");
}

static void
open_brace(gen *g)
{
    put(g, " {\n");
    g->text.indent++;
    g->depth++;
}

static void
close_brace(gen *g, const char *after)
{
    g->depth--;
    g->text.indent--;
    line_start(g);
    put(g, "}");
    put(g, after);
}

/* A condition that is the same in all invocations of a workgroup, or not. */
static bool
condition(gen *g)
{
    if (below(g, 4) == 0) {
        PUTF(g, "(uniforms[%u] & %uu) != 0u", below(g, 4), 1u << below(g, 8));
        return false;
    }
    expr(g, BOOL, 2);
    return true;
}

static void
if_statement(gen *g)
{
    bool was = g->divergent;
    line_start(g);
    put(g, "if (");
    g->divergent |= condition(g);
    put(g, ")");
    open_brace(g);
    block(g, 1 + below(g, 4));
    if (below(g, 2)) {
        close_brace(g, " else");
        open_brace(g);
        block(g, 1 + below(g, 3));
    }
    close_brace(g, "\n");
    g->divergent = was;
}

static void
loop_statement(gen *g)
{
    bool was = g->divergent, was_in_do = g->in_do;
    unsigned k = g->loops, kind = below(g, 3);
    line_start(g);
    g->divergent = true;
    if (kind == 0)
        PUTF(g, "for (int k%u = 0; k%u < %u; k%u++)", k, k, 1 + below(g, 6), k);
    else if (kind == 1)
        PUTF(g, "for (int k%u = 0; k%u < (i%u & 7); k%u++)", k, k, below(g, N_INTS), k);
    else
        PUTF(g, "for (int k%u = int(lane & 3u); k%u >= 0; k%u--)", k, k, k);
    open_brace(g);
    g->loops++;
    g->in_do = false;
    block(g, 2 + below(g, 4));
    g->in_do = was_in_do;
    g->loops--;
    close_brace(g, "\n");
    g->divergent = was;
}

static void
do_statement(gen *g)
{
    bool was = g->divergent, was_in_do = g->in_do;
    unsigned k = g->loops;
    g->divergent = true;
    line_start(g);
    PUTF(g, "{ int k%u = 0; do", k);
    open_brace(g);
    g->loops++;
    g->in_do = true;
    block(g, 1 + below(g, 3));
    g->in_do = was_in_do;
    g->loops--;
    g->depth--;
    g->text.indent--;
    line_start(g);
    PUTF(g, "} while (++k%u < 5 && ", k);
    if (g->divergent_do)
        expr(g, BOOL, 1);
    else
        PUTF(g, "(uniforms[%u] & %uu) != 0u", below(g, 4), 1u << below(g, 8));
    put(g, "); }\n");
    g->divergent = was;
}

static void
switch_statement(gen *g)
{
    bool was = g->divergent, was_in_do = g->in_do;
    unsigned cases = 2 + below(g, 3);
    line_start(g);
    g->divergent = true;
    g->in_do = false;
    put(g, "switch (");
    expr(g, INT, 1);
    put(g, " & 3)");
    open_brace(g);
    for (unsigned c = 0; c < cases; c++) {
        line_start(g);
        if (c + 1 == cases && below(g, 2))
            put(g, "default:\n");
        else
            PUTF(g, "case %u:\n", c);
        g->text.indent++;
        block(g, 1 + below(g, 2));
        if (below(g, 3)) {
            line_start(g);
            put(g, "break;\n");
        } else {
            line_start(g);
            put(g, "u0 ^= 1u;\n");
        }
        g->text.indent--;
    }
    close_brace(g, "\n");
    g->divergent = was;
    g->in_do = was_in_do;
}

static void
leave_statement(gen *g)
{
    line_start(g);
    put(g, "if (");
    expr(g, BOOL, 1);
    bool leaves = below(g, 2);
    put(g, leaves ? ") break;\n" : ") continue;\n");
    g->left_do |= leaves && g->in_do && !g->text.silent;
}

/* All invocations write their own word and read another's, between barriers. */
static void
shared_statement(gen *g)
{
    line_start(g);
    put(g, "barrier(); share[lane] = ");
    expr(g, UINT, 2);
    PUTF(g, "; barrier(); u%u = share[(lane + ", below(g, N_UINTS));
    expr(g, UINT, 1);
    PUTF(g, ") & %uu];\n", GEN_WORKGROUP - 1);
}

static void
counter_statement(gen *g)
{
    static const char *const ops[] = {"atomicAdd", "atomicMax", "atomicMin", "atomicOr",
                                      "atomicXor"};
    line_start(g);
    unsigned op = below(g, 5); /* each operation has its own counters: they commute */
    PUTF(g, "%s(counters[%u], ", ops[op], op * 3 + below(g, 3));
    expr(g, UINT, 1);
    put(g, ");\n");
}

static void
return_statement(gen *g)
{
    line_start(g);
    put(g, "if (");
    expr(g, BOOL, 1);
    put(g, ") { save(i0, u1, f2, v); return; }\n");
    g->returned = true;
}

static void
any_statement(gen *g)
{
    bool deep = g->depth >= MAX_DEPTH;
    switch (below(g, 16)) {
    case 0:
    case 1:
    case 2: (deep ? assign : if_statement)(g); break;
    case 3:
    case 4: (deep || g->loops >= MAX_LOOPS ? assign : loop_statement)(g); break;
    case 5: (deep || g->loops >= MAX_LOOPS ? assign : do_statement)(g); break;
    case 6: (deep ? assign : switch_statement)(g); break;
    case 7:
    case 8: (g->loops ? leave_statement : assign)(g); break;
    case 9: (g->divergent || g->returned ? assign : shared_statement)(g); break;
    case 10: counter_statement(g); break;
    case 11:
        line_start(g);
        put(g, "v = keep4(v.yzwx * f0 + vec4(f1, f2, 1.0, f3));\n");
        break;
    case 12: (g->divergent && g->loops && below(g, 4) == 0 ? return_statement : assign)(g); break;
    default: assign(g); break;
    }
}

static void
block(gen *g, unsigned statements)
{
    for (unsigned i = 0; i < statements && g->budget > 0; i++) {
        bool cut = gen_begin_statement(&g->text);
        g->budget--;
        any_statement(g);
        gen_end_statement(&g->text, cut);
    }
}

static const char prologue[] =
    "shared uint share[64];\n"
    "float keep(float x) { return floor(clamp(x, -512.0, 512.0) * 4.0) * 0.25; }\n"
    "vec4 keep4(vec4 x) { return vec4(keep(x.x), keep(x.y), keep(x.z), keep(x.w)); }\n"
    "int helper_(int x) { for (int j = 0; j < 4; j++) { if ((x & 1) == 0) return x + j; x >>= 1; } "
    "return x; }\n"
    "uint helper_(uint x) { if (x > 1000u) return x - 1000u; if ((x & 2u) != 0u) x *= 3u; return x "
    "^ 5u; }\n"
    "void save(int a, uint b, float c, vec4 d) {\n"
    "    uint at = gl_GlobalInvocationID.x * 8u;\n"
    "    data_out[at] = uint(a); data_out[at + 1u] = b; data_out[at + 2u] = floatBitsToUint(c);\n"
    "    data_out[at + 3u] = floatBitsToUint(d.x + d.y); data_out[at + 4u] = "
    "floatBitsToUint(d.w);\n"
    "}\n"
    "void main() {\n"
    "    uint at = gl_GlobalInvocationID.x * 8u, lane = gl_LocalInvocationIndex;\n"
    "    int i0 = int(data_in[at]), i1 = int(data_in[at + 1u]), i2 = int(lane), i3 = -3;\n"
    "    uint u0 = data_in[at + 2u], u1 = data_in[at + 3u], u2 = uniforms.x, u3 = lane * 7u;\n"
    "    float f0 = float(int(data_in[at + 4u]) >> 23), f1 = float(lane) * 0.25, f2 = 1.5, f3 = "
    "-2.0;\n"
    "    bool b0 = (u0 & 1u) != 0u, b1 = lane < 20u;\n"
    "    vec4 v = vec4(f0, f1, 0.5, 2.0);\n"
    "    uint arr[8]; for (int j = 0; j < 8; j++) arr[j] = data_in[at + uint(j)];\n";

static const char epilogue[] =
    "    data_out[at + 5u] = arr[i2 & 7] ^ u2; data_out[at + 6u] = floatBitsToUint(f0 + f1 + f3); "
    "data_out[at + 7u] = u0 + u3 + uint(i1) + uint(b0) + (b1 ? 2u : 0u);\n"
    "    save(i0 + i3, u1, f2, v);\n"
    "}\n";

static gen_info
make(uint64_t seed, gen_cuts cuts, base_buf *out)
{
    gen g = {.text = {.state = seed, .out = out, .cuts = cuts, .indent = 1},
             .budget = 60,
             .divergent_do = seed % 4 == 0};
    buf_puts(out, gen_interface);
    buf_puts(out, prologue);
    block(&g, 6 + below(&g, 14));
    buf_puts(out, epilogue);
    return (gen_info){.statements = g.text.statement,
                      .beyond_lavapipe = g.divergent_do || g.left_do};
}

const gen_family gen_mixed = {"mixed", make};
