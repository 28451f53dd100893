/* Nested source texts of the assembler.
 *
 * A source is a file or the expansion of a macro's or repetition's body. Sources form a stack: at
 * the end of one, reading continues after its call. Sources are kept until the file is finished,
 * because names and locations for diagnostics refer to them. All expansions together, and each
 * round of a repetition, count against ASM_MAX_EXPANSION, so that no text expands without limit.
 */
#ifndef ASM_SOURCE_H
#define ASM_SOURCE_H

#include "asm/token.h"
#include "base/buf.h"

enum {
    ASM_MAX_NESTING = 200,       /* depth of sources */
    ASM_MAX_EXPANSION = 1 << 26, /* bytes from macros and repetitions */
    ASM_SOURCE_COST = 128,       /* counted for each source in addition to its bytes */
    ASM_MAX_INCLUDED = 1 << 28,  /* bytes of included files */
};

/* A run of characters in a source. */
typedef struct asm_span {
    const char *text;
    size_t len;
} asm_span;

/* An argument, which replaces a parameter. */
typedef struct asm_param {
    asm_span name, value; /* value: the default */
    bool is_required, is_rest;
} asm_param;

typedef struct asm_macro {
    asm_span name;   /* "" for a repetition */
    asm_span body;   /* complete lines */
    uint32_t source; /* the source that contains the body */
    asm_param *params;
    uint32_t n_params;
    uint64_t count; /* number of expansions, for \+ */
    bool is_broken; /* its parameters were wrong: calls expand to nothing */
} asm_macro;

typedef enum asm_source_kind { ASM_FILE, ASM_MACRO, ASM_REPEAT } asm_source_kind;

typedef struct asm_source {
    asm_source_kind kind;
    const char *text, *end;
    const char *name;       /* of a file; NULL: the name given by the call */
    uint32_t parent;        /* the source that contains the call */
    uint32_t depth;         /* 0: the file */
    const char *call;       /* position of the call in the parent */
    const char *back;       /* position at which to continue */
    size_t n_conds;         /* number of conditions open at the call */
    asm_macro *macro;       /* the expanded macro */
    asm_span *args;         /* arguments for its parameters */
    uint64_t number;        /* \@ */
    uint64_t count;         /* \+ */
    bool is_alternate;      /* .altmacro was in effect */
    uint64_t round, rounds; /* of a repetition */
    asm_span *values;       /* of .irp and .irpc, one per round; NULL: .rept */
    const char *counted;    /* of a file: the last position whose line was counted, or NULL */
    uint32_t counted_line;  /* the number of lines before it */
} asm_source;

/* An .if and its branches. */
typedef struct asm_cond {
    bool was_met; /* one of the branches was taken */
    bool holds;   /* the current branch is active */
    bool is_else;
    bool outer_skips;
    uint32_t source;
    const char *at; /* position of the .if */
} asm_cond;

/* Writes the body of `macro` with `args` substituted for its parameters, up to `limit` bytes.
 * Returns the position in the body where it stopped. */
const char *
asm_expand(const asm_source *s, size_t limit, base_buf *out);

/* Moves to the next line; at the end of the current source, to the next line of the source it
 * returns to. Returns false at the end of everything. */
bool
asm_next_line(asm_ctx *a);

/* Starts reading a new source; asm_ctx.p and asm_source.back are after the line. */
void
asm_enter(asm_ctx *a, asm_source s);

/* The same with the expansion of `s.macro` and `s.args`. */
void
asm_enter_expansion(asm_ctx *a, asm_source s);

/* Moves to the end of the current source, skipping its remaining rounds. */
void
asm_leave(asm_ctx *a);

/* Starts the next round if the current source is a repetition that has one. */
bool
asm_next_round(asm_ctx *a);

/* Counts the text that a call or repetition produces. Fails if the limit is exceeded. */
void
asm_charge(asm_ctx *a, uint64_t bytes);

/* Reads the lines up to one of the names in `closing`, whose line is consumed; names in `opening`
 * start nested blocks. `at` is the position of the directive that needs the block. */
asm_span
asm_body(asm_ctx *a, const char *const *opening, const char *const *closing, const char *at);

/* The argument at the token; a text in quotes without its quotes. */
asm_span
asm_argument(asm_ctx *a);

/* Calls the macro named by the token. Returns false if there is none. */
bool
asm_call_macro(asm_ctx *a);

/* Closes conditions until `left` remain open. At the end of the file, reports a diagnostic if one
 * was open. */
void
asm_drop_conditions(asm_ctx *a, size_t left);
void
asm_check_conditions(asm_ctx *a);

#endif
