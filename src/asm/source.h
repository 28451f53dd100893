/* Texts that the assembler reads, one within the other.
 *
 * A source is a file or what a macro or repetition makes of its body. They are a stack: the end of
 * one goes on behind what called it. None is forgotten until the file is done, as names and places
 * for diagnostics refer to them. All together count against ASM_MAX_EXPANSION, as each round of a
 * repetition does, so that no text runs on for ever.
 */
#ifndef ASM_SOURCE_H
#define ASM_SOURCE_H

#include "asm/token.h"
#include "base/buf.h"

enum {
    ASM_MAX_NESTING = 200,       /* of sources */
    ASM_MAX_EXPANSION = 1 << 26, /* bytes that macros and repetitions make */
    ASM_SOURCE_COST = 128,       /* what a source counts besides its bytes */
    ASM_MAX_INCLUDED = 1 << 28,  /* bytes of files */
};

/* A run of characters in a source. */
typedef struct asm_span {
    const char *text;
    size_t len;
} asm_span;

/* An argument: what is put in the place of a parameter. */
typedef struct asm_param {
    asm_span name, value; /* value: if none is given */
    bool is_required, is_rest;
} asm_param;

typedef struct asm_macro {
    asm_span name;   /* "" of a repetition */
    asm_span body;   /* whole lines */
    uint32_t source; /* that has the body */
    asm_param *params;
    uint32_t n_params;
    uint64_t count; /* expansions, for \+ */
    bool is_broken; /* its parameters were wrong: calls expand to nothing */
} asm_macro;

typedef enum asm_source_kind { ASM_FILE, ASM_MACRO, ASM_REPEAT } asm_source_kind;

typedef struct asm_source {
    asm_source_kind kind;
    const char *text, *end;
    const char *name;       /* of a file; NULL: the one that the call named */
    uint32_t parent;        /* the source that it is in */
    uint32_t depth;         /* 0: the file */
    const char *call;       /* where, in it */
    const char *back;       /* and where to go on */
    size_t n_conds;         /* that were open */
    asm_macro *macro;       /* what it is made of */
    asm_span *args;         /* of its parameters */
    uint64_t number;        /* \@ */
    uint64_t count;         /* \+ */
    bool is_alternate;      /* .altmacro was in force */
    uint64_t round, rounds; /* of a repetition */
    asm_span *values;       /* of .irp and .irpc, one a round; NULL: .rept */
} asm_source;

/* An .if and what follows it. */
typedef struct asm_cond {
    bool was_met; /* one of the branches */
    bool holds;   /* the current one */
    bool is_else;
    bool outer_skips;
    uint32_t source;
    const char *at; /* the .if */
} asm_cond;

/* Writes what `macro`'s body is with `args` in place of its parameters, up to `limit` bytes;
 * returns where in the body that ends. */
const char *
asm_expand(const asm_source *s, size_t limit, base_buf *out);

/* Moves to the next line, of what the current source returns to when it has none; false at the end
 * of all. */
bool
asm_next_line(asm_ctx *a);

/* Goes on at the beginning of a new source; asm_ctx.p and asm_source.back are behind the line. */
void
asm_enter(asm_ctx *a, asm_source s);

/* The same with the text that `s.macro` and `s.args` make. */
void
asm_enter_expansion(asm_ctx *a, asm_source s);

/* Goes to the end of the current source, leaving out the rounds that are left. */
void
asm_leave(asm_ctx *a);

/* Begins the next round where the current source is a repetition that has one. */
bool
asm_next_round(asm_ctx *a);

/* Counts what a call or repetition makes; ends the call where that is too much. */
void
asm_charge(asm_ctx *a, uint64_t bytes);

/* The lines up to one of the names in `closing`, which is taken with its line; those in `opening`
 * begin a block within. `at`: what wants it. */
asm_span
asm_body(asm_ctx *a, const char *const *opening, const char *const *closing, const char *at);

/* The argument at the token: texts in quotes without these. */
asm_span
asm_argument(asm_ctx *a);

/* Calls the macro whose name is the token; false if there is none. */
bool
asm_call_macro(asm_ctx *a);

/* Ends conditions until `left` are left open; and, at the file's end, the diagnostic where one
 * is. */
void
asm_drop_conditions(asm_ctx *a, size_t left);
void
asm_check_conditions(asm_ctx *a);

#endif
