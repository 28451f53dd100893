/* Code that the generators of shaders share: the stream of draws, indented text, and statements
 * that can be omitted.
 */
#ifndef FUZZ_GEN_TEXT_H
#define FUZZ_GEN_TEXT_H

#include "base/buf.h"

#include <stddef.h>

/* Omitted statements, numbered in the order of generation; used by a reducer. */
typedef struct gen_cuts {
    const uint8_t *cut; /* 1: omitted; NULL: none is */
    size_t n;
} gen_cuts;

typedef struct gen_text {
    uint64_t state; /* begins as the seed */
    base_buf *out;
    gen_cuts cuts;
    size_t statement; /* number of the next */
    unsigned indent;
    unsigned silent; /* in an omitted statement: numbers are drawn, but nothing is written */
} gen_text;

/* The first lines of each shader: its workgroup and the buffers that diff.c gives it. */
extern const char gen_interface[];

/* Below `n`, which is at least 1. */
unsigned
gen_below(gen_text *g, unsigned n);

void
gen_line_start(gen_text *g);

void
gen_put(gen_text *g, const char *text);

/* gen_put with a format. */
#define GEN_PUTF(g, ...)                                                                           \
    do {                                                                                           \
        if (!(g)->silent)                                                                          \
            buf_printf((g)->out, __VA_ARGS__);                                                     \
    } while (0)

/* Enclose each statement: the first returns whether it is omitted, which the second needs. */
bool
gen_begin_statement(gen_text *g);

void
gen_end_statement(gen_text *g, bool cut);

#endif
