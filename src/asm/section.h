/* Sections, and limits on what directives may add to them. */
#ifndef ASM_SECTION_H
#define ASM_SECTION_H

#include "asm/token.h"

enum { ASM_MAX_SECTIONS = 64 };

/* Finds the section called `name`, and makes it if it is new. */
uint32_t
asm_find_section(asm_ctx *a, const char *name, size_t len);

/* Makes a section the current one. */
void
asm_enter_section(asm_ctx *a, uint32_t section);

/* Counts bytes that a directive adds. Fails if the limit is exceeded. */
void
asm_fill(asm_ctx *a, uint64_t bytes);

#endif
