/* Short names for a family whose state is a struct `gen` with a gen_flow `flow`: to be included
 * behind its declaration.
 */
#ifndef FUZZ_GEN_NAMES_H
#define FUZZ_GEN_NAMES_H

#include "gen_flow.h"

static inline unsigned
below(gen *g, unsigned n)
{
    return gen_flow_below(&g->flow, n);
}

static inline void
put(gen *g, const char *text)
{
    gen_flow_put(&g->flow, text);
}

#define PUTF(g, ...) GEN_FLOW_PUTF(&(g)->flow, __VA_ARGS__)

static inline void
line(gen *g)
{
    gen_line_start(&g->flow.text);
}

#endif
