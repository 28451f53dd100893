#include "gen_flow.h"

enum { MAX_DEPTH = 4, MAX_LOOPS = 2 };

unsigned
gen_flow_below(gen_flow *f, unsigned n)
{
    return gen_below(&f->text, n);
}

void
gen_flow_put(gen_flow *f, const char *text)
{
    gen_put(&f->text, text);
}

void
gen_flow_uniform(gen_flow *f)
{
    GEN_FLOW_PUTF(f, "(uniforms[%u] & %uu) %s 0u", gen_flow_below(f, 4), 1u << gen_flow_below(f, 8),
                  gen_flow_below(f, 2) ? "!=" : "==");
}

/* A condition of either kind; returns whether it is divergent. */
static bool
condition(gen_flow *f)
{
    if (gen_flow_below(f, 3) == 0) {
        gen_flow_uniform(f);
        return false;
    }
    f->rules->condition(f);
    return true;
}

static void
open_brace(gen_flow *f)
{
    gen_flow_put(f, " {\n");
    f->text.indent++;
    f->depth++;
}

static void
close_brace(gen_flow *f, const char *after)
{
    f->depth--;
    f->text.indent--;
    gen_line_start(&f->text);
    gen_flow_put(f, "}");
    gen_flow_put(f, after);
}

static void
if_statement(gen_flow *f)
{
    bool was = f->divergent;
    gen_line_start(&f->text);
    gen_flow_put(f, "if (");
    f->divergent |= condition(f);
    gen_flow_put(f, ")");
    open_brace(f);
    gen_flow_block(f, 1 + gen_flow_below(f, 4));
    if (gen_flow_below(f, 2)) {
        close_brace(f, " else");
        open_brace(f);
        gen_flow_block(f, 1 + gen_flow_below(f, 3));
    }
    close_brace(f, "\n");
    f->divergent = was;
}

/* Jumps make the rest of a loop divergent, so all of it counts as divergent. */
static void
loop_statement(gen_flow *f)
{
    bool was = f->divergent;
    unsigned k = f->loops, most = 1 + gen_flow_below(f, 4);
    gen_line_start(&f->text);
    GEN_FLOW_PUTF(f, "for (uint k%u = 0u; k%u < ", k, k);
    switch (gen_flow_below(f, 3)) {
    case 0: GEN_FLOW_PUTF(f, "%uu", most); break;
    case 1: GEN_FLOW_PUTF(f, "(uniforms[%u] & 3u) + 1u", most - 1); break;
    default: GEN_FLOW_PUTF(f, "((lane >> %u) & 3u)", most - 1); break;
    }
    GEN_FLOW_PUTF(f, "; k%u++)", k);
    f->divergent = true;
    open_brace(f);
    f->loops++;
    gen_flow_block(f, 2 + gen_flow_below(f, 4));
    f->loops--;
    close_brace(f, "\n");
    f->divergent = was;
}

static void
switch_statement(gen_flow *f)
{
    bool was = f->divergent;
    unsigned cases = 2 + gen_flow_below(f, 3), by = gen_flow_below(f, 5);
    gen_line_start(&f->text);
    if (by == 4) {
        GEN_FLOW_PUTF(f, "switch (uniforms[%u] & 3u)", gen_flow_below(f, 4));
    } else {
        GEN_FLOW_PUTF(f, "switch ((lane >> %u) & 3u)", by);
        f->divergent = true;
    }
    open_brace(f);
    for (unsigned c = 0; c < cases; c++) {
        gen_line_start(&f->text);
        if (c + 1 == cases && gen_flow_below(f, 2))
            gen_flow_put(f, "default:\n");
        else
            GEN_FLOW_PUTF(f, "case %uu:\n", c);
        f->text.indent++;
        gen_flow_block(f, 1 + gen_flow_below(f, 2));
        gen_line_start(&f->text);
        bool breaks = !f->rules->falls || gen_flow_below(f, 3);
        gen_flow_put(f, breaks ? "break;\n" : ";\n");
        f->text.indent--;
    }
    close_brace(f, "\n");
    f->divergent = was;
}

static void
leave_statement(gen_flow *f)
{
    gen_line_start(&f->text);
    gen_flow_put(f, "if (");
    condition(f);
    gen_flow_put(f, gen_flow_below(f, 2) ? ") break;\n" : ") continue;\n");
}

static void
any_statement(gen_flow *f)
{
    bool deep = f->depth >= MAX_DEPTH;
    switch (gen_flow_below(f, 14)) {
    case 0:
    case 1: (deep ? f->rules->statement : if_statement)(f); break;
    case 2: (deep || f->loops == MAX_LOOPS ? f->rules->statement : loop_statement)(f); break;
    case 3: (deep ? f->rules->statement : switch_statement)(f); break;
    case 4: (f->loops ? leave_statement : f->rules->statement)(f); break;
    default: f->rules->statement(f); break;
    }
}

void
gen_flow_block(gen_flow *f, unsigned statements)
{
    for (unsigned i = 0; i < statements && f->budget > 0; i++) {
        bool cut = gen_begin_statement(&f->text);
        f->budget--;
        any_statement(f);
        gen_end_statement(&f->text, cut);
    }
}
