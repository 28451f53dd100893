/* What a back end gives the assembler: one constant struct of tables and functions.
 *
 * The language knows lines, symbols, sections and data. The machine reads what else a statement may
 * be, and writes what depends on its encodings. Its state is asm_ctx.user.
 *
 * What all syntaxes share is not here: names, numbers, strings, two slashes and C's comments,
 * directives that begin with a dot, one statement a line.
 */
#ifndef ASM_MACHINE_H
#define ASM_MACHINE_H

#include "asm/token.h"

/* A directive; `arg` tells those apart that one function reads. The current token is behind the
 * name. */
typedef struct asm_directive {
    const char *name; /* in small letters */
    void (*read)(asm_ctx *a, unsigned arg);
    unsigned arg;
    bool is_condition; /* looked at where lines are passed over, too */
} asm_directive;

/* A function in expressions. */
enum { ASM_MAX_ARGUMENTS = 7 };
typedef struct asm_function {
    const char *name;
    uint8_t n_args; /* 0: one or more, which the operator `op` joins */
    uint8_t op;
    /* False where it has no value. */
    bool (*value)(const asm_ctx *a, const int64_t *args, int64_t *out);
} asm_function;

/* NAME@`name` in expressions: an operator from ASM_REL32 to ASM_GOT_HI. */
typedef struct asm_specifier {
    const char *name;
    uint8_t op;
} asm_specifier;

/* A jump whose target is known. */
typedef struct asm_branch {
    bool is_label;   /* else the target is a number, which is the distance in the encoding's unit */
    int64_t target;  /* address or number */
    uint64_t offset; /* of a label in its section */
    uint64_t from;   /* the instruction's address */
} asm_branch;

typedef struct asm_machine {
    char comment;                    /* begins a comment to the line's end; '\0': none does */
    const asm_directive *directives; /* its own, to a NULL name */
    const asm_specifier *specifiers; /* to a NULL name */
    const char *wanted_name; /* what is expected where a specifier is wrong: "a name, or ..." */
    const char *reserved;    /* numbers whose names begin so are not in the object */
    uint64_t padding;        /* what code is aligned with: instructions of `padding_size` bytes */
    uint8_t padding_size;    /* also the alignment of code sections */
    /* Makes the state, before the first line is read: symbols that are always there. */
    void (*start)(asm_ctx *a);
    /* Reads and emits the statement whose first token, a name, is the current one. */
    void (*statement)(asm_ctx *a);
    /* The value of a name that is always a number; false if it is none of these. */
    bool (*constant)(const asm_token *name, int64_t *value);
    /* The function whose name is the current token, or NULL. */
    const asm_function *(*find_function)(const asm_ctx *a);
    /* Writes a jump's distance into the instruction; false where it does not reach. */
    bool (*put_branch)(const asm_branch *b, uint8_t *instruction);
} asm_machine;

#endif
