/* Symbols: labels, variables, and those that the assembler keeps. */
#ifndef ASM_SYMBOL_H
#define ASM_SYMBOL_H

#include "asm/expr.h"

/* Whether a sum is there, while addresses are not known or when they are. */
typedef enum asm_summed { ASM_NOT_SUMMED, ASM_SUMMED_EARLY, ASM_SUMMED } asm_summed;

/* A label's value is its offset in its section. */
typedef struct asm_symbol {
    bool defined, label;
    bool variable;    /* defined by `=`: may change */
    bool used;        /* as what is no number */
    bool lazy;        /* a variable whose value `expr` is not known yet */
    bool is_reported; /* an error said that it has no value; no further one does */
    bool is_hidden;   /* not in the object: the call gave it */
    int64_t value;
    uint32_t section;                  /* of labels */
    uint8_t kind, binding, visibility; /* as in asm_unit_symbol */
    uint32_t bound_as;                 /* 1 + the symbol whose binding it has; 0: its own */
    uint32_t got;                      /* offset in .got + 1; 0: it has no place there */
    bool has_size;                     /* .size: `size` */
    asm_expr expr, size;
    asm_sum sum; /* of a lazy one's `expr` */
    asm_summed summed;
    uint32_t evaluation; /* the one that is looking into `expr`; an earlier one has failed */
} asm_symbol;

/* The number of the symbol `name`, made when new. */
uint32_t
asm_symbol_of(asm_ctx *a, const char *name, size_t len);

/* The symbol `name` itself, until the next one is made. */
asm_symbol *
asm_symbol_named(asm_ctx *a, const char *name, size_t len);

/* Its name, for a diagnostic. */
const char *
asm_symbol_text(asm_ctx *a, uint32_t symbol);

/* The name that is the current token as a symbol, or the diagnostic. */
asm_symbol *
asm_take_symbol(asm_ctx *a);

/* Defines a symbol; `at` is where its name stands, for the diagnostic. */
void
asm_define(asm_ctx *a, const char *name, uint32_t len, const char *at, asm_symbol value);

/* Defines a variable that the text did not define. */
void
asm_predefine(asm_ctx *a, const char *name, int64_t value);

/* NAME = expression, at the expression. */
void
asm_set_symbol(asm_ctx *a, const asm_token *name);

/* Makes a sum that is a number or a label a variable's value, in place of what it was made of;
 * false: it is neither. */
bool
asm_settle(asm_symbol *s, const asm_sum *sum);

/* The next label `number` below, or the last one above; and its definition here. */
uint32_t
asm_local_label(asm_ctx *a, uint64_t number, bool forward);
void
asm_define_local(asm_ctx *a, const asm_token *number);

#endif
