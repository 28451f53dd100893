/* The source lines of code that is assembled, for line tables. */
#ifndef ASM_LINE_H
#define ASM_LINE_H

#include "asm/token.h"

/* A position in the text. */
typedef struct asm_position {
    uint32_t source;
    const char *at;
} asm_position;

/* Records that the statement at `p` has added the bytes of a section from `offset` on. */
void
asm_note_line(asm_ctx *a, asm_position p, uint32_t section, size_t offset);

#endif
