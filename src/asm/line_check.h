/* Single statements of a machine, to see what they assemble to: for disassemblers whose output is
 * meant to be assembled again. */
#ifndef ASM_LINE_CHECK_H
#define ASM_LINE_CHECK_H

#include "asm/unit.h"

typedef struct asm_line_check {
    diag d;
    asm_unit *unit;
} asm_line_check;

/* One serves any number of statements. The options have the machine and what it needs; NULL: there
 * is no memory. */
asm_line_check *
asm_line_check_new(arena *scratch, const asm_options *options);

/* The bytes that a statement assembles to, valid until the next call; NULL if it is none, or refers
 * to a symbol that it does not define. */
const base_buf *
asm_line_assemble(asm_line_check *c, asm_text line);

/* Returns true if the statement assembles to these bytes. */
bool
asm_line_check_run(asm_line_check *c, asm_text line, const uint8_t *bytes, size_t size);

#endif
