/* Symbols: labels, variables, and symbols that the assembler maintains. */
#ifndef ASM_SYMBOL_H
#define ASM_SYMBOL_H

#include "asm/expr.h"

/* Whether a sum has been computed: not, before addresses are known, or after. */
typedef enum asm_summed { ASM_NOT_SUMMED, ASM_SUMMED_EARLY, ASM_SUMMED } asm_summed;

/* A label's value is its offset in its section. */
typedef struct asm_symbol {
    bool defined, label;
    bool variable;    /* defined by `=`: may change */
    bool used;        /* used as something other than a number */
    bool lazy;        /* a variable whose value `expr` is not known yet */
    bool is_reported; /* an error said that it has no value; no further one does */
    bool is_hidden;   /* not in the object, because the call defined it */
    int64_t value;
    uint32_t section;                  /* section of labels */
    uint8_t kind, binding, visibility; /* as in asm_unit_symbol */
    uint32_t bound_as;                 /* 1 + the symbol whose binding it shares; 0: its own */
    uint32_t got;                      /* offset in .got + 1; 0: no entry */
    bool has_size;                     /* .size was given: `size` */
    asm_expr expr, size;
    asm_sum sum; /* value of `expr` of a lazy variable */
    asm_summed summed;
    uint32_t evaluation; /* the one that is looking into `expr`; an earlier one has failed */
} asm_symbol;

/* The number of the symbol `name`, which is made if it is new. */
uint32_t
asm_symbol_of(asm_ctx *a, const char *name, size_t len);

/* The symbol `name`; the pointer is valid until the next symbol is made. */
asm_symbol *
asm_symbol_named(asm_ctx *a, const char *name, size_t len);

/* The symbol's name, for a diagnostic. */
const char *
asm_symbol_text(asm_ctx *a, uint32_t symbol);

/* The symbol named by the current token; reports a diagnostic if it is not a name. */
asm_symbol *
asm_take_symbol(asm_ctx *a);

/* Defines a symbol; `at` is the position of its name, for the diagnostic. */
void
asm_define(asm_ctx *a, const char *name, uint32_t len, const char *at, asm_symbol value);

/* Defines a variable that the text does not define. */
void
asm_predefine(asm_ctx *a, const char *name, int64_t value);

/* Handles NAME = expression; the current position is at the expression. */
void
asm_set_symbol(asm_ctx *a, const asm_token *name);

/* Sets a variable's value to a sum that is a number or a label, replacing its expression. Returns
 * false if the sum is neither. */
bool
asm_settle(asm_symbol *s, const asm_sum *sum);

/* The next label `number` after, or the last one before, this position; and its definition here. */
uint32_t
asm_local_label(asm_ctx *a, uint64_t number, bool forward);
void
asm_define_local(asm_ctx *a, const asm_token *number);

#endif
