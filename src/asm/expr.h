/* Expressions: read into postfix code, evaluated while the file is read or when its sections have
 * addresses. */
#ifndef ASM_EXPR_H
#define ASM_EXPR_H

#include "asm/token.h"
#include "base/diag.h"

struct asm_fixup;
struct asm_function;

/* The elements of an expression, in postfix order. */
typedef enum asm_code_op {
    ASM_CONST,
    ASM_SYMBOL,
    ASM_PLACE, /* `.`: section `index`, offset `value` */
    ASM_REL32, /* the distance to symbol `index` from the position of the value: the lower half */
    ASM_REL32_HI,
    ASM_GOT, /* the same to the symbol's entry in .got */
    ASM_GOT_HI,
    ASM_CALL, /* `function` applied to the last values */
    ASM_NEG,  /* unary operators */
    ASM_NOT,
    ASM_IS_ZERO,
    ASM_ADD, /* binary operators */
    ASM_SUB,
    ASM_MUL,
    ASM_DIV,
    ASM_REM,
    ASM_SHL,
    ASM_SHR,
    ASM_AND,
    ASM_OR,
    ASM_OR_NOT,
    ASM_XOR,
    ASM_BOTH,
    ASM_EITHER,
    ASM_EQ,
    ASM_NE,
    ASM_LT,
    ASM_LE,
    ASM_GT,
    ASM_GE,
    ASM_MAX,
} asm_code_op;

typedef struct asm_code {
    uint8_t op;
    uint32_t index;
    union {
        int64_t value;
        const char *at; /* of symbols: position of the name in the expression's source */
        const struct asm_function *function;
    } as;
} asm_code;

/* An expression: a number, or codes if part of it is not known when it is read. */
typedef struct asm_expr {
    bool is_known;
    int64_t value;
    uint32_t first, count; /* range in asm_ctx.codes */
    uint32_t source;
} asm_expr;

/* A value: `number` plus `bases` times the address of `section`. Once all addresses are known, they
 * are included in `number`, and `bases` says how many times the value contains the load address of
 * the object. ASM_ODD: the value depends on addresses in another way, and so does everything
 * computed from it. */
enum { ASM_ODD = 1 << 20 };
typedef struct asm_sum {
    int64_t number, bases;
    uint32_t section;
} asm_sum;

/* Reads an expression. With `alone`, binary operators are not read (as between the bars of an
 * absolute value). Returns false if there is none. */
bool
asm_parse(asm_ctx *a, bool alone, asm_expr *e);

/* The same where a fixup can hold the value, so that it may be a distance (ASM_REL32 ...). */
bool
asm_parse_late(asm_ctx *a, bool alone, asm_expr *e);

/* The value as far as it is known while the file is read. Returns false if it is not known. */
bool
asm_evaluate(asm_ctx *a, const asm_expr *e, asm_sum *out);

/* Computes the value of a fixup's or symbol's expression when addresses are known, or reports a
 * diagnostic. `f` gives the position of the value. Sets asm_ctx.high. */
void
asm_evaluate_last(asm_ctx *a, const struct asm_fixup *f, const asm_expr *e, asm_sum *out);

/* Ends the statement with an error that names the symbol of `c`, a code of `e`. */
_Noreturn void
asm_fail_symbol(asm_ctx *a, const asm_expr *e, const asm_code *c, diag_error error);

/* left = left op right; unary operators ignore `right`. Returns false for a division by zero. */
bool
asm_apply(unsigned op, int64_t *left, int64_t right);

/* Reads an integer expression with a known value; and the same within limits. */
bool
asm_expression(asm_ctx *a, bool alone, int64_t *value);
bool
asm_integer(asm_ctx *a, int64_t low, int64_t high, int64_t *value);

/* Reads an integer within limits, or reports a diagnostic. */
int64_t
asm_number(asm_ctx *a, int64_t low, int64_t high);

#endif
