/* Texts that the assembler reads, one within the other.
 *
 * A source is a file or what a macro or repetition makes of its body. They are a stack: the end of
 * one goes on behind what called it. None is forgotten until the file is done, as names and places
 * for diagnostics refer to them. All together count against ASM_MAX_EXPANSION, as each round of a
 * repetition does, so that no text runs on for ever.
 */
#ifndef AMD_ASM_TEXT_H
#define AMD_ASM_TEXT_H

#include "base/arena.h"
#include "base/buf.h"

struct amd_asm;

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

#endif
