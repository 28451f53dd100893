/* The interface of a back end to the assembler: one constant struct of tables and functions.
 *
 * The language handles lines, symbols, sections and data. The machine reads all other statements,
 * and writes what depends on its encodings. Its state is asm_ctx.user.
 *
 * What all syntaxes share is not in the interface: names, numbers, strings, comments with two
 * slashes and C's comments, directives that start with a dot, and one statement per line.
 */
#ifndef ASM_MACHINE_H
#define ASM_MACHINE_H

#include "asm/token.h"

/* A directive; `arg` distinguishes directives that one function reads. On the call the name has
 * been consumed. */
typedef struct asm_directive {
    const char *name; /* in lower case */
    void (*read)(asm_ctx *a, unsigned arg);
    unsigned arg;
    bool is_condition; /* also read while lines are skipped */
} asm_directive;

/* A function in expressions. */
enum { ASM_MAX_ARGUMENTS = 7 };
typedef struct asm_function {
    const char *name;
    uint8_t n_args; /* 0: one or more, combined by the operator `op` */
    uint8_t op;
    /* Returns false if it has no value. */
    bool (*value)(const asm_ctx *a, const int64_t *args, int64_t *out);
} asm_function;

/* NAME@`name` in expressions: an operator from ASM_REL32 to ASM_GOT_HI. */
typedef struct asm_specifier {
    const char *name;
    uint8_t op;
} asm_specifier;

/* A jump whose target is known. */
typedef struct asm_branch {
    bool is_label;   /* otherwise the target is a number, the distance in the encoding's unit */
    int64_t target;  /* address or number */
    uint64_t offset; /* offset of a label in its section */
    uint64_t from;   /* the instruction's address */
} asm_branch;

/* Pointers other than `statement` may be NULL; ASM_FIX_BRANCH needs `put_branch`. */
typedef struct asm_machine {
    /* starts a comment that extends to the end of the line; '\0': none */
    char comment;
    char opener; /* a character that starts a statement as a name does; '\0': none */
    const asm_directive *directives; /* its own directives, terminated by a NULL name */
    const asm_specifier *specifiers; /* terminated by a NULL name */
    const char *wanted_name; /* what is expected in place of a wrong specifier: "a name, or ..." */
    const char *reserved;    /* numbers whose names start with this are not in the object */
    uint64_t padding;        /* fill for aligning code: instructions of `padding_size` bytes */
    uint8_t padding_size;    /* also the alignment of code sections */
    /* Makes the state before the first line is read, for example symbols that always exist. */
    void (*start)(asm_ctx *a);
    /* Does the current token, a name or a number, start a statement of the machine, also where the
     * language would read a label? */
    bool (*begins)(const asm_ctx *a);
    /* Reads and emits a statement. The current token is its first one: a name, the opener, or what
     * `begins` accepts. */
    void (*statement)(asm_ctx *a);
    /* The value of a name that is always a number. Returns false for other names. */
    bool (*constant)(const asm_token *name, int64_t *value);
    /* The function named by the current token, or NULL. */
    const asm_function *(*find_function)(const asm_ctx *a);
    /* Writes a jump's distance into the instruction. Returns false if the target is out of reach.
     */
    bool (*put_branch)(const asm_branch *b, uint8_t *instruction);
} asm_machine;

#endif
