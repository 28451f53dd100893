/* Generates random compute shaders with matrices of all shapes, of f32, f64 and f16: products with
 * matrices, vectors and numbers, transposes, determinants, columns and elements at computed places,
 * and matrices in private arrays, workgroup memory and a storage buffer, there by rows or by
 * columns.
 *
 * Every result is exact: elements are multiples of 1/4 in [-8, 8], of f16 integers in [-4, 4], and
 * an expression has one product, whose factors are variables. Determinants are of 2 by 2 and 3 by 3.
 */
#include "gen_family.h"
#include "gen_flow.h"

#include <string.h>

enum { N_ELEMENTS = 3, MOST = 4 };

/* Types of elements. Each has a matrix variable of each shape, f23 (two columns of three rows), and
 * two vectors of each size, f3a and f3b. */
static const struct {
    char name;
    const char *scalar, *vector, *matrix;
} elements[N_ELEMENTS] = {{'f', "float", "vec", "mat"},
                          {'e', "double", "dvec", "dmat"},
                          {'h', "float16_t", "f16vec", "f16mat"}};

/* Columns and rows of the members of the structure, by the bits of the seed. */
typedef struct shape {
    unsigned element, columns, rows;
} shape;

enum { N_MEMBERS = 4 };

typedef struct gen {
    gen_flow flow;
    shape members[N_MEMBERS];
    unsigned used; /* bit: element is used in this shader */
} gen;

#include "gen_names.h"

static shape
any_shape(gen *g)
{
    unsigned e = below(g, N_ELEMENTS);
    while (!(g->used >> e & 1))
        e = (e + 1) % N_ELEMENTS;
    return (shape){e, 2 + below(g, 3), 2 + below(g, 3)};
}

static void
put_matrix(gen *g, shape s)
{
    PUTF(g, "%c%u%u", elements[s.element].name, s.columns, s.rows);
}

static void
put_vector(gen *g, unsigned element, unsigned n)
{
    PUTF(g, "%c%u%c", elements[element].name, n, "ab"[below(g, 2)]);
}

/* A number that selects one of `n`. */
static void
put_index(gen *g, unsigned n)
{
    switch (below(g, 4)) {
    case 0: PUTF(g, "(lane + %uu) %% %uu", below(g, 4), n); break;
    case 1: PUTF(g, "uniforms[%u] %% %uu", below(g, 4), n); break;
    case 2: PUTF(g, "(u >> %u) %% %uu", below(g, 8), n); break;
    default: PUTF(g, "%u", below(g, n)); break;
    }
}

static void
put_scalar(gen *g, unsigned element)
{
    static const char *const numbers[] = {"1", "-1", "2", "-3"};
    shape s = {element, 2 + below(g, 3), 2 + below(g, 3)};
    switch (below(g, 3)) {
    case 0: PUTF(g, "%s(%s)", elements[element].scalar, numbers[below(g, 4)]); break;
    case 1:
        put_vector(g, element, s.rows);
        PUTF(g, "[");
        put_index(g, s.rows);
        PUTF(g, "]");
        break;
    default:
        put_matrix(g, s);
        PUTF(g, "[");
        put_index(g, s.columns);
        PUTF(g, "][");
        put_index(g, s.rows);
        PUTF(g, "]");
        break;
    }
}

/* ---- places in memory ---- */

static void
put_place(gen *g, unsigned member)
{
    switch (below(g, 3)) {
    case 0:
        put(g, "own[");
        put_index(g, 3);
        put(g, "]");
        break;
    case 1: put(g, "share[lane]"); break;
    default: put(g, "records[id]"); break;
    }
    PUTF(g, ".m%u", member);
}

/* ---- expressions ---- */

static void
matrix_expr(gen *g, shape s)
{
    unsigned inner = 2 + below(g, 3);
    /* glslang makes invalid code for an f16 matrix of another size */
    switch (below(g, s.element == 2 ? 9 : 10)) {
    case 0:
        put_matrix(g, s);
        put(g, below(g, 2) ? " + " : " - ");
        put_matrix(g, s);
        break;
    case 1:
    case 2:
    case 3:
        put_matrix(g, (shape){s.element, inner, s.rows});
        put(g, " * ");
        put_matrix(g, (shape){s.element, s.columns, inner});
        break;
    case 4:
        put(g, "transpose(");
        put_matrix(g, (shape){s.element, s.rows, s.columns});
        put(g, ")");
        break;
    case 5:
        put_matrix(g, s);
        put(g, " * ");
        put_scalar(g, s.element);
        break;
    case 6:
        put(g, "matrixCompMult(");
        put_matrix(g, s);
        put(g, ", ");
        put_matrix(g, s);
        put(g, ")");
        break;
    case 7:
        put(g, "outerProduct(");
        put_vector(g, s.element, s.rows);
        put(g, ", ");
        put_vector(g, s.element, s.columns);
        put(g, ")");
        break;
    case 8:
        put(g, "-");
        put_matrix(g, s);
        break;
    default: /* of another size: missing elements are those of the unit matrix */
        PUTF(g, "%s%ux%u(", elements[s.element].matrix, s.columns, s.rows);
        put_matrix(g, (shape){s.element, 2 + below(g, 3), 2 + below(g, 3)});
        put(g, ")");
        break;
    }
}

static void
vector_expr(gen *g, unsigned element, unsigned n)
{
    unsigned inner = 2 + below(g, 3);
    switch (below(g, 6)) {
    case 0:
    case 1:
        put_matrix(g, (shape){element, inner, n});
        put(g, " * ");
        put_vector(g, element, inner);
        break;
    case 2:
        put_vector(g, element, inner);
        put(g, " * ");
        put_matrix(g, (shape){element, n, inner});
        break;
    case 3:
        put_matrix(g, (shape){element, inner, n});
        put(g, "[");
        put_index(g, inner);
        put(g, "]");
        break;
    case 4:
        PUTF(g, "%s%u(dot(", elements[element].vector, n);
        put_vector(g, element, n);
        put(g, ", ");
        put_vector(g, element, n);
        put(g, "))");
        break;
    default:
        PUTF(g, "%s%u(determinant(", elements[element].vector, n);
        inner = 2 + below(g, 2);
        put_matrix(g, (shape){element, inner, inner});
        put(g, "))");
        break;
    }
}

static void
condition(gen_flow *f)
{
    gen *g = (gen *)f;
    shape s = any_shape(g);
    switch (below(g, 4)) {
    case 0:
        put_matrix(g, s);
        put(g, below(g, 2) ? " == " : " != ");
        put_matrix(g, s);
        break;
    case 1: PUTF(g, "(lane & %uu) != 0u", 1u << below(g, 6)); break;
    default:
        put_scalar(g, s.element);
        put(g, below(g, 2) ? " < " : " >= ");
        put_scalar(g, s.element);
        break;
    }
}

/* ---- statements ---- */

static void
assign_matrix(gen *g)
{
    shape s = any_shape(g);
    put_matrix(g, s);
    put(g, " = keep(");
    matrix_expr(g, s);
    put(g, ");\n");
}

static void
assign_vector(gen *g)
{
    shape s = any_shape(g);
    put_vector(g, s.element, s.rows);
    put(g, " = keep(");
    vector_expr(g, s.element, s.rows);
    put(g, ");\n");
}

/* A column, or an element. */
static void
assign_part(gen *g)
{
    shape s = any_shape(g);
    bool column = below(g, 2);
    put_matrix(g, s);
    put(g, "[");
    put_index(g, s.columns);
    put(g, "]");
    if (!column) {
        put(g, "[");
        put_index(g, s.rows);
        put(g, "]");
    }
    put(g, " = keep(");
    if (column)
        vector_expr(g, s.element, s.rows);
    else
        put_scalar(g, s.element);
    put(g, ");\n");
}

static void
move_member(gen *g)
{
    unsigned k = below(g, N_MEMBERS), c = below(g, 4);
    bool load = below(g, 2), column = c == 0;
    shape s = g->members[k];
    if (load) {
        put_matrix(g, s);
        PUTF(g, column ? "[%u] = " : " = ", 0u);
    }
    put_place(g, k);
    if (column)
        PUTF(g, "[%u]", load ? s.columns - 1 : 1u);
    if (!load) {
        put(g, " = ");
        put_matrix(g, s);
        PUTF(g, column ? "[%u]" : "", 0u);
    }
    put(g, ";\n");
}

static void
exchange(gen *g)
{
    put(g, "barrier(); own[");
    put_index(g, 3);
    PUTF(g, "] = share[(lane + u) & %uu]; barrier();\n", GEN_WORKGROUP - 1u);
}

static void
statement(gen_flow *f)
{
    gen *g = (gen *)f;
    gen_line_start(&f->text);
    switch (below(g, 12)) {
    case 0: PUTF(g, "u = u * 5u + %uu + (lane >> 2);\n", below(g, 100)); break;
    case 1:
    case 2: move_member(g); break;
    case 3:
    case 4: assign_part(g); break;
    case 5:
    case 6:
    case 7: assign_vector(g); break;
    case 8: (f->divergent ? assign_matrix : exchange)(g); break;
    default: assign_matrix(g); break;
    }
}

/* ---- the shader ---- */

/* `keep` of an element, of vectors and of matrices. */
static void
declare_keep(gen *g, unsigned e)
{
    const char *s = elements[e].scalar, *most = e == 2 ? "4" : "8", *step = e == 2 ? "1" : "4";
    PUTF(g, "%s keep(%s x) { return floor(clamp(x, %s(-%s), %s(%s)) * %s(%s)) / %s(%s); }\n", s, s,
         s, most, s, most, s, step, s, step);
    for (unsigned n = 2; n <= MOST; n++)
        PUTF(g, "%s%u keep(%s%u x) { for (int k = 0; k < %u; k++) x[k] = keep(x[k]); return x; }\n",
             elements[e].vector, n, elements[e].vector, n, n);
    for (unsigned c = 2; c <= MOST; c++) {
        for (unsigned r = 2; r <= MOST; r++)
            PUTF(g,
                 "%s%ux%u keep(%s%ux%u x) { for (int k = 0; k < %u; k++) x[k] = keep(x[k]); "
                 "return x; }\n",
                 elements[e].matrix, c, r, elements[e].matrix, c, r, c);
    }
}

static void
declare_record(gen *g)
{
    put(g, "struct Record {");
    for (unsigned k = 0; k < N_MEMBERS; k++) {
        shape s = g->members[k] = any_shape(g);
        PUTF(g, " %s%ux%u m%u;", elements[s.element].matrix, s.columns, s.rows, k);
    }
    PUTF(g,
         " };\nlayout(set = 0, binding = 4, %s) buffer Records { Record records[]; };\n"
         "shared Record share[64];\n",
         below(g, 2) ? "row_major" : "column_major");
}

/* The element of a variable from `in`, in the range of `keep`. */
static void
declare_variables(gen *g, unsigned e)
{
    unsigned at = 0;
    for (unsigned n = 2; n <= MOST; n++) {
        PUTF(g, "    %s%u %c%ua = %s%u(lane & 3u), %c%ub = %s%u(1);\n", elements[e].vector, n,
             elements[e].name, n, elements[e].vector, n, elements[e].name, n, elements[e].vector,
             n);
        for (unsigned r = 2; r <= MOST; r++, at++) {
            PUTF(g, "    %s%ux%u %c%u%u; for (uint k = 0u; k < %uu; k++) ", elements[e].matrix, n,
                 r, elements[e].name, n, r, n * r);
            PUTF(g,
                 "%c%u%u[k / %uu][k %% %uu] = %s(int(data_in[id * 8u + (k + %uu) %% 8u] >> k & "
                 "3u) - 1);\n",
                 elements[e].name, n, r, r, r, elements[e].scalar, at);
        }
    }
}

static void
declare_records(gen *g)
{
    put(g, "    Record own[3], first;\n");
    for (unsigned k = 0; k < N_MEMBERS; k++) {
        PUTF(g, "    first.m%u = ", k);
        put_matrix(g, g->members[k]);
        put(g, ";\n");
    }
    put(g, "    own[0] = first; own[1] = first; own[2] = first; share[lane] = first; records[id] = "
           "first;\n");
}

/* Puts the variables into `out`, and what came of the memory. */
static void
save(gen *g, unsigned e)
{
    unsigned word = 0;
    for (unsigned n = 2; n <= MOST; n++) {
        for (unsigned r = 2; r <= MOST; r++, word++) {
            PUTF(g,
                 "    for (uint k = 0u; k < %uu; k++) data_out[id * 8u + %uu] = data_out[id * 8u "
                 "+ %uu] * 31u + uint(int(%c%u%u[k / %uu][k %% %uu] * %s(4)));\n",
                 n * r, word % 8, word % 8, elements[e].name, n, r, r, r, elements[e].scalar);
        }
        PUTF(g,
             "    for (uint k = 0u; k < %uu; k++) data_out[id * 8u + 7u] = data_out[id * 8u + 7u] "
             "* 31u + uint(int((%c%ua[k] * %s(3) + %c%ub[k]) * %s(4)));\n",
             n, elements[e].name, n, elements[e].scalar, elements[e].name, n, elements[e].scalar);
    }
}

static void
save_records(gen *g)
{
    for (unsigned k = 0; k < N_MEMBERS; k++) {
        shape s = g->members[k];
        PUTF(g,
             "    for (uint k = 0u; k < %uu; k++) data_out[id * 8u + (k & 7u)] += uint(int((own[k "
             "%% 3u].m%u[k / %uu][k %% %uu] + share[lane].m%u[k / %uu][k %% %uu]) * %s(4)));\n",
             s.columns * s.rows, k, s.rows, s.rows, k, s.rows, s.rows, elements[s.element].scalar);
    }
    put(g, "    records[128u + id] = own[1];\n}\n");
}

static gen_info
make(uint64_t seed, gen_cuts cuts, base_buf *out)
{
    static const gen_flow_rules rules = {statement, condition, true};
    gen g = {.flow = {.text = {.state = seed * 11 + 5, .out = out, .cuts = cuts, .indent = 1},
                      .rules = &rules,
                      .budget = 24},
             .used = seed % 7 + 1};
    const char *rest = strchr(gen_interface, '\n') + 1;
    buf_printf(out, "%.*s", (int)(rest - gen_interface), gen_interface);
    buf_puts(out, "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                  "#extension GL_EXT_shader_16bit_storage : require\n");
    buf_puts(out, rest);
    declare_record(&g);
    for (unsigned e = 0; e < N_ELEMENTS; e++) {
        if (g.used >> e & 1)
            declare_keep(&g, e);
    }
    put(&g, "void main() {\n"
            "    uint id = gl_GlobalInvocationID.x, lane = gl_LocalInvocationIndex, u = lane;\n");
    for (unsigned e = 0; e < N_ELEMENTS; e++) {
        if (g.used >> e & 1)
            declare_variables(&g, e);
    }
    declare_records(&g);
    gen_flow_block(&g.flow, 5 + below(&g, 8));
    for (unsigned e = 0; e < N_ELEMENTS; e++) {
        if (g.used >> e & 1)
            save(&g, e);
    }
    save_records(&g);
    return (gen_info){.statements = g.flow.text.statement};
}

static void
resources(uint64_t seed, base_buf *out)
{
    (void)seed;
    buf_printf(out, "BUFFER records DATA_TYPE uint32 SIZE %u FILL 0\n",
               GEN_INVOCATIONS * 2 * N_MEMBERS * 32u);
}

const gen_family gen_matrices = {
    "matrices", make, .flags = GEN_NO_DRIVER, /* lavapipe takes seconds to compile one */
    .resources = resources,
    .bindings = "  BIND BUFFER records AS storage DESCRIPTOR_SET 0 BINDING 4\n"};
