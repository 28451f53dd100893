/* Control flow of generated shaders around a family's own statements: ifs, loops, switches, and
 * jumps out of them. Loops are bounded. Conditions are uniform or differ by lane; `divergent` says
 * whether some lanes of a workgroup may be elsewhere. The shader has the variables `lane` and
 * `uniforms`; the variables of loops are k0, k1 ...
 */
#ifndef FUZZ_GEN_FLOW_H
#define FUZZ_GEN_FLOW_H

#include "gen_text.h"

typedef struct gen_flow gen_flow;

typedef struct gen_flow_rules {
    void (*statement)(gen_flow *f); /* writes a statement of the family, in whole lines */
    void (*condition)(gen_flow *f); /* writes an expression of type bool that differs by lane */
    bool falls;                     /* switches have cases that fall through */
} gen_flow_rules;

/* The head of a generator's state. */
struct gen_flow {
    gen_text text;
    const gen_flow_rules *rules;
    unsigned depth, loops; /* open ones */
    int budget;            /* statements that may still be made */
    bool divergent;
};

unsigned
gen_flow_below(gen_flow *f, unsigned n);

void
gen_flow_put(gen_flow *f, const char *text);

#define GEN_FLOW_PUTF(f, ...) GEN_PUTF(&(f)->text, __VA_ARGS__)

/* Writes up to `statements` statements, of which some are control flow with blocks of their own. */
void
gen_flow_block(gen_flow *f, unsigned statements);

/* Writes a condition that is the same for all invocations. */
void
gen_flow_uniform(gen_flow *f);

#endif
