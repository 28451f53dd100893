/* Bytes that are filled in after the whole file was read and its sections have addresses. */
#ifndef ASM_FIXUP_H
#define ASM_FIXUP_H

#include "asm/expr.h"

typedef enum asm_fixup_kind {
    ASM_FIX_BRANCH,   /* a jump to `symbol`: written by asm_machine.put_branch */
    ASM_FIX_LITERAL,  /* `expr`, `size` bytes, truncated */
    ASM_FIX_DATA,     /* `expr`, `size` bytes, which must be in range */
    ASM_FIX_GOT,      /* the address of `symbol`, 8 bytes */
    ASM_FIX_DISTANCE, /* `symbol` minus the address `back` bytes before, `size` bytes */
    ASM_FIX_OWN,      /* defined by the machine: `resolve` */
} asm_fixup_kind;

typedef struct asm_fixup {
    asm_fixup_kind kind;
    uint32_t section, symbol;
    size_t offset;
    uint8_t size, back;
    asm_expr expr;
    void (*resolve)(asm_ctx *a, const struct asm_fixup *f);
    void *user;     /* argument of `resolve` */
    const char *at; /* position in `source`, for diagnostics */
    uint32_t source;
} asm_fixup;

/* Reports the undefined symbols of fixups where errors leave no sense in resolving them. */
void
asm_check_symbols(asm_ctx *a);

/* Adds a fixup for the current source. */
void
asm_add_fixup(asm_ctx *a, asm_fixup fixup);

#endif
