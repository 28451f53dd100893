/* Generates random compute shaders with loops that lanes leave separately, while uniform values are
 * live across these exits.
 *
 * gen_glsl rarely makes such values: a uniform value that is redefined in a loop with divergent
 * breaks and continues, and used after them, in the continue construct, in the next iteration, or
 * after the loop. They live in scalar registers, whose live ranges follow other paths than lanes
 * do. So the generator tracks where an assignment keeps a variable uniform, and mostly assigns
 * there.
 *
 * Family `switches` has the same with many switches of many cases.
 *
 * All values are integers; loops are bounded; an invocation writes only its own words.
 */
#include "gen_family.h"

#include <stdio.h>

/* Variables: c are uniform while all lanes execute together; l are uniform from their declaration
 * to the end of the block; a and b differ by lane. */
enum { N_C = 4, N_L = 8, N_A = 3, N_B = 2, MAX_DEPTH = 5, MAX_LOOPS = 3 };

/* An open loop. */
typedef struct loop_state {
    unsigned level;  /* apart() at its beginning */
    bool div_breaks; /* lanes leave it one by one */
    bool is_do;
} loop_state;

typedef struct gen {
    gen_text text;
    unsigned depth, budget;
    unsigned div_ifs;    /* enclosing divergent ifs */
    unsigned div_conts;  /* enclosing loops in which some lanes may have continued */
    unsigned cont_marks; /* a bit for each loop: it counts in div_conts */
    loop_state loops[MAX_LOOPS];
    unsigned n_loops;
    unsigned n_locals;         /* l0 to l(n - 1) are declared */
    unsigned local_level[N_L]; /* apart() at their declarations */
    bool in_switch, divergent_do, left_do;
    bool wide; /* many switches, with many cases */
} gen;

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

/* The number of enclosing constructs that have separated the lanes. A variable stays uniform if it
 * is assigned at the level of its declaration. */
static unsigned
apart(const gen *g)
{
    return g->div_ifs + g->div_conts;
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
    gen_line_start(&g->text);
    put(g, "}");
    put(g, after);
}

/* ---- expressions ---- */

static void
uniform_leaf(gen *g)
{
    static const char *const constants[] = {"1u", "3u", "5u", "0x55u", "0xffffffffu", "64u"};
    switch (below(g, 8)) {
    case 0: put(g, constants[below(g, 6)]); break;
    case 1: PUTF(g, "uniforms[%u]", below(g, 4)); break;
    case 2:
        if (g->n_loops)
            PUTF(g, "i%u", below(g, g->n_loops));
        else
            put(g, "uniforms.w");
        break;
    case 3:
    case 4:
        if (g->n_locals) {
            PUTF(g, "l%u", below(g, g->n_locals));
            break;
        }
        /* fallthrough */
    default: PUTF(g, "c%u", below(g, N_C)); break;
    }
}

static void
uniform_expr(gen *g, unsigned depth)
{
    static const char *const ops[] = {" + ", " ^ ", " * ", " - ", " & ", " | "};
    if (depth == 0 || below(g, 3) == 0) {
        uniform_leaf(g);
        return;
    }
    unsigned kind = below(g, 9);
    if (kind < 6) {
        put(g, "(");
        uniform_expr(g, depth - 1);
        put(g, ops[kind]);
        uniform_expr(g, depth - 1);
        put(g, ")");
    } else if (kind == 6) {
        put(g, "data_in[");
        uniform_expr(g, depth - 1);
        put(g, " & 63u]");
    } else if (kind == 7) {
        put(g, "uniforms[");
        uniform_expr(g, depth - 1);
        put(g, " & 3u]");
    } else {
        put(g, "((");
        uniform_expr(g, depth - 1);
        put(g, " & 4u) != 0u ? ");
        uniform_expr(g, depth - 1);
        put(g, " : ");
        uniform_expr(g, depth - 1);
        put(g, ")");
    }
}

static void
lane_expr(gen *g)
{
    switch (below(g, 4)) {
    case 0: put(g, "lane"); break;
    case 1: PUTF(g, "a%u", below(g, N_A)); break;
    case 2:
        put(g, "(lane * ");
        uniform_expr(g, 1);
        put(g, ")");
        break;
    default:
        PUTF(g, "(a%u ^ ", below(g, N_A));
        uniform_expr(g, 2);
        put(g, ")");
        break;
    }
}

static void
lane_condition(gen *g)
{
    switch (below(g, 5)) {
    case 0: PUTF(g, "%sb%u", below(g, 2) ? "!" : "", below(g, N_B)); break;
    case 1:
        put(g, "lane < (");
        uniform_expr(g, 1);
        put(g, " & 63u)");
        break;
    case 2:
        put(g, "((");
        lane_expr(g);
        PUTF(g, ") & %uu) == 0u", 1 + below(g, 7));
        break;
    case 3:
        PUTF(g, "b%u && lane != ", below(g, N_B));
        uniform_expr(g, 1);
        break;
    default:
        put(g, "((lane ^ ");
        uniform_expr(g, 1);
        PUTF(g, ") & %uu) %s 0u", 1 + below(g, 15), below(g, 2) ? "!=" : "==");
        break;
    }
}

static void
uniform_condition(gen *g)
{
    put(g, "((");
    uniform_expr(g, 2);
    PUTF(g, ") & %uu) %s 0u", 1 + below(g, 7), below(g, 3) ? "!=" : "==");
}

/* Writes a condition; returns whether it may be divergent. */
static bool
condition(gen *g)
{
    bool divides = below(g, 5) < 3;
    (divides ? lane_condition : uniform_condition)(g);
    return divides;
}

/* ---- assignments ---- */

/* Chooses a variable to assign, mostly one that stays uniform here; false if there is none. */
static bool
assigned_name(gen *g, char name[8])
{
    bool any = below(g, 12) == 0;
    unsigned first = below(g, N_C + N_L);
    for (unsigned n = 0; n < N_C + N_L; n++) {
        unsigned k = (first + n) % (N_C + N_L);
        bool is_c = k < N_C;
        if (!is_c && k - N_C >= g->n_locals)
            continue;
        unsigned level = is_c ? 0 : g->local_level[k - N_C];
        if (!any && level != apart(g))
            continue;
        snprintf(name, 8, "%c%u", is_c ? 'c' : 'l', is_c ? k : k - N_C);
        return true;
    }
    return false;
}

static void
accumulate(gen *g)
{
    static const char *const ops[] = {"+=", "^=", "="};
    PUTF(g, "a%u %s ", below(g, N_A), ops[below(g, 3)]);
    if (below(g, 3))
        uniform_expr(g, 2);
    else
        lane_expr(g);
}

/* An assignment without the semicolon. */
static void
update(gen *g)
{
    static const char *const ops[] = {"+=", "^=", "*=", "-=", "="};
    char name[8];
    if (!assigned_name(g, name) || below(g, 3) == 0) {
        accumulate(g);
        return;
    }
    PUTF(g, "%s %s ", name, ops[below(g, 5)]);
    uniform_expr(g, 2);
}

static void
set_local(gen *g)
{
    if (g->n_locals == N_L) {
        update(g);
        return;
    }
    unsigned l = g->n_locals;
    PUTF(g, "l%u = ", l);
    uniform_expr(g, 3);
    g->local_level[l] = apart(g);
    g->n_locals++;
}

static void
set_mask(gen *g)
{
    PUTF(g, "b%u = ", below(g, N_B));
    lane_condition(g);
}

static void
store(gen *g)
{
    PUTF(g, "data_out[at + %uu] ^= ", below(g, 4));
    uniform_expr(g, 2);
}

static void
assignment(gen *g)
{
    gen_line_start(&g->text);
    switch (below(g, 8)) {
    case 0:
    case 1:
    case 2: set_local(g); break;
    case 3: set_mask(g); break;
    case 4: store(g); break;
    default: update(g); break;
    }
    put(g, ";\n");
}

/* ---- statements ---- */

static void
block(gen *g, unsigned statements);

/* `break;` or `continue;` of the innermost loop. */
static void
leave(gen *g, bool divided)
{
    loop_state *l = &g->loops[g->n_loops - 1];
    unsigned mark = 1u << (g->n_loops - 1);
    bool breaks = below(g, 2) && !g->in_switch;
    put(g, breaks ? "break;\n" : "continue;\n");
    if (!divided && apart(g) == l->level)
        return;
    if (breaks) {
        l->div_breaks = true;
        g->left_do |= l->is_do;
    } else if (!(g->cont_marks & mark)) {
        g->cont_marks |= mark;
        g->div_conts++;
    }
}

static void
arm(gen *g, unsigned statements, bool divided)
{
    unsigned locals = g->n_locals;
    block(g, statements);
    if (g->n_loops && below(g, 3) == 0) {
        bool cut = gen_begin_statement(&g->text);
        gen_line_start(&g->text);
        leave(g, divided);
        gen_end_statement(&g->text, cut);
    }
    g->n_locals = locals;
}

static void
if_statement(gen *g)
{
    gen_line_start(&g->text);
    put(g, "if (");
    bool divides = condition(g);
    put(g, ")");
    open_brace(g);
    g->div_ifs += divides;
    arm(g, below(g, 3), divides);
    if (below(g, 2)) {
        close_brace(g, " else");
        open_brace(g);
        arm(g, 1 + below(g, 2), divides);
    }
    g->div_ifs -= divides;
    close_brace(g, "\n");
}

static void
leave_statement(gen *g)
{
    gen_line_start(&g->text);
    put(g, "if (");
    bool divides = condition(g);
    put(g, ") ");
    leave(g, divides);
}

/* The labels of a case that follows those up to `label`; returns the last one. */
static unsigned
case_labels(gen *g, unsigned label, bool last)
{
    unsigned more = g->wide ? below(g, 4) : 0;
    if (g->wide && last && below(g, 2)) {
        put(g, "default:\n");
        return label;
    }
    label += more == 3; /* a gap */
    PUTF(g, "case %uu:%s", ++label, more == 2 ? " " : "\n");
    if (more == 2)
        PUTF(g, "case %uu:\n", ++label);
    return label;
}

static void
switch_statement(gen *g)
{
    bool was = g->in_switch, divides = below(g, 2);
    unsigned cases = 2 + below(g, g->wide ? 8 : 2), label = UINT32_MAX;
    gen_line_start(&g->text);
    put(g, "switch ((");
    (divides ? lane_expr : uniform_leaf)(g);
    put(g, g->wide ? ") & 15u)" : ") & 3u)");
    open_brace(g);
    g->in_switch = true;
    g->div_ifs += divides;
    for (unsigned c = 0; c < cases; c++) {
        gen_line_start(&g->text);
        label = case_labels(g, label, c + 1 == cases);
        g->text.indent++;
        arm(g, 1 + below(g, 2), divides);
        gen_line_start(&g->text);
        put(g, below(g, 3) ? "break;\n" : "a0 ^= 1u;\n");
        g->text.indent--;
    }
    g->div_ifs -= divides;
    g->in_switch = was;
    close_brace(g, "\n");
}

static void
bound(gen *g)
{
    unsigned k = below(g, 3);
    if (k == 0)
        PUTF(g, "%uu", 1 + below(g, 5));
    else
        PUTF(g, "(uniforms[%u] & %uu)", below(g, 4), k == 1 ? 3 : 7);
}

/* The loop's increment, which is in the continue construct. */
static void
increment(gen *g, unsigned k)
{
    PUTF(g, "i%u++", k);
    for (unsigned n = below(g, 3); n-- > 0;) {
        put(g, ", ");
        update(g);
    }
}

static loop_state *
begin_body(gen *g, bool is_do)
{
    open_brace(g);
    g->loops[g->n_loops] = (loop_state){.level = apart(g), .is_do = is_do};
    return &g->loops[g->n_loops++];
}

/* The end of a body, where the lanes that continued join the others. */
static void
end_body(gen *g)
{
    unsigned mark = 1u << (g->n_loops - 1);
    g->div_conts -= (g->cont_marks & mark) != 0;
    g->cont_marks &= ~mark;
}

/* Lanes leave a loop with values of different iterations: assigns the uniform variables again. */
static void
after_loop(gen *g, const loop_state *l)
{
    if (!l->div_breaks || apart(g))
        return;
    for (unsigned k = 0; k < N_C; k++) {
        if (below(g, 4) == 0)
            continue;
        gen_line_start(&g->text);
        PUTF(g, "a1 += c%u; c%u = uniforms[%u] + %uu;\n", k, k, k, k);
    }
}

static void
for_statement(gen *g)
{
    unsigned k = g->n_loops, kind = below(g, 4), locals = g->n_locals;
    bool was = g->in_switch;
    gen_line_start(&g->text);
    PUTF(g, "for (uint i%u = 0u; ", k);
    if (kind == 0)
        PUTF(g, "i%u < (lane & 7u)", k);
    else if (kind == 1) {
        PUTF(g, "i%u < 6u && ", k);
        condition(g);
    } else {
        PUTF(g, "i%u != ", k);
        bound(g);
    }
    put(g, "; ");
    increment(g, k);
    put(g, ")");
    loop_state *l = begin_body(g, false);
    l->div_breaks = kind < 2;
    g->in_switch = false;
    block(g, 2 + below(g, 5));
    g->in_switch = was;
    end_body(g);
    g->n_loops--;
    g->n_locals = locals;
    close_brace(g, "\n");
    after_loop(g, l);
}

/* A loop whose condition is an if around its body, as optimizers write it. */
static void
endless_statement(gen *g)
{
    unsigned k = g->n_loops, locals = g->n_locals;
    bool was = g->in_switch, turned = below(g, 2);
    gen_line_start(&g->text);
    PUTF(g, "for (uint i%u = 0u;; ", k);
    increment(g, k);
    put(g, ")");
    loop_state *l = begin_body(g, false);
    g->in_switch = false;
    if (below(g, 3) == 0)
        assignment(g);
    gen_line_start(&g->text);
    PUTF(g, turned ? "if (i%u == " : "if (i%u != ", k);
    bound(g);
    put(g, turned ? ") break; else" : ")");
    open_brace(g);
    block(g, 1 + below(g, 5));
    close_brace(g, turned ? "\n" : " else break;\n");
    l->div_breaks |= apart(g) != l->level; /* of lanes that did not continue */
    if (below(g, 2))
        block(g, 1 + below(g, 2));
    g->in_switch = was;
    end_body(g);
    g->n_loops--;
    g->n_locals = locals;
    close_brace(g, "\n");
    after_loop(g, l);
}

static void
do_statement(gen *g)
{
    unsigned k = g->n_loops, locals = g->n_locals;
    bool was = g->in_switch;
    gen_line_start(&g->text);
    PUTF(g, "{ uint i%u = 0u; do", k);
    loop_state *l = begin_body(g, true);
    g->in_switch = false;
    block(g, 2 + below(g, 4));
    g->in_switch = was;
    end_body(g);
    g->depth--;
    g->text.indent--;
    gen_line_start(&g->text);
    PUTF(g, "} while (++i%u < 5u && ", k);
    if (g->divergent_do) {
        l->div_breaks |= condition(g);
    } else {
        uniform_condition(g);
    }
    put(g, "); }\n");
    g->n_loops--;
    g->n_locals = locals;
    after_loop(g, l);
}

static void
any_statement(gen *g)
{
    bool deep = g->depth >= MAX_DEPTH, no_loop = deep || g->n_loops == MAX_LOOPS;
    switch (g->wide && below(g, 3) == 0 ? 5 : below(g, 12)) {
    case 0:
    case 1:
    case 2: (deep ? assignment : if_statement)(g); break;
    case 3: (no_loop ? assignment : below(g, 2) ? endless_statement : for_statement)(g); break;
    case 4: (no_loop ? assignment : do_statement)(g); break;
    case 5: (deep ? assignment : switch_statement)(g); break;
    case 6: (g->n_loops ? leave_statement : assignment)(g); break;
    default: assignment(g); break;
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
    "void main() {\n"
    "    uint at = gl_GlobalInvocationID.x * 8u, lane = gl_LocalInvocationIndex;\n"
    "    uint c0 = uniforms.x, c1 = data_in[3], c2 = uniforms.z & 15u, c3 = 7u;\n"
    "    uint l0 = 0u, l1 = 0u, l2 = 0u, l3 = 0u, l4 = 0u, l5 = 0u, l6 = 0u, l7 = 0u;\n"
    "    uint a0 = data_in[at], a1 = lane, a2 = 0u;\n"
    "    bool b0 = (a0 & 1u) != 0u, b1 = lane < 20u;\n";

static const char epilogue[] =
    "    data_out[at + 4u] = a0 ^ c0; data_out[at + 5u] = a1 + c1 * 3u;\n"
    "    data_out[at + 6u] = a2 ^ c2 ^ (b0 ? 1u : 0u); data_out[at + 7u] = c3 + (b1 ? 4u : 0u);\n"
    "    atomicAdd(counters[0], a0 + a1);\n"
    "}\n";

static gen_info
make_with(uint64_t seed, gen_cuts cuts, base_buf *out, bool wide)
{
    gen g = {.text = {.state = seed * 5 + 1, .out = out, .cuts = cuts, .indent = 1},
             .budget = wide ? 60 : 40,
             .divergent_do = seed % 4 == 0,
             .wide = wide};
    buf_puts(out, gen_interface);
    buf_puts(out, prologue);
    (seed % 3 ? endless_statement : for_statement)(&g);
    block(&g, 3 + below(&g, 5));
    buf_puts(out, epilogue);
    return (gen_info){.statements = g.text.statement,
                      .beyond_lavapipe = g.divergent_do || g.left_do};
}

static gen_info
make(uint64_t seed, gen_cuts cuts, base_buf *out)
{
    return make_with(seed, cuts, out, false);
}

static gen_info
make_wide(uint64_t seed, gen_cuts cuts, base_buf *out)
{
    return make_with(seed, cuts, out, true);
}

const gen_family gen_loops = {"loops", make, .flags = GEN_OPTIMIZED};
const gen_family gen_switches = {"switches", make_wide, .flags = GEN_OPTIMIZED};
