/* Sections, and what directives may add to them. */
#ifndef ASM_SECTION_H
#define ASM_SECTION_H

#include "asm/token.h"

enum { ASM_MAX_SECTIONS = 64 };

/* The section called `name`, made when it is new. */
uint32_t
asm_find_section(asm_ctx *a, const char *name, size_t len);

/* Goes on in a section. */
void
asm_enter_section(asm_ctx *a, uint32_t section);

/* Counts bytes that a directive adds; ends the call where that is too much. */
void
asm_fill(asm_ctx *a, uint64_t bytes);

#endif
